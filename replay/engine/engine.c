/* Replays from their set-up to their results. What is between, the loop, is in loop.c.
 *
 *      prepare_jobs     options checked, terminals free and different, a cursor and an empty rank for each rank
 *      (loop.c)         ranks run until they wait, the network advances to the next notice, and so on
 *      check_end        every rank is at its end, every message matched, the network empty
 *      fill_jobs        times and counters of the ranks become results, which outlive the engine
 *
 * One machine has an engine for each job; they share the network and its clock, and nothing else. An interrupted
 * replay has a result as well, of the part that it has done. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "replay/engine/background.h"
#include "replay/engine/internal.h"

/* ---- what all files use */

/* The usual clock of 1 GHz needs no 128-bit division. Rounded up: a message is never in the network before
 * its rank has sent it. */
uint64_t replay_cycles(const struct replay_engine *engine, uint64_t ns)
{
    uint64_t khz = engine->semantics->clock_khz;
    return khz == 1000000 ? ns : base_cycles_from_ns(ns, khz);
}

/* What happens now is in the order of time already. */
int replay_wake(struct replay_engine *engine, uint32_t rank, struct base_error *error)
{
    engine->rank[rank].state = REPLAY_READY;
    if (engine->rank[rank].free_ns > engine->now_ns)
        return replay_host_pause(engine, rank, error);
    replay_path_woken(engine, &engine->rank[rank]);
    if (base_agenda_push(&engine->wakeups, engine->now_ns, rank) < 0)
        return base_error_memory(error, "the ranks' events");
    return 0;
}

int replay_error_at(const struct replay_engine *engine, uint32_t rank, uint64_t event,
                    struct base_error *error, const char *format, ...)
{
    struct base_position position = base_position_of(trace_program_path(engine->program));
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    position.rank = rank;
    position.event = event == 0 ? -1 : (int64_t)event;
    return base_error_at(error, BASE_INPUT, &position, "%s", text);
}

/* ---- set-up and its end */

/* Only what would divide by zero or crash: whether an option makes sense is for the command line to judge. */
static int check_semantics(const struct replay_semantics *semantics, struct base_error *error)
{
    if (semantics->clock_khz == 0)
        return base_error_set(error, BASE_USAGE, "the network's clock must run: clock_khz is 0");
    if (semantics->flit_bytes == 0)
        return base_error_set(error, BASE_USAGE, "a flit needs at least one byte");
    if (semantics->collectives == NULL)
        return base_error_set(error, BASE_USAGE, "no table of collective algorithms was given");
    return 0;
}

/* Whoever chose the placement, it is checked here: no terminal has more ranks than it may have. A table of
 * counts, since terminals may be many more than ranks. */
static int check_terminals(const struct replay_engine *engine, struct base_error *error)
{
    uint32_t most = engine->semantics->ranks_per_terminal > 1 ? engine->semantics->ranks_per_terminal : 1;
    struct base_table ranks_at = {0};
    int result = 0;
    for (uint32_t rank = 0; rank < engine->ranks && result == 0; rank++) {
        uint32_t count = base_table_get(&ranks_at, engine->terminal[rank], 0);
        count = count == BASE_TABLE_NONE ? 1 : count + 1;
        if (count > most)
            result = base_error_set(error, BASE_USAGE,
                                    "rank %" PRIu32 " is placed on terminal %" PRIu32 ", which has %" PRIu32
                                    " rank%s already, and may have no more",
                                    rank, engine->terminal[rank], most, most == 1 ? "" : "s");
        else if (base_table_put(&ranks_at, engine->terminal[rank], 0, count) < 0)
            result = base_error_memory(error, "the placement");
    }
    base_table_free(&ranks_at);
    return result;
}

/* Every rank has its first event when the job starts, in rank order. All cursors are open for the whole replay. */
static int start_ranks(struct replay_engine *engine, struct base_error *error)
{
    engine->now_ns = engine->start_ns;
    for (uint32_t rank = 0; rank < engine->ranks; rank++) {
        engine->rank[rank].cause = engine->rank[rank].busy_cause = REPLAY_NONE;
        engine->rank[rank].deferred = engine->rank[rank].ready = engine->rank[rank].arrived = REPLAY_NONE;
        engine->rank[rank].time_ns = engine->start_ns;
        engine->rank[rank].call = (struct replay_call){.instance = REPLAY_NONE, .self = REPLAY_NONE};
        engine->rank[rank].cursor = trace_cursor_new(engine->program, rank, error);
        if (engine->rank[rank].cursor == NULL || replay_wake(engine, rank, error) < 0)
            return -1;
    }
    return 0;
}

/* What it leaves behind on failure is for dispose. */
static int prepare(struct replay_engine *engine, struct base_error *error)
{
    if (check_semantics(engine->semantics, error) < 0 || check_terminals(engine, error) < 0)
        return -1;
    engine->rank = calloc((size_t)engine->ranks + 1, sizeof *engine->rank);
    engine->members_known =
        calloc((size_t)trace_program_communicators(engine->program) + 1, sizeof *engine->members_known);
    engine->has_place = calloc((size_t)engine->ranks + 1, sizeof *engine->has_place);
    if (engine->rank == NULL || engine->members_known == NULL || engine->has_place == NULL)
        return base_error_memory(error, "the ranks of the replay");
    if (replay_hosts_prepare(engine, error) < 0)
        return -1;
    engine->events_total = trace_program_summary(engine->program)->events;
    engine->progress_due = engine->events_total != 0 ? 0 : UINT64_MAX;
    return start_ranks(engine, error);
}

/* Right for an engine in any state, also one that was prepared in part. */
static void dispose(struct replay_engine *engine)
{
    for (uint32_t rank = 0; engine->rank != NULL && rank < engine->ranks; rank++) {
        trace_cursor_free(engine->rank[rank].cursor);
        trace_schedule_free(&engine->rank[rank].call.schedule);
    }
    for (uint32_t call = 0; call < engine->call_count; call++)
        trace_schedule_free(&engine->calls[call].schedule);
    trace_schedule_free(&engine->whole);
    free(engine->calls);
    free(engine->rank);
    base_agenda_free(&engine->wakeups);
    free(engine->requests);
    base_table_free(&engine->queues);
    base_table_free(&engine->open_requests);
    free(engine->has_place);
    free(engine->places);
    base_table_free(&engine->place_of);
    base_table_free(&engine->flights);
    free(engine->instances);
    base_table_free(&engine->instance_of);
    base_table_free(&engine->member_of);
    free(engine->members_known);
    free(engine->collectives);
    free(engine->causes);
    replay_multicasts_free(engine);
    replay_hosts_free(engine);
    free(engine->waits);
    base_table_free(&engine->wait_of);
}

/* ---- the end */

/* The laws that hold for every job at the end. The order matters: blocked ranks explain unmatched messages, and
 * unmatched messages explain nothing about the network. */
static int check_engine(const struct replay_engine *engine, struct base_error *error)
{
    if (engine->ended != engine->ranks)
        return replay_deadlock(engine, error);
    return replay_check_matched(engine, error);
}

/* What all have sent is what the network has delivered. */
static int check_end(const struct replay_machine *machine, struct base_error *error)
{
    const struct net_statistics *statistics = net_network_statistics(machine->network);
    uint64_t sent = 0;
    for (uint32_t i = 0; i < machine->engine_count; i++) {
        const struct replay_engine *engine = &machine->engines[i];
        if (check_engine(engine, error) < 0)
            return -1;
        sent += engine->messages - engine->self_messages + engine->control_messages - engine->hosts.copies;
    }
    for (uint32_t i = 0; i < machine->background_count; i++)
        sent += replay_background_result(machine->backgrounds[i]).messages;
    if (net_network_pending(machine->network) != 0 || statistics->messages != sent)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " messages were sent, but %" PRIu64
                              " delivered: this is a defect of flitreplay",
                              sent, statistics->messages);
    return net_network_check(machine->network, error);
}

/* ---- the result */

/* Collectives in the order of the enumeration, implied ones behind the program's own. */
static bool is_behind(const struct replay_collective_result *one,
                      const struct replay_collective_result *other)
{
    return one->collective != other->collective ? one->collective > other->collective
                                                : one->implied && !other->implied;
}

/* Rows found in order of first use; stable, since rows are few. */
static void sort_collectives(struct replay_collective_result *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct replay_collective_result row = rows[i];
        size_t hole = i;
        for (; hole > 0 && is_behind(&rows[hole - 1], &row); hole--)
            rows[hole] = rows[hole - 1];
        rows[hole] = row;
    }
}

/* A rank ends at its own time; whatever it has under way goes on without it. Number, computation and finish
 * of every rank go into the digest, so that two runs with one digest agree on the times of all ranks and not
 * of the slowest alone. */
static void fill_rank(struct replay_result *result, uint32_t index, const struct replay_rank *rank,
                      uint64_t start_ns)
{
    struct replay_rank_result *row = &result->rank[index];
    const uint64_t record[3] = {index, rank->compute_ns, rank->time_ns - start_ns};
    *row = (struct replay_rank_result){.compute_ns = rank->compute_ns,
                                       .wait_ns = rank->wait_ns,
                                       .host_ns = rank->host_ns,
                                       .finish_ns = rank->time_ns - start_ns,
                                       .messages_sent = rank->messages_sent,
                                       .bytes_sent = rank->bytes_sent};
    if (result->simulated_ns < row->finish_ns)
        result->simulated_ns = row->finish_ns;
    base_digest_add(&result->digest, record, 3);
}

/* Each region has one row. So the order is total, and does not depend on which rank waited first. */
static int compare_waits(const void *left, const void *right)
{
    const struct replay_wait *a = left, *b = right;
    return a->region < b->region ? -1 : a->region > b->region;
}

/* In thousandths, as replay_semantics.progress is told. */
static uint32_t share_done(const struct replay_engine *engine)
{
    uint64_t step = engine->events_total / 1000 + 1;
    return (uint32_t)(engine->events_done / step);
}

/* The rows of the collectives move to the result. Ranks add one record each to the digest. */
static int fill_result(struct replay_engine *engine, struct replay_result *result, struct base_error *error)
{
    *result = (struct replay_result){.messages = engine->messages,
                                     .message_bytes = engine->message_bytes,
                                     .self_messages = engine->self_messages,
                                     .control_messages = engine->control_messages,
                                     .ranks = engine->ranks,
                                     .interrupted = engine->interrupted,
                                     .is_slower = engine->is_slower,
                                     .under_way = engine->under_way,
                                     .thousandths = 1000};
    result->rank = calloc((size_t)engine->ranks + 1, sizeof *result->rank);
    if (result->rank == NULL)
        return base_error_memory(error, "the result of the replay");
    if (engine->interrupted) {
        result->thousandths = share_done(engine);
        result->simulated_ns = engine->now_ns - engine->start_ns;
    }
    for (uint32_t rank = 0; rank < engine->ranks; rank++)
        fill_rank(result, rank, &engine->rank[rank], engine->start_ns);
    result->simulated_cycles = replay_cycles(engine, result->simulated_ns);
    sort_collectives(engine->collectives, engine->collective_count);
    result->collectives = engine->collectives;
    result->collective_count = engine->collective_count;
    engine->collectives = NULL;
    memcpy(result->software_calls, engine->software_calls, sizeof result->software_calls);
    result->waits = engine->waits;
    result->wait_count = engine->wait_count;
    engine->waits = NULL;
    if (result->wait_count > 1)
        qsort(result->waits, result->wait_count, sizeof *result->waits, compare_waits);
    memcpy(result->size_wait_ns, engine->size_wait_ns, sizeof result->size_wait_ns);
    return 0;
}

/* Of several jobs only the longest tells of progress: numbers that jump between them would tell nothing. */
static const struct replay_semantics *semantics_of(const struct replay_job *jobs, uint32_t count,
                                                   uint32_t job, const struct replay_semantics *semantics,
                                                   const struct replay_semantics *silent)
{
    uint64_t events = trace_program_summary(jobs[job].program)->events;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t others = trace_program_summary(jobs[i].program)->events;
        if (others > events || (others == events && i < job))
            return silent;
    }
    return semantics;
}

/* An engine for each job, with its ranks about to begin. */
static int prepare_jobs(struct replay_machine *machine, const struct replay_job *jobs,
                        const struct replay_semantics *semantics, const struct replay_semantics *silent,
                        struct base_error *error)
{
    for (uint32_t i = 0; i < machine->engine_count; i++) {
        struct replay_engine *engine = &machine->engines[i];
        *engine = (struct replay_engine){
            .program = jobs[i].program,
            .terminal = jobs[i].terminal,
            .network = machine->network,
            .semantics = semantics_of(jobs, machine->engine_count, i, semantics, silent),
            .start_ns = jobs[i].start_ns,
            .first_recorded = i == 0 ? 0 : engine[-1].first_recorded + engine[-1].ranks,
            .tag = (uint64_t)i << REPLAY_TAG_BITS,
            .ranks = trace_program_ranks(jobs[i].program),
            .request_free = REPLAY_NONE,
            .cause_free = REPLAY_NONE,
            .cause = REPLAY_NONE,
            .instance_free = REPLAY_NONE,
            .call_free = REPLAY_NONE,
            .multicast_free = REPLAY_NONE,
            .ready = REPLAY_NONE};
        if (prepare(engine, error) < 0)
            return -1;
    }
    return 0;
}

/* Results only when all is well: a job that ended proves nothing when another one did not. */
static int fill_jobs(struct replay_machine *machine, struct replay_job *jobs, struct base_error *error)
{
    for (uint32_t i = 0; i < machine->engine_count; i++) {
        const struct replay_semantics *semantics = machine->engines[i].semantics;
        if (fill_result(&machine->engines[i], &jobs[i].result, error) < 0 ||
            (!machine->interrupted && replay_path_fill(&machine->engines[i], &jobs[i].result, error) < 0))
            return -1;
        if (semantics->progress != NULL && !machine->engines[i].interrupted)
            semantics->progress(semantics->progress_context, 1000, jobs[i].result.simulated_ns);
    }
    return 0;
}

/* The jobs share one network and its clock, and nothing else. Progress is told by the longest: of several at a
 * time a bar would jump. */
int replay_run_jobs(struct replay_job *jobs, uint32_t count, struct replay_background *const *backgrounds,
                    uint32_t background_count, struct net_network *network,
                    const struct replay_semantics *semantics, struct base_error *error)
{
    struct replay_machine machine = {.network = network,
                                     .clock_khz = semantics->clock_khz,
                                     .stop = semantics->stop,
                                     .look_cycles = semantics->look_cycles,
                                     .intervals = semantics->intervals,
                                     .engines = calloc(count, sizeof *machine.engines),
                                     .backgrounds = backgrounds,
                                     .engine_count = count,
                                     .background_count = background_count};
    struct replay_semantics silent = *semantics;
    int status = machine.engines == NULL ? base_error_memory(error, "the jobs") : 0;
    silent.progress = NULL;
    for (uint32_t i = 0; i < count; i++)
        jobs[i].result = (struct replay_result){0};
    if (status == 0)
        status = prepare_jobs(&machine, jobs, semantics, &silent, error);
    if (status == 0)
        status = replay_machine_run(&machine, error);
    if (status == 0 && !machine.interrupted)
        status = check_end(&machine, error);
    if (status == 0)
        status = fill_jobs(&machine, jobs, error);
    for (uint32_t i = 0; machine.engines != NULL && i < count; i++)
        dispose(&machine.engines[i]);
    free(machine.engines);
    free(machine.notices);
    return status;
}

/* The digest of a single program is that of its network, too. */
int replay_run(struct trace_program *program, const uint32_t *terminal, struct net_network *network,
               const struct replay_semantics *semantics, struct replay_result *result,
               struct base_error *error)
{
    struct replay_job job = {.program = program, .terminal = terminal};
    int status = replay_run_jobs(&job, 1, NULL, 0, network, semantics, error);
    *result = job.result;
    if (status == 0)
        base_digest_merge(&result->digest, &net_network_statistics(network)->digest);
    return status;
}

void replay_result_free(struct replay_result *result)
{
    if (result == NULL)
        return;
    free(result->rank);
    free(result->collectives);
    free(result->waits);
    free(result->path);
    *result = (struct replay_result){0};
}

/* Ways of m-way routers are no channels, and are not counted as such. */
const uint64_t *replay_channel_flits(const struct net_statistics *network)
{
    return network->channel_flits != NULL ? network->channel_flits : net_link_use(network);
}
