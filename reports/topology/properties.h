/* Inside reports/topology/: the numbers of a topology (fields.def), as JSON and as rows of the text. */
#ifndef REPORT_TOPOLOGY_PROPERTIES_H
#define REPORT_TOPOLOGY_PROPERTIES_H

#include "reports/fields/field.h"
#include "reports/pages/page.h"
#include "reports/topology/topology.h"

enum report_property_part {
    REPORT_PROPERTY_NETWORK,
    REPORT_PROPERTY_PATHS,
    REPORT_PROPERTY_ONE_WAY,
    REPORT_PROPERTY_STAGES,
    REPORT_PROPERTY_CELL,
    REPORT_PROPERTY_SHARED
};

/* A member for each row of the table. */
struct report_properties {
#define REPORT_PROPERTY(part, key, kind, unit, source, label, remark, meaning) REPORT_FIELD_TYPE_##kind key;
#include "reports/topology/fields.def"
#undef REPORT_PROPERTY
};

void report_properties_of(const struct report_topology *report, struct report_properties *properties);
/* The numbers of a part, in the order of the table: all of them to an object, those with a label to a table "lrl". */
void report_properties_json(struct report_json *json, json_t *object,
                            const struct report_properties *properties, enum report_property_part part);
void report_properties_text(struct report_page *page, const struct report_properties *properties,
                            enum report_property_part part);

#endif
