/* The table of calls.def: names are compared without case, without a leading "p" (of the profiling
 * interface) and without the endings that Fortran compilers and bindings add. */
#include "traces/otf2-archive/calls.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct trace_otf2_call calls[] = {
#define TRACE_OTF2_CALL(name, class) {name, TRACE_OTF2_##class},
#include "traces/otf2-archive/calls.def"
#undef TRACE_OTF2_CALL
};

/* What the coverage says of a class of calls; `how` is NULL where nothing need be said. */
struct treatment {
    enum trace_treatment treatment; /* exact, decomposed, approximate or ignored */
    const char *how;
};

static const struct treatment treatments[] = {
    [TRACE_OTF2_LOCAL] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_INIT] = {TRACE_EXACT, NULL},     /* the rank's program starts where it returns */
    [TRACE_OTF2_FINALIZE] = {TRACE_EXACT, NULL}, /* … and ends where it is called */
    [TRACE_OTF2_POINT_TO_POINT] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_BUFFERED] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_SYNCHRONOUS] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_SENDRECV] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_WAIT_ONE] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_WAIT_ALL] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_TEST] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_PROBE] = {TRACE_IGNORED, "the message looked for is not recorded"},
    [TRACE_OTF2_CANCEL] = {TRACE_IGNORED, "a cancelled receive is left out"},
    [TRACE_OTF2_FREE] = {TRACE_EXACT, NULL},
    [TRACE_OTF2_COLLECTIVE] = {TRACE_DECOMPOSED, "point-to-point messages of the selected algorithm"},
    [TRACE_OTF2_VECTOR] = {TRACE_APPROXIMATE, "only each rank's totals are recorded: split in proportion"},
    [TRACE_OTF2_NEIGHBOUR] = {TRACE_APPROXIMATE,
                              "the recorded collective over all members: neighbours are not recorded"},
    [TRACE_OTF2_NONBLOCKING] = {TRACE_DECOMPOSED, "point-to-point messages of the selected algorithm"},
    [TRACE_OTF2_SPLIT] = {TRACE_DECOMPOSED, "an implied allgather of colour and key"},
    [TRACE_OTF2_DUPLICATE] = {TRACE_DECOMPOSED, "an implied barrier on the parent"},
    [TRACE_OTF2_CREATE] = {TRACE_DECOMPOSED, "an implied barrier on the parent"},
    [TRACE_OTF2_MERGE] = {TRACE_DECOMPOSED, "an implied barrier on the inter-communicator"},
    [TRACE_OTF2_JOIN] = {TRACE_DECOMPOSED,
                         "messages between the first ranks of both groups, then an implied bcast in each"},
    [TRACE_OTF2_COMMUNICATOR] = {TRACE_IGNORED, "the trace holds no record of its synchronisation"},
    [TRACE_OTF2_ONE_SIDED] = {TRACE_APPROXIMATE, "transfers that the call which closes the epoch waits for"},
    [TRACE_OTF2_FILES] = {TRACE_APPROXIMATE, "the recorded duration as compute time"},
    [TRACE_OTF2_OTHER] = {TRACE_IGNORED, "not known to this reader; its time is left out"},
};

/* The length of a region's name without "_", "_f08" and the like at its end. Repeated until none fits:
 * Fortran names come with two endings at a time. */
static size_t stem_length(const char *name)
{
    static const char *const endings[] = {"_", "_f08ts", "_f08", "_f"};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof *endings;) {
        size_t ending = strlen(endings[i]);
        bool ends = length > ending && strncasecmp(name + length - ending, endings[i], ending) == 0;
        if (ends)
            length -= ending;
        i = ends ? 0 : i + 1;
    }
    return length;
}

/* Patterns are names, or a beginning and a star. */
static bool matches(const char *pattern, const char *name, size_t length)
{
    size_t pattern_length = strlen(pattern);
    if (pattern[pattern_length - 1] == '*')
        return length >= pattern_length - 1 && strncasecmp(pattern, name, pattern_length - 1) == 0;
    return length == pattern_length && strncasecmp(pattern, name, length) == 0;
}

/* A table of some hundred names is searched once for each region that is defined, not for each event. Names with a
 * star stand for all that begin so, and keep the region's own name for the reports. */
bool trace_otf2_call_find(const char *region, bool of_mpi, struct trace_otf2_call *call)
{
    const char *name = strncasecmp(region, "pmpi_", 5) == 0 ? region + 1 : region;
    size_t length = stem_length(name);

    /* What EZTrace does at the end of a process takes the place of the MPI_Finalize that it does not record.
     */
    if (strcmp(region, TRACE_OTF2_EZTRACE_FINALIZE) == 0) {
        *call = (struct trace_otf2_call){region, TRACE_OTF2_FINALIZE};
        return true;
    }
    if (strncasecmp(name, "mpi_", 4) != 0)
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (matches(calls[i].name, name, length)) {
            *call = calls[i];
            if (strchr(call->name, '*') != NULL)
                call->name = region;
            return true;
        }
    }
    *call = (struct trace_otf2_call){region, TRACE_OTF2_OTHER};
    return of_mpi;
}

/* What the coverage says of a call unless the trace says more (traces/otf2/report.c). */
enum trace_treatment trace_otf2_class_treatment(enum trace_otf2_class class, const char **how)
{
    *how = treatments[class].how;
    return treatments[class].treatment;
}
