/* An arena is a list of blocks, newest first; allocation bumps a mark in the first.
 *
 *     arena.last ──► [header | used ....... | free] ──► [header | used | rest, lost] ──► NULL
 *
 * Blocks come from calloc, so that memory never written is never touched either: large zeroed blocks cost
 * nothing until they are used. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)16)
#define FIRST_BLOCK_BYTES ((size_t)4096)
#define LAST_BLOCK_BYTES ((size_t)1 << 20)

struct base_arena_block {
    struct base_arena_block *next; /* the one before it in time; NULL: the first */
    size_t used, capacity;         /* bytes after the header */
};

/* The header, padded so that the bytes after it are aligned. */
#define HEADER_BYTES ((sizeof(struct base_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

/* size is a multiple of ALIGNMENT, and fits. */
static void *take(struct base_arena *arena, struct base_arena_block *block, size_t size)
{
    char *bytes = (char *)block + HEADER_BYTES + block->used;
    block->used += size;
    arena->allocated_bytes += size;
    return bytes;
}

/* A block that is in no list yet; NULL, and nothing counted, when memory is out. */
static struct base_arena_block *new_block(struct base_arena *arena, size_t capacity)
{
    struct base_arena_block *block = calloc(1, HEADER_BYTES + capacity);
    if (block == NULL)
        return NULL;
    block->capacity = capacity;
    arena->reserved_bytes += HEADER_BYTES + capacity;
    return block;
}

/* Doubling keeps the number of blocks logarithmic; the limit keeps the unused rest of the last one small. */
static size_t next_capacity(const struct base_arena *arena)
{
    size_t total;
    if (arena->last == NULL)
        return FIRST_BLOCK_BYTES - HEADER_BYTES;
    total = (arena->last->capacity + HEADER_BYTES) * 2;
    return (total < LAST_BLOCK_BYTES ? total : LAST_BLOCK_BYTES) - HEADER_BYTES;
}

/* Memory is zeroed because the block came from calloc and is handed out once. A piece of more than a quarter of
 * the next block is large: put into the first block's successor it would waste what the first has left. So at most
 * a quarter of a block is lost each time a new one begins. */
void *base_arena_alloc(struct base_arena *arena, size_t size)
{
    struct base_arena_block *block = arena->last;
    size_t capacity;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (block != NULL && size <= block->capacity - block->used)
        return take(arena, block, size);

    capacity = next_capacity(arena);
    if (block != NULL && size > capacity / 4) {
        /* A large piece gets a block of its own behind the first, whose free rest stays in use. */
        struct base_arena_block *own = new_block(arena, size);
        if (own == NULL)
            return NULL;
        own->next = block->next;
        block->next = own;
        return take(arena, own, size);
    }
    block = new_block(arena, size > capacity ? size : capacity);
    if (block == NULL)
        return NULL;
    block->next = arena->last;
    arena->last = block;
    return take(arena, block, size);
}

/* The product is checked here, once for everybody who allocates arrays by a number that a file gave. */
void *base_arena_array(struct base_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return base_arena_alloc(arena, count * size);
}

/* The terminator is copied with the text. */
char *base_arena_text(struct base_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = base_arena_alloc(arena, size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

/* Formatted twice: the first pass only counts, so that the arena gives no more than is needed. */
char *base_arena_format(struct base_arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    text = base_arena_alloc(arena, (size_t)length + 1);
    if (text == NULL)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* From the last block to the first: each knows the one before it. */
void base_arena_free(struct base_arena *arena)
{
    if (arena == NULL)
        return;
    while (arena->last != NULL) {
        struct base_arena_block *next = arena->last->next;
        free(arena->last);
        arena->last = next;
    }
    arena->allocated_bytes = 0;
    arena->reserved_bytes = 0;
}
