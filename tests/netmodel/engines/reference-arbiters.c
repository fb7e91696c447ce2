/* Rules 4 and 5 of doc/flit-engine.md: who wins where several ask. */
#include "base/random.h"
#include "tests/netmodel/engines/reference-internal.h"

static const struct reference_packet *packet_of(const struct reference *reference,
                                                const struct candidate *candidate)
{
    const struct fifo *queue = &candidate->driver->queue;
    return &reference->result->packets[queue->flits[queue->first].packet];
}

/* Packets are numbered by message and then by their place in it only if messages join in order: compare. */
static bool is_older(const struct reference *reference, const struct candidate *a, const struct candidate *b)
{
    const struct reference_packet *left = packet_of(reference, a), *right = packet_of(reference, b);
    uint64_t left_cycle = reference->messages[left->message].cycle;
    uint64_t right_cycle = reference->messages[right->message].cycle;
    if (left_cycle != right_cycle)
        return left_cycle < right_cycle;
    if (left->message != right->message)
        return left->message < right->message;
    return left->index < right->index;
}

static uint32_t oldest(const struct reference *reference, const struct contest *contest)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < contest->count; i++)
        if (is_older(reference, &contest->candidates[i], &contest->candidates[best]))
            best = i;
    return best;
}

/* The first at or cyclically after the pointer, of those with a queue at least so long. */
static uint32_t next_in_turn(const struct contest *contest, size_t queue)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < contest->count; i++) {
        if (contest->candidates[i].driver->queue.count < queue)
            continue;
        if (contest->candidates[i].number >= contest->pointer)
            return i;
        if (first == UINT32_MAX)
            first = i;
    }
    return first;
}

static size_t longest(const struct contest *contest)
{
    size_t queue = 0;
    for (uint32_t i = 0; i < contest->count; i++)
        if (contest->candidates[i].driver->queue.count > queue)
            queue = contest->candidates[i].driver->queue.count;
    return queue;
}

uint32_t reference_decide(const struct reference *reference, const struct contest *contest)
{
    uint32_t winner = 0;
    switch (reference->arbiter) {
    case NET_ROUND_ROBIN:
        winner = next_in_turn(contest, 0);
        break;
    case NET_OLDEST_FIRST:
        winner = oldest(reference, contest);
        break;
    case NET_RANDOM:
        winner = base_scale(base_hash(base_hash(~reference->seed, contest->draw), reference->cycle),
                            contest->count);
        break;
    case NET_LONGEST_QUEUE:
        winner = next_in_turn(contest, longest(contest));
        break;
    }
    return contest->candidates[winner].number;
}
