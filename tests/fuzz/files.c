#include <config.h>

#include "tests/fuzz/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Little-endian on every machine, so that a corpus means the same everywhere. */
static uint32_t get_word(const uint8_t *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

/* The opposite of get_word. */
static void put_word(uint8_t *data, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        data[i] = (uint8_t)(word >> (8 * i));
}

/* Both sizes are 8 bytes, in the order of bytes that the second byte names: B is little-endian. */
bool fuzz_shrink_buffers(struct fuzz_entry *anchor)
{
    static const uint8_t little[8] = {0, 0, 4}, big[8] = {0, 0, 0, 0, 0, 4}; /* 256 KiB */
    uint8_t *data = (uint8_t *)anchor->data;

    if (anchor->size < 28 || (data[1] != 'B' && data[1] != '#'))
        return false;
    memcpy(data + 12, data[1] == 'B' ? little : big, sizeof little); /* of events */
    memcpy(data + 20, data[1] == 'B' ? little : big, sizeof little); /* of definitions */
    return true;
}

bool fuzz_is_text(enum fuzz_reader reader)
{
    return reader == FUZZ_GOAL;
}

/* Nothing is refused: what is too long is shortened, and an entry whose header is cut is not there. */
void fuzz_parse(enum fuzz_reader reader, const uint8_t *data, size_t size, struct fuzz_files *files)
{
    unsigned kinds = reader == FUZZ_OTF2 ? 4 : 2;

    files->options = size > 0 ? data[0] : 0;
    files->count = 0;
    if (fuzz_is_text(reader)) {
        files->entries[files->count++] =
            (struct fuzz_entry){.data = data + (size > 0), .size = size - (size > 0)};
        return;
    }
    for (size_t at = 1; at + FUZZ_HEADER <= size && files->count < FUZZ_ENTRIES;) {
        struct fuzz_entry *entry = &files->entries[files->count++];
        size_t left = size - at - FUZZ_HEADER, wanted = get_word(data + at + 5);

        entry->kind = data[at] % kinds;
        entry->number = get_word(data + at + 1);
        entry->data = data + at + FUZZ_HEADER;
        entry->size = wanted < left ? wanted : left;
        at += FUZZ_HEADER + entry->size;
    }
}

/* For tests and for tests/fuzz/pack; a fuzzer makes its inputs from others. */
uint8_t *fuzz_pack(const struct fuzz_files *files, size_t *size)
{
    uint8_t *data;
    size_t at = 1;

    *size = 1;
    for (size_t i = 0; i < files->count; i++)
        *size += FUZZ_HEADER + files->entries[i].size;
    data = malloc(*size);
    if (data == NULL)
        return NULL;
    data[0] = (uint8_t)files->options;
    for (size_t i = 0; i < files->count; i++) {
        const struct fuzz_entry *entry = &files->entries[i];

        data[at] = (uint8_t)entry->kind;
        put_word(data + at + 1, entry->number);
        put_word(data + at + 5, (uint32_t)entry->size);
        memcpy(data + at + FUZZ_HEADER, entry->data, entry->size);
        at += FUZZ_HEADER + entry->size;
    }
    return data;
}

/* Names are made from numbers only: an input cannot write outside of its directory. */
void fuzz_path(enum fuzz_reader reader, const char *directory, const struct fuzz_entry *entry,
               char path[FUZZ_PATH])
{
    if (reader == FUZZ_GOAL)
        snprintf(path, FUZZ_PATH, "%s/trace.goal", directory);
    else if (reader == FUZZ_DUMPI && entry->kind == 0)
        snprintf(path, FUZZ_PATH, "%s/dumpi.meta", directory);
    else if (reader == FUZZ_DUMPI)
        snprintf(path, FUZZ_PATH, "%s/dumpi-%04u.bin", directory, entry->number % FUZZ_NUMBERS);
    else if (entry->kind < 2)
        snprintf(path, FUZZ_PATH, "%s/traces.%s", directory, entry->kind == 0 ? "otf2" : "def");
    else
        snprintf(path, FUZZ_PATH, "%s/traces/%u.%s", directory, entry->number,
                 entry->kind == 2 ? "def" : "evt");
}

/* The anchor, the metafile or the schedule, which the input may lack: then the reader meets a path that does
 * not exist. */
void fuzz_trace_path(enum fuzz_reader reader, const char *directory, char path[FUZZ_PATH])
{
    snprintf(path, FUZZ_PATH, "%s/%s", directory,
             reader == FUZZ_OTF2    ? "traces.otf2"
             : reader == FUZZ_DUMPI ? "dumpi.meta"
                                    : "trace.goal");
}

/* Below $TMPDIR, which may well be in memory: a fuzzer writes some hundred files a second. */
int fuzz_make_directory(enum fuzz_reader reader, char directory[FUZZ_PATH])
{
    const char *below = getenv("TMPDIR");
    char inner[FUZZ_PATH + 8];

    snprintf(directory, FUZZ_PATH, "%.400s/flitreplay-fuzz-XXXXXX", below != NULL ? below : "/tmp");
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(inner, sizeof inner, "%s/traces", directory);
    return reader == FUZZ_OTF2 ? mkdir(inner, 0700) : 0;
}

/* Empty by then: fuzz_remove has taken the files of the last input. */
void fuzz_remove_directory(enum fuzz_reader reader, const char *directory)
{
    char inner[FUZZ_PATH + 8];

    snprintf(inner, sizeof inner, "%s/traces", directory);
    if (reader == FUZZ_OTF2)
        rmdir(inner);
    rmdir(directory);
}

/* A file that comes twice is written twice; the later one stays. */
int fuzz_write(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files)
{
    char path[FUZZ_PATH];

    for (size_t i = 0; i < files->count; i++) {
        const struct fuzz_entry *entry = &files->entries[i];
        FILE *file;
        size_t written;

        fuzz_path(reader, directory, entry, path);
        file = fopen(path, "wb");
        if (file == NULL)
            return -1;
        written = fwrite(entry->data, 1, entry->size, file);
        if (fclose(file) != 0 || written != entry->size)
            return -1;
    }
    return 0;
}

/* By name, not by what lies there: the directory has nothing but the input's files. */
void fuzz_remove(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files)
{
    char path[FUZZ_PATH];

    for (size_t i = 0; i < files->count; i++) {
        fuzz_path(reader, directory, &files->entries[i], path);
        unlink(path);
    }
}
