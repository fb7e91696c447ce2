/* The result of a run: what is derived from it, and its end.
 *
 * What follows from other numbers of the run is computed here and not stored, so that a report cannot
 * contradict itself. */
#include "reports/run/run.h"

#include <math.h>
#include <stdlib.h>

/* Not infinity: without any ideal time there is nothing to compare with. */
double report_run_slowdown(const struct report_run *run)
{
    if (run->ideal_ns == 0 || run->is_partial)
        return NAN;
    return (double)run->simulated_ns / (double)run->ideal_ns;
}

/* Nearest rank, not interpolated: the answer is a latency that some packet had. */
uint64_t report_latency_percentile(const struct report_latency *latencies, uint32_t count, unsigned percent)
{
    uint64_t total = 0, seen = 0;
    uint64_t rank;

    for (uint32_t i = 0; i < count; i++)
        total += latencies[i].packets;
    /* ceil(total * percent / 100) without the product, which might not fit. */
    rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
    for (uint32_t i = 0; i < count; i++) {
        seen += latencies[i].packets;
        if (seen >= rank)
            return latencies[i].latency_cycles;
    }
    return 0;
}

void report_run_free(struct report_run *run)
{
    if (run == NULL)
        return;
    base_arena_free(&run->arena);
    free(run);
}
