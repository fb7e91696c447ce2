/* Faults as text and as JSON. */
#include "reports/topology/faults.h"

#include <inttypes.h>

#include "base/units.h"

/* The most dead links and rings that a page has room for; the JSON has them all. */
#define LINES_MAX 24

/* In the order of enum net_control_kind. */
static const char *const kinds[NET_CONTROL_KINDS] = {"alert",     "acc",  "dec",   "prune",
                                                     "prune_ack", "done", "resume"};

/* A count, and what exactly it counts. */
static void put_row(struct report_page *page, const char *name, uint64_t value, const char *remark)
{
    char text[BASE_UNITS_TEXT];
    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", base_format_count(value, text));
    report_page_cell(page, "%s", remark);
}

/* By kind, those that there were. */
static void put_packets(struct report_page *page, const struct net_control *control)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        sum += control->packets[i];
    put_row(page, "control packets", sum, "of one flit each, that links took");
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        if (control->packets[i] > 0)
            put_row(page, "", control->packets[i], kinds[i]);
}

/* What the protocol took. Two cycles are told apart: the last router has gone on with data ("stable"), which may
 * be long before the last control packet is handled ("still"). Numbers of the protocol as it ran to its end, with
 * no data in its way. */
static void put_costs(struct report_page *page, const struct report_faults *faults)
{
    const struct net_control *control = faults->control;

    report_page_table(page, "lrl");
    report_page_cell(page, "fault routing");
    report_page_cell(page, "%s", control->options.routing->name);
    report_page_cell(page, "%s", control->options.routing->summary);
    report_page_cell(page, "dead links");
    report_page_cell(page, "%" PRIu32, faults->faults->count);
    report_page_cell(page, "of %" PRIu32 " links both ways", faults->faults->cables.count);
    put_packets(page, control);
    put_row(page, "stopped", control->stopped_routers, "routers granted no data for a while");
    put_row(page, "", control->stopped_cycles, "cycles, of all of them together");
    put_row(page, "stable", control->stable, "cycle in which the last one went on with data");
    put_row(page, "still", control->still, "cycle in which the last control packet was handled");
    report_page_table_end(page);
}

/* "(3,4) X+ to (4,4)", in time. A dead link is dead both ways, and named once. */
static void put_links(struct report_page *page, const struct net_faults *faults)
{
    const struct net_topology *topology = faults->topology;
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT], text[BASE_UNITS_TEXT];

    report_page_table(page, "rl");
    report_page_cell(page, "cycle");
    report_page_cell(page, "dead link");
    for (uint32_t i = 0; i < faults->count && i < LINES_MAX; i++) {
        const struct net_link *link = net_fault_link(faults, i);
        report_page_cell(page, "%s", base_format_count(faults->fault[i].cycle, text));
        report_page_cell(page, "%s %s to %s", net_router_name(topology, link->source, from),
                         net_port_name(topology, link->source, link->port),
                         net_router_name(topology, link->target, to));
    }
    report_page_table_end(page);
    if (faults->count > LINES_MAX)
        report_page_paragraph(page, 2, "and %" PRIu32 " more", faults->count - LINES_MAX);
}

/* Pruning takes no root and no ring away: both lists have the same rings. Rings are told by their roots, which
 * pruning leaves alone. */
static void put_rings(struct report_page *page, const struct report_faults *faults)
{
    const struct net_topology *topology = faults->faults->topology;
    char name[NET_NAME_TEXT];

    report_page_table(page, "lrrr");
    report_page_cell(page, "ring, by its root");
    report_page_cell(page, "routers");
    report_page_cell(page, "links");
    report_page_cell(page, "routers before pruning");
    for (uint32_t i = 0; i < faults->now->count && i < LINES_MAX; i++) {
        const struct net_ring *ring = &faults->now->ring[i];
        report_page_cell(page, "%s", net_router_name(topology, ring->root, name));
        report_page_cell(page, "%" PRIu32, ring->routers);
        /* A ring walks round its tree, over each link there and back. */
        report_page_cell(page, "%" PRIu32, 2 * (ring->routers - 1));
        report_page_cell(page, "%" PRIu32, faults->before->ring[i].routers);
    }
    report_page_table_end(page);
    if (faults->now->count > LINES_MAX)
        report_page_paragraph(page, 2, "and %" PRIu32 " more", faults->now->count - LINES_MAX);
}

/* Without faults only the routing and its zeros. */
void report_faults_text(struct report_page *page, const struct report_faults *faults)
{
    report_page_heading(page, "Faults");
    put_costs(page, faults);
    if (faults->faults->count == 0)
        return;
    report_page_gap(page);
    put_links(page, faults->faults);
    report_page_gap(page);
    put_rings(page, faults);
}

/* All of them, in the order of their cycles. */
static void add_links(struct report_json *json, json_t *object, const struct net_faults *faults)
{
    json_t *links = report_json_array(json, object, "links");

    for (uint32_t i = 0; i < faults->count; i++) {
        const struct net_link *link = net_fault_link(faults, i);
        json_t *entry = report_json_entry(json, links);
        report_json_put(json, entry, "cycle", report_json_integer(faults->fault[i].cycle));
        report_json_put(json, entry, "from_router", report_json_integer(link->source));
        report_json_put(json, entry, "port",
                        report_json_text(net_port_name(faults->topology, link->source, link->port)));
        report_json_put(json, entry, "to_router", report_json_integer(link->target));
    }
}

/* The routers in the order in which a packet passes them, from the root on. */
static void add_path(struct report_json *json, json_t *entry, const struct net_rings *rings,
                     const struct net_topology *topology, const struct net_ring *ring)
{
    json_t *path = report_json_array(json, entry, "path");
    uint32_t link = ring->first;

    for (uint32_t step = 0; step < 2 * (ring->routers - 1); step++, link = rings->next[link])
        report_json_append(json, path, report_json_integer(topology->links[link].source));
}

/* With the way round each. */
static void add_rings(struct report_json *json, json_t *object, const struct report_faults *faults)
{
    json_t *rings = report_json_array(json, object, "rings");

    for (uint32_t i = 0; i < faults->now->count; i++) {
        const struct net_ring *ring = &faults->now->ring[i];
        json_t *entry = report_json_entry(json, rings);
        report_json_put(json, entry, "root", report_json_integer(ring->root));
        report_json_put(json, entry, "routers", report_json_integer(ring->routers));
        report_json_put(json, entry, "routers_before_pruning",
                        report_json_integer(faults->before->ring[i].routers));
        add_path(json, entry, faults->now, faults->faults->topology, ring);
    }
}

/* Control packets by kind, also those that there were none of. */
void report_faults_json(struct report_json *json, json_t *object, const struct report_faults *faults)
{
    const struct net_control *control = faults->control;
    json_t *own = report_json_object(json, object, "faults");
    json_t *packets;

    report_json_put(json, own, "fault_routing", report_json_text(control->options.routing->name));
    add_links(json, own, faults->faults);
    packets = report_json_object(json, own, "control_packets");
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        report_json_put(json, packets, kinds[i], report_json_integer(control->packets[i]));
    report_json_put(json, own, "routers_stopped", report_json_integer(control->stopped_routers));
    report_json_put(json, own, "router_cycles_stopped", report_json_integer(control->stopped_cycles));
    report_json_put(json, own, "stable_cycle", report_json_integer(control->stable));
    report_json_put(json, own, "still_cycle", report_json_integer(control->still));
    add_rings(json, own, faults);
}
