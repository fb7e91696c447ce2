/* Options are looked up among those that a comparison may vary, so that a configuration can say nothing that
 * --flit-bytes
 * and its kin could not. */
#include "replay/configurations.h"

#include <string.h>

#include "base/names.h"

/* Commas belong to the parameters of kinds, and colons to their sizes. */
#define SEPARATOR ';'

/* What describes a network, or what runs on it: neither how the trace is read nor the seed, which are the same
 * for all
 * configurations, nor the topology itself. */
static bool is_allowed(enum replay_option option)
{
    const struct replay_option_row *row = replay_option_row(option);

    return (row->commands >> REPLAY_COMMAND_COMPARE & 1) != 0 &&
           (row->group == REPLAY_GROUP_NETWORK || row->group == REPLAY_GROUP_REPLAY) &&
           row->kind != REPLAY_KIND_RULES && option != REPLAY_TOPOLOGY && option != REPLAY_SEED &&
           option != REPLAY_STRICT;
}

int replay_configuration_find(const char *text, size_t length, enum replay_option *option,
                              struct base_error *error)
{
    /* For the refusal: what could have been meant. */
    const char *names[REPLAY_OPTIONS] = {NULL};
    size_t count = 0;

    for (*option = 0; *option < REPLAY_OPTIONS; ++*option) {
        const char *name = replay_option_row(*option)->name;
        if (!is_allowed(*option))
            continue;
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            return 0;
        names[count++] = name;
    }
    return base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("option", names, count), text, length,
                             error);
}

/* Everything up to the first separator, which no topology has in its name. */
const char *replay_configuration_topology(struct base_arena *arena, const char *text)
{
    return base_arena_format(arena, "%.*s", (int)strcspn(text, (char[]){SEPARATOR, '\0'}), text);
}

/* One "option=value", which ends at `end`. A flag may stand alone. */
static int set_one(struct replay_settings *settings, const char *text, const char *end,
                   bool is_seen[REPLAY_OPTIONS], struct base_error *error)
{
    struct base_arena arena = {0};
    const char *equals = memchr(text, '=', (size_t)(end - text)), *value = "yes";
    size_t length = (size_t)((equals == NULL ? end : equals) - text);
    enum replay_option option;
    int status = -1;

    if (replay_configuration_find(text, length, &option, error) != 0)
        return -1;
    /* Which of the two would count is nothing to guess about. */
    if (is_seen[option])
        return base_error_set(error, BASE_USAGE, "%s is named twice", replay_option_row(option)->name);
    is_seen[option] = true;
    if (equals == NULL && replay_option_row(option)->kind != REPLAY_KIND_FLAG)
        return base_error_set(error, BASE_USAGE, "%s needs a value: %s=%s", replay_option_row(option)->name,
                              replay_option_row(option)->name, replay_option_row(option)->argument);
    if (equals != NULL)
        value = base_arena_format(&arena, "%.*s", (int)(end - equals - 1), equals + 1);
    if (value == NULL)
        base_error_memory(error, "the options of a topology");
    else
        status = replay_settings_set(settings, option, value, error);
    base_arena_free(&arena);
    return status;
}

int replay_configuration_set(struct replay_settings *settings, const char *text, struct base_error *error)
{
    bool is_seen[REPLAY_OPTIONS] = {false};
    const char *topology = replay_configuration_topology(&settings->arena, text);
    const char *next;
    struct base_error refused;

    if (topology == NULL)
        return base_error_memory(error, "the options of a topology");
    if (replay_settings_set(settings, REPLAY_TOPOLOGY, topology, error) != 0)
        return -1;
    /* From separator to separator; an empty piece is an option without a name, and refused as such. The whole text
 * stands in front of what is wrong with a piece of it, since a comparison has several. */
    for (next = strchr(text, SEPARATOR); next != NULL;) {
        const char *begin = next + 1;
        next = strchr(begin, SEPARATOR);
        if (set_one(settings, begin, next == NULL ? begin + strlen(begin) : next, is_seen, &refused) == 0)
            continue;
        if (refused.status != BASE_USAGE)
            *error = refused;
        else
            base_error_set(error, BASE_USAGE, "--topology %s: %s", text, refused.text);
        return -1;
    }
    return 0;
}

/* What was typed for all, and what the topology says, may not differ where there is one topology: one of them
 * would be
 * passed over. */
static int check(const struct replay_settings *before, const struct replay_settings *after,
                 enum replay_command command, struct base_error *error)
{
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if (option == REPLAY_TOPOLOGY || after->text[option] == before->text[option] || !after->given[option])
            continue;
        if ((row->commands >> command & 1) == 0)
            return base_error_set(error, BASE_USAGE, "--topology %s: %s is not an option of flitreplay %s",
                                  before->text[REPLAY_TOPOLOGY], row->name,
                                  replay_command_row(command)->name);
        if (before->given[option] && strcmp(before->text[option], after->text[option]) != 0)
            return base_error_set(error, BASE_USAGE, "--topology %s: --%s is %s as well",
                                  before->text[REPLAY_TOPOLOGY], row->name, before->text[option]);
    }
    return 0;
}

/* Of the command line, where one topology may bring options as well. One that was given beside it with another
 * value is refused, and so is one that the subcommand does not take. */
int replay_configuration_apply(struct replay_settings *settings, enum replay_command command,
                               struct base_error *error)
{
    /* Texts stay in the arena when they are replaced, so that a copy of the struct still has the old ones. */
    const struct replay_settings before = *settings;
    const char *text = settings->text[REPLAY_TOPOLOGY];

    if (text == NULL || strchr(text, SEPARATOR) == NULL)
        return 0;
    if (replay_configuration_set(settings, text, error) != 0)
        return -1;
    return check(&before, settings, command, error);
}
