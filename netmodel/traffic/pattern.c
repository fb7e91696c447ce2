/* What all patterns share: the list of kinds, preparation for a topology, addresses and coordinates.
 *
 * A new pattern is a file pattern-NAME.c that ends in a const struct net_pattern_kind, and a line in
 * pattern-kinds.def; the laws of tests/netmodel/traffic/test-pattern.c (permutations are bijections, nobody sends to
 * itself, nobody sends outside) run over the list. */
#include "netmodel/traffic/pattern.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/units.h"
#include "netmodel/topologies/mway.h"
#include "netmodel/specification.h"

#define NET_PATTERN_KIND(descriptor) extern const struct net_pattern_kind descriptor;
#include "netmodel/traffic/pattern-kinds.def"
#undef NET_PATTERN_KIND

#define NET_PATTERN_KIND(descriptor) &descriptor,
static const struct net_pattern_kind *const kinds[] = {
#include "netmodel/traffic/pattern-kinds.def"
};
#undef NET_PATTERN_KIND

#define KINDS (sizeof kinds / sizeof kinds[0])
#define DECIMALS 6
#define ONE UINT64_C(1000000) /* a probability of 1, as it is read */

const struct net_pattern_kind *const *net_pattern_kinds(size_t *count)
{
    *count = KINDS;
    return kinds;
}

/* By the name before the first comma, or an error with the nearest one and the list. */
static const struct net_pattern_kind *find_kind(const char *text, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("pattern", kinds, struct net_pattern_kind);
    size_t place = base_names_find(&names, text, strcspn(text, ","), error);

    return place == KINDS ? NULL : kinds[place];
}

/* The parameters and the kind's own checks. */
static int prepare(struct net_pattern *pattern, const char *text, struct base_error *error)
{
    struct net_specification specification;

    if (net_specification_parse_named(&specification, text, "pattern", pattern->kind->keys, &pattern->arena,
                                      error) != 0)
        return -1;
    pattern->text = specification.text;
    if (pattern->terminals < 2)
        return base_error_set(error, BASE_USAGE,
                              "traffic needs at least two terminals, but topology '%s' has one",
                              pattern->topology->text);
    return pattern->kind->prepare == NULL ? 0 : pattern->kind->prepare(pattern, &specification, error);
}

/* Refusals come in the order in which a user can mend them: no such pattern, no such parameter, not here. */
int net_pattern_init(struct net_pattern *pattern, const struct net_topology *topology, const char *text,
                     uint64_t seed, struct base_error *error)
{
    *pattern = (struct net_pattern){.topology = topology, .terminals = topology->terminals, .seed = seed};
    pattern->kind = find_kind(text, error);
    if (pattern->kind == NULL)
        return -1;
    if (prepare(pattern, text, error) == 0)
        return 0;
    net_pattern_free(pattern);
    return -1;
}

/* The kind and the topology are borrowed: only tables and texts go. */
void net_pattern_free(struct net_pattern *pattern)
{
    base_arena_free(&pattern->arena);
}

/* Patterns that draw never give the source itself, unless that is what was asked for. */
bool net_pattern_sends(const struct net_pattern *pattern, uint32_t source)
{
    return !pattern->kind->permutation || pattern->kind->target(pattern, source, 0, NULL) != source;
}

/* One draw and no rejection: the gap that the source leaves is stepped over.
 * The result is uniform over the others: numbers from the source's on move up by one. */
uint32_t net_pattern_other(const struct net_pattern *pattern, uint32_t source, uint64_t bits)
{
    uint32_t target = base_scale(bits, pattern->terminals - 1);
    return target + (target >= source);
}

/* A single terminal never comes here, so that there is at least one bit.
 * In a power of two the number of trailing zeros is the logarithm. */
int net_pattern_address(struct net_pattern *pattern, struct base_error *error)
{
    uint32_t terminals = pattern->terminals;

    if ((terminals & (terminals - 1)) != 0)
        return base_error_set(
            error, BASE_USAGE,
            "pattern '%s' permutes the bits of a terminal's number, so it needs a power of two "
            "terminals; '%s' has %u",
            pattern->kind->name, pattern->topology->text, terminals);
    pattern->address_bits = (uint32_t)__builtin_ctz(terminals);
    return 0;
}

/* A graph from a file and an ideal network have no sides. */
int net_pattern_grid(const struct net_pattern *pattern, struct base_error *error)
{
    const struct net_topology *topology = pattern->topology;

    if (topology->grid != NULL && topology->grid->dimensions > 0 && !net_shared_inside_routers(topology))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "pattern '%s' needs routers with coordinates, which '%s' does not have; uniform, "
                          "hotspot, permutation, lru-stack and bit-complement work on every network",
                          pattern->kind->name, topology->text);
}

/* What a group is each topology says for itself; a network that is one group has no pair of them. */
int net_pattern_groups(const struct net_pattern *pattern, struct base_error *error)
{
    const struct net_topology *topology = pattern->topology;

    if (topology->group_terminals != 0 && topology->group_terminals < topology->terminals)
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "pattern '%s' needs several groups of terminals, which '%s' does not have; fat trees, "
        "dragonflies, HyperX of several dimensions and Slim Flies have them",
        pattern->kind->name, topology->text);
}

/* The inverse of net_topology_coordinates.
 * The first dimension runs fastest. The target has the same place at its router as the source has at its
 * own. */
uint32_t net_pattern_at(const struct net_pattern *pattern, uint32_t source, const uint32_t *coordinates)
{
    const struct net_topology *topology = pattern->topology;
    uint32_t router = 0;

    for (uint32_t i = topology->grid->dimensions; i-- > 0;)
        router = router * topology->grid->sides[i] + coordinates[i];
    return router * topology->concentration + source % topology->concentration;
}

/* Six decimals as an integer, so that no rounding of a decimal fraction comes in.
 * The value is a threshold for 64 random bits: a draw below it is a success. A probability of 1 is all but
 * one draw of 2^64. Absent, it stays what the caller has set. */
int net_pattern_probability(const struct net_specification *specification, const char *key, uint64_t *value,
                            struct base_error *error)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++) {
        const char *text = specification->parameters[i].value;
        uint64_t millionths = 0;
        if (strcmp(specification->parameters[i].key, key) != 0)
            continue;
        if (base_parse_decimal(text, DECIMALS, &millionths) != 0 || millionths > ONE)
            return base_error_set(error, BASE_USAGE,
                                  "%s '%.80s': %s=%.40s: not a number from 0 to 1 with at most 6 decimals",
                                  specification->what, specification->text, key, text);
        *value = millionths == ONE ? UINT64_MAX : UINT64_MAX / ONE * millionths;
    }
    return 0;
}
