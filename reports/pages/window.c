/* Sentences about windows. Whoever reads a time must know that it is not that of the whole trace, and what was left
 * out to get it; so all counts are told, zeros of a kind apart. */
#include "reports/pages/window.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* "12 sends, 3 probes": the kinds that there are, each behind a comma. NULL: memory. */
static const char *list_crossings(struct report_page *page, const struct report_window *window)
{
    const struct {
        uint64_t count;
        const char *one, *many;
    } kinds[] = {{window->sends, "send", "sends"},
                 {window->receives, "receive", "receives"},
                 {window->probes, "probe", "probes"},
                 {window->collective_calls, "collective call", "collective calls"}};
    const char *list = "";
    char count[BASE_UNITS_TEXT];

    for (size_t i = 0; list != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].count > 0)
            list = base_arena_format(&page->arena, "%s%s%s %s", list, *list == '\0' ? "" : ", ",
                                     base_format_count(kinds[i].count, count),
                                     kinds[i].count == 1 ? kinds[i].one : kinds[i].many);
    return list;
}

/* What was cut through, if anything was. */
static void put_crossings(struct report_page *page, const struct report_window *window)
{
    const char *list = list_crossings(page, window);
    char before[BASE_UNITS_TEXT], after[BASE_UNITS_TEXT];

    page->failed |= list == NULL;
    if (list != NULL && *list != '\0')
        report_page_paragraph(
            page, 0, "Cut by its borders: %s complete at once, since the other side lies outside.", list);
    if (window->requests_before + window->requests_after > 0)
        report_page_paragraph(
            page, 0,
            "Requests across its borders: %s started before it count as complete, %s are not "
            "waited for any more.",
            base_format_count(window->requests_before, before),
            base_format_count(window->requests_after, after));
}

/* Before everything that the answer counts, since it says of what. Coverage and repairs are found when the trace
 * is opened, before anybody knows which part of it is wanted. */
void report_window_text(struct report_page *page, const struct report_window *window)
{
    char calls[BASE_UNITS_TEXT], all[BASE_UNITS_TEXT];

    if (window == NULL)
        return;
    report_page_paragraph(page, 0,
                          "Window: from %s to %s, %s of the %s calls of all ranks. All times and counts are "
                          "of this window, not of the "
                          "whole trace; coverage and repairs are of the whole.",
                          window->from, window->to, base_format_count(window->calls, calls),
                          base_format_count(window->all_calls, all));
    if (window->empty_ranks > 0)
        report_page_paragraph(page, 0, "%" PRIu32 " rank%s no call in the window.", window->empty_ranks,
                              window->empty_ranks == 1 ? " makes" : "s make");
    put_crossings(page, window);
}

/* null for the whole trace. All counts are there, zeros included, as in the text's source. */
void report_window_json(struct report_json *json, struct json_t *parent, const struct report_window *window)
{
    json_t *object;

    if (window == NULL) {
        report_json_put(json, parent, "window", json_null());
        return;
    }
    object = report_json_object(json, parent, "window");
    report_json_put(json, object, "from", report_json_text(window->from));
    report_json_put(json, object, "to", report_json_text(window->to));
    report_json_put(json, object, "calls", report_json_integer(window->calls));
    report_json_put(json, object, "all_calls", report_json_integer(window->all_calls));
    report_json_put(json, object, "sends", report_json_integer(window->sends));
    report_json_put(json, object, "receives", report_json_integer(window->receives));
    report_json_put(json, object, "probes", report_json_integer(window->probes));
    report_json_put(json, object, "collectives", report_json_integer(window->collectives));
    report_json_put(json, object, "collective_calls", report_json_integer(window->collective_calls));
    report_json_put(json, object, "requests_before", report_json_integer(window->requests_before));
    report_json_put(json, object, "requests_after", report_json_integer(window->requests_after));
    report_json_put(json, object, "empty_ranks", report_json_integer(window->empty_ranks));
}

/* ---- iterations ---- */

static int compare(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Of an even number the median is the mean of the middle two, rounded down. */
int report_extrapolate(const struct report_iterations *iterations, struct base_arena *arena,
                       const uint64_t *begin_ns, uint64_t run_ns, struct report_extrapolation *extrapolation)
{
    uint64_t count = iterations->played, left_out = iterations->found - count;
    uint64_t *length_ns = base_arena_array(arena, (size_t)count + 1, sizeof *length_ns);

    if (length_ns == NULL)
        return -1;
    for (uint64_t i = 0; i < count; i++)
        length_ns[i] = begin_ns[i + 1] - begin_ns[i];
    qsort(length_ns, (size_t)count, sizeof *length_ns, compare);
    *extrapolation = (struct report_extrapolation){
        .iteration_ns = length_ns[(count - 1) / 2] + (length_ns[count / 2] - length_ns[(count - 1) / 2]) / 2,
        .least_iteration_ns = length_ns[0],
        .most_iteration_ns = length_ns[count - 1]};
    extrapolation->whole_ns = run_ns + left_out * extrapolation->iteration_ns;
    extrapolation->least_ns = run_ns + left_out * extrapolation->least_iteration_ns;
    extrapolation->most_ns = run_ns + left_out * extrapolation->most_iteration_ns;
    return 0;
}

/* The whole, how it follows, and how far it may be off by the spread of what was replayed. */
static void put_whole(struct report_page *page, const struct report_iterations *iterations)
{
    const struct report_extrapolation *network = &iterations->network;
    char median[BASE_UNITS_TEXT], whole[BASE_UNITS_TEXT], least[BASE_UNITS_TEXT], most[BASE_UNITS_TEXT];
    char ideal[BASE_UNITS_TEXT], left_out[BASE_UNITS_TEXT];

    if (iterations->found == iterations->played || !iterations->is_extrapolated)
        return;
    report_page_paragraph(
        page, 0,
        "Extrapolated whole: %s on the network, %s on an ideal one. That is the time of the shortened run "
        "and %s times the median iteration, %s.",
        base_format_ns(network->whole_ns, whole), base_format_ns(iterations->ideal.whole_ns, ideal),
        base_format_count(iterations->found - iterations->played, left_out),
        base_format_ns(network->iteration_ns, median));
    if (iterations->played == 1)
        report_page_paragraph(page, 0, "One iteration has no spread: there is no interval.");
    else
        report_page_paragraph(
            page, 0, "By the shortest and the longest iteration the whole is between %s and %s.",
            base_format_ns(network->least_ns, least), base_format_ns(network->most_ns, most));
}

void report_iterations_text(struct report_page *page, const struct report_iterations *iterations)
{
    char calls[BASE_UNITS_TEXT], found[BASE_UNITS_TEXT], played[BASE_UNITS_TEXT], cut[BASE_UNITS_TEXT];

    if (iterations == NULL)
        return;
    report_page_paragraph(
        page, 0,
        "Iterations: the first %s of %s are replayed, each of %s calls over all ranks, between what comes "
        "before and behind them. All times and counts but the extrapolated whole are of this shortened "
        "run; coverage and repairs are of the whole.",
        base_format_count(iterations->played, played), base_format_count(iterations->found, found),
        base_format_count(iterations->calls, calls));
    if (iterations->cut > 0)
        report_page_paragraph(
            page, 0, "Where the others are left out, %s calls complete at once, since their other side is.",
            base_format_count(iterations->cut, cut));
    put_whole(page, iterations);
}

/* An interrupted run has no times of iterations: null. */
static json_t *time_of(const struct report_iterations *iterations, uint64_t ns)
{
    return iterations->is_extrapolated ? report_json_integer(ns) : json_null();
}

void report_iterations_json(struct report_json *json, struct json_t *parent,
                            const struct report_iterations *iterations)
{
    const struct report_extrapolation *network = iterations == NULL ? NULL : &iterations->network;
    json_t *object;

    if (iterations == NULL) {
        report_json_put(json, parent, "iterations", json_null());
        return;
    }
    object = report_json_object(json, parent, "iterations");
    report_json_put(json, object, "found", report_json_integer(iterations->found));
    report_json_put(json, object, "replayed", report_json_integer(iterations->played));
    report_json_put(json, object, "calls", report_json_integer(iterations->calls));
    report_json_put(json, object, "all_calls", report_json_integer(iterations->all_calls));
    report_json_put(json, object, "cut_calls", report_json_integer(iterations->cut));
    report_json_put(json, object, "iteration_ns", time_of(iterations, network->iteration_ns));
    report_json_put(json, object, "least_iteration_ns", time_of(iterations, network->least_iteration_ns));
    report_json_put(json, object, "most_iteration_ns", time_of(iterations, network->most_iteration_ns));
    report_json_put(json, object, "extrapolated_ns", time_of(iterations, network->whole_ns));
    report_json_put(json, object, "extrapolated_least_ns", time_of(iterations, network->least_ns));
    report_json_put(json, object, "extrapolated_most_ns", time_of(iterations, network->most_ns));
    report_json_put(json, object, "extrapolated_ideal_ns", time_of(iterations, iterations->ideal.whole_ns));
}
