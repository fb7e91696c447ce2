/* Shared channels: headers that can never move again, while others may go on.
 *
 * A header is stuck if every buffer that would let it move is held by a header that is stuck: for a unicast,
 * of every way and class that its routing admits; for a tree, of one receiver that it lacks (the first, where
 * they are taken in order). The largest set of which that is true is found by beginning with all headers that
 * wait and taking out whoever has a free buffer, or one held by somebody outside. Between two cycles nothing
 * is on its way that would not show here, so that a set which is not empty is a deadlock, at once.
 *
 * With early free a buffer holds several packets; that is for dimension order without trees, whose channels
 * have no circle, and is not looked at. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/shared-engine/internal.h"

/* ---- what the engine keeps ---- */

/* Whether a header is at the head of the buffer, and has not gone on. */
static bool is_waiting(const struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    return buffer->packet != NET_NONE && !net_shared_has_begun(engine, buffer);
}

static uint32_t count_buffers(const struct net_shared_engine *engine)
{
    return engine->channels << (engine->slot_bits + engine->buffer_bits);
}

bool net_shared_is_stuck(const struct net_shared_engine *engine, uint32_t index)
{
    return (engine->stuck[index / 64] >> index % 64 & 1) != 0;
}

/* ---- who is in the way ---- */

/* Whether all of these buffers of a receiver are held by stuck headers; the lowest of them is the obstacle.
 */
static bool is_blocked(const struct net_shared_engine *engine, uint32_t index, uint32_t receiver,
                       uint32_t buffers, struct net_shared_obstacle *obstacle)
{
    uint32_t channel = net_shared_channel_of(engine, index);
    if ((net_shared_free_of(engine, channel, receiver) & buffers) != 0)
        return false;
    for (uint32_t left = buffers; left != 0; left &= left - 1) {
        uint32_t holder = net_shared_holder(engine, channel, receiver, (uint32_t)__builtin_ctz(left));
        if (holder == NET_NONE || !net_shared_is_stuck(engine, holder))
            return false;
        if (left == buffers)
            *obstacle = (struct net_shared_obstacle){receiver, holder};
    }
    return buffers != 0;
}

static uint32_t all_buffers(const struct net_shared_engine *engine, uint32_t receiver)
{
    return (UINT32_C(1) << (receiver < engine->ports ? engine->buffers : engine->consumers)) - 1;
}

/* A tree takes its receivers in order, or the plain one in any; where it lacks one for good it lacks them
 * all. */
static bool find_for_tree(const struct net_shared_engine *engine, uint32_t index,
                          struct net_shared_obstacle *obstacle)
{
    const struct net_shared_cast *cast = &engine->casts[engine->buffer[index].target & ~NET_SHARED_CASTS];
    uint32_t missing = cast->pending & ~cast->reserved;
    if (engine->network.options.spreading != NET_MST_PLAIN)
        missing &= -missing;
    for (; missing != 0; missing &= missing - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(missing);
        uint32_t buffers = all_buffers(engine, receiver) & net_shared_cast_buffers(engine, cast, receiver);
        if (is_blocked(engine, index, receiver, buffers, obstacle))
            return true;
    }
    return false;
}

/* Every way of the route, with the classes of all tiers. */
static bool find_for_unicast(const struct net_shared_engine *engine, uint32_t index,
                             struct net_shared_obstacle *obstacle)
{
    const struct net_shared_choice *choice = &engine->packets[engine->buffer[index].packet].choice;
    for (uint32_t left = net_shared_receivers(engine, choice); left != 0; left &= left - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(left), classes = 0;
        for (uint32_t tier = 0; tier < NET_TIERS_MAX; tier++)
            classes |= net_shared_in_tier(engine, choice, receiver, tier);
        if (!is_blocked(engine, index, receiver, classes & all_buffers(engine, receiver), obstacle))
            return false;
    }
    return true;
}

bool net_shared_find_obstacle(const struct net_shared_engine *engine, uint32_t index,
                              struct net_shared_obstacle *obstacle)
{
    return engine->packets[engine->buffer[index].packet].tree ? find_for_tree(engine, index, obstacle)
                                                              : find_for_unicast(engine, index, obstacle);
}

/* ---- the set ---- */

/* Takes out whoever need not wait for another member. Returns how many that were. */
static uint32_t reduce(struct net_shared_engine *engine)
{
    uint32_t taken = 0;
    for (uint32_t word = 0; word <= (count_buffers(engine) - 1) / 64; word++)
        for (uint64_t bits = engine->stuck[word]; bits != 0; bits &= bits - 1) {
            struct net_shared_obstacle obstacle;
            if (net_shared_find_obstacle(engine, word * 64 + (uint32_t)__builtin_ctzll(bits), &obstacle))
                continue;
            engine->stuck[word] &= ~(bits & -bits);
            taken++;
        }
    return taken;
}

/* The greatest set of buffers that wait for none but each other: begins with all that wait, and takes away, until
 * nothing changes, whoever is held up by none of them. What is left can never move. */
uint32_t net_shared_find_stuck(struct net_shared_engine *engine)
{
    uint32_t count = count_buffers(engine), left = 0;
    uint32_t taken;
    memset(engine->stuck, 0, ((size_t)count / 64 + 1) * sizeof *engine->stuck);
    if (engine->early_free)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_waiting(engine, i)) {
            engine->stuck[i / 64] |= UINT64_C(1) << i % 64;
            left++;
        }
    while (left != 0 && (taken = reduce(engine)) != 0)
        left -= taken;
    return left;
}

/* An empty network has nobody to look at, and a long silence is one look. */
int net_shared_watch(struct net_shared_engine *engine, struct base_error *error)
{
    engine->watch_cycle = engine->network.now + NET_STANDSTILL_CYCLES;
    if (net_network_pending(&engine->network) == 0 || net_shared_find_stuck(engine) == 0)
        return 0;
    return net_shared_report(engine, error);
}
