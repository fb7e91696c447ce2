/* The flit-grant engine's lists of moves (internal.h): one for each cycle, kept until its latencies are over. */
#ifndef NET_FLIT_ENGINE_MOVES_H
#define NET_FLIT_ENGINE_MOVES_H

#include <stdlib.h>

#include "netmodel/flit-engine/internal.h"

/* That cycle's list of a ring, or NULL when it is empty. A slot may still hold an older cycle's list, when
 * cycles in between were passed over: hence the comparison. */
static inline const struct net_flit_moves *list_at(const struct net_flit_engine *engine,
                                                   const struct net_flit_moves *ring, uint64_t cycle)
{
    const struct net_flit_moves *list = &ring[cycle & engine->recent_mask];
    return list->cycle == cycle && list->count != 0 ? list : NULL;
}

/* The moves of `age` cycles ago. A cycle before the first has none. */
static inline const struct net_flit_moves *moves_before(const struct net_flit_engine *engine, uint64_t cycle,
                                                        uint32_t age)
{
    return age <= cycle ? list_at(engine, engine->recent, cycle - age) : NULL;
}

/* Room for one more move than any cycle before had, doubling: after warm-up nothing grows. A failure is noted
 * and told by advance, so that the hot loop need not return one. */
static struct net_flit_move *grow_moves(struct net_flit_engine *engine, struct net_flit_moves *list)
{
    uint32_t capacity = list->capacity != 0 ? 2 * list->capacity : 256;
    struct net_flit_move *moves = realloc(list->moves, capacity * sizeof *moves);
    if (moves == NULL) {
        engine->out_of_memory = true;
        return NULL;
    }
    list->moves = moves;
    list->capacity = capacity;
    return moves;
}

/* The place of one more move, to be written where it stays: a copy would wait for what was written in parts. When
 * memory ends, a move is lost and the state is wrong; but advance looks at out_of_memory before anybody can see it,
 * and the network is only good for freeing then. */
static inline struct net_flit_move *next_move(struct net_flit_engine *engine, struct net_flit_moves *list)
{
    if (list->count == list->capacity && grow_moves(engine, list) == NULL)
        return &engine->lost;
    return &list->moves[list->count++];
}
/* The first cycle from now on that is one of these ages after a list that is not empty. */
static uint64_t soonest(const struct net_flit_engine *engine, const struct net_flit_moves *ring,
                        const uint32_t *ages, uint32_t count)
{
    uint64_t now = engine->network.now, next = NET_FLIT_NEVER;
    for (uint32_t i = 0; i <= engine->recent_mask; i++) {
        if (ring[i].count == 0)
            continue;
        for (uint32_t age = 0; age < count; age++)
            if (ring[i].cycle + ages[age] >= now && ring[i].cycle + ages[age] < next)
                next = ring[i].cycle + ages[age];
    }
    return next;
}

#endif
