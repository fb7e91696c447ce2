/* What part of a trace an answer is of, and what crosses its borders: in the answers of run and map. */
#ifndef REPORT_WINDOW_H
#define REPORT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct report_json;
struct json_t;
struct report_page;

struct report_window {
    const char *from, *to;            /* the marks, as options have them */
    uint64_t calls, all_calls;        /* in it, and in the whole trace, over all ranks */
    uint64_t sends, receives, probes; /* in it, whose other side is not: complete at once */
    uint64_t collectives;             /* that some ranks call in it and some outside … */
    uint64_t collective_calls;        /* … and the calls of these in it: complete at once */
    uint64_t requests_before;         /* started before it and waited for in it: complete */
    uint64_t requests_after;          /* started in it, waited for behind it: nobody waits */
    uint32_t empty_ranks;             /* ranks without a call in it */
};

/* A time of the whole program, from that of the shortened run and as many iterations as are left out: of the median
 * length, and the bounds that follow from the shortest and the longest. */
struct report_extrapolation {
    uint64_t iteration_ns, least_iteration_ns, most_iteration_ns; /* of those that were replayed */
    uint64_t whole_ns, least_ns, most_ns;
};

struct report_iterations {
    uint64_t found, played; /* the first `played` were replayed, the others are extrapolated */
    uint64_t calls;         /* of one, over all ranks */
    uint64_t all_calls;     /* of the program, all iterations included */
    uint64_t cut;           /* calls that complete at once, since their other side is left out */
    bool is_extrapolated;   /* false: the replay was interrupted, and what follows is unknown */
    struct report_extrapolation network, ideal; /* on the topology, and on an ideal network */
};

/* Fills in what follows from the times at which each iteration, and what is behind the last, begins: played + 1 of
 * them, of a run that takes run_ns. Sorts nothing of the caller's; the arena has the copy. -1: memory. */
int report_extrapolate(const struct report_iterations *iterations, struct base_arena *arena,
                       const uint64_t *begin_ns, uint64_t run_ns, struct report_extrapolation *extrapolation);

/* A paragraph; nothing for NULL: all iterations. */
void report_iterations_text(struct report_page *page, const struct report_iterations *iterations);
/* The object "iterations" of an answer, null where all are replayed. */
void report_iterations_json(struct report_json *json, struct json_t *parent,
                            const struct report_iterations *iterations);

/* A paragraph; nothing for NULL, a whole trace. */
void report_window_text(struct report_page *page, const struct report_window *window);
/* The object "window" of an answer, null for a whole trace. */
void report_window_json(struct report_json *json, struct json_t *parent, const struct report_window *window);

#endif
