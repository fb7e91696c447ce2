/* Inside replay/: the energy that a run has taken until a sample of its recorder, as the run's answer has it in the
 * end: that of the events counted until then, and clocks and static power of the time. */
#ifndef REPLAY_SESSION_METER_H
#define REPLAY_SESSION_METER_H

#include "netmodel/network.h"
#include "replay/engine/recorder.h"
#include "replay/session/costs.h"

struct session_meter {
    struct replay_recorder *recorder; /* that has this meter; NULL: nobody asks */
    struct replay_costing costing;
};

/* Gives the recorder a meter, where --technology asks for energy and there is a network: not without a recorder (NULL),
 * nor without a routing (NULL), as on the ideal network. The meter stays where it is until it ends. -1: as
 * replay_costing_init; end it in either case. */
int session_meter_begin(struct session_meter *meter, struct replay_recorder *recorder,
                        const struct net_routing *routing, const struct replay_settings *settings,
                        const struct net_options *options, struct base_error *error);
/* Takes it away. Legal after zeroes. */
void session_meter_end(struct session_meter *meter);

#endif
