/* LRU stack: each terminal sends mostly to those to which it sent last (Koppelman 1996,
 * section IV.A).
 *
 * Each source has a stack of `depth` (3) targets, at first random ones, all different. For every message i is
 * drawn with P(i) = p (1 - p)^i, p = 0.9. For i below the depth the target is entry i, which moves to the
 * top; else it is any other terminal, and the stack stays as it is (the paper does not say what becomes of
 * it). Targets are never the source itself, unless self=1: the paper's networks have inputs and outputs apart, and
 * its stacks may begin with a target twice. */
#include "base/random.h"
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

/* In a tiny network the stack is as deep as there are others. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t depth = pattern->terminals - 1 < 3 ? pattern->terminals - 1 : 3;
    uint64_t self = 0;
    uint64_t most =
        pattern->terminals - 1 < NET_PATTERN_STATE_MAX ? pattern->terminals - 1 : NET_PATTERN_STATE_MAX;

    pattern->threshold = UINT64_MAX / 10 * 9;
    if (net_specification_unsigned(specification, "depth", 1, most, &depth, error) != 0 ||
        net_pattern_probability(specification, "p", &pattern->threshold, error) != 0 ||
        net_specification_unsigned(specification, "self", 0, 1, &self, error) != 0)
        return -1;
    pattern->with_self = self == 1;
    pattern->depth = pattern->state_words = (uint32_t)depth;
    return 0;
}

/* A stack has a few entries, at most NET_PATTERN_STATE_MAX, so that a set would cost more than looking. */
static bool holds(const uint32_t *stack, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (stack[i] == value)
            return true;
    return false;
}

static uint32_t any(const struct net_pattern *pattern, uint32_t source, uint64_t bits)
{
    return pattern->with_self ? base_scale(bits, pattern->terminals)
                              : net_pattern_other(pattern, source, bits);
}

/* Drawn again until it is new: the stack is never deeper than there are others. */
static void begin(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint64_t draw = 0;

    for (uint32_t i = 0; i < pattern->depth; i++)
        do
            state[i] = any(pattern, source, base_hash(key, draw++));
        while (!pattern->with_self && holds(state, i, state[i]));
}

/* The entry that is taken moves to the top, and those above it one place down. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t place = 0;
    uint32_t chosen;

    while (place < pattern->depth && base_hash(key, 1 + (uint64_t)place) >= pattern->threshold)
        place++;
    if (place == pattern->depth)
        return any(pattern, source, key);
    chosen = state[place];
    for (; place > 0; place--)
        state[place] = state[place - 1];
    state[0] = chosen;
    return chosen;
}

static const char *const keys[] = {"depth", "p", "self", NULL};

const struct net_pattern_kind net_pattern_lru_stack = {
    .name = "lru-stack",
    .chance = BASE_DRAWS,
    .summary = "mostly to the terminals sent to last: a stack of depth 3, entry i with p (1 - p)^i, p = 0.9; "
               "self=1: to itself, too",
    .parameters = "[,depth=N,p=P,self=0|1]",
    .keys = keys,
    .prepare = prepare,
    .begin = begin,
    .target = target,
};
