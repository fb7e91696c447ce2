/* The values of options that may be given several times: what a comparison is made of. */
/* Values are kept as they were typed: what they mean depends on the other options of a combination (a routing
 * on its topology, buffers on packets), and is looked at when the plan is made. */
#ifndef REPLAY_VALUES_H
#define REPLAY_VALUES_H

#include "replay/options.h"

struct replay_values_row {
    const char **value; /* in the order given */
    uint32_t count, capacity;
};

/* A zeroed struct is a valid empty one. */
struct replay_values {
    struct base_arena arena;                         /* of all rows */
    struct replay_values_row option[REPLAY_OPTIONS]; /* all values of each, in their order */
    struct replay_values_row traces;                 /* the operands */
};

/* Whether a comparison may vary the option: it bears on the result, has values, and is neither the seed, of
 * which --seeds has several, nor a rule among others. What is held equal bears on it through the widths that
 * follow. */
bool replay_values_may_repeat(enum replay_option option);
/* Adds a copy of the value. -1: memory, or BASE_USAGE when it is there already. */
int replay_values_add(struct replay_values *values, enum replay_option option, const char *value,
                      struct base_error *error);
int replay_values_add_trace(struct replay_values *values, const char *path, struct base_error *error);
void replay_values_free(struct replay_values *values);

#endif
