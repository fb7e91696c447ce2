/* Inside the program: what its subcommands share. A subcommand is a function from its arguments to an exit
 * status; it prints its answer through files.h and fills *error when the status is 2 or more. */
#ifndef REPLAY_COMMANDS_COMMAND_H
#define REPLAY_COMMANDS_COMMAND_H

#include <stdio.h>

#include "replay/system/files.h"
#include "replay/options.h"
#include "replay/values.h"
#include "reports/run/coverage.h"

struct replay_signals;

#define REPLAY_EXIT_UNMET 1 /* done, but something asked for does not hold */

struct replay_arguments {
    enum replay_command command;     /* the subcommand */
    struct replay_settings settings; /* of an option that repeats: its last value */
    struct replay_values values;     /* of compare: all of them */
    char **operands;                 /* borrowed from argv */
    int operand_count;
    struct replay_signals *signals; /* borrowed: the program's, watched as long as the subcommand lasts */
};

/* Reads the options of a subcommand with getopt_long: argv[0] is its name. -1: BASE_USAGE or memory. Free in
 * either case. */
int replay_arguments_read(struct replay_arguments *arguments, enum replay_command command, int argc,
                          char **argv, struct base_error *error);
void replay_arguments_free(struct replay_arguments *arguments);
/* 0 when there is exactly one operand, which the sentence calls `what`. */
int replay_arguments_one(const struct replay_arguments *arguments, const char *what,
                         struct base_error *error);

/* The command that gives the same answer, as a shell would be told, for pages that travel without it: what was given,
 * but for where answers go, how many threads there are and what is kept. Owned by the arena; NULL: memory. */
const char *replay_arguments_text(const struct replay_arguments *arguments, struct base_arena *arena);

/* `run` with --job: its exit status. */
struct net_topology;
int replay_command_run_jobs(const struct replay_arguments *arguments, const struct net_topology *topology,
                            struct base_error *error);

/* The status of a subcommand that is done: with --strict, REPLAY_EXIT_UNMET after a list on standard error
 * when some record of the trace is approximated or ignored; else BASE_OK. */
int replay_strict(const struct replay_arguments *arguments, const char *trace,
                  const struct report_coverage *rows, uint32_t count);

/* The format in which `convert` and `generate` write a trace, by its name (which may be NULL) or the ending of the
 * path.
 * NULL: no path, standard output, or no such format. */
struct trace_writer_format;
const struct trace_writer_format *replay_writer_of(const char *format, const char *path,
                                                   struct base_error *error);

/* Each prints to the stream; the caller checks it. */
void replay_help_program(FILE *stream);
void replay_help_command(FILE *stream, enum replay_command command);
/* The tables as lines of fields between tabs, for scripts: command, option, argument, default, help; and
 * name, operands, summary. */
void replay_help_option_lines(FILE *stream);
void replay_help_command_lines(FILE *stream);

#define REPLAY_COMMAND(symbol, name, operands, summary)                                                      \
    int replay_command_##name(const struct replay_arguments *arguments, struct base_error *error);
#include "replay/commands.def"
#undef REPLAY_COMMAND

#endif
