/* The program flitreplay: calls of the library (replay/library/flitreplay.h), and what a program has beside:
 * arguments, a bar, signals, and exit statuses.
 *
 *      0 done                                            3 bad input
 *      1 done, but something asked for does not hold     4 deadlock
 *      2 usage                                           5 out of memory, disk, permission
 *                                                    128 + n ended by signal n: what there was, or nothing
 *
 * Nothing below this folder prints to standard error. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "replay/commands/command.h"

/* ---- what is printed ---- */

/* name is NULL when the command itself was not found. Returns the status. */
static int complain(const char *name, int status, const char *text)
{
    fprintf(stderr, "flitreplay%s%s: ", name == NULL ? "" : " ", name == NULL ? "" : name);
    command_say(text);
    if (status == FLR_USAGE)
        fprintf(stderr, "(flitreplay%s%s --help tells more)\n", name == NULL ? "" : " ",
                name == NULL ? "" : name);
    return status;
}

/* The same, of an error, which is freed. */
static int complain_of(const char *name, flr_error *error)
{
    int status = complain(name, (int)flr_error_status(error), flr_error_typed(error));

    flr_error_free(error);
    return status;
}

/* So that a full disk is noticed. name: of the subcommand that printed; NULL: none. */
static int end_printing(const char *name)
{
    char reason[256];

    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return FLR_OK;
    snprintf(reason, sizeof reason, "cannot write standard output: %s", strerror(errno == 0 ? EIO : errno));
    return complain(name, FLR_SYSTEM, reason);
}

/* Of a subcommand, or of the program where command is NULL. */
static int print_help(const char *command)
{
    flr_error *error = NULL;
    char *text = flr_help(command, &error);

    if (text == NULL)
        return complain_of(NULL, error);
    fputs(text, stdout);
    flr_string_free(text);
    return end_printing(command);
}

/* The library knows release and build, and is the one that runs. What was found when it was built is configure's. */
static int print_version(const char *command)
{
    printf("flitreplay %s\nbuild %s\nwith %s\n%s", flr_version(), flr_build(), BUILT_WITH, BUILT_WITHOUT);
    return end_printing(command);
}

/* ---- files to read ---- */

/* The named pipe that is the text, or stands behind one of its colons: graph:FILE, file:text:FILE. NULL: there is none.
 * What a shell makes of <(...) has a writer, and is in /dev. */
static const char *find_pipe(const char *text)
{
    const char *path = text;
    struct stat status;

    while (strncmp(path, "/dev/", 5) == 0 || stat(path, &status) != 0 || !S_ISFIFO(status.st_mode)) {
        path = strchr(path, ':');
        if (path == NULL)
            return NULL;
        path++;
    }
    return path;
}

/* A named pipe without a writer may wait for ever: said, so that nobody takes it for work. */
static void tell_of_pipe(const char *path)
{
    char *clean = flr_printable(path);

    fprintf(stderr, "flitreplay: %s is a pipe: waiting for another program to write to it\n",
            clean == NULL ? "an input" : clean);
    flr_string_free(clean);
}

/* Traces and results are never read from pipes: their operands are no texts. Whether there is a pipe. */
static bool tell_of_pipes(const struct command_line *line)
{
    bool told = false;

    for (size_t i = 0; i < line->input_count; i++) {
        const char *path = find_pipe(line->inputs[i]);

        if (path == NULL || (path == line->inputs[i] && i >= line->input_count - line->operands))
            continue;
        tell_of_pipe(path);
        told = true;
    }
    return told;
}

/* Whether a sentence begins with the trace, or with a file that belongs to it: one beside it whose name begins as the
 * trace's does before its ending (traces.otf2: traces.def, traces/0.evt; run.meta: run-0000.bin). */
static bool is_about(const char *text, const char *trace)
{
    const char *name = strrchr(trace, '/');
    const char *ending = strrchr(name == NULL ? trace : name, '.');
    size_t length =
        ending == NULL || ending == trace || ending[-1] == '/' ? strlen(trace) : (size_t)(ending - trace);

    return *trace != '\0' && strncmp(text, trace, length) == 0;
}

/* Reading ends at the first defect of a trace; check goes on, and shows all. */
static void point_to_check(const struct command_line *line, const char *command, const flr_error *error)
{
    const char *text = flr_error_typed(error);
    char *clean;

    if (flr_error_status(error) != FLR_INPUT || strcmp(command, "check") == 0)
        return;
    for (size_t i = line->input_count - line->operands; i < line->input_count; i++) {
        const char *trace = line->inputs[i];

        if (!is_about(text, trace) || flr_trace_recognise(trace) == 0)
            continue;
        clean = flr_printable(trace);
        fprintf(stderr, "(flitreplay check %s shows all defects of the trace)\n",
                clean == NULL ? "TRACE" : clean);
        flr_string_free(clean);
        return;
    }
}

/* ---- a subcommand ---- */

/* As shells number it. A command that was interrupted knows that it was, not by what. */
static int status_of(int status, const struct replay_signals *signals)
{
    int number = atomic_load(&signals->number);

    return status == FLR_INTERRUPTED && number != 0 ? 128 + number : status;
}

/* What was read is right: help, or work. Of several processes only rank 0 speaks. A part of an answer is not
 * success: a script must not take it for the whole. */
static int ask(struct command_line *line, const char *name, struct replay_signals *signals, bool is_heard)
{
    int status;

    if (line->asks_help || line->asks_version)
        return !is_heard ? FLR_OK : line->asks_help ? print_help(name) : print_version(name);
    if (is_heard && tell_of_pipes(line))
        atomic_store(&signals->is_piped, true);
    status = command_work(line, signals, is_heard, &line->error);
    if (!is_heard)
        return FLR_OK;
    if (line->error != NULL) {
        complain(name, status, flr_error_typed(line->error));
        point_to_check(line, name, line->error);
    } else if (status == FLR_INTERRUPTED) {
        complain(name, status, "interrupted: the results are marked as partial");
    }
    return status;
}

/* Other processes may have been given other arguments, and wait for this one to say what it makes of its own. */
static int refuse(const struct command_line *line, const char *name, flr_world *world)
{
    enum flr_status status = line->error == NULL ? line->refusal_status : flr_error_status(line->error);
    const char *why = line->error == NULL ? line->refusal : flr_error_typed(line->error);
    flr_error *verdict = NULL;

    if (world == NULL)
        return complain(name, (int)status, why);
    flr_world_give_up(world, status, why, &verdict);
    if (flr_world_rank(world) == 0)
        return complain_of(name, verdict);
    flr_error_free(verdict);
    return FLR_OK;
}

/* Signals are watched from before the first file is opened until the last one is written. */
static int run_command(int argc, char **argv, flr_world *world)
{
    bool is_heard = flr_world_rank(world) == 0;
    struct replay_signals signals;
    struct command_line line;
    int status;

    replay_signals_start(&signals, is_heard);
    command_line_read(&line, argc, argv);
    if (line.error == NULL && *line.refusal == '\0' && world != NULL)
        flr_request_share(line.request, world, &line.error);
    if (line.error != NULL || *line.refusal != '\0')
        status = refuse(&line, argv[0], world);
    else
        status = ask(&line, argv[0], &signals, is_heard);
    command_line_free(&line);
    replay_signals_end(&signals);
    return status_of(status, &signals);
}

/* The only command that several processes may share. All of them come to an end together; rank 0 speaks for
 * them, and its status is that of the launcher. Without a launcher it is a world of one. */
static int run_compare(int argc, char **argv)
{
    flr_error *error = NULL;
    flr_world *world = flr_world_join(&error);
    uint32_t rank = 0;
    int status;

    if (world == NULL) {
        flr_world_launched(&rank, NULL);
        if (rank == 0)
            return complain_of(argv[0], error);
        flr_error_free(error);
        return FLR_OK;
    }
    status = run_command(argc, argv, world);
    flr_world_leave(world);
    return status;
}

/* ---- the program ---- */

/* What looks like an option gets the two that exist here; all others belong behind a subcommand. */
static int refuse_command(const char *name)
{
    char text[512];
    flr_error *error = NULL;

    if (*name == '-') {
        snprintf(text, sizeof text, "unknown option '%s'; before a subcommand there are --help and --version",
                 name);
        return complain(NULL, FLR_USAGE, text);
    }
    flr_request_free(flr_request_new(name, &error));
    return complain_of(NULL, error);
}

static bool is_command(const char *name)
{
    for (size_t command = 0; flr_command_name(command) != NULL; command++)
        if (strcmp(flr_command_name(command), name) == 0)
            return true;
    return false;
}

/* --help, --version, help and help SUBCOMMAND. Also what comes without a subcommand, and is one of two options or
 * a mistake. "help --help" asks for what "help" prints. */
static int run_general(int argc, char **argv)
{
    bool is_help = strcmp(argv[1], "help") == 0;
    const char *asked = is_help && argc > 2 ? argv[2] : NULL;

    if (strcmp(argv[1], "--version") == 0)
        return print_version(NULL);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (is_help && (asked == NULL || strcmp(asked, "--help") == 0 || strcmp(asked, "-h") == 0)))
        return print_help(NULL);
    if (is_help && is_command(asked))
        return print_help(asked);
    return refuse_command(is_help ? asked : argv[1]);
}

/* Without arguments the short help goes to standard error, and the status is that of a mistake. */
int main(int argc, char **argv)
{
    if (argc < 2) {
        char *help = flr_help(NULL, NULL);
        fputs(help == NULL ? "" : help, stderr);
        flr_string_free(help);
        return FLR_USAGE;
    }
    if (!is_command(argv[1]))
        return run_general(argc, argv);
    if (strcmp(argv[1], "compare") == 0)
        return run_compare(argc - 1, argv + 1);
    return run_command(argc - 1, argv + 1, NULL);
}
