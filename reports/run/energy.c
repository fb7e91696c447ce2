/* Energy of a run. Parts that sum up stand above their sum. */
#include "reports/run/energy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A number of a run: its key in JSON, what it is called, and what it is of. */
static const struct row {
    const char *key, *label, *remark;
    size_t place;
} rows[] = {
    {"buffers_J", "buffers", "J, flits written and read", offsetof(struct net_energy, buffers)},
    {"crossbars_J", "crossbars", "J", offsetof(struct net_energy, crossbars)},
    {"arbitrations_J", "arbitrations", "J, a packet in each router",
     offsetof(struct net_energy, arbitrations)},
    {"links_J", "links", "J, or shared channels with their taps", offsetof(struct net_energy, links)},
    {"sites_J", "sites", "J, between terminals and routers", offsetof(struct net_energy, sites)},
    {"dynamic_J", "  of events", "J, the five together", offsetof(struct net_energy, dynamic)},
    {"clock_J", "clock", "J, clock trees", offsetof(struct net_energy, clock)},
    {"static_J", "static", "J, power that needs no data", offsetof(struct net_energy, still)},
    {"total_J", "  energy", "J, all of it", offsetof(struct net_energy, total)},
    {"delay_Js", "energy times delay", "J s", offsetof(struct net_energy, delay)},
    {"flit_J", "energy of a flit", "J, delivered", offsetof(struct net_energy, flit)},
    {"byte_J", "energy of a byte", "J, delivered", offsetof(struct net_energy, byte)},
    {"estimate_J", "estimate", "J, flits over the mean distance", offsetof(struct net_energy, estimate)},
};

/* Copied, not cast: the table knows what is there, the compiler does not. */
static double value_of(const struct net_energy *energy, const struct row *row)
{
    double value;
    memcpy(&value, (const char *)energy + row->place, sizeof value);
    return value;
}

/* Sums are indented below their parts; what is not known is "-", and the reason stands below. */
void report_energy_text(struct report_page *page, const struct report_energy *energy)
{
    report_page_heading(page, "Energy");
    report_page_paragraph(page, 0, "Of the events that happened, with circuits of technology %s.",
                          energy->technology);
    report_page_table(page, "lrl");
    report_page_titles(page, "part|energy|");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = value_of(&energy->energy, &rows[i]);
        report_page_cell(page, "%s", rows[i].label);
        if (isfinite(value))
            report_page_cell(page, "%.4g", value);
        else
            report_page_cell(page, "-");
        report_page_cell(page, "%s", rows[i].remark);
    }
    report_page_table_end(page);
    if (energy->energy.reason[0] != '\0')
        report_page_paragraph(page, 0, "Not known: %s.", energy->energy.reason);
}

static void put_reason(struct report_json *json, json_t *object, const char *reason)
{
    report_json_put(json, object, "reason", *reason == '\0' ? json_null() : report_json_text(reason));
}

/* The rows up to their sum. */
void report_energy_events_json(struct report_json *json, json_t *object, const struct report_energy *energy)
{
    json_t *own = report_json_object(json, object, "energy");

    for (size_t i = 0; rows[i].place <= offsetof(struct net_energy, dynamic); i++)
        report_json_put(json, own, rows[i].key, report_json_real(value_of(&energy->energy, &rows[i])));
    put_reason(json, own, energy->energy.reason);
}

/* In joules and joule seconds, as the units of the keys say. */
void report_energy_json(struct report_json *json, json_t *top, const struct report_energy *energy)
{
    json_t *object = energy == NULL ? NULL : report_json_object(json, top, "energy");

    if (energy == NULL)
        return;
    report_json_put(json, object, "technology", report_json_text(energy->technology));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        report_json_put(json, object, rows[i].key, report_json_real(value_of(&energy->energy, &rows[i])));
    put_reason(json, object, energy->energy.reason);
}

/* ---- effects ---- */

static bool has_effects(const struct report_run *run)
{
    return run->energy != NULL && run->attribution != NULL && run->simulated_ns > 0;
}

/* Clocks and static power are taken as long as a run takes, so that an effect's time has its share of them. */
static double effect_J(const struct report_run *run, unsigned effect)
{
    const uint64_t *rungs = run->attribution->simulated_ns;

    return (run->energy->energy.clock + run->energy->energy.still) *
           ((double)rungs[effect] - (double)rungs[effect - 1]) / (double)run->simulated_ns;
}

void report_energy_effects_text(struct report_page *page, const struct report_run *run)
{
    if (!has_effects(run))
        return;
    report_page_gap(page);
    report_page_table(page, "lr");
    report_page_titles(page, "effect|clock and static energy, J");
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        double joules = effect_J(run, effect);
        if (!report_effect_applies(run->attribution, effect))
            continue;
        report_page_cell(page, "%s", report_effect_label(effect));
        if (isfinite(joules))
            report_page_cell(page, "%.4g J", joules);
        else
            report_page_cell(page, "-");
    }
    report_page_table_end(page);
    report_page_paragraph(
        page, 0,
        "Of clocks and static power each effect costs its share of the time. Of events none costs "
        "anything: waiting moves no flits, and the simpler networks of the attribution send the "
        "same flits over as many links, unless a routing takes detours.");
}

void report_energy_effects_json(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *object = has_effects(run) ? report_json_object(json, top, "energy_effects") : NULL;

    for (unsigned effect = 1; object != NULL && effect <= REPORT_EFFECTS; effect++) {
        char key[64];
        if (!report_effect_applies(run->attribution, effect))
            continue;
        snprintf(key, sizeof key, "%s_J", report_effect_name(effect));
        report_json_put(json, object, key, report_json_real(effect_J(run, effect)));
    }
}
