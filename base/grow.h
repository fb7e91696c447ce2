/* Growing arrays: doubling, so that appending is cheap. Doubling makes n appends copy fewer than 2 n elements. All
 * of these take the address of a pointer as void *: C has no type for "pointer to any pointer", and copying it
 * with memcpy keeps to the rules about aliasing. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `need` elements of `size` bytes in *array, whose capacity is *capacity elements. The new
 * elements are not initialised. -1 when memory is out: the array is unchanged then. `array` is the address of
 * a pointer. */
static inline int base_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    void *old, *larger;
    size_t count = *capacity < 8 ? 8 : *capacity;

    if (need <= *capacity)
        return 0;
    while (count < need) {
        if (count > SIZE_MAX / 2 / size)
            return -1;
        count *= 2;
    }
    memcpy(&old, array, sizeof old);
    larger = realloc(old, count * size);
    if (larger == NULL)
        return -1;
    memcpy(array, &larger, sizeof larger);
    *capacity = count;
    return 0;
}

/* The same for an array that is counted in 32 bits, of which the last value stands for no element: room for more than
 * UINT32_MAX is refused like memory that is out. */
static inline int base_grow_32(void *array, uint32_t *capacity, size_t need, size_t size)
{
    size_t room = *capacity;

    if (need <= room)
        return 0;
    if (need > UINT32_MAX || base_grow(array, &room, need, size) != 0)
        return -1;
    *capacity = room > UINT32_MAX ? UINT32_MAX : (uint32_t)room;
    return 0;
}

/* Doubles a ring of slots of `size` bytes, in which slot n is at n modulo capacity, a power of two or 0: slots
 * head .. tail - 1 keep their numbers, not their places. -1 when memory is out: the ring is unchanged then.
 * `ring` is the address of a pointer. */
static inline int base_grow_ring(void *ring, size_t *capacity, uint64_t head, uint64_t tail, size_t size)
{
    size_t count = *capacity == 0 ? 16 : *capacity * 2;
    char *old;
    char *larger = count > SIZE_MAX / 2 / size ? NULL : malloc(count * size);

    if (larger == NULL)
        return -1;
    memcpy(&old, ring, sizeof old);
    for (uint64_t i = head; i < tail; i++)
        memcpy(larger + (i & (count - 1)) * size, old + (i & (*capacity - 1)) * size, size);
    free(old);
    memcpy(ring, &larger, sizeof larger);
    *capacity = count;
    return 0;
}

/* An array of 64-bit words that begins with word number *begin and ends before number `end`, to which `count`
 * are to be appended: where there is no room, the words before number `first` are dropped from its front, so
 * that a stream whose queue is never empty does not grow it. At least half is free afterwards, or dropping
 * would be done for every append. -1 when memory is out: what is left is good. */
static inline int base_grow_words(uint64_t **words, size_t *capacity, uint64_t *begin, uint64_t first,
                                  uint64_t end, size_t count)
{
    size_t kept = (size_t)(end - first);

    if (first > *begin && kept > 0)
        memmove(*words, *words + (first - *begin), kept * sizeof **words);
    *begin = first;
    return base_grow(words, capacity, 2 * (kept + count), sizeof **words);
}

#endif
