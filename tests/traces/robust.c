#include <config.h>

#include "tests/traces/robust.h"
#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/soundness.h"
#include "tests/limit-alloc.h"

/* ---- Files ---- */

/* Read whole and kept: thousands of copies are made of it. */
static void load_file(struct robust_source *source, const char *path, unsigned kind, uint32_t number)
{
    struct fuzz_entry *entry = &source->files.entries[source->files.count++];
    struct stat status;
    FILE *file = fopen(path, "rb");
    uint8_t *data;

    assert_true(source->files.count <= FUZZ_ENTRIES);
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fail_msg("%s cannot be read", path);
    data = malloc((size_t)status.st_size + 1);
    assert_non_null(data);
    entry->size = fread(data, 1, (size_t)status.st_size, file);
    assert_int_equal(entry->size, status.st_size);
    entry->data = data;
    entry->kind = kind;
    entry->number = number;
    fclose(file);
}

/* The kind of a file by its name, or -1; sets the number. */
static int kind_of(enum fuzz_reader reader, const char *name, uint32_t *number)
{
    const char *dot = strrchr(name, '.'), *dash = strrchr(name, '-');

    *number = 0;
    if (dot == NULL)
        return -1;
    if (reader == FUZZ_DUMPI) {
        if (dash != NULL)
            *number = (uint32_t)strtoul(dash + 1, NULL, 10);
        return strcmp(dot, ".meta") == 0 ? 0 : strcmp(dot, ".bin") == 0 ? 1 : -1;
    }
    *number = (uint32_t)strtoul(name, NULL, 10);
    return strcmp(dot, ".def") == 0 ? 2 : strcmp(dot, ".evt") == 0 ? 3 : -1;
}

/* In the order of the names, so that a seed damages the same file on every machine. */
static void load_directory(struct robust_source *source, const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);

    assert_true(count >= 0);
    for (int i = 0; i < count; i++) {
        char path[FUZZ_PATH];
        uint32_t number;
        int kind = kind_of(source->reader, entries[i]->d_name, &number);

        snprintf(path, sizeof path, "%.300s/%.200s", directory, entries[i]->d_name);
        if (kind >= 0)
            load_file(source, path, (unsigned)kind, number);
        free(entries[i]);
    }
    free(entries);
}

/* A metafile that names its ranks' files by a time is not needed: dpt_open takes its own name for the prefix
 * when there is none, so the copies may be called otherwise. */
struct robust_source robust_load(enum fuzz_reader reader, const char *directory, const char *name)
{
    struct robust_source source = {.reader = reader, .name = name};
    char path[FUZZ_PATH];

    if (reader == FUZZ_OTF2) {
        snprintf(path, sizeof path, "%.400s/%s.otf2", directory, name);
        load_file(&source, path, 0, 0);
        assert_true(fuzz_shrink_buffers(&source.files.entries[0]));
        snprintf(path, sizeof path, "%.400s/%s.def", directory, name);
        load_file(&source, path, 1, 0);
        snprintf(path, sizeof path, "%.400s/%s", directory, name);
        load_directory(&source, path);
    } else {
        load_directory(&source, directory);
    }
    assert_true(source.files.count > 1);
    return source;
}

/* The entries of files that robust_load has read. */
void robust_unload(struct robust_source *source)
{
    for (size_t i = 0; i < source->files.count; i++)
        free((void *)source->files.entries[i].data);
    source->files.count = 0;
}

/* ---- Damage ---- */

unsigned robust_count(unsigned usual)
{
    const char *wanted = getenv("FLITREPLAY_MUTATIONS");

    return wanted == NULL || *wanted == '\0' ? usual : (unsigned)strtoul(wanted, NULL, 10);
}

/* 1 when it was read. `what` and `number` name the copy in messages; NULL: the whole one, which must be. */
static unsigned check(const struct robust_source *source, const char *directory,
                      const struct fuzz_files *files, const char *what, uint64_t number, size_t limit)
{
    const char *name = what == NULL ? "the whole" : what;
    struct soundness result;
    size_t held;
    bool within;

    limit_alloc_begin(limit);
    soundness_check_files(source->reader, directory, files, &result);
    held = limit_alloc_held();
    within = limit_alloc_end();
    if (result.violation[0] != '\0')
        fail_msg("%s, %s %llu: %s", source->name, name, (unsigned long long)number, result.violation);
    if (held > 0)
        fail_msg("%s, %s %llu: %zu bytes are left behind", source->name, name, (unsigned long long)number,
                 held);
    if (what == NULL && !result.opened)
        fail_msg("%s, undamaged: %s", source->name, result.refusal);
    if (!within)
        fail_msg("%s, %s %llu: more than %zu bytes of memory are asked for", source->name, name,
                 (unsigned long long)number, limit);
    return result.opened;
}

/* One file is damaged as a rule, which may be the anchor or the metafile as well as any other. A format of
 * text has wrong words as often as wrong bytes. */
static void damage(struct base_random *random, enum fuzz_reader reader, struct fuzz_files *files,
                   uint8_t *room[2])
{
    uint64_t damaged = base_random_below(random, 8) == 0 ? 2 : 1;

    for (uint64_t i = 0; i < damaged; i++) {
        struct fuzz_entry *entry = &files->entries[base_random_below(random, files->count)];

        room[i] = malloc(entry->size + MUTATE_ROOM);
        assert_non_null(room[i]);
        memcpy(room[i], entry->data, entry->size);
        if (fuzz_is_text(reader) && base_random_below(random, 2) == 0)
            mutate_text(random, room[i], &entry->size);
        else
            mutate_bytes(random, room[i], &entry->size);
        entry->data = room[i];
    }
}

/* Each copy has its own stream of random numbers, so that one of them can be made again without those before
 * it. */
unsigned robust_mutations(const struct robust_source *source, uint64_t first, unsigned count, size_t limit)
{
    char directory[FUZZ_PATH];
    unsigned read = 0;

    assert_int_equal(fuzz_make_directory(source->reader, directory), 0);
    if (!source->damaged)
        check(source, directory, &source->files, NULL, 0, limit);
    for (uint64_t number = first; number < first + count; number++) {
        struct fuzz_files files = source->files;
        uint8_t *room[2] = {NULL, NULL};
        struct base_random random;

        base_random_seed(&random, number, 0);
        files.options = (unsigned)base_random_below(&random, 2) == 0 ? SOUNDNESS_DEFECTS : 0;
        damage(&random, source->reader, &files, room);
        read += check(source, directory, &files, "mutation", number, limit);
        free(room[0]);
        free(room[1]);
    }
    fuzz_remove_directory(source->reader, directory);
    return read;
}

/* Only this file is cut; the others are whole, as when a disk was full or a rank was killed. */
unsigned robust_prefixes(const struct robust_source *source, size_t entry, size_t step, size_t limit)
{
    char directory[FUZZ_PATH];
    size_t whole = source->files.entries[entry].size;
    unsigned read = 0;

    assert_int_equal(fuzz_make_directory(source->reader, directory), 0);
    for (size_t size = 0; size <= whole; size += step) {
        struct fuzz_files files = source->files;

        files.entries[entry].size = size;
        files.options = size / step % 2 == 0 ? SOUNDNESS_DEFECTS : 0;
        read += check(source, directory, &files, "length", size, limit);
    }
    fuzz_remove_directory(source->reader, directory);
    return read;
}
