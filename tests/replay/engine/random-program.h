/* Random legal MPI programs that cannot deadlock, whatever the network does and whichever message a wildcard
 * gets. A program is made of actions in one global order; each appends its operations to the ranks that take
 * part, such that it can complete under any protocol once the earlier ones have. So the earliest incomplete
 * action always has all its ranks in it. What makes that true of wildcards stands with each action. */
#ifndef TESTS_REPLAY_ENGINE_RANDOM_PROGRAM_H
#define TESTS_REPLAY_ENGINE_RANDOM_PROGRAM_H

#include "tests/traces/memory.h"

enum random_features {
    RANDOM_WILDCARDS = 1,
    RANDOM_PROBES = 2,
    RANDOM_NONBLOCKING_COLLECTIVES = 4,
    RANDOM_ONE_SIDED = 8,
    RANDOM_BUFFERED = 16,
    RANDOM_SYNCHRONOUS = 32,
    RANDOM_VECTORS = 64, /* alltoallv with every pair's size */
    RANDOM_COMMUNICATORS = 128,
    RANDOM_ALL = 255
};

/* 2 to 9 ranks. The caller closes the program. */
struct trace_memory *random_program(uint64_t seed, uint32_t actions, unsigned features);

#endif
