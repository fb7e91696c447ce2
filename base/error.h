/* Errors are values: a fallible function returns -1 or NULL and fills a struct base_error with one sentence
 * that says where (source, rank, event, line, byte) and what. Nothing below the command line prints or exits.
 *
 *     struct base_position position = base_position_of("cg.otf2");
 *     position.rank = 3;
 *     position.event = 17;
 *     return base_error_at(error, BASE_INPUT, &position, "receive of %u bytes, but ...", size);
 *
 * gives "cg.otf2: rank 3, event 17: receive of 512 bytes, but ...". */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdint.h>

/* The kind of a failure is the exit status of the command line that meets it. */
enum base_status {
    BASE_OK = 0,
    BASE_USAGE = 2,        /* what was asked for is not possible: options, kinds, parameters */
    BASE_INPUT = 3,        /* a trace or another file is missing, damaged or inconsistent */
    BASE_DEADLOCK = 4,     /* the replay or the network cannot go on */
    BASE_SYSTEM = 5,       /* memory, disk, permission */
    BASE_INTERRUPTED = 130 /* by a signal (SIGINT's status, as shells number it): partial results, or none */
};

/* Room for a sentence, or for a deadlock's list of who waits for whom. Longer texts are cut, marked with
 * "...". */
#define BASE_ERROR_TEXT 4096

struct base_error {
    enum base_status status;    /* BASE_OK in a zeroed struct */
    char text[BASE_ERROR_TEXT]; /* UTF-8, without a line end */
};

/* Where an error is. A negative number or a NULL source is left out of the sentence.
 * The order printed is "source: line 3, column 7, rank 3, event 17, byte 120: ". */
struct base_position {
    const char *source;                        /* borrowed: a path as the user gave it */
    int64_t line, column, rank, event, offset; /* lines and columns from 1, all else from 0 */
};

/* A position that names only its source. */
struct base_position base_position_of(const char *source);

/* Each returns -1, so that a caller can write `return base_error_set(...)`. error may be NULL. The arguments
 * may point into error->text, so that a caller can put something before the sentence of the room below. */
int base_error_set(struct base_error *error, enum base_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the position before the sentence, as far as its parts are known (not -1). */
int base_error_at(struct base_error *error, enum base_status status, const struct base_position *position,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The sentence for a failed allocation of what ("the packet pool"): status BASE_SYSTEM. */
int base_error_memory(struct base_error *error, const char *what);
/* Like base_error_set, with ": " and strerror(number) added: status BASE_SYSTEM, or BASE_INPUT when number
 * says that a file is missing, is not what was expected or may not be read (ENOENT, ENOTDIR, EISDIR, EACCES,
 * ELOOP, ENAMETOOLONG). Who failed to write sets the status to BASE_SYSTEM afterwards. */
int base_error_system(struct base_error *error, int number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends to the text of an error that is already set (used for lists). Cuts silently at the end of the room,
 * with "...". */
void base_error_append(struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
