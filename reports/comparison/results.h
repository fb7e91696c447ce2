/* What a store of results holds, as a table of texts: the answer of `flitreplay results`. Owned by its arena.
 */
/* Texts, since a store may have been written on another day with other options: what is in it is shown as it
 * is, and not as what this program would make of it. Numbers have nine digits, as in the CSV of a comparison;
 * in the file they have all of theirs. */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

#define REPORT_RESULTS_SCHEMA "flitreplay-results-1"

/* The columns in front of those of reports/run/fields.def, and behind them. */
enum report_results_column {
    REPORT_RESULTS_TRACE,
    REPORT_RESULTS_TOPOLOGY,
    REPORT_RESULTS_ROUTING,
    REPORT_RESULTS_MAPPING,
    REPORT_RESULTS_SEED,
    REPORT_RESULTS_STATE,
    REPORT_RESULTS_FINISHED,
    REPORT_RESULTS_OPTIONS,
    REPORT_RESULTS_FINGERPRINT,
    REPORT_RESULTS_INPUTS,
    REPORT_RESULTS_VERSION,
    REPORT_RESULTS_BUILD,
    REPORT_RESULTS_FIRST, /* the first of reports/run/fields.def */
};

struct report_results {
    struct base_arena arena;  /* of the texts */
    const char *store;        /* its path */
    const char *const *names; /* [column_count] */
    uint32_t column_count;
    const char **cells; /* row by row; NULL: not known */
    uint32_t row_count;
};

void report_results_free(struct report_results *results); /* NULL is legal */

/* The same rows in each form. width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_results_text(const struct report_results *results, FILE *stream, unsigned width,
                        struct base_error *error);
int report_results_json(const struct report_results *results, FILE *stream, struct base_error *error);
int report_results_csv(const struct report_results *results, FILE *stream, struct base_error *error);

#endif
