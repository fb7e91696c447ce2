/* What the runs of a comparison will take, before they begin: refused if they do not fit, told if they take long.
 *
 *      runs to do ──► cells, a trace with a configuration ──► counted: messages, packet-hops, memory
 *                                    └── those with most work, for a small part of the time ──► measured
 *
 * The others take as much longer or shorter than those that were measured as they have more or less to do. */
#ifndef REPLAY_COMPARE_OUTLOOK_H
#define REPLAY_COMPARE_OUTLOOK_H

#include "replay/compare/plan.h"
#include "replay/session/watch.h"

/* Runs that are still to be done, by number, rising; and how many of them are done at a time. */
struct replay_todo {
    const uint32_t *number;
    uint32_t count;
    uint32_t threads, processes; /* threads of each process */
    uint32_t here;               /* of these processes, on this machine; 0: this one alone */
};

/* Refuses what cannot fit in this process, or in those on this machine, and tells the watch of long work. What a run
 * would be refused for is left to it. -1: no room (BASE_SYSTEM), or memory. */
int replay_plan_expect(const struct replay_plan *plan, const struct replay_todo *todo,
                       const struct replay_watch *watch, struct base_error *error);

#endif
