/* Inside replay/system/: where the module that speaks MPI comes from. */
#ifndef REPLAY_SYSTEM_WORLD_LOAD_H
#define REPLAY_SYSTEM_WORLD_LOAD_H

#include "base/error.h"
#include "replay/system/world-module.h"

/* Loads the module for a process that a launcher has started together with others, `launched` in all (0: it did not
 * say). 1: it is there; 0: there is none, and this process is alone; -1: there is none and ought to be (BASE_USAGE),
 * since N copies that know nothing of each other would do the same work N times, into the same files; or it cannot
 * be loaded (BASE_SYSTEM). */
int replay_world_load(struct replay_world_module *module, uint32_t launched, struct base_error *error);

#endif
