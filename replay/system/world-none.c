/* The module that speaks MPI, in a build without MPI: there is none. */
#include <config.h>

#include "replay/system/world-load.h"

/* Nothing is looked for: what a folder may hold was not made for this library. */
int replay_world_load(struct replay_world_module *module, uint32_t launched, struct base_error *error)
{
    (void)module;
    return launched <= 1
               ? 0
               : base_error_set(
                     error, BASE_USAGE,
                     "was started %u times by a launcher of MPI, but this flitreplay was built without "
                     "MPI (configure --with-mpi)",
                     launched);
}
