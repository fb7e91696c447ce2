/* flitreplay topology T: exact properties of a topology, its picture, what dead links do to it, and whether a routing
 * can deadlock.
 *
 *      flitreplay topology king-mesh:8x8                                  for people
 *      flitreplay topology king-mesh:8x8 --json t.json                    for programs
 *      flitreplay topology king-mesh:8x8 --svg t.svg                      as a picture
 *      flitreplay topology king-mesh:8x8 --faults 4 --svg t.svg           with the rings around dead links
 *      flitreplay topology --machine bluegene-q                           beside what is published of it
 *      flitreplay topology king-mesh:8x8 --routing R --check-deadlock     status 1 when packets can deadlock
 *
 * Nothing is simulated, and no trace is needed. */

#include <string.h>
#include <stdlib.h>

#include "netmodel/choices.h"
#include "netmodel/deadlock/dependency.h"
#include "netmodel/faults/failing.h"
#include "netmodel/faults/rings.h"
#include "netmodel/network.h"
#include "netmodel/topology.h"
#include "replay/answers/answer.h"
#include "replay/system/host.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/kinds.h"
#include "replay/session/setup.h"
#include "reports/topology/picture.h"
#include "reports/topology/topology.h"

#define WIDTH 80

/* What the answer is made of; all of it is freed at the end, filled or not. */
struct study {
    const struct replay_arguments *arguments; /* borrowed */
    struct net_topology *topology;            /* owned */
    struct net_metrics metrics;               /* distances, over all pairs */
    struct net_routing routing;               /* valid with has_routing */
    bool has_routing;                         /* one was asked for, or is to be checked */
    enum net_flow_control flow_control;
    struct net_deadlock_check deadlock; /* with --check-deadlock */
    struct net_transfers transfers;     /* of a fault routing */
    struct net_faults faults;           /* none unless they were asked for */
    struct net_control control;         /* messages by which routers learn of faults */
    struct net_rings before, now;       /* rings, before pruning and after */
    struct report_faults report_faults;
    struct report_topology report; /* borrows the rest */
    struct net_layout layout;      /* of routers, for lengths of links */
    struct replay_stopwatch stopwatch;
    struct base_arena arena; /* of the report */
};

static const struct report_topology *report_of(const void *content)
{
    const struct study *study = content;
    return &study->report;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_topology_text(report_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_topology_json(report_of(content), stream, error))

/* The picture needs the topology alone, and shows dead links and rings where there are any; what cannot be drawn is
 * refused by it, not here. */
static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_topology *report = report_of(content);
    return report_topology_svg(report->topology, report->faults, stream, error);
}

/* The operand is the topology itself: this subcommand has no --topology. A machine has one of its own. The report
 * borrows from the study, which lives until all is written. */
static int prepare_topology(struct study *study, struct base_error *error)
{
    const struct replay_settings *settings = &study->arguments->settings;
    const char *text =
        study->arguments->operand_count > 0 ? study->arguments->operands[0] : settings->text[REPLAY_TOPOLOGY];

    if (replay_check_kind("flow-controls", settings->text[REPLAY_FLOW_CONTROL], error) != 0)
        return -1;
    study->flow_control = (enum net_flow_control)net_choice_value(
        net_flow_controls, settings->text[REPLAY_FLOW_CONTROL], NET_CUT_THROUGH);
    if (strchr(text, ';') != NULL)
        return base_error_set(
            error, BASE_USAGE,
            "topology '%s': options behind a semicolon are for run, compare, traffic, map and cost; "
            "give flitreplay topology the topology alone",
            text);
    text = replay_option_resolve(REPLAY_TOPOLOGY, text, &study->arena);
    if (text == NULL)
        return base_error_memory(error, "the topology");
    study->topology = replay_topology_new(text, settings, error);
    if (study->topology == NULL || replay_layout(settings, &study->layout, error) != 0)
        return -1;
    study->report = (struct report_topology){.topology = study->topology,
                                             .metrics = &study->metrics,
                                             .racks = &study->layout.racks,
                                             .routing = net_routing_default(study->topology),
                                             .routing_given = settings->text[REPLAY_ROUTING] != NULL};
    if (replay_inputs_used(&study->report.inputs, &study->arena, study->topology, NULL, NULL, NULL) != 0)
        return base_error_memory(error, "the report");
    return replay_costs_asked(study->topology, settings, &study->arena, &study->report.inputs,
                              &study->report.costs, error);
}

/* The set is read before any output is opened; its text needs nothing but the topology. A fault routing without
 * faults is one in health: "0" faults. */
static int prepare_faults(struct study *study, struct base_error *error)
{
    const struct replay_settings *settings = &study->arguments->settings;
    const char *text = settings->text[REPLAY_FAULTS];
    struct net_control_options options = {.link_cycles = (uint32_t)settings->number[REPLAY_LINK_CYCLES]};

    if (!replay_has_faults(settings) && !replay_names_fault_routing(settings))
        return 0;
    if (text == NULL)
        text = "0"; /* in health, under the fault routing */
    options.routing = net_fault_routing_find(study->topology, settings->text[REPLAY_FAULT_ROUTING], error);
    if (options.routing == NULL || net_faults_init(&study->faults, study->topology, text,
                                                   settings->number[REPLAY_CLOCK_GHZ], error) != 0)
        return -1;
    if (report_inputs_add(&study->report.inputs, &study->arena, "faults", &study->faults.input) != 0)
        return base_error_memory(error, "the report");
    return net_control_init(&study->control, &study->faults, &options, error);
}

/* Whether packets go round dead links on rings: as in a run, on grids unless the routing knows ways itself. */
static bool uses_rings(const struct study *study)
{
    return study->control.faults != NULL && !replay_goes_around(study->topology, &study->arguments->settings);
}

/* On what is left when all faults have come. Links that fail later are dead here: the study has no time. */
static int init_routing(struct study *study, struct base_error *error)
{
    const struct replay_settings *settings = &study->arguments->settings;
    bool has_faults = study->control.faults != NULL;
    bool *dead = NULL;

    if (uses_rings(study))
        return net_routing_init_failing(&study->routing, study->topology, settings->text[REPLAY_ROUTING],
                                        (uint32_t)settings->number[REPLAY_VCS], &study->faults,
                                        study->control.options.routing, error);
    if (has_faults && (dead = net_faults_dead(&study->faults, &study->arena)) == NULL)
        return base_error_memory(error, "the faults");
    return net_routing_init_around(&study->routing, study->topology, settings->text[REPLAY_ROUTING],
                                   (uint32_t)settings->number[REPLAY_VCS], dead, error);
}

/* It is only made when it is asked for, so that a topology without one still has its properties. */
static int prepare_routing(struct study *study, struct base_error *error)
{
    if (!study->arguments->settings.given[REPLAY_CHECK_DEADLOCK] && !study->report.routing_given)
        return 0;
    if (init_routing(study, error) != 0)
        return -1;
    study->has_routing = true;
    study->report.routing = study->routing.text;
    study->report.routing_note = study->routing.note;
    return 0;
}

/* What the control packets do, to the end. */
static int measure_faults(struct study *study, struct base_error *error)
{
    if (study->control.faults == NULL)
        return 0;
    if (net_control_finish(&study->control, error) != 0 ||
        net_rings_init(&study->before, &study->control, true, error) != 0 ||
        net_rings_init(&study->now, &study->control, false, error) != 0 ||
        net_rings_check(&study->now, &study->control, error) != 0)
        return -1;
    study->report_faults =
        (struct report_faults){&study->faults, &study->control, &study->before, &study->now};
    study->report.faults = &study->report_faults;
    return 0;
}

/* The metrics, and the check when it is asked for. The check of a routing with rings needs the rings as control
 * packets leave them. */
static int measure(struct study *study, struct base_error *error)
{
    if (net_topology_metrics(study->topology, &study->metrics, error) != 0 ||
        replay_physical_of(study->topology, &study->arguments->settings, &study->arena,
                           &study->report.physical, error) != 0 ||
        replay_physical_figures(study->topology, &study->metrics, &study->arguments->settings, &study->arena,
                                &study->report.physical, error) != 0 ||
        net_topology_path_diversity(study->topology, &study->metrics, error) != 0 ||
        net_topology_latencies(study->topology, 1, &study->metrics, error) != 0 ||
        measure_faults(study, error) != 0)
        return -1;
    if (study->topology->shared != NULL) {
        if (net_transfers_count(study->topology, &study->transfers, error) != 0)
            return -1;
        study->report.transfers = &study->transfers;
    }
    if (!study->arguments->settings.given[REPLAY_CHECK_DEADLOCK])
        return 0;
    const struct net_deadlock_faults faults = {.control = &study->control, .rings = &study->now};
    if (net_deadlock_check_faults(&study->routing, uses_rings(study) ? &faults : NULL, &study->deadlock,
                                  error) != 0)
        return -1;
    study->report.checked = &study->routing;
    study->report.flow_control = study->flow_control;
    study->report.deadlock = &study->deadlock;
    return 0;
}

/* A machine's topology does without an operand. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the report");
    study->arguments = arguments;
    if ((arguments->operand_count > 0 || arguments->settings.text[REPLAY_TOPOLOGY] == NULL) &&
        replay_arguments_one(arguments, "one topology, such as mesh:8x8", error) != 0)
        return -1;
    replay_stopwatch_start(&study->stopwatch);
    return prepare_topology(study, error) == 0 && prepare_faults(study, error) == 0
               ? prepare_routing(study, error)
               : -1;
}

/* The check fails when there is no proof for the flow control in question. */
static bool is_met(const struct study *study)
{
    const struct net_deadlock_check *check = &study->deadlock;
    bool wormhole = study->flow_control == NET_WORMHOLE;

    return study->report.deadlock == NULL ||
           net_deadlock_free(check, wormhole ? &check->wormhole : &check->cut_through);
}

/* Exact metrics of a large network take a while. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct study *study = answer->content;

    if (measure(study, error) != 0)
        return -1;
    study->report.host = replay_stopwatch_read(&study->stopwatch, 0);
    answer->status = is_met(study) ? BASE_OK : REPLAY_EXIT_UNMET;
    return 0;
}

static void release(void *content)
{
    struct study *study = content;

    net_deadlock_check_free(&study->deadlock);
    net_transfers_free(&study->transfers);
    net_rings_free(&study->before);
    net_rings_free(&study->now);
    net_control_free(&study->control);
    net_faults_free(&study->faults);
    net_metrics_free(&study->metrics);
    if (study->has_routing)
        net_routing_free(&study->routing);
    net_topology_free(study->topology);
    base_arena_free(&study->arena);
    free(study);
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_SVG, write_svg}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_topology_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
