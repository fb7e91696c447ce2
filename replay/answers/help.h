/* The help of the program and of its subcommands, as texts made from the tables. */
#ifndef REPLAY_ANSWERS_HELP_H
#define REPLAY_ANSWERS_HELP_H

#include <stdio.h>

#include "replay/options.h"

/* Each prints to the stream; the caller checks it. */
void replay_help_program(FILE *stream);
void replay_help_command(FILE *stream, enum replay_command command);
/* The tables as lines of fields between tabs, for scripts: command, option, argument, default, help; and
 * name, operands, summary; and subcommand, arguments, what the example does. */
void replay_help_option_lines(FILE *stream);
void replay_help_command_lines(FILE *stream);
void replay_help_example_lines(FILE *stream);

#endif
