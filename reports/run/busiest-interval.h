/* When channels were busiest: one of some equal intervals that a run is cut into (doc/replay.md, Intervals), with what
 * was carried in it. For pictures, which have a second panel of it. */
#ifndef REPORT_BUSIEST_INTERVAL_H
#define REPORT_BUSIEST_INTERVAL_H

#include <stdint.h>

struct report_busiest_interval {
    uint64_t begin_ns, end_ns, cycles; /* cycles: of each interval */
    uint32_t number, intervals;        /* from 0; of so many */
    /* As of the whole run in struct report_run; borrowed, NULL where that is. */
    const uint64_t *link_carried, *channel_carried, *bus_bits;
    const uint64_t *busy_cycles; /* [channel] */
};

#endif
