/* Matching the creating calls of all ranks. Every rank runs through its log until a creating call, and waits
 * there until all members of the parent have come to it: creation is collective, so a legal program stays
 * legal when every creation synchronises, and no order of the ranks changes the result. A rank is in the
 * queue once for every call it was released from: the work is in proportion to the logs, times the logarithm
 * of the search for a handle.
 *
 * When nobody can go on, calls are missing. The waiting is followed to its end, or round its circle, so that
 * what is blamed is a rank that stopped rather than one that waits for it.
 *
 *     advance ──► all members there? ─ no ─► blocked: another rank is taken from the queue
 *                       │ yes
 *                   complete ─► check_kinds ─► trace_communicators_create ─► check_result of each ─► release
 *                                   └ Intercomm_create: find_other_side, which may wait for the other side
 *     queue empty, somebody blocked ─► follow ─► blame ─► the communicator is broken; its callers go on */
#include "traces/communicators/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/doctor/defect.h"

/* ---- Messages ---- */

/* MPI_Comm_accept stands for all the calls whose result is not known: they never fail, and so are never
 * named. By the kind of the log's entry. */
const char *trace_communicators_call_name(const struct entry *entry)
{
    static const char *const creations[] = {
        [TRACE_CREATE_DUP] = "MPI_Comm_dup",           [TRACE_CREATE_GROUP] = "MPI_Comm_create",
        [TRACE_CREATE_SPLIT] = "MPI_Comm_split",       [TRACE_CREATE_CART] = "MPI_Cart_create",
        [TRACE_CREATE_SUB] = "MPI_Cart_sub",           [TRACE_CREATE_GRAPH] = "MPI_Graph_create",
        [TRACE_CREATE_INTER] = "MPI_Intercomm_create", [TRACE_CREATE_MERGE] = "MPI_Intercomm_merge",
        [TRACE_CREATE_UNKNOWN] = "MPI_Comm_accept"};
    static const char *const groups[] = {[TRACE_GROUP_OF] = "MPI_Comm_group",
                                         [TRACE_GROUP_REMOTE] = "MPI_Comm_remote_group",
                                         [TRACE_GROUP_UNION] = "MPI_Group_union",
                                         [TRACE_GROUP_INTERSECTION] = "MPI_Group_intersection",
                                         [TRACE_GROUP_DIFFERENCE] = "MPI_Group_difference",
                                         [TRACE_GROUP_INCLUDE] = "MPI_Group_incl",
                                         [TRACE_GROUP_EXCLUDE] = "MPI_Group_excl",
                                         [TRACE_GROUP_RANGE_INCLUDE] = "MPI_Group_range_incl",
                                         [TRACE_GROUP_RANGE_EXCLUDE] = "MPI_Group_range_excl"};

    if (entry->type == ENTRY_FREE)
        return "MPI_Comm_free";
    return entry->type == ENTRY_GROUP ? groups[entry->kind] : creations[entry->kind];
}

/* One sentence for both: the error carries its position in the text, a defect in its fields. With defects
 * the caller goes on as if the call had made nothing. 0 where defects are collected, so that callers return it as
 * "noted". */
int trace_communicators_complain(struct trace_communicators *all, uint32_t rank, const char *kind,
                                 struct base_error *error, const char *format, ...)
{
    const struct entry *entry = entry_of(all, rank);
    struct base_position position = base_position_of(all->path);
    struct trace_defect defect = {.kind = kind,
                                  .severity = TRACE_FAULT,
                                  .rank = rank,
                                  .event = entry->event,
                                  .time_ns = UINT64_MAX,
                                  .call = trace_communicators_call_name(entry)};
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (all->defects != NULL)
        return trace_defects_add(all->defects, &defect, error, "%s", text);
    position.rank = rank;
    position.event = (int64_t)entry->event;
    return base_error_at(error, BASE_INPUT, &position, "%s", text);
}

/* ---- Histories ---- */

/* All keys of a history differ, since they hold the position. */
static int compare_keys(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* The null handle is bound to nothing, whatever a call returned it for. */
static bool belongs(const struct trace_communicators *all, const struct entry *entry, bool groups)
{
    if (groups || entry->type == ENTRY_GROUP)
        return groups && entry->type == ENTRY_GROUP;
    return entry->handle != all->handles.null;
}

/* Both histories of a rank are made before anything is simulated, of the handles alone. What they mean is
 * found as the simulation fills in the results: an entry only ever looks at those before it. Sorted by
 * handle, then by position: what a handle means at a position is one binary search. */
static int make_history(struct trace_communicators *all, const struct rank_log *log, struct history *history,
                        bool groups)
{
    size_t count = 0;

    for (size_t i = 0; i < log->count; i++)
        count += belongs(all, &log->entries[i], groups);
    history->keys = base_arena_array(&all->arena, count, sizeof *history->keys);
    if (history->keys == NULL)
        return -1;
    for (size_t i = 0; i < log->count; i++)
        if (belongs(all, &log->entries[i], groups))
            history->keys[history->count++] = history_key(log->entries[i].handle, (uint32_t)i);
    qsort(history->keys, count, sizeof *history->keys, compare_keys);
    return 0;
}

/* ---- The simulation ---- */

/* What the creating call that the rank is at is made on. TRACE_NO_COMMUNICATOR for one that was made by a
 * call that is not known. */
static uint32_t parent_of(const struct trace_communicators *all, uint32_t rank)
{
    return trace_communicators_meaning(all, rank, entry_of(all, rank)->parent, all->logs[rank].position);
}

/* The rank has made all its calls. */
static bool is_over(const struct trace_communicators *all, uint32_t rank)
{
    return all->logs[rank].position >= all->logs[rank].count;
}

/* Whether a rank that cannot go on is blocked at a call on made[parent]. */
static bool waits_on(const struct trace_communicators *all, uint32_t rank, uint32_t parent)
{
    return !is_over(all, rank) && parent_of(all, rank) == parent;
}

/* The rank has made the call that it was blocked at. A rank is in the queue once at most: it is not in it
 * while it is blocked. */
static void go_on(struct trace_communicators *all, uint32_t rank)
{
    all->logs[rank].position++;
    all->queue[all->queued++] = rank;
}

/* The members that are at a call on the communicator leave it. All of them are, unless it is broken. */
static void release(struct trace_communicators *all, uint32_t parent)
{
    struct made_communicator *made = &all->made[parent];
    uint32_t total = population(all, made);

    made->arrived = 0;
    made->ready = false;
    for (uint32_t i = 0; i < total; i++) {
        uint32_t rank = member(all, made, i);

        if (!made->broken || waits_on(all, rank, parent))
            go_on(all, rank);
    }
}

/* What a rank was given must be what the call made for it. */
static int check_result(struct trace_communicators *all, uint32_t rank, struct base_error *error)
{
    struct entry *entry = entry_of(all, rank);
    bool given = entry->handle != all->handles.null;

    if (entry->result == UNTOLD) {
        entry->result = TRACE_NO_COMMUNICATOR;
        return 0;
    }
    if (given == (entry->result != TRACE_NO_COMMUNICATOR))
        return 0;
    entry->result = TRACE_NO_COMMUNICATOR;
    return trace_communicators_complain(
        all, rank, "communicator-members", error,
        given ? "%s gives a communicator, but by the other ranks' calls this rank is not in it"
              : "%s gives MPI_COMM_NULL, but by the other ranks' calls this rank is in the new communicator",
        trace_communicators_call_name(entry));
}

/* The call has made what it makes: looks at every member's handle, and lets them go. */
static int finish_call(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    uint32_t total = population(all, &all->made[parent]);

    for (uint32_t i = 0; i < total; i++)
        if (check_result(all, member(all, &all->made[parent], i), error) != 0)
            return -1;
    release(all, parent);
    return 0;
}

/* 1: all members make the same kind of call; 0: they do not, and that was noted. Only kinds are compared
 * here: what else must agree depends on the kind. The first member's call is the measure, whoever came last. */
static int check_kinds(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    const struct made_communicator *made = &all->made[parent];
    uint32_t total = population(all, made), first = member(all, made, 0);
    const struct entry *expected = entry_of(all, first);

    for (uint32_t i = 1; i < total; i++) {
        uint32_t rank = member(all, made, i);
        const struct entry *entry = entry_of(all, rank);

        if (entry->kind != expected->kind)
            return trace_communicators_complain(
                all, rank, "communicator-mismatch", error,
                "%s on a communicator on which rank %u makes %s at that point (event %llu)",
                trace_communicators_call_name(entry), first, trace_communicators_call_name(expected),
                (unsigned long long)expected->event);
    }
    return 1;
}

/* A call that failed made nothing, for anybody: no results, and none to check. */
static void set_untold(struct trace_communicators *all, uint32_t parent)
{
    uint32_t total = population(all, &all->made[parent]);

    for (uint32_t i = 0; i < total; i++)
        entry_of(all, member(all, &all->made[parent], i))->result = UNTOLD;
}

static int find_other_side(struct trace_communicators *all, uint32_t near, struct base_error *error);

/* All members of the communicator are at their next creating call on it. all->calls numbers the calls, so
 * that groups can be seen to be of this one without clearing anything. */
static int complete(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    int same = check_kinds(all, parent, error);

    all->calls++;
    if (same < 0)
        return -1;
    if (same == 0)
        set_untold(all, parent);
    else if (entry_of(all, member(all, &all->made[parent], 0))->kind == TRACE_CREATE_INTER)
        return find_other_side(all, parent, error);
    else if (trace_communicators_create(all, parent, error) != 0)
        return -1;
    return finish_call(all, parent, error);
}

/* Runs a rank until it is blocked or over. Groups are local and evaluated on the way. Calls on unknown or
 * broken communicators are passed over, and their results stay unknown. Everything that follows from the last
 * arrival happens here: completing a call releases its members into the queue. */
static int advance(struct trace_communicators *all, uint32_t rank, struct base_error *error)
{
    struct rank_log *log = &all->logs[rank];

    for (; log->position < log->count; log->position++) {
        struct entry *entry = &log->entries[log->position];
        uint32_t parent;

        if (entry->type == ENTRY_GROUP && trace_communicators_evaluate(all, rank, error) != 0)
            return -1;
        if (entry->type != ENTRY_CREATION || entry->kind == TRACE_CREATE_UNKNOWN)
            continue;
        parent = parent_of(all, rank);
        if (parent == TRACE_NO_COMMUNICATOR || all->made[parent].broken)
            continue;
        if (++all->made[parent].arrived < population(all, &all->made[parent]))
            return 0;
        return complete(all, parent, error);
    }
    return 0;
}

/* ---- MPI_Intercomm_create: two communicators whose leaders name each other ---- */

/* One side's view: who leads, on which communicator it meets whom. */
struct side {
    uint32_t leader, peer, other; /* world ranks of the leaders; peer: index into made[] */
    int32_t tag;
};

/* 1: *side is what the members of made[near], which are all there, agree on; 0: they do not agree (noted), or
 * the peer communicator is not known (then *side's peer is TRACE_NO_COMMUNICATOR). All members name one leader;
 * only what the leader says of peer, remote leader and tag counts, as MPI has it. */
static int side_of(struct trace_communicators *all, uint32_t near, struct side *side,
                   struct base_error *error)
{
    const struct made_communicator *made = &all->made[near];
    uint32_t first = member(all, made, 0), total = population(all, made);
    uint32_t far;
    int32_t number = entry_of(all, first)->leader;
    const struct entry *entry;

    if (made->remote != NO_LIST)
        return trace_communicators_complain(all, first, "communicator-arguments", error,
                                            "MPI_Intercomm_create on an inter-communicator");
    for (uint32_t i = 1; i < total; i++)
        if (entry_of(all, member(all, made, i))->leader != number)
            return trace_communicators_complain(
                all, member(all, made, i), "communicator-mismatch", error,
                "MPI_Intercomm_create with local leader %d, but rank %u has %d (event %llu)",
                entry_of(all, member(all, made, i))->leader, first, number,
                (unsigned long long)entry_of(all, first)->event);
    if (number < 0 || (uint32_t)number >= total)
        return trace_communicators_complain(all, first, "communicator-arguments", error,
                                            "MPI_Intercomm_create with local leader %d of %u ranks", number,
                                            total);
    side->leader = member(all, made, (uint32_t)number);
    entry = entry_of(all, side->leader);
    side->tag = entry->tag;
    side->peer =
        trace_communicators_meaning(all, side->leader, entry->peer, all->logs[side->leader].position);
    if (side->peer == TRACE_NO_COMMUNICATOR)
        return 0;
    far = all->made[side->peer].members;
    if (all->made[side->peer].remote != NO_LIST &&
        trace_communicators_is_near(all, &all->made[side->peer], side->leader))
        far = all->made[side->peer].remote;
    if (entry->remote_leader < 0 || (uint32_t)entry->remote_leader >= all->lists[far].size)
        return trace_communicators_complain(all, side->leader, "communicator-arguments", error,
                                            "MPI_Intercomm_create with remote leader %d of %u ranks",
                                            entry->remote_leader, all->lists[far].size);
    side->other = all->lists[far].ranks[entry->remote_leader];
    return 1;
}

/* The side that this one can be joined with, or TRACE_NO_COMMUNICATOR when it is not there yet. A leader is
 * blocked at one call only, so there is nothing to search. Both sides must name each other, with one tag on one
 * peer communicator. */
static int match(struct trace_communicators *all, const struct side *side, uint32_t *far,
                 struct base_error *error)
{
    struct side other = {0};
    int known;

    *far = TRACE_NO_COMMUNICATOR;
    if (is_over(all, side->other) || entry_of(all, side->other)->type != ENTRY_CREATION ||
        entry_of(all, side->other)->kind != TRACE_CREATE_INTER)
        return 0;
    *far = parent_of(all, side->other);
    if (*far == TRACE_NO_COMMUNICATOR || !all->made[*far].ready) {
        *far = TRACE_NO_COMMUNICATOR;
        return 0;
    }
    known = side_of(all, *far, &other, error);
    if (known < 0)
        return -1;
    if (known == 0 || other.leader != side->other || other.other != side->leader ||
        other.peer != side->peer || other.tag != side->tag)
        *far = TRACE_NO_COMMUNICATOR;
    return 0;
}

/* The side that comes first is marked as ready and stays blocked; the one that comes second finds it, and one
 * communicator is made for both. A leader that names itself waits until nobody can go on. Whichever side comes
 * second makes it for both: the result does not depend on which that is. */
static int find_other_side(struct trace_communicators *all, uint32_t near, struct base_error *error)
{
    struct side side = {0};
    int known = side_of(all, near, &side, error);
    uint32_t far;

    if (known < 0)
        return -1;
    if (known == 0) {
        set_untold(all, near);
        return finish_call(all, near, error);
    }
    all->made[near].ready = true;
    if (match(all, &side, &far, error) != 0)
        return -1;
    if (far == TRACE_NO_COMMUNICATOR)
        return 0;
    if (near == far) /* a leader that names itself or its own side */
        return 0;
    if (trace_communicators_join(all, near, far, error) != 0 || finish_call(all, near, error) != 0)
        return -1;
    return finish_call(all, far, error);
}

/* ---- When nobody can go on ---- */

/* A member that has not come to the call on made[parent]: one that never will, if there is any. A rank that
 * never will is the better one to blame: one that is late may only be waiting in its turn. */
static uint32_t missing_on(const struct trace_communicators *all, uint32_t parent)
{
    const struct made_communicator *made = &all->made[parent];
    uint32_t total = population(all, made), first = UINT32_MAX;

    for (uint32_t i = 0; i < total; i++) {
        uint32_t rank = member(all, made, i);

        if (is_over(all, rank))
            return rank;
        if (first == UINT32_MAX && !waits_on(all, rank, parent))
            first = rank;
    }
    return first;
}

/* Follows who waits for whom from a blocked rank on: to one that waits for a rank whose log is over or for
 * another side, or round a circle. */
static uint32_t follow(struct trace_communicators *all, uint32_t rank)
{
    uint32_t mark = trace_communicators_new_mark(all);

    for (;;) {
        uint32_t parent = parent_of(all, rank);
        uint32_t missing;

        all->marks[rank] = mark;
        if (all->made[parent].ready)
            return rank;
        missing = missing_on(all, parent);
        if (is_over(all, missing) || all->marks[missing] == mark)
            return rank;
        rank = missing;
    }
}

/* Says what the blocked rank waits for. The rank named first is the one that calls; that the other one does
 * not is seen from its log, whose end has no event to point to. What is wrong is one of three: no other side, a
 * member that never calls, or calls in a circle. */
static int blame(struct trace_communicators *all, uint32_t rank, struct base_error *error)
{
    uint32_t parent = parent_of(all, rank);
    uint32_t missing;
    uint32_t size = population(all, &all->made[parent]);
    const struct entry *entry = entry_of(all, rank);

    if (all->made[parent].ready)
        return trace_communicators_complain(
            all, rank, "communicator-missing", error,
            "MPI_Intercomm_create with %u local ranks and tag %d, but the other side never answers it", size,
            entry->tag);
    missing = missing_on(all, parent);
    if (is_over(all, missing))
        return trace_communicators_complain(
            all, rank, "communicator-missing", error,
            "%s on a communicator of %u ranks, but rank %u, which is in it, never makes that call",
            trace_communicators_call_name(entry), size, missing);
    return trace_communicators_complain(
        all, rank, "communicator-order", error,
        "%s on a communicator of %u ranks, but rank %u is at %s on another one (event %llu), whose members "
        "wait in a circle",
        trace_communicators_call_name(entry), size, missing,
        trace_communicators_call_name(entry_of(all, missing)),
        (unsigned long long)entry_of(all, missing)->event);
}

/* With defects: the call that cannot be completed makes nothing, and its communicator makes no more. Each
 * time one communicator is broken, so this comes to an end. */
static int give_up(struct trace_communicators *all, uint32_t rank, struct base_error *error)
{
    uint32_t parent;

    rank = follow(all, rank);
    parent = parent_of(all, rank);
    if (blame(all, rank, error) != 0)
        return -1;
    all->made[parent].broken = true;
    release(all, parent);
    return 0;
}

/* Lets all ranks run; whoever is left blocked is helped on, the lowest rank first. The queue is a stack:
 * its order does not matter to the result, and this way it needs no ring. */
static int simulate(struct trace_communicators *all, struct base_error *error)
{
    for (uint32_t rank = all->ranks; rank-- > 0;)
        all->queue[all->queued++] = rank;
    for (;;) {
        uint32_t stuck = 0;

        while (all->queued > 0)
            if (advance(all, all->queue[--all->queued], error) != 0)
                return -1;
        while (stuck < all->ranks && is_over(all, stuck))
            stuck++;
        if (stuck == all->ranks)
            return 0;
        if (give_up(all, stuck, error) != 0)
            return -1;
    }
}

/* ---- The result ---- */

struct rank_order {
    uint32_t rank, made; /* made: index of the communicator */
    uint64_t event;      /* of the rank, when it made it */
};

/* A rank makes one communicator in a call, so no two have the same first member and event. */
static int compare_orders(const void *a, const void *b)
{
    const struct rank_order *left = a, *right = b;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->event > right->event) - (left->event < right->event);
}

/* Fills results[index] from made[number]. The name tells communicators apart for people: by the call that
 * made them, which is in the trace. -1: memory for the name. */
static int publish(struct trace_communicators *all, uint32_t index, uint32_t number)
{
    const struct made_communicator *made = &all->made[number];
    const struct rank_list *members = &all->lists[made->members];
    struct trace_communicator *result = &all->results[index];
    struct entry entry = {.type = ENTRY_CREATION, .kind = made->kind};

    all->sources[index] = made;
    result->size = members->size;
    result->members = members->ranks;
    if (made->remote != NO_LIST) {
        result->remote_size = all->lists[made->remote].size;
        result->remote_members = all->lists[made->remote].ranks;
    }
    result->name = number == TRACE_COMM_WORLD
                       ? "MPI_COMM_WORLD"
                       : base_arena_format(&all->arena, "%s of rank %u, event %llu",
                                           trace_communicators_call_name(&entry), members->ranks[0],
                                           (unsigned long long)made->event);
    return result->name == NULL ? -1 : 0;
}

/* Sorts what was made, and notes for each where it went. Nothing of the simulation's own order stays
 * visible. By first member and event, and so as a reader of the trace meets them; the world comes first. */
static int publish_all(struct trace_communicators *all, struct rank_order *orders, uint32_t *index_of)
{
    uint32_t first = all->ranks + 1, count = (uint32_t)all->made_count - first;

    for (uint32_t i = 0; i < count; i++) {
        const struct made_communicator *made = &all->made[first + i];

        orders[i] = (struct rank_order){
            .rank = all->lists[made->members].ranks[0], .made = first + i, .event = made->event};
    }
    qsort(orders, count, sizeof *orders, compare_orders);
    if (publish(all, 0, TRACE_COMM_WORLD) != 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        if (publish(all, 1 + i, orders[i].made) != 0)
            return -1;
        index_of[orders[i].made - first] = 1 + i;
    }
    *all->result_count = 1 + count;
    return 0;
}

/* From the order of making, which is the simulation's business, to the order of the result. */
static void renumber(struct trace_communicators *all, const uint32_t *index_of)
{
    for (uint32_t rank = 0; rank < all->ranks; rank++)
        for (size_t i = 0; i < all->logs[rank].count; i++) {
            struct entry *entry = &all->logs[rank].entries[i];

            if (entry->type == ENTRY_CREATION && entry->result != TRACE_NO_COMMUNICATOR)
                entry->result = index_of[entry->result - all->ranks - 1];
        }
}

/* Room for every self is made here, so that a query which meets one needs no memory and cannot fail. */
static int make_results(struct trace_communicators *all)
{
    size_t count = all->made_count - all->ranks; /* the world and what was made */
    struct rank_order *orders = malloc(count * sizeof *orders);
    uint32_t *index_of = malloc(count * sizeof *index_of);
    int result = -1;

    all->results = base_arena_array(&all->arena, count + all->ranks, sizeof *all->results);
    all->sources = base_arena_array(&all->arena, count + all->ranks, sizeof *all->sources);
    if (orders != NULL && index_of != NULL && all->results != NULL && all->sources != NULL &&
        publish_all(all, orders, index_of) == 0) {
        renumber(all, index_of);
        result = 0;
    }
    free(orders);
    free(index_of);
    return result;
}

/* Three steps: what each handle could mean where, what each call makes, and in which order that is shown. */
int trace_communicators_resolve(struct trace_communicators *communicators, const char *path,
                                struct trace_defects *defects, struct base_error *error)
{
    communicators->path = path;
    communicators->defects = defects;
    for (uint32_t rank = 0; rank < communicators->ranks; rank++) {
        struct rank_log *log = &communicators->logs[rank];

        if (make_history(communicators, log, &log->communicators, false) != 0 ||
            make_history(communicators, log, &log->groups, true) != 0)
            return base_error_memory(error, "the handles of communicators");
    }
    if (simulate(communicators, error) != 0)
        return -1;
    return make_results(communicators) == 0 ? 0 : base_error_memory(error, "the communicators");
}
