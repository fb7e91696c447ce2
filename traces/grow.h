/* Growing arrays of this room: doubling, so that appending is cheap. */
#ifndef TRACE_GROW_H
#define TRACE_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `need` elements of `size` bytes in *array, whose capacity is *capacity elements. The new
 * elements are not initialised. -1 when memory is out: the array is unchanged then. `array` is the address of
 * a pointer. */
static inline int trace_grow(void *array, size_t *capacity, size_t need, size_t size)
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

#endif
