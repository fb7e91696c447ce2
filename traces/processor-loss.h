/* Whether ranks shared processors while they were recorded, found gap by gap: between two MPI calls a rank
 * computes, and its own work shows on both clocks. A gap in which the wall clock went on for longer than the
 * clock of the process has lost its processor to somebody else. A run computes as its slowest chain of gaps
 * does, and so a few such gaps can be most of its time where all gaps together hardly differ.
 *
 *      wall   ├───── 4.1 ms ─────┤
 *      CPU    ├ 0.2 ┤               lost: 3.9 ms
 *
 * Two thresholds. A gap counts from TRACE_LOSS_LEAST_NS on (or twice what the CPU clock tells apart): with a
 * processor of its own a rank's clocks differ by the time of reading them and of interrupts, some
 * microseconds; who loses its processor is without it for the time slice of another, ten and a thousand times
 * that. A trace is doubtful when what was lost, put end to end (each rank may wait for the others), is more
 * than a part in TRACE_LOSS_PART of what the busiest rank computes: less could not move any result by more.
 */
#ifndef TRACE_PROCESSOR_LOSS_H
#define TRACE_PROCESSOR_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_LOSS_LEAST_NS UINT64_C(16384)
#define TRACE_LOSS_PART 20
#define TRACE_LOSS_CLASSES 64

struct trace_lost_gap {
    uint32_t rank;
    uint64_t event; /* of the call after the gap, from 1 */
    uint64_t wall_ns, cpu_ns;
};

/* While a trace is read; zeroed at the start. Gaps whose clocks differ by 2^k to 2^(k+1) ns are of class k.
 */
struct trace_loss_tally {
    uint64_t gaps, wall_ns, cpu_ns;
    uint64_t rank_cpu_ns, busiest_cpu_ns; /* of the rank that is being read, and the most of those before */
    uint64_t least_cpu_ns, without_cpu;   /* the shortest time of the CPU clock but 0, and gaps of 0 */
    uint64_t count[TRACE_LOSS_CLASSES];
    uint64_t lost_ns[TRACE_LOSS_CLASSES];
    struct trace_lost_gap longest;
};

/* What came out. Zeros where the trace does not have both clocks. */
struct trace_processor_loss {
    uint64_t gaps;            /* with both clocks; 0: nothing can be said */
    uint64_t wall_ns, cpu_ns; /* of them, summed over the ranks */
    uint64_t resolution_ns;   /* what the CPU clock tells apart; 0: nanoseconds */
    uint64_t lost_gaps, lost_ns;
    uint64_t busiest_cpu_ns;       /* CPU time of the gaps of the rank that computes most */
    struct trace_lost_gap longest; /* of the lost ones; meaningless when there are none */
};

/* A gap before event `event` of `rank`, by both clocks. Ranks come one after the other. */
void trace_loss_gap(struct trace_loss_tally *tally, uint32_t rank, uint64_t event, uint64_t wall_ns,
                    uint64_t cpu_ns);
/* The rank's last gap has been told. */
void trace_loss_end_rank(struct trace_loss_tally *tally);
/* Of all ranks told. */
struct trace_processor_loss trace_loss_of(const struct trace_loss_tally *tally);

/* Whether a replay by the wall clock is doubtful for it. */
bool trace_loss_matters(const struct trace_processor_loss *loss);

#endif
