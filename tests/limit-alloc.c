/* The linker's --wrap sends the calls here (tests/fail-alloc.c explains how). */
#include <config.h>

#include "tests/limit-alloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *piece);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *piece);

#define NO_LIMIT (INT64_MAX / 2)

static int64_t live, peak;
static int64_t limit = NO_LIMIT;
static bool exceeded;

/* Signed: what a library allocated may be freed by us. */
static bool fits(size_t bytes)
{
    if (bytes <= SIZE_MAX / 4 && (int64_t)bytes <= limit - live)
        return true;
    exceeded = true;
    errno = ENOMEM;
    return false;
}

/* The size that the allocator has given, which is what will be subtracted when it is freed. */
static void *account(void *piece)
{
    if (piece != NULL)
        live += (int64_t)malloc_usable_size(piece);
    if (live > peak)
        peak = live;
    return piece;
}

void *__wrap_malloc(size_t size)
{
    return fits(size) ? account(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        return NULL; /* refused by calloc itself: no memory is at stake */
    return fits(count * size) ? account(__real_calloc(count, size)) : NULL;
}

/* As long as both pieces exist both count; what is refused leaves the old one as it was. */
void *__wrap_realloc(void *old, size_t size)
{
    int64_t before = old == NULL ? 0 : (int64_t)malloc_usable_size(old);
    void *piece;

    if (!fits(size))
        return NULL;
    piece = __real_realloc(old, size);
    if (piece == NULL)
        return NULL;
    live -= before;
    return account(piece);
}

void __wrap_free(void *piece)
{
    if (piece != NULL)
        live -= (int64_t)malloc_usable_size(piece);
    __real_free(piece);
}

/* What is held already is not counted; when it is freed later, the sum may go below zero. */
void limit_alloc_begin(size_t bytes)
{
    live = peak = 0;
    limit = (int64_t)bytes;
    exceeded = false;
}

bool limit_alloc_end(void)
{
    limit = NO_LIMIT;
    return !exceeded;
}

size_t limit_alloc_peak(void)
{
    return (size_t)peak;
}

/* A leak of ours shows here even where LeakSanitizer must not look, since libraries lose memory of their own.
 * What is freed of theirs or of before makes the sum smaller: never a leak where there is none. */
size_t limit_alloc_held(void)
{
    return live > 0 ? (size_t)live : 0;
}
