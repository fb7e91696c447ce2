/* The attribution of a slowdown as text and as JSON. Costs are differences of whole nanoseconds, so they sum
 * without rounding; shares are these costs over the ideal time, or over the simulated time where that is 0.
 */
#include "reports/run/attribution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define BAR_COLUMNS 16
#define REGIONS_SHOWN 8

/* Row e - 1 is what rung e adds, in the order of the ladder in doc/attribution.md. Names are keys of the
 * JSON, and so a part of its schema; labels and remarks are for people and may change. */
static const struct {
    const char *name, *label, *remark;
} effects[REPORT_EFFECTS] = {
    {"host", "host", "overheads, gaps, memory"},
    {"distance", "distance", "header latency"},
    {"serialisation", "serialisation", "as wide as links are"},
    {"terminals", "terminals", "entering and leaving"},
    {"channels", "channels", "links that are shared"},
    {"flow_control", "flow control", "buffers, arbitration"},
};

/* Effects count from 1, as rungs do: rung 0 is the ideal network, which adds nothing. */
const char *report_effect_name(unsigned effect)
{
    return effects[effect - 1].name;
}

const char *report_effect_label(unsigned effect)
{
    return effects[effect - 1].label;
}

bool report_effect_applies(const struct report_attribution *attribution, unsigned effect)
{
    return effect != REPORT_EFFECT_HOST || attribution->has_host;
}

/* Nothing computed is no time on the ideal network: then the whole run is the network's. */
uint64_t report_share_base_ns(uint64_t ideal_ns, uint64_t simulated_ns)
{
    return ideal_ns != 0 ? ideal_ns : simulated_ns;
}

static uint64_t base_of(const uint64_t rungs[REPORT_RUNGS])
{
    return report_share_base_ns(rungs[0], rungs[REPORT_EFFECTS]);
}

/* What rung `effect` takes longer than the one before. The difference of unsigned times wraps around when the
 * rung is faster, and the conversion makes it the negative number that it means. */
static int64_t cost_of(const uint64_t rungs[REPORT_RUNGS], unsigned effect)
{
    return (int64_t)(rungs[effect] - rungs[effect - 1]);
}

/* ---- text ---- */

/* "+1.234 ms", "-5 ns" Negated as an unsigned number, since the least int64_t has no positive counterpart. */
const char *report_effect_cost_text(int64_t cost_ns, char *text, size_t size)
{
    char number[BASE_UNITS_TEXT];
    uint64_t magnitude = cost_ns < 0 ? -(uint64_t)cost_ns : (uint64_t)cost_ns;
    if (cost_ns == 0)
        snprintf(text, size, "0");
    else
        snprintf(text, size, "%c%s", cost_ns < 0 ? '-' : '+', base_format_ns(magnitude, number));
    return text;
}

/* The length of a cost's bar, in that of the largest one. An anomaly has none. */
static double bar_of(int64_t cost, int64_t largest)
{
    if (cost <= 0 || largest <= 0)
        return 0;
    return (double)cost / (double)largest;
}

/* Bars are relative to the largest cost and not to the slowdown: next to an anomaly a single effect can cost
 * more than all of them together. */
static int64_t largest_cost(const uint64_t rungs[REPORT_RUNGS])
{
    int64_t largest = 0;
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (cost_of(rungs, effect) > largest)
            largest = cost_of(rungs, effect);
    return largest;
}

/* Where nothing takes time (base_ns 0) there is no share to print. An anomaly has the word and no bar: it is
 * a result, not an error (doc/attribution.md). */
static void put_row(struct report_page *page, const char *label, int64_t cost, uint64_t base_ns, double bar,
                    const char *remark)
{
    char text[BASE_UNITS_TEXT + 2], share[REPORT_NUMBER_TEXT];
    report_page_cell(page, "%s", label);
    report_page_cell(page, "%s", report_effect_cost_text(cost, text, sizeof text));
    report_page_cell(page, "%s",
                     base_ns == 0 ? "-" : report_page_share((double)cost / (double)base_ns, share));
    report_page_bar(page, bar, BAR_COLUMNS);
    report_page_cell(page, "%s%s", cost < 0 ? "anomaly: " : "", remark);
}

/* The last row is the difference of the ladder's two ends. That the rows above sum to it needs no care: each
 * rung but the ends is added once and subtracted once. */
static void put_effects(struct report_page *page, const struct report_attribution *attribution)
{
    const uint64_t *rungs = attribution->simulated_ns;
    int64_t largest = largest_cost(rungs);
    bool has_ideal = rungs[0] != 0;
    report_page_heading(
        page, has_ideal ? "Why it is slower: what each effect adds, in shares of the ideal time"
                        : "Where the time goes: what each effect adds, in shares of the simulated time");
    report_page_table(page, "lrrbl");
    report_page_titles(page,
                       has_ideal ? "effect|time|of the ideal time||" : "effect|time|of the simulated time||");
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        int64_t cost = cost_of(rungs, effect);
        if (!report_effect_applies(attribution, effect))
            continue;
        put_row(page, effects[effect - 1].label, cost, base_of(rungs), bar_of(cost, largest),
                effects[effect - 1].remark);
    }
    put_row(page, "together", (int64_t)(rungs[REPORT_EFFECTS] - rungs[0]), base_of(rungs), 0,
            has_ideal ? "slowdown - 1" : "the simulated time");
    report_page_table_end(page);
}

/* The effects that apply, in the order of what they add, of equal ones the first rung's. Returns how many. */
static unsigned sort_effects(const struct report_attribution *attribution, unsigned order[REPORT_EFFECTS])
{
    const uint64_t *rungs = attribution->simulated_ns;
    unsigned count = 0;
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        unsigned place = count;
        if (!report_effect_applies(attribution, effect))
            continue;
        count++;
        for (; place > 0 && cost_of(rungs, order[place - 1]) < cost_of(rungs, effect); place--)
            order[place] = order[place - 1];
        order[place] = effect;
    }
    return count;
}

/* The largest first. NULL where the network adds nothing at all, and there is nothing to divide. */
const char *report_attribution_list(struct base_arena *arena, const struct report_attribution *attribution)
{
    const uint64_t *rungs = attribution->simulated_ns;
    double added = (double)rungs[REPORT_EFFECTS] - (double)rungs[0];
    unsigned order[REPORT_EFFECTS];
    const char *text = "";

    if (rungs[REPORT_EFFECTS] <= rungs[0])
        return NULL;
    unsigned count = sort_effects(attribution, order);
    for (unsigned i = 0; i < count && text != NULL; i++) {
        char share[REPORT_NUMBER_TEXT];
        text = base_arena_format(arena, "%s%s%s %s", text, i == 0 ? "" : ", ", effects[order[i] - 1].label,
                                 report_page_share((double)cost_of(rungs, order[i]) / added, share));
    }
    return text;
}

/* The effect that adds most, and its share of what all of them add. Of equal ones the first rung's. With
 * anomalies among the others it can cost more than all together: then it is named without a share, which
 * would be over 100 %. Blank where the network adds nothing. */
static void put_main_effect(struct report_page *page, const uint64_t rungs[REPORT_RUNGS])
{
    int64_t added = (int64_t)(rungs[REPORT_EFFECTS] - rungs[0]);
    unsigned main_effect = 1;
    char share[REPORT_NUMBER_TEXT];
    for (unsigned effect = 2; effect <= REPORT_EFFECTS; effect++)
        if (cost_of(rungs, effect) > cost_of(rungs, main_effect))
            main_effect = effect;
    if (added <= 0 || cost_of(rungs, main_effect) <= 0)
        report_page_cell(page, "%s", "");
    else if (cost_of(rungs, main_effect) >= added)
        report_page_cell(page, "all by %s", effects[main_effect - 1].label);
    else
        report_page_cell(page, "%s by %s",
                         report_page_share((double)cost_of(rungs, main_effect) / (double)added, share),
                         effects[main_effect - 1].label);
}

/* Waits on the ideal network, what the network adds, and by which effect mostly: JSON has them all. */
static void put_waits(struct report_page *page, const char *heading, const char *first,
                      const struct report_waiting *rows, uint32_t count)
{
    char text[BASE_UNITS_TEXT + 2];
    if (count == 0)
        return;
    report_page_heading(page, heading);
    report_page_table(page, "lrrl");
    report_page_cell(page, "%s", first);
    report_page_cell(page, "ideal");
    report_page_cell(page, "added");
    report_page_cell(page, "mostly");
    report_page_head(page);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *rungs = rows[i].wait_ns;
        report_page_cell(page, "%s", rows[i].name);
        report_page_cell(page, "%s", base_format_ns(rungs[0], text));
        report_page_cell(
            page, "%s",
            report_effect_cost_text((int64_t)(rungs[REPORT_EFFECTS] - rungs[0]), text, sizeof text));
        put_main_effect(page, rungs);
    }
    report_page_table_end(page);
}

/* Ranks have no table here, since thousands of lines would not be read. Calls come sorted by their waits on
 * the configured network, so the cut leaves out what matters least. */
void report_attribution_text(struct report_page *page, const struct report_attribution *attribution)
{
    uint32_t regions = attribution->region_count < REGIONS_SHOWN ? attribution->region_count : REGIONS_SHOWN;
    put_effects(page, attribution);
    put_waits(page, "Waiting of all ranks, by the call that waits", "call", attribution->regions, regions);
    put_waits(page, "Waiting of all ranks, by the size of the message waited for", "bytes",
              attribution->sizes, attribution->size_count);
}

/* ---- what if ---- */

/* Signed, unlike the effects, where a minus is an anomaly: here it is what one would gain. */
void report_what_if_text(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                         uint64_t simulated_ns, uint64_t ideal_ns)
{
    static const struct {
        const char *name, *label;
    } labels[] = {{"all_eager", "no message waits for its receiver"},
                  {"all_rendezvous", "every message waits for its receiver"},
                  {"mapping_portfolio", "the placement of mapping portfolio"},
                  {"collectives_mpich", "collectives in messages, as mpich"},
                  {"collectives_hardware", "collectives in hardware"},
                  {"no_faults", "no link is dead"}};
    uint64_t base_ns = report_share_base_ns(ideal_ns, simulated_ns);
    char text[BASE_UNITS_TEXT + 2], share[REPORT_NUMBER_TEXT];

    if (count == 0)
        return;
    report_page_heading(page, "What if (not part of the sum above)");
    report_page_table(page, "lrr");
    report_page_titles(page,
                       ideal_ns != 0 ? "change|time|of the ideal time" : "change|time|of the simulated time");
    for (uint32_t i = 0; i < count; i++) {
        int64_t cost = (int64_t)(rows[i].simulated_ns - simulated_ns);
        const char *label = rows[i].name;
        for (size_t j = 0; j < sizeof labels / sizeof labels[0]; j++)
            if (strcmp(labels[j].name, rows[i].name) == 0)
                label = labels[j].label;
        report_page_cell(page, "%s", label);
        report_page_cell(page, "%s", report_effect_cost_text(cost, text, sizeof text));
        report_page_cell(page, "%s",
                         base_ns == 0 ? "-" : report_page_share((double)cost / (double)base_ns, share));
    }
    report_page_table_end(page);
}

/* One sentence, since a signed difference leaves open which of the two is the better. */
void report_what_if_collectives(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                                uint64_t simulated_ns)
{
    char times[2][BASE_UNITS_TEXT], difference[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];

    for (uint32_t i = 0; i < count; i++) {
        bool is_hardware = strcmp(rows[i].name, "collectives_mpich") == 0;
        if (!is_hardware && strcmp(rows[i].name, "collectives_hardware") != 0)
            continue;
        uint64_t hardware = is_hardware ? simulated_ns : rows[i].simulated_ns;
        uint64_t messages = is_hardware ? rows[i].simulated_ns : simulated_ns;
        uint64_t apart = hardware > messages ? hardware - messages : messages - hardware;
        base_format_ns(hardware, times[0]);
        base_format_ns(messages, times[1]);
        if (apart == 0)
            report_page_paragraph(page, 2,
                                  "The run takes %s with collectives in hardware, and as long in messages%s.",
                                  times[0], is_hardware ? " (as mpich)" : "");
        else
            report_page_paragraph(
                page, 2,
                "The run takes %s with collectives in hardware, and %s in messages%s: hardware %s %s (%s).",
                times[0], times[1], is_hardware ? " (as mpich)" : "", hardware < messages ? "saves" : "costs",
                base_format_ns(apart, difference),
                messages == 0 ? "-" : report_page_share((double)apart / (double)messages, share));
    }
}

/* What costs less than the run has a negative share: the difference of two unsigned times is read as signed. */
void report_what_if_faults(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                           uint64_t simulated_ns)
{
    char healthy[BASE_UNITS_TEXT], difference[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];

    for (uint32_t i = 0; i < count; i++) {
        uint64_t without = rows[i].simulated_ns;
        uint64_t apart = without > simulated_ns ? without - simulated_ns : simulated_ns - without;
        if (strcmp(rows[i].name, "no_faults") != 0)
            continue;
        base_format_ns(without, healthy);
        if (apart == 0)
            report_page_paragraph(page, 0, "Without dead links the run takes the same time.");
        else
            report_page_paragraph(page, 0, "Without dead links the run takes %s: they %s %s (%s).", healthy,
                                  without < simulated_ns ? "cost" : "save", base_format_ns(apart, difference),
                                  without == 0 ? "-"
                                               : report_page_share((double)apart / (double)without, share));
    }
}

void report_what_if_json(struct report_json *json, json_t *top, const struct report_what_if *rows,
                         uint32_t count, uint64_t simulated_ns, uint64_t ideal_ns)
{
    uint64_t base_ns = report_share_base_ns(ideal_ns, simulated_ns);
    json_t *list;

    if (rows == NULL) {
        report_json_put(json, top, "what_if", json_null());
        return;
    }
    list = report_json_array(json, top, "what_if");
    for (uint32_t i = 0; i < count; i++) {
        double cost = (double)(int64_t)(rows[i].simulated_ns - simulated_ns);
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(rows[i].name));
        report_json_put(json, entry, "simulated_ns", report_json_integer(rows[i].simulated_ns));
        report_json_put(json, entry, "share", report_json_real(base_ns == 0 ? NAN : cost / (double)base_ns));
        report_json_put(
            json, entry, "ratio",
            report_json_real(simulated_ns == 0 ? NAN : (double)rows[i].simulated_ns / (double)simulated_ns));
    }
}

/* ---- JSON ---- */

/* For a base that is not 0: the caller has looked. */
static void put_shares(struct report_json *json, json_t *top, const struct report_attribution *attribution)
{
    const uint64_t *rungs = attribution->simulated_ns;
    json_t *shares = report_json_object(json, top, "attribution");
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_effect_applies(attribution, effect))
            report_json_put(json, shares, effects[effect - 1].name,
                            report_json_real((double)cost_of(rungs, effect) / (double)base_of(rungs)));
}

/* Times and not costs: readers can subtract any two rungs exactly, while costs would not tell the times. */
static void put_rungs(struct report_json *json, json_t *object, const char *key,
                      const struct report_attribution *attribution, const uint64_t rungs[REPORT_RUNGS])
{
    json_t *array = report_json_array(json, object, key);
    for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
        if (report_effect_applies(attribution, rung))
            report_json_append(json, array, report_json_integer(rungs[rung]));
}

/* Ranks have no name but their number, which each entry repeats so that it can be read without its place in
 * the array. */
static void put_rows(struct report_json *json, json_t *detail, const char *key, const char *name_key,
                     const struct report_attribution *attribution, const struct report_waiting *rows,
                     uint32_t count)
{
    json_t *array = report_json_array(json, detail, key);
    for (uint32_t i = 0; i < count; i++) {
        json_t *entry = report_json_entry(json, array);
        report_json_put(json, entry, name_key,
                        rows[i].name == NULL ? report_json_integer(i) : report_json_text(rows[i].name));
        put_rungs(json, entry, "wait_ns", attribution, rows[i].wait_ns);
    }
}

/* Shares need a time to be of, times do not: a program that takes none has null for the one and all of the
 * other. All keys are always there, so that programs need not ask for them. */
void report_attribution_json(struct report_json *json, json_t *top,
                             const struct report_attribution *attribution)
{
    if (attribution == NULL) {
        report_json_put(json, top, "attribution", json_null());
        report_json_put(json, top, "attribution_base", json_null());
        report_json_put(json, top, "attribution_detail", json_null());
        return;
    }
    if (base_of(attribution->simulated_ns) != 0) {
        put_shares(json, top, attribution);
        report_json_put(json, top, "attribution_base",
                        report_json_text(attribution->simulated_ns[0] != 0 ? "ideal" : "simulated"));
    } else {
        report_json_put(json, top, "attribution", json_null());
        report_json_put(json, top, "attribution_base", json_null());
    }
    json_t *detail = report_json_object(json, top, "attribution_detail");
    put_rungs(json, detail, "simulated_ns", attribution, attribution->simulated_ns);
    put_rows(json, detail, "ranks", "rank", attribution, attribution->ranks, attribution->rank_count);
    put_rows(json, detail, "regions", "region", attribution, attribution->regions, attribution->region_count);
    put_rows(json, detail, "message_sizes", "bytes", attribution, attribution->sizes,
             attribution->size_count);
}
