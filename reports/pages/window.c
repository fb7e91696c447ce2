/* Sentences about windows. Whoever reads a time must know that it is not that of the whole trace, and what was left
 * out to get it; so all counts are told, zeros of a kind apart. */
#include "reports/pages/window.h"

#include <inttypes.h>

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
            page, 0, "Cut by its borders: %s complete at once, since their other side lies outside.", list);
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
