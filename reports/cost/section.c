/* Costs of one network inside another answer: the rows of fields.def, without the options, which the answer has. */
#include "reports/cost/section.h"

#include <math.h>
#include <string.h>

#include "reports/cost/fields.h"

/* The six columns that a table of several networks has; no numbers without a network, as for an ideal one. */
struct report_cost_brief report_cost_brief_of(const struct report_cost_network *network)
{
    if (network == NULL)
        return (struct report_cost_brief){NAN, NAN, NAN, NAN, NAN, NAN};
    return (struct report_cost_brief){(double)network->costs.pins,
                                      (double)network->costs.links,
                                      (double)network->costs.bisection_bits_cycle,
                                      network->costs.wire_mm,
                                      network->costs.area_mm2,
                                      network->costs.ndd_W};
}

/* What stands before the costs proper are options in force. */
static bool is_option(const struct report_field *field)
{
    return field->place < offsetof(struct report_cost_network, costs) && strcmp(field->key, "flit_bits") != 0;
}

/* A heading and a table in the answer of another command; rows of zero are left out, such as the taps of a network
 * that has none. Nothing without a network. Options stand with the other options of that answer, and are left out
 * here. */
void report_cost_section(struct report_page *page, const struct report_cost_network *network)
{
    char text[REPORT_COST_TEXT];
    size_t count;
    const struct report_field *fields = report_cost_fields(&count);

    if (network == NULL)
        return;
    report_page_heading(page, "What the network costs");
    report_page_table(page, "lrl");
    report_page_titles(page, "what|number|of");
    for (size_t i = 0; i < count; i++) {
        report_cost_text(network, &fields[i], text);
        if (fields[i].label == NULL || is_option(&fields[i]) || strcmp(text, "0") == 0)
            continue;
        report_page_cell(page, "%s", fields[i].label);
        report_page_cell(page, "%s", text);
        report_page_cell(page, "%s", fields[i].remark);
    }
    report_page_table_end(page);
    report_cost_reasons(page, network);
}

/* Nothing without a network. */
void report_cost_section_json(struct report_json *json, json_t *top,
                              const struct report_cost_network *network)
{
    if (network != NULL)
        report_cost_network_json(json, report_json_object(json, top, "costs"), network);
}
