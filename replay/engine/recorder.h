/* How long each operation of each rank took in a replay, kept in a temporary file: what a timeline is made of.
 *
 *      replay ──► replay_recorder_add(rank, operation, ns) ──► a block a rank in memory ──► the file
 *      the program's operations, again, and replay_recorder_next ──► their simulated times
 *
 * Memory is a block and a list of blocks for each rank, and what the channels have carried at some hundred
 * times, 16 MiB of it unless there are very many channels; the file is unlinked from the start, so that
 * nothing of it is left behind whatever happens. With a meter, samples have the energy taken until then, too. */
#ifndef REPLAY_ENGINE_RECORDER_H
#define REPLAY_ENGINE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "netmodel/network.h"

struct replay_recorder;
struct replay_recorder_reader;

/* channels: of the network that is sampled. NULL: memory, or no temporary file. */
struct replay_recorder *replay_recorder_new(uint32_t ranks, uint32_t channels, struct base_error *error);
void replay_recorder_free(struct replay_recorder *recorder);
/* How long something took, and how much of it is for messages on their way (doc/replay.md, Waiting). */
struct replay_spell {
    uint64_t ns, network_ns;
};

/* The rank's operation of that number, counted from 1, took so long, or so much longer. Numbers of a rank do
 * not fall. -1: a full disk. */
int replay_recorder_add(struct replay_recorder *recorder, uint32_t rank, uint64_t operation,
                        struct replay_spell spell, struct base_error *error);
/* Whether it is time for a sample of the channels: about every 1/512 of the run, as far as events go; the more
 * channels, the fewer samples. Never without channels. */
bool replay_recorder_is_due(const struct replay_recorder *recorder, uint64_t time_ns);
/* What each channel has carried until then, flits[channels] of it, copied; times and cycles do not fall.
 * One of the same time replaces the last: that of the end may come without being due. */
struct replay_recorder_sample {
    uint64_t time_ns, cycle; /* of the network */
    const uint64_t *flits;
    double joules; /* that the network has taken until then; NaN: not known */
    /* What failing links have taken until then, copied; NULL: none can fail. */
    const struct net_fault_counts *faults;
};
void replay_recorder_sample(struct replay_recorder *recorder, const struct replay_recorder_sample *sample);
/* How many were kept, and each of them; flits are borrowed. */
uint32_t replay_recorder_samples(const struct replay_recorder *recorder);
struct replay_recorder_sample replay_recorder_sample_at(const struct replay_recorder *recorder,
                                                        uint32_t number);

/* From that time on, until the next step, so many routers grant no data: what a failing link makes them do. */
struct replay_recorder_stop {
    uint64_t begin_ns;
    uint32_t routers;
};
/* All of the run, copied, in place of what was kept before; NULL: none. -1: memory. */
int replay_recorder_keep_stops(struct replay_recorder *recorder, const struct net_stops *stops,
                               uint64_t clock_khz);
/* How many steps there are, and them, borrowed; times do not fall. */
size_t replay_recorder_stops(const struct replay_recorder *recorder,
                             const struct replay_recorder_stop **steps);

/* What tells the joules of samples, from what the engine has counted until a time; the context is borrowed until
 * another meter, or none, is set. */
struct replay_energy_meter {
    double (*joules)(const void *context, const struct net_statistics *statistics, uint64_t time_ns);
    const void *context;
};
/* NULL: none, as at first. */
void replay_recorder_set_meter(struct replay_recorder *recorder, const struct replay_energy_meter *meter);
/* For a sample: what the meter says; NaN without one. */
double replay_recorder_joules(const struct replay_recorder *recorder, const struct net_statistics *statistics,
                              uint64_t time_ns);

/* Reads a rank from its first operation on. NULL: memory. The recorder takes no more from then on. */
struct replay_recorder_reader *replay_recorder_read(struct replay_recorder *recorder, uint32_t rank,
                                                    struct base_error *error);
/* How long that operation took: 0 if nothing was recorded. Asked for in rising order. -1: the file cannot be
 * read. */
int replay_recorder_next(struct replay_recorder_reader *reader, uint64_t operation,
                         struct replay_spell *spell, struct base_error *error);
void replay_recorder_reader_free(struct replay_recorder_reader *reader);

#endif
