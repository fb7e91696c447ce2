/* Work that another library does, and that may end the process where memory is out: it is done in a child. What the
 * child writes to shared memory is the result; what it says on standard error is a reason to mistrust it.
 *
 *     caller ── fork ──► child: work(context)
 *        ▲                 │ shared memory: the result, the error
 *        └──── wait ◄──────┘ a pipe: what is said on standard error
 *
 * The child has the caller's memory as it was, its thread alone, and none of its locks held by others is needed by
 * it. Whatever becomes of the child, nothing of it is left. Under a sanitizer, whose allocator no child could use,
 * the work is done here, by one thread at a time. */
#ifndef MAP_ISOLATED_H
#define MAP_ISOLATED_H

#include <stddef.h>

#include "base/error.h"

/* Zeroed memory that a child fills in for its parent. NULL: no memory. */
void *map_shared_new(size_t bytes);
/* NULL is legal. */
void map_shared_free(void *shared, size_t bytes);

/* 0: work returned 0 in a child, and said nothing of an error. -1: the error of work; or BASE_SYSTEM, with what the
 * library (`who`) said: it reported an error and went on, ended the process or crashed. */
int map_isolate(const char *who, int (*work)(void *context, struct base_error *error), void *context,
                struct base_error *error);

#endif
