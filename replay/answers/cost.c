/* flitreplay cost TOPOLOGY...: what networks cost, side by side.
 *
 *      flitreplay cost mesh:8x8 king-mesh:8x8                             for people
 *      flitreplay cost mesh:8x8 --flit-bytes 4 --technology 22nm --json - for programs
 *      flitreplay cost --router ports=5,bits=64,vcs=2,buffers=4           one router (cost-part.c)
 *
 * Nothing is simulated, and no trace is needed. */
#include <stdlib.h>

#include "replay/answers/answer.h"
#include "replay/answers/cost-part.h"
#include "replay/configurations.h"
#include "replay/machines/physical.h"
#include "replay/machines/units.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/kinds.h"
#include "replay/system/host.h"
#include "reports/cost/cost.h"

#define WIDTH 110

/* What the answer is made of. */
struct study {
    const struct replay_arguments *arguments; /* borrowed */
    struct net_technology *technology;        /* owned */
    struct report_cost_network *networks;     /* one for each topology that was given */
    struct report_cost report;                /* borrows the networks */
    struct base_arena arena;                  /* of all that the answer needs */
    struct replay_stopwatch stopwatch;
};

static const struct report_cost *report_of(const void *content)
{
    const struct study *study = content;
    return &study->report;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_cost_page(report_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_cost_json(report_of(content), stream, error))
REPLAY_WRITER(write_csv, report_cost_csv(report_of(content), stream, error))
REPLAY_WRITER(write_html, report_cost_html(report_of(content), stream, error))

/* One network after the other, each of them freed before the next. A copy of the settings for each, since a
 * machine's options hold for its own network only. */
static int measure_one(struct study *study, size_t place, struct base_error *error)
{
    const char *text = study->arguments->operands[place];
    struct replay_settings settings;
    struct net_topology *topology = NULL;
    int status = -1;

    if (replay_settings_copy(&settings, &study->arguments->settings, error) == 0 &&
        replay_configuration_set(&settings, text, error) == 0 &&
        replay_units_apply(&settings, replay_check_name, error) == 0)
        topology = replay_topology_new(settings.text[REPLAY_TOPOLOGY], &settings, error);
    if (topology == NULL) {
        replay_settings_free(&settings);
        return -1;
    }
    if (replay_inputs_used(&study->report.inputs, &study->arena, topology, NULL, NULL, NULL) != 0)
        base_error_memory(error, "the inputs");
    else
        status = replay_network_costs(topology, &settings, study->technology, &study->arena,
                                      &study->networks[place], error) != 0
                     ? -1
                     : replay_physical_of(topology, &settings, &study->arena,
                                          &study->networks[place].physical, error);
    net_topology_free(topology);
    replay_settings_free(&settings);
    return status;
}

/* In the order of the operands. */
static int measure(struct study *study, struct base_error *error)
{
    const struct replay_settings *settings = &study->arguments->settings;
    size_t count = (size_t)study->arguments->operand_count;

    study->networks = calloc(count, sizeof *study->networks);
    if (study->networks == NULL ||
        replay_technology_used(&study->report.inputs, &study->arena, study->technology) != 0)
        return base_error_memory(error, "the costs");
    study->report.networks = study->networks;
    study->report.count = count;
    study->report.technology = study->technology;
    study->report.clock_khz = settings->number[REPLAY_CLOCK_GHZ];
    study->report.racks = settings->text[REPLAY_RACK];
    study->report.pitch_mm = 1e-6 * (double)settings->number[REPLAY_PITCH_MM];
    study->report.command = replay_arguments_text(study->arguments, &study->arena);
    for (size_t i = 0; i < count; i++)
        if (measure_one(study, i, error) != 0)
            return -1;
    return 0;
}

/* The technology is read first, as each way out needs it. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    const char *named = arguments->settings.text[REPLAY_TECHNOLOGY];
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the costs");
    study->arguments = arguments;
    study->technology = replay_technology(named == NULL ? REPLAY_COST_TECHNOLOGY : named, error);
    if (study->technology == NULL)
        return -1;
    replay_stopwatch_start(&study->stopwatch);
    return arguments->operand_count > 0
               ? 0
               : base_error_set(
                     error, BASE_USAGE,
                     "needs topologies, such as mesh:8x8, or --router ports=5,bits=64,vcs=2,buffers=4");
}

/* Metrics of a large network take a while. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct study *study = answer->content;

    if (measure(study, error) != 0)
        return -1;
    study->report.host = replay_stopwatch_read(&study->stopwatch, 0);
    return 0;
}

static void release(void *content)
{
    struct study *study = content;

    free(study->networks);
    base_arena_free(&study->arena);
    net_technology_free(study->technology);
    free(study);
}

static const struct replay_form forms[] = {{REPLAY_JSON, write_json},
                                           {REPLAY_CSV, write_csv},
                                           {REPLAY_HTML, write_html},
                                           {REPLAY_OPTIONS, write_text},
                                           REPLAY_FORMS_END};

const struct replay_answer_kind replay_cost_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
