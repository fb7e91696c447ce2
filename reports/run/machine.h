/* Where the ranks of several jobs are on one machine, for the picture `machine`. */
#ifndef REPORT_MACHINE_H
#define REPORT_MACHINE_H

#include <stdint.h>

#include "reports/placement/partition.h"

/* Everything is borrowed. Ranks are numbered through all jobs, each job's from its first_rank on. */
struct report_machine {
    uint32_t ranks;
    const uint32_t *terminal; /* [rank] */
    uint32_t job_count;
    const uint32_t *first_rank;                      /* [job] */
    const char *const *name;                         /* [job]: of its trace, for people */
    const struct report_partition *const *partition; /* [job] */
};

#endif
