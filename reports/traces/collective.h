/* One collective as an answer: whose algorithm, how much it sends, and every message. Messages are not kept:
 * they are asked for when they are written, since there may be more of them than memory holds. */
#ifndef REPORT_COLLECTIVE_H
#define REPORT_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/pages/host.h"

/* Ranks count from 0 in the communicator; step is 0 when steps were not counted. Anything but 0 ends the row
 * of calls. */
typedef int report_collective_put(void *context, uint32_t rank, uint32_t step, uint32_t destination,
                                  uint64_t bytes);

struct report_schedule {
    const char *operation; /* "allreduce" */
    const char *sizes;     /* what `bytes` are: "the whole buffer" */
    uint32_t ranks;
    const uint32_t *root; /* NULL: an operation without */
    uint64_t bytes;
    const char *table; /* that chose the algorithm, and how it compares with its library (or NULL) */
    const char *checked;
    const char *rules; /* of the user's own, before the table; NULL: none */
    bool by_rule;      /* one of them chose */
    const char *algorithm, *summary;
    uint64_t segment_bytes;           /* 0: none */
    uint64_t messages, message_bytes; /* of all ranks */
    uint64_t rank_messages_max, rank_bytes_max;
    const uint32_t *steps; /* the longest chain of messages; NULL: not counted */
    struct report_host host;
    /* Calls put for every message, by rank and in the order sent: 0, what put returned, or -1 with the error.
     */
    int (*each)(const void *source, report_collective_put *put, void *context, struct base_error *error);
    const void *source; /* handed to each */
};

/* 0, or -1 with the error: memory, or a failed write. Text is the totals alone; JSON and CSV hold every
 * message. */
int report_collective_text(const struct report_schedule *report, FILE *stream, unsigned width,
                           struct base_error *error);
int report_collective_json(const struct report_schedule *report, FILE *stream, struct base_error *error);
int report_collective_csv(const struct report_schedule *report, FILE *stream, struct base_error *error);

#endif
