/* The load of channels between the recorder's samples. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "netmodel/topologies/channels.h"
#include "replay/timeline/internal.h"
#include "reports/run/failing.h"

#define ALL_CHANNELS UINT32_MAX

/* Inserts channel i among the busiest so far; of equal ones the first stays first. */
static uint32_t rank_channel(const uint64_t *flits, uint32_t i, uint32_t *busiest, uint32_t count)
{
    uint32_t place = count;

    while (place > 0 && flits[busiest[place - 1]] < flits[i])
        place--;
    if (place == REPLAY_EXECUTION_CHANNELS)
        return count;
    count += count < REPLAY_EXECUTION_CHANNELS;
    memmove(busiest + place + 1, busiest + place, (count - 1 - place) * sizeof *busiest);
    busiest[place] = i;
    return count;
}

/* A viewer shows a track for each counter, so only the busiest channels over the whole run have one. [0] is the
 * mean of all; the others are the busiest of the whole run, in that order. */
int execution_loads(const struct replay_execution *execution, struct base_arena *names,
                    struct execution_load loads[REPLAY_EXECUTION_CHANNELS + 1])
{
    uint32_t samples = replay_recorder_samples(execution->recorder);
    uint32_t busiest[REPLAY_EXECUTION_CHANNELS];
    uint32_t channels = net_channel_count(execution->topology);
    uint32_t count = 0;

    if (samples == 0)
        return 0; /* no network */
    const uint64_t *flits = replay_recorder_sample_at(execution->recorder, samples - 1).flits;
    for (uint32_t channel = 0; channel < channels; channel++)
        if (flits[channel] > 0)
            count = rank_channel(flits, channel, busiest, count);
    loads[0] = (struct execution_load){.channel = ALL_CHANNELS};
    for (uint32_t i = 0; i < count; i++) {
        loads[i + 1] = (struct execution_load){
            .channel = busiest[i], .name = net_channel_name(execution->topology, names, busiest[i])};
        if (loads[i + 1].name == NULL)
            return -1;
    }
    return (int)count + 1;
}

/* Flits that a channel has carried until a sample, or that all of them have. */
static uint64_t flits_of(const struct replay_execution *execution, const uint64_t *flits, uint32_t channel)
{
    uint64_t sum = 0;

    if (channel != ALL_CHANNELS)
        return flits[channel];
    for (uint32_t i = 0, count = net_channel_count(execution->topology); i < count; i++)
        sum += flits[i];
    return sum;
}

/* Engines that grant channels to packets count all flits of one at its grant: those that do not fit into the
 * cycles until the next sample go behind it, and in the end none is left. Nothing is behind the last sample. */
double execution_load_at(const struct replay_execution *execution, struct execution_load *load,
                         uint32_t sample)
{
    const struct replay_recorder *recorder = execution->recorder;
    uint32_t last = replay_recorder_samples(recorder) - 1;
    struct replay_recorder_sample now = replay_recorder_sample_at(recorder, sample);
    struct replay_recorder_sample next =
        replay_recorder_sample_at(recorder, sample < last ? sample + 1 : last);
    uint64_t channels = load->channel == ALL_CHANNELS ? net_channel_count(execution->topology) : 1;
    uint64_t room = (next.cycle - now.cycle) * channels;
    uint64_t carried;

    load->flits +=
        flits_of(execution, next.flits, load->channel) - flits_of(execution, now.flits, load->channel);
    carried = load->flits < room ? load->flits : room;
    load->flits -= carried;
    return room > 0 ? (double)carried / (double)room : 0;
}

/* Without --technology it is NaN in every sample. */
bool execution_has_energy(const struct replay_execution *execution)
{
    uint32_t samples = replay_recorder_samples(execution->recorder);

    return samples > 0 && !isnan(replay_recorder_sample_at(execution->recorder, samples - 1).joules);
}

/* Without a fault routing there are no counts. */
bool execution_has_faults(const struct replay_execution *execution)
{
    uint32_t samples = replay_recorder_samples(execution->recorder);

    return samples > 0 && replay_recorder_sample_at(execution->recorder, samples - 1).faults != NULL;
}

static const char load_description[] =
    "the share of its cycles in which the channel carries a flit, until the "
    "next value; channel load: the mean of all";

/* Columns behind those of the loads. */
struct columns {
    size_t loads, faults, all; /* of each sort, and together */
    bool has_energy;           /* power is a column */
};

/* In the order loads, energy, faults. */
static struct columns columns_of(const struct replay_execution *execution, int loads)
{
    struct columns columns = {.loads = (size_t)loads,
                              .faults = execution_has_faults(execution) ? report_fault_counts() : 0,
                              .has_energy = execution_has_energy(execution)};

    columns.all = columns.loads + columns.has_energy + columns.faults;
    return columns;
}

/* What is measured, by the names that the other formats have for it: loads, energy, what faults took. NULL: memory. */
static const struct trace_writer_metric *
/* In the order of the columns: loads, energy, counts of faults. Loads are of the time since the last sample, the
 * others sums since the beginning, which a viewer has to know. */
name_metrics(struct base_arena *arena, const struct execution_load *loads, const struct columns *columns)
{
    struct trace_writer_metric *metrics = base_arena_array(arena, columns->all + 1, sizeof *metrics);
    struct trace_writer_metric *next = metrics;

    if (metrics == NULL)
        return NULL;
    for (size_t i = 0; i < columns->loads; i++)
        *next++ = (struct trace_writer_metric){.name = loads[i].name == NULL ? "channel load" : loads[i].name,
                                               .unit = "flits/cycle",
                                               .description = load_description};
    if (columns->has_energy)
        *next++ = (struct trace_writer_metric){
            .name = "energy",
            .unit = "J",
            .description = "what the network has taken until then, clocks and static power included",
            .accumulates = true};
    for (size_t i = 0; i < columns->faults; i++)
        *next++ = (struct trace_writer_metric){.name = report_fault_count_key(i),
                                               .unit = "1",
                                               .description = "what failing links have taken until then",
                                               .accumulates = true};
    return metrics;
}

/* A row a sample and a column a class of channels, in shares of the time since the sample before; energy, where it was
 * counted, is the next column, in joules since the beginning, and what failing links took are the last ones. */
int execution_metrics(const struct replay_execution *execution, struct base_arena *arena,
                      struct trace_writer_metrics *metrics)
{
    struct execution_load loads[REPLAY_EXECUTION_CHANNELS + 1];
    uint32_t samples = replay_recorder_samples(execution->recorder);
    int count = execution_loads(execution, arena, loads);

    if (count < 0)
        return -1;
    const struct columns columns = columns_of(execution, count);
    size_t width = columns.all;
    const struct trace_writer_metric *names = name_metrics(arena, loads, &columns);
    uint64_t *times_ns = base_arena_array(arena, (size_t)samples + 1, sizeof *times_ns);
    double *values = base_arena_array(arena, (size_t)samples * width + 1, sizeof *values);
    if (names == NULL || times_ns == NULL || values == NULL)
        return -1;
    for (uint32_t sample = 0; sample < samples; sample++) {
        const struct replay_recorder_sample now = replay_recorder_sample_at(execution->recorder, sample);
        times_ns[sample] = now.time_ns;
        for (int i = 0; i < count; i++)
            values[sample * width + (size_t)i] = execution_load_at(execution, &loads[i], sample);
        if (columns.has_energy)
            values[sample * width + columns.loads] = now.joules;
        for (size_t i = 0; i < columns.faults; i++)
            values[sample * width + columns.loads + columns.has_energy + i] =
                (double)report_fault_count_value(now.faults, i);
    }
    *metrics = (struct trace_writer_metrics){.place = "network",
                                             .metrics = names,
                                             .times_ns = times_ns,
                                             .values = values,
                                             .count = (uint32_t)width,
                                             .samples = width > 0 ? samples : 0};
    return 0;
}
