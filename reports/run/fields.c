/* The numbers of a run by the table, and what of them follows from others.
 *
 *      struct report_run ──report_run_numbers──► struct report_numbers ──► JSON, CSV, columns, rows, by the table
 *
 * What follows from other numbers is computed here and not stored in the run, so that a report cannot contradict
 * itself. */
#include "reports/run/fields.h"

#include <math.h>
#include <string.h>

#include "reports/cost/section.h"
#include "reports/pages/page.h"
#include "reports/run/energy.h"
#include "reports/run/failing.h"

#define REMARK_TEXT 128

#define REPORT_ROW(part, key, kind, unit, forms, label, remark)                                              \
    {#key,                                                                                                   \
     unit,                                                                                                   \
     label,                                                                                                  \
     remark,                                                                                                 \
     REPORT_FIELD_##kind,                                                                                    \
     REPORT_PART_##part,                                                                                     \
     REPORT_FORM_##forms,                                                                                    \
     offsetof(struct report_numbers, key)},

static const struct report_field rows[] = {
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning)                                   \
    REPORT_ROW(part, key, kind, unit, forms, label, remark)
#define REPORT_DERIVED(part, key, kind, unit, forms, source, label, remark, meaning)                         \
    REPORT_ROW(part, key, kind, unit, forms, label, remark)
#include "reports/run/fields.def"
#undef REPORT_FIELD
#undef REPORT_DERIVED
};

const struct report_fields *report_run_fields(void)
{
    static const struct report_fields fields = {rows, sizeof rows / sizeof rows[0]};
    return &fields;
}

/* The rows of one form alone, so that nobody who goes through them must ask. */
#define REPORT_COMPARED_RUN(row)
#define REPORT_COMPARED_RUN_IF_ANY(row)
#define REPORT_COMPARED_COMPARED(row) row
#define REPORT_COMPARED_ALL(row) row
#define REPORT_UNPACKED(...) __VA_ARGS__

static const struct report_field compared[] = {
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning)                                   \
    REPORT_COMPARED_##forms(REPORT_UNPACKED(REPORT_ROW(part, key, kind, unit, forms, label, remark)))
#define REPORT_DERIVED(part, key, kind, unit, forms, source, label, remark, meaning)                         \
    REPORT_COMPARED_##forms(REPORT_UNPACKED(REPORT_ROW(part, key, kind, unit, forms, label, remark)))
#include "reports/run/fields.def"
#undef REPORT_FIELD
#undef REPORT_DERIVED
};

const struct report_fields *report_compared_fields(void)
{
    static const struct report_fields fields = {compared, sizeof compared / sizeof compared[0]};
    return &fields;
}

/* ---- what follows from other numbers ---- */

/* Whoever reads a part must be able to see that it is one. */
static double replayed_share(const struct report_run *run)
{
    double share = run->interrupted == NULL ? 1 : run->replayed_thousandths / 1000.0;
    return share * report_coverage_recorded(run->coverage, run->coverage_count);
}

/* Effect e is what rung e takes longer than rung e - 1; without attribution its share is not known, and there
 * is none where nothing takes time. */
static double effect_share(const struct report_run *run, unsigned effect)
{
    const struct report_attribution *attribution = run->attribution;
    uint64_t base_ns = report_share_base_ns(run->ideal_ns, run->simulated_ns);

    if (attribution == NULL || base_ns == 0)
        return NAN;
    return ((double)attribution->simulated_ns[effect] - (double)attribution->simulated_ns[effect - 1]) /
           (double)base_ns;
}

/* Not known where hosts cost nothing: there is no such rung. */
static double host_share(const struct report_run *run)
{
    return run->attribution != NULL && run->attribution->has_host ? effect_share(run, 1) : NAN;
}

/* 0 of a whole trace. */
static uint64_t cut_calls(const struct report_run *run)
{
    const struct report_window *window = run->window;
    uint64_t cut = run->iterations == NULL ? 0 : run->iterations->cut;

    return window == NULL
               ? cut
               : cut + window->sends + window->receives + window->probes + window->collective_calls;
}

static double extrapolated_ns(const struct report_run *run)
{
    return run->iterations == NULL || !run->iterations->is_extrapolated
               ? NAN
               : (double)run->iterations->network.whole_ns;
}

/* Without a technology, and on the ideal network, nothing is known of energy. */
static const struct net_energy *energy_of(const struct report_run *run)
{
    static const struct net_energy unknown = {
        .total = NAN, .dynamic = NAN, .clock = NAN, .still = NAN, .delay = NAN, .flit = NAN};
    return run->energy == NULL ? &unknown : &run->energy->energy;
}

/* Without a fault routing faults take nothing. What a network costs is asked field by field of the cost report, so
 * that both say the same. */
void report_run_numbers(const struct report_run *run, struct report_numbers *numbers)
{
    static const struct net_fault_counts none;
    const struct net_fault_counts *faults = run->failing == NULL ? &none : &run->failing->counts;
    const struct report_cost_brief costs = report_cost_brief_of(run->costs);

    memset(numbers, 0, sizeof *numbers); /* also what lies between them: they are sent and compared */
#define REPORT_FIELD(part, key, kind, unit, forms, label, remark, meaning) numbers->key = run->key;
#define REPORT_DERIVED(part, key, kind, unit, forms, source, label, remark, meaning) numbers->key = source;
#include "reports/run/fields.def"
#undef REPORT_FIELD
#undef REPORT_DERIVED
}

/* ---- the answer of a run ---- */

void report_run_part_json(struct report_json *json, json_t *object, const struct report_run *run,
                          enum report_run_part part)
{
    struct report_numbers numbers;

    report_run_numbers(run, &numbers);
    report_fields_json(json, object, report_run_fields(), &numbers, part, REPORT_FORM_RUN);
}

/* What stands before the bar, or behind it where flits are bits. */
static void put_label(struct report_page *page, const char *label, bool in_bits)
{
    size_t length = strcspn(label, "|");

    if (in_bits && label[length] == '|')
        report_page_cell(page, "%s", label + length + 1);
    else
        report_page_cell(page, "%.*s", (int)length, label);
}

static bool is_shown(const struct report_field *field, const struct report_numbers *numbers)
{
    return field->label != NULL && (field->forms & REPORT_FORM_RUN) != 0 &&
           ((field->forms & REPORT_FORM_IF_ANY) == 0 || report_field_count(field, numbers) > 0);
}

void report_run_part_rows(struct report_page *page, const struct report_run *run, enum report_run_part part,
                          unsigned empty)
{
    const struct report_fields *fields = report_run_fields();
    struct report_numbers numbers;

    report_run_numbers(run, &numbers);
    for (size_t i = 0; i < fields->count; i++) {
        const struct report_field *field = &fields->field[i];
        char text[REPORT_FIELD_TEXT], remark[REMARK_TEXT];
        if (field->part != part || !is_shown(field, &numbers))
            continue;
        put_label(page, field->label, run->in_bits);
        report_page_cell(page, "%s", report_field_text(field, &numbers, -1, text));
        for (unsigned cell = 0; cell < empty; cell++)
            report_page_cell(page, "%s", "");
        report_page_cell(page, "%s", report_field_remark(fields, field, &numbers, remark, sizeof remark));
    }
}
