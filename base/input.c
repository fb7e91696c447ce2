/* All of the file goes to memory first, so that its hash is of the very bytes that are parsed, whoever writes to the file
 * meanwhile. Such files are of some bytes for each router or rank. */
#include <config.h>

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)1 << 16)

/* The content and its size; NULL: errno. A byte more than is read is always there. */
static char *read_bytes(int file, size_t *size)
{
    size_t room = FIRST_BYTES;
    char *bytes = malloc(room), *larger;
    ssize_t length = 1;

    for (*size = 0; bytes != NULL && length != 0; *size += (size_t)length) {
        if (*size == room - 1) {
            larger = realloc(bytes, room *= 2);
            if (larger == NULL)
                break;
            bytes = larger;
        }
        do
            length = read(file, bytes + *size, room - 1 - *size);
        while (length < 0 && errno == EINTR);
        if (length < 0)
            break;
    }
    if (bytes != NULL && length == 0)
        return bytes;
    free(bytes);
    return NULL;
}

int base_input_open(struct base_input *input, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC), problem;
    size_t size;

    *input = (struct base_input){.path = path};
    if (file < 0)
        return -1;
    input->bytes = read_bytes(file, &size);
    if (input->bytes != NULL)
        input->stream = fmemopen(input->bytes, size, "r");
    problem = errno; /* which close may change */
    close(file);
    if (input->stream != NULL) {
        base_digest_bytes(input->bytes, size, input->digest);
        return 0;
    }
    free(input->bytes);
    errno = problem;
    return -1;
}

void base_input_close(struct base_input *input)
{
    fclose(input->stream);
    free(input->bytes);
}
