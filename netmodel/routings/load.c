/* What a routing means for the links before any simulation: expected loads and lengths of ways.
 *
 * An adaptive routing has exponentially many ways, but few headers: what has come to a router with one header
 * is summed, and goes on together. All ways to the same header are equally long, so a layer of headers is
 * left at once. Sums are taken in the order in which headers are found, so that they round alike everywhere.
 */
#include <stdlib.h>

#include "base/grow.h"
#include "base/table.h"
#include "netmodel/routing.h"

#define FEW 24 /* headers that are quicker to search than to hash */

struct place {
    uint64_t header;
    uint32_t router;
    double weight;
};

struct layer {
    struct place *places;
    uint32_t count, capacity;
};

struct spread {
    const struct net_routing *routing;
    double *load;
    struct layer now, next;
    struct base_table found; /* of the next layer, once it holds more than a few */
};

/* The place of a header in the next layer, or NET_NONE. */
static uint32_t find(const struct spread *spread, uint32_t router, uint64_t header)
{
    const struct layer *next = &spread->next;
    if (next->count > FEW)
        return base_table_get(&spread->found, router, header);
    for (uint32_t i = 0; i < next->count; i++)
        if (next->places[i].router == router && next->places[i].header == header)
            return i;
    return NET_NONE;
}

/* When there are more than a few, those that came before go into the table as well. */
static int append(struct spread *spread, const struct place *place)
{
    struct layer *next = &spread->next;
    if (base_grow_32(&next->places, &next->capacity, (size_t)next->count + 1, sizeof *next->places) != 0)
        return -1;
    next->places[next->count++] = *place;
    if (next->count <= FEW)
        return 0;
    for (uint32_t i = next->count == FEW + 1 ? 0 : next->count - 1; i < next->count; i++)
        if (base_table_put(&spread->found, next->places[i].router, next->places[i].header, i) != 0)
            return -1;
    return 0;
}

/* The ports of the first tier share what is here. */
static int leave(struct spread *spread, const struct place *place)
{
    const struct net_routing *routing = spread->routing;
    const struct net_topology *topology = routing->topology;
    struct net_route route;
    if (routing->kind->route(routing, place->router, place->header, &route) == 0)
        return 0;
    const uint32_t *row = topology->link_at + (size_t)place->router * topology->ports;
    uint32_t ways = 0;
    for (uint32_t port = net_route_next(topology, &route, 0, 0); port != NET_NONE;
         port = net_route_next(topology, &route, 0, port + 1))
        ways++;
    double share = place->weight / ways;
    for (uint32_t port = net_route_next(topology, &route, 0, 0); port != NET_NONE;
         port = net_route_next(topology, &route, 0, port + 1)) {
        struct place after = {routing->kind->step(routing, place->router, place->header, port),
                              topology->links[row[port]].target, share};
        uint32_t index = find(spread, after.router, after.header);
        spread->load[row[port]] += share;
        if (index != NET_NONE)
            spread->next.places[index].weight += share;
        else if (append(spread, &after) != 0)
            return -1;
    }
    return 0;
}

/* Layer after layer, until all have arrived. */
static int spread_out(struct spread *spread, const struct place *first)
{
    int status = append(spread, first);
    while (status == 0 && spread->next.count > 0) {
        struct layer done = spread->now;
        spread->now = spread->next;
        spread->next = done;
        spread->next.count = 0;
        base_table_free(&spread->found);
        spread->found = (struct base_table){0};
        for (uint32_t i = 0; i < spread->now.count && status == 0; i++)
            status = leave(spread, &spread->now.places[i]);
    }
    free(spread->now.places);
    free(spread->next.places);
    base_table_free(&spread->found);
    return status;
}

/* Follows a header while it has one port, without any memory. */
static int follow(const struct net_routing *routing, struct place place, double *load)
{
    const struct net_topology *topology = routing->topology;
    struct net_route route;
    while (routing->kind->route(routing, place.router, place.header, &route) > 0) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        if (net_route_next(topology, &route, 0, port + 1) != NET_NONE) {
            struct spread spread = {.routing = routing, .load = load};
            return spread_out(&spread, &place);
        }
        uint32_t link = topology->link_at[(size_t)place.router * topology->ports + port];
        load[link] += place.weight;
        place.header = routing->kind->step(routing, place.router, place.header, port);
        place.router = topology->links[link].target;
    }
    return 0;
}

/* Exact for traffic that is spread evenly over its ways; what an adaptive routing does under load is for the
 * engine. */
int net_routing_load(const struct net_routing *routing, uint32_t a, uint32_t b, double weight, double *load)
{
    if (routing->kind->load != NULL) {
        routing->kind->load(routing, a, b, weight, load);
        return 0;
    }
    uint32_t variants = routing->kind->variants(routing, a, b);
    for (uint32_t variant = 0; variant < variants; variant++) {
        struct place place = {routing->kind->start(routing, a, b, variant), a, weight / variants};
        if (follow(routing, place, load) != 0)
            return -1;
    }
    return 0;
}

/* Where terminals say which variant they take their weight goes one way; else it is spread over all, as packets are.
 * */
int net_routing_load_between(const struct net_routing *routing, uint32_t source, uint32_t target,
                             double weight, double *load)
{
    uint32_t ends[2];
    net_topology_ends(routing->topology, source, target, ends);
    if (routing->kind->variant == NULL)
        return net_routing_load(routing, ends[0], ends[1], weight, load);
    uint32_t variant = routing->kind->variant(routing, source, target);
    struct place place = {routing->kind->start(routing, ends[0], ends[1], variant), ends[0], weight};
    return follow(routing, place, load);
}

/* All ways of a header are equally long, which is a law in the tests: the lowest ports will do. */
static uint32_t hops_of(const struct net_routing *routing, uint32_t router, uint64_t header)
{
    const struct net_topology *topology = routing->topology;
    struct net_route route;
    uint32_t hops = 0;
    for (; routing->kind->route(routing, router, header, &route) > 0; hops++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    }
    return hops;
}

/* For costs of placements, a million times a run: no memory, one walk. */
uint32_t net_routing_hops(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return hops_of(routing, a, routing->kind->start(routing, a, b, 0));
}

/* Minimal routings have one length for all variants. */
struct net_way_lengths net_routing_lengths(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    struct net_way_lengths lengths = {0, 0};
    uint32_t variants = routing->kind->minimal ? 1 : routing->kind->variants(routing, a, b);
    uint64_t sum = 0;
    if (routing->kind->lengths != NULL)
        return routing->kind->lengths(routing, a, b);
    for (uint32_t variant = 0; variant < variants; variant++) {
        uint32_t hops = hops_of(routing, a, routing->kind->start(routing, a, b, variant));
        sum += hops;
        lengths.longest = hops > lengths.longest ? hops : lengths.longest;
    }
    lengths.mean = (double)sum / variants;
    return lengths;
}
