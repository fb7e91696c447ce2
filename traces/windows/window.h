/* Windows: a part of a program, as a program. It stands between any reader and whoever asks for operations, so
 * that graphs, mappings and replays of a window need to know nothing of it:
 *
 *      trace_open ──► program ──► trace_window_new ──► program of the window ──► graph, placement, replay
 *
 * Every rank plays its own calls from the first mark up to the second, without the latter. The computation before
 * a call goes with the call, so that windows that touch are together the whole. What has its other side outside
 * the window cannot happen in it: such sends, receives, probes and collectives complete at once, take no time and
 * are counted; so does the waiting for requests that were started before. Communicators stand, whenever they were
 * made. doc/windows.md has the rules.
 *
 * Nothing of the trace is kept but one entry for each rank's messages to another under a communicator and tag, and
 * what crosses a border: memory does not grow with the trace's length. Making a window reads its ranks up to three
 * times. */
#ifndef TRACE_WINDOW_H
#define TRACE_WINDOW_H

#include "traces/program.h"

enum trace_mark_kind {
    TRACE_MARK_OPEN, /* the start of the recording, or its end */
    TRACE_MARK_TIME, /* the rank's first call that was recorded `number` ns or later after the first event of the
                         trace; of the rank, where clocks of ranks have nothing in common */
    TRACE_MARK_CALL, /* the rank's call with this number, from 1 */
    TRACE_MARK_REGION /* the rank's first call since it entered the region for the number-th time: an MPI call, which
                         is then that call, or a region of the program's own, where the trace records them */
};

/* A call is what the replay is asked to do at a time: a message sent or received, a probe, a put or get, a wait, a
 * collective. MPI_Sendrecv is three of them: receive, send and wait. */
struct trace_mark {
    enum trace_mark_kind kind; /* what number counts */
    uint64_t number;           /* of nanoseconds, of the call, of the entry */
    const char *region;        /* TRACE_MARK_REGION: the beginning of its name, borrowed from the text */
    size_t region_length;
};

/* Reads "start" (the option is "from") or "end", a time with its unit ("1.5ms"), "call:N" or "region:NAME#K".
 * BASE_USAGE names what works; `option` is the option's name, for the sentence. */
int trace_mark_parse(const char *option, const char *text, struct trace_mark *mark, struct base_error *error);

/* Whether two texts are marks of which the first comes before the second, as far as they tell. -1: BASE_USAGE. */
int trace_window_check(const char *from, const char *to, struct base_error *error);

/* What a program is a window of, and what crosses its borders. */
struct trace_window {
    const char *from, *to;            /* as asked for */
    uint64_t calls, all_calls;        /* in it, and in the whole trace, over all ranks */
    uint64_t sends, receives, probes; /* in it, that complete at once: the other side is not in it */
    uint64_t collectives;             /* operations that some ranks call in it and some outside */
    uint64_t collective_calls;        /* the calls of them in it, which complete at once */
    uint64_t requests_before;         /* started before it and waited for in it: complete */
    uint64_t requests_after;          /* started in it and waited for behind it, if ever: nobody waits */
    uint32_t empty_ranks;             /* that have no call in it */
};

/* The window of a program, which is the result's from here on, also on failure (it is closed then). From and to are
 * texts of marks. NULL: marks that are wrong or contradict each other, an unknown region, more entries or calls
 * than there are, no call between the marks, a receive whose source or tag the trace leaves open (BASE_USAGE);
 * what the trace's cursors say; memory (BASE_SYSTEM). */
struct trace_program *trace_window_new(struct trace_program *program, const char *from, const char *to,
                                       struct base_error *error);

/* What a program is a window of; NULL: of nothing, it is whole. Borrowed from the program. */
const struct trace_window *trace_program_window(const struct trace_program *program);

#endif
