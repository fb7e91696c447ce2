/* The traces of a comparison, each opened and decoded once for all who replay it, one after the other or at the same
 * time:
 *
 *      plan ─── look ahead (outlook.h) ─── worker ─── worker
 *                                          worker ─── worker      open … close around what each does with a trace
 *
 * What nobody uses stays open as long as there is room for its operations. By several threads at a time. */
#ifndef REPLAY_COMPARE_KEPT_H
#define REPLAY_COMPARE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/options.h"
#include "traces/program.h"

/* Whether both settings read a trace in the same way: options of reading decide what is in a program. */
bool replay_reads_alike(const struct replay_settings *a, const struct replay_settings *b);

struct replay_kept;

/* Of traces by their numbers in this array of paths, which outlives it; with room for so many bytes of those that
 * nobody uses. NULL: memory. */
struct replay_kept *replay_kept_new(const char *const *traces, uint64_t room_bytes);
void replay_kept_free(struct replay_kept *kept); /* NULL is legal; nobody uses a trace any more */

/* A trace as these settings read it, which outlive `kept`. Its hash is known. For several: whoever opens it so may use
 * it at the same time as others who do, if it can be shared (trace_program_share); else each has one of their own.
 * NULL: why it cannot be read, or memory. */
struct trace_program *replay_kept_open(struct replay_kept *kept, uint32_t trace,
                                       const struct replay_settings *settings, bool is_for_several,
                                       struct base_error *error);
/* By everyone who has opened it, once. NULL is legal. */
void replay_kept_close(struct replay_kept *kept, struct trace_program *program);

#endif
