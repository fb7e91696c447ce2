/* A partition in words and numbers. */
#include "reports/placement/partition.h"

#include <inttypes.h>

#include "base/units.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* null for the whole machine. What leaked is only known after a replay: an absent key means that nobody
 * looked, 0 that every flit stayed inside. */
void report_partition_json(struct report_json *json, struct json_t *top,
                           const struct report_partition *partition)
{
    json_t *object;

    if (partition->text == NULL) {
        report_json_put(json, top, "partition", json_null());
        return;
    }
    object = report_json_object(json, top, "partition");
    report_json_put(json, object, "kind", report_json_text(partition->text));
    report_json_put(json, object, "terminals", report_json_integer(partition->terminals));
    report_json_put(json, object, "idle_terminals", report_json_integer(partition->idle));
    report_json_put(json, object, "components", report_json_integer(partition->components));
    report_json_put(json, object, "foreign_terminals", report_json_integer(partition->foreign_terminals));
    report_json_put(json, object, "mean_distance", report_json_real(partition->mean_distance));
    report_json_put(json, object, "fragmentation", report_json_real(partition->fragmentation));
    report_json_put(json, object, "confined", json_boolean(partition->confined));
    if (partition->replayed)
        report_json_put(json, object, "leaked_flit_hops", report_json_integer(partition->leaked_flit_hops));
}

/* Whether it is in one piece is what a user asks first. */
void report_partition_text(struct report_page *page, const struct report_partition *partition)
{
    char mean[REPORT_NUMBER_TEXT], share[REPORT_NUMBER_TEXT], leaked[BASE_UNITS_TEXT];
    char pieces[40] = "in one piece";
    char rest[128] = "";

    if (partition->text == NULL)
        return;
    if (partition->components > 1)
        snprintf(pieces, sizeof pieces, "in %" PRIu32 " pieces", partition->components);
    if (partition->has_rectangle)
        snprintf(rest, sizeof rest,
                 "; %" PRIu32 " others in the rectangle around it; fragmentation of the rest %s",
                 partition->foreign_terminals, report_page_share(partition->fragmentation, share));
    report_page_paragraph(page, 0,
                          "Partition %s: %" PRIu32 " terminals (%" PRIu32
                          " idle) %s, %s links between two of "
                          "them on average%s.",
                          partition->text, partition->terminals, partition->idle, pieces,
                          report_page_real(partition->mean_distance, 2, mean), rest);
    if (partition->replayed)
        report_page_paragraph(page, partition->replayed ? 2 : 0, "%s %s-hops went outside of it%s.",
                              base_format_count(partition->leaked_flit_hops, leaked),
                              partition->in_bits ? "bit" : "flit",
                              partition->confined ? ", being confined" : "");
}
