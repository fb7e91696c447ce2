/* The counters of the survey. Messages are counted by pair of ranks: in one row for the sends and one for the
 * receives of the rank that is being read, which then go to the lists of all pairs. So no table is searched
 * for a message, and the lists come out sorted.
 *
 *     rank r ─► decoder ─► count_op ─┬─► row of sends    ─► keep_sent     ─► pairs     source r, targets rise
 *                                    └─► row of receives ─► keep_received ─► incoming  target r, sources rise
 *            after all ranks: settle_wildcards compares both lists, receiver by receiver */
#include "traces/dumpi/survey.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/doctor/defect.h"
#include "traces/draft.h"
#include "base/grow.h"

/* What does grow: pairs, exceptions, and arrays by rank and communicator. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "the survey of a trace");
}

/* FNV-1a; 0 for no name. Ranks are only asked whether they share a node: the hash of its name is enough. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    if (name == NULL || *name == '\0')
        return 0;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

/* Ranks without a wall clock have no first time: their clocks cannot be compared. */
void trace_dumpi_survey_first(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder)
{
    survey->first_ns[decoder->rank] = decoder->started ? decoder->first_ns : decoder->record->wall.start_ns;
    survey->hosts[decoder->rank] = hash_of(dpt_info(decoder->stream)->hostname);
}

/* The region of an operation is the number of its function; an END of a cut file has none. It would count
 * as function 0, but has nothing to add. */
static struct trace_dumpi_call_count *call_of(struct trace_dumpi_survey *survey, const struct trace_op *op)
{
    return &survey->calls[op->region < DPT_FUNCTION_COUNT ? op->region : 0];
}

/* Without the bytes of v-collectives' vectors there is nothing else to count them by than what is sent.
 * Implied collectives are part of the call that implies them, and are no collectives of the program. */
static void count_collective(struct trace_dumpi_survey *survey, const struct trace_op *op)
{
    struct trace_collective_count *count =
        &survey->collectives[(size_t)op->communicator * TRACE_COLLECTIVES + op->collective];
    bool v = op->collective == TRACE_GATHERV || op->collective == TRACE_SCATTERV ||
             op->collective == TRACE_ALLGATHERV || op->collective == TRACE_ALLTOALLV ||
             op->collective == TRACE_ALLTOALLW || op->collective == TRACE_REDUCE_SCATTER;
    uint64_t bytes = v ? op->bytes_sent : op->bytes;

    call_of(survey, op)->bytes += bytes;
    if (op->flags & TRACE_IMPLIED)
        return;
    count->calls++;
    count->bytes += bytes;
}

/* Probes and the end carry nothing to count. */
void trace_dumpi_survey_op(struct trace_dumpi_survey *survey, uint32_t rank, const struct trace_op *op,
                           bool guessed)
{
    switch (op->kind) {
    case TRACE_SEND:
        trace_dumpi_survey_send(survey, op->region, op->peer, op->bytes);
        break;
    case TRACE_RECEIVE:
        trace_dumpi_survey_receive(survey, rank, op->region, op->peer, op->bytes, guessed);
        break;
    case TRACE_PUT:
    case TRACE_GET:
        call_of(survey, op)->bytes += op->bytes;
        break;
    case TRACE_COLLECTIVE_CALL:
        count_collective(survey, op);
        break;
    default:
        break;
    }
}

/* An exception, and the counts as if it had been known when it was posted. The exception goes to the rank's list,
 * which is sorted when the rank is done. */
int trace_dumpi_survey_expired(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder,
                               const struct trace_dumpi_entry *posted,
                               const struct trace_dumpi_exception *exception, bool guessed)
{
    struct trace_dumpi_exceptions *exceptions = &survey->exceptions[decoder->rank];

    if (base_grow(&exceptions->all, &exceptions->capacity, exceptions->count + 1, sizeof *exceptions->all) !=
        0)
        return -1;
    exceptions->all[exceptions->count++] = *exception;
    /* It has been counted as posted: take that back. */
    survey->receives--;
    if (posted->peer == TRACE_ANY_SOURCE) {
        survey->wildcards[decoder->rank]--;
    } else {
        survey->bytes_received -= posted->bytes;
        survey->received.peers[posted->peer].messages--;
        survey->received.peers[posted->peer].bytes -= posted->bytes;
        survey->received.peers[posted->peer].guessed--;
    }
    if (!exception->absent)
        trace_dumpi_survey_message(survey, decoder->rank, exception->peer, exception->bytes, guessed);
    return 0;
}

/* Peers are touched in any order. Each is there once, so the order is total. */
static int compare_ranks(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The row of sends to the list of pairs, in order. */
static int keep_sent(struct trace_dumpi_survey *survey, uint32_t rank)
{
    struct trace_dumpi_row *row = &survey->sent;

    qsort(row->touched, row->count, sizeof *row->touched, compare_ranks);
    if (base_grow(&survey->pairs, &survey->pair_capacity, survey->pair_count + row->count,
                  sizeof *survey->pairs) != 0)
        return -1;
    for (uint32_t i = 0; i < row->count; i++) {
        struct trace_dumpi_incoming *count = &row->peers[row->touched[i]];

        survey->pairs[survey->pair_count++] =
            (struct trace_pair){rank, row->touched[i], count->messages, count->bytes};
        *count = (struct trace_dumpi_incoming){0};
    }
    row->count = 0;
    return 0;
}

/* The same for receives. The row's entry becomes the list's, with its two ranks filled in. */
static int keep_received(struct trace_dumpi_survey *survey, uint32_t rank)
{
    struct trace_dumpi_row *row = &survey->received;

    qsort(row->touched, row->count, sizeof *row->touched, compare_ranks);
    if (base_grow(&survey->incoming, &survey->incoming_capacity, survey->incoming_count + row->count,
                  sizeof *survey->incoming) != 0)
        return -1;
    for (uint32_t i = 0; i < row->count; i++) {
        struct trace_dumpi_incoming *count = &row->peers[row->touched[i]];

        survey->incoming[survey->incoming_count] = *count;
        survey->incoming[survey->incoming_count].source = row->touched[i];
        survey->incoming[survey->incoming_count++].target = rank;
        *count = (struct trace_dumpi_incoming){0};
    }
    row->count = 0;
    return 0;
}

/* What is wrong with what stands behind the records, of a file that could be read that far. Both are
 * warnings: the records themselves are whole. `left_out` is how many calls the footer counts beside those of the
 * file. */
static int tell_footer(const struct trace_dumpi_decoder *decoder, const struct dpt_file_info *info,
                       uint64_t left_out, struct base_error *error)
{
    struct trace_defects *defects = decoder->context->options.defects;
    struct trace_defect defect = {
        .severity = TRACE_WARNING, .rank = decoder->rank, .time_ns = UINT64_MAX, .kind = "recording-off"};

    if (defects == NULL)
        return 0;
    if (left_out > 0 && trace_defects_add_many(defects, &defect, left_out, error,
                                               "%" PRIu64 " calls are not in the file: the recorder was "
                                               "switched off, or told to leave them out",
                                               left_out) != 0)
        return -1;
    defect.kind = "damaged-footer";
    if (!info->has_index)
        return trace_defects_add(
            defects, &defect, error,
            "the file has no index at its end, as if it were cut off: calls may be missing "
            "and the sizes of derived datatypes");
    return info->warning_count == 0 ? 0 : trace_defects_add(defects, &defect, error, "%s", info->warning);
}

/* Calls that the recorder was told to leave out. A rank without a file has no footer to look at. */
static int note_footer(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder,
                       struct base_error *error)
{
    const struct dpt_file_info *info = decoder->stream == NULL ? NULL : dpt_info(decoder->stream);
    uint64_t left_out = 0;

    /* Number 290 is their sum. */
    for (uint32_t i = 0; info != NULL && info->ignored != NULL && i < info->function_count && i < 290; i++) {
        survey->calls[i].switched_off += info->ignored[i];
        left_out += trace_dumpi_is_communication(i) ? info->ignored[i] : 0;
    }
    return info == NULL ? 0 : tell_footer(decoder, info, left_out, error);
}

/* Exceptions are found when receives end, and used when they begin. */
static int compare_ordinals(const void *left, const void *right)
{
    const struct trace_dumpi_exception *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

/* The same operations as a cursor's, and what a survey counts of them. They are counted to the end also where the draft
 * has no room for them. */
static int draft_rank(struct trace_dumpi_decoder *decoder, struct base_error *error)
{
    struct trace_dumpi_survey *survey = decoder->survey;
    bool has_room = true;
    struct trace_op op;
    int more;

    while ((more = trace_dumpi_next(decoder, &op, error)) == 1) {
        if (op.kind == TRACE_COMPUTE)
            survey->compute_ns += op.duration_ns;
        else
            trace_dumpi_survey_op(survey, decoder->rank, &op, decoder->guessed);
        has_room = has_room && trace_dumpi_draft(survey, decoder, &op);
    }
    trace_draft_end(survey->context->options.draft);
    return more;
}

/* One rank from its first record to its last. The decoder lives only here, so that memory does not grow
 * with the ranks of a trace. -1: error; 0: the rank was read to its end. */
static int survey_rank(struct trace_dumpi_survey *survey, uint32_t rank, struct base_error *error)
{
    struct trace_dumpi_exceptions *exceptions = &survey->exceptions[rank];
    struct trace_dumpi_decoder decoder;
    int result;

    trace_dumpi_decoder_init(&decoder, survey->context, rank);
    decoder.survey = survey;
    decoder.drafts = trace_draft_begin(survey->context->options.draft, rank);
    result = decoder.drafts ? draft_rank(&decoder, error) : trace_dumpi_count(&decoder, error);
    if (decoder.stream != NULL) {
        survey->to_rank_minus_1 += dpt_stats(decoder.stream)->to_rank_minus_1;
        survey->to_rank_minus_2 += dpt_stats(decoder.stream)->to_rank_minus_2;
    }
    if (result == 0)
        result = note_footer(survey, &decoder, error);
    trace_dumpi_decoder_free(&decoder);
    trace_loss_end_rank(&survey->loss);
    if (result == 0 && (keep_sent(survey, rank) != 0 || keep_received(survey, rank) != 0))
        return no_memory(error);
    if (exceptions->count > 1)
        qsort(exceptions->all, exceptions->count, sizeof *exceptions->all, compare_ordinals);
    return result;
}

/* Zeroed again as it is emptied, so that it is made once. */
static int new_row(struct trace_dumpi_row *row, uint32_t ranks)
{
    row->peers = calloc(ranks, sizeof *row->peers);
    row->touched = calloc(ranks, sizeof *row->touched);
    return row->peers == NULL || row->touched == NULL ? -1 : 0;
}

/* All arrays by rank and communicator. */
static int allocate(struct trace_dumpi_survey *survey)
{
    uint32_t ranks = survey->context->ranks;
    size_t counts = (size_t)survey->context->communicator_count * TRACE_COLLECTIVES;

    survey->collectives = calloc(counts, sizeof *survey->collectives);
    survey->exceptions = calloc(ranks, sizeof *survey->exceptions);
    survey->drafted = calloc(ranks, sizeof *survey->drafted);
    survey->wildcards = calloc(ranks, sizeof *survey->wildcards);
    survey->ambiguous = calloc(ranks, sizeof *survey->ambiguous);
    survey->null_sources = calloc(ranks, sizeof *survey->null_sources);
    survey->first_ns = calloc(ranks, sizeof *survey->first_ns);
    survey->hosts = calloc(ranks, sizeof *survey->hosts);
    if (survey->collectives == NULL || survey->exceptions == NULL || survey->drafted == NULL ||
        survey->wildcards == NULL || survey->ambiguous == NULL || survey->null_sources == NULL ||
        survey->first_ns == NULL || survey->hosts == NULL)
        return -1;
    for (uint32_t i = 0; i < ranks; i++)
        survey->first_ns[i] = INT64_MIN;
    return new_row(&survey->sent, ranks) != 0 || new_row(&survey->received, ranks) != 0 ? -1 : 0;
}

/* How many messages and bytes were sent to each rank that no receive names the sender of. The difference of
 * both lists is theirs: when it is as many messages as there are open receives, the bytes are known even
 * though the senders are not. */
static void settle_wildcards(struct trace_dumpi_survey *survey, struct trace_dumpi_incoming *missing)
{
    for (size_t i = 0; i < survey->pair_count; i++) {
        missing[survey->pairs[i].target].messages += survey->pairs[i].messages;
        missing[survey->pairs[i].target].bytes += survey->pairs[i].bytes;
    }
    for (size_t i = 0; i < survey->incoming_count; i++) {
        missing[survey->incoming[i].target].messages -= survey->incoming[i].messages;
        missing[survey->incoming[i].target].bytes -= survey->incoming[i].bytes;
    }
    for (uint32_t rank = 0; rank < survey->context->ranks; rank++) {
        uint64_t open = survey->wildcards[rank], ambiguous = survey->ambiguous[rank];

        /* Without the ambiguous ones, the numbers fit: they were from MPI_PROC_NULL. */
        survey->null_sources[rank] = ambiguous > 0 && missing[rank].messages == open - ambiguous;
        if (survey->null_sources[rank]) {
            survey->receives -= ambiguous;
            open -= ambiguous;
        }
        if (open > 0 && missing[rank].messages == open)
            survey->bytes_received += missing[rank].bytes;
    }
}

/* Rank after rank, so that each file is read from its start to its end once. */
int trace_dumpi_survey_run(struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context,
                           struct base_error *error)
{
    struct trace_dumpi_incoming *missing;

    survey->context = context;
    if (allocate(survey) != 0)
        return no_memory(error);
    trace_draft_clear(context->options.draft, context->ranks);
    for (uint32_t rank = 0; rank < context->ranks; rank++)
        if (survey_rank(survey, rank, error) != 0)
            return -1;
    missing = calloc(context->ranks, sizeof *missing);
    if (missing == NULL)
        return no_memory(error);
    settle_wildcards(survey, missing);
    free(missing);
    return 0;
}

/* Also for one that failed halfway. */
void trace_dumpi_survey_free(struct trace_dumpi_survey *survey)
{
    for (uint32_t i = 0; survey->exceptions != NULL && i < survey->context->ranks; i++)
        free(survey->exceptions[i].all);
    for (uint32_t i = 0; survey->drafted != NULL && i < survey->context->ranks; i++)
        free(survey->drafted[i].gaps);
    free(survey->exceptions);
    free(survey->drafted);
    free(survey->collectives);
    free(survey->sent.peers);
    free(survey->sent.touched);
    free(survey->received.peers);
    free(survey->received.touched);
    free(survey->pairs);
    free(survey->incoming);
    free(survey->wildcards);
    free(survey->ambiguous);
    free(survey->null_sources);
    free(survey->first_ns);
    free(survey->hosts);
    base_table_free(&survey->roots);
    base_table_free(&survey->parts.index);
    free(survey->parts.bytes);
    *survey = (struct trace_dumpi_survey){0};
}
