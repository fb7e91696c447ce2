/* What part of a trace an answer is of, and what crosses its borders: in the answers of run and map. */
#ifndef REPORT_WINDOW_H
#define REPORT_WINDOW_H

#include <stdint.h>

struct report_json;
struct json_t;
struct report_page;

struct report_window {
    const char *from, *to;            /* the marks, as options have them */
    uint64_t calls, all_calls;        /* in it, and in the whole trace, over all ranks */
    uint64_t sends, receives, probes; /* in it, whose other side is not: complete at once */
    uint64_t collectives;             /* that some ranks call in it and some outside … */
    uint64_t collective_calls;        /* … and the calls of these in it: complete at once */
    uint64_t requests_before;         /* started before it and waited for in it: complete */
    uint64_t requests_after;          /* started in it, waited for behind it: nobody waits */
    uint32_t empty_ranks;             /* ranks without a call in it */
};

/* A paragraph; nothing for NULL, a whole trace. */
void report_window_text(struct report_page *page, const struct report_window *window);
/* The object "window" of an answer, null for a whole trace. */
void report_window_json(struct report_json *json, struct json_t *parent, const struct report_window *window);

#endif
