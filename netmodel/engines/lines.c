/* Cache lines and huge pages: see lines.h. */
#include <config.h>

#include "netmodel/engines/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define MUCH ((size_t)256 << 10) /* bytes from which on a huge page is worth what it may leave unused */

/* Huge pages are asked for, and may be refused. Not zeroed. */
static void *new_lines(size_t bytes)
{
    size_t alignment = bytes >= MUCH ? HUGE_PAGE : NET_LINE;
    size_t whole = bytes != 0 ? (bytes + alignment - 1) / alignment * alignment : alignment;
    void *lines = aligned_alloc(alignment, whole);
#ifdef MADV_HUGEPAGE
    if (lines != NULL && alignment == HUGE_PAGE)
        madvise(lines, whole, MADV_HUGEPAGE);
#endif
    return lines;
}

/* Zeroing also touches every page, so that the flit loop meets no page that is still to be made. */
void *net_lines_new(size_t bytes)
{
    void *lines = new_lines(bytes);
    if (lines != NULL)
        memset(lines, 0, bytes);
    return lines;
}

/* The rest is left as it is: a pool's entries are written before they are read. */
void *net_lines_grow(void *older, size_t used, size_t bytes)
{
    void *lines = new_lines(bytes);
    if (lines == NULL)
        return NULL;
    if (used != 0)
        memcpy(lines, older, used);
    free(older);
    return lines;
}

/* Where realloc puts an array is up to it: the first line in it may begin elsewhere than before. */
int net_lines_resize(void **block, void **lines, size_t used, size_t bytes)
{
    size_t before = *block != NULL ? (size_t)((char *)*lines - (char *)*block) : 0;
    char *grown = realloc(*block, bytes + NET_LINE - 1);
    if (grown == NULL)
        return -1;
    char *start = grown + (-(uintptr_t)grown & (NET_LINE - 1));
    if (used != 0 && start != grown + before)
        memmove(start, grown + before, used);
    *block = grown;
    *lines = start;
    return 0;
}
