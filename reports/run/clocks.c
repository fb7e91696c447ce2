/* The sentence that warns of wall clocks that ran on while others had the processor. */
#include "reports/run/clocks.h"

#include <inttypes.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

static bool is_replayed(const struct report_clocks *clocks)
{
    return clocks->ideal_wall_ns > 0 || clocks->ideal_cure_ns > 0;
}

/* Sums of computing hide what a run takes: they are told only where no replay says more. CPU time of several
 * threads is no time that a rank takes. */
void report_clocks_text(struct report_page *page, const struct report_clocks *clocks, const char *of)
{
    char lost[BASE_UNITS_TEXT], gaps[BASE_UNITS_TEXT], wall[BASE_UNITS_TEXT], cpu[BASE_UNITS_TEXT];
    const char *change = "";

    if (!clocks->oversubscribed || !clocks->uses_wall)
        return;
    if (is_replayed(clocks))
        change = base_arena_format(&page->arena, ": an ideal network then takes %s instead of %s",
                                   base_format_ns(clocks->ideal_cure_ns, cpu),
                                   base_format_ns(clocks->ideal_wall_ns, wall));
    else if (!clocks->cure_is_min)
        change =
            base_arena_format(&page->arena, ": the ranks then compute for %s instead of %s",
                              base_format_ns(clocks->cpu_ns, cpu), base_format_ns(clocks->wall_ns, wall));
    page->failed |= change == NULL;
    report_page_paragraph(page, 0,
                          "%sOversubscribed: while recording, %" PRIu32 " rank%s lost %s for %s in %s "
                          "gap%s between MPI calls. Take %s%s.",
                          of, clocks->lost_ranks, clocks->lost_ranks == 1 ? "" : "s",
                          clocks->lost_ranks == 1 ? "its processor" : "their processors",
                          base_format_ns(clocks->lost_ns, lost), base_format_count(clocks->lost_gaps, gaps),
                          clocks->lost_gaps == 1 ? "" : "s", clocks->cure, change == NULL ? "" : change);
}

static json_t *time_or_null(bool is_known, uint64_t ns)
{
    return is_known ? report_json_integer(ns) : json_null();
}

/* Of the two other clocks the one that would be the cure has a time, the other is null. */
void report_clocks_json(struct report_json *json, struct json_t *parent, const struct report_clocks *clocks)
{
    bool replayed = is_replayed(clocks);
    json_t *object;

    if (!clocks->oversubscribed) {
        report_json_put(json, parent, "oversubscribed", json_null());
        return;
    }
    object = report_json_object(json, parent, "oversubscribed");
    report_json_put(json, object, "clock", report_json_text(clocks->cure_is_min ? "min" : "cpu"));
    report_json_put(json, object, "lost_ranks", report_json_integer(clocks->lost_ranks));
    report_json_put(json, object, "lost_gaps", report_json_integer(clocks->lost_gaps));
    report_json_put(json, object, "lost_ns", report_json_integer(clocks->lost_ns));
    report_json_put(json, object, "wall_ns", report_json_integer(clocks->wall_ns));
    report_json_put(json, object, "cpu_ns", report_json_integer(clocks->cpu_ns));
    report_json_put(json, object, "ideal_wall_ns", time_or_null(replayed, clocks->ideal_wall_ns));
    report_json_put(json, object, "ideal_cpu_ns",
                    time_or_null(replayed && !clocks->cure_is_min, clocks->ideal_cure_ns));
    report_json_put(json, object, "ideal_min_ns",
                    time_or_null(replayed && clocks->cure_is_min, clocks->ideal_cure_ns));
}
