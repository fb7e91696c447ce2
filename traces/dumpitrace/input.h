/* A file read through a window of 64 KiB, so that memory does not depend on its size; plain or compressed by
 * gzip. Bytes are taken in order; seeking is cheap in a plain file, and in a compressed one when it goes to
 * the last 64 KiB (where the index and its sections are) or forwards.
 *
 *     struct dumpi_input *input = dumpi_input_open("run-0003.bin.gz", &error);
 *     const uint8_t *bytes = dumpi_take(input, 4);       NULL: fewer are left, or reading failed
 *
 * The file is open only while it is read from; so it must stay where it is.
 *
 * Taking is in line because each argument of each record is taken. */
#ifndef TRACES_DUMPITRACE_INPUT_H
#define TRACES_DUMPITRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/dumpitrace/error.h"

#define DUMPI_WINDOW_BYTES 65536
/* The most that one dumpi_take can give; longer runs are taken in pieces. */
#define DUMPI_TAKE_BYTES 4096

struct dumpi_input {
    const uint8_t *cursor, *end; /* what is left of the window, up to the limit */
    int64_t end_offset;          /* in the file, of end */
    int64_t limit;               /* nothing at or after it is given */
    int64_t size;                /* of the file, uncompressed, as far as it can be read */
    int system_error;            /* an errno when reading failed, else 0 */
    bool cut;                    /* compressed, and the compressed data end early or are damaged */
    char *path;
    struct dumpi_source *source;        /* where windows are filled from */
    uint8_t window[DUMPI_WINDOW_BYTES]; /* a piece of the file, that ends at end_offset */
};

/* Errors: no such file, not a regular file, no permission, no memory. */
struct dumpi_input *dumpi_input_open(const char *path, struct dpt_error *error);
/* NULL is legal. */
void dumpi_input_close(struct dumpi_input *input);
/* Goes to offset, and gives nothing at or after limit from now on: 0 <= offset <= limit <= size. */
void dumpi_input_seek(struct dumpi_input *input, int64_t offset, int64_t limit);
/* Refills the window so that at least bytes <= DUMPI_TAKE_BYTES are in it, or returns -1. */
int dumpi_input_fill(struct dumpi_input *input, size_t bytes);

static inline int64_t dumpi_offset(const struct dumpi_input *input)
{
    return input->end_offset - (input->end - input->cursor);
}

static inline int64_t dumpi_left(const struct dumpi_input *input)
{
    return input->limit - dumpi_offset(input);
}

static inline const uint8_t *dumpi_take(struct dumpi_input *input, size_t bytes)
{
    const uint8_t *taken;

    if ((size_t)(input->end - input->cursor) < bytes && dumpi_input_fill(input, bytes) != 0)
        return NULL;
    taken = input->cursor;
    input->cursor += bytes;
    return taken;
}

/* Numbers are big-endian everywhere. */
static inline uint16_t dumpi_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t dumpi_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint64_t dumpi_u64(const uint8_t *bytes)
{
    return (uint64_t)dumpi_u32(bytes) << 32 | dumpi_u32(bytes + 4);
}

static inline int32_t dumpi_i32(const uint8_t *bytes)
{
    return (int32_t)dumpi_u32(bytes);
}

#endif
