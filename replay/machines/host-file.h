/* A host in a file of its own: the costs of replay/host.def, in YAML.
 *
 *      send-overhead: 500ns
 *      receive-overhead: 700ns
 *      nic-gap: 20ns
 *
 * Nothing else is allowed: an unknown key, a key given twice, a value that it cannot have are errors with line and
 * column. The same keys may stand under `host:` in a machine's file (machine-file.h). */
#ifndef REPLAY_MACHINES_HOST_FILE_H
#define REPLAY_MACHINES_HOST_FILE_H

#include "base/input.h"
#include "replay/options.h"

/* Where --host names a file, its list takes the name's place: what is recorded are the costs, and not where they were.
 * -1: BASE_INPUT "FILE: line 3, column 1: ...", BASE_USAGE where this program was built without libyaml; memory. */
int replay_host_apply(struct replay_settings *settings, struct base_error *error);

/* The list of an open file, in the arena; machine-yaml.c reads it with libyaml, machine-none.c refuses. NULL: as
 * above. */
const char *replay_host_read(const struct base_input *file, struct base_arena *arena,
                             struct base_error *error);

#endif
