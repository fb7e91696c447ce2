/* What the reader and the writer of DUMPI records share: how arguments lie in struct dpt_value, and the
 * numbers of the format. */
#ifndef TRACES_DUMPI_LAYOUT_H
#define TRACES_DUMPI_LAYOUT_H

#include "traces/dumpitrace.h"

/* Which member of struct dpt_value holds an argument. */
enum dumpi_shape {
    DUMPI_NUMBER,
    DUMPI_NUMBERS,
    DUMPI_STRINGS,
    DUMPI_STRING_LISTS,
    DUMPI_NUMBER_LISTS,
    DUMPI_STATUSES
};

enum dumpi_shape dumpi_shape_of(unsigned type);

/* Whether the rank and the root among the first `before` values are the same. */
bool dumpi_here_is_root(const struct dpt_record *record, unsigned before);

#define DUMPI_MAGIC UINT64_C(0xFFAADD44554D5049)
#define DUMPI_FOOTER_MAGIC UINT64_C(0x00000000F007FEE7)
#define DUMPI_END_MARKER 293     /* in place of a function; in very old files: */
#define DUMPI_OLD_END_MARKER 290 /* also the footer's place for totals */

/* The sections of the index, in the order in which today's files have them after the magic number. Files from
 * before sizes, addresses and counters were recorded lack the first one, two or three. */
enum dumpi_section {
    DUMPI_SIZES,
    DUMPI_ADDRESSES,
    DUMPI_COUNTERS,
    DUMPI_HEADER,
    DUMPI_BODY,
    DUMPI_FOOTER,
    DUMPI_KEY_VALUES,
    DUMPI_SECTION_COUNT
};

/* What depends on the version that a file was written by. */
struct dumpi_version {
    bool has_mesh_sizes;    /* since 0.5 */
    bool argc_is_doubled;   /* MPI_Init before 0.6.2 */
    bool status_has_tag;    /* since 0.6.3 */
    bool cart_get_has_list; /* since 0.6.8 */
    bool struct_has_list;   /* MPI_Type_struct since 0.6.9 */
};

struct dumpi_version dumpi_version_of(const uint8_t version[3]);

#endif
