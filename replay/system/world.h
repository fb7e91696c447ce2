/* The processes that a launcher (mpirun, srun) has started together for one comparison, or this one alone.
 *
 *      rank 0            keeps the store, hands out runs, writes the answer; works too
 *      rank 1, 2 ...     do runs, and say nothing
 *
 * Messages are few and small, so waiting is done by looking now and then: a process that waits takes no time
 * from those that work. All that knows MPI is world-mpi.c; world-none.c stands for it in a program without.
 */
/* Which process this is is MPI's to know, and is asked of it each time: there is no variable of ours. Calls
 * of one process may come from several threads, one at a time. A process that dies takes the others with it,
 * as MPI has it: what rank 0 has stored by then stays. */
#ifndef REPLAY_SYSTEM_WORLD_H
#define REPLAY_SYSTEM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Meets the others, where a launcher has started this process; does nothing, and takes no time, where none
 * has. BASE_USAGE: a launcher has started several, and this program knows no MPI, or another one. */
int replay_world_join(struct base_error *error);
/* Waits for the others to come here as well. Legal also where nothing was joined. */
void replay_world_leave(void);
/* 0 and 1 for a process alone, and for one that has not joined. */
uint32_t replay_world_rank(void);
uint32_t replay_world_size(void);

/* For all processes at once: pieces of `size` bytes by rank to all[] of rank 0; rank 0's data to the others.
 */
void replay_world_gather(const void *piece, void *all, size_t size);
void replay_world_broadcast(void *data, size_t size);

/* What a message is: the receiver waits for one kind without losing another. */
enum replay_world_tag {
    REPLAY_WORLD_ASK,  /* to rank 0 */
    REPLAY_WORLD_TASK, /* from rank 0: the answer */
    REPLAY_WORLD_END   /* from rank 0, once to each */
};
/* The data may be used again at once. */
void replay_world_send(uint32_t target, enum replay_world_tag tag, const void *data, size_t size);
/* Whether there was such a message, of up to `size` bytes; it is in data then. source may be NULL. */
bool replay_world_receive(enum replay_world_tag tag, uint32_t *source, void *data, size_t size);
/* Sleeps a little longer each time; *naps counts them, from 0 again whenever there was something to do. */
void replay_world_nap(uint32_t *naps);

/* What the environment says of a launcher; false: there is none. size is 0 where it does not say. */
bool replay_world_launched(uint32_t *rank, uint32_t *size);

#endif
