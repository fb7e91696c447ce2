/* The sentence that warns of wall clocks that ran on while others had the processor. */
#include "reports/clocks.h"

#include "base/units.h"
#include "reports/json.h"
#include "reports/page.h"

void report_clocks_text(struct report_page *page, const struct report_clocks *clocks)
{
    char lost[BASE_UNITS_TEXT], gaps[BASE_UNITS_TEXT], wall[BASE_UNITS_TEXT], cpu[BASE_UNITS_TEXT];
    bool replayed = clocks->ideal_wall_ns > 0 || clocks->ideal_cpu_ns > 0;

    if (!clocks->oversubscribed || !clocks->uses_wall)
        return;
    base_format_ns(clocks->lost_ns, lost);
    base_format_count(clocks->lost_gaps, gaps);
    if (replayed)
        report_page_paragraph(
            page, 0,
            "Oversubscribed: while recording, ranks lost their processors for %s in %s gaps between "
            "MPI calls. Take --clock cpu (or min): an ideal network then takes %s in place of %s.",
            lost, gaps, base_format_ns(clocks->ideal_cpu_ns, cpu),
            base_format_ns(clocks->ideal_wall_ns, wall));
    else
        report_page_paragraph(
            page, 0,
            "Oversubscribed: while recording, ranks lost their processors for %s in %s gaps between "
            "MPI calls. Take --clock cpu (or min): the ranks then compute for %s in place of %s.",
            lost, gaps, base_format_ns(clocks->cpu_ns, cpu), base_format_ns(clocks->wall_ns, wall));
}

void report_clocks_json(struct report_json *json, struct json_t *parent, const struct report_clocks *clocks)
{
    bool replayed = clocks->ideal_wall_ns > 0 || clocks->ideal_cpu_ns > 0;
    json_t *object;

    if (!clocks->oversubscribed) {
        report_json_put(json, parent, "oversubscribed", json_null());
        return;
    }
    object = report_json_object(json, parent, "oversubscribed");
    report_json_put(json, object, "lost_gaps", report_json_integer(clocks->lost_gaps));
    report_json_put(json, object, "lost_ns", report_json_integer(clocks->lost_ns));
    report_json_put(json, object, "wall_ns", report_json_integer(clocks->wall_ns));
    report_json_put(json, object, "cpu_ns", report_json_integer(clocks->cpu_ns));
    report_json_put(json, object, "ideal_wall_ns",
                    replayed ? report_json_integer(clocks->ideal_wall_ns) : json_null());
    report_json_put(json, object, "ideal_cpu_ns",
                    replayed ? report_json_integer(clocks->ideal_cpu_ns) : json_null());
}
