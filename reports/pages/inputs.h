/* The files that an answer follows from, besides traces: networks, mappings, partitions, graphs. Their names
 * say where they were, their digests what was in them: only equal digests give the same answer again. */
#ifndef REPORT_INPUTS_H
#define REPORT_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/input.h"

struct report_input {
    const char *option, *path; /* option: that named it, without dashes */
    const char *digest;        /* XXH3 (128 bits) over its bytes */
};

/* All zeros: none. */
struct report_inputs {
    const struct report_input *input; /* [count] */
    uint32_t count;
};

/* Adds an input, with copies in the arena, unless name has no path or it is there already. -1: memory. */
int report_inputs_add(struct report_inputs *inputs, struct base_arena *arena, const char *option,
                      const struct base_input_name *name);
/* Whether both are of the same contents by the same options, in the same order. Where they lie does not
 * matter. */
bool report_inputs_equal(const struct report_inputs *a, const struct report_inputs *b);

/* The list `inputs` of an answer. */
struct report_json;
struct json_t;
void report_inputs_json(struct report_json *json, struct json_t *object, const struct report_inputs *inputs);
/* Rows of a table "ll": "graph.net (--topology)" and "hash ...". */
struct report_page;
void report_inputs_rows(struct report_page *page, const struct report_inputs *inputs);
/* One field of CSV, without its comma: "topology=DIGEST mapping=DIGEST". */
void report_inputs_csv(FILE *stream, const struct report_inputs *inputs);

#endif
