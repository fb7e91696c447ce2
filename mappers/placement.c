/* Finding a mapper by its text, and owning what it makes.
 *
 * A mapper only fills an array of terminals. That ranks fit on the network is checked before it runs, and
 * its text is kept with the placement, so that a report can say how it was made. */
#include <config.h>

#include "mappers/placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

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
    struct map_placement placement; /* first: the caller's pointer is that of the whole */
    uint32_t *terminal;             /* the writable array behind placement.terminal */
    char *text;                     /* the copy behind placement.text */
};

/* In the order of kinds.def, which is that of the help. */
const struct map_mapper *const *map_mappers(size_t *count)
{
    *count = MAPPERS;
    return mappers;
}

const struct map_mapper *map_mapper_of(const char *text)
{
    size_t length = strcspn(text, ":");

    for (size_t i = 0; i < MAPPERS; i++)
        if (strlen(mappers[i]->name) == length && strncmp(mappers[i]->name, text, length) == 0)
            return mappers[i];
    return NULL;
}

/* By its bare name, without an argument. */
static const struct map_mapper *find(const char *name, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("mapping", mappers, struct map_mapper);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    return place == MAPPERS ? NULL : mappers[place];
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
    if (mapper->argument != NULL && (*argument == NULL || **argument == '\0'))
        base_error_set(error, BASE_USAGE, "mapping '%s' needs an argument: %s:%s", name, name,
                       mapper->argument);
    else if (mapper->argument == NULL && *argument != NULL)
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

/* The mapper speaks of slots; a placement, of terminals. The cost is claimed only where weights were not shifted:
 * tests compare it with the sum over the real graph. */
static void settle(struct owned *owned, const struct map_problem *problem, const struct map_mapper *mapper,
                   const uint32_t *slot)
{
    struct map_placement *placement = &owned->placement;

    placement->mapper = mapper->name;
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        owned->terminal[rank] = problem->terminal[slot[rank]];
    placement->claims = mapper->searches && problem->weight_shift == 0;
    if (placement->claims)
        placement->claimed_cost = map_problem_cost(problem, slot);
}

/* A word before a colon is part of the path where it is the name of no format, as a mistyped one is. */
static int refuse_path(const char *path, struct base_error *error)
{
    size_t word = strcspn(path, ":/");

    base_error_system(error, errno, "%s: cannot open this placement", path);
    if (path[word] == ':')
        base_error_append(error, "; '%.*s' is not a format of placements (flitreplay list placements)",
                          (int)word, path);
    return -1;
}

/* A mapper does not open files itself: so it is known of each what was in it. The path is a part of the
 * placement's text. */
static int map_file(struct map_call *call, const struct map_mapper *mapper, uint32_t *slot,
                    struct base_input_name *name, struct base_error *error)
{
    struct base_input input;
    int status;

    if (base_input_open(&input, name->path) != 0)
        return refuse_path(name->path, error);
    call->file = &input;
    memcpy(name->digest, input.digest, sizeof input.digest);
    status = mapper->map(call, slot, error);
    base_input_close(&input);
    return status;
}

/* Runs the mapper on its problem, within its budget. */
static int run(const struct map_mapper *mapper, const char *argument, const struct map_request *request,
               const struct map_problem *problem, struct owned *owned, struct base_error *error)
{
    struct map_budget budget;
    struct map_call call = {.argument = argument,
                            .problem = problem,
                            .effort = request->effort,
                            .judge = request->judge,
                            .budget = &budget,
                            .times = &owned->placement.times};
    uint32_t *slot = calloc((size_t)problem->ranks + 1, sizeof *slot);
    int status;

    if (slot == NULL)
        return base_error_memory(error, "a placement");
    map_budget_start(&budget, request->effort.evaluations, request->effort.time_ms);
    budget.stop = request->effort.stop;
    owned->placement.times = (struct map_times){MAP_SLOWER, MAP_SLOWER};
    owned->placement.input.path = map_placement_path(owned->text);
    status = owned->placement.input.path == NULL
                 ? mapper->map(&call, slot, error)
                 : map_file(&call, mapper, slot, &owned->placement.input, error);
    if (status == 0)
        settle(owned, problem, mapper, slot);
    owned->placement.evaluations = budget.used;
    free(slot);
    return status;
}

/* Cheap refusals come first: the mapper may read a file or search for long. */
static struct map_placement *make(const char *text, const char *argument, const struct map_mapper *mapper,
                                  const struct map_request *request, struct base_error *error)
{
    struct map_problem *problem = map_problem_new(&request->place, request->ranks, request->graph,
                                                  request->objective, mapper->searches, error);
    struct owned *owned;
    int status = -1;

    if (problem == NULL)
        return NULL;
    owned = allocate(text, request->ranks, error);
    if (owned != NULL)
        status = run(mapper, argument, request, problem, owned, error);
    map_problem_free(problem);
    if (status == 0)
        return &owned->placement;
    map_placement_free(owned == NULL ? NULL : &owned->placement);
    return NULL;
}

/* What cannot work is refused before the problem is made, which on a large machine is a table of all
 * distances. */
struct map_placement *map_placement_new(const char *text, const struct map_request *request,
                                        struct base_error *error)
{
    const char *argument;
    const struct map_mapper *mapper = parse(text, &argument, error);

    if (mapper == NULL)
        return NULL;
    if (mapper->needs_judge && request->judge == NULL) {
        base_error_set(error, BASE_USAGE, "mapping '%s' needs a trace that can be replayed", mapper->name);
        return NULL;
    }
    return make(text, argument, mapper, request, error);
}

/* Texts that no mapper knows have no path; whoever goes on to make the placement hears what is wrong with them. */
const char *map_placement_path(const char *text)
{
    const char *argument;
    const struct map_mapper *mapper = parse(text, &argument, NULL);

    return mapper == NULL || mapper->path_of == NULL ? NULL : mapper->path_of(argument);
}

/* The public struct is the first member of what was allocated. */
void map_placement_free(struct map_placement *placement)
{
    struct owned *owned = (struct owned *)placement;

    if (owned == NULL)
        return;
    free(owned->terminal);
    free(owned->text);
    free(owned);
}
