/* The words of a GOAL schedule, one after the other, with their line and column.
 *
 *      num_ranks 2 // a comment        num_ranks  2  rank  0  {  l1  :  calc  100  }
 *      rank 0 { l1: calc 100 }
 *
 * All texts of a file read it through one descriptor and a buffer each, so that the cursors of a thousand
 * ranks need neither a thousand descriptors nor more than a few KiB. */
#ifndef TRACE_GOAL_TEXT_H
#define TRACE_GOAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TRACE_GOAL_WORD 256 /* room for a token and its terminator */

/* Where a text can go back to: the next character. */
struct trace_goal_place {
    int64_t offset, line, column; /* offset in bytes; line and column from 1 */
};

struct trace_goal_text {
    int file; /* of the owner, who opened it */
    const char *path;
    int64_t line, column;         /* of the token; both count from 1 */
    char token[TRACE_GOAL_WORD];  /* "" at the end */
    size_t length;                /* of the token */
    struct trace_goal_place next; /* offset: of what follows the buffer */
    unsigned char *buffer;
    size_t at, end, capacity, most; /* the buffer holds at .. end - 1, and grows up to most bytes */
    int failed;                     /* errno of a read, which ends the text; 0: none */
};

/* A text from a place on; it allocates when it is read. */
void trace_goal_text_begin(struct trace_goal_text *text, int file, const char *path,
                           const struct trace_goal_place *place, size_t most);
/* Goes back, or forward, in the same file. */
void trace_goal_text_seek(struct trace_goal_text *text, const struct trace_goal_place *place);
/* Behind the present token, if that is one of { } : ; other words have been read one character too far. */
struct trace_goal_place trace_goal_text_place(const struct trace_goal_text *text);
void trace_goal_text_free(struct trace_goal_text *text);

/* Reads the next token: a word, a number with its unit, or one of { } :. -1: a word that is too long, a byte
 * that is no text, an open comment, or memory. */
int trace_goal_next(struct trace_goal_text *text, struct base_error *error);
/* An error at the present token; returns -1. */
int trace_goal_error(const struct trace_goal_text *text, struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The token as a number, with `unit` behind it if that is not NULL. */
int trace_goal_number(const struct trace_goal_text *text, const char *unit, uint64_t most, uint64_t *number,
                      struct base_error *error);

#endif
