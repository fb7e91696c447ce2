/* Inside reports/: what links that fail took, as a section of a run's report and as an object of its JSON. */
#ifndef REPORT_FAILING_H
#define REPORT_FAILING_H

#include "netmodel/network.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

struct report_failing {
    const char *routing; /* the fault routing's name */
    uint32_t links;      /* that die, both ways each, some perhaps after the run */
    struct net_fault_counts counts;
};

/* The rows of failing.def, by number; their keys are those of JSON. */
size_t report_fault_counts(void);
const char *report_fault_count_key(size_t number);
uint64_t report_fault_count_value(const struct net_fault_counts *counts, size_t number);

/* A heading and a table. */
void report_failing_text(struct report_page *page, const struct report_failing *failing);
/* Adds the object `faults`; nothing for NULL. */
void report_failing_json(struct report_json *json, json_t *top, const struct report_failing *failing);

#endif
