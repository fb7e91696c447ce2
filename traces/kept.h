/* A program that is decoded once. It stands between a reader and whoever asks for operations, and has what the reader
 * would give, every field of it:
 *
 *      trace_open ──► program ──► trace_keep ──► the same program ──► window, graph, replay, replay, ...
 *
 * Operations are bytes (traces/kept-code.h), 5 to 12 each, of which `room_bytes` stay in memory and the others go to a
 * temporary file without a name (in $TMPDIR, or /var/tmp). So memory does not grow without limit with the length of a
 * trace. Ranks come from the draft that the reader has made while it surveyed the trace (traces/draft.h); the others
 * are decoded by the first stream that is asked for. Where no file can be written streams are the reader's own, as they
 * are without this. */
#ifndef TRACE_KEPT_H
#define TRACE_KEPT_H

#include "traces/draft.h"

/* The program that is kept, which is the result's from here on, also on failure. Formulas are their own memory and
 * are given back as they are. program may be NULL, which is given back as well. NULL: memory (BASE_SYSTEM). */
struct trace_program *trace_keep(struct trace_program *program, uint64_t room_bytes,
                                 struct base_error *error);

/* The same with what the reader was given as options.draft, which the program owns from here on, also on failure. NULL
 * is a lack of memory. */
struct trace_program *trace_keep_drafted(struct trace_program *program, struct trace_draft *draft,
                                         struct base_error *error);

/* What keeping has taken so far, also of a program of which this one is a part; zeros where nothing is kept. */
struct trace_kept_size {
    uint64_t operations;
    uint64_t memory_bytes, file_bytes;
    uint32_t decoded; /* ranks for which a stream of the reader was needed */
};
struct trace_kept_size trace_kept_size(const struct trace_program *program);

#endif
