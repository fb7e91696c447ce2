/* Maps that are judged by simulation, several at a time, with the outcome of one after the other.
 *
 *      number     1   2   3   4   5   6 ...       in the order in which they are proposed
 *                 |   |   |   |
 *      settled    +   -                           in the same order: better (+) than the best so far, or not (-)
 *      judged             .   x   x   .           some are being judged (.), some have been (x)
 *
 * A map is proposed before those in front of it are settled, as if none of them became the best. Where one does, all
 * behind it that were made from the best map are dropped, and the generator is as it was before the first of them. So
 * the sequence of maps that are settled, their number and the best of them do not depend on the number of threads. */
#ifndef MAP_TRIALS_H
#define MAP_TRIALS_H

#include "base/random.h"
#include "mappers/mapper.h"

/* Where maps come from. Called by one thread at a time, in the order of the sequence. */
struct map_proposer {
    /* Fills in slot[rank]; *depends: on `best`, or on the generator. 1; 0: there is none any more; -1: the search
     * fails here. */
    int (*propose)(void *context, struct base_random *random, const uint32_t *best, uint32_t *slot,
                   bool *depends, struct base_error *error);
    void *context;
};

/* Judges what the proposer has until the call's budget is used up or nothing is left; an evaluation is a map that is
 * settled. best[rank]: in: a map; out: the fastest that was settled, of several the one that costs least, of these the
 * last. *times: of that one, and of the first. Whoever stops the search, and a budget of time, end it in the middle of
 * a simulation; but time alone not the first, whose map is the answer then. -1: what the first failure in the sequence
 * says; BASE_INTERRUPTED: stopped before any map was settled. */
int map_trials_run(const struct map_call *call, const struct map_proposer *proposer,
                   const struct base_random *random, uint32_t *best, struct map_times *times,
                   struct base_error *error);

#endif
