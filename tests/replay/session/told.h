/* For the suites of what is said before long work begins: what was said, and what the work took. */
#ifndef TESTS_TOLD_H
#define TESTS_TOLD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FACTOR 3.0
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_FACTOR 1e9    /* freed memory is kept aside for a while: the peak is another program's */
#define NETWORKS_COUNT false /* this allocator does not say what it has given out */
#else
#define MEMORY_FACTOR 2.5
#define NETWORKS_COUNT true
#endif

static inline double process_seconds(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct told {
    unsigned times;
    double seconds, begun; /* begun: when it was told, of the process's time */
    uint64_t memory_bytes;
    atomic_bool stop;
    bool stops;   /* the work, when it is told */
    bool is_deaf; /* nobody listens */
};

/* An `expect` of a watch, whose context is a struct told. */
static inline void hear(void *context, double seconds, uint64_t memory_bytes)
{
    struct told *told = context;

    told->times++;
    told->seconds = seconds;
    told->memory_bytes = memory_bytes;
    told->begun = process_seconds();
    if (told->stops)
        atomic_store(&told->stop, true);
}

/* Whether a case is as expected, in a process of its own, since peaks of memory are those of a process. A processor
 * that others use may change its pace between what is measured and what is taken, hardly three times. */
static inline bool agrees_alone(bool (*agrees)(const void *context), const void *context)
{
    enum { TRIES = 3 };
    int status = 1;

    for (unsigned i = 0; i < TRIES && status != 0; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(agrees(context) ? 0 : 1);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return false;
    }
    return status == 0;
}

#endif
