/* The calls that make communicators and groups, of all ranks: the first pass over a DUMPI trace. It also
 * learns whose MPI recorded the trace, which decides what -1 and -2 mean. */
#ifndef TRACE_DUMPI_CREATIONS_H
#define TRACE_DUMPI_CREATIONS_H

#include "traces/communicators/communicators.h"
#include "traces/doctor/defect.h"
#include "traces/dumpitrace/dumpitrace.h"

struct trace_dumpi_creations {
    struct trace_communicators *communicators; /* resolved; the caller frees it */
    uint64_t records;                          /* of such calls, that were read */
    uint64_t to_rank_minus_1, to_rank_minus_2; /* sends to these destinations, over all ranks */
    uint8_t version[3];                        /* of the recorder, by the first file that says */
};

/* Reads all ranks. Files that cannot be read to their end are left to the survey, which says so. With `hurry` a file is
 * read until it has had as many of these calls as its footer counts, which need not be true: that these are all is the
 * caller's to check, and where messages are sent to is not known. -1: memory, or members of a communicator that
 * disagree (see trace_communicators_resolve). */
int trace_dumpi_read_creations(struct trace_dumpi_creations *creations, const struct dpt_trace *trace,
                               uint32_t ranks, bool hurry, const char *path, struct trace_defects *defects,
                               struct base_error *error);
/* Whether records of a function are among those that are read. */
bool trace_dumpi_is_creation(unsigned function);

#endif
