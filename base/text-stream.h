/* A stream that writes into memory, and says so when there is none. open_memstream (POSIX) does not: glibc's loses
 * what it has no memory for, and neither ferror nor fclose tells.
 *
 *     struct base_text_stream text;
 *     FILE *stream = base_text_stream_open(&text);       NULL: memory
 *
 *     fprintf(stream, ...);
 *     if (base_text_stream_close(&text) != 0) ...        something was lost
 *     use(text.text, text.size);
 *     base_text_stream_free(&text); */
#ifndef BASE_TEXT_STREAM_H
#define BASE_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Stays where it is until it is closed. Zero is legal for close and free. */
struct base_text_stream {
    FILE *stream;
    char *text; /* owned; with a zero byte behind the last. NULL before anything is written, and for memory */
    size_t size; /* in bytes, without the zero byte */
    size_t capacity;
    bool failed; /* something did not find room */
};

FILE *base_text_stream_open(struct base_text_stream *text);
/* Closes the stream. -1: memory; what is there is not all. */
int base_text_stream_close(struct base_text_stream *text);
/* Closes it if it is open, and frees the text. */
void base_text_stream_free(struct base_text_stream *text);

#endif
