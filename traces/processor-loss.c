/* Losses are kept by their order of magnitude, since from which one on they count is only known at the end: a
 * CPU clock that advances in steps (of a timer's tick) shows whole ticks in some gaps and nothing in others,
 * and its step is the shortest time that it ever shows. A fine clock never shows 0 where time has passed. */
#include "traces/processor-loss.h"

/* 0 for 0 and 1. */
static unsigned class_of(uint64_t ns)
{
    unsigned class = 0;

    while (ns >>= 1)
        class ++;
    return class;
}

void trace_loss_gap(struct trace_loss_tally *tally, uint32_t rank, uint64_t event, uint64_t wall_ns,
                    uint64_t cpu_ns)
{
    uint64_t lost = wall_ns > cpu_ns ? wall_ns - cpu_ns : 0;
    unsigned class = class_of(lost);

    tally->gaps++;
    tally->wall_ns += wall_ns;
    tally->cpu_ns += cpu_ns;
    tally->rank_cpu_ns += cpu_ns;
    tally->without_cpu += wall_ns > 0 && cpu_ns == 0;
    if (cpu_ns > 0 && (tally->least_cpu_ns == 0 || cpu_ns < tally->least_cpu_ns))
        tally->least_cpu_ns = cpu_ns;
    tally->count[class]++;
    tally->lost_ns[class] += lost;
    if (lost > 0 && lost > tally->longest.wall_ns - tally->longest.cpu_ns)
        tally->longest = (struct trace_lost_gap){rank, event, wall_ns, cpu_ns};
}

void trace_loss_end_rank(struct trace_loss_tally *tally)
{
    if (tally->rank_cpu_ns > tally->busiest_cpu_ns)
        tally->busiest_cpu_ns = tally->rank_cpu_ns;
    tally->rank_cpu_ns = 0;
}

/* Classes below that of the threshold are left out as a whole: twice a step is rounded up to a power of two.
 */
struct trace_processor_loss trace_loss_of(const struct trace_loss_tally *tally)
{
    uint64_t step = tally->without_cpu > 0 ? tally->least_cpu_ns : 0;
    struct trace_processor_loss loss = {.gaps = tally->cpu_ns > 0 ? tally->gaps : 0,
                                        .wall_ns = tally->wall_ns,
                                        .cpu_ns = tally->cpu_ns,
                                        .resolution_ns = step,
                                        .busiest_cpu_ns = tally->busiest_cpu_ns,
                                        .longest = tally->longest};
    unsigned first = class_of(TRACE_LOSS_LEAST_NS);

    if (loss.gaps == 0)
        return (struct trace_processor_loss){0};
    if (step > 0 && class_of(2 * step - 1) + 1 > first)
        first = class_of(2 * step - 1) + 1;
    for (unsigned class = first; class < TRACE_LOSS_CLASSES; class ++) {
        loss.lost_gaps += tally->count[class];
        loss.lost_ns += tally->lost_ns[class];
    }
    return loss;
}

bool trace_loss_matters(const struct trace_processor_loss *loss)
{
    return loss->lost_gaps > 0 && loss->lost_ns > loss->busiest_cpu_ns / TRACE_LOSS_PART;
}
