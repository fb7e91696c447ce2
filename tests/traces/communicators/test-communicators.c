/* Communicators rebuilt across ranks: every kind of creation by hand, what is refused and how it is said, and
 * seeded programs of nested creations with recycled handles against a model that holds them in plain arrays.
 */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/traces/communicators/communicator-model.h"
#include "traces/communicators/communicators.h"
#include "traces/doctor/defect.h"

#define WORLD 2
#define SELF 3
#define NOBODY 1
#define EMPTY 2

/* ---- Programs by hand ---- */

/* A builder for so many ranks, with the handles that DUMPI has. */
static struct trace_communicators *begin(uint32_t ranks)
{
    struct trace_communicators *all = trace_communicators_new(ranks, &model_handles);

    assert_non_null(all);
    return all;
}

/* The functions below are one call of one rank each: rank, event, parent, arguments, and at last the handle
 * that it was given. */
static void add(struct trace_communicators *all, uint32_t rank, struct trace_creation creation)
{
    assert_int_equal(trace_communicators_add(all, rank, &creation), 0);
}

static void dup(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t parent, int32_t new)
{
    add(all, rank,
        (struct trace_creation){.kind = TRACE_CREATE_DUP, .event = event, .parent = parent, .new = new});
}

static void split(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t parent,
                  int32_t color, int32_t key, int32_t new)
{
    add(all, rank,
        (struct trace_creation){.kind = TRACE_CREATE_SPLIT,
                                .event = event,
                                .parent = parent,
                                .color = color,
                                .key = key,
                                .new = new});
}

static void create(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t parent,
                   int32_t group, int32_t new)
{
    add(all, rank,
        (struct trace_creation){
            .kind = TRACE_CREATE_GROUP, .event = event, .parent = parent, .group = group, .new = new});
}

/* Also MPI_Cart_sub and MPI_Graph_create, which have numbers or a count as well. */
static void cart(struct trace_communicators *all, uint32_t rank, uint64_t event,
                 enum trace_creation_kind kind, int32_t parent, const int32_t *numbers, uint32_t count,
                 int32_t new)
{
    add(all, rank,
        (struct trace_creation){
            .kind = kind, .event = event, .parent = parent, .numbers = numbers, .count = count, .new = new});
}

/* leader counts in the parent, remote_leader in the peer communicator. */
static void inter(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t parent,
                  int32_t leader, int32_t peer, int32_t remote_leader, int32_t tag, int32_t new)
{
    add(all, rank,
        (struct trace_creation){.kind = TRACE_CREATE_INTER,
                                .event = event,
                                .parent = parent,
                                .leader = leader,
                                .peer = peer,
                                .remote_leader = remote_leader,
                                .tag = tag,
                                .new = new});
}

static void merge(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t parent, bool high,
                  int32_t new)
{
    add(all, rank,
        (struct trace_creation){
            .kind = TRACE_CREATE_MERGE, .event = event, .parent = parent, .high = high, .new = new});
}

static void group(struct trace_communicators *all, uint32_t rank, struct trace_group_call call)
{
    assert_int_equal(trace_communicators_group(all, rank, &call), 0);
}

/* The program is legal. */
static void resolve(struct trace_communicators *all)
{
    struct base_error error = {0};

    if (trace_communicators_resolve(all, "program", NULL, &error) != 0)
        fail_msg("%s", error.text);
}

/* Resolving fails with exactly this sentence. */
static void refuse(struct trace_communicators *all, const char *text)
{
    struct base_error error = {0};

    assert_int_equal(trace_communicators_resolve(all, "program", NULL, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, text);
    trace_communicators_free(all);
}

/* The members as text: "0 2 4", and " | " before the remote ones. */
static const char *members_at(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t handle)
{
    static char text[1024];
    uint32_t index = trace_communicators_at(all, rank, event, handle);
    const struct trace_communicator *communicator;
    size_t used = 0;

    if (index == TRACE_NO_COMMUNICATOR)
        return "none";
    assert_true(index < trace_communicators_count(all));
    communicator = &trace_communicators_list(all)[index];
    assert_non_null(communicator->name);
    text[0] = '\0';
    for (uint32_t i = 0; i < communicator->size; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%u" : " %u",
                                 communicator->members[i]);
    for (uint32_t i = 0; i < communicator->remote_size; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? " | %u" : " %u",
                                 communicator->remote_members[i]);
    return text;
}

/* The same of a group. */
static const char *group_at(struct trace_communicators *all, uint32_t rank, uint64_t event, int32_t handle)
{
    static char text[1024];
    uint32_t count;
    const uint32_t *members = trace_communicators_members(all, rank, event, handle, &count);
    size_t used = 0;

    if (members == NULL)
        return "none";
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%u" : " %u", members[i]);
    return text;
}

/* ---- Every kind ---- */

/* Selves are listed from when they are asked for, in that order. */
static void predefined_handles_need_no_call(void **state)
{
    struct trace_communicators *all = begin(3);
    (void)state;

    resolve(all);
    assert_int_equal(trace_communicators_count(all), 1);
    assert_int_equal(trace_communicators_at(all, 2, 0, WORLD), TRACE_COMM_WORLD);
    assert_string_equal(members_at(all, 1, 5, WORLD), "0 1 2");
    assert_string_equal(members_at(all, 1, 5, NOBODY), "none");
    assert_string_equal(members_at(all, 1, 5, 77), "none");
    assert_int_equal(trace_communicators_count(all), 1);
    assert_string_equal(members_at(all, 2, 5, SELF), "2");
    assert_string_equal(members_at(all, 0, 1, SELF), "0");
    assert_string_equal(members_at(all, 2, 9, SELF), "2");
    assert_int_equal(trace_communicators_count(all), 3);
    assert_int_equal(trace_communicators_world(all, trace_communicators_at(all, 2, 5, SELF), 2, 0), 2);
    assert_int_equal(trace_communicators_world(all, 0, 2, 3), UINT32_MAX);
    assert_int_equal(trace_communicators_world(all, 7, 2, 0), UINT32_MAX);
    assert_string_equal(group_at(all, 0, 1, EMPTY), "");
    assert_string_equal(group_at(all, 0, 1, 1), "none");
    trace_communicators_free(all);
    trace_communicators_free(NULL);
}

/* Two colours, negative and equal keys, one rank with MPI_UNDEFINED; the ranks are recorded in reverse. */
static void split_orders_by_key_then_rank(void **state)
{
    struct trace_communicators *all = begin(6);
    static const int32_t keys[] = {5, -1, 5, 0, 4, -1};
    (void)state;

    for (uint32_t rank = 6; rank-- > 0;)
        split(all, rank, 10 + rank, WORLD, rank == 4 ? TRACE_UNDEFINED_COLOR : (int32_t)rank % 2, keys[rank],
              rank == 4 ? NOBODY : 4);
    resolve(all);
    assert_string_equal(members_at(all, 0, 10, 4), "0 2");
    assert_string_equal(members_at(all, 3, 13, 4), "1 5 3");
    assert_string_equal(members_at(all, 3, 12, 4), "none"); /* before its creation */
    assert_string_equal(members_at(all, 4, 99, 4), "none");
    assert_int_equal(trace_communicators_count(all), 3);
    assert_int_equal(trace_communicators_at(all, 0, 10, 4), 1);
    assert_int_equal(trace_communicators_at(all, 5, 15, 4), 2);
    assert_string_equal(trace_communicators_list(all)[2].name, "MPI_Comm_split of rank 1, event 11");
    trace_communicators_free(all);
}

/* The two ranks have different numbers for the same communicator, free it, and are given the number again
 * for another one. */
static void handles_are_given_again(void **state)
{
    struct trace_communicators *all = begin(2);
    (void)state;

    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t handle = 4 + (int32_t)rank; /* numbers differ per rank */

        dup(all, rank, 1, WORLD, handle);
        assert_int_equal(trace_communicators_free_handle(all, rank, 5, handle), 0);
        split(all, rank, 9, WORLD, (int32_t)rank, 0, handle);
        dup(all, rank, 12, handle, 6);
    }
    resolve(all);
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t handle = 4 + (int32_t)rank;

        assert_string_equal(members_at(all, rank, 0, handle), "none");
        assert_string_equal(members_at(all, rank, 1, handle), "0 1");
        assert_string_equal(members_at(all, rank, 5, handle), "0 1");
        assert_string_equal(members_at(all, rank, 6, handle), "none");
        assert_string_equal(members_at(all, rank, 8, handle), "none");
        assert_string_equal(members_at(all, rank, 9, handle), rank == 0 ? "0" : "1");
        assert_string_equal(members_at(all, rank, 12, 6), rank == 0 ? "0" : "1");
        assert_string_equal(members_at(all, rank, 100, handle), rank == 0 ? "0" : "1");
    }
    assert_int_equal(trace_communicators_at(all, 0, 2, 4), trace_communicators_at(all, 1, 2, 5));
    assert_int_not_equal(trace_communicators_at(all, 0, 2, 4), TRACE_COMM_WORLD);
    trace_communicators_free(all);
}

/* Rank 1's calls on the world come between those on a communicator that it shares with rank 0 only: the n-th
 * call is counted per parent. */
static void calls_are_counted_per_parent(void **state)
{
    struct trace_communicators *all = begin(3);
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++) {
        split(all, rank, 1, WORLD, rank < 2 ? 0 : 1, 0, 4);
        if (rank < 2) {
            split(all, rank, 2, 4, 0, -(int32_t)rank, 5);
            split(all, rank, 3, 4, (int32_t)rank, 0, 6);
        }
        split(all, rank, 4, WORLD, 0, -(int32_t)rank, 7);
    }
    resolve(all);
    assert_string_equal(members_at(all, 0, 4, 5), "1 0");
    assert_string_equal(members_at(all, 1, 4, 6), "1");
    assert_string_equal(members_at(all, 2, 4, 7), "2 1 0");
    trace_communicators_free(all);
}

/* Every operation once, by one rank; ranges backwards, and one of a single element whose stride leads
 * nowhere. */
static void groups_are_made_of_groups(void **state)
{
    static const int32_t some[] = {4, 0, 2}, ranges[] = {5, 1, -2, 0, 0, 7};
    struct trace_communicators *all = begin(6);
    (void)state;

    group(all, 3, (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 1, .new = 3, .left = WORLD});
    group(all, 3,
          (struct trace_group_call){
              .kind = TRACE_GROUP_INCLUDE, .event = 2, .new = 4, .left = 3, .numbers = some, .count = 3});
    group(all, 3,
          (struct trace_group_call){
              .kind = TRACE_GROUP_EXCLUDE, .event = 3, .new = 5, .left = 3, .numbers = some, .count = 3});
    group(all, 3,
          (struct trace_group_call){.kind = TRACE_GROUP_RANGE_INCLUDE,
                                    .event = 4,
                                    .new = 6,
                                    .left = 3,
                                    .numbers = ranges,
                                    .count = 6});
    group(all, 3,
          (struct trace_group_call){.kind = TRACE_GROUP_RANGE_EXCLUDE,
                                    .event = 5,
                                    .new = 7,
                                    .left = 3,
                                    .numbers = ranges,
                                    .count = 6});
    group(all, 3,
          (struct trace_group_call){.kind = TRACE_GROUP_UNION, .event = 6, .new = 8, .left = 4, .right = 6});
    group(all, 3,
          (struct trace_group_call){
              .kind = TRACE_GROUP_INTERSECTION, .event = 7, .new = 9, .left = 4, .right = 6});
    group(all, 3,
          (struct trace_group_call){
              .kind = TRACE_GROUP_DIFFERENCE, .event = 8, .new = 4, .left = 4, .right = 6});
    resolve(all);
    assert_string_equal(group_at(all, 3, 1, 3), "0 1 2 3 4 5");
    assert_string_equal(group_at(all, 3, 2, 4), "4 0 2");
    assert_string_equal(group_at(all, 3, 1, 4), "none");
    assert_string_equal(group_at(all, 3, 9, 5), "1 3 5");
    assert_string_equal(group_at(all, 3, 9, 6), "5 3 1 0");
    assert_string_equal(group_at(all, 3, 9, 7), "2 4");
    assert_string_equal(group_at(all, 3, 9, 8), "4 0 2 5 3 1");
    assert_string_equal(group_at(all, 3, 9, 9), "0");
    assert_string_equal(group_at(all, 3, 8, 4), "4 2"); /* its number was given again */
    assert_string_equal(group_at(all, 2, 9, 5), "none");
    trace_communicators_free(all);
}

/* All ranks give the group; a rank outside of it gives the empty one or the same. Two disjoint groups. */
static void create_takes_groups(void **state)
{
    static const int32_t odd[] = {3, 1}, even[] = {2, 0};
    struct trace_communicators *all = begin(5);
    (void)state;

    for (uint32_t rank = 0; rank < 5; rank++) {
        group(all, rank,
              (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 1, .new = 3, .left = WORLD});
        group(all, rank,
              (struct trace_group_call){
                  .kind = TRACE_GROUP_INCLUDE, .event = 2, .new = 4, .left = 3, .numbers = odd, .count = 2});
        group(all, rank,
              (struct trace_group_call){
                  .kind = TRACE_GROUP_INCLUDE, .event = 3, .new = 5, .left = 3, .numbers = even, .count = 2});
        create(all, rank, 4, WORLD, rank == 4 ? EMPTY : rank % 2 == 0 ? 5 : 4, rank == 4 ? NOBODY : 8);
        create(all, rank, 5, WORLD, 4, rank % 2 == 0 ? NOBODY : 9);
    }
    resolve(all);
    assert_string_equal(members_at(all, 0, 4, 8), "2 0");
    assert_string_equal(members_at(all, 3, 4, 8), "3 1");
    assert_string_equal(members_at(all, 4, 4, 8), "none");
    assert_string_equal(members_at(all, 1, 5, 9), "3 1");
    assert_int_equal(trace_communicators_count(all), 4);
    trace_communicators_free(all);
}

/* 2 x 3 of 7 ranks: rows, columns, single ranks, a cut of a cut, and a cut of a duplicate. */
static void cartesian_ones_are_cut(void **state)
{
    static const int32_t dims[] = {2, 3}, rows[] = {0, 1}, columns[] = {1, 0}, none[] = {0, 0};
    struct trace_communicators *all = begin(7);
    (void)state;

    for (uint32_t rank = 0; rank < 7; rank++) {
        int32_t new = rank == 6 ? NOBODY : 4;

        cart(all, rank, 1, TRACE_CREATE_CART, WORLD, dims, 2, new);
        if (rank == 6)
            continue;
        dup(all, rank, 2, 4, 5);
        cart(all, rank, 3, TRACE_CREATE_SUB, 4, rows, 2, 6);
        cart(all, rank, 4, TRACE_CREATE_SUB, 5, columns, 2, 7);
        cart(all, rank, 5, TRACE_CREATE_SUB, 5, none, 2, 8);
        cart(all, rank, 6, TRACE_CREATE_SUB, 6, columns, 1, 9); /* keeps its only dimension */
    }
    resolve(all);
    assert_string_equal(members_at(all, 0, 1, 4), "0 1 2 3 4 5");
    assert_string_equal(members_at(all, 4, 3, 6), "3 4 5");
    assert_string_equal(members_at(all, 4, 4, 7), "1 4");
    assert_string_equal(members_at(all, 4, 5, 8), "4");
    assert_string_equal(members_at(all, 4, 6, 9), "3 4 5");
    assert_string_equal(members_at(all, 6, 9, 4), "none");
    trace_communicators_free(all);
}

/* Three nodes, four ranks. */
static void graphs_have_the_first_ranks(void **state)
{
    struct trace_communicators *all = begin(4);
    (void)state;

    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 1, TRACE_CREATE_GRAPH, WORLD, NULL, 3, rank < 3 ? 4 : NOBODY);
    resolve(all);
    assert_string_equal(members_at(all, 2, 1, 4), "0 1 2");
    assert_string_equal(members_at(all, 3, 1, 4), "none");
    trace_communicators_free(all);
}

/* Even and odd ranks, led by ranks 2 and 3; the odd side comes to the call first in one of the orders that
 * the simulation could take. */
static struct trace_communicators *make_inter(bool even_high, bool odd_high)
{
    struct trace_communicators *all = begin(6);

    for (uint32_t rank = 0; rank < 6; rank++) {
        bool odd = rank % 2 == 1;

        dup(all, rank, 1, WORLD, 10);
        split(all, rank, 2, WORLD, odd, odd ? -(int32_t)rank : 0, 4);
        inter(all, rank, 3, 4, 1, rank == 2 || rank == 3 ? 10 : -99, odd ? 2 : 3, 17, 5);
        merge(all, rank, 4, 5, odd ? odd_high : even_high, 6);
    }
    return all;
}

/* Seen from both sides: who is addressed by which number. */
static void inter_communicators_have_two_sides(void **state)
{
    struct trace_communicators *all = make_inter(false, true);
    uint32_t index;
    (void)state;

    resolve(all);
    index = trace_communicators_at(all, 0, 3, 5);
    assert_string_equal(members_at(all, 0, 3, 4), "0 2 4");
    assert_string_equal(members_at(all, 1, 3, 4), "5 3 1");
    assert_string_equal(members_at(all, 0, 3, 5), "0 2 4 | 5 3 1");
    assert_int_equal(trace_communicators_at(all, 1, 3, 5), index);
    assert_int_equal(trace_communicators_world(all, index, 0, 0), 5);
    assert_int_equal(trace_communicators_world(all, index, 1, 0), 0);
    assert_int_equal(trace_communicators_world(all, index, 5, 2), 4);
    assert_int_equal(trace_communicators_world(all, index, 5, 3), UINT32_MAX);
    trace_communicators_free(all);
}

/* All four combinations of `high`; where both say the same the side of rank 0 comes first. */
static void merging_puts_the_low_side_first(void **state)
{
    static const char *const expected[] = {"0 2 4 5 3 1", "0 2 4 5 3 1", "5 3 1 0 2 4", "0 2 4 5 3 1"};
    (void)state;

    for (int i = 0; i < 4; i++) {
        struct trace_communicators *all = make_inter(i / 2 == 1, i % 2 == 1);

        resolve(all);
        assert_string_equal(members_at(all, 3, 4, 6), expected[i]);
        trace_communicators_free(all);
    }
}

/* Duplicates, splits and groups of an inter-communicator keep both sides. */
static void inter_communicators_make_others(void **state)
{
    static const int32_t first[] = {0};
    struct trace_communicators *all = make_inter(false, false);
    (void)state;

    for (uint32_t rank = 0; rank < 6; rank++) {
        dup(all, rank, 10, 5, 7);
        split(all, rank, 11, 7, rank == 1 ? 8 : rank < 4 ? 0 : 1, 0, rank == 1 ? NOBODY : 8);
        group(all, rank, (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 12, .new = 3, .left = 7});
        group(all, rank,
              (struct trace_group_call){.kind = TRACE_GROUP_REMOTE, .event = 13, .new = 4, .left = 7});
        group(
            all, rank,
            (struct trace_group_call){
                .kind = TRACE_GROUP_INCLUDE, .event = 14, .new = 5, .left = 3, .numbers = first, .count = 1});
        create(all, rank, 15, 7, 5, rank == 0 || rank == 5 ? 9 : NOBODY);
    }
    resolve(all);
    assert_string_equal(members_at(all, 3, 10, 7), "0 2 4 | 5 3 1");
    assert_string_equal(members_at(all, 3, 11, 8), "0 2 | 3");
    assert_string_equal(members_at(all, 4, 11, 8), "4 | 5");
    assert_string_equal(members_at(all, 1, 11, 8), "none");
    assert_string_equal(group_at(all, 3, 13, 3), "5 3 1");
    assert_string_equal(group_at(all, 3, 13, 4), "0 2 4");
    assert_string_equal(members_at(all, 5, 15, 9), "0 | 5");
    trace_communicators_free(all);
}

/* Many pairs at once, all on the world, told apart by leaders and tags only; rank 0 and 1 do it twice. */
static void pairs_of_leaders_are_told_apart(void **state)
{
    struct trace_communicators *all = begin(8);
    (void)state;

    for (uint32_t rank = 0; rank < 8; rank++) {
        inter(all, rank, 1, SELF, 0, WORLD, (int32_t)(rank ^ 1), 5, 4);
        inter(all, rank, 2, SELF, 0, WORLD, (int32_t)(rank ^ 4), (int32_t)(rank & 3), 5);
    }
    resolve(all);
    assert_string_equal(members_at(all, 5, 1, 4), "4 | 5");
    assert_string_equal(members_at(all, 5, 2, 5), "1 | 5");
    assert_int_equal(trace_communicators_count(all), 9);
    trace_communicators_free(all);
}

/* What an unknown call makes is unknown, and so is what is made of it: no error. */
static void unknown_ones_stay_unknown(void **state)
{
    struct trace_communicators *all = begin(2);
    (void)state;

    for (uint32_t rank = 0; rank < 2; rank++) {
        add(all, rank,
            (struct trace_creation){.kind = TRACE_CREATE_UNKNOWN, .event = 1, .parent = WORLD, .new = 4});
        dup(all, rank, 2, 4, 5);
        dup(all, rank, 3, 99, 6);
        group(all, rank, (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 4, .new = 3, .left = 5});
        create(all, rank, 5, WORLD, 3, 7);
        inter(all, rank, 6, SELF, 0, 99, 1 - (int32_t)rank, 0, 8);
        dup(all, rank, 7, WORLD, 9);
    }
    resolve(all);
    for (int32_t handle = 4; handle < 9; handle++)
        assert_string_equal(members_at(all, 1, 9, handle), "none");
    assert_string_equal(members_at(all, 1, 9, 9), "0 1");
    trace_communicators_free(all);
}

/* ---- What is refused ---- */

/* The whole sentence each time: it names the rank that differs, the one it differs from, and both events. */
static void disagreements_are_refused(void **state)
{
    static const int32_t good[] = {2, 2}, bad[] = {2, 3}, negative[] = {-2, -2}, twice[] = {0, 0};
    struct trace_communicators *all = begin(4);
    (void)state;

    for (uint32_t rank = 0; rank < 4; rank++)
        if (rank == 2)
            split(all, rank, 8, WORLD, 0, 0, 4);
        else
            dup(all, rank, 7, WORLD, 4);
    refuse(all, "program: rank 2, event 8: MPI_Comm_split on a communicator on which rank 0 makes "
                "MPI_Comm_dup at that point (event 7)");

    all = begin(4);
    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 7, TRACE_CREATE_CART, WORLD, rank == 3 ? bad : good, 2, 4);
    refuse(all, "program: rank 3, event 7: MPI_Cart_create with another list of dimensions than rank 0 gives "
                "(event 7)");

    all = begin(4);
    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 7, TRACE_CREATE_CART, WORLD, bad, 2, 4);
    refuse(all, "program: rank 0, event 7: MPI_Cart_create with dimensions for more ranks than there are");

    all = begin(4);
    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 7, TRACE_CREATE_CART, WORLD, negative, 2, 4);
    refuse(all, "program: rank 0, event 7: MPI_Cart_create with a dimension below 1");

    all = begin(4);
    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 7, TRACE_CREATE_SUB, WORLD, good, 2, 4);
    refuse(
        all,
        "program: rank 0, event 7: MPI_Cart_sub with a communicator that does not have that many dimensions");

    all = begin(4);
    for (uint32_t rank = 0; rank < 4; rank++)
        cart(all, rank, 7, TRACE_CREATE_GRAPH, WORLD, NULL, 5, 4);
    refuse(all, "program: rank 0, event 7: MPI_Graph_create with more nodes than ranks");

    all = begin(2);
    group(all, 1, (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 1, .new = 3, .left = WORLD});
    group(all, 1,
          (struct trace_group_call){
              .kind = TRACE_GROUP_INCLUDE, .event = 2, .new = 4, .left = 3, .numbers = twice, .count = 2});
    refuse(all, "program: rank 1, event 2: MPI_Group_incl of ranks that its group of 2 does not have, "
                "or has only once");

    all = begin(2);
    merge(all, 0, 1, WORLD, false, 4);
    merge(all, 1, 1, WORLD, false, 4);
    refuse(all, "program: rank 0, event 1: MPI_Intercomm_merge with an intra-communicator");
}

/* The same ranks in another order are another group; and a group may not reach outside of the parent. */
static void groups_must_agree(void **state)
{
    static const int32_t both[] = {0, 1}, reverse[] = {1, 0}, third[] = {2};
    struct trace_communicators *all = begin(3);
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++) {
        group(all, rank,
              (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 1, .new = 3, .left = WORLD});
        group(all, rank,
              (struct trace_group_call){.kind = TRACE_GROUP_INCLUDE,
                                        .event = 2,
                                        .new = 4,
                                        .left = 3,
                                        .numbers = rank == 0 ? both : reverse,
                                        .count = 2});
        create(all, rank, 3, WORLD, rank == 2 ? EMPTY : 4, rank == 2 ? NOBODY : 8);
    }
    refuse(all, "program: rank 1, event 3: MPI_Comm_create with another group than rank 0 gives (event 3)");

    all = begin(3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        split(all, rank, 1, WORLD, rank < 2, 0, 4);
        group(all, rank,
              (struct trace_group_call){.kind = TRACE_GROUP_OF, .event = 2, .new = 3, .left = WORLD});
        group(
            all, rank,
            (struct trace_group_call){
                .kind = TRACE_GROUP_INCLUDE, .event = 3, .new = 4, .left = 3, .numbers = third, .count = 1});
        if (rank < 2)
            create(all, rank, 4, 4, 4, NOBODY);
    }
    refuse(all, "program: rank 0, event 4: MPI_Comm_create with a group that is not part of the "
                "communicator's");
}

/* What the recorder saw a rank be given is a check of all that was computed. */
static void results_must_fit(void **state)
{
    struct trace_communicators *all = begin(2);
    (void)state;

    split(all, 0, 1, WORLD, 0, 0, 4);
    split(all, 1, 1, WORLD, TRACE_UNDEFINED_COLOR, 0, 4);
    refuse(all,
           "program: rank 1, event 1: MPI_Comm_split gives a communicator, but by the other ranks' calls "
           "this rank is not in it");
    all = begin(2);
    split(all, 0, 1, WORLD, 0, 0, 4);
    split(all, 1, 1, WORLD, 0, 0, NOBODY);
    refuse(all, "program: rank 1, event 1: MPI_Comm_split gives MPI_COMM_NULL, but by the other ranks' calls "
                "this rank is in the new communicator");
}

/* A rank that stopped, a circle of two communicators, tags that differ, leaders that differ. */
static void missing_calls_are_refused(void **state)
{
    struct trace_communicators *all = begin(3);
    (void)state;

    /* Ranks 0 and 1 wait for each other's communicator only because rank 1 waits for rank 2. */
    for (uint32_t rank = 0; rank < 3; rank++)
        split(all, rank, 1, WORLD, rank < 2, 0, 4);
    dup(all, 0, 2, 4, 5);
    dup(all, 1, 2, WORLD, 5);
    refuse(all,
           "program: rank 1, event 2: MPI_Comm_dup on a communicator of 3 ranks, but rank 2, which is in "
           "it, never makes that call");

    all = begin(2);
    for (uint32_t rank = 0; rank < 2; rank++)
        dup(all, rank, 1, WORLD, 4);
    dup(all, 0, 2, WORLD, 5);
    dup(all, 0, 3, 4, 6);
    split(all, 1, 2, 4, 0, 0, 5);
    split(all, 1, 3, WORLD, 0, 0, 6);
    refuse(all, "program: rank 1, event 2: MPI_Comm_split on a communicator of 2 ranks, but rank 0 is at "
                "MPI_Comm_dup on another one (event 2), whose members wait in a circle");

    all = begin(2);
    inter(all, 0, 1, SELF, 0, WORLD, 1, 5, 4);
    inter(all, 1, 1, SELF, 0, WORLD, 0, 6, 4);
    refuse(all, "program: rank 0, event 1: MPI_Intercomm_create with 1 local ranks and tag 5, but the other "
                "side never answers it");

    all = begin(2);
    inter(all, 0, 1, WORLD, 0, WORLD, 0, 5, 4);
    inter(all, 1, 1, WORLD, 1, WORLD, 0, 5, 4);
    refuse(all, "program: rank 1, event 1: MPI_Intercomm_create with local leader 1, but rank 0 has 0 "
                "(event 1)");
}

/* With a list of defects everything is read that can be: what follows on other communicators is there. */
static void defects_are_collected(void **state)
{
    struct trace_communicators *all = begin(3);
    struct trace_defects *defects = trace_defects_new(0);
    struct base_error error = {0};
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++) {
        if (rank == 1)
            split(all, rank, 1, WORLD, 0, 0, 4); /* another kind: this call only */
        else
            dup(all, rank, 1, WORLD, 4);
        split(all, rank, 2, WORLD, rank < 2, 0, 5);
        if (rank != 2)
            dup(all, rank, 3, WORLD, 6); /* missing on rank 2: none after that */
        if (rank < 2)
            dup(all, rank, 4, 5, 7);
        dup(all, rank, 5, 4, 8);
        dup(all, rank, 6, SELF, 9);
    }
    assert_int_equal(trace_communicators_resolve(all, "program", defects, &error), 0);
    assert_string_equal(members_at(all, 0, 9, 4), "none");
    assert_string_equal(members_at(all, 0, 9, 5), "0 1");
    assert_string_equal(members_at(all, 0, 9, 6), "none");
    assert_string_equal(members_at(all, 1, 9, 7), "0 1");
    assert_string_equal(members_at(all, 1, 9, 8), "none");
    assert_string_equal(members_at(all, 2, 9, 9), "2");
    assert_int_equal(trace_defects_count(defects), 2);
    assert_string_equal(trace_defects_get(defects, 0)->kind, "communicator-mismatch");
    assert_int_equal(trace_defects_get(defects, 0)->rank, 1);
    assert_int_equal(trace_defects_get(defects, 0)->event, 1);
    assert_string_equal(trace_defects_get(defects, 0)->call, "MPI_Comm_split");
    assert_string_equal(trace_defects_get(defects, 1)->kind, "communicator-missing");
    assert_string_equal(trace_defects_get(defects, 1)->text,
                        "MPI_Comm_dup on a communicator of 3 ranks, but rank 2, which is in it, never makes "
                        "that call");
    trace_defects_free(defects);
    trace_communicators_free(all);
}

/* ---- Random programs against a model ---- */

/* Up to 33 ranks, 70 steps and 24 handles a rank; a failure is made again by its seed. */
static void random_programs_equal_the_model(void **state)
{
    unsigned long checks = 0;
    (void)state;

    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct model *model = model_new(seed);
        struct trace_communicators *all = begin(model_ranks(model));

        model_run(model, all);
        resolve(all);
        checks += model_check(model, all);
        trace_communicators_free(all);
        model_free(model);
    }
    print_message("%lu handles were looked up\n", checks);
    assert_true(checks > 10000);
}

/* ---- Out of memory ---- */

/* A program that makes a grid, its rows, halves of it, and an inter-communicator of these. */
static int attempt(void *state)
{
    struct trace_communicators *all = trace_communicators_new(6, &model_handles);
    struct base_error error = {0};
    static const int32_t dims[] = {2, 3};
    int result = 0;
    (void)state;

    if (all == NULL)
        return -1;
    for (uint32_t rank = 0; rank < 6 && result == 0; rank++) {
        struct trace_creation creations[] = {
            {.kind = TRACE_CREATE_CART, .parent = WORLD, .numbers = dims, .count = 2, .new = 4},
            {.kind = TRACE_CREATE_SUB, .parent = 4, .numbers = dims, .count = 2, .new = 5},
            {.kind = TRACE_CREATE_SPLIT, .parent = 4, .color = (int32_t)rank % 2, .new = 6},
            {.kind = TRACE_CREATE_INTER,
             .parent = 6,
             .peer = WORLD,
             .remote_leader = rank % 2 == 0,
             .new = 7},
            {.kind = TRACE_CREATE_MERGE, .parent = 7, .new = 8}};
        struct trace_group_call of = {.kind = TRACE_GROUP_OF, .event = 9, .left = 6, .new = 3};

        for (uint64_t i = 0; i < 5 && result == 0; i++) {
            creations[i].event = i;
            result = trace_communicators_add(all, rank, &creations[i]);
        }
        if (result == 0)
            result = trace_communicators_group(all, rank, &of);
    }
    if (result == 0 && trace_communicators_resolve(all, "program", NULL, &error) != 0) {
        assert_int_equal(error.status, BASE_SYSTEM);
        result = -1;
    }
    trace_communicators_free(all);
    return result;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(attempt, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predefined_handles_need_no_call),
        cmocka_unit_test(split_orders_by_key_then_rank),
        cmocka_unit_test(handles_are_given_again),
        cmocka_unit_test(calls_are_counted_per_parent),
        cmocka_unit_test(groups_are_made_of_groups),
        cmocka_unit_test(create_takes_groups),
        cmocka_unit_test(cartesian_ones_are_cut),
        cmocka_unit_test(graphs_have_the_first_ranks),
        cmocka_unit_test(inter_communicators_have_two_sides),
        cmocka_unit_test(merging_puts_the_low_side_first),
        cmocka_unit_test(inter_communicators_make_others),
        cmocka_unit_test(pairs_of_leaders_are_told_apart),
        cmocka_unit_test(unknown_ones_stay_unknown),
        cmocka_unit_test(disagreements_are_refused),
        cmocka_unit_test(groups_must_agree),
        cmocka_unit_test(results_must_fit),
        cmocka_unit_test(missing_calls_are_refused),
        cmocka_unit_test(defects_are_collected),
        cmocka_unit_test(random_programs_equal_the_model),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests_name("communicators", tests, NULL, NULL);
}
