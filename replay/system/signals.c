/* One thread waits for the signals; see signals.h for why. */
#include <config.h>

#include "replay/system/signals.h"

#include <stdio.h>
#include <unistd.h>

#include "replay/system/world.h"

/* Those that are waited for. What the parent has told the program to ignore (nohup, a shell's background job)
 * stays ignored. */
static sigset_t watched_signals(void)
{
    struct sigaction action;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(&set, SIGINT);
    if (replay_world_size() > 1)
        sigaddset(&set, SIGTERM);
    return set;
}

/* The second SIGINT: as if nobody had been watching. Raised in this thread alone, where it is let through;
 * the default action ends the process before raise returns. */
static void end_at_once(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGINT);
}

/* The thread. Its own end is a SIGUSR1 as well, told apart by a flag that is set before it is sent. */
static void *watch(void *context)
{
    struct replay_signals *signals = context;
    sigset_t set = signals->watched;
    int number;

    while (sigwait(&set, &number) == 0 && !atomic_load(&signals->ending)) {
        if (number == SIGUSR1)
            signals->tell(signals->context);
        else if (atomic_exchange(&signals->stop, true))
            end_at_once();
        else if (signals->is_heard)
            fputs("\nflitreplay: interrupted: writing partial results (press Ctrl-C again to quit "
                  "immediately)\n",
                  stderr);
    }
    return NULL;
}

/* All signals go to one thread that waits for them, so that handlers never run in the middle of the work. If
 * there is no such thread they keep their usual effect. */
void replay_signals_start(struct replay_signals *signals, void (*tell)(void *context), void *context)
{
    signals->watched = watched_signals();
    signals->is_heard = replay_world_rank() == 0;
    atomic_init(&signals->stop, false);
    atomic_init(&signals->ending, false);
    signals->tell = tell;
    signals->context = context;
    if (pthread_sigmask(SIG_BLOCK, &signals->watched, &signals->before) != 0)
        return;
    signals->is_running = pthread_create(&signals->thread, NULL, watch, signals) == 0;
    if (!signals->is_running)
        pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
}

/* A signal that comes between the thread's end and the mask's is delivered as it always was. */
void replay_signals_end(struct replay_signals *signals)
{
    if (!signals->is_running)
        return;
    atomic_store(&signals->ending, true);
    pthread_kill(signals->thread, SIGUSR1);
    pthread_join(signals->thread, NULL);
    pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
    signals->is_running = false;
}
