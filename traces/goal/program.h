/* What the parts of the reader of GOAL schedules share: format.c opens a schedule, survey.c counts
 * and checks it, cursor.c gives a rank's operations out. */
#ifndef TRACE_GOAL_PROGRAM_H
#define TRACE_GOAL_PROGRAM_H

#include "base/arena.h"
#include "base/table.h"
#include "traces/goal/block.h"
#include "traces/program-internal.h"

/* Regions: what the operations of a schedule are called. */
enum trace_goal_region { TRACE_GOAL_ISEND, TRACE_GOAL_IRECV, TRACE_GOAL_WAITALL, TRACE_GOAL_REGIONS };

/* Where a rank's block begins, and how much of it is needed at once; line 0: it has none. A reach of
 * UINT32_MAX or more is all. */
struct trace_goal_rank {
    struct trace_goal_place begin;
    uint32_t ahead, settle, remember; /* as in struct trace_goal_reach */
};

struct trace_goal_program {
    struct trace_program base; /* first */
    struct base_arena arena;
    struct trace_communicator world; /* the only one: GOAL has no others */
    struct trace_goal_rank *places;  /* [rank] */
    struct trace_coverage coverage[6];
    struct trace_collective_count collectives[TRACE_COLLECTIVES]; /* none, for the summary */
    struct trace_pair *pairs;
    size_t pair_capacity;         /* of pairs */
    struct base_table pair_index; /* only while the file is surveyed */
    uint64_t message_limit_bytes, compute_threshold_ns;
    struct trace_draft *draft; /* of the options; looked at by the survey alone */
    int file;                  /* of all texts; -1: not open */
};

/* Short calcs count as nothing when the user says so, as gaps between calls do in other formats. */
static inline uint64_t trace_goal_compute(const struct trace_goal_program *program,
                                          const struct trace_goal_op *op)
{
    return op->value < program->compute_threshold_ns ? 0 : op->value;
}

/* What turns the steps of a block into operations; of zeros but for the program and the block before the first. A rank
 * without a block has been read. */
struct trace_goal_giver {
    const struct trace_goal_program *program;
    struct trace_goal_block *block; /* borrowed; begun by trace_goal_block_begin */
    struct trace_goal_step step;    /* of which only the wait was given, when is_waiting */
    uint64_t event, time_ns;
    bool is_waiting, is_read, is_over; /* all operations were given; the end was */
};

/* 1: *op is filled, its requests valid until the next call; 0: the end was given; else what trace_goal_block_next
 * answers. */
int trace_goal_give(struct trace_goal_giver *giver, struct trace_op *op, struct base_error *error);

/* Reads and checks all blocks, behind the head, and makes the summary of them. */
int trace_goal_survey(struct trace_goal_program *program, struct trace_goal_text *text,
                      struct base_error *error);

/* The cursor functions of the format (traces/program-internal.h). */
struct trace_cursor *trace_goal_cursor_new(struct trace_program *program, uint32_t rank,
                                           struct base_error *error);
int trace_goal_cursor_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error);
void trace_goal_cursor_free(struct trace_cursor *cursor);

#endif
