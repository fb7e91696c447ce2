/* The linker's --wrap=malloc sends a call of malloc to __wrap_malloc and one of __real_malloc to malloc. What
 * wrapped calls have made is kept in a set of addresses: the code under test may also free memory that a
 * shared library made, and a library may free ours, so a plain counter would drift. */
#include <config.h>

#include "tests/fail-alloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *piece);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
char *__real_realpath(const char *path, char *resolved);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int descriptor, const char *mode);
int __real_fclose(FILE *stream);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *piece);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
char *__wrap_realpath(const char *path, char *resolved);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int descriptor, const char *mode);
int __wrap_fclose(FILE *stream);

static unsigned long until_failure; /* allocations up to and with the one that fails; 0 when none will */
static bool has_failed;

/* The set: open addressing, at most half full, 0 for an empty place. */
static uintptr_t *places;
static size_t capacity, outstanding;

static size_t home_of(uintptr_t address)
{
    return (size_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
}

/* Where address is, or the empty place where it would go. */
static size_t place_of(uintptr_t address)
{
    size_t i = home_of(address);
    while (places[i] != 0 && places[i] != address)
        i = (i + 1) & (capacity - 1);
    return i;
}

static void grow(void)
{
    uintptr_t *old = places;
    size_t old_capacity = capacity;

    capacity = capacity == 0 ? 1024 : capacity * 2;
    places = __real_calloc(capacity, sizeof *places);
    if (places == NULL) {
        fputs("fail-alloc: no memory for its own bookkeeping\n", stderr);
        abort();
    }
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i] != 0)
            places[place_of(old[i])] = old[i];
    __real_free(old);
}

/* Code under test may have threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void remember(uintptr_t address)
{
    size_t place;

    if (address == 0)
        return;
    pthread_mutex_lock(&lock);
    if (2 * (outstanding + 1) > capacity)
        grow();
    place = place_of(address);
    /* It is there already when a library freed it behind our back and the allocator gave it out again. */
    outstanding += places[place] == 0;
    places[place] = address;
    pthread_mutex_unlock(&lock);
}

static void drop(uintptr_t address)
{
    size_t place = capacity == 0 ? 0 : place_of(address);

    if (address == 0 || capacity == 0 || places[place] == 0)
        return;
    places[place] = 0;
    outstanding--;
    /* What follows in the same run is put in anew, so that no search stops at the new gap. */
    for (size_t i = (place + 1) & (capacity - 1); places[i] != 0; i = (i + 1) & (capacity - 1)) {
        uintptr_t moved = places[i];
        places[i] = 0;
        places[place_of(moved)] = moved;
    }
}

/* Before the piece is freed: behind that another thread may have it. */
static void forget(uintptr_t address)
{
    pthread_mutex_lock(&lock);
    drop(address);
    pthread_mutex_unlock(&lock);
}

static bool must_fail(void)
{
    pthread_mutex_lock(&lock);
    bool fails = until_failure != 0 && --until_failure == 0;
    has_failed |= fails;
    pthread_mutex_unlock(&lock);
    if (fails)
        errno = ENOMEM;
    return fails;
}

void *__wrap_malloc(size_t size)
{
    void *piece = must_fail() ? NULL : __real_malloc(size);
    remember((uintptr_t)piece);
    return piece;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *piece = must_fail() ? NULL : __real_calloc(count, size);
    remember((uintptr_t)piece);
    return piece;
}

void *__wrap_realloc(void *old, size_t size)
{
    uintptr_t old_address = (uintptr_t)old;
    void *piece;

    if (must_fail())
        return NULL;
    forget(old_address);
    piece = __real_realloc(old, size);
    remember(piece == NULL && size != 0 ? old_address : (uintptr_t)piece);
    return piece;
}

void __wrap_free(void *piece)
{
    forget((uintptr_t)piece);
    __real_free(piece);
}

char *__wrap_strdup(const char *text)
{
    char *copy = must_fail() ? NULL : __real_strdup(text);
    remember((uintptr_t)copy);
    return copy;
}

char *__wrap_strndup(const char *text, size_t size)
{
    char *copy = must_fail() ? NULL : __real_strndup(text, size);
    remember((uintptr_t)copy);
    return copy;
}

char *__wrap_realpath(const char *path, char *resolved)
{
    char *result;

    if (resolved != NULL)
        return __real_realpath(path, resolved);
    result = must_fail() ? NULL : __real_realpath(path, NULL);
    remember((uintptr_t)result);
    return result;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    FILE *stream = must_fail() ? NULL : __real_fopen(path, mode);
    remember((uintptr_t)stream);
    return stream;
}

FILE *__wrap_fdopen(int descriptor, const char *mode)
{
    FILE *stream = must_fail() ? NULL : __real_fdopen(descriptor, mode);
    remember((uintptr_t)stream);
    return stream;
}

int __wrap_fclose(FILE *stream)
{
    forget((uintptr_t)stream);
    return __real_fclose(stream);
}

void fail_alloc_arm(unsigned long n)
{
    until_failure = n;
    has_failed = false;
}

bool fail_alloc_disarm(void)
{
    until_failure = 0;
    return has_failed;
}

size_t fail_alloc_outstanding(void)
{
    return outstanding;
}

long fail_alloc_each(int (*attempt)(void *state), void *state)
{
    for (unsigned long n = 1;; n++) {
        size_t before = outstanding;
        const char *wrong = NULL;
        int result;
        bool failed;

        fail_alloc_arm(n);
        result = attempt(state);
        failed = fail_alloc_disarm();
        if (outstanding != before)
            wrong = "left something allocated";
        else if (failed && result == 0)
            wrong = "hid the failure";
        else if (!failed && result != 0)
            wrong = "did not work undisturbed";
        if (wrong != NULL) {
            fprintf(stderr,
                    "fail-alloc: the attempt whose allocation %lu fails %s (%zu pieces before, %zu after)\n",
                    n, wrong, before, outstanding);
            return -1;
        }
        if (!failed)
            return (long)n - 1;
    }
}
