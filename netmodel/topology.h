/* A topology: routers, terminals and the directed links between routers; coordinates; exact distances. It is
 * a plain immutable graph once built. Every kind is a builder of routers and links (one file, one descriptor,
 * one line in netmodel/topologies/kinds.def). Models: those of the king thesis (E. Stafford, 2015), with the
 * conventions of doc/networks.md.
 *
 * Ports. A link leaves its source router by a port and enters its target router by an input of the same
 * number: the input is named by the direction of travel, so a packet that "goes on along the same ring"
 * enters and leaves by the same number. Port order is part of the model (dimension-order routing and
 * arbitration use it): X+ X- Y+ Y- (then Z+ Z- … for more dimensions of mesh and torus), and for king
 * networks X+ X- Y+ Y- Z+ Z- T+ T- with Z+ = (1,1), T+ = (1,-1). Diagonal networks have one of the two. */
#ifndef NET_TOPOLOGY_H
#define NET_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/input.h"
#include "base/random.h"

#define NET_NONE UINT32_MAX
#define NET_DIMENSIONS_MAX 24
#define NET_TERMINALS_MAX (UINT32_C(1) << 24)

struct net_topology_kind;
struct net_routing_kind;
struct net_shared;     /* netmodel/topologies/mway.h */
struct net_one_way;    /* netmodel/topologies/one-way.h */
struct net_multistage; /* netmodel/stages/multistage.h */

/* The diagonals of a plane: Z along (1,1), north-east, and T along (1,-1), south-east. */
enum net_diagonal { NET_DIAGONAL_Z = 1, NET_DIAGONAL_T = 2 };

#define NET_LINK_LATENCY_MAX 1024
#define NET_LINK_FLIT_CYCLES_MAX 256

/* Rules 1 and 12 of doc/flit-engine.md: all links of most kinds are alike, and have zeros here. */
struct net_link {
    uint32_t source, target; /* routers */
    uint32_t port;           /* at the source; also the input's number at the target */
    uint16_t latency;        /* cycles; 0: those of the network's options (link_cycles) */
    uint16_t flit_cycles;    /* that a flit takes to go onto it: W of a link of width 1/W; 0: 1 */
    uint16_t class_number;   /* of the topology's link classes; 0 where there are none */
    uint32_t length; /* mm, as a file says; 0: follows from where routers stand (costs/layout.h). It costs
                                no cycles by itself */
};

/* What a grid has beside routers and links: dimensions, without those of side 1. */
struct net_grid {
    uint32_t dimensions;                      /* of sides that are used */
    uint32_t sides[NET_DIMENSIONS_MAX];       /* X first; router = x + sides[0] * (y + sides[1] * …) */
    uint64_t reciprocals[NET_DIMENSIONS_MAX]; /* 2^40 / side, rounded up; 0: not exact for its routers */
    bool wraps;                               /* the torus of each family */
    uint32_t diagonals;                       /* mask of enum net_diagonal: which diagonals have links */
    uint32_t family_diagonals; /* the same of its kind, for whom a line has too few dimensions */
    const bool *ring_port;     /* [port]: the links of this port close rings (wrap-around) */
    /* [class]: W of links of width 1/W along a dimension, or along the diagonals; 0: of full width */
    uint16_t flit_cycles[NET_DIMENSIONS_MAX + 1];
    const char *widths; /* the same as the canonical text has it; NULL or empty: all are of full width */
};

/* Ports by what they are for, "up 1", "local 2", where a link cannot have that number at both of its ends
 * (topologies/wires.h): then ports are numbered as those of a graph are. */
struct net_named_ports {
    uint32_t count;           /* of names, which are numbered in the order of the texts */
    const char *const *texts; /* [name] */
    const uint32_t *link_at;  /* [router * count + name]: link, or NET_NONE where a router has no such port */
    const uint16_t *of_link;  /* [link]: the name of its port */
};

/* Router to router; what a network is made of beside these is asked for by the pointers, each NULL where there is
 * none of it. */
struct net_topology {
    const struct net_topology_kind *kind; /* whose functions know its structure */
    const char *text;                     /* canonical specification: "king-mesh:8x8,concentration=2" */
    struct base_input_name input;         /* the file that it was read from, if there is one */
    uint32_t routers, terminals;
    uint32_t concentration; /* terminal = router * concentration + slot */
    uint32_t ports;         /* of the widest router; port numbers are 0 .. ports-1 */
    uint32_t link_count;
    const struct net_link *links; /* sorted by source, then port */
    const uint32_t *link_at;      /* [router * ports + port]: link leaving by that port, or NET_NONE */
    bool own_latencies;           /* some link has a latency of its own */
    bool narrow_links;            /* over some link a flit takes more than a cycle */
    /* What links are, by which answers group them: the dimensions of a grid, and its diagonals; "local", "global",
     * "up" … of a file; none: all are alike. Of shared channels they are not grouped. */
    const char *const *link_classes;
    uint32_t link_class_count; /* of link_classes; 0: they are not grouped */
    /* Terminals of a group (of a dragonfly), of a subtree below the top (of a fat tree), of a row (of a HyperX), whose
     * numbers follow each other: what patterns and partitions call groups. 0: it has none. */
    uint32_t group_terminals;
    const struct net_named_ports *named; /* ports whose names are not their numbers; NULL: they are */
    const void *shape; /* sizes and tables of a kind, for whoever knows it (machines/dragonfly.h ...) */
    const struct net_grid *grid;     /* sides and coordinates */
    const struct net_graph *graph;   /* what a file said besides (topologies/graph.h) */
    const struct net_shared *shared; /* of shared channels (topologies/mway.h); NULL where links are wires */
    const struct net_one_way *one_way; /* links of one direction, for deflection (topologies/one-way.h) */
    const struct net_multistage *multistage; /* of stages of cells (stages/multistage.h) */
    struct base_arena arena;                 /* owns everything above */
};

/* A parsed "kind:8x8,key=value,…" */
struct net_specification {
    const char *what; /* for errors: "topology", "routing" */
    const char *text, *kind;
    const char *file;               /* of a kind that reads one */
    const struct base_input *input; /* that file, while the topology is built */
    bool tuple;                     /* the kind's */
    uint32_t side_count;
    uint32_t first_count; /* of a kind of two lists: the sizes before the '/' */
    uint32_t sides[NET_DIMENSIONS_MAX];
    uint32_t parameter_count; /* of parameters that were given */
    struct {
        const char *key, *value; /* as in the text, in its order */
    } parameters[16];
};

struct net_topology_kind {
    const char *name;        /* "king-mesh" */
    enum base_chance chance; /* of its own, beside its routings': where packets enter (engines/chance.c) */
    const char *summary;     /* a line of help */
    const char *parameters;  /* "SXxSY[,concentration=C]" */
    const char *routing;     /* the default routing's name; NULL for ideal, which has no routing */
    /* The forms that routings of the list have on it: descriptors by the same names, that are not in the list, of rules
     * made for such networks. NULL-terminated; NULL: none has one. */
    const struct net_routing_kind *const *forms;
    const char *const *keys; /* the parameters it knows, NULL-terminated; NULL: none */
    bool reads_file;         /* "kind:FILE": no sizes and no parameters; specification->input is open */
    bool tuple;              /* sizes are numbers of several things, between commas: "shufflenet:2,4" */
    bool lists;              /* two lists of as many sizes: "xgft:4x4/1x2" */
    bool apart; /* its links are no wires between routers with buffers: only routings and engines that
                                are made for it serve it */
    /* What tests draw: sizes and parameters as they may stand behind "kind:", separated by blanks; small, odd and
     * degenerate ones, every parameter in some of them. NULL: of a kind that reads a file. */
    const char *examples;
    /* Fills topology (zeroed, kind and text set; allocate from its arena) from the specification. -1:
     * BASE_USAGE. */
    int (*build)(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error);
    /* The kind's own parameters in the canonical text: `text`, which ends with the sizes and the concentration (of a
     * kind with that key), and behind it ",key=value" for each other one that is not at its default
     * (net_specification_append). NULL: memory. Without it: it has none. */
    const char *(*write)(struct net_topology *topology, const char *text);
    /* Where a router stands in a picture, x to the right and y upwards, in any unit. NULL or false (then of all
     * routers): by the coordinates of the grid; where there is no grid either, on a circle. */
    bool (*place)(const struct net_topology *topology, uint32_t router, double place[2]);
    /* Where a router stands on a chip, in pitches, for lengths of links (netmodel/costs/layout.h). NULL: by the
     * coordinates of the grid; where there is no grid either, nobody knows. False: not known of this network. */
    bool (*lay)(const struct net_topology *topology, uint32_t router, double place[2]);
    /* Links on a shortest path between two routers, in closed form; NULL: breadth-first search. */
    uint32_t (*distance)(const struct net_topology *topology, uint32_t a, uint32_t b);
    /* The first router that a symmetry of the network, its terminals included, takes this one to: what is counted from
     * one is what is counted from the other. NULL: none is known. */
    uint32_t (*alike)(const struct net_topology *topology, uint32_t router);
    /* Both or neither (then: searches, from one of all routers that are alike). The largest distance, and in closed
     * form pairs[k] = ordered pairs of routers at distance k; pairs has diameter + 1 entries, zeroed. */
    uint32_t (*diameter)(const struct net_topology *topology);
    void (*histogram)(const struct net_topology *topology, uint64_t *pairs);
    /* What people are told of a router, into NET_NAME_TEXT characters. NULL: its coordinates, or its number. */
    void (*router_name)(const struct net_topology *topology, uint32_t router, char *text);
    /* "X+" for port 0 …; the text is static or borrowed from the topology; NULL when there are no ports, or ports
     * are named (net_port_name). */
    const char *(*port_name)(const struct net_topology *topology, uint32_t port);
    /* Minimum number of directed links between two halves (sizes differing by at most one), both ways summed;
     * *exact is false when the number is only the best cut known. NULL: net_bisection_search. -1: memory. */
    int (*bisection)(const struct net_topology *topology, uint64_t *channels, bool *exact,
                     struct base_error *error);
};

const struct net_topology_kind *const *net_topology_kinds(size_t *count);
/* Reads "mesh:8x8,concentration=4" and builds it. The caller owns the result. NULL: unknown kind (with the
 * nearest match), malformed or impossible sizes and parameters (BASE_USAGE), memory (BASE_SYSTEM). */
struct net_topology *net_topology_new(const char *text, struct base_error *error);
void net_topology_free(struct net_topology *topology);

/* For `ideal:N`: N terminals, no routers and no links. */
bool net_topology_is_ideal(const struct net_topology *topology);
/* The router of a terminal; NET_NONE in an ideal topology, where every distance is 0. A terminal inside an
 * m-way router (netmodel/topologies/mway.h) counts for the lower of the two channels that it is on. */
uint32_t net_topology_router_of(const struct net_topology *topology, uint32_t terminal);
/* The routers at which a message enters and leaves: those of its terminals. Of terminals inside m-way
 * routers, the nearest two of their channels (the first of equally near ones). */
void net_topology_ends(const struct net_topology *topology, uint32_t source, uint32_t target,
                       uint32_t ends[2]);
/* coordinates has net_topology_dimensions entries. */
void net_topology_coordinates(const struct net_topology *topology, uint32_t router, uint32_t *coordinates);
#define NET_NAME_TEXT 300
/* What people are told of a router: "(3,5)" where it has coordinates, its name where it has one, else
 * "router 7". Returns text; names are cut where it ends. */
const char *net_router_name(const struct net_topology *topology, uint32_t router, char text[NET_NAME_TEXT]);
/* What people are told of the port of a router: "X+", "up 1"; that of a port without a link is "-" where ports are
 * named. The text is borrowed from the topology. */
const char *net_port_name(const struct net_topology *topology, uint32_t router, uint32_t port);
/* The link by the port of that name (net_named_ports), which the router must have. */
static inline const struct net_link *net_named_link(const struct net_topology *topology, uint32_t router,
                                                    uint32_t name)
{
    return &topology->links[topology->named->link_at[(size_t)router * topology->named->count + name]];
}
/* Links crossed between two routers, shortest path (the kind's closed form, or breadth-first search). */
uint32_t net_topology_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
/* distances[r] = links from `from` to r by breadth-first search; NET_NONE where unreachable; `distances` and
 * `queue` have `routers` entries each. The law "closed form = search" is tested for every kind. */
void net_topology_search(const struct net_topology *topology, uint32_t from, uint32_t *distances,
                         uint32_t *queue);

/* Exact properties (doc/networks.md, Conventions: links are directed; both means). */
struct net_metrics {
    uint64_t links;                  /* directed, router to router */
    uint32_t degree_min, degree_max; /* outgoing links of a router */
    uint32_t in_degree_min, in_degree_max;
    uint32_t neighbours_min, neighbours_max; /* distinct neighbours: parallel links counted once */
    uint32_t diameter;
    uint64_t distance_sum; /* over all ordered pairs of routers */
    uint64_t *histogram;   /* [0 .. diameter]: ordered pairs at that distance */
    double mean_distance;  /* distinct pairs; 0 for one router */
    double mean_distance_with_self;
    /* From terminal to terminal, over distinct ordered pairs: two at one router are 0 links apart. */
    uint32_t terminal_diameter;
    double mean_terminal_distance; /* 0 for one terminal */
    uint64_t bisection_channels;   /* directed links of the best balanced cut, both ways */
    bool bisection_exact;
    /* Shortest paths, by net_topology_path_diversity: mean over distinct pairs, the most of a pair, and the
     * mean for each distance [0 .. diameter]. NULL where they were not counted. Beyond 2^53 the numbers are
     * rounded to that many bits. */
    double paths_mean, paths_max;
    double *paths_at;
    /* Cycles of a header on the links of the quickest paths, over distinct pairs, by net_topology_latencies. NAN where
     * they were not worked out: then mean_distance times link_cycles is theirs. */
    double mean_latency;
    uint64_t max_latency; /* in cycles */
};
/* Fills metrics; free with net_metrics_free. Uses the kind's closed forms where it has them, else searches
 * from every router. An ideal topology has all zeros. -1: memory, or a sum of distances beyond 64 bits (a
 * line of millions). */
int net_topology_metrics(const struct net_topology *topology, struct net_metrics *metrics,
                         struct base_error *error);
void net_metrics_free(struct net_metrics *metrics);
/* The bisection alone, as metrics have it; 0 channels of an ideal topology. -1: memory. */
int net_topology_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                           struct base_error *error);
/* What the links of that bisection carry, both ways summed, where one of full width carries `whole` of any unit and one
 * of width 1/W whole / W, rounded down. Where links differ in width it is the narrowest cut known, and *exact is false.
 * -1: memory. */
int net_topology_bisection_capacity(const struct net_topology *topology, uint64_t whole, uint64_t *capacity,
                                    bool *exact, struct base_error *error);

/* paths[r] = number of shortest paths from `from` to r, parallel links counted apart; `distances` as by
 * net_topology_search; every router must be reachable. All arrays have `routers` entries. */
void net_topology_paths(const struct net_topology *topology, uint32_t from, uint32_t *distances,
                        uint32_t *queue, double *paths);
/* Adds the path diversity to metrics that are filled otherwise; leaves paths_at NULL for an ideal topology
 * and for one so large that a search from every router takes more than some seconds (2^30 links). -1: memory.
 */
int net_topology_path_diversity(const struct net_topology *topology, struct net_metrics *metrics,
                                struct base_error *error);

/* Adds the latencies to metrics that are filled otherwise; leaves mean_latency NAN where links are all alike, and where
 * searching takes more than some seconds. Every router must be reachable. link_cycles: of links that have no latency
 * of their own. -1: memory. */
int net_topology_latencies(const struct net_topology *topology, uint32_t link_cycles,
                           struct net_metrics *metrics, struct base_error *error);

/* Cycles that a flit takes to go onto a link: W of rule 12. */
static inline uint32_t net_link_width(const struct net_link *link)
{
    return link->flit_cycles != 0 ? link->flit_cycles : 1;
}
/* A flit that crosses the link in cycle t is in the next buffer at the start of t + this: L + W - 1.
 * link_cycles: of the network's options, in force. */
static inline uint32_t net_link_crossing(const struct net_link *link, uint32_t link_cycles)
{
    return (link->latency != 0 ? link->latency : link_cycles) + net_link_width(link) - 1;
}
/* The largest of them; link_cycles where there are no links. */
uint32_t net_topology_crossing_max(const struct net_topology *topology, uint32_t link_cycles);

/* The grid of a network that can be drawn as a plane without loss: of at most two dimensions (of fewer the
 * missing sides are 1), and one whose routers are places of it. NULL: it is no plane. */
const struct net_grid *net_topology_plane(const struct net_topology *topology);
/* How many coordinates a router has; 0 where there is no grid, or nothing but one router. */
static inline uint32_t net_topology_dimensions(const struct net_topology *topology)
{
    return topology->grid == NULL ? 0 : topology->grid->dimensions;
}
/* How many routers there are in dimension d; 1 in those that the network does not have. */
uint32_t net_topology_side(const struct net_topology *topology, uint32_t d);
/* The routers between which distances and paths are counted: the first so many. All, but of stages of cells, which
 * send nothing themselves, the processors. */
static inline uint32_t net_topology_ends_of_paths(const struct net_topology *topology)
{
    return topology->multistage != NULL ? topology->terminals : topology->routers;
}
/* Whether links lead from the last router of a dimension to the first one. */
static inline bool net_topology_wraps(const struct net_topology *topology)
{
    return topology->grid != NULL && topology->grid->wraps;
}
/* Whether links by this port close rings, so that the bubble rule applies to them. */
static inline bool net_topology_in_ring(const struct net_topology *topology, uint32_t port)
{
    return topology->grid != NULL && topology->grid->ring_port[port];
}

/* Whether it is a plane with links along both diagonals. */
bool net_topology_is_king(const struct net_topology *topology);
/* The number of squares of side 2 * radius + 1 that tile a king network, row by row; 0 where they do not.
 * Every router is within radius hops of exactly one router in the middle of a square. */
uint32_t net_topology_squares(const struct net_topology *topology, uint32_t radius);
uint32_t net_topology_square_centre(const struct net_topology *topology, uint32_t radius, uint32_t square);

#endif
