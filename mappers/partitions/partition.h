/* Partitions: the terminals that one job owns, chosen by an allocator among those that are free, before a
 * mapper puts the job's ranks on them. One descriptor per allocator in allocator-kinds.def (doc/partitions.md
 * has the models and a study).
 *
 *      struct map_partition *partition =
 *          map_partition_new("odd-square,fit=first", &(struct map_demand){topology, busy, 70, seed}, &error);
 *      ... partition->terminal[0 .. partition->count - 1] ...
 *      map_partition_free(partition);
 *
 * An allocator sees cells: routers, or the terminals of an ideal network. A cell is free when all its
 * terminals are; a job takes whole cells, but that one of an exact size leaves idle what it does not need of
 * the last. */
#ifndef MAP_PARTITION_H
#define MAP_PARTITION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/input.h"
#include "netmodel/specification.h"
#include "netmodel/topology.h"

/* Whether a job's packets are to stay in its partition, as its text says. */
enum map_confinement { MAP_UNSAID, MAP_CONFINED, MAP_UNCONFINED };

struct map_partition {
    const char *allocator;        /* the kind that made it */
    const char *text;             /* as given */
    struct base_input_name input; /* the file that it was read from, if there is one */
    enum map_confinement confinement;
    uint32_t asked;           /* how many terminals the job needs */
    uint32_t count;           /* how many it got: asked, or more where only certain shapes are given */
    const uint32_t *terminal; /* [count], ascending */
};

/* What is asked for. Everything is borrowed for the call. */
struct map_demand {
    const struct net_topology *topology; /* borrowed */
    const bool *busy;                    /* [terminal]: owned by another job; NULL: all are free */
    uint32_t ranks;                      /* terminals needed, at least 1 */
    uint64_t seed;                       /* of random choices */
};

/* Inside mappers/: the cells of a machine while an allocator looks for some of them. */
struct map_cells {
    const struct net_topology *topology; /* borrowed */
    uint32_t count;                      /* cells */
    uint32_t concentration;              /* terminals of a cell: cell = terminal / concentration */
    uint32_t wanted;                     /* cells that hold the job */
    uint32_t free_count;
    const bool *busy; /* [cell] */
    uint64_t seed;
    const struct net_specification *parameters; /* NULL for one with an argument */
    const struct base_input *file;              /* of one with an argument, open */

    /* As a rectangle, row by row; 0 when the network is none (three dimensions, or no coordinates). */
    uint32_t width, height;
    bool wraps; /* in both dimensions */

    uint32_t *cell; /* the answer, in any order; room for all cells */
    uint32_t cell_count;
};

enum map_verdict { MAP_REFUSED = -1, MAP_NO_ROOM = 0, MAP_FOUND = 1 };

struct map_allocator {
    const char *name, *summary; /* as options take it; a line for lists */
    enum base_chance chance;    /* whether another seed gives other cells */
    const char *const *keys;    /* parameters, NULL-terminated; NULL: none */
    bool reads_file;            /* its argument is a file, which is opened for it: file:PATH */
    bool needs_rectangle;       /* only for networks of at most two dimensions */
    bool contiguous;            /* promises one connected piece */
    bool exact;                 /* gives no more terminals than are asked for */
    /* Fills cell and cell_count with free cells, each once, at least `wanted` (exact ones: just as many).
     * MAP_NO_ROOM: no choice of free cells that it would make holds the job. MAP_REFUSED: error is filled.
     * Never called when fewer cells are free than wanted. */
    enum map_verdict (*allocate)(struct map_cells *cells, struct base_error *error);
};

const struct map_allocator *const *map_allocators(size_t *count);

/* The caller frees. NULL: an unknown allocator or parameter, a network that it is not for, more ranks than
 * free terminals, or no room of the shape that it gives (BASE_USAGE); a wrong file (BASE_INPUT); memory. When
 * no_room is not NULL it tells the last but one and last of these: the same demand may be met when other jobs
 * have ended. */
struct map_partition *map_partition_new(const char *text, const struct map_demand *demand, bool *no_room,
                                        struct base_error *error);
/* The file that a partition of that text would read, in the arena; NULL: none, no such partition, or no
 * memory. */
const char *map_partition_path(const char *text, struct base_arena *arena);
void map_partition_free(struct map_partition *partition); /* NULL is legal */

/* Takes the word `confined` (or confined=yes, confined=no), which every allocator has, out of a text: the
 * rest, in the arena. NULL: the word twice, with another value or without an allocator, or a piece that is
 * none of the form key=value (BASE_USAGE); or memory. */
char *map_partition_split(const char *text, enum map_confinement *confinement, struct base_arena *arena,
                          struct base_error *error);

/* What a partition is worth, and what it leaves. */
struct map_partition_metrics {
    uint32_t components;  /* connected pieces, along links among its own routers; 1: contiguous */
    uint32_t idle;        /* terminals beyond those asked for: internal fragmentation */
    bool has_rectangle;   /* the network is one: without, the next one and the last are 0 */
    uint32_t foreign;     /* terminals of others, or free ones, within its smallest rectangle */
    double mean_distance; /* links between two of its terminals, over all pairs; 0 for one terminal */
    /* After the allocation: the share of the free terminals that is outside the largest free rectangle. */
    double fragmentation;
};

/* busy is as it was for the allocation. -1: memory. */
int map_partition_measure(const struct map_partition *partition, const struct net_topology *topology,
                          const bool *busy, struct map_partition_metrics *metrics, struct base_error *error);

#endif
