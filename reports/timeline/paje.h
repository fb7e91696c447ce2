/* A simulated execution in the Paje trace format (Schnorr, "Paje trace file format", 2014), which ViTE, PajeNG and
 * others open: a container for each rank with its states, links for messages, a container for each channel with
 * its load. The file begins by defining its own events. Events are written as they come, in the order of time;
 * nothing is kept.
 *
 *      root ─┬─ rank 0, rank 1 …        states: computing, MPI_Recv, …; links: message
 *            │                          (of several jobs: job 1 ─ rank 0, rank 1 …; job 2 ─ …)
 *            └─ network                 variables: mean load; energy, where it is known
 *                 └─ (0,0) X+ …         variable: load */
#ifndef REPORT_PAJE_H
#define REPORT_PAJE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/drawing/draw.h"

struct report_paje {
    FILE *stream; /* borrowed */
    bool failed;  /* for want of memory */
};

/* Definitions, and the network's container; with has_jobs, ranks are in jobs. Texts are from traces and
 * may hold anything. */
void report_paje_begin(struct report_paje *paje, FILE *stream, const char *trace, const char *topology,
                       const char *version, bool has_jobs);
/* A job, numbered by the caller, begins at time 0, before its ranks; and ends, after them. */
void report_paje_job(struct report_paje *paje, uint32_t job, const char *name);
void report_paje_job_end(struct report_paje *paje, uint64_t time_ns, uint32_t job);
#define REPORT_PAJE_NO_JOB UINT32_MAX
/* A rank begins, at time 0, by its number among all and among those of its job (REPORT_PAJE_NO_JOB: there are none);
 * and ends. */
void report_paje_rank(struct report_paje *paje, uint32_t rank, uint32_t job, uint32_t number);
void report_paje_rank_end(struct report_paje *paje, uint64_t time_ns, uint32_t rank);
/* What a rank may do, under a number of the caller's, before it does; and that it does so from that time on. */
void report_paje_define(struct report_paje *paje, uint32_t number, const char *name, report_color color);
void report_paje_state(struct report_paje *paje, uint64_t time_ns, uint32_t rank, uint32_t number);
/* One end of a message. Both have the same number, which no other message has. */
void report_paje_link(struct report_paje *paje, uint64_t time_ns, uint32_t rank, uint64_t number,
                      bool is_head);
/* A channel, numbered by the caller; the share of its cycles in which it carries flits, from that time on. */
void report_paje_channel(struct report_paje *paje, uint32_t number, const char *name);
void report_paje_load(struct report_paje *paje, uint64_t time_ns, uint32_t number, double load);
/* The same of all channels together. */
void report_paje_mean(struct report_paje *paje, uint64_t time_ns, double load);
/* Joules that the network has taken until that time. */
void report_paje_energy(struct report_paje *paje, uint64_t time_ns, double joules);
/* A counter of the network, numbered by the caller, and its value from that time on. */
void report_paje_counter(struct report_paje *paje, uint32_t number, const char *name);
void report_paje_count(struct report_paje *paje, uint64_t time_ns, uint32_t number, uint64_t count);
/* -1: memory was out on the way; errors of the stream are the caller's to see. */
int report_paje_end(struct report_paje *paje, uint64_t time_ns);

#endif
