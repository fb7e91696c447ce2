/* Processes of a program that was built without MPI: always one. */
#include <config.h>

#include "replay/system/world.h"

/* N copies that know nothing of each other would do the same work N times, into the same files. */
int replay_world_join(struct base_error *error)
{
    uint32_t rank = 0, size = 0;

    if (replay_world_launched(&rank, &size) && size > 1)
        return base_error_set(
            error, BASE_USAGE,
            "was started %u times by a launcher of MPI, but this flitreplay was built without "
            "MPI (configure --with-mpi)",
            size);
    return 0;
}

void replay_world_leave(void)
{
}

/* A program without MPI is always alone; the functions below exist so that nobody has to ask before a call. */
uint32_t replay_world_rank(void)
{
    return 0;
}

uint32_t replay_world_size(void)
{
    return 1;
}

/* What follows is for several processes, and is never reached by one. */
void replay_world_gather(const void *piece, void *all, size_t size)
{
    (void)piece;
    (void)all;
    (void)size;
}

void replay_world_broadcast(void *data, size_t size)
{
    (void)data;
    (void)size;
}

void replay_world_send(uint32_t target, enum replay_world_tag tag, const void *data, size_t size)
{
    (void)target;
    (void)tag;
    (void)data;
    (void)size;
}

bool replay_world_receive(enum replay_world_tag tag, uint32_t *source, void *data, size_t size)
{
    (void)tag;
    (void)source;
    (void)data;
    (void)size;
    return false;
}
