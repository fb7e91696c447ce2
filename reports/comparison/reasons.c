/* Why configurations differ: the attribution of a comparison's runs as a table, best first.
 *
 *      [1]  king-mesh:8x8 with knaive   0.0 %  0.1 %  2.3 %  0.1 %  1.9 %  4.4 %
 *
 * A row a configuration on a trace: what each effect adds, in shares of the ideal time, and all of them,
 * which is slowdown - 1 (flitreplay-attribution(7)); of the simulated time where nothing is computed, which
 * all of them are then. Each is the mean over the seeds. The mean of sums is the sum of means, so that the
 * row sums as each of its runs does; only digits that are not printed are lost. */
#include "reports/comparison/reasons.h"

#include <inttypes.h>
#include <math.h>

#include "reports/run/attribution.h"
#include "reports/comparison/internal.h"

/* The share of an effect, from 1 on, in one run; 0 stands for all together. NAN where it was not attributed,
 * and where nothing takes time. 0 * x keeps NaN where the share is not known. */
static double share_in(const struct report_outcome *outcome, unsigned effect)
{
    switch (effect) {
    case REPORT_EFFECT_HOST: /* none is no share, where the others are known */
        return isfinite(outcome->numbers.share_host) ? outcome->numbers.share_host
                                                     : 0 * outcome->numbers.share_distance;
    case 2:
        return outcome->numbers.share_distance;
    case 3:
        return outcome->numbers.share_serialisation;
    case 4:
        return outcome->numbers.share_terminals;
    case 5:
        return outcome->numbers.share_channels;
    case REPORT_EFFECTS:
        return outcome->numbers.share_flow_control;
    default:
        return outcome->numbers.ideal_ns == 0 && isfinite(outcome->numbers.share_distance)
                   ? 1
                   : outcome->numbers.slowdown - 1;
    }
}

/* NaN passes through the sum. */
double report_comparison_share(const struct report_comparison *comparison, uint32_t trace,
                               uint32_t configuration, unsigned effect)
{
    double sum = 0;

    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        sum += share_in(report_comparison_outcome(comparison, trace, configuration, seed), effect);
    return sum / comparison->seeds;
}

/* A mean of some of the seeds would be of another comparison, so a cell is there as a whole or not. */
static bool is_explained(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    return report_cell_is_done(comparison, trace, configuration) &&
           isfinite(report_comparison_share(comparison, trace, configuration, 1));
}

/* A cell is enough. */
bool report_comparison_is_explained(const struct report_comparison *comparison)
{
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (is_explained(comparison, trace, i))
                return true;
    return false;
}

/* The host has a column only where somebody asked for its times. */
bool report_comparison_shows(const struct report_comparison *comparison, unsigned effect)
{
    if (effect != REPORT_EFFECT_HOST)
        return true;
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (is_explained(comparison, trace, i) &&
                isfinite(report_comparison_outcome(comparison, trace, i, 0)->numbers.share_host))
                return true;
    return false;
}

/* What adds nothing is not shown as -0.0 %. */
static void put_share(struct report_page *page, double share)
{
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", report_page_share(fabs(share) < 0.0005 ? 0 : share, text));
}

/* In the order of effects, the sum last. */
static void put_row(struct report_page *page, const struct report_comparison *comparison, uint32_t trace,
                    uint32_t configuration)
{
    if (!is_explained(comparison, trace, configuration))
        return;
    report_page_cell(page, "[%" PRIu32 "]", trace + 1);
    report_page_cell(page, "%s", comparison->configurations[configuration].name);
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_comparison_shows(comparison, effect))
            put_share(page, report_comparison_share(comparison, trace, configuration, effect));
    put_share(page, report_comparison_share(comparison, trace, configuration, 0));
}

/* Which times the shares in the table are of. */
enum bases { IDEAL = 1, SIMULATED = 2, BOTH = IDEAL | SIMULATED };

/* Of a trace that computes nothing the ideal time is 0, and shares are of the simulated one. */
static enum bases bases_of(const struct report_comparison *comparison)
{
    unsigned bases = 0;

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (is_explained(comparison, trace, i))
                bases |= report_comparison_outcome(comparison, trace, i, 0)->numbers.ideal_ns == 0 ? SIMULATED
                                                                                                   : IDEAL;
    return (enum bases)bases;
}

/* A row a trace and configuration, in the order of the verdict. Shares are of one base in each row: of the ideal
 * time, or where a trace computes nothing of the simulated one. The last line says what the shares are of, and
 * what a negative one is. */
void report_comparison_reasons(struct report_page *page, const struct report_comparison *comparison,
                               const uint32_t *order)
{
    if (!report_comparison_is_explained(comparison))
        return;
    enum bases bases = bases_of(comparison);

    report_page_heading(page, bases == SIMULATED
                                  ? "Why: what each effect adds, in shares of the simulated time"
                                  : "Why: what each effect adds, in shares of the ideal time");
    report_page_table(page,
                      report_comparison_shows(comparison, REPORT_EFFECT_HOST) ? "rlrrrrrrr" : "rlrrrrrr");
    report_page_cell(page, "trace");
    report_page_cell(page, "configuration");
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_comparison_shows(comparison, effect))
            report_page_cell(page, "%s", report_effect_label(effect));
    report_page_cell(page, "together");
    report_page_head(page);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t place = 0; place < comparison->configuration_count; place++)
            put_row(page, comparison, trace, order[place]);
    report_page_table_end(page);
    report_page_paragraph(page, 2, "%s. All effects add up to %s; a value below zero is an anomaly.",
                          comparison->seeds == 1 ? "Of one run each" : "Means over the seeds",
                          bases == IDEAL ? "slowdown - 1"
                          : bases == SIMULATED
                              ? "the simulated time, since nothing is computed"
                              : "slowdown - 1 or, of a trace that computes nothing, the simulated "
                                "time, of which its shares are");
}
