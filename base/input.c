/* All of the file goes to memory first, so that its hash is of the very bytes that are parsed, whoever writes
 * to the file meanwhile. Such files are of some bytes for each router or rank. */
#include <config.h>

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)1 << 16)

/* Room for a byte more than there is; NULL: errno. */
static char *grow(char *bytes, size_t *room)
{
    char *larger = realloc(bytes, 2 * *room);

    if (larger == NULL) {
        free(bytes);
        errno = ENOMEM;
        return NULL;
    }
    *room *= 2;
    return larger;
}

/* The content and its size; NULL: errno. */
static char *read_bytes(int file, size_t *size)
{
    size_t room = FIRST_BYTES / 2;
    char *bytes = grow(NULL, &room);
    ssize_t length = -1;

    *size = 0;
    while (bytes != NULL && length != 0) {
        length = read(file, bytes + *size, room - 1 - *size);
        if (length < 0 && errno != EINTR)
            break;
        *size += length > 0 ? (size_t)length : 0;
        if (*size == room - 1)
            bytes = grow(bytes, &room);
    }
    if (bytes == NULL || length == 0)
        return bytes;
    free(bytes);
    return NULL;
}

/* The stream reads from memory, so that parsers use getc() and know nothing of this. `path` must outlive the
 * input. */
int base_input_open(struct base_input *input, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int problem;

    *input = (struct base_input){.path = path};
    if (file < 0)
        return -1;
    input->bytes = read_bytes(file, &input->size);
    if (input->bytes != NULL)
        input->stream = fmemopen(input->bytes, input->size, "r");
    problem = errno; /* which close may change */
    close(file);
    if (input->stream != NULL) {
        base_digest_bytes(input->bytes, input->size, input->digest);
        return 0;
    }
    free(input->bytes);
    errno = problem;
    return -1;
}

/* The stream first, as it reads from the bytes. */
void base_input_close(struct base_input *input)
{
    fclose(input->stream);
    free(input->bytes);
}
