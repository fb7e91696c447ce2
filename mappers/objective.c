/* The objectives by their names. */
#include <config.h>

#include <string.h>

#include "mappers/mapper.h"
#include "netmodel/specification.h"

/* In the order of enum map_objective. */
static const struct map_objective_kind hop_bytes = {"hop-bytes",
                                                    "bytes times links: the total work of the network"};
static const struct map_objective_kind dilation = {"dilation", "messages times links"};
static const struct map_objective_kind channel_load = {"channel-load",
                                                       "bytes over the busiest channel under the routing"};
static const struct map_objective_kind time_kind = {"time",
                                                    "the simulated time: replays on each map that is tried"};

static const struct map_objective_kind *const objectives[] = {&hop_bytes, &dilation, &channel_load,
                                                              &time_kind};
#define OBJECTIVES (sizeof objectives / sizeof *objectives)

const struct map_objective_kind *const *map_objectives(size_t *count)
{
    *count = OBJECTIVES;
    return objectives;
}

/* Names are gathered on the way: whenever none of them fits, all are there for the error to choose the
 * nearest from. */
int map_objective_find(const char *name, enum map_objective *objective, struct base_error *error)
{
    const char *names[OBJECTIVES];

    for (size_t i = 0; i < OBJECTIVES; i++) {
        names[i] = objectives[i]->name;
        if (strcmp(name, names[i]) == 0) {
            *objective = (enum map_objective)i;
            return 0;
        }
    }
    return net_unknown_name(error, "objective", name, names, OBJECTIVES);
}
