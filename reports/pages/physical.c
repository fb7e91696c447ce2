/* Rates and latencies of a network in a sentence, a table and JSON. */
#include "reports/pages/physical.h"

#include <stdio.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define BYTES_OF_GB 1e9
#define PS_OF_NS 1e3

/* "25 GB/s", or "4.7 to 9.4 GB/s" where links differ. */
static void put_range(char text[REPORT_PHYSICAL_TEXT], uint64_t least, uint64_t most,
                      char *(*format)(uint64_t, const char *, char[BASE_UNITS_TEXT]))
{
    char low[BASE_UNITS_TEXT], high[BASE_UNITS_TEXT];

    format(least, " ", low);
    format(most, " ", high);
    snprintf(text, REPORT_PHYSICAL_TEXT, "%s%s%s", least < most ? low : "", least < most ? " to " : "", high);
}

/* A range has two ends with one unit. Where no rate is known there is no clock either, hence the same test in the
 * function below. */
char *report_physical_rate(const struct report_physical *physical, char text[REPORT_PHYSICAL_TEXT])
{
    snprintf(text, REPORT_PHYSICAL_TEXT, "-");
    if (physical->most_rate != 0)
        put_range(text, physical->least_rate, physical->most_rate, base_format_rate);
    return text;
}

/* A hop is a router and a link; on a network whose links differ the shortest and the longest. */
char *report_physical_hop(const struct report_physical *physical, char text[REPORT_PHYSICAL_TEXT])
{
    snprintf(text, REPORT_PHYSICAL_TEXT, "-");
    if (physical->most_rate != 0)
        put_range(text, physical->least_hop_ps, physical->most_hop_ps, base_format_duration);
    return text;
}

/* What was asked for, where rounding to cycles made another latency of it. */
static void put_asked(char text[REPORT_PHYSICAL_TEXT], const struct report_physical *physical)
{
    char asked[BASE_UNITS_TEXT];

    text[0] = '\0';
    if (physical->asked_hop_ps != 0 && physical->asked_hop_ps != physical->most_hop_ps)
        snprintf(text, REPORT_PHYSICAL_TEXT, " (%s asked for)",
                 base_format_duration(physical->asked_hop_ps, " ", asked));
}

/* Below the answer of a run, and the subject of everything else: what "slow" is measured against. */
void report_physical_text(struct report_page *page, const struct report_physical *physical)
{
    char rate[REPORT_PHYSICAL_TEXT], hop[REPORT_PHYSICAL_TEXT], asked[REPORT_PHYSICAL_TEXT];
    char cut[BASE_UNITS_TEXT];

    if (physical->most_rate == 0)
        return;
    report_physical_rate(physical, rate);
    report_physical_hop(physical, hop);
    put_asked(asked, physical);
    report_page_paragraph(
        page, 0, "%s%s carry %s each way, %sa hop takes %s%s%s%s%s.",
        physical->machine == NULL ? "" : physical->machine, physical->machine == NULL ? "Links" : ": links",
        rate, physical->bisection_rate == 0 ? "and " : "", hop, asked,
        physical->bisection_rate == 0 ? "" : ", and ",
        physical->bisection_rate == 0 ? "" : base_format_rate(physical->bisection_rate, " ", cut),
        physical->bisection_rate == 0 ? ""
        : physical->bisection_exact   ? " cross the bisection, both ways"
                                      : " cross the best bisection known, both ways");
}

/* For the table of a comparison, in which each network has a row. */
void report_physical_cells(struct report_page *page, const struct report_physical *physical)
{
    char text[REPORT_PHYSICAL_TEXT];

    report_page_cell(page, "%s", report_physical_rate(physical, text));
    report_page_cell(page, "%s", report_physical_hop(physical, text));
    report_page_cell(page, "%s",
                     physical->bisection_rate == 0 ? "-"
                                                   : base_format_rate(physical->bisection_rate, " ", text));
}

/* Only topology --machine has them; the sources are part of the table, so that nobody has to believe the file. */
void report_figures_text(struct report_page *page, const struct report_physical *physical)
{
    if (physical->figure_count == 0)
        return;
    report_page_heading(page, "Published figures");
    report_page_table(page, "lrrl");
    report_page_cell(page, "figure");
    report_page_cell(page, "published");
    report_page_cell(page, "here");
    report_page_cell(page, "source");
    report_page_head(page);
    for (uint32_t i = 0; i < physical->figure_count; i++) {
        const struct report_figure *figure = &physical->figures[i];
        report_page_cell(page, "%s", figure->name);
        report_page_cell(page, "%s", figure->published);
        report_page_cell(page, "%s", figure->here == NULL ? "not known" : figure->here);
        report_page_cell(page, "%s", figure->source);
    }
    report_page_table_end(page);
}

/* Texts with their units, as in the table: what they are, `figure` says. */
void report_figures_json(struct report_json *json, json_t *object, const struct report_physical *physical)
{
    json_t *list = report_json_array(json, object, "published");

    for (uint32_t i = 0; i < physical->figure_count; i++) {
        const struct report_figure *figure = &physical->figures[i];
        json_t *row = report_json_entry(json, list);
        report_json_put(json, row, "figure", report_json_text(figure->name));
        report_json_put(json, row, "published", report_json_text(figure->published));
        report_json_put(json, row, "here", report_json_text(figure->here));
        report_json_put(json, row, "met", json_boolean(figure->met));
        report_json_put(json, row, "source", report_json_text(figure->source));
    }
}

/* 10^9 bytes a second and nanoseconds, in which makers of networks speak. */
void report_physical_json(struct report_json *json, json_t *object, const struct report_physical *physical)
{
    json_t *own;

    if (physical->most_rate == 0) {
        report_json_put(json, object, "physical", json_null());
        return;
    }
    own = report_json_object(json, object, "physical");
    report_json_put(json, own, "machine", report_json_text(physical->machine));
    report_json_put(json, own, "link_gb_per_s", report_json_real((double)physical->most_rate / BYTES_OF_GB));
    report_json_put(json, own, "narrowest_link_gb_per_s",
                    report_json_real((double)physical->least_rate / BYTES_OF_GB));
    report_json_put(json, own, "hop_ns", report_json_real((double)physical->least_hop_ps / PS_OF_NS));
    report_json_put(json, own, "longest_hop_ns", report_json_real((double)physical->most_hop_ps / PS_OF_NS));
    report_json_put(json, own, "asked_hop_ns",
                    physical->asked_hop_ps == 0
                        ? json_null()
                        : report_json_real((double)physical->asked_hop_ps / PS_OF_NS));
    report_json_put(json, own, "bisection_gb_per_s",
                    physical->bisection_rate == 0
                        ? json_null()
                        : report_json_real((double)physical->bisection_rate / BYTES_OF_GB));
    report_json_put(json, own, "bisection_exact", json_boolean(physical->bisection_exact));
}
