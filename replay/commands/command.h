/* Inside the program: what its subcommands share. A subcommand is a function from its arguments to an exit
 * status; it prints its answer through files.h and fills *error when the status is 2 or more. */
#ifndef REPLAY_COMMANDS_COMMAND_H
#define REPLAY_COMMANDS_COMMAND_H

#include "replay/answers/answer.h"
#include "replay/system/files.h"

struct replay_signals;

/* Reads the options of a subcommand with getopt_long: argv[0] is its name. -1: BASE_USAGE or memory. Free in
 * either case. */
int replay_arguments_read(struct replay_arguments *arguments, enum replay_command command, int argc,
                          char **argv, struct base_error *error);
void replay_arguments_free(struct replay_arguments *arguments);

/* `run` with --job: its exit status. */
struct net_topology;
int replay_command_run_jobs(const struct replay_arguments *arguments, const struct net_topology *topology,
                            struct base_error *error);

/* The status of a subcommand that is done: with --strict, REPLAY_EXIT_UNMET after a list on standard error
 * when some record of the trace is approximated or ignored; else BASE_OK. */
int replay_strict(const struct replay_arguments *arguments, const char *trace,
                  const struct report_coverage *rows, uint32_t count);

/* Those whose answers are no replay_answer_kind. */
int replay_command_run(const struct replay_arguments *arguments, struct base_error *error);
int replay_command_compare(const struct replay_arguments *arguments, struct base_error *error);
int replay_command_traffic(const struct replay_arguments *arguments, struct base_error *error);
int replay_command_map(const struct replay_arguments *arguments, struct base_error *error);
/* All others: the answer, with the bar and the signals of the program; notes go to standard error. */
int replay_command_answer(const struct replay_arguments *arguments, struct base_error *error);

#endif
