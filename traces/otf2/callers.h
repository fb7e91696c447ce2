/* Which of its own functions a program was in when it called MPI (trace_program_find_callers). */
#ifndef TRACE_OTF2_CALLERS_H
#define TRACE_OTF2_CALLERS_H

#include "traces/otf2-archive/archive.h"

/* Fills in the regions, which are NULL before. The definitions are those of the archive. -1: memory. */
int trace_otf2_find_callers(struct trace_otf2_archive *archive,
                            const struct trace_otf2_definitions *definitions, struct trace_caller *callers,
                            size_t count, struct base_error *error);

#endif
