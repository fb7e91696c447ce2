/* From options to a routing: the topology's own, one that goes around dead links by itself, or one with a fault routing
 * around it. */
#include <string.h>

#include "netmodel/faults/failing.h"
#include "replay/session/internal.h"

bool replay_has_faults(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_FAULTS];
    return text != NULL && strcmp(text, replay_option_absent(REPLAY_FAULTS)) != 0;
}

bool replay_names_fault_routing(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_FAULT_ROUTING];
    return text != NULL && strcmp(text, replay_option_absent(REPLAY_FAULT_ROUTING)) != 0;
}

/* Tables of ways around dead links are made once, before the run. */
static int check_static(const struct net_faults *faults, const char *text, const struct net_routing *routing,
                        struct base_error *error)
{
    uint64_t last = faults->count > 0 ? faults->fault[faults->count - 1].cycle : 0;

    if (last == 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--faults %s: a link dies in cycle %llu; routing '%s' goes around links that are "
                          "dead from cycle 0 on",
                          text, (unsigned long long)last, routing->text);
}

/* A routing that knows ways around links that are dead from the start. */
static int prepare_around(const struct net_faults *faults, const struct replay_settings *settings,
                          struct net_routing *routing, struct base_error *error)
{
    struct base_arena arena = {0};
    const bool *dead = net_faults_dead(faults, &arena);
    int status = dead == NULL
                     ? base_error_memory(error, "the faults")
                     : net_routing_init_around(routing, faults->topology, settings->text[REPLAY_ROUTING],
                                               (uint32_t)settings->number[REPLAY_VCS], dead, error);

    base_arena_free(&arena);
    if (status != 0)
        return -1;
    if (check_static(faults, settings->text[REPLAY_FAULTS], routing, error) != 0) {
        net_routing_free(routing);
        return -1;
    }
    routing->faults_drawn = faults->drawn;
    if (faults->input.path != NULL) {
        routing->faults = faults->input;
        routing->faults.path = base_arena_text(&routing->arena, faults->input.path);
    }
    return 0;
}

/* Whether the routing that is asked for, or is taken where none is, goes around dead links by itself: any that says so;
 * up-down where a network is no grid, so that no fault routing has a base. */
bool replay_goes_around(const struct net_topology *topology, const struct replay_settings *settings)
{
    const char *name = settings->text[REPLAY_ROUTING];
    size_t count;
    size_t length = name == NULL ? 0 : strcspn(name, ",");
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);

    if (replay_names_fault_routing(settings))
        return false;
    if (length == 0)
        return topology->grid == NULL;
    for (size_t i = 0; i < count; i++)
        if (strlen(kinds[i]->name) == length && strncmp(kinds[i]->name, name, length) == 0)
            return kinds[i]->detours;
    return false;
}

/* Links that fail, in a routing that goes around them, or in a base around whose packets a fault routing sees to it.
 * Where a fault routing is named and no link fails it is the network in health, with the channels and the base that it
 * has under faults: what these are compared with. */
static int prepare_faults(const struct net_topology *topology, const struct replay_settings *settings,
                          struct net_routing *routing, struct base_error *error)
{
    const char *name = replay_names_fault_routing(settings) ? settings->text[REPLAY_FAULT_ROUTING] : NULL;
    const struct net_fault_routing *kind;
    struct net_faults faults;
    int status = -1;

    if (net_faults_init_seeded(
            &faults, topology, replay_has_faults(settings) ? settings->text[REPLAY_FAULTS] : "0",
            settings->number[REPLAY_CLOCK_GHZ], settings->number[REPLAY_SEED], error) == 0) {
        if (replay_goes_around(topology, settings))
            status = prepare_around(&faults, settings, routing, error);
        else if ((kind = net_fault_routing_find(topology, name, error)) != NULL)
            status = net_routing_init_failing(routing, topology, settings->text[REPLAY_ROUTING],
                                              (uint32_t)settings->number[REPLAY_VCS], &faults, kind, error);
    }
    net_faults_free(&faults);
    return status;
}

/* Prepares the routing. An ideal network has none ("none", as records say), and is refused any other. */
int session_prepare_routing(const struct net_topology *topology, const struct replay_settings *settings,
                            struct net_routing *routing, const struct net_routing **in_use,
                            struct base_error *error)
{
    const char *name = settings->text[REPLAY_ROUTING];
    bool has_faults = replay_has_faults(settings) || replay_names_fault_routing(settings);

    *in_use = NULL;
    if (net_topology_is_ideal(topology) && !has_faults && (name == NULL || strcmp(name, "none") == 0))
        return 0;
    *in_use = routing;
    if (has_faults)
        return prepare_faults(topology, settings, routing, error);
    return net_routing_init(routing, topology, name, (uint32_t)settings->number[REPLAY_VCS], error);
}
