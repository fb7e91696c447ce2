/* The names of flow controls, arbiters and ways to share a link, and one line on each. What they do to every
 * cycle is in doc/flit-engine.md; those of shared channels are in doc/networks.md. */
#include "netmodel/choices.h"

#include <string.h>

#include "netmodel/network.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* How a packet takes buffers (--flow-control): rules 6 and 8. In the order of its enum, as every table below is:
 * a choice's number is its place. */
static const struct net_choice cut_through = {
    "cut-through", "a packet goes on when the next buffer has room for all of it (bubbles on rings)",
    BASE_EXACT};
static const struct net_choice wormhole = {
    "wormhole", "a packet takes a virtual channel, and its flits follow as places become free", BASE_EXACT};
static const struct net_choice *const flow_controls[] = {
    [NET_CUT_THROUGH] = &cut_through, [NET_WORMHOLE] = &wormhole};

/* Who gets an output that several ask for (--arbiter): rule 4. `random` alone draws, so that its runs need
 * seeds. */
static const struct net_choice round_robin = {
    "round-robin", "the first that asks, at or after the one behind the last winner", BASE_EXACT};
static const struct net_choice oldest_first = {"oldest-first",
                                               "the packet whose message was injected earliest", BASE_EXACT};
static const struct net_choice at_random = {"random", "drawn anew in every cycle, from the seed", BASE_DRAWS};
static const struct net_choice longest_queue = {
    "longest-queue", "the one with most flits waiting; among equals round-robin", BASE_EXACT};
static const struct net_choice *const arbiters[] = {[NET_ROUND_ROBIN] = &round_robin,
                                                    [NET_OLDEST_FIRST] = &oldest_first,
                                                    [NET_RANDOM] = &at_random,
                                                    [NET_LONGEST_QUEUE] = &longest_queue};

/* Whether packets on different virtual channels share a link flit by flit (--multiplexing): rule 9. */
static const struct net_choice by_packet = {"packet", "a link carries one packet to its tail, then another",
                                            BASE_EXACT};
static const struct net_choice by_flit = {
    "flit", "a link carries a flit of any of its virtual channels in each cycle; wormhole always does",
    BASE_EXACT};
static const struct net_choice *const multiplexings[] = {&by_packet, &by_flit};

/* Which of several ways a header takes on shared channels (--selection). */
static const struct net_choice most_free = {
    "most-free", "the way with most free buffers of the classes that the header may take", BASE_EXACT};
static const struct net_choice random_way = {"random", "drawn anew in every cycle, from the seed",
                                             BASE_DRAWS};
static const struct net_choice first_way = {"first", "the lowest dimension", BASE_EXACT};
/* How a broadcast spreads on shared channels: the broadcast paper's, and two to hold beside them. */
static const struct net_choice mst_safe = {
    "mst-safe", "a tree in the network; the header moves when all its buffers are reserved, in a fixed order",
    BASE_EXACT};
static const struct net_choice mst_replica = {
    "mst-replica", "a tree in the network; a replica stays for the ways that were not free", BASE_EXACT};
static const struct net_choice mst_unicast = {"mst-unicast", "the same tree in messages between neighbours",
                                              BASE_EXACT};
static const struct net_choice recursive_doubling = {
    "recursive-doubling", "messages to the other half of the box, and so on", BASE_EXACT};
static const struct net_choice mst_safe_any = {
    "mst-safe-any", "mst-safe, but a header asks for its channel while any buffer that it lacks is free",
    BASE_EXACT};
static const struct net_choice mst_plain = {
    "mst", "a tree in the network, reserved in no order: deadlocks, to show that it does", BASE_EXACT};
static const struct net_choice *const spreadings[] = {
    [NET_MST_SAFE] = &mst_safe,         [NET_MST_REPLICA] = &mst_replica,
    [NET_MST_UNICAST] = &mst_unicast,   [NET_RECURSIVE_DOUBLING] = &recursive_doubling,
    [NET_MST_SAFE_ANY] = &mst_safe_any, [NET_MST_PLAIN] = &mst_plain,
};
static const struct net_choice *const selections[] = {
    [NET_MOST_FREE] = &most_free, [NET_RANDOM_WAY] = &random_way, [NET_FIRST_WAY] = &first_way};

/* When a queue of a multistage network takes another packet (--admission). */
static const struct net_choice fits_word = {
    "fits-word", "as long as what its link carries in a cycle has room; the packet may fill more",
    BASE_EXACT};
static const struct net_choice not_full = {"not-full", "as long as it is not full; the packet may fill more",
                                           BASE_EXACT};
static const struct net_choice *const admissions[] = {
    [NET_ADMIT_WORD] = &fits_word, [NET_ADMIT_NOT_FULL] = &not_full};

/* What the devices of a shared channel know of its receivers before they drive it (--status-flags). */
static const struct net_choice both_flags = {
    "both", "free buffers and full ones are known before a channel is driven", BASE_EXACT};
static const struct net_choice availability = {"availability", "headers know whether a buffer is free",
                                               BASE_EXACT};
static const struct net_choice full = {"full", "flits behind a header know whether their buffer is full",
                                       BASE_EXACT};
static const struct net_choice no_flags = {"none", "flits are sent in vain, and again", BASE_EXACT};
static const struct net_choice *const status_flags[] = {[NET_BOTH_FLAGS] = &both_flags,
                                                        [NET_AVAILABILITY_FLAGS] = &availability,
                                                        [NET_FULL_FLAGS] = &full,
                                                        [NET_NO_FLAGS] = &no_flags};

/* What becomes of a message that finds no free slot in a deflecting network (--sources). */
static const struct net_choice queued = {"queued", "a message waits at its terminal until it can enter",
                                         BASE_EXACT};
static const struct net_choice lossy = {
    "lossy", "a message that cannot enter in the cycle in which it is generated is lost", BASE_EXACT};
static const struct net_choice *const sources[] = {&queued, &lossy};

/* ---- the registries: all choices of an option, which is what `list`, help and the check of names read ---- */

const struct net_choice *const *net_flow_controls(size_t *count)
{
    *count = COUNT(flow_controls);
    return flow_controls;
}

const struct net_choice *const *net_arbiters(size_t *count)
{
    *count = COUNT(arbiters);
    return arbiters;
}

const struct net_choice *const *net_multiplexings(size_t *count)
{
    *count = COUNT(multiplexings);
    return multiplexings;
}

const struct net_choice *const *net_spreadings(size_t *count)
{
    *count = COUNT(spreadings);
    return spreadings;
}

const struct net_choice *const *net_selections(size_t *count)
{
    *count = COUNT(selections);
    return selections;
}

const struct net_choice *const *net_admissions(size_t *count)
{
    *count = COUNT(admissions);
    return admissions;
}

const struct net_choice *const *net_status_flags(size_t *count)
{
    *count = COUNT(status_flags);
    return status_flags;
}

const struct net_choice *const *net_sources(size_t *count)
{
    *count = COUNT(sources);
    return sources;
}

/* Names were checked against the same registry when they were given. */
unsigned net_choice_value(const struct net_choice *const *(*registry)(size_t *count), const char *name,
                          unsigned fallback)
{
    size_t count;
    const struct net_choice *const *choices = registry(&count);
    for (unsigned i = 0; name != NULL && i < count; i++)
        if (strcmp(choices[i]->name, name) == 0)
            return i;
    return fallback;
}
