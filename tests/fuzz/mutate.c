#include <config.h>

#include "tests/fuzz/mutate.h"

#include <string.h>

/* Sizes and counts at which arithmetic goes wrong, in both byte orders by chance. */
static void put_extreme(struct base_random *random, uint8_t *data, size_t left)
{
    static const uint64_t extremes[] = {0,
                                        1,
                                        0x7f,
                                        0x80,
                                        0xff,
                                        0x7fff,
                                        0xffff,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x7fffffffffffffff,
                                        0xffffffffffffffff};
    uint64_t value = extremes[base_random_below(random, sizeof extremes / sizeof *extremes)];
    size_t width = (size_t)1 << base_random_below(random, 4);
    int swap = (int)base_random_below(random, 2);

    for (size_t i = 0; i < width && i < left; i++)
        data[i] = (uint8_t)(value >> (8 * (swap ? width - 1 - i : i)));
}

/* Takes a piece out, or puts it in again at another place. At most MUTATE_ROOM bytes more in all changes. */
static void move_piece(struct base_random *random, uint8_t *data, size_t *size, size_t at)
{
    size_t length = 1 + (size_t)base_random_below(random, MUTATE_ROOM / 8);
    size_t from = (size_t)base_random_below(random, *size);
    uint8_t piece[MUTATE_ROOM / 8];

    if (base_random_below(random, 2) == 0) {
        if (length > *size - at)
            length = *size - at;
        memmove(data + at, data + at + length, *size - at - length);
        *size -= length;
        return;
    }
    if (length > *size - from)
        length = *size - from;
    memcpy(piece, data + from, length);
    memmove(data + at + length, data + at, *size - at);
    memcpy(data + at, piece, length);
    *size += length;
}

/* One change at a random place. Five of sixteen flip a bit, three set a byte, four put an extreme number;
 * lost, repeated and cut pieces are rarer, as they damage all that follows. */
static void change(struct base_random *random, uint8_t *data, size_t *size)
{
    size_t at = (size_t)base_random_below(random, *size);

    switch (base_random_below(random, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        data[at] ^= (uint8_t)(1U << base_random_below(random, 8));
        break;
    case 5:
    case 6:
    case 7:
        data[at] = (uint8_t)base_random_below(random, 256);
        break;
    case 8:
        data[at] = (uint8_t)(data[at] + (base_random_below(random, 2) == 0 ? 1 : 255));
        break;
    case 9:
    case 10:
    case 11:
    case 12:
        put_extreme(random, data + at, *size - at);
        break;
    case 13:
    case 14:
        move_piece(random, data, size, at);
        break;
    default:
        *size = at;
    }
}

/* Most damage is small: a file with many wrong bytes is refused at the first. */
void mutate_bytes(struct base_random *random, uint8_t *data, size_t *size)
{
    uint64_t changes = UINT64_C(1) << base_random_below(random, 4);

    for (uint64_t i = 0; i<changes && * size> 0; i++)
        change(random, data, size);
}
