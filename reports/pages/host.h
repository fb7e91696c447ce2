/* What a piece of work cost the machine it ran on: never part of a result, never compared. */
#ifndef REPORT_HOST_H
#define REPORT_HOST_H

#include <stdint.h>

struct report_host {
    double wall_seconds, cpu_seconds; /* cpu: of all threads that worked on it */
    double flit_hops_per_second;      /* per CPU second; NAN where no network ran */
    uint64_t peak_memory_bytes;       /* of the process so far */
};

#endif
