/* How the records of a trace are replayed, and what of it had to be repaired: part of every answer about a
 * trace. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include <stdint.h>

enum report_treatment {
    REPORT_EXACT,
    REPORT_DECOMPOSED,
    REPORT_APPROXIMATED,
    REPORT_IGNORED,
    REPORT_TREATMENTS
};

/* "exact", "decomposed", "approximated", "ignored". */
const char *report_treatment_name(enum report_treatment treatment);

struct report_coverage {
    const char *record, *how; /* how: the algorithm or the reason; NULL for exact */
    enum report_treatment treatment;
    uint64_t records, bytes;
};

struct report_repair {
    const char *kind, *text;
    uint64_t count;
};

struct report_page;
struct report_json;
struct json_t;

/* The sections of a text report; without repairs the second prints nothing. */
void report_coverage_text(struct report_page *page, const struct report_coverage *rows, uint32_t count);
void report_repairs_text(struct report_page *page, const struct report_repair *rows, uint32_t count);
/* The keys `coverage` (an object: records by treatment, and `by_record` with every row) and `repairs` (an
 * object: kind to count). */
void report_coverage_json(struct report_json *json, struct json_t *top, const struct report_coverage *rows,
                          uint32_t count);
void report_repairs_json(struct report_json *json, struct json_t *top, const struct report_repair *rows,
                         uint32_t count);

#endif
