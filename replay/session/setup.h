/* What is asked for, decoded once: a network that is known to be possible, how programs are replayed on it, and where
 * their ranks may go. Options are texts and numbers of a command line or of a caller of the library; here they become
 * what the rooms below take, and nothing behind a setup reads them a second time for that.
 *
 *      topology, settings ─replay_setup_init─► struct replay_setup        all refusals, before anything is read
 *      setup, ranks ──replay_setup_allocate──► another setup on a partition, with its packets confined to it if need be
 *      setup, program ───────────────────────► placement ─► results ─► report              (replay/session/stages.h)
 *
 * A setup does not change once it is made: any number of stages, runs and threads read the same one. One with something
 * else is another setup, which borrows the rest (replay_setup_copy). */
#ifndef REPLAY_SESSION_SETUP_H
#define REPLAY_SESSION_SETUP_H

#include "base/arena.h"
#include "base/error.h"
#include "mappers/mapper.h"
#include "mappers/partitions/partition.h"
#include "netmodel/network.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"
#include "replay/engine/replay.h"
#include "replay/options.h"
#include "reports/run/run.h"

/* What a setup is made for, which says what is tried and refused beyond a routing that does not serve the topology. */
enum replay_purpose {
    REPLAY_TO_RUN,  /* all options of a run, and whether a network can be made of them */
    REPLAY_TO_MAP,  /* what placements follow from: no network is made */
    REPLAY_TO_SEND, /* traffic without programs: options of the network, and the network */
    REPLAY_TO_COST, /* the same but for units, which costs do not depend on */
    REPLAY_TO_REPEAT /* nothing: the same settings were a setup before, or all that they refuse is left to the replay */
};

struct replay_setup {
    /* What it was decoded from, for whoever tells of them; borrowed. */
    const struct replay_settings *settings;
    const struct net_topology *topology; /* borrowed */
    const struct net_routing *routing;   /* NULL: none, on an ideal network */
    struct net_options options;          /* of its networks as asked for: zeros where the network chooses */
    struct net_options in_force;         /* that the network which was tried took; zeros if none was */
    struct net_link_share link_share;    /* of that network */
    uint64_t network_bytes; /* of its memory before anything moves, as far as the allocator counts */
    bool is_attributed;     /* a run is to say why it is slow (--attribution), where it is on a network */
    bool is_asked;          /* and what it would take if one thing were different (--what-if) */
    bool has_hardware;      /* all collectives are in hardware, where the network multicasts */
    bool is_exact;          /* no seed changes anything of a run; false if no network was tried */

    struct replay_semantics semantics; /* of replays on the network as configured, but for who looks on */
    const struct trace_tuning *tuning; /* NULL: for traffic and costs */
    enum map_objective objective;      /* of placements */
    struct map_effort effort;          /* of their search, but for who stops it */

    const char *partition_text;            /* that an allocation is to make; NULL: the whole machine */
    const bool *busy;                      /* [terminal]: other jobs'; NULL: the machine is empty */
    const struct map_partition *partition; /* that was allocated; NULL: none yet, or the whole machine */
    struct map_partition_metrics partition_metrics;

    struct {                             /* what is this setup's alone */
        struct net_routing routing;      /* zeros: borrowed, or none */
        struct trace_tuning *tuning;     /* NULL: borrowed, or none */
        struct map_partition *partition; /* NULL likewise */
    } own;
};

/* The one place where settings become a setup; topology and settings outlive it, and it stays where it is. Free it in
 * either case. -1: what cannot be (BASE_USAGE), in the order in which sentences help: words that are no kinds, what
 * does not go with this topology, and last what only a network can know, which is made and thrown away; or memory. */
int replay_setup_init(struct replay_setup *setup, enum replay_purpose purpose,
                      const struct net_topology *topology, const struct replay_settings *settings,
                      struct base_error *error);
/* Frees what is the setup's own; legal after zeroes. */
void replay_setup_free(struct replay_setup *setup);

/* The same setup, which owns nothing: to be changed before anybody else sees it, and used while the first is there. */
struct replay_setup replay_setup_copy(const struct replay_setup *setup);

/* The setup of a job of so many ranks on the partition that the machine's partition_text and busy say: as
 * replay_setup_copy, with the partition, and with a routing of its own where packets are confined to it. Without such a
 * text it is the whole machine. Free it in either case, before the machine's. -1: as map_partition_new and
 * net_routing_confine, or --confined without a partition (BASE_USAGE). */
int replay_setup_allocate(struct replay_setup *job, const struct replay_setup *machine, uint32_t ranks,
                          struct base_error *error);
/* Makes the routing of the setup anew as its own, for whoever is to confine it. -1: as replay_setup_init. */
int replay_setup_own_routing(struct replay_setup *setup, struct base_error *error);

/* A network of the setup's topology, routing and options: the one place where networks of settings are made. The caller
 * owns it. NULL: as net_network_new. */
struct net_network *replay_setup_network(const struct replay_setup *setup, struct base_error *error);

/* Where ranks may go: on the partition, or anywhere. */
struct map_place replay_setup_place(const struct replay_setup *setup);

/* What reports say of the partition before any replay; nothing of the whole machine. Borrows its text. */
struct report_partition replay_setup_partition(const struct replay_setup *setup);
/* The options that are recorded with the values in force, as rows of an answer; texts and rows in the arena. Of a setup
 * whose network was tried. is_recorded: replay_option_is_recorded, or what else bears on an answer. -1: memory. */
int replay_setup_record(const struct replay_setup *setup, bool (*is_recorded)(enum replay_option option),
                        struct base_arena *arena, struct report_option **options, uint32_t *count);
/* How well the links of that network can be used. */
struct report_link_use replay_setup_link_use(const struct replay_setup *setup);

/* Whether links fail (--faults, of which "none" is what it says). */
bool replay_has_faults(const struct replay_settings *settings);
/* Whether a fault routing is named (--fault-routing, likewise). */
bool replay_names_fault_routing(const struct replay_settings *settings);
/* Whether dead links are gone around by the routing itself (net_routing_kind.detours), and not by a fault routing. */
bool replay_goes_around(const struct net_topology *topology, const struct replay_settings *settings);

#endif
