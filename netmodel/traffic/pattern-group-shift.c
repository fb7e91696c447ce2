/* Group-shift: a terminal sends to that in its place N groups on (groups=N, 1 by default). Groups are those
 * of group-neighbour. Shifts are what collectives on machines send, and what d-mod-k carries without conflict
 * on a fat tree (E. Zahavi, 2010). */
#include "netmodel/specification.h"
#include "netmodel/traffic/pattern.h"

static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t shift = 1;
    if (net_pattern_groups(pattern, error) != 0)
        return -1;
    uint32_t groups = pattern->terminals / pattern->topology->group_terminals;
    if (net_specification_unsigned(specification, "groups", 1, groups - 1, &shift, error) != 0)
        return -1;
    pattern->group_shift = (uint32_t)shift;
    return 0;
}

static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint64_t shift = (uint64_t)pattern->group_shift * pattern->topology->group_terminals;
    (void)key, (void)state;
    return (uint32_t)((source + shift) % pattern->terminals);
}

static const char *const keys[] = {"groups", NULL};

const struct net_pattern_kind net_pattern_group_shift = {
    .name = "group-shift",
    .chance = BASE_EXACT,
    .summary = "a terminal sends to the one in its place in the next group; groups=N: N groups on",
    .parameters = "[,groups=N]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
