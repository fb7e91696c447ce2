/* From the counters of the survey to struct trace_summary. */
#ifndef TRACE_OTF2_REPORT_H
#define TRACE_OTF2_REPORT_H

#include "base/arena.h"
#include "traces/otf2/survey.h"

/* Fills *summary with arrays from the arena. -1 when memory is out. */
int trace_otf2_summarise(struct trace_summary *summary, const struct trace_otf2_survey *survey,
                         const struct trace_otf2_definitions *definitions,
                         const struct trace_otf2_tables *tables, struct base_arena *arena);

#endif
