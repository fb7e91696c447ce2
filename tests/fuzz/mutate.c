#include <config.h>

#include "tests/fuzz/mutate.h"

#include <stdbool.h>
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

/* ---- Words ---- */

/* A piece of a text, with what ends it: a word and a blank, or a line. */
struct piece {
    size_t from, to;
};

static bool ends(uint8_t c, bool line)
{
    return c == '\n' || (c == ' ' && !line);
}

/* The word or line at a random place. */
static struct piece find_piece(struct base_random *random, const uint8_t *data, size_t size, bool line)
{
    struct piece piece;

    piece.from = (size_t)base_random_below(random, size);
    while (piece.from > 0 && !ends(data[piece.from - 1], line))
        piece.from--;
    piece.to = piece.from;
    while (piece.to < size && !ends(data[piece.to], line))
        piece.to++;
    piece.to += piece.to < size;
    return piece;
}

/* Puts `length` bytes in the place of a piece. */
static void replace(uint8_t *data, size_t *size, struct piece piece, const void *bytes, size_t length)
{
    memmove(data + piece.from + length, data + piece.to, *size - piece.to);
    memcpy(data + piece.from, bytes, length);
    *size = *size - (piece.to - piece.from) + length;
}

/* Another number for the digits of a word, whose unit stays. False: the word is no number. */
static bool change_number(struct base_random *random, uint8_t *data, size_t *size, struct piece word)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "16384",
                                          "4294967294",
                                          "4294967295",
                                          "1099511627776",
                                          "1099511627777",
                                          "4611686018427387903",
                                          "18446744073709551616"};
    const char *number = numbers[base_random_below(random, sizeof numbers / sizeof *numbers)];
    size_t end = word.from;

    while (end < word.to && data[end] >= '0' && data[end] <= '9')
        end++;
    if (end == word.from)
        return false;
    replace(data, size, (struct piece){word.from, end}, number, strlen(number));
    return true;
}

/* Lines are lost, repeated and exchanged; words too, but a number becomes another number: otherwise nearly
 * everything would be refused as no sentence. */
static void change_text(struct base_random *random, uint8_t *data, size_t *size)
{
    bool line = base_random_below(random, 2) == 0;
    struct piece piece = find_piece(random, data, *size, line), other = find_piece(random, data, *size, line);
    uint64_t how = base_random_below(random, 4);
    uint8_t copy[MUTATE_ROOM / 8];
    size_t length = other.to - other.from < sizeof copy ? other.to - other.from : sizeof copy;

    if (!line && how > 0 && change_number(random, data, size, piece))
        return;
    memcpy(copy, data + other.from, length);
    if (how == 1)
        replace(data, size, piece, copy, length); /* by another */
    else if (how == 2)
        replace(data, size, (struct piece){piece.from, piece.from}, copy, length); /* and another */
    else
        replace(data, size, piece, "", 0);
}

/* Half of all texts have one change only, and may well mean something. */
void mutate_text(struct base_random *random, uint8_t *data, size_t *size)
{
    uint64_t changes = base_random_below(random, 2) == 0 ? 1 : 2 + base_random_below(random, 7);

    for (; changes > 0 && *size != 0; changes--)
        change_text(random, data, size);
}
