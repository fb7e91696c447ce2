/* Subcommands whose answers are kinds (replay/answers/answer.h), with the program's bar and signals as the listener. */
#include <config.h>

#include <stdio.h>

#include "replay/commands/command.h"
#include "replay/commands/progress.h"

/* Who listens to the work: the bar, which lives as long as the subcommand. */
struct ear {
    struct replay_progress progress;
    const struct replay_arguments *arguments;
};

static void begin(void *context)
{
    struct ear *ear = context;

    replay_progress_start(&ear->progress, ear->arguments->signals,
                          ear->arguments->settings.given[REPLAY_QUIET]);
}

static void end(void *context)
{
    struct ear *ear = context;
    replay_progress_end(&ear->progress);
}

static void progress(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct ear *ear = context;
    ear->progress.watch.progress(ear->progress.watch.context, what, thousandths, simulated_ns);
}

/* Notes are told last: the answer has been written by then, and the status tells scripts. */
int replay_command_answer(const struct replay_arguments *arguments, struct base_error *error)
{
    struct ear ear = {.arguments = arguments};
    const struct replay_listener listener = {begin, end, progress, &ear, &arguments->signals->stop};
    struct replay_arguments heard = *arguments;
    struct replay_answer answer = {0};
    int status;

    heard.listener = &listener;
    status = replay_answer_to_files(&answer, &heard, true, error);
    if (answer.notes != NULL && status <= REPLAY_EXIT_UNMET)
        fputs(answer.notes, stderr);
    replay_answer_free(&answer);
    return status;
}

/* For subcommands that print for themselves. */
int replay_strict(const struct replay_arguments *arguments, const char *trace,
                  const struct report_coverage *rows, uint32_t count)
{
    struct replay_answer answer = {.arguments = arguments};
    struct base_error error;
    int status =
        replay_answer_strict(&answer, trace, rows, count, &error) != 0 ? (int)error.status : answer.status;

    if (answer.notes != NULL)
        fputs(answer.notes, stderr);
    base_arena_free(&answer.arena);
    return status;
}
