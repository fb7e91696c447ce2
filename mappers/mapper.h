/* A mapper: one file that ends in one const descriptor, and one line in kinds.def.
 *
 *      static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
 *      {
 *          for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
 *              slot[rank] = rank;
 *          return 0;
 *      }
 *
 * The result is a function of the problem, the seed and the evaluation budget: not of the machine, and not of
 * the number of threads. Only who asks for a time budget gets what the time allows. */
#ifndef MAP_MAPPER_H
#define MAP_MAPPER_H

#include <stdatomic.h>

#include "base/input.h"
#include "base/random.h"
#include "mappers/budget.h"
#include "mappers/problem.h"

#define MAP_SLOWER UINT64_MAX /* a time of which nothing is known but that it is above a bound */

/* A map that is to be judged by simulation: rank i runs on terminal[i]. */
struct map_trial {
    const uint32_t *terminal; /* [rank] */
    uint64_t most_ns;         /* a longer time need not be known; MAP_SLOWER: any must */
    const atomic_bool
        *stop; /* once true, nobody asks any more: whatever is returned is left alone. May be NULL */
};

/* Judges maps. */
struct map_judge {
    /* *time_ns: what the program takes; MAP_SLOWER, where that is known to be more than most_ns. Another time above
     * most_ns may be returned as well. -1: as the replay. */
    int (*judge)(void *context, const struct map_trial *trial, uint64_t *time_ns, struct base_error *error);
    /* Whether several threads may ask at a time: 1 or 0; -1: the program cannot be read. Called before the first of
     * them does. NULL: they may not. */
    int (*share)(void *context, struct base_error *error);
    void *context; /* handed to both */
};

/* What a search by simulation has found out about times; MAP_SLOWER: nothing. */
struct map_times {
    uint64_t first_ns; /* of the first map that it tried, the identity */
    uint64_t found_ns; /* of the map that it found */
};

/* How hard to search. All zeros is a sensible search: one thread, the mapper's own evaluation budget. */
struct map_effort {
    uint64_t seed;        /* of all that is drawn */
    uint64_t evaluations; /* swaps (for `replay`: simulations) to look at; 0: what the mapper finds right */
    uint64_t time_ms;     /* 0: as long as the evaluations take */
    uint32_t threads;     /* 0 means 1 */
    const atomic_bool *stop; /* once true, the search ends with the best so far; may be NULL */
};

/* All that a mapper is told. */
struct map_call {
    const char *argument;          /* NULL for those that take none */
    const struct base_input *file; /* what path_of named, open; NULL for those that read none */
    const struct map_problem *problem;
    struct map_effort effort;      /* how much it may try, and the seed of its chance */
    const struct map_judge *judge; /* NULL: nobody can simulate */
    struct map_budget *budget;     /* what it uses up; starts full */
    struct map_times *times;       /* where a mapper that simulates says what it knows; NULL: nobody asks */
};

struct map_mapper {
    const char *name, *summary; /* as --mapping takes it; a line for lists */
    const char *argument;       /* what its argument is called: PATH of file:PATH; NULL: it takes none */
    /* The file that its argument names, which is opened for it; NULL: it reads none. */
    const char *(*path_of)(const char *argument);
    enum base_chance chance; /* whether another seed gives another map */
    bool searches;           /* looks at the graph and the distances */
    bool needs_judge;        /* cannot do without the simulator */
    bool judges_time;        /* nor can it where the objective is the time */
    /* Fills slot[0 .. ranks-1] with distinct numbers below problem->slots. */
    int (*map)(const struct map_call *call, uint32_t *slot, struct base_error *error);
};

/* All of mappers/kinds.def, in the order of lists; *count of them. Constants. */
const struct map_mapper *const *map_mappers(size_t *count);
/* The mapper of "file:cg.map"; NULL: there is none of that name. */
const struct map_mapper *map_mapper_of(const char *text);

/* What can be made small, by name, in the order of enum map_objective. */
struct map_objective_kind {
    const char *name, *summary; /* as options take it; a line for lists */
};
const struct map_objective_kind *const *map_objectives(size_t *count);
/* -1: unknown, with the nearest match (BASE_USAGE). */
int map_objective_find(const char *name, enum map_objective *objective, struct base_error *error);

#endif
