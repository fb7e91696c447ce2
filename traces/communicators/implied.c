/* The table of what calls imply, sorted by name, and the operations of a rule. The phrases are what coverage
 * prints, so they say what was done in the terms of MPI. */
#include "traces/communicators/implied.h"

#include <stdlib.h>
#include <string.h>

/* The creation of communicators is what an implementation does at least: agree on a context (8 bytes a rank
 * when colours and keys decide), and it cannot end before all have begun. */
#define CREATES(name, kind, size, text)                                                                      \
    {                                                                                                        \
        .call = (name), .object = TRACE_IMPLIED_PARENT, .agrees = true, .collective = (kind),                \
        .bytes = (size), .treatment = TRACE_DECOMPOSED, .how = (text)                                        \
    }
#define BARRIER(name) CREATES(name, TRACE_BARRIER, 0, "an implied barrier on the parent")
#define GATHERS(name) CREATES(name, TRACE_ALLGATHER, 8, "an implied allgather of colour and key")

#define WINDOW(name, parent, waits, kind, size, text)                                                        \
    {                                                                                                        \
        .call = (name), .object = (parent) ? TRACE_IMPLIED_PARENT : TRACE_IMPLIED_WINDOW, .agrees = true,    \
        .completes = (waits), .collective = (kind), .bytes = (size), .treatment = TRACE_APPROXIMATE,         \
        .how = (text)                                                                                        \
    }
#define NEW_WINDOW(name)                                                                                     \
    WINDOW(name, true, false, TRACE_ALLGATHER, 16, "an implied allgather of the windows' places")
/* The closing calls of the other synchronisations: the operations end there, the other side is not told. */
#define CLOSES(name)                                                                                         \
    {                                                                                                        \
        .call = (name), .object = TRACE_IMPLIED_WINDOW, .completes = true, .treatment = TRACE_APPROXIMATE,   \
        .how = "a wait for the epoch's operations; the target is not synchronised"                           \
    }

#define FILE_COLLECTIVE(name, parent)                                                                        \
    {                                                                                                        \
        .call = (name), .object = (parent) ? TRACE_IMPLIED_PARENT : TRACE_IMPLIED_FILE, .agrees = true,      \
        .works = true, .collective = TRACE_BARRIER, .treatment = TRACE_APPROXIMATE,                          \
        .how = "an implied barrier, then the recorded duration as compute time"                              \
    }
#define ALL(name) FILE_COLLECTIVE(name, false)
#define ALONE(name)                                                                                          \
    {                                                                                                        \
        .call = (name), .object = TRACE_IMPLIED_FILE, .works = true, .treatment = TRACE_APPROXIMATE,         \
        .how = "the recorded duration as compute time"                                                       \
    }

/* In the order of strcmp; a test holds it to that. The end of a split collective on a file waits for nobody:
 * its begin has met the others. */
static const struct trace_implied_call rules[] = {
    BARRIER("MPI_Cart_create"),
    BARRIER("MPI_Cart_sub"),
    BARRIER("MPI_Comm_create"),
    BARRIER("MPI_Comm_dup"),
    BARRIER("MPI_Comm_dup_with_info"),
    GATHERS("MPI_Comm_split"),
    GATHERS("MPI_Comm_split_type"),
    BARRIER("MPI_Dist_graph_create"),
    BARRIER("MPI_Dist_graph_create_adjacent"),
    ALL("MPI_File_close"),
    ALONE("MPI_File_delete"),
    ALONE("MPI_File_iread"),
    ALONE("MPI_File_iread_at"),
    ALONE("MPI_File_iread_shared"),
    ALONE("MPI_File_iwrite"),
    ALONE("MPI_File_iwrite_at"),
    ALONE("MPI_File_iwrite_shared"),
    FILE_COLLECTIVE("MPI_File_open", true),
    ALL("MPI_File_preallocate"),
    ALONE("MPI_File_read"),
    ALL("MPI_File_read_all"),
    ALL("MPI_File_read_all_begin"),
    ALONE("MPI_File_read_all_end"),
    ALONE("MPI_File_read_at"),
    ALL("MPI_File_read_at_all"),
    ALL("MPI_File_read_at_all_begin"),
    ALONE("MPI_File_read_at_all_end"),
    ALL("MPI_File_read_ordered"),
    ALL("MPI_File_read_ordered_begin"),
    ALONE("MPI_File_read_ordered_end"),
    ALONE("MPI_File_read_shared"),
    ALONE("MPI_File_seek"),
    ALL("MPI_File_seek_shared"),
    ALL("MPI_File_set_atomicity"),
    ALL("MPI_File_set_info"),
    ALL("MPI_File_set_size"),
    ALL("MPI_File_set_view"),
    ALL("MPI_File_sync"),
    ALONE("MPI_File_write"),
    ALL("MPI_File_write_all"),
    ALL("MPI_File_write_all_begin"),
    ALONE("MPI_File_write_all_end"),
    ALONE("MPI_File_write_at"),
    ALL("MPI_File_write_at_all"),
    ALL("MPI_File_write_at_all_begin"),
    ALONE("MPI_File_write_at_all_end"),
    ALL("MPI_File_write_ordered"),
    ALL("MPI_File_write_ordered_begin"),
    ALONE("MPI_File_write_ordered_end"),
    ALONE("MPI_File_write_shared"),
    BARRIER("MPI_Graph_create"),
    {.call = "MPI_Intercomm_create",
     .object = TRACE_IMPLIED_PARENT,
     .exchanges = true,
     .agrees = true,
     .collective = TRACE_BCAST,
     .bytes = 8,
     .treatment = TRACE_DECOMPOSED,
     .how = "messages between the leaders, then an implied bcast on each side"},
    CREATES("MPI_Intercomm_merge", TRACE_BARRIER, 0, "an implied barrier on the inter-communicator"),
    NEW_WINDOW("MPI_Win_allocate"),
    NEW_WINDOW("MPI_Win_allocate_shared"),
    CLOSES("MPI_Win_complete"),
    NEW_WINDOW("MPI_Win_create"),
    NEW_WINDOW("MPI_Win_create_dynamic"),
    WINDOW("MPI_Win_fence", false, true, TRACE_BARRIER, 0,
           "a wait for the epoch's operations, then an implied barrier"),
    CLOSES("MPI_Win_flush"),
    CLOSES("MPI_Win_flush_all"),
    CLOSES("MPI_Win_flush_local"),
    CLOSES("MPI_Win_flush_local_all"),
    WINDOW("MPI_Win_free", false, true, TRACE_BARRIER, 0, "an implied barrier on the window's communicator"),
    CLOSES("MPI_Win_unlock"),
    CLOSES("MPI_Win_unlock_all"),
};

/* For bsearch: the table is in the order of strcmp. */
static int compare(const void *name, const void *rule)
{
    return strcmp(name, ((const struct trace_implied_call *)rule)->call);
}

/* By name, since that is what all formats have in common; a reader asks once a function, not once a record.
 */
const struct trace_implied_call *trace_implied_find(const char *call)
{
    return bsearch(call, rules, sizeof rules / sizeof *rules, sizeof *rules, compare);
}

/* The next step, with what all steps of a rule have in common. */
static struct trace_op *next_step(const struct trace_implied_call *rule,
                                  const struct trace_implied_place *place, struct trace_implied_steps *steps,
                                  enum trace_op_kind kind)
{
    struct trace_op *op = &steps->ops[steps->count++];

    op->kind = kind;
    op->flags = rule->treatment == TRACE_APPROXIMATE ? TRACE_APPROXIMATED : 0;
    if (kind != TRACE_COMPUTE)
        op->flags |= TRACE_IMPLIED;
    op->communicator = place->communicator;
    op->root = UINT32_MAX;
    op->region = TRACE_NO_REGION;
    return op;
}

/* Waits for a set that lives elsewhere: the exchange's in the steps themselves, an epoch's with the reader.
 */
static void add_wait(const struct trace_implied_call *rule, const struct trace_implied_place *place,
                     struct trace_implied_steps *steps, const uint64_t *requests, size_t count)
{
    struct trace_op *op = next_step(rule, place, steps, TRACE_WAIT);

    op->requests = requests;
    op->request_count = count;
}

/* The receive comes first and both at once, as in a sendrecv: the other leader does the same. */
static void add_exchange(const struct trace_implied_call *rule, const struct trace_implied_place *place,
                         struct trace_implied_steps *steps)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trace_op *op = next_step(rule, place, steps, i == 0 ? TRACE_RECEIVE : TRACE_SEND);

        op->flags |= TRACE_NONBLOCKING;
        op->communicator = place->peer_communicator;
        op->peer = place->peer;
        op->tag = place->tag;
        op->bytes = rule->bytes;
        op->request = steps->requests[i] = place->next_request + i;
    }
    steps->started = 2;
    add_wait(rule, place, steps, steps->requests, 2);
}

/* The order is that of the parts in struct trace_implied_call: what is left of an epoch ends, then leaders meet,
 * then all of the communicator do, and what a file costs comes last. *steps owns its operations, and borrows the
 * pending requests from `place`. */
void trace_implied_steps(const struct trace_implied_call *rule, const struct trace_implied_place *place,
                         struct trace_implied_steps *steps)
{
    struct trace_op *op;

    memset(steps, 0, sizeof *steps);
    if (rule->completes && place->pending_count > 0)
        add_wait(rule, place, steps, place->pending, place->pending_count);
    if (rule->exchanges && place->leader)
        add_exchange(rule, place, steps);
    if (rule->agrees) {
        op = next_step(rule, place, steps, TRACE_COLLECTIVE_CALL);
        op->collective = rule->collective;
        op->bytes = rule->bytes;
        if (rule->exchanges)
            op->root = place->root;
    }
    if (rule->works && place->duration_ns > 0) {
        op = next_step(rule, place, steps, TRACE_COMPUTE);
        op->duration_ns = place->duration_ns;
    }
}
