/* Errors of the DUMPI library: as base/error.h, but of its own, since the library is installed without base/.
 */
#ifndef TRACES_DUMPITRACE_ERROR_H
#define TRACES_DUMPITRACE_ERROR_H

#include <stdarg.h>

#include "traces/dumpitrace/dumpitrace.h"

/* Where: a file, and when not negative a byte and a record. */
struct dumpi_place {
    const char *path;       /* borrowed */
    int64_t offset, record; /* -1: not known */
};

/* Fills error, which may be NULL. Returns -1. */
int dumpi_error(struct dpt_error *error, enum dpt_status status, const struct dumpi_place *place,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
/* What the operating system said: number is an errno; ENOMEM gives DPT_ERROR_MEMORY. */
int dumpi_system_error(struct dpt_error *error, int number, const char *path, const char *what);
int dumpi_memory_error(struct dpt_error *error, const char *path);

#endif
