/* Which of its own functions a program was in when it called MPI (trace_program_find_callers), and when it entered
 * them (trace_program_find_entries). */
#ifndef TRACE_OTF2_CALLERS_H
#define TRACE_OTF2_CALLERS_H

#include "traces/otf2-archive/archive.h"

/* Fills in the regions, which are NULL before. The definitions are those of the archive. -1: memory. */
int trace_otf2_find_callers(struct trace_otf2_archive *archive,
                            const struct trace_otf2_definitions *definitions, struct trace_caller *callers,
                            size_t count, struct base_error *error);
/* Fills in the places, which are zeroed before; what cannot be read has none. -1: memory. */
int trace_otf2_find_entries(struct trace_otf2_archive *archive,
                            const struct trace_otf2_definitions *definitions, uint32_t rank,
                            struct trace_entry *entries, size_t count, struct base_error *error);

#endif
