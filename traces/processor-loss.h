/* Whether ranks shared processors while they were recorded, found gap by gap: between two MPI calls a rank
 * computes, and its own work shows on both clocks. A gap in which the wall clock went on for longer than the
 * clock of the process has lost its processor to somebody else. A run computes as its slowest chain of gaps
 * does, and so a few such gaps can be most of its time where all gaps together hardly differ.
 *
 *      wall   ├───── 4.1 ms ─────┤
 *      CPU    ├ 0.2 ┤               lost: 3.9 ms
 *
 * What counts, from the single gap to the trace:
 *
 *   a gap    when it lost TRACE_LOSS_LEAST_NS or more, and more than twice the step of its rank's CPU clock.
 *            With a processor of its own a rank's clocks differ by the time of reading them and of
 *            interrupts, some microseconds; who loses its processor is without it for the time slice of
 *            another, ten and a thousand times that. A clock of ticks shows whole ticks in some gaps and
 *            nothing in others: a gap is wrong by less than a step at either end. What such a clock hides in
 *            single gaps shows in their sum: n gaps have errors of either sign, whose sum spreads by
 *            0.41 * step * sqrt(n) (uniform phases at both ends), and five times that no chance explains.
 *   a rank   when it lost more than a part in TRACE_LOSS_NOISE of its computing. Timer interrupts, of which
 *            there are at most 1000 a second, of 10 microseconds at most, take no more of any processor, and
 *            the losses of thousands of ranks that only the system interrupts would add up to anything.
 *   a trace  when what its ranks lost, put end to end (each may wait for the others), is more than a part in
 *            TRACE_LOSS_PART of what the busiest rank computes: less cannot move a result by more. Not where
 *            the MPI calls together took longer than what was lost, and no more than a part in
 *            TRACE_LOSS_NOISE of them without a processor: who shares one loses it inside calls as well, so
 *            these ranks had theirs, and waited for something else, such as files. A library that sleeps
 *            while it waits leaves that open.
 */
#ifndef TRACE_PROCESSOR_LOSS_H
#define TRACE_PROCESSOR_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_LOSS_LEAST_NS UINT64_C(16384)
#define TRACE_LOSS_PART 20
#define TRACE_LOSS_NOISE 100
#define TRACE_LOSS_CLASSES 64
#define TRACE_LOSS_FINE_NS 1000 /* a clock whose spans are not all of whole microseconds is none of ticks */

struct trace_lost_gap {
    uint32_t rank;  /* of the world */
    uint64_t event; /* of the call after the gap, from 1 */
    uint64_t wall_ns, cpu_ns;
};

/* Spans of time by both clocks, whose difference is 2^k to 2^(k+1) ns where it is of class k. */
struct trace_loss_spans {
    uint64_t spans, wall_ns, cpu_ns; /* how many, and their sums by both clocks */
    uint64_t behind;                 /* with less CPU time than wall time */
    uint64_t count[TRACE_LOSS_CLASSES], lost_ns[TRACE_LOSS_CLASSES]; /* of those */
    uint64_t more_ns[TRACE_LOSS_CLASSES];                            /* of the others */
};

/* What came out. Zeros where the trace does not have both clocks. */
struct trace_processor_loss {
    uint64_t gaps;            /* with both clocks; 0: nothing can be said */
    uint64_t wall_ns, cpu_ns; /* of them, summed over the ranks */
    uint64_t resolution_ns;   /* the coarsest step of a rank's CPU clock; 0: nanoseconds */
    uint64_t lost_gaps, lost_ns;
    uint32_t lost_ranks;     /* ranks with a lost gap */
    uint64_t more_ns;        /* CPU time beyond wall time: of ranks that compute with several threads */
    uint64_t busiest_cpu_ns; /* CPU time of the gaps of the rank that computes most */
    uint64_t call_ns, call_lost_ns; /* inside MPI calls, by the wall clock; of it without a processor */
    struct trace_lost_gap longest;  /* of the lost ones; meaningless when there are none */
};

/* While a trace is read; zeroed at the start. The ranks come one after the other. */
struct trace_loss_tally {
    struct trace_loss_spans gaps, calls; /* of the rank that is being read */
    uint64_t least_cpu_ns, divisor_ns; /* the shortest span of its CPU clock but 0; what divides all spans */
    struct trace_lost_gap longest;     /* of it */
    struct trace_processor_loss loss;  /* of those before */
};

/* The logarithm to the base of 2, downwards; 0 for 0 and 1. */
static inline unsigned trace_loss_class(uint64_t ns)
{
    return 63U - (unsigned)__builtin_clzll(ns | 1);
}
/* For trace_loss_span: a CPU time that says something of the clock's step. */
void trace_loss_step(struct trace_loss_tally *tally, uint64_t cpu_ns);
/* For the two below. Sums by class of the difference; and whatever the span is of, it shows what the CPU clock tells
 * apart. */
static inline __attribute__((always_inline)) void trace_loss_span(struct trace_loss_tally *tally,
                                                                  struct trace_loss_spans *spans,
                                                                  uint64_t wall_ns, uint64_t cpu_ns)
{
    spans->spans++;
    spans->wall_ns += wall_ns;
    spans->cpu_ns += cpu_ns;
    if (wall_ns > cpu_ns) {
        spans->behind++;
        spans->count[trace_loss_class(wall_ns - cpu_ns)]++;
        spans->lost_ns[trace_loss_class(wall_ns - cpu_ns)] += wall_ns - cpu_ns;
    } else {
        spans->more_ns[trace_loss_class(cpu_ns - wall_ns)] += cpu_ns - wall_ns;
    }
    /* Nothing is new of a fine clock but a lesser span; before the first span both members are 0. */
    if (cpu_ns != 0 && (cpu_ns < tally->least_cpu_ns || tally->divisor_ns - 1 >= TRACE_LOSS_FINE_NS - 1))
        trace_loss_step(tally, cpu_ns);
}
/* A gap before event `event` of `rank`, by both clocks, or a local call: the program computed, so that the two clocks
 * should agree. */
static inline __attribute__((always_inline)) void trace_loss_gap(struct trace_loss_tally *tally,
                                                                 uint32_t rank, uint64_t event,
                                                                 uint64_t wall_ns, uint64_t cpu_ns)
{
    trace_loss_span(tally, &tally->gaps, wall_ns, cpu_ns);
    if (wall_ns > cpu_ns && wall_ns - cpu_ns > tally->longest.wall_ns - tally->longest.cpu_ns)
        tally->longest = (struct trace_lost_gap){rank, event, wall_ns, cpu_ns};
}
/* A call of the same rank that communicates or waits: what it lost may be waiting. */
static inline __attribute__((always_inline)) void trace_loss_call(struct trace_loss_tally *tally,
                                                                  uint64_t wall_ns, uint64_t cpu_ns)
{
    trace_loss_span(tally, &tally->calls, wall_ns, cpu_ns);
}
/* The rank's last gap has been told. */
void trace_loss_end_rank(struct trace_loss_tally *tally);
/* Of all ranks that have ended. */
struct trace_processor_loss trace_loss_of(const struct trace_loss_tally *tally);

/* What is lost is enough to move results. */
bool trace_loss_is_large(const struct trace_processor_loss *loss);
/* It is, and ranks shared processors: a replay by the wall clock is doubtful. */
bool trace_loss_matters(const struct trace_processor_loss *loss);

/* Which clock to take instead. */
enum trace_loss_cure {
    TRACE_CURE_EITHER, /* CPU, or the lesser of both */
    TRACE_CURE_CPU,    /* steps of the CPU clock: the lesser of both in each gap would be too little */
    TRACE_CURE_MIN     /* several threads in a rank: their CPU time adds up */
};
enum trace_loss_cure trace_loss_cure(const struct trace_processor_loss *loss);
/* "--clock cpu (or min)", "--clock cpu", "--clock min". */
const char *trace_loss_cure_text(enum trace_loss_cure cure);

#endif
