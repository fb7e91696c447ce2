/* The processes that a launcher (mpirun, srun) has started together for one comparison, or this one alone.
 *
 *      rank 0            keeps the store, hands out runs, writes the answer; works too
 *      rank 1, 2 ...     do runs, and say nothing
 *
 * Messages are few and small, so waiting is done by looking now and then: a process that waits takes no time
 * from those that work. What speaks MPI is a module of its own (world-module.h), loaded where a launcher has started
 * this process: nobody else needs an MPI library. Calls of one process may come from several threads, one at a time.
 * A process that dies takes the others with it, as MPI has it: what rank 0 has stored by then stays. */
#ifndef REPLAY_SYSTEM_WORLD_H
#define REPLAY_SYSTEM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct replay_world;

/* Meets the others, where a launcher has started this process; loads nothing, and takes no time, where none has.
 * NULL: BASE_USAGE: a launcher has started several, and there is no module, or one of another MPI; BASE_SYSTEM: a
 * module that cannot be loaded, memory. Once a process. */
struct replay_world *replay_world_join(struct base_error *error);
/* Waits for the others to come here as well. NULL is legal. */
void replay_world_leave(struct replay_world *world);
/* 0 and 1 for a process alone, and for NULL. */
uint32_t replay_world_rank(const struct replay_world *world);
uint32_t replay_world_size(const struct replay_world *world);

/* What follows is for several processes. For all of them at once: pieces of `size` bytes by rank to all[] of rank 0;
 * rank 0's data to the others. */
void replay_world_gather(const struct replay_world *world, const void *piece, void *all, size_t size);
void replay_world_broadcast(const struct replay_world *world, void *data, size_t size);

/* What a message is: the receiver waits for one kind without losing another. */
enum replay_world_tag {
    REPLAY_WORLD_ASK,  /* to rank 0 */
    REPLAY_WORLD_TASK, /* from rank 0: the answer */
    REPLAY_WORLD_END   /* from rank 0, once to each */
};
/* The data may be used again at once. */
void replay_world_send(const struct replay_world *world, uint32_t target, enum replay_world_tag tag,
                       const void *data, size_t size);
/* Whether there was such a message, of up to `size` bytes; it is in data then. source may be NULL. */
bool replay_world_receive(const struct replay_world *world, enum replay_world_tag tag, uint32_t *source,
                          void *data, size_t size);
/* Sleeps a little longer each time; *naps counts them, from 0 again whenever there was something to do. */
void replay_world_nap(uint32_t *naps);

/* What the environment says of a launcher; false: there is none. size is 0 where it does not say. */
bool replay_world_launched(uint32_t *rank, uint32_t *size);

#endif
