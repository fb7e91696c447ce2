/* What the points of a network will take, before they are simulated: memory from what the allocator has counted of a
 * network, time from the beginning of a run at some of the loads.
 *
 *      offered load    0.05     0.1  0.2  0.3  0.4    0.5      asked for, and of the search as it is likely to go
 *                       ●                ●             ●       begun for a moment
 *                       └── in between: on a straight line
 *
 * A warm-up that is detected takes its shortest time, and a search for saturation halves down to what the network
 * accepts of the most that is offered; how many points and cycles there are is known only afterwards. */
#ifndef REPLAY_TRAFFIC_OUTLOOK_H
#define REPLAY_TRAFFIC_OUTLOOK_H

#include "replay/traffic/traffic.h"

struct replay_traffic_outlook {
    const struct replay_traffic *traffic; /* borrowed, as the loads are */
    const uint64_t *loads;                /* that are asked for, rising, in millionths */
    size_t count;
    uint64_t most;          /* a search begins with it, in millionths; 0: there is none */
    uint32_t packet_flits;  /* in force */
    uint64_t network_bytes; /* of a network before anything moves */
};

/* Seconds of all runs on one thread if everything were slow. */
double replay_traffic_slow(const struct replay_traffic_outlook *outlook);
/* Memory that the runs add to what the process has, several at a time on as many threads; at most. */
uint64_t replay_traffic_bytes(const struct replay_traffic_outlook *outlook);
/* Begins runs for so many seconds each. *seconds: of processor time, shared among the threads; *bytes: as above, as far
 * as that was seen. -1: as replay_traffic_begin. */
int replay_traffic_foresee(const struct replay_traffic_outlook *outlook, double moment, double *seconds,
                           uint64_t *bytes, struct base_error *error);
#define REPLAY_TRAFFIC_BEGINNINGS 4 /* at most; one of them where there is a search */

#endif
