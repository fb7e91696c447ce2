/* What a run would take if one thing were different: another protocol for its messages, another placement of
 * its ranks. No effects of the network, and so no part of the ladder's sum; each costs a replay on the
 * configured network. */
#include "replay/session-internal.h"

#define EVERY_MESSAGE UINT64_MAX

static const struct {
    const char *name, *watched;
    uint64_t eager_limit_bytes; /* of the protocol's rows */
    const char *mapping;        /* of the mapping's; else NULL */
} rows[SESSION_WHAT_IFS] = {
    {"all_eager", "what if: all eager", EVERY_MESSAGE, NULL},
    {"all_rendezvous", "what if: all rendezvous", 0, NULL},
    {"mapping_portfolio", "what if: mapping", 0, "portfolio"},
};

/* The settings are changed in a copy, and so is the session: it borrows all but what the row changes. The
 * placement is made by the same seed, in the same partition, for the same objective as the run's own. */
static int replay_row(struct session *session, unsigned row, struct replay_result *result,
                      struct base_error *error)
{
    struct replay_settings settings = *session->settings;
    struct net_options options = session_network_options(session->settings);
    struct session changed = *session;
    struct net_network *network = NULL;
    int status = 0;

    changed.settings = &settings;
    if (rows[row].mapping == NULL)
        settings.number[REPLAY_EAGER_LIMIT] = rows[row].eager_limit_bytes;
    else
        status = session_place(&changed, rows[row].mapping, session->graph, error);
    if (status == 0)
        network = net_network_new(session->topology, session->routing_in_use, &options, error);
    status = network == NULL ? -1
                             : session_replay(&changed, network, net_topology_is_ideal(session->topology),
                                              rows[row].watched, result, error);
    net_network_free(network);
    if (rows[row].mapping != NULL && changed.placement != session->placement)
        map_placement_free(changed.placement);
    return status;
}

/* A row that SIGINT cuts short says nothing: it and those behind it are left out. */
int session_what_if(struct session *session, struct base_error *error)
{
    bool wanted = session->settings->number[REPLAY_WHAT_IF] != 0;

    for (unsigned row = 0; wanted && row < SESSION_WHAT_IFS && !session_is_stopped(session); row++) {
        struct replay_result result = {0};
        if (replay_row(session, row, &result, error) != 0)
            return -1;
        if (!result.interrupted)
            session->what_if_ns[session->what_ifs++] = result.simulated_ns;
        replay_result_free(&result);
    }
    return 0;
}

/* Names are constants. */
int session_report_what_if(const struct session *session, struct report_run *run)
{
    struct report_what_if *list;

    if (session->settings->number[REPLAY_WHAT_IF] == 0)
        return 0;
    list = base_arena_array(&run->arena, SESSION_WHAT_IFS, sizeof *list);
    for (unsigned row = 0; list != NULL && row < session->what_ifs; row++)
        list[row] = (struct report_what_if){rows[row].name, session->what_if_ns[row]};
    run->what_ifs = list;
    run->what_if_count = session->what_ifs;
    return list == NULL ? -1 : 0;
}
