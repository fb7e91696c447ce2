/* A library to preload: plays a program once for each of its allocations, which fails in that play, and writes what
 * became of each.
 *
 *      constructor ── fork ──► child: the program's main, whose Nth allocation fails
 *           ▲                     │ standard output and error go to files
 *           └── a line ◄── wait ──┘ N = 1, 1 + stride, ... until a child meets no failure
 *
 * The program and its libraries are loaded once, so that a play takes milliseconds. Every allocation of the process
 * counts, also those of its libraries. It is asked by variables of the environment:
 *
 *      FAIL_REPORT     the file for the lines: N, a blank, the status (128 + signal; 142: too slow), a blank, "whole"
 *                      or the name of a file that was left half-written, a blank, the last line on standard error
 *      FAIL_STRIDE     of the plays (1)
 *      FAIL_FROM_THEN  not empty: all allocations from the Nth on fail
 *
 * The program runs in a directory of its own, which holds nothing when it begins; what the first play, without any
 * failure, leaves there is what others must leave: a file is whole or absent, and none is absent after status 0. What
 * is in files whose name ends in .db is not looked at. */
#define _GNU_SOURCE
#include <features.h>
#ifdef __GLIBC__
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* glibc's own allocator under names that nobody replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define PATIENCE_SECONDS 60
#define KEPT "../kept"
#define SAID "../said"

static atomic_ulong count;             /* allocations since the program began */
static unsigned long first, last;      /* those that fail; 0: none */
static atomic_bool *has_failed = NULL; /* shared by parent and child */

static bool must_fail(void)
{
    unsigned long n;

    if (first == 0)
        return false;
    n = ++count;
    if (n < first || n > last)
        return false;
    *has_failed = true;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return must_fail() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return must_fail() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **piece, size_t alignment, size_t size)
{
    *piece = must_fail() ? NULL : __libc_memalign(alignment, size);
    return *piece == NULL ? ENOMEM : 0;
}

/* libotf2 names the machine in what it writes, for which glibc looks in the network: where memory is out there, glibc
 * 2.36 ends the program by a failed assertion, or waits for ever for a lock that it holds. So nothing fails inside. */
long gethostid(void)
{
    long (*real)(void);
    unsigned long now = first;
    long identifier;

    *(void **)&real = dlsym(RTLD_NEXT, "gethostid");
    first = 0;
    identifier = real();
    first = now;
    return identifier;
}

static bool is_same(const char *path, const char *other)
{
    FILE *a = fopen(path, "rb"), *b = fopen(other, "rb");
    bool same = a != NULL && b != NULL;

    for (int c = 0; same && c != EOF;)
        same = (c = getc(a)) == getc(b);
    if (a != NULL)
        fclose(a);
    if (b != NULL)
        fclose(b);
    return same;
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Calls visit for each regular file and directory below, files of a directory before itself. The names are relative to
 * the directory that is walked. */
static void walk(const char *name, void (*visit)(const char *path))
{
    DIR *directory = opendir(name);
    struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char below[2048];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(below, sizeof below, "%s/%s", name, entry->d_name) >= (int)sizeof below)
            continue;
        if (!is_file(below))
            walk(below, visit);
        visit(below);
    }
    if (directory != NULL)
        closedir(directory);
}

static char wrong[4096]; /* a file that is neither whole nor absent */

/* What a play left. Its standard output is a file among the others, which may be cut where the play failed. */
static void compare(const char *path)
{
    char kept[4096];
    size_t length = strlen(path);

    snprintf(kept, sizeof kept, KEPT "%s", path + 1);
    if (!is_file(path) || strcmp(path, "./stdout") == 0 ||
        (length > 3 && strcmp(path + length - 3, ".db") == 0))
        return;
    if (!is_same(path, kept))
        snprintf(wrong, sizeof wrong, "%s", path);
}

/* What a play that says that all went well must have left. */
static void demand(const char *path)
{
    char here[4096];
    size_t length = strlen(path);

    snprintf(here, sizeof here, ".%s", path + strlen(KEPT));
    if (is_file(path) && !(length > 3 && strcmp(path + length - 3, ".db") == 0) && !is_same(path, here))
        snprintf(wrong, sizeof wrong, "%s", here);
}

static void wipe(const char *path)
{
    remove(path);
}

/* In the child: from here on the program plays. */
static void play(unsigned long n, bool and_all_others)
{
    int output = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int said = open(SAID, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (dup2(output, 1) < 0 || dup2(said, 2) < 0)
        _exit(99);
    close(output);
    close(said);
    alarm(PATIENCE_SECONDS);
    last = and_all_others ? ~0UL : n;
    first = n;
}

/* The last line that the program said. */
static void put_said(FILE *report)
{
    FILE *said = fopen(SAID, "r");
    char line[4096] = "";
    char next[4096];

    while (said != NULL && fgets(next, sizeof next, said) != NULL)
        memcpy(line, next, sizeof line);
    if (said != NULL)
        fclose(said);
    line[strcspn(line, "\n")] = '\0';
    fprintf(report, "%s\n", line);
}

/* In the parent, when a play has ended. */
static void note(FILE *report, unsigned long n, int status)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

    wrong[0] = '\0';
    walk(".", compare);
    if (code == 0)
        walk(KEPT, demand);
    fprintf(report, "%lu %d %s ", n, code, wrong[0] == '\0' ? "whole" : wrong);
    put_said(report);
    walk(".", wipe);
}

/* Not the shell of a wrapper that libtool puts before a program, nor any other that is on the way. */
static bool is_the_program(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *slash;

    path[length < 0 ? 0 : length] = '\0';
    slash = strrchr(path, '/');
    return slash != NULL && (strcmp(slash + 1, "flitreplay") == 0 || strcmp(slash + 1, "lt-flitreplay") == 0);
}

/* What the first play left goes to a directory beside, and stays. */
static void keep(const char *path)
{
    char to[4096], command[8500];

    snprintf(to, sizeof to, KEPT "%s", path + 1);
    if (strchr(path + 2, '/') != NULL)
        return;
    snprintf(command, sizeof command, "cp -r '%s' '%s'", path, to);
    if (system(command) != 0)
        _exit(98);
}

__attribute__((constructor)) static void play_all(void)
{
    const char *path = getenv("FAIL_REPORT");
    const char *stride = getenv("FAIL_STRIDE");
    const char *others = getenv("FAIL_FROM_THEN");
    unsigned long step = stride == NULL ? 1 : strtoul(stride, NULL, 10);
    FILE *report;

    if (path == NULL || !is_the_program())
        return;
    report = fopen(path, "we");
    has_failed = mmap(NULL, sizeof *has_failed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsetenv("LD_PRELOAD");
    unsetenv("FAIL_REPORT");
    if (report == NULL || has_failed == MAP_FAILED)
        _exit(97);
    for (unsigned long n = 0;; n = n == 0 ? 1 : n + step) {
        int status = 0;
        pid_t child;

        *has_failed = false;
        fflush(report);
        child = fork();
        if (child == 0) {
            play(n, others != NULL && others[0] != '\0');
            return;
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            _exit(96);
        if (n == 0)
            walk(".", keep);
        note(report, n, status);
        if (n > 0 && !*has_failed)
            break;
    }
    _exit(fclose(report) == 0 ? 0 : 95);
}
#endif
