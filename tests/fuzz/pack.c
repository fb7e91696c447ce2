/* Packs the files of a trace into an input of a fuzz target (tests/fuzz/files.h), or unpacks one:
 *
 *      pack otf2|dumpi OPTIONS KIND:NUMBER:FILE... > INPUT
 *      pack otf2|dumpi|goal INPUT DIRECTORY
 *
 * tests/fuzz/make-corpus shows how. Anchors of OTF2 are made to name the smallest buffers. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/files.h"

/* The whole of a file, of at most 16 MiB: inputs of a fuzzer are small. */
static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 24);

    if (file == NULL || data == NULL) {
        perror(path);
        exit(1);
    }
    *size = fread(data, 1, 1 << 24, file);
    fclose(file);
    return data;
}

/* For looking at what a fuzzer has found with the tools of the format: otf2-print, dumpi2ascii, flitreplay.
 */
static int unpack(enum fuzz_reader reader, const char *input, const char *directory)
{
    struct fuzz_files files;
    size_t size;
    uint8_t *data = read_all(input, &size);
    int result;

    fuzz_parse(reader, data, size, &files);
    fprintf(stderr, "options %u, %zu files\n", files.options, files.count);
    result = fuzz_write(reader, directory, &files);
    free(data);
    return result == 0 ? 0 : 1;
}

/* In the order given; where a file comes twice the later one counts. */
static int pack(enum fuzz_reader reader, int count, char **specifications, unsigned options)
{
    struct fuzz_files files = {.options = options};
    size_t size;
    uint8_t *packed;

    for (int i = 0; i < count && i < FUZZ_ENTRIES; i++) {
        struct fuzz_entry *entry = &files.entries[files.count++];
        char path[FUZZ_PATH];

        if (sscanf(specifications[i], "%u:%u:%511[^\n]", &entry->kind, &entry->number, path) != 3) {
            fprintf(stderr, "%s: KIND:NUMBER:FILE is wanted\n", specifications[i]);
            return 2;
        }
        entry->data = read_all(path, &entry->size);
        if (reader == FUZZ_OTF2 && entry->kind == 0 && !fuzz_shrink_buffers(entry)) {
            fprintf(stderr, "%s: not an anchor file\n", path);
            return 1;
        }
    }
    packed = fuzz_pack(&files, &size);
    if (packed == NULL || fwrite(packed, 1, size, stdout) != size)
        return 1;
    free(packed);
    for (size_t i = 0; i < files.count; i++)
        free((void *)files.entries[i].data);
    return 0;
}

int main(int argc, char **argv)
{
    enum fuzz_reader reader;

    if (argc < 4) {
        fprintf(
            stderr,
            "pack otf2|dumpi OPTIONS KIND:NUMBER:FILE... > INPUT, or pack otf2|dumpi|goal INPUT DIRECTORY\n");
        return 2;
    }
    reader = strcmp(argv[1], "dumpi") == 0  ? FUZZ_DUMPI
             : strcmp(argv[1], "goal") == 0 ? FUZZ_GOAL
                                            : FUZZ_OTF2;
    if (argc == 4 && strchr(argv[3], ':') == NULL)
        return unpack(reader, argv[2], argv[3]);
    return pack(reader, argc - 3, argv + 3, (unsigned)strtoul(argv[2], NULL, 10));
}
