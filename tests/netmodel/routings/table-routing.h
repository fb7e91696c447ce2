/* Routings for tests alone, given by a table: for every router and target the ports of each tier. A header is
 * the target + 1, and 0 on arrival. Right and wrong ones, and ones drawn at random, show what the check for
 * deadlock sees, and what the engines report. */
#ifndef TEST_TABLE_ROUTING_H
#define TEST_TABLE_ROUTING_H

#include "netmodel/routing.h"

/* The ports of a tier from one router towards a target; 0 ends the tiers. */
struct table_entry {
    uint64_t ports[NET_TIERS_MAX];
};

struct table_routing {
    struct net_routing routing; /* its kind is below */
    struct net_routing_kind kind;
    uint32_t tiers;
    uint32_t virtual_channels[NET_TIERS_MAX]; /* masks */
    struct table_entry *entries;              /* [router * routers + target] */
};

/* All entries empty; escape: the last tier is declared one. The topology must outlive it. Fails the test when
 * memory is out. */
void table_routing_init(struct table_routing *table, const struct net_topology *topology, bool escape,
                        uint32_t virtual_channels);
void table_routing_free(struct table_routing *table);
/* Mask of the ports of a router that lead nearer to a target. */
uint64_t table_shortest_ports(const struct net_topology *topology, uint32_t router, uint32_t target);
/* Fills one tier, with the given virtual channels: the entry of each pair as choose says. */
void table_fill(struct table_routing *table, uint32_t tier, uint32_t virtual_channels,
                uint64_t (*choose)(const struct net_topology *topology, uint32_t router, uint32_t target,
                                   uint64_t seed),
                uint64_t seed);

/* Choices: every shortest port; the first one, in port order; a random one; a random set of them. */
uint64_t table_all(const struct net_topology *topology, uint32_t router, uint32_t target, uint64_t seed);
uint64_t table_first(const struct net_topology *topology, uint32_t router, uint32_t target, uint64_t seed);
uint64_t table_random_one(const struct net_topology *topology, uint32_t router, uint32_t target,
                          uint64_t seed);
uint64_t table_random_set(const struct net_topology *topology, uint32_t router, uint32_t target,
                          uint64_t seed);

#endif
