/* Every recorded DUMPI trace as a program:
 *
 *   ground truth   messages, bytes, matrix of pairs, collectives, calls and gaps, as counted from the text of
 *                  dumpi2ascii
 *   laws           requests are numbered without gaps and waited for at most once; time does not go backward;
 *                  channels are balanced, size by size; members make the same collectives; what rank i sends
 *                  to rank j in a v-collective, rank j receives
 *   equality       operation by operation the same as the OTF2 recording of the same benchmark, but for times
 *                  and for the vectors, of which OTF2 records sums only
 *
 * cover.* uses what NPB does not, and is replayed without any approximation. */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/random.h"
#include "base/table.h"
#include "tests/suite.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "tests/traces/recorded.h"
#include "base/grow.h"

static struct recorded_list traces;

/* ---- ground truth ---- */

static int collective_named(const char *function)
{
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        if (strcasecmp(trace_collective_name((enum trace_collective)i), function + 4) == 0)
            return i;
    fail_msg("no collective %s", function);
    return -1;
}

/* The ground truth has what each rank gave as arguments, which for scatter is sure only on the other side. */
static void check_collectives(const json_t *truth, const struct trace_summary *summary)
{
    json_t *collectives = json_object_get(truth, "collectives");
    json_t *expected;
    const char *key;
    uint64_t calls[TRACE_COLLECTIVES] = {0};

    json_object_foreach(collectives, key, expected)
    {
        int i = collective_named(key);
        const char *side = i == TRACE_SCATTER ? "bytes_recv_args" : "bytes_send_args";

        calls[i] = recorded_number(expected, "calls");
        assert_int_equal(summary->collectives[i].calls, calls[i]);
        assert_int_equal(summary->collectives[i].bytes, recorded_number(expected, side));
    }
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        assert_int_equal(summary->collectives[i].calls, calls[i]);
}

/* Every call of the trace has its row. */
static void check_coverage(const json_t *truth, const struct trace_summary *summary, bool exactly)
{
    json_t *calls = json_object_get(truth, "calls");
    json_t *count;
    const char *key;
    uint64_t events = 0;

    json_object_foreach(calls, key, count)
    {
        size_t row = 0;

        while (row < summary->coverage_count && strcmp(summary->coverage[row].record, key) != 0)
            row++;
        if (row == summary->coverage_count)
            fail_msg("%s has no row", key);
        assert_int_equal(summary->coverage[row].records, json_integer_value(count));
        events += summary->coverage[row].records;
    }
    assert_int_equal(summary->events, events);
    assert_int_equal(summary->coverage_count, json_object_size(calls));
    for (size_t i = 0; exactly && i < summary->coverage_count; i++)
        assert_true(summary->coverage[i].treatment == TRACE_EXACT ||
                    summary->coverage[i].treatment == TRACE_DECOMPOSED);
}

/* "p2p-matrix.csv" against the pairs of the summary; absent above 16 ranks. */
static void check_matrix(const char *path, const struct trace_summary *summary, uint32_t ranks)
{
    char file[RECORDED_PATH * 2], line[256];
    size_t count = 0;
    FILE *stream;

    snprintf(file, sizeof file, "%s/p2p-matrix.csv", path);
    stream = fopen(file, "r");
    if (stream == NULL) {
        assert_true(ranks > 16);
        return;
    }
    assert_non_null(fgets(line, sizeof line, stream));
    for (; fgets(line, sizeof line, stream) != NULL; count++) {
        unsigned source, target;
        unsigned long long messages, bytes;

        assert_int_equal(sscanf(line, "%u,%u,%llu,%llu", &source, &target, &messages, &bytes), 4);
        assert_true(count < summary->pair_count);
        assert_int_equal(summary->pairs[count].source, source);
        assert_int_equal(summary->pairs[count].target, target);
        assert_int_equal(summary->pairs[count].messages, messages);
        assert_int_equal(summary->pairs[count].bytes, bytes);
    }
    fclose(stream);
    assert_int_equal(summary->pair_count, count);
}

/* Seconds of the ground truth are rounded to microseconds, once. */
static void check_seconds(const json_t *truth, const char *key, uint64_t nanoseconds)
{
    double expected =
        json_number_value(json_object_get(json_object_get(truth, "sum_over_ranks_seconds"), key)) * 1e9;

    if ((double)nanoseconds < expected - 1001 || (double)nanoseconds > expected + 1001)
        fail_msg("%s: %llu ns instead of %.0f", key, (unsigned long long)nanoseconds, expected);
}

static void matches_the_ground_truth(void **state)
{
    const char *path = *state;
    struct trace_program *program = recorded_open(path);
    const struct trace_summary *summary = trace_program_summary(program);
    json_t *truth = recorded_truth(path);

    assert_string_equal(trace_program_format(program), "dumpi");
    assert_string_equal(trace_program_writer(program), "sst-dumpi 13.0.0");
    assert_int_equal(trace_program_ranks(program), recorded_number(truth, "ranks"));
    assert_int_equal(summary->sends, recorded_number(truth, "p2p_sends"));
    assert_int_equal(summary->bytes_sent, recorded_number(truth, "p2p_bytes_sent"));
    assert_int_equal(summary->receives, summary->sends);
    assert_int_equal(summary->bytes_received, summary->bytes_sent);
    check_collectives(truth, summary);
    check_coverage(truth, summary, strstr(path, "cover.") != NULL);
    check_matrix(path, summary, trace_program_ranks(program));
    check_seconds(truth, "outside_mpi_wall", summary->gap_wall_ns);
    check_seconds(truth, "outside_mpi_cpu", summary->gap_cpu_ns);
    json_decref(truth);
    trace_close(program);
}

/* ---- laws ---- */

struct laws {
    struct trace_program *program;
    struct base_table channels; /* envelope, pair -> index */
    uint64_t *sent, *received;  /* [channel] messages */
    uint64_t *order;            /* [channel] a hash of the sizes by position, sends less receives */
    size_t channel_count, sent_capacity, received_capacity, order_capacity;
    uint64_t blocks;       /* a hash of all blocks of alltoallv, sent less received */
    uint64_t *collectives; /* [communicator] a running hash over its calls, those of the first member */
};

static size_t channel_of(struct laws *laws, uint32_t rank, const struct trace_op *op)
{
    uint64_t source = op->kind == TRACE_SEND ? rank : op->peer;
    uint64_t target = op->kind == TRACE_SEND ? op->peer : rank;
    uint64_t envelope = (uint64_t)op->communicator << 32 | op->tag;
    uint32_t index = base_table_get(&laws->channels, envelope, source << 32 | target);

    if (index != BASE_TABLE_NONE)
        return index;
    index = (uint32_t)laws->channel_count++;
    assert_int_equal(base_grow(&laws->sent, &laws->sent_capacity, index + 1, 8), 0);
    assert_int_equal(base_grow(&laws->received, &laws->received_capacity, index + 1, 8), 0);
    assert_int_equal(base_grow(&laws->order, &laws->order_capacity, index + 1, 8), 0);
    laws->sent[index] = laws->received[index] = laws->order[index] = 0;
    assert_int_equal(base_table_put(&laws->channels, envelope, source << 32 | target, index), 0);
    return index;
}

static void check_message(struct laws *laws, uint32_t rank, const struct trace_op *op)
{
    size_t channel;

    assert_true(op->peer < trace_program_ranks(laws->program));
    channel = channel_of(laws, rank, op);
    if (op->kind == TRACE_SEND)
        laws->order[channel] += base_hash(laws->sent[channel]++, op->bytes);
    else
        laws->order[channel] -= base_hash(laws->received[channel]++, op->bytes);
}

static uint32_t member_of(const struct trace_communicator *communicator, uint32_t rank)
{
    uint32_t i = 0;

    while (i < communicator->size && communicator->members[i] != rank)
        i++;
    assert_true(i < communicator->size);
    return i;
}

static void check_collective(struct laws *laws, uint32_t rank, const struct trace_op *op, uint64_t *hash)
{
    const struct trace_communicator *communicator =
        trace_program_communicator(laws->program, op->communicator);
    uint32_t own = member_of(communicator, rank);
    uint64_t call = base_hash(op->collective, op->root);

    assert_true(op->root == UINT32_MAX || op->root < communicator->size);
    *hash = base_hash(*hash, base_hash(call, op->vector == NULL && op->collective != TRACE_GATHERV &&
                                                     op->collective != TRACE_SCATTERV
                                                 ? op->bytes
                                                 : 0));
    if (op->vector == NULL)
        return;
    assert_int_equal(op->vector->size, communicator->size);
    assert_int_equal(op->vector->pairwise, op->collective == TRACE_ALLTOALLV);
    for (uint32_t i = 0; op->vector->pairwise && i < op->vector->size; i++) {
        uint64_t there = base_hash((uint64_t)own << 32 | i, op->instance);
        uint64_t back = base_hash((uint64_t)i << 32 | own, op->instance);

        laws->blocks += base_hash(there, op->vector->sent[i]);
        laws->blocks -= base_hash(back, op->vector->received[i]);
    }
}

/* What one rank's stream holds to by itself. */
static void check_rank(struct laws *laws, uint32_t rank)
{
    uint32_t communicators = trace_program_communicators(laws->program);
    uint64_t *hashes = calloc(communicators, sizeof *hashes), *instances = calloc(communicators, 8);
    struct trace_cursor *cursor = trace_cursor_new(laws->program, rank, NULL);
    struct base_error error = {0};
    struct trace_op op = {0};
    uint64_t requests = 0, time_ns = 0;
    struct base_table waited = {0};
    int more;

    assert_true(hashes != NULL && instances != NULL && cursor != NULL);
    while ((more = trace_cursor_next(cursor, &op, &error)) == 1) {
        assert_true(op.time_ns >= time_ns);
        time_ns = op.time_ns;
        if (op.flags & TRACE_NONBLOCKING)
            assert_int_equal(op.request, requests++);
        if (op.kind == TRACE_SEND || op.kind == TRACE_RECEIVE)
            check_message(laws, rank, &op);
        for (size_t i = 0; op.kind == TRACE_WAIT && i < op.request_count; i++) {
            assert_true(op.requests[i] < requests);
            assert_int_equal(base_table_get(&waited, op.requests[i], 0), BASE_TABLE_NONE);
            base_table_put(&waited, op.requests[i], 0, 1);
        }
        if (op.kind == TRACE_COLLECTIVE_CALL) {
            assert_int_equal(op.instance, instances[op.communicator]++);
            check_collective(laws, rank, &op, &hashes[op.communicator]);
        }
    }
    if (more < 0)
        fail_msg("%s", error.text);
    assert_int_equal(op.kind, TRACE_END);
    for (uint32_t i = 0; i < communicators; i++) {
        if (laws->collectives[i] == 0)
            laws->collectives[i] = hashes[i];
        if (hashes[i] != 0)
            assert_int_equal(hashes[i], laws->collectives[i]);
    }
    trace_cursor_free(cursor);
    base_table_free(&waited);
    free(hashes);
    free(instances);
}

static void keeps_the_laws(void **state)
{
    struct laws laws = {.program = recorded_open(*state)};

    laws.collectives = calloc(trace_program_communicators(laws.program), sizeof *laws.collectives);
    assert_non_null(laws.collectives);
    for (uint32_t rank = 0; rank < trace_program_ranks(laws.program); rank++)
        check_rank(&laws, rank);
    for (size_t i = 0; i < laws.channel_count; i++) {
        assert_int_equal(laws.sent[i], laws.received[i]);
        assert_int_equal(laws.order[i], 0);
    }
    assert_int_equal(laws.blocks, 0);
    base_table_free(&laws.channels);
    free(laws.sent);
    free(laws.received);
    free(laws.order);
    free(laws.collectives);
    trace_close(laws.program);
}

/* ---- equality with OTF2 ---- */

/* Operations that are compared, with their sets of waits behind each other. */
struct list {
    struct trace_op *ops;
    uint64_t *requests;
    size_t count, capacity, request_count, request_capacity;
};

static int compare_numbers(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The order of completion within a wait is the recorder's. request becomes the place of the set. */
static void keep_op(struct list *list, const struct trace_op *op)
{
    struct trace_op *kept;

    assert_int_equal(base_grow(&list->ops, &list->capacity, list->count + 1, sizeof *list->ops), 0);
    kept = &list->ops[list->count++];
    *kept = *op;
    if (op->kind != TRACE_WAIT)
        return;
    kept->request = list->request_count;
    assert_int_equal(base_grow(&list->requests, &list->request_capacity,
                               list->request_count + op->request_count, sizeof *list->requests),
                     0);
    memcpy(list->requests + list->request_count, op->requests, op->request_count * sizeof *op->requests);
    qsort(list->requests + list->request_count, op->request_count, sizeof *list->requests, compare_numbers);
    list->request_count += op->request_count;
}

static bool in_sendrecv(const struct trace_program *program, const struct trace_op *op)
{
    return strncasecmp(trace_program_region_name(program, op->region), "MPI_Sendrecv", 12) == 0;
}

/* A sendrecv starts its receive first, whatever the reader. */
static void order_sendrecv(struct list *list, const struct trace_program *program)
{
    for (size_t i = 1; i < list->count; i++) {
        struct trace_op *first = &list->ops[i - 1], *second = &list->ops[i];
        struct trace_op swap = *first;

        if (first->kind != TRACE_SEND || second->kind != TRACE_RECEIVE || !in_sendrecv(program, first) ||
            second->request != first->request + 1)
            continue;
        *first = *second;
        *second = swap;
        first->request--;
        second->request++;
    }
}

/* Implied operations are only in those formats that record what they follow from. */
static struct list list_ops(struct trace_program *program, uint32_t rank, bool implied)
{
    struct trace_cursor *cursor = trace_cursor_new(program, rank, NULL);
    struct list list = {0};
    struct base_error error = {0};
    struct trace_op op;
    int more;

    assert_non_null(cursor);
    while ((more = trace_cursor_next(cursor, &op, &error)) == 1)
        if (op.kind != TRACE_COMPUTE && (implied || !(op.flags & TRACE_IMPLIED)))
            keep_op(&list, &op);
    if (more < 0)
        fail_msg("%s", error.text);
    trace_cursor_free(cursor);
    order_sendrecv(&list, program);
    return list;
}

static bool has_implied(struct trace_program *program)
{
    struct list all = list_ops(program, 0, true), rest = list_ops(program, 0, false);
    bool has = all.count != rest.count;

    free(all.ops);
    free(all.requests);
    free(rest.ops);
    free(rest.requests);
    return has;
}

static void same_communicator(const struct trace_program *program, const struct trace_op *op,
                              const struct trace_program *other, const struct trace_op *other_op)
{
    const struct trace_communicator *here = trace_program_communicator(program, op->communicator);
    const struct trace_communicator *there = trace_program_communicator(other, other_op->communicator);

    assert_int_equal(here->size, there->size);
    assert_memory_equal(here->members, there->members, here->size * sizeof *here->members);
}

static void same_op(const struct trace_op *op, const struct trace_op *other)
{
    const unsigned flags = TRACE_NONBLOCKING | TRACE_SYNCHRONOUS | TRACE_BUFFERED | TRACE_IMPLIED;

    assert_int_equal(op->kind, other->kind);
    assert_int_equal(op->flags & flags, other->flags & flags);
    switch (op->kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
        assert_int_equal(op->peer, other->peer);
        assert_int_equal(op->tag, other->tag);
        assert_int_equal(op->bytes, other->bytes);
        if (op->flags & TRACE_NONBLOCKING)
            assert_int_equal(op->request, other->request);
        break;
    case TRACE_WAIT:
        assert_int_equal(op->request_count, other->request_count);
        break;
    case TRACE_COLLECTIVE_CALL:
        assert_int_equal(op->collective, other->collective);
        assert_int_equal(op->root, other->root);
        if (op->vector == NULL && other->vector == NULL)
            assert_int_equal(op->bytes, other->bytes);
        break;
    default:
        break;
    }
}

static void same_rank(struct trace_program *program, struct trace_program *other, uint32_t rank, bool implied)
{
    struct list here = list_ops(program, rank, implied), there = list_ops(other, rank, implied);

    for (size_t i = 0; i < here.count && i < there.count; i++) {
        same_op(&here.ops[i], &there.ops[i]);
        if (here.ops[i].kind == TRACE_SEND || here.ops[i].kind == TRACE_RECEIVE ||
            here.ops[i].kind == TRACE_COLLECTIVE_CALL)
            same_communicator(program, &here.ops[i], other, &there.ops[i]);
    }
    assert_int_equal(here.count, there.count);
    assert_int_equal(here.request_count, there.request_count);
    if (here.request_count > 0)
        assert_memory_equal(here.requests, there.requests, here.request_count * sizeof *here.requests);
    free(here.ops);
    free(here.requests);
    free(there.ops);
    free(there.requests);
}

/* The path of the OTF2 recording of the same benchmark, or "". */
static void find_other(const char *path, char *other)
{
    static const char *const recorders[] = {"otf2-scorep-layout", "otf2-cpuclock"};
    const char *name = strrchr(path, '/'), *root = strstr(path, "/dumpi/");

    for (size_t i = 0; root != NULL && i < sizeof recorders / sizeof *recorders; i++) {
        snprintf(other, RECORDED_PATH, "%.*s/%s%s", (int)(root - path), path, recorders[i], name);
        if (access(other, R_OK) == 0)
            return;
    }
    other[0] = '\0';
}

static void equals_the_otf2_recording(void **state)
{
    const char *path = *state;
    char other_path[RECORDED_PATH];
    struct trace_program *program, *other;
    bool implied;

    find_other(path, other_path);
    if (other_path[0] == '\0')
        suite_skip("the other recording of this run is not here");
    program = recorded_open(path);
    other = recorded_open(other_path);
    assert_int_equal(trace_program_ranks(program), trace_program_ranks(other));
    implied = has_implied(other);
    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++)
        same_rank(program, other, rank, implied);
    trace_close(program);
    trace_close(other);
}

/* ---- */

static int compare_paths(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* All directories with a ground truth. */
static void find_traces(void)
{
    const char *path = traces_directory();
    DIR *directory = opendir(path);
    struct dirent *entry;
    char truth[RECORDED_PATH * 2];

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        snprintf(truth, sizeof truth, "%s/%s/GROUNDTRUTH.json", path, entry->d_name);
        if (entry->d_name[0] == '.' || access(truth, R_OK) != 0 || traces.count == RECORDED_LIMIT)
            continue;
        snprintf(traces.paths[traces.count++], RECORDED_PATH, "%.*s", (int)(strlen(truth) - 17), truth);
    }
    if (directory != NULL)
        closedir(directory);
    qsort(traces.paths, traces.count, sizeof *traces.paths, compare_paths);
}

int main(void)
{
    static struct CMUnitTest tests[3 * RECORDED_LIMIT];
    size_t count = 0;

    find_traces();
    for (size_t i = 0; i < traces.count; i++) {
        tests[count++] = (struct CMUnitTest){
            .name = traces.paths[i], .test_func = matches_the_ground_truth, .initial_state = traces.paths[i]};
        tests[count++] = (struct CMUnitTest){
            .name = traces.paths[i], .test_func = keeps_the_laws, .initial_state = traces.paths[i]};
        tests[count++] = (struct CMUnitTest){.name = traces.paths[i],
                                             .test_func = equals_the_otf2_recording,
                                             .initial_state = traces.paths[i]};
    }
    return count == 0 ? 1 : _cmocka_run_group_tests("recorded DUMPI programs", tests, count, NULL, NULL);
}
