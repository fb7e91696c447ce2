/* What is wrong with a trace, as plain data: the answer of `flitreplay check`. Strings and arrays are owned
 * by the check's arena. */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "reports/run/clocks.h"
#include "reports/pages/host.h"

#define REPORT_CHECK_SCHEMA "flitreplay-check-1"

enum report_severity {
    REPORT_NOTE,    /* a replay is not affected */
    REPORT_WARNING, /* a replay is affected, or what it says is doubtful */
    REPORT_FAULT,   /* the trace cannot be replayed as it is */
    REPORT_SEVERITIES
};

/* "note", "warning", "fault". */
const char *report_severity_name(enum report_severity severity);

struct report_defect {
    const char *kind;              /* a stable name: "unmatched-send" */
    enum report_severity severity; /* of this one */
    uint32_t rank;                 /* UINT32_MAX: the whole trace */
    uint64_t event;                /* 0: none */
    uint64_t time_ns;              /* since the rank's first event; UINT64_MAX: unknown */
    const char *call;              /* NULL: unknown */
    const char *region;            /* the program's own, around the call; NULL: none is recorded */
    const char *text;              /* what is wrong, without the position */
};

struct report_defect_kind {
    const char *kind;              /* as in the defects */
    enum report_severity severity; /* of its worst defect */
    uint64_t count;                /* of all, also of those that are not in the list of defects */
};

struct report_check {
    struct base_arena arena;             /* of texts and lists */
    const char *trace, *format, *writer; /* its path; by name; who recorded it */
    uint32_t ranks;                      /* of the trace */
    uint64_t events;                     /* that were recorded, over all ranks */
    bool one_clock;                      /* the trace cannot tell whether ranks shared cores */
    bool common_clock;                   /* times of different ranks can be compared */
    const char *no_regions; /* why no defect has a region, a sentence without its full stop; NULL: they may */
    uint64_t unfaithful;    /* records that a replay approximates or ignores */
    const struct report_defect_kind *kinds;
    uint32_t kind_count;                 /* 0: nothing is wrong */
    const struct report_defect *defects; /* the first of each kind */
    uint32_t defect_count;
    struct report_clocks clocks; /* whether ranks had their processors */
    struct report_host host;     /* what the check took */
};

void report_check_free(struct report_check *check); /* NULL is legal */

/* All defects of one severity, counted. */
uint64_t report_check_total(const struct report_check *check, enum report_severity severity);

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_check_text(const struct report_check *check, FILE *stream, unsigned width,
                      struct base_error *error);
int report_check_json(const struct report_check *check, FILE *stream, struct base_error *error);

#endif
