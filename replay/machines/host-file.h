/* A host in a file of its own: the costs of replay/host.def, in YAML.
 *
 *      send-overhead: 500ns
 *      receive-overhead: 700ns
 *      nic-gap: 20ns
 *
 * Nothing else is allowed: an unknown key, a key given twice, a value that it cannot have are errors with line and
 * column. The same keys may stand under `host:` in a machine's file (machine-file.h). What stands under
 * `published-host:` there costs nothing without --host published. */
#ifndef REPLAY_MACHINES_HOST_FILE_H
#define REPLAY_MACHINES_HOST_FILE_H

#include "base/input.h"
#include "replay/options.h"

/* Where --host names a file, or is `published`, its list takes the name's place: what is recorded are the costs,
 * and not where they were. -1: BASE_INPUT "FILE: line 3, column 1: ...", BASE_USAGE where this program was built
 * without libyaml; memory. */
int replay_host_apply(struct replay_settings *settings, struct base_error *error);

/* Whether --host asks for what is published of the machine, which is not known before the machine is. */
bool replay_host_is_published(const struct replay_settings *settings);

/* The list of an open file, in the arena; machine-yaml.c reads it with libyaml, machine-none.c refuses. NULL: as
 * above. */
const char *replay_host_read(const struct base_input *file, struct base_arena *arena,
                             struct base_error *error);

#endif
