/* What a run would take if one thing were different: another protocol for its messages, another placement of its
 * ranks, its collectives in hardware or in messages, all its links alive. No effects of the network, and so no
 * part of the ladder's sum; each costs a replay on the configured network. */
#include <string.h>

#include "netmodel/faults/failing.h"
#include "replay/session/kinds.h"
#include "replay/session/stages.h"

#define EVERY_MESSAGE UINT64_MAX

static const struct {
    const char *name, *watched;
    uint64_t eager_limit_bytes; /* of the protocol's rows */
    const char *mapping;        /* of the mapping's; else NULL */
    const char *collectives;    /* the table of the collectives' rows; else NULL */
    bool healthy;               /* of the row of dead links */
} rows[SESSION_WHAT_IFS] = {
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
    bool asked = session->settings->number[REPLAY_WHAT_IF] != 0;
    bool hardware = strcmp(session->settings->text[REPLAY_COLLECTIVES], "hardware") == 0;
    if (rows[row].healthy)
        return session_has_faults(session->settings) && (asked || session->attributed);
    if (rows[row].collectives == NULL)
        return asked;
    if (net_topology_is_ideal(session->topology) ||
        net_network_multicasts(session->network) == NET_NO_MULTICASTS)
        return false;
    if (strcmp(rows[row].collectives, "hardware") == 0)
        return asked && !hardware;
    return hardware && (asked || session->attributed);
}

/* Whether any row may be shown. */
static bool is_any_wanted(const struct session *session)
{
    bool any = false;
    for (unsigned row = 0; row < SESSION_WHAT_IFS; row++)
        any = any || is_wanted(session, row);
    return any;
}

/* The routing in force, whose links are all alive: the same fault routing around the same base, or the same ways where
 * the routing itself went around dead links. */
static int revive(struct session *changed, struct replay_settings *settings, struct net_routing *healthy,
                  struct base_error *error)
{
    const struct net_failing *failing = net_routing_failing(changed->routing_in_use);

    settings->text[REPLAY_FAULTS] = NULL;
    settings->text[REPLAY_FAULT_ROUTING] = failing == NULL ? NULL : failing->kind->name;
    if (failing == NULL)
        settings->text[REPLAY_ROUTING] = changed->routing_in_use->text;
    return session_prepare_routing(changed->topology, settings, healthy, &changed->routing_in_use, error);
}

/* The one thing that differs. What is made anew is freed by undo. -1: as the session's own placement, tuning or
 * routing. */
static int change(struct session *changed, struct replay_settings *settings, unsigned row,
                  struct net_routing *healthy, struct base_error *error)
{
    if (rows[row].healthy)
        return revive(changed, settings, healthy, error);
    if (rows[row].mapping != NULL)
        return session_place(changed, rows[row].mapping, changed->graph, error);
    if (rows[row].collectives == NULL) {
        settings->number[REPLAY_EAGER_LIMIT] = rows[row].eager_limit_bytes;
        return 0;
    }
    settings->text[REPLAY_COLLECTIVES] = rows[row].collectives;
    changed->tuning = replay_tuning(settings, error);
    return changed->tuning == NULL ? -1 : 0;
}

static void undo(struct session *changed, const struct session *session, struct net_routing *healthy)
{
    if (changed->routing_in_use == healthy)
        net_routing_free(healthy);
    if (changed->placement != session->placement)
        map_placement_free(changed->placement);
    if (changed->tuning != session->tuning)
        trace_tuning_free(changed->tuning);
}

/* The settings are changed in a copy, and so is the session: it borrows all but what the row changes. The
 * placement is made by the same seed, in the same partition, for the same objective as the run's own. */
static int replay_row(struct session *session, unsigned row, struct replay_result *result,
                      struct base_error *error)
{
    struct replay_settings settings = *session->settings;
    struct net_options options = session_network_options(session->settings);
    struct session changed = *session;
    struct net_routing healthy = {0};
    struct net_network *network = NULL;
    int status;

    changed.settings = &settings;
    status = change(&changed, &settings, row, &healthy, error);
    if (status == 0)
        network = net_network_new(session->topology, changed.routing_in_use, &options, error);
    status = network == NULL ? -1
                             : session_replay(&changed, network, net_topology_is_ideal(session->topology),
                                              rows[row].watched, result, error);
    net_network_free(network);
    undo(&changed, session, &healthy);
    return status;
}

/* A row that SIGINT cuts short says nothing: it and those behind it are left out. */
int session_what_if(struct session *session, struct base_error *error)
{
    for (unsigned row = 0; row < SESSION_WHAT_IFS && !session_is_stopped(session); row++) {
        struct replay_result result = {0};
        if (!is_wanted(session, row))
            continue;
        if (replay_row(session, row, &result, error) != 0)
            return -1;
        if (!result.interrupted)
            session->what_if[session->what_ifs++] = (struct session_what_if){row, result.simulated_ns};
        replay_result_free(&result);
    }
    return 0;
}

/* Names are constants. */
int session_report_what_if(const struct session *session, struct report_run *run)
{
    struct report_what_if *list;

    if (!is_any_wanted(session))
        return 0;
    list = base_arena_array(&run->arena, SESSION_WHAT_IFS, sizeof *list);
    for (unsigned i = 0; list != NULL && i < session->what_ifs; i++)
        list[i] =
            (struct report_what_if){rows[session->what_if[i].row].name, session->what_if[i].simulated_ns};
    run->what_ifs = list;
    run->what_if_count = session->what_ifs;
    return list == NULL ? -1 : 0;
}
