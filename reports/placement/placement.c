/* A placement and what it costs, as text and as JSON.
 *
 * The cost is static: which bytes cross which links, without any notion of when. Two placements of equal cost
 * may run differently; one of much higher cost rarely runs better.
 *
 *      Mapping random of 4 ranks to the 4 terminals of mesh:2x2.
 *      They exchange 2 552 messages of 2.2 MiB (traces/mg.S.4).
 *
 *        hop-bytes          2.9 MiB  every byte counted once per link that it crosses
 *        mean dilation        1.329  links crossed by a message
 *        …
 *
 * Loads of links are expectations: where a routing has several equally good ways, they share. */
#include "reports/placement/placement.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/cost/section.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define DILATION_DECIMALS 3
#define CHANGE_TEXT (REPORT_NUMBER_TEXT + 8)

/* Of the identity itself one column is enough. */
static bool is_compared(const struct report_placement *placement)
{
    return placement->has_before && strcmp(placement->mapping, "identity") != 0;
}

/* A measure of both placements, and what it means. Without an identity to compare with there is one column
 * less, which the table's alignment must say too. */
static void put_row(struct report_page *page, const char *name, const char *before, const char *after,
                    const char *remark)
{
    report_page_cell(page, "%s", name);
    if (before != NULL)
        report_page_cell(page, "%s", before);
    report_page_cell(page, "%s", after);
    report_page_cell(page, "%s", remark);
}

static const struct report_field rows[] = {
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning)                                   \
    {#key, unit, label, remark, REPORT_FIELD_##kind, 0, 1, offsetof(struct report_placement_cost, key)},
#include "reports/placement/cost.def"
#undef REPORT_FIELD
};
static const struct report_fields fields = {rows, sizeof rows / sizeof rows[0]};

/* A static cost of both placements. */
static void put_field(struct report_page *page, const struct report_placement *placement,
                      const struct report_field *field)
{
    char before[REPORT_FIELD_TEXT], after[REPORT_FIELD_TEXT];

    report_field_text(field, &placement->before, DILATION_DECIMALS, before);
    report_field_text(field, &placement->cost, DILATION_DECIMALS, after);
    put_row(page, field->label, is_compared(placement) ? before : NULL, after, field->remark);
}

/* Of a replay, and "-" for what is not known. */
struct texts {
    char time[BASE_UNITS_TEXT], slowdown[REPORT_NUMBER_TEXT];
};

/* Times need a replay, the slowdown an ideal replay of some duration as well: what is missing stays the dash
 * that was written first. */
static void set_texts(struct texts *texts, const struct report_placement *placement,
                      const struct report_placement_cost *cost)
{
    snprintf(texts->time, sizeof texts->time, "-");
    snprintf(texts->slowdown, sizeof texts->slowdown, "-");
    if (cost->simulated)
        base_format_ns(cost->simulated_ns, texts->time);
    if (cost->simulated && placement->has_ideal && placement->ideal_ns > 0)
        report_page_real((double)cost->simulated_ns / (double)placement->ideal_ns, 4, texts->slowdown);
}

/* The identity beside the placement: what the mapping is good for. */
static void put_costs(struct report_page *page, const struct report_placement *placement)
{
    struct texts after, before;
    bool both = is_compared(placement);

    set_texts(&after, placement, &placement->cost);
    set_texts(&before, placement, &placement->before);
    report_page_table(page, both ? "lrrl" : "lrl");
    if (!both)
        report_page_titles(page, "cost|placement|");
    if (both) {
        put_row(page, "", "identity", placement->mapping, "");
        report_page_head(page);
    }
    for (size_t i = 0; i < fields.count; i++)
        put_field(page, placement, &fields.field[i]);
    put_row(page, "simulated time", both ? before.time : NULL, after.time, "of the replay");
    put_row(page, "slowdown", both ? before.slowdown : NULL, after.slowdown, "against an ideal network");
    report_page_table_end(page);
}

/* "24.6 % less", "1.7 % more", "the same". Where there was nothing, any share of it would be. */
static char *change(double before, double after, char text[CHANGE_TEXT])
{
    char share[REPORT_NUMBER_TEXT];

    if (after == before)
        snprintf(text, CHANGE_TEXT, "the same");
    else
        snprintf(text, CHANGE_TEXT, "%s %s", report_page_share(fabs(after / before - 1), share),
                 after < before ? "less" : "more");
    return text;
}

/* Whether it pays, before the numbers that say why. */
static void put_answer(struct report_page *page, const struct report_placement *placement)
{
    const struct report_placement_cost *before = &placement->before, *after = &placement->cost;
    char bytes[CHANGE_TEXT], time[CHANGE_TEXT];

    if (!is_compared(placement) || before->hop_bytes == 0)
        return;
    change((double)before->hop_bytes, (double)after->hop_bytes, bytes);
    if (before->simulated && after->simulated && before->simulated_ns > 0)
        report_page_paragraph(page, 0, "Against identity: %s simulated time, %s hop-bytes.",
                              change((double)before->simulated_ns, (double)after->simulated_ns, time), bytes);
    else
        report_page_paragraph(page, 0, "Against identity: %s hop-bytes.", bytes);
}

/* The placement itself is not printed: it has a file format of its own (map_placement_write). */
static void put_sections(struct report_page *page, const struct report_placement *placement)
{
    char number[BASE_UNITS_TEXT], bytes[BASE_UNITS_TEXT], asked[BASE_UNITS_TEXT];

    report_page_paragraph(page, 0, "Mapping %s of %" PRIu32 " ranks to the %" PRIu32 " terminals of %s.",
                          placement->mapping, placement->ranks, placement->terminals, placement->topology);
    put_answer(page, placement);
    report_physical_text(page, &placement->physical);
    report_window_text(page, placement->window);
    report_page_paragraph(page, 0, "They exchange %s messages of %s (%s).",
                          base_format_count(placement->messages, number),
                          base_format_bytes(placement->bytes, bytes), placement->source);
    report_partition_text(page, &placement->partition);
    report_page_gap(page);
    put_costs(page, placement);
    report_page_answer(page, false);
    if (strcmp(placement->mapping, "identity") == 0)
        report_page_paragraph(
            page, 0,
            "Rank i runs on the i-th terminal that it may use; --mapping portfolio searches for a "
            "better placement (flitreplay list mappings).");
    if (placement->evaluations_asked == 0 && placement->evaluations == 0)
        ; /* a rule, which searches nothing */
    else if (placement->evaluations_asked == 0)
        report_page_paragraph(page, 0, "The search for the least %s evaluated %s placement%s.",
                              placement->objective, base_format_count(placement->evaluations, number),
                              placement->evaluations == 1 ? "" : "s");
    else
        report_page_paragraph(page, 0, "The search for the least %s evaluated %s placement%s of at most %s.",
                              placement->objective, base_format_count(placement->evaluations, number),
                              placement->evaluations == 1 ? "" : "s",
                              base_format_count(placement->evaluations_asked, asked));
    if (placement->interrupted)
        report_page_paragraph(page, 0, "Interrupted: it is the best placement found until then.");
    report_cost_section(page, placement->costs);
}

/* As the document, but for the picture and the list of ranks. */
int report_placement_text(const struct report_placement *placement, FILE *stream, unsigned width,
                          struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    put_sections(&page, placement);
    return report_page_finish(&page, error);
}

/* Where every rank is, folded away: there may be thousands. */
static void put_terminals(struct report_page *page, const struct report_placement *placement)
{
    report_page_heading(page, "Placement");
    report_page_details(page, "The terminal of each rank");
    report_page_table(page, "rr");
    report_page_titles(page, "rank|terminal");
    for (uint32_t i = 0; i < placement->ranks; i++) {
        report_page_cell(page, "%" PRIu32, i);
        report_page_cell(page, "%" PRIu32, placement->terminal[i]);
    }
    report_page_table_end(page);
    report_page_details_end(page);
}

/* What the document was made from, which may travel without its command. */
static void put_provenance(struct report_page *page, const struct report_placement *placement)
{
    report_page_heading(page, "Provenance");
    report_page_table(page, "ll");
    report_page_titles(page, "of the placement|");
    report_page_command(page, placement->command);
    if (placement->fingerprint != NULL) {
        report_page_cell(page, "trace hash");
        report_page_cell(page, "%s", placement->fingerprint);
    }
    report_page_cell(page, "routing");
    report_page_cell(page, "%s", placement->routing == NULL ? "none" : placement->routing);
    report_inputs_rows(page, &placement->inputs);
    report_page_program(page);
    report_page_table_end(page);
}

/* The picture is drawn by the caller's function, since it needs the network and the graph, which this room does
 * not have; NULL: no picture. */
int report_placement_html(const struct report_placement *placement, report_page_picture *draw,
                          const void *content, FILE *stream, struct base_error *error)
{
    struct report_page page;
    char title[256];

    snprintf(title, sizeof title, "%.80s on %.80s", placement->mapping, placement->topology);
    report_page_begin_markup(&page, stream, title);
    put_sections(&page, placement);
    if (draw != NULL)
        report_page_figure(
            &page, "the ranks on the network, who communicates with whom, and the load of the channels", draw,
            content);
    put_terminals(&page, placement);
    put_provenance(&page, placement);
    return report_page_finish(&page, error);
}

/* The same keys for placement and identity, null where no replay was made: a reader compares the two without
 * asking which there are. */
static void put_cost(struct report_json *json, json_t *object, const struct report_placement *placement,
                     const struct report_placement_cost *cost)
{
    bool slowdown = cost->simulated && placement->has_ideal && placement->ideal_ns > 0;

    report_fields_json(json, object, &fields, cost, 0, 1);
    report_json_put(json, object, "simulated_ns",
                    cost->simulated ? report_json_integer(cost->simulated_ns) : json_null());
    report_json_put(json, object, "slowdown",
                    slowdown ? report_json_real((double)cost->simulated_ns / (double)placement->ideal_ns)
                             : json_null());
}

/* The placement is an array by rank, so that the answer alone is enough to repeat it. The identity is an
 * empty object where there was nothing to compare. */
int report_placement_json(const struct report_placement *placement, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_MAP_SCHEMA);
    json_t *list, *before;

    report_json_put(&json, top, "source", report_json_text(placement->source));
    report_json_put(&json, top, "trace_fingerprint", report_json_text(placement->fingerprint));
    report_json_put(&json, top, "topology", report_json_text(placement->topology));
    report_json_put(&json, top, "routing", report_json_text(placement->routing));
    report_json_put(&json, top, "mapping", report_json_text(placement->mapping));
    report_inputs_json(&json, top, &placement->inputs);
    report_physical_json(&json, top, &placement->physical);
    report_window_json(&json, top, placement->window);
    report_json_put(&json, top, "ranks", report_json_integer(placement->ranks));
    report_json_put(&json, top, "messages", report_json_integer(placement->messages));
    report_json_put(&json, top, "bytes", report_json_integer(placement->bytes));
    put_cost(&json, top, placement, &placement->cost);
    report_json_put(&json, top, "ideal_ns",
                    placement->has_ideal ? report_json_integer(placement->ideal_ns) : json_null());
    report_json_put(&json, top, "objective", report_json_text(placement->objective));
    before = report_json_object(&json, top, "identity");
    if (placement->has_before)
        put_cost(&json, before, placement, &placement->before);
    report_json_put(&json, top, "evaluations", report_json_integer(placement->evaluations));
    report_json_put(&json, top, "evaluations_asked",
                    placement->evaluations_asked == 0 ? json_null()
                                                      : report_json_integer(placement->evaluations_asked));
    report_json_put(&json, top, "interrupted", json_boolean(placement->interrupted));
    report_partition_json(&json, top, &placement->partition);
    report_cost_section_json(&json, top, placement->costs);
    list = report_json_array(&json, top, "placement");
    for (uint32_t i = 0; i < placement->ranks; i++)
        report_json_append(&json, list, report_json_integer(placement->terminal[i]));
    report_json_host(&json, top, &placement->host);
    return report_json_finish(&json, stream, error);
}
