/* A counter from which threads take their next piece. The caller's thread works too. */
#include <config.h>

#include "mappers/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS_MAX 64

struct map_tasks {
    map_task *task;
    void *context;
    uint32_t count;
    _Atomic uint32_t next;
    struct base_error *errors; /* [piece] */
    int *status;               /* [piece] */
};

/* Whoever is free takes the next number; what a piece does depends on its number alone. */
static void *work(void *argument)
{
    struct map_tasks *tasks = argument;
    uint32_t number;

    while ((number = atomic_fetch_add(&tasks->next, 1)) < tasks->count)
        tasks->status[number] = tasks->task(tasks->context, number, &tasks->errors[number]);
    return NULL;
}

/* The lowest failure, not the first in time: errors too must not depend on threads. */
static int outcome(const struct map_tasks *tasks, struct base_error *error)
{
    for (uint32_t i = 0; i < tasks->count; i++)
        if (tasks->status[i] != 0)
            return base_error_set(error, tasks->errors[i].status, "%s", tasks->errors[i].text);
    return 0;
}

/* The caller works as well, so that threads may be 0 or 1 and everything still gets done. A thread that
 * cannot be started is no error either: the others take over its tasks. */
int map_tasks_run(map_task *task, void *context, uint32_t count, uint32_t threads, struct base_error *error)
{
    struct map_tasks tasks = {.task = task, .context = context, .count = count};
    pthread_t helpers[THREADS_MAX];
    uint32_t started = 0, wanted = threads < count ? threads : count;
    int status;

    tasks.errors = calloc((size_t)count + 1, sizeof *tasks.errors);
    tasks.status = calloc((size_t)count + 1, sizeof *tasks.status);
    if (tasks.errors == NULL || tasks.status == NULL) {
        status = base_error_memory(error, "a search in parallel");
    } else {
        while (started + 1 < wanted && started < THREADS_MAX &&
               pthread_create(&helpers[started], NULL, work, &tasks) == 0)
            started++;
        work(&tasks);
        while (started > 0)
            pthread_join(helpers[--started], NULL);
        status = outcome(&tasks, error);
    }
    free(tasks.errors);
    free(tasks.status);
    return status;
}
