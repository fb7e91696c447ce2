/* The objectives by their names. */
#include <config.h>

#include <string.h>

#include "base/names.h"
#include "mappers/mapper.h"

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

/* In the order of the enumeration. */
int map_objective_find(const char *name, enum map_objective *objective, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("objective", objectives, struct map_objective_kind);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    if (place == OBJECTIVES)
        return -1;
    *objective = (enum map_objective)place;
    return 0;
}
