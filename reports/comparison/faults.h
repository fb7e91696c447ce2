/* Inside reports/: what links that fail took in the runs of a comparison, as a table for people. */
#ifndef REPORT_COMPARISON_FAULTS_H
#define REPORT_COMPARISON_FAULTS_H

#include "reports/comparison/comparison.h"
#include "reports/pages/page.h"

/* A row for each trace and configuration in which faults took anything; nothing where there is none. order: the
 * configurations, best first. CSV and JSON have all counts, run by run. */
void report_comparison_faults(struct report_page *page, const struct report_comparison *comparison,
                              const uint32_t *order);

#endif
