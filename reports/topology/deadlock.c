/* What the check for deadlock found, for people and for programs.
 *
 * A circle is printed channel by channel, each with one packet that may hold it and wait for the next, so
 * that it can be followed on paper. */
#include "reports/topology/deadlock.h"

#include "netmodel/faults/failing.h"

#include <inttypes.h>

#include "base/units.h"

#define CIRCLE_LINES 32 /* of the text; the JSON has them all */

/* One line: the channel, and whose wait goes on to the next line. */
static void put_channel(struct report_page *page, const struct net_topology *topology,
                        const struct net_dependency *at)
{
    const struct net_link *link = &topology->links[at->link];
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT];

    net_router_name(topology, link->source, from);
    net_router_name(topology, link->target, to);
    report_page_cell(page, "%s to %s", from, to);
    report_page_cell(page, "%s", net_port_name(topology, link->source, link->port));
    report_page_cell(page, "%" PRIu32, at->virtual_channel);
    net_router_name(topology, at->source, from);
    net_router_name(topology, at->target, to);
    report_page_cell(page, "%s to %s", from, to);
}

/* The packet of the last line waits for the channel of the first, which is not repeated. The circle is a
 * shortest one, so it is mostly short; the limit is for long rings. */
static void put_circle(struct report_page *page, const struct net_topology *topology,
                       const struct net_deadlock_verdict *verdict)
{
    report_page_table(page, "llrl");
    report_page_cell(page, "channel");
    report_page_cell(page, "port");
    report_page_cell(page, "virtual");
    report_page_cell(page, "held by a packet from ... to ..., which may wait for the next");
    for (uint32_t i = 0; i < verdict->length && i < CIRCLE_LINES; i++)
        put_channel(page, topology, &verdict->cycle[i]);
    report_page_table_end(page);
    if (verdict->length > CIRCLE_LINES)
        report_page_paragraph(page, 2, "... and so on by %" PRIu32 " more channels, back to the first",
                              verdict->length - CIRCLE_LINES);
}

/* What holds under one flow control, and by which argument. Dally and Seitz's acyclic graph, the bubble rule,
 * or Duato's extended graph: netmodel/deadlock/dependency.h has the papers. "Can" is said of the graph: that there is
 * a circle does not tell how soon traffic closes it. The argument is named, since it is what a reader would check. */
static void put_verdict(struct report_page *page, const char *flow_control,
                        const struct net_topology *topology, const struct net_deadlock_verdict *verdict)
{
    char count[BASE_UNITS_TEXT];

    base_format_count(verdict->dependencies, count);
    switch (verdict->argument) {
    case NET_ACYCLIC:
        report_page_paragraph(page, 0, "%s: cannot deadlock. The %s dependencies form no cycle.",
                              flow_control, count);
        break;
    case NET_BUBBLE:
        report_page_paragraph(
            page, 0,
            "%s: cannot deadlock. Of the %s dependencies only those of rings under the "
            "bubble rule form cycles, and a packet enters such a ring only where two packets fit.",
            flow_control, count);
        break;
    case NET_CYCLIC:
        report_page_paragraph(page, 0,
                              "%s: can deadlock. The shortest cycle among the %s dependencies has %" PRIu32
                              " channels:",
                              flow_control, count, verdict->length);
        put_circle(page, topology, verdict);
        break;
    case NET_NO_WAITS:
        break; /* said for both */
    case NET_UNKNOWN:
        report_page_paragraph(page, 0, "%s: not examined; the extended graph is too large.", flow_control);
    }
}

/* Escapes that lead nowhere come first: without them neither graph proves anything. First how much was looked at,
 * then what was found. */
void report_deadlock_text(struct report_page *page, const struct net_routing *routing,
                          const struct net_deadlock_check *check)
{
    const struct net_topology *topology = routing->topology;
    const struct net_failing *failing = net_routing_failing(routing);
    char headers[BASE_UNITS_TEXT], source[NET_NAME_TEXT], target[NET_NAME_TEXT], stray[NET_NAME_TEXT];

    report_page_heading(page, "Deadlock");
    if (check->cut_through.argument == NET_NO_WAITS) {
        report_page_paragraph(page, 0, "Routing %s cannot deadlock: %s.", routing->text,
                              routing->kind->deadlock_argument);
        return;
    }
    report_page_paragraph(page, 0,
                          "Routing %s%s%s with %" PRIu32 " virtual channel%s: packets may rely on %" PRIu32
                          " of %" PRIu32 " channels; every header at every router was followed, %s in all.",
                          routing->text, failing == NULL ? "" : " under fault routing ",
                          failing == NULL ? "" : failing->kind->name, routing->virtual_channels,
                          routing->virtual_channels == 1 ? "" : "s", check->escapes, check->channels,
                          base_format_count(check->headers, headers));
    if (!check->connected) {
        report_page_paragraph(
            page, 0,
            "A packet from %s to %s has no escape at %s, or none that ends: it may wait for "
            "ever.",
            net_router_name(topology, check->stray_source, source),
            net_router_name(topology, check->stray_target, target),
            net_router_name(topology, check->stray, stray));
        return;
    }
    if (failing != NULL)
        report_page_paragraph(
            page, 0,
            "They lead every packet to its target or, where they are dead, onto a ring that "
            "brings it nearer, in at most %" PRIu32
            " hops. This is the state after all faults have occurred and all control packets have arrived.",
            check->longest_escape);
    else
        report_page_paragraph(page, 0, "They lead every packet to its target in at most %" PRIu32 " hops.",
                              check->longest_escape);
    put_verdict(page, "Cut-through", topology, &check->cut_through);
    if (failing == NULL) /* fault routings are for cut-through */
        put_verdict(page, "Wormhole", topology, &check->wormhole);
}

/* ---- JSON ---- */

/* The link by its ends and port, and the packet that waits there. */
static void add_channel(struct report_json *json, json_t *array, const struct net_topology *topology,
                        const struct net_dependency *at)
{
    const struct net_link *link = &topology->links[at->link];
    json_t *object = report_json_entry(json, array);

    report_json_put(json, object, "from_router", report_json_integer(link->source));
    report_json_put(json, object, "to_router", report_json_integer(link->target));
    report_json_put(json, object, "port",
                    report_json_text(net_port_name(topology, link->source, link->port)));
    report_json_put(json, object, "virtual_channel", report_json_integer(at->virtual_channel));
    report_json_put(json, object, "packet_source", report_json_integer(at->source));
    report_json_put(json, object, "packet_target", report_json_integer(at->target));
}

/* `deadlock_free` is null where nothing is known. Not known is only a graph that was too large to build; a
 * header without an escape settles the answer, whatever the graph looks like. A circle is an empty array where
 * there is none. */
static void add_verdict(struct report_json *json, json_t *parent, const char *flow_control,
                        const struct net_topology *topology, const struct net_deadlock_check *check,
                        const struct net_deadlock_verdict *verdict)
{
    static const char *const arguments[] = {[NET_UNKNOWN] = "unknown",
                                            [NET_ACYCLIC] = "acyclic",
                                            [NET_BUBBLE] = "bubble",
                                            [NET_NO_WAITS] = "never-waits",
                                            [NET_CYCLIC] = "cyclic"};
    json_t *object = report_json_object(json, parent, flow_control);
    json_t *circle;
    bool known = verdict->argument != NET_UNKNOWN || !check->connected;

    report_json_put(json, object, "deadlock_free",
                    known ? json_boolean(net_deadlock_free(check, verdict)) : json_null());
    report_json_put(json, object, "argument", report_json_text(arguments[verdict->argument]));
    report_json_put(json, object, "dependencies", report_json_integer(verdict->dependencies));
    circle = report_json_array(json, object, "cycle");
    for (uint32_t i = 0; i < verdict->length; i++)
        add_channel(json, circle, topology, &verdict->cycle[i]);
}

/* The flag at the top is the answer for the flow control of this invocation; the details have the verdicts on
 * both, since the routing is the same under either. A stray header has an object of its own, there only if there
 * is one. */
void report_deadlock_json(struct report_json *json, json_t *object, const struct net_routing *routing,
                          const struct net_deadlock_check *check, enum net_flow_control flow_control)
{
    const struct net_topology *topology = routing->topology;
    bool wormhole = flow_control == NET_WORMHOLE;
    json_t *details, *stray;

    report_json_put(
        json, object, "deadlock_free",
        json_boolean(net_deadlock_free(check, wormhole ? &check->wormhole : &check->cut_through)));
    details = report_json_object(json, object, "deadlock_check");
    report_json_put(json, details, "routing", report_json_text(routing->text));
    report_json_put(json, details, "virtual_channels", report_json_integer(routing->virtual_channels));
    report_json_put(json, details, "channels", report_json_integer(check->channels));
    report_json_put(json, details, "escape_channels", report_json_integer(check->escapes));
    report_json_put(json, details, "headers", report_json_integer(check->headers));
    report_json_put(json, details, "longest_escape", report_json_integer(check->longest_escape));
    report_json_put(json, details, "connected", json_boolean(check->connected));
    if (!check->connected) {
        stray = report_json_object(json, details, "stray");
        report_json_put(json, stray, "router", report_json_integer(check->stray));
        report_json_put(json, stray, "packet_source", report_json_integer(check->stray_source));
        report_json_put(json, stray, "packet_target", report_json_integer(check->stray_target));
    }
    add_verdict(json, details, "cut_through", topology, check, &check->cut_through);
    add_verdict(json, details, "wormhole", topology, check, &check->wormhole);
}
