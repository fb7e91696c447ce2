/* Inside reports/: what the networks of a comparison cost, beside the time that their runs took. */
#ifndef REPORT_COMPARISON_COSTS_H
#define REPORT_COMPARISON_COSTS_H

#include "base/arena.h"
#include "reports/comparison/comparison.h"
#include "reports/pages/page.h"

/* A cost of a configuration, of which less is better; NaN: not known. */
struct report_price {
    const char *name, *unit; /* "area", "mm²" */
    double (*of)(const struct report_comparison *comparison, uint32_t first, uint32_t configuration);
};
#define REPORT_PRICES 4 /* pins, area, static power, energy */
const struct report_price *report_prices(void);

/* Of configurations with a rank: front[place] says whether no other of them is at least as fast and as cheap,
 * and better
 * in one of both. order[ranked]: fastest first. Returns how many have the price. */
uint32_t report_price_front(const struct report_comparison *comparison, const uint32_t *order,
                            uint32_t ranked, const struct report_price *price, bool *front);
/* Whether one of a better rank is the same network under another name, as the first topology at each equal cost. */
bool report_price_is_told(const struct report_comparison *comparison, const uint32_t *order, uint32_t place,
                          const struct report_price *price);
/* Energy over the traces, as the geometric mean of its ratio to that of another; NaN: not known. delay: times the
 * simulated time. */
double report_energy_ratio(const struct report_comparison *comparison, uint32_t other, uint32_t configuration,
                           bool delay);

/* A table, who is on which front, and the planes of time and cost; nothing where costs were not asked for. */
void report_comparison_costs(struct report_page *page, const struct report_comparison *comparison,
                             const uint32_t *order, uint32_t ranked);
/* Where --equal has several values: the fastest for each of them, and whether they agree. NULL: nothing to say;
 * *failed: memory. */
const char *report_comparison_equal(struct base_arena *arena, const struct report_comparison *comparison,
                                    const uint32_t *order, uint32_t ranked, bool *failed);

#endif
