/* Options as tests have them in their tables: by name. */
#ifndef TESTS_SETTINGS_H
#define TESTS_SETTINGS_H

#include <string.h>

#include "replay/options.h"

/* As replay_settings_set, of an option that there is. */
static inline int set_named(struct replay_settings *settings, const char *name, const char *value,
                            struct base_error *error)
{
    enum replay_option option = 0;

    while (strcmp(replay_option_row(option)->name, name) != 0)
        option++;
    return replay_settings_set(settings, option, value, error);
}

#endif
