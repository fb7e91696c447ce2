/* Random permutation: one permutation of all terminals, all equally likely, drawn from the seed and kept for
 * the whole run. permutation=K gives the K-th one of the same seed. Those that it leaves in place (one on the
 * average) send nothing; where it would leave all of them, the next one is taken. */
#include "base/random.h"
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

#define STREAM UINT64_C(0x7065726d) /* apart from every other use of the seed */

/* Drawn once: all messages of a run go the same ways.
 * A shuffle that moves nobody is repeated. That ends, as there are two terminals at least, and continues
 * the same stream of random numbers, so that the result stays a function of seed and number. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t number = 0;
    struct base_random random;
    uint32_t moved = 0;

    if (net_specification_unsigned(specification, "permutation", 0, UINT32_MAX, &number, error) != 0)
        return -1;
    pattern->table = base_arena_array(&pattern->arena, pattern->terminals, sizeof *pattern->table);
    if (pattern->table == NULL)
        return base_error_memory(error, "the permutation");
    for (uint32_t i = 0; i < pattern->terminals; i++)
        pattern->table[i] = i;
    base_random_seed(&random, pattern->seed, base_hash(STREAM, number));
    while (moved == 0) {
        base_random_shuffle(&random, pattern->table, pattern->terminals);
        for (uint32_t i = 0; i < pattern->terminals; i++)
            moved += pattern->table[i] != i;
    }
    return 0;
}

/* A look into the table. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)key, (void)state;
    return pattern->table[source];
}

static const char *const keys[] = {"permutation", NULL};

const struct net_pattern_kind net_pattern_permutation = {
    .name = "permutation",
    .chance = BASE_DRAWS,
    .summary = "a random permutation, drawn from the seed and kept for the run",
    .parameters = "[,permutation=K]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
