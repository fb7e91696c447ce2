/* What a run would take if one thing were different: another protocol for its messages, another placement of its
 * ranks, its collectives in hardware or in messages, all its links alive. No effects of the network, and so no
 * part of the ladder's sum; each costs a replay on the configured network. */
#include <string.h>

#include "netmodel/faults/failing.h"
#include "replay/session/kinds.h"
#include "replay/session/internal.h"

#define EVERY_MESSAGE UINT64_MAX

static const struct {
    const char *name, *watched;
    uint64_t eager_limit_bytes; /* of the protocol's rows */
    const char *mapping;        /* of the mapping's; else NULL */
    const char *collectives;    /* the table of the collectives' rows; else NULL */
    bool healthy;               /* of the row of dead links */
} rows[REPLAY_WHAT_IFS] = {
    {"all_eager", "what if: all eager", EVERY_MESSAGE, NULL, NULL, false},
    {"all_rendezvous", "what if: all rendezvous", 0, NULL, NULL, false},
    {"mapping_portfolio", "what if: mapping", 0, "portfolio", NULL, false},
    {"collectives_mpich", "what if: collectives in messages", 0, NULL, "mpich", false},
    {"collectives_hardware", "what if: collectives in hardware", 0, NULL, "hardware", false},
    {"no_faults", "what if: no dead links", 0, NULL, NULL, true},
};

/* Rows are for --what-if, but that a run with collectives in hardware is compared with one in messages, and one
 * with dead links with one without, wherever it is attributed. Collectives need a network that can multicast: else
 * hardware is software. */
static bool is_wanted(const struct session *session, unsigned row)
{
    bool asked = session->setup->is_asked, hardware = session->setup->has_hardware;
    if (rows[row].healthy)
        return replay_has_faults(session->setup->settings) && (asked || session->results->has_rungs);
    if (rows[row].collectives == NULL)
        return asked;
    if (net_topology_is_ideal(session->setup->topology) ||
        net_network_multicasts(session->results->real.network) == NET_NO_MULTICASTS)
        return false;
    if (strcmp(rows[row].collectives, "hardware") == 0)
        return asked && !hardware;
    return hardware && (asked || session->results->has_rungs);
}

/* Whether any row may be shown. */
static bool is_any_wanted(const struct session *session)
{
    bool any = false;
    for (unsigned row = 0; row < REPLAY_WHAT_IFS; row++)
        any = any || is_wanted(session, row);
    return any;
}

/* What a row changes: a copy of the run's setup, with what is made anew for it. */
struct change {
    struct replay_setup setup;
    struct replay_settings settings; /* what the setup is told to be made of; texts are borrowed */
    const uint32_t *terminal;
    struct map_placement *map; /* NULL: the run's own placement */
};

/* The routing in force, whose links are all alive: the same fault routing around the same base, or the same ways where
 * the routing itself went around dead links. */
static int revive(struct change *change, struct base_error *error)
{
    const struct net_routing *routing = change->setup.routing;
    const struct net_failing *failing = net_routing_failing(routing);

    change->settings.text[REPLAY_FAULTS] = NULL;
    change->settings.text[REPLAY_FAULT_ROUTING] = failing == NULL ? NULL : failing->kind->name;
    if (failing == NULL)
        change->settings.text[REPLAY_ROUTING] = routing->text;
    return replay_setup_own_routing(&change->setup, error);
}

/* The one thing that differs. The placement is made by the same seed, in the same partition, for the same objective as
 * the run's own. -1: as the run's own placement, tuning or routing. */
static int make_change(struct change *change, const struct session *session, unsigned row,
                       struct base_error *error)
{
    struct replay_setup *setup = &change->setup;

    change->settings = *session->setup->settings;
    *setup = replay_setup_copy(session->setup);
    setup->settings = &change->settings;
    change->terminal = session->placement->map->terminal;
    change->map = NULL;
    if (rows[row].healthy)
        return revive(change, error);
    if (rows[row].mapping != NULL) {
        change->map = replay_map_graph(setup, session->placement->graph, session->program, rows[row].mapping,
                                       session->watch, error);
        change->terminal = change->map == NULL ? NULL : change->map->terminal;
        return change->map == NULL ? -1 : 0;
    }
    if (rows[row].collectives == NULL) {
        setup->semantics.eager_limit_bytes = rows[row].eager_limit_bytes;
        return 0;
    }
    change->settings.text[REPLAY_COLLECTIVES] = rows[row].collectives;
    setup->semantics.collectives = setup->own.tuning = replay_tuning(&change->settings, error);
    return setup->own.tuning == NULL ? -1 : 0;
}

/* The run is left as it is: what differs is a setup of its own. */
static int replay_row(const struct session *session, unsigned row, struct replay_trial *trial,
                      struct base_error *error)
{
    const struct replay_onlooker onlooker = {.watch = session->watch, .what = rows[row].watched};
    struct change change;
    int status = make_change(&change, session, row, error);

    if (status == 0)
        status = replay_try(trial, &change.setup, session->program, change.terminal, REPLAY_CONFIGURED,
                            &onlooker, error);
    map_placement_free(change.map);
    replay_setup_free(&change.setup);
    return status;
}

/* A row that SIGINT cuts short says nothing: it and those behind it are left out. */
int session_what_if(const struct session *session, struct replay_results *results, struct base_error *error)
{
    for (unsigned row = 0; row < REPLAY_WHAT_IFS && !replay_is_stopped(session->watch); row++) {
        struct replay_trial trial = {0};
        if (!is_wanted(session, row))
            continue;
        if (replay_row(session, row, &trial, error) != 0)
            return -1;
        if (!trial.result.interrupted)
            results->what_if[results->what_ifs++] = (struct replay_what_if){row, trial.result.simulated_ns};
        replay_trial_free(&trial);
    }
    return 0;
}

/* Names are constants. */
int session_report_what_if(const struct session *session, struct report_run *run)
{
    struct report_what_if *list;

    if (!is_any_wanted(session))
        return 0;
    list = base_arena_array(&run->arena, REPLAY_WHAT_IFS, sizeof *list);
    for (unsigned i = 0; list != NULL && i < session->results->what_ifs; i++)
        list[i] = (struct report_what_if){rows[session->results->what_if[i].row].name,
                                          session->results->what_if[i].simulated_ns};
    run->what_ifs = list;
    run->what_if_count = session->results->what_ifs;
    return list == NULL ? -1 : 0;
}
