/* The exact properties of a topology, as text and as JSON: the answer of `flitreplay topology`. */
#ifndef REPORT_TOPOLOGY_H
#define REPORT_TOPOLOGY_H

#include <stdio.h>

#include "base/error.h"
#include "netmodel/topology.h"
#include "reports/host.h"

#define REPORT_TOPOLOGY_SCHEMA "flitreplay-topology-1"

struct report_topology {
    const struct net_topology *topology; /* borrowed, like the metrics */
    const struct net_metrics *metrics;
    const char *routing; /* the topology's default; NULL: none */
    struct report_host host;
};

int report_topology_text(const struct report_topology *report, FILE *stream, unsigned width,
                         struct base_error *error);
int report_topology_json(const struct report_topology *report, FILE *stream, struct base_error *error);

#endif
