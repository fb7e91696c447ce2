/* Coverage and repairs, as text and as JSON. */
#include "reports/coverage.h"

#include "base/units.h"
#include "reports/json.h"
#include "reports/page.h"

const char *report_treatment_name(enum report_treatment treatment)
{
    static const char *const names[REPORT_TREATMENTS] = {"exact", "decomposed", "approximated", "ignored"};
    return names[treatment];
}

void report_coverage_text(struct report_page *page, const struct report_coverage *rows, uint32_t count)
{
    report_page_heading(page, "Coverage: how the records of the trace are replayed");
    report_page_table(page, "lrll");
    for (uint32_t i = 0; i < count; i++) {
        char number[BASE_UNITS_TEXT];
        report_page_cell(page, "%s", rows[i].record);
        report_page_cell(page, "%s", base_format_count(rows[i].records, number));
        report_page_cell(page, "%s", report_treatment_name(rows[i].treatment));
        report_page_cell(page, "%s", rows[i].how == NULL ? "" : rows[i].how);
    }
    report_page_table_end(page);
    if (count == 0)
        report_page_paragraph(page, 2, "The trace has no records of communication.");
}

void report_repairs_text(struct report_page *page, const struct report_repair *rows, uint32_t count)
{
    if (count == 0)
        return;
    report_page_heading(page, "Repairs: what the recorder left out or got wrong");
    report_page_table(page, "lrl");
    for (uint32_t i = 0; i < count; i++) {
        char number[BASE_UNITS_TEXT];
        report_page_cell(page, "%s", rows[i].kind);
        report_page_cell(page, "%s", base_format_count(rows[i].count, number));
        report_page_cell(page, "%s", rows[i].text);
    }
    report_page_table_end(page);
}

static uint64_t records_treated(const struct report_coverage *rows, uint32_t count, enum report_treatment treatment)
{
    uint64_t records = 0;

    for (uint32_t i = 0; i < count; i++)
        if (rows[i].treatment == treatment)
            records += rows[i].records;
    return records;
}

void report_coverage_json(struct report_json *json, json_t *top, const struct report_coverage *rows, uint32_t count)
{
    json_t *object = report_json_object(json, top, "coverage"), *list;

    for (enum report_treatment treatment = REPORT_EXACT; treatment < REPORT_TREATMENTS; treatment++)
        report_json_put(json, object, report_treatment_name(treatment),
                        report_json_integer(records_treated(rows, count, treatment)));
    list = report_json_array(json, object, "by_record");
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "record", report_json_text(rows[i].record));
        report_json_put(json, entry, "treatment", report_json_text(report_treatment_name(rows[i].treatment)));
        report_json_put(json, entry, "how", report_json_text(rows[i].how));
        report_json_put(json, entry, "records", report_json_integer(rows[i].records));
        report_json_put(json, entry, "bytes", report_json_integer(rows[i].bytes));
    }
}

void report_repairs_json(struct report_json *json, json_t *top, const struct report_repair *rows, uint32_t count)
{
    json_t *object = report_json_object(json, top, "repairs");

    for (uint32_t i = 0; i < count; i++)
        report_json_put(json, object, rows[i].kind, report_json_integer(rows[i].count));
}
