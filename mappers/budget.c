/* Counting evaluations, and now and then the time. An evaluation is the unit of a search: a swap that is weighed,
 * an edge that is looked at, or a whole replay, whichever is the step of that search. They are counted exactly, so
 * that a search that was given only evaluations ends at the same map on every machine; the clock is asked only
 * where a deadline was set, and can make two runs differ. */
#include <config.h>

#include "mappers/budget.h"

#include <time.h>

#define LOOK_EVERY 65536 /* evaluations of some nanoseconds each: well below a millisecond */

/* Never set back by an administrator. */
static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* No limit is the largest number, which no search reaches. */
void map_budget_start(struct map_budget *budget, uint64_t evaluations, uint64_t time_ms)
{
    uint64_t limit = evaluations == 0 ? UINT64_MAX : evaluations;

    *budget = (struct map_budget){.limit = limit, .most = limit, .look_every = LOOK_EVERY};
    if (time_ms > 0 && time_ms < UINT64_MAX / 2000000)
        budget->deadline_ns = now_ns() + time_ms * 1000000;
}

/* The deadline is one point in time for all parts. */
struct map_budget map_budget_part(const struct map_budget *budget, uint64_t evaluations)
{
    uint64_t left = budget->limit - (budget->used < budget->limit ? budget->used : budget->limit);

    return (struct map_budget){.limit = evaluations < left ? evaluations : left,
                               .most = map_budget_room(budget),
                               .look_every = budget->look_every,
                               .deadline_ns = budget->deadline_ns,
                               .late = budget->late,
                               .stop = budget->stop};
}

/* The clock is not looked at without a deadline: not even to find out that there is none. */
bool map_budget_spend(struct map_budget *budget, uint64_t evaluations)
{
    budget->used += evaluations;
    if (budget->deadline_ns != 0 && budget->used >= budget->next_look) {
        budget->next_look = budget->used + budget->look_every;
        budget->late = now_ns() >= budget->deadline_ns;
    }
    if (budget->stop != NULL && atomic_load_explicit(budget->stop, memory_order_relaxed))
        budget->late = true;
    return map_budget_left(budget);
}

/* False once the limit is reached or spending has found the search late. It looks at no clock itself. */
bool map_budget_left(struct map_budget *budget)
{
    return budget->used < budget->limit && !budget->late;
}

/* May be 0 while map_budget_left() still says yes: `most` can be less than a limit that is only a default. */
uint64_t map_budget_room(const struct map_budget *budget)
{
    return budget->most > budget->used ? budget->most - budget->used : 0;
}

/* Asks the clock at every call, so it is for plans between rounds, not for inner loops. */
uint64_t map_budget_time_left(const struct map_budget *budget)
{
    uint64_t now = budget->deadline_ns == 0 ? 0 : now_ns();

    if (budget->deadline_ns == 0)
        return UINT64_MAX;
    return budget->deadline_ns > now ? budget->deadline_ns - now : 0;
}
