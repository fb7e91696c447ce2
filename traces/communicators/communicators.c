/* The builder's log and what can be asked of the result.
 *
 *      logs       of each rank: the calls that make or free handles and groups, in the order of their events
 *      lists      every group of ranks once, by content (lists.c)
 *      made       what calls have made, in the order of making; results: the same in the order that is shown
 *      history    of each rank: (handle, position) sorted, so that a handle's meaning is one binary search */
#include "traces/communicators/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* ---- The builder ---- */

/* The arrays whose size is known from the start. */
static int make_arrays(struct trace_communicators *all)
{
    all->logs = base_arena_array(&all->arena, all->ranks, sizeof *all->logs);
    all->queue = base_arena_array(&all->arena, all->ranks, sizeof *all->queue);
    all->marks = base_arena_array(&all->arena, all->ranks, sizeof *all->marks);
    all->scratch = base_arena_array(&all->arena, all->ranks, sizeof *all->scratch);
    all->selves = base_arena_array(&all->arena, all->ranks, sizeof *all->selves);
    all->result_count = base_arena_alloc(&all->arena, sizeof *all->result_count);
    if (all->logs == NULL || all->queue == NULL || all->marks == NULL || all->scratch == NULL ||
        all->selves == NULL || all->result_count == NULL)
        return -1;
    for (uint32_t rank = 0; rank < all->ranks; rank++)
        all->selves[rank] = TRACE_NO_COMMUNICATOR;
    return 0;
}

/* The world and every rank's self. The first entries of made[] are the world and the selves, which no call makes.
 * -1: memory. */
static int make_predefined(struct trace_communicators *all)
{
    uint32_t *identity = all->scratch;
    uint32_t world;

    if (base_grow(&all->made, &all->made_capacity, (size_t)all->ranks + 1, sizeof *all->made) != 0)
        return -1;
    memset(all->made, 0, ((size_t)all->ranks + 1) * sizeof *all->made);
    for (uint32_t rank = 0; rank < all->ranks; rank++)
        identity[rank] = rank;
    world = trace_communicators_list_of(all, identity, all->ranks);
    all->empty = trace_communicators_list_of(all, identity, 0);
    if (world == NO_LIST || all->empty == NO_LIST)
        return -1;
    all->made[TRACE_COMM_WORLD] = (struct made_communicator){.members = world, .remote = NO_LIST};
    for (uint32_t rank = 0; rank < all->ranks; rank++) {
        uint32_t self = trace_communicators_list_of(all, &rank, 1);

        if (self == NO_LIST)
            return -1;
        all->made[1 + rank] = (struct made_communicator){.members = self, .remote = NO_LIST};
    }
    all->made_count = (size_t)all->ranks + 1;
    return 0;
}

/* Everything that depends only on the number of ranks. 4 bytes a rank for most of it: the logs are what
 * takes memory, and they grow with the calls. */
struct trace_communicators *trace_communicators_new(uint32_t ranks,
                                                    const struct trace_predefined_handles *handles)
{
    struct trace_communicators *all = calloc(1, sizeof *all);

    if (all == NULL)
        return NULL;
    all->ranks = ranks;
    all->handles = *handles;
    if (make_arrays(all) != 0 || make_predefined(all) != 0) {
        trace_communicators_free(all);
        return NULL;
    }
    return all;
}

/* Also for a builder that could not be finished. */
void trace_communicators_free(struct trace_communicators *communicators)
{
    if (communicators == NULL)
        return;
    for (uint32_t rank = 0; communicators->logs != NULL && rank < communicators->ranks; rank++)
        free(communicators->logs[rank].entries);
    free(communicators->lists);
    free(communicators->table);
    free(communicators->made);
    base_arena_free(&communicators->arena);
    free(communicators);
}

/* Positions are 32 bits: what counts them would not fit into memory before that. The numbers are copied, since
 * they are the reader's record. `result` is set when the call is simulated. */
static int append(struct trace_communicators *all, uint32_t rank, struct entry *entry, const int32_t *numbers)
{
    struct rank_log *log = &all->logs[rank];

    assert(rank < all->ranks);
    if (log->count >= UINT32_MAX - 1 ||
        base_grow(&log->entries, &log->capacity, log->count + 1, sizeof *log->entries) != 0)
        return -1;
    if (entry->count > 0) {
        int32_t *copy = base_arena_array(&all->arena, entry->count, sizeof *copy);

        if (copy == NULL)
            return -1;
        memcpy(copy, numbers, entry->count * sizeof *copy);
        entry->numbers = copy;
    }
    entry->result = UINT32_MAX;
    log->entries[log->count++] = *entry;
    return 0;
}

/* Only the kinds that have numbers keep them. O(1), amortised; nothing is checked before all ranks have been read. */
int trace_communicators_add(struct trace_communicators *communicators, uint32_t rank,
                            const struct trace_creation *creation)
{
    bool counted = creation->kind == TRACE_CREATE_CART || creation->kind == TRACE_CREATE_SUB;
    struct entry entry = {.event = creation->event,
                          .type = ENTRY_CREATION,
                          .kind = (uint8_t)creation->kind,
                          .high = creation->high,
                          .handle = creation->new,
                          .parent = creation->parent,
                          .color = creation->color,
                          .key = creation->key,
                          .group = creation->group,
                          .peer = creation->peer,
                          .leader = creation->leader,
                          .remote_leader = creation->remote_leader,
                          .tag = creation->tag,
                          .count = counted ? creation->count : 0};

    /* The nodes of a graph are a count without numbers: they travel as the key. */
    if (creation->kind == TRACE_CREATE_GRAPH)
        entry.key = creation->count > INT32_MAX ? INT32_MAX : (int32_t)creation->count;
    return append(communicators, rank, &entry, creation->numbers);
}

/* MPI_Comm_free is collective, but nothing waits for it: each rank loses its own handle at its own time. */
int trace_communicators_free_handle(struct trace_communicators *communicators, uint32_t rank, uint64_t event,
                                    int32_t handle)
{
    struct entry entry = {.event = event, .type = ENTRY_FREE, .handle = handle};

    return append(communicators, rank, &entry, NULL);
}

/* MPI_Group_free needs no call here: a number that is given again is bound anew. */
int trace_communicators_group(struct trace_communicators *communicators, uint32_t rank,
                              const struct trace_group_call *call)
{
    struct entry entry = {.event = call->event,
                          .type = ENTRY_GROUP,
                          .kind = (uint8_t)call->kind,
                          .handle = call->new,
                          .parent = call->left,
                          .right = call->right,
                          .count = call->count};

    return append(communicators, rank, &entry, call->numbers);
}

/* ---- What handles mean ---- */

/* The position of the last entry before `position` that binds or frees the handle; UINT32_MAX: none. */
static uint32_t binding(const struct history *history, int32_t handle, uint32_t position)
{
    uint64_t key = history_key(handle, position);
    size_t low = 0, high = history->count; /* the first key that is not less */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (history->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || history->keys[low - 1] < history_key(handle, 0))
        return UINT32_MAX;
    return (uint32_t)history->keys[low - 1];
}

/* The predefined ones first: their handles cannot be bound, whatever a damaged trace says. */
uint32_t trace_communicators_meaning(const struct trace_communicators *all, uint32_t rank, int32_t handle,
                                     uint32_t position)
{
    const struct rank_log *log = &all->logs[rank];
    uint32_t at;

    if (handle == all->handles.world)
        return TRACE_COMM_WORLD;
    if (handle == all->handles.self)
        return 1 + rank;
    if (handle == all->handles.null)
        return TRACE_NO_COMMUNICATOR;
    at = binding(&log->communicators, handle, position);
    /* A freed handle's entry has no result: it means nothing. */
    return at == UINT32_MAX ? TRACE_NO_COMMUNICATOR : log->entries[at].result;
}

/* MPI_GROUP_EMPTY is a group of nobody; MPI_GROUP_NULL is no group. */
uint32_t trace_communicators_group_meaning(const struct trace_communicators *all, uint32_t rank,
                                           int32_t handle, uint32_t position)
{
    const struct rank_log *log = &all->logs[rank];
    uint32_t at;

    if (handle == all->handles.group_null)
        return NO_LIST;
    if (handle == all->handles.group_empty)
        return all->empty;
    at = binding(&log->groups, handle, position);
    return at == UINT32_MAX ? NO_LIST : log->entries[at].result;
}

/* The first position whose entries count only after `event`. A creating call's own event sees what it made; a
 * freeing call's own event still sees what it frees. */
static uint32_t position_at(const struct rank_log *log, uint64_t event)
{
    size_t low = 0, high = log->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct entry *entry = &log->entries[middle];

        if (entry->event < event || (entry->event == event && entry->type != ENTRY_FREE))
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ---- Queries ---- */

/* Behind a pointer, as it may rise by a query of a constant builder: see self_of. */
uint32_t trace_communicators_count(const struct trace_communicators *communicators)
{
    return *communicators->result_count;
}

/* Good until the builder is freed: a self that a query adds moves nothing. */
const struct trace_communicator *trace_communicators_list(const struct trace_communicators *communicators)
{
    return communicators->results;
}

/* The room for all selves was made by resolve. */
static uint32_t self_of(const struct trace_communicators *all, uint32_t rank)
{
    if (all->selves[rank] == TRACE_NO_COMMUNICATOR) {
        uint32_t index = (*all->result_count)++;

        all->sources[index] = &all->made[1 + rank];
        all->results[index] = (struct trace_communicator){
            .name = "MPI_COMM_SELF", .size = 1, .members = all->lists[all->made[1 + rank].members].ranks};
        all->selves[rank] = index;
    }
    return all->selves[rank];
}

/* A self is the only communicator that a query can add. */
uint32_t trace_communicators_at(const struct trace_communicators *communicators, uint32_t rank,
                                uint64_t event, int32_t handle)
{
    if (handle == communicators->handles.self)
        return self_of(communicators, rank);
    return trace_communicators_meaning(communicators, rank, handle,
                                       position_at(&communicators->logs[rank], event));
}

/* A binary search in the sorted copy that inter-communicators have, since every message on them asks. */
bool trace_communicators_is_near(const struct trace_communicators *all, const struct made_communicator *made,
                                 uint32_t rank)
{
    uint32_t low = 0, high = all->lists[made->members].size;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (made->sorted[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->lists[made->members].size && made->sorted[low] == rank;
}

/* On an inter-communicator the two sides address each other, and each is the other's remote group. */
uint32_t trace_communicators_world(const struct trace_communicators *communicators, uint32_t communicator,
                                   uint32_t rank, uint32_t number)
{
    const struct made_communicator *made;
    uint32_t addressed;

    if (communicator >= *communicators->result_count)
        return UINT32_MAX;
    made = communicators->sources[communicator];
    addressed = made->members;
    if (made->remote != NO_LIST && trace_communicators_is_near(communicators, made, rank))
        addressed = made->remote;
    return number < communicators->lists[addressed].size ? communicators->lists[addressed].ranks[number]
                                                         : UINT32_MAX;
}

/* The empty group is a list too, so that it can be told from an unknown one. */
const uint32_t *trace_communicators_members(const struct trace_communicators *communicators, uint32_t rank,
                                            uint64_t event, int32_t group, uint32_t *count)
{
    uint32_t list = trace_communicators_group_meaning(communicators, rank, group,
                                                      position_at(&communicators->logs[rank], event));

    *count = list == NO_LIST ? 0 : communicators->lists[list].size;
    return list == NO_LIST ? NULL : communicators->lists[list].ranks;
}
