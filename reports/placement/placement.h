/* A placement and what it costs before any simulation: the answer of `flitreplay map`. */
#ifndef REPORT_PLACEMENT_H
#define REPORT_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/cost/cost.h"
#include "reports/fields/field.h"
#include "reports/pages/host.h"
#include "reports/pages/inputs.h"
#include "reports/pages/page.h"
#include "reports/pages/physical.h"
#include "reports/pages/window.h"
#include "reports/placement/partition.h"

#define REPORT_MAP_SCHEMA "flitreplay-map-1"

/* What a placement costs. */
struct report_placement_cost {
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning) REPORT_FIELD_TYPE_##kind key;
#include "reports/placement/cost.def"
#undef REPORT_FIELD
    bool simulated; /* there is a time */
    uint64_t simulated_ns;
};

struct report_placement {    /* everything borrowed */
    const char *source;      /* the trace or the graph's file */
    const char *fingerprint; /* a hash over the trace's content; NULL: a graph */
    const char *command;     /* that gives the same answer, for the document; NULL: not known */
    const char *topology, *routing, *mapping;
    struct report_physical physical;    /* of the network's links */
    struct report_inputs inputs;        /* all files that were read */
    const struct report_window *window; /* NULL: the whole trace, or a graph */
    uint32_t ranks, terminals;
    const uint32_t *terminal; /* [rank] */
    uint64_t messages, bytes; /* of the communication graph, collectives expanded */
    const char *objective;
    struct report_placement_cost cost;   /* of the placement */
    bool has_before;                     /* the identity fits, and was weighed */
    struct report_placement_cost before; /* of rank i on terminal i */
    bool has_ideal;
    uint64_t ideal_ns;                       /* simulated on no network at all */
    uint64_t evaluations, evaluations_asked; /* used, and the budget; asked 0: none was given */
    bool interrupted;                        /* the search, by SIGINT: the placement is the best so far */
    struct report_partition partition;
    const struct report_cost_network *costs; /* of the network; NULL: not asked for, or an ideal network */
    struct report_host host;
};

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_placement_text(const struct report_placement *placement, FILE *stream, unsigned width,
                          struct base_error *error);
/* The same as an HTML document, with the picture that draw makes of content (picture.h); NULL:
 * none. */
int report_placement_html(const struct report_placement *placement, report_page_picture *draw,
                          const void *content, FILE *stream, struct base_error *error);
int report_placement_json(const struct report_placement *placement, FILE *stream, struct base_error *error);

#endif
