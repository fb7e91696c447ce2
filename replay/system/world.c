/* Processes that meet through a module, and its messages. */
#include <config.h>

#include "replay/system/world.h"

#include <stdlib.h>

#include "replay/system/world-load.h"

struct replay_world {
    uint32_t rank, size;               /* 0 and 1: alone */
    bool begun;                        /* MPI, by us */
    struct replay_world_module module; /* of several; zero: none was loaded */
};

/* What is said where there is no module is the loader's. */
static int meet(struct replay_world *world, uint32_t launched, struct base_error *error)
{
    char text[BASE_ERROR_TEXT];
    int status = replay_world_load(&world->module, launched, error);

    if (status <= 0)
        return status;
    world->module.nap = replay_world_nap;
    if (!world->module.join(&world->module, launched, &world->begun, text, sizeof text))
        return base_error_set(error, BASE_USAGE, "%s", text);
    world->rank = world->module.rank();
    world->size = world->module.size();
    return 0;
}

/* A process whose meeting failed has nobody to wait for. */
struct replay_world *replay_world_join(struct base_error *error)
{
    struct replay_world *world = calloc(1, sizeof *world);
    uint32_t rank = 0, size = 0;

    if (world == NULL)
        return base_error_memory(error, "the processes"), NULL;
    world->size = 1;
    if (!replay_world_launched(&rank, &size) || meet(world, size, error) == 0)
        return world;
    replay_world_leave(world);
    return NULL;
}

/* Also one that met nobody after MPI was begun: it is ended. */
void replay_world_leave(struct replay_world *world)
{
    if (world == NULL)
        return;
    if (world->module.leave != NULL)
        world->module.leave(&world->module, world->begun);
    free(world);
}

uint32_t replay_world_rank(const struct replay_world *world)
{
    return world == NULL ? 0 : world->rank;
}

uint32_t replay_world_size(const struct replay_world *world)
{
    return world == NULL ? 1 : world->size;
}

/* ---- messages: the module's ---- */

void replay_world_gather(const struct replay_world *world, const void *piece, void *all, size_t size)
{
    world->module.gather(&world->module, piece, all, size);
}

void replay_world_broadcast(const struct replay_world *world, void *data, size_t size)
{
    world->module.broadcast(&world->module, data, size);
}

void replay_world_send(const struct replay_world *world, uint32_t target, enum replay_world_tag tag,
                       const void *data, size_t size)
{
    world->module.send(&world->module, target, (int)tag, data, size);
}

bool replay_world_receive(const struct replay_world *world, enum replay_world_tag tag, uint32_t *source,
                          void *data, size_t size)
{
    return world->module.receive((int)tag, source, data, size);
}
