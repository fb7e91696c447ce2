/* Every channel of the network as a line of CSV: where it is, what it carried, and how long headers waited for it.
 *
 *      channel,name,class,source,target,source_coordinates,target_coordinates,flits,busy_cycles,load,wait_cycles
 *      0,"(0,0) X+",X,0,1,0 0,1 0,18220,18220,0.0345...,1204
 *
 * Coordinates are numbers with spaces between them, so that one column serves any number of dimensions. A shared
 * channel is a place of its own: its source is itself, and it has no target. */
#include <inttypes.h>

#include "netmodel/topologies/channels.h"
#include "netmodel/topology.h"
#include "reports/fields/field.h"
#include "reports/pages/csv.h"
#include "reports/run/run.h"

#define DIMENSIONS_MOST 64

/* The field of a router's coordinates, empty where there is no grid; with the comma behind it. */
static void put_coordinates(const struct net_topology *topology, uint32_t router, FILE *stream)
{
    uint32_t place[DIMENSIONS_MOST] = {0};
    uint32_t dimensions = net_topology_dimensions(topology);

    if (dimensions > 0 && dimensions <= DIMENSIONS_MOST) {
        net_topology_coordinates(topology, router, place);
        for (uint32_t d = 0; d < dimensions; d++)
            fprintf(stream, "%s%" PRIu32, d > 0 ? " " : "", place[d]);
    }
    putc(',', stream);
}

/* Class, ends and their coordinates. */
static void put_link(const struct net_topology *topology, const struct net_link *link, FILE *stream)
{
    if (topology->link_class_count > 0)
        report_csv_text(stream, topology->link_classes[link->class_number]);
    fprintf(stream, ",%" PRIu32 ",%" PRIu32 ",", link->source, link->target);
    put_coordinates(topology, link->source, stream);
    put_coordinates(topology, link->target, stream);
}

/* A line; false: memory. */
static bool put_channel(const struct report_run *run, const struct net_topology *topology, uint32_t channel,
                        FILE *stream)
{
    const struct report_channel_count *count = &run->channels[channel];
    struct base_arena arena = {0};
    const char *name = net_channel_name(topology, &arena, channel);

    if (name == NULL)
        return false;
    fprintf(stream, "%" PRIu32 ",", channel);
    report_csv_text(stream, name);
    base_arena_free(&arena);
    putc(',', stream);
    if (topology->shared == NULL) {
        put_link(topology, &topology->links[channel], stream);
    } else {
        fprintf(stream, ",%" PRIu32 ",,", channel);
        put_coordinates(topology, channel, stream);
        putc(',', stream);
    }
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%.17g,", count->flits, count->busy_cycles,
            run->simulated_cycles > 0 ? (double)count->busy_cycles / (double)run->simulated_cycles : 0);
    if (run->waits != NULL)
        fprintf(stream, "%" PRIu64, count->wait_cycles);
    putc('\n', stream);
    return true;
}

int report_run_channels(const struct report_run *run, const struct net_topology *topology, FILE *stream,
                        struct base_error *error)
{
    fputs("channel,name,class,source,target,source_coordinates,target_coordinates,flits,busy_cycles,load,"
          "wait_cycles\n",
          stream);
    for (uint32_t channel = 0; channel < run->channel_count; channel++)
        if (!put_channel(run, topology, channel, stream))
            return base_error_memory(error, "the table of channels");
    return 0;
}
