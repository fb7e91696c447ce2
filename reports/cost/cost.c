/* Costs of networks for people: a column a network, a row a number.
 *
 *      technology 45nm: 45 nm bulk CMOS ...; 1 GHz; 1 mm between routers
 *
 *                     mesh:8x8   king-mesh:8x8
 *        ports               5               9  of a router, terminals included
 *        …
 *
 * What is not known is "-", and below stands why. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reports/cost/fields.h"
#include "reports/pages/page.h"

#define NETWORKS_SHOWN 6 /* side by side; more of them stand below */

/* A column for each network between the label and the remark. */
static void put_heads(struct report_page *page, const struct report_cost *report, size_t first, size_t end)
{
    static const char *const alignments[NETWORKS_SHOWN] = {"lrl",    "lrrl",    "lrrrl",
                                                           "lrrrrl", "lrrrrrl", "lrrrrrrl"};

    report_page_table(page, alignments[end - first - 1]);
    report_page_cell(page, "%s", "");
    for (size_t i = first; i < end; i++)
        report_page_cell(page, "%s", report->networks[i].topology);
    report_page_cell(page, "%s", "");
    report_page_head(page);
}

/* What a link carries and what a hop takes, above what they cost; "-" of networks whose links carry bits. */
static void put_physical(struct report_page *page, const struct report_cost *report, size_t first, size_t end)
{
    char text[REPORT_PHYSICAL_TEXT];

    report_page_cell(page, "link");
    for (size_t i = first; i < end; i++)
        report_page_cell(page, "%s", report_physical_rate(&report->networks[i].physical, text));
    report_page_cell(page, "each way");
    report_page_cell(page, "hop");
    for (size_t i = first; i < end; i++)
        report_page_cell(page, "%s", report_physical_hop(&report->networks[i].physical, text));
    report_page_cell(page, "a router and a link");
}

/* What is 0 in all networks is what they do not have. A table of fields (fields.def), so that text, JSON and CSV
 * have the same numbers. */
static void put_rows(struct report_page *page, const struct report_cost *report, size_t first, size_t end)
{
    char text[REPORT_COST_TEXT];
    size_t count;
    const struct report_field *fields = report_cost_fields(&count);

    for (size_t k = 0; k < count; k++) {
        bool is_shown = false;
        for (size_t i = first; i < end; i++)
            is_shown = is_shown || strcmp(report_cost_text(&report->networks[i], &fields[k], text), "0") != 0;
        if (fields[k].label == NULL || !is_shown)
            continue;
        report_page_cell(page, "%s", fields[k].label);
        for (size_t i = first; i < end; i++)
            report_page_cell(page, "%s", report_cost_text(&report->networks[i], &fields[k], text));
        report_page_cell(page, "%s", fields[k].remark);
    }
}

/* "area_input_buffers_mm2" is "input buffers, mm²" under the heading of a router. How far the technology's numbers
 * may be from the model that they came from stands beside them. */
static void put_router(struct report_page *page, const struct report_cost *report, size_t first, size_t end)
{
    char text[REPORT_COST_TEXT];
    double error;

    for (enum net_cost_column column = 0; column < NET_COST_LINKS; column++) {
        if (net_cost_row(column)->role == NET_COST_REST)
            continue;
        report_page_cell(page, "%s", net_cost_row(column)->name);
        for (size_t i = first; i < end; i++)
            report_page_cell(page, "%s", report_cost_real(report->networks[i].costs.router[column], text));
        error = net_technology_error(report->technology, column);
        if (error > 0)
            report_page_cell(page, "within %g %%", error);
        else
            report_page_cell(page, "%s", "");
    }
}

/* A reason of two of them is told once. */
void report_cost_reasons(struct report_page *page, const struct report_cost_network *network)
{
    const char *reasons[] = {network->costs.layout_reason, network->costs.router_reason,
                             network->costs.link_reason};

    for (size_t k = 0; k < sizeof reasons / sizeof reasons[0]; k++)
        if (reasons[k][0] != '\0' &&
            (k != 2 || (strcmp(reasons[2], reasons[0]) != 0 && strcmp(reasons[2], reasons[1]) != 0)))
            report_page_paragraph(page, 0, "%s: %s.", network->topology, reasons[k]);
}

/* Where routers stand: the same for all networks. */
static void put_technology(struct report_page *page, const struct report_cost *report)
{
    char layout[200];

    if (report->racks == NULL)
        snprintf(layout, sizeof layout, "%g mm between routers", report->pitch_mm);
    else
        snprintf(layout, sizeof layout, "racks of %.150s", report->racks);
    report_page_paragraph(page, 0, "technology %s: %s; %g GHz; %s", net_technology_name(report->technology),
                          net_technology_summary(report->technology), (double)report->clock_khz * 1e-6,
                          layout);
}

/* Text and document have the same sections; a document also says how it was made. */
static void put(struct report_page *page, const struct report_cost *report)
{
    if (report->command != NULL && report_page_is_markup(page)) {
        report_page_table(page, "ll");
        report_page_command(page, report->command);
        report_page_program(page);
        report_page_table_end(page);
    }
    put_technology(page, report);
    report_page_gap(page);
    for (size_t i = 0; i < report->count; i += NETWORKS_SHOWN) {
        size_t end = i + NETWORKS_SHOWN < report->count ? i + NETWORKS_SHOWN : report->count;
        put_heads(page, report, i, end);
        put_physical(page, report, i, end);
        put_rows(page, report, i, end);
        report_page_table_end(page);
        report_page_heading(page, "A router");
        put_heads(page, report, i, end);
        put_router(page, report, i, end);
        report_page_table_end(page);
        report_page_gap(page);
    }
    for (size_t i = 0; i < report->count; i++)
        report_cost_reasons(page, &report->networks[i]);
}

/* width: columns of the terminal. */
int report_cost_page(const struct report_cost *report, FILE *stream, unsigned width, struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    put(&page, report);
    return report_page_finish(&page, error);
}

/* One document, without any picture. */
int report_cost_html(const struct report_cost *report, FILE *stream, struct base_error *error)
{
    struct report_page page;

    report_page_begin_markup(&page, stream, "Costs of networks");
    put(&page, report);
    return report_page_finish(&page, error);
}
