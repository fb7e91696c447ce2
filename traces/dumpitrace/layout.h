/* What the reader and the writer of DUMPI records share: how arguments lie in struct dpt_value, and the
 * numbers of the format.
 *
 * A file of one rank, as the recorder writes it; all numbers are big-endian, nothing is aligned:
 *
 *     FF AA DD "DUMPI"                          lead-in, 8 bytes
 *     i32 cpu base seconds, i32 wall base       the body: records follow each other without their lengths
 *       u16 function                              its layout is in functions.def
 *       u8  mask                                  which of the following are there
 *       u16 thread
 *       u16 sec, u32 nsec, u16 sec, u32 nsec      CPU time at entry and at exit, from the base
 *       u16 sec, u32 nsec, u16 sec, u32 nsec      wall time likewise
 *       u8 n, n x (i64, i64)                      hardware counters at entry and at exit
 *       arguments
 *     u16 293                                   end marker
 *     header, footer, keys, counter names, datatype sizes, function addresses
 *     FF AA DD "DUMPI"                          index: the places of the sections from the start of the file
 *     u64 sizes, addresses, counters, header, body, footer, keys
 *
 * Only the first 8 bytes and the index have fixed places. A reader that does not know a function's layout
 * cannot go on, since nothing says where the next record begins. */
#ifndef TRACES_DUMPITRACE_LAYOUT_H
#define TRACES_DUMPITRACE_LAYOUT_H

#include "traces/dumpitrace/dumpitrace.h"

/* Which member of struct dpt_value holds an argument. Types that differ only in what their numbers mean, or
 * in how many bytes these have on disk, have the same shape: all lists of numbers are widened to 32 bits. */
enum dumpi_shape {
    DUMPI_NUMBER,
    DUMPI_NUMBERS,
    DUMPI_STRINGS,
    DUMPI_STRING_LISTS,
    DUMPI_NUMBER_LISTS,
    DUMPI_STATUSES
};

/* The shape of an enum dpt_type. */
enum dumpi_shape dumpi_shape_of(unsigned type);

/* By function; those without a layout have no name. For the reader's main path, which looks one up for each
 * record: dpt_layout() otherwise. */
extern const struct dpt_layout dumpi_layouts[DPT_FUNCTION_COUNT];

/* Whether the rank and the root among the first `before` values are the same. In Gatherv and its
 * like, the root alone knows all counts, so it alone has them in its record; both numbers stand before them.
 */
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

/* What depends on the version that a file was written by. Each is one field more or less. Request numbers of
 * 8 bits (before 0.6.7) need no gate: they are recycled numbers as all others. */
struct dumpi_version {
    bool has_mesh_sizes;    /* since 0.5 */
    bool argc_is_doubled;   /* MPI_Init before 0.6.2 */
    bool status_has_tag;    /* since 0.6.3 */
    bool cart_get_has_list; /* since 0.6.8 */
    bool struct_has_list;   /* MPI_Type_struct since 0.6.9 */
};

/* version is major, minor, micro. */
struct dumpi_version dumpi_version_of(const uint8_t version[3]);

#endif
