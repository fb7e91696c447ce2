/* A histogram of latencies. The exact part is what networks below saturation ever use. */
#include "replay/traffic/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define EXACT_LOG 20
#define STEPS_LOG 10
#define EXACT ((uint64_t)1 << EXACT_LOG)

/* Above the exact part a place is an octave and the next ten bits. Places rise with the values, which
 * percentiles rely on, and the two parts meet without a gap: 2^20 is the first value at place 2^20. */
static size_t place_of(uint64_t value)
{
    unsigned octave;

    if (value < EXACT)
        return (size_t)value;
    octave = 63 - (unsigned)__builtin_clzll(value);
    return (size_t)(EXACT + ((uint64_t)(octave - EXACT_LOG) << STEPS_LOG) +
                    (value >> (octave - STEPS_LOG) & ((1U << STEPS_LOG) - 1)));
}

/* The least value of a place. Percentiles are told by it, hence never too large, and too small by less than a
 * thousandth. */
static uint64_t value_at(size_t place)
{
    uint64_t octave, step;

    if (place < EXACT)
        return place;
    octave = ((place - EXACT) >> STEPS_LOG) + EXACT_LOG;
    step = (place - EXACT) & ((1U << STEPS_LOG) - 1);
    return ((UINT64_C(1) << STEPS_LOG) + step) << (octave - STEPS_LOG);
}

/* Twice as large as before, or as large as it must be. */
static int grow(struct replay_histogram *histogram, size_t place)
{
    size_t before = histogram->capacity;

    if (place < before)
        return 0;
    if (base_grow(&histogram->counts, &histogram->capacity, place + 1, sizeof *histogram->counts) != 0)
        return -1;
    memset(histogram->counts + before, 0, (histogram->capacity - before) * sizeof *histogram->counts);
    return 0;
}

/* The one that is called for every message. */
int replay_histogram_add(struct replay_histogram *histogram, uint64_t value)
{
    size_t place = place_of(value);

    if (grow(histogram, place) != 0)
        return -1;
    histogram->counts[place]++;
    histogram->total++;
    histogram->sum += value;
    if (value > histogram->maximum)
        histogram->maximum = value;
    return 0;
}

/* Room first, then the sums: a failure leaves both as they were. */
int replay_histogram_merge(struct replay_histogram *histogram, const struct replay_histogram *other)
{
    if (other->total == 0)
        return 0;
    if (grow(histogram, other->capacity - 1) != 0)
        return -1;
    for (size_t place = 0; place < other->capacity; place++)
        histogram->counts[place] += other->counts[place];
    histogram->total += other->total;
    histogram->sum += other->sum;
    if (other->maximum > histogram->maximum)
        histogram->maximum = other->maximum;
    return 0;
}

/* Leaves an empty one that can be filled again. */
void replay_histogram_free(struct replay_histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct replay_histogram){0};
}

/* From the exact sum, whatever the places are. */
double replay_histogram_mean(const struct replay_histogram *histogram)
{
    return histogram->total > 0 ? (double)histogram->sum / (double)histogram->total : NAN;
}

/* Around the mean, value by value: no difference of two large sums. Above the exact part a place counts as
 * its least value. Divided by n - 1: the messages are a sample of those that the load would bring. */
double replay_histogram_deviation(const struct replay_histogram *histogram)
{
    double mean = replay_histogram_mean(histogram), sum = 0;

    if (histogram->total < 2)
        return NAN;
    for (size_t place = 0; place < histogram->capacity; place++) {
        double distance = (double)value_at(place) - mean;
        sum += (double)histogram->counts[place] * distance * distance;
    }
    return sqrt(sum / (double)(histogram->total - 1));
}

/* Rank ceil(total * share), at least 1, without leaving the integers. The total is taken apart at the
 * thousands because total * thousandths could be more than 64 bits. */
uint64_t replay_histogram_percentile(const struct replay_histogram *histogram, unsigned thousandths)
{
    uint64_t rank =
        histogram->total / 1000 * thousandths + (histogram->total % 1000 * thousandths + 999) / 1000;
    uint64_t seen = 0;

    for (size_t place = 0; place < histogram->capacity; place++) {
        seen += histogram->counts[place];
        if (seen > 0 && seen >= rank)
            return value_at(place);
    }
    return 0;
}
