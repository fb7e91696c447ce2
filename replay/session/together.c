/* The replays of an attribution side by side. They depend on each other in nothing: each has a network of its own, and
 * streams of a program that threads may share (trace_program_share). So whichever thread does which, and when, the
 * results are those of one after the other:
 *
 *      thread 1    ideal | channels     | serialisation | host
 *      thread 2    configured  | terminals | distance
 *
 * The longest begin first. Memory is that of as many networks as there are threads. */
#include <config.h>

#include "base/team.h"
#include "replay/session/internal.h"

#define PIECES (REPLAY_CONFIGURED + 1)

/* In the order in which they are begun. The first that fails is the one that is told, and where several do it is the
 * ideal network's, as of one after the other. */
static const enum replay_level order[PIECES] = {REPLAY_IDEAL,     REPLAY_CONFIGURED,    REPLAY_CHANNELS,
                                                REPLAY_TERMINALS, REPLAY_SERIALISATION, REPLAY_DISTANCE,
                                                REPLAY_HOST_ALONE};

struct together;

/* One replay. */
struct piece {
    struct together *all;
    struct replay_watch watch; /* tells `all` */
    uint32_t thousandths;      /* of it that are done; under the team's lock */
};

struct together {
    struct base_team team;
    const struct session *session;
    struct replay_results *results; /* each piece fills in its own trial */
    const char *name;               /* of the network as configured, for progress */
    uint32_t network_threads;       /* that are left for it */
    uint64_t simulated_ns;          /* of it, so far */
    struct piece pieces[PIECES];
};

/* The watch is told of all of them as of one replay, by one thread at a time. */
static void tell(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct piece *piece = context;
    struct together *all = piece->all;
    const struct replay_watch *watch = all->session->watch;
    uint32_t sum = 0;

    (void)what;
    base_team_lock(&all->team);
    piece->thousandths = thousandths;
    if (order[piece - all->pieces] == REPLAY_CONFIGURED)
        all->simulated_ns = simulated_ns;
    for (uint32_t i = 0; i < all->team.count; i++)
        sum += all->pieces[i].thousandths;
    watch->progress(watch->context, all->name, sum / all->team.count, all->simulated_ns);
    base_team_unlock(&all->team);
}

static struct replay_trial *trial_of(struct replay_results *results, enum replay_level level)
{
    if (level == REPLAY_IDEAL)
        return &results->ideal;
    return level == REPLAY_CONFIGURED ? &results->real : &results->rungs[level - 1];
}

static int do_piece(struct together *all, uint32_t number, struct base_error *error)
{
    const struct session *session = all->session;
    enum replay_level level = order[number];
    struct piece *piece = &all->pieces[number];
    const struct replay_onlooker onlooker = {.watch = session->watch == NULL ? NULL : &piece->watch,
                                             .keeps = level == REPLAY_IDEAL || level == REPLAY_CONFIGURED,
                                             .network_threads = all->network_threads};

    piece->all = all;
    if (session->watch != NULL) {
        piece->watch = *session->watch;
        piece->watch.context = piece;
        if (piece->watch.progress != NULL)
            piece->watch.progress = tell;
    }
    return replay_try(trial_of(all->results, level), session->setup, session->program,
                      session->placement->map->terminal, level, &onlooker, error);
}

static void work(struct base_team *team, void *context, bool is_caller)
{
    struct base_error error = {0};
    uint32_t number;

    (void)is_caller;
    while (base_team_take(team, &number))
        base_team_end(team, number, do_piece(context, number, &error), &error);
}

/* Links that die are one network's at a time (netmodel/faults/). */
int session_is_parallel(const struct session *session, struct base_error *error)
{
    const struct replay_settings *settings = session->setup->settings;

    if (settings->number[REPLAY_THREADS] < 2 || !session_attributes(session->setup) ||
        replay_has_faults(settings))
        return 0;
    return trace_program_share(session->program, error);
}

/* A stop leaves out the pieces that have not begun: what follows from that is what would follow of one after the
 * other. */
int session_measure_together(const struct session *session, struct replay_results *results, const char *name,
                             struct base_error *error)
{
    const struct replay_settings *settings = session->setup->settings;
    uint32_t threads = (uint32_t)settings->number[REPLAY_THREADS];
    uint32_t count = replay_settings_have_host(settings) ? PIECES : PIECES - 1;
    struct together all = {
        .team = {.count = count,
                 .threads = threads < count ? threads : count,
                 .stop = session->watch == NULL ? NULL : session->watch->stop},
        .session = session,
        .results = results,
        .name = name == NULL ? session->setup->topology->text : name,
        .network_threads = threads > count ? threads - count + 1 : 1,
    };

    if (base_team_run(&all.team, work, &all, error) != 0)
        return -1;
    results->has_rungs = !replay_is_stopped(session->watch);
    /* Without a network, or a whole ideal one, there is nothing to report. */
    return results->real.network == NULL || results->ideal.result.interrupted
               ? session_check_going(session->watch, error)
               : 0;
}
