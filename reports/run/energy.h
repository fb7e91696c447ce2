/* Inside reports/: what a run took in energy, as a section of its report and as an object of its JSON. */
#ifndef REPORT_ENERGY_H
#define REPORT_ENERGY_H

#include "netmodel/costs/energy.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"
#include "reports/run/run.h"

struct report_energy {
    const char *technology; /* its name */
    struct net_energy energy;
};

/* A heading, and the parts with their sum. */
void report_energy_text(struct report_page *page, const struct report_energy *energy);
/* What the effects of the attribution cost in power that needs no data, by the time that each adds to the run; events
 * are no effect's. Nothing without either, and of a run that takes no time. */
void report_energy_effects_text(struct report_page *page, const struct report_run *run);
void report_energy_effects_json(struct report_json *json, json_t *top, const struct report_run *run);
/* Adds the object `energy` of one of several who share a network: events alone. */
void report_energy_events_json(struct report_json *json, json_t *object, const struct report_energy *energy);
/* Adds the object `energy`; nothing when it was not asked for. */
void report_energy_json(struct report_json *json, json_t *top, const struct report_energy *energy);

#endif
