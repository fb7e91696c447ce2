/* What a subcommand asks, with the program's bar and signals beside it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/commands/command.h"
#include "replay/commands/progress.h"

/* Who listens to the work: the bar, which lives as long as the subcommand. */
struct ear {
    struct replay_progress progress;
    struct replay_signals *signals;
    flr_request *request;
    bool is_quiet, has_bar, is_heard;
};

static void tell_nothing(void *context)
{
    (void)context;
}

/* Of several processes rank 0 speaks for all. */
static void attend(void *context, int begins)
{
    struct ear *ear = context;

    if (begins != 0 && ear->is_heard)
        replay_progress_start(&ear->progress, ear->signals, ear->request, ear->is_quiet, ear->has_bar);
    else if (begins != 0)
        replay_signals_attend(ear->signals, ear->request, tell_nothing, NULL);
    else if (ear->is_heard)
        replay_progress_end(&ear->progress);
    else
        replay_signals_leave(ear->signals);
}

/* ASCII that a terminal takes for text: to be said without memory, which an error may be about. */
static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

/* A line of any letters. */
static void say_clean(const char *text, size_t length)
{
    char *line = strndup(text, length);
    char *clean = line == NULL ? NULL : flr_printable(line);

    fprintf(stderr, "%s\n", clean == NULL ? "not enough memory for a message" : clean);
    flr_string_free(clean);
    free(line);
}

void command_say(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        if (is_plain(text, length))
            fprintf(stderr, "%.*s\n", (int)length, text);
        else
            say_clean(text, length);
        text += length + (text[length] == '\n');
    }
}

/* Notes are told last: the answer has been written by then, and the status tells scripts. */
int command_work(const struct command_line *line, struct replay_signals *signals, bool is_heard,
                 flr_error **error)
{
    struct ear ear = {.signals = signals,
                      .request = line->request,
                      .is_quiet = line->is_quiet,
                      .has_bar = line->has_bar,
                      .is_heard = is_heard};
    flr_answer *answer;
    int status;

    flr_request_attend(line->request, attend, &ear);
    flr_request_watch(line->request, replay_progress_note, &ear.progress);
    flr_request_print(line->request);
    answer = flr_ask(line->request, error);
    if (answer == NULL)
        return (int)flr_error_status(*error);
    if (is_heard)
        replay_progress_tell(&ear.progress, answer);
    command_say(flr_answer_notes(answer));
    status = (int)flr_answer_status(answer);
    flr_answer_free(answer);
    return status;
}
