/* Linear probing, at most two thirds full. A removal moves later slots of the same run back into the gap, so
 * that there are no tombstones and a table that lives long does not slow down. */
#include "base/table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define FIRST_CAPACITY ((size_t)16)

/* The slot at which the search for a pair begins. */
static inline size_t home_of(const struct base_table *table, uint64_t a, uint64_t b)
{
    return (size_t)base_hash(a, b) & (table->capacity - 1);
}

/* The slot that holds (a, b), or the empty one where it would go. The table has slots. */
static struct base_table_slot *find(const struct base_table *table, uint64_t a, uint64_t b)
{
    size_t i = home_of(table, a, b);
    for (;; i = (i + 1) & (table->capacity - 1)) {
        struct base_table_slot *slot = &table->slots[i];
        if (slot->value == BASE_TABLE_NONE || (slot->a == a && slot->b == b))
            return slot;
    }
}

/* Ends at the first empty slot: removal leaves no holes in a run. */
uint32_t base_table_get(const struct base_table *table, uint64_t a, uint64_t b)
{
    return table->count == 0 ? BASE_TABLE_NONE : find(table, a, b)->value;
}

/* Doubles into a new array; the old one is given up only when every slot has moved. */
static int grow(struct base_table *table)
{
    struct base_table larger = {.count = table->count,
                                .capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2};

    if (larger.capacity > SIZE_MAX / 2 / sizeof *larger.slots)
        return -1;
    larger.slots = malloc(larger.capacity * sizeof *larger.slots);
    if (larger.slots == NULL)
        return -1;
    for (size_t i = 0; i < larger.capacity; i++)
        larger.slots[i].value = BASE_TABLE_NONE;
    for (size_t i = 0; i < table->capacity; i++) {
        const struct base_table_slot *slot = &table->slots[i];
        if (slot->value != BASE_TABLE_NONE)
            *find(&larger, slot->a, slot->b) = *slot;
    }
    free(table->slots);
    *table = larger;
    return 0;
}

/* Grows before the table is so full that runs get long. */
int base_table_put(struct base_table *table, uint64_t a, uint64_t b, uint32_t value)
{
    struct base_table_slot *slot = table->capacity == 0 ? NULL : find(table, a, b);

    assert(value != BASE_TABLE_NONE);
    if (slot == NULL || slot->value == BASE_TABLE_NONE) {
        if (table->count + 1 > table->capacity / 3 * 2) {
            if (grow(table) != 0)
                return -1;
            slot = find(table, a, b);
        }
        table->count++;
    }
    *slot = (struct base_table_slot){a, b, value};
    return 0;
}

/* Every later slot of the run is looked at once, and may fill the gap only if its own search still passes there. */
void base_table_remove(struct base_table *table, uint64_t a, uint64_t b)
{
    size_t mask = table->capacity - 1;
    size_t gap;
    struct base_table_slot *found = table->count == 0 ? NULL : find(table, a, b);

    if (found == NULL || found->value == BASE_TABLE_NONE)
        return;
    gap = (size_t)(found - table->slots);
    for (size_t i = (gap + 1) & mask; table->slots[i].value != BASE_TABLE_NONE; i = (i + 1) & mask) {
        /* A slot may move back to the gap unless its home lies (cyclically) after the gap. */
        size_t home = home_of(table, table->slots[i].a, table->slots[i].b);
        if (((i - home) & mask) < ((i - gap) & mask))
            continue;
        table->slots[gap] = table->slots[i];
        gap = i;
    }
    table->slots[gap].value = BASE_TABLE_NONE;
    table->count--;
}

/* NULL is legal; an empty table is left. */
void base_table_free(struct base_table *table)
{
    if (table == NULL)
        return;
    free(table->slots);
    *table = (struct base_table){0};
}
