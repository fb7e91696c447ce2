/* The loads of an answer, as --load has them: L1,L2,... or FIRST:LAST:STEP. */
#ifndef REPLAY_TRAFFIC_LOADS_H
#define REPLAY_TRAFFIC_LOADS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define REPLAY_LOADS_MAX 1000

struct replay_loads {
    uint64_t load[REPLAY_LOADS_MAX]; /* in millionths of a flit a cycle and terminal; rising, each once */
    size_t count;
};

/* -1: BASE_USAGE, with what would do; or memory. */
int replay_loads_parse(struct replay_loads *loads, const char *text, struct base_error *error);

#endif
