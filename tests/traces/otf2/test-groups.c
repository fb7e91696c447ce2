/* Calls that the decoder takes whole (traces/otf2/groups.c), against the same events given to it one by one,
 * which takes none of them whole: the same survey, the same tables of exceptions, the same operations, and
 * the same error, for random sequences in which most calls are as usual and the rest are not. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "traces/otf2-archive/archive.h"
#include "traces/otf2/survey.h"

#define EVENTS 700 /* fewer than a receive may wait for its completion */
#define BLOCK 32
#define REQUESTS 12 /* identifiers: some come again while they are open */

/* What all cases share: definitions as libotf2 reads them. */
static struct trace_otf2_definitions definitions;
static uint32_t regions[64]; /* identifiers */
static uint32_t region_count;

/* Regions of all classes, and communicators: of all ranks, of one, of some, one without rank 1, and an
 * inter-communicator. */
static const struct archive_spec spec = {
    .ranks = 4,
    .communicators = "2: 1 0; 3: 3 2; 4: inter 0 1 / 2 3; 5: global 1 2 0; 6: 0 1 2 3",
    .events = {
        "Send 1 0 7 1\nCall MPI_Isend\nCall MPI_Irecv\nCall MPI_Ssend\nCall MPI_Bsend\nCall MPI_Wait\n"
        "Call MPI_Waitall\nCall MPI_Test\nCall MPI_Sendrecv\nCall MPI_Iprobe\nCall MPI_Comm_rank\nCall work\n"
        "Call MPI_Allreduce\nCall MPI_Comm_dup\n",
        "Recv 0 0 7 1\n", "Call MPI_Barrier\n", "Call inner\n"}};

static int open_definitions(void **state)
{
    struct base_error error = {0};
    char *directory = archive_directory();
    char anchor[4096];
    struct trace_otf2_archive *archive;

    (void)state;
    archive_write(directory, &spec);
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", directory);
    archive = trace_otf2_archive_open(anchor, &definitions, &error);
    if (archive == NULL)
        fail_msg("%s", error.text);
    trace_otf2_archive_close(archive);
    archive_remove(directory);
    for (uint32_t id = 0; id < 64; id++)
        if (definitions.dense_regions[id] != BASE_TABLE_NONE)
            regions[region_count++] = id;
    assert_true(region_count > 15);
    return 0;
}

static int close_definitions(void **state)
{
    (void)state;
    trace_otf2_definitions_free(&definitions);
    return 0;
}

/* The region with this name; any other than MPI's for NULL. */
static uint32_t region_of(const char *name)
{
    for (uint32_t i = 0; i < region_count; i++) {
        uint32_t call = definitions.dense_regions[regions[i]];
        if (call == TRACE_OTF2_USER_REGION ? name == NULL
                                           : name != NULL && strcmp(definitions.calls[call].name, name) == 0)
            return regions[i];
    }
    fail_msg("no region %s", name);
    return 0;
}

/* Events as they are made up. */
struct script {
    struct base_random random;
    struct trace_otf2_event events[EVENTS + 16];
    size_t count;
    uint64_t time, position;
    unsigned damage; /* one of so many records is out of the ordinary; 0: none */
};

static uint32_t below(struct script *script, uint32_t bound)
{
    return (uint32_t)base_random_below(&script->random, bound);
}

/* True now and then. */
static bool is_odd(struct script *script)
{
    return script->damage > 0 && below(script, script->damage) == 0;
}

static struct trace_otf2_event *add(struct script *script, uint32_t kind)
{
    struct trace_otf2_event *event = &script->events[script->count++];

    script->time += below(script, 4) == 0 ? 0 : below(script, 5000);
    if (is_odd(script))
        script->time += UINT64_C(3000000000); /* more than a second */
    if (is_odd(script) && below(script, 4) == 0)
        script->time -= script->time / 2;
    script->position += 1 + below(script, 2); /* records that are not registered count too */
    *event = (struct trace_otf2_event){.kind = kind, .time = script->time, .position = script->position};
    return event;
}

static void add_region(struct script *script, uint32_t kind, uint32_t region)
{
    add(script, kind)->peer = is_odd(script) ? regions[below(script, region_count)] : region;
}

/* A message of rank 1 over communicator 0, mostly. */
static void add_message(struct script *script, uint32_t kind)
{
    struct trace_otf2_event *event = add(script, kind);

    event->peer = is_odd(script) ? UINT32_MAX - below(script, 3) : below(script, 4);
    event->communicator = is_odd(script) ? below(script, 8) : 0;
    event->tag = is_odd(script) ? UINT32_C(1) << 31 : below(script, 3);
    event->bytes = is_odd(script) ? UINT64_MAX : below(script, 9000);
    event->request = below(script, REQUESTS);
}

static void add_request(struct script *script, uint32_t kind)
{
    add(script, kind)->request = below(script, REQUESTS);
}

/* A call with `records` records of this kind inside. */
static void add_call(struct script *script, const char *name, uint32_t kind, unsigned records)
{
    uint32_t region = region_of(name);

    if (!is_odd(script))
        add_region(script, TRACE_OTF2_ENTER, region);
    for (unsigned i = 0; i < records; i++) {
        if (kind == TRACE_OTF2_IRECV_REQUEST || kind == TRACE_OTF2_ISEND_COMPLETE ||
            kind == TRACE_OTF2_REQUEST_TEST)
            add_request(script, kind);
        else
            add_message(script, kind);
    }
    if (!is_odd(script))
        add_region(script, TRACE_OTF2_LEAVE, region);
}

static void add_something(struct script *script)
{
    static const char *const sends[] = {"MPI_Send", "MPI_Send", "MPI_Ssend", "MPI_Bsend", "MPI_Sendrecv"};

    switch (below(script, 12)) {
    case 0:
    case 1:
        add_call(script, sends[below(script, 5)], TRACE_OTF2_SEND, 1);
        break;
    case 2:
        add_call(script, "MPI_Isend", TRACE_OTF2_ISEND, 1);
        break;
    case 3:
        add_call(script, "MPI_Irecv", TRACE_OTF2_IRECV_REQUEST, 1);
        break;
    case 4:
        add_call(script, "MPI_Recv", TRACE_OTF2_RECV, 1);
        break;
    case 5:
    case 6:
        add_call(script, "MPI_Wait", TRACE_OTF2_IRECV, 1);
        break;
    case 7:
        add_call(script, "MPI_Wait", TRACE_OTF2_ISEND_COMPLETE, 1);
        break;
    case 8:
        add_call(script, "MPI_Waitall", below(script, 2) ? TRACE_OTF2_IRECV : TRACE_OTF2_ISEND_COMPLETE,
                 below(script, 4));
        break;
    case 9:
        add_call(script, below(script, 2) ? "MPI_Test" : "MPI_Iprobe", TRACE_OTF2_IRECV, below(script, 2));
        break;
    case 10:
        add_call(script, "MPI_Comm_rank", TRACE_OTF2_SEND, 0);
        break;
    default:
        add_region(script, below(script, 2) ? TRACE_OTF2_ENTER : TRACE_OTF2_LEAVE, region_of(NULL));
        break;
    }
}

/* What one way of decoding gives. */
struct outcome {
    struct trace_otf2_survey survey;
    struct trace_otf2_rank_tables found;
    char *text; /* operations, and the error */
    size_t size;
    bool failed;
};

static void count(struct trace_otf2_survey *survey, const struct trace_op *op)
{
    if (op->kind == TRACE_COMPUTE)
        survey->compute_ns += op->duration_ns;
    if (op->kind == TRACE_SEND)
        trace_otf2_count_send(survey, 1, op->peer, op->bytes, op->communicator, op->tag);
    if (op->kind == TRACE_RECEIVE)
        trace_otf2_count_receive(survey, 1, op->peer, op->bytes, op->communicator, op->tag);
}

static void print(FILE *out, const struct trace_op *op, uint64_t ordinal)
{
    fprintf(out,
            "%d %u %ju peer %u tag %u comm %u bytes %ju request %ju root %u event %ju time %ju region %u",
            op->kind, op->flags, (uintmax_t)op->duration_ns, op->peer, op->tag, op->communicator,
            (uintmax_t)op->bytes, (uintmax_t)op->request, op->root, (uintmax_t)op->event,
            (uintmax_t)op->time_ns, op->region);
    fprintf(out, " %d %ju", op->collective, (uintmax_t)(op->instance + op->bytes_sent + op->bytes_received));
    for (size_t i = 0; i < op->request_count; i++)
        fprintf(out, " #%ju", (uintmax_t)op->requests[i]);
    if (op->kind == TRACE_RECEIVE)
        fprintf(out, " ordinal %ju", (uintmax_t)ordinal);
    fputc('\n', out);
}

static void take_all(struct trace_otf2_decoder *decoder, FILE *out, struct base_error *error)
{
    struct trace_op op;
    uint64_t ordinal;

    while (trace_otf2_is_ready(decoder) && trace_otf2_take(decoder, &op, &ordinal, error) > 0) {
        if (decoder->survey != NULL)
            count(decoder->survey, &op);
        else
            print(out, &op, ordinal);
    }
}

/* In blocks as a stream does, with all that follows at hand; or one by one, with nothing. */
static void decode_all(struct trace_otf2_decoder *decoder, const struct script *script, bool whole, FILE *out,
                       struct outcome *outcome)
{
    struct base_error error = {0};
    size_t at = 0;

    while (at < script->count && !outcome->failed) {
        size_t left = script->count - at;
        int taken =
            whole ? trace_otf2_decode(decoder, &script->events[at], left < BLOCK ? left : BLOCK, left, &error)
                  : trace_otf2_decode(decoder, &script->events[at], 1, 0, &error);
        outcome->failed = taken < 0;
        at += outcome->failed ? 0 : (size_t)taken;
        take_all(decoder, out, &error);
    }
    if (!outcome->failed)
        outcome->failed = trace_otf2_decode_end(decoder, &error) != 0;
    take_all(decoder, out, &error);
    fprintf(out, "%s\n", error.text);
}

static void print_defects(FILE *out, const struct trace_defects *defects)
{
    for (size_t i = 0; i < trace_defects_count(defects); i++) {
        const struct trace_defect *defect = trace_defects_get(defects, i);
        fprintf(out, "%s event %ju time %ju: %s\n", defect->kind, (uintmax_t)defect->event,
                (uintmax_t)defect->time_ns, defect->text);
    }
}

/* The survey, if tables are NULL; else a cursor that uses these. keep_on: damage is left out. */
static struct outcome decode_script(const struct script *script, bool whole, bool keep_on,
                                    struct trace_otf2_rank_tables *ranks)
{
    struct trace_defects *defects = keep_on ? trace_defects_new(0) : NULL;
    struct trace_otf2_tables tables = {.ranks = ranks};
    struct trace_otf2_context context = {.path = "script", .definitions = &definitions, .tables = &tables};
    struct outcome outcome = {0};
    struct trace_otf2_decoder decoder;
    uint32_t marks[32] = {0};
    FILE *out = open_memstream(&outcome.text, &outcome.size);

    assert_true(definitions.communicator_count <= 16);
    context.options.message_limit_bytes = UINT64_C(1) << 40;
    context.options.defects = defects;
    trace_otf2_decoder_init(&decoder, &context, 1);
    if (ranks == NULL) {
        outcome.survey.counts.calls = calloc(definitions.call_count + 1, sizeof *outcome.survey.counts.calls);
        decoder.counts = &outcome.survey.counts;
        decoder.survey = &outcome.survey;
        decoder.found = &outcome.found;
        decoder.used = marks;
        decoder.counted = marks + 16;
    }
    decode_all(&decoder, script, whole, out, &outcome);
    trace_otf2_sort_tables(&outcome.found);
    trace_otf2_decoder_free(&decoder);
    if (keep_on)
        print_defects(out, defects);
    trace_defects_free(defects);
    fclose(out);
    return outcome;
}

static void free_outcome(struct outcome *outcome)
{
    trace_otf2_survey_free(&outcome->survey);
    free(outcome->found.receives);
    free(outcome->found.starts);
    free(outcome->found.creations);
    free(outcome->found.first_uses.all);
    free(outcome->found.collectives.all);
    free(outcome->text);
}

/* A difference of padding would be one too: all of these are numbers of one width, or made alike. */
static void compare_surveys(const struct outcome *a, const struct outcome *b)
{
    const struct trace_otf2_survey *left = &a->survey, *right = &b->survey;

    assert_int_equal(left->sends, right->sends);
    assert_int_equal(left->receives, right->receives);
    assert_int_equal(left->bytes_sent, right->bytes_sent);
    assert_int_equal(left->bytes_received, right->bytes_received);
    assert_int_equal(left->compute_ns, right->compute_ns);
    assert_int_equal(left->counts.mpi_ns, right->counts.mpi_ns);
    assert_memory_equal(left->counts.calls, right->counts.calls,
                        definitions.call_count * sizeof *left->counts.calls);
    assert_memory_equal(left->counts.repairs, right->counts.repairs, sizeof left->counts.repairs);
    assert_int_equal(left->pair_count, right->pair_count);
    for (size_t i = 0; i < left->pair_count; i++) {
        const struct trace_otf2_pair *pair = &left->pairs[i];
        uint32_t other = base_table_get(&right->pair_index, pair->pair.source, pair->pair.target);
        assert_int_not_equal(other, BASE_TABLE_NONE);
        assert_memory_equal(pair, &right->pairs[other], sizeof *pair);
    }
    assert_int_equal(a->found.receive_count, b->found.receive_count);
    assert_int_equal(a->found.start_count, b->found.start_count);
    for (size_t i = 0; i < a->found.receive_count; i++) {
        assert_int_equal(a->found.receives[i].ordinal, b->found.receives[i].ordinal);
        assert_int_equal(a->found.receives[i].state, b->found.receives[i].state);
    }
    for (size_t i = 0; i < a->found.start_count; i++)
        assert_int_equal(a->found.starts[i], b->found.starts[i]);
}

/* A receive that nobody has a message for is left out by cursors, as traces/otf2/guesses.c would decide. */
static void settle(struct trace_otf2_rank_tables *found)
{
    for (size_t i = 0; i < found->receive_count; i++)
        if (found->receives[i].state == TRACE_OTF2_UNKNOWN || found->receives[i].state == TRACE_OTF2_EARLY)
            found->receives[i].state = TRACE_OTF2_DROPPED;
}

/* Returns whether both ways came to the end. */
static bool compare_ways(const struct script *script, bool keep_on)
{
    struct outcome one = decode_script(script, false, keep_on, NULL);
    struct outcome all = decode_script(script, true, keep_on, NULL);
    bool ended = !one.failed;

    assert_string_equal(one.text, all.text);
    assert_int_equal(one.failed, all.failed);
    if (ended) {
        struct trace_otf2_rank_tables ranks[2] = {{0}, one.found};
        struct outcome single, whole;
        compare_surveys(&one, &all);
        settle(&ranks[1]);
        single = decode_script(script, false, keep_on, ranks);
        whole = decode_script(script, true, keep_on, ranks);
        assert_string_equal(single.text, whole.text);
        free_outcome(&single);
        free_outcome(&whole);
    }
    free_outcome(&one);
    free_outcome(&all);
    return ended;
}

static void random_scripts(void **state)
{
    static struct script script;
    uint64_t cases = brief_count("random sequences of events", 2000, 5);
    unsigned ended = 0, refused = 0;

    (void)state;
    for (uint64_t seed = 0; seed < cases; seed++) {
        script = (struct script){.damage = seed % 4 == 0 ? 0 : 10u << seed % 4 * 2, .time = seed};
        base_random_seed(&script.random, seed, 0);
        while (script.count < (seed % 8 == 1 ? 20 : EVENTS))
            add_something(&script);
        (*(compare_ways(&script, seed % 3 > 0) ? &ended : &refused))++;
    }
    assert_true(ended > cases / 4 && refused > cases / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scripts)};

    return cmocka_run_group_tests_name("calls taken whole", tests, open_definitions, close_definitions);
}
