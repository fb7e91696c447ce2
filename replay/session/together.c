/* Replays side by side: those of an attribution, and those that judge placements for a mapper that asks. They depend on
 * each other in nothing: each has a network of its own, and streams of a program that threads may share
 * (trace_program_share). So whichever thread does which, and when, the results are those of one after the other:
 *
 *      thread 1    ideal | channels     | serialisation | host             placement 1 | placement 3 | ...
 *      thread 2    configured  | terminals | distance                      placement 2   | placement 4 | ...
 *
 * Memory is that of as many networks as there are threads. */
#include <config.h>

#include <pthread.h>

#include "base/arena.h"
#include "base/team.h"
#include "replay/session/internal.h"

/* ---- an attribution ---- */

#define PIECES (REPLAY_CONFIGURED + 1)

/* In the order in which they are begun, the longest first. The first that fails is the one that is told, and where
 * several do it is the ideal network's, as of one after the other. */
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

/* ---- judging placements ---- */

#define ACTIVE_MOST 64 /* replays at a time: threads that can be asked for */

struct judge;

/* A replay that is under way. */
struct active {
    struct judge *judge; /* NULL: a free place */
    uint32_t thousandths;
};

/* Whom a mapper asks. What each rank computes in all is the same under every placement: it is taken from the first
 * replay that comes to its end, and lets others end before theirs. */
struct judge {
    const struct replay_setup *setup;
    struct trace_program *program;
    const struct replay_watch *watch;
    pthread_mutex_t mutex; /* around all that follows */
    struct active active[ACTIVE_MOST];
    const uint64_t *compute_ns; /* [rank]; NULL: no replay has come to its end */
    struct base_arena arena;    /* of it */
};

/* The watch is told of all of them as of one replay, by one thread at a time. */
static void tell_judged(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct active *active = context;
    struct judge *judge = active->judge;
    uint32_t sum = 0, count = 0;

    pthread_mutex_lock(&judge->mutex);
    active->thousandths = thousandths;
    for (uint32_t i = 0; i < ACTIVE_MOST; i++)
        if (judge->active[i].judge != NULL) {
            sum += judge->active[i].thousandths;
            count++;
        }
    judge->watch->progress(judge->watch->context, what, sum / count, simulated_ns);
    pthread_mutex_unlock(&judge->mutex);
}

/* A place for a replay; *compute_ns: what is known of its ranks. NULL: there are too many to be told of. */
static struct active *begin(struct judge *judge, const uint64_t **compute_ns)
{
    struct active *active = NULL;

    pthread_mutex_lock(&judge->mutex);
    for (uint32_t i = 0; i < ACTIVE_MOST && active == NULL; i++)
        if (judge->active[i].judge == NULL)
            active = &judge->active[i];
    if (active != NULL)
        *active = (struct active){.judge = judge};
    *compute_ns = judge->compute_ns;
    pthread_mutex_unlock(&judge->mutex);
    return active;
}

/* Without memory nothing is known, as before. */
static void keep_computing(struct judge *judge, const struct replay_result *result)
{
    uint64_t *compute_ns = base_arena_array(&judge->arena, result->ranks, sizeof *compute_ns);

    for (uint32_t rank = 0; compute_ns != NULL && rank < result->ranks; rank++)
        compute_ns[rank] = result->rank[rank].compute_ns;
    judge->compute_ns = compute_ns;
}

static void end(struct judge *judge, struct active *active, const struct replay_result *result)
{
    pthread_mutex_lock(&judge->mutex);
    if (active != NULL)
        active->judge = NULL;
    if (judge->compute_ns == NULL && result != NULL && !result->interrupted)
        keep_computing(judge, result);
    pthread_mutex_unlock(&judge->mutex);
}

/* Whoever ends the search asks the mapper, which ends the replays that nobody waits for any more. */
static int judge(void *context, const struct map_trial *asked, uint64_t *time_ns, struct base_error *error)
{
    struct judge *judge = context;
    struct replay_onlooker onlooker = {.most_ns = asked->most_ns == MAP_SLOWER ? 0 : asked->most_ns};
    struct active *active = begin(judge, &onlooker.compute_ns);
    struct replay_watch watch = {0};
    struct replay_trial trial;
    int status;

    if (judge->watch != NULL)
        watch = *judge->watch;
    watch.stop = asked->stop;
    watch.progress = watch.progress == NULL || active == NULL ? NULL : tell_judged;
    watch.context = active;
    onlooker.watch = &watch;
    status = replay_try(&trial, judge->setup, judge->program, asked->terminal, REPLAY_CONFIGURED, &onlooker,
                        error);
    *time_ns = trial.result.is_slower ? MAP_SLOWER : trial.result.simulated_ns;
    end(judge, active, status == 0 ? &trial.result : NULL);
    replay_trial_free(&trial);
    return status;
}

/* Links that die are one network's at a time (netmodel/faults/). */
static int share(void *context, struct base_error *error)
{
    const struct judge *judge = context;

    return replay_has_faults(judge->setup->settings) ? 0 : trace_program_share(judge->program, error);
}

/* Without a program nobody can simulate, and mappings that need the simulator are refused by the mapper's own
 * sentence. */
struct map_placement *replay_map_graph(const struct replay_setup *setup, const struct trace_comm_graph *graph,
                                       struct trace_program *program, const char *mapping,
                                       const struct replay_watch *watch, struct base_error *error)
{
    struct judge asked = {.setup = setup, .program = program, .watch = watch};
    const struct map_judge simulator = {judge, share, &asked};
    struct map_request request = {.place = replay_setup_place(setup),
                                  .ranks = graph->ranks,
                                  .graph = graph,
                                  .objective = setup->objective,
                                  .effort = setup->effort,
                                  .judge = program == NULL ? NULL : &simulator};
    struct map_placement *placement;

    request.effort.stop = watch == NULL ? NULL : watch->stop;
    pthread_mutex_init(&asked.mutex, NULL);
    placement = map_placement_new(mapping, &request, error);
    pthread_mutex_destroy(&asked.mutex);
    base_arena_free(&asked.arena);
    return placement;
}

int replay_time(const struct replay_setup *setup, struct trace_program *program, const uint32_t *terminal,
                const struct replay_watch *watch, uint64_t *time_ns, struct base_error *error)
{
    struct replay_trial trial;
    int status = replay_try(&trial, setup, program, terminal, REPLAY_CONFIGURED,
                            &(struct replay_onlooker){.watch = watch}, error);

    *time_ns = trial.result.simulated_ns;
    if (status == 0 && trial.result.interrupted)
        status = base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
    replay_trial_free(&trial);
    return status;
}
