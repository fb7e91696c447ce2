/* Two replays on the ideal network, of the same trace by either clock. They need no placement but one rank to
 * a terminal: on the ideal network all places are alike. */
#include "replay/session/clocks.h"

#include <stdio.h>

#include "replay/session/stages.h"

/* -1: the trace cannot be replayed, or memory is out; the error tells. */
static int replay_ideal(struct session *session, struct base_error *error)
{
    char text[32];
    struct net_topology *topology;
    int status = -1;

    snprintf(text, sizeof text, "ideal:%u", trace_program_ranks(session->program));
    session->topology = topology = net_topology_new(text, error);
    if (topology != NULL && session_prepare(session, error) == 0 &&
        session_place_program(session, "identity", error) == 0)
        status = session_replay_ideal(session, error);
    net_topology_free(topology);
    return status;
}

/* The time of the trace on the ideal network, by a clock. The settings are the user's but for what only real
 * networks have. */
static int time_by(const char *path, const struct replay_settings *given, enum trace_clock clock,
                   uint64_t *time_ns, struct base_error *error)
{
    struct replay_settings settings = *given;
    struct session session = {.settings = &settings};
    int status = -1;

    settings.number[REPLAY_CLOCK] = clock;
    settings.text[REPLAY_ROUTING] = NULL;
    settings.text[REPLAY_ATTRIBUTION] = "none";
    session.program = replay_session_open(path, &settings, NULL, error);
    if (session.program != NULL)
        status = replay_ideal(&session, error);
    if (status == 0)
        *time_ns = session.ideal.simulated_ns;
    session_free(&session);
    trace_close(session.program);
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
