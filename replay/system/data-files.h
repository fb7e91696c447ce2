/* Files that are installed with the program: technologies. They are looked for beside the program (where it
 * was built), in the data directory that it was configured for, and in share/flitreplay beside the
 * directory of the program (where an installation was moved). */
#ifndef REPLAY_SYSTEM_DATA_FILES_H
#define REPLAY_SYSTEM_DATA_FILES_H

#include "base/arena.h"

/* The path of the first that there is of such a name ("technologies/45nm.technology"); that of the
 * configured one where there is none. Owned by the arena. NULL: memory. */
const char *replay_data_file(struct base_arena *arena, const char *name);

#endif
