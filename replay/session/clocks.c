/* Two replays on the ideal network, of the same trace by either clock. They need no placement but one rank to
 * a terminal: on the ideal network all places are alike. */
#include "replay/session/clocks.h"

#include <stdio.h>

#include "replay/session/session.h"
#include "replay/session/stages.h"

/* What is under way: the program on as many terminals as it has ranks. */
struct timing {
    struct replay_settings settings;
    struct trace_program *program;
    struct net_topology *topology;
    struct replay_setup setup;
    struct replay_placement placement;
    struct replay_trial trial;
};

/* -1: the trace cannot be replayed, or memory is out; the error tells. */
static int replay_ideal(struct timing *timing, struct base_error *error)
{
    char text[32];

    snprintf(text, sizeof text, "ideal:%u", trace_program_ranks(timing->program));
    timing->topology = net_topology_new(text, error);
    if (timing->topology == NULL ||
        replay_setup_init(&timing->setup, REPLAY_TO_REPEAT, timing->topology, &timing->settings, error) !=
            0 ||
        replay_place(&timing->placement, &timing->setup, timing->program, "identity", NULL, error) != 0)
        return -1;
    return replay_try(&timing->trial, &timing->setup, timing->program, timing->placement.map->terminal,
                      REPLAY_IDEAL, &(struct replay_onlooker){0}, error);
}

/* The time of the trace on the ideal network, by a clock. The settings are the user's but for what only real
 * networks have. */
static int time_by(const char *path, const struct replay_settings *given, enum trace_clock clock,
                   uint64_t *time_ns, struct base_error *error)
{
    static const enum replay_option of_networks[] = {REPLAY_ROUTING, REPLAY_FAULTS, REPLAY_FAULT_ROUTING,
                                                     REPLAY_PARTITION, REPLAY_CONFINED};
    struct timing timing = {.settings = *given};
    int status = -1;

    timing.settings.number[REPLAY_CLOCK] = clock;
    for (size_t i = 0; i < sizeof of_networks / sizeof *of_networks; i++) {
        timing.settings.text[of_networks[i]] = NULL;
        timing.settings.given[of_networks[i]] = false;
    }
    timing.settings.text[REPLAY_ATTRIBUTION] = "none";
    timing.program = replay_session_keep(path, &timing.settings, error);
    if (timing.program != NULL)
        status = replay_ideal(&timing, error);
    if (status == 0)
        *time_ns = timing.trial.result.simulated_ns;
    replay_trial_free(&timing.trial);
    replay_placement_free(&timing.placement);
    replay_setup_free(&timing.setup);
    net_topology_free(timing.topology);
    trace_close(timing.program);
    return status;
}

/* What the survey alone tells. */
struct report_clocks replay_clocks_of(const struct trace_program *program,
                                      const struct replay_settings *settings)
{
    const struct trace_processor_loss *loss = &trace_program_summary(program)->loss;
    enum trace_loss_cure cure = trace_loss_cure(loss);

    return (struct report_clocks){.oversubscribed =
                                      trace_loss_matters(loss) && settings->number[REPLAY_COMPUTE] != 0,
                                  .uses_wall = settings->number[REPLAY_CLOCK] == TRACE_CLOCK_WALL,
                                  .cure = trace_loss_cure_text(cure),
                                  .cure_is_min = cure == TRACE_CURE_MIN,
                                  .lost_gaps = loss->lost_gaps,
                                  .lost_ns = loss->lost_ns,
                                  .lost_ranks = loss->lost_ranks,
                                  .wall_ns = loss->wall_ns,
                                  .cpu_ns = loss->cpu_ns};
}

/* By the wall clock and by the other one the trace is replayed on the ideal network. A trace that cannot be
 * replayed has no such times, which is no error of the run; memory is. */
int replay_clocks(const struct trace_program *program, const struct replay_settings *settings,
                  struct report_clocks *clocks, struct base_error *error)
{
    const char *path = trace_program_path(program);
    enum trace_clock other;
    struct base_error inner = {0};

    *clocks = replay_clocks_of(program, settings);
    if (!clocks->oversubscribed || !clocks->uses_wall)
        return 0;
    other = clocks->cure_is_min ? TRACE_CLOCK_MIN : TRACE_CLOCK_CPU;
    if (time_by(path, settings, TRACE_CLOCK_WALL, &clocks->ideal_wall_ns, &inner) == 0 &&
        time_by(path, settings, other, &clocks->ideal_cure_ns, &inner) == 0)
        return 0;
    clocks->ideal_wall_ns = clocks->ideal_cure_ns = 0;
    return inner.status == BASE_SYSTEM ? base_error_set(error, inner.status, "%s", inner.text) : 0;
}
