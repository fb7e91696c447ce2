/* A configuration as one writes it: a topology with options of its own.
 *
 *      king-mesh:8x8;flit-bytes=4;injectors=2
 *
 * What it says stands above what is given for all configurations, so that several with different widths, buffers or
 * routings can be levels of one factor. Subcommands that have a single topology take the same text. */
#ifndef REPLAY_CONFIGURATIONS_H
#define REPLAY_CONFIGURATIONS_H

#include "replay/options.h"

/* The topology of it, without options, in the arena. NULL: memory. */
const char *replay_configuration_topology(struct base_arena *arena, const char *text);
/* Gives settings its topology and its options. -1: BASE_USAGE, where something is no option that describes a network
 * or a placement on it, is named twice, or has no such value; memory. */
int replay_configuration_set(struct replay_settings *settings, const char *text, struct base_error *error);
/* The option that the first `length` bytes of a text name, of those that a configuration may have. -1: BASE_USAGE,
 * there is none. */
int replay_configuration_find(const char *text, size_t length, enum replay_option *option,
                              struct base_error *error);
/* Of settings as the command line left them: --topology is taken apart. -1: as above, and where an option of it was
 * given another value, or is none of that subcommand. */
int replay_configuration_apply(struct replay_settings *settings, enum replay_command command,
                               struct base_error *error);

#endif
