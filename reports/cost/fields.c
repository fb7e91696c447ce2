/* The numbers of a network's costs, as text, JSON and CSV. */
#include "reports/cost/fields.h"

#include <math.h>

#include "base/units.h"

static const struct report_field fields[] = {
#define REPORT_COST_FIELD(key, kind, unit, at, label, remark, meaning)                                       \
    {#key, unit, label, remark, REPORT_FIELD_##kind, 0, 0, offsetof(struct report_cost_network, at)},
#include "reports/cost/fields.def"
#undef REPORT_COST_FIELD
};

/* In the order of fields.def. */
const struct report_field *report_cost_fields(size_t *count)
{
    *count = sizeof fields / sizeof fields[0];
    return fields;
}

/* Four digits: what a technology says is not known better. */
char *report_cost_real(double value, char text[REPORT_COST_TEXT])
{
    if (isfinite(value))
        snprintf(text, REPORT_COST_TEXT, "%.4g", value);
    else
        snprintf(text, REPORT_COST_TEXT, "-");
    return text;
}

/* Grouped by three digits where it is a count. */
char *report_cost_text(const struct report_cost_network *network, const struct report_field *field,
                       char text[REPORT_COST_TEXT])
{
    if (report_field_is_real(field))
        return report_cost_real(report_field_real(field, network), text);
    return base_format_count(report_field_count(field, network), text);
}

/* Nothing for NaN: the field stays empty. */
void report_cost_csv_real(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.9g", value);
}
