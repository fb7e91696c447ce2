/* The inside of struct dpt_stream, for the parts of the reader. */
#ifndef TRACES_DUMPITRACE_STREAM_H
#define TRACES_DUMPITRACE_STREAM_H

#include "traces/dumpitrace/input.h"
#include "traces/dumpitrace/layout.h"
#include "traces/dumpitrace/pool.h"

#define DUMPI_NANOSECONDS INT64_C(1000000000) /* of a second */

/* One clock, to unwrap its 16-bit seconds. */
struct dumpi_clock {
    int64_t base_seconds; /* from the head of the file */
    int64_t seconds;      /* of the last start, from base, unwrapped */
    int64_t second_ns;    /* base and seconds in nanoseconds */
    uint64_t same;        /* the 16 bits of seconds, highest and lowest: see dumpi_read_interval */
    int64_t start_ns;     /* of the last start */
};

/* Sizes that constructors among the records have given to datatype numbers; -1 for none. */
struct dumpi_datatypes {
    int64_t *sizes; /* [number], in bytes */
    size_t count;   /* room: numbers at and beyond it are unknown */
};

struct dpt_stream {
    struct dumpi_input *input;                /* the stream's own */
    struct dpt_file_info info;                /* what callers may see of the file */
    struct dumpi_version version;             /* which layouts records have */
    struct dumpi_pool info_pool, record_pool; /* as long as the stream; until the next record */
    int64_t sections[DUMPI_SECTION_COUNT];    /* offsets, 0 for none */
    int64_t index_offset;                     /* or the size of the file without an index */
    int64_t body, body_end;
    struct dumpi_clock cpu, wall;     /* each with a wrap of its own */
    struct dumpi_datatypes datatypes; /* what the records read so far have made */
    bool filtering;                   /* only functions that are wanted are given */
    bool wanted[DPT_FUNCTION_COUNT];  /* [function], when filtering */
    bool ended, broken;               /* broken: the error stays */
    bool stop_loop;
    bool plain;                       /* the next record may be one for plain.c */
    bool general;                     /* for tests: none is, from the next rewinding on */
    int64_t next_index;               /* of the record that comes next */
    uint16_t last_function;           /* of the record before; DPT_FUNCTION_COUNT: none yet */
    struct dpt_record record;         /* the present one: what callers are given points here */
    struct dpt_statistics statistics; /* of the records read so far */
    struct dpt_error error;           /* of the last call */
};

/* Reads the index and all sections but the body. Sections that make no sense are left out, with a warning.
 * Returns -1 and fills the stream's error when the file cannot be read at all, is not DUMPI, or memory is
 * out. (sections.c) */
int dumpi_read_sections(struct dpt_stream *stream);

/* Reads the arguments of stream->record, whose function and mask are set. With keep false, lists are passed
 * over. Returns -1 with the stream's error. (decode.c) */
int dumpi_decode(struct dpt_stream *stream, bool keep);
/* Fails at the cursor: the file ends early, cannot be read, or nothing is left before body_end. what is what
 * would have come. Returns -1. */
int dumpi_ends_early(struct dpt_stream *stream, const char *what);

/* Entry and exit of one clock from their 12 bytes, whatever second they are in. (stream.c) */
void dumpi_read_any_interval(struct dpt_statistics *statistics, struct dumpi_clock *clock,
                             const uint8_t *bytes, struct dpt_interval *interval);
/* The same. Most calls begin and end in the second in which the one before began: then both seconds are the same, and
 * so are the ends of the first eight bytes. */
static inline void dumpi_read_interval(struct dpt_statistics *statistics, struct dumpi_clock *clock,
                                       const uint8_t *bytes, struct dpt_interval *interval)
{
    uint64_t front = dumpi_u64(bytes);
    uint32_t start = (uint32_t)(front >> 16), stop = dumpi_u32(bytes + 8);

    if ((front & UINT64_C(0xffff00000000ffff)) == clock->same && start < DUMPI_NANOSECONDS &&
        stop < DUMPI_NANOSECONDS) {
        interval->start_ns = clock->second_ns + start;
        interval->stop_ns = clock->second_ns + stop;
        interval->start_carry = interval->stop_carry = 0;
    } else {
        dumpi_read_any_interval(statistics, clock, bytes, interval);
    }
    statistics->clock_steps_back += interval->start_ns < clock->start_ns;
    clock->start_ns = interval->start_ns;
}

/* The next record of any kind, for dpt_next: 1 when it passes the filter, 2 when it does not, 0 at the end, -1 on an
 * error. (stream.c) */
int dumpi_next_of_any(struct dpt_stream *stream);

/* Notes what a constructor among the records says of datatypes. Returns -1: no memory. (datatypes.c) */
int dumpi_follow_datatypes(struct dpt_stream *stream, const struct dpt_record *record);
static inline bool dumpi_is_constructor(unsigned function)
{
    return (function >= DPT_MPI_Type_contiguous && function <= DPT_MPI_Type_struct) ||
           function == DPT_MPI_Type_dup ||
           (function >= DPT_MPI_Type_create_darray && function <= DPT_MPI_Type_create_subarray);
}

#endif
