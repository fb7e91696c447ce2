/* The arguments of a subcommand, read by getopt_long from the library's table of options.
 *
 * getopt does the reading: abbreviations, "--name=value", "--", options after operands. Its messages are
 * replaced by ours and the library's, which know more: the nearest option, the subcommand that an option belongs to,
 * the range of a number.
 *
 *      unknown option --topolgy; did you mean --topology?
 *      unknown option --svg; it is an option of flitreplay topology
 *      --vcs 99: needs a whole number from 1 to 16
 *      --topology is given twice: mesh:4x4 and mesh:2x2 */
#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/commands/command.h"

#define FIRST 256 /* getopt's value of the first option: above every letter */

/* getopt's two tables for a subcommand. Only the options of this one are in them: any other is unknown to getopt, and
 * refused by the library. */
struct tables {
    struct option *rows; /* one for each option of the library, the two below, and the last */
    char *letters;       /* up to two characters an option */
    size_t count;        /* of the library's options */
    size_t command;      /* the number of the subcommand */
};

/* The command line's own, behind those of the library. */
enum { OWN_HELP, OWN_VERSION, OWNS };

/* The number of the subcommand, which the library knows. */
static size_t number_of(const char *command)
{
    size_t number = 0;

    while (flr_command_name(number) != NULL && strcmp(flr_command_name(number), command) != 0)
        number++;
    return number;
}

static void add_letter(char **end, int letter, bool has_argument)
{
    if (letter == 0)
        return;
    *(*end)++ = (char)letter;
    if (has_argument)
        *(*end)++ = ':';
}

/* False: memory; free in either case. */
static bool make_tables(struct tables *tables, const char *command)
{
    size_t number = number_of(command), count = 0;
    struct option *row;
    char *letter;

    while (flr_option_name(count) != NULL)
        count++;
    *tables = (struct tables){calloc(count + OWNS + 1, sizeof *tables->rows),
                              calloc(2 * (count + OWNS) + 2, 1), count, number};
    if (tables->rows == NULL || tables->letters == NULL)
        return false;
    row = tables->rows;
    letter = tables->letters;
    *letter++ = ':'; /* so that a missing argument is told from an unknown option */
    for (size_t option = 0; option < count; option++) {
        bool has_argument = flr_option_argument(option) != NULL;
        if (flr_option_serves(option, number) == 0)
            continue;
        *row++ = (struct option){flr_option_name(option), has_argument ? required_argument : no_argument,
                                 NULL, FIRST + (int)option};
        add_letter(&letter, flr_option_letter(option), has_argument);
    }
    *row++ = (struct option){"help", no_argument, NULL, FIRST + (int)count + OWN_HELP};
    *row = (struct option){"version", no_argument, NULL, FIRST + (int)count + OWN_VERSION};
    add_letter(&letter, 'h', false);
    return true;
}

/* The option that getopt's value means: FIRST + option, or a letter. */
static size_t option_of(const struct tables *tables, int value)
{
    size_t option = 0;

    if (value >= FIRST)
        return (size_t)(value - FIRST);
    if (value == 'h')
        return tables->count + OWN_HELP;
    while (option < tables->count &&
           (flr_option_letter(option) != value || flr_option_serves(option, tables->command) == 0))
        option++;
    return option;
}

/* An option that getopt refused: unknown or ambiguous, of which the library says more; or a flag with an argument. */
static void refuse(struct command_line *line, const struct tables *tables, const char *text)
{
    char name[64];

    if (optopt >= FIRST) {
        size_t option = option_of(tables, optopt);
        snprintf(line->refusal, sizeof line->refusal, "--%s takes no argument",
                 option < tables->count               ? flr_option_name(option)
                 : option == tables->count + OWN_HELP ? "help"
                                                      : "version");
    } else if (optopt != 0) {
        snprintf(line->refusal, sizeof line->refusal, "unknown option -%c", optopt);
    } else {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
        flr_request_set(line->request, name, "", &line->error);
    }
}

/* getopt leaves the option's value in optopt. */
static void refuse_missing(struct command_line *line, const struct tables *tables)
{
    size_t option = option_of(tables, optopt);
    const char *name = flr_option_name(option);

    snprintf(line->refusal, sizeof line->refusal, "--%s needs an argument: --%s %s", name, name,
             flr_option_argument(option));
}

static bool is_called(size_t option, const char *name)
{
    return strcmp(flr_option_name(option), name) == 0;
}

/* False: refused. */
static bool take(struct command_line *line, const struct tables *tables, size_t option)
{
    if (option == tables->count + OWN_HELP)
        line->asks_help = true;
    else if (option == tables->count + OWN_VERSION)
        line->asks_version = true;
    else if (flr_request_set(line->request, flr_option_name(option), optarg == NULL ? "yes" : optarg,
                             &line->error) != 0)
        return false;
    else if (optarg == NULL)
        line->is_quiet = line->is_quiet || is_called(option, "quiet");
    else if (strcmp(flr_option_kind(option), "output") != 0 && !is_called(option, "results"))
        line->inputs[line->input_count++] = optarg;
    return true;
}

/* getopt's own state (optind and the like) is of the program, which reads its arguments once. The first thing that
 * is wrong ends it: later options may follow from a misreading. getopt has moved the operands behind the options by
 * the time it ends, unless POSIXLY_CORRECT says otherwise: then the first operand ends the options, as POSIX has it.
 * */
static void read_all(struct command_line *line, const struct tables *tables, int argc, char **argv)
{
    int value;

    opterr = 0; /* the messages are ours */
    while ((value = getopt_long(argc, argv, tables->letters, tables->rows, NULL)) != -1) {
        if (value == '?')
            refuse(line, tables, argv[optind - 1]);
        else if (value == ':')
            refuse_missing(line, tables);
        else if (take(line, tables, option_of(tables, value)))
            continue;
        return;
    }
    for (int i = optind; i < argc; i++) {
        line->inputs[line->input_count++] = argv[i];
        line->operands++;
        if (flr_request_add(line->request, argv[i], &line->error) != 0)
            return;
    }
}

/* Of a map the search has no share that a bar could show. */
void command_line_read(struct command_line *line, int argc, char **argv)
{
    struct tables tables = {0};

    *line = (struct command_line){.has_bar = strcmp(argv[0], "map") != 0, .refusal_status = FLR_USAGE};
    line->request = flr_request_new(argv[0], &line->error);
    if (line->request == NULL)
        return;
    line->inputs = calloc((size_t)argc, sizeof *line->inputs);
    if (line->inputs != NULL && make_tables(&tables, argv[0])) {
        read_all(line, &tables, argc, argv);
    } else {
        line->refusal_status = FLR_SYSTEM;
        snprintf(line->refusal, sizeof line->refusal, "out of memory");
    }
    free(tables.rows);
    free(tables.letters);
}

void command_line_free(struct command_line *line)
{
    flr_request_free(line->request);
    free(line->inputs);
    flr_error_free(line->error);
}
