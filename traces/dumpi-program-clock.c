/* Compute time: the gaps between calls, and the time inside local ones, by the clock that was asked for.
 *
 *     ... MPI_Send |--gap--| MPI_Comm_rank |--gap--| MPI_Recv ...
 *                     +         (local)       +               = one TRACE_COMPUTE before the receive
 *
 * Threads' records come in the order of their ends and low-resolution clocks step back: a negative gap is
 * nothing. */
#include "traces/dumpi-program.h"
#include "traces/dumpi-survey.h"

/* Clocks step back a little; time does not. */
static uint64_t span(int64_t from, int64_t to)
{
    return to > from ? (uint64_t)(to - from) : 0;
}

/* By the clock that was asked for, if the record has it. */
static uint64_t choose(const struct trace_dumpi_decoder *decoder, uint64_t wall_ns, uint64_t cpu_ns)
{
    switch (decoder->context->options.clock) {
    case TRACE_CLOCK_CPU:
        return cpu_ns;
    case TRACE_CLOCK_MIN:
        return wall_ns < cpu_ns ? wall_ns : cpu_ns;
    default:
        return wall_ns;
    }
}

/* Both sides by the same clock, or they could be added to nothing. */
uint64_t trace_dumpi_duration(const struct trace_dumpi_decoder *decoder)
{
    const struct dpt_record *record = decoder->record;

    return choose(decoder, span(record->wall.start_ns, record->wall.stop_ns),
                  span(record->cpu.start_ns, record->cpu.stop_ns));
}

/* Both clocks of the options must be in the record. */
static bool has_clock(const struct trace_dumpi_decoder *decoder)
{
    static const unsigned needed[] = {[TRACE_CLOCK_WALL] = DPT_MASK_WALL,
                                      [TRACE_CLOCK_CPU] = DPT_MASK_CPU,
                                      [TRACE_CLOCK_MIN] = DPT_MASK_WALL | DPT_MASK_CPU};
    unsigned mask = needed[decoder->context->options.clock];

    return (decoder->record->mask & mask) == mask;
}

/* Both clocks are summed up for the survey, whatever was asked for: their ratio tells an oversubscribed
 * machine. */
static void add_gap(struct trace_dumpi_decoder *decoder, uint64_t wall_ns, uint64_t cpu_ns)
{
    uint64_t gap = choose(decoder, wall_ns, cpu_ns);

    if (gap >= decoder->context->options.compute_threshold_ns)
        decoder->compute_ns += gap;
    if (decoder->survey != NULL) {
        decoder->survey->gap_wall_ns += wall_ns;
        decoder->survey->gap_cpu_ns += cpu_ns;
    }
}

/* The place in time is by the wall clock where there is one, since ranks are compared by it. */
void trace_dumpi_clock(struct trace_dumpi_decoder *decoder, bool local)
{
    const struct dpt_record *record = decoder->record;
    bool by_wall = (record->mask & DPT_MASK_WALL) != 0;
    int64_t start = by_wall ? record->wall.start_ns : record->cpu.start_ns;
    uint64_t duration = trace_dumpi_duration(decoder), now;

    if (!has_clock(decoder))
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_NO_CLOCK);
    if (!decoder->started)
        decoder->first_ns = start;
    else
        add_gap(decoder, span(decoder->wall_stop_ns, record->wall.start_ns),
                span(decoder->cpu_stop_ns, record->cpu.start_ns));
    decoder->started = true;
    now = span(decoder->first_ns, start);
    if (now > decoder->now_ns)
        decoder->now_ns = now;
    decoder->wall_stop_ns = record->wall.stop_ns;
    decoder->cpu_stop_ns = record->cpu.stop_ns;
    decoder->call_ns = local ? 0 : duration;
    if (local)
        decoder->compute_ns += duration;
    else if (decoder->survey != NULL)
        decoder->survey->mpi_ns += span(record->wall.start_ns, record->wall.stop_ns);
}
