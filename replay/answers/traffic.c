/* flitreplay traffic --topology T --load L,…: synthetic traffic on a network, or on several.
 *
 *      flitreplay traffic --topology torus:8x8 --load 0.1,0.3                two points
 *      flitreplay traffic --topology torus:8x8 --load 0.05:0.6:0.05 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --saturation                  where does it end?
 *      flitreplay traffic --topology darm:4x4x4 --topology manhattan:8x8 --load 0.1:1:0.1 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --routing dor --routing valiant --load 0.1:1:0.1 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --pattern tornado --load 0.2 --seeds 5 -j 2
 *
 * What can be refused is refused before anything runs, and the outputs are opened before the first point
 * (replay/traffic/sweep.h). */
#include <config.h>

#include <inttypes.h>

#include "replay/answers/answer.h"
#include "replay/traffic/sweep.h"

#define WIDTH 100

static const struct report_traffic *report_of(const void *content)
{
    return replay_sweep_report(content);
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_traffic_text(report_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_traffic_json(report_of(content), stream, error))
REPLAY_WRITER(write_csv, report_traffic_csv(report_of(content), stream, error))
REPLAY_WRITER(write_html, report_traffic_html(report_of(content), stream, error))
REPLAY_WRITER(write_svg, report_traffic_svg(report_of(content), stream, error))

/* What is given so many times, or once by default or by a machine. */
static struct replay_sweep_values values_of(const struct replay_arguments *arguments,
                                            enum replay_option option)
{
    const struct replay_values_row *given = &arguments->values.option[option];

    return given->count > 0 ? (struct replay_sweep_values){(const char *const *)given->value, given->count}
                            : (struct replay_sweep_values){&arguments->settings.text[option], 1};
}

/* The networks are each --topology with each --routing. NULL: what the sweep refuses, or memory. */
static struct replay_sweep *new_sweep(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_sweep_values topologies = values_of(arguments, REPLAY_TOPOLOGY);
    const struct replay_sweep_values routings = values_of(arguments, REPLAY_ROUTING);
    struct base_arena arena = {0};
    const char *command = replay_arguments_text(arguments, &arena);
    struct replay_sweep *sweep = NULL;

    if (command == NULL)
        base_error_memory(error, "the command line");
    else
        sweep = replay_sweep_new(&arguments->settings, &topologies, &routings, command, error);
    base_arena_free(&arena);
    return sweep;
}

/* Options alone: there is no trace to name. */
static int check_networks(const struct replay_arguments *arguments, struct base_error *error)
{
    uint32_t count = arguments->values.option[REPLAY_TOPOLOGY].count;

    if (arguments->operand_count > 0)
        return base_error_set(error, BASE_USAGE, "takes no operand; '%s' is one too many",
                              arguments->operands[0]);
    if (count == 0 && arguments->settings.text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology torus:8x8, for example");
    if (arguments->values.option[REPLAY_ROUTING].count > 1)
        count = (count == 0 ? 1 : count) * arguments->values.option[REPLAY_ROUTING].count;
    if (count > REPORT_TRAFFIC_NETWORKS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "takes at most %d networks, as many as a picture has colours, not %" PRIu32,
                              REPORT_TRAFFIC_NETWORKS_MAX, count);
    return 0;
}

static int prepare(struct replay_answer *answer, struct base_error *error)
{
    if (check_networks(answer->arguments, error) != 0)
        return -1;
    answer->content = new_sweep(answer->arguments, error);
    return answer->content == NULL ? -1 : 0;
}

/* What was measured before an interrupt is written; the status says that it is a part. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_watch watch = replay_listener_watch(answer->arguments);
    int status;

    replay_listener_begin(answer->arguments);
    status = replay_sweep_run(answer->content, &watch, error);
    replay_listener_end(answer->arguments);
    if (status == 0 && replay_sweep_was_interrupted(answer->content))
        answer->status = BASE_INTERRUPTED;
    return status;
}

static void release(void *content)
{
    replay_sweep_free(content);
}

static const struct replay_form forms[] = {{REPLAY_JSON, write_json},    {REPLAY_CSV, write_csv},
                                           {REPLAY_SVG, write_svg},      {REPLAY_HTML, write_html},
                                           {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_traffic_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
