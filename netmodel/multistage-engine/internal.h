/* The engine of bits, for multistage networks: the rules of doc/multistage.md, cycle by cycle over what is
 * active.
 *
 *      processor ─► list ─admission─► queue of level 0 ─┐
 *                                                       ├─► queue of level 1 ─► … ─► queue of level S ─► processor
 *      a port of level k: V queues, one link; queues of a level k < S ask ports of level k + 1 for a queue each
 *
 *      a cycle: admit ─► set up ─► choose a queue for every link, a port for every bus ─► move bits, last level first
 *
 * Decisions read the state at the start of the cycle, so that nothing moves before all is decided; and
 * levels move from the last to the first, so that what a queue sends is what it had before bits came in. A
 * packet is in several queues at once: its first bits ahead, the last still coming. Each queue knows how
 * much of its first packet is here and how much is still to cross, and how much of its last packet is still
 * to come; packets between those two are whole.
 *
 * Numbers: port k * N + p; queue port * V + v, which is the id of the rules. Asker x * V + v of a port is a
 * bit of its word. Internal to netmodel/multistage-engine/. */
#ifndef NET_MULTISTAGE_ENGINE_H
#define NET_MULTISTAGE_ENGINE_H

#include "netmodel/engines/engine.h"
#include "netmodel/engines/flights.h"
#include "netmodel/engines/pool.h"
#include "netmodel/stages/multistage.h"

#define NET_STAGE_ASKERS_MAX 64 /* M * V: input queues of a cell */
#define NET_STAGE_QUEUES_MAX 4  /* V */
#define NET_STAGES_MAX 20       /* of 2^20 processors */

/* A FIFO of packets, as in rules 2 to 5. All lengths are in bits. Of three packets the first has `here` of its
 * `to_cross` bits in the queue, the middle one all, and the last one all but `to_come`: bits = here + middle +
 * (last - to_come). */
struct net_stage_queue {
    uint32_t bits;        /* occ */
    uint32_t here;        /* bits of the first packet that are here */
    uint32_t to_cross;    /* of the first packet, here or still to come; 0: there is none */
    uint32_t to_come;     /* of the last packet */
    uint32_t connection;  /* the queue that the first packet is connected to; NET_NONE: none */
    uint32_t asks;        /* the port that the first packet asks */
    uint32_t first, last; /* nodes; NET_NONE: none */
};

/* A packet in a queue. */
struct net_stage_node {
    uint32_t packet;
    uint32_t next; /* in the queue, or the next free one */
};

/* A packet in the network, a slot of `packets`. It is in one queue, or in several neighbouring ones while it
 * crosses. */
struct net_stage_packet {
    struct net_cargo cargo;
    uint32_t source, target; /* processors */
    uint32_t queues;         /* that it is in; 0: the slot is free */
    /* Cycles that it has waited for the link of the port where its first bits are, and for that of the port that
     * it asks: counted only if somebody wants to know. */
    uint64_t waited, waited_ahead;
    uint32_t next; /* free one */
};

/* An output of a cell, or a processor's input at level 0. The masks hold V <= 8 and M * V <= 64. */
struct net_stage_port {
    uint64_t askers; /* queues of the level before that ask for a queue here */
    uint8_t ready;   /* mask of queues whose first packet has bits here, and a connection unless at level S */
    uint8_t link_turn; /* pointers of rules 3 and 2 */
    uint8_t asker_turn;
};

/* What follows from a port's number in its level, and takes divisions. */
struct net_stage_wire {
    uint32_t ahead; /* the first port of the cell that it leads to, in the next level */
    uint32_t row;   /* p / C: which input of that cell it is */
    uint32_t cell;  /* p / M: of whose output it is, and so what leads to it: row * C + cell */
};

struct net_stage_move { /* of bits of this queue, of port p of its level */
    uint32_t queue, p;
};

/* The network's state, which begins with what every engine has. Its arrays are its own and freed with it; the
 * topology and what it says of stages outlive it. */
struct net_multistage_engine {
    struct net_network network;                                 /* first: the engine is cast to it and back */
    const struct net_multistage *multistage;                    /* the topology's */
    uint32_t stages, radix, cells, processors, queues_per_port; /* S, m, C, N, V */
    uint32_t capacity;                                          /* Q */
    uint64_t seed;
    bool out_of_memory;
    struct net_flights flights;       /* messages under way */
    struct net_stage_packet *packets; /* a pool, named by index */
    struct net_pool packet_pool;
    struct net_stage_node *nodes; /* a pool, named by index */
    struct net_pool node_pool;
    struct net_stage_port *ports;   /* [(S + 1) * N] */
    struct net_stage_queue *queues; /* [(S + 1) * N * V] */
    uint32_t *tag_divisor;          /* [stage]: m^(S-1-stage) */
    uint8_t *tag_shift;             /* [stage]: the same as a power of two; NULL: m is none */
    struct net_stage_wire *wires;   /* [p] */
    /* Bits of ports, words a level: those with askers, those with a ready queue; and processors with a
     * list. */
    uint32_t words;
    uint64_t *asked, *active, *waiting; /* [level * words + word]; of processors [word] */
    uint32_t lists;                     /* processors that wait with packets */
    struct net_stage_move *moving;      /* queues that send in this cycle, the last level first */
    uint32_t *bus_of;                   /* [p]: of its gap; NULL without buses */
    uint32_t *winners;                  /* [cycle mod bus-cycles][bus]: the port that it chose, or NET_NONE */
    uint64_t *best;                     /* [bus]: the greatest value so far */
    uint64_t *port_bits, *port_cycles;  /* [port]: over its link, and in how many cycles */
    uint64_t *link_cycles;              /* of the statistics */
    uint64_t *bus_bits;                 /* [bus] */
    uint64_t bits_in, bits_out; /* into input queues; out of level S: equal when the network is empty */
};

/* What a queue of level k asks of those behind it: need(k). */
static inline uint32_t net_stage_need(const struct net_multistage_engine *engine, uint32_t level)
{
    return level == 0 ? engine->multistage->input_bits
                      : engine->multistage->link_bits + engine->multistage->bus_bits;
}

/* Runs cycles up to `limit`, as net_engine.advance says (netmodel/engines/engine.h). */
int net_multistage_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* A message has joined the list of its processor. */
void net_multistage_engine_join(struct net_multistage_engine *engine, uint32_t processor);
/* Counters of ports as those of links and terminals, in bits and in cycles. */
void net_multistage_engine_collect(struct net_network *network);
/* Conservation of bits and packets; an error is a defect of this engine (BASE_SYSTEM). */
int net_multistage_engine_check(const struct net_network *network, struct base_error *error);

#endif
