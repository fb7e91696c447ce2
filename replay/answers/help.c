/* The help of the program and of each subcommand, from the tables, and the tables themselves for scripts.
 *
 * A line of `flitreplay list options` is
 *
 *      subcommand TAB --option TAB argument TAB default TAB help
 *
 * with an empty argument for a flag and a default in parentheses when it is computed. tests/cli/check-docs
 * compares them with the manual page and the completion, which itself asks the program for them. */
#include <ctype.h>
#include <string.h>

#include "replay/answers/help.h"
#include "reports/pages/page.h"

#define WIDTH 80

static const struct {
    enum replay_command command;
    const char *arguments, *what;
} examples[] = {
#define REPLAY_EXAMPLE(symbol, arguments, what) {REPLAY_COMMAND_##symbol, arguments, what},
#include "replay/examples.def"
#undef REPLAY_EXAMPLE
};

/* Every table of the help has two columns, the second of which is wrapped. */
static void put_rows(struct report_page *page, const char *left, const char *right)
{
    report_page_cell(page, "%s", left);
    report_page_cell(page, "%s", right);
}

/* As short as it can be and still lead on: a newcomer reads this first. A paragraph, the subcommands, and one
 * example that works. */
void replay_help_program(FILE *stream)
{
    struct report_page page;

    report_page_begin(&page, stream, WIDTH);
    report_page_paragraph(&page, 0, "Usage: flitreplay SUBCOMMAND ...");
    fputc('\n', stream);
    report_page_paragraph(
        &page, 0,
        "Replays the communication that an MPI program recorded on a simulated network, flit by "
        "flit, and says how much slower it runs than on an ideal network, and why.");
    report_page_heading(&page, "Subcommands");
    report_page_table(&page, "ll");
    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        put_rows(&page, replay_command_row(command)->name, replay_command_row(command)->summary);
    report_page_table_end(&page);
    report_page_heading(&page, "Options");
    report_page_table(&page, "ll");
    put_rows(&page, "--help", "print this help and exit; flitreplay SUBCOMMAND --help lists its options");
    put_rows(&page, "--version", "print the version and exit");
    report_page_table_end(&page);
    report_page_heading(&page, "For example");
    report_page_paragraph(&page, 2, "flitreplay run traces.otf2 --topology mesh:8x8");
    report_page_finish(&page, NULL);
}

/* Flags have no default worth telling. A computed default has its parentheses in the table; in help the
 * brackets take their place. An option's letter comes first, where it has one. */
static void put_option(struct report_page *page, enum replay_option option, enum replay_command command)
{
    const struct replay_option_row *row = replay_option_row(option);
    const char *help = replay_option_help(option, command);
    const char *fallback = replay_option_fallback(option, command);

    if (row->letter != 0)
        report_page_cell(page, "-%c, --%s%s%s", row->letter, row->name, row->argument == NULL ? "" : " ",
                         row->argument == NULL ? "" : row->argument);
    else
        report_page_cell(page, "--%s%s%s", row->name, row->argument == NULL ? "" : " ",
                         row->argument == NULL ? "" : row->argument);
    if (fallback == NULL || row->kind == REPLAY_KIND_FLAG)
        report_page_cell(page, "%s", help);
    else if (*fallback == '(')
        report_page_cell(page, "%s [%.*s]", help, (int)strlen(fallback) - 2, fallback + 1);
    else
        report_page_cell(page, "%s [%s]", help, fallback);
}

/* Others take some of the options of a replay as well, for what they do. */
static bool replays(enum replay_command command)
{
    return command == REPLAY_COMMAND_RUN || command == REPLAY_COMMAND_COMPARE ||
           command == REPLAY_COMMAND_MAP;
}

/* What the subcommand is to do has its name: "Traffic" has the pattern and the loads. */
static void put_title(struct report_page *page, enum replay_command command, enum replay_option_group group)
{
    static const char *const titles[] = {"Network", NULL, "Replay", "Reading the trace", "Output", "General"};
    char name[32];

    snprintf(name, sizeof name, "%s", replay_command_row(command)->name);
    *name = (char)toupper((unsigned char)*name);
    report_page_heading(page, group == REPLAY_GROUP_TASK                          ? name
                              : group == REPLAY_GROUP_REPLAY && !replays(command) ? "Options"
                                                                                  : titles[group]);
}

/* A group of which the subcommand takes nothing is left out. The heading is put with the first option. */
static void put_group(struct report_page *page, enum replay_command command, enum replay_option_group group)
{
    bool any = false;

    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if (row->group != group || (row->commands >> command & 1) == 0)
            continue;
        if (!any) {
            put_title(page, command, group);
            report_page_table(page, "ll");
            any = true;
        }
        put_option(page, option, command);
    }
    if (any)
        report_page_table_end(page);
}

/* Whether a subcommand's option writes a file that may be standard output: traces, stores and timelines may
 * not. */
static bool writes_stream(enum replay_option option, enum replay_command command)
{
    return option != REPLAY_TIMELINE && (option != REPLAY_OUTPUT || command == REPLAY_COMMAND_MAP);
}

/* What holds of all options below, as far as the subcommand has such. Said once instead of with every option. */
static void put_conventions(struct report_page *page, enum replay_command command)
{
    const char *except = NULL;
    bool any = false;

    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if ((row->commands >> command & 1) == 0 || row->kind != REPLAY_KIND_OUTPUT)
            continue;
        any |= writes_stream(option, command);
        if (!writes_stream(option, command))
            except = row->name;
    }
    if (command == REPLAY_COMMAND_LIST)
        return;
    report_page_paragraph(
        page, 0, "Defaults are in brackets.%s%s%s%s", any ? " FILE may be - for standard output" : "",
        any && except != NULL ? ", except for --" : "", any && except != NULL ? except : "", any ? "." : "");
    if (command == REPLAY_COMMAND_COMPARE)
        report_page_paragraph(
            page, 0,
            "Options of the network and of the replay may be repeated: every combination is "
            "run. 'dragonfly:2,4,2;routing=ugal' is a topology with an option of its own.");
}

/* A command and below it what it does: whoever has read all options sees them last. */
static void put_examples(struct report_page *page, enum replay_command command)
{
    report_page_heading(page, "Examples");
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (examples[i].command != command)
            continue;
        report_page_paragraph(page, 2, "flitreplay %s %s", replay_command_row(command)->name,
                              examples[i].arguments);
        report_page_paragraph(page, 6, "%s", examples[i].what);
    }
}

/* Groups come in the order of the question: which network, which replay, where to. */
void replay_help_command(FILE *stream, enum replay_command command)
{
    const struct replay_command_row *row = replay_command_row(command);
    struct report_page page;

    report_page_begin(&page, stream, WIDTH);
    report_page_paragraph(&page, 0, "Usage: flitreplay %s %s [OPTION ...]", row->name, row->operands);
    fputc('\n', stream);
    report_page_paragraph(&page, 0, "%s", row->summary);
    put_conventions(&page, command);
    for (enum replay_option_group group = REPLAY_GROUP_NETWORK; group <= REPLAY_GROUP_GENERAL; group++)
        put_group(&page, command, group);
    put_examples(&page, command);
    report_page_finish(&page, NULL);
}

/* A letter has a line of its own, so that a script finds every spelling in one column. One line for each spelling
 * and subcommand: columns between tabs, no wrapping. */
void replay_help_option_lines(FILE *stream)
{
    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
            const struct replay_option_row *row = replay_option_row(option);
            if ((row->commands >> command & 1) == 0)
                continue;
            const char *help = replay_option_help(option, command);
            const char *fallback = replay_option_fallback(option, command);
            fprintf(stream, "%s\t--%s\t%s\t%s\t%s\n", replay_command_row(command)->name, row->name,
                    row->argument == NULL ? "" : row->argument, fallback == NULL ? "" : fallback, help);
            if (row->letter != 0)
                fprintf(stream, "%s\t-%c\t%s\t%s\t%s\n", replay_command_row(command)->name, row->letter,
                        row->argument == NULL ? "" : row->argument, fallback == NULL ? "" : fallback, help);
        }
}

/* The same for subcommands: name, operands, summary. */
void replay_help_command_lines(FILE *stream)
{
    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        fprintf(stream, "%s\t%s\t%s\n", replay_command_row(command)->name,
                replay_command_row(command)->operands, replay_command_row(command)->summary);
}

/* The same for the examples: subcommand, arguments, what it does. */
void replay_help_example_lines(FILE *stream)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        fprintf(stream, "%s\t%s\t%s\n", replay_command_row(examples[i].command)->name, examples[i].arguments,
                examples[i].what);
}
