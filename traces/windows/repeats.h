/* Inside traces/windows/: what a rank repeats. */
#ifndef TRACE_WINDOW_REPEATS_H
#define TRACE_WINDOW_REPEATS_H

#include "traces/program.h"

/* Calls of a rank, by number: those from `first` on, `covered` of them, are the same as those `period` later. */
struct trace_repeat {
    uint64_t period; /* 0: nothing is repeated */
    uint64_t first, covered;
    uint64_t calls; /* of the rank, in all */
};

/* The period that explains most of the calls, each of which is named by a number; the least of equals. Only runs of two
 * periods or more count. */
struct trace_repeat trace_repeat_search(const uint64_t *names, size_t count);
/* The longest run of a rank. -1: what its cursor says, or memory. */
int trace_repeat_find(struct trace_program *program, uint32_t rank, struct trace_repeat *repeat,
                      struct base_error *error);

#endif
