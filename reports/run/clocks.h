/* Which clock a trace's computing should come from, told to whoever replays one that was recorded with more
 * ranks than processors. */
#ifndef REPORT_CLOCKS_H
#define REPORT_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct report_json;
struct json_t;
struct report_page;

/* Zeroed: nothing is known, or nothing is to be said. */
struct report_clocks {
    bool oversubscribed;         /* what follows is worth a sentence */
    bool uses_wall;              /* the wall clock is in force */
    const char *cure;            /* "--clock cpu (or min)": what to take instead; a constant */
    bool cure_is_min;            /* it is "--clock min" alone */
    uint64_t lost_gaps, lost_ns; /* gaps between calls in which a rank lost its processor, and for how long */
    uint32_t lost_ranks;         /* the ranks that did */
    uint64_t wall_ns, cpu_ns;    /* computing of all ranks by either clock */
    /* Of the ideal network by the wall clock and by the other that is to be taken; both 0: not known. */
    uint64_t ideal_wall_ns, ideal_cure_ns;
};

/* A paragraph; nothing where the ranks had their processors, or the clock is not the wall's. of: which of
 * several traces is meant, "[2] "; else "". */
void report_clocks_text(struct report_page *page, const struct report_clocks *clocks, const char *of);
/* The object "oversubscribed" of an answer; null where the ranks had their processors, or nothing tells. */
void report_clocks_json(struct report_json *json, struct json_t *parent, const struct report_clocks *clocks);

#endif
