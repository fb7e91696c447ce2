/* Events of a location read by us and not by libotf2, which takes several calls for every field: where the records
 * of a file are those that nearly all are (regions, messages, collectives), its bytes are as our processor has them,
 * and nothing has to be corrected. Whatever is out of the ordinary, damage included, is libotf2's to judge: then a
 * whole batch is left to it, so that answers and errors are the same either way. */
#ifndef TRACE_OTF2_PLAIN_H
#define TRACE_OTF2_PLAIN_H

#include "traces/otf2-archive/events.h"

struct trace_otf2_plain;

/* Opens a file of events behind its first `position` records; chunk_bytes is what the anchor file says. The caller
 * closes it. *plain is NULL where libotf2 must read the file. -1: memory is out. */
int trace_otf2_plain_open(const char *path, uint64_t chunk_bytes, uint64_t position,
                          struct trace_otf2_plain **plain);
void trace_otf2_plain_close(struct trace_otf2_plain *plain); /* NULL is legal */

/* Reads as many records as the batch has room for, fewer only at the end of the file, and sets batch->count and
 * *records: those that are read over are in the latter alone. The batch has its translations. False: libotf2 must read
 * this batch and all behind it; nothing is left in the batch. */
bool trace_otf2_plain_read(struct trace_otf2_plain *plain, struct trace_otf2_batch *batch, uint64_t *records);

#endif
