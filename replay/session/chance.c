/* Whether anything of a run is drawn by chance: then another seed may give another result, and only then.
 *
 *      options that name kinds     the flag of each kind in its list (kinds.h)
 *      topology and routing        what the network draws (net_network_draws)
 *      a budget of time            how far a search comes is the machine's affair
 *      --faults 4                  which links fail
 *
 * What is drawn once and for all has a seed of its own in its name:
 * generate:random-sparse,seed=2, --faults 4,seed=3. A fault routing draws nothing that its base routing would not. */

#include "mappers/mapper.h"
#include "replay/session/kinds.h"
#include "replay/session/internal.h"

/* Every option of a run whose value is one of a list; topology and routing draw together. */
static const struct {
    enum replay_option option;
    const char *list;
} named[] = {
    {REPLAY_FLOW_CONTROL, "flow-controls"}, {REPLAY_MULTIPLEXING, "multiplexings"},
    {REPLAY_ARBITER, "arbiters"},           {REPLAY_SELECTION, "selections"},
    {REPLAY_ADMISSION, "admissions"},       {REPLAY_STATUS_FLAGS, "status-flags"},
    {REPLAY_MULTICAST, "multicasts"},       {REPLAY_MAPPING, "mappings"},
    {REPLAY_OBJECTIVE, "objectives"},       {REPLAY_PARTITION, "allocators"},
    {REPLAY_COLLECTIVES, "collectives"},
};

const char *session_list_of(enum replay_option option)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].option == option)
            return named[i].list;
    return option == REPLAY_TOPOLOGY ? "topologies" : option == REPLAY_ROUTING ? "routings" : NULL;
}

/* A search that ends by the clock ends somewhere else every time. */
static bool is_timed(const struct replay_settings *settings)
{
    const struct map_mapper *mapper = map_mapper_of(settings->text[REPLAY_MAPPING]);

    return settings->number[REPLAY_TIME_BUDGET_MS] != 0 && mapper != NULL && mapper->searches;
}

/* A kind that is named and may draw settles it. The rest is asked of the network and of the options that
 * depend on time; what-if rows replay other kinds than those that are named. */
bool session_is_exact(const struct replay_setup *setup)
{
    const struct replay_settings *settings = setup->settings;
    const struct net_routing *routing = setup->routing;

    if (routing != NULL && routing->faults_drawn)
        return false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (settings->text[named[i].option] != NULL &&
            replay_kind_draws(named[i].list, settings->text[named[i].option]))
            return false;
    return !net_network_draws(routing, &setup->options, setup->is_attributed) && !is_timed(settings) &&
           !setup->is_asked;
}
