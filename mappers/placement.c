/* Finding a mapper by its text, and owning what it makes.
 *
 * A mapper only fills an array of terminals. That ranks fit on the network is checked before it runs, and
 * its text is kept with the placement, so that a report can say how it was made. */
#include <config.h>

#include "mappers/placement.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/specification.h"

#define MAP_MAPPER(symbol) extern const struct map_mapper map_mapper_##symbol;
#include "mappers/kinds.def"
#undef MAP_MAPPER

static const struct map_mapper *const mappers[] = {
#define MAP_MAPPER(symbol) &map_mapper_##symbol,
#include "mappers/kinds.def"
#undef MAP_MAPPER
};

#define MAPPERS (sizeof mappers / sizeof *mappers)

/* What the caller gets is the first member; the rest is to free it. */
struct owned {
    struct map_placement placement;
    uint32_t *terminal;
    char *text;
};

const struct map_mapper *const *map_mappers(size_t *count)
{
    *count = MAPPERS;
    return mappers;
}

/* By its bare name, without an argument. */
static const struct map_mapper *find(const char *name, struct base_error *error)
{
    const char *names[MAPPERS];

    for (size_t i = 0; i < MAPPERS; i++) {
        if (strcmp(mappers[i]->name, name) == 0)
            return mappers[i];
        names[i] = mappers[i]->name;
    }
    net_unknown_name(error, "mapping", name, names, MAPPERS);
    return NULL;
}

#define NAME_ROOM 32 /* more than any name has: a longer text is unknown */

/* The mapper of "file:cg.map", and the argument behind the colon (NULL if there is none). */
static const struct map_mapper *parse(const char *text, const char **argument, struct base_error *error)
{
    const struct map_mapper *mapper;
    char name[NAME_ROOM];
    size_t length = strcspn(text, ":");

    snprintf(name, sizeof name, "%.*s", (int)(length < NAME_ROOM ? length : NAME_ROOM), text);
    *argument = text[length] == ':' ? text + length + 1 : NULL;
    mapper = find(name, error);
    if (mapper == NULL)
        return NULL;
    if (mapper->takes_argument && (*argument == NULL || **argument == '\0'))
        base_error_set(error, BASE_USAGE, "mapping '%s' needs an argument: %s:PATH", name, name);
    else if (!mapper->takes_argument && *argument != NULL)
        base_error_set(error, BASE_USAGE, "mapping '%s' takes no argument, but '%.80s' is given", name,
                       *argument);
    else
        return mapper;
    return NULL;
}

/* Room for a rank more than asked for, so that no size is zero. */
static struct owned *allocate(const char *text, uint32_t ranks, struct base_error *error)
{
    struct owned *owned = calloc(1, sizeof *owned);

    if (owned != NULL) {
        owned->text = strdup(text);
        owned->terminal = malloc(((size_t)ranks + 1) * sizeof *owned->terminal);
    }
    if (owned != NULL && owned->text != NULL && owned->terminal != NULL) {
        owned->placement =
            (struct map_placement){.ranks = ranks, .terminal = owned->terminal, .text = owned->text};
        return owned;
    }
    map_placement_free(owned == NULL ? NULL : &owned->placement);
    base_error_memory(error, "a placement");
    return NULL;
}

/* The graph may be NULL for mappers that do not look at it; the seed counts only for those that draw, so
 * that all others give one placement for one network. */
struct map_placement *map_placement_new(const char *text, const struct net_topology *topology, uint32_t ranks,
                                        const struct trace_comm_graph *graph, uint64_t seed,
                                        struct base_error *error)
{
    const char *argument;
    const struct map_mapper *mapper = parse(text, &argument, error);
    struct owned *owned;

    if (mapper == NULL)
        return NULL;
    if (ranks > topology->terminals) {
        base_error_set(error, BASE_USAGE, "%u ranks do not fit on the %u terminals of %s", ranks,
                       topology->terminals, topology->text);
        return NULL;
    }
    /* Cheap refusals came first: the mapper may read a file or search for long. */
    owned = allocate(text, ranks, error);
    if (owned == NULL)
        return NULL;
    owned->placement.mapper = mapper->name;
    if (mapper->map(mapper, argument, topology, ranks, graph, seed, owned->terminal, error) == 0)
        return &owned->placement;
    map_placement_free(&owned->placement);
    return NULL;
}

void map_placement_free(struct map_placement *placement)
{
    struct owned *owned = (struct owned *)placement;

    if (owned == NULL)
        return;
    free(owned->terminal);
    free(owned->text);
    free(owned);
}
