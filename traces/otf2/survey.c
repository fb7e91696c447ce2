/* The counters of the survey.
 *
 * Messages are counted by pair of ranks. Whether all communicators and tags of a pair are balanced is seen
 * from a sum of hashes, to which each send adds that of its communicator and tag and from which each receive
 * takes it away: a program with ever new tags costs no memory. Two different sums that are both 0 by chance
 * are as likely as a damaged file that passes all checks, and the worst that follows is that a repair is not
 * tried.
 *
 * Collectives are counted by communicator and operation. Whether the members of a communicator agree is seen
 * from a running hash over each member's calls, and from another over the sizes.
 *
 * What does grow with the trace, because cursors need it: the totals of v-collectives (vectors.h), and
 * the exceptions of tables.h. */
#include "traces/otf2/survey.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/grow.h"
#include "base/wide.h"

#define CLOCK_COMMUNICATORS 16 /* of all ranks */
#define CLOCK_INSTANCES 64     /* of each */
#define CLOCK_SAMPLES ((size_t)CLOCK_COMMUNICATORS * CLOCK_INSTANCES)
#define CLOCK_TOLERANCE_NS 100000 /* clocks are synchronised to some microseconds */

/* What the callbacks of one survey share. */
struct run {
    const struct trace_otf2_decoder *decoder; /* of the rank in progress */
    struct trace_otf2_survey *survey;
    const struct trace_otf2_context *context;
    struct base_error *error;
    struct trace_otf2_collective_record record; /* of the collective that was taken last */
};

/* Sets the error; returns -1. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "the survey of a trace");
}

/* Pairs are the one thing that is kept for all messages; a matrix would be square in the ranks. */
struct trace_otf2_pair *trace_otf2_other_pair(struct trace_otf2_survey *survey, uint32_t source,
                                              uint32_t target, uint32_t *recent)
{
    uint32_t index = base_table_get(&survey->pair_index, source, target);

    *recent = index;
    if (index != BASE_TABLE_NONE)
        return &survey->pairs[index];
    index = (uint32_t)survey->pair_count;
    if (survey->pair_count >= BASE_TABLE_NONE ||
        base_grow(&survey->pairs, &survey->pair_capacity, survey->pair_count + 1, sizeof *survey->pairs) !=
            0 ||
        base_table_put(&survey->pair_index, source, target, index) != 0)
        return NULL;
    survey->pairs[index] = (struct trace_otf2_pair){.pair = {.source = source, .target = target}};
    survey->pair_count++;
    return &survey->pairs[index];
}

/* Waits and ends carry nothing to count; collectives are counted in on_collective, where the raw record is
 * at hand. What is unsettled is no operation yet. */
static int count_op(struct trace_otf2_survey *survey, uint32_t rank, const struct trace_op *op)
{
    if ((op->flags & TRACE_UNSETTLED) != 0)
        return 0;
    switch (op->kind) {
    case TRACE_COMPUTE:
        survey->compute_ns += op->duration_ns;
        return 0;
    case TRACE_SEND:
        return trace_otf2_count_send(survey, rank, op->peer, op->bytes, op->communicator, op->tag);
    case TRACE_RECEIVE:
        return trace_otf2_count_receive(survey, rank, op->peer, op->bytes, op->communicator, op->tag);
    default:
        return 0;
    }
}

/* Rooted operations tell the convention of the whole trace; a size that is no product speaks for its
 * operation only. */
static void collect_evidence(struct trace_otf2_survey *survey,
                             const struct trace_otf2_collective_record *record)
{
    int evidence = trace_otf2_size_evidence(record);

    if (trace_collective_has_root(record->collective) || evidence > 0)
        survey->rooted_votes += evidence;
    else if (evidence < 0)
        survey->indivisible[record->collective] = true;
}

/* Order counts: the same calls in another order give another hash. */
static void hash_into(uint64_t *hash, uint64_t value)
{
    *hash = base_hash(*hash, value);
}

/* Collectives in which every member waits for all others. */
static bool is_synchronising(enum trace_collective collective)
{
    return collective == TRACE_BARRIER || collective == TRACE_ALLREDUCE || collective == TRACE_ALLGATHER ||
           collective == TRACE_ALLTOALL;
}

/* The record stands at the end of its call. Instances are sampled where nobody can have left before the last has
 * come, so that the largest time of coming is at most the smallest of leaving if the clocks agree. */
static void sample_clock(struct run *run, const struct trace_op *op)
{
    const struct trace_otf2_definitions *definitions = run->context->definitions;
    base_wide first = base_wide_scaled(run->decoder->first_ticks, 1000000000u, definitions->ticks_per_second);
    int64_t leaving = (int64_t)base_wide_low(first) + (int64_t)op->time_ns;
    int64_t coming = leaving - (int64_t)op->duration_ns;
    size_t place = run->survey->sample_place[op->communicator];

    if (place == SIZE_MAX || op->instance >= CLOCK_INSTANCES || !is_synchronising(op->collective))
        return;
    place += (size_t)op->instance;
    if (run->survey->comings[place] < coming)
        run->survey->comings[place] = coming;
    if (run->survey->leavings[place] > leaving)
        run->survey->leavings[place] = leaving;
}

/* True unless most of the sampled collectives contradict it by more than the tolerance; EZTrace's are never
 * compared. Halves are, since the difference of two times may not fit. */
bool trace_otf2_survey_has_common_clock(const struct trace_otf2_survey *survey,
                                        const struct trace_otf2_definitions *definitions)
{
    unsigned samples = 0, impossible = 0;

    for (size_t i = 0; i < CLOCK_SAMPLES; i++) {
        if (survey->leavings[i] == INT64_MAX)
            continue;
        samples++;
        impossible += survey->leavings[i] / 2 + CLOCK_TOLERANCE_NS / 2 < survey->comings[i] / 2;
    }
    return !definitions->by_eztrace && impossible * 2 <= samples;
}

/* On an inter-communicator the root is known to itself and to the other group; they must agree. Members of the
 * root's own group do not record it; as long as nobody has said it, it counts as unknown. */
static int note_root(struct run *run, const struct trace_op *op, uint64_t recorded)
{
    struct trace_otf2_survey *survey = run->survey;
    uint32_t known = base_table_get(&survey->roots, op->communicator, recorded);
    struct base_position position = base_position_of(run->context->path);

    if (known == BASE_TABLE_NONE || known == TRACE_OTF2_ROOT_UNKNOWN) {
        survey->unknown_roots += op->root == TRACE_OTF2_ROOT_UNKNOWN;
        survey->unknown_roots -= known == TRACE_OTF2_ROOT_UNKNOWN;
        return base_table_put(&survey->roots, op->communicator, recorded, op->root) != 0
                   ? no_memory(run->error)
                   : 0;
    }
    if (op->root == TRACE_OTF2_ROOT_UNKNOWN || op->root == known || run->context->options.defects != NULL)
        return 0;
    position.rank = run->decoder->rank;
    position.event = (int64_t)op->event;
    return base_error_at(run->error, BASE_INPUT, &position,
                         "%s %" PRIu64 " on inter-communicator \"%s\" has root %u, but for another rank %u",
                         trace_collective_name(op->collective), recorded + 1,
                         run->context->definitions->communicators[op->communicator].name, op->root, known);
}

/* Running hashes stand for the sequence of a member's calls: comparing members needs no list of them. Called when
 * a collective leaves the queue: `recorded` is its number on the communicator, without implied ones. */
static int on_collective(void *user, const struct trace_op *op,
                         const struct trace_otf2_collective_record *record)
{
    struct run *run = user;
    struct trace_otf2_survey *survey = run->survey;
    struct trace_collective_count *count =
        &survey->collectives[(size_t)op->communicator * TRACE_COLLECTIVES + op->collective];
    size_t member = survey->first_member[op->communicator] + record->rank;
    uint64_t recorded = survey->call_counts[member];
    bool has_vectors = trace_collective_has_vectors(op->collective);
    bool inter = record->others > 0;

    run->record = *record;
    if (inter && trace_collective_has_root(op->collective) && note_root(run, op, recorded) != 0)
        return -1;
    count->calls++;
    count->bytes += has_vectors ? op->bytes_sent : op->bytes;
    survey->call_counts[member]++;
    hash_into(&survey->call_hashes[member],
              trace_otf2_pack((uint32_t)op->collective, inter ? UINT32_MAX : op->root));
    hash_into(&survey->size_hashes[member], op->bytes);
    collect_evidence(survey, record);
    sample_clock(run, op);
    if (has_vectors && trace_otf2_vectors_add(&survey->vectors, op, recorded, record) != 0)
        return no_memory(run->error);
    return 0;
}

/* For qsort, as compare_ordinals is. */
static int compare_receives(const void *left, const void *right)
{
    const struct trace_otf2_receive *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

/* Ascending. */
static int compare_ordinals(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* By ordinal, the order in which cursors meet the receives and sends again. */
void trace_otf2_sort_tables(struct trace_otf2_rank_tables *found)
{
    if (found->receive_count > 0)
        qsort(found->receives, found->receive_count, sizeof *found->receives, compare_receives);
    if (found->start_count > 0)
        qsort(found->starts, found->start_count, sizeof *found->starts, compare_ordinals);
}

/* Whether it goes on. The sizes of members, and a root in the other group, are known when all ranks have been read:
 * until then they are as recorded. */
static bool draft_op(const struct run *run, struct trace_op *op)
{
    if (op->kind == TRACE_COLLECTIVE_CALL && (op->flags & TRACE_IMPLIED) == 0 &&
        (trace_collective_has_vectors(op->collective) || run->record.others > 0)) {
        op->flags &= ~(unsigned)(TRACE_REPAIRED | TRACE_APPROXIMATED);
        op->root = run->record.root;
        op->bytes_sent = run->record.sent;
        op->bytes_received = run->record.received;
        op->flags |= TRACE_UNSETTLED;
    }
    return trace_draft_add(run->context->options.draft, op, TRACE_VECTOR_NONE);
}

/* One rank after the other, so that one event file is read from its start to its end. What the rank's decoder
 * finds goes into `found`. The number of events that the archive claims is compared with those read; a difference
 * is counted, not refused. */
static int survey_rank(struct run *run, struct trace_otf2_archive *archive, uint32_t rank,
                       struct trace_otf2_rank_tables *found, struct base_error *error)
{
    struct trace_otf2_survey *survey = run->survey;
    size_t communicators = run->context->definitions->communicator_count;
    struct trace_otf2_stream stream;
    struct trace_op op;
    uint64_t ordinal;
    int result = trace_otf2_stream_init(&stream, archive, run->context, rank, error);

    stream.decoder.counts = &survey->counts;
    stream.decoder.found = found;
    stream.decoder.survey = survey;
    stream.decoder.on_collective = on_collective;
    stream.decoder.user = run;
    stream.decoder.used = survey->marks;
    stream.decoder.counted = survey->marks + communicators;
    memset(survey->marks, 0, communicators * 2 * sizeof *survey->marks);
    run->decoder = &stream.decoder;
    stream.decoder.drafts = trace_draft_begin(run->context->options.draft, rank);
    while (result == 0 && (result = trace_otf2_stream_next(&stream, &op, &ordinal, error)) > 0) {
        result = count_op(survey, rank, &op) != 0 ? no_memory(error) : 0;
        if (stream.decoder.drafts)
            stream.decoder.drafts = draft_op(run, &op);
    }
    trace_draft_end(run->context->options.draft);
    survey->events += stream.position;
    survey->first_ticks[rank] = stream.decoder.first_ticks;
    if (stream.position != run->context->definitions->locations[rank].claimed_events)
        survey->counts.repairs[TRACE_OTF2_REPAIR_EVENT_COUNT]++;
    trace_otf2_sort_tables(found); /* exceptions were found when they ended */
    trace_otf2_stream_free(&stream);
    return result;
}

/* Records that a program's messages and waits are made of. */
static bool is_communication(const struct trace_otf2_event *event)
{
    return event->kind != TRACE_OTF2_ENTER && event->kind != TRACE_OTF2_LEAVE &&
           event->kind != TRACE_OTF2_FLUSH && event->kind != TRACE_OTF2_SKIPPED &&
           event->kind != TRACE_OTF2_TIME;
}

/* What such a thread does is left out. */
static int defect_of_thread(struct run *run, const struct trace_otf2_location *thread,
                            const struct trace_otf2_event *event)
{
    struct trace_defect defect = {.kind = "communicating-thread",
                                  .severity = TRACE_FAULT,
                                  .rank = thread->rank,
                                  .event = event->position,
                                  .time_ns = UINT64_MAX};

    return trace_defects_add(run->context->options.defects, &defect, run->error,
                             "location %" PRIu64 " of this process communicates too; it is left out",
                             thread->id);
}

/* Other threads may do as they like as long as they leave MPI alone. Merging threads by time would make an
 * order that the program did not have, so such traces are refused and not guessed at. Reads all of its records, in
 * batches, without decoding them. */
static int survey_thread(struct run *run, struct trace_otf2_archive *archive,
                         const struct trace_otf2_location *thread, struct base_error *error)
{
    struct base_position position = base_position_of(run->context->path);
    struct trace_otf2_event events[256];
    struct trace_otf2_batch batch = {.events = events, .capacity = 256};
    uint64_t records = batch.capacity, at = 0;

    position.rank = thread->rank;
    while (records == batch.capacity) {
        if (trace_otf2_archive_read(archive, thread->id, at, &batch, &records, error) != 0)
            return -1;
        for (size_t i = 0; i < batch.count; i++) {
            position.event = (int64_t)events[i].position;
            if (is_communication(&events[i]) && run->context->options.defects != NULL)
                return defect_of_thread(run, thread, &events[i]);
            if (is_communication(&events[i]))
                return base_error_at(error, BASE_INPUT, &position,
                                     "location %" PRIu64
                                     " of this process communicates too: MPI calls from several "
                                     "threads of one process are not supported",
                                     thread->id);
        }
        at += records;
    }
    run->survey->events += at;
    return 0;
}

/* Arrays by communicator and member: their sizes are those of the definitions. -1: memory; what there is by then
 * is freed with the survey. One block has comings and leavings. */
static int allocate(struct trace_otf2_survey *survey, const struct trace_otf2_definitions *definitions)
{
    uint32_t count = definitions->communicator_count;
    size_t members = 0;

    survey->first_member = calloc((size_t)count + 1, sizeof *survey->first_member);
    survey->collectives = calloc((size_t)count * TRACE_COLLECTIVES + 1, sizeof *survey->collectives);
    survey->counts.calls = calloc((size_t)definitions->call_count + 1, sizeof *survey->counts.calls);
    survey->first_ticks = calloc(definitions->ranks, sizeof *survey->first_ticks);
    survey->comings = malloc(2 * CLOCK_SAMPLES * sizeof *survey->comings);
    if (survey->first_ticks == NULL || survey->comings == NULL)
        return -1;
    survey->leavings = survey->comings + CLOCK_SAMPLES;
    for (size_t i = 0; i < CLOCK_SAMPLES; i++) {
        survey->comings[i] = INT64_MIN;
        survey->leavings[i] = INT64_MAX;
    }
    survey->sample_place = malloc(((size_t)count + 1) * sizeof *survey->sample_place);
    if (survey->sample_place == NULL)
        return -1;
    for (uint32_t i = 0, full = 0; i < count; i++) {
        bool sampled = trace_otf2_size(definitions, i) == definitions->ranks && full < CLOCK_COMMUNICATORS;
        survey->sample_place[i] = sampled ? (size_t)full++ * CLOCK_INSTANCES : SIZE_MAX;
    }
    survey->marks = calloc((size_t)count * 2 + 1, sizeof *survey->marks);
    if (survey->marks == NULL || survey->first_member == NULL || survey->collectives == NULL ||
        survey->counts.calls == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        survey->first_member[i] = members;
        members += trace_otf2_size(definitions, i);
    }
    survey->call_hashes = calloc(members + 1, sizeof *survey->call_hashes);
    survey->size_hashes = calloc(members + 1, sizeof *survey->size_hashes);
    survey->call_counts = calloc(members + 1, sizeof *survey->call_counts);
    return survey->call_hashes == NULL || survey->size_hashes == NULL || survey->call_counts == NULL ? -1 : 0;
}

/* Stops at the first error: a damaged trace is refused before anything is simulated. Ranks first, then other
 * threads, which must not communicate; then what needs all ranks. */
int trace_otf2_survey_run(struct trace_otf2_survey *survey, struct trace_otf2_archive *archive,
                          const struct trace_otf2_context *context, struct trace_otf2_rank_tables *found,
                          struct base_error *error)
{
    const struct trace_otf2_definitions *definitions = context->definitions;
    struct run run = {.survey = survey, .context = context, .error = error};
    int result = allocate(survey, definitions) != 0 ? no_memory(error) : 0;

    trace_draft_clear(context->options.draft, definitions->ranks);
    survey->counts.repairs[TRACE_OTF2_REPAIR_REPEATED_GROUP] = definitions->repeated_identifiers;
    survey->counts.repairs[TRACE_OTF2_REPAIR_RANK_ORDER] = definitions->guessed_ranks;
    for (uint32_t rank = 0; rank < definitions->ranks && result == 0; rank++)
        result = survey_rank(&run, archive, rank, &found[rank], error);
    for (size_t i = 0; i < definitions->thread_count && result == 0; i++)
        result = survey_thread(&run, archive, &definitions->threads[i], error);
    if (result == 0 && survey->unknown_roots > 0 && context->options.defects == NULL)
        result = base_error_set(error, BASE_INPUT,
                                "%s: no rank says who is the root of %" PRIu64
                                " collectives on inter-communicators",
                                context->path, survey->unknown_roots);
    if (result == 0 && trace_otf2_vectors_complete(&survey->vectors) != 0)
        result = no_memory(error);
    return result;
}

/* Also after a survey that failed. */
void trace_otf2_survey_free(struct trace_otf2_survey *survey)
{
    trace_otf2_vectors_free(&survey->vectors);
    free(survey->pairs);
    free(survey->collectives);
    free(survey->counts.calls);
    free(survey->call_hashes);
    free(survey->size_hashes);
    free(survey->call_counts);
    free(survey->first_member);
    free(survey->marks);
    free(survey->first_ticks);
    free(survey->comings);
    free(survey->sample_place);
    base_table_free(&survey->pair_index);
    base_table_free(&survey->roots);
    *survey = (struct trace_otf2_survey){0};
}
