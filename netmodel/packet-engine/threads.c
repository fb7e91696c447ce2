/* The threads of the packet-grant engine: each runs a part through a cycle, a *step*, the caller's thread the first
 * (parts.c). In a step parts need no locks: what they write to each other is mail, read in a later one.
 *
 *     taken     somebody runs the part in this step
 *     done      it has been through the cycle: its mail, and what it found, may be read
 *     settled   and has seen to the mail and events of the next one, where the others' mail for it was ready
 *
 * Workers wait for the next step by spinning for a while, since it comes within a microsecond when a cycle is
 * worth sharing, and sleep after that. A part belongs to whoever takes it first: when the caller has done its own, it
 * takes those that no worker has begun, so that a worker without a processor is not waited for. A cycle with little
 * to do is run by the caller alone, part after part. The result is the same in any case. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "netmodel/packet-engine/internal.h"

#define SPINS 2000       /* some 50 us */
#define SPINS_MOST 40000 /* a millisecond: a processor that sleeps may take as long to be had again */
#define WORK_LEAST 64    /* events and routers to visit that are worth waking the others for */

/* What one thread writes and another one waits for has a line to itself: each way of a line from one processor to the
 * other takes as long as a packet-hop or two (200 ns, where they share no cache). */
struct worker {
    _Alignas(NET_LINE) struct net_packet_threads *threads;
    struct net_packet_part *part;              /* its own, unless the caller is faster */
    pthread_t thread;                          /* joined in the end */
    _Alignas(NET_LINE) _Atomic uint64_t taken; /* the last step for which somebody has taken the part */
    _Alignas(NET_LINE) _Atomic uint64_t done;
    _Atomic uint64_t settled; /* the last step behind which it has looked ahead */
};

struct net_packet_threads {
    struct net_packet_engine *engine; /* whose blocks the workers share */
    uint32_t count;                   /* of workers: one fewer than parts */
    uint64_t ended;                   /* when all parts of the last step were done */
    pthread_mutex_t mutex;
    pthread_cond_t wake;                      /* told when a step begins or all is over */
    _Atomic uint32_t sleepers;                /* workers that must be woken */
    _Alignas(NET_LINE) _Atomic uint64_t step; /* number of the step to run */
    _Atomic uint64_t cycle;                   /* and of which cycle it is */
    _Atomic bool stop;
    _Alignas(NET_LINE) struct worker workers[]; /* a line or more for each */
};

/* Tells a processor that it spins, so that its other thread gets on. */
static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Another turn of waiting. After a while whoever is waited for seems to have no processor of its own. */
static void wait_a_turn(uint32_t turn)
{
    if (turn < SPINS || turn % 64 != 0)
        pause_briefly();
    else
        sched_yield();
}

/* Until it is that far. */
static void wait_for(const _Atomic uint64_t *step, uint64_t least)
{
    for (uint32_t i = 0; atomic_load_explicit(step, memory_order_acquire) < least; i++)
        wait_a_turn(i);
}

/* Until the step is another one. The number of sleepers is raised before the last look, so that whoever
 * begins a step sees either the sleeper or is seen. */
static void wait_for_step(struct net_packet_threads *threads, uint64_t seen)
{
    for (uint32_t i = 0; i < SPINS_MOST; i++) {
        if (atomic_load(&threads->step) != seen)
            return;
        wait_a_turn(i);
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_fetch_add(&threads->sleepers, 1);
    while (atomic_load(&threads->step) == seen)
        pthread_cond_wait(&threads->wake, &threads->mutex);
    atomic_fetch_sub(&threads->sleepers, 1);
    pthread_mutex_unlock(&threads->mutex);
}

/* Runs the worker's part in the step unless it has been taken, and the step before is not over for it. A
 * step ends when all its parts are done, so that whoever takes one may read what it is about, and who
 * comes too late takes nothing. */
static bool take_part(const struct net_packet_threads *threads, struct worker *worker, uint64_t step)
{
    uint64_t before = step - 1;
    if (atomic_load_explicit(&worker->settled, memory_order_acquire) != before ||
        !atomic_compare_exchange_strong(&worker->taken, &before, step))
        return false;
    net_packet_part_run(worker->part, atomic_load_explicit(&threads->cycle, memory_order_relaxed));
    atomic_store_explicit(&worker->done, step, memory_order_release);
    return true;
}

/* That the next cycle comes is certain if the part has something for it, when the other parts have visited
 * their routers. */
static void go_ahead(const struct net_packet_threads *threads, struct worker *worker, uint64_t next)
{
    const struct net_packet_engine *engine = threads->engine;
    for (uint32_t from = 0; from < engine->part_count; from++)
        if (from != worker->part->number)
            wait_for(&net_packet_mailbox_at(engine, from, worker->part->number, next)->ready, next);
    if (net_packet_part_expects(worker->part, next))
        net_packet_part_begin(worker->part, next);
}

/* A worker that found its part taken by the caller has nothing to do before the next step. */
static void *work(void *argument)
{
    struct worker *worker = argument;
    struct net_packet_threads *threads = worker->threads;
    for (uint64_t seen = 0;;) {
        wait_for_step(threads, seen);
        if (atomic_load(&threads->stop))
            return NULL;
        seen = atomic_load(&threads->step);
        uint64_t next = atomic_load_explicit(&threads->cycle, memory_order_relaxed) + 1;
        if (!take_part(threads, worker, seen))
            continue;
        go_ahead(threads, worker, next);
        atomic_store_explicit(&worker->settled, seen, memory_order_release);
    }
}

/* The mutex is only taken where somebody sleeps; the broadcast under it cannot come between a sleeper's last look
 * and its sleep. */
static void begin_step(struct net_packet_threads *threads)
{
    atomic_fetch_add(&threads->step, 1);
    if (atomic_load(&threads->sleepers) == 0)
        return;
    pthread_mutex_lock(&threads->mutex);
    pthread_cond_broadcast(&threads->wake);
    pthread_mutex_unlock(&threads->mutex);
}

/* What there is to do in cycle now, as far as it is known. */
static uint64_t amount_of_work(const struct net_packet_engine *engine)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < engine->part_count; i++)
        work +=
            engine->parts[i].joins.count + (engine->due == engine->network.now ? engine->parts[i].work : 0);
    return work;
}

/* A cycle of all parts. With little to do the caller does all of it, since waking workers takes longer; parts that
 * a worker has not begun are taken over by the caller, so that a thread without a processor delays nobody. */
void net_packet_threads_run(struct net_packet_engine *engine)
{
    struct net_packet_threads *threads = engine->threads;
    uint64_t now = engine->network.now;
    if (threads == NULL || amount_of_work(engine) < WORK_LEAST) {
        net_packet_threads_rest(engine);
        for (uint32_t i = 0; i < engine->part_count; i++)
            net_packet_part_run(&engine->parts[i], now);
        return;
    }
    uint64_t caller = net_packet_parts_clock(now) - threads->ended;
    atomic_store_explicit(&threads->cycle, now, memory_order_relaxed);
    begin_step(threads);
    uint64_t step = atomic_load_explicit(&threads->step, memory_order_relaxed);
    net_packet_part_run(&engine->parts[0], now);
    for (uint32_t i = 0; i < threads->count; i++)
        if (take_part(threads, &threads->workers[i], step))
            atomic_store_explicit(&threads->workers[i].settled, step, memory_order_release);
    for (uint32_t i = 0; i < threads->count; i++)
        wait_for(&threads->workers[i].done, step);
    net_packet_parts_measure(engine, caller);
    threads->ended = net_packet_parts_clock(
        now + 1); /* the next cycle is timed from here on, if it is the next step, too */
}

/* Settled, not only done: a worker that has done its part may still be looking at the next cycle. */
void net_packet_threads_rest(struct net_packet_engine *engine)
{
    struct net_packet_threads *threads = engine->threads;
    for (uint32_t i = 0; threads != NULL && i < threads->count; i++)
        wait_for(&threads->workers[i].settled, atomic_load_explicit(&threads->step, memory_order_relaxed));
}

/* The first part is the caller's. Where a thread cannot be had the network is refused; those that run are ended
 * when it is freed. */
int net_packet_threads_start(struct net_packet_engine *engine)
{
    uint32_t count = engine->part_count - 1;
    struct net_packet_threads *threads = net_lines_new(sizeof *threads + count * sizeof threads->workers[0]);
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

/* A stop is a step like any other, so that sleepers wake for it. */
void net_packet_threads_end(struct net_packet_engine *engine)
{
    struct net_packet_threads *threads = engine->threads;
    if (threads == NULL)
        return;
    net_packet_threads_rest(engine);
    atomic_store(&threads->stop, true);
    begin_step(threads);
    for (uint32_t i = 0; i < threads->count; i++)
        pthread_join(threads->workers[i].thread, NULL);
    pthread_cond_destroy(&threads->wake);
    pthread_mutex_destroy(&threads->mutex);
    free(threads);
    engine->threads = NULL;
}
