/* Inside reports/: what a run took in energy, as a section of its report and as an object of its JSON. */
#ifndef REPORT_ENERGY_H
#define REPORT_ENERGY_H

#include "netmodel/costs/energy.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

struct report_energy {
    const char *technology; /* its name */
    struct net_energy energy;
};

/* A heading, and the parts with their sum. */
void report_energy_text(struct report_page *page, const struct report_energy *energy);
/* Adds the object `energy`; nothing when it was not asked for. */
void report_energy_json(struct report_json *json, json_t *top, const struct report_energy *energy);

#endif
