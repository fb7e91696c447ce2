/* What a piece of work costs the machine.
 *
 * Wall and CPU time say how long one waits and what it costs; when they differ much, the machine was busy
 * with other things. Peak memory is what a machine must have. Speed is counted in flit-hops, the work of the
 * network, so that it can be compared between topologies; the reading of the trace and the ideal replay are
 * part of the time. */
#include <config.h>

#include "replay/system/host.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

/* A clock that no administrator sets back. */
static double wall_seconds(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* getrusage gives seconds and microseconds apart. */
static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* CPU time is that of the process: a library caller's earlier work is subtracted here. */
void replay_stopwatch_start(struct replay_stopwatch *stopwatch)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    stopwatch->wall_seconds = wall_seconds();
    stopwatch->cpu_seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

/* Peak memory is the process's: the system keeps no other. */
struct report_host replay_stopwatch_read(const struct replay_stopwatch *stopwatch, uint64_t flit_hops)
{
    struct rusage usage = {0};
    struct report_host host;

    getrusage(RUSAGE_SELF, &usage);
    host.wall_seconds = wall_seconds() - stopwatch->wall_seconds;
    host.cpu_seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime) - stopwatch->cpu_seconds;
    host.peak_memory_bytes = (uint64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
    host.flit_hops_per_second = NAN;
    if (flit_hops > 0 && host.cpu_seconds > 0)
        host.flit_hops_per_second = (double)flit_hops / host.cpu_seconds;
    return host;
}
