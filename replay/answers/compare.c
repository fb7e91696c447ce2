/* flitreplay compare TRACE... --topology A --topology B --routing R ...: all combinations, side by side.
 *
 *      flitreplay compare cg.otf2 --topology mesh:8x8 --topology king-mesh:8x8 --seeds 5 -j 2
 *
 * Options repeat, since commas belong to the parameters of a kind. The order of work is that of `run`: what
 * can be refused is refused first, then the outputs are tried, then the runs are done. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "replay/answers/answer.h"
#include "replay/compare/experiment-file.h"
#include "replay/compare/outlook.h"
#include "replay/compare/plan.h"
#include "replay/compare/queue.h"
#include "replay/compare/store.h"
#include "replay/machines/machine-file.h"
#include "replay/session/kinds.h"
#include "replay/system/world.h"

#define WIDTH 100
/* More parts than anybody has machines; beyond it a slip of the keyboard is likelier. */
#define SHARDS_MAX 1000000

struct work {
    const struct replay_arguments *arguments; /* borrowed */
    struct replay_settings settings;          /* of the command line and of the experiment file */
    struct replay_values values;              /* with those of the experiment file */
    struct replay_plan *plan;
    struct base_input_name experiment; /* no path: none */
    struct replay_store *store;        /* NULL: results are kept in memory */
    uint32_t *todo;
    uint32_t here;                   /* processes on this machine */
    uint32_t todo_count, done_count; /* done: of this invocation, stored ones are not among them */
    uint64_t simulated_ns;           /* of all runs done */
    struct replay_under_way under_way;
    bool is_agreed; /* all processes have the plan */
    bool is_served; /* other processes have been told that there is no more to do */
};

static const struct report_comparison *comparison_of(const void *content)
{
    const struct work *work = content;
    return &work->plan->comparison;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_comparison_text(comparison_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_comparison_json(comparison_of(content), stream, error))
REPLAY_WRITER(write_html, report_comparison_html(comparison_of(content), stream, error))
REPLAY_WRITER(write_csv, report_comparison_csv(comparison_of(content), stream, error))

/* The share of the runs that is done, and the simulated time of all of them, those under way with their
 * parts. */
static void tell_progress(struct work *work)
{
    double done = work->done_count + (double)work->under_way.thousandths / 1000;

    replay_listener_runs(work->arguments, work->done_count, work->todo_count, done / work->todo_count,
                         work->simulated_ns + work->under_way.simulated_ns);
}

/* The queue's: called with no other of its calls at the same time. */
static void take_under_way(void *context, const struct replay_under_way *under_way)
{
    struct work *work = context;

    work->under_way = *under_way;
    tell_progress(work);
}

/* An outcome is stored where the report looks for it, and on disk before that; the bar counts runs. What was
 * cut short is in the report alone: it has still to be done. The store comes first: what is in the report has been
 * saved. */
static int take_outcome(void *context, uint32_t number, const struct report_outcome *outcome,
                        struct base_error *error)
{
    struct work *work = context;

    if (outcome->state == REPORT_PARTIAL) {
        work->plan->comparison.outcomes[number] = *outcome;
        return 0;
    }
    if (work->store != NULL && replay_store_put(work->store, work->plan, number, outcome, error) != 0)
        return -1;
    work->plan->comparison.outcomes[number] = *outcome;
    work->done_count++;
    work->simulated_ns += outcome->numbers.simulated_ns;
    tell_progress(work);
    return 0;
}

/* "I/N", I from 1 to N. 1/1 is all of it, and needs no store. */
static int read_shard(struct report_comparison *comparison, const struct replay_settings *settings,
                      struct base_error *error)
{
    const char *text = settings->text[REPLAY_SHARD], *slash = strchr(text, '/');
    char part[BASE_UNITS_TEXT];
    uint64_t shard = 0, shards = 0;

    snprintf(part, sizeof part, "%.*s", slash == NULL ? 0 : (int)(slash - text), text);
    if (slash == NULL || base_parse_unsigned(part, SHARDS_MAX, &shard) != 0 ||
        base_parse_unsigned(slash + 1, SHARDS_MAX, &shards) != 0 || shard < 1 || shard > shards)
        return base_error_set(error, BASE_USAGE, "--shard %s: needs I/N, with I from 1 to N and N up to %d",
                              text, SHARDS_MAX);
    if (shards > 1 && settings->text[REPLAY_RESULTS] == NULL)
        return base_error_set(error, BASE_USAGE,
                              "--shard %s needs --results: a part is useful only together with the others",
                              text);
    comparison->shard = (uint32_t)shard;
    comparison->shards = (uint32_t)shards;
    return 0;
}

/* Everything of this shard that is neither left out nor there already. Every N-th run that is to be done belongs
 * to a shard, whether it is finished or not: so shards never overlap, whenever they were started. */
static int list_work(struct work *work, struct base_error *error)
{
    const struct report_comparison *comparison = &work->plan->comparison;
    uint32_t places = report_comparison_places(comparison), run = 0;

    work->todo = malloc((places + (size_t)1) * sizeof *work->todo);
    if (work->todo == NULL)
        return base_error_memory(error, "the list of runs");
    for (uint32_t number = 0; number < places; number++) {
        uint32_t state = comparison->outcomes[number].state;
        if (state == REPORT_LEFT_OUT || state == REPORT_REPEATED)
            continue;
        if (run++ % comparison->shards + 1 == comparison->shard && state == REPORT_MISSING)
            work->todo[work->todo_count++] = number;
    }
    return 0;
}

/* Of what is left to be done. The other processes wait meanwhile, and on refusal (dismiss). */
static int expect(const struct work *work, struct base_error *error)
{
    const struct replay_watch watch = replay_listener_watch(work->arguments);
    const struct replay_todo todo = {work->todo, work->todo_count,
                                     (uint32_t)work->settings.number[REPLAY_THREADS],
                                     replay_world_size(work->arguments->world), work->here};

    return replay_plan_expect(work->plan, &todo, &watch, error);
}

/* The work may be stopped while the queue works. What was finished by then is kept, in the report and
 * in the store; the report says that it is a part. Without work there is no queue, but the other processes must be
 * told so all the same. */
static int run_all(struct work *work, struct base_error *error)
{
    const struct replay_settings *settings = &work->settings;
    struct replay_queue queue = {.plan = work->plan,
                                 .world = work->arguments->world,
                                 .threads = (uint32_t)settings->number[REPLAY_THREADS],
                                 .finished = take_outcome,
                                 .moved = take_under_way,
                                 .context = work};
    int status;

    if (list_work(work, error) != 0)
        return -1;
    queue.todo = work->todo;
    queue.count = work->todo_count;
    replay_listener_begin(work->arguments);
    queue.stop = replay_listener_stop(work->arguments);
    status = expect(work, error);
    if (status == 0) {
        if (work->todo_count > 0)
            tell_progress(work); /* so that there is a bar before the first run ends */
        status = replay_queue_run(&queue, error);
        work->is_served = true;
    }
    replay_listener_end(work->arguments);
    /* Another process may have been interrupted, and not this one. */
    work->plan->comparison.interrupted = work->done_count < work->todo_count;
    return status;
}

/* What was asked for holds unless a run failed, or, with --strict, a record was not replayed as it is. */
static int judge(struct replay_answer *answer, const struct work *work, struct base_error *error)
{
    const struct report_comparison *comparison = &work->plan->comparison;
    bool is_approximated = false;

    for (uint32_t i = 0; i < report_comparison_places(comparison); i++)
        is_approximated |=
            comparison->outcomes[i].state == REPORT_DONE && comparison->outcomes[i].numbers.approximated != 0;
    if (report_comparison_count(comparison, REPORT_FAILED) > 0)
        answer->status = REPLAY_EXIT_UNMET;
    if (!work->settings.given[REPLAY_STRICT] || !is_approximated)
        return 0;
    answer->status = REPLAY_EXIT_UNMET;
    return replay_answer_note(answer, error,
                              "flitreplay compare: --strict: records of a trace are approximated or ignored; "
                              "flitreplay info --coverage shows which");
}

/* What is finished already is read before anything runs. */
static int open_store(struct work *work, struct base_error *error)
{
    const char *path = work->settings.text[REPLAY_RESULTS];

    if (path == NULL)
        return 0;
    work->store = replay_store_open(path, error);
    return work->store == NULL ? -1 : replay_store_load(work->store, work->plan, error);
}

/* The digest is kept: the file is an input of the answer. */
static int read_experiment(struct work *work, struct replay_values *values, const char *path,
                           struct base_error *error)
{
    struct base_input input;
    int status;

    if (base_input_open(&input, path) != 0)
        return base_error_system(error, errno, "%s", path);
    work->experiment.path = path;
    memcpy(work->experiment.digest, input.digest, sizeof input.digest);
    status = replay_experiment_read(&input, values, &work->settings, error);
    base_input_close(&input);
    return status;
}

/* Machines without a topology beside them are compared each on its own: a level of --topology with the machine's
 * options. With topologies a machine is an option of these. "TOPOLOGY;machine=NAME" is one value of --topology,
 * which the plan takes apart again. */
static int spread_machines(struct work *work, struct replay_values *values, struct base_error *error)
{
    struct replay_values_row *row = &values->option[REPLAY_MACHINE];
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < row->count; i++) {
        struct replay_machine_file machine = {0};
        const char *topology = NULL;
        status = replay_machine_read(&machine, row->value[i], replay_check_name, error);
        if (status == 0 && machine.option[REPLAY_TOPOLOGY] == NULL)
            status = base_error_set(error, BASE_USAGE, "--machine %s says no topology; give --topology",
                                    row->value[i]);
        if (status == 0)
            topology = base_arena_format(&values->arena, "%s;machine=%s", machine.option[REPLAY_TOPOLOGY],
                                         row->value[i]);
        if (status == 0 && topology == NULL)
            status = base_error_memory(error, "the machines");
        if (status == 0 && (replay_settings_set(&work->settings, REPLAY_TOPOLOGY, topology, error) != 0 ||
                            replay_values_add(values, REPLAY_TOPOLOGY, topology, error) != 0))
            status = -1;
        replay_machine_free(&machine);
    }
    row->count = 0;
    return status == 0 ? replay_settings_set(&work->settings, REPLAY_MACHINE, "none", error) : -1;
}

/* What was given, as lists that this command may add to; the experiment file comes last, since what the
 * command line says takes the place of what the file does. Refusals are in the order in which a user would mend
 * them. */
static int collect(struct work *work, struct base_error *error)
{
    const struct replay_arguments *arguments = work->arguments;
    struct replay_values *values = &work->values;
    const char *experiment = arguments->settings.text[REPLAY_EXPERIMENT];

    if (replay_settings_copy(&work->settings, &arguments->settings, error) != 0)
        return -1;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        for (uint32_t i = 0; i < arguments->values.option[option].count; i++)
            if (replay_values_add(values, option, arguments->values.option[option].value[i], error) != 0)
                return -1;
    for (int i = 0; i < arguments->operand_count; i++)
        if (replay_values_add_trace(values, arguments->operands[i], error) != 0)
            return -1;
    if (experiment != NULL && read_experiment(work, values, experiment, error) != 0)
        return -1;
    if (values->traces.count == 0)
        return base_error_set(error, BASE_USAGE, "needs a trace, or several");
    if (values->option[REPLAY_TOPOLOGY].count == 0 && values->option[REPLAY_MACHINE].count > 0 &&
        spread_machines(work, values, error) != 0)
        return -1;
    if (values->option[REPLAY_TOPOLOGY].count == 0)
        return base_error_set(error, BASE_USAGE,
                              "needs networks: --topology mesh:8x8 --topology torus:8x8, for example");
    return 0;
}

/* Where something fails before the runs the other processes wait for them all the same. */
static void dismiss(const struct work *work)
{
    const struct replay_queue nothing = {.plan = work->plan, .world = work->arguments->world};
    struct base_error ignored = {0};

    if (!work->is_served && replay_world_size(work->arguments->world) > 1)
        replay_queue_run(&nothing, &ignored);
}

/* As it was typed: what an experiment file adds to it stands in the page anyway. */
static int set_command(struct report_comparison *comparison, const struct replay_arguments *arguments,
                       struct base_error *error)
{
    comparison->command = replay_arguments_text(arguments, &comparison->arena);
    return comparison->command == NULL ? base_error_memory(error, "the command line") : 0;
}

/* A plan that is complete, with its shard. In every process of several: they must agree on the plan before any of them
 * works. */
static int make_plan(struct work *work, struct base_error *error)
{
    if (collect(work, error) != 0)
        return -1;
    work->plan = replay_plan_new(&work->values, &work->settings, error);
    if (work->plan == NULL || set_command(&work->plan->comparison, work->arguments, error) != 0)
        return -1;
    if (report_inputs_add(&work->plan->comparison.experiment, &work->plan->comparison.arena,
                          replay_option_row(REPLAY_EXPERIMENT)->name, &work->experiment) != 0)
        return base_error_memory(error, "the inputs");
    return read_shard(&work->plan->comparison, &work->settings, error);
}

/* All processes come here, and agree or fail together. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    struct work *work = calloc(1, sizeof *work);
    int status;

    answer->content = work;
    answer->is_silent = replay_world_rank(answer->arguments->world) != 0;
    if (work == NULL) {
        base_error_memory(error, "the comparison");
        return replay_queue_agree(answer->arguments->world, NULL, NULL, error);
    }
    work->arguments = answer->arguments;
    status = make_plan(work, error);
    status =
        replay_queue_agree(answer->arguments->world, status == 0 ? work->plan : NULL, &work->here, error);
    work->is_agreed = status == 0;
    return status;
}

/* The outputs were tried before the store is opened, and the store is before anything runs: a wrong path costs no
 * time. Rank 0 keeps the store and has the answer; the others have none. */
static int work_out(struct replay_answer *answer, struct base_error *error)
{
    struct work *work = answer->content;

    if (answer->is_silent) {
        replay_listener_begin(answer->arguments);
        replay_queue_join(answer->arguments->world, work->plan,
                          (uint32_t)work->settings.number[REPLAY_THREADS],
                          replay_listener_stop(answer->arguments));
        replay_listener_end(answer->arguments);
        return 0;
    }
    if (open_store(work, error) != 0 || run_all(work, error) != 0 || judge(answer, work, error) != 0)
        return -1;
    if (work->plan->comparison.interrupted)
        answer->status = BASE_INTERRUPTED;
    return 0;
}

/* Where something fails before the runs the other processes wait for them all the same. The store is closed last but
 * for memory: its log is taken into the file then. */
static void release(void *content)
{
    struct work *work = content;

    if (work->is_agreed && replay_world_rank(work->arguments->world) == 0)
        dismiss(work);
    replay_store_close(work->store);
    free(work->todo);
    replay_plan_free(work->plan);
    replay_values_free(&work->values);
    replay_settings_free(&work->settings);
    free(work);
}

static const char *input(const struct replay_arguments *arguments)
{
    return arguments->settings.text[REPLAY_RESULTS];
}

static const struct replay_form forms[] = {{REPLAY_JSON, write_json},
                                           {REPLAY_CSV, write_csv},
                                           {REPLAY_HTML, write_html},
                                           {REPLAY_OPTIONS, write_text},
                                           REPLAY_FORMS_END};

const struct replay_answer_kind replay_compare_answer = {
    .prepare = prepare,
    .work = work_out,
    .release = release,
    .forms = forms,
    .input = input,
};
