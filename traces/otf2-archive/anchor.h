/* The identifier of an OTF2 archive: 64 bits that libotf2 draws by chance for each archive that it writes,
 * and that no function of it sets. It says nothing of the content, and stands in the anchor file alone,
 * behind the properties:
 *
 *      46 bytes: signature, versions, sizes, counts | machine, description, creator
 *      | number of properties, names and values | identifier | …
 *
 * So a trace's hash leaves it out, and what we write gets one that follows from the content: equal programs
 * are equal bytes. */
#ifndef TRACE_OTF2_ANCHOR_H
#define TRACE_OTF2_ANCHOR_H

#include <otf2/otf2.h>

#include "base/error.h"

#define TRACE_OTF2_IDENTIFIER_BYTES 8

/* Sets *place to the byte of the anchor file at which the identifier begins that the reader has of it; 0: it
 * is not where it was known to be, and nothing can be said of it. -1: the file cannot be read (BASE_SYSTEM,
 * BASE_INPUT). */
int trace_otf2_anchor_find(const char *anchor, OTF2_Reader *reader, uint64_t *place,
                           struct base_error *error);

/* Puts an identifier into a written archive (its anchor file, and the file of its global definitions) that is
 * a hash of these two: of names, times and the number of records of each location. -1: they cannot be read or
 * written. */
int trace_otf2_anchor_settle(const char *anchor, const char *definitions, struct base_error *error);

#endif
