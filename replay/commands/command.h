/* Inside the program: from its command line to a request of the library, and from its answer to an exit status. */
#ifndef REPLAY_COMMANDS_COMMAND_H
#define REPLAY_COMMANDS_COMMAND_H

#include <stdbool.h>

#include "replay/commands/signals.h"
#include "replay/library/flitreplay.h"

/* What the command line says. */
struct command_line {
    flr_request *request; /* owned; NULL where it is refused */
    const char **inputs;  /* owned: operands and values that may name files to read; the texts are argv's */
    size_t input_count;
    size_t operands; /* of the inputs, the last so many */
    bool asks_help, asks_version, is_quiet, has_bar;
    flr_error *error;  /* owned; NULL: there is none */
    char refusal[512]; /* of what the library never sees (a value that is missing); "": none */
    enum flr_status refusal_status;
};

/* Reads the options and operands of a subcommand with getopt_long: argv[0] is its name. Where something is wrong,
 * `error` or `refusal` says so. Free in either case. */
void command_line_read(struct command_line *line, int argc, char **argv);
void command_line_free(struct command_line *line);

/* Lines to standard error, of which nothing reaches the terminal that acts on it. */
void command_say(const char *text);
/* Asks the request, with the bar and the signals of the program; notes go to standard error. Returns the exit status;
 * `*error` is an error of status 2 and more, or NULL where the answer is of a part. */
int command_work(const struct command_line *line, struct replay_signals *signals, bool is_heard,
                 flr_error **error);

#endif
