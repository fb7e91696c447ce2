#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "traces/dumpi-input.h"

/* Where the bytes come from. The size of compressed data is only known once all were decompressed; that first
 * pass keeps the end of the data, since the index there is what is read next. */
struct dumpi_source {
    int descriptor; /* of a plain file, else -1 */
    gzFile compressed;
    int64_t tail_offset;
    size_t tail_bytes;
    uint8_t *tail; /* of DUMPI_WINDOW_BYTES, for compressed data only */
};

/* Reads up to bytes at offset, fewer only at the end or on an error (input->system_error). */
static size_t read_plain(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    size_t done = 0;

    while (done < bytes) {
        ssize_t got = pread(input->source->descriptor, to + done, bytes - done, (off_t)offset + (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            input->system_error = errno;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

/* The same from compressed data: from the tail that was kept, else by decompressing up to there. */
static size_t read_compressed(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    struct dumpi_source *source = input->source;
    int got;

    if (offset >= source->tail_offset &&
        offset + (int64_t)bytes <= source->tail_offset + (int64_t)source->tail_bytes) {
        memcpy(to, source->tail + (offset - source->tail_offset), bytes);
        return bytes;
    }
    /* zlib seeks by decompressing; in order, this costs nothing. */
    got = gzseek(source->compressed, (z_off_t)offset, SEEK_SET) < 0
              ? -1
              : gzread(source->compressed, to, (unsigned)bytes);
    if (got < 0)
        input->system_error = EIO;
    return got < 0 ? 0 : (size_t)got;
}

static size_t read_at(struct dumpi_input *input, int64_t offset, uint8_t *to, size_t bytes)
{
    return input->source->descriptor >= 0 ? read_plain(input, offset, to, bytes)
                                          : read_compressed(input, offset, to, bytes);
}

int dumpi_input_fill(struct dumpi_input *input, size_t bytes)
{
    size_t kept = (size_t)(input->end - input->cursor);
    int64_t more = input->limit - input->end_offset;
    size_t room = DUMPI_WINDOW_BYTES - kept, got;

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
    int got, code = Z_OK;

    while ((got = gzread(source->compressed, input->window, DUMPI_WINDOW_BYTES)) > 0) {
        size_t drop = kept + (size_t)got > DUMPI_WINDOW_BYTES ? kept + (size_t)got - DUMPI_WINDOW_BYTES : 0;

        memmove(source->tail, source->tail + drop, kept - drop);
        memcpy(source->tail + kept - drop, input->window, (size_t)got);
        kept += (size_t)got - drop;
        input->size += got;
    }
    gzerror(source->compressed, &code);
    input->cut = got < 0 || (code != Z_OK && code != Z_STREAM_END);
    source->tail_bytes = kept;
    source->tail_offset = input->size - (int64_t)kept;
    gzclearerr(source->compressed);
}

/* Takes over the open descriptor. */
static int attach(struct dumpi_input *input, int descriptor, struct dpt_error *error)
{
    struct stat status;
    uint8_t magic[2];

    input->source->descriptor = descriptor;
    if (fstat(descriptor, &status) != 0)
        return dumpi_system_error(error, errno, input->path, "cannot be read");
    if (!S_ISREG(status.st_mode))
        return dumpi_system_error(error, S_ISDIR(status.st_mode) ? EISDIR : EINVAL, input->path,
                                  "no regular file");
    input->size = status.st_size;
    if (read_plain(input, 0, magic, 2) < 2 || magic[0] != 0x1f || magic[1] != 0x8b)
        return 0;
    input->source->tail = malloc(DUMPI_WINDOW_BYTES);
    if (input->source->tail != NULL)
        input->source->compressed = gzdopen(descriptor, "rb");
    if (input->source->compressed == NULL)
        return dumpi_memory_error(error, input->path);
    input->source->descriptor = -1; /* gzclose closes it */
    input->size = 0;
    measure_compressed(input);
    return 0;
}

/* An input without a file yet. */
static struct dumpi_input *make(const char *path)
{
    struct dumpi_input *input = calloc(1, sizeof *input);

    if (input == NULL)
        return NULL;
    input->path = strdup(path);
    input->source = calloc(1, sizeof *input->source);
    if (input->source != NULL)
        input->source->descriptor = -1;
    if (input->path != NULL && input->source != NULL)
        return input;
    dumpi_input_close(input);
    return NULL;
}

struct dumpi_input *dumpi_input_open(const char *path, struct dpt_error *error)
{
    struct dumpi_input *input = make(path);
    int descriptor;

    if (input == NULL) {
        dumpi_memory_error(error, path);
        return NULL;
    }
    /* Without O_NONBLOCK opening a pipe would wait for its writer. */
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        dumpi_system_error(error, errno, path, "cannot be opened");
    else if (attach(input, descriptor, error) == 0) {
        dumpi_input_seek(input, 0, input->size);
        return input;
    }
    dumpi_input_close(input);
    return NULL;
}

void dumpi_input_close(struct dumpi_input *input)
{
    if (input == NULL)
        return;
    if (input->source != NULL && input->source->compressed != NULL)
        gzclose_r(input->source->compressed);
    if (input->source != NULL && input->source->descriptor >= 0)
        close(input->source->descriptor);
    if (input->source != NULL)
        free(input->source->tail);
    free(input->source);
    free(input->path);
    free(input);
}
