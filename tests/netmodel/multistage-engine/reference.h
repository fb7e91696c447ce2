/* The rules of doc/multistage.md as they are written there: every cycle looks at every queue, all
 * quantities are counted anew from lists of packets, and nothing is remembered that the page does not name.
 * It shares no code with the engine but the hash. */
#ifndef TESTS_MULTISTAGE_REFERENCE_H
#define TESTS_MULTISTAGE_REFERENCE_H

#include "netmodel/network.h"
#include "netmodel/stages/multistage.h"

struct reference_message {
    uint64_t cycle; /* of injection; never falls */
    uint32_t source, target;
    uint64_t bits;
};

struct reference_delivery {
    uint32_t message, packet;
    uint64_t cycle, admitted;
    uint32_t length;
};

struct reference_result {
    struct reference_delivery *deliveries; /* of packets, in the order found */
    uint32_t count, capacity;
    uint64_t *sent;         /* [message]: cycle in which its last packet joined */
    uint64_t *delivered;    /* [message]: cycle in which its last packet was delivered */
    uint64_t *link_bits;    /* [level * N + p] */
    uint64_t *bus_bits;     /* [bus] */
    uint64_t *link_waits;   /* [level * N + p] */
    uint64_t *worst_cycles; /* [message]: its last packet's longest wait for a link */
    uint32_t *worst_port;   /* [message]: of that link, level * N + p; UINT32_MAX: it waited for none */
    uint64_t bit_cycles;    /* sum over cycles of the bits inside at their ends */
    uint64_t packet_cycles; /* of the packets that were inside during them */
    uint64_t cycles;        /* until all is delivered */
};

/* Fails the test where a law of the page is broken. options: all in force. */
void reference_run(const struct net_multistage *multistage, const struct net_options *options,
                   const struct reference_message *messages, uint32_t count, struct reference_result *result);
void reference_free(struct reference_result *result);

#endif
