/* Coverage and repairs, as text and as JSON.
 *
 *      exact           replayed as it was recorded
 *      decomposed      a collective, replayed as the messages of a named algorithm
 *      approximated    something about it had to be guessed; --strict refuses that
 *      ignored         not replayed at all; --strict refuses that too
 *
 * Both are part of every answer about a trace, so that no result is ever silently built on a guess.
 *
 *      exact         125  MPI_Recv 9, MPI_Irecv 35, MPI_Waitany 3, MPI_Send 13
 *      decomposed     54  MPI_Barrier 12, MPI_Bcast 8 (point-to-point messages of the selected algorithm)
 *      approximated    4  MPI_Alltoallv 4 (only each rank's totals are recorded: split in proportion) */
#include "reports/coverage.h"

#include <string.h>

#include "base/units.h"
#include "reports/json.h"
#include "reports/page.h"

const char *report_treatment_name(enum report_treatment treatment)
{
    static const char *const names[REPORT_TREATMENTS] = {"exact", "decomposed", "approximated", "ignored"};
    return names[treatment];
}

/* Two reasons, either of which may be missing. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether row i is the first of those with its treatment and its reason: there the group of them is printed.
 */
static bool opens_group(const struct report_coverage *rows, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (rows[j].treatment == rows[i].treatment && same_text(rows[j].how, rows[i].how))
            return false;
    return true;
}

/* "MPI_Send 15, MPI_Recv 3: the reason", of all rows in the group of row `first`. */
static const char *describe_group(struct report_page *page, const struct report_coverage *rows,
                                  uint32_t count, uint32_t first, uint64_t *records)
{
    const char *text = "", *separator = "";
    char number[BASE_UNITS_TEXT];

    *records = 0;
    for (uint32_t i = first; i < count && text != NULL; i++) {
        if (rows[i].treatment != rows[first].treatment || !same_text(rows[i].how, rows[first].how))
            continue;
        *records += rows[i].records;
        text = base_arena_format(&page->arena, "%s%s%s %s", text, separator, rows[i].record,
                                 base_format_count(rows[i].records, number));
        separator = ", ";
    }
    if (text != NULL && rows[first].how != NULL)
        text = base_arena_format(&page->arena, "%s (%s)", text, rows[first].how);
    if (text == NULL)
        page->failed = true;
    return text == NULL ? "" : text;
}

/* A line for each treatment and reason, not for each record: a trace has dozens of calls and few reasons. */
void report_coverage_text(struct report_page *page, const struct report_coverage *rows, uint32_t count)
{
    report_page_heading(page, "Coverage: how the records of the trace are replayed");
    report_page_table(page, "lrl");
    for (enum report_treatment treatment = REPORT_EXACT; treatment < REPORT_TREATMENTS; treatment++)
        for (uint32_t i = 0; i < count; i++) {
            char number[BASE_UNITS_TEXT];
            uint64_t records;
            const char *text;
            if (rows[i].treatment != treatment || !opens_group(rows, i))
                continue;
            text = describe_group(page, rows, count, i, &records);
            report_page_cell(page, "%s", report_treatment_name(treatment));
            report_page_cell(page, "%s", base_format_count(records, number));
            report_page_cell(page, "%s", text);
        }
    report_page_table_end(page);
    if (count == 0)
        report_page_paragraph(page, 2, "The trace has no records of communication.");
}

/* The sentences come from the reader of the format, which knows what it did. */
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

/* Records are added up whatever they are records of: the shares tell how far a result can be trusted. */
static uint64_t records_treated(const struct report_coverage *rows, uint32_t count,
                                enum report_treatment treatment)
{
    uint64_t records = 0;

    for (uint32_t i = 0; i < count; i++)
        if (rows[i].treatment == treatment)
            records += rows[i].records;
    return records;
}

/* The four sums are always there, zeros included, so that a script can rely on them. */
void report_coverage_json(struct report_json *json, json_t *top, const struct report_coverage *rows,
                          uint32_t count)
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

/* Only kinds and counts: the sentences are for people. */
void report_repairs_json(struct report_json *json, json_t *top, const struct report_repair *rows,
                         uint32_t count)
{
    json_t *object = report_json_object(json, top, "repairs");

    for (uint32_t i = 0; i < count; i++)
        report_json_put(json, object, rows[i].kind, report_json_integer(rows[i].count));
}
