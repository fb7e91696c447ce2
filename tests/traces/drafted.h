/* Programs that are kept (traces/kept.h) against the same ones by their reader's streams: every field of every
 * operation, whether or not it means anything for the kind. Without cmocka, so that fuzz targets use it, too. */
#ifndef TESTS_TRACES_DRAFTED_H
#define TESTS_TRACES_DRAFTED_H

#include "traces/kept.h"

#define DRAFTED_TEXT 400

/* Ranks last to first: streams are in no order. False: `text` says where they differ. */
bool drafted_same(struct trace_program *kept, struct trace_program *plain, char text[DRAFTED_TEXT]);

/* Opens a trace without a draft and with one that has so much room. They must be refused alike, have one summary, and
 * the same operations. `decoded` may be NULL: the ranks that were not drafted. False: `text` says what is wrong. */
bool drafted_compare(const char *path, const struct trace_options *options, uint64_t room, uint32_t *decoded,
                     char text[DRAFTED_TEXT]);

#endif
