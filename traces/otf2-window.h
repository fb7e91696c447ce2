/* A window over one chunk of an OTF2 file, moved along as it is read. OTF2 files are chunks of one size, each
 * a header and records, and a last record of one byte that says whether another chunk follows. */
#ifndef TRACE_OTF2_WINDOW_H
#define TRACE_OTF2_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_OTF2_WINDOW_BYTES 32768
#define TRACE_OTF2_WINDOW_SLACK 64 /* zeros behind what is held: reading a number needs no look at the end */

struct trace_otf2_window {
    const char *path; /* borrowed */
    int file;         /* -1: closed; it is opened when more is to be read */
    bool big_endian;
    uint64_t size, chunk_bytes;
    uint64_t chunk_end, at; /* in the file: the end of the chunk, what is to be read into the window next */
    size_t next, held;      /* in the window: the next byte to look at, the end */
    unsigned char bytes[TRACE_OTF2_WINDOW_BYTES + TRACE_OTF2_WINDOW_SLACK];
};

/* Before the first chunk. False when there is no such file, with errno. */
bool trace_otf2_window_open(struct trace_otf2_window *window, const char *path, uint64_t chunk_bytes);
/* Closes the file until more is read. */
void trace_otf2_window_rest(struct trace_otf2_window *window);
/* Goes to the records of the chunk that begins there. False when it has no header. */
bool trace_otf2_window_chunk(struct trace_otf2_window *window, uint64_t begin);
/* Moves the window on, so that it holds `wanted` bytes (at most its slack); false when fewer are left. */
bool trace_otf2_window_refill(struct trace_otf2_window *window, size_t wanted);
/* Leaves bytes out, more than the window holds if need be; false when the chunk has fewer. */
bool trace_otf2_window_skip(struct trace_otf2_window *window, uint64_t length);
/* Leaves a record out whose type has been read: its length, and as many bytes. */
bool trace_otf2_window_skip_record(struct trace_otf2_window *window);
/* The same, and says where its content begins in the window, if that is all there: *length bytes of it. */
bool trace_otf2_window_length(struct trace_otf2_window *window, uint64_t *length);

static inline bool trace_otf2_window_has(struct trace_otf2_window *window, size_t wanted)
{
    return window->held - window->next >= wanted || trace_otf2_window_refill(window, wanted);
}

/* The types of records that all files have. */
enum { TRACE_OTF2_CHUNK_ENDS = 0, TRACE_OTF2_FILE_ENDS = 2, TRACE_OTF2_CHUNK_BEGINS = 3 };

/* How many definitions libotf2 can read from a file before it runs into its end; TRACE_OTF2_WHOLE when the file
 * is whole, and for one that cannot be opened or is empty, which libotf2 tells of itself. It does not notice
 * (3.0.2) that a file ends: it takes what its buffer held before for the rest of the last chunk, and where
 * that chunk asks for another one, it reads the same chunk again, for ever. */
#define TRACE_OTF2_WHOLE UINT64_MAX
uint64_t trace_otf2_readable_definitions(const char *path, uint64_t chunk_bytes);

#endif
