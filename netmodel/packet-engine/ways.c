/* See ways.h. The table doubles while headers are new, that is during warm-up; a failure to grow is
 * no failure, since the routing can always be asked. */
#include "netmodel/packet-engine/ways.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define FIRST_WAYS 256
#define STARTS_MAX 32768 /* more would crowd out of the cache what every hop needs */

/* Room for capacity ways, with the old ones in it; the places are made anew, since they depend on it. Twice as
 * many places as ways, all of them free: grow() puts the headers in again. */
static int resize(struct net_packet_ways *ways, uint32_t capacity)
{
    size_t stride = net_packet_way_stride(ways->routing->topology->ports);
    char *table = realloc(ways->table, capacity * stride);
    if (table != NULL)
        ways->table = table;
    uint64_t *headers = realloc(ways->headers, capacity * sizeof *headers);
    if (headers != NULL)
        ways->headers = headers;
    uint64_t *early = ways->keeps_early ? realloc(ways->early, capacity * sizeof *early) : NULL;
    if (early != NULL)
        ways->early = early;
    uint16_t *places = malloc(2 * (size_t)capacity * sizeof *places);
    if (table == NULL || headers == NULL || places == NULL || (ways->keeps_early && early == NULL)) {
        free(places);
        return -1;
    }
    free(ways->places);
    ways->places = places;
    ways->capacity = capacity;
    memset(places, 0xff, 2 * (size_t)capacity * sizeof *places);
    return 0;
}

/* A router's position has its coordinates as digits, to bases of nearly two sides: so the difference of two
 * positions has the displacement as digits, each of either sign. Too many displacements are no failure: then
 * starts are not remembered, and the routing is asked for each packet. */
static int allocate_starts(struct net_packet_ways *ways, const struct net_topology *topology)
{
    uint64_t places = 1;
    for (uint32_t d = 0; d < topology->grid->dimensions && places <= STARTS_MAX; d++)
        places *= 2 * topology->grid->sides[d] - 1;
    if (places > STARTS_MAX)
        return 0;
    ways->positions = malloc(topology->routers * sizeof *ways->positions);
    ways->starts = calloc((size_t)places, sizeof *ways->starts);
    if (ways->positions == NULL || ways->starts == NULL)
        return -1;
    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t rest = router, base = 1;
        ways->positions[router] = 0;
        for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
            ways->positions[router] += rest % topology->grid->sides[d] * base;
            rest /= topology->grid->sides[d];
            base *= 2 * topology->grid->sides[d] - 1;
        }
    }
    ways->farthest = (uint32_t)places / 2;
    return 0;
}

/* limit 0: no way is remembered, as where a routing says different things of equal headers at different routers. */
int net_packet_ways_init(struct net_packet_ways *ways, const struct net_routing *routing, uint32_t limit,
                         bool legs, bool early)
{
    *ways = (struct net_packet_ways){.routing = routing, .limit = limit, .legs = legs, .keeps_early = early};
    if (limit == 0)
        return 0;
    if (allocate_starts(ways, routing->topology) < 0)
        return -1;
    return resize(ways, limit < FIRST_WAYS ? limit : FIRST_WAYS);
}

/* Any array may be missing. */
void net_packet_ways_free(struct net_packet_ways *ways)
{
    free(ways->table);
    free(ways->headers);
    free(ways->early);
    free(ways->places);
    free(ways->positions);
    free(ways->starts);
}

/* The place of a header, or the free one where it belongs. There is one: half the places are free. */
static uint16_t *find_place(const struct net_packet_ways *ways, uint64_t header)
{
    uint32_t size = 2 * ways->capacity;
    uint32_t place = base_scale(base_mix(header), size);
    while (ways->places[place] != NET_PACKET_WAY_RAW && ways->headers[ways->places[place]] != header)
        place = place + 1 == size ? 0 : place + 1;
    return &ways->places[place];
}

/* Twice the table, or as much as the limit allows, and every header to its new place. */
static int grow(struct net_packet_ways *ways)
{
    uint32_t capacity = 2 * ways->capacity < ways->limit ? 2 * ways->capacity : ways->limit;
    if (capacity == ways->capacity || resize(ways, capacity) < 0)
        return -1;
    for (uint32_t way = 0; way < ways->count; way++)
        *find_place(ways, ways->headers[way]) = (uint16_t)way;
    return 0;
}

/* The outputs of a port's first virtual channel, for each port. Of one or two channels, as most networks have, at
 * once: bits move apart by halves. */
static uint64_t first_outputs(uint64_t ports, uint32_t channels)
{
    uint64_t outputs = 0;
    if (channels == 1)
        return ports;
    if (channels == 2) {
        outputs = (ports | ports << 16) & UINT64_C(0x0000ffff0000ffff);
        outputs = (outputs | outputs << 8) & UINT64_C(0x00ff00ff00ff00ff);
        outputs = (outputs | outputs << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        outputs = (outputs | outputs << 2) & UINT64_C(0x3333333333333333);
        return (outputs | outputs << 1) & UINT64_C(0x5555555555555555);
    }
    for (; ports != 0; ports &= ports - 1)
        outputs |= UINT64_C(1) << ((uint32_t)__builtin_ctzll(ports) * channels);
    return outputs;
}

/* Every port of a tier stands for the same virtual channels: a product puts these in place of each first one. */
struct net_packet_outputs net_packet_ways_outputs(const struct net_routing *routing, uint32_t router,
                                                  uint64_t header)
{
    struct net_route route;
    uint64_t outputs[NET_TIERS_MAX] = {0};
    uint32_t tiers = routing->kind->route(routing, router, header, &route);
    if (tiers <= 1) { /* the only one, or the header has arrived */
        if (tiers != 0)
            outputs[0] = first_outputs(route.ports[0], routing->virtual_channels) * route.virtual_channels[0];
        return (struct net_packet_outputs){outputs[0], outputs[0], 0};
    }
    for (uint32_t tier = 0; tier < tiers; tier++)
        outputs[tier] =
            first_outputs(route.ports[tier], routing->virtual_channels) * route.virtual_channels[tier];
    return (struct net_packet_outputs){outputs[0] | outputs[1] | outputs[2], outputs[0], outputs[1]};
}
_Static_assert(NET_TIERS_MAX == 3, "the third tier is what the first two leave");

/* Headers that are equal have equal choices everywhere. Where the table cannot grow the routing is asked at each hop:
 * the same answers, later. A new way has its outputs at once and its steps only when somebody takes them, since
 * most are never taken by most ports. */
uint16_t net_packet_ways_find(struct net_packet_ways *ways, uint64_t header)
{
    if (ways->capacity == 0)
        return NET_PACKET_WAY_RAW;
    uint16_t *place = find_place(ways, header);
    if (*place != NET_PACKET_WAY_RAW)
        return *place;
    if (ways->count == ways->capacity) {
        if (grow(ways) < 0)
            return NET_PACKET_WAY_RAW;
        place = find_place(ways, header);
    }
    uint16_t number = (uint16_t)ways->count++;
    uint32_t ports = ways->routing->topology->ports;
    struct net_packet_way *way = net_packet_way_at(ways, number, ports);
    ways->headers[number] = header;
    *place = number;
    if (ways->legs)
        return number;
    way->outputs = net_packet_ways_outputs(ways->routing, 0, header);
    if (ways->keeps_early)
        ways->early[number] = net_packet_outputs_early(&way->outputs);
    for (uint32_t port = 0; port < ports; port++)
        way->step[port] = NET_PACKET_WAY_UNKNOWN;
    return number;
}

/* The routing is uniform: the step depends on the header alone, so that router 0 stands for all, and the answer is
 * kept. */
uint16_t net_packet_ways_step(struct net_packet_ways *ways, uint16_t way, uint32_t port)
{
    const struct net_routing *routing = ways->routing;
    uint64_t header = routing->kind->step(routing, 0, ways->headers[way], port);
    uint16_t next = net_packet_ways_find(ways, header);
    net_packet_way_at(ways, way, routing->topology->ports)->step[port] = next;
    return next;
}
