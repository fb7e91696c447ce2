/* Every recorded OTF2 trace against what was counted from the text of otf2-print: messages, bytes, the matrix
 * of pairs, collectives by communicator, calls, per rank, and from the cursors as well as from the summary.
 * One test a trace. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/suite.h"
#include "tests/traces/recorded.h"

struct counts {
    uint64_t sends, receives, bytes_sent, bytes_received, compute_ns, repaired;
    struct trace_collective_count collectives[TRACE_COLLECTIVES];
    uint64_t recorded_sent[TRACE_COLLECTIVES], recorded_received[TRACE_COLLECTIVES];
};

/* Counts a rank's operations, and the matrix into pairs[target] when there is one. */
static void count_rank(struct trace_program *program, uint32_t rank, struct counts *counts,
                       struct trace_pair *row)
{
    struct base_error error = {0};
    struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
    struct trace_op op;
    int more;

    assert_non_null(cursor);
    while ((more = trace_cursor_next(cursor, &op, &error)) > 0) {
        if (op.kind == TRACE_SEND) {
            counts->sends++;
            counts->bytes_sent += op.bytes;
            row[op.peer].messages++;
            row[op.peer].bytes += op.bytes;
        } else if (op.kind == TRACE_RECEIVE) {
            counts->receives++;
            counts->bytes_received += op.bytes;
        } else if (op.kind == TRACE_COMPUTE) {
            counts->compute_ns += op.duration_ns;
        } else if (op.kind == TRACE_COLLECTIVE_CALL && !(op.flags & TRACE_IMPLIED)) {
            counts->collectives[op.collective].calls++;
            counts->collectives[op.collective].bytes += op.vector != NULL ? op.bytes_sent : op.bytes;
            counts->recorded_sent[op.collective] += op.bytes_sent;
            counts->recorded_received[op.collective] += op.bytes_received;
        }
        counts->repaired += (op.flags & TRACE_REPAIRED) != 0;
    }
    if (more < 0)
        fail_msg("%s", error.text);
    trace_cursor_free(cursor);
}

static uint64_t repairs_of(const struct trace_summary *summary, const char *kind)
{
    for (size_t i = 0; i < summary->repair_count; i++)
        if (strcmp(summary->repairs[i].kind, kind) == 0)
            return summary->repairs[i].count;
    return 0;
}

/* Receives that EZTrace recorded without completions count as many as the sends that they were found for. */
static void check_messages(const json_t *truth, const struct trace_summary *summary)
{
    uint64_t sends = recorded_number(truth, "p2p_sends"), receives = recorded_number(truth, "p2p_recvs");
    uint64_t bytes = recorded_number(truth, "p2p_bytes_sent");

    assert_int_equal(summary->sends, sends);
    assert_int_equal(summary->bytes_sent, bytes);
    assert_int_equal(summary->receives, sends);
    assert_int_equal(summary->bytes_received, bytes);
    assert_int_equal(repairs_of(summary, "missing-completion"), sends - receives);
    if (sends == receives)
        assert_int_equal(recorded_number(truth, "p2p_bytes_received"), bytes);
    assert_int_equal(repairs_of(summary, "proc-null-record"),
                     recorded_number(truth, "sends_to_invalid_rank") +
                         recorded_number(truth, "recvs_from_invalid_rank"));
}

static void check_events(const json_t *truth, const struct trace_summary *summary)
{
    json_t *counts = json_object_get(truth, "event_counts");
    json_t *value;
    const char *key;
    uint64_t events = 0;

    json_object_foreach(counts, key, value) events += (uint64_t)json_integer_value(value);
    assert_int_equal(summary->events, events);
}

/* "p2p-matrix.csv" against the pairs of the summary; absent above 16 ranks. */
static void check_matrix(const char *path, const struct trace_summary *summary, uint32_t ranks)
{
    char file[RECORDED_PATH * 2], line[256];
    FILE *stream;
    size_t count = 0;

    snprintf(file, sizeof file, "%s/p2p-matrix.csv", path);
    stream = fopen(file, "r");
    if (stream == NULL) {
        assert_true(ranks > 16 || summary->sends == 0);
        return;
    }
    assert_non_null(fgets(line, sizeof line, stream));
    while (fgets(line, sizeof line, stream) != NULL) {
        unsigned source, target;
        unsigned long long messages, bytes;
        assert_int_equal(sscanf(line, "%u,%u,%llu,%llu", &source, &target, &messages, &bytes), 4);
        assert_true(count < summary->pair_count);
        assert_int_equal(summary->pairs[count].source, source);
        assert_int_equal(summary->pairs[count].target, target);
        assert_int_equal(summary->pairs[count].messages, messages);
        assert_int_equal(summary->pairs[count].bytes, bytes);
        count++;
    }
    fclose(stream);
    assert_int_equal(summary->pair_count, count);
}

static int collective_named(const char *upper)
{
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        if (strcasecmp(trace_collective_name((enum trace_collective)i), upper) == 0)
            return i;
    fail_msg("no collective %s", upper);
    return -1;
}

/* The program's communicator that otf2-print calls NAME<identifier>. */
static uint32_t communicator_named(const struct trace_program *program, const char *name)
{
    char wanted[256];

    if (name[0] == '<') {
        snprintf(wanted, sizeof wanted, "communicator %s", name + 1);
        wanted[strlen(wanted) - 1] = '\0';
    } else {
        snprintf(wanted, sizeof wanted, "%s", name);
        *strrchr(wanted, '<') = '\0';
    }
    for (uint32_t i = 0; i < trace_program_communicators(program); i++)
        if (strcmp(trace_program_communicator(program, i)->name, wanted) == 0)
            return i;
    fail_msg("no communicator %s", wanted);
    return 0;
}

static void check_collectives(const json_t *truth, const struct trace_program *program,
                              const struct counts *counts)
{
    const struct trace_summary *summary = trace_program_summary(program);
    json_t *collectives = json_object_get(truth, "collectives");
    json_t *value, *calls;
    const char *key, *name;
    uint64_t expected = 0, found = 0;

    json_object_foreach(collectives, key, value)
    {
        int kind = collective_named(key);
        assert_int_equal(summary->collectives[kind].calls, recorded_number(value, "calls"));
        assert_int_equal(counts->recorded_sent[kind], recorded_number(value, "sent"));
        assert_int_equal(counts->recorded_received[kind], recorded_number(value, "received"));
        expected += recorded_number(value, "calls");
        json_object_foreach(json_object_get(value, "by_comm"), name, calls)
        {
            size_t at = (size_t)communicator_named(program, name) * TRACE_COLLECTIVES + (size_t)kind;
            assert_int_equal(summary->by_communicator[at].calls, json_integer_value(calls));
        }
    }
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        found += summary->collectives[i].calls;
    assert_int_equal(found, expected);
}

/* True when a region of this name is the call of a coverage row: "mpi_irecv_" and "MPI_Irecv (no record)". */
static bool same_call(const char *region, const char *record)
{
    size_t length = strcspn(record, " (");
    return strncasecmp(region, record, length) == 0 &&
           (region[length] == '\0' || strcmp(region + length, "_") == 0);
}

/* No MPI call is missing from the coverage. */
static void check_coverage(const json_t *truth, const struct trace_summary *summary)
{
    json_t *regions = json_object_get(truth, "region_enter_counts");
    json_t *value;
    const char *region;

    json_object_foreach(regions, region, value)
    {
        uint64_t records = 0;
        if (strncasecmp(region, "mpi_", 4) != 0)
            continue;
        for (size_t i = 0; i < summary->coverage_count; i++)
            if (same_call(region, summary->coverage[i].record))
                records += summary->coverage[i].records;
        if (records != (uint64_t)json_integer_value(value))
            fail_msg("%s: %llu in the coverage", region, (unsigned long long)records);
    }
}

static void check_rank(const json_t *truth, uint32_t rank, const struct counts *before,
                       const struct counts *after)
{
    const json_t *expected = json_array_get(json_object_get(truth, "per_rank"), rank);

    assert_int_equal(after->sends - before->sends, recorded_number(expected, "sends"));
    assert_int_equal(after->bytes_sent - before->bytes_sent, recorded_number(expected, "bytes_sent"));
    if (recorded_number(truth, "p2p_sends") != recorded_number(truth, "p2p_recvs"))
        return;
    assert_int_equal(after->receives - before->receives, recorded_number(expected, "recvs"));
    assert_int_equal(after->bytes_received - before->bytes_received,
                     recorded_number(expected, "bytes_received"));
}

/* The cursors give what the summary says. */
static void check_cursors(struct trace_program *program, const json_t *truth, struct counts *counts)
{
    const struct trace_summary *summary = trace_program_summary(program);
    uint32_t ranks = trace_program_ranks(program);
    struct trace_pair *row = calloc(ranks, sizeof *row);
    size_t pair = 0;

    assert_non_null(row);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct counts before = *counts;
        memset(row, 0, ranks * sizeof *row);
        count_rank(program, rank, counts, row);
        check_rank(truth, rank, &before, counts);
        for (uint32_t target = 0; target < ranks; target++) {
            if (row[target].messages == 0)
                continue;
            assert_int_equal(summary->pairs[pair].source, rank);
            assert_int_equal(summary->pairs[pair].target, target);
            assert_int_equal(summary->pairs[pair].messages, row[target].messages);
            assert_int_equal(summary->pairs[pair++].bytes, row[target].bytes);
        }
    }
    free(row);
    assert_int_equal(summary->pair_count, pair);
    assert_int_equal(summary->sends, counts->sends);
    assert_int_equal(summary->receives, counts->receives);
    assert_int_equal(summary->bytes_sent, counts->bytes_sent);
    assert_int_equal(summary->bytes_received, counts->bytes_received);
    assert_int_equal(summary->compute_ns, counts->compute_ns);
    for (int i = 0; i < TRACE_COLLECTIVES; i++) {
        assert_int_equal(summary->collectives[i].calls, counts->collectives[i].calls);
        assert_int_equal(summary->collectives[i].bytes, counts->collectives[i].bytes);
    }
}

static void test_trace(void **state)
{
    const char *path = *state;
    struct trace_program *program = recorded_open(path);
    const struct trace_summary *summary = trace_program_summary(program);
    json_t *truth = recorded_truth(path);
    struct counts counts = {0};

    assert_int_equal(trace_program_ranks(program), recorded_number(truth, "ranks"));
    assert_string_equal(trace_program_format(program), "otf2");
    check_events(truth, summary);
    check_messages(truth, summary);
    check_matrix(path, summary, trace_program_ranks(program));
    check_cursors(program, truth, &counts);
    check_collectives(truth, program, &counts);
    check_coverage(truth, summary);
    /* What was repaired is flagged: receives on other communicators once each. */
    assert_true(counts.repaired >=
                repairs_of(summary, "receive-communicator") + repairs_of(summary, "missing-completion"));
    json_decref(truth);
    trace_close(program);
}

int main(void)
{
    static struct recorded_list list;
    static struct CMUnitTest tests[RECORDED_LIMIT];

    list = *recorded_traces();
    for (size_t i = 0; i < list.count; i++)
        tests[i] = (struct CMUnitTest){
            .name = list.paths[i], .test_func = test_trace, .initial_state = list.paths[i]};
    if (list.bundled)
        print_message("FLITREPLAY_SHARED is not set: only the bundled traces are read\n");
    return _cmocka_run_group_tests("ground truth of OTF2 traces", tests, list.count, NULL, NULL);
}
