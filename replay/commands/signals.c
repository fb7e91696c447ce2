/* One thread waits for the signals; see signals.h for why. */
#include <config.h>

#include "replay/commands/signals.h"

#include <stdio.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

/* Those that are waited for. What the parent has told the program to ignore (nohup, a shell's background job)
 * stays ignored. */
static sigset_t watched_signals(void)
{
    struct sigaction action;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, ends[i]);
    return set;
}

/* As if nobody had been watching, but for unfinished files. Raised in this thread alone, where it is let through;
 * the default action ends the process before raise returns. */
static void end_at_once(int number)
{
    sigset_t set;

    flr_remove_unfinished();
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

/* A terminal has a key for SIGINT; who sends another one knows how. */
static void tell_stop(int number)
{
    fputs(
        number == SIGINT
            ? "\nflitreplay: interrupted: writing partial results (press Ctrl-C again to quit immediately)\n"
            : "\nflitreplay: terminated: writing partial results (a second signal quits immediately)\n",
        stderr);
}

/* With the lock, so that a command that leaves has either been told of or is gone. */
static void take(struct replay_signals *signals, int number)
{
    int none = 0;

    pthread_mutex_lock(&signals->attention);
    if (number != SIGUSR1) {
        atomic_compare_exchange_strong(&signals->number, &none, number);
        if (signals->tell == NULL || atomic_load(&signals->is_piped) ||
            atomic_exchange(&signals->stopped, true))
            end_at_once(number);
        flr_request_stop(signals->request);
        if (signals->is_heard)
            tell_stop(number);
    } else if (signals->tell != NULL) {
        signals->tell(signals->context);
    } else if (signals->is_heard) {
        fputs("flitreplay: reading or writing files\n", stderr);
    }
    pthread_mutex_unlock(&signals->attention);
}

/* The thread. Its own end is a SIGUSR1 as well, told apart by a flag that is set before it is sent. Where standard
 * error goes nowhere any more, saying so must not end the program before it has written what it has. */
static void *watch(void *context)
{
    struct replay_signals *signals = context;
    sigset_t set = signals->watched;
    sigset_t pipes;
    int number;

    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL);
    while (sigwait(&set, &number) == 0 && !atomic_load(&signals->ending))
        take(signals, number);
    return NULL;
}

/* All signals go to one thread that waits for them, so that handlers never run in the middle of the work. If
 * there is no such thread they keep their usual effect. */
void replay_signals_start(struct replay_signals *signals, bool is_heard)
{
    *signals = (struct replay_signals){.watched = watched_signals(), .is_heard = is_heard};
    signal(SIGXFSZ, SIG_IGN);
    if (pthread_mutex_init(&signals->attention, NULL) != 0)
        return;
    if (pthread_sigmask(SIG_BLOCK, &signals->watched, &signals->before) == 0) {
        signals->is_running = pthread_create(&signals->thread, NULL, watch, signals) == 0;
        if (!signals->is_running)
            pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
    }
    if (!signals->is_running)
        pthread_mutex_destroy(&signals->attention);
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
    pthread_mutex_destroy(&signals->attention);
    signals->is_running = false;
}

/* Under the mutex: when this has returned, nobody is inside the function that was told before, and its context may
 * go. */
void replay_signals_attend(struct replay_signals *signals, flr_request *request, void (*tell)(void *context),
                           void *context)
{
    if (!signals->is_running)
        return;
    pthread_mutex_lock(&signals->attention);
    signals->context = context;
    signals->request = request;
    signals->tell = tell;
    pthread_mutex_unlock(&signals->attention);
}

/* Before what `context` points to ends. */
void replay_signals_leave(struct replay_signals *signals)
{
    replay_signals_attend(signals, NULL, NULL, NULL);
}
