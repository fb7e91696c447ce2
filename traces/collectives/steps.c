/* The shared parts of the collective algorithms. Sums of sizes saturate: trace_collective_schedule refuses
 * calls whose sums do, so that the algorithms need no checks of their own.
 *
 * Phases number the rounds of an algorithm within one instance; they take the place of a tag, so that two
 * messages between the same ranks cannot be mixed up. Bytes are of user data, without headers. */
#include "traces/collectives/steps.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"

/* Algorithms are easier to read without a test after each step, so that a failure is kept until the end. */
static void append(struct trace_steps *steps, struct trace_step step)
{
    struct trace_schedule *schedule = steps->schedule;

    if (steps->failed)
        return;
    if (base_grow(&schedule->steps, &schedule->capacity, schedule->count + 1, sizeof step) != 0)
        steps->failed = true;
    else
        schedule->steps[schedule->count++] = step;
}

/* Posting starts a step without waiting for it; what is posted together runs together. */
void trace_steps_post_send(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes)
{
    append(steps, (struct trace_step){TRACE_STEP_SEND, peer, phase, bytes});
}

/* In a group, receives are posted before sends: see trace_steps_exchange. */
void trace_steps_post_receive(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes)
{
    append(steps, (struct trace_step){TRACE_STEP_RECEIVE, peer, phase, bytes});
}

/* An exchange of which both messages are skipped must not leave a lone wait. */
void trace_steps_wait(struct trace_steps *steps)
{
    const struct trace_schedule *schedule = steps->schedule;

    if (schedule->count > 0 && schedule->steps[schedule->count - 1].kind != TRACE_STEP_WAIT)
        append(steps, (struct trace_step){.kind = TRACE_STEP_WAIT});
}

/* A blocking step: posted, then waited for. */
void trace_steps_send(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes)
{
    trace_steps_post_send(steps, peer, phase, bytes);
    trace_steps_wait(steps);
}

/* Blocking too: the data may be sent on in the next step. */
void trace_steps_receive(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes)
{
    trace_steps_post_receive(steps, peer, phase, bytes);
    trace_steps_wait(steps);
}

/* The receive first, so that a message that is already there finds it. */
void trace_steps_exchange(struct trace_steps *steps, uint32_t target, uint64_t sent_bytes, uint32_t source,
                          uint64_t received_bytes, uint32_t phase)
{
    trace_steps_post_receive(steps, source, phase, received_bytes);
    trace_steps_post_send(steps, target, phase, sent_bytes);
    trace_steps_wait(steps);
}

/* What every algorithm returns: -1 when one of its steps found no memory. */
int trace_steps_end(const struct trace_steps *steps)
{
    return steps->failed ? -1 : 0;
}

/* To one other rank it is a send like any other, which the network may do as well. */
void trace_steps_multicast(struct trace_steps *steps, const struct trace_collective_call *call,
                           uint32_t phase, uint64_t bytes)
{
    steps->schedule->multicast_first = steps->schedule->count;
    for (uint32_t rank = 0; rank < call->ranks; rank++)
        if (rank != call->rank)
            trace_steps_post_send(steps, rank, phase, bytes);
    steps->schedule->multicast_count = steps->schedule->count - steps->schedule->multicast_first;
    trace_steps_wait(steps);
}

/* The part's steps are appended as if it were alone, then moved to its place among the ranks. */
void trace_steps_part(struct trace_steps *steps, const struct trace_algorithm *algorithm,
                      const struct trace_collective_call *part, uint32_t number, uint32_t first)
{
    struct trace_schedule *schedule = steps->schedule;
    size_t begin = schedule->count;

    if (steps->failed || !trace_has_messages(part))
        return;
    if (algorithm->schedule(part, schedule) != 0)
        steps->failed = true;
    for (size_t i = begin; i < schedule->count; i++) {
        if (schedule->steps[i].kind == TRACE_STEP_WAIT)
            continue;
        assert(schedule->steps[i].phase >> TRACE_PART_SHIFT == 0);
        schedule->steps[i].peer += first;
        schedule->steps[i].phase += number << TRACE_PART_SHIFT;
    }
}

/* Ranks on a circle: MPI's algorithms count modulo the size of the communicator. */
uint32_t trace_rank_after(const struct trace_collective_call *call, uint32_t rank, uint32_t ahead)
{
    return (uint32_t)(((uint64_t)rank + ahead) % call->ranks);
}

/* behind must not be above the number of ranks, else the sum wraps. */
uint32_t trace_rank_before(const struct trace_collective_call *call, uint32_t rank, uint32_t behind)
{
    return (uint32_t)(((uint64_t)rank + call->ranks - behind) % call->ranks);
}

/* Trees are built as if the root were rank 0. */
uint32_t trace_rank_relative(const struct trace_collective_call *call)
{
    return trace_rank_before(call, call->rank, call->root);
}

/* Its own inverse. */
uint32_t trace_rank_swapped(const struct trace_collective_call *call, uint32_t rank)
{
    return rank == call->root ? 0 : rank == 0 ? call->root : rank;
}

/* 1 is one: algorithms of doubling steps then have none. */
bool trace_is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

/* The largest power of two that is not above the number of ranks. */
uint32_t trace_power_of_two_within(uint32_t ranks)
{
    uint32_t power = 1;
    assert(ranks >= 1);
    while (power <= ranks / 2)
        power *= 2;
    return power;
}

/* Which vector counts depends on who owns the block: see collective.h. */
uint64_t trace_block_bytes(const struct trace_collective_call *call, uint32_t rank)
{
    if (call->vector == NULL)
        return call->bytes;
    if (call->collective == TRACE_SCATTERV || call->collective == TRACE_REDUCE_SCATTER)
        return call->vector->received[rank];
    return call->vector->sent[rank];
}

/* The product, or a walk around the ring, which is what the sizes of a vector leave. */
uint64_t trace_blocks_bytes(const struct trace_collective_call *call, uint32_t first, uint32_t count)
{
    uint64_t sum = 0;

    if (call->vector == NULL)
        return __builtin_mul_overflow(call->bytes, (uint64_t)count, &sum) ? UINT64_MAX : sum;
    for (uint32_t i = 0; i < count; i++)
        if (__builtin_add_overflow(sum, trace_block_bytes(call, trace_rank_after(call, first, i)), &sum))
            return UINT64_MAX;
    return sum;
}

/* The blocks of all ranks, this one's included; UINT64_MAX when they do not fit. */
uint64_t trace_total_bytes(const struct trace_collective_call *call)
{
    return trace_blocks_bytes(call, 0, call->ranks);
}

/* All receives of a group are posted before its sends. The source i ahead has this rank as its target i
 * behind, so that both sides of a message are in the same group, and groups cannot wait for each other. */
static void exchange_group(struct trace_steps *steps, const struct trace_collective_call *call,
                           const struct trace_shares *shares, uint32_t first, uint32_t end, bool sends_ahead)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t source = trace_rank_after(call, call->rank, i);
        if (source != call->rank && shares->received[source] > 0)
            trace_steps_post_receive(steps, source, 0, shares->received[source]);
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t target =
            sends_ahead ? trace_rank_after(call, call->rank, i) : trace_rank_before(call, call->rank, i);
        if (target != call->rank && shares->sent[target] > 0)
            trace_steps_post_send(steps, target, 0, shares->sent[target]);
    }
    trace_steps_wait(steps);
}

/* Partners are counted with oneself, so the first group has one less. */
int trace_schedule_groups(const struct trace_collective_call *call, struct trace_schedule *schedule,
                          uint32_t limit, bool sends_ahead)
{
    struct trace_steps steps = {schedule, false};
    struct trace_shares shares;

    assert(!sends_ahead || limit >= call->ranks);
    if (trace_shares_init(&shares, call) != 0)
        return -1;
    for (uint32_t done = 0, group; done < call->ranks && !steps.failed; done += group) {
        group = call->ranks - done < limit ? call->ranks - done : limit;
        exchange_group(&steps, call, &shares, done, done + group, sends_ahead);
    }
    trace_shares_free(&shares);
    return trace_steps_end(&steps);
}

/* Operations carry no datatypes. The largest power of two up to 8 that divides the vector is a plausible
 * element, and splits then never cut one. */
uint64_t trace_element_bytes(uint64_t vector_bytes)
{
    uint64_t element = 8;
    while (vector_bytes % element != 0)
        element /= 2;
    return element;
}

/* With 6 ranks there are 2 too many, and the pairs (0, 1) and (2, 3) fold. The four that remain are numbered
 *      keep_even       0 > 0       2 > 1       4 > 2       5 > 3
 *      keep odd        1 > 0       3 > 1       4 > 2       5 > 3 */
struct trace_fold trace_fold_of(const struct trace_collective_call *call, bool keep_even)
{
    struct trace_fold fold = {.keep_even = keep_even};

    fold.ranks = trace_power_of_two_within(call->ranks);
    fold.excess = call->ranks - fold.ranks;
    if (call->rank >= 2 * fold.excess)
        fold.rank = call->rank - fold.excess;
    else if ((call->rank % 2 == 0) == keep_even)
        fold.rank = call->rank / 2;
    else
        fold.rank = UINT32_MAX;
    return fold;
}

/* The inverse of trace_fold_of: from a number among the survivors to the rank. */
uint32_t trace_fold_member(const struct trace_fold *fold, uint32_t number)
{
    if (number >= fold->excess)
        return number + fold->excess;
    return fold->keep_even ? 2 * number : 2 * number + 1;
}

/* Where the ranks are no power of two, the surplus ones hand their data to a neighbour first. */
void trace_steps_fold(struct trace_steps *steps, const struct trace_collective_call *call,
                      const struct trace_fold *fold, uint64_t bytes, uint32_t phase)
{
    if (call->rank >= 2 * fold->excess)
        return;
    if (fold->rank == UINT32_MAX)
        trace_steps_send(steps, call->rank ^ 1, phase, bytes);
    else
        trace_steps_receive(steps, call->rank ^ 1, phase, bytes);
}

/* And get the result back from it in the end. */
void trace_steps_unfold(struct trace_steps *steps, const struct trace_collective_call *call,
                        const struct trace_fold *fold, uint64_t bytes, uint32_t phase)
{
    if (call->rank >= 2 * fold->excess)
        return;
    if (fold->rank == UINT32_MAX)
        trace_steps_receive(steps, call->rank ^ 1, phase, bytes);
    else
        trace_steps_send(steps, call->rank ^ 1, phase, bytes);
}

/* Whole elements are dealt out; the first pieces are one longer where the ranks do not divide them. */
struct trace_halves trace_halves_of(const struct trace_fold *fold, uint64_t vector_bytes)
{
    struct trace_halves halves = {.fold = *fold, .element_bytes = trace_element_bytes(vector_bytes)};

    halves.elements = vector_bytes / halves.element_bytes;
    while (UINT32_C(1) << halves.rounds < fold->ranks)
        halves.rounds++;
    return halves;
}

/* Elements in the pieces before the given one. */
static uint64_t elements_before(const struct trace_halves *halves, uint32_t piece)
{
    uint64_t longer = halves->elements % halves->fold.ranks;
    return halves->elements / halves->fold.ranks * piece + (piece < longer ? piece : longer);
}

/* Bit by bit from the lowest, the number says whether the rank keeps the lower or the upper half: after all
 * rounds the piece's index is the number with its bits reversed. */
uint64_t trace_halves_bytes(const struct trace_halves *halves, uint32_t number, uint32_t rounds)
{
    uint32_t first = 0, count = halves->fold.ranks;

    for (uint32_t round = 0; round < rounds; round++) {
        count /= 2;
        if ((number >> round & 1) != 0)
            first += count;
    }
    return halves->element_bytes * (elements_before(halves, first + count) - elements_before(halves, first));
}

/* Partners in a round have the same range; each sends the half that the other one keeps. */
void trace_steps_halve(struct trace_steps *steps, const struct trace_halves *halves)
{
    uint32_t number = halves->fold.rank;

    for (uint32_t round = 0; round < halves->rounds; round++) {
        uint32_t partner = number ^ UINT32_C(1) << round;
        uint32_t peer = trace_fold_member(&halves->fold, partner);
        trace_steps_exchange(steps, peer, trace_halves_bytes(halves, partner, round + 1), peer,
                             trace_halves_bytes(halves, number, round + 1), round + 1);
    }
}

/* Where in the vector the piece of a relative rank starts; `ranks` gives the end. */
static uint64_t piece_start(const struct trace_collective_call *call, uint32_t relative_rank)
{
    uint64_t piece = call->bytes / call->ranks + (call->bytes % call->ranks != 0);
    /* An empty piece starts at the end; the division avoids a product beyond 64 bits. */
    return piece == 0 || relative_rank > call->bytes / piece ? call->bytes : piece * relative_rank;
}

/* Pieces of a broadcast vector, by relative rank: all have the same length, rounded up, so that the last
 * ones may be short or empty. Those beyond the last rank are none. */
uint64_t trace_pieces_bytes(const struct trace_collective_call *call, uint32_t first, uint32_t count)
{
    uint32_t end = count < call->ranks - first ? first + count : call->ranks;
    return piece_start(call, end) - piece_start(call, first);
}

/* A single one of them. */
uint64_t trace_piece_bytes(const struct trace_collective_call *call, uint32_t relative_rank)
{
    return trace_pieces_bytes(call, relative_rank, 1);
}

/* A parent sends to a child the pieces of the child's whole subtree, of 2^k ranks or up to the last one. */
void trace_steps_scatter_pieces(struct trace_steps *steps, const struct trace_collective_call *call)
{
    uint32_t relative = trace_rank_relative(call);
    uint64_t mask = 1; /* 64 bits: it passes the number of ranks */

    while (mask < call->ranks && (relative & mask) == 0)
        mask *= 2;
    if (mask < call->ranks && trace_pieces_bytes(call, relative, (uint32_t)mask) > 0)
        trace_steps_receive(steps, trace_rank_before(call, call->rank, (uint32_t)mask), 0,
                            trace_pieces_bytes(call, relative, (uint32_t)mask));
    for (mask /= 2; mask > 0; mask /= 2) {
        uint32_t ahead = (uint32_t)mask;
        uint64_t bytes =
            ahead < call->ranks - relative ? trace_pieces_bytes(call, relative + ahead, ahead) : 0;
        if (bytes > 0)
            trace_steps_send(steps, trace_rank_after(call, call->rank, ahead), 0, bytes);
    }
}
