/* Lines of memory that the cycle will touch, asked for before it comes to them: where the state is larger than a core's
 * cache nearly all of the time would be spent on waiting. Nothing is changed and nothing depends on it. */
#ifndef NET_FLIT_ENGINE_FETCH_H
#define NET_FLIT_ENGINE_FETCH_H

#include "netmodel/engines/lines.h"
#include "netmodel/flit-engine/internal.h"

#define NET_FLIT_AHEAD 4 /* moves, or routers */

/* What a move will change: a driver, an output, and the routers that they are of, whose lines follow from their numbers
 * before anything of them is read. */
static inline void net_flit_fetch_move(const struct net_flit_engine *engine, const struct net_flit_move *move)
{
    if (move->arrival != NET_NONE) {
        net_fetch_to_write(&engine->driver[move->arrival]);
        net_fetch_to_write(&engine->router[move->arrival / engine->drivers_per_router]);
    }
    if (move->credit != NET_NONE) {
        net_fetch_to_write(&engine->output[move->credit]);
        net_fetch_to_write(&engine->router[move->credit / engine->outputs_per_router]);
    }
}

/* Of a router that will run soon its own line; of one that will run sooner, of whom that has come, the outputs that can
 * move a flit, and the first of their drivers' lines. */
static inline void net_flit_fetch_router(const struct net_flit_engine *engine, const uint32_t *list,
                                         uint32_t i, uint32_t count)
{
    if (i + 2 * NET_FLIT_AHEAD < count)
        net_fetch_to_write(&engine->router[list[i + 2 * NET_FLIT_AHEAD]]);
    if (i + NET_FLIT_AHEAD >= count)
        return;
    const struct net_flit_router *router = &engine->router[list[i + NET_FLIT_AHEAD]];
    struct net_flit_set ready = net_flit_both(&router->fed, &router->open);
    while (!net_flit_is_empty(&ready))
        net_fetch_to_write(&router->outputs[net_flit_take(&ready)]);
    if (i + NET_FLIT_AHEAD / 2 >= count)
        return;
    router = &engine->router[list[i + NET_FLIT_AHEAD / 2]];
    ready = net_flit_both(&router->fed, &router->open);
    while (!net_flit_is_empty(&ready))
        net_fetch_to_write(&router->drivers[router->outputs[net_flit_take(&ready)].driver]);
}

#endif
