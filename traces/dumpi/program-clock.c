/* Compute time: the gaps between calls, and the time inside local ones, by the clock that was asked for.
 *
 *     ... MPI_Send |--gap--| MPI_Comm_rank |--gap--| MPI_Recv ...
 *                     +         (local)       +               = one TRACE_COMPUTE before the receive
 *
 * Threads' records come in the order of their ends and low-resolution clocks step back: a negative gap is
 * nothing. */
#include "traces/dumpi/program.h"
#include "traces/dumpi/survey.h"

/* Clocks step back a little; time does not. */
static inline uint64_t span(int64_t from, int64_t to)
{
    return to > from ? (uint64_t)(to - from) : 0;
}

/* By the clock that was asked for, if the record has it. */
static inline uint64_t choose(const struct trace_dumpi_decoder *decoder, uint64_t wall_ns, uint64_t cpu_ns)
{
    enum trace_clock clock = decoder->context->options.clock;

    if (clock == TRACE_CLOCK_WALL)
        return wall_ns;
    return clock == TRACE_CLOCK_CPU || cpu_ns < wall_ns ? cpu_ns : wall_ns;
}

/* How long the record took by the clock that was asked for, in nanoseconds. Both sides by the same clock, or they
 * could be added to nothing. 0 for a record whose clock steps back. */
static uint64_t duration_of(const struct trace_dumpi_decoder *decoder)
{
    const struct dpt_record *record = decoder->record;

    return choose(decoder, span(record->wall.start_ns, record->wall.stop_ns),
                  span(record->cpu.start_ns, record->cpu.stop_ns));
}

/* Both clocks of the options must be in the record. */
static bool has_clock(const struct trace_dumpi_decoder *decoder)
{
    static const uint8_t needed[] = {[TRACE_CLOCK_WALL] = DPT_MASK_WALL,
                                     [TRACE_CLOCK_CPU] = DPT_MASK_CPU,
                                     [TRACE_CLOCK_MIN] = DPT_MASK_WALL | DPT_MASK_CPU};
    unsigned mask = needed[decoder->context->options.clock];

    return (decoder->record->mask & mask) == mask;
}

/* The time since the call before. */
static void add_gap(struct trace_dumpi_decoder *decoder)
{
    const struct dpt_record *record = decoder->record;
    uint64_t gap = choose(decoder, span(decoder->wall_stop_ns, record->wall.start_ns),
                          span(decoder->cpu_stop_ns, record->cpu.start_ns));

    if (gap >= decoder->context->options.compute_threshold_ns)
        decoder->compute_ns += gap;
}

/* What the survey sums up. Both clocks, whatever was asked for. */
static void count_times(struct trace_dumpi_decoder *decoder, bool local)
{
    const struct dpt_record *record = decoder->record;

    if (decoder->started) {
        decoder->survey->gap_wall_ns += span(decoder->wall_stop_ns, record->wall.start_ns);
        decoder->survey->gap_cpu_ns += span(decoder->cpu_stop_ns, record->cpu.start_ns);
    }
    if (!local)
        decoder->survey->mpi_ns += span(record->wall.start_ns, record->wall.stop_ns);
}

/* What counts as computing, piece by piece: gaps, and local calls. Only of records with both clocks, which the
 * tally compares. */
static void judge_times(struct trace_dumpi_decoder *decoder, bool local)
{
    static const unsigned both = DPT_MASK_WALL | DPT_MASK_CPU;
    const struct dpt_record *record = decoder->record;
    struct trace_loss_tally *tally = &decoder->survey->loss;

    if ((record->mask & both) != both)
        return;
    if (decoder->started)
        trace_loss_gap(tally, decoder->rank, decoder->event,
                       span(decoder->wall_stop_ns, record->wall.start_ns),
                       span(decoder->cpu_stop_ns, record->cpu.start_ns));
    if (local)
        trace_loss_gap(tally, decoder->rank, decoder->event,
                       span(record->wall.start_ns, record->wall.stop_ns),
                       span(record->cpu.start_ns, record->cpu.stop_ns));
    else
        trace_loss_call(tally, span(record->wall.start_ns, record->wall.stop_ns),
                        span(record->cpu.start_ns, record->cpu.stop_ns));
}

/* The place in time is by the wall clock where there is one, since ranks are compared by it. now_ns never falls.
 * The call's own time waits in call_ns for its first operation, or is compute. */
void trace_dumpi_clock(struct trace_dumpi_decoder *decoder, bool local)
{
    const struct dpt_record *record = decoder->record;
    int64_t start = record->mask & DPT_MASK_WALL ? record->wall.start_ns : record->cpu.start_ns;
    uint64_t duration = duration_of(decoder);
    uint64_t now;

    if (!has_clock(decoder))
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_NO_CLOCK);
    if (decoder->survey != NULL) {
        count_times(decoder, local);
        judge_times(decoder, local);
    }
    if (!decoder->started)
        decoder->first_ns = start;
    else
        add_gap(decoder);
    decoder->started = true;
    now = span(decoder->first_ns, start);
    if (now > decoder->now_ns)
        decoder->now_ns = now;
    decoder->wall_stop_ns = record->wall.stop_ns;
    decoder->cpu_stop_ns = record->cpu.stop_ns;
    decoder->call_ns = local ? 0 : duration;
    if (local)
        decoder->compute_ns += duration;
}
