/* What a network draws from its seed, wherever it does:
 *
 *      links             among a pair's variants, and the free outputs of a tier (packet-engine/, flit-engine/)
 *                        among the free ejection channels of a terminal that has several
 *      shared channels   between the two channels of a processor inside a router (netmodel/topologies/mway.c)
 *      the ladder        among links that are free at the same time (simple-engines/effects.c)
 *
 * Arbiters and selections draw as their lists say (choices.h). */
#include "netmodel/engines/engine.h"

/* Where a kind cannot say, it may: only a certain no lets a caller leave out a second seed. */
bool net_routing_draws(const struct net_routing *routing)
{
    return routing->kind->chooses == NULL || routing->kind->chooses(routing);
}

/* Whether networks under these options draw. */
static bool draws(const struct net_routing *routing, const struct net_options *options)
{
    const struct net_engine *engine = net_engine_for(routing->topology, routing, options);

    if (engine != NULL && engine->draws != NULL)
        return engine->draws(routing, options);
    return options->consumers > 1 || net_routing_draws(routing);
}

/* Of the ladder the last rung has all that is drawn on the others. */
bool net_network_draws(const struct net_routing *routing, const struct net_options *options, bool on_ladder)
{
    struct net_options ladder = *options;

    ladder.effects = NET_CHANNELS;
    return routing != NULL && (draws(routing, options) || (on_ladder && draws(routing, &ladder)));
}
