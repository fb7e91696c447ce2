/* A place in a file is the reader's own, so that a file has no state here but its descriptor: it can be closed
 * at any time and opened again, and any number of readers may stand in it.
 *
 * Descriptors are closed in turn, not by their last use: when there are more ranks than descriptors, a replay
 * comes to all of them alike. */
#include <config.h>

#include "traces/otf2-archive/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "traces/grow.h"
#include "traces/otf2-archive/records.h"

#define MOST_OPEN 4096

struct trace_otf2_file {
    uint64_t location;
    int descriptor; /* -1: closed */
    bool left_to_library;
    struct trace_otf2_translation regions, communicators; /* borrowed */
};

/* Half of the descriptors that the process may have; libotf2 may take a quarter of them. */
static size_t choose_open_limit(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY ||
        files.rlim_cur / 2 > MOST_OPEN)
        return MOST_OPEN;
    return files.rlim_cur < 2 ? 1 : (size_t)files.rlim_cur / 2;
}

int trace_otf2_files_init(struct trace_otf2_files *files, uint64_t chunk_bytes)
{
    files->chunk_bytes = chunk_bytes;
    files->open_limit = choose_open_limit();
    files->window = malloc(TRACE_OTF2_WINDOW_BYTES + TRACE_OTF2_WINDOW_MARGIN);
    return files->window == NULL ? -1 : 0;
}

static void close_file(struct trace_otf2_files *files, struct trace_otf2_file *file)
{
    if (file->descriptor < 0)
        return;
    close(file->descriptor);
    file->descriptor = -1;
    files->open_count--;
}

void trace_otf2_files_free(struct trace_otf2_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        close_file(files, &files->all[i]);
    free(files->all);
    free(files->window);
    base_table_free(&files->index);
    *files = (struct trace_otf2_files){0};
}

int trace_otf2_files_add(struct trace_otf2_files *files, uint64_t location,
                         const struct trace_otf2_identifiers *identifiers)
{
    struct trace_otf2_file file = {.location = location,
                                   .descriptor = -1,
                                   .left_to_library = !TRACE_OTF2_DIRECT || identifiers->left_to_library ||
                                                      identifiers->has_clock_offsets,
                                   .regions = identifiers->regions,
                                   .communicators = identifiers->communicators};

    if (files->count >= BASE_TABLE_NONE ||
        trace_grow(&files->all, &files->capacity, files->count + 1, sizeof file) != 0 ||
        base_table_put(&files->index, location, 0, (uint32_t)files->count) != 0)
        return -1;
    files->all[files->count++] = file;
    return 0;
}

/* False when it cannot be opened: libotf2 will say so. */
static bool open_file(struct trace_otf2_files *files, struct trace_otf2_file *file, const char *path)
{
    if (file->descriptor >= 0)
        return true;
    while (files->open_count >= files->open_limit) {
        close_file(files, &files->all[files->next_to_close]);
        files->next_to_close = (files->next_to_close + 1) % files->count;
    }
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    files->open_count += file->descriptor >= 0;
    return file->descriptor >= 0;
}

bool trace_otf2_files_read(struct trace_otf2_files *files, uint64_t location, const char *path,
                           struct trace_otf2_batch *batch, uint64_t *records)
{
    uint32_t index = base_table_get(&files->index, location, 0);
    struct trace_otf2_file *file;

    if (index == BASE_TABLE_NONE || files->all[index].left_to_library)
        return false;
    file = &files->all[index];
    batch->regions = file->regions;
    batch->communicators = file->communicators;
    if (open_file(files, file, path) && trace_otf2_records_read(file->descriptor, files->chunk_bytes,
                                                                &batch->place, batch, files->window, records))
        return true;
    file->left_to_library = true;
    close_file(files, file);
    return false;
}
