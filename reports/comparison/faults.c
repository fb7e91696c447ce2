/* What faults took, beside the slowdown that they brought: means over the seeds, from the columns of failing.def.
 *
 *      trace  configuration   control packets  cycles stopped  on rings  entries  re-injected  longer routes
 *        [1]  faults 8                  1 204             960     2.1 %      512           87          3.4 %
 *
 * Shares are of all packets of the run. */
#include "reports/comparison/faults.h"

/* Whether a cell has anything to tell: all of its runs are done, and in one of them a router sent a control packet. */
static bool has_row(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    bool any = false;

    if (!report_cell_is_done(comparison, trace, configuration))
        return false;
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        any |= report_comparison_outcome(comparison, trace, configuration, seed)->numbers.control_packets > 0;
    return any;
}

/* A heading without rows would be no answer. */
static bool has_any(const struct report_comparison *comparison)
{
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (has_row(comparison, trace, i))
                return true;
    return false;
}

/* Sums over the seeds, of which a row has the means. */
struct sums {
    double control_packets, stopped, ring_packets, entries, reinjected, longer, packets;
};

/* An exact configuration's only run counts once for each seed, which leaves the means as they are. */
static struct sums sum_up(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    struct sums sums = {0};

    for (uint32_t seed = 0; seed < comparison->seeds; seed++) {
        const struct report_outcome *outcome =
            report_comparison_outcome(comparison, trace, configuration, seed);
        sums.control_packets += (double)outcome->numbers.control_packets;
        sums.stopped += (double)outcome->numbers.router_cycles_stopped;
        sums.ring_packets += (double)outcome->numbers.ring_packets;
        sums.entries += (double)outcome->numbers.ring_entries;
        sums.reinjected += (double)outcome->numbers.reinjected;
        sums.longer += (double)outcome->numbers.longer_packets;
        sums.packets += (double)outcome->numbers.packets;
    }
    return sums;
}

/* Packets of all seeds together: a share of sums weighs each packet alike. */
static void put_row(struct report_page *page, const struct report_comparison *comparison, uint32_t trace,
                    uint32_t configuration)
{
    const struct sums sums = sum_up(comparison, trace, configuration);
    double seeds = comparison->seeds;
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "[%u]", trace + 1);
    report_page_cell(page, "%s", comparison->configurations[configuration].name);
    report_page_cell(page, "%s", report_page_real(sums.control_packets / seeds, 0, text));
    report_page_cell(page, "%s", report_page_real(sums.stopped / seeds, 0, text));
    report_page_cell(page, "%s", report_page_share(sums.ring_packets / sums.packets, text));
    report_page_cell(page, "%s", report_page_real(sums.entries / seeds, 0, text));
    report_page_cell(page, "%s", report_page_real(sums.reinjected / seeds, 0, text));
    report_page_cell(page, "%s", report_page_share(sums.longer / sums.packets, text));
}

/* Only what people ask first; CSV and JSON have the rest. */
void report_comparison_faults(struct report_page *page, const struct report_comparison *comparison,
                              const uint32_t *order)
{
    static const char *const heads[] = {"trace",    "configuration", "control packets", "cycles stopped",
                                        "on rings", "entries",       "re-injected",     "longer routes"};

    if (!has_any(comparison))
        return;
    report_page_heading(page, "What faults took");
    report_page_table(page, "rlrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t place = 0; place < comparison->configuration_count; place++)
            if (has_row(comparison, trace, order[place]))
                put_row(page, comparison, trace, order[place]);
    report_page_table_end(page);
    report_page_paragraph(page, 2, "%s; shares are of all packets. Cycles stopped: of all routers together.",
                          comparison->seeds == 1 ? "Of one run each" : "Means over the seeds");
}
