/* libotf2's reader of events, to compare ours with. */
#ifndef TESTS_TRACES_OTF2_ORACLE_H
#define TESTS_TRACES_OTF2_ORACLE_H

#include "traces/otf2-events.h"

/* Reads all records of a location of an undamaged archive, at most the capacity of the batch, and returns
 * their number. */
uint64_t oracle_read(const char *anchor, uint64_t location, struct trace_otf2_batch *batch);

#endif
