/* What failing links took: one table of counts, for the page and for the JSON. */
#include "reports/run/failing.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/units.h"

struct row {
    const char *key, *label, *remark;
    size_t place; /* in struct net_fault_counts */
};

static const struct row rows[] = {
#define REPORT_FAULT_COUNT(key, field, span, unit, label, remark, meaning)                                   \
    {#key, label, remark, offsetof(struct net_fault_counts, field)},
#include "reports/run/failing.def"
#undef REPORT_FAULT_COUNT
};

/* Copied, not cast: the table knows what is there, the compiler does not. */
static uint64_t value_of(const struct net_fault_counts *counts, const struct row *row)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + row->place, sizeof value);
    return value;
}

size_t report_fault_counts(void)
{
    return sizeof rows / sizeof rows[0];
}

const char *report_fault_count_key(size_t number)
{
    return rows[number].key;
}

uint64_t report_fault_count_value(const struct net_fault_counts *counts, size_t number)
{
    return value_of(counts, &rows[number]);
}

void report_failing_text(struct report_page *page, const struct report_failing *failing)
{
    char text[BASE_UNITS_TEXT];

    report_page_heading(page, "Faults");
    report_page_table(page, "lrl");
    report_page_cell(page, "dead links");
    report_page_cell(page, "%" PRIu32, failing->links);
    report_page_cell(page, "by fault routing %s", failing->routing);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report_page_cell(page, "%s", rows[i].label);
        report_page_cell(page, "%s", base_format_count(value_of(&failing->counts, &rows[i]), text));
        report_page_cell(page, "%s", rows[i].remark);
    }
    report_page_table_end(page);
}

void report_failing_json(struct report_json *json, json_t *top, const struct report_failing *failing)
{
    json_t *object = failing == NULL ? NULL : report_json_object(json, top, "faults");

    if (failing == NULL)
        return;
    report_json_put(json, object, "fault_routing", report_json_text(failing->routing));
    report_json_put(json, object, "links", report_json_integer(failing->links));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        report_json_put(json, object, rows[i].key, report_json_integer(value_of(&failing->counts, &rows[i])));
}
