#include <config.h>

#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/soundness.h"

/* libFuzzer calls a function without a state of ours. */
static char directory[FUZZ_PATH];
static enum fuzz_reader reader_of_directory;

/* At the end of the process, whichever way main ends; after an abort the directory stays, with the input in
 * it. */
static void remove_directory(void)
{
    fuzz_remove_directory(reader_of_directory, directory);
}

/* abort is what both fuzzers take for a finding. */
void target_read(enum fuzz_reader reader, const uint8_t *data, size_t size)
{
    struct fuzz_files files;
    struct soundness result;

    if (directory[0] == '\0') {
        if (fuzz_make_directory(reader, directory) != 0) {
            perror("a directory for the files");
            exit(99);
        }
        reader_of_directory = reader;
        atexit(remove_directory);
    }
    fuzz_parse(reader, data, size, &files);
    soundness_check_files(reader, directory, &files, &result);
    if (result.violation[0] != '\0') {
        fprintf(stderr, "%s\n", result.violation);
        abort();
    }
}
