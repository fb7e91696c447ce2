/* The result of one replay as plain data: filled by replay/, printed by the reports. The JSON keys
 * (flitreplay(1)) are these names. Strings and arrays are owned by the run's arena. */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "netmodel/topology.h"
#include "reports/run/attribution.h"
#include "reports/run/busiest-interval.h"
#include "reports/run/coverage.h"
#include "reports/run/fields.h"
#include "reports/pages/host.h"
#include "reports/run/clocks.h"
#include "reports/pages/inputs.h"
#include "reports/pages/physical.h"
#include "reports/pages/window.h"
#include "reports/run/link-use.h"
#include "reports/placement/partition.h"
#include "reports/run/machine.h"
#include "reports/run/path.h"
#include "reports/timeline/lanes.h"

#define REPORT_RUN_SCHEMA "flitreplay-run-1"

enum report_value {
    REPORT_TEXT,
    REPORT_NUMBER,
    REPORT_FLAG
}; /* how JSON writes an option's value; a flag is "yes" or "no" */

struct report_option { /* every option that bears on the result, also those left at their default */
    const char *name, *value;
    enum report_value kind;
};

struct report_rank {
    uint64_t compute_ns;
    uint64_t wait_ns;                   /* in MPI calls in the simulated run */
    uint64_t finish_ns;                 /* compute + wait */
    uint64_t ideal_wait_ns;             /* the same on the ideal network: what only the other ranks cause */
    uint64_t messages_sent, bytes_sent; /* on the wire: collectives expanded, control messages left out */
    uint32_t terminal;
};

struct report_channel { /* the busiest links, most loaded first */
    const char *name;   /* "(3,4) X+" */
    uint64_t flits;
    double load; /* share of the simulated cycles in which it carried a flit */
    uint64_t busy_cycles;
};

struct report_class_use { /* links of a class (topology.h): those of a dimension, the global ones … */
    const char *name;
    uint64_t links, flits;      /* so many, and what they carried */
    double mean_load, max_load; /* shares of the simulated cycles, as of a channel */
};

struct report_wait { /* contention of a link */
    const char *name;
    uint64_t wait_cycles; /* that headers waited for it, counted when they left by it */
    uint64_t flits;       /* that it carried */
};

struct report_channel_count {    /* of one channel, of which there is an array in the topology's order */
    uint64_t flits, busy_cycles; /* carried (of stages: bits), and the cycles that these took */
    uint64_t wait_cycles;        /* that headers waited for it; 0 where that is not counted (waits is NULL) */
};

struct report_collective { /* how the collectives were expanded */
    const char *collective, *algorithm;
    uint64_t calls, messages, bytes; /* calls: one per calling rank */
    bool implied; /* contained in calls that are no collectives by name: MPI_Comm_split, MPI_Win_fence */
    uint64_t multicasts, copies; /* messages that went to many terminals, and to how many in all */
};

struct report_software { /* collectives that could not be done in hardware, though that was asked for */
    const char *reason;  /* "its members are on no few boxes of the network" */
    uint64_t calls;
};

struct report_run_pairs {  /* who sends to whom; also a rank to itself */
    uint32_t source;       /* rank */
    uint32_t first, count; /* of ranks one after another, to each of which it sends */
    uint64_t bytes;        /* so many */
};

struct report_latency { /* exact histogram, rising */
    uint64_t latency_cycles, packets;
};

struct report_energy;       /* energy.h */
struct report_failing;      /* failing.h */
struct report_cost_network; /* reports/cost/cost.h */

struct report_run {
    struct base_arena arena;
    const char *trace, *trace_format, *trace_writer, *topology, *routing, *mapping;
    const char *command;           /* that gives the same answer, for the document; NULL: not known */
    const char *trace_fingerprint; /* a hash over what was in the trace; NULL: not known */
    uint32_t ranks, terminals, routers;
    uint64_t seed;
    const struct report_option *options;
    uint32_t option_count;
    struct report_inputs inputs;
    const struct report_window *window;         /* NULL: the whole trace */
    const struct report_iterations *iterations; /* NULL: all */
    struct report_physical physical;            /* GB/s and nanoseconds of the network */

    /* the numbers of reports/run/fields.def that do not follow from others */
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning) REPORT_FIELD_TYPE_##kind key;
#define REPORT_DERIVED(part, key, kind, unit, forms, source, label, remark, meaning)
#include "reports/run/fields.def"
#undef REPORT_FIELD
#undef REPORT_DERIVED

    uint64_t clock_khz, link_cycles, router_cycles; /* latencies of a link and of a router's pipeline */
    bool in_bits;   /* what flits are elsewhere are bits, of which a link carries several a cycle */
    bool own_links; /* some links have latencies or widths of their own, in place of link_cycles and 1 */
    /* [router]: sent by a port that brought them no nearer; NULL: the network deflects none */
    const uint64_t *deflected_flits;
    struct report_link_use link_use;
    struct report_clocks clocks;
    bool has_host;        /* messages cost something beside the network (--host, --progress) */
    bool shares_channels; /* the busiest are channels that several devices drive, else links */
    const struct report_channel *busiest;
    uint32_t busiest_count;
    const struct report_class_use *classes; /* by what links are; none: they are all alike */
    uint32_t class_count;
    /* [link of the topology]: cycles in which it carried flits; of stages, bits carried */
    const uint64_t *link_carried;
    /* [channel], flits, of shared channels, whose links are the ways between them; NULL: links are channels */
    const uint64_t *channel_carried;
    const struct report_channel_count *channels; /* [channel] (channels.h); none on an ideal network */
    uint32_t channel_count;
    const struct report_busiest_interval *busiest_interval; /* of its owner; NULL: not asked for, or none */
    const uint64_t *bus_bits;                               /* [bus], of a network of stages with buses */
    uint32_t bus_count;
    const struct report_run_pairs *pairs; /* by source, then first target; collectives expanded */
    size_t pair_count;
    const struct report_latency *latencies;
    uint32_t latency_count;
    const struct report_rank *rank; /* [ranks] */
    const struct report_coverage *coverage;
    uint32_t coverage_count;
    const struct report_repair *repairs;
    uint32_t repair_count;
    const struct report_collective *collectives;
    uint32_t collective_count;
    const struct report_software *software; /* by reason */
    uint32_t software_count;
    const struct report_attribution *attribution; /* NULL: an ideal network, or not asked for */
    const struct report_what_if *what_ifs;        /* NULL: not asked for */
    uint32_t what_if_count;
    const struct report_energy *energy;      /* NULL: not asked for, or an ideal network */
    const struct report_cost_network *costs; /* of the network, likewise */
    const struct report_failing *failing;    /* NULL: no fault routing is in force */
    const struct report_path *path;          /* NULL as for the attribution */
    /* of its owner, who frees it; NULL: not recorded, or an interrupted run */
    const struct report_lanes *lanes;
    const struct report_machine *machine; /* of its owner; NULL: a single program, see rank[].terminal */
    const struct report_wait *waits;      /* by channel, longest first; NULL: not counted */
    uint32_t wait_count;
    struct report_partition partition;
    const char *interrupted;       /* what was being replayed when SIGINT came; NULL: the run is complete */
    bool is_partial;               /* it came before the end: all above is of a part, there is no slowdown */
    uint32_t replayed_thousandths; /* of the operations, of an interrupted run */
    char digest[33];
    struct report_host host;
};

/* simulated / ideal; NAN when the ideal time is 0, or the replay was interrupted. */
double report_run_slowdown(const struct report_run *run);
/* The latency that at least `percent` of the packets do not exceed: the smallest such entry of an exact
 * histogram (the nearest-rank percentile). 0 for an empty one. percent: 1 .. 100. */
uint64_t report_latency_percentile(const struct report_latency *latencies, uint32_t count, unsigned percent);
void report_run_free(struct report_run *run); /* the arena and the struct itself; NULL is legal */

struct report_page;
/* Rows of an open table: each option as one would type it, and its value. */
void report_option_rows(struct report_page *page, const struct report_option *options, uint32_t count);

/* What its placement costs, without any simulation: a paragraph, also of each job. */
void report_run_placement_text(struct report_page *page, unsigned indent, const struct report_run *run);

/* The readable report: slowdown first, then why, then the details. width: columns to use (>= 60). */
int report_run_text(const struct report_run *run, FILE *stream, unsigned width, struct base_error *error);
/* The same as an HTML document, with all pictures that apply (picture.h). topology: that of the run. */
int report_run_html(const struct report_run *run, const struct net_topology *topology, FILE *stream,
                    struct base_error *error);
/* CSV: a line for each channel, with where it is and what it carried. topology: that of the run. */
int report_run_channels(const struct report_run *run, const struct net_topology *topology, FILE *stream,
                        struct base_error *error);
/* One JSON object with the keys of flitreplay(1), indented, newline at the end. */
int report_run_json(const struct report_run *run, FILE *stream, struct base_error *error);

#endif
