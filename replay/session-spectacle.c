/* The recorder numbers ranks through all jobs, as the joined program does. */
#include "replay/session-spectacle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "replay/execution.h"
#include "replay/session-internal.h"
#include "traces/joined.h"

struct session_spectacle {
    struct base_arena arena;
    const struct replay_settings *settings;
    const struct replay_onlooker *onlooker;
    struct replay_execution execution; /* program and recorder are owned */
};

/* The jobs' names, and what stands before each. -1: memory. */
static int name_jobs(struct session_spectacle *spectacle, const struct session_actor *actors, uint32_t count)
{
    struct replay_execution_job *jobs = base_arena_array(&spectacle->arena, (size_t)count + 1, sizeof *jobs);
    uint32_t ranks = 0, communicators = 0;

    if (jobs == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const char *trace = report_jobs_short_name(trace_program_path(actors[i].program));
        jobs[i] = (struct replay_execution_job){
            base_arena_format(&spectacle->arena, "job %" PRIu32 ": %s", i + 1, trace), ranks, communicators,
            actors[i].start_ns};
        if (jobs[i].name == NULL)
            return -1;
        ranks += trace_program_ranks(actors[i].program);
        communicators += trace_program_communicators(actors[i].program);
    }
    spectacle->execution.jobs = jobs;
    spectacle->execution.job_count = count;
    spectacle->execution.trace = base_arena_format(&spectacle->arena, "%" PRIu32 " jobs", count);
    return spectacle->execution.trace == NULL ? -1 : 0;
}

static int join(struct session_spectacle *spectacle, const struct session_actor *actors, uint32_t count,
                struct base_error *error)
{
    struct replay_execution *execution = &spectacle->execution;
    struct trace_join_part *parts = base_arena_array(&spectacle->arena, (size_t)count + 1, sizeof *parts);

    if (parts == NULL || name_jobs(spectacle, actors, count) != 0)
        return base_error_memory(error, "the timeline");
    for (uint32_t i = 0; i < count; i++)
        parts[i] = (struct trace_join_part){actors[i].program, actors[i].start_ns};
    execution->program = trace_join(parts, count, error);
    if (execution->program == NULL)
        return -1;
    execution->recorder = replay_recorder_new(trace_program_ranks(execution->program),
                                              replay_channel_count(execution->topology), error);
    return execution->recorder == NULL ? -1 : 0;
}

struct session_spectacle *session_spectacle_new(const struct session_actor *actors, uint32_t count,
                                                const struct net_topology *topology,
                                                const struct replay_settings *settings,
                                                const struct replay_onlooker *onlooker, struct base_error *error)
{
    struct session_spectacle *spectacle = calloc(1, sizeof *spectacle);

    if (spectacle == NULL) {
        base_error_memory(error, "the timeline");
        return NULL;
    }
    spectacle->settings = settings;
    spectacle->onlooker = onlooker;
    spectacle->execution.topology = topology;
    if (join(spectacle, actors, count, error) == 0 &&
        onlooker->begin(onlooker->context, spectacle->execution.program, error) == 0)
        return spectacle;
    session_spectacle_free(spectacle);
    return NULL;
}

struct replay_recorder *session_spectacle_recorder(const struct session_spectacle *spectacle)
{
    return spectacle == NULL ? NULL : spectacle->execution.recorder;
}

int session_spectacle_end(struct session_spectacle *spectacle, const struct net_network *network, uint64_t simulated_ns,
                          struct base_error *error)
{
    if (spectacle == NULL)
        return 0;
    session_record_end(spectacle->settings, spectacle->execution.recorder, network, simulated_ns);
    spectacle->execution.simulated_ns = simulated_ns;
    return spectacle->onlooker->end(spectacle->onlooker->context, &spectacle->execution, error);
}

void session_spectacle_free(struct session_spectacle *spectacle)
{
    if (spectacle == NULL)
        return;
    trace_close(spectacle->execution.program);
    replay_recorder_free(spectacle->execution.recorder);
    base_arena_free(&spectacle->arena);
    free(spectacle);
}
