/* Memory for what an engine reads and writes all the time: whole cache lines, and where there is much of it
 * huge pages, of which a processor knows the addresses of far more bytes than of small ones. */
#ifndef NET_LINES_H
#define NET_LINES_H

#include <stddef.h>

#define NET_LINE 64 /* bytes of a cache line */

/* Ahead of a store: the line with the address, for this processor alone. Stores take effect one after the
 * other, so that one to a line that another processor has read keeps all behind it waiting until it has
 * come. The compiler's own prefetch asks for the line as for a load, unless it may use every processor's
 * instructions; this one all of the kind take. */
static inline void net_fetch_to_write(const void *address)
{
#if defined __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

/* Likewise of so many bytes. */
static inline void net_fetch_all_to_write(const void *first, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += NET_LINE)
        net_fetch_to_write((const char *)first + at);
}

/* So many bytes, zeroed, from the start of a cache line on, the last one whole. Free with free. NULL: memory. */
void *net_lines_new(size_t bytes);
/* The same with the `used` first bytes of an older block, which is freed, or NULL. Should memory be out, the
 * older block stays as it is. */
void *net_lines_grow(void *older, size_t used, size_t bytes);
/* Grows an array that begins at a cache line, from `used` to `bytes` bytes: *lines in the allocation
 * *block, both NULL at first. It may move, by remapping its pages where there are many, and is left as it
 * is should memory be out (-1). Free *block with free. */
int net_lines_resize(void **block, void **lines, size_t used, size_t bytes);

#endif
