/* Inside reports/: the numbers of a network's costs, from one table (fields.def). */
#ifndef REPORT_COST_FIELDS_H
#define REPORT_COST_FIELDS_H

#include <stddef.h>
#include <stdio.h>

#include "reports/cost/cost.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"

/* Of numbers in a struct report_cost_network. */
const struct report_field *report_cost_fields(size_t *count);
/* Adds all of them to an object, of which each has a line in the block network_cost of formats.table. */
void report_cost_network_json(struct report_json *json, json_t *object,
                              const struct report_cost_network *network);
struct report_page;
/* Why numbers of a network are not known, a paragraph each. */
void report_cost_reasons(struct report_page *page, const struct report_cost_network *network);
/* A value as people read it: grouped digits, or four digits of a real number; "-" where it is not known.
 * Returns text. */
char *report_cost_text(const struct report_cost_network *network, const struct report_field *field,
                       char text[REPORT_COST_TEXT]);
/* The same of a real number alone. */
char *report_cost_real(double value, char text[REPORT_COST_TEXT]);
/* A field of CSV without its comma; empty where it is not known. */
void report_cost_csv_real(FILE *stream, double value);

#endif
