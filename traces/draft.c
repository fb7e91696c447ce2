/* Pages by rank, and one writer, of the rank in hand. */
#include <config.h>

#include "traces/draft.h"

#include <stdlib.h>

#include "base/grow.h"

/* What is drafted of one rank. */
struct rank {
    struct trace_pages pages;
    uint64_t operations;
    size_t unsettled; /* pages, up to the last with something that is */
    bool is_there;    /* all of it */
};

struct trace_draft {
    struct trace_page_store store;
    struct rank *ranks; /* those from rank_count on have not been begun */
    size_t rank_count, rank_capacity;
    uint32_t all;         /* of the program */
    bool is_begun;        /* a survey of all has */
    bool is_full;         /* nothing more is wanted */
    struct rank *in_hand; /* NULL: none */
    struct trace_kept_writer writer;
};

struct trace_draft *trace_draft_new(uint64_t room_bytes)
{
    struct trace_draft *draft = calloc(1, sizeof *draft);

    if (draft != NULL)
        draft->store = (struct trace_page_store){.room = room_bytes, .file = -1, .memory_only = true};
    return draft;
}

static void forget(struct trace_draft *draft, struct rank *rank)
{
    trace_pages_free(&draft->store, &rank->pages);
    rank->operations = 0;
    rank->unsettled = 0;
    rank->is_there = false;
}

/* The file goes with its pages. */
static void empty(struct trace_draft *draft)
{
    for (size_t i = 0; i < draft->rank_count; i++)
        forget(draft, &draft->ranks[i]);
    free(draft->ranks);
    draft->ranks = NULL;
    draft->rank_count = draft->rank_capacity = 0;
    draft->in_hand = NULL;
    trace_page_store_close(&draft->store);
    draft->store.file_bytes = 0;
}

void trace_draft_free(struct trace_draft *draft)
{
    if (draft != NULL)
        empty(draft);
    free(draft);
}

/* ---- for readers ---- */

void trace_draft_clear(struct trace_draft *draft, uint32_t ranks)
{
    if (draft == NULL)
        return;
    empty(draft);
    draft->all = ranks;
    draft->is_begun = true;
    draft->is_full = false;
}

/* The list grows with the ranks that come: how many there are said to be may be wrong. */
static bool has_entry(struct trace_draft *draft, uint32_t rank)
{
    if (rank >= draft->all ||
        base_grow(&draft->ranks, &draft->rank_capacity, (size_t)rank + 1, sizeof *draft->ranks) != 0)
        return false;
    while (draft->rank_count <= rank)
        draft->ranks[draft->rank_count++] = (struct rank){.operations = 0};
    return true;
}

/* Without memory for the list nothing is drafted. */
bool trace_draft_begin(struct trace_draft *draft, uint32_t rank)
{
    if (draft == NULL || draft->is_full || !has_entry(draft, rank))
        return false;
    draft->in_hand = &draft->ranks[rank];
    forget(draft, draft->in_hand);
    trace_kept_begin(&draft->writer, &draft->store, &draft->in_hand->pages);
    return true;
}

bool trace_draft_add(struct trace_draft *draft, struct trace_op *op, enum trace_vector_place vector)
{
    trace_kept_write(&draft->writer, op, vector);
    draft->in_hand->operations++;
    if ((op->flags & TRACE_UNSETTLED) != 0)
        draft->in_hand->unsettled = draft->in_hand->pages.count + 1;
    return !draft->writer.failed;
}

/* What had no room is taken up by none of the ranks that come: they are read by streams together. */
void trace_draft_end(struct trace_draft *draft)
{
    if (draft == NULL || draft->in_hand == NULL)
        return;
    trace_kept_end(&draft->writer);
    draft->in_hand->is_there = !draft->writer.failed;
    if (draft->writer.failed)
        forget(draft, draft->in_hand);
    draft->is_full |= draft->writer.failed;
    draft->in_hand = NULL;
}

void trace_draft_drop(struct trace_draft *draft, uint32_t rank)
{
    if (draft != NULL && rank < draft->rank_count)
        forget(draft, &draft->ranks[rank]);
}

bool trace_draft_has(const struct trace_draft *draft, uint32_t rank)
{
    return draft != NULL && rank < draft->rank_count && draft->ranks[rank].is_there;
}

bool trace_draft_is_unsettled(const struct trace_draft *draft, uint32_t rank)
{
    return trace_draft_has(draft, rank) && draft->ranks[rank].unsettled > 0;
}

/* A rank that is put anew: what it was. */
struct rewriting {
    struct rank old;
    struct trace_kept_reader reader; /* of it */
    size_t emptied;                  /* of its pages */
};

/* Whether the pages that have not been read can stay as they are. */
static bool is_settled(const struct trace_draft *draft, const struct rewriting *rewriting)
{
    const struct trace_kept_reader *reader = &rewriting->reader;

    return reader->at == reader->end && reader->page >= rewriting->old.unsettled &&
           trace_coders_agree(&reader->coder, &draft->writer.coder);
}

/* The writer's page ends where they begin. -1: no memory for their list. */
static int move_pages(struct trace_draft *draft, struct rewriting *rewriting)
{
    struct trace_pages *old = &rewriting->old.pages, *pages = &draft->in_hand->pages;
    size_t first = rewriting->reader.page, count = old->count - first;

    trace_kept_end(&draft->writer);
    if (base_grow(&pages->list, &pages->capacity, pages->count + count, sizeof *pages->list) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        pages->list[pages->count++] = old->list[first + i];
        old->list[first + i] = (struct trace_page){0};
    }
    return 0;
}

/* One operation. As trace_kept_read; a settled rest is the end. */
static int rewrite_op(struct trace_draft *draft, struct rewriting *rewriting, trace_draft_settle *settle,
                      void *context)
{
    struct trace_kept_reader *reader = &rewriting->reader;
    struct trace_op op;
    int more = trace_kept_read(reader, &op, NULL);
    int settled;

    if (more <= 0)
        return more;
    rewriting->old.operations--;
    settled = settle(context, draft, &op, trace_kept_place(reader, &op));
    while (rewriting->emptied + 1 < reader->page)
        trace_page_empty(&draft->store, &rewriting->old.pages.list[rewriting->emptied++]);
    if (settled < 0 || draft->writer.failed)
        return -1;
    if (settled == 0 || !is_settled(draft, rewriting))
        return 1;
    draft->in_hand->operations += rewriting->old.operations;
    return move_pages(draft, rewriting);
}

/* Pages that have been read go while those are made that take their place. */
void trace_draft_rewrite(struct trace_draft *draft, uint32_t rank, trace_draft_settle *settle, void *context)
{
    struct rewriting rewriting = {.emptied = 0};
    int more = 1;

    if (!trace_draft_has(draft, rank))
        return;
    rewriting.old = draft->ranks[rank];
    rewriting.reader.store = &draft->store;
    rewriting.reader.pages = &rewriting.old.pages;
    draft->ranks[rank].pages = (struct trace_pages){0};
    draft->is_full = false;
    trace_draft_begin(draft, rank);
    while (more > 0)
        more = rewrite_op(draft, &rewriting, settle, context);
    trace_kept_reader_free(&rewriting.reader);
    trace_pages_free(&draft->store, &rewriting.old.pages);
    trace_draft_end(draft);
    if (more != 0)
        trace_draft_drop(draft, rank);
}

/* ---- for kept programs ---- */

void trace_draft_spill(struct trace_draft *draft, bool spills)
{
    draft->store.memory_only = !spills;
    draft->is_full = false;
}

bool trace_draft_is_begun(const struct trace_draft *draft, uint32_t ranks)
{
    return draft->is_begun && draft->all == ranks;
}

struct trace_kept_reader trace_draft_reader(const struct trace_draft *draft, uint32_t rank)
{
    return (struct trace_kept_reader){.store = &draft->store, .pages = &draft->ranks[rank].pages};
}

struct trace_draft_size trace_draft_size(const struct trace_draft *draft)
{
    struct trace_draft_size size = {0, draft->store.memory_bytes, draft->store.file_bytes};

    for (size_t i = 0; i < draft->rank_count; i++)
        size.operations += draft->ranks[i].operations;
    return size;
}
