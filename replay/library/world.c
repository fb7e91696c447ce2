/* Several processes that share a comparison. */
#include <config.h>

#include "replay/compare/queue.h"
#include "replay/library/internal.h"
#include "replay/system/world.h"

/* Casts between the public name and the struct it stands for. */
static struct replay_world *world_of(const flr_world *world)
{
    return (struct replay_world *)(uintptr_t)world;
}

flr_world *flr_world_join(flr_error **error)
{
    struct base_error inner = {0};
    struct replay_world *world = replay_world_join(&inner);

    if (world == NULL)
        replay_error_pass(&inner, error);
    return (flr_world *)(void *)world;
}

int flr_world_launched(uint32_t *rank, uint32_t *size)
{
    uint32_t place = 0, number = 0;
    bool is_launched = replay_world_launched(&place, &number);

    if (rank != NULL)
        *rank = place;
    if (size != NULL)
        *size = number;
    return is_launched ? 1 : 0;
}

uint32_t flr_world_rank(const flr_world *world)
{
    return replay_world_rank(world_of(world));
}

uint32_t flr_world_size(const flr_world *world)
{
    return replay_world_size(world_of(world));
}

void flr_world_leave(flr_world *world)
{
    replay_world_leave(world_of(world));
}

/* The others are heard of when the request is asked. */
int flr_request_share(flr_request *request, flr_world *world, flr_error **error)
{
    struct base_error inner = {0};

    if (request->given.command == REPLAY_COMMAND_COMPARE) {
        request->given.world = world_of(world);
        return 0;
    }
    base_error_set(&inner, BASE_USAGE, "%s is not shared by several processes",
                   replay_command_row(request->given.command)->name);
    return replay_error_pass(&inner, error);
}

/* The sentence goes as it was typed: rank 0 makes of it what its caller is to see. */
void flr_world_give_up(flr_world *world, enum flr_status status, const char *why, flr_error **error)
{
    struct base_error inner = {0};

    base_error_set(&inner, (enum base_status)status, "%s", why);
    replay_queue_agree(world_of(world), NULL, NULL, &inner);
    replay_error_pass(&inner, error);
}
