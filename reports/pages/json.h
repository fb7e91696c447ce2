/* Inside reports/: JSON documents built with jansson. A struct report_json remembers the first failure, so
 * that a document is written down without a check at every line; report_json_finish tells.
 *
 *      struct report_json json;
 *      json_t *top = report_json_begin(&json, "flitreplay-run-1");
 *      report_json_put(&json, top, "ranks", report_json_integer(ranks));
 *      return report_json_finish(&json, stream, error); */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/error.h"
#include "reports/pages/host.h"

struct report_json {
    json_t *top; /* the document so far; owned */
    bool failed; /* memory ran out on the way */
};

/* Starts a document: an object whose first keys are `schema`, `version` and `build`. The result is borrowed,
 * and NULL when memory is out, which every function here accepts. */
json_t *report_json_begin(struct report_json *json, const char *schema);
/* The keys `version` and `build`, for a document that report_json_begin does not start. */
void report_json_program(struct report_json *json, json_t *object);
/* Adds a key to an object, or an entry to an array; takes the value. */
void report_json_put(struct report_json *json, json_t *object, const char *key, json_t *value);
void report_json_append(struct report_json *json, json_t *array, json_t *value);
/* A new object or array below a key; borrowed. An object at the end of an array. */
json_t *report_json_object(struct report_json *json, json_t *parent, const char *key);
json_t *report_json_array(struct report_json *json, json_t *parent, const char *key);
json_t *report_json_entry(struct report_json *json, json_t *array);

/* Values. Text: bytes that are no UTF-8 become U+FFFD, NULL becomes null. Integers beyond 2^63 - 1, which
 * JSON libraries do not hold, become real numbers of the nearest value. Real numbers: null when not finite.
 */
json_t *report_json_text(const char *text);
json_t *report_json_integer(uint64_t value);
json_t *report_json_real(double value);
/* A count that is kept as a real number, since it may be unknown: null where it is no finite number. */
json_t *report_json_whole(double value);

/* An option's value (reports/run/run.h) by its kind. */
struct report_option;
json_t *report_option_json(const struct report_option *option);

/* The object `host`, by custom the last key. */
void report_json_host(struct report_json *json, json_t *object, const struct report_host *host);

/* Writes the document, indented, with a newline at the end, and frees it. -1: memory, or a failed write. */
int report_json_finish(struct report_json *json, FILE *stream, struct base_error *error);

/* The same, with a list as the last key, below `key`, that is written entry by entry: put_entries prints them
 * with report_json_separator before each, and returns 0, or -1 with an error. For lists that are too long to
 * be built. */
typedef int report_json_entries(const void *content, FILE *stream, struct base_error *error);
int report_json_finish_list(struct report_json *json, const char *key, report_json_entries *put_entries,
                            const void *content, FILE *stream, struct base_error *error);
void report_json_separator(FILE *stream, bool is_first);

#endif
