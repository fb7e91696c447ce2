/* Nothing is allocated for looking. Of control groups the limits of the process's own and of those around it
 * hold; inside a container the path may be that of outside, and the root of /sys/fs/cgroup is the container's. */
#include <config.h>

#include "base/process-memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef HAVE_MALLINFO2
#include <malloc.h>
#endif

#define PATH 4096

static void lower(struct base_memory *memory, uint64_t bytes, const char *limit)
{
    if (bytes >= memory->limit_bytes)
        return;
    memory->limit_bytes = bytes;
    memory->limit = limit;
}

/* The beginning of a file of the system as a text, empty where it cannot be read. */
static void read_text(const char *path, char text[PATH])
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, PATH - 1);

    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
}

/* A number in a file of its own; UINT64_MAX: none, or "max". */
static uint64_t read_number(const char *path)
{
    char text[PATH];
    uint64_t number;

    read_text(path, text);
    return sscanf(text, "%" SCNu64, &number) == 1 ? number : UINT64_MAX;
}

/* The group and all above it, up to the root of the hierarchy. The path is used up. */
static void look_upwards(struct base_memory *memory, const char *root, char *group, const char *file)
{
    for (;;) {
        char path[PATH + 64];
        char *end = strrchr(group, '/');

        snprintf(path, sizeof path, "%s%s/%s", root, group, file);
        lower(memory, read_number(path), "the control group of this process");
        if (end == NULL)
            return;
        *end = '\0';
    }
}

/* Lines are NUMBER:CONTROLLERS:PATH; version 2 has the number 0 and no controllers. */
static void look_at_groups(struct base_memory *memory)
{
    char text[PATH];
    char *rest = text;
    char *line;

    read_text("/proc/self/cgroup", text);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *names = strchr(line, ':');
        char *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        if (strcmp(names + 1, "memory") == 0)
            look_upwards(memory, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
        else if (names[1] == '\0')
            look_upwards(memory, "/sys/fs/cgroup", group, "memory.max");
    }
}

/* Pages of the address space, and in memory. */
static void look_at_pages(uint64_t page_bytes, uint64_t *space_bytes, uint64_t *used_bytes)
{
    char text[PATH];

    read_text("/proc/self/statm", text);
    if (sscanf(text, "%" SCNu64 "%" SCNu64, space_bytes, used_bytes) != 2)
        return;
    *space_bytes *= page_bytes;
    *used_bytes *= page_bytes;
}

/* Address space that holds no memory yet, such as the stacks of threads, counts against these limits all the same. */
static void look_at_limit(struct base_memory *memory, uint64_t space_bytes, int resource)
{
    struct rlimit limit;
    uint64_t unused = space_bytes > memory->used_bytes ? space_bytes - memory->used_bytes : 0;

    if (getrlimit((__rlimit_resource_t)resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lower(memory, limit.rlim_cur > unused ? limit.rlim_cur - unused : 0, "the limit of ulimit");
}

struct base_memory base_memory_now(void)
{
    struct base_memory memory = {.limit_bytes = UINT64_MAX, .limit = ""};
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t space_bytes = 0;

    if (pages > 0 && page_bytes > 0) {
        look_at_pages((uint64_t)page_bytes, &space_bytes, &memory.used_bytes);
        lower(&memory, (uint64_t)pages * (uint64_t)page_bytes, "this machine");
    }
    look_at_groups(&memory);
    memory.together_bytes = memory.limit_bytes;
    memory.together = memory.limit;
    look_at_limit(&memory, space_bytes, RLIMIT_AS);
    return memory;
}

uint64_t base_memory_allocated(void)
{
#ifdef HAVE_MALLINFO2
    struct mallinfo2 info = mallinfo2();

    return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
#else
    return 0;
#endif
}
