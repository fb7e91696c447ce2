/* The numbers of a network's costs, as text, JSON and CSV. */
#include "reports/cost/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"

static const struct report_cost_field fields[] = {
#define REPORT_COST_FIELD(key, kind, place, label, remark)                                                   \
    {#key, label, remark, REPORT_COST_##kind, offsetof(struct report_cost_network, place)},
#include "reports/cost/fields.def"
#undef REPORT_COST_FIELD
};

/* In the order of fields.def. */
const struct report_cost_field *report_cost_fields(size_t *count)
{
    *count = sizeof fields / sizeof fields[0];
    return fields;
}

/* The value, of whatever type it is. Copied by the size that the kind says; the three others stay 0, so that the
 * sum is the one that was read. */
static uint64_t whole(const struct report_cost_network *network, const struct report_cost_field *field)
{
    const char *at = (const char *)network + field->place;
    uint64_t count = 0;
    uint32_t word = 0;
    bool flag = false;

    if (field->kind == REPORT_COST_COUNT)
        memcpy(&count, at, sizeof count);
    if (field->kind == REPORT_COST_WORD)
        memcpy(&word, at, sizeof word);
    if (field->kind == REPORT_COST_FLAG)
        memcpy(&flag, at, sizeof flag);
    return count + word + flag;
}

/* Only of a field of kind REAL. */
static double real(const struct report_cost_network *network, const struct report_cost_field *field)
{
    double value;
    memcpy(&value, (const char *)network + field->place, sizeof value);
    return value;
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
char *report_cost_text(const struct report_cost_network *network, const struct report_cost_field *field,
                       char text[REPORT_COST_TEXT])
{
    if (field->kind == REPORT_COST_REAL)
        return report_cost_real(real(network, field), text);
    return base_format_count(whole(network, field), text);
}

/* Flags are true and false; NaN becomes null. */
json_t *report_cost_value(const struct report_cost_network *network, const struct report_cost_field *field)
{
    if (field->kind == REPORT_COST_REAL)
        return report_json_real(real(network, field));
    if (field->kind == REPORT_COST_FLAG)
        return json_boolean(whole(network, field) != 0);
    return report_json_integer(whole(network, field));
}

/* Nothing for NaN: the field stays empty. */
void report_cost_csv_real(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.9g", value);
}

/* A flag is 0 or 1. */
void report_cost_csv_value(FILE *stream, const struct report_cost_network *network,
                           const struct report_cost_field *field)
{
    if (field->kind == REPORT_COST_REAL)
        report_cost_csv_real(stream, real(network, field));
    else
        fprintf(stream, "%" PRIu64, whole(network, field));
}
