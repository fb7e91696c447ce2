/* Blocks of entries in a temporary file, each rank's linked by a list of their places. An entry is two numbers
 * in seven bits a byte: by how much the operation's number has grown, and nanoseconds. */
#include <config.h>

#include "replay/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512
#define ENTRY_MOST 20 /* bytes of two numbers of 64 bits */
#define SAMPLES 512

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
    struct replay_recorder_sample samples[SAMPLES];
    uint32_t sample_count;
    uint64_t interval, due; /* every so many samples is kept; which is the next */
};

struct replay_recorder_reader {
    const struct replay_recorder *recorder;
    const struct rank_blocks *rank;
    uint32_t next_block;
    size_t at, used;              /* in the block at hand */
    uint64_t operation, next, ns; /* the last one read; ns of the next, if next != 0 */
    uint8_t block[BLOCK];
};

struct replay_recorder *replay_recorder_new(uint32_t ranks, struct base_error *error)
{
    struct replay_recorder *recorder = calloc(1, sizeof *recorder);

    if (recorder != NULL) {
        recorder->ranks = ranks;
        recorder->interval = 1;
        recorder->rank = calloc((size_t)ranks + 1, sizeof *recorder->rank);
        recorder->file = tmpfile();
    }
    if (recorder != NULL && recorder->rank != NULL && recorder->file != NULL)
        return recorder;
    if (recorder != NULL && recorder->rank != NULL)
        base_error_system(error, errno, "no temporary file for the timeline");
    else
        base_error_memory(error, "the timeline");
    if (error != NULL)
        error->status = BASE_SYSTEM;
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
    if (rank->count == rank->capacity) {
        uint32_t capacity = rank->capacity == 0 ? 16 : 2 * rank->capacity;
        uint32_t *places = realloc(rank->places, (size_t)capacity * sizeof *places);
        if (places == NULL)
            return base_error_memory(error, "the timeline");
        rank->places = places;
        rank->capacity = capacity;
    }
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
int replay_recorder_add(struct replay_recorder *recorder, uint32_t number, uint64_t operation, uint64_t ns,
                        struct base_error *error)
{
    struct rank_blocks *rank = &recorder->rank[number];

    if (rank->used + ENTRY_MOST > BLOCK && write_block(recorder, rank, error) != 0)
        return -1;
    put(rank, operation - rank->operation + 1);
    put(rank, ns);
    rank->operation = operation;
    return 0;
}

/* When all places are taken every second sample goes, and from then on half as many come. */
void replay_recorder_sample(struct replay_recorder *recorder, uint64_t time_ns, uint64_t flits)
{
    if (recorder->due++ % recorder->interval != 0)
        return;
    if (recorder->sample_count == SAMPLES) {
        for (uint32_t i = 0; i < SAMPLES / 2; i++)
            recorder->samples[i] = recorder->samples[2 * (size_t)i];
        recorder->sample_count = SAMPLES / 2;
        recorder->interval *= 2;
    }
    recorder->samples[recorder->sample_count++] = (struct replay_recorder_sample){time_ns, flits};
}

const struct replay_recorder_sample *replay_recorder_samples(const struct replay_recorder *recorder,
                                                             uint32_t *count)
{
    *count = recorder->sample_count;
    return recorder->samples;
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
    reader->ns = get(reader);
    return 0;
}

/* An operation may have several entries: a collective that waited more than once. */
int replay_recorder_next(struct replay_recorder_reader *reader, uint64_t operation, uint64_t *ns,
                         struct base_error *error)
{
    *ns = 0;
    if (reader->next_block == 0 && read_entry(reader, error) < 0)
        return -1;
    while (reader->next != 0 && reader->next <= operation) {
        if (reader->next == operation)
            *ns += reader->ns;
        if (read_entry(reader, error) < 0)
            return -1;
    }
    return 0;
}
