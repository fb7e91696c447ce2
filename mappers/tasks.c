/* The pieces of a search, done by a team (base/team.h). Nothing here orders the pieces: each writes only what
 * belongs to its number, and whoever called puts the answers together in the order of numbers. So the number of
 * threads changes the time and never the result. */
#include <config.h>

#include "mappers/tasks.h"

#include "base/team.h"

struct map_tasks {
    map_task *task; /* called once for each number */
    void *context;  /* handed to it */
};

/* The error is the thread's own until the piece has ended. */
static void work(struct base_team *team, void *context, bool is_caller)
{
    const struct map_tasks *tasks = context;
    struct base_error error = {0};
    uint32_t number;

    (void)is_caller;
    while (base_team_take(team, &number))
        base_team_end(team, number, tasks->task(tasks->context, number, &error), &error);
}

/* What a task does depends on its number alone, so that the number of threads cannot be seen in the result. */
int map_tasks_run(map_task *task, void *context, uint32_t count, uint32_t threads, struct base_error *error)
{
    struct map_tasks tasks = {task, context};
    struct base_team team = {.count = count, .threads = threads};

    return base_team_run(&team, work, &tasks, error);
}
