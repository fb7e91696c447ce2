/* What a trace held when it was read, in one word: reports and stores name the trace by path and by this, so that
 * a file that was recorded anew in between is noticed. */
#ifndef REPLAY_FINGERPRINT_H
#define REPLAY_FINGERPRINT_H

#include "base/arena.h"
#include "traces/program.h"

/* 32 hexadecimal digits, owned by the arena; NULL: memory. A hash (XXH3) over what the survey has counted: ranks,
 * events, sends, receives, bytes, computing and MPI times, messages and bytes of every pair of ranks, calls and
 * bytes of every collective. So it takes no second reading of the trace, however large; it is the same wherever
 * the files are, and not one of the files' bytes. Options of reading that change computing times change it. */
const char *replay_fingerprint(struct base_arena *arena, const struct trace_program *program);

#endif
