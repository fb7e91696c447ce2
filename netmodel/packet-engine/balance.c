/* When borders between the parts of a network move: a part that takes its thread longer than the next one
 * gives it some of its routers. Processors differ in speed, traffic in place, and the caller's thread has the
 * caller to serve, too.
 *
 *     net_packet_parts_clock, net_packet_parts_measure    how long each part took, of some cycles
 *     net_packet_parts_balance                     which borders are to move, and by how much
 *
 * Results do not depend on it, so that it may go by the clock. */
#include <config.h>

#include <stdlib.h>
#include <time.h>

#include "netmodel/packet-engine/internal.h"

#define TIMED 4  /* of so many cycles one is timed */
#define STEPS 64 /* after so many that were the borders are looked at */
#define BLIP                                                                                                 \
    2 /* a step that took so many times the longest mean counts as that: somebody had the processor */
#define SMALL 33         /* a difference of less than one in so many is none */
#define ROUTERS_LEAST 16 /* that a part keeps */

/* Only some cycles are timed, as asking for the time takes some, too. */
uint64_t net_packet_parts_clock(uint64_t cycle)
{
    struct timespec now;
    if (cycle % TIMED != 0)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* How long the part took in the last step, of which the caller's thread was busy otherwise for some time:
 * while it is, the others do no more than to begin the next cycle. */
static uint64_t load_of(const struct net_packet_part *part, const struct net_packet_part *next,
                        uint64_t caller)
{
    uint64_t load = part->took_ns;
    return part->number == 0 ? load + (caller < next->began_ns ? caller : next->began_ns) : load;
}

/* A long step is cut to a multiple of the longest mean, lest one interruption moves a border. */
void net_packet_parts_measure(struct net_packet_engine *engine, uint64_t caller_ns)
{
    if (engine->network.now % TIMED != 0)
        return;
    uint64_t most = 0;
    for (uint32_t i = 0; i < engine->part_count; i++)
        most = engine->loads[i].mean > most ? engine->loads[i].mean : most;
    most *= BLIP;
    for (uint32_t i = 0; i < engine->part_count; i++) {
        uint64_t load = load_of(&engine->parts[i], &engine->parts[1], caller_ns);
        engine->loads[i].sum += most != 0 && load > most ? most : load;
    }
    engine->measured++;
}

/* So many routers more for a part of the next one's, or fewer, but both keep the least. */
static int32_t within(int64_t more, int64_t own, int64_t others)
{
    int64_t most = others > ROUTERS_LEAST ? others - ROUTERS_LEAST : 0;
    int64_t least = own > ROUTERS_LEAST ? ROUTERS_LEAST - own : 0;
    more = more > most ? most : more;
    return (int32_t)(more < least ? least : more);
}

/* How many routers the left of two parts should have more; half of what would make them alike, since the
 * next steps may be others. */
static int32_t wanted(const struct net_packet_engine *engine, uint32_t left)
{
    int64_t a = (int64_t)engine->loads[left].mean, b = (int64_t)engine->loads[left + 1].mean, sum = a + b;
    const struct net_packet_part *part = &engine->parts[left];
    int64_t routers = (int64_t)part->router_count + part[1].router_count, difference = b - a;
    if (sum == 0 || (difference < 0 ? -difference : difference) * SMALL < sum)
        return 0;
    return within(difference * routers / sum / 4, part->router_count, part[1].router_count);
}

/* Only where all latencies are one: elsewhere mail may be under way to the routers that would move. */
int net_packet_parts_balance(struct net_packet_engine *engine)
{
    int result = 0;
    if (!engine->shape.plain || engine->measured < STEPS)
        return 0;
    for (uint32_t i = 0; i < engine->part_count; i++) {
        engine->loads[i].mean = engine->loads[i].sum / engine->measured;
        engine->loads[i].sum = 0;
    }
    engine->measured = 0;
    for (uint32_t i = 0; i + 1 < engine->part_count; i++) {
        int32_t routers = wanted(engine, i);
        if (routers == 0)
            continue;
        net_packet_parts_settle(engine);
        result |= net_packet_parts_move(engine, i, routers);
    }
    return result;
}
