/* All of the file goes to memory first, so that its hash is of the very bytes that are parsed, whoever writes
 * to the file meanwhile. Such files are of some bytes for each router or rank. */
#include <config.h>

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)1 << 16)
#define QUOTED_BYTES 100 /* of a line, in an error */

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

/* The line of that number, without its end and the blanks around it; NULL: there is none. */
static const char *find_line(const struct base_input *input, size_t number, size_t *length)
{
    const char *line = input->bytes, *end = input->bytes + input->size;

    for (; number > 1 && line < end; number--) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        line = next == NULL ? end : next + 1;
    }
    if (number != 1)
        return NULL;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (*length = 0; line + *length < end && line[*length] != '\n' && line[*length] != '\r'; ++*length) {
    }
    while (*length > 0 && (line[*length - 1] == ' ' || line[*length - 1] == '\t'))
        --*length;
    return line;
}

/* No more than fits a line, up to the beginning of a character. Bytes that would move a terminal's cursor become
 * blanks, and those that no UTF-8 text has question marks. */
bool base_input_quote(const struct base_input *input, size_t line, struct base_error *error)
{
    char quoted[QUOTED_BYTES + 1];
    size_t length = 0, room = QUOTED_BYTES;
    const char *text = find_line(input, line, &length);

    if (text == NULL || length == 0)
        return false;
    if (length > room) {
        for (; room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80; room--) {
        }
    } else {
        room = length;
    }
    for (size_t i = 0; i < room; i++)
        quoted[i] = (unsigned char)text[i] < ' ' || text[i] == 127 ? ' '
                    : (unsigned char)text[i] > 0xf4                ? '?'
                                                                   : text[i];
    quoted[room] = '\0';
    base_error_append(error, " (in \"%s%s\")", quoted, room < length ? "..." : "");
    return true;
}

int base_input_refuse(const struct base_input *input, size_t line, size_t column, const char *sentence,
                      struct base_error *error)
{
    struct base_position position = base_position_of(input->path);

    position.line = (int64_t)line;
    position.column = (int64_t)column;
    base_error_at(error, BASE_INPUT, &position, "%s", sentence);
    base_input_quote(input, line, error);
    return -1;
}
