/* Synthetic traffic on a network: the work behind `flitreplay traffic`.
 *
 *      generators (netmodel/traffic/traffic.h) ─► source queues ─► network ─► latencies, throughput
 *
 * A run begins with an empty network. It warms up until the flits inside and the flits delivered are both
 * steady by MSER-5 (replay/traffic/steady.h), or for as long as was asked; then it is measured. Counted is what is
 * delivered in the measured cycles. The network knows only the messages at the front of each source's queue:
 * those behind them are generated when there is room, at which cycle they were due notwithstanding, so that
 * an overloaded network does not eat memory. Latency is from generation to the tail's ejection, with the time
 * in the source queue; network latency is without it. A broadcast's copies each have a latency; in the load
 * it counts once, when its last copy is delivered.
 *
 * With `settle` a run has no warm-up unless it is asked for, and ends by the rule of the D-ARM paper: its
 * cycles are not known before, so that there are no batches, and a single run has no interval.
 *
 * A run is overloaded (`saturated`) when the flits that are generated and not delivered grow, over the
 * measured cycles, by more than a hundredth of those generated and by more than two packets a terminal. */
#ifndef REPLAY_TRAFFIC_TRAFFIC_H
#define REPLAY_TRAFFIC_TRAFFIC_H

#include <stdatomic.h>

#include "netmodel/costs/energy.h"
#include "netmodel/network.h"
#include "netmodel/traffic/traffic.h"
#include "replay/traffic/histogram.h"
#include "reports/traffic/traffic.h"

/* Whether directions of links are told by their class and not by their port: where links have classes and are not those
 * of a grid, whose ports say more. */
static inline bool replay_traffic_by_class(const struct net_topology *topology)
{
    return topology->grid == NULL && topology->link_class_count > 0;
}

#define REPLAY_BATCHES 20 /* of the measured cycles, for the confidence of a single run */

struct replay_traffic { /* what all points of an answer share; everything is borrowed */
    const struct net_topology *topology;
    const struct net_routing *routing; /* NULL: an ideal topology */
    /* [seeds]: of each seed, where which links fail follows from it; NULL: `routing` is that of all */
    const struct net_routing *const *routing_of_seed;
    struct net_options network; /* of the engine; zeros are its defaults */
    const char *pattern;        /* "uniform", as --pattern has it */
    enum net_arrivals arrivals; /* how gaps between messages are drawn */
    struct net_lengths lengths; /* of messages, in flits */
    uint64_t broadcasts;        /* share of the messages that go to all terminals, in millionths */
    uint64_t seed;              /* of the first run; run i has seed + i */
    uint32_t seeds;             /* runs of each point */
    uint64_t cycles;            /* that are measured */
    uint64_t warmup_cycles;     /* unless they are detected */
    bool detect;
    /* a run ends in the cycle in which its averages settle (steady.h), at the latest after `cycles` */
    bool settle;
    uint32_t threads;                                           /* runs at a time; results are the same */
    const struct net_cost_request *request;                     /* for energy; NULL: nobody asks */
    const struct net_costs *costs;                              /* of it */
    void (*progress)(void *context, size_t done, size_t total); /* called by the caller's thread; or NULL */
    void *context;
    const atomic_bool
        *stop; /* once true no run is begun, and those under way end without a result; or NULL */
};

struct replay_traffic_run {                           /* one load, one seed */
    struct replay_histogram latency, network_latency; /* of messages delivered in the measured cycles */
    uint64_t warmup_cycles, cycles;                   /* of the warm-up; measured */
    bool steady, saturated;                           /* with `settle`, steady: the averages have settled */
    uint64_t messages, flits;                         /* delivered in the measured cycles */
    uint64_t generated_flits;                /* in the measured cycles, those included that were lost */
    uint64_t lost_messages, deflected_flits; /* in them: a flit each; by a link that brought them no nearer */
    bool deflects;                           /* the network may do that */
    uint64_t flit_hops, packet_hops, packets;
    bool has_faults;                        /* a fault routing is in force */
    struct net_fault_counts faults;         /* failing.def says since when */
    uint64_t *link_flits;                   /* [link]: in the measured cycles; cycles of use, where bits go */
    uint64_t *channel_flits;                /* [router]: likewise, over shared channels; zeros elsewhere */
    struct net_energy_span energy;          /* of the measured cycles; of nothing where nobody asks */
    uint64_t injected_flits, ejected_flits; /* by all terminals in the measured cycles; ejected: every copy */
    double batch_latency[REPLAY_BATCHES], batch_load[REPLAY_BATCHES];
    uint64_t total_cycles, total_flit_hops; /* warm-up included */
    struct base_digest digest;
    struct report_host host; /* what it cost to simulate */
};

/* Simulates one run; free it with replay_traffic_run_free, also after -1: BASE_USAGE (what the pattern, the
 * traffic or the network refuses), BASE_DEADLOCK, memory. */
int replay_traffic_simulate(const struct replay_traffic *traffic, uint64_t load_millionths, uint64_t seed,
                            struct replay_traffic_run *run, struct base_error *error);
void replay_traffic_run_free(struct replay_traffic_run *run);

/* How a run begins. */
struct replay_traffic_pace {
    double cycle_seconds;  /* of this thread's processor, for each cycle behind the first third of the time */
    double accepted;       /* flits delivered per cycle and terminal in these cycles */
    uint64_t inside_flits; /* at the end of them: that have left their sources and are not delivered */
    uint64_t bytes;        /* of memory that the run has then, as far as the allocator counts */
};
/* Simulates the first run of a load for so many seconds or cycles, whichever are over first, and forgets it. -1: as
 * replay_traffic_simulate. */
int replay_traffic_begin(const struct replay_traffic *traffic, uint64_t load_millionths, double most_seconds,
                         uint64_t most_cycles, struct replay_traffic_pace *pace, struct base_error *error);

/* Simulates every load (in millionths, count of them) with every seed, and fills a point for each. The answer
 * does not depend on the number of threads. Points that were stopped have no seeds. -1: the error of the
 * first run, in the order of loads and seeds, that failed. */
int replay_traffic_points(const struct replay_traffic *traffic, const uint64_t *loads, size_t count,
                          struct report_traffic_point *points, struct base_error *error);

/* The cycles of a warm-up that is detected, at least. */
#define REPLAY_WARMUP_LEAST 2500

#define REPLAY_SEARCH_MAX 24 /* points of a search */
/* Looks for the load at which the network saturates, between 0 and `most` (in millionths): first `most`
 * itself, then halving the interval between the highest load known to be stable and the lowest known to be
 * saturated until it is a hundredth of the latter, or 0.001, wide. Fills points in the order in which they
 * were looked at, and their number. */
int replay_traffic_search(const struct replay_traffic *traffic, uint64_t most,
                          struct report_traffic_point points[REPLAY_SEARCH_MAX], uint32_t *count,
                          struct base_error *error);
/* Where such a search stands; zeros but for `load` and `saturated`, which are `most`: at its first load. */
struct replay_search {
    uint64_t load, stable, saturated;
};
/* Goes on behind the load, which was saturated or not; false: the search has ended. */
bool replay_search_next(struct replay_search *search, bool saturated, uint64_t most);

#endif
