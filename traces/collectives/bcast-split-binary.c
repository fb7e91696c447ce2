/* Broadcast of a vector in two halves, one down each side of a binary tree; then a rank of the left side and
 * one of the right exchange their halves, so that every rank receives the vector once and most send it once.
 *
 * On level l of the tree the children of v are v + 2^l and v + 2^(l+1), the root's are 1 and 2: odd numbers
 * are on the left side, and 1 and 2, 3 and 4, … are the pairs. With an even number of ranks the last one has
 * no partner, and gets the right half from the root. After Open MPI. */
#include "traces/collectives/trees.h"

/* Of whole elements, the left half is the longer one. */
static uint64_t half_bytes(const struct trace_collective_call *call, bool right)
{
    uint64_t element = trace_element_bytes(call->bytes), elements = call->bytes / element;
    return element * (right ? elements / 2 : elements - elements / 2);
}

/* The root sends its two children different halves, a segment of each at a time. The right half may have fewer
 * segments; then the left one's last segments go alone. */
static void send_halves(struct trace_steps *steps, const struct trace_collective_call *call)
{
    struct trace_cut left = trace_cut_of(half_bytes(call, false), call->segment_bytes);
    struct trace_cut right = trace_cut_of(half_bytes(call, true), call->segment_bytes);

    for (uint64_t i = 0; i < left.count && !steps->failed; i++) {
        trace_steps_post_send(steps, trace_rank_after(call, call->root, 1), 0, trace_cut_bytes(&left, i));
        if (call->ranks > 2 && i < right.count)
            trace_steps_post_send(steps, trace_rank_after(call, call->root, 2), 0,
                                  trace_cut_bytes(&right, i));
        trace_steps_wait(steps);
    }
}

/* Phase 0 is the way down, phase 1 the exchange of halves. A rank on the right side has an even number. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call), last = call->ranks - 1;
    bool right = relative % 2 == 0;
    struct trace_tree tree = trace_tree_binary_at(call, relative);

    if (relative == 0)
        send_halves(&steps, call);
    else
        trace_steps_tree_down(&steps, &tree, half_bytes(call, right), call->segment_bytes, 0);
    if (last % 2 != 0 && relative == 0) {
        trace_steps_send(&steps, trace_rank_after(call, call->root, last), 1, half_bytes(call, true));
    } else if (last % 2 != 0 && relative == last) {
        trace_steps_receive(&steps, call->root, 1, half_bytes(call, true));
    } else if (relative > 0) {
        uint32_t partner = trace_rank_after(call, call->root, right ? relative - 1 : relative + 1);
        trace_steps_exchange(&steps, partner, half_bytes(call, right), partner, half_bytes(call, !right), 1);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_split_binary = {
    .name = "bcast-split-binary",
    .summary = "a half down each side of a binary tree, then pairs exchange; segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 8192,
    .schedule = schedule_steps,
};
