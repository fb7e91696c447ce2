#include "replay/compare/outlook.h"

#include <math.h>
#include <stdlib.h>

#include "base/process-memory.h"
#include "replay/compare/kept.h"
#include "replay/session/estimate.h"
#include "replay/session/session.h"

#define SHORTEST_MOMENT 0.02 /* seconds that a replay is begun for */
#define REPLAYS 2            /* of a run: on the ideal network, and on its own */
#define CELLS_MOST 512       /* that are counted: of more, evenly, which stand for all */

/* By the survey alone: what a message takes at most, and what it leaves in memory; what a packet takes. */
#define MESSAGE_SECONDS 2e-6
#define PACKET_SECONDS 5e-6
#define PACKET_BYTES 64
#define MESSAGE_BYTES 360

/* Runs of one trace with one configuration. */
struct cell {
    uint32_t trace, configuration, runs;
    bool is_measured;
    uint64_t bytes;       /* that a run adds */
    uint64_t trace_bytes; /* that its trace adds, once for all that read it alike; 0: it is open already */
    double slow, seconds; /* of all its runs; slow: if everything were slow */
};

struct outlook {
    const struct replay_plan *plan;
    const struct replay_todo *todo;
    const struct replay_watch *watch;
    struct cell *cells;
    uint32_t count, runs; /* runs: of the cells */
    double slow;          /* of all that is to be done */
    /* The trace that was read last, and how. */
    struct trace_program *program;
    struct trace_comm_graph *graph;
    uint32_t trace, configuration;
    uint64_t trace_bytes, graph_bytes; /* that were added for them */
};

static const struct replay_configuration *configuration_of(const struct outlook *outlook,
                                                           const struct cell *cell)
{
    return &outlook->plan->configurations[cell->configuration];
}

/* ---- what there is to do ---- */

/* Numbers come by trace, then configuration, then seed. */
static int list_cells(struct outlook *outlook, struct base_error *error)
{
    const struct replay_todo *todo = outlook->todo;
    struct cell *cell = NULL;
    uint32_t step;

    outlook->cells = calloc((size_t)todo->count + 1, sizeof *outlook->cells);
    if (outlook->cells == NULL)
        return base_error_memory(error, "the list of runs");
    for (uint32_t i = 0; i < todo->count; i++) {
        struct replay_run run = replay_plan_run(outlook->plan, todo->number[i]);
        if (cell == NULL || cell->trace != run.trace || cell->configuration != run.configuration) {
            cell = &outlook->cells[outlook->count++];
            *cell = (struct cell){.trace = run.trace, .configuration = run.configuration};
        }
        cell->runs++;
    }
    step = outlook->count / CELLS_MOST + 1;
    for (uint32_t i = 0, from = 0; from < outlook->count; i++, from += step) {
        outlook->cells[i] = outlook->cells[from];
        outlook->runs += outlook->cells[i].runs;
    }
    outlook->count = (outlook->count + step - 1) / step;
    return 0;
}

/* From the cells that are counted to all. */
static double all_of(const struct outlook *outlook, double sum)
{
    return sum * (double)outlook->todo->count / (double)outlook->runs;
}

/* The most that the survey allows, which costs nothing. Bytes of a multistage network's packet are more. */
static void bound(struct outlook *outlook, struct cell *cell)
{
    const struct replay_trace_size *size = &outlook->plan->sizes[cell->trace];
    const struct replay_configuration *configuration = configuration_of(outlook, cell);
    double packets = (double)size->messages + (double)size->bytes / PACKET_BYTES;

    cell->bytes = configuration->network_bytes + size->messages * MESSAGE_BYTES;
    cell->slow = cell->runs * (double)(1 + replay_estimate_search(&configuration->settings)) *
                 ((double)size->messages * MESSAGE_SECONDS + packets * PACKET_SECONDS);
}

/* ---- a cell ---- */

static void close_trace(struct outlook *outlook)
{
    trace_comm_graph_free(outlook->graph);
    replay_kept_close(outlook->plan->kept, outlook->program);
    outlook->graph = NULL;
    outlook->program = NULL;
}

/* The messages of collectives are those of the algorithms that the settings choose. */
static bool sends_alike(const struct replay_settings *a, const struct replay_settings *b)
{
    return replay_settings_agree(a, b, REPLAY_COLLECTIVES) && replay_settings_agree(a, b, REPLAY_COLLECTIVE);
}

/* The cell's trace and graph, which mostly are those of the cell before. */
static int open_trace(struct outlook *outlook, const struct cell *cell, const struct replay_setup *setup,
                      struct base_error *error)
{
    const struct replay_settings *settings = &configuration_of(outlook, cell)->settings;
    const struct replay_settings *last = &outlook->plan->configurations[outlook->configuration].settings;
    uint64_t before, opened, behind;

    if (outlook->graph != NULL && outlook->trace == cell->trace && replay_reads_alike(last, settings) &&
        sends_alike(last, settings))
        return 0;
    close_trace(outlook);
    outlook->trace = cell->trace;
    outlook->configuration = cell->configuration;
    before = base_memory_allocated();
    outlook->program = replay_kept_open(outlook->plan->kept, cell->trace, settings, false, error);
    opened = base_memory_allocated();
    if (outlook->program != NULL)
        outlook->graph = trace_comm_graph_new(outlook->program, setup->tuning, error);
    behind = base_memory_allocated();
    outlook->trace_bytes = opened > before ? opened - before : 0;
    outlook->graph_bytes = behind > opened ? behind - opened : 0;
    return outlook->graph == NULL ? -1 : 0;
}

/* Counts a cell, or measures it. A moment of 0 counts. */
static int estimate(struct outlook *outlook, struct cell *cell, const struct replay_placement *placement,
                    double moment, struct base_error *error)
{
    const struct replay_setup *setup = &placement->setup;
    struct replay_estimate estimate = replay_estimate_of(placement);

    if (moment > 0 &&
        replay_estimate_measure(&estimate, outlook->program, placement, moment, outlook->watch, error) != 0)
        return -1;
    cell->bytes = outlook->graph_bytes + estimate.added_bytes;
    cell->trace_bytes = outlook->trace_bytes;
    cell->slow =
        cell->runs * (replay_estimate_slow(&estimate, setup) + replay_estimate_slow_search(&estimate, setup));
    cell->seconds =
        cell->runs * (estimate.seconds + replay_search_seconds(setup, estimate.configured_seconds));
    return 0;
}

/* What a cell is refused here its runs are refused, and say why: it takes no time. */
static void visit(struct outlook *outlook, struct cell *cell, double moment)
{
    const struct replay_configuration *configuration = configuration_of(outlook, cell);
    struct replay_placement placement = {0};
    struct replay_setup setup;
    struct base_error ignored;
    int status = replay_setup_init(&setup, REPLAY_TO_REPEAT, configuration->topology,
                                   &configuration->settings, &ignored);

    setup.network_bytes = configuration->network_bytes;
    setup.in_force = configuration->in_force;
    if (status == 0)
        status = open_trace(outlook, cell, &setup, &ignored);
    if (status == 0)
        status =
            replay_place_graph(&placement, &setup, outlook->program, outlook->graph,
                               replay_estimate_mapping(&configuration->settings), outlook->watch, &ignored);
    if (status == 0)
        status = estimate(outlook, cell, &placement, moment, &ignored);
    if (status != 0) {
        cell->bytes = cell->trace_bytes = 0;
        cell->slow = cell->seconds = 0;
    }
    placement.graph = NULL; /* which other cells need */
    replay_placement_free(&placement);
    replay_setup_free(&setup);
}

/* ---- all of them ---- */

static int by_bytes(const void *left, const void *right)
{
    const struct cell *const *a = left, *const *b = right;

    return (*a)->bytes < (*b)->bytes ? 1 : -((*a)->bytes > (*b)->bytes);
}

static int by_work(const void *left, const void *right)
{
    const struct cell *const *a = left, *const *b = right;

    return (*a)->slow < (*b)->slow ? 1 : -((*a)->slow > (*b)->slow);
}

static bool read_alike(const struct outlook *outlook, const struct cell *a, const struct cell *b)
{
    return a->trace == b->trace && replay_reads_alike(&configuration_of(outlook, a)->settings,
                                                      &configuration_of(outlook, b)->settings);
}

/* What the trace of a cell adds, unless a cell before it that reads it in the same way has counted it. Of these the
 * one that was visited first has found it closed, wherever it stands. */
static uint64_t trace_bytes_of(const struct outlook *outlook, struct cell *const *order, uint32_t number)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < outlook->count; i++) {
        if (!read_alike(outlook, order[i], order[number]))
            continue;
        if (i < number)
            return 0;
        if (order[i]->trace_bytes > most)
            most = order[i]->trace_bytes;
    }
    return most;
}

/* Runs that are done at a time are the largest, at worst; of so many processes, each of which has what this one has. */
static struct replay_need need_of(const struct outlook *outlook, struct cell **order, uint64_t used,
                                  uint32_t processes)
{
    uint64_t threads = (uint64_t)processes * (outlook->todo->threads < 2 ? 1 : outlook->todo->threads);
    struct replay_need need = {.what = threads > 1 ? "the runs at a time need" : "the run needs",
                               .less = "a smaller network, fewer threads or --attribution none",
                               .bytes = processes * used};

    if (processes > 1) {
        need.what = "the runs of the processes on this machine need";
        need.less = "a smaller network, fewer processes, fewer threads or --attribution none";
        need.is_of_several = true;
    }
    qsort(order, outlook->count, sizeof *order, by_bytes);
    need.topology = configuration_of(outlook, order[0])->topology->text;
    for (uint32_t i = 0; threads > 0 && i < outlook->count; i++) {
        uint64_t runs = order[i]->runs < threads ? order[i]->runs : threads;
        need.bytes += (uint64_t)processes * trace_bytes_of(outlook, order, i) + runs * order[i]->bytes;
        threads -= runs;
    }
    return need;
}

/* As many as have moments that are a small part of all; one at least. Measured trace by trace, as they stand. */
static void measure(struct outlook *outlook, struct cell **order)
{
    double budget = outlook->slow * REPLAY_MOMENTS_PART / (2 * REPLAYS);
    double moment = replay_moment_of(outlook->slow, 2 * REPLAYS * (double)outlook->count, SHORTEST_MOMENT);

    qsort(order, outlook->count, sizeof *order, by_work);
    for (uint32_t i = 0; i < outlook->count && (i == 0 || (i + 1) * moment <= budget); i++)
        order[i]->is_measured = order[i]->slow > 0;
    for (uint32_t i = 0; i < outlook->count && !replay_is_stopped(outlook->watch); i++)
        if (outlook->cells[i].is_measured)
            visit(outlook, &outlook->cells[i], moment);
}

/* Seconds for each that is counted, of the measured cells of a configuration, or of all where there are none. */
static double pace_of(const struct outlook *outlook, uint32_t configuration)
{
    double seconds = 0, slow = 0, all_seconds = 0, all_slow = 0;

    for (uint32_t i = 0; i < outlook->count; i++) {
        const struct cell *cell = &outlook->cells[i];
        if (!cell->is_measured)
            continue;
        all_seconds += cell->seconds;
        all_slow += cell->slow;
        if (cell->configuration == configuration) {
            seconds += cell->seconds;
            slow += cell->slow;
        }
    }
    return slow > 0 ? seconds / slow : all_seconds / all_slow;
}

/* Of all runs, shared among threads and processes, of which the longest has one. NAN: one that was measured did nothing
 * for long. */
static double seconds_of(const struct outlook *outlook)
{
    double workers = (double)outlook->todo->threads * outlook->todo->processes, sum = 0, longest = 0;

    for (uint32_t i = 0; i < outlook->count; i++) {
        const struct cell *cell = &outlook->cells[i];
        double seconds =
            cell->is_measured ? cell->seconds : cell->slow * pace_of(outlook, cell->configuration);
        sum += seconds;
        longest = fmax(longest, seconds / cell->runs);
    }
    return fmax(longest, all_of(outlook, sum) / fmax(workers, 1));
}

/* need: of this process. */
static int check_room(const struct outlook *outlook, struct cell **order, uint64_t used,
                      struct replay_need *need, struct base_error *error)
{
    const struct replay_settings *settings = &outlook->plan->configurations[0].settings;
    uint32_t here = outlook->todo->here;
    struct replay_need together;

    *need = need_of(outlook, order, used, 1);
    if (replay_check_room(settings, need, error) != 0)
        return -1;
    if (here < 2)
        return 0;
    together = need_of(outlook, order, used, here);
    return replay_check_room(settings, &together, error);
}

/* What is short and small at the most is not even counted. */
static int expect(struct outlook *outlook, struct cell **order, struct base_error *error)
{
    uint64_t used = base_memory_now().used_bytes;
    struct replay_need need;
    double slow = 0;

    for (uint32_t i = 0; i < outlook->count; i++) {
        order[i] = &outlook->cells[i];
        bound(outlook, order[i]);
        slow += order[i]->slow;
    }
    if (!replay_is_long(outlook->watch, all_of(outlook, slow)) &&
        check_room(outlook, order, used, &need, error) == 0)
        return 0;
    slow = 0;
    for (uint32_t i = 0; i < outlook->count && !replay_is_stopped(outlook->watch); i++) {
        visit(outlook, &outlook->cells[i], 0);
        slow += outlook->cells[i].slow;
    }
    outlook->slow = all_of(outlook, slow);
    if (check_room(outlook, order, used, &need, error) != 0)
        return -1;
    if (!replay_is_long(outlook->watch, outlook->slow))
        return 0;
    measure(outlook, order);
    if (!replay_is_stopped(outlook->watch))
        replay_tell(outlook->watch, seconds_of(outlook), need.bytes);
    return 0;
}

int replay_plan_expect(const struct replay_plan *plan, const struct replay_todo *todo,
                       const struct replay_watch *watch, struct base_error *error)
{
    struct outlook outlook = {.plan = plan, .todo = todo, .watch = watch};
    struct cell **order = calloc((size_t)todo->count + 1, sizeof(struct cell *));
    int status = -1;

    if (order == NULL)
        base_error_memory(error, "the list of runs");
    else
        status = list_cells(&outlook, error);
    if (status == 0 && outlook.count > 0)
        status = expect(&outlook, order, error);
    close_trace(&outlook);
    free(outlook.cells);
    free(order);
    return status;
}
