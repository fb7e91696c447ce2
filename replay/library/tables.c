/* What can be asked of the library: the tables of subcommands and options, and their names. */
#include <config.h>

#include <string.h>

#include "base/names.h"
#include "replay/library/internal.h"

const char *flr_command_name(size_t command)
{
    return command < REPLAY_COMMANDS ? replay_command_row((enum replay_command)command)->name : NULL;
}

const char *flr_command_operands(size_t command)
{
    return command < REPLAY_COMMANDS ? replay_command_row((enum replay_command)command)->operands : NULL;
}

const char *flr_command_summary(size_t command)
{
    return command < REPLAY_COMMANDS ? replay_command_row((enum replay_command)command)->summary : NULL;
}

const char *flr_option_name(size_t option)
{
    return option < REPLAY_OPTIONS ? replay_option_row((enum replay_option)option)->name : NULL;
}

const char *flr_option_argument(size_t option)
{
    return option < REPLAY_OPTIONS ? replay_option_row((enum replay_option)option)->argument : NULL;
}

int flr_option_letter(size_t option)
{
    return option < REPLAY_OPTIONS ? replay_option_row((enum replay_option)option)->letter : 0;
}

const char *flr_option_kind(size_t option)
{
    static const char *const kinds[] = {
        [REPLAY_KIND_COUNT] = "count", [REPLAY_KIND_BYTES] = "bytes",       [REPLAY_KIND_DECIMAL] = "decimal",
        [REPLAY_KIND_RATE] = "rate",   [REPLAY_KIND_DURATION] = "duration", [REPLAY_KIND_FLAG] = "flag",
        [REPLAY_KIND_INPUT] = "input", [REPLAY_KIND_OUTPUT] = "output",
    };
    const char *kind =
        option < REPLAY_OPTIONS ? kinds[replay_option_row((enum replay_option)option)->kind] : NULL;

    return kind == NULL && option < REPLAY_OPTIONS ? "text" : kind;
}

/* Help and version are the command line's alone. */
int flr_option_serves(size_t option, size_t command)
{
    const struct replay_option_row *row;

    if (option >= REPLAY_OPTIONS || command >= REPLAY_COMMANDS)
        return 0;
    row = replay_option_row((enum replay_option)option);
    return row->group != REPLAY_GROUP_GENERAL && (row->commands >> command & 1) != 0;
}

const char *flr_option_help(size_t option, size_t command)
{
    return flr_option_serves(option, command)
               ? replay_option_help((enum replay_option)option, (enum replay_command)command)
               : NULL;
}

const char *flr_option_default(size_t option, size_t command)
{
    return flr_option_serves(option, command)
               ? replay_option_fallback((enum replay_option)option, (enum replay_command)command)
               : NULL;
}

/* ---- looked up by name ---- */

enum replay_command replay_library_command(const char *name, struct base_error *error)
{
    const char *names[REPLAY_COMMANDS];

    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        names[command] = replay_command_row(command)->name;
    return (enum replay_command)base_names_find(
        &(struct base_names)BASE_NAMES_OF_TEXTS("subcommand", names, REPLAY_COMMANDS), name, SIZE_MAX, error);
}

/* "; it is an option of flitreplay run, compare": of an option that there is, and that others take. */
static void add_takers(enum replay_option option, struct base_error *error)
{
    const char *before = "; it is an option of flitreplay ";

    for (size_t other = 0; other < REPLAY_COMMANDS; other++)
        if (flr_option_serves((size_t)option, other)) {
            base_error_append(error, "%s%s", before, flr_command_name(other));
            before = ", ";
        }
}

/* "; did you mean --topology?", or what is ambiguous about it. A beginning of several options is ambiguous; the
 * nearest name is offered only where none begins so. */
static void refuse_option(enum replay_command command, const char *name, struct base_error *error)
{
    const char *texts[REPLAY_OPTIONS];
    const char *nearest;
    size_t count = 0, similar = 0;

    base_error_set(error, BASE_USAGE, "unknown option --%s", name);
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *text = replay_option_row(option)->name;
        if (flr_option_serves((size_t)option, (size_t)command)) {
            texts[count++] = text;
            similar += strncmp(text, name, strlen(name)) == 0;
        } else if (strcmp(text, name) == 0) {
            add_takers(option, error);
            return;
        }
    }
    nearest = base_names_nearest(&(struct base_names)BASE_NAMES_OF_TEXTS("option", texts, count), name);
    if (similar > 1)
        base_error_append(error, " could be several options");
    else if (nearest != NULL)
        base_error_append(error, "; did you mean --%s?", nearest);
}

enum replay_option replay_library_option(enum replay_command command, const char *name,
                                         struct base_error *error)
{
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (flr_option_serves((size_t)option, (size_t)command) &&
            strcmp(replay_option_row(option)->name, name) == 0)
            return option;
    refuse_option(command, name, error);
    return REPLAY_OPTIONS;
}
