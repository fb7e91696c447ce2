/* The period of a rank's calls. A buffer of names (64-bit hashes of calls) is searched for a period; then the rank is
 * read once more with no more memory than that period, to find where the run begins and ends:
 *
 *      calls    a b c  x y z y z  x y z y z  x y z y z  d
 *      period          └── 5 ──┘                            first 3, covered 15; y z alone would cover 4
 *
 * Names that are equal by chance would make a run too long by a call, once in 2^64 pairs. */
#include "traces/windows/repeats.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/random.h"
#include "traces/windows/groups.h"

#define NAMES_MOST ((size_t)1 << 20)
#define ANCHORS 8 /* parts that the buffer is divided into by the calls that periods are looked for at */

/* ---- names of calls ---- */

/* Requests are named by how many the rank has started since, in any order: recorders write the completions of a wait
 * as they come. */
static uint64_t name_requests(const struct trace_op *op, uint64_t started)
{
    uint64_t sum = op->request_count;

    for (size_t i = 0; i < op->request_count; i++)
        sum += base_hash(started - op->requests[i], 1);
    return sum;
}

/* Sizes by destination are part of what a call is: two alltoallv with other sizes are no repetition. */
static uint64_t name_vector(const struct trace_vector *vector)
{
    uint64_t name = vector->pairwise;

    for (uint32_t i = 0; i < vector->size; i++)
        name = base_hash(base_hash(name, vector->sent[i]), vector->received[i]);
    return name;
}

/* Everything but times and running numbers. What a reader has repaired is what it says now. */
static uint64_t name_call(const struct trace_op *op, uint64_t started)
{
    uint64_t name =
        base_hash((uint64_t)op->kind << 32 | (op->flags & ~(unsigned)(TRACE_REPAIRED | TRACE_APPROXIMATED)),
                  op->region);

    if (op->kind == TRACE_WAIT)
        return base_hash(name, name_requests(op, started));
    name = base_hash(name, (uint64_t)op->peer << 32 | op->tag);
    name = base_hash(name, (uint64_t)op->communicator << 32 | op->root);
    name = base_hash(name, op->bytes);
    if (op->kind != TRACE_COLLECTIVE_CALL)
        return name;
    name = base_hash(name, (uint64_t)op->collective);
    name = base_hash(base_hash(name, op->bytes_sent), op->bytes_received);
    return op->vector == NULL ? name : base_hash(name, name_vector(op->vector));
}

/* Calls of a rank by their names, one after the other. */
struct reading {
    struct trace_cursor *cursor;
    uint64_t started; /* requests, so far */
};

/* 1: *name is the next call's; 0: there is none; -1: error. */
static int next_name(struct reading *reading, uint64_t *name, struct base_error *error)
{
    struct trace_op op;
    int more;

    do
        more = trace_cursor_next(reading->cursor, &op, error);
    while (more > 0 && op.kind == TRACE_COMPUTE);
    if (more <= 0 || op.kind == TRACE_END)
        return more < 0 ? -1 : 0;
    *name = name_call(&op, reading->started);
    if ((op.flags & TRACE_NONBLOCKING) != 0)
        reading->started = op.request + 1;
    return 1;
}

/* ---- the period ---- */

/* The run around a call that has the same name as the one `period` later. */
static struct trace_repeat extend(const uint64_t *names, size_t count, size_t anchor, size_t period)
{
    size_t begin = anchor, end = anchor;

    while (begin > 0 && names[begin - 1] == names[begin - 1 + period])
        begin--;
    while (end + period < count && names[end] == names[end + period])
        end++;
    return (struct trace_repeat){.period = period, .first = begin, .covered = end - begin + period};
}

/* Whatever repeats a run of repetitions ends with it or goes beyond it: calls in a run need no look. */
static void look_at(const uint64_t *names, size_t count, size_t anchor, struct trace_repeat *best)
{
    for (size_t other = anchor + 1; other < count; other++) {
        if (names[other] != names[anchor])
            continue;
        struct trace_repeat run = extend(names, count, anchor, other - anchor);
        if (run.covered < 2 * run.period)
            continue;
        if (run.covered > best->covered || (run.covered == best->covered && run.period < best->period))
            *best = run;
        other = (size_t)(run.first + run.covered) - 1;
    }
}

/* From several places in the middle, since what repeats may begin late and end early; the best of what they find. */
struct trace_repeat trace_repeat_search(const uint64_t *names, size_t count)
{
    struct trace_repeat best = {0};

    for (size_t anchor = 1; anchor < ANCHORS; anchor++)
        if (count > 0)
            look_at(names, count, count / ANCHORS * anchor, &best);
    return best;
}

/* Reads at most so many names. -1: memory, or the cursor's error. */
static int read_names(struct reading *reading, uint64_t **names, size_t *count, struct base_error *error)
{
    size_t capacity = 0;
    uint64_t name;
    int more = 1;

    *count = 0;
    while (more > 0 && *count < NAMES_MOST) {
        more = next_name(reading, &name, error);
        if (more <= 0)
            break;
        if (base_grow(names, &capacity, *count + 1, sizeof **names) != 0)
            return base_error_memory(error, "the calls of a rank");
        (*names)[(*count)++] = name;
    }
    return more < 0 ? -1 : 0;
}

/* Where in all of the rank's calls the period holds longest. ring: room for a period. */
static int measure(struct reading *reading, uint64_t *ring, struct trace_repeat *repeat,
                   struct base_error *error)
{
    uint64_t name;
    uint64_t call = 0, run = 0, longest = 0, end = 0;
    int more;

    while ((more = next_name(reading, &name, error)) > 0) {
        uint64_t *before = &ring[call % repeat->period];
        run = call >= repeat->period && *before == name ? run + 1 : 0;
        *before = name;
        call++;
        if (run > longest) {
            longest = run;
            end = call;
        }
    }
    repeat->covered = longest + repeat->period;
    repeat->first = longest == 0 ? 0 : end - repeat->covered;
    repeat->calls = call;
    return more;
}

/* A reading from the start. -1: the cursor's error. */
static int begin(struct reading *reading, struct trace_program *program, uint32_t rank,
                 struct base_error *error)
{
    trace_cursor_free(reading->cursor);
    *reading = (struct reading){.cursor = trace_cursor_new(program, rank, error)};
    return reading->cursor == NULL ? -1 : 0;
}

/* The rank is read twice: once for the names of its calls, in which the period is looked for, and once for what an
 * iteration takes. */
int trace_repeat_find(struct trace_program *program, uint32_t rank, struct trace_repeat *repeat,
                      struct base_error *error)
{
    struct reading reading = {0};
    uint64_t *names = NULL;
    size_t count = 0;
    int status = begin(&reading, program, rank, error);

    *repeat = (struct trace_repeat){0};
    if (status == 0)
        status = read_names(&reading, &names, &count, error);
    if (status == 0) {
        *repeat = trace_repeat_search(names, count);
        repeat->calls = count;
    }
    /* The period is no longer than the buffer, which serves as the ring. */
    if (status == 0 && repeat->period > 0 && (status = begin(&reading, program, rank, error)) == 0)
        status = measure(&reading, names, repeat, error);
    trace_cursor_free(reading.cursor);
    free(names);
    return status;
}
