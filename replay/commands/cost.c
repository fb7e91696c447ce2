/* flitreplay cost TOPOLOGY...: what networks cost, side by side.
 *
 *      flitreplay cost mesh:8x8 king-mesh:8x8                             for people
 *      flitreplay cost mesh:8x8 --flit-bytes 4 --technology 22nm --json - for programs
 *      flitreplay cost --router ports=5,bits=64,vcs=2,buffers=4           one router (cost-part.c)
 *
 * Nothing is simulated, and no trace is needed. */
#include <stdlib.h>

#include "replay/commands/cost-part.h"
#include "replay/configurations.h"
#include "replay/machines/physical.h"
#include "replay/machines/units.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/system/host.h"
#include "reports/cost/cost.h"

#define WIDTH 110
#define TECHNOLOGY "45nm" /* as option-texts.def says */

/* What the answer is made of. */
struct study {
    const struct replay_arguments *arguments; /* borrowed */
    const struct net_technology *technology;  /* NULL: none was named */
    struct report_cost_network *networks;     /* one for each topology that was given */
    struct report_cost report;                /* borrows the networks */
    struct base_arena arena;                  /* of all that the answer needs */
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_cost_page(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_cost_json(content, stream, error);
}

static int write_csv(const void *content, FILE *stream, struct base_error *error)
{
    return report_cost_csv(content, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    return report_cost_html(content, stream, error);
}

/* One network after the other, each of them freed before the next. A copy of the settings for each, since a
 * machine's options hold for its own network only. */
static int measure_one(struct study *study, size_t place, struct base_error *error)
{
    const char *text = study->arguments->operands[place];
    struct replay_settings settings;
    struct net_topology *topology = NULL;
    int status = -1;

    if (replay_settings_copy(&settings, &study->arguments->settings, error) == 0 &&
        replay_configuration_set(&settings, text, error) == 0 && replay_units_apply(&settings, error) == 0)
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

/* Metrics of a large network take a while, so the outputs are opened first. Formats are a table: the first that
 * fails ends it. */
static int answer(struct study *study, struct base_error *error)
{
    const struct replay_settings *settings = &study->arguments->settings;
    struct replay_files files = {0};
    const struct {
        size_t place;
        replay_writer *write;
    } forms[] = {{replay_files_add(&files, settings->text[REPLAY_JSON]), write_json},
                 {replay_files_add(&files, settings->text[REPLAY_CSV]), write_csv},
                 {replay_files_add(&files, settings->text[REPLAY_HTML]), write_html}};
    struct replay_stopwatch stopwatch;
    int status = -1;

    replay_stopwatch_start(&stopwatch);
    if (replay_files_open(&files, NULL, error) == 0 && measure(study, error) == 0) {
        study->report.host = replay_stopwatch_read(&stopwatch, 0);
        status = 0;
        for (size_t i = 0; i < sizeof forms / sizeof forms[0] && status == 0; i++)
            status = replay_files_write(&files, forms[i].place, forms[i].write, &study->report, error);
        if (status == 0)
            status =
                replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, &study->report, error);
    }
    replay_files_discard(&files);
    return status == 0 ? BASE_OK : (int)error->status;
}

/* The technology is read first, as each way out needs it. */
int replay_command_cost(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct study study = {.arguments = arguments};
    const char *named = settings->text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = replay_technology(named == NULL ? TECHNOLOGY : named, error);
    int status;

    if (technology == NULL)
        return (int)error->status;
    study.technology = technology;
    if (settings->given[REPLAY_ROUTER] || settings->given[REPLAY_LINK])
        status = replay_command_cost_part(arguments, technology, error);
    else if (arguments->operand_count == 0)
        status = (base_error_set(
                      error, BASE_USAGE,
                      "needs topologies, such as mesh:8x8, or --router ports=5,bits=64,vcs=2,buffers=4"),
                  BASE_USAGE);
    else
        status = answer(&study, error);
    free(study.networks);
    base_arena_free(&study.arena);
    net_technology_free(technology);
    return status;
}
