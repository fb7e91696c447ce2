/* Uniform: every other terminal is equally likely for every message (Dally and Towles: random traffic).
 *
 * With self=1 the source itself is one of the targets, as in the "including self" columns of
 * doc/networks.md; such a message enters its router and leaves it at once. */
#include "base/random.h"
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

/* Flags are numbers in specifications: 0 or 1. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t self = 0;

    if (net_specification_unsigned(specification, "self", 0, 1, &self, error) != 0)
        return -1;
    pattern->with_self = self == 1;
    return 0;
}

/* One draw. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)state;
    if (pattern->with_self)
        return base_scale(key, pattern->terminals);
    return net_pattern_other(pattern, source, key);
}

static const char *const keys[] = {"self", NULL};

const struct net_pattern_kind net_pattern_uniform = {
    .name = "uniform",
    .chance = BASE_DRAWS,
    .summary = "every other terminal is equally likely; self=1: the own one too",
    .parameters = "[,self=0|1]",
    .keys = keys,
    .prepare = prepare,
    .target = target,
};
