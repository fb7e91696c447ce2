/* The deflection engine: packets of one flit that are never stored (doc/deflection.md has its rules). In
 * every slot each router passes on what has come to it, each packet by a port of its own, and lets a new
 * one in where a port is left.
 *
 *      slots     [phase][router * ports + input]    a packet on each link, at the input L cycles after it left
 *      inputs    [phase][router]                    mask of the inputs with a packet
 *      active    [phase], sources                   a bit for each router with a packet, or a source that waits
 *
 *      run_cycle    routers with either bit ─► absorb ─► one from the source ─► choose ports ─► L cycles on
 *
 * A phase is a cycle modulo L + 1. The routing (routing.c) is of no use to other engines, and is here for that. Only
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
    enum net_deflection_rule rule;
    bool equal; /* a packet that enters is chosen for as the others are; else after them */
};

/* NULL: it is another routing. */
const struct net_deflection_parameters *net_deflection_parameters(const struct net_routing *routing);

#define NET_DEFLECTION_PORTS NET_ONE_WAY_PORTS_MAX
#define NET_DEFLECTION_HOPS_MAX UINT16_MAX /* of a packet: more are a livelock */
#define NET_DEFLECTION_TABLE_PORTS 4       /* routers of so many choose by table */
#define NET_DEFLECTION_TABLE_CODES 24      /* assignments of four packets to four ports */

struct net_deflection_packet {
    uint64_t generated, message; /* cycle and number: what is older has the lower ones */
    uint32_t number, flight;     /* in the message; the message's slot */
    uint32_t state;              /* of one-way.h, where the packet is now */
    uint32_t hops;
};

/* The packets that a router sends in a slot, those in transit by input, then the new one. */
struct net_deflection_list {
    const struct net_deflection_packet *packet[NET_DEFLECTION_PORTS];
    uint8_t good[NET_DEFLECTION_PORTS], input[NET_DEFLECTION_PORTS];
    uint32_t count;
    bool has_new;
};

/* All assignments that score most, of lists that are alike: two bits a packet. count 0: not worked out
 * yet. */
struct net_deflection_choices {
    uint8_t count, codes[NET_DEFLECTION_TABLE_CODES];
};

struct net_deflection {
    struct net_network network;
    struct net_flights flights;
    const struct net_one_way *one_way;
    struct net_deflection_parameters parameters;
    uint32_t routers, ports, words, phases, absorbs; /* words of 64 routers; packets a slot */
    uint32_t *target;                                /* [router * ports + port] */
    uint64_t *keys;                                  /* [router] base_hash(~seed, router) */
    struct net_deflection_packet *slots;
    uint8_t *inputs;
    uint64_t *active, *sources;
    uint64_t *moving;                      /* [phase] packets */
    uint64_t inside, waiting;              /* packets; sources with any */
    struct net_deflection_choices *random; /* [has_new][key] of the rule random */
    struct net_deflection_choices *within; /* [key] by allowed ports alone */
    uint8_t *served;     /* [key by age] 128 + mask by rank of who gets a good port; 0: not known */
    uint64_t *deflected; /* [router] */
    uint32_t *held;      /* [terminal] packets of messages that are not complete */
    const struct net_deflection_packet *endless; /* has made too many hops */
    bool out_of_memory;
};

/* The port of each packet of the list (rules 6 and 7). */
void net_deflection_choose(struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, uint8_t *ports);
int net_deflection_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* The router's source has something to send. */
void net_deflection_wake(struct net_deflection *engine, uint32_t router);

/* Rule 5. */
static inline bool net_deflection_older(const struct net_deflection_packet *a,
                                        const struct net_deflection_packet *b)
{
    if (a->generated != b->generated)
        return a->generated < b->generated;
    return a->message != b->message ? a->message < b->message : a->number < b->number;
}

#endif
