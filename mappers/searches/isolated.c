/* The child is judged by what stands in shared memory, not by its exit status: a library that ends it by exit does
 * not come to write that it is done. */
#include <config.h>

#include "mappers/searches/isolated.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

#define SAID 256 /* bytes that are kept of what a child says: a line */

/* What comes back from a child. */
struct outcome {
    enum { UNKNOWN, DONE, REFUSED } state; /* UNKNOWN: work has not returned */
    struct base_error error;               /* when it was refused */
};

/* Pages that parent and child both write; NULL: memory. */
void *map_shared_new(size_t bytes)
{
    void *shared =
        mmap(NULL, bytes == 0 ? 1 : bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return shared == MAP_FAILED ? NULL : shared;
}

void map_shared_free(void *shared, size_t bytes)
{
    if (shared != NULL)
        munmap(shared, bytes == 0 ? 1 : bytes);
}

/* Registered last, so it comes first: what the parent would do at its end (files to remove, text that is not written
 * yet) is not the child's to do. */
static void end_child(void)
{
    _exit(EXIT_FAILURE);
}

/* Does not return. */
static void be_child(int (*work)(void *context, struct base_error *error), void *context,
                     struct outcome *outcome, const int ends[2])
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody waits for it any more */
#endif
    if (atexit(end_child) == 0 && dup2(ends[1], STDERR_FILENO) >= 0) {
        close(ends[0]);
        close(ends[1]);
        outcome->state = work(context, &outcome->error) == 0 ? DONE : REFUSED;
    }
    _exit(EXIT_SUCCESS);
}

/* The first line that the child says, without its end; the rest is read, too, so that the child never waits. */
static void listen_to(int from, char said[SAID])
{
    char rest[SAID] = "";
    size_t length = 0;
    ssize_t got;

    do {
        bool is_full = length == SAID - 1;
        got = read(from, is_full ? rest : said + length, is_full ? sizeof rest : SAID - 1 - length);
        if (got > 0 && !is_full)
            length += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    said[length] = '\0';
    said[strcspn(said, "\n")] = '\0';
}

/* A library that says ERROR and goes on may have done anything: an answer that depends on whether memory was there is
 * none. */
static int judge(const struct outcome *outcome, const char *who, const char *said, struct base_error *error)
{
    const char *word = strstr(said, "ERROR: ");

    if (outcome->state == REFUSED && outcome->error.status != BASE_SYSTEM)
        return base_error_set(error, outcome->error.status, "%s", outcome->error.text);
    if (outcome->state == DONE && word == NULL)
        return 0;
    if (word != NULL)
        said = word + strlen("ERROR: ");
    if (*said == '\0')
        said = outcome->state == REFUSED ? outcome->error.text : "it ended without a word";
    return base_error_set(error, BASE_SYSTEM, "%s failed, as it does where there is not enough memory: %s",
                          who, said);
}

/* Waits for the child that a fork has made, if it has. */
static int await(pid_t child, const int ends[2], const struct outcome *outcome, const char *who,
                 struct base_error *error)
{
    char said[SAID] = "";
    int problem = errno;

    close(ends[1]);
    if (child > 0)
        listen_to(ends[0], said);
    close(ends[0]);
    if (child < 0)
        return base_error_system(error, problem, "a process for %s", who);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return judge(outcome, who, said, error);
}

/* There where a sanitizer runs the process. */
extern void __asan_init(void) __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */
extern void __tsan_init(void) __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */

/* A child has one thread, and whatever locks others held when it was made stay locked. The C library takes those of
 * its allocator before it forks; the allocators of sanitizers do not, and a child would wait for ever. */
static bool child_may_allocate(void)
{
    return __asan_init == NULL && __tsan_init == NULL;
}

/* Libraries that are not for several threads wait for each other here. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* In this process, one after the other: the library behind it keeps state of its own. */
static int work_here(int (*work)(void *context, struct base_error *error), void *context,
                     struct base_error *error)
{
    int status;

    pthread_mutex_lock(&one_at_a_time);
    status = work(context, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

/* The answer comes back in shared memory, and what the child says of itself through a pipe: where it crashed or was
 * killed the answer is still unknown, and its words are all that there is to tell. */
int map_isolate(const char *who, int (*work)(void *context, struct base_error *error), void *context,
                struct base_error *error)
{
    struct outcome *outcome;
    int ends[2];
    pid_t child;
    int result;

    if (!child_may_allocate())
        return work_here(work, context, error);
    outcome = map_shared_new(sizeof *outcome);
    if (outcome == NULL)
        return base_error_memory(error, "the answer of a process");
    if (pipe(ends) != 0) {
        result = base_error_system(error, errno, "a pipe from %s", who);
    } else {
        child = fork();
        if (child == 0)
            be_child(work, context, outcome, ends);
        result = await(child, ends, outcome, who, error);
    }
    map_shared_free(outcome, sizeof *outcome);
    return result;
}
