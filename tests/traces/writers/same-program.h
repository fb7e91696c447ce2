/* Whether two programs are the same, operation by operation. */
#ifndef TESTS_TRACES_WRITERS_SAME_PROGRAM_H
#define TESTS_TRACES_WRITERS_SAME_PROGRAM_H

#include <stdbool.h>

#include "traces/program.h"

/* What may differ. Neighbouring compute operations count as one, and empty waits as none, in any case; flags
 * that tell how something became known (repaired, approximated) are not compared. */
enum same_exceptions {
    SAME_TIMES_DIFFER = 1,      /* compute operations are not compared */
    SAME_IMPLIED_DIFFER = 2,    /* operations with TRACE_IMPLIED may be plain ones on one side */
    SAME_VECTORS_DIFFER = 4,    /* sizes for each pair may have become totals */
    SAME_LAST_WAIT = 8,         /* the second may have a wait before its end that the first has not */
    SAME_NO_COMMUNICATORS = 16, /* the members of communicators are not compared */
    SAME_CREATION = 64,       /* the second may have implied collectives that the first has not; instances are
                                 not compared then */
    SAME_BLOCK_DIFFERS = 128, /* reduce_scatter_block may have become reduce_scatter with equal blocks */
    SAME_INTER = 256 /* on an inter-communicator the root and its group may have lost their sizes; making it
                        takes requests, so that the numbers of others may differ */
};

/* Prints the first difference and fails the test. */
void same_programs(struct trace_program *a, struct trace_program *b, unsigned exceptions);

#endif
