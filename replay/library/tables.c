/* What can be asked of the library: the tables of subcommands and options. */
#include <config.h>

#include "replay/library/flitreplay.h"
#include "replay/options.h"

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
