/* Sorting slots by a key, and the keys of walks through a box. */
#include <config.h>

#include "mappers/orders/order.h"

#include <stdlib.h>

struct map_order_entry {
    uint64_t key;  /* what is sorted by */
    uint32_t slot; /* breaks ties */
};

/* qsort() need not be stable and differs between C libraries: with the slot as the last word no two
 * entries are equal. */
static int by_key(const void *a, const void *b)
{
    const struct map_order_entry *one = a, *other = b;

    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return (one->slot > other->slot) - (one->slot < other->slot);
}

/* Sorting is stable by construction: equal keys fall back on the number of the slot. */
int map_order_by(const struct map_problem *problem, const uint64_t *key, uint32_t *slot,
                 struct base_error *error)
{
    struct map_order_entry *entries = malloc(((size_t)problem->slots + 1) * sizeof *entries);

    if (entries == NULL)
        return base_error_memory(error, "an order of slots");
    for (uint32_t i = 0; i < problem->slots; i++)
        entries[i] = (struct map_order_entry){key[i], i};
    qsort(entries, problem->slots, sizeof *entries, by_key);
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        slot[rank] = entries[rank].slot;
    free(entries);
    return 0;
}

/* What the others change: one field each. */
struct map_walk map_walk_of_rows(const struct map_problem *problem)
{
    struct map_walk walk = {.snakes = false};

    for (uint32_t i = 0; i < problem->dimensions; i++)
        walk.fastest[i] = i;
    return walk;
}

/* The slowest dimension counts most. In a snake, a line runs back when the number of lines before it is odd. */
static uint64_t key_of(const struct map_problem *problem, const struct map_walk *walk, uint32_t slot)
{
    const uint32_t *at = problem->coordinate + (size_t)slot * problem->dimensions;
    uint64_t key = 0;

    for (uint32_t i = problem->dimensions; i-- > 0;) {
        uint32_t dimension = walk->fastest[i], side = problem->sides[dimension];
        bool back = (walk->backwards >> dimension & 1) != 0;
        if (walk->snakes && key % 2 == 1)
            back = !back;
        key = key * side + (back ? side - 1 - at[dimension] : at[dimension]);
    }
    return key;
}

/* Without coordinates all keys are 0, which leaves the order of slots. */
int map_order_along(const struct map_problem *problem, const struct map_walk *walk, uint32_t *slot,
                    struct base_error *error)
{
    uint64_t *key = calloc((size_t)problem->slots + 1, sizeof *key);
    int status;

    if (key == NULL)
        return base_error_memory(error, "an order of slots");
    if (problem->coordinate != NULL)
        for (uint32_t i = 0; i < problem->slots; i++)
            key[i] = key_of(problem, walk, i);
    status = map_order_by(problem, key, slot, error);
    free(key);
    return status;
}
