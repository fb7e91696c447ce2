/* A comparison as a picture: the slowdown of each configuration on each trace, as a dot with its interval. */
#ifndef REPORT_COMPARISON_PICTURE_H
#define REPORT_COMPARISON_PICTURE_H

#include "reports/comparison/comparison.h"

/* Whether a slowdown is known at all: of an interrupted comparison, or where the ideal network takes no time,
 * there may be none. */
bool report_comparison_can_be_drawn(const struct report_comparison *comparison);
/* Writes SVG. order: the configurations, best first. -1: BASE_SYSTEM. */
int report_comparison_svg(const struct report_comparison *comparison, const uint32_t *order, FILE *stream,
                          struct base_error *error);

#endif
