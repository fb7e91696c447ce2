/* What a trace format provides: one descriptor per reader, listed in kinds.def. Used by trace_open only. */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include "traces/program.h"

struct trace_format {
    const char *name;    /* "otf2" */
    const char *summary; /* a line of help */
    /* Looks at the content: 1 when path is a trace of this format, else 0. -1: no memory to look (BASE_SYSTEM), and no
     * other error. */
    int (*detect)(const char *path, struct base_error *error);
    struct trace_program *(*open)(const char *path, const struct trace_options *options,
                                  struct base_error *error);
};

/* Every registered format, in the order of kinds.def; *count is their number. */
const struct trace_format *const *trace_formats(size_t *count);

#endif
