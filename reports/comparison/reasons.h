/* Inside reports/: why the configurations of a comparison differ, from the attribution of its runs. */
#ifndef REPORT_COMPARISON_REASONS_H
#define REPORT_COMPARISON_REASONS_H

#include "reports/comparison/comparison.h"
#include "reports/pages/page.h"

/* The mean over the seeds of an effect's share of the ideal time (report_effect_label); 0: of all effects
 * together. NAN where a run was not attributed, or the ideal network takes no time. All runs must be done. */
double report_comparison_share(const struct report_comparison *comparison, uint32_t trace,
                               uint32_t configuration, unsigned effect);
/* Whether any configuration has shares: of runs without --attribution none has. */
bool report_comparison_is_explained(const struct report_comparison *comparison);
/* Whether an effect has a column and a colour: that of the host where any configuration has one. effect: from 1 on. */
bool report_comparison_shows(const struct report_comparison *comparison, unsigned effect);
/* The table, where there is something to tell. order: the configurations, best first. */
void report_comparison_reasons(struct report_page *page, const struct report_comparison *comparison,
                               const uint32_t *order);

#endif
