/* Counts are sums from the start while the run goes on, so that two intervals become one by leaving out the sum between
 * them; at the end they become what each interval has. A row has the links, then the buses, then the channels where
 * these are not the links: shared channels, and of stages, whose links are counted in bits, their cycles. */
#include <config.h>

#include "replay/engine/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "replay/engine/replay.h"

struct replay_intervals {
    struct replay_interval_sizes of;
    size_t width;    /* of a row */
    uint64_t cycles; /* an interval's length */
    uint32_t count;  /* rows */
    uint64_t *rows;  /* [REPLAY_INTERVALS_MOST][width] */
};

struct replay_intervals *replay_intervals_new(const struct replay_interval_sizes *sizes,
                                              struct base_error *error)
{
    struct replay_intervals *intervals = calloc(1, sizeof *intervals);

    if (intervals != NULL) {
        intervals->of = *sizes;
        intervals->width = (size_t)sizes->links + sizes->buses + sizes->channels;
        intervals->cycles = REPLAY_INTERVAL_LEAST;
        intervals->rows = calloc(intervals->width * REPLAY_INTERVALS_MOST + 1, sizeof *intervals->rows);
    }
    if (intervals != NULL && intervals->rows != NULL)
        return intervals;
    replay_intervals_free(intervals);
    base_error_memory(error, "the intervals of the run");
    return NULL;
}

void replay_intervals_free(struct replay_intervals *intervals)
{
    if (intervals == NULL)
        return;
    free(intervals->rows);
    free(intervals);
}

uint64_t replay_intervals_due(const struct replay_intervals *intervals)
{
    return (intervals->count + UINT64_C(1)) * intervals->cycles;
}

static uint64_t *row_of(const struct replay_intervals *intervals, uint32_t row)
{
    return intervals->rows + row * intervals->width;
}

/* A network that counts nothing leaves zeros. */
static void copy(uint64_t *into, const uint64_t *counts, uint32_t count)
{
    if (counts != NULL && count > 0)
        memcpy(into, counts, count * sizeof *into);
}

/* The room of two rows becomes that of one. */
static void join_pairs(struct replay_intervals *intervals)
{
    for (uint32_t i = 0; i < REPLAY_INTERVALS_MOST / 2; i++)
        memmove(row_of(intervals, i), row_of(intervals, 2 * i + 1),
                intervals->width * sizeof *intervals->rows);
    intervals->count = REPLAY_INTERVALS_MOST / 2;
    intervals->cycles *= 2;
}

static void put(struct replay_intervals *intervals, const struct net_statistics *statistics)
{
    uint64_t *row = row_of(intervals, intervals->count++);

    copy(row, intervals->of.in_bits ? statistics->link_flits : net_link_use(statistics), intervals->of.links);
    copy(row + intervals->of.links, statistics->bus_flits, intervals->of.buses);
    copy(row + intervals->of.links + intervals->of.buses, replay_channel_flits(statistics),
         intervals->of.channels);
}

void replay_intervals_take(struct replay_intervals *intervals, uint64_t cycle,
                           const struct net_statistics *statistics)
{
    while (cycle >= replay_intervals_due(intervals)) {
        if (intervals->count == REPLAY_INTERVALS_MOST)
            join_pairs(intervals);
        else
            put(intervals, statistics);
    }
}

/* Bits have no bound that is known here: of them all count where they are granted. */
static uint64_t most_of(const struct replay_intervals *intervals, size_t entry)
{
    size_t in_bits = intervals->of.in_bits ? (size_t)intervals->of.links + intervals->of.buses : 0;

    return entry < in_bits ? UINT64_MAX : intervals->cycles;
}

/* From the last row to the first each loses what the one before it has; then what is too much for an interval goes on
 * to the next. Nothing is behind the last. */
static void make_shares(struct replay_intervals *intervals)
{
    for (uint32_t row = intervals->count; row-- > 1;)
        for (size_t i = 0; i < intervals->width; i++)
            row_of(intervals, row)[i] -= row_of(intervals, row - 1)[i];
    for (uint32_t row = 1; row < intervals->count; row++)
        for (size_t i = 0; i < intervals->width; i++) {
            uint64_t *before = &row_of(intervals, row - 1)[i];
            uint64_t most = most_of(intervals, i);
            if (*before > most) {
                row_of(intervals, row)[i] += *before - most;
                *before = most;
            }
        }
}

void replay_intervals_end(struct replay_intervals *intervals, uint64_t cycle,
                          const struct net_statistics *statistics)
{
    replay_intervals_take(intervals, cycle, statistics);
    if (cycle > intervals->count * intervals->cycles) {
        if (intervals->count == REPLAY_INTERVALS_MOST)
            join_pairs(intervals);
        put(intervals, statistics);
    }
    make_shares(intervals);
}

static const uint64_t *channels_of(const struct replay_intervals *intervals, uint32_t row)
{
    return row_of(intervals, row) +
           (intervals->of.channels > 0 ? intervals->of.links + intervals->of.buses : 0);
}

uint64_t replay_intervals_carried(const struct replay_intervals *intervals, uint32_t interval,
                                  uint32_t channel)
{
    return channels_of(intervals, interval)[channel];
}

bool replay_intervals_busiest(const struct replay_intervals *intervals,
                              struct replay_busiest_interval *busiest)
{
    uint32_t channels = intervals->of.channels > 0 ? intervals->of.channels : intervals->of.links, best = 0;
    uint64_t best_most = 0, best_sum = 0;

    for (uint32_t row = 0; row < intervals->count; row++) {
        uint64_t most = 0, sum = 0;
        for (uint32_t i = 0; i < channels; i++) {
            uint64_t carried = channels_of(intervals, row)[i];
            most = carried > most ? carried : most;
            sum += carried;
        }
        if (most > best_most || (most == best_most && sum > best_sum)) {
            best = row;
            best_most = most;
            best_sum = sum;
        }
    }
    *busiest = (struct replay_busiest_interval){
        .begin_cycle = best * intervals->cycles,
        .cycles = intervals->cycles,
        .number = best,
        .intervals = intervals->count,
        .links = row_of(intervals, best),
        .buses = intervals->of.buses > 0 ? row_of(intervals, best) + intervals->of.links : NULL,
        .channels = channels_of(intervals, best)};
    return intervals->count > 1 && best_most > 0;
}
