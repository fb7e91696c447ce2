/* The order of a Hilbert curve through the box, in any number of dimensions: ranks close in number are close
 * in the machine. Sides that are no powers of two take the curve of the next power, of which the part inside
 * the box is walked; it may jump there.
 *
 * The transform between coordinates and the curve is that of J. Skilling (Programming the Hilbert curve, AIP
 * Conference Proceedings 707, 2004): undo the excess work of the axes from the highest bit down, then Gray
 * code. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/orders/order.h"

/* Bits of the longest side. */
static uint32_t bits_of(const struct map_problem *problem)
{
    uint32_t bits = 1;

    for (uint32_t d = 0; d < problem->dimensions; d++)
        while ((problem->sides[d] - 1) >> bits != 0)
            bits++;
    return bits;
}

/* One step of the undoing: for each axis, invert or exchange the lower bits of the first. */
static void undo(uint32_t *x, uint32_t dimensions, uint32_t bit)
{
    uint32_t lower = bit - 1;

    for (uint32_t d = 0; d < dimensions; d++) {
        if ((x[d] & bit) != 0) {
            x[0] ^= lower;
        } else {
            uint32_t exchange = (x[0] ^ x[d]) & lower;
            x[0] ^= exchange;
            x[d] ^= exchange;
        }
    }
}

/* x becomes the curve's index, its bits dealt over the dimensions, the highest first. */
static void to_curve(uint32_t *x, uint32_t dimensions, uint32_t bits)
{
    uint32_t highest = UINT32_C(1) << (bits - 1), parity = 0;

    for (uint32_t bit = highest; bit > 1; bit >>= 1)
        undo(x, dimensions, bit);
    for (uint32_t d = 1; d < dimensions; d++)
        x[d] ^= x[d - 1];
    for (uint32_t bit = highest; bit > 1; bit >>= 1)
        if ((x[dimensions - 1] & bit) != 0)
            parity ^= bit - 1;
    for (uint32_t d = 0; d < dimensions; d++)
        x[d] ^= parity;
}

/* Dimensions beyond what 64 bits hold would not change the order of any machine that fits one. */
static uint64_t key_of(const struct map_problem *problem, uint32_t slot, uint32_t dimensions, uint32_t bits)
{
    uint32_t x[NET_DIMENSIONS_MAX];
    uint64_t key = 0;

    memcpy(x, problem->coordinate + (size_t)slot * problem->dimensions, dimensions * sizeof *x);
    to_curve(x, dimensions, bits);
    for (uint32_t bit = bits; bit-- > 0;)
        for (uint32_t d = 0; d < dimensions; d++)
            key = key << 1 | (x[d] >> bit & 1);
    return key;
}

/* A key has 64 bits: dimensions that do not fit are left out of the curve, and slots that differ only in
 * those stay in their own order. Without coordinates all keys are 0, which is the identity. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    uint64_t *key = calloc((size_t)problem->slots + 1, sizeof *key);
    uint32_t bits = bits_of(problem), dimensions = problem->dimensions;
    int status;

    if (key == NULL)
        return base_error_memory(error, "a Hilbert curve");
    while (dimensions * bits > 64)
        dimensions--;
    for (uint32_t i = 0; problem->coordinate != NULL && i < problem->slots; i++)
        key[i] = key_of(problem, i, dimensions, bits);
    status = map_order_by(problem, key, slot, error);
    free(key);
    return status;
}

const struct map_mapper map_mapper_hilbert = {
    .name = "hilbert",
    .chance = BASE_EXACT,
    .summary = "along a Hilbert curve through the box",
    .map = map,
};
