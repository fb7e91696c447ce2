/* What engines of links refuse, in the same words: each function returns 0, or -1 with a sentence (BASE_USAGE) that
 * says what would work. Only netmodel/ includes this. */
#ifndef NET_LIMITS_H
#define NET_LIMITS_H

#include "netmodel/network.h"

/* Under options as they were asked for: whether a packet holds a link to its tail under cut-through (rule 5 of
 * doc/flit-engine.md). Multiplexed links of one virtual channel (rule 9) have one packet to serve, whose flits are all
 * there in time: the same model. The routing, where there is one, says how many channels there are. */
bool net_holds_links(const struct net_routing *routing, const struct net_options *options);
/* Whether the drivers and the outputs of a router, under options as they were asked for, are at most so many. */
bool net_widths_fit(const struct net_topology *topology, const struct net_options *options, uint32_t most);
/* Drivers and outputs of a router, injectors and consumers included, where an engine has at most so many of each. */
int net_limit_widths(const struct net_network *network, uint32_t drivers, uint32_t outputs, uint32_t most,
                     struct base_error *error);
/* So many bytes a router: what a network takes is known before any of it is taken, and bounded, so that a slip in a
 * size is answered with a sentence and not with a machine out of memory. how: " flit by flit", or "". */
int net_limit_memory(const struct net_network *network, uint64_t router_bytes, const char *how,
                     struct base_error *error);
/* A buffer that cannot take what rule 6 asks for would block its first packet for ever: refused before any run, with
 * the least value that works. */
int net_limit_buffers(const struct net_network *network, struct base_error *error);
/* Buffers and flow control under a fault routing: routers on rings reserve room for whole packets, and keep a
 * bubble. */
int net_limit_failing(const struct net_network *network, struct base_error *error);
/* Whether a virtual channel of a port's links is on a ring under the bubble rule (rule 6). */
bool net_in_bubble_ring(const struct net_topology *topology, const struct net_routing *routing, uint32_t port,
                        uint32_t channel);
/* Whether any port's links wrap around under a routing that keeps the bubble rule there, so that it asks for room for
 * two packets. One is enough: all buffers have one size. */
bool net_keeps_bubbles(const struct net_topology *topology, const struct net_routing *routing);

#endif
