/* The numbers of a run, all of them, as reports/run/fields.def lists them: for the run's own answer, for comparisons
 * and for the store of results. */
#ifndef REPORT_RUN_FIELDS_H
#define REPORT_RUN_FIELDS_H

#include "reports/fields/field.h"

struct report_run;
struct report_page;

enum report_run_part { /* the column `part` of the table */
                       REPORT_PART_TIMES,
                       REPORT_PART_INTERRUPTION,
                       REPORT_PART_TRAFFIC,
                       REPORT_PART_DEFLECTION,
                       REPORT_PART_LOADS,
                       REPORT_PART_TERMINALS,
                       REPORT_PART_PLACEMENT,
                       REPORT_PART_SHARES,
                       REPORT_PART_LINK_USE,
                       REPORT_PART_RECORDS,
                       REPORT_PART_ENERGY,
                       REPORT_PART_COSTS,
                       REPORT_PART_FAULTS
};

enum report_run_form { /* the column `forms`: bits */
                       REPORT_FORM_RUN = 1,
                       REPORT_FORM_COMPARED = 2,
                       REPORT_FORM_ALL = REPORT_FORM_RUN | REPORT_FORM_COMPARED,
                       REPORT_FORM_IF_ANY = 4, /* in texts only where it is not 0 */
                       REPORT_FORM_RUN_IF_ANY = REPORT_FORM_RUN | REPORT_FORM_IF_ANY
};

/* A member for each row. No pointers: numbers are sent between processes as they are. */
struct report_numbers {
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning) REPORT_FIELD_TYPE_##kind key;
#define REPORT_DERIVED(part, key, kind, unit, forms, source, label, remark, meaning)                         \
    REPORT_FIELD_TYPE_##kind key;
#include "reports/run/fields.def"
#undef REPORT_FIELD
#undef REPORT_DERIVED
};

/* The table, of numbers in a struct report_numbers; and those rows of it that comparisons have. */
const struct report_fields *report_run_fields(void);
const struct report_fields *report_compared_fields(void);
/* All numbers of a run, those that follow from others included. */
void report_run_numbers(const struct report_run *run, struct report_numbers *numbers);

/* Adds the numbers of a part that are in the answer of a run. */
void report_run_part_json(struct report_json *json, json_t *object, const struct report_run *run,
                          enum report_run_part part);
/* Rows of an open table, of the numbers of a part that have a label: label, number and remark; `empty` empty cells
 * between the last two. */
void report_run_part_rows(struct report_page *page, const struct report_run *run, enum report_run_part part,
                          unsigned empty);

#endif
