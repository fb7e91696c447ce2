/* What failing links took: one table of counts, for the page and for the JSON. */
#include "reports/run/failing.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/units.h"

struct row {
    const char *key, *label, *remark;
    size_t place; /* in struct net_fault_counts */
};

static const struct row rows[] = {
    {"control_packets", "control packets", "of one flit each, beside the data",
     offsetof(struct net_fault_counts, control_packets)},
    {"routers_stopped", "stopped", "routers granted no data for a while",
     offsetof(struct net_fault_counts, stopped_routers)},
    {"router_cycles_stopped", "", "cycles, of all of them together",
     offsetof(struct net_fault_counts, stopped_cycles)},
    {"ring_packets", "on rings", "packets went round a fault",
     offsetof(struct net_fault_counts, ring_packets)},
    {"ring_entries", "", "times that a packet entered a ring",
     offsetof(struct net_fault_counts, ring_entries)},
    {"ring_links", "", "links of rings that they took", offsetof(struct net_fault_counts, ring_links)},
    {"reinjected", "re-injected", "times that a router took a packet and sent it again",
     offsetof(struct net_fault_counts, reinjected)},
    {"longer_packets", "longer routes", "packets took more links than the shortest route has",
     offsetof(struct net_fault_counts, longer_packets)},
    {"longer_links", "", "links more, in all", offsetof(struct net_fault_counts, longer_links)},
};

/* Copied, not cast: the table knows what is there, the compiler does not. */
static uint64_t value_of(const struct net_fault_counts *counts, const struct row *row)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + row->place, sizeof value);
    return value;
}

void report_failing_text(struct report_page *page, const struct report_failing *failing)
{
    char text[BASE_UNITS_TEXT];

    report_page_heading(page, "Faults");
    report_page_table(page, "lrl");
    report_page_cell(page, "dead links");
    report_page_cell(page, "%" PRIu32, failing->links);
    report_page_cell(page, "by fault routing %s", failing->routing);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report_page_cell(page, "%s", rows[i].label);
        report_page_cell(page, "%s", base_format_count(value_of(&failing->counts, &rows[i]), text));
        report_page_cell(page, "%s", rows[i].remark);
    }
    report_page_table_end(page);
}

void report_failing_json(struct report_json *json, json_t *top, const struct report_failing *failing)
{
    json_t *object = failing == NULL ? NULL : report_json_object(json, top, "faults");

    if (failing == NULL)
        return;
    report_json_put(json, object, "fault_routing", report_json_text(failing->routing));
    report_json_put(json, object, "links", report_json_integer(failing->links));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        report_json_put(json, object, rows[i].key, report_json_integer(value_of(&failing->counts, &rows[i])));
}
