/* The texts and files that a request can be given, one kind a line of requests.def: what an input of the fuzz target
 * tests/fuzz/fuzz-request is. */
#ifndef TESTS_FUZZ_REQUEST_H
#define TESTS_FUZZ_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fuzz_request_kind {
    const char *name;     /* of the kind, and of its corpus */
    const char *command;  /* the subcommand; NULL: the input is a command line (--name=value) */
    const char *operands; /* separated by blanks; NULL: the input is the operand */
    const char *options;  /* "option value" ..., separated by blanks */
    const char *option;   /* that has the input as its value; NULL: an operand has it */
    const char *before;   /* stands before the input, or before the name of the file that it is in */
    unsigned digits;      /* longer numbers make it no input: they are as valid as others, and take minutes */
    bool is_file;         /* the input is the content of a file */
};

/* NULL: the last one has been before. */
const struct fuzz_request_kind *fuzz_request_kind(size_t index);
/* The kind of the inputs that follow; -1: there is none of this name. */
int fuzz_request_choose(const char *name);
/* Asks a request with this input in it. Aborts when it fails without one of the statuses that failures have, or without
 * a sentence, or when a form of its answer fails in silence. */
void fuzz_request_ask(const uint8_t *data, size_t size);

#endif
