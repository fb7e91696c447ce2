/* Between the library and the module that speaks MPI (world-mpi.so in the library's own folder). The module uses
 * nothing of the library but this header, and the library nothing of MPI: either can be installed without the other.
 * */
#ifndef REPLAY_SYSTEM_WORLD_MODULE_H
#define REPLAY_SYSTEM_WORLD_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPLAY_WORLD_MODULE "world-mpi.so"
#define REPLAY_WORLD_ENTRY "flitreplay_world" /* a function of type replay_world_entry */
#define REPLAY_WORLD_VERSION 1                /* of this header: a module of another one is refused */

struct replay_world_module {
    uint32_t version;
    /* How messages wait: sleeps, a little longer each time (replay_world_nap). Set by the library, before join. */
    void (*nap)(uint32_t *naps);
    /* Meets the others, of whom the launcher says that there are `launched` (0: it does not). True; or false with a
     * sentence of up to `room` bytes. *begun: MPI was begun here, and leave is to end it. */
    bool (*join)(const struct replay_world_module *module, uint32_t launched, bool *begun, char *text,
                 size_t room);
    void (*leave)(const struct replay_world_module *module, bool begun);
    uint32_t (*rank)(void), (*size)(void);
    /* As replay_world_gather and the others (world.h). */
    void (*gather)(const struct replay_world_module *module, const void *piece, void *all, size_t size);
    void (*broadcast)(const struct replay_world_module *module, void *data, size_t size);
    void (*send)(const struct replay_world_module *module, uint32_t target, int tag, const void *data,
                 size_t size);
    bool (*receive)(int tag, uint32_t *source, void *data, size_t size);
};

/* Fills in all but `nap`. */
typedef void replay_world_entry(struct replay_world_module *module);

#endif
