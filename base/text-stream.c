/* A stream of our own, whose writes tell when they fail (fopencookie: glibc, musl). */
#include <config.h>

#include "base/text-stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/grow.h"

/* Returning 0 is an error, which the stream remembers; so do we, since its buffer may be written by fclose alone. */
static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct base_text_stream *text = cookie;

    if (base_grow(&text->text, &text->capacity, text->size + count + 1, 1) != 0) {
        text->failed = true;
        return 0;
    }
    memcpy(text->text + text->size, bytes, count);
    text->size += count;
    text->text[text->size] = '\0';
    return (ssize_t)count;
}

/* A stream of GNU's, since open_memstream tells of no failed allocation before fclose, and not always then. */
FILE *base_text_stream_open(struct base_text_stream *text)
{
    const cookie_io_functions_t functions = {.write = append};

    *text = (struct base_text_stream){0};
    text->stream = fopencookie(text, "w", functions);
    return text->stream;
}

/* An empty text is a text, and has its terminating zero as any other. Failures are kept until here: writers need not
 * ask after each line. */
int base_text_stream_close(struct base_text_stream *text)
{
    if (text->stream != NULL) {
        text->failed |= ferror(text->stream) != 0;
        text->failed |= fclose(text->stream) != 0;
    }
    text->stream = NULL;
    if (!text->failed && text->text == NULL)
        append(text, "", 0);
    return text->failed ? -1 : 0;
}

void base_text_stream_free(struct base_text_stream *text)
{
    base_text_stream_close(text);
    free(text->text);
    *text = (struct base_text_stream){0};
}
