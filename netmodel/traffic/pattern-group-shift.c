/* Group-shift: a terminal sends to that in its place N groups on (groups=N, 1 by default), or N terminals on
 * (terminals=N), or both. Groups are those of group-neighbour. Shifts are what collectives on machines send, and what
 * d-mod-k carries without conflict on a fat tree (E. Zahavi, 2010): by whole groups, and by any number of terminals. */
#include "netmodel/specification.h"
#include "netmodel/traffic/pattern.h"

/* Groups are 1, or 0 where terminals are given; a shift by nothing is refused. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    if (net_pattern_groups(pattern, error) != 0)
        return -1;
    uint32_t size = pattern->topology->group_terminals, groups = pattern->terminals / size;
    uint64_t terminals = 0;
    if (net_specification_unsigned(specification, "terminals", 0, pattern->terminals - 1, &terminals,
                                   error) != 0)
        return -1;
    uint64_t shift = terminals == 0 ? 1 : 0;
    if (net_specification_unsigned(specification, "groups", shift, groups - 1, &shift, error) != 0)
        return -1;
    pattern->shift = (shift * size + terminals) % pattern->terminals;
    if (pattern->shift != 0)
        return 0;
    return base_error_set(error, BASE_USAGE, "pattern '%s' shifts by all %u terminals, so by none",
                          pattern->text, pattern->terminals);
}

static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)key, (void)state;
    return (uint32_t)((source + pattern->shift) % pattern->terminals);
}

static const char *const keys[] = {"groups", "terminals", NULL};

const struct net_pattern_kind net_pattern_group_shift = {
    .name = "group-shift",
    .chance = BASE_EXACT,
    .summary = "a terminal sends to the one in its place in the next group; groups=N: N groups on; "
               "terminals=N: N terminals on",
    .parameters = "[,groups=N][,terminals=N]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
