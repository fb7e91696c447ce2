/* A file that a result follows from, read as a whole, with the hash of what was read: whoever reads an input
 * knows what it was. Networks, mappings, partitions and graphs are read in this way and in no other
 * (tests/cli/check-layers), so that none is missing where answers and stores name their inputs. Traces, which
 * do not fit into memory, have a hash of their own (traces/hash.h).
 *
 *      struct base_input input;
 *      if (base_input_open(&input, path) != 0)
 *          return base_error_system(error, errno, "%s", path);
 *      ... getc(input.stream), input.digest ...
 *      base_input_close(&input); */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/error.h"

/* What is kept of an input. An empty digest: there is none. */
struct base_input_name {
    const char *path;              /* of the file, as it was given */
    char digest[BASE_DIGEST_TEXT]; /* as in struct base_input */
};

struct base_input {
    const char *path;              /* borrowed */
    char digest[BASE_DIGEST_TEXT]; /* XXH3 (128 bits) over all bytes, as xxh128sum prints it */
    FILE *stream;                  /* of what was read, at its beginning; the input's own */
    char *bytes;
    size_t size; /* of bytes */
};

/* -1: cannot be read, or memory; errno says why, and nothing is left open. */
int base_input_open(struct base_input *input, const char *path);
void base_input_close(struct base_input *input);

/* An error at a line and column of a text, both from 1, with what stands in the line:
 *
 *      FILE: line 2, column 1: unknown key 'topolgy'; did you mean 'topology'? (in "topolgy: mesh:2x2")
 *
 * Long lines are cut, empty ones not quoted. The sentence may be the error's own. Returns -1. */
int base_input_refuse(const struct base_input *input, size_t line, size_t column, const char *sentence,
                      struct base_error *error);
/* Appends the quotation alone. False: the line is empty, or there is none. */
bool base_input_quote(const struct base_input *input, size_t line, struct base_error *error);

#endif
