/* Building JSON documents.
 *
 * Order matters to people who read and compare the files: jansson keeps the order in which keys are put. Real
 * numbers are printed alike in every locale, and the same bits give the same digits. */
#include "reports/pages/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "reports/pages/clean.h"

/* Our numbers are ratios of counts: fifteen digits name every one of them without the noise of the last
 * binary places. */
#define DIGITS 15
#define FORMAT (JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS))

/* The first failure is kept in `failed`; jansson takes NULL for an object as well as for a value, and
 * gives the value back to memory, so nothing here leaks or needs a check. */
json_t *report_json_begin(struct report_json *json, const char *schema)
{
    json->top = json_object();
    json->failed = json->top == NULL;
    report_json_put(json, json->top, "schema", report_json_text(schema));
    report_json_program(json, json->top);
    return json->top;
}

/* Which program has written the document: the version for scripts, the build for whoever looks for a mistake. */
void report_json_program(struct report_json *json, json_t *object)
{
    report_json_put(json, object, "version", report_json_text(base_version()));
    report_json_put(json, object, "build", report_json_text(base_build()));
}

/* Both functions take the value even when they fail, so that it cannot leak. */
void report_json_put(struct report_json *json, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        json->failed = true;
}

/* The value is gone afterwards, taken by the array or freed: callers keep no pointer to it. */
void report_json_append(struct report_json *json, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        json->failed = true;
}

/* The parent owns the child; what is returned is only for filling it. */
json_t *report_json_object(struct report_json *json, json_t *parent, const char *key)
{
    json_t *object = json_object();
    report_json_put(json, parent, key, object);
    return json->failed ? NULL : object;
}

/* As report_json_object: NULL after a failure, which every later call takes for an answer. */
json_t *report_json_array(struct report_json *json, json_t *parent, const char *key)
{
    json_t *array = json_array();
    report_json_put(json, parent, key, array);
    return json->failed ? NULL : array;
}

/* An object at the end of the array, to be filled in. NULL after a failure, as above. */
json_t *report_json_entry(struct report_json *json, json_t *array)
{
    json_t *object = json_object();
    report_json_append(json, array, object);
    return json->failed ? NULL : object;
}

/* jansson refuses text that is no UTF-8, and cannot say whether that or memory was the reason: so it is
 * cleaned first. */
json_t *report_json_text(const char *text)
{
    json_t *value;
    char *clean;

    if (text == NULL)
        return json_null();
    if (report_clean_is_valid(text))
        return json_string_nocheck(text);
    clean = malloc(report_clean_room(text));
    if (clean == NULL)
        return NULL;
    value = json_string_nocheck(report_clean_utf8(text, clean));
    free(clean);
    return value;
}

/* Counts beyond 2^63 cannot occur in practice; were one to, a rounded number is better than a wrong one. */
json_t *report_json_integer(uint64_t value)
{
    if (value > INT64_MAX)
        return json_real((double)value);
    return json_integer((json_int_t)value);
}

/* JSON has no word for what is no number. */
json_t *report_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Of a real number that is a whole one by nature, such as a sum that may be unknown: without the ".0". */
json_t *report_json_whole(double value)
{
    return isfinite(value) ? report_json_integer((uint64_t)value) : json_null();
}

/* Every answer ends in it, so that "the same apart from host" is "the same up to that line". */
void report_json_host(struct report_json *json, json_t *object, const struct report_host *host)
{
    json_t *child = report_json_object(json, object, "host");

    report_json_put(json, child, "wall_seconds", report_json_real(host->wall_seconds));
    report_json_put(json, child, "cpu_seconds", report_json_real(host->cpu_seconds));
    report_json_put(json, child, "peak_memory_bytes", report_json_integer(host->peak_memory_bytes));
    report_json_put(json, child, "flit_hops_per_second", report_json_real(host->flit_hops_per_second));
}

/* jansson reports a failed write and a failed allocation alike; the stream knows which it was. */
static int dump(const struct report_json *json, FILE *stream, struct base_error *error)
{
    if (json->failed)
        return base_error_memory(error, "the JSON document");
    if (json_dumpf(json->top, stream, FORMAT) == 0 && fputc('\n', stream) != EOF)
        return 0;
    if (ferror(stream))
        return base_error_system(error, errno, "the JSON document cannot be written");
    return base_error_memory(error, "the JSON document");
}

/* Frees the document whether it could be written or not. */
int report_json_finish(struct report_json *json, FILE *stream, struct base_error *error)
{
    int status = dump(json, stream, error);

    json_decref(json->top);
    json->top = NULL;
    return status;
}

/* The document ends in a line feed and its brace: what is before them is written, then the list, then they. A
 * write that fails is noticed by who closes the stream. */
int report_json_finish_list(struct report_json *json, const char *key, report_json_entries *put_entries,
                            const void *content, FILE *stream, struct base_error *error)
{
    char *text = json->failed ? NULL : json_dumps(json->top, FORMAT);
    int status;

    json_decref(json->top);
    json->top = NULL;
    if (text == NULL)
        return base_error_memory(error, "the JSON document");
    fprintf(stream, "%.*s,\n  \"%s\": [", (int)strlen(text) - 2, text, key);
    free(text);
    status = put_entries(content, stream, error);
    fputs("\n  ]\n}\n", stream);
    return status;
}

/* Entries that are streamed are indented as jansson indents those that it holds, so that nobody sees which list
 * was which. */
void report_json_separator(FILE *stream, bool is_first)
{
    fputs(is_first ? "\n    " : ",\n    ", stream);
}
