/* flitreplay list [KIND]: what there is to choose from.
 *
 * `list` alone prints every list under its name; `list routings` the entries of one; `list options` and `list
 * commands` the tables behind --help, in columns between tabs. */
#include <string.h>

#include "base/names.h"
#include "replay/commands/command.h"
#include "replay/session/kinds.h"
#include "reports/pages/page.h"

#define WIDTH 80

/* Names in a column of their own, so that scripts and the completion can cut them out. */
static void put_kinds(struct report_page *page, const struct replay_kinds *kinds)
{
    report_page_table(page, "ll");
    for (size_t i = 0; i < kinds->count; i++) {
        report_page_cell(page, "%s", kinds->at(i).name);
        if (kinds->at(i).more != NULL)
            report_page_cell(page, "%s; %s", kinds->at(i).summary, kinds->at(i).more);
        else
            report_page_cell(page, "%s", kinds->at(i).summary);
    }
    report_page_table_end(page);
}

/* Every list under its name, with the option that takes its entries. A blank line between lists. */
static int write_all(const void *content, FILE *stream, struct base_error *error)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists);
    struct report_page page;

    (void)content;
    report_page_begin(&page, stream, WIDTH);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc('\n', stream);
        report_page_paragraph(&page, 0, "%s (%s)", lists[i].name, lists[i].use);
        put_kinds(&page, &lists[i]);
    }
    return report_page_finish(&page, error);
}

/* A single list has no title, so that every line of it is an entry or goes on with one. */
static int write_one(const void *content, FILE *stream, struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, WIDTH);
    put_kinds(&page, content);
    return report_page_finish(&page, error);
}

/* The tables behind --help, for scripts: not kinds, and not in the list of lists. */
static int write_table(const void *content, FILE *stream, struct base_error *error)
{
    (void)error;
    if (strcmp(content, "options") == 0)
        replay_help_option_lines(stream);
    else
        replay_help_command_lines(stream);
    return 0;
}

/* The list of lists is short enough to be the suggestion itself. */
static int refuse(const struct replay_kinds *lists, size_t count, const char *name, struct base_error *error)
{
    const struct base_names names = {"kind",        lists, count,
                                     sizeof *lists, false, offsetof(struct replay_kinds, name)};

    base_names_refuse(&names, name, SIZE_MAX, error);
    return BASE_USAGE;
}

/* Without KIND: everything. An unknown kind is answered with the kinds there are. */
int replay_command_list(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_files none = {0};
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists), place = 0;
    replay_writer *writer = write_one;
    const void *content;

    if (arguments->operand_count == 0)
        return replay_files_print(&none, false, write_all, NULL, error) == 0 ? BASE_OK : (int)error->status;
    if (replay_arguments_one(arguments, "one kind", error) != 0)
        return BASE_USAGE;
    content = arguments->operands[0];
    while (place < count && strcmp(lists[place].name, content) != 0)
        place++;
    if (place < count)
        content = &lists[place];
    else if (strcmp(content, "options") == 0 || strcmp(content, "commands") == 0)
        writer = write_table;
    else
        return refuse(lists, count, content, error);
    return replay_files_print(&none, false, writer, content, error) == 0 ? BASE_OK : (int)error->status;
}
