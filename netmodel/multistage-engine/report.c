/* What the engine of bits says of itself: counters by link and terminal, and its laws of conservation. */
#include <inttypes.h>

#include "netmodel/multistage-engine/internal.h"

/* As net_engine.collect says. Movement counts by port, since a port's number needs no division; links of the
 * topology are numbered otherwise (net_multistage_link). What processors get is what the links of the last level
 * carried. */
void net_multistage_engine_collect(struct net_network *network)
{
    struct net_multistage_engine *engine = (struct net_multistage_engine *)network;
    uint32_t n = engine->processors;
    for (uint32_t level = 0; level <= engine->stages; level++)
        for (uint32_t p = 0; p < n; p++) {
            uint32_t link = net_multistage_link(engine->multistage, level, p);
            network->link_flits[link] = engine->port_bits[level * n + p];
            engine->link_cycles[link] = engine->port_cycles[level * n + p];
        }
    for (uint32_t p = 0; p < n; p++)
        network->terminal_flits[n + p] = engine->port_bits[engine->stages * n + p];
}

/* Bits of the packets of a queue, by its list. */
static uint64_t count_bits(const struct net_multistage_engine *engine, const struct net_stage_queue *queue)
{
    uint64_t bits = 0;
    for (uint32_t node = queue->first; node != NET_NONE; node = engine->nodes[node].next) {
        uint32_t length = engine->packets[engine->nodes[node].packet].cargo.length;
        if (node == queue->first)
            bits += queue->here;
        else
            bits += length - (node == queue->last ? queue->to_come : 0);
    }
    return bits;
}

/* Bits in = out + inside, each queue has those of its packets, and none but an input queue more than it
 * may. */
int net_multistage_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_multistage_engine *engine = (const struct net_multistage_engine *)network;
    uint32_t inputs = engine->processors * engine->queues_per_port;
    uint64_t inside = 0;
    for (uint32_t i = 0; i < (engine->stages + 1) * inputs; i++) {
        const struct net_stage_queue *queue = &engine->queues[i];
        inside += queue->bits;
        if (queue->bits != count_bits(engine, queue) || (i >= inputs && queue->bits > engine->capacity))
            return base_error_set(error, BASE_SYSTEM,
                                  "queue %" PRIu32 " has %" PRIu32 " bits: this is a defect of flitreplay", i,
                                  queue->bits);
    }
    if (engine->bits_in != engine->bits_out + inside)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " bits went in, but %" PRIu64 " came out and %" PRIu64
                              " are inside: this is a defect of flitreplay",
                              engine->bits_in, engine->bits_out, inside);
    return net_flights_check(&engine->flights,
                             net_pool_used(&engine->packet_pool, engine->packets, sizeof *engine->packets,
                                           offsetof(struct net_stage_packet, next)),
                             error);
}
