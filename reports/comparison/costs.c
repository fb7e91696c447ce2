/* Time and cost of configurations. Costs of a network are known before anything runs; energy comes from the runs, so
 * that its ratios are made as those of times: trace by trace, as geometric means. */
#include "reports/comparison/costs.h"

#include <math.h>
#include <string.h>

#include "reports/comparison/internal.h"
#include "reports/comparison/plane.h"
#include "reports/cost/fields.h"

/* ---- numbers ---- */

/* The mean over the seeds of a trace. */
static double energy_of(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                        bool delay)
{
    uint32_t seeds = report_comparison_seeds(comparison, configuration);
    double sum = 0;

    for (uint32_t seed = 0; seed < seeds; seed++) {
        const struct report_outcome *outcome =
            report_comparison_outcome(comparison, trace, configuration, seed);
        sum += outcome->state != REPORT_DONE ? NAN
               : delay                       ? outcome->numbers.energy_delay_Js
                                             : outcome->numbers.energy_J;
    }
    return sum / seeds;
}

/* Energies of traces differ by orders of magnitude; the mean of their logarithms lets each count alike, as for
 * times. What is not known makes all of it not known. */
double report_energy_ratio(const struct report_comparison *comparison, uint32_t other, uint32_t configuration,
                           bool delay)
{
    double sum = 0;

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        sum += log(energy_of(comparison, trace, configuration, delay) /
                   energy_of(comparison, trace, other, delay));
    return exp(sum / comparison->trace_count);
}

/* NULL: nobody asked, or an ideal network. */
static const struct report_cost_network *costs_of(const struct report_comparison *comparison,
                                                  uint32_t configuration)
{
    return comparison->configurations[configuration].costs;
}

/* Costs by which networks are chosen. Those of the network ignore who is fastest. */
static double pins_of(const struct report_comparison *comparison, uint32_t first, uint32_t configuration)
{
    const struct report_cost_network *network = costs_of(comparison, configuration);

    (void)first;
    return network == NULL ? NAN : (double)network->costs.pins;
}

/* NaN where the technology does not say it. */
static double area_of(const struct report_comparison *comparison, uint32_t first, uint32_t configuration)
{
    const struct report_cost_network *network = costs_of(comparison, configuration);

    (void)first;
    return network == NULL ? NAN : network->costs.area_mm2;
}

/* What is taken with no traffic at all. */
static double power_of(const struct report_comparison *comparison, uint32_t first, uint32_t configuration)
{
    const struct report_cost_network *network = costs_of(comparison, configuration);

    (void)first;
    return network == NULL ? NAN : network->costs.ndd_W;
}

/* Of the same traces as the times. */
static double energy_ratio_of(const struct report_comparison *comparison, uint32_t first,
                              uint32_t configuration)
{
    return report_energy_ratio(comparison, first, configuration, false);
}

/* In the order of answers. */
const struct report_price *report_prices(void)
{
    static const struct report_price prices[REPORT_PRICES] = {
        {"pins", "of a router, towards others", pins_of},
        {"area", "mm²", area_of},
        {"static power", "W", power_of},
        {"energy", "that of the fastest is 1", energy_ratio_of}};
    return prices;
}

/* A ratio of times without its interval: what is drawn is where things stand. */
static double time_of(const struct report_comparison *comparison, uint32_t first, uint32_t configuration)
{
    return first == configuration ? 1 : report_comparison_ratio(comparison, first, configuration, 1).value;
}

/* By all pairs: ranks are few, and a sort by cost would have to break ties in the same way. Equal in both is no
 * reason to be beaten, so that the same network twice is on the front twice. */
uint32_t report_price_front(const struct report_comparison *comparison, const uint32_t *order,
                            uint32_t ranked, const struct report_price *price, bool *front)
{
    uint32_t known = 0;

    for (uint32_t i = 0; i < ranked; i++) {
        double cost = price->of(comparison, order[0], order[i]);
        double time = time_of(comparison, order[0], order[i]);
        front[i] = isfinite(cost);
        known += front[i];
        for (uint32_t k = 0; k < ranked && front[i]; k++) {
            double other = price->of(comparison, order[0], order[k]);
            double others = time_of(comparison, order[0], order[k]);
            front[i] = !(other <= cost && others <= time && (other < cost || others < time));
        }
    }
    return known;
}

/* ---- the page ---- */

/* Asked for, and of at least one configuration not refused. */
static bool has_costs(const struct report_comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        if (comparison->configurations[i].costs != NULL)
            return true;
    return false;
}

/* "-" for what is not known. */
static void put_real(struct report_page *page, double value)
{
    char text[REPORT_COST_TEXT];

    report_page_cell(page, "%s", report_cost_real(value, text));
}

/* What networks have in common with no technology (pins, bisection) is shown without one; the rest is "-". */
static void put_row(struct report_page *page, const struct report_comparison *comparison, uint32_t first,
                    uint32_t configuration)
{
    const struct report_cost_network *network = costs_of(comparison, configuration);

    report_page_cell(page, "%s", comparison->configurations[configuration].name);
    put_real(page, time_of(comparison, first, configuration));
    put_real(page, report_energy_ratio(comparison, first, configuration, false));
    put_real(page, report_energy_ratio(comparison, first, configuration, true));
    put_real(page, network == NULL ? NAN : (double)network->flit_bits);
    put_real(page, network == NULL ? NAN : (double)network->costs.pins);
    put_real(page, network == NULL ? NAN : (double)network->costs.bisection_bits_cycle);
    put_real(page, network == NULL ? NAN : network->costs.wire_mm);
    put_real(page, network == NULL ? NAN : network->costs.area_mm2);
    put_real(page, network == NULL ? NAN : network->costs.ndd_W);
}

/* Units have a row of their own: heads with them would be wider than the numbers. Ratios first, since they are
 * what is compared; the counts explain them. */
static void put_table(struct report_page *page, const struct report_comparison *comparison,
                      const uint32_t *order, uint32_t ranked)
{
    static const char *const heads[] = {"configuration", "time",      "energy", "E x time", "flit",
                                        "pins",          "bisection", "wires",  "area",     "static"};
    static const char *const units[] = {"",         "/ fastest",  "/ fastest", "/ fastest", "bits",
                                        "a router", "bits/cycle", "mm",        "mm²",       "W"};

    report_page_heading(page, "What the networks cost");
    report_page_table(page, "lrrrrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        report_page_cell(page, "%s", units[i]);
    for (uint32_t place = 0; place < ranked; place++)
        put_row(page, comparison, order[0], order[place]);
    report_page_table_end(page);
}

/* The same text of the topology, the same price and the same time. */
bool report_price_is_told(const struct report_comparison *comparison, const uint32_t *order, uint32_t place,
                          const struct report_price *price)
{
    uint32_t first = order[0];

    for (uint32_t i = 0; i < place; i++)
        if (strcmp(comparison->configurations[order[i]].topology,
                   comparison->configurations[order[place]].topology) == 0 &&
            price->of(comparison, first, order[i]) == price->of(comparison, first, order[place]) &&
            time_of(comparison, first, order[i]) == time_of(comparison, first, order[place]))
            return true;
    return false;
}

/* Who is not beaten in both, by names: the front is short. */
static void put_front(struct report_page *page, const struct report_comparison *comparison,
                      const uint32_t *order, uint32_t ranked, const struct report_price *price)
{
    bool *front = base_arena_array(&page->arena, ranked, sizeof *front);
    const char *names = "";

    if (front == NULL || report_price_front(comparison, order, ranked, price, front) < 2)
        return;
    for (uint32_t place = 0; place < ranked && names != NULL; place++)
        if (front[place] && !report_price_is_told(comparison, order, place, price))
            names = base_arena_format(&page->arena, "%s%s%s", names, *names == '\0' ? "" : "; ",
                                      comparison->configurations[order[place]].name);
    if (names == NULL)
        page->failed = true;
    else
        report_page_paragraph(page, 2, "Front of time and %s (no other is as fast and as cheap): %s.",
                              price->name, names);
}

/* A picture of one dot says nothing. */
static void put_plane(struct report_page *page, const struct report_comparison *comparison,
                      const uint32_t *order, uint32_t ranked, const struct report_price *price)
{
    const struct report_plane plane = {comparison, order, ranked, price};
    char caption[160];

    if (!report_page_is_markup(page) || !report_plane_can_be_drawn(&plane))
        return;
    snprintf(caption, sizeof caption,
             "time and %s of the configurations; the line joins those that none beats in both", price->name);
    report_page_figure(page, caption, report_plane_draw, &plane);
}

/* Only configurations with a rank: a cost without a time is in the answer of flitreplay cost. */
void report_comparison_costs(struct report_page *page, const struct report_comparison *comparison,
                             const uint32_t *order, uint32_t ranked)
{
    if (!has_costs(comparison) || ranked == 0)
        return;
    put_table(page, comparison, order, ranked);
    for (size_t i = 0; i < REPORT_PRICES; i++)
        put_front(page, comparison, order, ranked, &report_prices()[i]);
    for (size_t i = 0; i < REPORT_PRICES; i++)
        put_plane(page, comparison, order, ranked, &report_prices()[i]);
}

/* ---- what depends on what was held equal ---- */

/* A single value is no factor: then all that is compared is at that equal cost, and the verdict is of it already. */
static const struct report_factor *equal_factor(const struct report_comparison *comparison, uint32_t *place)
{
    for (*place = 0; *place < comparison->factor_count; ++*place)
        if (strcmp(comparison->factors[*place].name, "equal") == 0)
            return &comparison->factors[*place];
    return NULL;
}

/* What was compared, as it was typed: topologies with options of their own may have the topology in common. */
static const char *network_of(const struct report_comparison *comparison, uint32_t configuration)
{
    const struct report_configuration *row = &comparison->configurations[configuration];

    /* A single topology is no factor; then its own text says all. */
    for (uint32_t i = 0; i < comparison->factor_count; i++)
        if (strcmp(comparison->factors[i].name, "topology") == 0)
            return comparison->factors[i].levels[row->level[i]];
    return row->topology;
}

/* The fastest and the next of those at one value; their topologies name them, since all else may be the same. */
static const char *say_level(struct base_arena *arena, const struct report_comparison *comparison,
                             const uint32_t *order, uint32_t ranked, uint32_t place, uint32_t level,
                             const char **fastest)
{
    const struct report_factor *factor = &comparison->factors[place];
    uint32_t found[2];
    uint32_t count = 0;
    char text[REPORT_ESTIMATE_TEXT];
    bool is_none = strcmp(factor->levels[level], "none") == 0;

    for (uint32_t i = 0; i < ranked && count < 2; i++)
        if (comparison->configurations[order[i]].level[place] == level)
            found[count++] = order[i];
    if (count < 2)
        return base_arena_format(arena, "%s%s held equal there is nothing to compare",
                                 is_none ? "with " : "with equal ",
                                 is_none ? "nothing" : factor->levels[level]);
    /* Of these two alone: the sentence makes no claim about all of them at once. */
    struct report_estimate lead = report_comparison_ratio(comparison, found[0], found[1], 1);
    *fastest = network_of(comparison, found[0]);
    return base_arena_format(arena, "%s%s%s %s is fastest, %s times faster than %s",
                             is_none ? "with " : "at equal ", is_none ? "nothing" : factor->levels[level],
                             is_none ? " held equal" : "", *fastest, report_estimate_text(lead, text),
                             network_of(comparison, found[1]));
}

/* The winners of all values are compared by their topologies, since widths differ by design. A value at which
 * there is nothing to compare neither agrees nor disagrees. A statement about the choice of --equal, not about
 * networks: it says whether that choice decides. */
const char *report_comparison_equal(struct base_arena *arena, const struct report_comparison *comparison,
                                    const uint32_t *order, uint32_t ranked, bool *failed)
{
    uint32_t place;
    const struct report_factor *factor = equal_factor(comparison, &place);
    const char *text = "", *winner = NULL;
    bool depends = false;

    for (uint32_t level = 0; factor != NULL && level < factor->level_count && text != NULL; level++) {
        const char *fastest = NULL;
        const char *part = say_level(arena, comparison, order, ranked, place, level, &fastest);
        depends |= winner != NULL && fastest != NULL && strcmp(winner, fastest) != 0;
        winner = winner == NULL ? fastest : winner;
        text = part == NULL ? NULL : base_arena_format(arena, "%s%s%s", text, level == 0 ? "" : "; ", part);
    }
    if (factor == NULL)
        return NULL;
    text = text == NULL ? NULL
                        : base_arena_format(arena, "Which network is fastest %s on what is held equal: %s.",
                                            depends ? "depends" : "does not depend", text);
    *failed |= text == NULL;
    return text;
}
