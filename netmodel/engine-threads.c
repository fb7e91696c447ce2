/* The threads of the packet-grant engine: both phases of a cycle run for all parts at the same time, the
 * caller's thread taking the first part. Between the phases and between cycles only the caller's thread runs,
 * so that parts need no locks; what they write to each other is mail, read in a later phase.
 *
 *      caller   events of part 0   │ notices, joins │ routers of part 0   │ next cycle
 *      worker   events of part 1   │                │ routers of part 1   │
 *
 * Workers wait for the next phase by spinning for a while, since it comes within a microsecond when a cycle is
 * worth sharing, and sleep after that. A part belongs to whoever takes it first: when the caller has done its own, it
 * takes those that no worker has begun, so that a worker without a processor is not waited for. A phase with little
 * to do is run by the caller alone, part after part. The result is the same in any case. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "netmodel/engine-internal.h"

#define SPINS 2000
#define WORK_LEAST 64 /* events, or routers to visit, that are worth waking the others for */

/* What one thread writes and another one waits for has a line to itself: each way of a line from one processor to the
 * other takes as long as a packet-hop or two (200 ns, where they share no cache). */
struct worker {
    _Alignas(NET_LINE) struct net_threads *threads;
    struct net_part *part;
    pthread_t thread;
    _Alignas(NET_LINE) _Atomic uint64_t taken; /* the last phase for which somebody has taken the part */
    _Atomic uint64_t done;                     /* the last one that has ended for it */
};

struct net_threads {
    struct net_packet_engine *engine;
    uint32_t count;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic uint32_t sleepers;
    _Alignas(NET_LINE) _Atomic uint64_t phase; /* number of the phase to run */
    bool events;                               /* which it is */
    _Atomic bool stop;
    _Alignas(NET_LINE) struct worker workers[];
};

static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void run_part(const struct net_packet_engine *engine, struct net_part *part, bool events)
{
    uint64_t now = engine->network.now;
    if (events) {
        engine->kernel->run_events(part, now);
        net_deliver_all(part, now);
        return;
    }
    net_join_all(part);
    part->visited = part->active[now & 1].count;
    engine->kernel->run_routers(part, now);
}

/* Until the phase is another one. The number of sleepers is raised before the last look, so that whoever
 * begins a phase sees either the sleeper or is seen. */
static void wait_for_phase(struct net_threads *threads, uint64_t seen)
{
    for (uint32_t i = 0; i < SPINS; i++) {
        if (atomic_load(&threads->phase) != seen)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_fetch_add(&threads->sleepers, 1);
    while (atomic_load(&threads->phase) == seen)
        pthread_cond_wait(&threads->wake, &threads->mutex);
    atomic_fetch_sub(&threads->sleepers, 1);
    pthread_mutex_unlock(&threads->mutex);
}

/* Runs the worker's part in the phase unless it has been taken. A phase ends when all its parts have been run, so
 * that whoever takes one may read what it is about, and who comes too late takes nothing. */
static void take_part(struct net_threads *threads, struct worker *worker, uint64_t phase)
{
    uint64_t before = phase - 1;
    if (!atomic_compare_exchange_strong(&worker->taken, &before, phase))
        return;
    run_part(threads->engine, worker->part, threads->events);
    atomic_store_explicit(&worker->done, phase, memory_order_release);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct net_threads *threads = worker->threads;
    for (uint64_t seen = 0;;) {
        wait_for_phase(threads, seen);
        if (atomic_load(&threads->stop))
            return NULL;
        seen = atomic_load(&threads->phase);
        take_part(threads, worker, seen);
    }
}

static void begin_phase(struct net_threads *threads)
{
    atomic_fetch_add(&threads->phase, 1);
    if (atomic_load(&threads->sleepers) == 0)
        return;
    pthread_mutex_lock(&threads->mutex);
    pthread_cond_broadcast(&threads->wake);
    pthread_mutex_unlock(&threads->mutex);
}

/* What there is to do in the phase: events of all parts, or routers to visit. */
static uint64_t amount_of_work(const struct net_packet_engine *engine, bool events)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < engine->part_count; i++) {
        const struct net_part *part = &engine->parts[i];
        work += events ? net_slot_count(&part->wheel[engine->network.now & part->wheel_mask])
                       : part->active[engine->network.now & 1].count + part->joins.count;
    }
    return work;
}

static void wait_for_part(struct worker *worker, uint64_t phase)
{
    for (uint32_t i = 0; atomic_load_explicit(&worker->done, memory_order_acquire) != phase; i++)
        if (i < SPINS)
            pause_briefly();
        else
            sched_yield(); /* it has no processor of its own */
}

void net_threads_run(struct net_packet_engine *engine, bool events)
{
    struct net_threads *threads = engine->threads;
    if (threads == NULL || amount_of_work(engine, events) < WORK_LEAST) {
        for (uint32_t i = 0; i < engine->part_count; i++)
            run_part(engine, &engine->parts[i], events);
        return;
    }
    threads->events = events;
    begin_phase(threads);
    run_part(engine, &engine->parts[0], events);
    uint64_t phase = atomic_load_explicit(&threads->phase, memory_order_relaxed);
    for (uint32_t i = 0; i < threads->count; i++)
        if (atomic_load_explicit(&threads->workers[i].taken, memory_order_relaxed) != phase)
            take_part(threads, &threads->workers[i], phase);
    for (uint32_t i = 0; i < threads->count; i++)
        wait_for_part(&threads->workers[i], phase);
}

int net_threads_start(struct net_packet_engine *engine)
{
    uint32_t count = engine->part_count - 1;
    struct net_threads *threads = net_lines_new(sizeof *threads + count * sizeof threads->workers[0]);
    if (threads == NULL)
        return -1;
    threads->engine = engine;
    pthread_mutex_init(&threads->mutex, NULL);
    pthread_cond_init(&threads->wake, NULL);
    engine->threads = threads;
    for (uint32_t i = 0; i < count; i++) {
        struct worker *worker = &threads->workers[i];
        worker->threads = threads;
        worker->part = &engine->parts[i + 1];
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            return -1;
        threads->count++;
    }
    return 0;
}

void net_threads_end(struct net_packet_engine *engine)
{
    struct net_threads *threads = engine->threads;
    if (threads == NULL)
        return;
    atomic_store(&threads->stop, true);
    begin_phase(threads);
    for (uint32_t i = 0; i < threads->count; i++)
        pthread_join(threads->workers[i].thread, NULL);
    pthread_cond_destroy(&threads->wake);
    pthread_mutex_destroy(&threads->mutex);
    free(threads);
    engine->threads = NULL;
}
