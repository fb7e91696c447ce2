/* Losses are kept by their order of magnitude, since from which one on they count is only known when the rank
 * has ended: it depends on the step of its CPU clock. */
#include "traces/processor-loss.h"

#include <math.h>

#include "base/arithmetic.h"

/* The divisor of all CPU times shows the clock's step. */
void trace_loss_step(struct trace_loss_tally *tally, uint64_t cpu_ns)
{
    if (tally->least_cpu_ns == 0 || cpu_ns < tally->least_cpu_ns)
        tally->least_cpu_ns = cpu_ns;
    if (tally->divisor_ns == 0 || tally->divisor_ns >= TRACE_LOSS_FINE_NS)
        tally->divisor_ns = base_common_divisor(tally->divisor_ns, cpu_ns);
}

/* Classes below that of the threshold are left out as a whole: twice a step is rounded up to a power of two.
 */
static unsigned first_class(uint64_t step_ns)
{
    unsigned least = trace_loss_class(TRACE_LOSS_LEAST_NS);
    unsigned coarse = step_ns == 0 ? 0 : trace_loss_class(2 * step_ns - 1) + 1;

    return coarse > least ? coarse : least;
}

/* Classes from `first` on. */
static uint64_t sum_from(const uint64_t classes[], unsigned first)
{
    uint64_t sum = 0;

    for (unsigned class = first; class < TRACE_LOSS_CLASSES; class ++)
        sum += classes[class];
    return sum;
}

/* What all spans together lost beyond what steps explain; 0 where steps hide no more than what counts as
 * nothing anyway. */
static uint64_t hidden_ns(const struct trace_loss_spans *spans, uint64_t step_ns)
{
    double spread = 2 * (double)step_ns * sqrt((double)spans->spans);
    double lost = (double)spans->wall_ns - (double)spans->cpu_ns;

    return 2 * step_ns <= TRACE_LOSS_LEAST_NS || lost <= spread ? 0 : (uint64_t)(lost - spread);
}

/* Adds what the gaps of a rank lost, if that is more than the system's own work takes. */
static void add_losses(struct trace_processor_loss *loss, const struct trace_loss_tally *tally,
                       uint64_t step_ns, unsigned first)
{
    const struct trace_loss_spans *gaps = &tally->gaps;
    uint64_t lost_gaps = sum_from(gaps->count, first), lost_ns = sum_from(gaps->lost_ns, first);
    uint64_t hidden = hidden_ns(gaps, step_ns);

    if (hidden > lost_ns) {
        lost_ns = hidden;
        lost_gaps = gaps->behind; /* among these, nobody knows in which */
    }
    if (lost_ns <= gaps->wall_ns / TRACE_LOSS_NOISE)
        return;
    if (tally->longest.wall_ns - tally->longest.cpu_ns > loss->longest.wall_ns - loss->longest.cpu_ns)
        loss->longest = tally->longest;
    loss->lost_gaps += lost_gaps;
    loss->lost_ns += lost_ns;
    loss->lost_ranks++;
}

/* Where the CPU clock stood still there is none. What counts as lost depends on this rank's step, so it is added
 * here, and the tally begins anew. */
void trace_loss_end_rank(struct trace_loss_tally *tally)
{
    struct trace_processor_loss *loss = &tally->loss;
    const struct trace_loss_spans *gaps = &tally->gaps;
    uint64_t step_ns = tally->divisor_ns < TRACE_LOSS_FINE_NS ? 0 : tally->least_cpu_ns;
    unsigned first = first_class(step_ns);

    if (gaps->cpu_ns + tally->calls.cpu_ns > 0) {
        loss->gaps += gaps->spans;
        loss->wall_ns += gaps->wall_ns;
        loss->cpu_ns += gaps->cpu_ns;
        loss->more_ns += sum_from(gaps->more_ns, first);
        loss->call_ns += tally->calls.wall_ns;
        loss->call_lost_ns += sum_from(tally->calls.lost_ns, first);
        if (step_ns > loss->resolution_ns)
            loss->resolution_ns = step_ns;
        if (gaps->cpu_ns > loss->busiest_cpu_ns)
            loss->busiest_cpu_ns = gaps->cpu_ns;
        add_losses(loss, tally, step_ns, first);
    }
    *tally = (struct trace_loss_tally){.loss = *loss};
}

/* Of all ranks that have ended. */
struct trace_processor_loss trace_loss_of(const struct trace_loss_tally *tally)
{
    return tally->loss;
}

/* More than one part in TRACE_LOSS_PART of what the busiest rank computed. */
bool trace_loss_is_large(const struct trace_processor_loss *loss)
{
    return loss->lost_gaps > 0 && loss->lost_ns > loss->busiest_cpu_ns / TRACE_LOSS_PART;
}

/* Large, and not explained by waiting in calls: a rank that had its processor in its calls had one outside of them
 * too. */
bool trace_loss_matters(const struct trace_processor_loss *loss)
{
    bool had_processors =
        loss->call_ns > loss->lost_ns && loss->call_lost_ns <= loss->call_ns / TRACE_LOSS_NOISE;

    return trace_loss_is_large(loss) && !had_processors;
}

/* `min` where the CPU clock says more than the wall clock; `cpu` where its steps are coarse. */
enum trace_loss_cure trace_loss_cure(const struct trace_processor_loss *loss)
{
    if (loss->more_ns > loss->cpu_ns / TRACE_LOSS_PART)
        return TRACE_CURE_MIN;
    return loss->resolution_ns >= TRACE_LOSS_LEAST_NS ? TRACE_CURE_CPU : TRACE_CURE_EITHER;
}

/* As the sentence of the doctor has it. */
const char *trace_loss_cure_text(enum trace_loss_cure cure)
{
    static const char *const texts[] = {[TRACE_CURE_EITHER] = "--clock cpu (or min)",
                                        [TRACE_CURE_CPU] = "--clock cpu",
                                        [TRACE_CURE_MIN] = "--clock min"};
    return texts[cure];
}
