/* What a piece of work costs the machine. */
#ifndef REPLAY_SYSTEM_HOST_H
#define REPLAY_SYSTEM_HOST_H

#include <stdint.h>

#include "reports/pages/host.h"

struct replay_stopwatch {
    double wall_seconds, cpu_seconds; /* at the start */
};

void replay_stopwatch_start(struct replay_stopwatch *stopwatch);
/* The time since the start, and the largest memory of the process so far. flit_hops per CPU second of it; 0:
 * no network ran. */
struct report_host replay_stopwatch_read(const struct replay_stopwatch *stopwatch, uint64_t flit_hops);

#endif
