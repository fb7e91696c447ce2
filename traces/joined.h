/* Several programs side by side as one, for whoever writes what a machine did that they shared: the ranks of the first,
 * then those of the second, and so on; each with its own communicators, and no communicator of all.
 *
 *      parts    A: ranks 0 1 2, communicators 0 1          B: ranks 0 1, communicator 0
 *      joined      ranks 0 1 2  communicators 0 1             ranks 3 4  communicator 2
 *
 * Streams are those of the parts, with these numbers changed. Regions of one name become one region. Nothing is
 * counted: the summary is empty. */
#ifndef TRACE_JOINED_H
#define TRACE_JOINED_H

#include "traces/program.h"

struct trace_join_part {
    struct trace_program *program; /* borrowed, and longer-lived than what is made of it */
    uint64_t start_ns;             /* when its ranks begin: the origin of each of them */
};

/* The caller closes it. NULL: memory. */
struct trace_program *trace_join(const struct trace_join_part *parts, uint32_t count,
                                 struct base_error *error);

#endif
