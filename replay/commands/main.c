/* The program flitreplay: finds the subcommand, runs it, and turns errors into sentences and exit statuses.
 *
 *      0 done                                            3 bad input
 *      1 done, but something asked for does not hold     4 deadlock
 *      2 usage                                           5 out of memory, disk, permission
 *                                                    128 + n ended by signal n: what there was, or nothing
 *
 * Nothing below this file prints to standard error, except the progress bar and the list of what --strict
 * does not accept. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/build.h"
#include "base/names.h"
#include "replay/answers/help.h"
#include "replay/commands/command.h"
#include "replay/compare/queue.h"
#include "replay/system/signals.h"
#include "replay/system/world.h"
#include "reports/pages/clean.h"
#include "traces/program.h"

/* What to print instead of working: the help of a command, or of the program when there is none. */
static int write_help(const void *content, FILE *stream, struct base_error *error)
{
    const enum replay_command *command = content;

    (void)error;
    if (command == NULL)
        replay_help_program(stream);
    else
        replay_help_command(stream, *command);
    return 0;
}

/* The library knows release and build, and is the one that runs. What was found when it was built is configure's. */
static int write_version(const void *content, FILE *stream, struct base_error *error)
{
    (void)content;
    (void)error;
    fprintf(stream, "flitreplay %s\nbuild %s\nwith %s\n%s", base_version(), base_build(), BUILT_WITH,
            BUILT_WITHOUT);
    return 0;
}

/* Help goes the way of every output, so that a full disk is noticed. */
static int print(replay_writer *writer, const void *content, struct base_error *error)
{
    const struct replay_files none = {0};
    return replay_files_print(&none, false, writer, content, error) == 0 ? BASE_OK : (int)error->status;
}

/* name is NULL when the command itself was not found. Gives back the status. */
static int complain(const char *name, int status, const struct base_error *error)
{
    fprintf(stderr, "flitreplay%s%s: ", name == NULL ? "" : " ", name == NULL ? "" : name);
    replay_command_say(error->text);
    if (error->status == BASE_USAGE)
        fprintf(stderr, "(flitreplay%s%s --help tells more)\n", name == NULL ? "" : " ",
                name == NULL ? "" : name);
    return status;
}

/* A named pipe is read until its writer closes it, which may never come: said, so that nobody takes it for work. What a
 * shell makes of <(...) has a writer, and is in /dev. */
static void tell_of_pipe(const char *text)
{
    char clean[BASE_ERROR_TEXT * 3 + 1];
    struct stat status;

    if (strncmp(text, "/dev/", 5) == 0 || stat(text, &status) != 0 || !S_ISFIFO(status.st_mode))
        return;
    fprintf(stderr, "flitreplay: %s is a pipe: read when another program writes to it\n",
            report_clean_printable(text, clean));
}

/* A file's name, or what stands behind a colon as such: graph:FILE, file:FILE. */
static const char *file_of(const char *text)
{
    const char *colon = strchr(text, ':');

    return colon == NULL ? text : colon + 1;
}

/* Those that stand as operands or as values of options. */
static void tell_of_pipes(const struct replay_arguments *arguments)
{
    for (int i = 0; i < arguments->operand_count; i++)
        tell_of_pipe(file_of(arguments->operands[i]));
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *text = arguments->settings.given[option] ? arguments->settings.text[option] : NULL;

        if (text != NULL && replay_option_row(option)->kind != REPLAY_KIND_OUTPUT)
            tell_of_pipe(file_of(text));
    }
}

/* As shells number it. A command that was interrupted knows that it was, not by what. */
static int status_of(int status, const struct replay_signals *signals)
{
    int number = atomic_load(&signals->number);

    return status == (int)BASE_INTERRUPTED && number != 0 ? 128 + number : status;
}

/* Reading ends at the first defect of a trace; check goes on, and shows all. What reads traces takes --clock. */
static void point_to_check(enum replay_command command, const struct replay_arguments *arguments,
                           struct base_error *error)
{
    if (command == REPLAY_COMMAND_CHECK || (replay_option_row(REPLAY_CLOCK)->commands >> command & 1) == 0)
        return;
    for (int i = 0; i < arguments->operand_count; i++) {
        const char *trace = arguments->operands[i];

        if (*trace != '\0' && strncmp(error->text, trace, strlen(trace)) == 0 && trace_is_recognised(trace)) {
            base_error_append(error, "\n(flitreplay check %s shows all defects of the trace)", trace);
            return;
        }
    }
}

/* Arguments are freed on every way out. Signals are watched from before the first file is opened until the last one
 * is written. Of several processes only rank 0 speaks. */
static int run_command(enum replay_command command, int argc, char **argv, struct base_error *error)
{
    struct replay_signals signals;
    struct replay_arguments arguments;
    int status;

    replay_signals_start(&signals);
    /* Other processes may have been given other arguments, and wait for this one to say what it makes of its
     * own. */
    status = replay_arguments_read(&arguments, command, argc, argv, error);
    if (status != 0)
        status = replay_queue_agree(NULL, error) != 0 ? (int)error->status : BASE_OK;
    else if (replay_world_rank() != 0 &&
             (arguments.settings.given[REPLAY_HELP] || arguments.settings.given[REPLAY_VERSION]))
        status = BASE_OK; /* rank 0 says it */
    else if (arguments.settings.given[REPLAY_HELP])
        status = print(write_help, &command, error);
    else if (arguments.settings.given[REPLAY_VERSION])
        status = print(write_version, NULL, error);
    else {
        if (replay_world_rank() == 0)
            tell_of_pipes(&arguments);
        status = replay_command_answer(&arguments, &signals, error);
        if (status == (int)BASE_INPUT)
            point_to_check(command, &arguments, error);
    }
    replay_arguments_free(&arguments);
    replay_signals_end(&signals);
    return status_of(status, &signals);
}

/* What looks like an option gets the two that exist here; all others belong behind a subcommand. */
static int refuse_command(const char *name, struct base_error *error)
{
    const char *names[REPLAY_COMMANDS];

    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        names[command] = replay_command_row(command)->name;
    if (*name == '-')
        base_error_set(error, BASE_USAGE,
                       "unknown option '%s'; before a subcommand there are --help and --version", name);
    else
        base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("subcommand", names, REPLAY_COMMANDS), name,
                          SIZE_MAX, error);
    return complain(NULL, (int)error->status, error);
}

/* The command of this name, or REPLAY_COMMANDS. */
static enum replay_command find_command(const char *name)
{
    enum replay_command command = 0;

    while (command < REPLAY_COMMANDS && strcmp(name, replay_command_row(command)->name) != 0)
        command++;
    return command;
}

/* --help, --version, help and help SUBCOMMAND. Also what comes without a subcommand, and is one of two options or
 * a mistake. */
static int run_general(int argc, char **argv, struct base_error *error)
{
    bool is_help = strcmp(argv[1], "help") == 0;
    /* "help --help" asks for what "help" prints. */
    bool bare = is_help && (argc == 2 || strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
    enum replay_command command;
    int status;

    if (strcmp(argv[1], "--version") == 0) {
        status = print(write_version, NULL, error);
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || bare) {
        status = print(write_help, NULL, error);
    } else {
        command = is_help ? find_command(argv[2]) : REPLAY_COMMANDS;
        if (command == REPLAY_COMMANDS)
            return refuse_command(argv[is_help ? 2 : 1], error);
        status = print(write_help, &command, error);
    }
    return status != BASE_OK ? complain(NULL, status, error) : status;
}

/* The only command that several processes may share. All of them come to an end together; rank 0 speaks for
 * them, and its status is that of the launcher. Without a launcher it is a world of one. */
static int run_compare(int argc, char **argv, struct base_error *error)
{
    uint32_t rank = 0, size = 0;
    int status;

    replay_world_launched(&rank, &size);
    if (replay_world_join(error) != 0) {
        status = (int)error->status;
    } else {
        rank = replay_world_rank();
        status = run_command(REPLAY_COMMAND_COMPARE, argc, argv, error);
    }
    if (rank == 0 && status > REPLAY_EXIT_UNMET)
        status = complain(argv[0], status, error);
    replay_world_leave();
    return rank == 0 ? status : BASE_OK;
}

/* A status above 1 always comes with an error to print; 0 and 1 have said what they had to. Without arguments the
 * short help goes to standard error, and the status is that of a mistake. */
int main(int argc, char **argv)
{
    struct base_error error = {0};
    enum replay_command command;
    int status;

    if (argc < 2) {
        replay_help_program(stderr);
        return BASE_USAGE;
    }
    command = find_command(argv[1]);
    if (command == REPLAY_COMMANDS)
        return run_general(argc, argv, &error);
    if (command == REPLAY_COMMAND_COMPARE)
        return run_compare(argc - 1, argv + 1, &error);
    status = run_command(command, argc - 1, argv + 1, &error);
    return status > REPLAY_EXIT_UNMET ? complain(argv[1], status, &error) : status;
}
