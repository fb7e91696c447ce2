/* What a conversion wrote and lost, as text and as JSON. */
#include "reports/traces/convert.h"

#include <inttypes.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* A loss is a kind, which scripts and the manual know, with its count, and a sentence. */
static void put_losses(struct report_page *page, const struct report_convert *convert)
{
    char number[BASE_UNITS_TEXT];

    if (convert->loss_count == 0) {
        report_page_paragraph(page, 0, "Nothing was lost.");
        return;
    }
    report_page_heading(page, "Lost or written differently");
    report_page_table(page, "lrl");
    for (uint32_t i = 0; i < convert->loss_count; i++) {
        report_page_cell(page, "%s", convert->losses[i].kind);
        report_page_cell(page, "%s", base_format_count(convert->losses[i].count, number));
        report_page_cell(page, "%s", convert->losses[i].text);
    }
    report_page_table_end(page);
}

/* One sentence says what was done; the losses follow, since they are what a reader has to decide
 * about. */
int report_convert_text(const struct report_convert *convert, FILE *stream, unsigned width,
                        struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "%s (%s), %" PRIu32 " rank%s, was written as %s (%s).", convert->trace,
                          convert->trace_format, convert->ranks, convert->ranks == 1 ? "" : "s",
                          convert->output, convert->format);
    put_losses(&page, convert);
    return report_page_finish(&page, error);
}

/* The same as data. Losses are an array and not an object, so that each can bring its sentence. */
int report_convert_json(const struct report_convert *convert, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_CONVERT_SCHEMA);
    json_t *losses;

    report_json_put(&json, top, "trace", report_json_text(convert->trace));
    report_json_put(&json, top, "trace_format", report_json_text(convert->trace_format));
    report_json_put(&json, top, "output", report_json_text(convert->output));
    report_json_put(&json, top, "format", report_json_text(convert->format));
    report_json_put(&json, top, "ranks", report_json_integer(convert->ranks));
    losses = report_json_array(&json, top, "losses");
    for (uint32_t i = 0; i < convert->loss_count; i++) {
        json_t *entry = report_json_entry(&json, losses);
        report_json_put(&json, entry, "kind", report_json_text(convert->losses[i].kind));
        report_json_put(&json, entry, "count", report_json_integer(convert->losses[i].count));
        report_json_put(&json, entry, "text", report_json_text(convert->losses[i].text));
    }
    report_json_host(&json, top, &convert->host);
    return report_json_finish(&json, stream, error);
}
