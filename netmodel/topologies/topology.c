/* What all topologies share: the list of kinds, construction from a text, coordinates and searches.
 *
 * A new kind is a file NAME.c that ends in a const struct net_topology_kind, and a line in
 * kinds.def: lookup, help, errors, and the laws of tests/netmodel/topologies/test-topology.c find it there. */
#include "netmodel/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "netmodel/topologies/graph.h"
#include "netmodel/topologies/mway.h"
#include "netmodel/specification.h"

#define NET_TOPOLOGY_KIND(descriptor) extern const struct net_topology_kind descriptor;
#include "netmodel/topologies/kinds.def"
#undef NET_TOPOLOGY_KIND

#define NET_TOPOLOGY_KIND(descriptor) &descriptor,
static const struct net_topology_kind *const kinds[] = {
#include "netmodel/topologies/kinds.def"
};
#undef NET_TOPOLOGY_KIND

#define KINDS (sizeof kinds / sizeof kinds[0])

/* In the order of kinds.def, that of the help. */
const struct net_topology_kind *const *net_topology_kinds(size_t *count)
{
    *count = KINDS;
    return kinds;
}

/* By name, or an error with the nearest one and the list. A handful of kinds, looked up once a run: a list
 * is the fastest table. The names are gathered for the error only. */
static const struct net_topology_kind *find_kind(const char *name, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("topology", kinds, struct net_topology_kind);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);
    return place == KINDS ? NULL : kinds[place];
}

/* Among those that the kind's texts may have. */
static bool has_key(const struct net_topology_kind *kind, const char *key)
{
    const char *const *next = kind->keys;
    while (next != NULL && *next != NULL && strcmp(*next, key) != 0)
        next++;
    return next != NULL && *next != NULL;
}

/* The text that builds the same topology again: numbers without leading zeros, then the parameters that are not at
 * their defaults, the concentration first. In the topology's arena. NULL: memory. Two texts of one network become
 * the same here, which is what stored results are found by. */
static const char *canonical_text(struct net_topology *topology,
                                  const struct net_specification *specification)
{
    struct base_arena *arena = &topology->arena;
    if (specification->file != NULL)
        return base_arena_text(arena, specification->text);
    char *text = base_arena_format(arena, "%s:%u", specification->kind, specification->sides[0]);
    for (uint32_t i = 1; i < specification->side_count && text != NULL; i++) {
        char separator = topology->kind->lists && i == specification->first_count ? '/'
                         : topology->kind->tuple                                  ? ','
                                                                                  : 'x';
        text = base_arena_format(arena, "%s%c%u", text, separator, specification->sides[i]);
    }
    const char *written = text;
    if (has_key(topology->kind, "concentration"))
        written = net_specification_append(topology, text, "concentration", topology->concentration, 1);
    return written != NULL && topology->kind->write != NULL ? topology->kind->write(topology, written)
                                                            : written;
}

/* A kind does not open files itself: so it is known of each what was in it. The digest is kept with the topology,
 * for answers and stores. */
static int build(struct net_topology *topology, struct net_specification *specification,
                 struct base_error *error)
{
    struct base_input input;
    int status;

    if (!topology->kind->reads_file)
        return topology->kind->build(topology, specification, error);
    if (base_input_open(&input, specification->file) != 0)
        return base_error_system(error, errno, "%s: cannot be read", specification->file);
    specification->input = &input;
    topology->input.path = specification->file;
    memcpy(topology->input.digest, input.digest, sizeof input.digest);
    status = topology->kind->build(topology, specification, error);
    base_input_close(&input);
    return status;
}

/* What differs among the links, so that nobody else has to look through them. */
static void compare_links(struct net_topology *topology)
{
    for (uint32_t i = 0; i < topology->link_count; i++) {
        topology->own_latencies |= topology->links[i].latency != 0;
        topology->narrow_links |= net_link_width(&topology->links[i]) > 1;
    }
}

/* Engines size what looks ahead by it. */
uint32_t net_topology_crossing_max(const struct net_topology *topology, uint32_t link_cycles)
{
    uint32_t most = topology->link_count == 0 ? link_cycles : 0;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        uint32_t crossing = net_link_crossing(&topology->links[i], link_cycles);
        most = crossing > most ? crossing : most;
    }
    return most;
}

/* The kind comes first, so that "msh:0x8" is answered for its name and not for its size; then what the kind
 * understands. Everything lives in the topology's arena: on failure the caller frees that and nothing else.
 */
static int fill(struct net_topology *topology, const char *text, struct base_error *error)
{
    struct net_specification specification;
    const char *name = net_specification_kind(text, &topology->arena, error);
    if (name == NULL)
        return -1;
    topology->kind = find_kind(name, error);
    if (topology->kind == NULL)
        return -1;
    if (net_specification_parse(&specification, text, topology->kind, &topology->arena, error) != 0)
        return -1;
    topology->text = specification.text;
    if (build(topology, &specification, error) != 0)
        return -1;
    compare_links(topology);
    topology->text = canonical_text(topology, &specification);
    return topology->text != NULL ? 0 : base_error_memory(error, "the topology's name");
}

/* All of it is built here, links included: afterwards it is only read, and may be shared by networks. */
struct net_topology *net_topology_new(const char *text, struct base_error *error)
{
    struct net_topology *topology = calloc(1, sizeof *topology);
    if (topology == NULL) {
        base_error_memory(error, "a topology");
        return NULL;
    }
    if (fill(topology, text, error) != 0) {
        net_topology_free(topology);
        return NULL;
    }
    return topology;
}

/* NULL is legal. Networks and routings on it must be gone. */
void net_topology_free(struct net_topology *topology)
{
    if (topology == NULL)
        return;
    base_arena_free(&topology->arena);
    free(topology);
}

/* Only `ideal` has no routers: every other kind has at least one. */
bool net_topology_is_ideal(const struct net_topology *topology)
{
    return topology->routers == 0;
}

/* Terminals of a router have neighbouring numbers. */
uint32_t net_topology_router_of(const struct net_topology *topology, uint32_t terminal)
{
    if (net_shared_inside_routers(topology))
        return topology->shared->routers[terminal].lower;
    return net_topology_is_ideal(topology) ? NET_NONE : terminal / topology->concentration;
}

/* Only where a terminal has two channels do the two depend on each other. */
void net_topology_ends(const struct net_topology *topology, uint32_t source, uint32_t target,
                       uint32_t ends[2])
{
    ends[0] = net_topology_router_of(topology, source);
    ends[1] = net_topology_router_of(topology, target);
    if (net_shared_inside_routers(topology))
        net_shared_nearest(topology, source, target, NULL, ends);
}

/* A line is a plane of one row; NULL beyond two dimensions. */
const struct net_grid *net_topology_plane(const struct net_topology *topology)
{
    return topology->grid == NULL || topology->grid->dimensions > 2 ? NULL : topology->grid;
}

/* Dimensions that a grid has not are 1 long. */
uint32_t net_topology_side(const struct net_topology *topology, uint32_t d)
{
    return topology->grid != NULL && d < topology->grid->dimensions ? topology->grid->sides[d] : 1;
}

/* For readers and pictures. Hot code does not ask for coordinates: it carries a routing's header. */
void net_topology_coordinates(const struct net_topology *topology, uint32_t router, uint32_t *coordinates)
{
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        coordinates[d] = router % topology->grid->sides[d];
        router /= topology->grid->sides[d];
    }
}

/* "(3,5)": of 11 characters a coordinate at most. */
static void coordinates_text(const struct net_topology *topology, uint32_t router, char text[NET_NAME_TEXT])
{
    uint32_t at[NET_DIMENSIONS_MAX] = {0};
    uint32_t dimensions = net_topology_dimensions(topology);
    size_t used = 0;

    net_topology_coordinates(topology, router, at);
    for (uint32_t d = 0; d < dimensions; d++)
        used += (size_t)snprintf(text + used, NET_NAME_TEXT - used, "%c%" PRIu32 "%s", d == 0 ? '(' : ',',
                                 at[d], d + 1 == dimensions ? ")" : "");
}

/* By the file, by the kind, by a number, or by coordinates: the first of these that there is. */
const char *net_router_name(const struct net_topology *topology, uint32_t router, char text[NET_NAME_TEXT])
{
    if (topology->graph != NULL)
        snprintf(text, NET_NAME_TEXT, "%s", topology->graph->names[router]);
    else if (topology->kind->router_name != NULL)
        topology->kind->router_name(topology, router, text);
    else if (net_topology_dimensions(topology) == 0)
        snprintf(text, NET_NAME_TEXT, "router %" PRIu32, router);
    else
        coordinates_text(topology, router, text);
    return text;
}

/* Names that are no numbers belong to links, and are found by those. */
const char *net_port_name(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    const struct net_named_ports *named = topology->named;
    if (named == NULL)
        return topology->kind->port_name(topology, port);
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    return link == NET_NONE ? "-" : named->texts[named->of_link[link]];
}

/* For kinds without a closed form: a search from one end. Without room for its arrays the distance is
 * unknown: NET_NONE. */
static uint32_t searched_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    uint32_t *distances = calloc(topology->routers, 2 * sizeof *distances);
    uint32_t distance = NET_NONE;
    if (distances != NULL) {
        net_topology_search(topology, a, distances, distances + topology->routers);
        distance = distances[b];
    }
    free(distances);
    return distance;
}

/* In hops between routers; 0 for a router and itself. */
uint32_t net_topology_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    if (topology->kind->distance != NULL)
        return topology->kind->distance(topology, a, b);
    return searched_distance(topology, a, b);
}

/* Breadth first by outgoing links. The arrays are the caller's, so that searches from every router allocate
 * once. O(links). A router that cannot be reached keeps NET_NONE; queue has the others in the order of their
 * distances. */
void net_topology_search(const struct net_topology *topology, uint32_t from, uint32_t *distances,
                         uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        distances[r] = NET_NONE;
    distances[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t router = queue[head++];
        const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
        for (uint32_t port = 0; port < topology->ports; port++) {
            if (row[port] == NET_NONE)
                continue;
            uint32_t next = topology->links[row[port]].target;
            if (distances[next] == NET_NONE) {
                distances[next] = distances[router] + 1;
                queue[tail++] = next;
            }
        }
    }
}
