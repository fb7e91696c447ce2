/* A placement and what it costs before any simulation: the answer of `flitreplay map`. */
#ifndef REPORT_PLACEMENT_H
#define REPORT_PLACEMENT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/host.h"

#define REPORT_MAP_SCHEMA "flitreplay-map-1"

struct report_placement { /* everything borrowed */
    const char *source;   /* the trace or the graph's file */
    const char *topology, *routing, *mapping;
    uint32_t ranks, terminals;
    const uint32_t *terminal; /* [rank] */
    uint64_t messages, bytes; /* of the communication graph, collectives expanded */
    uint64_t hop_bytes;       /* each message once: bytes x links crossed */
    double mean_dilation;     /* links crossed per message */
    uint32_t max_dilation;
    double max_channel_load_bytes; /* of the busiest link */
    uint64_t evaluations;
    struct report_host host;
};

int report_placement_text(const struct report_placement *placement, FILE *stream, unsigned width,
                          struct base_error *error);
int report_placement_json(const struct report_placement *placement, FILE *stream, struct base_error *error);

#endif
