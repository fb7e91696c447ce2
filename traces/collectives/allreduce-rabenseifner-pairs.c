/* Rabenseifner's allreduce as Open MPI does it. Where the ranks are no power of two, both of a surplus pair
 * reduce a half of their vectors before the even one goes on alone:
 *
 *      odd      left half  >      < right half     right half reduced  >
 *      even     < left half       right half >     < right half
 *
 * Then halving with the nearest partner first, where the lower rank keeps the lower half, rounded down to
 * whole elements; then the same partners backwards, each with what it keeps. */
#include "traces/collectives/steps.h"

#define AFTER 100 /* the phase of the result for the odd one */

struct window {
    uint64_t first, count; /* elements */
};

/* What of a window a number keeps in a round. */
static struct window half_of(struct window window, bool upper)
{
    uint64_t lower = window.count / 2;
    return upper ? (struct window){window.first + lower, window.count - lower}
                 : (struct window){window.first, lower};
}

/* What is left for a number after so many rounds. */
static struct window window_of(uint64_t elements, uint32_t number, uint32_t rounds)
{
    struct window window = {0, elements};

    for (uint32_t round = 0; round < rounds; round++)
        window = half_of(window, (number >> round & 1) != 0);
    return window;
}

/* Phases 0 and 1, for the first 2 * excess ranks: `left` and `right` are the bytes of the two halves. Whoever sits
 * out reduces the right half, and hands it over. */
static void reduce_in_pairs(struct trace_steps *steps, const struct trace_collective_call *call,
                            const struct trace_fold *fold, uint64_t left, uint64_t right)
{
    uint32_t peer = call->rank ^ 1;

    if (call->rank >= 2 * fold->excess)
        return;
    if (fold->rank == UINT32_MAX) {
        trace_steps_exchange(steps, peer, left, peer, right, 0);
        trace_steps_send(steps, peer, 1, right);
    } else {
        trace_steps_exchange(steps, peer, right, peer, left, 0);
        trace_steps_receive(steps, peer, 1, right);
    }
}

/* `own` and `other` are what the two partners keep after this round of halving; on the way back each sends what it
 * has. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, true);
    uint64_t element = trace_element_bytes(call->bytes), elements = call->bytes / element;
    uint64_t left = elements / 2 * element;
    uint32_t rounds = 0, phase = 2;

    while (UINT32_C(1) << rounds < fold.ranks)
        rounds++;
    reduce_in_pairs(&steps, call, &fold, left, call->bytes - left);
    for (uint32_t step = 0; step < 2 * rounds && fold.rank != UINT32_MAX; step++, phase++) {
        bool halving = step < rounds;
        uint32_t round = halving ? step : 2 * rounds - 1 - step, partner = fold.rank ^ UINT32_C(1) << round;
        uint32_t peer = trace_fold_member(&fold, partner);
        uint64_t own = window_of(elements, fold.rank, round + 1).count * element;
        uint64_t other = window_of(elements, partner, round + 1).count * element;
        trace_steps_exchange(&steps, peer, halving ? other : own, peer, halving ? own : other, phase);
    }
    trace_steps_unfold(&steps, call, &fold, call->bytes, AFTER);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allreduce_rabenseifner_pairs = {
    .name = "allreduce-rabenseifner-pairs",
    .summary = "allreduce-rabenseifner, where surplus pairs reduce a half each (Open MPI)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_steps,
};
