/* Which DUMPI trace a path means: a metafile, a prefix, or a directory that holds one. */
#ifndef TRACE_DUMPI_FIND_H
#define TRACE_DUMPI_FIND_H

#include "base/error.h"

/* What there is to open: a path, as long as there can be. */
struct trace_dumpi_place {
    char text[4096]; /* ends in a zero byte */
};

/* 1 when the path is a DUMPI trace, by what is in it, else 0. -1: no memory. */
int trace_dumpi_detect(const char *path, struct base_error *error);
/* The metafile or prefix that the path means. -1: more than one, or one rank's file of several; memory. */
int trace_dumpi_find(const char *path, struct trace_dumpi_place *place, struct base_error *error);

#endif
