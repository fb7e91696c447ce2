/* A meter is asked a few hundred times a run, at each sample, so that engines count nothing for it. */
#include "replay/session/meter.h"

#include <math.h>

#include "base/units.h"
#include "netmodel/costs/energy.h"

/* Clocks run and power leaks until then; what cannot be worked out, for want of memory or of a number of the
 * technology, is not known. */
static double read_joules(const void *context, const struct net_statistics *statistics, uint64_t time_ns)
{
    const struct replay_costing *costing = context;
    const struct net_cost_request *request = &costing->request;
    const struct net_energy_events events = net_energy_events_of(request->topology, statistics);
    struct net_energy energy;
    struct base_error error;

    if (net_energy_of(request, &costing->costs, &events, base_cycles_from_ns(time_ns, request->clock_khz),
                      1e-9 * (double)time_ns, 0, &energy, &error) != 0)
        return NAN;
    return energy.total;
}

int session_meter_begin(struct session_meter *meter, struct replay_recorder *recorder,
                        const struct net_routing *routing, const struct replay_settings *settings,
                        const struct net_options *options, struct base_error *error)
{
    *meter = (struct session_meter){0};
    if (recorder == NULL || routing == NULL || settings->text[REPLAY_TECHNOLOGY] == NULL)
        return 0;
    if (replay_costing_init(&meter->costing, routing, settings, options, error) != 0)
        return -1;
    meter->recorder = recorder;
    replay_recorder_set_meter(recorder, &(struct replay_energy_meter){read_joules, &meter->costing});
    return 0;
}

void session_meter_end(struct session_meter *meter)
{
    if (meter->recorder != NULL)
        replay_recorder_set_meter(meter->recorder, NULL);
    replay_costing_free(&meter->costing);
    meter->recorder = NULL;
}
