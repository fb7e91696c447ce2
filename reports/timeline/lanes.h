/* What the timeline of ranks shows, as plain data: a lane a rank (or for several, where there are many), cut
 * into columns of time, and how much of each column its ranks spend in which state. Memory is bounded
 * whatever the length of the run: single intervals and messages are kept only while there are few of them.
 *
 *      lane 0   ┌────┬────┬────┬────┬──── …   columns, the same for all lanes
 *      lane 1   ├────┼────┼────┼────┼──── …   ns[lane][column][state]; what is left of a column has no state:
 *               0                        end_ns    the rank has ended
 *
 * The end of a call that messages on their way have taken has a state of its own, so that it is seen what the network
 * does. Sums are exact: over the columns of a lane they are its ranks' times in that state. */
#ifndef REPORT_TIMELINE_LANES_H
#define REPORT_TIMELINE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum report_lane_state {
    REPORT_LANE_COMPUTING,
    REPORT_LANE_SENDING,    /* waiting for others in a call that sends, puts or gets */
    REPORT_LANE_RECEIVING,  /* the same in one that receives, probes or waits for requests */
    REPORT_LANE_COLLECTIVE, /* the same in a blocking collective */
    REPORT_LANE_NETWORK,    /* waiting for messages on their way, in any call */
    REPORT_LANE_STATES
};

#define REPORT_LANES_SINGLE 128         /* more ranks share lanes, */
#define REPORT_LANES_SHARED 64          /* so many of them, which can be higher */
#define REPORT_LANE_INTERVALS_MOST 2500 /* more are shown as columns only */
#define REPORT_LANE_MESSAGES_MOST 250   /* more arrows hide each other */

struct report_lane_interval {
    uint32_t rank;                /* of the program */
    enum report_lane_state state; /* what the rank does in it */
    uint64_t begin_ns, end_ns;    /* of simulated time */
    const char *name;             /* of the call; borrowed from the program */
    uint64_t network_ns;          /* of it, its end: for messages on their way; of several waits, their sum */
    uint64_t bytes;               /* of the call, if has_bytes */
    bool has_bytes;
};

struct
    report_lane_message { /* point-to-point, from the call that sends to the end of the one that receives */
    uint32_t source, target;
    uint64_t begin_ns, end_ns, bytes;
};

/* A time in which as many routers grant no data, since links have failed. */
struct report_lane_stop {
    uint64_t begin_ns, end_ns;
    uint32_t routers; /* > 0 */
};

struct report_lanes {
    uint32_t ranks, ranks_per_lane, lanes; /* many ranks share a lane, so that a page stays small */
    /* [job_count], borrowed: where the ranks of each job begin; NULL: there are no jobs */
    const uint32_t *first_rank;
    uint32_t job_count;         /* of first_rank */
    uint64_t *finish_ns;        /* [rank]: the end of its last interval */
    uint32_t columns, segments; /* segments divide the columns: what a note is about */
    uint64_t end_ns;
    uint64_t *ns;                          /* [lane][column][state], summed over the ranks of the lane */
    struct report_lane_interval *interval; /* by rank, then time; none when there were too many */
    uint32_t interval_count;
    bool has_intervals; /* interval[] is all of them */
    struct report_lane_message *message;
    uint32_t message_count; /* of message */
    uint64_t messages;      /* point-to-point, of the whole run: those that message[] lacks are left out */
    struct report_lane_stop *stop; /* [stop_count] in the order of time, none over another; owned */
    size_t stop_count;
    uint32_t routers; /* of the network, if links fail by a fault routing; else 0 */
};

/* end_ns > 0, ranks > 0. The caller frees it. NULL: memory. */
struct report_lanes *report_lanes_new(uint32_t ranks, uint64_t end_ns);
void report_lanes_free(struct report_lanes *lanes); /* NULL is legal */
/* Takes an interval that ends by end_ns. Those of a rank come in the order of time. */
void report_lanes_add(struct report_lanes *lanes, const struct report_lane_interval *interval);
/* Takes a message of which both ends are known. The caller counts all of them in lanes->messages. */
void report_lanes_add_message(struct report_lanes *lanes, const struct report_lane_message *message);
/* Where a column begins; column == columns: the end. */
uint64_t report_lanes_column_ns(const struct report_lanes *lanes, uint32_t column);
/* ns[lane][column], an array by state. */
const uint64_t *report_lanes_column(const struct report_lanes *lanes, uint32_t lane, uint32_t column);

#endif
