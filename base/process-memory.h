/* How much memory this process has, and how much it may have. What the system does not tell is not known, and no error:
 * nothing depends on it but a warning before work that cannot fit. */
#ifndef BASE_PROCESS_MEMORY_H
#define BASE_PROCESS_MEMORY_H

#include <stdint.h>

struct base_memory {
    uint64_t used_bytes;  /* in memory now; 0: not known */
    uint64_t limit_bytes; /* that it can come to; UINT64_MAX: not known */
    const char *limit;    /* what says so, as the subject of a sentence: "this machine"; a constant */
    /* The same of what processes on this machine can come to together. */
    uint64_t together_bytes;
    const char *together;
};

/* The least of the machine's memory, of the control groups that the process is in (cgroups(7), both versions) and of
 * the limit on its address space (setrlimit(2)). */
struct base_memory base_memory_now(void);

/* Bytes that the process has allocated and not freed, by the allocator's own count; 0: it does not count. */
uint64_t base_memory_allocated(void);

#endif
