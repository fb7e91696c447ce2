/* The critical path as text and as JSON.
 *
 *      the parts                  compute, distance, serialisation and contention: their sum is the simulated time
 *      the longest messages       STEPS_SHOWN of them, longest first, each with the channel where it waited most
 *      the channels waited for    CHANNELS_SHOWN of them, in the order that the owner gave them
 *
 * The steps form a chain without gaps, so that each nanosecond of the run is in exactly one part of one step. The JSON
 * has more steps than the text, and has them in the order of time. */
#include "reports/run/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"

#define STEPS_SHOWN 5
#define CHANNELS_SHOWN 5
#define STEPS_LISTED 1000

static const struct {
    const char *name, *label, *remark;
} parts[REPORT_PATH_PARTS] = {
    {"compute", "computing", ""},
    {"distance", "distance", "header latency"},
    {"serialisation", "serialisation", "as wide as links are"},
    {"contention", "contention", "behind other messages, or waiting for buffers"},
    {"host", "host", "overheads, gaps, memory"},
};

const char *report_path_part_name(enum report_path_part part)
{
    return parts[part].name;
}

const char *report_step_name(enum report_step_kind kind)
{
    static const char *const names[] = {"compute", "message", "control", "sending", "host", "memory"};
    return names[kind];
}

/* ---- the longest ---- */

static uint64_t length_of(const struct report_step *step)
{
    return step->end_ns - step->begin_ns;
}

/* Longest first; of equal ones the earlier. The steps have no gap between them, so the order is total. */
static int compare_lengths(const void *left, const void *right)
{
    const struct report_step *const *a = left, *const *b = right;
    if (length_of(*a) != length_of(*b))
        return length_of(*a) > length_of(*b) ? -1 : 1;
    return (*a)->begin_ns < (*b)->begin_ns ? -1 : 1;
}

static int compare_times(const void *left, const void *right)
{
    const struct report_step *const *a = left, *const *b = right;
    return (*a)->begin_ns < (*b)->begin_ns ? -1 : 1;
}

/* Pointers to all steps, or to those that are messages, longest first. The caller frees them; NULL:
 * memory. */
static const struct report_step **longest_steps(const struct report_path *path, bool all, uint32_t *count)
{
    const struct report_step **steps = calloc((size_t)path->step_count + 1, sizeof *steps);

    *count = 0;
    for (uint32_t i = 0; steps != NULL && i < path->step_count; i++)
        if (all || (path->steps[i].kind != REPORT_STEP_COMPUTE && path->steps[i].kind != REPORT_STEP_HOST))
            steps[(*count)++] = &path->steps[i];
    if (*count > 1)
        qsort(steps, *count, sizeof *steps, compare_lengths);
    return steps;
}

/* ---- text ---- */

/* What a share of the path's time is; the path is never empty in time where this is asked. */
static void put_part(struct report_page *page, const struct report_path *path, enum report_path_part part,
                     uint64_t total_ns)
{
    char time[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", parts[part].label);
    report_page_cell(page, "%s", base_format_ns(path->part_ns[part], time));
    report_page_cell(page, "%s", report_page_share((double)path->part_ns[part] / (double)total_ns, share));
    report_page_cell(page, "%s", parts[part].remark);
}

/* "rank 3 to 7" and how it spent its time. */
static void put_step(struct report_page *page, const struct report_step *step)
{
    char time[BASE_UNITS_TEXT], bytes[BASE_UNITS_TEXT], contention[BASE_UNITS_TEXT];

    report_page_cell(page, "%s", base_format_ns(length_of(step), time));
    if (step->kind == REPORT_STEP_SENDING)
        report_page_cell(page, "rank %" PRIu32 " sending", step->rank);
    else
        report_page_cell(page, "rank %" PRIu32 " to %" PRIu32, step->rank, step->peer);
    report_page_cell(page, "%s",
                     step->kind == REPORT_STEP_CONTROL ? "control" : base_format_bytes(step->bytes, bytes));
    report_page_cell(page, "%s", step->call);
    report_page_cell(page, "%s%s%s", base_format_ns(step->part_ns[REPORT_PATH_CONTENTION], contention),
                     step->channel == NULL ? "" : ", most at ", step->channel == NULL ? "" : step->channel);
}

/* Messages only: a long computation is the program's, and no network would shorten it. */
static void put_longest(struct report_page *page, const struct report_path *path)
{
    uint32_t count;
    const struct report_step **steps = longest_steps(path, false, &count);

    if (steps != NULL && count > 0) {
        report_page_heading(page, "Longest messages on the critical path");
        report_page_table(page, "rlrll");
        report_page_cell(page, "time");
        report_page_cell(page, "way");
        report_page_cell(page, "bytes");
        report_page_cell(page, "call");
        report_page_cell(page, "contention");
        report_page_head(page);
        for (uint32_t i = 0; i < count && i < STEPS_SHOWN; i++)
            put_step(page, steps[i]);
        report_page_table_end(page);
    }
    page->failed |= steps == NULL;
    free(steps);
}

/* Not the busiest channels, which the run's own tables have, but those whose queues cost the program time. */
static void put_channels(struct report_page *page, const struct report_path *path)
{
    char time[BASE_UNITS_TEXT];

    if (path->channel_count == 0)
        return;
    report_page_heading(page, "Channels that the critical path waits for");
    report_page_table(page, "lrr");
    report_page_cell(page, "channel");
    report_page_cell(page, "contention");
    report_page_cell(page, "messages");
    report_page_head(page);
    for (uint32_t i = 0; i < path->channel_count && i < CHANNELS_SHOWN; i++) {
        report_page_cell(page, "%s", path->channels[i].name);
        report_page_cell(page, "%s", base_format_ns(path->channels[i].contention_ns, time));
        report_page_cell(page, "%" PRIu32, path->channels[i].steps);
    }
    report_page_table_end(page);
}

/* A path of no time has no parts: a program in which nothing takes any. */
void report_path_text(struct report_page *page, const struct report_path *path)
{
    uint64_t total_ns = 0;

    for (unsigned part = 0; part < REPORT_PATH_PARTS; part++)
        total_ns += path->part_ns[part];
    if (total_ns == 0)
        return;
    report_page_heading(page, "The critical path, from the beginning to the last rank's finish");
    report_page_table(page, "lrrl");
    report_page_titles(page, "part|time|of the simulated time|");
    for (enum report_path_part part = 0; part < REPORT_PATH_PARTS; part++)
        if (part != REPORT_PATH_HOST || path->has_host)
            put_part(page, path, part, total_ns);
    report_page_table_end(page);
    put_longest(page, path);
    put_channels(page, path);
}

/* ---- JSON ---- */

static void put_parts(struct report_json *json, json_t *object, bool has_host,
                      const uint64_t part_ns[REPORT_PATH_PARTS])
{
    static const char *const keys[REPORT_PATH_PARTS] = {"compute_ns", "distance_ns", "serialisation_ns",
                                                        "contention_ns", "host_ns"};

    for (unsigned part = 0; part < REPORT_PATH_PARTS; part++)
        if (part != REPORT_PATH_HOST || has_host)
            report_json_put(json, object, keys[part], report_json_integer(part_ns[part]));
}

/* A computation has neither peer nor message: nulls, so that every entry has all keys. */
static void put_entry(struct report_json *json, json_t *list, bool has_host, const struct report_step *step)
{
    json_t *entry = report_json_entry(json, list);
    bool computes = step->kind == REPORT_STEP_COMPUTE;
    bool goes = !computes && step->kind != REPORT_STEP_HOST;

    report_json_put(json, entry, "kind", report_json_text(report_step_name(step->kind)));
    report_json_put(json, entry, "rank", report_json_integer(step->rank));
    report_json_put(json, entry, "peer", goes ? report_json_integer(step->peer) : json_null());
    report_json_put(json, entry, "bytes", computes ? json_null() : report_json_integer(step->bytes));
    report_json_put(json, entry, "call", report_json_text(step->call));
    report_json_put(json, entry, "begin_ns", report_json_integer(step->begin_ns));
    report_json_put(json, entry, "end_ns", report_json_integer(step->end_ns));
    put_parts(json, entry, has_host, step->part_ns);
    report_json_put(json, entry, "channel", report_json_text(step->channel));
    report_json_put(json, entry, "channel_wait_cycles", report_json_integer(step->channel_wait_cycles));
}

/* The longest, in the order of time; a path may have millions of steps, and a reader wants few. */
/* The longest ones, computations too, brought back into the order of time, in which they can be drawn. */
static void put_listed(struct report_json *json, json_t *object, const struct report_path *path)
{
    json_t *list = report_json_array(json, object, "longest_steps");
    uint32_t count;
    const struct report_step **steps = longest_steps(path, true, &count);

    if (count > STEPS_LISTED)
        count = STEPS_LISTED;
    if (count > 1)
        qsort(steps, count, sizeof *steps, compare_times);
    for (uint32_t i = 0; i < count; i++)
        put_entry(json, list, path->has_host, steps[i]);
    json->failed |= steps == NULL;
    free(steps);
}

void report_path_json(struct report_json *json, json_t *top, const struct report_path *path)
{
    json_t *object, *list;

    if (path == NULL) {
        report_json_put(json, top, "critical_path", json_null());
        return;
    }
    object = report_json_object(json, top, "critical_path");
    report_json_put(json, object, "steps", report_json_integer(path->step_count));
    report_json_put(json, object, "memory_bytes", report_json_integer(path->memory_bytes));
    put_parts(json, object, path->has_host, path->part_ns);
    list = report_json_array(json, object, "channels");
    for (uint32_t i = 0; i < path->channel_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(path->channels[i].name));
        report_json_put(json, entry, "contention_ns", report_json_integer(path->channels[i].contention_ns));
        report_json_put(json, entry, "steps", report_json_integer(path->channels[i].steps));
    }
    put_listed(json, object, path);
}
