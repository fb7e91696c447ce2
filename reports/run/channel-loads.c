/* One array has the loads of links, of buses behind them, and of shared channels behind those. */
#include "reports/run/channel-loads.h"

#include <stdlib.h>

#include "base/units.h"
#include "netmodel/topologies/channels.h"

/* Of equal channels the first, as in the table. */
static void find_busiest(struct report_channel_loads *loads)
{
    for (uint32_t i = 0; i < loads->count; i++)
        if (loads->channels[i] > loads->most) {
            loads->most = loads->channels[i];
            loads->busiest = i;
        }
}

int report_channel_loads_make(struct report_channel_loads *loads, const struct report_run_view *view,
                              struct base_error *error)
{
    const struct report_run *run = view->run;
    uint32_t links = view->topology->link_count, shared = 0;

    if (view->topology->shared != NULL && run->channel_carried != NULL)
        shared = view->topology->routers;
    *loads = (struct report_channel_loads){.view = view, .count = shared > 0 ? shared : links};
    loads->links = calloc((size_t)links + run->bus_count + shared + 1, sizeof *loads->links);
    if (loads->links == NULL)
        return base_error_memory(error, "the picture of the channels");
    for (uint32_t i = 0; i < links; i++)
        loads->links[i] = (double)run->link_carried[i];
    for (uint32_t i = 0; i < run->bus_count; i++)
        loads->links[links + i] = (double)run->bus_bits[i];
    loads->channels = shared > 0 ? loads->links + links + run->bus_count : loads->links;
    for (uint32_t i = 0; i < shared; i++)
        loads->channels[i] = (double)run->channel_carried[i];
    find_busiest(loads);
    return 0;
}

void report_channel_loads_free(struct report_channel_loads *loads)
{
    free(loads->links);
}

/* Cycles are those in use, as the table counts them. */
static void write_note(const struct report_run *run, const char *name, double load,
                       char text[REPORT_LOAD_NOTE])
{
    double cycles = run->simulated_cycles > 0 ? (double)run->simulated_cycles : 1;
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
    write_note(loads->view->run, name, loads->channels[channel], text);
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
    write_note(loads->view->run, name, loads->links[link], text);
}
