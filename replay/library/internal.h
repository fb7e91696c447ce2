/* Inside replay/library/: what stands behind the public names.
 *
 *      flr_request ──► replay_arguments: the subcommand, its options and operands, as typed
 *      flr_ask ──────► a copy of them, in which machines and units have become options ──► replay_answer
 *      flr_answer ───► its forms, into memory or files; values by key, from its JSON document
 *
 * A flr_trace is a trace_program, and a flr_world a replay_world: opaque outside, cast inside. Nothing else of the
 * rooms can be seen: the library exports flr_* alone. */
#ifndef REPLAY_LIBRARY_INTERNAL_H
#define REPLAY_LIBRARY_INTERNAL_H

#include <jansson.h>

#include "base/error.h"
#include "replay/answers/answer.h"
#include "replay/library/flitreplay.h"

struct flr_request {
    struct replay_arguments given; /* as the caller has them; operands are owned */
    size_t operand_capacity;
    struct replay_listener listener;
    atomic_bool stop;
    bool prints;            /* the text, to standard output */
    flr_progress *progress; /* NULL: nobody watches */
    void *progress_context;
    double expected_seconds; /* of the work, once it is known to be long */
    uint64_t expected_bytes;
    flr_attention *attention; /* NULL: nobody attends */
    void *attention_context;
};

struct flr_answer {
    struct replay_arguments arguments; /* what was in force; operands and values are the request's */
    struct replay_answer answer;
    json_t *document; /* the form "json", once a value of it was asked for */
};

/* Makes of an error inside one outside, unless outer is NULL. Returns -1. Where there is no memory for it, it is the
 * one that says so. */
int replay_error_pass(const struct base_error *inner, flr_error **outer)
    __attribute__((visibility("hidden")));
/* The number of the subcommand of that name; REPLAY_COMMANDS with the error. */
enum replay_command replay_library_command(const char *name, struct base_error *error)
    __attribute__((visibility("hidden")));
/* The number of that option of a subcommand; REPLAY_OPTIONS with the error, which says where it belongs or what was
 * meant. */
enum replay_option replay_library_option(enum replay_command command, const char *name,
                                         struct base_error *error) __attribute__((visibility("hidden")));

#endif
