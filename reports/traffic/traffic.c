/* Synthetic traffic as text and as CSV: a line a point.
 *
 *      torus:16x16, uniform, dimension-order, bernoulli arrivals, fixed lengths
 *
 *        offered  accepted          latency         p99  network  hops  busiest
 *          0.100     0.100     26.34 +- 0.05         48    25.80  8.03   22.1 %
 *          0.600     0.419   4312.10 +- 210.10    9 120   128.20  8.03   91.0 %  saturated
 *
 * Loads are flits a cycle and terminal, latencies cycles. */
#include "reports/traffic/traffic.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "reports/cost/section.h"
#include "reports/pages/page.h"
#include "reports/traffic/picture.h"

/* Points beyond saturation count as well: some routings accept most just before they collapse. */
double report_traffic_throughput(const struct report_traffic *report)
{
    double most = 0;

    for (uint32_t i = 0; i < report->point_count; i++)
        if (report->points[i].accepted_load > most)
            most = report->points[i].accepted_load;
    return most;
}

/* Networks of stages count bits. */
const char *report_traffic_unit(const struct report_traffic *report)
{
    return report->in_bits ? "bits" : "flits";
}

/* "26.34 ± 0.05"; from 1000 on without decimals, which no interval is worth there. An interval that is not
 * known is left out: 0 would claim certainty. */
static void put_mean(struct report_page *page, double mean, double interval, int decimals)
{
    char text[REPORT_NUMBER_TEXT], width[REPORT_NUMBER_TEXT];

    decimals = mean >= 1000 ? 0 : decimals;
    report_page_real(mean, decimals, text);
    if (isfinite(interval))
        report_page_cell(page, "%s ± %s", text, report_page_real(interval, decimals, width));
    else
        report_page_cell(page, "%s", text);
}

/* Grouped by three digits, as everywhere. */
static void put_count(struct report_page *page, uint64_t count)
{
    char text[BASE_UNITS_TEXT];
    report_page_cell(page, "%s", base_format_count(count, text));
}

/* Of no message there is none. */
static void put_latency(struct report_page *page, const struct report_traffic_point *point, uint64_t cycles)
{
    if (isfinite(point->latency.mean))
        put_count(page, cycles);
    else
        report_page_cell(page, "-");
}

/* A remark is rare, and says what the numbers before it are worth. */
static void put_point(struct report_page *page, const struct report_traffic_point *point)
{
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%.4f", point->offered_load);
    put_mean(page, point->accepted_load, point->accepted_interval, 4);
    put_mean(page, point->latency.mean, point->latency_interval, 2);
    put_latency(page, point, point->latency.p99);
    put_latency(page, point, point->latency.maximum);
    report_page_cell(page, "%s", report_page_real(point->network.mean, 2, text));
    report_page_cell(page, "%s", report_page_real(point->mean_hops, 2, text));
    report_page_cell(page, "%s", report_page_share(point->max_channel_load, text));
    report_page_cell(page, "%s", point->saturated ? "saturated" : point->steady ? "" : "not steady");
}

/* The head names what is in cycles and what in flits a cycle below the table, not in every column. */
static void put_points(struct report_page *page, const struct report_traffic *report)
{
    static const char *const heads[] = {"offered", "accepted", "latency", "p99",   "max",
                                        "network", "hops",     "busiest", "remark"};

    report_page_table(page, "rrrrrrrrl");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++)
        put_point(page, &report->points[i]);
    report_page_table_end(page);
}

/* How much each direction carries, at each load: a network of more directions than columns leaves the rest to
 * the JSON. The alignment is the end of the string that is one longer than the ports, for the column of
 * loads. */
static void put_directions(struct report_page *page, const struct report_traffic *report)
{
    static const char alignment[] = "rrrrrrrrrrrr";
    uint32_t ports = report->port_count < REPORT_PAGE_COLUMNS ? report->port_count : REPORT_PAGE_COLUMNS - 1;
    char text[REPORT_NUMBER_TEXT];

    if (ports == 0)
        return;
    report_page_heading(page, "Share of cycles in which the channels of a direction carry a flit");
    report_page_table(page, alignment + sizeof alignment - 2 - ports);
    report_page_cell(page, "offered");
    for (uint32_t port = 0; port < ports; port++)
        report_page_cell(page, "%s", report->port_names[port]);
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++) {
        report_page_cell(page, "%.4f", report->points[i].offered_load);
        for (uint32_t port = 0; port < ports; port++)
            report_page_cell(page, "%s", report_page_share(report->points[i].port_load[port], text));
    }
    report_page_table_end(page);
}

/* Energy of a flit over the load, which falls with the load as power that needs no data is shared. Divided by what
 * was delivered: a load that is not accepted pays for what is. */
static void put_energy(struct report_page *page, const struct report_traffic *report)
{
    static const char *const heads[] = {"offered", "accepted", "energy", "events", "static", "E x delay"};

    /* All points have it, or none. */
    if (report->point_count == 0 || !report->points[0].has_energy)
        return;
    report_page_heading(page, "Energy");
    report_page_table(page, "rrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++) {
        const struct report_traffic_point *point = &report->points[i];
        double pico = 1e12 / (double)point->flits;
        char text[REPORT_NUMBER_TEXT];
        report_page_cell(page, "%.4f", point->offered_load);
        report_page_cell(page, "%.4f", point->accepted_load);
        report_page_cell(page, "%s", report_page_real(point->energy.flit * 1e12, 2, text));
        report_page_cell(page, "%s", report_page_real(point->energy.dynamic * pico, 2, text));
        report_page_cell(page, "%s",
                         report_page_real((point->energy.clock + point->energy.still) * pico, 2, text));
        report_page_cell(page, "%s",
                         report_page_real(report_traffic_energy_delay(report, point) * 1e21, 2, text));
    }
    report_page_table_end(page);
    report_page_paragraph(
        page, 0,
        "In pJ for each %.*s delivered: all of it, of events, of clocks and static power; and all of it "
        "times the mean latency, in pJ ns.",
        4 - (int)report->in_bits, report_traffic_unit(report));
    if (report->points[0].energy.reason[0] != '\0')
        report_page_paragraph(page, 0, "Not known: %s.", report->points[0].energy.reason);
}

/* Deflection: what the paper plots. A packet's deflections follow from the links that it crosses. Only of routings
 * that deflect. */
static void put_deflections(struct report_page *page, const struct report_traffic *report)
{
    static const char *const heads[] = {"offered", "deflections", "of links", "lost"};
    bool lossy = report->point_count > 0 && isfinite(report->points[0].lost_load);
    char text[REPORT_NUMBER_TEXT];

    if (report->point_count == 0 || !isfinite(report->points[0].deflected_share))
        return;
    report_page_heading(page, "Deflections per packet, and of the links that packets cross; "
                              "flits per cycle and terminal that were lost");
    report_page_table(page, "rrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++) {
        const struct report_traffic_point *point = &report->points[i];
        report_page_cell(page, "%.4f", point->offered_load);
        report_page_cell(page, "%s", report_page_real(point->deflected_share * point->mean_hops, 3, text));
        report_page_cell(page, "%s", report_page_share(point->deflected_share, text));
        report_page_cell(page, "%s", lossy ? report_page_real(point->lost_load, 4, text) : "-");
    }
    report_page_table_end(page);
}

/* What faults took, averaged over the seeds: the rest of it is in JSON and CSV. Only under a fault routing. */
static void put_faults(struct report_page *page, const struct report_traffic *report)
{
    static const char *const heads[] = {"offered", "control packets", "cycles stopped", "on rings",
                                        "entries", "re-injected",     "longer routes"};

    if (report->point_count == 0 || !report->points[0].has_faults)
        return;
    report_page_heading(page, "Faults");
    report_page_table(page, "rrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++) {
        const struct report_traffic_point *point = &report->points[i];
        const struct net_fault_counts *took = &point->faults;
        double seeds = point->seeds, packets = (double)point->packets;
        char text[REPORT_NUMBER_TEXT];
        report_page_cell(page, "%.4f", point->offered_load);
        report_page_cell(page, "%s", report_page_real((double)took->control_packets / seeds, 0, text));
        report_page_cell(page, "%s", report_page_real((double)took->stopped_cycles / seeds, 0, text));
        report_page_cell(page, "%s", report_page_share((double)took->ring_packets / packets, text));
        report_page_cell(page, "%s", report_page_real((double)took->ring_entries / seeds, 0, text));
        report_page_cell(page, "%s", report_page_real((double)took->reinjected / seeds, 0, text));
        report_page_cell(page, "%s", report_page_share((double)took->longer_packets / packets, text));
    }
    report_page_table_end(page);
    report_page_paragraph(page, 0,
                          "In the mean over the seeds; control packets and stops of routers since the "
                          "beginning, the others in the measured cycles, shares of the packets sent then.");
}

/* Shared channels: what the papers plot. Only of shared channels. */
static void put_traffic(struct report_page *page, const struct report_traffic *report)
{
    char text[REPORT_NUMBER_TEXT];

    if (report->point_count == 0 || !isfinite(report->points[0].traffic))
        return;
    report_page_heading(
        page, "Shared channels: share of cycles in which they carry a flit (mean, idlest, busiest), and "
              "in which terminals inject and are given one");
    report_page_table(page, "rrrrrr");
    report_page_cell(page, "offered");
    report_page_cell(page, "traffic");
    report_page_cell(page, "idlest");
    report_page_cell(page, "busiest");
    report_page_cell(page, "injection");
    report_page_cell(page, "ejection");
    report_page_head(page);
    for (uint32_t i = 0; i < report->point_count; i++) {
        const struct report_traffic_point *point = &report->points[i];
        report_page_cell(page, "%.4f", point->offered_load);
        report_page_cell(page, "%s", report_page_share(point->traffic, text));
        report_page_cell(page, "%s", report_page_share(point->min_traffic, text));
        report_page_cell(page, "%s", report_page_share(point->max_traffic, text));
        report_page_cell(page, "%s", report_page_share(point->injection_rate, text));
        report_page_cell(page, "%s", report_page_share(point->ejection_rate, text));
    }
    report_page_table_end(page);
}

/* A message's latency is what its flits wait for: the paper's products of energy and delay are of runs, these of
 * loads. */
double report_traffic_energy_delay(const struct report_traffic *report,
                                   const struct report_traffic_point *point)
{
    return point->energy.flit * point->latency.mean * report->cycle_s;
}

/* What the search found, and the throughput that goes with it. Only where it was searched for. */
static void put_saturation(struct report_page *page, const struct report_traffic *report)
{
    double most = report_traffic_throughput(report);
    const char *unit = report_traffic_unit(report);

    if (!report->searched)
        return;
    if (isfinite(report->saturated_load))
        report_page_paragraph(page, 0,
                              "Saturation: stable at %.4f, saturated at %.4f %s per cycle and terminal.",
                              report->stable_load, report->saturated_load, unit);
    else
        report_page_paragraph(page, 0, "Saturation: none up to %.4f %s per cycle and terminal.",
                              report->stable_load, unit);
    report_page_paragraph(page, 0, "Most accepted: %.4f %s per cycle and terminal, %.3f GB/s per terminal.",
                          most, unit, most * report->gigabytes_per_flit);
}

/* The least load at which a network is saturated; INFINITY: at none. */
static double saturated_load(const struct report_traffic *report)
{
    double saturated = INFINITY;

    for (uint32_t i = 0; i < report->point_count; i++)
        if (report->points[i].saturated)
            saturated = fmin(saturated, report->points[i].offered_load);
    return saturated;
}

/* The highest below it; 0: none. */
static double stable_load(const struct report_traffic *report)
{
    double saturated = saturated_load(report), stable = 0;

    for (uint32_t i = 0; i < report->point_count; i++)
        if (report->points[i].offered_load < saturated)
            stable = fmax(stable, report->points[i].offered_load);
    return stable;
}

/* What the loads that were asked for come to. Loads need not be in order. Only where it was not: the loads that
 * were asked for bound it. */
static void put_answer(struct report_page *page, const struct report_traffic *report)
{
    double stable = stable_load(report), saturated = saturated_load(report);
    double most = report_traffic_throughput(report);
    const char *unit = report_traffic_unit(report);

    if (report->searched || report->point_count == 0)
        return;
    if (!isfinite(saturated))
        report_page_paragraph(page, 0, "Not saturated up to %.4g %s per cycle and terminal.", stable, unit);
    else if (stable > 0)
        report_page_paragraph(
            page, 0, "Saturated at %.4g, not at %.4g: at most %.4f %s per cycle and terminal are accepted.",
            saturated, stable, most, unit);
    else
        report_page_paragraph(page, 0,
                              "Saturated at %.4g: at most %.4f %s per cycle and terminal are accepted.",
                              saturated, most, unit);
}

/* The most of all points, and of all seeds of each. */
static void find_cycles(const struct report_traffic *report, uint64_t *cycles, uint64_t *warmup)
{
    *cycles = *warmup = 0;
    for (uint32_t i = 0; i < report->point_count; i++) {
        const struct report_traffic_point *point = &report->points[i];
        *cycles = point->cycles > *cycles ? point->cycles : *cycles;
        *warmup = point->warmup_cycles > *warmup ? point->warmup_cycles : *warmup;
    }
}

/* How it was measured, without which the numbers mean little. MSER-5 finds the end of the warm-up where nobody
 * gave it. */
static void put_method(struct report_page *page, const struct report_traffic *report)
{
    uint32_t seeds = report->points[0].seeds;
    uint64_t cycles, warmup;
    const char *over = seeds > 1         ? " ±: 95 % confidence over the seeds."
                       : report->settles ? ""
                                         : " ±: 95 % confidence over 20 batches.";

    find_cycles(report, &cycles, &warmup);
    report_page_paragraph(page, 0,
                          "Loads in %s per cycle and terminal, latencies in cycles from generation to the "
                          "tail's ejection (network: "
                          "without the source queue). Measured: %s%" PRIu64 " cycles with %" PRIu32
                          " seed%s, after at most %" PRIu64 " of warm-up (%s).%s",
                          report_traffic_unit(report), report->settles ? "at most " : "", cycles, seeds,
                          seeds == 1 ? "" : "s", warmup,
                          report->warmup_detected ? "detected by MSER-5" : "as given", over);
    if (report->settles)
        report_page_paragraph(
            page, 0,
            "A run ends when the averages of what enters and of what is delivered, since the "
            "measured cycles began, change and differ by less than 0.001 %s per cycle; "
            "one that did not end so is marked as not steady.",
            report_traffic_unit(report));
}

/* For report_page_figure. */
static int draw_curves(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_svg(content, stream, error);
}

/* In the document only, which may travel without the command that made it. */
static void put_provenance(struct report_page *page, const struct report_traffic *report)
{
    if (!report_page_is_markup(page))
        return;
    report_page_heading(page, "Provenance");
    report_page_table(page, "ll");
    report_page_titles(page, "in all points|");
    report_page_command(page, report->command);
    report_option_rows(page, report->options, report->option_count);
    report_inputs_rows(page, &report->inputs);
    report_page_program(page);
    report_page_table_end(page);
}

/* What was measured on one network: points, method, directions. */
static void put_measured(struct report_page *page, const struct report_traffic *report)
{
    put_points(page, report);
    report_page_gap(page);
    if (report->interrupted)
        report_page_paragraph(page, 0, "Interrupted: the loads that were not finished are left out.");
    put_method(page, report);
    put_energy(page, report);
    put_directions(page, report);
    put_deflections(page, report);
    put_faults(page, report);
    put_traffic(page, report);
    report_cost_section(page, report->costs);
}

/* Of all networks of the answer, where a technology was named. */
static void put_energies(struct report_page *page, const struct report_traffic *first)
{
    if (report_traffic_has_energies(first))
        report_page_figure(page, "energy of a flit over the offered load, and over the mean latency",
                           report_traffic_draw_energy, first);
}

/* Subject, points, what the search found, method, directions: what one looks for first comes first. The answer
 * first, then the picture, then all numbers. */
static void put_one(struct report_page *page, const struct report_traffic *report)
{
    report_page_answer(page, false);
    report_page_paragraph(page, 0, "%s, %s; routing %s; %s arrivals, lengths %s", report->topology,
                          report->pattern, report->routing, report->arrivals, report->lengths);
    report_page_answer(page, true);
    put_answer(page, report);
    put_saturation(page, report);
    report_physical_text(page, &report->physical);
    report_link_use_text(page, &report->link_use);
    report_page_gap(page);
    report_page_answer(page, false);
    report_page_figure(page, "latency and accepted load over the offered load", draw_curves, report);
    put_energies(page, report);
    put_measured(page, report);
    put_provenance(page, report);
}

/* Which network carries most, and which least. Below saturation all carry what they are offered. */
static void put_best(struct report_page *page, const struct report_traffic *first)
{
    const struct report_traffic *most = first, *least = first;
    const char *unit = report_traffic_unit(first);
    bool is_saturated = false;

    for (const struct report_traffic *report = first; report != NULL; report = report->next) {
        is_saturated |= isfinite(saturated_load(report));
        if (report_traffic_throughput(report) > report_traffic_throughput(most))
            most = report;
        if (report_traffic_throughput(report) < report_traffic_throughput(least))
            least = report;
    }
    if (!is_saturated)
        report_page_paragraph(page, 0, "No network is saturated up to %.4g %s per cycle and terminal.",
                              stable_load(first), unit);
    else if (most == least)
        report_page_paragraph(page, 0, "All networks accept at most %.4f %s per cycle and terminal.",
                              report_traffic_throughput(most), unit);
    else
        report_page_paragraph(
            page, 0, "%s with %s accepts most, %.4f %s per cycle and terminal; %s with %s least, %.4f.",
            most->topology, most->routing, report_traffic_throughput(most), unit, least->topology,
            least->routing, report_traffic_throughput(least));
}

/* A row of the table of networks. The first point has the least load. A line in which networks can be compared. */
static void put_network(struct report_page *page, const struct report_traffic *report)
{
    const struct report_traffic_point *least = &report->points[0];
    double stable = stable_load(report), saturated = saturated_load(report);
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", report->topology);
    report_page_cell(page, "%s", report->routing);
    report_page_cell(page, "%s", stable > 0 ? report_page_real(stable, 4, text) : "-");
    report_page_cell(page, "%s", isfinite(saturated) ? report_page_real(saturated, 4, text) : "-");
    report_page_cell(page, "%.4f", report_traffic_throughput(report));
    put_mean(page, least->latency.mean, least->latency_interval, 2);
    report_page_cell(page, "%s", report_page_real(least->mean_hops, 2, text));
}

/* Several networks: a table of them and one picture, then each by itself. Headings number the networks, as names
 * may be long. */
static void put_several(struct report_page *page, const struct report_traffic *first)
{
    static const char *const heads[] = {"network",       "routing", "stable", "saturated",
                                        "most accepted", "latency", "hops"};
    uint32_t count = 0, number = 0;

    for (const struct report_traffic *report = first; report != NULL; report = report->next)
        count++;
    report_page_answer(page, true);
    put_best(page, first);
    report_page_answer(page, false);
    report_page_paragraph(page, 0, "%s; %s arrivals, lengths %s; loads in %s per cycle and terminal",
                          first->pattern, first->arrivals, first->lengths, report_traffic_unit(first));
    report_page_gap(page);
    report_page_table(page, "llrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (const struct report_traffic *report = first; report != NULL; report = report->next)
        put_network(page, report);
    report_page_table_end(page);
    report_page_paragraph(page, 0,
                          "stable, saturated: the highest load below saturation and the lowest above it; "
                          "latency (cycles) and hops at the least load");
    report_page_figure(page, "latency and accepted load of all networks over the offered load", draw_curves,
                       first);
    put_energies(page, first);
    for (const struct report_traffic *report = first; report != NULL; report = report->next) {
        char heading[128];
        snprintf(heading, sizeof heading, "Network %" PRIu32 " of %" PRIu32 ", %.80s", ++number, count,
                 report->topology);
        report_page_below(page, false);
        report_page_heading(page, heading);
        report_page_below(page, true);
        report_physical_text(page, &report->physical);
        report_link_use_text(page, &report->link_use);
        put_measured(page, report);
        put_provenance(page, report);
    }
}

/* One network has no table of networks. */
static void put_sections(struct report_page *page, const struct report_traffic *report)
{
    if (report->next == NULL)
        put_one(page, report);
    else
        put_several(page, report);
}

/* width: columns of the terminal. */
int report_traffic_text(const struct report_traffic *report, FILE *stream, unsigned width,
                        struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    put_sections(&page, report);
    return report_page_finish(&page, error);
}

/* The same sections, with pictures. */
int report_traffic_html(const struct report_traffic *report, FILE *stream, struct base_error *error)
{
    struct report_page page;
    char title[256];

    snprintf(title, sizeof title, "%.80s traffic on %.80s", report->pattern,
             report->next == NULL ? report->topology : "several networks");
    report_page_begin_markup(&page, stream, title);
    put_sections(&page, report);
    return report_page_finish(&page, error);
}
