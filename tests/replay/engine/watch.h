/* Replays watched by the reference matcher, and programs copied with changes: what the tests with random
 * programs share. Everything fails the test on any error. */
#ifndef TESTS_REPLAY_ENGINE_WATCH_H
#define TESTS_REPLAY_ENGINE_WATCH_H

#include "base/table.h"
#include "netmodel/network.h"
#include "tests/replay/engine/reference-matcher.h"
#include "tests/traces/memory.h"

/* How many random programs a test makes: FLITREPLAY_RANDOM_PROGRAMS, or 1000 (100 under the
 * address sanitizer). */
uint64_t random_programs(void);

/* A zeroed struct is a new one. */
struct watch {
    const struct trace_tuning *collectives; /* NULL: the first of the list */
    struct reference_matcher matcher;
    struct base_table probes; /* (rank, event) -> index into seen */
    struct replay_observation *seen;
    uint32_t count, capacity;
};

/* Replays on a network, which is freed, under the protocols' limit that the seed says, and lets the reference
 * judge. The caller frees the result. */
struct replay_result watch_replay(struct trace_program *program, struct net_network *network,
                                  struct watch *watch, uint64_t seed);
void watch_free(struct watch *watch); /* leaves a new one */

/* The send that a receive got, by its rank and event. */
const struct reference_side *watch_partner(const struct watch *watch, uint32_t rank, uint64_t event);

/* What becomes of one operation of a program that is copied: whatever is added instead. */
typedef void watch_translation(struct trace_memory *memory, uint32_t rank, struct trace_op op,
                               const struct watch *watch);
/* The copy, which the caller closes; watch is for the translation. */
struct trace_program *watch_translate(struct trace_program *program, watch_translation *translate_op,
                                      const struct watch *watch);
/* As a recording of that replay would have it: wildcards are what they got. */
void watch_resolve(struct trace_memory *memory, uint32_t rank, struct trace_op op, const struct watch *watch);

#endif
