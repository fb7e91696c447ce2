/* A trace of several files as one input of a fuzzer, which can change everything in it:
 *
 *      input = options:u8  entry*
 *      entry = kind:u8  number:u32  size:u32  contents        integers little-endian
 *
 *      reader   kind          number         file
 *      otf2     0 anchor      (unused)       traces.otf2
 *               1 global      (unused)       traces.def
 *               2 local       location       traces/NUMBER.def
 *               3 events      location       traces/NUMBER.evt
 *      dumpi    0 metafile    (unused)       dumpi.meta
 *               1 records     rank           dumpi-NNNN.bin
 *
 * A GOAL schedule is one file of text, so its input is the options and the text behind them, trace.goal; the
 * options are best a digit, which leaves the input legible (only the lowest four bits count).
 *
 * Kinds count modulo their number, a size that is too large means all that follows, and a file that comes
 * twice is the later one: every input means something, so that no mutation is wasted on the container. The
 * options choose how the reader is called (soundness.h). */
#ifndef TESTS_FUZZ_FILES_H
#define TESTS_FUZZ_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_ENTRIES 64   /* of one input; what follows is left out */
#define FUZZ_HEADER 9     /* bytes before an entry's contents */
#define FUZZ_PATH 512     /* of the directory and of what lies in it */
#define FUZZ_NUMBERS 4096 /* DUMPI ranks count modulo this: names have four digits */

enum fuzz_reader { FUZZ_OTF2, FUZZ_DUMPI, FUZZ_GOAL };

/* Whether its traces are one file of text, which is the input itself. */
bool fuzz_is_text(enum fuzz_reader reader);

struct fuzz_entry {
    unsigned kind;
    uint32_t number;
    const uint8_t *data;
    size_t size;
};

struct fuzz_files {
    unsigned options;
    struct fuzz_entry entries[FUZZ_ENTRIES];
    size_t count;
};

/* The entries point into data. */
void fuzz_parse(enum fuzz_reader reader, const uint8_t *data, size_t size, struct fuzz_files *files);
/* The input that fuzz_parse reads as these files, unless the reader is that of GOAL. Free it. NULL: memory.
 */
uint8_t *fuzz_pack(const struct fuzz_files *files, size_t *size);

/* libotf2 makes and clears buffers as large as the anchor says, 16 MiB for every file of EZTrace's. The smallest that
 * it takes are enough for files of some kilobytes, and many times as fast under the sanitizers: the anchor names them
 * from now on. False: it is no whole anchor, and is left alone. */
bool fuzz_shrink_buffers(struct fuzz_entry *anchor);

/* The path of an entry's file below a directory. */
void fuzz_path(enum fuzz_reader reader, const char *directory, const struct fuzz_entry *entry,
               char path[FUZZ_PATH]);
/* What trace_open is given. */
void fuzz_trace_path(enum fuzz_reader reader, const char *directory, char path[FUZZ_PATH]);

/* A new directory below $TMPDIR, with the directories that the reader's files need. 0, or -1. */
int fuzz_make_directory(enum fuzz_reader reader, char directory[FUZZ_PATH]);
void fuzz_remove_directory(enum fuzz_reader reader, const char *directory);
/* Writes and removes the files. 0, or -1 when the disk does not take them. */
int fuzz_write(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files);
void fuzz_remove(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files);

#endif
