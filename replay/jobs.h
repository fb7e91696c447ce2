/* What --job says: a program, or background traffic, and its place on a machine that it shares.
 *
 *      TRACE[,start=NS][,partition=P][,mapping=M]
 *      traffic:PATTERN,load=F[,arrivals=A][,lengths=L][,start=NS][,partition=P,nodes=N]
 *
 * Partitions, mappings, patterns and lengths have parameters behind commas of their own, so a comma ends a value
 * only before one of the words above and its '='. No kind has a parameter of such a name (a test looks). */
#ifndef REPLAY_JOBS_H
#define REPLAY_JOBS_H

#include "base/arena.h"
#include "base/error.h"
#include "replay/options.h"

struct replay_job_text {
    const char *text;                /* all of it, as given */
    const char *trace;               /* NULL: background traffic */
    const char *pattern;             /* of that; NULL: a program */
    const char *partition, *mapping; /* NULL: not given */
    const char *arrivals, *lengths;  /* of traffic; never NULL there */
    uint64_t start_ns, load_millionths;
    uint32_t nodes; /* of traffic: terminals that it needs; 0: not given */
};

/* The words that end a value, NULL-terminated. */
const char *const *replay_job_keys(void);
/* Texts are copied to the arena. -1: BASE_USAGE with a sentence that quotes the text, or memory. */
int replay_job_parse(struct base_arena *arena, const char *text, struct replay_job_text *job,
                     struct base_error *error);
/* All --job of the settings, in the order given, in the arena. *count is 0 when there is none. -1 as above. */
int replay_jobs_parse(struct base_arena *arena, const struct replay_settings *settings,
                      struct replay_job_text **jobs, uint32_t *count, struct base_error *error);

#endif
