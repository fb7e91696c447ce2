/* The operations of a program, decoded once: what replays read (traces/kept.h). It is begun while a trace is opened.
 * The survey has every operation in hand then; where somebody will replay the trace it puts them into the draft,
 * which options.draft is:
 *
 *      survey, rank 0    begin ─► add, add, …  ─► end                  each operation as it is known by then
 *      survey, rank 1    begin ─► add, add, …  ─► end
 *      behind the survey, where a rank's operations depend on what was found out after them
 *                        rewrite       each again, with the differences          few and local
 *                        drop          the rank will be decoded once more        anything else
 *
 * A draft that is not complete is completed by the program's streams, when somebody asks for the first of them.
 * So a reader need not support drafts, and may drop any rank.
 *
 * While it is drafted it is in memory alone: a rank that has no room is dropped, and so are those after it. */
#ifndef TRACE_DRAFT_H
#define TRACE_DRAFT_H

#include "traces/kept-stream.h"

/* Among the flags of an operation in a draft: it has to be settled by trace_draft_rewrite. What it means is the
 * reader's affair. */
#define TRACE_UNSETTLED 0x100u

struct trace_draft;

/* With so many bytes of memory. NULL: there is none. */
struct trace_draft *trace_draft_new(uint64_t room_bytes);
void trace_draft_free(struct trace_draft *draft); /* NULL is legal */

/* ---- for readers: the draft may be NULL, and then nothing happens ---- */

/* A survey of so many ranks begins, perhaps not the first: nothing is in the draft. */
void trace_draft_clear(struct trace_draft *draft, uint32_t ranks);
/* The operations of a rank come next. False: nobody wants them. One rank is in hand at a time; one that has been begun
 * before begins again. */
bool trace_draft_begin(struct trace_draft *draft, uint32_t rank);
/* An operation with all its fields, of which those that mean nothing to its kind have the values that streams give
 * them. The vector is in words, or the one that the program knows by the instance. Only between begin and end. False:
 * there is no room for more of the rank. */
bool trace_draft_add(struct trace_draft *draft, struct trace_op *op, enum trace_vector_place vector);
/* All have come, the end included. */
void trace_draft_end(struct trace_draft *draft);
/* The rank's operations are not what streams would give. */
void trace_draft_drop(struct trace_draft *draft, uint32_t rank);
/* Whether the rank has been drafted. */
bool trace_draft_has(const struct trace_draft *draft, uint32_t rank);

/* Takes an operation of the rank, and adds to the draft what becomes of it. -1: the rank is dropped; 0: what follows
 * may change too; 1: it does not, but for what is unsettled, and for the numbers of collectives on communicators below
 * TRACE_CODER_COMMUNICATORS, which are counted on from those that have been added. A vector in words is there; one of
 * the program is not. */
typedef int trace_draft_settle(void *context, struct trace_draft *draft, struct trace_op *op,
                               enum trace_vector_place vector);
/* Whether something in it is unsettled. */
bool trace_draft_is_unsettled(const struct trace_draft *draft, uint32_t rank);
/* Puts the operations of a rank that has been drafted anew, one page after the other. Pages at the end in which
 * nothing changes are not read. */
void trace_draft_rewrite(struct trace_draft *draft, uint32_t rank, trace_draft_settle *settle, void *context);

/* ---- for kept programs ---- */

/* Whether more than the memory may be used from here on: a temporary file (traces/kept-pages.h). */
void trace_draft_spill(struct trace_draft *draft, bool spills);
/* Whether a survey of so many ranks has begun. */
bool trace_draft_is_begun(const struct trace_draft *draft, uint32_t ranks);
/* A reader of a rank that the draft has. */
struct trace_kept_reader trace_draft_reader(const struct trace_draft *draft, uint32_t rank);
/* What is there. */
struct trace_draft_size {
    uint64_t operations;
    uint64_t memory_bytes, file_bytes;
};
struct trace_draft_size trace_draft_size(const struct trace_draft *draft);

#endif
