/* Inside reports/: what the files of comparisons share. */
/* Numbers of a comparison are written by one function, in tables and in sentences, so that a sentence quotes
 * what the table shows. */
#ifndef REPORT_COMPARISON_INTERNAL_H
#define REPORT_COMPARISON_INTERNAL_H

#include "base/statistics.h"
#include "reports/comparison/comparison.h"

#define REPORT_SEEDS_MAX 1000 /* that --seeds allows */
#define REPORT_ESTIMATE_TEXT 64
#define REPORT_NETWORK_FACTOR "network" /* topology and routing together */

/* "1.42 ± 0.01"; "1.42" without an interval, or where it is exact; "-" for nothing. Returns text. */
char *report_estimate_text(struct report_estimate estimate, char text[REPORT_ESTIMATE_TEXT]);
/* What stands for the slowdown of a cell that is not whole. */
const char *report_gap_text(const struct report_comparison *comparison, uint32_t trace,
                            uint32_t configuration);

#endif
