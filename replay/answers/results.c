/* flitreplay results DB...: what comparisons have stored.
 *
 *      flitreplay results sweep.db                                     what is done, failed and missing
 *      flitreplay results sweep.db --where 'slowdown > 2' --csv -      an export
 *      flitreplay results part1.db part2.db -o sweep.db                the shards of a comparison in one file
 *
 * With --output the rows of all stores go to that one, which may be there already; then its contents are the
 * answer. */
#include "replay/answers/answer.h"
#include "replay/compare/store.h"
#include "reports/comparison/results.h"

/* Wider than other answers: a row has a trace, a network, a routing and a mapping beside its number, and is
 * of little use when it is broken into lines. */
#define WIDTH 110

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_results_text(content, stream, WIDTH, error))
REPLAY_WRITER(write_json, report_results_json(content, stream, error))
REPLAY_WRITER(write_csv, report_results_csv(content, stream, error))

/* A store that is added to itself would wait for its own lock. Each store in a transaction of its own: an error leaves
 * those before it. Rows that are there already are kept or replaced as replay_store_merge says. */
static int merge(const struct replay_arguments *arguments, struct base_error *error)
{
    const char *output = arguments->settings.text[REPLAY_OUTPUT];
    struct replay_store *store;
    int status;

    for (int i = 0; i < arguments->operand_count; i++)
        if (replay_files_are_same(arguments->operands[i], output))
            return base_error_set(
                error, BASE_USAGE,
                "%s is also the --output: name only the other stores; the runs already in it are kept",
                arguments->operands[i]);
    store = replay_store_open(output, error);
    status = store == NULL ? -1 : 0;

    for (int i = 0; status == 0 && i < arguments->operand_count; i++)
        status = replay_store_merge(store, arguments->operands[i], error);
    replay_store_close(store);
    return status;
}

/* One store is read where it is, so that a running comparison can be looked at; several need a place for
 * their rows. Without --output nothing is written to any store. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;

    if (arguments->settings.text[REPLAY_OUTPUT] == NULL)
        return replay_arguments_one(arguments, "one store of results", error);
    return arguments->operand_count > 0
               ? 0
               : base_error_set(error, BASE_USAGE, "needs a store of results, or several with --output");
}

/* The store that is read. */
static const char *input(const struct replay_arguments *arguments)
{
    const char *output = arguments->settings.text[REPLAY_OUTPUT];
    return output == NULL ? arguments->operands[0] : output;
}

/* Whatever condition was given is the store's to understand. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;

    if (settings->text[REPLAY_OUTPUT] != NULL && merge(answer->arguments, error) != 0)
        return -1;
    answer->content = replay_store_read(input(answer->arguments), settings->text[REPLAY_WHERE], error);
    return answer->content == NULL ? -1 : 0;
}

static void release(void *content)
{
    report_results_free(content);
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_CSV, write_csv}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_results_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .input = input,
};
