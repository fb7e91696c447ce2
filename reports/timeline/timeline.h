/* A simulated execution in Chrome's trace event format, which Perfetto and chrome://tracing open: a track for
 * each rank with its calls and computations, arrows for messages, and counters of the channels' load. Events
 * are written as they come; nothing is kept. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_timeline {
    FILE *stream;       /* borrowed */
    uint32_t processes; /* named so far: those of ranks, then the network */
    bool is_first;      /* nothing stands before the next event */
    bool failed;        /* for want of memory */
};

/* A rank in one of the processes, which are numbered from 0 in the order of their names. */
struct report_timeline_track {
    uint32_t process, rank; /* a viewer shows ranks of one process together */
};

/* Begins the document. Texts are from traces and may hold anything. */
void report_timeline_begin(struct report_timeline *timeline, FILE *stream, const char *trace,
                           const char *topology, const char *version);
/* What ranks belong to: a program, or one of several; the last of them is the network, whose are the loads. */
void report_timeline_process(struct report_timeline *timeline, const char *name);
/* The track of a rank. */
void report_timeline_rank(struct report_timeline *timeline, struct report_timeline_track track);
#define REPORT_TIMELINE_NONE UINT64_MAX
/* What a call was called with; REPORT_TIMELINE_NONE: not known, or not of its kind. */
struct report_timeline_call {
    uint64_t bytes, peer, tag, communicator; /* peer: a rank of the same process */
    uint64_t others_ns, network_ns; /* of its time: waiting for others, and for messages on their way */
};

/* A call, or a computation (call NULL). */
void report_timeline_slice(struct report_timeline *timeline, struct report_timeline_track track,
                           const char *name, uint64_t begin_ns, uint64_t end_ns,
                           const struct report_timeline_call *call);
/* One end of an arrow, inside a slice of the rank. Both ends have the same number, which no other arrow has. */
void report_timeline_arrow(struct report_timeline *timeline, struct report_timeline_track track,
                           uint64_t time_ns, uint64_t number, bool is_head);
/* The share of its cycles in which the channel of that name carries flits, from that time on; NULL: the mean of all
 * channels. */
void report_timeline_load(struct report_timeline *timeline, uint64_t time_ns, const char *channel,
                          double load);
/* Joules that the network has taken until that time. */
void report_timeline_energy(struct report_timeline *timeline, uint64_t time_ns, double joules);
/* A count of that name, until that time. */
void report_timeline_count(struct report_timeline *timeline, uint64_t time_ns, const char *name,
                           uint64_t count);
/* Ends the document. -1: memory was out on the way; errors of the stream are the caller's to see. */
int report_timeline_end(struct report_timeline *timeline);

#endif
