/* Arbiters that engines of links share (rules 4 and 5 of doc/flit-engine.md): what is drawn, who is older, and who wins
 * among several. Round robin is a look at a mask (bits.h), which engines do where they stand. Only netmodel/ includes
 * this. */
#ifndef NET_ARBITERS_H
#define NET_ARBITERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "netmodel/engines/bits.h"

/* The draw of a contest in a cycle: of an output by its number o, of a link by ~o of its first output. The seed's
 * complement keeps these draws apart from those of routings, which hash the seed itself. */
static inline uint64_t net_arbiter_draw(uint64_t seed, uint64_t of, uint64_t cycle)
{
    return base_hash(base_hash(~seed, of), cycle);
}

/* What orders packets under NET_OLDEST_FIRST: a total order, so that the oldest packet of all wins every contest that
 * it takes part in. */
struct net_age {
    uint64_t generated, message; /* the cycle of its injection; the number of its message */
    uint32_t packet;             /* its number in that */
};

/* Numbers of messages are in the order of injection, which breaks ties within a cycle. */
static inline bool net_age_before(const struct net_age *first, const struct net_age *second)
{
    if (first->generated != second->generated)
        return first->generated < second->generated;
    return first->message != second->message ? first->message < second->message
                                             : first->packet < second->packet;
}

/* The winner of a mask that is not empty: of all candidates in the order of round robin, beginning with who is in turn,
 * a later one wins only if it goes before the best so far. */
static inline uint32_t net_arbiter_best(uint64_t mask, uint32_t in_turn,
                                        bool (*goes_before)(const void *contest, uint32_t first,
                                                            uint32_t second),
                                        const void *contest)
{
    uint32_t best = in_turn;
    for (uint32_t next = net_bits_from(mask, (in_turn + 1) % 64); next != in_turn;
         next = net_bits_from(mask, (next + 1) % 64))
        if (goes_before(contest, next, best))
            best = next;
    return best;
}

#endif
