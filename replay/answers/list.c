/* flitreplay list [KIND]: all names to choose from.
 *
 * `list` alone prints every list under its name; `list routings` the entries of one; `list options`,
 * `list commands` and `list examples` the tables behind --help, in columns between tabs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "replay/answers/answer.h"
#include "replay/answers/help.h"
#include "replay/session/kinds.h"
#include "reports/pages/page.h"

#define WIDTH 80

#define FORM_WIDTH 60 /* columns beside the longest name */

/* How a kind is written where more than its name is: "fat-tree:K,N". One that is wider than the column is broken before
 * a parameter. */
static const char *form_of(const struct replay_kind *kind, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "; %s%s%s", kind->name, *kind->parameters == '[' ? "" : ":",
                                     kind->parameters);

    for (char *part = strstr(text, "[,"); part != NULL && length > FORM_WIDTH && length + 2 < size;
         part = strstr(part + 2, "[,"), length++) {
        memmove(part + 1, part, strlen(part) + 1);
        *part++ = ' ';
    }
    return text;
}

/* Names in a column of their own, so that scripts and the completion can cut them out. */
static void put_kinds(struct report_page *page, const struct replay_kinds *kinds)
{
    char form[256];

    report_page_table(page, "ll");
    for (size_t i = 0; i < kinds->count; i++) {
        const struct replay_kind kind = kinds->at(i);
        report_page_cell(page, "%s", kind.name);
        report_page_cell(page, "%s%s%s%s", kind.summary, kind.more != NULL ? "; " : "",
                         kind.more != NULL ? kind.more : "",
                         kind.parameters != NULL ? form_of(&kind, form, sizeof form) : "");
    }
    report_page_table_end(page);
}

/* What is listed. Without a name: every list. */
struct listing {
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count;
    const struct replay_kinds *one;  /* of lists, or NULL */
    void (*put_lines)(FILE *stream); /* the tables behind --help, or NULL */
};

/* Every list under its name, with the option that takes its entries. A blank line between lists. A single list has
 * no title, so that every line of it is an entry or goes on with one. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    const struct listing *listing = content;
    struct report_page page;

    if (listing->put_lines != NULL)
        return listing->put_lines(stream), 0;
    report_page_begin(&page, stream, WIDTH);
    if (listing->one != NULL)
        put_kinds(&page, listing->one);
    for (size_t i = 0; listing->one == NULL && i < listing->count; i++) {
        if (i > 0)
            fputc('\n', stream);
        report_page_paragraph(&page, 0, "%s (%s)", listing->lists[i].name, listing->lists[i].use);
        put_kinds(&page, &listing->lists[i]);
    }
    return report_page_finish(&page, error);
}

/* The tables behind --help are for scripts: no kinds, and not in the list of lists, which is short enough to be the
 * suggestion itself. */
static int find(struct listing *listing, const char *name, struct base_error *error)
{
    const struct base_names names = {"kind",         listing->lists,
                                     listing->count, sizeof *listing->lists,
                                     false,          offsetof(struct replay_kinds, name)};

    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(listing->lists[i].name, name) == 0)
            return listing->one = &listing->lists[i], 0;
    if (strcmp(name, "options") == 0)
        listing->put_lines = replay_help_option_lines;
    else if (strcmp(name, "commands") == 0)
        listing->put_lines = replay_help_command_lines;
    else if (strcmp(name, "examples") == 0)
        listing->put_lines = replay_help_example_lines;
    else
        return base_names_refuse(&names, name, SIZE_MAX, error);
    return 0;
}

/* Without KIND: everything. An unknown kind is answered with the kinds there are. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    struct listing *listing = calloc(1, sizeof *listing);

    answer->content = listing;
    if (listing == NULL)
        return base_error_memory(error, "the list");
    listing->count = replay_kinds(listing->lists);
    if (arguments->operand_count == 0)
        return 0;
    if (replay_arguments_one(arguments, "one kind", error) != 0)
        return -1;
    return find(listing, arguments->operands[0], error);
}

/* All is known. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    (void)answer;
    (void)error;
    return 0;
}

static const struct replay_form forms[] = {{REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_list_answer = {
    .prepare = prepare,
    .work = work,
    .release = free,
    .forms = forms,
};
