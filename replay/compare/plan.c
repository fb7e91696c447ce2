/* The cross product.
 *
 *      --topology mesh:4x4 --topology king-mesh:4x4 --routing dimension-order --routing knaive
 *
 *                            dimension-order   knaive
 *              mesh:4x4      run               left out: knaive serves king networks
 *              king-mesh:4x4 left out: ...     run
 *
 * A pair that does not go together is left out and told. A value that goes with nothing at all is refused: it
 * is a slip (an unknown name, an impossible size), and a comparison without it is not what was asked for. A
 * network that is too small for every trace, or a trace too large for every network, is no slip of that kind:
 * its runs have failed, and the others are done.
 *
 * The planner goes from what is cheap to what takes time, so that slips are told at once:
 *
 *      find_factors          which options have several values: the dimensions of the product
 *      make_topologies       each network once, for all configurations that have it
 *      make_configurations   each combination of values: its settings, costs and name; or why it is left out
 *      make_outcomes         a cell for each trace, configuration and seed, empty as yet
 *      read_traces           each trace is opened once, for its ranks, its hash and its coverage
 *      record_options        what is in force in all configurations, and what differs between them
 *
 * Nothing is simulated here. A plan is the same for whoever makes it from the same command and files: its digest
 * is how processes that share the work know each other (replay_plan_digest). */
#include "replay/compare/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "replay/compare/equal.h"
#include "replay/configurations.h"
#include "replay/machines/physical.h"
#include "replay/machines/host-file.h"
#include "replay/machines/units.h"
#include "replay/session/clocks.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/kinds.h"
#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "traces/hash.h"

#define RUNS_MAX 10000000 /* of a comparison */

/* What is needed only while the plan is made. */
struct planner {
    struct replay_plan *plan;                         /* that is being made */
    const struct replay_values *values;               /* all that were given, by option */
    const struct replay_settings *settings;           /* what was given once, for all */
    struct base_arena *arena;                         /* the comparison's */
    enum replay_option factor_option[REPLAY_OPTIONS]; /* [factor] */
    uint32_t topology_factor;                         /* or UINT32_MAX: there is one topology */
    bool *is_used[REPLAY_OPTIONS];                    /* [factor][level]: in some configuration */
    const char **refusal[REPLAY_OPTIONS];             /* [factor][level]: the first sentence */
    struct report_configuration *names;
    struct report_left_out *left_out; /* pairs that do not go together, in the order they were met */
    uint32_t left_out_room;           /* of left_out */
    uint32_t *ranks;                  /* [trace] */
    bool *trace_fits;                 /* [trace]: some configuration */
    bool *configuration_fits;         /* [configuration]: holds some trace */
};

/* By name, since rows that are not in force are missing. NULL: the option is not in force. */
const char *replay_configuration_value(const struct replay_configuration *configuration,
                                       enum replay_option option)
{
    for (uint32_t row = 0; row < configuration->option_count; row++)
        if (strcmp(configuration->options[row].name, replay_option_row(option)->name) == 0)
            return configuration->options[row].value;
    return NULL;
}

/* One sentence for all of the plan: nobody can do anything about which array it was. */
static int refuse_memory(struct base_error *error)
{
    return base_error_memory(error, "the plan of the comparison");
}

/* The inverse of the numbering of outcomes. Seeds turn fastest, then configurations, so that runs of one
 * trace are neighbours, and whoever does them in order reads it once. */
struct replay_run replay_plan_run(const struct replay_plan *plan, uint32_t number)
{
    const struct report_comparison *comparison = &plan->comparison;
    uint32_t cell = number / comparison->seeds;

    return (struct replay_run){cell / comparison->configuration_count, cell % comparison->configuration_count,
                               comparison->first_seed + number % comparison->seeds};
}

/* Options with several values, in the order of the table, which begins with topology and routing. */
static int find_factors(struct planner *planner, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    struct report_factor *factors = base_arena_array(planner->arena, REPLAY_OPTIONS, sizeof *factors);
    uint64_t product = 1;

    planner->topology_factor = UINT32_MAX;
    for (enum replay_option option = 0; factors != NULL && option < REPLAY_OPTIONS; option++) {
        const struct replay_values_row *row = &planner->values->option[option];
        uint32_t factor = comparison->factor_count;
        if (row->count < 2)
            continue;
        if (option == REPLAY_TOPOLOGY)
            planner->topology_factor = factor;
        factors[factor] = (struct report_factor){replay_option_row(option)->name, row->value, row->count};
        planner->factor_option[factor] = option;
        planner->is_used[factor] = base_arena_array(planner->arena, row->count, sizeof(bool));
        planner->refusal[factor] = base_arena_array(planner->arena, row->count, sizeof(char *));
        if (planner->is_used[factor] == NULL || planner->refusal[factor] == NULL)
            return refuse_memory(error);
        comparison->factor_count++;
        product *= row->count;
        if (product > RUNS_MAX)
            return base_error_set(error, BASE_USAGE, "more than %d combinations of options", RUNS_MAX);
    }
    if (factors == NULL)
        return refuse_memory(error);
    comparison->factors = factors;
    planner->names = base_arena_array(planner->arena, (size_t)product, sizeof *planner->names);
    planner->left_out_room = (uint32_t)product + planner->values->traces.count * (uint32_t)product;
    planner->left_out = base_arena_array(planner->arena, planner->left_out_room, sizeof *planner->left_out);
    planner->plan->configuration_room = (uint32_t)product;
    planner->plan->configurations =
        base_arena_array(planner->arena, (size_t)product, sizeof *planner->plan->configurations);
    return planner->names == NULL || planner->left_out == NULL || planner->plan->configurations == NULL
               ? refuse_memory(error)
               : 0;
}

/* One topology for each value: tables of large networks are made once. An unknown one is told at once. */
static int make_topologies(struct planner *planner, struct base_error *error)
{
    struct replay_plan *plan = planner->plan;
    const struct replay_values_row *row = &planner->values->option[REPLAY_TOPOLOGY];

    plan->topologies = base_arena_array(planner->arena, row->count, sizeof *plan->topologies);
    if (plan->topologies == NULL)
        return refuse_memory(error);
    for (; plan->topology_count < row->count; plan->topology_count++) {
        const char *text = replay_configuration_topology(planner->arena, row->value[plan->topology_count]);
        if (text == NULL)
            return refuse_memory(error);
        plan->topologies[plan->topology_count] = net_topology_new(text, error);
        if (plan->topologies[plan->topology_count] == NULL)
            return -1;
    }
    return 0;
}

/* "king-mesh:8x8 with knaive, random, buffer-flits 32": topology, routing and mapping speak for themselves.
 */
static const char *name_configuration(const struct planner *planner, const uint32_t *level)
{
    const struct report_comparison *comparison = &planner->plan->comparison;
    const char *text = NULL;

    for (uint32_t factor = 0; factor < comparison->factor_count; factor++) {
        enum replay_option option = planner->factor_option[factor];
        const char *value = comparison->factors[factor].levels[level[factor]];
        bool is_plain = option == REPLAY_TOPOLOGY || option == REPLAY_ROUTING || option == REPLAY_MAPPING;
        const char *between = text == NULL                                   ? ""
                              : factor == 1 && planner->topology_factor == 0 ? " with "
                                                                             : ", ";
        text =
            base_arena_format(planner->arena, "%s%s%s%s%s", text == NULL ? "" : text, between,
                              is_plain ? "" : comparison->factors[factor].name, is_plain ? "" : " ", value);
        if (text == NULL)
            return NULL;
    }
    return text == NULL ? base_arena_text(planner->arena, planner->plan->topologies[0]->text) : text;
}

/* Options that were given once are no factors, also where they are lists in a file. */
static bool is_factor(const struct planner *planner, enum replay_option option)
{
    for (uint32_t factor = 0; factor < planner->plan->comparison.factor_count; factor++)
        if (planner->factor_option[factor] == option)
            return true;
    return false;
}

/* The value of an option in a combination: its level, or what was given once. */
static const char *value_of(const struct planner *planner, const uint32_t *level, enum replay_option option)
{
    const struct report_comparison *comparison = &planner->plan->comparison;

    for (uint32_t factor = 0; factor < comparison->factor_count; factor++)
        if (planner->factor_option[factor] == option)
            return comparison->factors[factor].levels[level[factor]];
    return planner->settings->text[option];
}

/* What was given for all, and the levels of this combination, but for the topology and its own options. Why is
 * this run
 * slow is asked of `run`: here it is asked for explicitly, since it takes four replays more. */
static int set_given(const struct planner *planner, const uint32_t *level, struct replay_settings *settings,
                     struct base_error *error)
{
    if (replay_settings_init(settings, error) != 0 ||
        replay_settings_set(settings, REPLAY_ATTRIBUTION, "none", error) != 0)
        return -1;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (option != REPLAY_TOPOLOGY && (planner->settings->given[option] || is_factor(planner, option)) &&
            (replay_option_is_recorded(option) || option == REPLAY_MEMORY) &&
            replay_settings_set(settings, option, value_of(planner, level, option), error) != 0)
            return -1;
    return 0;
}

/* The options of a topology stand above what was given for all; where one of them is a factor as well, the
 * combinations
 * with its other levels do not go together. */
static int set_topology(const struct planner *planner, const uint32_t *level,
                        struct replay_settings *settings, struct base_error *error)
{
    const char *topology = value_of(planner, level, REPLAY_TOPOLOGY);
    const char *asked[REPLAY_OPTIONS]; /* in the one form that settings have it */
    bool is_published;

    if (!replay_host_is_published(settings) && replay_host_apply(settings, error) != 0)
        return -1;
    memcpy(asked, settings->text, sizeof asked);
    if (replay_configuration_set(settings, topology, error) != 0)
        return -1;
    is_published = replay_host_is_published(settings);
    if (replay_units_apply(settings, replay_check_name, error) != 0)
        return -1;
    if (is_published) /* what was asked for is known with the topology's machine */
        asked[REPLAY_HOST] = settings->text[REPLAY_HOST];
    if (settings->given[REPLAY_LINK_BANDWIDTH] && planner->settings->given[REPLAY_EQUAL] &&
        strcmp(value_of(planner, level, REPLAY_EQUAL), "none") != 0)
        return base_error_set(error, BASE_USAGE,
                              "--equal chooses how wide flits are, and --link-bandwidth %s says it; give "
                              "--clock-ghz instead",
                              settings->text[REPLAY_LINK_BANDWIDTH]);
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        if (option == REPLAY_TOPOLOGY || option == REPLAY_EQUAL || !is_factor(planner, option))
            continue;
        const char *own =
            settings->text[option] == NULL ? replay_option_absent(option) : settings->text[option];
        const char *was = asked[option] == NULL ? replay_option_absent(option) : asked[option];
        if (own != NULL && (was == NULL || strcmp(own, was) != 0))
            return base_error_set(error, BASE_USAGE, "%s has --%s %s of its own", topology,
                                  replay_option_row(option)->name, own);
    }
    return 0;
}

/* Made once for each value of --topology, whatever its options. */
static const struct net_topology *topology_of(const struct planner *planner, const uint32_t *level)
{
    uint32_t place = planner->topology_factor == UINT32_MAX ? 0 : level[planner->topology_factor];

    return planner->plan->topologies[place];
}

/* Widths follow from the combination with the first topology, all else being equal. */
static int hold_equal(const struct planner *planner, const uint32_t *level, struct replay_settings *settings,
                      struct base_error *error)
{
    const char *what = value_of(planner, level, REPLAY_EQUAL);
    uint32_t first[REPLAY_OPTIONS];
    struct replay_settings others;
    int status;

    if (planner->topology_factor == UINT32_MAX)
        return replay_equal_check(what, error);
    memcpy(first, level, planner->plan->comparison.factor_count * sizeof *first);
    first[planner->topology_factor] = 0;
    status = set_given(planner, first, &others, error);
    if (status == 0)
        status = set_topology(planner, first, &others, error);
    if (status == 0)
        status = replay_equal_make(what, planner->plan->topologies[0], &others, topology_of(planner, level),
                                   settings, error);
    replay_settings_free(&others);
    return status;
}

/* In the order in which one thing follows from another: what is given for all, the topology with its own options,
 * and the width that makes its cost equal. */
static int make_settings(const struct planner *planner, const uint32_t *level,
                         struct replay_settings *settings, struct base_error *error)
{
    return set_given(planner, level, settings, error) == 0 &&
                   set_topology(planner, level, settings, error) == 0 &&
                   hold_equal(planner, level, settings, error) == 0
               ? 0
               : -1;
}

/* Known before anything runs: what the network of a configuration costs, if a technology or --equal asks for it. */
static int add_costs(struct planner *planner, struct replay_configuration *configuration,
                     const struct replay_setup *setup, struct base_error *error)
{
    const char *name = configuration->settings.text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = name == NULL ? NULL : replay_technology(name, error);
    struct report_cost_network *costs = base_arena_alloc(planner->arena, sizeof *costs);
    int status = -1;

    if (name != NULL && technology == NULL)
        return -1;
    if (costs == NULL)
        refuse_memory(error);
    else
        status = replay_setup_costs(setup, technology, planner->arena, costs, error);
    net_technology_free(technology);
    configuration->costs = costs;
    return status;
}

/* An ideal network has none. */
static bool has_costs(const struct planner *planner, const struct replay_configuration *configuration)
{
    return (configuration->settings.text[REPLAY_TECHNOLOGY] != NULL ||
            planner->settings->given[REPLAY_EQUAL]) &&
           !net_topology_is_ideal(configuration->topology);
}

/* The array has room for every combination, and for every trace with each of them. */
static int leave_out(struct planner *planner, const char *what, const char *why, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    const char *copy = base_arena_text(planner->arena, why);

    if (what == NULL || copy == NULL)
        return refuse_memory(error);
    planner->left_out[comparison->left_out_count++] = (struct report_left_out){what, copy, NULL};
    comparison->left_out = planner->left_out;
    return 0;
}

/* Remembers for each value of the combination that it is of use, or why it is not. */
static void note_levels(struct planner *planner, const uint32_t *level, const char *refusal)
{
    for (uint32_t factor = 0; factor < planner->plan->comparison.factor_count; factor++) {
        if (refusal == NULL)
            planner->is_used[factor][level[factor]] = true;
        else if (planner->refusal[factor][level[factor]] == NULL)
            planner->refusal[factor][level[factor]] = refusal;
    }
}

/* What is in force, which the network decides on in part, what is in the files, and what it costs. Only called with
 * what can be run. */
static int record_configuration(struct planner *planner, struct replay_configuration *configuration,
                                const struct replay_setup *setup, struct base_error *error)
{
    struct report_option *options;

    if (replay_setup_record(setup, replay_option_is_recorded, planner->arena, &options,
                            &configuration->option_count) != 0)
        return refuse_memory(error);
    configuration->options = options;
    if (replay_inputs_named(&configuration->inputs, planner->arena, &configuration->settings,
                            configuration->topology, error) != 0)
        return -1;
    return has_costs(planner, configuration) ? add_costs(planner, configuration, setup, error) : 0;
}

/* Latencies that follow from lengths are those of a configuration, so that it has a topology of its own then. What can
 * be refused for its rack or its latencies is one that does not go together. */
static int lengthen(struct replay_configuration *configuration, struct base_error *error)
{
    const struct replay_settings *settings = &configuration->settings;

    if (settings->number[REPLAY_LINK_LATENCY_PER_M] == 0 && settings->text[REPLAY_RACK] == NULL)
        return 0;
    net_topology_free(configuration->own_topology);
    configuration->own_topology = replay_topology_new(configuration->topology->text, settings, error);
    configuration->topology = configuration->own_topology;
    return configuration->own_topology == NULL ? -1 : 0;
}

/* The reason of a pair of network and routing that do not go together, which other networks have as well: a text in
 * the arena; NULL: it is another reason, or memory, without which the sentence in full will do. */
static const char *pair_reason(struct planner *planner, const struct replay_configuration *configuration)
{
    const char *routing = configuration->settings.text[REPLAY_ROUTING];
    char text[256];
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);

    if (routing == NULL || configuration->topology == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(kinds[i]->name) != strcspn(routing, ",") ||
            strncmp(kinds[i]->name, routing, strlen(kinds[i]->name)) != 0 ||
            net_routing_serves(kinds[i], configuration->topology))
            continue;
        snprintf(text, sizeof text, "routing '%s' serves %s", kinds[i]->name, kinds[i]->serves->members);
        return base_arena_text(planner->arena, text);
    }
    return NULL;
}

/* The settings of a combination, and whether they can be run at all. Free the setup in either case. */
static int try_combination(const struct planner *planner, const uint32_t *level,
                           struct replay_configuration *configuration, struct replay_setup *setup,
                           struct base_error *error)
{
    *setup = (struct replay_setup){0};
    configuration->topology = topology_of(planner, level);
    return make_settings(planner, level, &configuration->settings, error) == 0 &&
                   lengthen(configuration, error) == 0
               ? replay_setup_init(setup, REPLAY_TO_RUN, configuration->topology, &configuration->settings,
                                   error)
               : -1;
}

/* A configuration as the comparison has it, by its name and levels. */
static int keep_combination(struct planner *planner, const uint32_t *level, const char *name,
                            const struct replay_setup *setup, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    struct replay_configuration *configuration =
        &planner->plan->configurations[comparison->configuration_count];
    uint32_t *copy = base_arena_array(planner->arena, comparison->factor_count + 1, sizeof *copy);
    struct report_physical physical;

    if (copy == NULL)
        return refuse_memory(error);
    memcpy(copy, level, comparison->factor_count * sizeof *copy);
    configuration->network_bytes = setup->network_bytes;
    configuration->in_force = setup->in_force;
    if (record_configuration(planner, configuration, setup, error) != 0 ||
        replay_physical_of(configuration->topology, &configuration->settings, planner->arena, &physical,
                           error) != 0)
        return -1;
    planner->names[comparison->configuration_count++] =
        (struct report_configuration){.topology = configuration->topology->text,
                                      .mapping = configuration->settings.text[REPLAY_MAPPING],
                                      .name = name,
                                      .level = copy,
                                      .costs = configuration->costs,
                                      .physical = physical,
                                      .exact = setup->is_exact};
    note_levels(planner, level, NULL);
    return 0;
}

/* A combination becomes a configuration, or is left out. */
static int add_combination(struct planner *planner, const uint32_t *level, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    struct replay_configuration *configuration =
        &planner->plan->configurations[comparison->configuration_count];
    const char *name = name_configuration(planner, level);
    struct replay_setup setup;
    bool is_possible;
    int status = 0;

    if (name == NULL)
        return refuse_memory(error);
    is_possible = try_combination(planner, level, configuration, &setup, error) == 0;
    if (is_possible)
        status = keep_combination(planner, level, name, &setup, error);
    replay_setup_free(&setup);
    if (is_possible)
        return status;
    const char *reason = pair_reason(planner, configuration);
    replay_settings_free(&configuration->settings);
    if (error->status != BASE_USAGE || leave_out(planner, name, error->text, error) != 0)
        return -1;
    planner->left_out[comparison->left_out_count - 1].reason = reason;
    note_levels(planner, level, planner->left_out[comparison->left_out_count - 1].why);
    return 0;
}

/* An odometer whose last wheel turns fastest. */
static bool next_combination(const struct report_comparison *comparison, uint32_t *level)
{
    for (uint32_t factor = comparison->factor_count; factor-- > 0;) {
        if (++level[factor] < comparison->factors[factor].level_count)
            return true;
        level[factor] = 0;
    }
    return false;
}

/* A value that only ever led to a refusal is refused itself, by the first sentence that it caused. */
static int check_levels(const struct planner *planner, struct base_error *error)
{
    const struct report_comparison *comparison = &planner->plan->comparison;

    if (comparison->configuration_count == 0)
        return base_error_set(error, BASE_USAGE, "%s", comparison->left_out[0].why);
    for (uint32_t factor = 0; factor < comparison->factor_count; factor++)
        for (uint32_t level = 0; level < comparison->factors[factor].level_count; level++)
            if (!planner->is_used[factor][level])
                return base_error_set(error, BASE_USAGE, "--%s %s fits none of the other values: %s",
                                      comparison->factors[factor].name,
                                      comparison->factors[factor].levels[level],
                                      planner->refusal[factor][level]);
    return 0;
}

/* Once at least, also without factors: then there is one combination, the empty one. */
static int make_configurations(struct planner *planner, struct base_error *error)
{
    uint32_t level[REPLAY_OPTIONS] = {0};

    do {
        if (add_combination(planner, level, error) != 0)
            return -1;
    } while (next_combination(&planner->plan->comparison, level));
    planner->plan->comparison.configurations = planner->names;
    return check_levels(planner, error);
}

/* The outcomes of a cell, one a seed. */
static struct report_outcome *cell_of(const struct report_comparison *comparison, uint32_t trace,
                                      uint32_t configuration)
{
    return &comparison->outcomes[((size_t)trace * comparison->configuration_count + configuration) *
                                 comparison->seeds];
}

/* Marked in the outcomes, so that neither the list of work nor a count of what is missing has them. */
static void leave_out_cell(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        cell_of(comparison, trace, configuration)[seed].state = REPORT_LEFT_OUT;
}

/* A run that cannot begin has failed before it is tried, like one that cannot end. */
static void fail_cell(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                      const char *why)
{
    for (uint32_t seed = 0; seed < report_comparison_seeds(comparison, configuration); seed++) {
        struct report_outcome *outcome = &cell_of(comparison, trace, configuration)[seed];
        outcome->state = REPORT_FAILED;
        snprintf(outcome->failure, sizeof outcome->failure, "%.*s", (int)sizeof outcome->failure - 1, why);
    }
}

/* Configurations of one topology are refused with one sentence, which is told once. */
static bool is_told(const struct planner *planner, const char *why)
{
    uint32_t count = planner->plan->comparison.left_out_count;
    return count > 0 && strcmp(planner->left_out[count - 1].why, why) == 0;
}

/* Whether the ranks of a trace have room on a configuration's network, in its partition; the error says why not. */
static bool fits(const struct planner *planner, uint32_t trace, uint32_t configuration,
                 struct base_error *error)
{
    const struct replay_configuration *on = &planner->plan->configurations[configuration];

    return replay_session_fits(planner->plan->comparison.traces[trace], planner->ranks[trace], &on->settings,
                               on->topology, error) == 0;
}

/* Which traces fit some configuration, and which configurations hold some trace. */
static int find_fits(struct planner *planner, struct base_error *error)
{
    const struct report_comparison *comparison = &planner->plan->comparison;

    planner->trace_fits = base_arena_array(planner->arena, comparison->trace_count, sizeof(bool));
    planner->configuration_fits =
        base_arena_array(planner->arena, comparison->configuration_count, sizeof(bool));
    if (planner->trace_fits == NULL || planner->configuration_fits == NULL)
        return refuse_memory(error);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (fits(planner, trace, i, error))
                planner->trace_fits[trace] = planner->configuration_fits[i] = true;
    return 0;
}

/* A trace with more ranks than a topology has room for is left out there: of both there are other answers.
 * Where there is none of the trace, or none of the configuration, what was asked for has failed. */
static int fit_all(struct planner *planner, struct base_error *error)
{
    const struct report_comparison *comparison = &planner->plan->comparison;

    if (find_fits(planner, error) != 0)
        return -1;
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++) {
            if (fits(planner, trace, i, error))
                continue;
            if (!planner->trace_fits[trace] || !planner->configuration_fits[i]) {
                fail_cell(comparison, trace, i, error->text);
                continue;
            }
            leave_out_cell(comparison, trace, i);
            if (!is_told(planner, error->text) &&
                leave_out(planner, comparison->traces[trace], error->text, error) != 0)
                return -1;
        }
    return 0;
}

/* The first configuration that a wall clock would deceive, if there is any. */
static const struct replay_settings *clock_settings(const struct replay_plan *plan)
{
    for (uint32_t i = 0; i < plan->comparison.configuration_count; i++) {
        const struct replay_settings *settings = &plan->configurations[i].settings;
        if (settings->number[REPLAY_CLOCK] == TRACE_CLOCK_WALL && settings->number[REPLAY_COMPUTE] != 0)
            return settings;
    }
    return &plan->configurations[0].settings;
}

/* How far the trace can be relied on: it is read once for this, and told once for all configurations. */
static int judge_recording(struct planner *planner, const struct trace_program *program,
                           struct report_recording *recording, struct base_error *error)
{
    const struct trace_summary *summary = trace_program_summary(program);

    recording->coverage = replay_coverage(planner->arena, summary);
    recording->coverage_count = (uint32_t)summary->coverage_count;
    if (recording->coverage == NULL)
        return refuse_memory(error);
    return replay_clocks(program, clock_settings(planner->plan), &recording->clocks, error);
}

/* From the survey alone, before any message of a collective is known. */
static struct replay_trace_size size_of(const struct trace_program *program)
{
    const struct trace_summary *summary = trace_program_summary(program);
    struct replay_trace_size size = {summary->sends, summary->bytes_sent};

    for (unsigned i = 0; i < TRACE_COLLECTIVES; i++) {
        size.messages += summary->collectives[i].calls * trace_program_ranks(program);
        size.bytes += summary->collectives[i].bytes * trace_program_ranks(program);
    }
    return size;
}

/* Whether a configuration before this one reads traces in the same way. */
static bool is_read_before(const struct replay_plan *plan, uint32_t configuration)
{
    for (uint32_t i = 0; i < configuration; i++)
        if (replay_reads_alike(&plan->configurations[i].settings,
                               &plan->configurations[configuration].settings))
            return true;
    return false;
}

/* As the first configuration reads it whose window the trace has. NULL: none is in it, and why the first is not; or it
 * cannot be read at all. */
static struct trace_program *open_trace(const struct replay_plan *plan, uint32_t trace,
                                        struct base_error *error)
{
    struct trace_program *program =
        replay_kept_open(plan->kept, trace, &plan->configurations[0].settings, false, error);
    struct base_error other;

    for (uint32_t i = 1;
         program == NULL && error->status == BASE_USAGE && i < plan->comparison.configuration_count; i++)
        if (!is_read_before(plan, i)) {
            program = replay_kept_open(plan->kept, trace, &plan->configurations[i].settings, false, &other);
            if (program == NULL && other.status != BASE_USAGE)
                *error = other;
        }
    if (program == NULL && error->status == BASE_USAGE && plan->comparison.trace_count > 1)
        base_error_append(error, " (%s)", plan->comparison.traces[trace]);
    return program;
}

/* What has to be known of one trace before anything runs. */
static int read_trace(struct planner *planner, uint32_t trace, struct report_recording *recording,
                      struct base_error *error)
{
    struct replay_plan *plan = planner->plan;
    struct trace_program *program = open_trace(plan, trace, error);
    const char *hash;
    int status;

    if (program == NULL)
        return -1;
    planner->ranks[trace] = trace_program_ranks(program);
    plan->sizes[trace] = size_of(program);
    hash = trace_program_hash(program, error);
    plan->fingerprints[trace] = hash == NULL ? NULL : base_arena_text(planner->arena, hash);
    status = hash == NULL ? -1 : judge_recording(planner, program, recording, error);
    replay_kept_close(plan->kept, program);
    if (status != 0)
        return -1;
    return plan->fingerprints[trace] == NULL ? refuse_memory(error) : 0;
}

/* Those that stay open take together what one may. The traces are read once now: one that is damaged is refused before
 * anything runs. */
static int read_traces(struct planner *planner, struct base_error *error)
{
    struct replay_plan *plan = planner->plan;
    struct report_comparison *comparison = &plan->comparison;
    struct report_recording *recordings =
        base_arena_array(planner->arena, comparison->trace_count, sizeof *recordings);

    plan->fingerprints =
        base_arena_array(planner->arena, comparison->trace_count, sizeof *plan->fingerprints);
    plan->sizes = base_arena_array(planner->arena, comparison->trace_count, sizeof *plan->sizes);
    planner->ranks = base_arena_array(planner->arena, comparison->trace_count, sizeof *planner->ranks);
    plan->kept =
        replay_kept_new(comparison->traces, replay_session_kept_bytes(&plan->configurations[0].settings));
    if (plan->fingerprints == NULL || plan->sizes == NULL || planner->ranks == NULL || recordings == NULL ||
        plan->kept == NULL)
        return refuse_memory(error);
    for (uint32_t i = 0; i < comparison->trace_count; i++)
        if (read_trace(planner, i, &recordings[i], error) != 0)
            return -1;
    comparison->recordings = recordings;
    comparison->fingerprints = plan->fingerprints;
    return fit_all(planner, error);
}

/* The inputs of one configuration to those of all. -1: memory. */
static int add_inputs(struct planner *planner, const struct report_inputs *inputs)
{
    struct report_comparison *comparison = &planner->plan->comparison;

    for (uint32_t i = 0; i < inputs->count; i++) {
        struct base_input_name name = {inputs->input[i].path, ""};
        snprintf(name.digest, sizeof name.digest, "%s", inputs->input[i].digest);
        if (report_inputs_add(&comparison->inputs, planner->arena, inputs->input[i].option, &name) != 0)
            return -1;
    }
    return 0;
}

/* Whether a row of the record has one value in all configurations. All have the same rows. */
static bool is_common(const struct planner *planner, uint32_t row)
{
    const struct replay_configuration *configurations = planner->plan->configurations;
    const char *first = configurations[0].options[row].value;

    for (uint32_t i = 1; i < planner->plan->comparison.configuration_count; i++) {
        const char *value = configurations[i].options[row].value;
        if (value != first && (value == NULL || first == NULL || strcmp(value, first) != 0))
            return false;
    }
    for (uint32_t factor = 0; factor < planner->plan->comparison.factor_count; factor++)
        if (strcmp(configurations[0].options[row].name, planner->plan->comparison.factors[factor].name) == 0)
            return false;
    return true;
}

/* The rows that are common to all configurations, or those that are not, of one. The seed is neither. */
static int select_rows(const struct planner *planner, const struct replay_configuration *configuration,
                       bool common, const struct report_option **options, uint32_t *count)
{
    struct report_option *rows = base_arena_array(planner->arena, configuration->option_count, sizeof *rows);

    *count = 0;
    *options = rows;
    for (uint32_t row = 0; rows != NULL && row < configuration->option_count; row++)
        if (is_common(planner, row) == common &&
            strcmp(configuration->options[row].name, replay_option_row(REPLAY_SEED)->name) != 0)
            rows[(*count)++] = configuration->options[row];
    return rows == NULL ? -1 : 0;
}

/* Values in force, whatever was typed: what all runs have in common, and what each configuration has to
 * itself. */
static int record_options(struct planner *planner, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    const struct replay_configuration *configurations = planner->plan->configurations;

    if (select_rows(planner, &configurations[0], true, &comparison->options, &comparison->option_count) != 0)
        return refuse_memory(error);
    for (uint32_t i = 0; i < comparison->configuration_count; i++) {
        struct report_configuration *row = &planner->names[i];
        row->routing = replay_configuration_value(&configurations[i], REPLAY_ROUTING);
        row->inputs = configurations[i].inputs;
        if (select_rows(planner, &configurations[i], false, &row->options, &row->option_count) != 0 ||
            add_inputs(planner, &configurations[i].inputs) != 0)
            return refuse_memory(error);
    }
    return 0;
}

/* Runs are counted in 64 bits before anything of that size is allocated. */
static int make_outcomes(struct planner *planner, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;
    uint64_t runs = (uint64_t)comparison->configuration_count * comparison->trace_count;

    if (runs > RUNS_MAX / comparison->seeds)
        return base_error_set(error, BASE_USAGE, "more than %d runs", RUNS_MAX);
    comparison->outcomes =
        base_arena_array(planner->arena, (size_t)runs * comparison->seeds, sizeof *comparison->outcomes);
    if (comparison->outcomes == NULL)
        return refuse_memory(error);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            for (uint32_t seed = report_comparison_seeds(comparison, i); seed < comparison->seeds; seed++)
                cell_of(comparison, trace, i)[seed].state = REPORT_REPEATED;
    return 0;
}

/* Traces come last, since they are the only thing here that takes time. */
static int make(struct planner *planner, struct base_error *error)
{
    struct report_comparison *comparison = &planner->plan->comparison;

    comparison->traces = planner->values->traces.value;
    comparison->trace_count = planner->values->traces.count;
    comparison->first_seed = planner->settings->number[REPLAY_SEED];
    comparison->seeds = (uint32_t)planner->settings->number[REPLAY_SEEDS];
    comparison->shard = comparison->shards = 1;
    if (find_factors(planner, error) != 0 || make_topologies(planner, error) != 0 ||
        make_configurations(planner, error) != 0 || make_outcomes(planner, error) != 0 ||
        read_traces(planner, error) != 0)
        return -1;
    return record_options(planner, error);
}

/* A digest does not know the order of its records, so each says where it belongs. */
#define PLACE(list, i) ((uint64_t)(list) << 32 | (i))

/* What is in force and in the files, configuration by configuration. */
static void add_options(struct base_digest *digest, const struct replay_plan *plan)
{
    for (uint32_t i = 0; i < plan->comparison.configuration_count; i++) {
        const struct replay_configuration *configuration = &plan->configurations[i];
        for (uint32_t row = 0; row < configuration->option_count; row++) {
            const struct report_option *option = &configuration->options[row];
            base_digest_add_text(digest, PLACE(3 + 4 * row, i), option->name);
            base_digest_add_text(digest, PLACE(4 + 4 * row, i), option->value == NULL ? "" : option->value);
        }
        for (uint32_t input = 0; input < configuration->inputs.count; input++)
            base_digest_add_text(digest, PLACE(5 + 4 * input, i), configuration->inputs.input[input].digest);
    }
}

/* The last record is different on a machine that writes its numbers otherwise. */
void replay_plan_digest(const struct replay_plan *plan, char text[BASE_DIGEST_TEXT])
{
    const struct report_comparison *comparison = &plan->comparison;
    struct base_digest digest = {0};
    unsigned char bytes[sizeof(uint64_t)] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t order;

    memcpy(&order, bytes, sizeof order);
    base_digest_add_text(&digest, 1, base_build());
    for (uint32_t i = 0; i < comparison->trace_count; i++)
        base_digest_add_text(&digest, PLACE(2, i), plan->fingerprints[i]);
    add_options(&digest, plan);
    for (uint32_t i = 0; i < report_comparison_places(comparison); i++)
        base_digest_add(&digest, (uint64_t[]){i, comparison->outcomes[i].state}, 2);
    base_digest_add(
        &digest,
        (uint64_t[]){comparison->first_seed, comparison->seeds, order, sizeof(struct report_outcome)}, 4);
    base_digest_text(&digest, text);
}

/* Texts of values and traces stay the property of `values`, which outlives the plan; all else is in its
 * arena. */
struct replay_plan *replay_plan_new(const struct replay_values *values,
                                    const struct replay_settings *settings, struct base_error *error)
{
    struct replay_plan *plan = calloc(1, sizeof *plan);
    struct planner planner = {.plan = plan, .values = values, .settings = settings};

    if (plan == NULL) {
        refuse_memory(error);
        return NULL;
    }
    planner.arena = &plan->comparison.arena;
    if (make(&planner, error) == 0)
        return plan;
    replay_plan_free(plan);
    return NULL;
}

/* Settings have arenas of their own. Places that were never filled are zero, which is legal to free. */
void replay_plan_free(struct replay_plan *plan)
{
    if (plan == NULL)
        return;
    replay_kept_free(plan->kept);
    for (uint32_t i = 0; plan->configurations != NULL && i < plan->configuration_room; i++) {
        replay_settings_free(&plan->configurations[i].settings);
        net_topology_free(plan->configurations[i].own_topology);
    }
    for (uint32_t i = 0; i < plan->topology_count; i++)
        net_topology_free(plan->topologies[i]);
    base_arena_free(&plan->comparison.arena);
    free(plan);
}
