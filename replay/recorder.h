/* How long each operation of each rank took in a replay, kept in a temporary file: what a timeline is made of.
 *
 *      replay ──► replay_recorder_add(rank, operation, ns) ──► a block a rank in memory ──► the file
 *      the program's operations, again, and replay_recorder_next ──► their simulated times
 *
 * Memory is a block and a list of blocks for each rank; the file is unlinked from the start, so that nothing of
 * it is left behind whatever happens. */
#ifndef REPLAY_RECORDER_H
#define REPLAY_RECORDER_H

#include <stdint.h>

#include "base/error.h"

struct replay_recorder;
struct replay_recorder_reader;

/* NULL: memory, or no temporary file. */
struct replay_recorder *replay_recorder_new(uint32_t ranks, struct base_error *error);
void replay_recorder_free(struct replay_recorder *recorder);
/* The rank's operation of that number, counted from 1, took so long, or so much longer. Numbers of a rank do
 * not fall. -1: a full disk. */
int replay_recorder_add(struct replay_recorder *recorder, uint32_t rank, uint64_t operation, uint64_t ns,
                        struct base_error *error);
/* Flits that all links together have carried until then; times rise. Of many samples only every second, fourth
 * … is kept. */
void replay_recorder_sample(struct replay_recorder *recorder, uint64_t time_ns, uint64_t flits);
/* Those that were kept; borrowed. */
struct replay_recorder_sample {
    uint64_t time_ns, flits;
};
const struct replay_recorder_sample *replay_recorder_samples(const struct replay_recorder *recorder,
                                                             uint32_t *count);

/* Reads a rank from its first operation on. NULL: memory. The recorder takes no more from then on. */
struct replay_recorder_reader *replay_recorder_read(struct replay_recorder *recorder, uint32_t rank,
                                                    struct base_error *error);
/* How long that operation took: 0 if nothing was recorded. Asked for in rising order. -1: the file cannot be
 * read. */
int replay_recorder_next(struct replay_recorder_reader *reader, uint64_t operation, uint64_t *ns,
                         struct base_error *error);
void replay_recorder_reader_free(struct replay_recorder_reader *reader);

#endif
