/* Independent pieces of a search, done by any number of threads: what each does depends only on its number. */
#ifndef MAP_TASKS_H
#define MAP_TASKS_H

#include <stdint.h>

#include "base/error.h"

/* One piece; errors is for its own. Must not touch what other pieces write. */
typedef int map_task(void *context, uint32_t number, struct base_error *error);

/* Does pieces 0 .. count-1. -1: the error of the lowest piece that failed. When threads cannot be had, fewer do. */
int map_tasks_run(map_task *task, void *context, uint32_t count, uint32_t threads, struct base_error *error);

#endif
