/* Laps are taken by a replay and read by the report, which works out from them what all iterations would take. */
#include "replay/session/laps.h"

#include <stdlib.h>

#include "traces/windows/iterations.h"

int replay_laps_init(struct replay_laps *laps, const struct trace_program *program, struct base_error *error)
{
    const struct trace_iterations *iterations = trace_program_iterations(program);

    *laps = (struct replay_laps){0};
    if (iterations == NULL)
        return 0;
    laps->played = iterations->played;
    laps->begin_ns = calloc((size_t)laps->played + 1, sizeof *laps->begin_ns);
    laps->seen = calloc((size_t)trace_program_ranks(program) + 1, sizeof *laps->seen);
    return laps->begin_ns == NULL || laps->seen == NULL ? base_error_memory(error, "the times of iterations")
                                                        : 0;
}

/* A rank comes to its iterations in order. */
void replay_laps_take(void *context, uint32_t rank, uint64_t time_ns)
{
    struct replay_laps *laps = context;
    uint64_t lap = laps->seen[rank]++;

    if (lap <= laps->played && laps->begin_ns[lap] < time_ns)
        laps->begin_ns[lap] = time_ns;
}

void replay_laps_free(struct replay_laps *laps)
{
    free(laps->begin_ns);
    free(laps->seen);
    *laps = (struct replay_laps){0};
}
