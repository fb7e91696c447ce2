/* What networks cost, side by side: the answer of `flitreplay cost`. */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include <stdio.h>

#include "base/error.h"
#include "netmodel/costs/costs.h"
#include "reports/pages/host.h"
#include "reports/pages/inputs.h"
#include "reports/pages/physical.h"

#define REPORT_COST_TEXT 32

/* All borrowed. Options are those in force. */
struct report_cost_network {
    const char *topology, *routing;
    uint32_t flit_bits, packet_flits, control_lines, virtual_channels, buffer_flits, injectors, consumers;
    struct net_costs costs;                 /* NaN where the technology does not say */
    struct report_physical physical;        /* of `cost` alone: other answers have it in their head */
    double area_routers_mm2, ndd_routers_W; /* of all routers */
};

struct report_cost {
    const struct report_cost_network *networks; /* [count] */
    size_t count;
    const struct net_technology *technology; /* NULL: counts and lengths alone */
    uint64_t clock_khz;                      /* of which bandwidths are */
    double pitch_mm;                         /* between neighbouring routers on a chip */
    const char *racks;                       /* as --rack has them; NULL: routers are on a chip */
    const char *command;                     /* that makes the answer, for pages */
    struct report_inputs inputs;
    struct report_host host; /* what the answer took to make */
};

/* Each 0, or -1 with the error: memory, or a failed write. */
int report_cost_page(const struct report_cost *report, FILE *stream, unsigned width,
                     struct base_error *error);
int report_cost_html(const struct report_cost *report, FILE *stream, struct base_error *error);
int report_cost_json(const struct report_cost *report, FILE *stream, struct base_error *error);
int report_cost_csv(const struct report_cost *report, FILE *stream, struct base_error *error);

#endif
