/* What the parts of the DUMPI reader need of a trace besides the public functions. */
#ifndef TRACES_DUMPITRACE_TRACE_H
#define TRACES_DUMPITRACE_TRACE_H

#include "traces/dumpitrace/dumpitrace.h"

/* The name of a rank's file, which the caller frees. NULL: no memory, or no such rank. */
char *dumpi_rank_path(const struct dpt_trace *trace, int32_t rank);
/* Fills a zeroed trace from a file that is there: a metafile or one rank's file. */
int dumpi_open_existing(struct dpt_trace *trace, const char *path, struct dpt_error *error);

#endif
