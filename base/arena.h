/* A region of memory that is freed as a whole. Allocation is a pointer bump; blocks double in size up to a
 * limit. For what is built once and lives as long as its owner: nothing is ever given back singly.
 *
 *     struct base_arena arena = {0};
 *     struct rank *ranks = base_arena_array(&arena, count, sizeof *ranks);
 *     if (ranks == NULL)
 *         return base_error_memory(error, "the ranks");
 *     ...
 *     base_arena_free(&arena); */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct base_arena_block;
struct base_arena {
    struct base_arena_block *last; /* the block that allocations come from; NULL in an empty arena */
    size_t allocated_bytes;        /* handed out, padding included */
    size_t reserved_bytes;         /* taken from malloc */
};

/* A zeroed struct base_arena is a valid empty one: struct base_arena arena = {0}; */

/* size bytes, zeroed, aligned for any type (16, if malloc does). NULL when memory is out. size 0 gives a valid unique
 * pointer. */
void *base_arena_alloc(struct base_arena *arena, size_t size);
/* count * size bytes, zeroed; NULL on overflow of the product as well. */
void *base_arena_array(struct base_arena *arena, size_t count, size_t size);
/* A copy of text (up to its terminator), owned by the arena. */
char *base_arena_text(struct base_arena *arena, const char *text);
/* printf into the arena. */
char *base_arena_format(struct base_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Frees every block; the arena is empty and usable again. NULL is legal. */
void base_arena_free(struct base_arena *arena);

#endif
