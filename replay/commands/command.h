/* Inside the program: from its command line to answers, and to an exit status. */
#ifndef REPLAY_COMMANDS_COMMAND_H
#define REPLAY_COMMANDS_COMMAND_H

#include "replay/answers/answer.h"
#include "replay/system/files.h"

/* Reads the options of a subcommand with getopt_long: argv[0] is its name. -1: BASE_USAGE or memory. Free in
 * either case. */
int replay_arguments_read(struct replay_arguments *arguments, enum replay_command command, int argc,
                          char **argv, struct base_error *error);
void replay_arguments_free(struct replay_arguments *arguments);

/* Lines to standard error, of which nothing reaches the terminal that acts on it. */
void replay_command_say(const char *text);
/* Works out what was asked, with the bar and the signals of the program; notes go to standard error. Returns the exit
 * status; 2 and more with the error. */
struct replay_signals;
int replay_command_answer(const struct replay_arguments *arguments, struct replay_signals *signals,
                          struct base_error *error);

#endif
