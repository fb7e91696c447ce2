/* What a comparison comes to, in sentences.
 *
 *      king-mesh:8x8 with hop-by-hop-2s is fastest: 1.05 ± 0.01 times faster than ..., the next, and
 *      1.42 ± 0.01 times faster than mesh:8x8 with dimension-order, the slowest.
 *      Mapping matters more than routing: its choice changes the time by a factor of 1.30 ± 0.02, that of
 *      routing by 1.05 ± 0.01.
 *
 * A difference is claimed when its interval does not hold 1. The fastest is compared with all the others, so
 * these intervals are made to hold together (Bonferroni): the winner of many must not win by luck. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reports/comparison/costs.h"
#include "reports/comparison/internal.h"

#define EXACTLY "Exact, because nothing is random: "
#define ALONE "Where nothing is random, the single run is exact: "
#define LISTED 4 /* of those that cannot be told from the fastest */
#define ROOM 64

/* What the sentences do not say is as deliberate: nothing of a single seed but what was seen, no order among
 * configurations that the seeds do not tell apart, no word on other traces. A factor is compared with its
 * neighbour in the order of effects only, since n factors have n * (n - 1) / 2 pairs and nobody reads them.
 *
 *      lead > 1 for the next one          "is fastest: ..., the next"
 *      not so                             "is fastest on average, but ... do not distinguish it from ..."
 *      another is faster for one trace    "Apart from cg.otf2, ... is ... times faster than ..."
 *      effects of two factors differ      "Mapping matters more than routing: ..."
 *      they do not                        "Whether mapping or routing matters more cannot be decided: ..."
 *      no chance in any configuration     the same as facts: "Exact, because nothing is random: ..."
 */
struct verdict {
    struct base_arena *arena;                   /* of the sentences, the caller's */
    const struct report_comparison *comparison; /* borrowed */
    const char **sentences;                     /* [capacity], of which count are said */
    uint32_t count, capacity;
    uint32_t *order; /* configurations, fastest first */
    uint32_t ranked;
    bool failed; /* memory ran out on the way */
};

/* An interval as wide as a fifth of its value is not symmetric any more, and may be absurdly wide with few
 * seeds: it is written by its ends, those beyond any sense only as that. */
static void put_range(struct report_estimate estimate, char text[REPORT_ESTIMATE_TEXT])
{
    if (estimate.high < 1000)
        snprintf(text, REPORT_ESTIMATE_TEXT, "%.2f (%.2f to %.2f)", estimate.value, estimate.low,
                 estimate.high);
    else
        snprintf(text, REPORT_ESTIMATE_TEXT, "%.2f (%.2f to > 1000)", estimate.value, estimate.low);
}

/* A ratio close to 1 without spread gets four decimals, since only what exceeds 1 is told by it; an exact one
 * as many as show that it does. */
static int decimals_of_exact(double value, bool exact)
{
    int decimals = fabs(value - 1) < 0.1 ? 4 : 2;

    for (double shown = 1e-4; exact && value != 1 && fabs(value - 1) < shown && decimals < 9; shown /= 10)
        decimals++;
    return decimals;
}

/* As many decimals as the interval is good for: two at least, four at most. One that keeps clear of 1 must not seem to
 * touch it: 1.0014 ± 0.0009 is not "1.001 ± 0.001". */
static int decimals_of_spread(double value, double half)
{
    int decimals = half >= 0.005 ? 2 : half >= 0.0005 ? 3 : 4;

    for (double unit = pow(10, -decimals); decimals < 6 && value - half > 1; unit /= 10, decimals++)
        if (round(value / unit) - round(half / unit) > round(1 / unit))
            break;
    return decimals;
}

/* In tables and sentences alike, so that both show the same digits. */
char *report_estimate_text(struct report_estimate estimate, char text[REPORT_ESTIMATE_TEXT])
{
    double half = (estimate.high - estimate.low) / 2;
    bool is_spread = half > 1e-9; /* false for NAN, too */
    int decimals = is_spread ? decimals_of_spread(estimate.value, half)
                             : decimals_of_exact(estimate.value, estimate.exact);

    if (!isfinite(estimate.value))
        snprintf(text, REPORT_ESTIMATE_TEXT, "-");
    else if (is_spread && half > estimate.value / 5)
        put_range(estimate, text);
    else if (is_spread)
        snprintf(text, REPORT_ESTIMATE_TEXT, "%.*f ± %.*f", decimals, estimate.value, decimals, half);
    else
        snprintf(text, REPORT_ESTIMATE_TEXT, "%.*f%s", decimals, estimate.value,
                 isfinite(half) && !estimate.exact ? " ± 0" : "");
    return text;
}

/* The only growth: a sentence composed elsewhere, or NULL where memory ran out on the way. */
static void say(struct verdict *verdict, const char *sentence)
{
    if (sentence == NULL || verdict->count == verdict->capacity)
        verdict->failed = true;
    else
        verdict->sentences[verdict->count++] = sentence;
}

/* Borrowed from the comparison, as all names here. */
static const char *name_of(const struct verdict *verdict, uint32_t configuration)
{
    return verdict->comparison->configurations[configuration].name;
}

/* The fastest against another, sure together with all the other comparisons of the fastest. */
static struct report_estimate lead_over(const struct verdict *verdict, uint32_t other)
{
    return report_comparison_ratio(verdict->comparison, verdict->order[0], other, verdict->ranked - 1);
}

/* Whether nothing is drawn by chance in any configuration that has a rank: then one seed is as good as many.
 */
static bool is_exact(const struct verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->ranked; i++)
        if (!verdict->comparison->configurations[verdict->order[i]].exact)
            return false;
    return true;
}

/* "1.42 ± 0.01 times faster than X" */
static const char *lead_text(const struct verdict *verdict, uint32_t other)
{
    char text[REPORT_ESTIMATE_TEXT];
    struct report_estimate lead = lead_over(verdict, other);

    return base_arena_format(verdict->arena, "%s times faster than %s%s", report_estimate_text(lead, text),
                             name_of(verdict, other), lead.exact && !is_exact(verdict) ? " (exact)" : "");
}

/* The slowest, and the one that was named first, which is mostly what is there today. `text` is of the
 * fastest; `joint` goes on with its list, or begins a clause where that list is of something else. At most two
 * more configurations are named, and only where it is sure that they are slower. */
static const char *say_others(const struct verdict *verdict, const char *text, const char *joint)
{
    uint32_t slowest = verdict->order[verdict->ranked - 1];

    if (verdict->ranked > 2 && lead_over(verdict, slowest).low > 1 && text != NULL) {
        const char *lead = lead_text(verdict, slowest);
        text =
            lead == NULL ? NULL : base_arena_format(verdict->arena, "%s%s%s, the slowest", text, joint, lead);
        joint = ", and ";
    }
    if (verdict->order[0] != 0 && slowest != 0 && verdict->order[1] != 0 && lead_over(verdict, 0).low > 1 &&
        text != NULL) {
        const char *lead = lead_text(verdict, 0);
        text = lead == NULL ? NULL
                            : base_arena_format(verdict->arena, "%s%s%s, the first named", text, joint, lead);
    }
    return text == NULL ? NULL : base_arena_format(verdict->arena, "%s.", text);
}

/* Those that take exactly as long as the fastest. Exact times are equal or not: no interval is needed. */
static void say_equal(struct verdict *verdict)
{
    const char *text = base_arena_format(verdict->arena, EXACTLY "%s", name_of(verdict, verdict->order[0]));
    uint32_t tied = 0;

    while (tied + 1 < verdict->ranked && !(lead_over(verdict, verdict->order[tied + 1]).value > 1))
        tied++;
    for (uint32_t i = 1; i <= tied && i <= LISTED && text != NULL; i++)
        text = base_arena_format(verdict->arena, "%s%s%s", text, i == tied ? " and " : ", ",
                                 name_of(verdict, verdict->order[i]));
    if (tied > LISTED && text != NULL)
        text = base_arena_format(verdict->arena, "%s and %" PRIu32 " more", text, tied - LISTED);
    if (text != NULL)
        text = base_arena_format(verdict->arena, "%s take the same time%s", text,
                                 tied + 1 < verdict->ranked ? ", the shortest" : "");
    say(verdict, say_others(verdict, text, ": "));
}

/* Those that may be as fast, by name as far as there is room. Who is tied is told with the lead over him, so that
 * a reader sees how close it is. */
static void say_tied(struct verdict *verdict)
{
    const char *text = base_arena_format(
        verdict->arena, "%s is fastest on average, but %" PRIu32 " seeds do not distinguish it from",
        name_of(verdict, verdict->order[0]), verdict->comparison->seeds);
    uint32_t tied = 0, unnamed = 0;

    for (uint32_t i = 1; i < verdict->ranked; i++) {
        struct report_estimate lead = lead_over(verdict, verdict->order[i]);
        char number[REPORT_ESTIMATE_TEXT];
        if (lead.low > 1)
            continue;
        if (tied++ >= LISTED)
            unnamed++;
        else if (text != NULL)
            text = base_arena_format(verdict->arena, "%s%s %s (%s)", text, tied > 1 ? "," : "",
                                     name_of(verdict, verdict->order[i]), report_estimate_text(lead, number));
    }
    if (unnamed > 0 && text != NULL)
        text = base_arena_format(verdict->arena, "%s, and %" PRIu32 " more", text, unnamed);
    say(verdict, say_others(verdict, text, "; it is "));
}

/* Told as a fact where the next one is slower for sure; else as a tie, with everybody who is in it. */
static void say_fastest(struct verdict *verdict)
{
    const char *lead = lead_text(verdict, verdict->order[1]), *text = NULL;

    if (!(lead_over(verdict, verdict->order[1]).low > 1)) {
        (is_exact(verdict) ? say_equal : say_tied)(verdict);
        return;
    }
    if (lead != NULL)
        text = base_arena_format(verdict->arena,
                                 verdict->ranked > 2 ? "%s%s is fastest: %s, the next" : "%s%s is %s",
                                 is_exact(verdict) ? EXACTLY : "", name_of(verdict, verdict->order[0]), lead);
    say(verdict, say_others(verdict, text, ", and "));
}

/* Of a single seed, the two of the exact configurations between which most lies: that is certain. The extremes of
 * the exact ones: what lies between them is certain whatever the seed. */
static void say_exact_ones(struct verdict *verdict)
{
    const struct report_configuration *rows = verdict->comparison->configurations;
    uint32_t first = 0, last = verdict->ranked;
    struct report_estimate ratio;
    char text[REPORT_ESTIMATE_TEXT];

    while (first < verdict->ranked && !rows[verdict->order[first]].exact)
        first++;
    while (last > first + 1 && !rows[verdict->order[last - 1]].exact)
        last--;
    if (last < first + 2)
        return;
    first = verdict->order[first];
    last = verdict->order[last - 1];
    ratio = report_comparison_ratio(verdict->comparison, first, last, 1);
    if (ratio.value > 1)
        say(verdict,
            base_arena_format(verdict->arena, ALONE "%s is %s times faster than %s.", name_of(verdict, first),
                              report_estimate_text(ratio, text), name_of(verdict, last)));
    else
        say(verdict, base_arena_format(verdict->arena, ALONE "%s and %s take the same time.",
                                       name_of(verdict, first), name_of(verdict, last)));
}

/* Without repetition nothing is claimed of what is drawn by chance but what was seen. The suggestion to repeat it
 * is part of the sentence. */
static void say_single(struct verdict *verdict)
{
    uint32_t slowest = verdict->order[verdict->ranked - 1];
    const char *lead = lead_text(verdict, slowest);

    if (lead_over(verdict, slowest).value > 1 && lead != NULL)
        lead =
            base_arena_format(verdict->arena, "%s is fastest, %s", name_of(verdict, verdict->order[0]), lead);
    else if (lead != NULL)
        lead = "all take the same time";
    say(verdict, lead == NULL
                     ? NULL
                     : base_arena_format(verdict->arena,
                                         "With one seed there are no intervals, and so no verdict: in "
                                         "these single runs %s. --seeds 5 shows how much of that is "
                                         "chance.",
                                         lead));
    say_exact_ones(verdict);
}

/* The fastest configuration of a trace, of those that are ranked. */
static uint32_t best_of_trace(const struct verdict *verdict, uint32_t trace)
{
    uint32_t best = verdict->order[0];

    for (uint32_t i = 1; i < verdict->ranked; i++)
        if (report_trace_ratio(verdict->comparison, trace, verdict->order[i], best, 1).value > 1)
            best = verdict->order[i];
    return best;
}

/* Traces that would choose otherwise, where that is sure. */
static void say_exceptions(struct verdict *verdict)
{
    const struct report_comparison *comparison = verdict->comparison;

    for (uint32_t trace = 0; comparison->trace_count > 1 && trace < comparison->trace_count; trace++) {
        uint32_t best = best_of_trace(verdict, trace), overall = verdict->order[0];
        struct report_estimate lead =
            report_trace_ratio(comparison, trace, best, overall, verdict->ranked - 1);
        char text[REPORT_ESTIMATE_TEXT];
        if (best != overall && lead.low > 1)
            say(verdict, base_arena_format(verdict->arena, "Apart from %s, %s is %s times faster than %s.",
                                           comparison->traces[trace], name_of(verdict, best),
                                           report_estimate_text(lead, text), name_of(verdict, overall)));
    }
}

/* Whether the first matters more than the second, for sure: paired by seed, as everything. */
static bool matters_more(const struct verdict *verdict, const struct report_effect *more,
                         const struct report_effect *less)
{
    double difference[REPORT_SEEDS_MAX];
    double mean, half;

    if (more->spread.exact && less->spread.exact)
        return more->by_seed[0] > less->by_seed[0];
    for (uint32_t seed = 0; seed < verdict->comparison->seeds; seed++)
        difference[seed] = more->by_seed[seed] - less->by_seed[seed];
    half = base_interval(difference, verdict->comparison->seeds, REPORT_CONFIDENCE, &mean);
    return mean - half > 0;
}

/* A choice that can be made together with another only is spoken of so, and no part of it besides. */
static int drop_parts(struct report_effect *effects, int count)
{
    bool is_joint = false;
    int kept = 0;

    for (int i = 0; i < count; i++)
        is_joint |= effects[i].groups > 0 && strcmp(effects[i].name, REPORT_NETWORK_FACTOR) == 0;
    for (int i = 0; i < count; i++)
        if (effects[i].groups > 0 && !(is_joint && (strcmp(effects[i].name, "topology") == 0 ||
                                                    strcmp(effects[i].name, "routing") == 0)))
            effects[kept++] = effects[i];
    return kept;
}

/* A factor's name at the beginning of a sentence. Names are ASCII, and none is empty. */
static const char *capital(struct base_arena *arena, const char *name)
{
    return base_arena_format(arena, "%c%s", toupper((unsigned char)name[0]), name + 1);
}

/* Neighbours in the order of their effects. The order is by size; whether the difference of two neighbours is sure
 * is a question of its own. */
static void say_effects(struct verdict *verdict, struct report_effect *effects, int all)
{
    int count = drop_parts(effects, all);

    for (int i = 0; i + 1 < count; i++) {
        const struct report_effect *more = &effects[i], *less = &effects[i + 1];
        char first[REPORT_ESTIMATE_TEXT], second[REPORT_ESTIMATE_TEXT];
        bool is_sure = matters_more(verdict, more, less);
        const char *name = is_sure ? capital(verdict->arena, more->name) : more->name;
        const char *form =
            is_sure ? "%s matters more than %s: between best and worst lies a factor of %s, for %s %s."
                    : "Whether %s or %s matters more cannot be decided: factors of %s, and for %s %s.";
        say(verdict, name == NULL ? NULL
                                  : base_arena_format(verdict->arena, form, name, less->name,
                                                      report_estimate_text(more->spread, first), less->name,
                                                      report_estimate_text(less->spread, second)));
    }
}

/* A conclusion that turns with what was held equal is no conclusion about networks alone. */
static void say_held_equal(struct verdict *verdict)
{
    const char *sentence = report_comparison_equal(verdict->arena, verdict->comparison, verdict->order,
                                                   verdict->ranked, &verdict->failed);

    if (sentence != NULL)
        say(verdict, sentence);
}

/* What is missing makes every sentence weaker, so it is said first. */
static void say_missing(struct verdict *verdict)
{
    uint32_t missing = report_comparison_count(verdict->comparison, REPORT_MISSING) +
                       report_comparison_count(verdict->comparison, REPORT_PARTIAL);

    if (missing > 0)
        say(verdict,
            base_arena_format(verdict->arena,
                              "Partial: %" PRIu32 " of %" PRIu32 " runs are missing%s; what follows is of "
                              "the others.",
                              missing, report_comparison_runs(verdict->comparison),
                              verdict->comparison->interrupted ? " (interrupted)" : ""));
}

/* Whether a configuration is a graph from a file under up-down. */
static bool is_graph_up_down(const struct report_configuration *configuration)
{
    const char *routing = configuration->routing;
    return strncmp(configuration->topology, "graph:", 6) == 0 &&
           (strcmp(routing, "up-down") == 0 || strncmp(routing, "up-down,", 8) == 0);
}

/* Its ways crowd around the root and are often not the shortest, so that what is slow may be the routing alone. A
 * caution about the comparison, not about the configuration. */
static void say_up_down(struct verdict *verdict)
{
    const char *first = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < verdict->ranked; i++)
        if (is_graph_up_down(&verdict->comparison->configurations[verdict->order[i]]) && count++ == 0)
            first = name_of(verdict, verdict->order[i]);
    if (count == 0)
        return;
    const char *others =
        count == 1 ? "" : base_arena_format(verdict->arena, " and %" PRIu32 " more", count - 1);
    say(verdict, others == NULL ? NULL
                                : base_arena_format(
                                      verdict->arena,
                                      "%s%s: a graph under up*/down*, whose routes crowd around its root and "
                                      "are often longer than need be; this says as much about the routing "
                                      "as about the graph. --routing minimal or routes in its file show it "
                                      "at its best.",
                                      first, others));
}

/* From what limits the statement, over the statement, to its exceptions and to what it is made of. The order is
 * that of reading: each sentence may lean on those before it. */
static void say_all(struct verdict *verdict, struct report_effect *effects, int count)
{
    say_missing(verdict);
    if (verdict->ranked < 2) {
        say(verdict,
            verdict->comparison->configuration_count < 2
                ? "There is one configuration, and so nothing to compare it with."
                : "Fewer than two configurations have finished every trace: no conclusion is possible.");
        return;
    }
    if (verdict->comparison->seeds == 1 && !is_exact(verdict)) {
        say_single(verdict);
        say_held_equal(verdict);
        say_up_down(verdict);
        return;
    }
    say_fastest(verdict);
    say_held_equal(verdict);
    say_exceptions(verdict);
    say_effects(verdict, effects, count);
    say_up_down(verdict);
}

/* There are at most a sentence for each trace and each neighbouring pair of effects, and seven of their own.
 * Room for all sentences is made at once; one that does not fit would be a defect. */
const char **report_comparison_verdict(struct base_arena *arena, const struct report_comparison *comparison,
                                       uint32_t *count, struct base_error *error)
{
    struct verdict verdict = {.arena = arena, .comparison = comparison};
    struct report_effect *effects = base_arena_array(arena, comparison->factor_count + 1, sizeof *effects);
    int effect_count = effects == NULL ? -1 : report_comparison_effects(arena, comparison, effects, error);

    verdict.capacity = comparison->trace_count + comparison->factor_count + 7;
    verdict.sentences = base_arena_array(arena, verdict.capacity, sizeof *verdict.sentences);
    verdict.order = base_arena_array(arena, comparison->configuration_count + 1, sizeof *verdict.order);
    if (effect_count >= 0 && verdict.sentences != NULL && verdict.order != NULL) {
        verdict.ranked = report_comparison_rank(comparison, verdict.order);
        say_all(&verdict, effects, effect_count);
        *count = verdict.count;
        if (!verdict.failed)
            return verdict.sentences;
    }
    base_error_memory(error, "the verdict");
    return NULL;
}
