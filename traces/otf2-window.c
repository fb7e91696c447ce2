/* What a file looks like:
 *
 *     chunk   03, the order of bytes, two numbers of 8 bytes, records, and at its end a record of one byte: 00
 *             when another chunk follows, 02 at the end of the file
 *     record  its type, the length of the rest (1 byte; ff: in the next 8), the rest */
#include <config.h>

#include "traces/otf2-window.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES 18
#define LONG_LENGTH 0xff

/* A pipe or a directory has no records. */
bool trace_otf2_window_open(struct trace_otf2_window *window, const char *path, uint64_t chunk_bytes)
{
    struct stat status;

    window->path = path;
    window->big_endian = false;
    window->chunk_bytes = chunk_bytes;
    window->chunk_end = window->at = 0;
    window->next = window->held = 0;
    window->file = open(path, O_RDONLY);
    if (window->file < 0)
        return false;
    if (fstat(window->file, &status) != 0 || !S_ISREG(status.st_mode))
        status.st_size = 0;
    window->size = (uint64_t)status.st_size;
    return true;
}

void trace_otf2_window_rest(struct trace_otf2_window *window)
{
    if (window->file >= 0)
        close(window->file);
    window->file = -1;
}

bool trace_otf2_window_refill(struct trace_otf2_window *window, size_t wanted)
{
    window->held -= window->next;
    memmove(window->bytes, window->bytes + window->next, window->held);
    window->next = 0;
    while (window->held < wanted && window->at < window->chunk_end) {
        uint64_t left = window->chunk_end - window->at;
        size_t room = TRACE_OTF2_WINDOW_BYTES - window->held;
        ssize_t got;
        if (window->file < 0 && (window->file = open(window->path, O_RDONLY)) < 0)
            break;
        got = pread(window->file, window->bytes + window->held, left < room ? (size_t)left : room,
                    (off_t)window->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        window->held += (size_t)got;
        window->at += (uint64_t)got;
    }
    memset(window->bytes + window->held, 0, TRACE_OTF2_WINDOW_SLACK);
    return window->held >= wanted;
}

bool trace_otf2_window_chunk(struct trace_otf2_window *window, uint64_t begin)
{
    window->at = begin;
    window->chunk_end = window->size;
    if (window->chunk_bytes < window->size - begin)
        window->chunk_end = begin + window->chunk_bytes;
    window->next = window->held = 0;
    if (!trace_otf2_window_has(window, HEADER_BYTES) || window->bytes[0] != TRACE_OTF2_CHUNK_BEGINS ||
        (window->bytes[1] != 'B' && window->bytes[1] != '#'))
        return false;
    window->big_endian = window->bytes[1] == '#';
    window->next = HEADER_BYTES;
    return true;
}

bool trace_otf2_window_skip(struct trace_otf2_window *window, uint64_t length)
{
    size_t held = window->held - window->next;

    if (length <= held) {
        window->next += (size_t)length;
        return true;
    }
    if (length - held > window->chunk_end - window->at)
        return false;
    window->at += length - held;
    window->next = window->held = 0;
    return true;
}

bool trace_otf2_window_length(struct trace_otf2_window *window, uint64_t *length)
{
    const unsigned char *bytes;

    if (!trace_otf2_window_has(window, 1))
        return false;
    *length = window->bytes[window->next++];
    if (*length != LONG_LENGTH)
        return true;
    if (!trace_otf2_window_has(window, 8))
        return false;
    bytes = window->bytes + window->next;
    *length = 0;
    for (unsigned i = 0; i < 8; i++)
        *length |= (uint64_t)bytes[i] << (window->big_endian ? 56 - 8 * i : 8 * i);
    window->next += 8;
    return true;
}

bool trace_otf2_window_skip_record(struct trace_otf2_window *window)
{
    uint64_t length;

    return trace_otf2_window_length(window, &length) && trace_otf2_window_skip(window, length);
}

/* The number of definitions in a chunk; sets the type of the record that ended it, or another one where it does
 * not end. */
static uint64_t count_chunk(struct trace_otf2_window *window, uint64_t begin, unsigned *last)
{
    uint64_t count = 0;

    *last = TRACE_OTF2_CHUNK_BEGINS;
    if (!trace_otf2_window_chunk(window, begin))
        return 0;
    while (trace_otf2_window_has(window, 1)) {
        unsigned type = window->bytes[window->next++];
        if (type == TRACE_OTF2_CHUNK_ENDS || type == TRACE_OTF2_FILE_ENDS) {
            *last = type;
            return count;
        }
        if (!trace_otf2_window_skip_record(window))
            return count;
        count++;
    }
    return count;
}

uint64_t trace_otf2_readable_definitions(const char *path, uint64_t chunk_bytes)
{
    struct trace_otf2_window window;
    unsigned last = TRACE_OTF2_CHUNK_ENDS;
    uint64_t count = 0;

    if (chunk_bytes == 0 || !trace_otf2_window_open(&window, path, chunk_bytes))
        return TRACE_OTF2_WHOLE;
    if (window.size == 0)
        last = TRACE_OTF2_FILE_ENDS;
    for (uint64_t begin = 0; begin < window.size && last == TRACE_OTF2_CHUNK_ENDS; begin += chunk_bytes)
        count += count_chunk(&window, begin, &last);
    trace_otf2_window_rest(&window);
    return last == TRACE_OTF2_FILE_ENDS ? TRACE_OTF2_WHOLE : count;
}
