/* What a network costs under settings: a technology by its name or file, and the options that the network
 * has in force. */
#ifndef REPLAY_SESSION_COSTS_H
#define REPLAY_SESSION_COSTS_H

#include "netmodel/costs/costs.h"
#include "netmodel/network.h"
#include "replay/options.h"
#include "replay/session/setup.h"
#include "reports/cost/cost.h"
#include "reports/run/run.h"

/* Reads the technology of a name (flitreplay list technologies) or of a file. The caller owns it. NULL:
 * BASE_USAGE with the nearest name, what net_technology_read says, memory. */
struct net_technology *replay_technology(const char *text, struct base_error *error);
/* Adds the file of a technology to the inputs of an answer: one that is installed by its name, so that
 * answers do not tell where. -1: memory. */
int replay_technology_used(struct report_inputs *inputs, struct base_arena *arena,
                           const struct net_technology *technology);

/* Where routers stand by --pitch-mm and --rack. -1: BASE_USAGE. */
int replay_layout(const struct replay_settings *settings, struct net_layout *layout,
                  struct base_error *error);
/* A topology under settings: as net_topology_new, and with the latencies of links that follow from their lengths by
 * --link-latency-per-m. The caller owns it. NULL: as net_topology_new and net_layout_set_latencies. */
struct net_topology *replay_topology_new(const char *text, const struct replay_settings *settings,
                                         struct base_error *error);

/* Fills a network's costs. Texts are copied into the arena. -1: an ideal topology, options that the network
 * refuses (BASE_USAGE), memory, a technology whose numbers overflow. */
int replay_network_costs(const struct net_topology *topology, const struct replay_settings *settings,
                         const struct net_technology *technology, struct base_arena *arena,
                         struct report_cost_network *costs, struct base_error *error);

/* The same of a setup on a network with routers, which was tried. */
int replay_setup_costs(const struct replay_setup *setup, const struct net_technology *technology,
                       struct base_arena *arena, struct report_cost_network *costs, struct base_error *error);

/* What the energy of a network is worked out with, under settings and the options in force. */
struct replay_costing {
    struct net_technology *technology;
    struct net_metrics metrics;
    struct net_cost_request request; /* borrows both */
    struct net_costs costs;
};
/* From zeroed memory. The technology that the settings name: one of them. -1: as replay_technology and
 * replay_network_costs. Free in either case. */
int replay_costing_init(struct replay_costing *costing, const struct net_routing *routing,
                        const struct replay_settings *settings, const struct net_options *options,
                        struct base_error *error);
void replay_costing_free(struct replay_costing *costing);

/* The costs in the arena, as answers have them. NULL: memory. */
const struct report_cost_network *replay_costing_report(const struct replay_costing *costing,
                                                        const struct net_routing *routing,
                                                        const struct net_options *options,
                                                        struct base_arena *arena);

/* What a network costs, if --technology asks for it: in the arena, *costs NULL where it was not asked for and on an
 * ideal network; the technology is one of the inputs. Links that fail cost as much as others. -1: as
 * replay_technology and replay_network_costs. */
int replay_costs_asked(const struct net_topology *topology, const struct replay_settings *settings,
                       struct base_arena *arena, struct report_inputs *inputs,
                       const struct report_cost_network **costs, struct base_error *error);

struct report_jobs;
/* The same of several jobs on one network, together and of each: owner[router] has the number of the job. */
int replay_jobs_energy(const struct net_routing *routing, const struct replay_settings *settings,
                       const struct net_network *network, const uint32_t *owner, struct report_jobs *jobs,
                       struct base_error *error);

/* Fills the energy and the costs of a run, if --technology asks for them: in its arena, NULL where they were not asked
 * for and on an ideal network, which has no routing; the technology is one of the inputs. -1: as replay_technology and
 * replay_network_costs. */
int replay_run_energy(const struct net_routing *routing, const struct replay_settings *settings,
                      const struct net_network *network, struct report_run *run, struct base_error *error);

#endif
