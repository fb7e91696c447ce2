/* A window on a file that is plain or compressed by gzip; see the header for how it is used.
 *
 *     file      ····|taken|cursor  ready  end|  still to come  |limit ····· size
 *                   └────── the window ──────┘ end_offset: dumpi_input_fill goes on here
 *
 * A compressed file is decompressed once when it is opened, to know its size and to keep its tail: the index
 * and its sections are there, and are read before everything else. The records are then a second pass from
 * the start. Memory does not depend on the size of the file. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "traces/dumpitrace/input.h"

/* Where the bytes come from. No descriptor is held: the file is opened for each window, which costs little
 * beside reading it, so that a trace of more ranks than a process may have open files can be read. */
struct dumpi_source {
    bool is_compressed; /* else nothing of what follows is used */
    /* Compressed data: a pass of decompression that goes forwards. The size is only known once it has gone
     * through all; what it saw last is kept, since the index there is what is read next. */
    z_stream pass;
    bool has_pass, at_end, damaged; /* the pass has begun; has gone through; had to stop */
    int64_t read_offset;            /* in the file, of the input that comes next */
    int64_t given_offset;           /* of the decompressed data that come next */
    int64_t tail_offset;
    size_t tail_bytes; /* held in tail */
    uint8_t *tail;     /* of DUMPI_WINDOW_BYTES */
    uint8_t *piece;    /* of PIECE_BYTES, compressed */
};
#define PIECE_BYTES 16384

/* Without O_NONBLOCK opening a pipe would wait for its writer. */
static int open_file(const struct dumpi_input *input)
{
    return open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* Reads up to bytes at offset, fewer only at the end or on an error (input->system_error). pread, so that
 * no position has to be kept between openings; a signal interrupts nothing. The file is opened and closed again:
 * see struct dumpi_source. */
static size_t read_plain(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    int descriptor = open_file(input);
    size_t done = 0;

    if (descriptor < 0) {
        input->system_error = errno;
        return 0;
    }
    while (done < bytes) {
        ssize_t got = pread(descriptor, to + done, bytes - done, (off_t)offset + (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            input->system_error = errno;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    close(descriptor);
    return done;
}

/* Back to the start of the compressed data. */
static void restart(struct dumpi_source *source)
{
    inflateReset(&source->pass);
    source->pass.avail_in = 0;
    source->read_offset = source->given_offset = 0;
    source->at_end = source->damaged = false;
}

/* More compressed data; none at the end. */
static bool refill(struct dumpi_input *input)
{
    struct dumpi_source *source = input->source;
    size_t got = read_plain(input, source->read_offset, source->piece, PIECE_BYTES);

    source->pass.next_in = source->piece;
    source->pass.avail_in = (uInt)got;
    source->read_offset += (int64_t)got;
    return got > 0;
}

/* A file may be of several compressed parts, one after the other; what follows the last and is none is
 * padding. inflateReset does not touch the input that is left over from the part before. */
static void next_part(struct dumpi_input *input)
{
    struct dumpi_source *source = input->source;

    if ((source->pass.avail_in == 0 && !refill(input)) || source->pass.next_in[0] != 0x1f)
        source->at_end = true;
    else
        inflateReset(&source->pass);
}

/* Decompresses up to bytes; fewer at the end, or where the data are damaged or end early. Z_BUF_ERROR only
 * means that there is no more input at the moment: the loop refills. Data behind damage are not given, those
 * before it are: a cut trace can be read up to where it was cut. */
static size_t decompress(struct dumpi_input *input, uint8_t *to, size_t bytes)
{
    struct dumpi_source *source = input->source;

    source->pass.next_out = to;
    source->pass.avail_out = (uInt)bytes;
    while (source->pass.avail_out > 0 && !source->at_end && !source->damaged) {
        int code;

        if (source->pass.avail_in == 0 && !refill(input)) {
            source->damaged = true;
            break;
        }
        code = inflate(&source->pass, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            next_part(input);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            source->damaged = true;
    }
    source->given_offset += (int64_t)(bytes - source->pass.avail_out);
    return bytes - source->pass.avail_out;
}

/* Going forwards costs what is passed over, going back all from the start. `to` is used on the way. */
static void go_to(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    struct dumpi_source *source = input->source;

    if (offset < source->given_offset)
        restart(source);
    while (source->given_offset < offset) {
        int64_t rest = offset - source->given_offset;

        if (decompress(input, to, rest < (int64_t)bytes ? (size_t)rest : bytes) == 0)
            break;
    }
}

/* The same from compressed data: from the tail that was kept, else by decompressing up to there. */
static size_t read_compressed(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    struct dumpi_source *source = input->source;

    if (offset >= source->tail_offset &&
        offset + (int64_t)bytes <= source->tail_offset + (int64_t)source->tail_bytes) {
        memcpy(to, source->tail + (offset - source->tail_offset), bytes);
        return bytes;
    }
    if (bytes > 0)
        go_to(input, offset, to, bytes);
    return source->given_offset == offset ? decompress(input, to, bytes) : 0;
}

/* Both ways may give less than was asked for, at the end or on an error: the caller knows how much there
 * must be. */
static size_t read_at(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    return input->source->is_compressed ? read_compressed(input, offset, to, bytes)
                                        : read_plain(input, offset, to, bytes);
}

/* What is left of the window moves to its front, so that a taken piece never spans two windows. Nothing at
 * or behind the limit is read: a section cannot be read into the next one. -1: fewer bytes are left before the
 * limit, or could not be read. `bytes` is at most DUMPI_TAKE_BYTES. */
int dumpi_input_fill(struct dumpi_input *input, size_t bytes)
{
    size_t kept = (size_t)(input->end - input->cursor);
    int64_t more = input->limit - input->end_offset;
    size_t room = DUMPI_WINDOW_BYTES - kept;
    size_t got;

    if (bytes > DUMPI_TAKE_BYTES || (int64_t)kept + more < (int64_t)bytes)
        return -1;
    memmove(input->window, input->cursor, kept);
    if ((int64_t)room > more)
        room = (size_t)more;
    got = read_at(input, input->end_offset, input->window + kept, room);
    input->cursor = input->window;
    input->end = input->window + kept + got;
    input->end_offset += (int64_t)got;
    /* The file has become shorter since it was opened, or cannot be read. */
    if (got < room && input->system_error == 0)
        input->system_error = EIO;
    return kept + got >= bytes ? 0 : -1;
}

/* Nothing is read yet, and the window is dropped even if it has the place: seeks are few, and go far. */
void dumpi_input_seek(struct dumpi_input *input, int64_t offset, int64_t limit)
{
    input->cursor = input->end = input->window;
    input->end_offset = offset;
    input->limit = limit;
}

/* Decompresses all once, for the size and the tail. Data that end early or are damaged count up to there. */
static void measure_compressed(struct dumpi_input *input)
{
    struct dumpi_source *source = input->source;
    size_t kept = 0;
    size_t got;

    while ((got = decompress(input, input->window, DUMPI_WINDOW_BYTES)) > 0) {
        size_t drop = kept + got > DUMPI_WINDOW_BYTES ? kept + got - DUMPI_WINDOW_BYTES : 0;

        memmove(source->tail, source->tail + drop, kept - drop);
        memcpy(source->tail + kept - drop, input->window, got);
        kept += got - drop;
        input->size += (int64_t)got;
    }
    input->cut = source->damaged;
    source->tail_bytes = kept;
    source->tail_offset = input->size - (int64_t)kept;
    restart(source);
}

/* Makes the pass of decompression. -1: no memory. */
static int start_pass(struct dumpi_source *source)
{
    source->tail = malloc(DUMPI_WINDOW_BYTES);
    source->piece = malloc(PIECE_BYTES);
    if (source->tail == NULL || source->piece == NULL)
        return -1;
    /* 16: data with the header of gzip. */
    source->has_pass = inflateInit2(&source->pass, 16 + MAX_WBITS) == Z_OK;
    source->is_compressed = source->has_pass;
    return source->has_pass ? 0 : -1;
}

/* Looks what the open file is. A directory or a pipe has no size and would hang or fail later, with a worse
 * sentence. */
static int examine(struct dumpi_input *input, int descriptor, struct dpt_error *error)
{
    struct stat status;

    if (fstat(descriptor, &status) != 0)
        return dumpi_system_error(error, errno, input->path, "cannot be read");
    if (!S_ISREG(status.st_mode))
        return dumpi_system_error(error, S_ISDIR(status.st_mode) ? EISDIR : EINVAL, input->path,
                                  "not a regular file");
    input->size = status.st_size;
    return 0;
}

/* Finds the size of the data, compressed or not. */
static int attach(struct dumpi_input *input, struct dpt_error *error)
{
    int descriptor = open_file(input);
    int result;
    uint8_t magic[2];

    if (descriptor < 0)
        return dumpi_system_error(error, errno, input->path, "cannot be opened");
    result = examine(input, descriptor, error);
    close(descriptor);
    if (result != 0 || read_plain(input, 0, magic, 2) < 2 || magic[0] != 0x1f || magic[1] != 0x8b)
        return result;
    if (start_pass(input->source) != 0)
        return dumpi_memory_error(error, input->path);
    input->size = 0;
    measure_compressed(input);
    return 0;
}

/* An input without a file yet. */
static struct dumpi_input *make(const char *path)
{
    struct dumpi_input *input = malloc(sizeof *input);

    if (input == NULL)
        return NULL;
    memset(input, 0, offsetof(struct dumpi_input, window));
    input->path = strdup(path);
    input->source = calloc(1, sizeof *input->source);
    if (input->path != NULL && input->source != NULL)
        return input;
    dumpi_input_close(input);
    return NULL;
}

/* It stands at the beginning, with the whole file as its limit. */
struct dumpi_input *dumpi_input_open(const char *path, struct dpt_error *error)
{
    struct dumpi_input *input = make(path);

    if (input == NULL) {
        dumpi_memory_error(error, path);
        return NULL;
    }
    if (attach(input, error) == 0) {
        dumpi_input_seek(input, 0, input->size);
        return input;
    }
    dumpi_input_close(input);
    return NULL;
}

/* Legal for one that was made in part. */
void dumpi_input_close(struct dumpi_input *input)
{
    if (input == NULL)
        return;
    if (input->source != NULL) {
        if (input->source->has_pass)
            inflateEnd(&input->source->pass);
        free(input->source->tail);
        free(input->source->piece);
    }
    free(input->source);
    free(input->path);
    free(input);
}
