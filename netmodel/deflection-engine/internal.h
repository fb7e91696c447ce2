/* The deflection engine: packets of one flit that are never stored (doc/deflection.md has its rules). In
 * every slot each router passes on what has come to it, each packet by a port of its own, and lets a new
 * one in where a port is left.
 *
 *      places, loads   [phase][router * ports + input]    what is on each link, at the input L cycles after it left
 *      with            [phase][64 routers]                bits of routers that may have packets
 *      sources         [64 routers]                       bits of routers with a source that waits
 *
 *      run_word    64 routers: full ones are told apart ─► others absorb, line up, let one in ─► all choose, send
 *
 * A phase is a cycle modulo L + 1. A place is a word, and 0 where no packet is: what a router has to know of a packet
 * but for its age is in there, and comes from a table of steps, in which nothing leads to nothing. So a full router,
 * one with holes and an empty one take the same way through the same instructions. What moves along is two words more.
 * A row has been cleared when it has been read. The ports of alike lists are looked up in tables, or found among sets
 * of all assignments (choice.h). The routing (routing.c) is of no use to other engines, and is here for that. Only
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

/* A place, the state of a packet at a router (one-way.h), 0: there is none.
 *
 *      bits 0 to 28     its good ports, moved up by `field` bits for each input behind the first
 *      29, 30, 31       it is where it is to go; it is not; it is a packet at all
 *      32 to 63         its row of the steps; without these its state
 *
 * Since each input has a field of its own, the good ports of a router's packets are one number by an or. */
#define NET_DEFLECTION_GOOD UINT32_C(0x1fffffff)
#define NET_DEFLECTION_ARRIVED (UINT32_C(1) << 29)
#define NET_DEFLECTION_TRAVELS (UINT32_C(1) << 30)
#define NET_DEFLECTION_PRESENT (UINT32_C(1) << 31)

/* What else a packet is. Its number in the message is its age less the message's (net_flight.age). */
struct net_deflection_load {
    uint64_t age;     /* what is older has a lower one */
    uint32_t flight;  /* the message's slot */
    uint32_t entered; /* the cycle, modulo 2^32: it has made a hop every L cycles since */
};

/* A packet of a list whose choice is worked out. */
struct net_deflection_packet {
    uint64_t age;
    uint32_t good, state;
    uint32_t slot; /* of the router */
};

/* The packets that a router sends in a slot, those in transit by input, then the new one. */
struct net_deflection_list {
    struct net_deflection_packet packet[NET_DEFLECTION_PORTS];
    uint32_t count; /* of packet, the new one included */
    bool has_new;   /* the last one enters in this slot */
};

/* Packets at inputs, side by side: a phase's, or a router's. */
struct net_deflection_row {
    uint64_t *places;
    struct net_deflection_load *loads;
};

/* Where a port leads. */
struct net_deflection_link {
    uint32_t slot;   /* of a row: target * ports + port */
    uint32_t target; /* router */
};

enum net_deflection_way {                        /* how ports are chosen (choice.h) */
                          NET_DEFLECTION_ANEW,   /* worked out for each list, under any rule */
                          NET_DEFLECTION_AGES,   /* oldest, by a table */
                          NET_DEFLECTION_CHANCE, /* random, by a table */
                          NET_DEFLECTION_SETS    /* oldest, by sets of assignments */
};

/* Tables of choices. Assignments are permutations of the ports, in the order of rule 6; a set of them is
 * a bit for each. */
enum {
    NET_DEFLECTION_AGES_PORTS = 3,
    NET_DEFLECTION_CHANCE_PORTS = 4,
    NET_DEFLECTION_SET_PORTS = 5,
    NET_DEFLECTION_SET_WORDS = 2
};
struct net_deflection_set {
    uint64_t words[NET_DEFLECTION_SET_WORDS];
};
struct net_deflection_tables {
    /* [index] set, and how many packets get no good port: of four ports; of up to three, in a quarter of the cache */
    uint32_t *best;
    uint8_t *small_best;
    uint8_t count[64];   /* [set] of up to six */
    uint8_t nth[64 * 8]; /* [set * 8 + number] the ports, two bits a packet */
    /* Of up to five ports. [packet * 32 + good] those in which it gets a good one; none if it has none. */
    struct net_deflection_set served[NET_DEFLECTION_SET_PORTS * 32];
    struct net_deflection_set all;
    uint32_t ports[120];  /* [assignment] four bits a packet */
    uint8_t bit[256 * 8]; /* [byte * 8 + number] of the bits that are set */
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
    enum net_deflection_way way;
    net_deflection_run *run;
    struct net_deflection_link *links; /* [router * ports + port] */
    uint64_t *keys; /* [router] base_hash(~seed, router), and half of the way to its draws */
    /* [row + port] the place behind it, at the input that has the port's number; row 0 leads nowhere. NULL: states are
     * pairs, and too many. */
    uint64_t *steps;
    uint32_t stride; /* binary logarithm of a row's length */
    uint32_t field; /* of a place: bits of good ports by input; 0: the choice is worked out, and wants none */
    uint64_t *places; /* [phase][router * ports + input] */
    struct net_deflection_load *loads;
    /* [router * ports + input] flits that have come by it, less those slots in which one comes by every input unless it
     * is said otherwise: full_slots of them, modulo 2^64 */
    uint64_t *carried;
    uint64_t full_slots;
    uint64_t *with;           /* [phase][word] */
    uint64_t *sources;        /* bits */
    uint64_t *moving;         /* [phase] packets */
    uint64_t inside, waiting; /* packets; sources with any */
    /* packets in sources that a full router takes: those to itself; and one of lossy sources */
    uint64_t urgent;
    struct net_deflection_tables tables;
    uint64_t *deflected;   /* [router] */
    uint32_t *held;        /* [terminal] packets of messages that are not complete */
    uint64_t hops_max;     /* of a packet; a test has a lower one */
    uint64_t endless_from; /* the first cycle in which a packet might have made more */
    bool out_of_memory;
};

/* The place of a packet in that state, at an input. */
static inline uint64_t net_deflection_place(const struct net_deflection *engine, uint32_t state,
                                            uint32_t input)
{
    uint64_t row = engine->steps != NULL ? (uint64_t)(state + 1) << engine->stride : state;
    uint32_t good = engine->one_way->good[state];
    uint32_t flag = good != 0 ? NET_DEFLECTION_TRAVELS : NET_DEFLECTION_ARRIVED;
    return row << 32 | NET_DEFLECTION_PRESENT | flag | good << engine->field * input;
}

/* Of the tables that the network's way of choosing uses. -1: memory. */
int net_deflection_make_tables(struct net_deflection *engine);
/* The port of each packet of the list (rules 6 and 7), under any rule. */
void net_deflection_choose(const struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, uint8_t *ports);
int net_deflection_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* What runs the network's cycles. */
net_deflection_run *net_deflection_run_of(const struct net_deflection *engine);
/* The router's source has something to send. */
static inline void net_deflection_wake(struct net_deflection *engine, uint32_t router)
{
    uint64_t *word = &engine->sources[router / 64];
    engine->waiting += (*word >> router % 64 & 1) == 0;
    *word |= UINT64_C(1) << router % 64;
}

#endif
