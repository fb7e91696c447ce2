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

#include <stdlib.h>

#include "mappers/formats/map-file.h"
#include "replay/answers/answer.h"
#include "replay/session/costs.h"
#include "replay/mapping/mapping.h"
#include "replay/session/setup.h"
#include "reports/placement/placement.h"

#define WIDTH 80

/* What is written, and by which options. */
struct study {
    const struct replay_settings *settings; /* borrowed */
    struct net_topology *topology;          /* owned, as what follows */
    struct replay_setup setup;
    struct replay_mapping *mapping;
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;
    return report_placement_text(replay_mapping_report(study->mapping), stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;
    return report_placement_json(replay_mapping_report(study->mapping), stream, error);
}

static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;
    return replay_mapping_svg(study->mapping, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;
    return replay_mapping_html(study->mapping, stream, error);
}

/* In the format that was named, or the one of the file's name. */
static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;
    const char *format = study->settings->text[REPLAY_FORMAT];

    if (format == NULL)
        format = map_format_of_path(
                     study->settings->text[REPLAY_OUTPUT] == NULL ? "" : study->settings->text[REPLAY_OUTPUT])
                     ->name;
    return replay_mapping_write(study->mapping, format, stream, error);
}

/* A wrong format must not cost the result of hours either. */
static int check_format(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    const char *format = settings->text[REPLAY_FORMAT];

    if (format == NULL)
        return 0;
    if (!replay_answer_expects(arguments, REPLAY_OUTPUT))
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

/* The trace's or the graph's file. -1: there is none, or more than one. */
static int check_source(const struct replay_arguments *arguments, struct base_error *error)
{
    const char *graph = arguments->settings.text[REPLAY_GRAPH];

    if (graph == NULL)
        return replay_arguments_one(arguments, "one trace, or --graph CSV", error);
    if (arguments->operand_count > 0)
        return base_error_set(error, BASE_USAGE, "map takes a trace or --graph, not both: %s and %s",
                              arguments->operands[0], graph);
    return 0;
}

/* After check_source. */
static const char *source_of(const struct replay_arguments *arguments)
{
    const char *graph = arguments->settings.text[REPLAY_GRAPH];
    return graph == NULL ? arguments->operands[0] : graph;
}

/* What can be refused is, before the trace is read: formats, kinds, the topology and its routing. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the placement");
    study->settings = settings;
    if (check_source(answer->arguments, error) != 0)
        return -1;
    if (settings->text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
    if (check_format(answer->arguments, error) != 0 || check_part(settings, error) != 0)
        return -1;
    study->topology = replay_topology_new(settings->text[REPLAY_TOPOLOGY], settings, error);
    return study->topology == NULL
               ? -1
               : replay_setup_init(&study->setup, REPLAY_TO_MAP, study->topology, settings, error);
}

/* A search may be stopped. How long it takes nobody knows beforehand, so that there is no share of it. */
static struct replay_mapping *place(const struct replay_arguments *arguments, const struct study *study,
                                    struct base_error *error)
{
    struct replay_watch watch = replay_listener_watch(arguments);
    struct replay_mapping *mapping;

    replay_listener_begin(arguments);
    replay_listener_progress(arguments, "placing the ranks", 0, 0);
    watch.progress = NULL;
    mapping = replay_mapping_new(&study->setup, source_of(arguments), &watch, error);
    replay_listener_end(arguments);
    return mapping;
}

/* The words that asked for it, for pages. */
static int set_command(const struct replay_arguments *arguments, const struct study *study,
                       struct base_error *error)
{
    struct base_arena arena = {0};
    const char *command = replay_arguments_text(arguments, &arena);
    int status = command == NULL ? base_error_memory(error, "the command line")
                                 : replay_mapping_set_command(study->mapping, command, error);

    base_arena_free(&arena);
    return status;
}

/* After an interruption the best map so far is written: it is one like any other. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    const struct report_coverage *coverage;
    struct study *study = answer->content;
    uint32_t count;

    study->mapping = place(answer->arguments, study, error);
    if (study->mapping == NULL || set_command(answer->arguments, study, error) != 0)
        return -1;
    coverage = replay_mapping_coverage(study->mapping, &count);
    if (replay_answer_strict(answer, source_of(answer->arguments), coverage, count, error) != 0)
        return -1;
    if (replay_mapping_report(study->mapping)->interrupted)
        answer->status = BASE_INTERRUPTED;
    return 0;
}

static void release(void *content)
{
    struct study *study = content;

    replay_mapping_free(study->mapping);
    replay_setup_free(&study->setup);
    net_topology_free(study->topology);
    free(study);
}

/* The placement is written first: it is what was asked for. */
static const struct replay_form forms[] = {{REPLAY_OUTPUT, write_placement}, {REPLAY_JSON, write_json},
                                           {REPLAY_SVG, write_svg},          {REPLAY_HTML, write_html},
                                           {REPLAY_OPTIONS, write_text},     REPLAY_FORMS_END};

const struct replay_answer_kind replay_map_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .input = source_of,
};
