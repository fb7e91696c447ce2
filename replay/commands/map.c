/* flitreplay map: a placement of ranks, and what it costs, beside the identity.
 *
 *      flitreplay map TRACE --topology T --mapping M -o FILE          ranks of a trace, collectives expanded
 *      flitreplay map --graph CSV --topology T --mapping M -o FILE    ranks of any communication graph
 *
 * The trace is replayed on both placements, and on no network at all, so that costs stand beside times;
 * --static leaves that out, and a graph from a file cannot be replayed. The file can be given to `run` as
 * --mapping file:FILE, edited, or made by another program: it is text, or one of the formats of
 * mappers/formats/formats.def (--format). */
#include <config.h>

#include "mappers/formats/map-file.h"
#include "replay/commands/command.h"
#include "replay/commands/progress.h"
#include "replay/session/costs.h"
#include "replay/mapping/mapping.h"
#include "replay/session/setup.h"
#include "reports/placement/placement.h"

#define WIDTH 80

/* What is written, and by which options. */
struct answer {
    const struct replay_settings *settings; /* of the command line */
    struct replay_mapping *mapping;
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    return report_placement_text(replay_mapping_report(answer->mapping), stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    return report_placement_json(replay_mapping_report(answer->mapping), stream, error);
}

static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    return replay_mapping_svg(answer->mapping, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    return replay_mapping_html(answer->mapping, stream, error);
}

/* In the format that was named, or the one of the file's name. */
static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    const char *format = answer->settings->text[REPLAY_FORMAT];

    if (format == NULL)
        format = map_format_of_path(answer->settings->text[REPLAY_OUTPUT])->name;
    return replay_mapping_write(answer->mapping, format, stream, error);
}

/* A wrong format must not cost the result of hours either. */
static int check_format(const struct replay_settings *settings, struct base_error *error)
{
    const char *format = settings->text[REPLAY_FORMAT];

    if (format == NULL)
        return 0;
    if (settings->text[REPLAY_OUTPUT] == NULL)
        return base_error_set(error, BASE_USAGE, "--format %s needs a placement to write: -o FILE", format);
    return map_format_find(format, error) == NULL ? -1 : 0;
}

/* A graph has no time that a part of it could be of. */
static int check_part(const struct replay_settings *settings, struct base_error *error)
{
    static const enum replay_option of_traces[] = {REPLAY_FROM, REPLAY_TO};

    for (size_t i = 0; i < sizeof of_traces / sizeof *of_traces; i++)
        if (settings->given[REPLAY_GRAPH] && settings->given[of_traces[i]])
            return base_error_set(error, BASE_USAGE, "--%s applies to a trace, not to --graph",
                                  replay_option_row(of_traces[i])->name);
    return 0;
}

/* A search may be stopped. How long it takes nobody knows beforehand, so that there is no bar. */
static struct replay_mapping *place(const struct replay_arguments *arguments,
                                    const struct replay_setup *setup, const char *source,
                                    struct base_error *error)
{
    struct replay_progress progress;
    struct replay_mapping *mapping;

    replay_progress_start(&progress, arguments->signals, true);
    progress.watch.progress(progress.watch.context, "placing the ranks", 0, 0);
    progress.watch.progress = NULL;
    mapping = replay_mapping_new(setup, source, &progress.watch, error);
    replay_progress_end(&progress);
    return mapping;
}

/* What is told of the answer beside its files: -1, or a status. */
static int judge(const struct replay_arguments *arguments, const char *source,
                 const struct replay_mapping *mapping, struct base_error *error)
{
    uint32_t count;
    const struct report_coverage *coverage = replay_mapping_coverage(mapping, &count);
    int status = replay_strict(arguments, source, coverage, count);

    return replay_mapping_report(mapping)->interrupted ? replay_progress_interrupted(error) : status;
}

/* The placement is written first: it is what was asked for. All outputs are opened before anything is
 * searched: a path that cannot be written must not cost the result of hours. After an interruption the best map so
 * far is written: it is one like any other. */
static int place_and_write(const struct replay_arguments *arguments, const struct replay_setup *setup,
                           const char *source, const char *command, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct answer answer = {.settings = settings};
    struct replay_files files = {0};
    size_t output = replay_files_add(&files, settings->text[REPLAY_OUTPUT]);
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t svg = replay_files_add(&files, settings->text[REPLAY_SVG]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    int status = -1;

    if (replay_files_open(&files, source, error) != 0)
        return (int)error->status;
    answer.mapping = place(arguments, setup, source, error);
    if (answer.mapping != NULL && replay_mapping_set_command(answer.mapping, command, error) == 0 &&
        replay_files_write(&files, output, write_placement, &answer, error) == 0 &&
        replay_files_write(&files, json, write_json, &answer, error) == 0 &&
        replay_files_write(&files, svg, write_svg, &answer, error) == 0 &&
        replay_files_write(&files, html, write_html, &answer, error) == 0 &&
        replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, &answer, error) == 0)
        status = judge(arguments, source, answer.mapping, error);
    replay_files_discard(&files);
    replay_mapping_free(answer.mapping);
    return status < 0 ? (int)error->status : status;
}

/* The trace's or the graph's file; NULL when there is none, or more than one. */
static const char *source_of(const struct replay_arguments *arguments, struct base_error *error)
{
    const char *graph = arguments->settings.text[REPLAY_GRAPH];

    if (graph == NULL)
        return replay_arguments_one(arguments, "one trace, or --graph CSV", error) == 0
                   ? arguments->operands[0]
                   : NULL;
    if (arguments->operand_count > 0) {
        base_error_set(error, BASE_USAGE, "map takes a trace or --graph, not both: %s and %s",
                       arguments->operands[0], graph);
        return NULL;
    }
    return graph;
}

/* What can be refused is, before the trace is read: formats, kinds, the topology and its routing. */
static int map(const struct replay_arguments *arguments, const char *source, const char *command,
               struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct net_topology *topology = NULL;
    struct replay_setup setup = {0};
    int status;

    if (check_format(settings, error) == 0 && check_part(settings, error) == 0)
        topology = replay_topology_new(settings->text[REPLAY_TOPOLOGY], settings, error);
    status = topology != NULL && replay_setup_init(&setup, REPLAY_TO_MAP, topology, settings, error) == 0
                 ? place_and_write(arguments, &setup, source, command, error)
                 : (int)error->status;
    replay_setup_free(&setup);
    net_topology_free(topology);
    return status;
}

int replay_command_map(const struct replay_arguments *arguments, struct base_error *error)
{
    const char *source = source_of(arguments, error);
    struct base_arena arena = {0};
    const char *command;
    int status;

    if (source == NULL)
        return BASE_USAGE;
    if (arguments->settings.text[REPLAY_TOPOLOGY] == NULL) {
        base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
        return BASE_USAGE;
    }
    command = replay_arguments_text(arguments, &arena);
    if (command == NULL)
        base_error_memory(error, "the command line");
    status = command == NULL ? (int)error->status : map(arguments, source, command, error);
    base_arena_free(&arena);
    return status;
}
