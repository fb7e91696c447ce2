/* A placement and what it costs, as text and as JSON.
 *
 * The cost is static: which bytes cross which links, without any notion of when. Two placements of equal cost
 * may run differently; one of much higher cost rarely runs better.
 *
 *      Mapping random of 4 ranks to the 4 terminals of mesh:2x2.
 *      They exchange 2 552 messages of 2.2 MiB (traces/mg.S.4).
 *
 *        hop-bytes          2.9 MiB  every byte once for each link that it crosses
 *        mean dilation        1.329  links crossed by a message
 *        …
 *
 * Loads of links are expectations: where a routing has several equally good ways, they share. */
#include "reports/placement.h"

#include <inttypes.h>

#include "base/units.h"
#include "reports/json.h"
#include "reports/page.h"

/* A measure, its value, and what it means. */
static void put_row(struct report_page *page, const char *name, const char *value, const char *remark)
{
    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", value);
    report_page_cell(page, "%s", remark);
}

/* Bytes that are an expectation: a load shared between equally good paths. */
static const char *expected_bytes(double bytes, char text[BASE_UNITS_TEXT])
{
    if (!(bytes >= 0 && bytes < 1e18))
        return "-";
    return base_format_bytes((uint64_t)(bytes + 0.5), text);
}

/* The placement itself is not printed: it has a file format of its own (map_placement_write). */
int report_placement_text(const struct report_placement *placement, FILE *stream, unsigned width,
                          struct base_error *error)
{
    char number[BASE_UNITS_TEXT], bytes[BASE_UNITS_TEXT], real[REPORT_NUMBER_TEXT], dilation[BASE_UNITS_TEXT];
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "Mapping %s of %" PRIu32 " ranks to the %" PRIu32 " terminals of %s.",
                          placement->mapping, placement->ranks, placement->terminals, placement->topology);
    report_page_paragraph(&page, 0, "They exchange %s messages of %s (%s).",
                          base_format_count(placement->messages, number),
                          base_format_bytes(placement->bytes, bytes), placement->source);
    fputc('\n', stream);
    report_page_table(&page, "lrl");
    put_row(&page, "hop-bytes", base_format_bytes(placement->hop_bytes, number),
            "every byte once for each link that it crosses");
    put_row(&page, "mean dilation", report_page_real(placement->mean_dilation, 3, real),
            "links crossed by a message");
    snprintf(dilation, sizeof dilation, "%" PRIu32, placement->max_dilation);
    put_row(&page, "largest dilation", dilation, "links");
    put_row(&page, "busiest channel", expected_bytes(placement->max_channel_load_bytes, number),
            "over all of the run");
    put_row(&page, "evaluations", base_format_count(placement->evaluations, number),
            "of the objective, in the search");
    report_page_table_end(&page);
    return report_page_finish(&page, error);
}

int report_placement_json(const struct report_placement *placement, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_MAP_SCHEMA), *list;

    report_json_put(&json, top, "source", report_json_text(placement->source));
    report_json_put(&json, top, "topology", report_json_text(placement->topology));
    report_json_put(&json, top, "routing", report_json_text(placement->routing));
    report_json_put(&json, top, "mapping", report_json_text(placement->mapping));
    report_json_put(&json, top, "ranks", report_json_integer(placement->ranks));
    report_json_put(&json, top, "messages", report_json_integer(placement->messages));
    report_json_put(&json, top, "bytes", report_json_integer(placement->bytes));
    report_json_put(&json, top, "hop_bytes", report_json_integer(placement->hop_bytes));
    report_json_put(&json, top, "mean_dilation", report_json_real(placement->mean_dilation));
    report_json_put(&json, top, "max_dilation", report_json_integer(placement->max_dilation));
    report_json_put(&json, top, "max_channel_load_bytes",
                    report_json_real(placement->max_channel_load_bytes));
    report_json_put(&json, top, "evaluations", report_json_integer(placement->evaluations));
    list = report_json_array(&json, top, "placement");
    for (uint32_t i = 0; i < placement->ranks; i++)
        report_json_append(&json, list, report_json_integer(placement->terminal[i]));
    report_json_host(&json, top, &placement->host);
    return report_json_finish(&json, stream, error);
}
