/* flitreplay topology T: exact properties of a topology, and its picture.
 *
 *      flitreplay topology king-mesh:8x8                   for people
 *      flitreplay topology king-mesh:8x8 --json t.json     for programs
 *      flitreplay topology king-mesh:8x8 --svg t.svg       as a picture, for what has coordinates
 *
 * Nothing is simulated, and no trace is needed. */
#include "netmodel/topology.h"
#include "replay/command.h"
#include "replay/host.h"
#include "reports/topology-picture.h"
#include "reports/topology.h"

#define WIDTH 80

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_topology_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_topology_json(content, stream, error);
}

/* The picture needs the topology alone; what cannot be drawn is refused by it, not here. */
static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_topology *report = content;
    return report_topology_svg(report->topology, stream, error);
}

/* Exact metrics of a large network take a while, so the outputs are opened first. */
static int measure_and_write(const struct replay_arguments *arguments, const struct net_topology *topology,
                             struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t svg = replay_files_add(&files, settings->text[REPLAY_SVG]);
    struct replay_stopwatch stopwatch;
    struct net_metrics metrics = {0};
    struct report_topology report = {
        .topology = topology, .metrics = &metrics, .routing = topology->kind->routing};
    int status = -1;

    replay_stopwatch_start(&stopwatch);
    if (replay_files_open(&files, NULL, error) != 0)
        return (int)error->status;
    if (net_topology_metrics(topology, &metrics, error) == 0) {
        report.host = replay_stopwatch_read(&stopwatch, 0);
        status = replay_files_write(&files, json, write_json, &report, error);
        if (status == 0)
            status = replay_files_write(&files, svg, write_svg, &report, error);
        if (status == 0)
            status = replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, &report, error);
    }
    net_metrics_free(&metrics);
    replay_files_discard(&files);
    return status == 0 ? BASE_OK : (int)error->status;
}

/* The operand is the topology itself: this subcommand has no --topology. */
int replay_command_topology(const struct replay_arguments *arguments, struct base_error *error)
{
    struct net_topology *topology;
    int status;

    if (replay_arguments_one(arguments, "one topology, such as mesh:8x8", error) != 0)
        return BASE_USAGE;
    topology = net_topology_new(arguments->operands[0], error);
    if (topology == NULL)
        return (int)error->status;
    status = measure_and_write(arguments, topology, error);
    net_topology_free(topology);
    return status;
}
