/* A program that leaves out calls of another one. Of each rank it plays the calls before `front`, and those from
 * `back` up to `end`:
 *
 *      0 ─────── front ........... back ─────── end ........ the rank's last
 *      played             left out      played        left out
 *
 * A window has nothing before `front`, which is 0. crossing.c finds which calls in the played parts have no other
 * side there; view.c is the program. */
#ifndef TRACE_WINDOW_INTERNAL_H
#define TRACE_WINDOW_INTERNAL_H

#include "base/arena.h"
#include "base/table.h"
#include "traces/program-internal.h"
#include "traces/windows/iterations.h"
#include "traces/windows/window.h"

/* The three borders, as indices of counts: how many there are before the border. */
enum trace_border { TRACE_FRONT, TRACE_BACK, TRACE_LAST, TRACE_BORDERS };

/* A rank's part. Numbers of calls; the lists are sorted, and freed with the view. */
struct trace_part {
    uint64_t border[TRACE_BORDERS]; /* the number of the first call behind it */
    bool is_open;                   /* no call lies behind the last border */
    uint64_t first;                 /* of iterations: where the first begins … */
    uint64_t length;                /* … and how long each is; 0: there are none */
    uint64_t request_front;         /* requests that were started before the front, and before the back */
    uint64_t request_back;
    uint64_t *skipped; /* calls that complete at once */
    size_t skipped_count, skipped_capacity;
    uint64_t *dead; /* requests of the view that they would have started */
    size_t dead_count, dead_capacity;
};

/* Collectives of a communicator: which are played. */
struct trace_meeting {
    uint64_t front; /* before the front: those with a smaller number */
    uint64_t back;  /* behind it: from this number on … */
    uint64_t end;   /* … up to this one */
    uint64_t shift; /* by which the numbers of the latter are lowered */
    bool is_joined; /* all that come before the front or from the back on are played: both parts join */
};

struct trace_view {
    struct trace_program base; /* first */
    struct trace_program *inner;
    struct base_arena arena;        /* of parts and meetings */
    struct trace_part *parts;       /* [rank] */
    struct trace_meeting *meetings; /* [communicator] */
    struct trace_window window;     /* its texts are NULL where iterations were asked for */
    struct trace_iterations iterations;
};

/* marks.c: sets the borders of each rank from two marks. */
int trace_marks_find(struct trace_view *view, const struct trace_mark *from, const struct trace_mark *to,
                     struct base_error *error);
/* crossing.c: reads the ranks twice; fills in what is skipped, the meetings, the counts and the summary. */
int trace_crossings_find(struct trace_view *view, struct base_error *error);
/* view.c: a view with parts and meetings that are zero. NULL: memory, and the program is closed. */
struct trace_view *trace_view_new(struct trace_program *program, struct base_error *error);
/* The number by which the view knows a request of the inner program; UINT64_MAX: it was started outside. */
uint64_t trace_view_request(const struct trace_part *part, uint64_t number);

#endif
