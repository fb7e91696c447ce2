/* The recorded traces that tests read: $FLITREPLAY_SHARED/traces where it exists, or those in tests/data. */
#ifndef TESTS_TRACES_RECORDED_H
#define TESTS_TRACES_RECORDED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "traces/program.h"

#define RECORDED_PATH 1024
#define RECORDED_LIMIT 128

/* Directories of OTF2 traces, sorted: "<root>/otf2-eztrace/bt.S.4". */
struct recorded_list {
    char paths[RECORDED_LIMIT][RECORDED_PATH];
    size_t count;
    bool bundled; /* only those in tests/data */
};

/* Fails the test when there is none: the bundled ones are always there. */
const struct recorded_list *recorded_traces(void);
/* The path of the trace with this end ("otf2-eztrace/is.S.4"), or NULL. */
const char *recorded_find(const char *end);

/* Opens a trace, or fails the test with the error. */
struct trace_program *recorded_open(const char *path);
/* Its ground truth; json_decref it. */
json_t *recorded_truth(const char *path);
uint64_t recorded_number(const json_t *object, const char *key); /* 0 when absent */

#endif
