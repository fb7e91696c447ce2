/* Files for the tests of the DUMPI library: where traces are, and temporary copies of them. Helpers fail the
 * running test when the system does not do what they need. */
#ifndef TESTS_TRACES_DUMPITRACE_DUMPI_FILES_H
#define TESTS_TRACES_DUMPITRACE_DUMPI_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/dumpitrace/dumpitrace.h"

struct bytes {
    unsigned char *data;
    size_t size;
};

/* The directory of the DUMPI traces: the shared ones where they are, else the bundled ones. */
const char *traces_directory(void);
/* A path below the source tree, valid until the next call. */
const char *source_path(const char *below);
/* A name for a temporary file of this process, valid until the next call with the same number (0 to 3). */
const char *temporary_path(int number, const char *suffix);

struct bytes read_file(const char *path);
void write_file(const char *path, const void *data, size_t size);
/* The same, compressed. */
void write_compressed(const char *path, const void *data, size_t size);

/* Writes a copy of the file that a stream reads, record by record; returns the error's text or "". */
const char *copy_stream(struct dpt_stream *stream, const char *path);
/* Fails unless both files give the same records (as text), in the same number, and end alike. */
void assert_same_records(const char *path, const char *other);
/* Reads a file to its end and closes it: the number of whole records, -1 when it cannot be opened. The status
 * of the end or of the opening goes to *status; an error must have a text. Everything that a record points to
 * is touched. */
long drain(const char *path, enum dpt_status *status);

#endif
