/* What was written of a program as a trace file, and what the format could not say: the answer of `flitreplay
 * convert`. */
#ifndef REPORT_CONVERT_H
#define REPORT_CONVERT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/pages/host.h"

#define REPORT_CONVERT_SCHEMA "flitreplay-convert-1"

struct report_loss {
    const char *kind; /* "call-names" */
    const char *text; /* one sentence */
    uint64_t count;   /* operations */
};

/* Everything is borrowed. */
struct report_convert {
    const char *trace, *trace_format; /* what was read */
    const char *output, *format;      /* what was written */
    uint32_t ranks;
    const struct report_loss *losses; /* what the output's format cannot say */
    uint32_t loss_count;              /* 0: nothing is lost */
    struct report_host host;          /* what the conversion took */
};

/* What was written, and what the format could not express. -1: the stream failed, or memory. */
int report_convert_text(const struct report_convert *convert, FILE *stream, unsigned width,
                        struct base_error *error);
int report_convert_json(const struct report_convert *convert, FILE *stream, struct base_error *error);

#endif
