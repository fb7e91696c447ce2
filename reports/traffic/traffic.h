/* What synthetic traffic on a network comes to: points of load, throughput and latency; as text, JSON, CSV
 * and a picture. The answer of `flitreplay traffic`. Plain data, filled by replay/. */
#ifndef REPORT_TRAFFIC_H
#define REPORT_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/error.h"
#include "netmodel/costs/energy.h"
#include "reports/pages/host.h"
#include "reports/run/run.h"

#define REPORT_TRAFFIC_SCHEMA "flitreplay-traffic-1"
#define REPORT_PORTS_MAX 64
#define REPORT_TRAFFIC_NETWORKS_MAX 7 /* colours that are told apart */

struct report_latencies { /* of messages, in cycles; NAN and 0 where there were none */
    double mean, deviation;
    uint64_t p50, p90, p99, maximum; /* p: percentiles */
};

struct report_traffic_point {
    double offered_load;                        /* flits a cycle that each terminal that sends was to offer */
    double generated_load;                      /* flits a cycle and terminal that were generated */
    double accepted_load;                       /* flits a cycle and terminal that were delivered */
    double accepted_interval, latency_interval; /* half the width of the 95 % intervals; NAN: none */
    struct report_latencies latency, network;   /* with and without the source queue */
    double mean_hops;                           /* links a packet crossed; NAN: no packet */
    double mean_channel_load, max_channel_load; /* shares of cycles */
    /* Of shared channels, on average, of the idlest and the busiest: shares of cycles; NAN where there are
     * none. */
    double traffic, min_traffic, max_traffic;
    double injection_rate; /* flits a cycle and terminal */
    double ejection_rate;  /* likewise; of a broadcast every copy is ejected */
    double lost_load;      /* flits a cycle and terminal that lossy sources lost; NAN: they lose none */
    /* of the links that flits crossed, those away from the target; NAN: never, or none */
    double deflected_share;
    double port_load[REPORT_PORTS_MAX];  /* mean over the links of each direction; NAN: there are none */
    uint64_t messages, flits, flit_hops; /* in the measured cycles of all seeds */
    uint64_t cycles;                     /* measured in each seed; the longest where averages settle */
    uint64_t warmup_cycles;              /* the longest of all seeds */
    uint32_t seeds;
    /* Every seed was steady when it was measured, as far as anybody looked; or its averages have settled. */
    bool steady;
    bool saturated; /* more than half of the seeds were overloaded */
    /* Of all seeds, control since the beginning of each and the rest in the measured cycles (failing.def); zeros
     * without a fault routing. packets: that the sources sent meanwhile. */
    bool has_faults;
    uint64_t packets;
    struct net_fault_counts faults; /* what they took and made longer */
    bool has_energy;                /* a technology was named */
    struct net_energy energy;       /* of the measured cycles of all seeds */
    char digest[BASE_DIGEST_TEXT];
    struct report_host host; /* of all seeds together */
};

struct report_traffic {
    /* the same traffic on the next network of the answer; NULL: the last */
    const struct report_traffic *next;
    const char *topology, *routing, *pattern, *arrivals, *lengths; /* borrowed */
    const char *command; /* that gives the same answer, for the document; NULL: not known */
    const struct report_option *options;
    uint32_t option_count;                   /* of options */
    struct report_inputs inputs;             /* all files that were read */
    struct report_physical physical;         /* of the network's links */
    const struct report_cost_network *costs; /* NULL: not asked for, or an ideal network */
    double cycle_s;                          /* of the network's clock */
    double gigabytes_per_flit;               /* of a flit a cycle: flit bytes times clock */
    bool in_bits; /* what is called flits are bits; the same on all networks of an answer */
    bool warmup_detected;
    bool settles; /* runs end when their averages have settled (replay/traffic/steady.h) */
    struct report_link_use link_use;
    const char *port_names[REPORT_PORTS_MAX]; /* directions: ports, or classes of a file's links */
    uint32_t port_count;
    struct report_traffic_point *points; /* by rising load */
    uint32_t point_count;
    bool interrupted;      /* by SIGINT: points are missing */
    bool searched;         /* for the saturation; then: */
    double stable_load;    /* the highest load that was not saturated; 0: none */
    double saturated_load; /* the lowest that was; NAN: none */
};

/* The most that any point accepted; 0 without points. */
double report_traffic_throughput(const struct report_traffic *report);
/* "flits", or "bits". */
const char *report_traffic_unit(const struct report_traffic *report);

/* Energy of a flit times the mean latency of a message, J s: of several loads the one with the least is the best trade.
 * NaN: not known. */
double report_traffic_energy_delay(const struct report_traffic *report,
                                   const struct report_traffic_point *point);

/* Each of these writes all networks of the answer, from the given one on. */

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_traffic_text(const struct report_traffic *report, FILE *stream, unsigned width,
                        struct base_error *error);
/* The same as an HTML document, with the curves. */
int report_traffic_html(const struct report_traffic *report, FILE *stream, struct base_error *error);
/* An array with an object a point, each network's after the other's. */
int report_traffic_json(const struct report_traffic *report, FILE *stream, struct base_error *error);
/* A line a point; columns have the names of the JSON's keys. */
int report_traffic_csv(const struct report_traffic *report, FILE *stream, struct base_error *error);
/* Latency and throughput over the offered load: of one network mean, 99th percentile and the part of the network; of
 * several the mean of each in a colour, and its part of the network as a thin line. */
int report_traffic_svg(const struct report_traffic *report, FILE *stream, struct base_error *error);

#endif
