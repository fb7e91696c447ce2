/* Lists of values, in the order given. */
#include "replay/values.h"

#include <stdio.h>
#include <string.h>

/* By the table of options, so that an option of a later version can be varied without a word here. */
bool replay_values_may_repeat(enum replay_option option)
{
    const struct replay_option_row *row = replay_option_row(option);
    return (replay_option_is_recorded(option) || option == REPLAY_EQUAL) && row->argument != NULL &&
           row->kind != REPLAY_KIND_RULES && option != REPLAY_SEED;
}

/* Doubled in the arena: what is left behind is never more than what is used. */
static int append(struct replay_values *values, struct replay_values_row *row, const char *value)
{
    if (row->count == row->capacity) {
        uint32_t capacity = row->capacity > 0 ? 2 * row->capacity : 4;
        const char **larger = base_arena_array(&values->arena, capacity, sizeof *larger);
        if (larger == NULL)
            return -1;
        if (row->count > 0)
            memcpy(larger, row->value, row->count * sizeof *larger);
        row->value = larger;
        row->capacity = capacity;
    }
    row->value[row->count] = base_arena_text(&values->arena, value);
    return row->value[row->count++] != NULL ? 0 : -1;
}

/* The same value twice would be the same runs twice, and is most likely a slip. */
static int add(struct replay_values *values, struct replay_values_row *row, const char *what,
               const char *value, struct base_error *error)
{
    for (uint32_t i = 0; i < row->count; i++)
        if (strcmp(row->value[i], value) == 0)
            return base_error_set(error, BASE_USAGE, "%s %s is given twice", what, value);
    return append(values, row, value) == 0 ? 0 : base_error_memory(error, "the values of the options");
}

/* The sentence names the option as it is typed. */
int replay_values_add(struct replay_values *values, enum replay_option option, const char *value,
                      struct base_error *error)
{
    const char *meant = replay_option_resolve(option, value, &values->arena);
    char what[64];

    if (meant == NULL)
        return base_error_memory(error, "the values of the options");
    snprintf(what, sizeof what, "--%s", replay_option_row(option)->name);
    return add(values, &values->option[option], what, meant, error);
}

/* By its path as given: two names of one file are not noticed, and only cost time. */
int replay_values_add_trace(struct replay_values *values, const char *path, struct base_error *error)
{
    return add(values, &values->traces, "the trace", path, error);
}

/* The struct is empty afterwards, and may be used again. */
void replay_values_free(struct replay_values *values)
{
    base_arena_free(&values->arena);
    *values = (struct replay_values){0};
}
