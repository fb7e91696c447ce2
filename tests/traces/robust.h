/* Damaged traces of one format, by the thousand: what tests/traces/otf2/test-robust.c,
 * tests/traces/dumpi/test-robust.c and tests/traces/goal/test-robust.c share. */
#ifndef TESTS_TRACES_ROBUST_H
#define TESTS_TRACES_ROBUST_H

#include <stdbool.h>

#include "tests/fuzz/files.h"

/* The files of a trace in memory. */
struct robust_source {
    enum fuzz_reader reader;
    struct fuzz_files files;
    const char *name; /* for messages */
    bool damaged;     /* not a trace that can be read as it is */
};

/* Reads the files of a trace: of an OTF2 archive whose anchor is DIRECTORY/NAME.otf2, or of a DUMPI trace
 * whose files all lie in the directory. Fails the test when there is none. */
struct robust_source robust_load(enum fuzz_reader reader, const char *directory, const char *name);
void robust_unload(struct robust_source *source);

/* How many mutations to make: the usual number, or what $FLITREPLAY_MUTATIONS says, for a longer search. */
unsigned robust_count(unsigned usual);
/* Reads `count` damaged copies, numbers first to first + count - 1 of the seeded set: none may break a
 * promise (tests/fuzz/soundness.h) or take more than limit bytes. Returns how many were read rather than
 * refused. */
unsigned robust_mutations(const struct robust_source *source, uint64_t first, unsigned count, size_t limit);
/* The same for all lengths of one file, from nothing to the whole, `step` apart. */
unsigned robust_prefixes(const struct robust_source *source, size_t entry, size_t step, size_t limit);

#endif
