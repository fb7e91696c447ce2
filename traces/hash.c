/* The files come from the reader, which knows their names; here they are only read. XXH3 takes a fraction of
 * the time that reading does, and reading without looking at the records a fraction of what the survey has
 * taken already. */
#include <config.h>

#include "traces/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/arena.h"
#include "traces/program-internal.h"

#define BLOCK_BYTES ((size_t)1 << 18)

/* What has been read so far, and room for the next block of a file. */
struct reading {
    XXH3_state_t *state;  /* of the contents so far */
    unsigned char *block; /* BLOCK_BYTES */
};

/* How many bytes come next that are all content, or all none. */
static size_t next_bytes(const struct trace_file *file, uint64_t place)
{
    uint64_t until = UINT64_MAX;

    if (place < file->omitted_at)
        until = file->omitted_at;
    else if (place < file->omitted_at + file->omitted_bytes)
        until = file->omitted_at + file->omitted_bytes;
    return until - place < BLOCK_BYTES ? (size_t)(until - place) : BLOCK_BYTES;
}

/* A trace_file_visit: appends the bytes of one file. `omitted_at` and `omitted_bytes` are the part of a file that
 * is no content, such as an identifier drawn by chance. */
static int add_file(void *context, const struct trace_file *part, struct base_error *error)
{
    const struct reading *reading = context;
    const char *path = part->path;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t place = 0;
    ssize_t length = -1;
    int problem;

    while (file >= 0 && (length = read(file, reading->block, next_bytes(part, place))) != 0) {
        bool is_content = place < part->omitted_at || place >= part->omitted_at + part->omitted_bytes;
        if (length < 0 && errno != EINTR)
            break;
        if (length > 0 && is_content)
            XXH3_128bits_update(reading->state, reading->block, (size_t)length);
        place += length > 0 ? (uint64_t)length : 0;
    }
    problem = errno; /* which close may change */
    if (file >= 0)
        close(file);
    return length == 0 ? 0 : base_error_system(error, problem, "%s", path);
}

/* High half first, as xxh128sum prints it. */
static void to_text(XXH128_hash_t hash, char text[TRACE_HASH_ROOM])
{
    static const char digits[] = "0123456789abcdef";
    XXH128_canonical_t bytes;

    XXH128_canonicalFromHash(&bytes, hash);
    for (size_t i = 0; i < sizeof bytes.digest; i++) {
        text[2 * i] = digits[bytes.digest[i] >> 4];
        text[2 * i + 1] = digits[bytes.digest[i] & 15];
    }
    text[2 * sizeof bytes.digest] = '\0';
}

/* The state is made by the library, since it must lie at a multiple of 64 bytes. */
static int hash_program(struct trace_program *program, struct base_error *error)
{
    struct reading reading = {XXH3_createState(), malloc(BLOCK_BYTES)};
    int status = 0;

    if (reading.state == NULL || reading.block == NULL || XXH3_128bits_reset(reading.state) != XXH_OK)
        status = base_error_memory(error, "the hash of a trace");
    else if (program->visit_files != NULL)
        status = program->visit_files(program, add_file, &reading, error);
    if (status == 0)
        to_text(XXH3_128bits_digest(reading.state), program->hash);
    XXH3_freeState(reading.state);
    free(reading.block);
    return status;
}

/* Short, and hashed at once: generators do not keep the text that they were asked by. */
void trace_program_hash_name(struct trace_program *program, const char *name)
{
    to_text(XXH3_128bits(name, strlen(name)), program->hash);
}

/* Taken at the first question and kept. NULL: a file cannot be read. */
const char *trace_program_hash(struct trace_program *program, struct base_error *error)
{
    if (program->hash[0] == '\0' && hash_program(program, error) != 0)
        return NULL;
    return program->hash;
}

/* For scandir, in place of alphasort, whose order is that of the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Events and definitions of a location: what else lies there (snapshots, notes) is not read, and no part. */
static int is_of_location(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && (strcmp(end, ".evt") == 0 || strcmp(end, ".def") == 0);
}

/* In the order of their names byte by byte, so that the hash does not depend on the locale. */
int trace_visit_locations(const char *directory, trace_file_visit *visit, void *context,
                          struct base_error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_of_location, by_name), status = 0;

    if (count < 0)
        return base_error_system(error, errno, "%s", directory);
    for (int i = 0; i < count; i++) {
        struct base_arena arena = {0};
        const char *path = base_arena_format(&arena, "%s/%s", directory, entries[i]->d_name);
        if (status == 0)
            status = path == NULL ? base_error_memory(error, "a file's name")
                                  : visit(context, &(struct trace_file){.path = path}, error);
        base_arena_free(&arena);
        free(entries[i]);
    }
    free(entries);
    return status;
}
