/* Arguments of a subcommand, wherever they come from: the command line or a program that uses the library. */
#include <config.h>

#include <string.h>

#include "replay/answers/answer.h"
#include "replay/configurations.h"
#include "replay/machines/units.h"
#include "replay/session/kinds.h"

/* Whether each of its values is a case of its own: of a comparison those of every option that bears on results, of
 * traffic the networks. */
static bool repeats(enum replay_command command, enum replay_option option)
{
    return (command == REPLAY_COMMAND_COMPARE && replay_values_may_repeat(option)) ||
           (command == REPLAY_COMMAND_TRAFFIC && (option == REPLAY_TOPOLOGY || option == REPLAY_ROUTING));
}

/* A value given twice is more likely a mistake than an override, except where every value is to be compared. */
int replay_arguments_take(struct replay_arguments *arguments, enum replay_option option, const char *value,
                          struct base_error *error)
{
    const struct replay_option_row *row = replay_option_row(option);

    if (repeats(arguments->command, option))
        return replay_settings_set(&arguments->settings, option, value, error) == 0
                   ? replay_values_add(&arguments->values, option, value, error)
                   : -1;
    if (arguments->settings.given[option] && row->argument != NULL && row->kind != REPLAY_KIND_RULES &&
        row->kind != REPLAY_KIND_JOBS && row->kind != REPLAY_KIND_PICTURES)
        return base_error_set(error, BASE_USAGE, "--%s is given twice: %s and %s", row->name,
                              arguments->settings.text[option], value);
    /* A flag that is off is one that was not given. */
    if (row->argument == NULL && value != NULL && strcmp(value, "no") == 0)
        return 0;
    return replay_settings_set(&arguments->settings, option, value == NULL ? "yes" : value, error);
}

/* Of a comparison each topology is taken apart for itself, when its plan is made. */
int replay_arguments_apply(struct replay_arguments *arguments, struct base_error *error)
{
    if (arguments->command == REPLAY_COMMAND_COMPARE)
        return 0;
    return replay_configuration_apply(&arguments->settings, arguments->command, error) == 0
               ? replay_units_apply(&arguments->settings, replay_check_name, error)
               : -1;
}

/* A second operand is named, since it is often the value of an option whose dashes were forgotten. */
int replay_arguments_one(const struct replay_arguments *arguments, const char *what, struct base_error *error)
{
    if (arguments->operand_count == 0 && arguments->program != NULL)
        return 0;
    if (arguments->program != NULL)
        return base_error_set(error, BASE_USAGE, "a trace is named already, and '%s' is another",
                              arguments->operands[0]);
    if (arguments->operand_count == 0)
        return base_error_set(error, BASE_USAGE, "needs %s", what);
    if (arguments->operand_count > 1)
        return base_error_set(error, BASE_USAGE, "takes %s; '%s' is one too many", what,
                              arguments->operands[1]);
    return 0;
}
