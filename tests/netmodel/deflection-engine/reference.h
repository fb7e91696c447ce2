/* The dense reference of deflection, written from doc/deflection.md alone: every router is visited in
 * every slot, all assignments of packets to ports are listed and compared, distances are searched. It
 * knows nothing of the engine. */
#ifndef TEST_DEFLECTION_REFERENCE_H
#define TEST_DEFLECTION_REFERENCE_H

#include "netmodel/network.h"

#define REFERENCE_NEVER UINT64_MAX

enum reference_rule {
    REFERENCE_OLDEST,
    REFERENCE_RANDOM,
    REFERENCE_STRAIGHT,
    REFERENCE_CLOSEST,
    REFERENCE_PREFERENTIAL,
    REFERENCE_RULES
};

struct reference_setup {
    const struct net_topology *topology; /* borrowed */
    enum reference_rule rule;
    bool equal, lossy;
    uint32_t absorbs; /* packets a slot; 0: all */
    uint32_t link_cycles;
    uint64_t seed;
};

struct reference_message {
    uint64_t cycle;
    uint32_t source, target;
    uint64_t flits;
};

/* Of every packet, message by message in their order. */
struct reference_packet {
    uint64_t message, number;
    uint64_t entered, delivered; /* cycles; to itself: both the same. REFERENCE_NEVER: lost */
    uint32_t hops, deflections, distance;
};

struct reference_result {
    struct reference_packet *packets;
    size_t packet_count;
    uint64_t *sent, *delivered, *lost; /* [message]: cycle, or REFERENCE_NEVER */
    uint64_t *link_flits;              /* [router * ports + port] */
    uint64_t *deflected;               /* [router] */
    uint64_t held_most;                /* packets of incomplete messages at a terminal */
    uint64_t inside_sum;               /* packets on links, summed over the cycles */
    uint64_t end;                      /* the first cycle in which nothing is left */
};

/* Runs all messages to the end. The caller frees the result. Aborts when memory is out. */
void reference_run(const struct reference_setup *setup, const struct reference_message *messages,
                   size_t count, struct reference_result *result);
void reference_free(struct reference_result *result);

#endif
