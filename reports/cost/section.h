/* Inside reports/: what the network of another answer costs, as a section of its page and an object of its JSON. */
#ifndef REPORT_COST_SECTION_H
#define REPORT_COST_SECTION_H

#include "reports/cost/cost.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* Numbers of a network's costs by which networks are chosen, NaN where they are not known; of NULL all are. Comparisons
 * and traffic have them as columns of these names. */
struct report_cost_brief {
#define REPORT_COST_BRIEF(key, kind, unit, meaning) REPORT_FIELD_TYPE_##kind key;
#include "reports/cost/brief.def"
#undef REPORT_COST_BRIEF
};
struct report_cost_brief report_cost_brief_of(const struct report_cost_network *network);

/* A heading, and the numbers with what they are of. Nothing for NULL: nobody asked, or an ideal network. */
void report_cost_section(struct report_page *page, const struct report_cost_network *network);
/* Adds the object `costs`; nothing for NULL. */
void report_cost_section_json(struct report_json *json, json_t *top,
                              const struct report_cost_network *network);

#endif
