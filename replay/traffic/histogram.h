/* How often each latency occurred: exact below 2^20 cycles, and from there on in steps of a thousandth, so
 * that memory stays bounded however long a packet waits. */
#ifndef REPLAY_TRAFFIC_HISTOGRAM_H
#define REPLAY_TRAFFIC_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* A zeroed one is valid and empty. */
struct replay_histogram {
    uint64_t *counts;             /* [class] */
    size_t capacity;              /* classes that there is room for */
    uint64_t total, sum, maximum; /* of the values themselves, not of their classes */
};

/* -1 when memory is out: nothing has been counted then. */
int replay_histogram_add(struct replay_histogram *histogram, uint64_t value);
/* Adds all of `other`. -1: memory; nothing has been added then. */
int replay_histogram_merge(struct replay_histogram *histogram, const struct replay_histogram *other);
void replay_histogram_free(struct replay_histogram *histogram);

/* Of no values: NAN. */
double replay_histogram_mean(const struct replay_histogram *histogram);
/* The standard deviation of the values (not of their mean); of fewer than two: NAN. */
double replay_histogram_deviation(const struct replay_histogram *histogram);
/* The least value that at least `thousandths` of the values do not exceed (nearest rank). Of no values: 0. */
uint64_t replay_histogram_percentile(const struct replay_histogram *histogram, unsigned thousandths);

#endif
