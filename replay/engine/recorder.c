/* Blocks of entries in a temporary file, each rank's linked by a list of their places. An entry is three
 * numbers in seven bits a byte: by how much the operation's number has grown, nanoseconds, and those of messages on
 * their way. */
#include <config.h>

#include "replay/engine/recorder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/output.h"
#include "base/units.h"

#define BLOCK 512
#define ENTRY_MOST 30 /* bytes of three numbers of 64 bits */
#define SAMPLES_MOST 512
#define SAMPLES_LEAST 16
#define SAMPLES_ROOM (UINT32_C(16) << 20) /* bytes */
#define INTERVAL_NS 256                   /* between samples, at first */

struct rank_blocks {
    uint32_t *places; /* of full blocks in the file, in their order */
    uint32_t count, capacity;
    uint64_t operation; /* of the last entry */
    uint16_t used;      /* bytes of the block in memory */
    uint8_t block[BLOCK];
};

struct replay_recorder {
    FILE *file;
    uint32_t ranks, blocks; /* written */
    struct rank_blocks *rank;
    uint32_t channels, sample_count, sample_capacity; /* an even number */
    uint64_t *flits;                                  /* [sample][channel] */
    uint64_t times[SAMPLES_MOST], cycles[SAMPLES_MOST];
    double joules[SAMPLES_MOST];
    struct net_fault_counts faults[SAMPLES_MOST];
    struct replay_recorder_stop *stops;
    size_t stop_count;                /* of stops */
    bool has_faults;                  /* the last sample had them, and so has every one */
    struct replay_energy_meter meter; /* joules is NULL: none */
    uint64_t interval_ns, due_ns;     /* from one sample to the next at least; when that is */
};

struct replay_recorder_reader {
    const struct replay_recorder *recorder;
    const struct rank_blocks *rank;
    uint32_t next_block;
    size_t at, used;           /* in the block at hand */
    uint64_t operation, next;  /* the last one read */
    struct replay_spell spell; /* of the next, if next != 0 */
    uint8_t block[BLOCK];
};

/* As many samples as there is room for; none without channels. -1: memory. */
static int open_samples(struct replay_recorder *recorder, uint32_t channels)
{
    size_t fit = channels == 0 ? 0 : SAMPLES_ROOM / sizeof *recorder->flits / channels / 2 * 2;

    recorder->channels = channels;
    recorder->interval_ns = INTERVAL_NS;
    recorder->due_ns = channels == 0 ? UINT64_MAX : 0;
    recorder->sample_capacity = fit > SAMPLES_MOST    ? SAMPLES_MOST
                                : fit < SAMPLES_LEAST ? SAMPLES_LEAST
                                                      : (uint32_t)fit;
    recorder->flits = calloc((size_t)channels * recorder->sample_capacity + 1, sizeof *recorder->flits);
    return recorder->flits == NULL ? -1 : 0;
}

/* Durations go to a temporary file without a name: they grow with the program, memory does not. Memory is
 * reported as such even where the file failed as well. */
struct replay_recorder *replay_recorder_new(uint32_t ranks, uint32_t channels, struct base_error *error)
{
    struct replay_recorder *recorder = calloc(1, sizeof *recorder);
    bool has_memory = false;

    if (recorder != NULL) {
        recorder->ranks = ranks;
        recorder->rank = calloc((size_t)ranks + 1, sizeof *recorder->rank);
        has_memory = recorder->rank != NULL && open_samples(recorder, channels) == 0;
    }
    if (has_memory)
        recorder->file = base_output_temporary(error);
    else
        base_error_memory(error, "the timeline");
    if (has_memory && recorder->file != NULL)
        return recorder;
    replay_recorder_free(recorder);
    return NULL;
}

void replay_recorder_free(struct replay_recorder *recorder)
{
    if (recorder == NULL)
        return;
    for (uint32_t rank = 0; recorder->rank != NULL && rank < recorder->ranks; rank++)
        free(recorder->rank[rank].places);
    free(recorder->rank);
    free(recorder->flits);
    free(recorder->stops);
    if (recorder->file != NULL)
        fclose(recorder->file);
    free(recorder);
}

static int fail(struct base_error *error, const char *what)
{
    base_error_system(error, errno, "the timeline's temporary file cannot be %s", what);
    if (error != NULL)
        error->status = BASE_SYSTEM;
    return -1;
}

/* The whole block, whatever is used of it: all have one size, so that a place is a number. */
static int write_block(struct replay_recorder *recorder, struct rank_blocks *rank, struct base_error *error)
{
    if (base_grow_32(&rank->places, &rank->capacity, (size_t)rank->count + 1, sizeof *rank->places) != 0)
        return base_error_memory(error, "the timeline");
    memset(rank->block + rank->used, 0, BLOCK - rank->used);
    if (fwrite(rank->block, BLOCK, 1, recorder->file) != 1)
        return fail(error, "written");
    rank->places[rank->count++] = recorder->blocks++;
    rank->used = 0;
    return 0;
}

static void put(struct rank_blocks *rank, uint64_t number)
{
    for (; number >= 128; number /= 128)
        rank->block[rank->used++] = (uint8_t)(number % 128 | 128);
    rank->block[rank->used++] = (uint8_t)number;
}

/* The growth of the operation's number is written plus one: a byte of zero is the end of a block. */
int replay_recorder_add(struct replay_recorder *recorder, uint32_t number, uint64_t operation,
                        struct replay_spell spell, struct base_error *error)
{
    struct rank_blocks *rank = &recorder->rank[number];

    if (rank->used + ENTRY_MOST > BLOCK && write_block(recorder, rank, error) != 0)
        return -1;
    put(rank, operation - rank->operation + 1);
    put(rank, spell.ns);
    put(rank, spell.network_ns);
    rank->operation = operation;
    return 0;
}

bool replay_recorder_is_due(const struct replay_recorder *recorder, uint64_t time_ns)
{
    return time_ns >= recorder->due_ns;
}

static void put_sample(struct replay_recorder *recorder, uint32_t place,
                       const struct replay_recorder_sample *sample)
{
    recorder->times[place] = sample->time_ns;
    recorder->cycles[place] = sample->cycle;
    recorder->joules[place] = sample->joules;
    recorder->has_faults = sample->faults != NULL;
    if (sample->faults != NULL)
        recorder->faults[place] = *sample->faults;
    memmove(recorder->flits + (size_t)place * recorder->channels, sample->flits,
            recorder->channels * sizeof *recorder->flits);
}

/* When all places are taken every second sample goes, and from then on half as many come. What the channels have
 * carried are sums from the start, so that nothing is lost between the samples that stay. */
static void thin_out(struct replay_recorder *recorder)
{
    for (uint32_t i = 1; i < recorder->sample_capacity / 2; i++) {
        const struct replay_recorder_sample kept = replay_recorder_sample_at(recorder, 2 * i);
        put_sample(recorder, i, &kept);
    }
    recorder->sample_count = recorder->sample_capacity / 2;
    recorder->interval_ns *= 2;
}

/* A second sample of the same time takes the place of the first. A full array is thinned out and the interval
 * grows, so that the number of samples is bounded however long the run is. */
void replay_recorder_sample(struct replay_recorder *recorder, const struct replay_recorder_sample *sample)
{
    uint32_t count = recorder->sample_count;

    if (recorder->channels == 0)
        return;
    if (count > 0 && recorder->times[count - 1] == sample->time_ns) {
        put_sample(recorder, count - 1, sample);
        return;
    }
    if (count == recorder->sample_capacity)
        thin_out(recorder);
    put_sample(recorder, recorder->sample_count++, sample);
    recorder->due_ns = sample->time_ns + recorder->interval_ns;
}

uint32_t replay_recorder_samples(const struct replay_recorder *recorder)
{
    return recorder->sample_count;
}

struct replay_recorder_sample replay_recorder_sample_at(const struct replay_recorder *recorder,
                                                        uint32_t number)
{
    return (struct replay_recorder_sample){recorder->times[number], recorder->cycles[number],
                                           recorder->flits + (size_t)number * recorder->channels,
                                           recorder->joules[number],
                                           recorder->has_faults ? &recorder->faults[number] : NULL};
}

int replay_recorder_keep_stops(struct replay_recorder *recorder, const struct net_stops *stops,
                               uint64_t clock_khz)
{
    size_t count = stops == NULL ? 0 : stops->count;
    struct replay_recorder_stop *steps = calloc(count + 1, sizeof *steps);

    if (steps == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        steps[i] = (struct replay_recorder_stop){base_ns_from_cycles(stops->steps[i].cycle, clock_khz),
                                                 stops->steps[i].routers};
    free(recorder->stops);
    recorder->stops = steps;
    recorder->stop_count = count;
    return 0;
}

size_t replay_recorder_stops(const struct replay_recorder *recorder,
                             const struct replay_recorder_stop **steps)
{
    *steps = recorder->stops;
    return recorder->stop_count;
}

void replay_recorder_set_meter(struct replay_recorder *recorder, const struct replay_energy_meter *meter)
{
    const struct replay_energy_meter none = {0};

    recorder->meter = meter == NULL ? none : *meter;
}

double replay_recorder_joules(const struct replay_recorder *recorder, const struct net_statistics *statistics,
                              uint64_t time_ns)
{
    const struct replay_energy_meter *meter = &recorder->meter;

    return meter->joules == NULL ? NAN : meter->joules(meter->context, statistics, time_ns);
}

/* ---- reading ---- */

struct replay_recorder_reader *replay_recorder_read(struct replay_recorder *recorder, uint32_t rank,
                                                    struct base_error *error)
{
    struct replay_recorder_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL) {
        base_error_memory(error, "the timeline");
        return NULL;
    }
    reader->recorder = recorder;
    reader->rank = &recorder->rank[rank];
    return reader;
}

void replay_recorder_reader_free(struct replay_recorder_reader *reader)
{
    free(reader);
}

/* The next block: those of the file, then the one in memory. 1; 0: there is none; -1: it cannot be read. */
static int read_block(struct replay_recorder_reader *reader, struct base_error *error)
{
    const struct rank_blocks *rank = reader->rank;
    uint32_t block = reader->next_block++;

    reader->at = 0;
    reader->used = block < rank->count ? BLOCK : rank->used;
    if (block > rank->count)
        return 0;
    if (block == rank->count) {
        memcpy(reader->block, rank->block, rank->used);
        return rank->used > 0;
    }
    if (fseeko(reader->recorder->file, (off_t)rank->places[block] * BLOCK, SEEK_SET) != 0 ||
        fread(reader->block, BLOCK, 1, reader->recorder->file) != 1)
        return fail(error, "read");
    return 1;
}

static uint64_t get(struct replay_recorder_reader *reader)
{
    uint64_t number = 0;
    uint8_t byte = 128;

    for (unsigned shift = 0; shift < 64 && byte >= 128 && reader->at < reader->used; shift += 7) {
        byte = reader->block[reader->at++];
        number |= (uint64_t)(byte & 127) << shift;
    }
    return number;
}

/* Fills next and ns; next 0: there are no more. */
static int read_entry(struct replay_recorder_reader *reader, struct base_error *error)
{
    int more = 1;

    while (more > 0 && (reader->at >= reader->used || reader->block[reader->at] == 0))
        more = read_block(reader, error);
    if (more <= 0) {
        reader->next = 0;
        return more;
    }
    reader->operation += get(reader) - 1;
    reader->next = reader->operation;
    reader->spell.ns = get(reader);
    reader->spell.network_ns = get(reader);
    return 0;
}

/* An operation may have several entries: a collective that waited more than once. */
int replay_recorder_next(struct replay_recorder_reader *reader, uint64_t operation,
                         struct replay_spell *spell, struct base_error *error)
{
    *spell = (struct replay_spell){0};
    if (reader->next_block == 0 && read_entry(reader, error) < 0)
        return -1;
    while (reader->next != 0 && reader->next <= operation) {
        if (reader->next == operation) {
            spell->ns += reader->spell.ns;
            spell->network_ns += reader->spell.network_ns;
        }
        if (read_entry(reader, error) < 0)
            return -1;
    }
    return 0;
}
