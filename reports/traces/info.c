/* What is in a trace: text, JSON and the matrix as CSV.
 *
 * All three say the same: the text for a first look, JSON with every number, the matrix with every pair of
 * ranks. Numbers are those of the recording (a collective is a call with bytes), not of a replay, which makes
 * messages of it.
 *
 *      traces/mg.S.4/traces.otf2
 *      4 ranks, recorded by Score-P (otf2): 12 345 events.
 *      They send 1 776 messages of 1.9 MiB in all point to point, and call collectives 332 times.
 *
 *      Recorded time, summed over the ranks       computing and MPI
 *      Point to point                             sends, receives, pairs
 *      Collectives by communicator                calls and bytes of each operation
 *      Coverage, Repairs                          as in the report of a run
 *
 * "Bytes" of a collective are those that its calling ranks name, as traces/program.h defines them for each
 * operation. */
#include "reports/traces/info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* All texts and lists are the arena's. Legal on NULL. */
void report_info_free(struct report_info *info)
{
    if (info == NULL)
        return;
    base_arena_free(&info->arena);
    free(info);
}

/* What a reader asks first: how many ranks, who recorded it, how much they say to each other. */
static void put_summary(struct report_page *page, const struct report_info *info)
{
    char events[BASE_UNITS_TEXT], sends[BASE_UNITS_TEXT], bytes[BASE_UNITS_TEXT], number[BASE_UNITS_TEXT];
    uint64_t calls = 0;

    for (uint32_t i = 0; i < info->collective_count; i++)
        calls += info->collectives[i].calls;
    report_page_paragraph(page, 0, "%" PRIu32 " rank%s, recorded by %s (%s): %s events.", info->ranks,
                          info->ranks == 1 ? "" : "s", info->writer, info->format,
                          base_format_count(info->events, events));
    if (info->p2p_sends == 0)
        report_page_paragraph(page, 0,
                              "They send no messages point to point, and call collectives %s time%s.",
                              base_format_count(calls, number), calls == 1 ? "" : "s");
    else
        report_page_paragraph(
            page, 0, "They send %s message%s of %s in total point to point, and call collectives %s time%s.",
            base_format_count(info->p2p_sends, sends), info->p2p_sends == 1 ? "" : "s",
            base_format_bytes(info->p2p_bytes, bytes), base_format_count(calls, number),
            calls == 1 ? "" : "s");
}

/* Time inside MPI calls is shown, although no replay uses it: a large share of it on an ideal network
 * points at waiting, and a tiny share of computing at a recording on an oversubscribed machine. */
static void put_time(struct report_page *page, const struct report_info *info)
{
    double total = (double)info->compute_ns + (double)info->mpi_ns;
    char ns[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];

    report_page_heading(page, "Recorded time, summed over the ranks");
    report_page_table(page, "lrrl");
    report_page_cell(page, "between MPI calls");
    report_page_cell(page, "%s", base_format_ns(info->compute_ns, ns));
    report_page_cell(page, "%s", report_page_share(total > 0 ? (double)info->compute_ns / total : 0, share));
    report_page_cell(page, "replayed as computing");
    report_page_cell(page, "inside MPI calls");
    report_page_cell(page, "%s", base_format_ns(info->mpi_ns, ns));
    report_page_cell(page, "%s", report_page_share(total > 0 ? (double)info->mpi_ns / total : 0, share));
    report_page_cell(page, "replaced by the simulation");
    report_page_table_end(page);
}

/* Sends and receives are counted apart: where they differ, something was lost in recording. */
static void put_communication(struct report_page *page, const struct report_info *info)
{
    char number[BASE_UNITS_TEXT];

    report_page_heading(page, "Point to point");
    report_page_table(page, "lrl");
    report_page_cell(page, "sends");
    report_page_cell(page, "%s", base_format_count(info->p2p_sends, number));
    report_page_cell(page, "%s", base_format_bytes(info->p2p_bytes, number));
    report_page_cell(page, "receives");
    report_page_cell(page, "%s", base_format_count(info->p2p_receives, number));
    report_page_cell(page, "%s", "");
    report_page_cell(page, "pairs");
    report_page_cell(page, "%s", base_format_count(info->pair_count, number));
    report_page_cell(page, "of sending and receiving ranks");
    report_page_table_end(page);
}

/* The communicator is named in its first row only. */
static void put_collective_rows(struct report_page *page, const char *communicator, uint32_t size,
                                const struct report_info_collective *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char number[BASE_UNITS_TEXT];
        report_page_cell(page, "%s", i == 0 ? communicator : "");
        report_page_cell(page, "%s", i == 0 ? base_format_count(size, number) : "");
        report_page_cell(page, "%s", rows[i].name);
        report_page_cell(page, "%s", base_format_count(rows[i].calls, number));
        report_page_cell(page, "%s", base_format_bytes(rows[i].bytes, number));
    }
}

/* Communicators on which nothing was called have no rows. */
static void put_collectives(struct report_page *page, const struct report_info *info)
{
    static const char *const titles[] = {"communicator", "ranks", "operation", "calls", "bytes"};

    if (info->collective_count == 0)
        return;
    report_page_heading(page, "Collectives by communicator (a call counts once for each rank)");
    report_page_table(page, "lrlrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        report_page_cell(page, "%s", titles[i]);
    for (uint32_t i = 0; i < info->communicator_count; i++) {
        const struct report_info_communicator *communicator = &info->communicators[i];
        put_collective_rows(page, communicator->name, communicator->size, communicator->collectives,
                            communicator->collective_count);
    }
    report_page_table_end(page);
    report_page_paragraph(page, 2,
                          "Bytes are the arguments of the calls, added up: the whole vector, or one block of "
                          "gather, scatter, allgather and alltoall; all blocks of the v-variants.");
}

#define NAMES_SHOWN 8

/* Streams of accelerators and counters, by name: nobody should take them for a part of the replay. */
static void put_other_locations(struct report_page *page, const struct report_info *info)
{
    static const char *const titles[] = {"type", "name", "locations"};
    uint32_t shown = info->other_location_count < NAMES_SHOWN ? info->other_location_count : NAMES_SHOWN;
    char number[BASE_UNITS_TEXT];

    if (info->other_location_count == 0)
        return;
    report_page_heading(page, "Recorded besides the ranks: not replayed");
    report_page_table(page, "llr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        report_page_cell(page, "%s", titles[i]);
    for (uint32_t i = 0; i < shown; i++) {
        report_page_cell(page, "%s", info->other_locations[i].type);
        report_page_cell(page, "%s", info->other_locations[i].name);
        report_page_cell(page, "%s", base_format_count(info->other_locations[i].count, number));
    }
    report_page_table_end(page);
    if (shown < info->other_location_count)
        report_page_paragraph(page, 2, "and %" PRIu32 " more names; --json has all.",
                              info->other_location_count - shown);
}

/* From the whole to the detail, and last what limits it. */
int report_info_text(const struct report_info *info, FILE *stream, unsigned width, struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "%s", info->trace);
    put_summary(&page, info);
    report_clocks_text(&page, &info->clocks, "");
    report_coverage_missing_text(&page, info->coverage, info->coverage_count, "");
    put_time(&page, info);
    put_communication(&page, info);
    put_collectives(&page, info);
    put_other_locations(&page, info);
    if (info->tuning != NULL)
        report_coverage_table(&page, info->coverage, info->coverage_count, info->tuning);
    else
        report_coverage_text(&page, info->coverage, info->coverage_count);
    report_repairs_text(&page, info->repairs, info->repair_count);
    return report_page_finish(&page, error);
}

/* Keyed by the operation's lower-case name, for the whole trace and for each communicator alike. */
static void collectives_json(struct report_json *json, json_t *parent,
                             const struct report_info_collective *rows, uint32_t count)
{
    json_t *object = report_json_object(json, parent, "collectives");

    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = report_json_object(json, object, rows[i].name);
        report_json_put(json, entry, "calls", report_json_integer(rows[i].calls));
        report_json_put(json, entry, "bytes", report_json_integer(rows[i].bytes));
    }
}

/* A list, not an object: names of communicators need not be unique. */
static void communicators_json(struct report_json *json, json_t *top, const struct report_info *info)
{
    json_t *list = report_json_array(json, top, "communicators");

    for (uint32_t i = 0; i < info->communicator_count; i++) {
        const struct report_info_communicator *communicator = &info->communicators[i];
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(communicator->name));
        report_json_put(json, entry, "size", report_json_integer(communicator->size));
        collectives_json(json, entry, communicator->collectives, communicator->collective_count);
    }
}

/* Always there, empty for most traces. */
static void other_locations_json(struct report_json *json, json_t *top, const struct report_info *info)
{
    json_t *list = report_json_array(json, top, "other_locations");

    for (uint32_t i = 0; i < info->other_location_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "type", report_json_text(info->other_locations[i].type));
        report_json_put(json, entry, "name", report_json_text(info->other_locations[i].name));
        report_json_put(json, entry, "count", report_json_integer(info->other_locations[i].count));
    }
}

enum part { PART_HEAD, PART_TIMES };

/* The numbers of a part, in the order of the table. */
static void put_numbers(struct report_json *json, json_t *object, const struct report_info *info,
                        enum part part)
{
#define REPORT_OF_INFO(of, key, kind, unit, source, meaning)                                                 \
    if (part == PART_##of)                                                                                   \
        REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/traces/fields.def"
}

/* Every number of the text, and those that it leaves out. */
int report_info_json(const struct report_info *info, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_INFO_SCHEMA);

    report_json_put(&json, top, "trace", report_json_text(info->trace));
    report_json_put(&json, top, "format", report_json_text(info->format));
    report_json_put(&json, top, "writer", report_json_text(info->writer));
    put_numbers(&json, top, info, PART_HEAD);
    collectives_json(&json, top, info->collectives, info->collective_count);
    communicators_json(&json, top, info);
    other_locations_json(&json, top, info);
    put_numbers(&json, top, info, PART_TIMES);
    report_clocks_json(&json, top, &info->clocks);
    report_repairs_json(&json, top, info->repairs, info->repair_count);
    report_coverage_json(&json, top, info->coverage, info->coverage_count, info->tuning);
    report_json_host(&json, top, &info->host);
    return report_json_finish(&json, stream, error);
}

/* Pairs without messages are left out: most of the pairs of a large program have none. */
int report_info_matrix(const struct report_info *info, FILE *stream, struct base_error *error)
{
    fputs("src,dst,messages,bytes\n", stream);
    for (size_t i = 0; i < info->pair_count; i++)
        fprintf(stream, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n", info->pairs[i].source,
                info->pairs[i].target, info->pairs[i].messages, info->pairs[i].bytes);
    if (ferror(stream))
        return base_error_system(error, errno, "the matrix cannot be written");
    return 0;
}
