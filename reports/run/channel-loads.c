/* One array has the loads of links, of buses behind them, and of shared channels behind those. */
#include "reports/run/channel-loads.h"

#include <stdlib.h>

#include "base/units.h"
#include "netmodel/topologies/channels.h"
#include "reports/topology/picture-parts.h"

/* Of equal channels the first, as in the table. */
static void find_busiest(struct report_channel_loads *loads)
{
    for (uint32_t i = 0; i < loads->count; i++)
        if (loads->channels[i] > loads->most) {
            loads->most = loads->channels[i];
            loads->busiest = i;
        }
}

/* Counts as numbers; where nothing was counted they stay 0. */
static void put(double *into, const uint64_t *counts, uint32_t count)
{
    for (uint32_t i = 0; counts != NULL && i < count; i++)
        into[i] = (double)counts[i];
}

/* The cycles of channels that are no links, or of links that are counted in bits. */
static void put_channels(struct report_channel_loads *loads, uint32_t count)
{
    const struct report_run *run = loads->view->run;

    if (loads->interval != NULL)
        put(loads->channels, loads->interval->busy_cycles, count);
    else if (loads->view->topology->shared != NULL)
        put(loads->channels, run->channel_carried, count);
    else
        for (uint32_t i = 0; i < count && i < run->channel_count; i++)
            loads->channels[i] = (double)run->channels[i].busy_cycles;
}

int report_channel_loads_make(struct report_channel_loads *loads, const struct report_run_view *view,
                              const struct report_busiest_interval *interval, struct base_error *error)
{
    const struct report_run *run = view->run;
    const struct net_topology *topology = view->topology;
    uint32_t links = topology->link_count, own = 0;

    if (topology->multistage != NULL || (topology->shared != NULL && run->channel_carried != NULL))
        own = net_channel_count(topology);
    *loads =
        (struct report_channel_loads){.view = view,
                                      .interval = interval,
                                      .cycles = interval != NULL ? interval->cycles : run->simulated_cycles,
                                      .count = own > 0 ? own : links};
    loads->links = calloc((size_t)links + run->bus_count + own + 1, sizeof *loads->links);
    if (loads->links == NULL)
        return base_error_memory(error, "the picture of the channels");
    put(loads->links, interval != NULL ? interval->link_carried : run->link_carried, links);
    put(loads->links + links, interval != NULL ? interval->bus_bits : run->bus_bits, run->bus_count);
    loads->channels = own > 0 ? loads->links + links + run->bus_count : loads->links;
    put_channels(loads, own);
    find_busiest(loads);
    return 0;
}

void report_channel_loads_free(struct report_channel_loads *loads)
{
    free(loads->links);
}

/* Cycles are those in use, as the table counts them. */
static void write_note(const struct report_channel_loads *loads, const char *name, double load,
                       char text[REPORT_LOAD_NOTE])
{
    const struct report_run *run = loads->view->run;
    double cycles = loads->cycles > 0 ? (double)loads->cycles : 1;
    char share[REPORT_NUMBER_TEXT], busy[BASE_UNITS_TEXT];

    base_format_ns(run->clock_khz == 0 ? 0 : base_ns_from_cycles((uint64_t)load, run->clock_khz), busy);
    snprintf(text, REPORT_LOAD_NOTE, "%.250s: %s, in use for %s", name,
             report_page_share(load / cycles, share), busy);
}

void report_channel_loads_note(const struct report_channel_loads *loads, uint32_t channel,
                               char text[REPORT_LOAD_NOTE])
{
    char name[NET_CHANNEL_TEXT];

    net_channel_text(loads->view->topology, channel, name);
    write_note(loads, name, loads->channels[channel], text);
}

/* Of shared channels a link is a way through an m-way router, and has no row in the table. */
void report_channel_loads_note_link(const void *context, uint32_t link, char text[REPORT_LOAD_NOTE])
{
    const struct report_channel_loads *loads = context;
    const struct net_topology *topology = loads->view->topology;
    const struct net_link *of = &topology->links[link];
    char from[NET_NAME_TEXT / 2], name[NET_NAME_TEXT];

    if (topology->shared == NULL) {
        report_channel_loads_note(loads, link, text);
        return;
    }
    snprintf(from, sizeof from, "%.100s", net_router_name(topology, of->source, name));
    net_router_name(topology, of->target, name);
    snprintf(text, REPORT_LOAD_NOTE, "m-way router from %s to %.100s", from, name);
    snprintf(name, sizeof name, "%.250s", text);
    write_note(loads, name, loads->links[link], text);
}

void report_channel_loads_note_bus(const void *context, uint32_t bus, char text[REPORT_LOAD_NOTE])
{
    const struct report_channel_loads *loads = context;
    const struct net_topology *topology = loads->view->topology;
    char name[REPORT_BUS_NAME], bits[BASE_UNITS_TEXT];

    snprintf(text, REPORT_LOAD_NOTE, "%s: %s bits", report_stages_bus(topology, bus, name),
             base_format_count((uint64_t)loads->links[topology->link_count + bus], bits));
}
