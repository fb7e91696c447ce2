/* A comparison for people: what follows from it, then the numbers, best first.
 *
 *      Verdict
 *        king-mesh:8x8 with hop-by-hop-2s is fastest: 1.05 ± 0.01 times faster than ...
 *
 *      Slowdown against the ideal network
 *        configuration            [1]            [2]  against the fastest
 *        king-mesh:8x8 ...  1.73 ± 0.01  1.21 ± 0.02             1.00 ± 0
 *
 * Traces are numbered, since their names are paths. More of them than columns go to further tables. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/comparison/costs.h"
#include "reports/comparison/faults.h"
#include "reports/comparison/internal.h"
#include "reports/comparison/picture.h"
#include "reports/comparison/reasons.h"
#include "reports/pages/page.h"

#define TRACES_A_TABLE 5

struct writer {
    struct report_page page;                    /* on which tables and sentences are set */
    const struct report_comparison *comparison; /* borrowed */
    struct base_arena arena;                    /* of texts made on the way */
    uint32_t *order;                            /* all configurations; the ranked ones first, fastest first */
    uint32_t ranked;
};

/* Those without a rank follow in their own order. A configuration without a rank lacks a trace, and cannot be
 * compared with the others. */
static int order_all(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;
    uint32_t count;

    writer->order =
        base_arena_array(&writer->arena, comparison->configuration_count + 1, sizeof *writer->order);
    if (writer->order == NULL)
        return -1;
    count = writer->ranked = report_comparison_rank(comparison, writer->order);
    for (uint32_t i = 0; i < comparison->configuration_count; i++) {
        bool is_ranked = false;
        for (uint32_t j = 0; j < writer->ranked; j++)
            is_ranked |= writer->order[j] == i;
        if (!is_ranked)
            writer->order[count++] = i;
    }
    return 0;
}

/* The subject in a line: how much was run, under what. Sentences about the store are for the terminal, where they
 * tell what was not computed anew. */
static void put_head(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    report_page_answer(&writer->page, false);
    report_page_paragraph(&writer->page, 0,
                          "%" PRIu32 " configuration%s, %" PRIu32 " trace%s, %" PRIu32 " seed%s: %" PRIu32
                          " of %" PRIu32 " runs finished",
                          comparison->configuration_count, comparison->configuration_count == 1 ? "" : "s",
                          comparison->trace_count, comparison->trace_count == 1 ? "" : "s", comparison->seeds,
                          comparison->seeds == 1 ? "" : "s", report_comparison_count(comparison, REPORT_DONE),
                          report_comparison_runs(comparison));
    if (comparison->shards > 1)
        report_page_paragraph(&writer->page, 0, "Shard %" PRIu32 " of %" PRIu32 ".", comparison->shard,
                              comparison->shards);
    if (report_page_is_markup(&writer->page))
        return; /* a document says the same whether its runs were stored or not */
    for (uint32_t i = 0; i < comparison->stored_count; i++)
        report_page_paragraph(&writer->page, 0, "%s", comparison->stored[i]);
}

/* What is wrong with a trace is wrong with all that is concluded from it. */
static void put_recordings(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    for (uint32_t i = 0; comparison->recordings != NULL && i < comparison->trace_count; i++) {
        const struct report_recording *recording = &comparison->recordings[i];
        char of[sizeof "[4294967295] "];
        snprintf(of, sizeof of, "[%" PRIu32 "] ", i + 1);
        report_clocks_text(&writer->page, &recording->clocks, of);
        report_coverage_missing_text(&writer->page, recording->coverage, recording->coverage_count, of);
    }
}

/* First, since it is what was asked for; the tables below are its reasons. */
static void put_verdict(struct writer *writer, struct base_error *error)
{
    uint32_t count = 0;
    const char **sentences = report_comparison_verdict(&writer->arena, writer->comparison, &count, error);

    if (!report_page_is_markup(&writer->page)) /* of a document it is the answer above all */
        report_page_heading(&writer->page, "Verdict");
    report_page_answer(&writer->page, true);
    for (uint32_t i = 0; sentences != NULL && i < count; i++)
        report_page_paragraph(&writer->page, 2, "%s", sentences[i]);
    if (sentences == NULL)
        writer->page.failed = true;
}

/* What the networks are made of: once where all are alike, else a row a configuration. Physical numbers are those
 * of the options: a clock and a width that were given. */
static void put_networks(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;
    struct report_page *page = &writer->page;
    uint32_t known = 0;

    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        known += comparison->configurations[i].physical.most_rate != 0;
    if (known == 0)
        return;
    report_page_heading(page, "Networks");
    report_page_table(page, "lrrr");
    report_page_cell(page, "configuration");
    report_page_cell(page, "a link, each way");
    report_page_cell(page, "a hop");
    report_page_cell(page, "bisection, both ways");
    report_page_head(page);
    for (uint32_t i = 0; i < comparison->configuration_count; i++) {
        const struct report_configuration *row = &comparison->configurations[writer->order[i]];
        if (row->physical.most_rate == 0)
            continue;
        report_page_cell(page, "%s", row->name);
        report_physical_cells(page, &row->physical);
    }
    report_page_table_end(page);
}

/* A run that failed tells more than one that is missing: more seeds will not mend it. */
const char *report_gap_text(const struct report_comparison *comparison, uint32_t trace,
                            uint32_t configuration)
{
    static const struct {
        enum report_state state;
        const char *text;
    } gaps[] = {{REPORT_FAILED, "failed"}, {REPORT_LEFT_OUT, "left out"}, {REPORT_PARTIAL, "interrupted"}};

    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        for (uint32_t seed = 0; seed < comparison->seeds; seed++)
            if (report_comparison_outcome(comparison, trace, configuration, seed)->state == gaps[i].state)
                return gaps[i].text;
    return "missing";
}

/* How many configurations are exact. */
static uint32_t count_exact(const struct report_comparison *comparison)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        count += comparison->configurations[i].exact;
    return count;
}

/* What stands behind an exact number where others are not: where all are, the method says so once. */
static const char *mark(const struct writer *writer, bool exact)
{
    uint32_t count = count_exact(writer->comparison);

    return exact && count < writer->comparison->configuration_count ? " exact" : "";
}

/* The slowdown; of a program whose ideal time is zero the time itself. Behind a number may stand a mark that it is
 * exact. */
static void put_cell(struct writer *writer, uint32_t trace, uint32_t configuration)
{
    const struct report_comparison *comparison = writer->comparison;
    struct report_estimate slowdown = report_cell_slowdown(comparison, trace, configuration);
    char text[REPORT_ESTIMATE_TEXT], time[BASE_UNITS_TEXT];
    double sum = 0;

    if (!report_cell_is_done(comparison, trace, configuration)) {
        report_page_cell(&writer->page, "%s", report_gap_text(comparison, trace, configuration));
    } else if (isfinite(slowdown.value)) {
        report_page_cell(&writer->page, "%s%s", report_estimate_text(slowdown, text),
                         mark(writer, slowdown.exact));
    } else {
        for (uint32_t seed = 0; seed < comparison->seeds; seed++)
            sum += (double)report_comparison_outcome(comparison, trace, configuration, seed)
                       ->numbers.simulated_ns;
        report_page_cell(&writer->page, "%s%s", base_format_ns((uint64_t)(sum / comparison->seeds), time),
                         mark(writer, comparison->configurations[configuration].exact));
    }
}

/* A row a configuration. Those that lack a trace have no place in the ranking, and stand below the others. Columns
 * `from` to `to` are traces. */
static void put_row(struct writer *writer, uint32_t place, uint32_t from, uint32_t to)
{
    const struct report_comparison *comparison = writer->comparison;
    uint32_t configuration = writer->order[place];
    struct report_estimate ratio;
    char text[REPORT_ESTIMATE_TEXT];

    report_page_cell(&writer->page, "%s", comparison->configurations[configuration].name);
    for (uint32_t trace = from; trace < to; trace++)
        put_cell(writer, trace, configuration);
    if (place >= writer->ranked) {
        report_page_cell(&writer->page, "-");
        return;
    }
    /* The other way round than in the verdict: a table of times grows with the time. */
    ratio = report_comparison_ratio(comparison, writer->order[0], configuration, 1);
    report_page_cell(&writer->page, "%s%s", report_estimate_text(ratio, text), mark(writer, ratio.exact));
}

/* Whether all that is shown are times: nothing is computed in any trace. */
static bool is_without_ideal(const struct writer *writer)
{
    return report_comparison_count(writer->comparison, REPORT_DONE) > 0 &&
           !report_comparison_can_be_drawn(writer->comparison);
}

/* As many columns as there are traces in this table, with the comparison in the last. Five traces fit the width of
 * a terminal beside a name. */
static void put_slowdowns(struct writer *writer, uint32_t from, uint32_t to)
{
    static const char *const alignments[] = {"lr", "lrr", "lrrr", "lrrrr", "lrrrrr", "lrrrrrr"};

    report_page_heading(&writer->page, from > 0 ? "Further traces"
                                       : is_without_ideal(writer)
                                           ? "Simulated time; it is zero on the ideal network"
                                           : "Slowdown against the ideal network");
    report_page_table(&writer->page, alignments[to - from]);
    report_page_cell(&writer->page, "configuration");
    for (uint32_t trace = from; trace < to; trace++)
        report_page_cell(&writer->page, "[%" PRIu32 "]", trace + 1);
    report_page_cell(&writer->page, "time / fastest");
    report_page_head(&writer->page);
    for (uint32_t place = 0; place < writer->comparison->configuration_count; place++)
        put_row(writer, place, from, to);
    report_page_table_end(&writer->page);
}

/* The legend of the columns: paths are too long for a head. */
static void put_traces(struct writer *writer)
{
    report_page_heading(&writer->page, "Traces");
    report_page_table(&writer->page, "rl");
    for (uint32_t trace = 0; trace < writer->comparison->trace_count; trace++) {
        report_page_cell(&writer->page, "[%" PRIu32 "]", trace + 1);
        report_page_cell(&writer->page, "%s", writer->comparison->traces[trace]);
    }
    report_page_table_end(&writer->page);
}

/* Sorted by what they change, so that the first line says where to look. A factor that cannot be judged says why. */
static void put_effects(struct writer *writer, struct base_error *error)
{
    const struct report_comparison *comparison = writer->comparison;
    struct report_effect *effects =
        base_arena_array(&writer->arena, comparison->factor_count + 1, sizeof *effects);
    int count = effects == NULL ? -1 : report_comparison_effects(&writer->arena, comparison, effects, error);
    char text[REPORT_ESTIMATE_TEXT];

    if (count < 0)
        writer->page.failed = true;
    if (count <= 0)
        return;
    report_page_heading(&writer->page, "What each choice changes, all else equal");
    report_page_table(&writer->page, "lrl");
    report_page_cell(&writer->page, "choice");
    report_page_cell(&writer->page, "worst / best");
    report_page_cell(&writer->page, "%s", "");
    report_page_head(&writer->page);
    for (int i = 0; i < count; i++) {
        report_page_cell(&writer->page, "%s", effects[i].name);
        report_page_cell(&writer->page, "%s", report_estimate_text(effects[i].spread, text));
        if (effects[i].groups == 0)
            report_page_cell(&writer->page, "no two finished configurations differ in it alone");
        else
            report_page_cell(&writer->page, "in %" PRIu32 " group%s", effects[i].groups,
                             effects[i].groups == 1 ? "" : "s");
    }
    report_page_table_end(&writer->page);
}

/* Where nothing is drawn, no seed is to blame. */
static void put_failure(struct writer *writer, uint32_t trace, uint32_t configuration, uint32_t seed,
                        const char *why)
{
    const struct report_comparison *comparison = writer->comparison;
    const struct report_configuration *row = &comparison->configurations[configuration];

    if (row->exact)
        report_page_paragraph(&writer->page, 2, "%s, %s: %s", comparison->traces[trace], row->name, why);
    else
        report_page_paragraph(&writer->page, 2, "%s, %s, seed %" PRIu64 ": %s", comparison->traces[trace],
                              row->name, comparison->first_seed + seed, why);
}

/* Failures that differ only in their seed are told once. The first seed that failed speaks for its cell. */
static void put_failures(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    if (report_comparison_count(comparison, REPORT_FAILED) == 0)
        return;
    report_page_heading(&writer->page, "Failed");
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            for (uint32_t seed = 0; seed < comparison->seeds; seed++) {
                const struct report_outcome *outcome = report_comparison_outcome(comparison, trace, i, seed);
                if (outcome->state != REPORT_FAILED)
                    continue;
                put_failure(writer, trace, i, seed, outcome->failure);
                break;
            }
}

/* What was under way when SIGINT came: no part of anything above, since it is of a part. Thousandths are rounded
 * down to per cent: nothing looks more complete than it is. */
static void put_interrupted(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;
    char time[BASE_UNITS_TEXT];

    if (report_comparison_count(comparison, REPORT_PARTIAL) == 0)
        return;
    report_page_heading(&writer->page, "Interrupted");
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            for (uint32_t seed = 0; seed < report_comparison_seeds(comparison, i); seed++) {
                const struct report_outcome *outcome = report_comparison_outcome(comparison, trace, i, seed);
                if (outcome->state == REPORT_PARTIAL)
                    report_page_paragraph(
                        &writer->page, 2,
                        "%s, %s, seed %" PRIu64 ": %s simulated, with %" PRIu32 " %% of the operations",
                        comparison->traces[trace], comparison->configurations[i].name,
                        comparison->first_seed + seed, base_format_ns(outcome->numbers.simulated_ns, time),
                        outcome->replayed_thousandths / 10);
            }
}

/* What entries have in common, if they do. */
static const char *reason_of(const struct report_left_out *entry)
{
    return entry->reason != NULL ? entry->reason : entry->why;
}

/* How many entries from this one on have its reason; 0 when an earlier one had it already. */
static uint32_t same_reason(const struct report_comparison *comparison, uint32_t entry)
{
    const char *reason = reason_of(&comparison->left_out[entry]);
    uint32_t count = 0;

    for (uint32_t i = 0; i < comparison->left_out_count; i++) {
        if (strcmp(reason_of(&comparison->left_out[i]), reason) != 0)
            continue;
        if (i < entry)
            return 0;
        count++;
    }
    return count;
}

/* A line for each reason: a routing that does not serve a network does not with any value of the other options.
 * The first entry of each reason has the line, with how many more there are. */
static void put_left_out(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    if (comparison->left_out_count == 0)
        return;
    report_page_heading(&writer->page, "Left out");
    for (uint32_t i = 0; i < comparison->left_out_count; i++) {
        const struct report_left_out *entry = &comparison->left_out[i];
        uint32_t count = same_reason(comparison, i);
        if (count == 1)
            report_page_paragraph(&writer->page, 2, "%s: %s", entry->what, reason_of(entry));
        else if (count > 1)
            report_page_paragraph(&writer->page, 2, "%s, and %" PRIu32 " more: %s", entry->what, count - 1,
                                  reason_of(entry));
    }
}

/* Whose links cannot be used fully: what is compared is then in part how large the buffers are. The same for
 * all seeds and traces of a configuration, so that the first run that is done speaks for all. A run that does not
 * limit its links ends the search for that configuration. */
static void put_limited(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;
    bool has_heading = false;

    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        for (uint32_t run = 0; run < comparison->trace_count * comparison->seeds; run++) {
            const struct report_outcome *outcome =
                report_comparison_outcome(comparison, run / comparison->seeds, i, run % comparison->seeds);
            char share[REPORT_NUMBER_TEXT], entering[REPORT_NUMBER_TEXT];
            if (outcome->state != REPORT_DONE)
                continue;
            if (outcome->numbers.links_limited == 0)
                break;
            if (!has_heading)
                report_page_heading(&writer->page, "Links that cannot be used fully");
            has_heading = true;
            report_page_paragraph(
                &writer->page, 2,
                "%s: buffers, channels and latencies let packets fill at most %s of a link's cycles "
                "(%s where all of them enter a ring).",
                comparison->configurations[i].name, report_page_share(outcome->numbers.link_share, share),
                report_page_share(outcome->numbers.ring_entry_share, entering));
            break;
        }
}

/* Without it, nobody could say what "±" means. What was done, in the words of statistics, for who wants to check
 * it. */
static void put_intervals(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    if (comparison->seeds == 1)
        report_page_paragraph(&writer->page, 2,
                              "One seed: random results have no interval, and so no verdict.");
    else
        report_page_paragraph(
            &writer->page, 2,
            "±: half the 95 %% confidence interval over the seeds (%" PRIu64 " to %" PRIu64
            "), by Student's t with %" PRIu64
            " degree%s of freedom; in the verdict widened so that all comparisons "
            "with the fastest hold together (Bonferroni). ± 0: all seeds gave the same result.",
            comparison->first_seed, comparison->first_seed + comparison->seeds - 1,
            (uint64_t)comparison->seeds - 1, comparison->seeds == 2 ? "" : "s");
}

/* Times of a part are not those of the whole: said where all runs are of one part. Where they are not, what each is of
 * stands in the names of the configurations. */
static void put_part(struct writer *writer)
{
    static const char *const parts[][2] = {{"from", "start"}, {"to", "end"}, {"iterations", "all"}};
    const struct report_comparison *comparison = writer->comparison;
    const char *list = "";

    for (uint32_t i = 0; list != NULL && i < comparison->option_count; i++)
        for (size_t part = 0; list != NULL && part < sizeof parts / sizeof *parts; part++) {
            const struct report_option *option = &comparison->options[i];
            if (option->value != NULL && strcmp(option->name, parts[part][0]) == 0 &&
                strcmp(option->value, parts[part][1]) != 0)
                list = base_arena_format(&writer->arena, "%s --%s %s", list, option->name, option->value);
        }
    writer->page.failed |= list == NULL;
    if (list != NULL && *list != '\0')
        report_page_paragraph(
            &writer->page, 2,
            "Of each trace a part is replayed:%s. All times and ratios are of this part; extrapolated "
            "wholes are in the column extrapolated_ns of --csv.",
            list);
}

/* How the numbers above were made, and what they do not say: last, for whoever doubts them. Always
 * there, in text and document. */
static void put_method(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;
    uint32_t exact = count_exact(comparison), all = comparison->configuration_count;

    report_page_heading(&writer->page, "Method");
    report_page_paragraph(
        &writer->page, 2,
        "Ratios are of simulated times, paired by trace and seed, as geometric means over the traces. "
        "Where the ideal time is zero, times are shown instead of slowdowns. The verdict holds for these "
        "traces only.");
    put_part(writer);
    if (exact == all)
        report_page_paragraph(&writer->page, 2, "Exact: no configuration is random, so each is run once.");
    else if (exact > 0)
        report_page_paragraph(&writer->page, 2,
                              "Exact, run once for all seeds because nothing in them is random: %" PRIu32
                              " of %" PRIu32 " configurations.",
                              exact, all);
    if (exact < all)
        put_intervals(writer);
    if (!report_comparison_is_explained(comparison))
        report_page_paragraph(
            &writer->page, 2,
            "Why configurations differ is not asked here: --attribution full shows what each "
            "effect adds.");
}

/* The mean of a column over the seeds: what the network did, beside what it cost. */
static double mean_of(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                      double (*value)(const struct report_outcome *outcome))
{
    double sum = 0;

    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        sum += value(report_comparison_outcome(comparison, trace, configuration, seed));
    return sum / comparison->seeds;
}

/* The share of its time that the link with the most flits is in use: near 100 %, it is the limit. */
static double busiest(const struct report_outcome *outcome)
{
    return outcome->numbers.max_channel_load;
}

/* The same of all links: far below the busiest, the routing or the placement spreads badly. */
static double average(const struct report_outcome *outcome)
{
    return outcome->numbers.mean_channel_load;
}

/* Of packets, not of messages: what the routing and the placement make of the distances. */
static double hops(const struct report_outcome *outcome)
{
    return outcome->numbers.mean_hops;
}

/* In cycles, which do not depend on the clock, so that networks are compared and not their clocks. */
static double latency(const struct report_outcome *outcome)
{
    return outcome->numbers.mean_latency_cycles;
}

/* A configuration on a trace, where all of its runs are done: a mean of some seeds would not be that of a
 * whole comparison. Of the first seed the digest alone, by which two answers are compared at a glance. */
static void put_load(struct writer *writer, uint32_t trace, uint32_t configuration)
{
    const struct report_comparison *comparison = writer->comparison;
    struct report_page *page = &writer->page;
    char text[REPORT_NUMBER_TEXT];

    /* The table of slowdowns says what such a cell lacks. */
    if (!report_cell_is_done(comparison, trace, configuration))
        return;
    report_page_cell(page, "[%" PRIu32 "]", trace + 1);
    report_page_cell(page, "%s", comparison->configurations[configuration].name);
    report_page_cell(page, "%s", report_page_share(mean_of(comparison, trace, configuration, busiest), text));
    report_page_cell(page, "%s", report_page_share(mean_of(comparison, trace, configuration, average), text));
    report_page_cell(page, "%s", report_page_real(mean_of(comparison, trace, configuration, hops), 2, text));
    report_page_cell(page, "%s",
                     report_page_amount(mean_of(comparison, trace, configuration, latency), text));
    report_page_cell(page, "%s", report_comparison_outcome(comparison, trace, configuration, 0)->digest);
}

/* In the document only, where a reader can fold it away: a line a trace and configuration. Folded, as it is long
 * and seldom asked for. */
static void put_loads(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    if (!report_page_is_markup(&writer->page) || report_comparison_count(comparison, REPORT_DONE) == 0)
        return;
    report_page_heading(&writer->page, "Load of the channels, and latencies");
    report_page_details(&writer->page, "Every trace and configuration, as means over the seeds");
    report_page_table(&writer->page, "rlrrrrl");
    report_page_titles(&writer->page,
                       "trace|configuration|busiest channel|all channels|links of a packet|latency (cycles)|"
                       "digest of the first seed");
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t place = 0; place < comparison->configuration_count; place++)
            put_load(writer, trace, writer->order[place]);
    report_page_table_end(&writer->page);
    report_page_details_end(&writer->page);
}

/* What report_page_figure calls, with the type of its content restored. */
static int draw_slowdowns(const void *content, FILE *stream, struct base_error *error)
{
    const struct writer *writer = content;
    return report_comparison_svg(writer->comparison, writer->order, stream, error);
}

/* What is needed to make the same comparison again; in the document only, as JSON has it all. What is the same in
 * all runs; a configuration's own options are in its name. */
static void put_provenance(struct writer *writer)
{
    const struct report_comparison *comparison = writer->comparison;

    if (!report_page_is_markup(&writer->page))
        return;
    report_page_heading(&writer->page, "Provenance");
    report_page_table(&writer->page, "ll");
    report_page_titles(&writer->page, "in all runs|");
    report_page_command(&writer->page, comparison->command);
    report_option_rows(&writer->page, comparison->options, comparison->option_count);
    report_inputs_rows(&writer->page, &comparison->inputs);
    report_inputs_rows(&writer->page, &comparison->experiment);
    for (uint32_t trace = 0; comparison->fingerprints != NULL && trace < comparison->trace_count; trace++) {
        report_page_cell(&writer->page, "trace hash of [%" PRIu32 "]", trace + 1);
        report_page_cell(&writer->page, "%s", comparison->fingerprints[trace]);
    }
    report_page_cell(&writer->page, "seeds");
    report_page_cell(&writer->page, "%" PRIu64 " to %" PRIu64, comparison->first_seed,
                     comparison->first_seed + comparison->seeds - 1);
    report_page_program(&writer->page);
    report_page_table_end(&writer->page);
}

/* From the answer to what it rests on. Each section decides for itself whether it has something to say. Whatever
 * fails for memory marks the page, and is told once when it ends. */
static void put_sections(struct writer *writer, struct base_error *error)
{
    const struct report_comparison *comparison = writer->comparison;

    put_head(writer);
    put_recordings(writer);
    put_verdict(writer, error);
    if (report_comparison_can_be_drawn(comparison))
        report_page_figure(&writer->page, "the slowdown of each configuration on each trace, best first",
                           draw_slowdowns, writer);
    put_networks(writer);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace += TRACES_A_TABLE)
        put_slowdowns(writer, trace,
                      trace + TRACES_A_TABLE < comparison->trace_count ? trace + TRACES_A_TABLE
                                                                       : comparison->trace_count);
    report_comparison_reasons(&writer->page, comparison, writer->order);
    report_comparison_faults(&writer->page, comparison, writer->order);
    report_comparison_costs(&writer->page, comparison, writer->order, writer->ranked);
    put_traces(writer);
    put_effects(writer, error);
    put_loads(writer);
    put_failures(writer);
    put_interrupted(writer);
    put_left_out(writer);
    put_limited(writer);
    put_method(writer);
    put_provenance(writer);
}

/* Ends the page that was begun: text and document differ in nothing but how they begin. */
static int write_page(struct writer *writer, struct base_error *error)
{
    if (order_all(writer) != 0)
        writer->page.failed = true;
    else
        put_sections(writer, error);
    base_arena_free(&writer->arena);
    return report_page_finish(&writer->page, error);
}

/* width: columns of the terminal. */
int report_comparison_text(const struct report_comparison *comparison, FILE *stream, unsigned width,
                           struct base_error *error)
{
    struct writer writer = {.comparison = comparison};

    report_page_begin(&writer.page, stream, width);
    return write_page(&writer, error);
}

/* The same sections; pictures and what can be folded away are added. */
int report_comparison_html(const struct report_comparison *comparison, FILE *stream, struct base_error *error)
{
    struct writer writer = {.comparison = comparison};
    char title[128];

    /* Counts, not names: those of traces are paths, too long for the tab of a browser. */
    snprintf(title, sizeof title, "%" PRIu32 " configuration%s compared on %" PRIu32 " trace%s",
             comparison->configuration_count, comparison->configuration_count == 1 ? "" : "s",
             comparison->trace_count, comparison->trace_count == 1 ? "" : "s");
    report_page_begin_markup(&writer.page, stream, title);
    return write_page(&writer, error);
}
