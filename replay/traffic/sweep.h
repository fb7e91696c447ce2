/* Synthetic traffic under many loads, on one network or on several: what `traffic` answers.
 *
 *      new        a setup for each topology with each routing; loads, pattern, arrivals and lengths read; options
 *                 recorded
 *      run        points of load and seed (replay/traffic/traffic.h), and the search for saturation
 *      report     points in rising order, network after network
 *
 * Everything that can be refused is refused by `new`, before anything runs. */
#ifndef REPLAY_TRAFFIC_SWEEP_H
#define REPLAY_TRAFFIC_SWEEP_H

#include "base/error.h"
#include "replay/options.h"
#include "replay/session/watch.h"
#include "reports/traffic/traffic.h"

struct replay_sweep;

/* What networks differ by, at least one of it. */
struct replay_sweep_values {
    const char *const *value;
    uint32_t count;
};

/* Of each topology with each routing (NULL: the topology's own), by their texts, in the order of the answer: all
 * routings of a topology stand together. command: what asked for it, for pages. Settings and texts outlive the result,
 * which is the caller's. NULL: what a setup, the loads, the pattern or
 * the traffic refuse (BASE_USAGE), a --load that is of flits here and of bits there, memory. */
struct replay_sweep *replay_sweep_new(const struct replay_settings *settings,
                                      const struct replay_sweep_values *topologies,
                                      const struct replay_sweep_values *routings, const char *command,
                                      struct base_error *error);
void replay_sweep_free(struct replay_sweep *sweep); /* NULL is legal */

/* Simulates one network after the other. The watch is told how many thousandths of the runs are done, and may end it
 * with the points that there are. -1: a run's error, or BASE_INTERRUPTED before there was a point. */
int replay_sweep_run(struct replay_sweep *sweep, const struct replay_watch *watch, struct base_error *error);
/* What was measured, which is the sweep's; the next network's is `next`. */
const struct report_traffic *replay_sweep_report(const struct replay_sweep *sweep);
/* Whether it is a part of what was asked for. */
bool replay_sweep_was_interrupted(const struct replay_sweep *sweep);

#endif
