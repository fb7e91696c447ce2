#include <config.h>

#include "tests/traces/communicators/communicator-model.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define MOST_RANKS 33
#define MOST_OBJECTS 4000
#define MOST_CHECKS 20000
#define HANDLES 24 /* few, so that numbers are given again soon; 0 to 3 are predefined */
#define GROUPS 8
#define NOTHING (-1)

const struct trace_predefined_handles model_handles = {
    .world = 2, .self = 3, .null = 1, .group_empty = 2, .group_null = 1};

struct array {
    uint32_t size;
    uint32_t ranks[MOST_RANKS];
};

struct object {
    struct array members, remote; /* remote.size > 0: an inter-communicator */
    int32_t dims[3];
    uint32_t dim_count;
    bool cartesian;
};

struct check {
    uint32_t rank;
    uint64_t event;
    int32_t handle;
    int object;    /* NOTHING: the handle means nothing there */
    bool is_group; /* then the handle is a group's and `group` what is in it */
    struct array group;
};

struct model {
    struct base_random random;
    uint32_t ranks;
    struct object objects[MOST_OBJECTS];
    int object_count;
    int table[MOST_RANKS][HANDLES]; /* object of a rank's handle */
    struct array groups[MOST_RANKS][GROUPS];
    bool has_group[MOST_RANKS][GROUPS];
    uint64_t events[MOST_RANKS];
    struct check checks[MOST_CHECKS];
    size_t check_count;
    struct trace_communicators *all;
};

/* A random number of the model's own stream. */
static uint32_t below(struct model *model, uint32_t bound)
{
    return (uint32_t)base_random_below(&model->random, bound);
}

/* The world is object 0, the self of rank r is object 1 + r. */
struct model *model_new(uint64_t seed)
{
    struct model *model = calloc(1, sizeof *model);

    assert_non_null(model);
    base_random_seed(&model->random, seed, 0);
    model->ranks = 1 + below(model, MOST_RANKS);
    model->object_count = (int)model->ranks + 1;
    model->objects[0].members.size = model->ranks;
    for (uint32_t rank = 0; rank < model->ranks; rank++) {
        model->objects[0].members.ranks[rank] = rank;
        model->objects[1 + rank].members = (struct array){1, {rank}};
        for (int handle = 0; handle < HANDLES; handle++)
            model->table[rank][handle] = NOTHING;
        model->table[rank][model_handles.world] = 0;
        model->table[rank][model_handles.self] = 1 + (int)rank;
    }
    return model;
}

void model_free(struct model *model)
{
    free(model);
}

uint32_t model_ranks(const struct model *model)
{
    return model->ranks;
}

/* ---- Handles ---- */

/* The rank's number of an object; the null handle when it has none any more. */
static int32_t handle_of(const struct model *model, uint32_t rank, int object)
{
    for (int32_t handle = 2; handle < HANDLES; handle++)
        if (model->table[rank][handle] == object)
            return handle;
    return model_handles.null;
}

/* Events rise by one or more, as other calls lie between those that are recorded. */
static uint64_t next_event(struct model *model, uint32_t rank)
{
    return model->events[rank] += 1 + below(model, 3);
}

/* Any number that means nothing now, as one that was freed just before: MPI gives them again at once. The
 * null handle when all are taken. */
static int32_t free_handle(struct model *model, uint32_t rank)
{
    uint32_t start = below(model, HANDLES - 4);

    for (uint32_t i = 0; i < HANDLES - 4; i++) {
        int32_t handle = (int32_t)(4 + (start + i) % (HANDLES - 4));

        if (model->table[rank][handle] == NOTHING)
            return handle;
    }
    return model_handles.null;
}

/* By looking at all of them, as everything here. */
static bool contains(const struct array *array, uint32_t rank)
{
    for (uint32_t i = 0; i < array->size; i++)
        if (array->ranks[i] == rank)
            return true;
    return false;
}

/* Both sides, members first. */
static struct array everybody(const struct object *object)
{
    struct array all = object->members;

    for (uint32_t i = 0; i < object->remote.size; i++)
        all.ranks[all.size++] = object->remote.ranks[i];
    return all;
}

/* All members still hold it and have a number left for another one. */
static bool usable(struct model *model, int object)
{
    struct array all = everybody(&model->objects[object]);

    for (uint32_t i = 0; i < all.size; i++)
        if (handle_of(model, all.ranks[i], object) == model_handles.null ||
            free_handle(model, all.ranks[i]) == model_handles.null)
            return false;
    return true;
}

/* A random usable communicator, recent ones more often; the world may be the only one. NOTHING: none. */
static int choose(struct model *model)
{
    for (int tries = 0; tries < 30; tries++) {
        int object = (int)below(model, (uint32_t)model->object_count);

        if (tries < 10 && model->object_count > 40)
            object = model->object_count - 1 - (int)below(model, 20);
        if (usable(model, object))
            return object;
    }
    return NOTHING;
}

/* Remembers what a handle of the rank means just now, to be asked for in the end. */
static void note(struct model *model, uint32_t rank, int32_t handle)
{
    if (model->check_count < MOST_CHECKS)
        model->checks[model->check_count++] = (struct check){.rank = rank,
                                                             .event = model->events[rank],
                                                             .handle = handle,
                                                             .object = model->table[rank][handle]};
}

/* ---- Creation ---- */

/* A call by all of the parent's ranks: arguments and what it makes, filled before it is recorded. */
struct call {
    int parent;
    struct trace_creation creations[MOST_RANKS];
    int made[MOST_RANKS]; /* by world rank */
};

/* A call without arguments, which makes nothing for anybody yet. */
static struct call call_on(struct model *model, int parent, enum trace_creation_kind kind)
{
    struct call call = {.parent = parent};

    for (uint32_t rank = 0; rank < model->ranks; rank++) {
        call.creations[rank] = (struct trace_creation){.kind = kind};
        call.made[rank] = NOTHING;
    }
    return call;
}

/* Makes an object and says that it is what all in it get from the call. */
static int new_object(struct model *model, struct call *call, const struct array *members,
                      const struct array *remote)
{
    struct object *object = &model->objects[model->object_count];

    assert_true(model->object_count < MOST_OBJECTS);
    *object = (struct object){.members = *members};
    if (remote != NULL)
        object->remote = *remote;
    for (uint32_t i = 0; i < members->size; i++)
        call->made[members->ranks[i]] = model->object_count;
    for (uint32_t i = 0; i < object->remote.size; i++)
        call->made[object->remote.ranks[i]] = model->object_count;
    return model->object_count++;
}

/* These ranks make the call: each with its own handles and its own event, one rank after the other. */
static void record(struct model *model, struct call *call, const struct array *ranks)
{
    for (uint32_t i = 0; i < ranks->size; i++) {
        uint32_t rank = ranks->ranks[i];
        struct trace_creation *creation = &call->creations[rank];

        creation->event = next_event(model, rank);
        creation->parent = handle_of(model, rank, call->parent);
        creation->new = model_handles.null;
        if (call->made[rank] != NOTHING) {
            creation->new = free_handle(model, rank);
            model->table[rank][creation->new] = call->made[rank];
            note(model, rank, creation->new);
        }
        assert_int_equal(trace_communicators_add(model->all, rank, creation), 0);
    }
}

/* The call of all ranks of the parent. */
static void record_all(struct model *model, struct call *call)
{
    struct array all = everybody(&model->objects[call->parent]);

    record(model, call, &all);
}

/* The same ranks, and the same grid. */
static void do_dup(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_DUP);
    struct object old = model->objects[parent];
    int object = new_object(model, &call, &old.members, &old.remote);

    model->objects[object] = old;
    record_all(model, &call);
}

/* The ranks of one colour, by repeatedly taking the least key: the first of equals. */
static struct array colored(const struct array *from, const struct call *call, int32_t color)
{
    struct array result = {0};
    bool taken[MOST_RANKS] = {false};

    for (;;) {
        uint32_t best = UINT32_MAX;

        for (uint32_t i = 0; i < from->size; i++)
            if (!taken[i] && call->creations[from->ranks[i]].color == color &&
                (best == UINT32_MAX ||
                 call->creations[from->ranks[i]].key < call->creations[from->ranks[best]].key))
                best = i;
        if (best == UINT32_MAX)
            return result;
        taken[best] = true;
        result.ranks[result.size++] = from->ranks[best];
    }
}

/* Few colours and few keys, so that there are ties; some ranks give none. */
static void do_split(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_SPLIT);
    struct object old = model->objects[parent];
    int32_t colors = 1 + (int32_t)below(model, 4);

    for (uint32_t rank = 0; rank < model->ranks; rank++) {
        call.creations[rank].color =
            below(model, 9) == 0 ? TRACE_UNDEFINED_COLOR : (int32_t)below(model, (uint32_t)colors) * 7 - 7;
        call.creations[rank].key = (int32_t)below(model, 5) - 2;
    }
    for (int32_t color = -7; color < colors * 7 - 7; color += 7) {
        struct array near = colored(&old.members, &call, color), far = colored(&old.remote, &call, color);

        if (near.size > 0 && (old.remote.size == 0 || far.size > 0))
            new_object(model, &call, &near, old.remote.size > 0 ? &far : NULL);
    }
    record_all(model, &call);
}

/* Up to three dimensions, none at all among them: that is a grid of one rank. */
static void do_cart(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_CART);
    struct array first = model->objects[parent].members;
    uint32_t count = below(model, 4), product = 1;
    int32_t dims[3];
    int object;

    for (uint32_t d = 0; d < count; d++) {
        dims[d] = 1 + (int32_t)below(model, first.size / product);
        product *= (uint32_t)dims[d];
    }
    first.size = product;
    object = new_object(model, &call, &first, NULL);
    model->objects[object].cartesian = true;
    model->objects[object].dim_count = count;
    memcpy(model->objects[object].dims, dims, sizeof dims);
    for (uint32_t rank = 0; rank < model->ranks; rank++) {
        call.creations[rank].numbers = dims;
        call.creations[rank].count = count;
    }
    record_all(model, &call);
}

/* The last dimension runs fastest. */
static void coordinates_of(const struct object *object, uint32_t number, int32_t *coordinates)
{
    for (uint32_t d = object->dim_count; d-- > 0;) {
        coordinates[d] = (int32_t)(number % (uint32_t)object->dims[d]);
        number /= (uint32_t)object->dims[d];
    }
}

/* Whether two ranks differ in no dimension that is dropped. */
static bool same_sub(const struct object *object, uint32_t a, uint32_t b, const int32_t *remain)
{
    int32_t left[3], right[3];

    coordinates_of(object, a, left);
    coordinates_of(object, b, right);
    for (uint32_t d = 0; d < object->dim_count; d++)
        if (!remain[d] && left[d] != right[d])
            return false;
    return true;
}

/* Row-major order in the kept dimensions is the order of the parent's ranks. */
static void do_sub(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_SUB);
    struct object old = model->objects[parent];
    int32_t remain[3] = {(int32_t)below(model, 2), (int32_t)below(model, 2), (int32_t)below(model, 2)};

    for (uint32_t i = 0; i < old.members.size; i++) {
        struct array row = {0};
        struct object *object;

        if (call.made[old.members.ranks[i]] != NOTHING)
            continue;
        for (uint32_t j = 0; j < old.members.size; j++)
            if (same_sub(&old, i, j, remain))
                row.ranks[row.size++] = old.members.ranks[j];
        object = &model->objects[new_object(model, &call, &row, NULL)];
        object->cartesian = true;
        for (uint32_t d = 0; d < old.dim_count; d++)
            if (remain[d])
                object->dims[object->dim_count++] = old.dims[d];
    }
    for (uint32_t rank = 0; rank < model->ranks; rank++) {
        call.creations[rank].numbers = remain;
        call.creations[rank].count = old.dim_count;
    }
    record_all(model, &call);
}

/* The first ranks, perhaps nobody. */
static void do_graph(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_GRAPH);
    struct array first = model->objects[parent].members;

    first.size = below(model, first.size + 1);
    if (first.size > 0)
        new_object(model, &call, &first, NULL);
    for (uint32_t rank = 0; rank < model->ranks; rank++)
        call.creations[rank].count = first.size;
    record_all(model, &call);
}

/* ---- Groups ---- */

/* One rank's call; the result is asked for in the end, whatever the handle means later. */
static void record_group(struct model *model, uint32_t rank, struct trace_group_call *call,
                         const struct array *result)
{
    call->event = next_event(model, rank);
    assert_int_equal(trace_communicators_group(model->all, rank, call), 0);
    model->groups[rank][call->new] = *result;
    model->has_group[rank][call->new] = true;
    if (model->check_count < MOST_CHECKS)
        model->checks[model->check_count++] = (struct check){
            .rank = rank, .event = call->event, .handle = call->new, .is_group = true, .group = *result};
}

/* The group of an inter-communicator is that of the rank's own side. */
static struct array near_side(const struct object *object, uint32_t rank)
{
    return contains(&object->members, rank) ? object->members : object->remote;
}

/* A group of a communicator by the rank's own handles: 3 is the whole, 4 a list from it in that order. */
static void group_for(struct model *model, uint32_t rank, int parent, const struct array *list)
{
    struct array whole = near_side(&model->objects[parent], rank);
    struct trace_group_call of = {.kind = TRACE_GROUP_OF, .new = 3, .left = handle_of(model, rank, parent)};
    struct trace_group_call include = {.kind = TRACE_GROUP_INCLUDE, .new = 4, .left = 3};
    int32_t numbers[MOST_RANKS];

    record_group(model, rank, &of, &whole);
    for (uint32_t i = 0; i < list->size; i++)
        for (uint32_t j = 0; j < whole.size; j++)
            if (whole.ranks[j] == list->ranks[i])
                numbers[i] = (int32_t)j;
    include.numbers = numbers;
    include.count = list->size;
    record_group(model, rank, &include, list);
}

/* A random part of the array in random order, at least one. */
static struct array random_part(struct model *model, struct array array)
{
    base_random_shuffle(&model->random, array.ranks, array.size);
    array.size = 1 + below(model, array.size);
    return array;
}

/* A random part in random order, or two disjoint ones; of an inter-communicator a part of each side. Ranks
 * outside give a group that they are not in, or the empty one. */
static void do_create(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_GROUP);
    struct object old = model->objects[parent];
    struct array near = random_part(model, old.members), far = {0}, all = everybody(&old);
    bool two = old.remote.size == 0 && near.size > 1 && below(model, 2) == 0;

    if (old.remote.size > 0)
        far = random_part(model, old.remote);
    if (two) { /* several disjoint groups in one call */
        far.size = near.size / 2;
        near.size -= far.size;
        memcpy(far.ranks, near.ranks + near.size, far.size * sizeof *far.ranks);
    }
    for (uint32_t i = 0; i < all.size; i++) {
        uint32_t rank = all.ranks[i];
        bool second = two ? contains(&far, rank) : contains(&old.remote, rank);

        group_for(model, rank, parent, second ? &far : &near);
        call.creations[rank].group = 4;
        if (old.remote.size == 0 && !contains(&near, rank) && !contains(&far, rank) && below(model, 2) == 0)
            call.creations[rank].group = model_handles.group_empty;
    }
    new_object(model, &call, &near, old.remote.size > 0 ? &far : NULL);
    if (two)
        new_object(model, &call, &far, NULL);
    record_all(model, &call);
}

/* As the standard defines them, element by element. */
static struct array combined(enum trace_group_kind kind, const struct array *left, const struct array *right)
{
    struct array result = {0};

    for (uint32_t i = 0; i < left->size; i++)
        if (kind == TRACE_GROUP_UNION ||
            contains(right, left->ranks[i]) == (kind == TRACE_GROUP_INTERSECTION))
            result.ranks[result.size++] = left->ranks[i];
    for (uint32_t i = 0; i < right->size && kind == TRACE_GROUP_UNION; i++)
        if (!contains(left, right->ranks[i]))
            result.ranks[result.size++] = right->ranks[i];
    return result;
}

/* One rank combines two of its groups into any handle. */
static void do_group(struct model *model)
{
    uint32_t rank = below(model, model->ranks);
    struct trace_group_call call = {.kind = TRACE_GROUP_UNION + below(model, 3),
                                    .new = 3 + (int32_t)below(model, GROUPS - 3),
                                    .left = 3 + (int32_t)below(model, GROUPS - 3),
                                    .right = 3 + (int32_t)below(model, GROUPS - 3)};
    struct array result;

    if (!model->has_group[rank][call.left] || !model->has_group[rank][call.right])
        return;
    result = combined(call.kind, &model->groups[rank][call.left], &model->groups[rank][call.right]);
    record_group(model, rank, &call, &result);
}

/* One rank takes or drops an arithmetic progression of positions, forwards or backwards. */
static void do_range(struct model *model)
{
    uint32_t rank = below(model, model->ranks), taken = 0;
    const struct array *whole = &model->groups[rank][3];
    int32_t triplet[3];
    bool hit[MOST_RANKS] = {false};
    struct array included = {0}, excluded = {0};
    struct trace_group_call call = {.left = 3, .new = 5, .numbers = triplet, .count = 3};

    if (!model->has_group[rank][3] || whole->size == 0)
        return;
    triplet[0] = (int32_t)below(model, whole->size);
    triplet[1] = (int32_t)below(model, whole->size);
    triplet[2] = (1 + (int32_t)below(model, 3)) * (triplet[1] < triplet[0] ? -1 : 1);
    for (int32_t i = triplet[0]; triplet[2] > 0 ? i <= triplet[1] : i >= triplet[1]; i += triplet[2]) {
        included.ranks[taken++] = whole->ranks[i];
        hit[i] = true;
    }
    included.size = taken;
    for (uint32_t i = 0; i < whole->size; i++)
        if (!hit[i])
            excluded.ranks[excluded.size++] = whole->ranks[i];
    call.kind = below(model, 2) == 0 ? TRACE_GROUP_RANGE_INCLUDE : TRACE_GROUP_RANGE_EXCLUDE;
    record_group(model, rank, &call, call.kind == TRACE_GROUP_RANGE_INCLUDE ? &included : &excluded);
}

/* ---- Inter-communicators ---- */

/* No rank is in both. */
static bool disjoint(const struct array *a, const struct array *b)
{
    for (uint32_t i = 0; i < a->size; i++)
        if (contains(b, a->ranks[i]))
            return false;
    return true;
}

/* The leader's rank is known to its side; whom it meets and by which tag only to itself. */
static void set_leader(struct model *model, struct call *call, const struct array *side, uint32_t leader,
                       uint32_t other, int32_t tag)
{
    for (uint32_t i = 0; i < side->size; i++)
        call->creations[side->ranks[i]].leader = (int32_t)leader;
    call->creations[side->ranks[leader]].peer = model_handles.world;
    call->creations[side->ranks[leader]].remote_leader = (int32_t)other;
    call->creations[side->ranks[leader]].tag = tag;
    (void)model;
}

/* Of two communicators that have nobody in common, with any leaders, who meet on the world. */
static void do_inter(struct model *model, int left, int right)
{
    struct call call = call_on(model, left, TRACE_CREATE_INTER);
    struct array a = model->objects[left].members, b = model->objects[right].members;
    uint32_t leader_a = below(model, a.size), leader_b = below(model, b.size);
    int32_t tag = (int32_t)below(model, 3);

    if (model->objects[left].remote.size + model->objects[right].remote.size > 0 || !disjoint(&a, &b))
        return;
    set_leader(model, &call, &a, leader_a, b.ranks[leader_b], tag);
    set_leader(model, &call, &b, leader_b, a.ranks[leader_a], tag);
    if (a.ranks[0] < b.ranks[0])
        new_object(model, &call, &a, &b);
    else
        new_object(model, &call, &b, &a);
    record(model, &call, &a);
    call.parent = right;
    record(model, &call, &b);
}

/* Either side may be the high one, or both, or none: then the side of the lower first rank comes first. */
static void do_merge(struct model *model, int parent)
{
    struct call call = call_on(model, parent, TRACE_CREATE_MERGE);
    struct object old = model->objects[parent];
    bool high = below(model, 2) == 1, remote_high = below(model, 2) == 1;
    bool swapped = high == remote_high ? old.remote.ranks[0] < old.members.ranks[0] : high;
    struct object turned = {.members = old.remote, .remote = old.members};
    struct array all = everybody(swapped ? &turned : &old);

    for (uint32_t i = 0; i < all.size; i++)
        call.creations[all.ranks[i]].high = contains(&old.members, all.ranks[i]) ? high : remote_high;
    new_object(model, &call, &all, NULL);
    record_all(model, &call);
}

/* ---- The program ---- */

/* One rank frees one handle, if the number it draws is one; the others of that communicator go on using it.
 */
static void do_free(struct model *model)
{
    uint32_t rank = below(model, model->ranks);
    int32_t handle = 4 + (int32_t)below(model, HANDLES - 4);

    if (model->table[rank][handle] == NOTHING)
        return;
    assert_int_equal(trace_communicators_free_handle(model->all, rank, next_event(model, rank), handle), 0);
    note(model, rank, handle);
    model->table[rank][handle] = NOTHING;
    next_event(model, rank);
    note(model, rank, handle);
}

/* A kind that the parent allows; splits twice as often as the others. */
static void create_on(struct model *model, int parent)
{
    bool is_inter = model->objects[parent].remote.size > 0;

    switch (below(model, is_inter ? 5 : 7)) {
    case 0:
        do_dup(model, parent);
        break;
    case 1:
    case 2:
        do_split(model, parent);
        break;
    case 3:
        do_create(model, parent);
        break;
    case 4:
        if (is_inter)
            do_merge(model, parent);
        else
            do_graph(model, parent);
        break;
    default:
        if (model->objects[parent].cartesian)
            do_sub(model, parent);
        else
            do_cart(model, parent);
        break;
    }
}

/* Every step makes something on one or two communicators, and frees about as many handles as were made, so
 * that numbers are given again all the time. */
void model_run(struct model *model, struct trace_communicators *all)
{
    uint32_t steps = 10 + below(model, 60);

    model->all = all;
    for (uint32_t step = 0; step < steps; step++) {
        int parent = choose(model), other = choose(model);
        uint32_t rank = below(model, model->ranks);

        if (parent != NOTHING)
            create_on(model, parent);
        if (other != NOTHING && parent != NOTHING && usable(model, parent) && usable(model, other))
            do_inter(model, parent, other);
        for (uint32_t i = 0; i < model->ranks; i++)
            do_free(model);
        do_group(model);
        do_range(model);
        for (int32_t handle = 2; handle < HANDLES; handle++)
            note(model, rank, handle);
    }
}

/* ---- The comparison ---- */

/* The same ranks in the same order. */
static void check_array(const uint32_t *ranks, uint32_t size, const struct array *expected)
{
    assert_int_equal(size, expected->size);
    for (uint32_t i = 0; i < size; i++)
        assert_int_equal(ranks[i], expected->ranks[i]);
}

/* Groups are asked for at the event that made them. */
static void check_group(const struct check *check, const struct trace_communicators *all)
{
    uint32_t count;
    const uint32_t *ranks =
        trace_communicators_members(all, check->rank, check->event, check->handle, &count);

    assert_non_null(ranks);
    check_array(ranks, count, &check->group);
}

/* What messages to each number reach. */
static void check_world(const struct trace_communicators *all, uint32_t index, uint32_t rank,
                        const struct object *object)
{
    struct array to = object->members;

    if (object->remote.size > 0 && contains(&object->members, rank))
        to = object->remote;
    for (uint32_t number = 0; number <= to.size; number++)
        assert_int_equal(trace_communicators_world(all, index, rank, number),
                         number < to.size ? to.ranks[number] : UINT32_MAX);
}

/* An object has one index, and an index one object. */
static void check_handle(const struct model *model, const struct check *check, uint32_t *index_of,
                         int *object_of, const struct trace_communicators *all)
{
    uint32_t index = trace_communicators_at(all, check->rank, check->event, check->handle);
    const struct object *object;
    const struct trace_communicator *communicator;

    if (check->object == NOTHING) {
        assert_int_equal(index, TRACE_NO_COMMUNICATOR);
        return;
    }
    assert_true(index < trace_communicators_count(all));
    object = &model->objects[check->object];
    communicator = &trace_communicators_list(all)[index];
    check_array(communicator->members, communicator->size, &object->members);
    check_array(communicator->remote_members, communicator->remote_size, &object->remote);
    check_world(all, index, check->rank, object);
    if (index_of[check->object] == UINT32_MAX && object_of[index] == NOTHING) {
        index_of[check->object] = index;
        object_of[index] = check->object;
    }
    assert_int_equal(index_of[check->object], index);
    assert_int_equal(object_of[index], check->object);
}

/* World first, then by first member; the selves, which only queries make, at the end. */
static void check_order(const struct model *model, const struct trace_communicators *all)
{
    const struct trace_communicator *list = trace_communicators_list(all);
    uint32_t made = (uint32_t)model->object_count - model->ranks;

    assert_int_equal(trace_communicators_count(all), made);
    for (uint32_t i = 2; i < made; i++)
        assert_true(list[i - 1].members[0] <= list[i].members[0]);
}

/* In the order in which they were noted, so that selves, too, are met in an order that the model knows
 * nothing of. */
unsigned long model_check(const struct model *model, const struct trace_communicators *all)
{
    uint32_t *index_of = malloc(MOST_OBJECTS * sizeof *index_of);
    int *object_of = malloc(MOST_OBJECTS * sizeof *object_of);

    assert_true(index_of != NULL && object_of != NULL);
    memset(index_of, 0xff, MOST_OBJECTS * sizeof *index_of);
    memset(object_of, 0xff, MOST_OBJECTS * sizeof *object_of);
    check_order(model, all);
    for (size_t i = 0; i < model->check_count; i++) {
        if (model->checks[i].is_group)
            check_group(&model->checks[i], all);
        else
            check_handle(model, &model->checks[i], index_of, object_of, all);
    }
    free(index_of);
    free(object_of);
    return model->check_count;
}
