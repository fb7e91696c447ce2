/* What graph.c and graph-reader.c share: a graph as its file has it, in the order of the file. */
#ifndef NET_GRAPH_READER_H
#define NET_GRAPH_READER_H

#include "base/input.h"
#include "base/table.h"
#include "netmodel/topologies/graph.h"

struct net_graph_text_router {
    const char *name;   /* as the file calls it */
    uint32_t terminals; /* at the router */
    bool placed;        /* at=X,Y was given */
    double place[2];    /* in pitches, if it was */
};

#define NET_GRAPH_CLASSES_MAX 64 /* of links */

struct net_graph_text_arc {
    uint32_t ends[2];                                    /* routers, as numbered in the file */
    uint32_t rank;                                       /* or NET_NONE */
    uint32_t latency, flit_cycles, class_number, length; /* as in struct net_link */
};

/* Owned by whoever made it: net_graph_text_free. Texts are in the arena. */
struct net_graph_text {
    struct base_arena *arena;              /* of the names; borrowed */
    struct net_graph_text_router *routers; /* in the order of the file */
    struct net_graph_text_arc *arcs;       /* in the order of the file */
    struct net_graph_route *routes;        /* ends as numbered in the file */
    struct net_graph_hop *hops;            /* links are arcs, as numbered in the file */
    uint32_t router_count, arc_count, route_count, hop_count;
    uint32_t router_room, arc_room, route_room, hop_room; /* what the arrays have room for */
    uint32_t terminals;                                   /* of each router that has any */
    bool ranked;
    uint32_t virtual_channels;                  /* that the file's routes use */
    const char *classes[NET_GRAPH_CLASSES_MAX]; /* of links */
    uint32_t class_count;
    struct base_table name_of; /* (hash, repetition) -> router */
    struct base_table arc_of;  /* (source, target) -> the first arc */
};

/* Reads a file; text is zeroed but for its arena. -1: BASE_INPUT with line and column, or memory. */
int net_graph_text_read(struct net_graph_text *text, const struct base_input *file, struct base_error *error);
void net_graph_text_free(struct net_graph_text *text);

#endif
