/* Linear probing, at most two thirds full. A removal moves later slots of the same run back into the gap, so
 * that there are no tombstones and a table that lives long does not slow down. */
#include "base/table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)16)

/* The slot at which the search for a pair begins. No result depends on it: two multiplications, which spread pairs that
 * differ in few bits of either half over the low bits of the word. */
static inline size_t home_of(const struct base_table *table, uint64_t a, uint64_t b)
{
    uint64_t hash = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ b;
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(hash >> 32) & (table->capacity - 1);
}

/* The slot that holds (a, b), or the empty one where it would go. The table has slots. */
static inline struct base_table_slot *find(const struct base_table *table, uint64_t a, uint64_t b)
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
struct base_table_slot *base_table_seek(struct base_table *table, uint64_t a, uint64_t b)
{
    struct base_table_slot *slot = table->capacity == 0 ? NULL : find(table, a, b);

    if (slot != NULL && (slot->value != BASE_TABLE_NONE || table->count < table->capacity / 3 * 2))
        return slot;
    return grow(table) != 0 ? NULL : find(table, a, b);
}

void base_table_fill(struct base_table *table, struct base_table_slot *slot, uint64_t a, uint64_t b,
                     uint32_t value)
{
    assert(value != BASE_TABLE_NONE);
    table->count += slot->value == BASE_TABLE_NONE;
    *slot = (struct base_table_slot){a, b, value};
}

int base_table_put(struct base_table *table, uint64_t a, uint64_t b, uint32_t value)
{
    struct base_table_slot *slot = base_table_seek(table, a, b);

    if (slot == NULL)
        return -1;
    base_table_fill(table, slot, a, b, value);
    return 0;
}

/* Every later slot of the run is looked at once, and may fill the gap only if its own search still passes there. */
void base_table_empty(struct base_table *table, struct base_table_slot *slot)
{
    size_t mask = table->capacity - 1;
    size_t gap = (size_t)(slot - table->slots);

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

void base_table_remove(struct base_table *table, uint64_t a, uint64_t b)
{
    struct base_table_slot *found = table->count == 0 ? NULL : find(table, a, b);

    if (found != NULL && found->value != BASE_TABLE_NONE)
        base_table_empty(table, found);
}

/* NULL is legal; an empty table is left. */
void base_table_free(struct base_table *table)
{
    if (table == NULL)
        return;
    free(table->slots);
    *table = (struct base_table){0};
}
