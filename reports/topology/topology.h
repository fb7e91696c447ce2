/* The exact properties of a topology, as text and as JSON: the answer of `flitreplay topology`. */
#ifndef REPORT_TOPOLOGY_H
#define REPORT_TOPOLOGY_H

#include <stdio.h>

#include "base/error.h"
#include "netmodel/deadlock/dependency.h"
#include "netmodel/network.h"
#include "netmodel/topologies/mway.h"
#include "netmodel/topology.h"
#include "reports/cost/cost.h"
#include "reports/pages/host.h"
#include "reports/pages/inputs.h"
#include "reports/pages/physical.h"
#include "reports/topology/faults.h"

#define REPORT_TOPOLOGY_SCHEMA "flitreplay-topology-1"

struct report_topology {
    const struct net_topology *topology; /* borrowed, like the metrics */
    const struct net_metrics *metrics;
    const struct net_transfers *transfers; /* of shared channels; NULL: links */
    const char *routing;                   /* the one asked for, else the topology's default; NULL: none */
    bool routing_given;                    /* asked for */
    const char *routing_note;              /* what its tables hold; NULL: nothing to say */
    const struct net_routing *checked;     /* for deadlock; NULL: not */
    const struct net_deadlock_check *deadlock; /* what was found; with checked */
    enum net_flow_control flow_control;        /* whose verdict counts */
    const struct report_faults *faults;        /* NULL: all links live */
    const struct report_cost_network *costs;   /* NULL: not asked for, or an ideal network */
    const struct net_racks *racks;             /* in which routers stand; NULL: on a chip */
    struct report_physical physical;           /* of the network that --machine and its kin make of it */
    struct report_inputs inputs;               /* all files that were read */
    struct report_host host;                   /* what the answer took to make */
};

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_topology_text(const struct report_topology *report, FILE *stream, unsigned width,
                         struct base_error *error);
int report_topology_json(const struct report_topology *report, FILE *stream, struct base_error *error);

#endif
