/* Iterations of a program: the longest part of it in which every rank makes the same calls over and over, of which only
 * the first few are played. The program that is left is the one that would have been recorded with fewer iterations:
 *
 *      prologue | 1 | 2 | 3 | 4 ... 50 | epilogue      ──►      prologue | 1 | 2 | 3 | epilogue
 *
 * Calls are the same if nothing but the times and the numbers of requests and collectives tells them apart. A rank's
 * period is found in its own calls; how many periods of each rank are one iteration of all follows from the messages
 * and collectives that ranks have with each other in a period: both sides of a message are repeated as often. Each
 * rank may begin to count at another place of its iteration; what is under way there at the begin of the part that is
 * left out is taken for what is under way at its end (traces/windows/crossing.c). doc/windows.md. */
#ifndef TRACE_ITERATIONS_H
#define TRACE_ITERATIONS_H

#include "traces/program.h"

struct trace_iterations {
    uint64_t found, played;           /* iterations; the first `played` are kept */
    uint64_t calls;                   /* of one iteration, over all ranks */
    uint64_t all_calls;               /* of the program */
    uint64_t sends, receives, probes; /* that complete at once, since their other side is left out */
    uint64_t collective_calls;        /* likewise */
};

/* The program with its first `played` iterations, which is the result's from here on, also on failure. NULL: there is
 * nothing that all ranks repeat, or it makes less than half of the calls; fewer iterations than that (BASE_USAGE); what
 * the trace's cursors say; memory. It reads every rank five times; memory: 8 bytes a call, of one rank at a time and of
 * its first 2^20 calls at most. Longer periods than half of these are not found. */
struct trace_program *trace_iterations_new(struct trace_program *program, uint64_t played,
                                           struct base_error *error);

/* What iterations a program has been left with; NULL: all. Borrowed from the program. In its streams TRACE_ITERATES is
 * set in the first call of each, and in the first behind the last. */
const struct trace_iterations *trace_program_iterations(const struct trace_program *program);

#endif
