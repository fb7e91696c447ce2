/* The deflection engine: packets of one flit that are never stored (doc/deflection.md has its rules). In
 * every slot each router passes on what has come to it, each packet by a port of its own, and lets a new
 * one in where a port is left.
 *
 *      slots     [phase][router * ports + input]    a packet on each link, at the input L cycles after it left
 *      inputs    [phase][router]                    mask of the inputs with a packet: the others' slots are stale
 *      occupied  [phase][64 routers]                whether any of these masks is not 0: idle parts cost nothing
 *      sources                                      a bit for each router with a source that waits
 *
 *      run_cycle    routers with either ─► absorb ─► one from the source ─► choose ports ─► L cycles on
 *
 * A phase is a cycle modulo L + 1. A slot is three words, so that a hop is little more than a copy of it: what a
 * packet's age, its good ports and its hops are is known without looking anywhere else. The ports of alike lists are
 * looked up in tables (choice.h). The routing (routing.c) is of no use to other engines, and is here for that. Only
 * these files include this. */
#ifndef NET_DEFLECTION_INTERNAL_H
#define NET_DEFLECTION_INTERNAL_H

#include "netmodel/engines/engine.h"
#include "netmodel/engines/flights.h"
#include "netmodel/topologies/one-way.h"

/* Who gets the good ports of a router where several packets want one (doc/deflection.md, rule 7). */
enum net_deflection_rule {
    NET_DEFLECT_OLDEST,       /* the older ones */
    NET_DEFLECT_RANDOM,       /* as many packets as possible, drawn */
    NET_DEFLECT_STRAIGHT,     /* of these choices one that keeps most packets on the ring that they are on */
    NET_DEFLECT_CLOSEST,      /* or one that serves those that are nearest to their targets */
    NET_DEFLECT_PREFERENTIAL, /* one after the other, those with the fewest good ports left first */
    NET_DEFLECT_RULES
};

struct net_deflection_parameters {
    enum net_deflection_rule rule; /* by which a router chooses among its packets */
    bool equal;                    /* a packet that enters is chosen for as the others are; else after them */
};

/* NULL: it is another routing. */
const struct net_deflection_parameters *net_deflection_parameters(const struct net_routing *routing);

#define NET_DEFLECTION_PORTS NET_ONE_WAY_PORTS_MAX
#define NET_DEFLECTION_HOPS_MAX (UINT32_C(1) << 20) /* of a packet: more are a livelock */
#define NET_DEFLECTION_TABLE_PORTS 4                /* routers of so many choose by table */

struct net_deflection_packet {
    uint64_t age;            /* what is older has a lower one (net_flight.age) */
    uint32_t flight, number; /* the message's slot; in the message */
    uint32_t place;          /* where it is now, and its good ports: net_one_way_place */
    uint32_t entered;        /* the cycle, modulo 2^32: it has made a hop every L cycles since */
};

/* The good ports; 0: it is where it is to go. */
static inline uint32_t net_deflection_good(const struct net_deflection_packet *packet)
{
    return packet->place & UINT8_MAX;
}

/* The packets that a router sends in a slot, those in transit by input, then the new one. */
struct net_deflection_list {
    const struct net_deflection_packet *at; /* the router's slots */
    const struct net_deflection_packet *packet[NET_DEFLECTION_PORTS + 1];
    uint32_t count; /* of packet, the new one included */
    bool has_new;   /* the last one enters in this slot */
};

/* Where a port leads. */
struct net_deflection_link {
    uint32_t slot;   /* of a row: target * ports + port */
    uint32_t target; /* router */
};

struct net_deflection;
/* A cycle of all routers: one for each shape of router and rule (cycle.c). */
typedef void net_deflection_run(struct net_deflection *engine);

struct net_deflection {
    struct net_network network; /* first: the engine is cast to it and back */
    struct net_flights flights; /* messages under way */
    const struct net_one_way *one_way;
    struct net_deflection_parameters parameters;
    uint32_t routers, ports, words, phases, absorbs; /* words of 64 routers; packets a slot */
    net_deflection_run *run;
    struct net_deflection_link *links; /* [router * ports + port] */
    uint64_t *keys; /* [router] base_hash(~seed, router), and half of the way to its draws */
    struct net_deflection_packet *slots;
    uint8_t *occupied;        /* [phase][word] 1: some router of the word may have packets */
    uint8_t *inputs;          /* rows of words * 64 */
    uint64_t *sources;        /* bits */
    uint64_t *moving;         /* [phase] packets */
    uint64_t inside, waiting; /* packets; sources with any */
    /* packets in sources that a full router takes: those to itself; and one of lossy sources */
    uint64_t urgent;
    uint8_t *choices;    /* by lists that look alike, of the rules random and oldest (choice.h) */
    uint8_t *ways;       /* of five ports: [key] assignments of four packets to ports that they may have */
    uint8_t *served;     /* [key by age] 128 + mask by rank of who gets a good port; 0: not known */
    uint32_t orders[32]; /* [mask] of up to five ports: how many, then their numbers rising, four bits each */
    uint64_t *deflected; /* [router] */
    uint32_t *held;      /* [terminal] packets of messages that are not complete */
    uint64_t hops_max;   /* of a packet; a test has a lower one */
    uint64_t endless_from; /* the first cycle in which a packet might have made more */
    bool out_of_memory;
};

/* The port of each packet of the list (rules 6 and 7), under any rule. */
void net_deflection_choose(const struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, uint8_t *ports);
int net_deflection_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* What runs the network's cycles. */
net_deflection_run *net_deflection_run_of(const struct net_deflection *engine);
/* The router's source has something to send. */
void net_deflection_wake(struct net_deflection *engine, uint32_t router);

#endif
