/* Inside replay/library/: errors between the rooms and the public interface. */
#ifndef REPLAY_LIBRARY_INTERNAL_H
#define REPLAY_LIBRARY_INTERNAL_H

#include "base/error.h"
#include "replay/library/flitreplay.h"

/* Makes of an error inside one outside, unless outer is NULL. Returns -1. Where there is no memory for it, it is the
 * one that says so. */
int replay_error_pass(const struct base_error *inner, flr_error **outer)
    __attribute__((visibility("hidden")));

#endif
