/* How much a search may still do. Evaluations are counted exactly; the clock is looked at only when a limit in
 * milliseconds was asked for, and then not at every step. */
#ifndef MAP_BUDGET_H
#define MAP_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct map_budget {
    uint64_t limit, used;    /* evaluations: the step that reaches the limit is the last one */
    uint64_t most;           /* a step that would use more than so many is not begun */
    uint64_t look_every;     /* evaluations between two looks at the clock; 1 where each takes long */
    uint64_t deadline_ns;    /* on the monotonic clock; 0: none */
    uint64_t next_look;      /* value of `used` at which the clock is looked at again */
    bool late;               /* the deadline has passed, or it was stopped */
    const atomic_bool *stop; /* ends it once true; NULL: nobody can */
};

/* evaluations 0: no limit of that kind; time_ms 0: no deadline. Nobody can stop it: who can is set
 * afterwards. What was asked for is also the most that is used: only a default that is set as the limit
 * afterwards may be exceeded, by a step. */
void map_budget_start(struct map_budget *budget, uint64_t evaluations, uint64_t time_ms);
/* A part of what is left: at most so many evaluations, the same deadline and stop. */
struct map_budget map_budget_part(const struct map_budget *budget, uint64_t evaluations);
/* Counts evaluations. False when the budget is used up: stop after this one. */
bool map_budget_spend(struct map_budget *budget, uint64_t evaluations);
bool map_budget_left(struct map_budget *budget);
/* How many evaluations the next step may take at most. */
uint64_t map_budget_room(const struct map_budget *budget);
/* Nanoseconds until the deadline; UINT64_MAX: there is none. */
uint64_t map_budget_time_left(const struct map_budget *budget);

#endif
