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
#include "reports/run/coverage.h"

#include <string.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

const char *report_treatment_name(enum report_treatment treatment)
{
    static const char *const names[REPORT_TREATMENTS] = {"exact", "decomposed", "approximated", "ignored"};
    return names[treatment];
}

/* Calls alone: other records say nothing of what the program did. */
static uint64_t count_calls(const struct report_coverage *rows, uint32_t count, bool missing)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < count; i++)
        if (rows[i].is_call && (rows[i].is_missing || !missing))
            calls += rows[i].records;
    return calls;
}

double report_coverage_recorded(const struct report_coverage *rows, uint32_t count)
{
    uint64_t missing = count_calls(rows, count, true);

    return missing == 0 ? 1 : 1 - (double)missing / (double)count_calls(rows, count, false);
}

void report_coverage_missing_text(struct report_page *page, const struct report_coverage *rows,
                                  uint32_t count, const char *of)
{
    uint64_t missing = count_calls(rows, count, true);
    const char *names = "";
    char number[BASE_UNITS_TEXT];

    if (missing == 0)
        return;
    for (uint32_t i = 0; i < count && names != NULL; i++)
        if (rows[i].is_call && rows[i].is_missing)
            names =
                base_arena_format(&page->arena, "%s%s%s", names, *names == '\0' ? "" : ", ", rows[i].record);
    page->failed |= names == NULL;
    report_page_paragraph(
        page, 0,
        "%sNot all that the program did is in the trace: %s call%s of MPI %s left out (%s), and the "
        "messages that they sent.",
        of, base_format_count(missing, number), missing == 1 ? "" : "s", missing == 1 ? "is" : "are",
        names == NULL ? "" : names);
}

/* Two reasons, either of which may be missing. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether row i is the first of those with its treatment and its reason: there the group of them is printed.
 * Quadratic in the rows, of which a trace has some dozens. */
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

/* A line for each treatment and reason, not for each record: a trace has dozens of calls and few reasons.
 * Treatments come from the best to the worst, so that what limits trust in the result stands last, next to
 * what follows. */
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

/* ---- the table of --coverage */

/* Readers that do not know times leave all of them 0; a share of nothing is not printed. */
static uint64_t time_of(const struct report_coverage *rows, uint32_t count)
{
    uint64_t time_ns = 0;

    for (uint32_t i = 0; i < count; i++)
        time_ns += rows[i].time_ns;
    return time_ns;
}

/* "MPI_Send", 12, 4.0 KiB, 1.2 %: the cells that every row has. A trace without times has no shares. */
static void put_numbers(struct report_page *page, const struct report_coverage *row, uint64_t total_ns)
{
    char number[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", row->record);
    report_page_cell(page, "%s", base_format_count(row->records, number));
    report_page_cell(page, "%s", base_format_bytes(row->bytes, number));
    report_page_cell(page, "%s",
                     total_ns == 0 ? "-" : report_page_share((double)row->time_ns / (double)total_ns, share));
}

/* Lines of a row after its first: only the last cell says something. */
static void put_blank(struct report_page *page)
{
    for (int i = 0; i < 4; i++)
        report_page_cell(page, "%s", "");
}

/* The reason, if it says more than the title of the table, then the algorithms.
 * The reader only says that a collective is decomposed; here the algorithms say it better. For what is
 * approximated both are told. A single algorithm has all the calls. */
static void put_details(struct report_page *page, const struct report_coverage *row)
{
    bool says_reason = row->how != NULL && (row->algorithm_count == 0 || row->treatment != REPORT_DECOMPOSED);
    char number[BASE_UNITS_TEXT];

    if (says_reason)
        report_page_cell(page, "%s", row->how);
    for (uint32_t i = 0; i < row->algorithm_count; i++) {
        if (i > 0 || says_reason)
            put_blank(page);
        if (row->algorithm_count == 1)
            report_page_cell(page, "%s", row->algorithms[i].name);
        else
            report_page_cell(page, "%s call%s: %s", base_format_count(row->algorithms[i].calls, number),
                             row->algorithms[i].calls == 1 ? "" : "s", row->algorithms[i].name);
    }
    if (!says_reason && row->algorithm_count == 0)
        report_page_cell(page, "%s", "");
}

/* A table for each treatment that occurs; exact records need no explanation. Shares are of the MPI time of
 * all treatments, so that tables can be compared with each other. */
static void put_treatment(struct report_page *page, const struct report_coverage *rows, uint32_t count,
                          enum report_treatment treatment)
{
    static const char *const titles[] = {"record", "records", "bytes", "MPI time"};
    static const char *const last[REPORT_TREATMENTS] = {NULL, "algorithm", "why, and algorithm", "why"};
    uint64_t total_ns = time_of(rows, count);

    report_page_table(page, treatment == REPORT_EXACT ? "lrrr" : "lrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        report_page_cell(page, "%s", titles[i]);
    if (treatment != REPORT_EXACT)
        report_page_cell(page, "%s", last[treatment]);
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].treatment != treatment)
            continue;
        put_numbers(page, &rows[i], total_ns);
        if (treatment != REPORT_EXACT)
            put_details(page, &rows[i]);
    }
    report_page_table_end(page);
}

/* "exact 98.1 %": of records, and of time where it is known. */
static void put_shares(struct report_page *page, const struct report_coverage *rows, uint32_t count)
{
    uint64_t records = 0, total_ns = time_of(rows, count);

    for (uint32_t i = 0; i < count; i++)
        records += rows[i].records;
    report_page_table(page, "lrrr");
    report_page_cell(page, "%s", "");
    report_page_cell(page, "records");
    report_page_cell(page, "share");
    report_page_cell(page, "of MPI time");
    for (enum report_treatment treatment = REPORT_EXACT; treatment < REPORT_TREATMENTS; treatment++) {
        char number[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];
        uint64_t treated = 0, treated_ns = 0;
        for (uint32_t i = 0; i < count; i++)
            if (rows[i].treatment == treatment) {
                treated += rows[i].records;
                treated_ns += rows[i].time_ns;
            }
        report_page_cell(page, "%s", report_treatment_name(treatment));
        report_page_cell(page, "%s", base_format_count(treated, number));
        report_page_cell(page, "%s",
                         records == 0 ? "-" : report_page_share((double)treated / (double)records, share));
        report_page_cell(page, "%s",
                         total_ns == 0 ? "-"
                                       : report_page_share((double)treated_ns / (double)total_ns, share));
    }
    report_page_table_end(page);
}

/* First how much of the trace each treatment has, then the records of each. Treatments without records are
 * left out. */
void report_coverage_table(struct report_page *page, const struct report_coverage *rows, uint32_t count,
                           const char *tuning)
{
    static const char *const titles[REPORT_TREATMENTS] = {
        "Exact: replayed as recorded", NULL, "Approximated: replayed with something guessed or simplified",
        "Ignored: not replayed"};

    report_page_heading(page, "Coverage: how the records of the trace are replayed");
    put_shares(page, rows, count);
    for (enum report_treatment treatment = REPORT_EXACT; treatment < REPORT_TREATMENTS; treatment++) {
        char decomposed[160];
        bool any = false;
        for (uint32_t i = 0; i < count; i++)
            any |= rows[i].treatment == treatment;
        if (!any)
            continue;
        snprintf(decomposed, sizeof decomposed,
                 "Decomposed: replayed as simpler operations (--collectives %s)", tuning);
        report_page_heading(page, treatment == REPORT_DECOMPOSED ? decomposed : titles[treatment]);
        put_treatment(page, rows, count, treatment);
    }
}

/* ---- repairs */

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

/* The algorithms of a record, where they were asked for. */
static void algorithms_json(struct report_json *json, json_t *entry, const struct report_coverage *row)
{
    json_t *list = report_json_array(json, entry, "algorithms");

    for (uint32_t i = 0; i < row->algorithm_count; i++) {
        json_t *algorithm = report_json_entry(json, list);
        report_json_put(json, algorithm, "algorithm", report_json_text(row->algorithms[i].name));
        report_json_put(json, algorithm, "calls", report_json_integer(row->algorithms[i].calls));
        report_json_put(json, algorithm, "messages", report_json_integer(row->algorithms[i].messages));
        report_json_put(json, algorithm, "bytes", report_json_integer(row->algorithms[i].bytes));
    }
}

/* The four sums are always there, zeros included, so that a script can rely on them. */
void report_coverage_json(struct report_json *json, json_t *top, const struct report_coverage *rows,
                          uint32_t count, const char *tuning)
{
    json_t *object = report_json_object(json, top, "coverage");
    json_t *list;

    for (enum report_treatment treatment = REPORT_EXACT; treatment < REPORT_TREATMENTS; treatment++)
        report_json_put(json, object, report_treatment_name(treatment),
                        report_json_integer(records_treated(rows, count, treatment)));
    if (tuning != NULL)
        report_json_put(json, object, "collectives", report_json_text(tuning));
    list = report_json_array(json, object, "by_record");
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "record", report_json_text(rows[i].record));
        report_json_put(json, entry, "treatment", report_json_text(report_treatment_name(rows[i].treatment)));
        report_json_put(json, entry, "how", report_json_text(rows[i].how));
        report_json_put(json, entry, "records", report_json_integer(rows[i].records));
        report_json_put(json, entry, "bytes", report_json_integer(rows[i].bytes));
        report_json_put(json, entry, "time_ns", report_json_integer(rows[i].time_ns));
        if (tuning != NULL)
            algorithms_json(json, entry, &rows[i]);
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
