/* Group-neighbour: every terminal of a group sends to terminals of the next group, all equally likely. The
 * worst case of minimal routing on dragonflies (J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven,
 * highly-scalable dragonfly topology, ISCA 2008, section 4), whose groups have one link to each other
 * group. Of a fat tree groups are the subtrees below the top, of a HyperX the rows, of a Slim Fly the sets of
 * Q routers with the same s and x. */
#include "netmodel/traffic/pattern.h"

#include "base/random.h"

static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    return net_pattern_groups(pattern, error);
}

/* Drawn anew for each message. Behind the last group comes the first; the shift is in 64 bits, since terminals of
 * all groups and one more may be too many for 32. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t size = pattern->topology->group_terminals;
    uint64_t next = (uint64_t)(source / size + 1) * size % pattern->terminals;
    (void)state;
    return (uint32_t)next + base_scale(key, size);
}

const struct net_pattern_kind net_pattern_group_neighbour = {
    .name = "group-neighbour",
    .chance = BASE_DRAWS,
    .summary = "every group sends to the next one, there to any terminal",
    .prepare = prepare,
    .target = target,
};
