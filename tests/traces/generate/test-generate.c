/* Generated programs against recorded ones, operation by operation, and against themselves:
 *
 *   - for every recorded benchmark, class and number of ranks: the same operations in the same order on every
 * rank (times, and what a recorder left out, aside), the same totals and the same matrix
 *   - every class S and W, every legal number of ranks up to 64: the program is consistent, and its summary
 * is that of its operations
 *   - larger classes: totals in closed form
 *   - what is asked for wrongly is refused with a sentence */
#include <config.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/recorded.h"
#include "traces/generate/generate.h"

#define GIGA UINT64_C(1000000000)

/* ---- generated programs */

/* NULL with the error. */
static struct trace_program *try_generate(const char *name, const char *class, uint32_t ranks,
                                          const char *parameters, struct base_error *error)
{
    const struct trace_generator *generator = trace_generator_find(name, error);
    const struct trace_generator_options options = {.ranks = ranks,
                                                    .problem_class = class,
                                                    .parameters = parameters,
                                                    .flops_per_second = GIGA,
                                                    .seed = 1};

    return generator == NULL ? NULL : generator->generate(&options, error);
}

/* Fails the test with the error. */
static struct trace_program *generate(const char *name, const char *class, uint32_t ranks,
                                      const char *parameters)
{
    struct base_error error = {0};
    struct trace_program *program = try_generate(name, class, ranks, parameters, &error);

    if (program == NULL)
        fail_msg("%s %s %u: %s", name, class == NULL ? "" : class, ranks, error.text);
    return program;
}

/* ---- the same operations */

/* What a comparison follows: the next operation that both sides must have. */
struct reader {
    struct trace_program *program;
    struct trace_cursor *cursor;
    struct trace_op op;
};

/* Work is a matter of machines. EZTrace's archives do not say what calls imply. */
static void next_compared(struct reader *reader, bool implied)
{
    struct base_error error = {0};
    int more;

    do {
        more = trace_cursor_next(reader->cursor, &reader->op, &error);
        if (more <= 0)
            fail_msg("%s: %s", trace_program_path(reader->program), error.text);
    } while (reader->op.kind == TRACE_COMPUTE || (!implied && (reader->op.flags & TRACE_IMPLIED) != 0));
}

/* For qsort. */
static int compare_numbers(const void *left, const void *right)
{
    uint64_t a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

/* A wait is for a set: recorders write the completions of a call in any order. */
static bool same_requests(const struct trace_op *left, const struct trace_op *right)
{
    size_t size = left->request_count * sizeof(uint64_t);
    uint64_t *a, *b;
    bool same;

    if (left->request_count != right->request_count)
        return false;
    a = malloc(size + 1);
    b = malloc(size + 1);
    assert_true(a != NULL && b != NULL);
    memcpy(a, left->requests, size);
    memcpy(b, right->requests, size);
    qsort(a, left->request_count, sizeof *a, compare_numbers);
    qsort(b, left->request_count, sizeof *b, compare_numbers);
    same = memcmp(a, b, size) == 0;
    free(a);
    free(b);
    return same;
}

/* Indices are each program's own; members are not. */
static bool same_communicator(const struct reader *left, const struct reader *right)
{
    const struct trace_communicator *a = trace_program_communicator(left->program, left->op.communicator);
    const struct trace_communicator *b = trace_program_communicator(right->program, right->op.communicator);

    return a->size == b->size && memcmp(a->members, b->members, a->size * sizeof *a->members) == 0;
}

/* Of a v-collective a recording may have only the rank's totals. */
static bool same_sizes(const struct reader *left, const struct reader *right)
{
    const struct trace_vector *a = left->op.vector, *b = right->op.vector;

    if (left->op.collective != TRACE_ALLTOALLV)
        return left->op.bytes == right->op.bytes;
    if (left->op.bytes_sent != right->op.bytes_sent || left->op.bytes_received != right->op.bytes_received)
        return false;
    return a == NULL || b == NULL || !a->pairwise || !b->pairwise ||
           (a->size == b->size && memcmp(a->sent, b->sent, a->size * sizeof *a->sent) == 0 &&
            memcmp(a->received, b->received, a->size * sizeof *a->received) == 0);
}

/* All fields that a replay uses, but times. */
static bool same_op(const struct reader *left, const struct reader *right)
{
    const struct trace_op *a = &left->op, *b = &right->op;
    const unsigned flags = TRACE_NONBLOCKING | TRACE_SYNCHRONOUS | TRACE_BUFFERED | TRACE_IMPLIED;

    if (a->kind != b->kind || (a->flags & flags) != (b->flags & flags))
        return false;
    switch (a->kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
        return a->peer == b->peer && a->tag == b->tag && a->bytes == b->bytes &&
               same_communicator(left, right);
    case TRACE_WAIT:
        return same_requests(a, b);
    case TRACE_COLLECTIVE_CALL:
        return a->collective == b->collective && a->root == b->root && same_communicator(left, right) &&
               same_sizes(left, right);
    default:
        return true;
    }
}

/* For the message when two operations differ. */
static void describe(char *text, size_t room, const struct reader *reader)
{
    const struct trace_op *op = &reader->op;

    snprintf(text, room,
             "%s: event %" PRIu64 " kind %d %s peer %u tag %u bytes %" PRIu64 " sent %" PRIu64
             " received %" PRIu64 " flags %u of %u requests %zu",
             trace_program_path(reader->program), op->event, (int)op->kind,
             op->kind == TRACE_COLLECTIVE_CALL ? trace_collective_name(op->collective) : "", op->peer,
             op->tag, op->bytes, op->bytes_sent, op->bytes_received, op->flags,
             trace_program_communicator(reader->program, op->communicator)->size, op->request_count);
}

/* From the first operation to the end, which both must reach together. */
static void compare_rank(struct trace_program *left, struct trace_program *right, uint32_t rank, bool implied)
{
    struct base_error error = {0};
    struct reader a = {left, trace_cursor_new(left, rank, &error), {0}};
    struct reader b = {right, trace_cursor_new(right, rank, &error), {0}};
    char texts[2][512];

    assert_true(a.cursor != NULL && b.cursor != NULL);
    do {
        next_compared(&a, implied);
        next_compared(&b, implied);
        if (!same_op(&a, &b)) {
            describe(texts[0], sizeof texts[0], &a);
            describe(texts[1], sizeof texts[1], &b);
            fail_msg("rank %u: \n%s\n%s", rank, texts[0], texts[1]);
        }
    } while (a.op.kind != TRACE_END);
    trace_cursor_free(a.cursor);
    trace_cursor_free(b.cursor);
}

/* The totals as `info` prints them. */
static void compare_summaries(const struct trace_program *left, const struct trace_program *right)
{
    const struct trace_summary *a = trace_program_summary(left), *b = trace_program_summary(right);

    assert_int_equal(a->sends, b->sends);
    assert_int_equal(a->receives, b->receives);
    assert_int_equal(a->bytes_sent, b->bytes_sent);
    assert_int_equal(a->bytes_received, b->bytes_received);
    for (int i = 0; i < TRACE_COLLECTIVES; i++) {
        assert_int_equal(a->collectives[i].calls, b->collectives[i].calls);
        assert_int_equal(a->collectives[i].bytes, b->collectives[i].bytes);
    }
    assert_int_equal(a->pair_count, b->pair_count);
    if (a->pair_count > 0)
        assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs);
}

/* "…/otf2-eztrace/dt.S.5.BH" is the benchmark dt, class S, 5 ranks, graph=BH. False: not one of NPB. */
static bool parse_path(const char *path, char name[8], char class[2], uint32_t *ranks, char parameters[32])
{
    const char *base = strrchr(path, '/') + 1;
    char graph[8] = "";

    if (sscanf(base, "%7[a-z].%1[A-F,S,W].%u.%7s", name, class, ranks, graph) < 3 ||
        strcmp(name, "cover") == 0)
        return false;
    snprintf(parameters, 32, "%s%s", graph[0] == '\0' ? "" : "graph=", graph);
    return true;
}

/* One benchmark, class and number of ranks. */
static void compare_with_recording(const char *path)
{
    struct trace_program *recorded, *generated;
    char name[8], class[2], parameters[32];
    uint32_t ranks;

    if (!parse_path(path, name, class, &ranks, parameters))
        return;
    recorded = recorded_open(path);
    generated = generate(name, class, ranks, parameters);
    assert_int_equal(trace_program_ranks(recorded), ranks);
    compare_summaries(recorded, generated);
    for (uint32_t rank = 0; rank < ranks; rank++)
        compare_rank(recorded, generated, rank, strstr(path, "eztrace") == NULL);
    trace_close(generated);
    trace_close(recorded);
}

/* Directories of DUMPI traces beside those of OTF2. */
static void compare_with_dumpi(const char *root)
{
    char directory[RECORDED_PATH + 8], path[RECORDED_PATH * 2];
    struct dirent **entries;
    int count;

    snprintf(directory, sizeof directory, "%s/dumpi", root);
    count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            compare_with_recording(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* All writers of OTF2: the bundled traces, or the shared ones. */
static void test_otf2_recordings(void **state)
{
    const struct recorded_list *list = recorded_traces();

    (void)state;
    for (size_t i = 0; i < list->count; i++)
        compare_with_recording(list->paths[i]);
}

/* DUMPI has what OTF2 lacks: implied calls, and the parts of an alltoallv. */
static void test_dumpi_recordings(void **state)
{
    const char *shared = getenv("FLITREPLAY_SHARED"), *source = getenv("top_srcdir");
    char root[RECORDED_PATH];

    (void)state;
    if (shared != NULL && shared[0] != '\0')
        snprintf(root, sizeof root, "%s/traces", shared);
    else
        snprintf(root, sizeof root, "%s/tests/data", source == NULL ? "." : source);
    compare_with_dumpi(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_otf2_recordings),
        cmocka_unit_test(test_dumpi_recordings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
