/* The arguments of a subcommand, read by getopt_long from the table of options.
 *
 * getopt does the reading: abbreviations, "--name=value", "--", options after operands. Its messages are
 * replaced by ours, which know more: the nearest option, the subcommand that an option belongs to, the range
 * of a number.
 *
 *      unknown option --topolgy; did you mean --topology?
 *      unknown option --svg; it belongs to flitreplay topology
 *      --vcs 99: needs a whole number from 1 to 16
 *      --topology is given twice: mesh:4x4 and mesh:2x2 */
#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "replay/commands/command.h"

#define FIRST 256 /* getopt's value of the first option: above every letter */

/* A bit for each subcommand. */
static bool takes(enum replay_command command, const struct replay_option_row *row)
{
    return (row->commands >> command & 1) != 0;
}

/* getopt's two tables for a command. letters has room for three characters an option. Only the options of this
 * subcommand are in getopt's tables: any other is unknown to it, and told by suggest(). */
static void make_tables(enum replay_command command, struct option table[REPLAY_OPTIONS + 1],
                        char letters[3 * REPLAY_OPTIONS + 2])
{
    char *letter = letters;

    *letter++ = ':'; /* so that a missing argument is told from an unknown option */
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if (!takes(command, row))
            continue;
        *table++ = (struct option){row->name, row->argument == NULL ? no_argument : required_argument, NULL,
                                   FIRST + (int)option};
        if (row->letter == 0)
            continue;
        *letter++ = row->letter;
        if (row->argument != NULL)
            *letter++ = ':';
    }
    *table = (struct option){0};
    *letter = '\0';
}

/* The option that getopt's value means: FIRST + option, or a letter. */
static enum replay_option option_of(enum replay_command command, int value)
{
    enum replay_option option = 0;

    if (value >= FIRST)
        return (enum replay_option)(value - FIRST);
    while (option < REPLAY_OPTIONS &&
           (replay_option_row(option)->letter != value || !takes(command, replay_option_row(option))))
        option++;
    return option;
}

/* "; did you mean --topology?", or where the option belongs, or what is ambiguous about it. An abbreviation of
 * several options is ambiguous; the nearest name is offered only where none begins so. */
static void suggest(enum replay_command command, const char *name, struct base_error *error)
{
    const char *texts[REPLAY_OPTIONS];
    const char *nearest;
    size_t count = 0, similar = 0;

    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if (takes(command, row)) {
            texts[count++] = row->name;
            similar += strncmp(row->name, name, strlen(name)) == 0;
        } else if (strcmp(row->name, name) == 0) {
            const char *before = "; it is an option of flitreplay ";
            for (enum replay_command other = 0; other < REPLAY_COMMANDS; other++)
                if (takes(other, row)) {
                    base_error_append(error, "%s%s", before, replay_command_row(other)->name);
                    before = ", ";
                }
            return;
        }
    }
    nearest = base_names_nearest(&(struct base_names)BASE_NAMES_OF_TEXTS("option", texts, count), name);
    if (similar > 1)
        base_error_append(error, " could be several options");
    else if (nearest != NULL)
        base_error_append(error, "; did you mean --%s?", nearest);
}

/* An option that getopt refused: unknown, ambiguous, or a flag with an argument. */
static int refuse(enum replay_command command, const char *text, struct base_error *error)
{
    char name[64];

    if (optopt >= FIRST)
        return base_error_set(error, BASE_USAGE, "--%s takes no argument",
                              replay_option_row((enum replay_option)(optopt - FIRST))->name);
    if (optopt != 0)
        return base_error_set(error, BASE_USAGE, "unknown option -%c", optopt);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    base_error_set(error, BASE_USAGE, "unknown option --%s", name);
    suggest(command, name, error);
    return -1;
}

/* getopt leaves the option's value in optopt. */
static int refuse_missing(enum replay_command command, struct base_error *error)
{
    const struct replay_option_row *row = replay_option_row(option_of(command, optopt));
    return base_error_set(error, BASE_USAGE, "--%s needs an argument: --%s %s", row->name, row->name,
                          row->argument);
}

/* getopt's own state (optind and the like) is of the program, which reads its arguments once. The first thing that
 * is wrong ends it: later options may follow from a misreading. */
static int read_options(struct replay_arguments *arguments, int argc, char **argv, struct base_error *error)
{
    struct option table[REPLAY_OPTIONS + 1];
    char letters[3 * REPLAY_OPTIONS + 2];
    int value;

    make_tables(arguments->command, table, letters);
    opterr = 0; /* the messages are ours */
    while ((value = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        if (value == '?')
            return refuse(arguments->command, argv[optind - 1], error);
        if (value == ':')
            return refuse_missing(arguments->command, error);
        if (replay_arguments_take(arguments, option_of(arguments->command, value), optarg, error) != 0)
            return -1;
    }
    return 0;
}

/* getopt has moved the operands behind the options by the time it ends, unless POSIXLY_CORRECT says
 * otherwise: then the first operand ends the options, as POSIX has it. Whatever it returns, the arguments can be
 * freed. */
int replay_arguments_read(struct replay_arguments *arguments, enum replay_command command, int argc,
                          char **argv, struct base_error *error)
{
    *arguments = (struct replay_arguments){.command = command};
    if (replay_settings_init(&arguments->settings, error) != 0 ||
        read_options(arguments, argc, argv, error) != 0)
        return -1;
    arguments->operands = argv + optind;
    arguments->operand_count = argc - optind;
    return replay_arguments_apply(arguments, error);
}

/* Operands are argv's own, and stay. */
void replay_arguments_free(struct replay_arguments *arguments)
{
    replay_settings_free(&arguments->settings);
    replay_values_free(&arguments->values);
}
