/* More ranks than terminals: the refusal names a size that would do.
 *
 *      cg.S.16 has 16 ranks, but mesh:2x3 has only 6 terminals; --topology mesh:4x4 would do; or
 *      --ranks-per-terminal 3
 *
 * The suggestion keeps the kind, the number of dimensions and the parameters, and is built before it is made:
 * it is never a topology that would be refused in its turn. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/session/session.h"

#define ROOM 512

/* The sizes between the kind and the parameters of a topology's text: "mesh:4x4,concentration=2". */
struct shape {
    const char *parameters; /* from the comma on, or "" */
    uint32_t count;
    uint32_t sides[NET_DIMENSIONS_MAX];
};

/* 0 when the text has sizes of the form 8x8x…; kinds with other ones get no suggestion. */
static int read_shape(const char *text, struct shape *shape)
{
    const char *at = strchr(text, ':');

    shape->count = 0;
    while (at != NULL && shape->count < NET_DIMENSIONS_MAX && (*at == ':' || *at == 'x')) {
        char *end;
        unsigned long side = strtoul(at + 1, &end, 10);
        if (end == at + 1 || side == 0 || side > NET_TERMINALS_MAX)
            return -1;
        shape->sides[shape->count++] = (uint32_t)side;
        at = end;
    }
    shape->parameters = at;
    return at != NULL && shape->count > 0 && (*at == '\0' || *at == ',') ? 0 : -1;
}

/* Stops multiplying beyond the largest network, long before 64 bits are full. */
static uint64_t terminals_of(const struct shape *shape, uint32_t concentration)
{
    uint64_t terminals = concentration;

    for (uint32_t i = 0; i < shape->count && terminals <= NET_TERMINALS_MAX; i++)
        terminals *= shape->sides[i];
    return terminals;
}

/* Grows the shortest side, the first of equals, until all ranks fit: a shape as even as the given one allows.
 */
static void grow(struct shape *shape, uint32_t concentration, uint32_t ranks)
{
    while (terminals_of(shape, concentration) < ranks) {
        uint32_t shortest = 0;
        for (uint32_t i = 1; i < shape->count; i++)
            if (shape->sides[i] < shape->sides[shortest])
                shortest = i;
        shape->sides[shortest]++;
    }
}

/* Writes the grown topology's text into `fitting`, if there is such a topology. */
static bool find_fitting(const struct net_topology *topology, uint32_t ranks, char fitting[ROOM])
{
    struct net_topology *larger;
    struct shape shape;
    int used;
    bool fits;

    uint32_t concentration = topology->concentration > 0 ? topology->concentration : 1;

    /* Sizes that are no sides, or terminals that are not on routers: then it is not known how to grow. */
    if (ranks > NET_TERMINALS_MAX || read_shape(topology->text, &shape) != 0 ||
        terminals_of(&shape, concentration) != topology->terminals)
        return false;
    grow(&shape, concentration, ranks);
    used = snprintf(fitting, ROOM, "%s", topology->kind->name);
    for (uint32_t i = 0; i < shape.count && used < ROOM; i++)
        used +=
            snprintf(fitting + used, (size_t)(ROOM - used), "%c%" PRIu32, i == 0 ? ':' : 'x', shape.sides[i]);
    if (used < ROOM)
        used += snprintf(fitting + used, (size_t)(ROOM - used), "%s", shape.parameters);
    if (used >= ROOM)
        return false;
    larger = net_topology_new(fitting, NULL);
    fits = larger != NULL && larger->terminals >= ranks;
    net_topology_free(larger);
    return fits;
}

/* The mappers would refuse too, but only with the whole trace read and without a suggestion. What must fit is
 * terminals; a terminal may run as many ranks as was allowed and no more. */
int replay_session_fits(const char *what, uint32_t ranks, const struct replay_settings *settings,
                        const struct net_topology *topology, struct base_error *error)
{
    uint64_t share = settings->number[REPLAY_RANKS_PER_TERMINAL];
    uint32_t needed = (uint32_t)((ranks + share - 1) / share);
    bool is_found;
    char fitting[ROOM];

    if (needed <= topology->terminals)
        return 0;
    base_error_set(error, BASE_USAGE, "%s has %" PRIu32 " ranks, but %s has only %" PRIu32 " terminal%s",
                   what, ranks, topology->text, topology->terminals, topology->terminals == 1 ? "" : "s");
    if (share > 1)
        base_error_append(error, " for %" PRIu64 " each", share);
    is_found = find_fitting(topology, needed, fitting);
    if (is_found)
        base_error_append(error, "; --topology %s would do", fitting);
    base_error_append(error, "; %s--ranks-per-terminal %" PRIu32 "%s", is_found ? "or " : "",
                      (ranks + topology->terminals - 1) / topology->terminals, is_found ? "" : " would do");
    return -1;
}
