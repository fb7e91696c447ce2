/* Records: headers that say how many hops are still to go along each orientation (X, Y, Z, T), in any order.
 * A field is biased; port 2i goes along orientation i, port 2i + 1 back:
 *
 *      | T + bias | Z + bias | Y + bias | X + bias |
 *
 * Fields of all four are 16 bits wide wherever the sides allow, so that the ports of a record come out of a
 * few operations on the whole word; the engine asks for them for every header that waits. Records of networks
 * without diagonals have one field for each dimension. Model: the king thesis, Definition 1 with
 * T+ = (1,-1). */
#ifndef NET_RECORD_H
#define NET_RECORD_H

#include "netmodel/routing.h"

#define NET_RECORD_MIDDLES UINT64_C(0x8000800080008000)

/* Lays out the fields for the routing's topology, a grid. wide: fields of 16 bits or nothing, for records
 * with longer parts than the shortest path has. -1: BASE_USAGE, the sides do not fit. */
int net_record_prepare(struct net_routing *routing, bool wide, struct base_error *error);
/* The shortest record of a displacement (one entry a dimension): as many diagonal hops as help, the rest
 * straight. record has a field for each pair of ports; on king networks it is Knaive's. */
void net_record_of(const struct net_topology *topology, const int32_t *displacements, int32_t *record);
/* The header that has this record to go. */
uint64_t net_record_pack(const struct net_routing *routing, const int32_t *record);

/* Ways of equal length from router a to router b, and the record of one of them; for every grid. */
uint32_t net_record_variants(const struct net_routing *routing, uint32_t a, uint32_t b);
void net_record_between(const struct net_topology *topology, uint32_t a, uint32_t b, uint32_t variant,
                        int32_t *record);
uint64_t net_record_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);

/* Fields of any width. */
uint64_t net_record_ports_narrow(const struct net_routing *routing, uint64_t header);

/* Mask of the ports along which there is still to go; 0 on arrival. The lowest is that of dimension order.
 *
 * In 16-bit lanes: a lane is not zero when adding 7fff to its low bits carries into the middle, or the middle
 * differs. The product gathers two bits of each lane into one byte: no two of its terms meet. */
static inline uint64_t net_record_ports(const struct net_routing *routing, uint64_t header)
{
    if (!routing->lanes)
        return net_record_ports_narrow(routing, header);
    uint64_t to_go = header ^ routing->arrived;
    uint64_t some = (((to_go & ~NET_RECORD_MIDDLES) + ~NET_RECORD_MIDDLES) | to_go) & NET_RECORD_MIDDLES;
    uint64_t forward = some & header, back = some & ~header;
    return ((forward >> 15 | back >> 14) * UINT64_C(0x0001000400100040)) >> 48 & 0xff;
}

/* One hop less along the port's orientation. */
static inline uint64_t net_record_step(const struct net_routing *routing, uint64_t header, uint32_t port)
{
    uint64_t one = UINT64_C(1) << routing->shift[port >> 1];
    return port & 1 ? header + one : header - one;
}

/* The adaptive bubble router's request: any of the ports on the adaptive channels, else the lowest on channel
 * 0, the escape. Returns the number of tiers. */
static inline uint32_t net_record_escape(const struct net_routing *routing, uint64_t adaptive,
                                         uint64_t escape, struct net_route *route)
{
    route->ports[0] = adaptive;
    route->virtual_channels[0] = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~UINT32_C(1);
    route->ports[1] = escape;
    route->virtual_channels[1] = 1;
    return escape != 0 ? 2 : 0;
}

/* The same as functions of a routing kind: any hop of the record on channels 1 and up, the lowest on 0. */
uint32_t net_record_adaptive_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                                   struct net_route *route);
uint64_t net_record_next(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port);

#endif
