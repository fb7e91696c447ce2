/* A number of an answer as a row of a table, a .def file, that says all there is to say of it. From the table come
 * the keys of JSON, the columns of CSV and of the store of results, rows of texts and pages, and, read by
 * reports/schema/make-formats, the schemas and flitreplay-formats(5). A row has, beside what its table adds:
 *
 *      key      in JSON, CSV and SQL, as it is
 *      kind     COUNT (uint64_t), WORD (uint32_t), FLAG (bool), REAL (double), and doubles that are NaN where
 *               nothing is known: REAL_OR_NULL, COUNT_OR_NULL (a whole number else)
 *      unit     "ns", "bytes", "share" …; "-" where there is none
 *      label    of its row in texts and pages; NULL: it has none there
 *      remark   behind the number in that row; "{KEY}" stands for another number of the table
 *      meaning  for schemas and the manual page, to which the unit is added
 *
 * The number itself lies in a struct of the table's own: it is found by where it is in there. */
#ifndef REPORT_FIELD_H
#define REPORT_FIELD_H

#include <stddef.h>
#include <stdio.h>

#include "reports/pages/json.h"

#define REPORT_FIELD_TEXT 32 /* a number, with its unit */

enum report_field_kind {
    REPORT_FIELD_COUNT,
    REPORT_FIELD_WORD,
    REPORT_FIELD_FLAG,
    REPORT_FIELD_REAL,
    REPORT_FIELD_REAL_OR_NULL,
    REPORT_FIELD_COUNT_OR_NULL
};

/* What a number of each kind is kept in, for structs that are made of a table. */
#define REPORT_FIELD_TYPE_COUNT uint64_t
#define REPORT_FIELD_TYPE_WORD uint32_t
#define REPORT_FIELD_TYPE_FLAG bool
#define REPORT_FIELD_TYPE_REAL double
#define REPORT_FIELD_TYPE_REAL_OR_NULL double
#define REPORT_FIELD_TYPE_COUNT_OR_NULL double

/* Of an answer whose numbers are in JSON alone, a row is one line: puts its value into an object. */
#define REPORT_FIELD_PUT(json, object, key, kind, value)                                                     \
    report_json_put(json, object, #key, REPORT_FIELD_JSON_##kind(value))
#define REPORT_FIELD_JSON_COUNT(value) report_json_integer(value)
#define REPORT_FIELD_JSON_WORD(value) report_json_integer(value)
#define REPORT_FIELD_JSON_FLAG(value) json_boolean(value)
#define REPORT_FIELD_JSON_REAL(value) report_json_real(value)
#define REPORT_FIELD_JSON_REAL_OR_NULL(value) report_json_real(value)
#define REPORT_FIELD_JSON_COUNT_OR_NULL(value) report_json_whole(value)

struct report_field {
    const char *key, *unit;
    const char *label, *remark; /* NULL: not for people */
    enum report_field_kind kind;
    unsigned part;  /* of the answer, as the table divides it */
    unsigned forms; /* in which answers it is: bits of the table's own */
    size_t place;   /* in the struct of the table, in bytes */
};

struct report_fields { /* a table */
    const struct report_field *field;
    size_t count;
};

/* Whether it is kept as a double, which may be NaN: then it is not known. */
bool report_field_is_real(const struct report_field *field);
/* The value, of a field that is one and of one that is none. A flag is 0 or 1. */
double report_field_real(const struct report_field *field, const void *numbers);
uint64_t report_field_count(const struct report_field *field, const void *numbers);
/* Writes one of them into the struct, as the kind says. */
void report_field_set(const struct report_field *field, void *numbers, double real, uint64_t count);

/* Null where it is not known. Columns have flags as 0 and 1. */
json_t *report_field_json(const struct report_field *field, const void *numbers);
json_t *report_field_column(const struct report_field *field, const void *numbers);
/* A field of CSV without its comma: nine digits, whole numbers whole; empty where it is not known. */
void report_field_csv(FILE *stream, const struct report_field *field, const void *numbers);
/* As people read it, by its unit: "1.2 ms", "3 MiB", "12.3 %"; other counts in groups of three digits. `decimals`
 * are those of other real numbers; below 0: as many as make three digits. "-" where it is not known. Returns text. */
char *report_field_text(const struct report_field *field, const void *numbers, int decimals,
                        char text[REPORT_FIELD_TEXT]);

/* The field of that key; NULL: there is none. */
const struct report_field *report_field_find(const struct report_fields *fields, const char *key);
/* Adds the numbers of a part that are in one of the forms, in the order of the table. */
void report_fields_json(struct report_json *json, json_t *object, const struct report_fields *fields,
                        const void *numbers, unsigned part, unsigned forms);
/* The remark with numbers in the place of their keys; returns text, cut where it ends. */
char *report_field_remark(const struct report_fields *fields, const struct report_field *field,
                          const void *numbers, char *text, size_t size);

#endif
