/* What the files of the dense reference share: its state, the numbers of drivers and outputs, contests. The
 * rules are in reference.c, but for who wins a contest (reference-arbiters.c); reference-setup.c makes the
 * state of a network at rest. */
#ifndef TEST_REFERENCE_INTERNAL_H
#define TEST_REFERENCE_INTERNAL_H

#include "tests/netmodel/engines/reference.h"

#define REFERENCE_WIDTH 320 /* drivers and outputs of a router, at most */

struct flit {
    size_t packet;
    uint32_t number; /* 0 is the header, flits - 1 the tail */
    /* cycle from which on it may be used: on a wire, in the buffer; in a buffer, requested */
    uint64_t available;
};

struct fifo { /* flits[first] … flits[first + count - 1] */
    struct flit *flits;
    size_t first, count, allocated;
};

/* The place of a packet in the buffer it goes to, held from the grant until its tail is known to have left
 * that buffer. Under wormhole `reserved` counts the flits that have been sent there. */
struct reservation {
    size_t packet;
    uint32_t reserved, sent; /* flits */
};

/* An input buffer (number below ports * V) or an injector. */
struct driver {
    struct fifo queue;
    bool asked; /* the header at the head has, first in asked_cycle */
    uint64_t asked_cycle;
    /* mask of outputs in this cycle; one at most but for a multicast */
    uint64_t requests[REFERENCE_WIDTH / 64];
    uint32_t grants; /* outputs that the packet at the head holds */
    /* Of a multicast at the head, rule 10. For an ejection channel its terminal's first one stands in these.
     */
    uint64_t needed, granted;         /* masks of outputs: all of its copies, those that have or had one */
    uint32_t *copied;                 /* [output] flits of each copy that have left */
    struct fifo wire;                 /* flits on their way here */
    struct fifo credits;              /* flits that have left and are not yet known upstream to have left */
    struct reservation *reservations; /* in the order of the grants, which is the order of arrival */
    uint32_t reservation_count;
    uint64_t popped_cycle; /* last cycle in which a flit left */
};

struct output {
    uint32_t holder; /* driver, or NET_NONE: free */
    bool started, requested;
    uint32_t pointer; /* of rule 4, over drivers */
    uint32_t next;    /* flit of the holder's packet that crosses next */
    size_t copy;      /* the packet that it becomes behind this output, if it is a multicast */
};

/* A link to another router, with V outputs, or an ejection channel, with one. */
struct channel {
    uint32_t output_first, output_count;
    uint32_t carried;    /* output whose packet it carries, or NET_NONE */
    uint32_t pointer;    /* of rule 5, over its outputs */
    uint32_t link;       /* in the topology; NET_NONE for ejection channels and ports that the router lacks */
    uint64_t used_cycle; /* last cycle in which it carried a flit */
    uint64_t free_cycle; /* rule 12: the first one in which it may carry the next */
};

struct reference_faults; /* reference-faults.c */

struct reference {
    const struct net_topology *topology;
    const struct net_routing *routing;
    uint32_t largest, virtual_channels, capacity, injectors, consumers;
    uint32_t link_cycles, router_cycles, credit_cycles;
    enum net_arbiter arbiter;
    bool wormhole, multiplexed;
    uint64_t seed;
    bool unpadded, rings_without_bubble, rings_into_escape;
    uint32_t drivers_each, outputs_each, channels_each; /* of a router */
    uint32_t outputs_drawn;                             /* the same without re-injection channels */
    struct driver *drivers;                             /* [router * drivers_each + driver], and so on */
    struct output *outputs;
    struct channel *channels;
    uint64_t *injected; /* [terminal]: messages so far */
    uint64_t *waiting;  /* [message]: packets not yet delivered, of a multicast in each copy */
    const struct reference_message *messages;
    const struct reference_list *lists; /* NULL: none */
    uint64_t **trees;                   /* [message] ports of its routers; NULL: a unicast */
    size_t message_count, packets_inside;
    size_t *order;     /* numbers of messages in the order of time */
    size_t order_next; /* how many of them have been generated */
    uint64_t cycle;
    bool narrow;                     /* rule 12: some link is */
    bool in_pipeline;                /* a header waits for nothing but its router's pipeline */
    struct reference_faults *faults; /* NULL: all links live */
    struct reference_result *result;
};

static inline uint32_t or_default(uint32_t value, uint32_t fallback)
{
    return value ? value : fallback;
}

static inline struct driver *driver_at(struct reference *reference, uint32_t router, uint32_t driver)
{
    return &reference->drivers[(size_t)router * reference->drivers_each + driver];
}

static inline struct output *output_at(struct reference *reference, uint32_t router, uint32_t output)
{
    return &reference->outputs[(size_t)router * reference->outputs_each + output];
}

static inline struct channel *channel_at(struct reference *reference, uint32_t router, uint32_t channel)
{
    return &reference->channels[(size_t)router * reference->channels_each + channel];
}

static inline bool is_ejection(const struct reference *reference, uint32_t output)
{
    return output >= reference->topology->ports * reference->virtual_channels;
}

/* The buffer that an output of a link fills: same number, at the other end. NULL where the router has no such
 * port. */
static inline struct driver *next_buffer(struct reference *reference, uint32_t router, uint32_t output)
{
    const struct net_topology *topology = reference->topology;
    uint32_t link = topology->link_at[router * topology->ports + output / reference->virtual_channels];
    return link == NET_NONE ? NULL : driver_at(reference, topology->links[link].target, output);
}

/* To how many terminals a message goes. */
static inline uint32_t copies_of(const struct reference *reference, size_t message)
{
    return reference->trees[message] == NULL ? 1 : reference->lists[message].count;
}

/* One of those between which an arbiter chooses: its number (a driver's or a virtual channel's) and the
 * driver whose packet it is about. */
struct candidate {
    uint32_t number;
    const struct driver *driver;
};

struct contest {
    struct candidate candidates[REFERENCE_WIDTH]; /* in rising number */
    uint32_t count;
    uint32_t pointer;
    uint64_t draw; /* o or ~o */
};

/* Without candidates, whose places are left as they are: they are many. */
static inline void open_contest(struct contest *contest, uint32_t pointer, uint64_t number)
{
    contest->count = 0;
    contest->pointer = pointer;
    contest->draw = number;
}

/* The winner's number. There is at least one candidate. */
uint32_t reference_decide(const struct reference *reference, const struct contest *contest);
/* ---- doc/faults.md, Data (reference-faults.c) ---- */

void reference_faults_prepare(struct reference *reference, size_t packets);
void reference_faults_clear(struct reference *reference);
/* What control brings to the start of this cycle (rules 18 to 20). Returns whether anything. */
bool reference_faults_begin(struct reference *reference);
/* The next cycle in which it will; REFERENCE_NEVER. */
uint64_t reference_faults_next(const struct reference *reference);
bool reference_faults_stopped(const struct reference *reference, uint32_t router);
/* Rule 22: the output that the packet at the head of a driver asks for; NET_NONE. */
uint32_t reference_faults_select(struct reference *reference, uint32_t router, uint32_t driver,
                                 size_t packet);
/* Rule 23: what it needs of an output of a link, and what it reserves. */
uint32_t reference_faults_needed(const struct reference *reference, uint32_t router, uint32_t driver,
                                 uint32_t output, size_t packet);
uint32_t reference_faults_reserved(const struct reference *reference, uint32_t router, uint32_t output,
                                   size_t packet);
/* It has been granted an output of a link. */
void reference_faults_granted(struct reference *reference, uint32_t router, uint32_t driver, uint32_t output,
                              size_t packet);
/* Rule 24: its header behind a link. */
uint64_t reference_faults_header(const struct reference *reference, uint32_t router, uint32_t output,
                                 size_t packet);
/* Rule 25: its tail crosses the re-injection channel. */
void reference_faults_reinject(struct reference *reference, uint32_t router, size_t packet);
static inline bool is_reinjection(const struct reference *reference, uint32_t output)
{
    return output >= reference->outputs_drawn;
}
/* Parts of reference.c that the above needs. */
int64_t reference_room(const struct reference *reference, const struct driver *buffer);
bool reference_bubble(const struct reference *reference, uint32_t output);
void reference_push(struct fifo *fifo, struct flit flit);

/* The state of a network at rest, and the empty result; cleared away but for the result. */
void reference_prepare(struct reference *reference, const struct reference_setup *setup);
void reference_clear(struct reference *reference);

#endif
