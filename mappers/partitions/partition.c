/* Finding an allocator by its text, the cells that it chooses from, and the terminals of those that it chose.
 *
 *      terminals ─► cells (routers) ─► allocator ─► cells ─► terminals, ascending */
#include <config.h>

#include "mappers/partitions/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

#define MAP_ALLOCATOR(symbol) extern const struct map_allocator map_allocator_##symbol;
#include "mappers/partitions/allocator-kinds.def"
#undef MAP_ALLOCATOR

static const struct map_allocator *const allocators[] = {
#define MAP_ALLOCATOR(symbol) &map_allocator_##symbol,
#include "mappers/partitions/allocator-kinds.def"
#undef MAP_ALLOCATOR
};

#define ALLOCATORS (sizeof allocators / sizeof *allocators)

/* What the caller gets is the first member; the rest is to free it. */
struct owned {
    struct map_partition partition; /* first: the caller's pointer is that of the whole */
    uint32_t *terminal;             /* the writable array behind partition.terminal */
    char *text, *path;              /* path: of the input, or NULL */
};

/* In the order of allocator-kinds.def, which is that of the help. */
const struct map_allocator *const *map_allocators(size_t *count)
{
    *count = ALLOCATORS;
    return allocators;
}

/* The allocator of "buddy", "hilbert,fit=first" or "file:PATH": a name ends where its argument or its parameters
 * begin. NULL: unknown, with the nearest match. */
static const struct map_allocator *find_allocator(const char *text, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("partition", allocators, struct map_allocator);
    size_t place = base_names_find(&names, text, strcspn(text, ":,"), error);

    return place == ALLOCATORS ? NULL : allocators[place];
}

/* The argument of an allocator that reads a file; NULL: it is missing. */
static const char *path_of(const struct map_allocator *allocator, const char *text)
{
    size_t length = strlen(allocator->name);
    return text[length] == ':' && text[length + 1] != '\0' ? text + length + 1 : NULL;
}

/* Parameters, or the argument; what an allocator does not take is refused. */
static int parse(const struct map_allocator *allocator, const char *text, struct map_cells *cells,
                 struct net_specification *parameters, struct base_arena *arena, struct base_error *error)
{
    static const char *const none[] = {NULL};
    size_t length = strlen(allocator->name);

    if (allocator->reads_file && path_of(allocator, text) == NULL)
        return base_error_set(error, BASE_USAGE, "partition '%s' needs an argument: %s:PATH", allocator->name,
                              allocator->name);
    if (allocator->reads_file)
        return 0;
    if (text[length] == ':')
        return base_error_set(error, BASE_USAGE, "partition '%s' takes no argument, but '%.80s' is given",
                              allocator->name, text + length + 1);
    cells->parameters = parameters;
    return net_specification_parse_named(parameters, text, "partition",
                                         allocator->keys == NULL ? none : allocator->keys, arena, error);
}

/* Networks of one or two dimensions, whose routers are numbered row by row and have all terminals of a cell.
 */
static void find_rectangle(struct map_cells *cells)
{
    const struct net_topology *topology = cells->topology;
    const struct net_grid *plane = net_topology_plane(topology);

    if (plane == NULL || cells->count != topology->routers)
        return;
    cells->width = net_topology_side(topology, 0);
    cells->height = net_topology_side(topology, 1);
    cells->wraps = plane->wraps;
}

/* The cells, with those that are free. busy and cell are the caller's to free. -1: memory. A cell is free only
 * when none of its terminals is busy: jobs do not share routers. */
static int fill_cells(struct map_cells *cells, const struct map_demand *demand, bool **busy,
                      struct base_error *error)
{
    const struct net_topology *topology = demand->topology;

    cells->topology = topology;
    cells->concentration = topology->routers == 0 ? 1 : topology->concentration;
    cells->count = topology->terminals / cells->concentration;
    /* Rounded up: a cell is busy as soon as one of its terminals is, so that no two jobs share a router. */
    cells->wanted = (uint32_t)(((uint64_t)demand->ranks + cells->concentration - 1) / cells->concentration);
    cells->seed = demand->seed;
    cells->free_count = cells->count;
    find_rectangle(cells);
    *busy = calloc((size_t)cells->count + 1, sizeof **busy);
    cells->cell = calloc((size_t)cells->count + 1, sizeof *cells->cell);
    cells->busy = *busy;
    if (*busy == NULL || cells->cell == NULL)
        return base_error_memory(error, "the map of a machine");
    for (uint32_t terminal = 0; demand->busy != NULL && terminal < topology->terminals; terminal++)
        (*busy)[terminal / cells->concentration] |= demand->busy[terminal];
    for (uint32_t cell = 0; cell < cells->count; cell++)
        cells->free_count -= (*busy)[cell];
    return 0;
}

/* Allocators choose cells in the order of their curve or shape; a partition lists terminals in ascending order. */
static int compare(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Whole cells, but that exact allocators give up what is too much at the end. A cell has as many terminals as its
 * router; in ascending order of cells, so are they. */
static struct map_partition *finish(const struct map_allocator *allocator, const char *text,
                                    struct map_cells *cells, uint32_t ranks, struct base_error *error)
{
    struct owned *owned = calloc(1, sizeof *owned);
    uint32_t count = cells->cell_count * cells->concentration;

    if (owned != NULL) {
        owned->text = strdup(text);
        owned->terminal = malloc(count * sizeof *owned->terminal);
    }
    if (owned == NULL || owned->text == NULL || owned->terminal == NULL) {
        map_partition_free(owned == NULL ? NULL : &owned->partition);
        base_error_memory(error, "a partition");
        return NULL;
    }
    qsort(cells->cell, cells->cell_count, sizeof *cells->cell, compare);
    for (uint32_t i = 0; i < count; i++)
        owned->terminal[i] =
            cells->cell[i / cells->concentration] * cells->concentration + i % cells->concentration;
    owned->partition = (struct map_partition){.allocator = allocator->name,
                                              .text = owned->text,
                                              .asked = ranks,
                                              .count = allocator->exact ? ranks : count,
                                              .terminal = owned->terminal};
    return &owned->partition;
}

/* What can be said without looking for a shape. */
static int check(const struct map_allocator *allocator, const struct map_cells *cells, const char *text,
                 uint32_t ranks, bool *no_room, struct base_error *error)
{
    if (ranks == 0)
        return base_error_set(error, BASE_USAGE, "partition '%.80s': no job has 0 ranks", text);
    if (allocator->needs_rectangle && cells->width == 0)
        return base_error_set(
            error, BASE_USAGE,
            "partition '%s' needs a network of two dimensions, and %s is not one; groups, row, "
            "gen-alg, random and file work on every network",
            allocator->name, cells->topology->text);
    if (cells->wanted <= cells->free_count)
        return 0;
    *no_room = true;
    return base_error_set(error, BASE_USAGE, "a job of %u ranks does not fit on the %u free terminals of %s",
                          ranks, cells->free_count * cells->concentration, cells->topology->text);
}

/* An allocator does not open files itself: so it is known of each what was in it. */
static enum map_verdict choose(const struct map_allocator *allocator, struct map_cells *cells,
                               struct base_input_name *name, struct base_error *error)
{
    struct base_input input;
    enum map_verdict verdict;

    if (!allocator->reads_file)
        return allocator->allocate(cells, error);
    if (base_input_open(&input, name->path) != 0) {
        base_error_set(error, BASE_INPUT, "%s: %s", name->path, strerror(errno));
        return MAP_REFUSED;
    }
    cells->file = &input;
    memcpy(name->digest, input.digest, sizeof input.digest);
    verdict = allocator->allocate(cells, error);
    base_input_close(&input);
    return verdict;
}

/* With the cells in hand. */
static struct map_partition *allocate(const struct map_allocator *allocator, struct map_cells *cells,
                                      const char *text, uint32_t ranks, struct base_input_name *input,
                                      bool *no_room, struct base_error *error)
{
    enum map_verdict verdict;

    if (check(allocator, cells, text, ranks, no_room, error) != 0)
        return NULL;
    verdict = choose(allocator, cells, input, error);
    if (verdict == MAP_FOUND)
        return finish(allocator, text, cells, ranks, error);
    if (verdict == MAP_NO_ROOM) {
        *no_room = true;
        base_error_set(error, BASE_USAGE, "%s has no free partition of the kind '%.80s' for %u ranks",
                       cells->topology->text, text, ranks);
    }
    return NULL;
}

/* Its path is of a text that ends with the call. -1: memory. */
static int keep_input(struct map_partition *partition, const struct base_input_name *input,
                      struct base_error *error)
{
    struct owned *owned = (struct owned *)partition;

    partition->input = *input;
    if (input->path == NULL)
        return 0;
    partition->input.path = owned->path = strdup(input->path);
    return owned->path == NULL ? base_error_memory(error, "a partition") : 0;
}

/* For whoever must know the inputs of a run before it begins; errors are told when the partition is made. */
const char *map_partition_path(const char *text, struct base_arena *arena)
{
    enum map_confinement confinement;
    const char *rest = map_partition_split(text, &confinement, arena, NULL);
    const struct map_allocator *allocator = rest == NULL ? NULL : find_allocator(rest, NULL);

    return allocator == NULL || !allocator->reads_file ? NULL : path_of(allocator, rest);
}

/* Nobody below has to ask whether no_room is wanted: it points somewhere in any case. Cells and parameters
 * only live as long as the allocator works; what the partition keeps are copies of its own. */
struct map_partition *map_partition_new(const char *text, const struct map_demand *demand, bool *no_room,
                                        struct base_error *error)
{
    const struct map_allocator *allocator = NULL;
    enum map_confinement confinement = MAP_UNSAID;
    struct map_partition *partition = NULL;
    struct net_specification parameters = {0};
    struct map_cells cells = {0};
    struct base_input_name input = {NULL, ""};
    struct base_arena arena = {0};
    bool *busy = NULL;
    bool ignored = false;

    no_room = no_room == NULL ? &ignored : no_room;
    *no_room = false;
    const char *rest = map_partition_split(text, &confinement, &arena, error);
    if (rest != NULL)
        allocator = find_allocator(rest, error);
    if (allocator != NULL && parse(allocator, rest, &cells, &parameters, &arena, error) == 0 &&
        fill_cells(&cells, demand, &busy, error) == 0) {
        input.path = allocator->reads_file ? path_of(allocator, rest) : NULL;
        partition = allocate(allocator, &cells, text, demand->ranks, &input, no_room, error);
    }
    if (partition != NULL && keep_input(partition, &input, error) != 0) {
        map_partition_free(partition);
        partition = NULL;
    }
    if (partition != NULL)
        partition->confinement = confinement;
    free(busy);
    free(cells.cell);
    base_arena_free(&arena);
    return partition;
}

/* What the world sees as const is writable here: the public part comes first in struct owned, behind which
 * are the same arrays as they were allocated. */
void map_partition_free(struct map_partition *partition)
{
    struct owned *owned = (struct owned *)partition;

    if (owned == NULL)
        return;
    free(owned->terminal);
    free(owned->text);
    free(owned->path);
    free(owned);
}
