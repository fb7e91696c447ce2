/* What a technology says of one router or one link: `flitreplay cost --router` and `--link`. */
#ifndef REPORT_COST_PART_H
#define REPORT_COST_PART_H

#include <stdio.h>

#include "base/error.h"
#include "netmodel/costs/technology.h"
#include "reports/pages/host.h"
#include "reports/pages/inputs.h"

/* A router, or where length_mm is not NaN a link of shape.flit_bits. All borrowed. */
struct report_cost_part {
    const struct net_technology *technology; /* that was asked */
    struct net_router_shape shape;           /* of a router */
    double length_mm;                        /* of a link */
    double values[NET_COST_COLUMNS];         /* NaN: not said */
    struct report_inputs inputs;
    struct report_host host; /* what the answer took to make */
};

/* Each 0, or -1 with the error: memory, or a failed write. CSV is a head and a line with the columns of
 * JSON. */
int report_cost_part_text(const struct report_cost_part *part, FILE *stream, unsigned width,
                          struct base_error *error);
int report_cost_part_json(const struct report_cost_part *part, FILE *stream, struct base_error *error);
int report_cost_part_csv(const struct report_cost_part *part, FILE *stream, struct base_error *error);

#endif
