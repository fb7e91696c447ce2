/* The recorder numbers ranks through all jobs, as the joined program does. */
#include "netmodel/topologies/channels.h"
#include "replay/session/recording.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "replay/timeline/execution.h"
#include "replay/session/internal.h"
#include "reports/pages/clean.h"
#include "traces/joined.h"

struct session_recording {
    struct base_arena arena;
    const struct replay_settings *settings;
    const struct replay_observer *observer;
    struct replay_execution execution; /* program and recorder are owned */
};

/* The jobs' names, and what stands before each. -1: memory. */
static int name_jobs(struct session_recording *recording, const struct session_recorded_job *recorded,
                     uint32_t count)
{
    struct replay_execution_job *jobs = base_arena_array(&recording->arena, (size_t)count + 1, sizeof *jobs);
    uint32_t ranks = 0, communicators = 0;

    if (jobs == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        int bytes;
        const char *trace = report_trace_name(trace_program_path(recorded[i].program), &bytes);
        jobs[i] = (struct replay_execution_job){
            base_arena_format(&recording->arena, "job %" PRIu32 ": %.*s", i + 1, bytes, trace), ranks,
            communicators, recorded[i].start_ns};
        if (jobs[i].name == NULL)
            return -1;
        ranks += trace_program_ranks(recorded[i].program);
        communicators += trace_program_communicators(recorded[i].program);
    }
    recording->execution.jobs = jobs;
    recording->execution.job_count = count;
    recording->execution.trace = base_arena_format(&recording->arena, "%" PRIu32 " jobs", count);
    return recording->execution.trace == NULL ? -1 : 0;
}

/* The jobs' programs side by side are one program to the recorder and to every writer of timelines. */
static int join(struct session_recording *recording, const struct session_recorded_job *recorded,
                uint32_t count, struct base_error *error)
{
    struct replay_execution *execution = &recording->execution;
    struct trace_join_part *parts = base_arena_array(&recording->arena, (size_t)count + 1, sizeof *parts);

    if (parts == NULL || name_jobs(recording, recorded, count) != 0)
        return base_error_memory(error, "the timeline");
    for (uint32_t i = 0; i < count; i++)
        parts[i] = (struct trace_join_part){recorded[i].program, recorded[i].start_ns};
    execution->program = trace_join(parts, count, error);
    if (execution->program == NULL)
        return -1;
    execution->recorder = replay_recorder_new(trace_program_ranks(execution->program),
                                              net_channel_count(execution->topology), error);
    return execution->recorder == NULL ? -1 : 0;
}

struct session_recording *session_recording_new(const struct session_recorded_job *recorded, uint32_t count,
                                                const struct net_topology *topology,
                                                const struct replay_settings *settings,
                                                const struct replay_observer *observer,
                                                struct base_error *error)
{
    struct session_recording *recording = calloc(1, sizeof *recording);

    if (recording == NULL) {
        base_error_memory(error, "the timeline");
        return NULL;
    }
    recording->settings = settings;
    recording->observer = observer;
    recording->execution.topology = topology;
    if (join(recording, recorded, count, error) == 0 &&
        observer->begin(observer->context, recording->execution.program, error) == 0)
        return recording;
    session_recording_free(recording);
    return NULL;
}

struct replay_recorder *session_recording_recorder(const struct session_recording *recording)
{
    return recording == NULL ? NULL : recording->execution.recorder;
}

int session_recording_end(struct session_recording *recording, const struct net_network *network,
                          uint64_t simulated_ns, struct base_error *error)
{
    if (recording == NULL)
        return 0;
    if (session_record_end(recording->settings, recording->execution.recorder, network, simulated_ns,
                           error) != 0)
        return -1;
    recording->execution.simulated_ns = simulated_ns;
    return recording->observer->end(recording->observer->context, &recording->execution, error);
}

void session_recording_free(struct session_recording *recording)
{
    if (recording == NULL)
        return;
    trace_close(recording->execution.program);
    replay_recorder_free(recording->execution.recorder);
    base_arena_free(&recording->arena);
    free(recording);
}
