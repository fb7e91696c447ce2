/* Fewer repetitions for whoever runs the tests of one source several times.
 *
 * FLITREPLAY_BRIEF=yes is what .ci/run sets for its builds after the first one: the distribution and the
 * sanitizers. There a random test draws a part of its cases, the first ones, and an exhaustive one takes
 * part of its places; which part is printed. What such builds look for (files that are missing, memory
 * that is misused) shows in a part of the cases as in all of them; what the cases look for was looked for
 * by the first build, which takes them all. */
#ifndef TESTS_BRIEF_H
#define TESTS_BRIEF_H

#include "tests/suite.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether a part is enough. */
static inline bool brief(void)
{
    const char *wanted = getenv("FLITREPLAY_BRIEF");
    return wanted != NULL && strcmp(wanted, "yes") == 0;
}

/* How many of the usual number of cases are to be drawn: all, or 1 of every `part`. `what` names them in the output. */
static inline uint64_t brief_count(const char *what, uint64_t usual, uint64_t part)
{
    if (!brief())
        return usual;
    print_message("FLITREPLAY_BRIEF=yes: %" PRIu64 " of %" PRIu64 " %s\n", usual / part, usual, what);
    return usual / part;
}

/* How far it is to the next place of an exhaustive test: 1, or `part`. */
static inline uint32_t brief_step(const char *what, uint32_t part)
{
    if (!brief())
        return 1;
    print_message("FLITREPLAY_BRIEF=yes: 1 of every %" PRIu32 " %s\n", part, what);
    return part;
}

#endif
