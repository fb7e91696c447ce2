/* The time of a record, in line: see program-clock.c for what it means. */
#ifndef TRACE_DUMPI_CLOCK_H
#define TRACE_DUMPI_CLOCK_H

#include "traces/dumpi/program.h"
#include "traces/dumpi/survey.h"

/* Clocks step back a little; time does not. */
TRACE_INLINE uint64_t trace_dumpi_span(int64_t from, int64_t to)
{
    return to > from ? (uint64_t)(to - from) : 0;
}

/* A record by both clocks, in nanoseconds; of a clock that it does not have, nothing that means anything. */
struct trace_dumpi_times {
    uint64_t gap_wall, gap_cpu; /* since the call before; without one they mean nothing */
    uint64_t wall, cpu;         /* in the call; 0 for a clock that steps back */
};

TRACE_INLINE struct trace_dumpi_times trace_dumpi_times_of(const struct trace_dumpi_decoder *decoder,
                                                           const struct dpt_record *record)
{
    return (struct trace_dumpi_times){.gap_wall =
                                          trace_dumpi_span(decoder->wall_stop_ns, record->wall.start_ns),
                                      .gap_cpu = trace_dumpi_span(decoder->cpu_stop_ns, record->cpu.start_ns),
                                      .wall = trace_dumpi_span(record->wall.start_ns, record->wall.stop_ns),
                                      .cpu = trace_dumpi_span(record->cpu.start_ns, record->cpu.stop_ns)};
}

/* By the clock that was asked for, if the record has it. */
TRACE_INLINE uint64_t trace_dumpi_choose(enum trace_clock clock, uint64_t wall_ns, uint64_t cpu_ns)
{
    if (clock == TRACE_CLOCK_WALL)
        return wall_ns;
    return clock == TRACE_CLOCK_CPU || cpu_ns < wall_ns ? cpu_ns : wall_ns;
}

/* Both clocks of the options must be in the record. */
TRACE_INLINE bool trace_dumpi_has_clock(enum trace_clock clock, unsigned mask)
{
    static const uint8_t needed[] = {[TRACE_CLOCK_WALL] = DPT_MASK_WALL,
                                     [TRACE_CLOCK_CPU] = DPT_MASK_CPU,
                                     [TRACE_CLOCK_MIN] = DPT_MASK_WALL | DPT_MASK_CPU};

    return (mask & needed[clock]) == needed[clock];
}

/* What the survey sums up, by both clocks whatever was asked for; and what counts as computing, piece by piece: gaps,
 * and local calls. The tally compares clocks, and gets only records with both. */
TRACE_INLINE void trace_dumpi_count_times(struct trace_dumpi_decoder *decoder,
                                          const struct dpt_record *record,
                                          const struct trace_dumpi_times *times, bool local)
{
    static const unsigned both = DPT_MASK_WALL | DPT_MASK_CPU;
    struct trace_dumpi_survey *survey = decoder->survey;
    bool compares = (record->mask & both) == both;

    if (decoder->started) {
        survey->gap_wall_ns += times->gap_wall;
        survey->gap_cpu_ns += times->gap_cpu;
        if (compares)
            trace_loss_gap(&survey->loss, decoder->rank, decoder->event, times->gap_wall, times->gap_cpu);
    }
    if (!local)
        survey->mpi_ns += times->wall;
    if (compares && local)
        trace_loss_gap(&survey->loss, decoder->rank, decoder->event, times->wall, times->cpu);
    else if (compares)
        trace_loss_call(&survey->loss, times->wall, times->cpu);
}

/* The place in time is by the wall clock where there is one, since ranks are compared by it. now_ns never falls.
 * The call's own time waits in call_ns for its first operation, or is compute. */
TRACE_INLINE void trace_dumpi_take_time(struct trace_dumpi_decoder *decoder, const struct dpt_record *record,
                                        bool local)
{
    const enum trace_clock clock = decoder->context->options.clock;
    const struct trace_dumpi_times times = trace_dumpi_times_of(decoder, record);
    int64_t start = record->mask & DPT_MASK_WALL ? record->wall.start_ns : record->cpu.start_ns;
    uint64_t duration = trace_dumpi_choose(clock, times.wall, times.cpu);
    uint64_t now;

    if (!trace_dumpi_has_clock(clock, record->mask))
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_NO_CLOCK);
    if (decoder->survey != NULL)
        trace_dumpi_count_times(decoder, record, &times, local);
    if (decoder->started) {
        uint64_t gap = trace_dumpi_choose(clock, times.gap_wall, times.gap_cpu);
        if (gap >= decoder->context->options.compute_threshold_ns)
            decoder->compute_ns += gap;
    } else {
        decoder->first_ns = start;
        decoder->started = true;
    }
    now = trace_dumpi_span(decoder->first_ns, start);
    if (now > decoder->now_ns)
        decoder->now_ns = now;
    decoder->wall_stop_ns = record->wall.stop_ns;
    decoder->cpu_stop_ns = record->cpu.stop_ns;
    decoder->call_ns = local ? 0 : duration;
    if (local)
        decoder->compute_ns += duration;
}

#endif
