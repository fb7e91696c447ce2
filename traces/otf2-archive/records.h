/* The commonest records of event files, read without libotf2.
 *
 * libotf2 takes some 360 instructions for an event, most of them calls within itself, and keeps a buffer of a
 * chunk (up to 16 MiB) for each file. Nearly all events of MPI programs are of a dozen simple records. Those are
 * read here, from a window that all locations share; a place in a file is three numbers. Whatever is not
 * common, not plain, or damaged is left to libotf2, from the record before which it was met: what a trace
 * means, and which error a damaged one gives, is what libotf2 says. */
#ifndef TRACE_OTF2_RECORDS_H
#define TRACE_OTF2_RECORDS_H

#include "traces/otf2-archive/events.h"

/* The bytes to be read at a time, and room behind them for records that are looked at before it is known that
 * they are not all there. */
#define TRACE_OTF2_WINDOW_BYTES 32768
#define TRACE_OTF2_WINDOW_MARGIN 1024

/* Reads the records behind *place, until the batch is full by the number of records (not of events: most
 * kinds of records are no events), and moves the place. `window`: TRACE_OTF2_WINDOW_BYTES +
 * TRACE_OTF2_WINDOW_MARGIN bytes. `chunk_bytes` is what the anchor file says. False when libotf2 must read what
 * comes; place and batch are undefined then. */
bool trace_otf2_records_read(int file, uint64_t chunk_bytes, struct trace_otf2_place *place,
                             struct trace_otf2_batch *batch, unsigned char *window, uint64_t *records);

#endif
