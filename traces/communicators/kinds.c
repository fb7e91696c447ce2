/* What each kind of creating call makes of its parent (MPI 4.0, chapters 7 and 8). All members are at the
 * call; its arguments may still disagree between them. Where they do, the call makes nothing.
 *
 *     what a kind returns   -1: error or memory; 0: done, or refused and noted
 *     what it leaves        in each member's entry: the index in made[], none (MPI_COMM_NULL), or UNTOLD
 *
 * UNTOLD keeps check_result from comparing a member's handle with a call that nobody knows the outcome of.
 * made[] may move whenever something is made: pointers into it are taken again afterwards. */
#include "traces/communicators/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* ---- Making one ---- */

/* For the sorted copy of an inter-communicator's near side; no rank is there twice. */
static int compare_ranks(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* Appends a communicator whose members are all at the call that makes it. Its index, or
 * TRACE_NO_COMMUNICATOR: memory. Moves made[]. Kind and event are those of the first member's call, which the name
 * of the result will say. */
static uint32_t new_made(struct trace_communicators *all, uint32_t members, uint32_t remote)
{
    const struct rank_list *list = &all->lists[members];
    const struct entry *entry = entry_of(all, list->ranks[0]);
    struct made_communicator made = {
        .members = members, .remote = remote, .kind = entry->kind, .event = entry->event};

    if (all->made_count >= UNTOLD ||
        base_grow(&all->made, &all->made_capacity, all->made_count + 1, sizeof *all->made) != 0)
        return TRACE_NO_COMMUNICATOR;
    if (remote != NO_LIST) {
        uint32_t *sorted = base_arena_array(&all->arena, list->size, sizeof *sorted);

        if (sorted == NULL)
            return TRACE_NO_COMMUNICATOR;
        memcpy(sorted, list->ranks, list->size * sizeof *sorted);
        qsort(sorted, list->size, sizeof *sorted, compare_ranks);
        made.sorted = sorted;
    }
    all->made[all->made_count] = made;
    return (uint32_t)all->made_count++;
}

/* Sets the result of all in a list, who are at the call. NO_LIST, the remote group of what has none, is
 * nobody. */
static void give(struct trace_communicators *all, uint32_t list, uint32_t result)
{
    for (uint32_t i = 0; list != NO_LIST && i < all->lists[list].size; i++)
        entry_of(all, all->lists[list].ranks[i])->result = result;
}

/* Makes a communicator of these lists and gives it to all in them. On an inter-communicator both sides get
 * the same index: which one a rank is on follows from its number. */
static int make(struct trace_communicators *all, uint32_t members, uint32_t remote, struct base_error *error)
{
    uint32_t index = new_made(all, members, remote);

    if (index == TRACE_NO_COMMUNICATOR)
        return base_error_memory(error, "the communicators");
    give(all, members, index);
    give(all, remote, index);
    return 0;
}

/* The call makes nothing, and what its ranks were given for it is not looked at: it was noted already. */
static void refuse(struct trace_communicators *all, uint32_t parent)
{
    give(all, all->made[parent].members, UNTOLD);
    give(all, all->made[parent].remote, UNTOLD);
}

/* The call that the rank is at, by its name in MPI, for messages. */
static const char *name_at(const struct trace_communicators *all, uint32_t rank)
{
    return trace_communicators_call_name(entry_of(all, rank));
}

/* Arguments that cannot be: noted at the first member. It is everybody's mistake then, so any member would
 * do. */
static int refuse_arguments(struct trace_communicators *all, uint32_t parent, const char *what,
                            struct base_error *error)
{
    uint32_t rank = member(all, &all->made[parent], 0);

    refuse(all, parent);
    return trace_communicators_complain(all, rank, "communicator-arguments", error, "%s with %s",
                                        name_at(all, rank), what);
}

/* Arguments that must be the same on all members: noted at the rank that differs from the other. */
static int refuse_difference(struct trace_communicators *all, uint32_t parent, uint32_t rank, uint32_t other,
                             const char *what, struct base_error *error)
{
    refuse(all, parent);
    return trace_communicators_complain(
        all, rank, "communicator-mismatch", error, "%s with another %s than rank %u gives (event %llu)",
        name_at(all, rank), what, other, (unsigned long long)entry_of(all, other)->event);
}

/* ---- MPI_Comm_dup ---- */

/* The topology goes with it, of a communicator's properties the one that makes others. */
static int create_dup(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    struct made_communicator *made;

    if (make(all, all->made[parent].members, all->made[parent].remote, error) != 0)
        return -1;
    made = &all->made[all->made_count - 1];
    made->cartesian = all->made[parent].cartesian;
    made->dimensions = all->made[parent].dimensions;
    made->dimension_count = all->made[parent].dimension_count;
    return 0;
}

/* ---- MPI_Comm_create ---- */

/* Whether all of the list are among the parent's members that are marked. The marks are those of the last
 * mark_list. */
static bool all_marked(const struct trace_communicators *all, const struct rank_list *list)
{
    uint32_t i = 0;

    while (i < list->size && all->marks[list->ranks[i]] == all->mark)
        i++;
    return i == list->size;
}

/* Begins a set and puts the list into it; valid until the next set is begun, which groups and other calls
 * do. */
static void mark_list(struct trace_communicators *all, uint32_t list)
{
    uint32_t mark = trace_communicators_new_mark(all);

    for (uint32_t i = 0; i < all->lists[list].size; i++)
        all->marks[all->lists[list].ranks[i]] = mark;
}

/* The group that the rank gives in its call. Since equal groups are one list, groups of different ranks are
 * compared by index, whatever handles and whatever way each rank made them of. */
static uint32_t group_at(const struct trace_communicators *all, uint32_t rank)
{
    return trace_communicators_group_meaning(all, rank, entry_of(all, rank)->group, all->logs[rank].position);
}

enum agreement { REFUSED, AGREED, NOT_KNOWN }; /* or -1: error */

/* Whether every rank of the group calls with this group. A rank whose group is not known says nothing. It
 * is asked before anything is made, so a refusal undoes nothing of this group. */
static int group_agrees(struct trace_communicators *all, uint32_t parent, uint32_t group, uint32_t caller,
                        struct base_error *error)
{
    for (uint32_t i = 0; i < all->lists[group].size; i++) {
        uint32_t rank = all->lists[group].ranks[i], other = group_at(all, rank);

        if (other == group)
            continue;
        if (other == NO_LIST)
            return NOT_KNOWN;
        return refuse_difference(all, parent, rank, caller, "group", error);
    }
    return AGREED;
}

/* Looks at the group that a rank calls with, unless another rank's call has shown it already. Several
 * disjoint groups make several communicators (MPI 2.2 and later). -1: error; 1: go on; 0: the call was
 * refused. */
static int make_group(struct trace_communicators *all, uint32_t parent, uint32_t rank,
                      struct base_error *error)
{
    uint32_t group = group_at(all, rank);
    int agrees;

    if (group == NO_LIST) {
        entry_of(all, rank)->result = UNTOLD;
        return 1;
    }
    if (all->lists[group].seen_at == all->calls || all->lists[group].size == 0)
        return 1;
    all->lists[group].seen_at = all->calls;
    if (!all_marked(all, &all->lists[group]))
        return refuse_arguments(all, parent, "a group that is not part of the communicator's", error);
    agrees = group_agrees(all, parent, group, rank, error);
    if (agrees == NOT_KNOWN)
        give(all, group, UNTOLD);
    if (agrees == AGREED && make(all, group, NO_LIST, error) != 0)
        return -1;
    return agrees <= 0 ? agrees : 1;
}

/* On an inter-communicator each side gives one group, of its own ranks. Neither side may be empty: MPI then
 * returns MPI_COMM_NULL on all ranks. */
static int create_inter_group(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    uint32_t sides[2] = {all->made[parent].members, all->made[parent].remote};
    uint32_t groups[2];

    for (int side = 0; side < 2; side++) {
        uint32_t first = all->lists[sides[side]].ranks[0];

        groups[side] = group_at(all, first);
        if (groups[side] == NO_LIST) {
            refuse(all, parent);
            return 0;
        }
        mark_list(all, sides[side]);
        if (!all_marked(all, &all->lists[groups[side]]))
            return refuse_arguments(all, parent, "a group that is not part of the local one", error);
        for (uint32_t i = 1; i < all->lists[sides[side]].size; i++)
            if (group_at(all, all->lists[sides[side]].ranks[i]) != groups[side])
                return refuse_difference(all, parent, all->lists[sides[side]].ranks[i], first, "group",
                                         error);
    }
    if (all->lists[groups[0]].size == 0 || all->lists[groups[1]].size == 0)
        return 0;
    return make(all, groups[0], groups[1], error);
}

/* Whether a rank is in the new communicator is up to the group it gives: a rank outside of it may give the
 * same group as the others (as MPI-1 wanted), another one's, or the empty one. */
static int create_group(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    uint32_t members = all->made[parent].members, size = all->lists[members].size;

    if (all->made[parent].remote != NO_LIST)
        return create_inter_group(all, parent, error);
    mark_list(all, members);
    for (uint32_t i = 0; i < size; i++) {
        int more = make_group(all, parent, all->lists[members].ranks[i], error);

        if (more <= 0)
            return more;
    }
    return 0;
}

/* ---- MPI_Comm_split, and what can be said as one ---- */

struct split_item {
    int32_t color, key; /* as the member has given them */
    bool far;           /* in the parent's remote group */
    uint32_t order, rank;
};

/* Colours together; in them the near side before the far one, and there by key, equal keys by the order in
 * the parent (MPI 4.0, section 7.4.2, MPI_COMM_SPLIT). The order is total, so qsort gives one result. */
static int compare_items(const void *a, const void *b)
{
    const struct split_item *left = a, *right = b;

    if (left->color != right->color)
        return left->color < right->color ? -1 : 1;
    if (left->far != right->far)
        return left->far ? 1 : -1;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* The items of one colour, near ones first. On an inter-communicator a colour needs both sides. 0 without anything
 * made where an inter-communicator's colour has one side only. */
static int make_color(struct trace_communicators *all, const struct split_item *items, size_t count,
                      bool inter, struct base_error *error)
{
    uint32_t near = 0;
    uint32_t members;
    uint32_t remote = NO_LIST;

    while (near < count && !items[near].far)
        near++;
    if (inter && (near == 0 || near == count))
        return 0;
    for (size_t i = 0; i < count; i++)
        all->scratch[i] = items[i].rank;
    members = trace_communicators_list_of(all, all->scratch, near);
    if (inter)
        remote = trace_communicators_list_of(all, all->scratch + near, (uint32_t)count - near);
    if (members == NO_LIST || (inter && remote == NO_LIST))
        return base_error_memory(error, "the groups of ranks");
    return make(all, members, remote, error);
}

/* Makes the communicators of all colours, in the order of the colours; the order in which they are made is
 * not that of the result (publish_all). */
static int make_colors(struct trace_communicators *all, struct split_item *items, size_t count, bool inter,
                       struct base_error *error)
{
    qsort(items, count, sizeof *items, compare_items);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end].color == items[first].color; end++)
            ;
        if (items[first].color != TRACE_UNDEFINED_COLOR &&
            make_color(all, items + first, end - first, inter, error) != 0)
            return -1;
    }
    return 0;
}

/* The result of each member follows from the arguments of all; nothing has to agree. MPI_UNDEFINED in itself
 * is no colour, so its ranks keep the result of nothing. O(P log P) for P members, and memory for one item each
 * while it lasts. */
static int create_split(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    uint32_t total = population(all, &all->made[parent]);
    uint32_t near = all->lists[all->made[parent].members].size;
    struct split_item *items = malloc((size_t)total * sizeof *items);
    int result;

    if (items == NULL)
        return base_error_memory(error, "the groups of ranks");
    for (uint32_t i = 0; i < total; i++) {
        uint32_t rank = member(all, &all->made[parent], i);
        const struct entry *entry = entry_of(all, rank);

        items[i] = (struct split_item){
            .color = entry->color, .key = entry->key, .far = i >= near, .order = i, .rank = rank};
    }
    result = make_colors(all, items, total, all->made[parent].remote != NO_LIST, error);
    free(items);
    return result;
}

/* ---- Topologies ---- */

/* The member whose numbers differ from the first one's; UINT32_MAX: none. The key is compared too, since
 * the number of nodes of a graph travels as one. */
static uint32_t other_numbers(const struct trace_communicators *all, uint32_t parent)
{
    const struct made_communicator *made = &all->made[parent];
    const struct entry *expected = entry_of(all, member(all, made, 0));
    uint32_t total = population(all, made);

    for (uint32_t i = 1; i < total; i++) {
        const struct entry *entry = entry_of(all, member(all, made, i));

        if (entry->count != expected->count || entry->key != expected->key ||
            (entry->count > 0 && entry->numbers != expected->numbers &&
             memcmp(entry->numbers, expected->numbers, entry->count * sizeof *entry->numbers) != 0))
            return member(all, made, i);
    }
    return UINT32_MAX;
}

/* 1: the parent and the arguments are as a topology needs them. */
static int check_topology(struct trace_communicators *all, uint32_t parent, const char *what,
                          struct base_error *error)
{
    uint32_t other;

    if (all->made[parent].remote != NO_LIST)
        return refuse_arguments(all, parent, "an inter-communicator", error);
    other = other_numbers(all, parent);
    if (other != UINT32_MAX)
        return refuse_difference(all, parent, other, member(all, &all->made[parent], 0), what, error);
    return 1;
}

/* The first `count` ranks of the parent. Where the implementation reordered them, the trace does not say
 * how. count must not be 0 and not above the parent's size, which callers have checked. */
static int make_first(struct trace_communicators *all, uint32_t parent, uint32_t count,
                      struct base_error *error)
{
    uint32_t list;

    memcpy(all->scratch, all->lists[all->made[parent].members].ranks, count * sizeof *all->scratch);
    list = trace_communicators_list_of(all, all->scratch, count);
    if (list == NO_LIST)
        return base_error_memory(error, "the groups of ranks");
    return make(all, list, NO_LIST, error);
}

/* All ranks give the same dimensions. Periods and reordering change nothing here: see make_first. A grid
 * without dimensions has one rank, as MPI says. The product is looked at after each factor, so it cannot
 * overflow. */
static int create_cart(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    const struct entry *entry = entry_of(all, member(all, &all->made[parent], 0));
    uint32_t size = all->lists[all->made[parent].members].size;
    uint64_t product = 1;
    struct made_communicator *made;
    int sound = check_topology(all, parent, "list of dimensions", error);

    if (sound != 1)
        return sound;
    for (uint32_t i = 0; i < entry->count; i++) {
        if (entry->numbers[i] <= 0)
            return refuse_arguments(all, parent, "a dimension below 1", error);
        product *= (uint64_t)entry->numbers[i];
        if (product > size)
            return refuse_arguments(all, parent, "dimensions for more ranks than there are", error);
    }
    if (make_first(all, parent, (uint32_t)product, error) != 0)
        return -1;
    made = &all->made[all->made_count - 1];
    made->cartesian = true;
    made->dimensions = entry->numbers;
    made->dimension_count = entry->count;
    return 0;
}

/* Only the number of nodes matters for who is in it; edges would matter for neighbourhood collectives, which
 * DUMPI's recorder does not know. */
static int create_graph(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    int32_t nodes = entry_of(all, member(all, &all->made[parent], 0))->key;
    int sound = check_topology(all, parent, "number of nodes", error);

    if (sound != 1)
        return sound;
    if (nodes < 0 || (uint32_t)nodes > all->lists[all->made[parent].members].size)
        return refuse_arguments(all, parent, "more nodes than ranks", error);
    return nodes == 0 ? 0 : make_first(all, parent, (uint32_t)nodes, error);
}

/* The last dimension runs fastest (MPI 4.0, section 8.5.1). The coordinates that are dropped tell the new
 * communicators apart, those that remain number the ranks in them. Weights cannot overflow: their product
 * is the size of the grid at most. */
static struct split_item sub_item(const struct trace_communicators *all, const struct made_communicator *made,
                                  uint32_t i, const int32_t *remain)
{
    struct split_item item = {.order = i, .rank = all->lists[made->members].ranks[i]};
    int32_t color_weight = 1, key_weight = 1;
    uint32_t rest = i;

    for (uint32_t d = made->dimension_count; d-- > 0;) {
        int32_t extent = made->dimensions[d], coordinate = (int32_t)(rest % (uint32_t)extent);

        rest /= (uint32_t)extent;
        if (remain[d] != 0) {
            item.key += coordinate * key_weight;
            key_weight *= extent;
        } else {
            item.color += coordinate * color_weight;
            color_weight *= extent;
        }
    }
    return item;
}

/* A cut grid is a split by the dropped coordinates with the kept ones as the key. */
static int make_subs(struct trace_communicators *all, uint32_t parent, const int32_t *remain,
                     struct base_error *error)
{
    uint32_t size = all->lists[all->made[parent].members].size;
    struct split_item *items = malloc((size_t)size * sizeof *items);
    int result;

    if (items == NULL)
        return base_error_memory(error, "the groups of ranks");
    for (uint32_t i = 0; i < size; i++)
        items[i] = sub_item(all, &all->made[parent], i, remain);
    result = make_colors(all, items, size, false, error);
    free(items);
    return result;
}

/* What is made is a grid again and may be cut further, so the kept dimensions go with it, in their order. `before`
 * tells which communicators this call made: all of them get the kept dimensions. */
static int create_sub(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    const struct entry *entry = entry_of(all, member(all, &all->made[parent], 0));
    size_t before = all->made_count;
    uint32_t kept = 0;
    int32_t *dimensions;
    int sound = check_topology(all, parent, "choice of dimensions", error);

    if (sound != 1)
        return sound;
    if (!all->made[parent].cartesian || all->made[parent].dimension_count != entry->count)
        return refuse_arguments(all, parent, "a communicator that does not have that many dimensions", error);
    dimensions = base_arena_array(&all->arena, entry->count, sizeof *dimensions);
    if (dimensions == NULL)
        return base_error_memory(error, "the communicators");
    for (uint32_t d = 0; d < entry->count; d++)
        if (entry->numbers[d] != 0)
            dimensions[kept++] = all->made[parent].dimensions[d];
    if (make_subs(all, parent, entry->numbers, error) != 0)
        return -1;
    for (size_t i = before; i < all->made_count; i++) {
        all->made[i].cartesian = true;
        all->made[i].dimensions = dimensions;
        all->made[i].dimension_count = kept;
    }
    return 0;
}

/* ---- Inter-communicators ---- */

/* The side whose first rank is lower comes first, on whichever side the call was completed. So the result
 * does not depend on the order of the simulation. */
int trace_communicators_join(struct trace_communicators *all, uint32_t near, uint32_t far,
                             struct base_error *error)
{
    uint32_t members = all->made[near].members, remote = all->made[far].members;

    mark_list(all, members);
    for (uint32_t i = 0; i < all->lists[remote].size; i++)
        if (all->marks[all->lists[remote].ranks[i]] == all->mark) {
            refuse(all, far);
            return refuse_arguments(all, near, "a rank that is on both sides", error);
        }
    if (all->lists[remote].ranks[0] < all->lists[members].ranks[0])
        return make(all, remote, members, error);
    return make(all, members, remote, error);
}

/* 1: all of one side say the same of `high`. Both sides may say the same, or either the other. */
static int check_high(struct trace_communicators *all, uint32_t parent, uint32_t side,
                      struct base_error *error)
{
    uint32_t first = all->lists[side].ranks[0];

    for (uint32_t i = 1; i < all->lists[side].size; i++)
        if (entry_of(all, all->lists[side].ranks[i])->high != entry_of(all, first)->high)
            return refuse_difference(all, parent, all->lists[side].ranks[i], first, "`high`", error);
    return 1;
}

/* The low side comes first. If both say the same, MPICH and Open MPI both put the side first whose rank 0 is
 * lower in the world. Whether `high` differs between the sides decides the order, equal ones leave it to the
 * implementation. */
static int create_merge(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    uint32_t sides[2] = {all->made[parent].members, all->made[parent].remote};
    uint32_t list;
    const struct rank_list *low, *high;
    bool swapped;

    if (sides[1] == NO_LIST)
        return refuse_arguments(all, parent, "an intra-communicator", error);
    for (int side = 0; side < 2; side++) {
        int agreed = check_high(all, parent, sides[side], error);

        if (agreed != 1)
            return agreed;
    }
    low = &all->lists[sides[0]];
    high = &all->lists[sides[1]];
    swapped = entry_of(all, low->ranks[0])->high;
    if (swapped == entry_of(all, high->ranks[0])->high)
        swapped = high->ranks[0] < low->ranks[0];
    memcpy(all->scratch + (swapped ? high->size : 0), low->ranks, low->size * sizeof *all->scratch);
    memcpy(all->scratch + (swapped ? 0 : low->size), high->ranks, high->size * sizeof *all->scratch);
    list = trace_communicators_list_of(all, all->scratch, low->size + high->size);
    if (list == NO_LIST)
        return base_error_memory(error, "the groups of ranks");
    return make(all, list, NO_LIST, error);
}

/* MPI_Intercomm_create waits for two communicators: trace_communicators_join. That all members make the
 * same kind of call has been checked: the first one's stands for all. Called once all members have come; -1:
 * memory, or a disagreement where no defects are collected. */
int trace_communicators_create(struct trace_communicators *all, uint32_t parent, struct base_error *error)
{
    switch ((enum trace_creation_kind)entry_of(all, member(all, &all->made[parent], 0))->kind) {
    case TRACE_CREATE_DUP:
        return create_dup(all, parent, error);
    case TRACE_CREATE_GROUP:
        return create_group(all, parent, error);
    case TRACE_CREATE_SPLIT:
        return create_split(all, parent, error);
    case TRACE_CREATE_CART:
        return create_cart(all, parent, error);
    case TRACE_CREATE_SUB:
        return create_sub(all, parent, error);
    case TRACE_CREATE_GRAPH:
        return create_graph(all, parent, error);
    case TRACE_CREATE_MERGE:
        return create_merge(all, parent, error);
    default:
        return 0;
    }
}
