/* What is wrong with a trace, as text and as JSON.
 *
 * The text begins with the verdict, since that is what was asked for; then come the defects, the worst first,
 * a few of each kind with the place where they were recorded.
 *
 *      Damaged: 12 faults. A replay of this trace as it is stops with an error ...
 *
 *      traces/cut.S.4/traces.otf2
 *      4 ranks, recorded by Score-P (OTF2): 12 345 events.
 *
 *      Faults: the trace cannot be replayed as it is
 *        unmatched-send, 12
 *          rank 3, event 17, at 1.234 ms, MPI_Isend: 12 messages of 4.0 KiB to rank 1, tag 7 ...
 *
 * JSON has every defect that was kept, and the number of those that were not. */
#include "reports/traces/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define SHOWN 3 /* of each kind */

/* For headings, sentences and JSON alike. */
const char *report_severity_name(enum report_severity severity)
{
    static const char *const names[REPORT_SEVERITIES] = {"note", "warning", "fault"};
    return names[severity];
}

/* All texts and lists are the arena's. Legal on NULL. */
void report_check_free(struct report_check *check)
{
    if (check == NULL)
        return;
    base_arena_free(&check->arena);
    free(check);
}

/* By kinds and not by defects: of a kind that occurs a million times only some defects are kept, but all are
 * counted. */
uint64_t report_check_total(const struct report_check *check, enum report_severity severity)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < check->kind_count; i++)
        if (check->kinds[i].severity == severity)
            total += check->kinds[i].count;
    return total;
}

/* One word, also for programs.
 * The worst that was found decides: one lost message is enough to stop a replay. */
static const char *verdict_of(const struct report_check *check)
{
    if (report_check_total(check, REPORT_FAULT) > 0)
        return "damaged";
    return report_check_total(check, REPORT_WARNING) > 0 ? "doubtful" : "sound";
}

/* ---- text */

/* "12 faults", "1 warning". */
static const char *count_text(struct report_page *page, const struct report_check *check,
                              enum report_severity severity)
{
    uint64_t total = report_check_total(check, severity);
    char number[BASE_UNITS_TEXT];
    const char *text = base_arena_format(&page->arena, "%s %s%s", base_format_count(total, number),
                                         report_severity_name(severity), total == 1 ? "" : "s");

    page->failed |= text == NULL;
    return text == NULL ? "" : text;
}

/* What the trace is worth, and what that means for a replay.
 * A verdict without its consequence would leave the reader with a number of warnings and no idea whether they
 * matter. */
static void put_verdict(struct report_page *page, const struct report_check *check)
{
    if (report_check_total(check, REPORT_FAULT) > 0)
        report_page_paragraph(
            page, 0,
            "Damaged: %s. A replay of this trace as it is would stop with an error, or wait for a "
            "message that never comes; record it again, or see below what is missing.",
            count_text(page, check, REPORT_FAULT));
    else if (report_check_total(check, REPORT_WARNING) > 0)
        report_page_paragraph(page, 0,
                              "Doubtful: %s. The trace can be replayed, but the result depends on the "
                              "points below.",
                              count_text(page, check, REPORT_WARNING));
    else if (report_check_total(check, REPORT_NOTE) > 0)
        report_page_paragraph(page, 0, "Sound: nothing is wrong that affects a replay; see the notes.");
    else
        report_page_paragraph(page, 0, "Sound: nothing wrong was found.");
}

/* As `info` begins, so that the two can be read side by side. */
static void put_trace(struct report_page *page, const struct report_check *check)
{
    char events[BASE_UNITS_TEXT];

    fputc('\n', page->stream);
    report_page_paragraph(page, 0, "%s", check->trace);
    report_page_paragraph(page, 0, "%" PRIu32 " rank%s, recorded by %s (%s): %s events.", check->ranks,
                          check->ranks == 1 ? "" : "s", check->writer, check->format,
                          base_format_count(check->events, events));
}

/* "rank 3, event 17, at 1.234 ms, MPI_Isend, region solve: ", or nothing for the whole trace. Each part is
 * left out when it is unknown: a defect of a file has no rank, one found before the first event no event.
 * The text lives in the page's arena. */
static const char *place_text(struct report_page *page, const struct report_defect *defect)
{
    char time[BASE_UNITS_TEXT];
    const char *text = "";

    if (defect->rank == UINT32_MAX)
        return "";
    text = base_arena_format(&page->arena, "rank %" PRIu32, defect->rank);
    if (text != NULL && defect->event > 0)
        text = base_arena_format(&page->arena, "%s, event %" PRIu64, text, defect->event);
    if (text != NULL && defect->time_ns != UINT64_MAX)
        text = base_arena_format(&page->arena, "%s, at %s", text, base_format_ns(defect->time_ns, time));
    if (text != NULL && defect->call != NULL)
        text = base_arena_format(&page->arena, "%s, %s", text, defect->call);
    if (text != NULL && defect->region != NULL)
        text = base_arena_format(&page->arena, "%s, region %s", text, defect->region);
    if (text != NULL)
        text = base_arena_format(&page->arena, "%s: ", text);
    page->failed |= text == NULL;
    return text == NULL ? "" : text;
}

/* The kind's name and number, then the first of its defects. What else there is, the number tells. Three
 * places are enough to look one up; the sentence says "more" where not even the JSON has all of them. */
static void put_kind(struct report_page *page, const struct report_check *check,
                     const struct report_defect_kind *kind)
{
    char number[BASE_UNITS_TEXT];
    unsigned shown = 0;
    uint32_t kept = 0;

    report_page_paragraph(page, 2, "%s: %s", kind->kind, base_format_count(kind->count, number));
    for (uint32_t i = 0; i < check->defect_count; i++) {
        const struct report_defect *defect = &check->defects[i];
        if (strcmp(defect->kind, kind->kind) != 0)
            continue;
        kept++;
        if (shown == SHOWN)
            continue;
        shown++;
        report_page_paragraph(page, 4, "%s%s", place_text(page, defect), defect->text);
    }
    if (kept > shown)
        report_page_paragraph(page, 4, "... (--json has %s)", kept == kind->count ? "all" : "more");
}

/* A heading only where there is something below it. */
static void put_severity(struct report_page *page, const struct report_check *check,
                         enum report_severity severity)
{
    static const char *const titles[REPORT_SEVERITIES] = {
        [REPORT_NOTE] = "Notes: a replay is not affected",
        [REPORT_WARNING] = "Warnings: a replay is affected",
        [REPORT_FAULT] = "Faults: the trace cannot be replayed as it is",
    };
    bool any = false;

    for (uint32_t i = 0; i < check->kind_count; i++) {
        if (check->kinds[i].severity != severity || check->kinds[i].count == 0)
            continue;
        if (!any)
            report_page_heading(page, titles[severity]);
        any = true;
        put_kind(page, check, &check->kinds[i]);
    }
}

/* What no check of the trace alone can find out. */
static void put_limits(struct report_page *page, const struct report_check *check)
{
    char number[BASE_UNITS_TEXT];
    bool misses_regions = check->no_regions != NULL && check->defect_count > 0; /* of no interest without */

    if (check->unfaithful == 0 && !check->one_clock && check->common_clock && !misses_regions)
        return;
    report_page_heading(page, "Besides");
    if (check->unfaithful > 0)
        report_page_paragraph(page, 2,
                              "%s record%s of the trace %s approximated or ignored by a replay: flitreplay "
                              "info --coverage shows which, and why.",
                              base_format_count(check->unfaithful, number), check->unfaithful == 1 ? "" : "s",
                              check->unfaithful == 1 ? "is" : "are");
    if (!check->common_clock)
        report_page_paragraph(
            page, 2,
            "The clocks of the ranks are unrelated: whether messages were received "
            "before they were sent cannot be determined. A replay uses only times within a rank.");
    if (misses_regions)
        report_page_paragraph(page, 2, "No defect has a region: %s.", check->no_regions);
    if (check->one_clock)
        report_page_paragraph(
            page, 2,
            "The trace has one clock: it does not show whether the ranks shared cores while "
            "recording. If they did, compare networks with --compute zero.");
}

/* From the worst to the harmless; what is shown first must be what has to be repaired first. */
int report_check_text(const struct report_check *check, FILE *stream, unsigned width,
                      struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    put_verdict(&page, check);
    report_clocks_text(&page, &check->clocks, "");
    put_trace(&page, check);
    for (int severity = REPORT_FAULT; severity >= REPORT_NOTE; severity--)
        put_severity(&page, check, (enum report_severity)severity);
    put_limits(&page, check);
    return report_page_finish(&page, error);
}

/* ---- JSON */

/* A list, in the order in which kinds were found: that of the trace. */
static void kinds_json(struct report_json *json, json_t *top, const struct report_check *check)
{
    json_t *list = report_json_array(json, top, "kinds");

    for (uint32_t i = 0; i < check->kind_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "kind", report_json_text(check->kinds[i].kind));
        report_json_put(json, entry, "severity",
                        report_json_text(report_severity_name(check->kinds[i].severity)));
        report_json_put(json, entry, "count", report_json_integer(check->kinds[i].count));
    }
}

/* What is unknown is null: programs need not know which numbers stand for nothing. */
static void defects_json(struct report_json *json, json_t *top, const struct report_check *check)
{
    json_t *list = report_json_array(json, top, "defects");

    for (uint32_t i = 0; i < check->defect_count; i++) {
        const struct report_defect *defect = &check->defects[i];
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "kind", report_json_text(defect->kind));
        report_json_put(json, entry, "severity", report_json_text(report_severity_name(defect->severity)));
        report_json_put(json, entry, "rank",
                        defect->rank == UINT32_MAX ? json_null() : report_json_integer(defect->rank));
        report_json_put(json, entry, "event",
                        defect->event == 0 ? json_null() : report_json_integer(defect->event));
        report_json_put(json, entry, "time_ns",
                        defect->time_ns == UINT64_MAX ? json_null() : report_json_integer(defect->time_ns));
        report_json_put(json, entry, "call", report_json_text(defect->call));
        report_json_put(json, entry, "region", report_json_text(defect->region));
        report_json_put(json, entry, "text", report_json_text(defect->text));
    }
}

enum part { PART_SIZE, PART_FOUND };

/* The numbers of a part, in the order of the table. */
static void put_numbers(struct report_json *json, json_t *object, const struct report_check *check,
                        enum part part)
{
#define REPORT_OF_CHECK(of, key, kind, unit, source, meaning)                                                \
    if (part == PART_##of)                                                                                   \
        REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/traces/fields.def"
}

/* The three sums are always there, zeros included. */
int report_check_json(const struct report_check *check, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_CHECK_SCHEMA);

    report_json_put(&json, top, "trace", report_json_text(check->trace));
    report_json_put(&json, top, "format", report_json_text(check->format));
    report_json_put(&json, top, "writer", report_json_text(check->writer));
    put_numbers(&json, top, check, PART_SIZE);
    report_json_put(&json, top, "verdict", report_json_text(verdict_of(check)));
    put_numbers(&json, top, check, PART_FOUND);
    report_clocks_json(&json, top, &check->clocks);
    report_json_put(&json, top, "no_regions", report_json_text(check->no_regions));
    kinds_json(&json, top, check);
    defects_json(&json, top, check);
    report_json_host(&json, top, &check->host);
    return report_json_finish(&json, stream, error);
}
