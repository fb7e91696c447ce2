/* The dense reference of the flit model, written from doc/flit-engine.md alone: flit objects in real FIFOs,
 * and every router, driver, output and link visited in every cycle. It is slow and obvious, and it knows
 * nothing of the engine that it checks. "Rule n" in reference.c is the rule of that number.
 *
 * Multicasts (rule 10) are messages with a list; their trees are found in reference-tree.c, way by way.
 *
 * Messages are given beforehand; message m is the m-th of the list, which need not be in the order of time.
 * Messages of one cycle and terminal queue in the order of their numbers. A test program has no use for half
 * a result: when memory is out, the reference aborts. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "netmodel/network.h"

#define REFERENCE_NEVER UINT64_MAX

/* Who gets a copy of a message: terminals, each once and none the source. None: it is a unicast. */
struct reference_list {
    const uint32_t *targets;
    uint32_t count;
};

/* A network to be run. Everything is borrowed. */
struct reference_setup {
    const struct net_topology *topology;
    const struct net_routing *routing;
    /* zero: the defaults of network.h; virtual_channels is taken from the routing */
    struct net_options options;
    /* A bubble rule by own lengths (doc/flit-engine.md, Why a ring reserves the largest packet): own length +
     * largest to enter a ring, own length to go on, own length reserved. */
    bool unpadded_rings;
    /* Rules of doc/faults.md that are not: a ring is entered with one place; packets of KFT leave their ring into the
     * escape, without re-injection. */
    bool rings_without_bubble, rings_into_escape;
    const struct reference_list *lists; /* [message]; NULL: all are unicasts */
};

struct reference_message {
    uint64_t cycle;
    uint32_t source, target; /* terminals */
    uint64_t flits;
};

struct reference_packet {
    uint64_t message, index; /* packet `index` of message `message` */
    uint64_t key, header;    /* the header as it stands */
    uint32_t source, target; /* terminals */
    uint32_t flits, links;   /* length, and links crossed */
    uint64_t delivered;      /* cycle in which the tail crossed the ejection channel, or REFERENCE_NEVER */
    bool multicast;          /* the packet that the source sends, or one that the tree has made of it */
};

/* A packet of a multicast at one of its terminals. */
struct reference_copy {
    uint64_t message, index, cycle;
    uint32_t terminal, flits, links;
};

struct reference_result {
    struct reference_packet *packets; /* message by message, in order */
    size_t packet_count;
    struct reference_copy *copies; /* in the order of time */
    size_t copy_count;
    uint64_t *sent;       /* [message]: cycle in which its last flit left the injector, or REFERENCE_NEVER */
    uint64_t *delivered;  /* [message]: cycle in which its last packet was delivered, or REFERENCE_NEVER */
    uint64_t *link_flits; /* [link] */
    uint64_t *link_waits; /* [link]: cycles from a header's first asking until it left by the link */
    uint64_t executed_cycles;
    bool deadlock; /* packets inside, and nothing can move any more */
    /* What must never happen, counted. */
    uint64_t starved;    /* a started packet lacked its next flit */
    uint64_t overflows;  /* a buffer held more flits than its capacity */
    uint64_t collisions; /* a link, ejection channel or injector carried two flits in a cycle */
};

/* The tree of a list on a king network: ports[router] = mask of those that copies leave by, for every router.
 */
void reference_tree(const struct net_topology *topology, uint32_t source, const struct reference_list *list,
                    uint64_t *ports);
/* Runs all messages to the end, or until nothing can move. The caller frees the result with reference_free.
 */
void reference_run(const struct reference_setup *setup, const struct reference_message *messages,
                   size_t count, struct reference_result *result);
void reference_free(struct reference_result *result);

#endif
