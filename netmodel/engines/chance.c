/* What a network draws from its seed, wherever it does:
 *
 *      links             among a pair's variants, and the free outputs of a tier (packet-engine/, flit-engine/)
 *                        among the free ejection channels of a terminal that has several
 *      shared channels   between the two channels of a processor inside a router (netmodel/topologies/mway.c)
 *      the ladder        among links that are free at the same time (simple-engines/effects.c)
 *
 * Arbiters and selections draw as their lists say (choices.h). */
#include "netmodel/network.h"
#include "netmodel/routing.h"
#include "netmodel/topologies/mway.h"

/* A routing that says nothing may draw. */
static bool chooses(const struct net_routing *routing)
{
    return routing->kind->chooses == NULL || routing->kind->chooses(routing);
}

bool net_network_draws(const struct net_routing *routing, const struct net_options *options, bool on_ladder)
{
    if (routing == NULL)
        return false;
    if (routing->topology->shared != NULL)
        return net_shared_inside_routers(routing->topology) || (on_ladder && chooses(routing));
    return options->consumers > 1 || chooses(routing);
}
