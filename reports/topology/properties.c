/* The numbers of a topology, by their table. */
#include "reports/topology/properties.h"

#include <math.h>

#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/one-way.h"

#define DECIMALS 6 /* enough to check them by hand */

static const struct report_field rows[] = {
#define REPORT_PROPERTY(part, key, kind, unit, source, label, remark, meaning)                               \
    {#key,                                                                                                   \
     unit,                                                                                                   \
     label,                                                                                                  \
     remark,                                                                                                 \
     REPORT_FIELD_##kind,                                                                                    \
     REPORT_PROPERTY_##part,                                                                                 \
     1,                                                                                                      \
     offsetof(struct report_properties, key)},
#include "reports/topology/fields.def"
#undef REPORT_PROPERTY
};
static const struct report_fields fields = {rows, sizeof rows / sizeof rows[0]};

/* What a topology is not has numbers too, which nobody asks for: those of a zero. */
void report_properties_of(const struct report_topology *report, struct report_properties *properties)
{
    static const struct net_multistage no_stages;
    static const struct net_one_way no_way;
    static const struct net_shared no_shared;
    static const struct net_transfers no_transfers;
    const struct net_topology *topology = report->topology;
    const struct net_metrics *metrics = report->metrics;
    const struct net_multistage *stages = topology->multistage == NULL ? &no_stages : topology->multistage;
    const struct net_one_way *one_way = topology->one_way == NULL ? &no_way : topology->one_way;
    const struct net_shared *shared = topology->shared == NULL ? &no_shared : topology->shared;
    const struct net_transfers *transfers = report->transfers == NULL ? &no_transfers : report->transfers;
    struct net_multistage_cost cost = {0};

    if (topology->multistage != NULL)
        cost = net_multistage_cost(stages);
#define REPORT_PROPERTY(part, key, kind, unit, source, label, remark, meaning) properties->key = source;
#include "reports/topology/fields.def"
#undef REPORT_PROPERTY
}

void report_properties_json(struct report_json *json, json_t *object,
                            const struct report_properties *properties, enum report_property_part part)
{
    report_fields_json(json, object, &fields, properties, part, 1);
}

void report_properties_text(struct report_page *page, const struct report_properties *properties,
                            enum report_property_part part)
{
    char text[REPORT_FIELD_TEXT];

    for (size_t i = 0; i < fields.count; i++) {
        if (rows[i].part != part || rows[i].label == NULL)
            continue;
        report_page_cell(page, "%s", rows[i].label);
        report_page_cell(page, "%s", report_field_text(&rows[i], properties, DECIMALS, text));
        report_page_cell(page, "%s", rows[i].remark);
    }
}
