/* flitreplay collective OPERATION: whose algorithm a call would be replayed by, and what it sends.
 *
 *      flitreplay collective allreduce --ranks 16 --bytes 2048                     totals, for people
 *      flitreplay collective bcast --ranks 7 --bytes 1MiB --root 3 --csv -        every message
 *      flitreplay collective bcast --ranks 7 --bytes 1k --collective bcast=chain  by a rule of one's own
 *
 * No trace and no network: this is what `run` takes an operation for, on one communicator. */
#include <stdlib.h>
#include <string.h>

#include "replay/answers/answer.h"
#include "replay/system/host.h"
#include "replay/session/kinds.h"
#include "reports/traces/collective.h"
#include "traces/collectives/rounds.h"

#define WIDTH 80
#define RANKS_MAX 1048576 /* one rank's schedule may have a few steps for each of the others */

/* What the answer is made of. */
struct study {
    struct trace_tuning *tuning;       /* the named table with the user's rules before it; owned */
    struct trace_collective_call call; /* as the options ask for it */
    struct trace_rounds rounds;        /* messages of all ranks, counted */
    struct report_schedule report;     /* what the room of answers is handed */
};

static const struct report_schedule *report_of(const void *content)
{
    const struct study *study = content;
    return &study->report;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_collective_text(report_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_collective_json(report_of(content), stream, error))
REPLAY_WRITER(write_csv, report_collective_csv(report_of(content), stream, error))

/* The others have no rank that stands out, so that --root says nothing of them. */
static bool has_root(enum trace_collective collective)
{
    return collective == TRACE_BCAST || collective == TRACE_REDUCE || collective == TRACE_GATHER ||
           collective == TRACE_GATHERV || collective == TRACE_SCATTER || collective == TRACE_SCATTERV;
}

/* What --bytes counts, as op.bytes in traces/program.h. */
static const char *sizes_of(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_BARRIER:
        return "a barrier has no data";
    case TRACE_BCAST:
    case TRACE_REDUCE:
    case TRACE_ALLREDUCE:
    case TRACE_SCAN:
    case TRACE_EXSCAN:
        return "of the whole buffer";
    case TRACE_ALLTOALL:
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
        return "from each rank to each other";
    default:
        return "of the block of each rank";
    }
}

/* --root and --bytes of an operation that has none are read and do not matter, so that a script can go
 * through all operations alike. */
static int read_call(const struct replay_settings *settings, struct trace_collective_call *call,
                     struct base_error *error)
{
    uint64_t ranks = settings->number[REPLAY_RANKS], root = settings->number[REPLAY_ROOT];

    if (settings->text[REPLAY_RANKS] == NULL)
        return base_error_set(error, BASE_USAGE, "--ranks N is needed: the number of ranks");
    if (ranks > RANKS_MAX)
        return base_error_set(error, BASE_USAGE, "--ranks %s: at most %d here", settings->text[REPLAY_RANKS],
                              RANKS_MAX);
    if (settings->text[REPLAY_BYTES] == NULL && call->collective != TRACE_BARRIER)
        return base_error_set(error, BASE_USAGE, "--bytes N is needed: the bytes %s",
                              sizes_of(call->collective));
    if (root >= ranks)
        return base_error_set(error, BASE_USAGE, "--root %s: the ranks are 0 to %u",
                              settings->text[REPLAY_ROOT], (unsigned)ranks - 1);
    call->ranks = (uint32_t)ranks;
    call->root = has_root(call->collective) ? (uint32_t)root : UINT32_MAX;
    if (call->collective != TRACE_BARRIER)
        call->bytes = settings->number[REPLAY_BYTES];
    return 0;
}

/* The types of the room below become those of the room beside. */
struct relay {
    report_collective_put *put; /* the answer's own */
    void *context;              /* handed to it */
};

/* The report's sink has plain numbers, as it knows no struct of traces/. */
static int relay_message(void *context, const struct trace_round_message *message)
{
    const struct relay *relay = context;
    return relay->put(relay->context, message->rank, message->step, message->destination, message->bytes);
}

/* Called once for each format that lists messages: they are made anew each time, and never held in memory. */
static int each_message(const void *source, report_collective_put *put, void *context,
                        struct base_error *error)
{
    struct relay relay = {put, context};
    return trace_rounds_each(source, relay_message, &relay, error);
}

/* Algorithms are some dozens. */
static const char *summary_of(const char *algorithm)
{
    size_t count;
    const struct trace_algorithm *const *all = trace_algorithms(&count);

    while (count-- > 0)
        if (strcmp(all[count]->name, algorithm) == 0)
            return all[count]->summary;
    return "";
}

/* What the report borrows lives in the study: settings, tuning and rounds outlive the writing. Steps are
 * left out where counting them would have taken too long, except where there are none. Options that bear on
 * nothing here are not in it. */
static void fill(struct study *study, const struct replay_settings *settings)
{
    const struct trace_rounds *rounds = &study->rounds;
    const char *rules = settings->text[REPLAY_COLLECTIVE];

    study->report = (struct report_schedule){
        .operation = trace_collective_name(study->call.collective),
        .sizes = sizes_of(study->call.collective),
        .ranks = study->call.ranks,
        .root = study->call.root != UINT32_MAX ? &study->call.root : NULL,
        .bytes = study->call.bytes,
        .table = study->tuning->name,
        .checked = study->tuning->checked,
        .rules = strcmp(rules, "none") != 0 ? rules : NULL,
        .by_rule = trace_tuning_rule(study->tuning, &study->call) != NULL,
        .algorithm = rounds->algorithm,
        .summary = summary_of(rounds->algorithm),
        .segment_bytes = rounds->segment_bytes,
        .messages = rounds->messages,
        .message_bytes = rounds->bytes,
        .rank_messages_max = rounds->rank_messages_max,
        .rank_bytes_max = rounds->rank_bytes_max,
        .steps = rounds->messages == 0 || rounds->steps != NULL ? &rounds->steps_max : NULL,
        .each = each_message,
        .source = rounds,
    };
}

/* What is wrong with a call is here what the user typed, and no trace's fault. */
static int count(struct study *study, struct base_error *error)
{
    if (trace_rounds_init(&study->rounds, study->tuning, &study->call, error) == 0)
        return 0;
    if (error->status == BASE_INPUT)
        error->status = BASE_USAGE;
    return -1;
}

/* Cheap refusals first; the table of rules may be read from a file. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the messages");
    if (replay_arguments_one(arguments, "one operation, such as allreduce", error) != 0 ||
        trace_collective_find(arguments->operands[0], &study->call.collective, error) != 0 ||
        read_call(&arguments->settings, &study->call, error) != 0)
        return -1;
    study->tuning = replay_tuning(&arguments->settings, error);
    return study->tuning == NULL ? -1 : 0;
}

/* The stopwatch covers the counting, not the writing. No network and no trace: nothing has to be closed. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct study *study = answer->content;
    struct replay_stopwatch stopwatch;

    replay_stopwatch_start(&stopwatch);
    if (count(study, error) != 0)
        return -1;
    fill(study, &answer->arguments->settings);
    study->report.host = replay_stopwatch_read(&stopwatch, 0);
    return 0;
}

static void release(void *content)
{
    struct study *study = content;

    trace_rounds_free(&study->rounds);
    trace_tuning_free(study->tuning);
    free(study);
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_CSV, write_csv}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_collective_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
