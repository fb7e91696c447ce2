/* What a subcommand asks, with the program's bar and signals as the listener. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "replay/commands/command.h"
#include "replay/commands/progress.h"
#include "replay/system/world.h"
#include "reports/pages/clean.h"

/* Who listens to the work: the bar, which lives as long as the subcommand. */
struct ear {
    struct replay_progress progress;
    struct replay_signals *signals;
    bool is_quiet;
};

/* Of several processes rank 0 speaks for all. */
static void tell_nothing(void *context)
{
    (void)context;
}

static void begin(void *context)
{
    struct ear *ear = context;

    if (replay_world_rank() != 0)
        replay_signals_attend(ear->signals, tell_nothing, NULL);
    else
        replay_progress_start(&ear->progress, ear->signals, ear->is_quiet);
}

static void end(void *context)
{
    struct ear *ear = context;

    if (replay_world_rank() != 0)
        replay_signals_leave(ear->signals);
    else
        replay_progress_end(&ear->progress);
}

static void progress(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct ear *ear = context;
    ear->progress.watch.progress(ear->progress.watch.context, what, thousandths, simulated_ns);
}

static void runs(void *context, uint32_t done, uint32_t all, double share, uint64_t simulated_ns)
{
    struct ear *ear = context;
    replay_progress_runs(&ear->progress, done, all, share, simulated_ns);
}

/* Lines are those of errors and notes, none of which is longer than an error's text. */
void replay_command_say(const char *text)
{
    char clean[BASE_ERROR_TEXT * 3 + 1];
    char line[BASE_ERROR_TEXT];

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fprintf(stderr, "%s\n", report_clean_printable(line, clean));
        text += length + (text[length] == '\n');
    }
}

/* A search of placements has no share that a bar could show. Notes are told last: the answer has been written by then,
 * and the status tells scripts. */
int replay_command_answer(const struct replay_arguments *arguments, struct replay_signals *signals,
                          struct base_error *error)
{
    struct ear ear = {.signals = signals,
                      .is_quiet = arguments->settings.given[REPLAY_QUIET] ||
                                  arguments->command == REPLAY_COMMAND_MAP};
    const struct replay_listener listener = {begin, end, progress, runs, &ear, &signals->stop};
    struct replay_arguments heard = *arguments;
    struct replay_answer answer = {0};
    int status;

    heard.listener = &listener;
    status = replay_answer_to_files(&answer, &heard, true, error);
    if (answer.host != NULL)
        replay_progress_tell(&ear.progress, answer.host);
    if (answer.notes != NULL)
        replay_command_say(answer.notes);
    replay_answer_free(&answer);
    return status;
}
