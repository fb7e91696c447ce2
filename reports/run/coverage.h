/* How the records of a trace are replayed, and what of it had to be repaired: part of every answer about a
 * trace. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include <stdbool.h>
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

/* What the collectives of a record became. */
struct report_algorithm {
    const char *name;
    uint64_t calls, messages, bytes; /* calls: one per calling rank; bytes: of the messages */
};

struct report_coverage {
    const char *record, *how; /* how: the algorithm or the reason; NULL for exact */
    enum report_treatment treatment;
    uint64_t records, bytes;
    uint64_t time_ns; /* recorded time inside them, sum over the ranks; 0 when the trace does not tell */
    const struct report_algorithm *algorithms; /* only where they were asked for */
    uint32_t algorithm_count;
    bool is_call, is_missing; /* of calls of MPI; of those whose records are missing */
};

struct report_repair {
    const char *kind, *text;
    uint64_t count;
};

struct report_page;
struct report_json;
struct json_t;

/* The share of the program's calls whose records the trace has: 1, or less where some are missing. */
double report_coverage_recorded(const struct report_coverage *rows, uint32_t count);
/* A paragraph that names what is missing; nothing where nothing is. of: which of several traces is meant,
 * "[2] "; else "". */
void report_coverage_missing_text(struct report_page *page, const struct report_coverage *rows,
                                  uint32_t count, const char *of);

/* The sections of a text report; without repairs the second prints nothing. */
void report_coverage_text(struct report_page *page, const struct report_coverage *rows, uint32_t count);
/* The same in full: a row for each record, with bytes, its share of the recorded MPI time, and the algorithms
 * of the tuning. */
void report_coverage_table(struct report_page *page, const struct report_coverage *rows, uint32_t count,
                           const char *tuning);
void report_repairs_text(struct report_page *page, const struct report_repair *rows, uint32_t count);
/* The keys `coverage` (an object: records by treatment, and `by_record` with every row) and `repairs` (an
 * object: kind to count). tuning: whose algorithms the rows have; NULL: none were asked for. */
void report_coverage_json(struct report_json *json, struct json_t *top, const struct report_coverage *rows,
                          uint32_t count, const char *tuning);
void report_repairs_json(struct report_json *json, struct json_t *top, const struct report_repair *rows,
                         uint32_t count);

#endif
