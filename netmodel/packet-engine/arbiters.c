/* The packet-grant engine's arbiters beside round robin (rules 4 and 5 of doc/flit-engine.md). They are asked
 * only where there is a choice, by the generic kernel. A choice is among drivers: those that request an
 * output, or those that hold a granted virtual channel of a free link. */
#include "netmodel/engines/arbiters.h"
#include "netmodel/packet-engine/internal.h"

/* Flits in a driver's buffer at the start of a cycle. Nobody is asked whose packet is on its way out. */
static uint64_t queue_flits(const struct net_packet_part *part, uint32_t router, uint32_t driver,
                            uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    const struct net_packet_queue *queue =
        &engine->queues[(size_t)router * engine->drivers_per_router + driver];
    uint64_t arrived = cycle - queue->start + 1;
    return queue->flits + (arrived < queue->arriving ? arrived : queue->arriving);
}

/* Of a driver that has one, as every candidate does. */
static const struct net_packet_packet *head_of(const struct net_packet_part *part,
                                               struct net_packet_router *router, uint32_t driver)
{
    return &part->packets[net_packet_entry_packet(net_packet_driver_at(router, driver)->head.rest)];
}

/* What orders packets under NET_OLDEST_FIRST. */
static struct net_age age_of(const struct net_packet_part *part, const struct net_packet_packet *packet)
{
    const struct net_packet_flight *flight = &part->engine->flights[packet->message];
    return (struct net_age){flight->generated, flight->number, packet->number};
}

/* A choice in a router: among drivers, or among outputs, each standing for the driver that holds it. */
struct contest {
    struct net_packet_visit at;
    uint32_t router; /* its number */
    bool outputs;
};

/* Of candidates by their numbers; neither goes before the other among equals, which are served in turn. */
static bool goes_before(const void *context, uint32_t first, uint32_t second)
{
    const struct contest *contest = context;
    const struct net_packet_visit *at = &contest->at;
    uint32_t a = contest->outputs ? net_packet_output_at(at->router, first)->driver : first;
    uint32_t b = contest->outputs ? net_packet_output_at(at->router, second)->driver : second;
    if (at->part->engine->network.options.arbiter == NET_LONGEST_QUEUE)
        return queue_flits(at->part, contest->router, a, at->cycle) >
               queue_flits(at->part, contest->router, b, at->cycle);
    const struct net_age older = age_of(at->part, head_of(at->part, at->router, a));
    const struct net_age younger = age_of(at->part, head_of(at->part, at->router, b));
    return net_age_before(&older, &younger);
}

/* By the arbiter in force; `number` is o or ~o of the rules, by which the draws of outputs and links differ. */
static uint32_t decide(const struct contest *contest, uint64_t candidates, uint32_t in_turn, uint64_t number)
{
    const struct net_packet_engine *engine = contest->at.part->engine;
    if (engine->network.options.arbiter == NET_ROUND_ROBIN)
        return in_turn;
    if (engine->network.options.arbiter == NET_RANDOM)
        return net_bits_draw(candidates, net_arbiter_draw(engine->seed, number, contest->at.cycle));
    return net_arbiter_best(candidates, in_turn, goes_before, contest);
}

uint32_t net_packet_arbitrate(struct net_packet_visit at, uint32_t local, uint64_t requests, uint32_t in_turn)
{
    const struct net_packet_engine *engine = at.part->engine;
    const struct contest contest = {.at = at, .router = net_packet_number_of(engine, at.block)};
    return decide(&contest, requests, in_turn, (uint64_t)contest.router * engine->outputs_drawn + local);
}

/* The outputs of one link stand side by side, so that the first of them names the link. */
uint32_t net_packet_arbitrate_link(struct net_packet_visit at, uint64_t granted, uint32_t in_turn)
{
    const struct net_packet_engine *engine = at.part->engine;
    const struct contest contest = {
        .at = at, .router = net_packet_number_of(engine, at.block), .outputs = true};
    uint32_t first = (uint32_t)__builtin_ctzll(granted);
    first -= first % engine->shape.channels;
    return decide(&contest, granted, in_turn, ~((uint64_t)contest.router * engine->outputs_drawn + first));
}
