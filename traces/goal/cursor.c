/* A rank's operations, read from its block while they are asked for: as much of it is in memory as the survey
 * found to be needed. */
#include <config.h>

#include <stdlib.h>

#include "traces/goal/program.h"

#define BUFFER_BYTES ((size_t)4096) /* a thousand ranks are read side by side */

struct goal_cursor {
    struct trace_cursor base;      /* first */
    struct trace_goal_text text;   /* at the rank's place in the file */
    struct trace_goal_block block; /* of the rank */
    struct trace_goal_giver giver; /* of the block */
};

/* What the survey noted, where UINT32_MAX says that there is no bound. */
static uint64_t unsaturated(uint32_t number)
{
    return number < UINT32_MAX ? number : UINT64_MAX;
}

/* Nothing is read before the first operation is asked for. A rank without a block has no operations but the end.
 * The window is as wide as the survey found to be needed. */
struct trace_cursor *trace_goal_cursor_new(struct trace_program *base, uint32_t rank,
                                           struct base_error *error)
{
    struct trace_goal_program *program = (struct trace_goal_program *)base;
    const struct trace_goal_rank *place = &program->places[rank];
    const struct trace_goal_reach reach = {unsaturated(place->ahead), unsaturated(place->settle),
                                           unsaturated(place->remember)};
    struct goal_cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a GOAL schedule");
        return NULL;
    }
    cursor->giver = (struct trace_goal_giver){
        .program = program, .block = &cursor->block, .is_read = place->begin.line == 0};
    trace_goal_text_begin(&cursor->text, program->file, base->path, &place->begin, BUFFER_BYTES);
    cursor->block.text = &cursor->text;
    cursor->block.ranks = base->ranks;
    cursor->block.message_limit_bytes = program->message_limit_bytes;
    trace_goal_block_begin(&cursor->block, &reach);
    return &cursor->base;
}

/* The file is the program's, and stays open. */
void trace_goal_cursor_free(struct trace_cursor *base)
{
    struct goal_cursor *cursor = (struct goal_cursor *)base;

    trace_goal_block_free(&cursor->block);
    trace_goal_text_free(&cursor->text);
    free(cursor);
}

/* What can fail was found by the survey, unless the file has changed since. */
int trace_goal_cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    int more = trace_goal_give(&((struct goal_cursor *)base)->giver, op, error);

    return more < 0 ? -1 : more;
}
