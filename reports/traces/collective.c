/* One collective, as text, JSON and CSV.
 *
 *      allreduce on 16 ranks: allreduce-rabenseifner
 *
 *        table            mpich-4  equal to every message that MPICH 4.0.2 sent …
 *        messages             128  of all ranks; 8 of the rank that sends most
 *        …
 *
 * Messages go straight to the stream, one after another. */
#include "reports/traces/collective.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* ---- Text ---- */

/* A row of the table: what is counted, how many, and of what. */
static void put_count(struct report_page *page, const char *name, uint64_t value, const char *remark)
{
    char text[BASE_UNITS_TEXT];

    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", base_format_count(value, text));
    report_page_cell(page, "%s", remark);
}

/* Numbers, and what exactly is counted. */
static void put_totals(struct report_page *page, const struct report_schedule *report)
{
    report_page_table(page, "lrl");
    put_count(page, "  bytes", report->bytes, report->sizes);
    if (report->root != NULL)
        put_count(page, "  root", *report->root, "the rank that sends or receives");
    if (report->segment_bytes > 0)
        put_count(page, "  segment", report->segment_bytes, "bytes of a piece");
    put_count(page, "  messages", report->messages, "of all ranks");
    put_count(page, "  message bytes", report->message_bytes, "of all ranks");
    put_count(page, "  messages of a rank", report->rank_messages_max,
              "of the rank that sends most messages");
    put_count(page, "  bytes of a rank", report->rank_bytes_max, "of the rank that sends most bytes");
    if (report->steps != NULL) {
        put_count(page, "  steps", *report->steps, "longest chain of messages that wait for one another");
    } else {
        report_page_cell(page, "  steps");
        report_page_cell(page, "-");
        report_page_cell(page, "not counted for this many messages");
    }
    report_page_table_end(page);
}

/* The answer is the algorithm's name; the line below says what it does, the next one who chose it. */
int report_collective_text(const struct report_schedule *report, FILE *stream, unsigned width,
                           struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "%s on %" PRIu32 " rank%s: %s", report->operation, report->ranks,
                          report->ranks == 1 ? "" : "s", report->algorithm);
    report_page_paragraph(&page, 2, "%s", report->summary);
    if (report->by_rule)
        report_page_paragraph(&page, 2, "Chosen by a rule of --collective %s.", report->rules);
    else
        report_page_paragraph(&page, 2, "Chosen by %s%s%s.", report->table,
                              report->checked != NULL ? ", " : "",
                              report->checked != NULL ? report->checked : "");
    report_page_gap(&page);
    put_totals(&page, report);
    return report_page_finish(&page, error);
}

/* ---- JSON ---- */

struct row_writer {
    FILE *stream;  /* borrowed */
    bool is_first; /* no comma before the next row */
};

/* One object of the list, written at once. A step of 0 was not counted, which is null here. */
static int put_entry(void *context, uint32_t rank, uint32_t step, uint32_t destination, uint64_t bytes)
{
    struct row_writer *writer = context;

    report_json_separator(writer->stream, writer->is_first);
    writer->is_first = false;
    fprintf(writer->stream, "{\"rank\": %" PRIu32 ", \"step\": ", rank);
    if (step > 0)
        fprintf(writer->stream, "%" PRIu32, step);
    else
        fputs("null", writer->stream);
    fprintf(writer->stream, ", \"destination\": %" PRIu32 ", \"bytes\": %" PRIu64 "}", destination, bytes);
    return 0;
}

/* The list of the document: messages are made while they are written, by rank and in the order sent. */
static int put_entries(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_schedule *report = content;
    struct row_writer writer = {stream, true};

    return report->each(report->source, put_entry, &writer, error);
}

enum part { PART_ASKED, PART_CHOSEN, PART_MADE };

/* The numbers of a part, in the order of the table. */
static void put_numbers(struct report_json *json, json_t *object, const struct report_schedule *report,
                        enum part part)
{
#define REPORT_OF_COLLECTIVE(of, key, kind, unit, source, meaning)                                           \
    if (part == PART_##of)                                                                                   \
        REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/traces/fields.def"
}

/* Messages come last and are streamed (put_entries): there may be more of them than memory holds. */
int report_collective_json(const struct report_schedule *report, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, "flitreplay-collective-1");

    report_json_put(&json, top, "operation", report_json_text(report->operation));
    put_numbers(&json, top, report, PART_ASKED);
    report_json_put(&json, top, "collectives", report_json_text(report->table));
    report_json_put(&json, top, "checked", report_json_text(report->checked));
    report_json_put(&json, top, "collective", report_json_text(report->rules));
    put_numbers(&json, top, report, PART_CHOSEN);
    report_json_put(&json, top, "algorithm", report_json_text(report->algorithm));
    put_numbers(&json, top, report, PART_MADE);
    report_json_host(&json, top, &report->host);
    return report_json_finish_list(&json, "sent", put_entries, report, stream, error);
}

/* ---- CSV ---- */

/* A step that was not counted is an empty field. */
static int put_line(void *context, uint32_t rank, uint32_t step, uint32_t destination, uint64_t bytes)
{
    struct row_writer *writer = context;

    fprintf(writer->stream, "%" PRIu32 ",", rank);
    if (step > 0)
        fprintf(writer->stream, "%" PRIu32, step);
    fprintf(writer->stream, ",%" PRIu32 ",%" PRIu64 "\n", destination, bytes);
    return 0;
}

/* Messages alone: a script that wants them knows what it has asked for. */
int report_collective_csv(const struct report_schedule *report, FILE *stream, struct base_error *error)
{
    struct row_writer writer = {stream, true};

    fputs("rank,step,destination,bytes\n", stream);
    return report->each(report->source, put_line, &writer, error);
}
