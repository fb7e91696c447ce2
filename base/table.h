/* A hash table from a pair of 64-bit keys to a 32-bit value: open addressing, linear probing, tombstone-free
 * removal. For matching and interning; iteration order is never offered, so no result can depend on it.
 * The value is mostly an index into an array of the caller, which holds what belongs to the key. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define BASE_TABLE_NONE UINT32_MAX

struct base_table_slot {
    uint64_t a, b;  /* the key; any numbers */
    uint32_t value; /* BASE_TABLE_NONE marks an empty slot */
};

/* A zeroed struct base_table is a valid empty one. */
struct base_table {
    struct base_table_slot *slots; /* [capacity], at most two thirds of them in use */
    size_t count, capacity;        /* capacity is a power of two, or 0 */
};

/* The value stored for (a, b), or BASE_TABLE_NONE. */
uint32_t base_table_get(const struct base_table *table, uint64_t a, uint64_t b);
/* Stores value (not BASE_TABLE_NONE) for (a, b), replacing an older one. -1 when memory is out (table
 * unchanged). */
int base_table_put(struct base_table *table, uint64_t a, uint64_t b, uint32_t value);
void base_table_remove(struct base_table *table, uint64_t a, uint64_t b);

/* The same in two steps, for one who decides by what is there: the slot of (a, b), whose value is BASE_TABLE_NONE where
 * there is none. It may be filled, changed or emptied as long as nothing else is done to the table. NULL: memory. */
struct base_table_slot *base_table_seek(struct base_table *table, uint64_t a, uint64_t b);
/* Stores value (not BASE_TABLE_NONE) in a slot that was sought for (a, b). */
void base_table_fill(struct base_table *table, struct base_table_slot *slot, uint64_t a, uint64_t b,
                     uint32_t value);
/* Removes what is in a slot that was sought: something is. */
void base_table_empty(struct base_table *table, struct base_table_slot *slot);
void base_table_free(struct base_table *table);

#endif
