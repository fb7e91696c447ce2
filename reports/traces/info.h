/* What is in a trace, as plain data: the answer of `flitreplay info`. Strings and arrays are owned by the
 * info's arena. */
#ifndef REPORT_INFO_H
#define REPORT_INFO_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "reports/run/clocks.h"
#include "reports/run/coverage.h"
#include "reports/pages/host.h"

#define REPORT_INFO_SCHEMA "flitreplay-info-1"

struct report_info_collective {
    const char *name;      /* "allreduce" */
    uint64_t calls, bytes; /* calls: one per calling rank */
};

struct report_info_communicator {
    const char *name;                                 /* as recorded, or made up from the call that made it */
    uint32_t size;                                    /* in ranks */
    const struct report_info_collective *collectives; /* those that were called on it */
    uint32_t collective_count;
};

struct report_info_pair {
    uint32_t source, target;  /* ranks of the world */
    uint64_t messages, bytes; /* as sent */
};

struct report_info_locations { /* what was recorded beside the ranks, and is not replayed */
    const char *type, *name;   /* "GPU", "metric" */
    uint64_t count;
};

struct report_info {
    struct base_arena arena;                     /* of texts and lists */
    const char *trace, *format, *writer;         /* its path; by name; who recorded it */
    uint32_t ranks;                              /* of the world */
    uint64_t events;                             /* that were recorded, over all ranks */
    uint64_t p2p_sends, p2p_receives, p2p_bytes; /* bytes as sent */
    uint64_t compute_ns, mpi_ns; /* sums over ranks; mpi: recorded time inside MPI calls, not replayed */
    const struct report_info_collective *collectives;
    uint32_t collective_count; /* of collectives, over all communicators */
    const struct report_info_communicator *communicators;
    uint32_t communicator_count;          /* of communicators */
    const struct report_info_pair *pairs; /* point-to-point, sorted by source, then target */
    size_t pair_count;
    const struct report_info_locations *other_locations; /* by type, then name */
    uint32_t other_location_count;
    const struct report_coverage *coverage; /* what is replayed, and how */
    uint32_t coverage_count;                /* rows */
    const char *tuning; /* whose algorithms the coverage names; NULL: it is not asked for in full */
    const struct report_repair *repairs;
    uint32_t repair_count;       /* 0: nothing had to be mended or guessed */
    struct report_clocks clocks; /* whether ranks had their processors */
    struct report_host host;     /* what the survey took */
};

void report_info_free(struct report_info *info); /* NULL is legal */

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_info_text(const struct report_info *info, FILE *stream, unsigned width, struct base_error *error);
int report_info_json(const struct report_info *info, FILE *stream, struct base_error *error);
/* The matrix of point-to-point messages as CSV: src,dst,messages,bytes; a line a pair that has messages. */
int report_info_matrix(const struct report_info *info, FILE *stream, struct base_error *error);

#endif
