/* Which communicator each call that made communicators was called on. OTF2 does not say: an archive holds the
 * regions of these calls, and the definitions of the communicators with their parents and members, in no
 * order. MPI says that all members of a parent make the same calls on it in the same order. From both
 * follows, for most programs, one assignment of parents to calls; where there is none or more than one,
 * nothing is assigned.
 *
 *     definitions   each parent's children               at least as many calls on it as any member has
 *                                                        children of it, at most one for each child
 *     each rank     as many calls as its parents have    a system of bounds, narrowed until they meet
 *     the order     of a rank's calls: all orders in which every parent exists when it is called on, every
 *                   child is made before it is used, a duplicated parent has a child with all members, what
 *                   is merged has two groups, and records inside the calls name the parent
 *     other ranks   the n-th call on a parent has one name on all members, and as many collectives on the
 *                   parent before it: what one rank has for certain rules out orders of the others
 *
 * Records inside the calls may name the parents; where they name all of them there is nothing to infer.
 *
 * Memory and time are in proportion to the calls and to the members of all communicators, except for ranks
 * that have many possible orders, whose search is cut short and counts as "more than one". */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/otf2/repair.h"

#define SEARCH_STEPS 100000 /* of one rank: orders that are tried call by call */
#define NARROWING_ROUNDS 64

/* The n-th call on a parent, as all its members must have made it. */
struct signature {
    uint32_t call;        /* which function */
    uint64_t collectives; /* recorded on the parent before it */
};

/* What is known of the calls on one communicator: bounds of how many there are, and what the first of them were. */
struct parent {
    uint32_t children, full_children; /* full: with all members of the parent */
    uint32_t least, most;             /* calls on it */
    uint32_t known, arrived;          /* of its signatures; members at the next call, in the last check */
    struct signature *signatures;
    size_t capacity; /* of signatures */
};

/* A parent as one rank sees it. */
struct item {
    uint32_t communicator; /* or TRACE_OTF2_SELF */
    uint32_t own_children; /* the rank is a member of */
    uint32_t calls;        /* on it, in all */
    uint32_t maker;        /* the item on which this communicator was made, or NO_ITEM: it was there */
    uint32_t assigned;     /* calls so far, in the search */
    uint32_t called_on;    /* how many of the communicators made on it have been called on themselves */
};
#define NO_ITEM UINT32_MAX

struct solver {
    const struct trace_otf2_definitions *definitions; /* which communicators there are */
    struct trace_otf2_tables *tables;                 /* where what is found goes */
    const struct trace_otf2_survey *survey;           /* what ranks were seen to do */
    struct parent *parents;                           /* [communicator] */
    bool told;                                        /* records inside the calls name all parents */
    bool *present;                      /* [communicator] used before any call: no call made it */
    uint32_t *communicators, *first_of; /* each rank's communicators are first_of[rank] … */
    struct item *items;                 /* room for those of one rank */
    uint32_t item_count;
    struct base_error *error;
};

/* The caller gives up the whole program, so nothing has to be undone. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "the creation of communicators");
}

/* A communicator that was there from the start has none, whatever its definition says: no call made it. */
/* MPI_Intercomm_create has no parent in this sense: what the definition names is what both groups have in
 * common. Such calls are none of those here (collectives.c). */
static uint32_t parent_of(const struct solver *solver, uint32_t communicator)
{
    uint32_t parent = solver->definitions->parents[communicator];

    if (solver->present[communicator] || (solver->definitions->communicators[communicator].remote_size > 0 &&
                                          parent < solver->definitions->communicator_count &&
                                          solver->definitions->communicators[parent].remote_size == 0))
        return TRACE_OTF2_NO_PARENT;
    return parent;
}

/* Lists each rank's communicators, in the order of their numbers. */
static int list_communicators(struct solver *solver)
{
    const struct trace_otf2_definitions *definitions = solver->definitions;
    uint32_t *next = calloc((size_t)definitions->ranks + 2, sizeof *next);
    size_t members = 0;

    solver->first_of = next;
    if (next == NULL)
        return -1;
    for (uint32_t c = 0; c < definitions->communicator_count; c++) {
        members += trace_otf2_size(definitions, c);
        for (uint32_t i = 0; i < trace_otf2_size(definitions, c); i++)
            next[trace_otf2_world(definitions, c, i) + 2]++;
    }
    solver->communicators = malloc((members + 1) * sizeof *solver->communicators);
    if (solver->communicators == NULL || members >= UINT32_MAX)
        return -1;
    for (uint32_t rank = 0; rank < definitions->ranks; rank++)
        next[rank + 2] += next[rank + 1];
    for (uint32_t c = 0; c < definitions->communicator_count; c++)
        for (uint32_t i = 0; i < trace_otf2_size(definitions, c); i++)
            solver->communicators[next[trace_otf2_world(definitions, c, i) + 1]++] = c;
    return 0;
}

/* Communicators that a rank uses before it made any were not made by such a call. */
static void find_present(struct solver *solver)
{
    for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++) {
        const struct trace_otf2_uses *uses = &solver->tables->ranks[rank].first_uses;
        for (size_t i = 0; i < uses->count; i++)
            if (uses->all[i].creations == 0)
                solver->present[uses->all[i].communicator] = true;
    }
}

/* A call makes one child at least, so there are at most as many calls as children: the upper bounds begin
 * there. */
static void count_children(struct solver *solver)
{
    const struct trace_otf2_definitions *definitions = solver->definitions;

    for (uint32_t c = 0; c < definitions->communicator_count; c++) {
        uint32_t parent = parent_of(solver, c);
        if (parent >= definitions->communicator_count)
            continue;
        solver->parents[parent].children++;
        solver->parents[parent].full_children +=
            trace_otf2_size(definitions, c) == trace_otf2_size(definitions, parent);
    }
    for (uint32_t c = 0; c < definitions->communicator_count; c++)
        solver->parents[c].most = solver->parents[c].children;
}

/* A rank has few parents: a walk is enough. */
static uint32_t find_item(const struct solver *solver, uint32_t communicator)
{
    for (uint32_t i = 0; i < solver->item_count; i++)
        if (solver->items[i].communicator == communicator)
            return i;
    return NO_ITEM;
}

/* The parents that a rank is a member of, with its children of each. There is room for all its communicators
 * and for MPI_COMM_SELF. A communicator of its own that is no parent is no item. */
static void list_items(struct solver *solver, uint32_t rank)
{
    solver->item_count = 0;
    for (uint32_t i = solver->first_of[rank]; i < solver->first_of[rank + 1]; i++)
        if (solver->parents[solver->communicators[i]].children > 0)
            solver->items[solver->item_count++] = (struct item){.communicator = solver->communicators[i]};
    solver->items[solver->item_count++] = (struct item){.communicator = TRACE_OTF2_SELF};
    for (uint32_t i = solver->first_of[rank]; i < solver->first_of[rank + 1]; i++) {
        uint32_t item = find_item(solver, parent_of(solver, solver->communicators[i]));
        if (item != NO_ITEM)
            solver->items[item].own_children++;
    }
    for (uint32_t i = 0; i < solver->item_count; i++) {
        uint32_t c = solver->items[i].communicator;
        solver->items[i].maker = c == TRACE_OTF2_SELF ? NO_ITEM : find_item(solver, parent_of(solver, c));
    }
}

/* Calls on MPI_COMM_SELF are those whose children are defined. */
static uint32_t least(const struct solver *solver, const struct item *item)
{
    return item->communicator == TRACE_OTF2_SELF ? item->own_children
                                                 : solver->parents[item->communicator].least;
}

/* As least; on MPI_COMM_SELF both are the same, since a call on it has one child. */
static uint32_t most(const struct solver *solver, const struct item *item)
{
    return item->communicator == TRACE_OTF2_SELF ? item->own_children
                                                 : solver->parents[item->communicator].most;
}

/* What one rank's number of calls says of its parents: each has those that the others leave. False when that
 * cannot be. Sums of bounds over the rank's parents hold its number of calls between them: a parent has at least
 * what the others' upper bounds leave, and at most what their lower ones do. */
static bool narrow_by_rank(struct solver *solver, uint32_t rank, bool *changed)
{
    uint64_t calls = solver->tables->ranks[rank].creation_count, least_sum = 0, most_sum = 0;

    list_items(solver, rank);
    for (uint32_t i = 0; i < solver->item_count; i++) {
        least_sum += least(solver, &solver->items[i]);
        most_sum += most(solver, &solver->items[i]);
    }
    if (least_sum > calls || most_sum < calls)
        return false;
    for (uint32_t i = 0; i < solver->item_count; i++) {
        uint64_t low = least(solver, &solver->items[i]), high = most(solver, &solver->items[i]);
        uint64_t left_most = calls - (least_sum - low), others = most_sum - high;
        struct parent *parent;
        if (solver->items[i].communicator == TRACE_OTF2_SELF)
            continue;
        parent = &solver->parents[solver->items[i].communicator];
        *changed |= left_most < high || (others < calls && calls - others > low);
        if (left_most < high)
            parent->most = (uint32_t)left_most;
        if (others < calls && calls - others > low)
            parent->least = (uint32_t)(calls - others);
        if (parent->least > parent->most)
            return false;
        least_sum += parent->least - low;
        most_sum -= high - parent->most;
    }
    return true;
}

/* The number of calls on each parent: as few as children need, as many as there are, until both are one. False:
 * the bounds do not meet. A trace whose calls and children disagree ends here, too. */
static bool count_calls(struct solver *solver)
{
    bool changed = true;

    for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++) {
        list_items(solver, rank);
        for (uint32_t i = 0; i < solver->item_count; i++) {
            uint32_t c = solver->items[i].communicator;
            if (c != TRACE_OTF2_SELF && solver->parents[c].least < solver->items[i].own_children)
                solver->parents[c].least = solver->items[i].own_children;
        }
    }
    for (int round = 0; changed && round < NARROWING_ROUNDS; round++) {
        changed = false;
        for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++)
            if (!narrow_by_rank(solver, rank, &changed))
                return false;
    }
    for (uint32_t c = 0; c < solver->definitions->communicator_count; c++)
        if (solver->parents[c].least != solver->parents[c].most)
            return false;
    return true;
}

/* The search for the orders of one rank's calls. A search without recursion: choices[call] is the item tried now,
 * and what comes before it is made (assign). */
struct search {
    struct solver *solver; /* borrowed */
    uint32_t rank, count;  /* of calls */
    const struct trace_otf2_creation *calls;
    uint32_t *needed;          /* [item * count + call]: children that must have been made then */
    uint32_t *choices, *found; /* [call] the item */
    uint64_t *collectives;     /* [item * count + call]: recorded on the item before the call */
};

/* By communicator, then in the order of the calls that made communicators. */
static int compare_uses(const void *left, const void *right)
{
    const struct trace_otf2_use *a = left, *b = right;
    if (a->communicator != b->communicator)
        return a->communicator < b->communicator ? -1 : 1;
    return a->creations < b->creations ? -1 : a->creations > b->creations;
}

/* By when a rank needs which children: before the call that its first use of them follows. Needs only grow
 * from call to call: hence the running sum. */
static void list_needs(struct search *search)
{
    const struct solver *solver = search->solver;
    const struct trace_otf2_uses *uses = &solver->tables->ranks[search->rank].first_uses;

    for (size_t i = 0; i < uses->count; i++) {
        uint32_t item = find_item(solver, parent_of(solver, uses->all[i].communicator));
        if (item != NO_ITEM && uses->all[i].creations > 0 && uses->all[i].creations <= search->count)
            search->needed[(size_t)item * search->count + uses->all[i].creations - 1]++;
    }
    for (size_t item = 0; item < solver->item_count; item++)
        for (size_t i = 1; i < search->count; i++)
            search->needed[item * search->count + i] += search->needed[item * search->count + i - 1];
}

/* How many collectives a rank had recorded on each of its parents before each call. The uses are sorted. */
static void list_collectives(struct search *search)
{
    const struct solver *solver = search->solver;
    const struct trace_otf2_uses *uses = &solver->tables->ranks[search->rank].collectives;

    for (size_t item = 0; item < solver->item_count; item++) {
        uint32_t communicator = solver->items[item].communicator;
        size_t first = 0;
        uint64_t all = 0;
        if (communicator == TRACE_OTF2_SELF)
            continue;
        while (first < uses->count && uses->all[first].communicator < communicator)
            first++;
        all = solver->survey->call_counts[solver->survey->first_member[communicator] +
                                          trace_otf2_member(solver->definitions, communicator, search->rank)];
        for (size_t i = 0; i < search->count; i++) {
            while (first < uses->count && uses->all[first].communicator == communicator &&
                   uses->all[first].creations <= i)
                first++;
            search->collectives[item * search->count + i] =
                first < uses->count && uses->all[first].communicator == communicator
                    ? uses->all[first].collectives
                    : all;
        }
    }
}

/* What the call is as the next one on this item. Which function, and how many collectives the rank had on the
 * parent before. */
static struct signature signature_of(const struct search *search, uint32_t item, uint32_t call)
{
    return (struct signature){search->calls[call].call,
                              search->collectives[(size_t)item * search->count + call]};
}

/* True when the call may be the next one on this item, by all that is known of this item. A communicator
 * that was made by a call must have been made before it is called on: called_on counts the ones among its
 * maker's children that have been, which cannot be more than the calls on the maker. A function that duplicates
 * needs a child with all members, one that merges a parent of two groups. */
static bool may_be(const struct search *search, uint32_t index, uint32_t call)
{
    const struct solver *solver = search->solver;
    const struct item *item = &solver->items[index];
    const struct parent *parent;
    struct signature signature;
    uint32_t hint = search->calls[call].hint;

    if (item->assigned == item->calls || (hint != TRACE_OTF2_NO_PARENT && hint != item->communicator) ||
        (item->maker != NO_ITEM && item->assigned == 0 &&
         solver->items[item->maker].called_on >= solver->items[item->maker].assigned))
        return false;
    if (item->communicator == TRACE_OTF2_SELF)
        return true;
    parent = &solver->parents[item->communicator];
    signature = signature_of(search, index, call);
    if (solver->definitions->calls[signature.call].class == TRACE_OTF2_DUPLICATE &&
        parent->full_children == 0)
        return false;
    if (solver->definitions->calls[signature.call].class == TRACE_OTF2_MERGE &&
        solver->definitions->communicators[item->communicator].remote_size == 0)
        return false;
    return item->assigned >= parent->known ||
           (parent->signatures[item->assigned].call == signature.call &&
            parent->signatures[item->assigned].collectives == signature.collectives);
}

/* True when every child that is used before the next call has been made. */
static bool has_needs(const struct search *search, uint32_t call)
{
    for (uint32_t i = 0; i < search->solver->item_count; i++)
        if (search->solver->items[i].assigned < search->needed[(size_t)i * search->count + call])
            return false;
    return true;
}

/* Makes a call on an item, or takes it back: a step of 1 or of -1. */
static void assign(const struct search *search, uint32_t index, int step)
{
    struct item *items = search->solver->items, *item = &items[index];

    if (item->maker != NO_ITEM && item->assigned == (step > 0 ? 0 : 1))
        items[item->maker].called_on += (uint32_t)step;
    item->assigned += (uint32_t)step;
}

/* The next possibility for a call after those that were tried, NO_ITEM without one. */
static uint32_t next_choice(const struct search *search, uint32_t call, uint32_t from)
{
    for (uint32_t item = from; item < search->solver->item_count; item++) {
        if (!may_be(search, item, call))
            continue;
        assign(search, item, 1);
        if (has_needs(search, call))
            return item;
        assign(search, item, -1);
    }
    return NO_ITEM;
}

/* The number of orders, at most 2 (also when the search is cut short); the first is left in `found`.
 * Without recursion: a rank may have made ten thousands of communicators. Two are as good as many: what is
 * not certain is not assigned. 0: none; 1: one; 2: several, or more than SEARCH_STEPS calls were tried. */
static int find_orders(struct search *search)
{
    uint32_t call = 0, from = 0;
    int orders = 0;

    for (uint64_t steps = 0; steps < SEARCH_STEPS + 2 * (uint64_t)search->count; steps++) {
        uint32_t item = call == search->count ? NO_ITEM : next_choice(search, call, from);
        if (call == search->count && orders++ == 0 && call > 0)
            memcpy(search->found, search->choices, search->count * sizeof *search->found);
        if (orders == 2)
            return 2;
        from = 0;
        if (item != NO_ITEM) {
            search->choices[call++] = item;
        } else {
            if (call == 0)
                return orders;
            item = search->choices[--call];
            assign(search, item, -1);
            from = item + 1;
        }
    }
    return 2;
}

/* What a rank knows for certain becomes the measure for the others. Only the first rank that gets to a call
 * defines its signature; later ones were chosen to agree with it. */
static int publish(struct search *search)
{
    const struct solver *solver = search->solver;

    for (uint32_t i = 0; i < solver->item_count; i++)
        solver->items[i].assigned = 0;
    for (uint32_t call = 0; call < search->count; call++) {
        struct item *item = &solver->items[search->found[call]];
        struct parent *parent;
        solver->tables->ranks[search->rank].creations[call].parent = item->communicator;
        if (item->communicator == TRACE_OTF2_SELF)
            continue;
        parent = &solver->parents[item->communicator];
        if (item->assigned == parent->known) {
            if (base_grow(&parent->signatures, &parent->capacity, (size_t)parent->known + 1,
                          sizeof *parent->signatures) != 0)
                return -1;
            parent->signatures[parent->known++] = signature_of(search, search->found[call], call);
        }
        item->assigned++;
    }
    return 0;
}

/* Where records name all parents, definitions need not agree with them: those of other writers than Score-P
 * do not. */
static bool is_told(const struct solver *solver)
{
    for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++)
        for (size_t i = 0; i < solver->tables->ranks[rank].creation_count; i++) {
            uint32_t hint = solver->tables->ranks[rank].creations[i].hint;
            if (hint != TRACE_OTF2_SELF && (hint >= solver->definitions->communicator_count ||
                                            trace_otf2_member(solver->definitions, hint, rank) == UINT32_MAX))
                return false;
        }
    return true;
}

/* The parents that the records of a rank name, which need not be parents by their definitions. */
static void list_told_items(struct solver *solver, uint32_t rank)
{
    const struct trace_otf2_rank_tables *tables = &solver->tables->ranks[rank];

    solver->item_count = 0;
    for (size_t i = 0; i < tables->creation_count; i++) {
        uint32_t item = find_item(solver, tables->creations[i].hint);
        if (item == NO_ITEM) {
            item = solver->item_count++;
            solver->items[item] = (struct item){.communicator = tables->creations[i].hint, .maker = NO_ITEM};
        }
        solver->items[item].calls++;
    }
}

/* The one order that the records of a rank tell: 1, or 0 when other ranks' tell another. No search, so any
 * number of calls is fast. */
static int follow_hints(struct search *search)
{
    const struct solver *solver = search->solver;

    for (uint32_t call = 0; call < search->count; call++) {
        uint32_t index = find_item(solver, search->calls[call].hint);
        struct item *item = &solver->items[index];
        const struct parent *parent =
            item->communicator == TRACE_OTF2_SELF ? NULL : &solver->parents[item->communicator];
        struct signature signature = signature_of(search, index, call);
        if (parent != NULL && item->assigned < parent->known &&
            (parent->signatures[item->assigned].call != signature.call ||
             parent->signatures[item->assigned].collectives != signature.collectives))
            return 0;
        item->assigned++;
        search->found[call] = index;
    }
    return 1;
}

/* 1: one order, kept; 0: several, for now; -1: none; -2: no memory. In all cases but 1, and but for memory,
 * nothing of the tables has changed. */
static int order_rank(struct solver *solver, uint32_t rank)
{
    struct trace_otf2_rank_tables *tables = &solver->tables->ranks[rank];
    struct search search = {.solver = solver, .rank = rank, .calls = tables->creations};
    size_t cells;
    int orders = -2;

    search.count = (uint32_t)tables->creation_count;
    if (solver->told)
        list_told_items(solver, rank);
    else
        list_items(solver, rank);
    for (uint32_t i = 0; i < solver->item_count && !solver->told; i++)
        solver->items[i].calls = least(solver, &solver->items[i]);
    cells = (size_t)solver->item_count * search.count + 1;
    search.needed = calloc(cells, sizeof *search.needed);
    search.collectives = calloc(cells, sizeof *search.collectives);
    search.choices = calloc((size_t)search.count * 2 + 1, sizeof *search.choices);
    if (search.needed != NULL && search.collectives != NULL && search.choices != NULL) {
        search.found = search.choices + search.count;
        list_needs(&search);
        list_collectives(&search);
        orders = solver->told ? follow_hints(&search) : find_orders(&search);
        if (orders == 1 && publish(&search) != 0)
            orders = -2;
        else
            orders = orders == 0 ? -1 : orders == 2 ? 0 : orders;
    }
    free(search.needed);
    free(search.collectives);
    free(search.choices);
    return orders;
}

/* Round by round: a rank with one order may leave another only one. 1 when all have, 0 when not, -1 without
 * memory. */
static int order_ranks(struct solver *solver)
{
    uint32_t ranks = solver->definitions->ranks, done = 0;
    uint32_t before;
    bool *known = calloc(ranks, sizeof *known);
    int result = known == NULL ? -2 : 0;

    do {
        before = done;
        for (uint32_t rank = 0; rank < ranks && result >= 0; rank++) {
            if (known[rank])
                continue;
            result = order_rank(solver, rank);
            known[rank] = result > 0;
            done += result > 0;
        }
    } while (result >= 0 && done < ranks && done > before);
    free(known);
    return result == -2 ? -1 : done == ranks;
}

/* TRACE_OTF2_NO_PARENT stands behind the last call. */
static uint32_t next_parent(const struct solver *solver, uint32_t rank, uint32_t call)
{
    const struct trace_otf2_rank_tables *tables = &solver->tables->ranks[rank];
    return call < tables->creation_count ? tables->creations[call].parent : TRACE_OTF2_NO_PARENT;
}

/* Moves a rank on to a call that not all members of the parent have come to; true when all have. */
static bool arrive(struct solver *solver, uint32_t rank, uint32_t *call, uint32_t *communicator)
{
    while ((*communicator = next_parent(solver, rank, *call)) == TRACE_OTF2_SELF)
        ++*call;
    if (*communicator == TRACE_OTF2_NO_PARENT)
        return false;
    return ++solver->parents[*communicator].arrived == trace_otf2_size(solver->definitions, *communicator);
}

/* True when the calls of all ranks can be made in these orders. Ranks that become free are worked off from a
 * list. `calls` are zeroed counters by rank, `list` has room for all ranks. A rank is on the list once: it is put
 * back only when all members of a parent have made the call. */
static bool can_run(struct solver *solver, uint32_t *calls, uint32_t *list)
{
    const struct trace_otf2_definitions *definitions = solver->definitions;
    uint32_t count = definitions->ranks;
    uint32_t communicator;

    for (uint32_t i = 0; i < count; i++)
        list[i] = i;
    while (count > 0) {
        uint32_t rank = list[--count];
        if (!arrive(solver, rank, &calls[rank], &communicator))
            continue;
        solver->parents[communicator].arrived = 0;
        for (uint32_t i = 0; i < trace_otf2_size(definitions, communicator); i++) {
            list[count++] = trace_otf2_world(definitions, communicator, i);
            calls[list[count - 1]]++;
        }
    }
    for (uint32_t rank = 0; rank < definitions->ranks; rank++)
        if (calls[rank] < solver->tables->ranks[rank].creation_count)
            return false;
    return true;
}

/* 1, 0, or -1 without memory. Orders that fit rank by rank may still wait for each other in a circle. */
static int check_run(struct solver *solver)
{
    uint32_t *calls = calloc((size_t)solver->definitions->ranks * 2, sizeof *calls);
    int result = calls == NULL ? -1 : can_run(solver, calls, calls + solver->definitions->ranks);

    free(calls);
    return result;
}

/* Where the implied collectives stand among all on their communicator. Ends with the list in the order of
 * communicator and instance, by which trace_otf2_recorded_instance searches. */
static int list_implied(struct solver *solver)
{
    struct trace_otf2_tables *tables = solver->tables;

    for (uint32_t c = 0; c < solver->definitions->communicator_count; c++) {
        const struct parent *parent = &solver->parents[c];
        for (uint32_t i = 0; i < parent->known; i++) {
            if (base_grow(&tables->implied, &tables->implied_capacity, tables->implied_count + 1,
                          sizeof *tables->implied) != 0)
                return -1;
            tables->implied[tables->implied_count++] =
                (struct trace_otf2_implied_call){c, parent->signatures[i].collectives + i};
        }
    }
    return 0;
}

/* Only a choice among several parents is an inference that can be wrong. */
static void count_inferred(struct trace_otf2_repairs *repairs, struct solver *solver)
{
    for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++) {
        uint32_t candidates = 0;
        list_items(solver, rank);
        for (uint32_t i = 0; i < solver->item_count && !solver->told; i++)
            candidates += least(solver, &solver->items[i]) > 0;
        if (candidates > 1)
            repairs->survey->counts.repairs[TRACE_OTF2_REPAIR_CREATION] +=
                solver->tables->ranks[rank].creation_count;
    }
}

/* -1 without memory; *why is left NULL when everything is known. */
static int solve(struct solver *solver, const char **why)
{
    int done;

    *why = NULL;
    if (list_communicators(solver) != 0)
        return -1;
    find_present(solver);
    count_children(solver);
    solver->told = is_told(solver);
    if (!solver->told && !count_calls(solver)) {
        *why = "the defined communicators do not account for these calls, so that the parent is unknown";
        return 0;
    }
    for (uint32_t rank = 0; rank < solver->definitions->ranks; rank++) {
        struct trace_otf2_uses *uses = &solver->tables->ranks[rank].collectives;
        if (uses->count > 0)
            qsort(uses->all, uses->count, sizeof *uses->all, compare_uses);
    }
    done = order_ranks(solver);
    if (done > 0)
        done = check_run(solver);
    if (done == 0)
        *why = "several communicators can be the parent, and the trace does not say which is";
    return done > 0 ? list_implied(solver) : done;
}

/* free_solver frees what there is. */
static int allocate(struct solver *solver)
{
    size_t count = solver->definitions->communicator_count;

    solver->parents = calloc(count + 1, sizeof *solver->parents);
    solver->present = calloc(count + 1, sizeof *solver->present);
    solver->items = calloc(count + 1, sizeof *solver->items);
    return solver->parents == NULL || solver->present == NULL || solver->items == NULL ? -1 : 0;
}

/* Also for one that was made in part. */
static void free_solver(struct solver *solver)
{
    for (size_t i = 0; solver->parents != NULL && i < solver->definitions->communicator_count; i++)
        free(solver->parents[i].signatures);
    free(solver->parents);
    free(solver->present);
    free(solver->items);
    free(solver->communicators);
    free(solver->first_of);
}

/* Most programs make no communicators, and pay nothing. */
static bool is_needed(const struct trace_otf2_repairs *repairs)
{
    for (uint32_t rank = 0; rank < repairs->context->definitions->ranks; rank++)
        if (repairs->tables->ranks[rank].creation_count > 0)
            return true;
    return false;
}

/* Assignments of a rank do not stay when those of another cannot be found. */
static void forget(struct trace_otf2_tables *tables, uint32_t ranks)
{
    for (uint32_t rank = 0; rank < ranks; rank++)
        for (size_t i = 0; i < tables->ranks[rank].creation_count; i++)
            tables->ranks[rank].creations[i].parent = TRACE_OTF2_NO_PARENT;
}

/* Not knowing is no error: the calls then stay without their implied collectives, and
 * tables->creations_unknown says why to the coverage. */
int trace_otf2_infer_creations(struct trace_otf2_repairs *repairs, struct base_error *error)
{
    struct solver solver = {.definitions = repairs->context->definitions,
                            .tables = repairs->tables,
                            .survey = repairs->survey,
                            .error = error};
    const char *why = "EZTrace does not record the parents of communicators";
    int result = 0;

    if (!is_needed(repairs))
        return 0;
    if (!solver.definitions->by_eztrace && (result = allocate(&solver)) == 0)
        result = solve(&solver, &why);
    if (result == 0 && why == NULL)
        count_inferred(repairs, &solver);
    else
        forget(repairs->tables, solver.definitions->ranks);
    repairs->tables->creations_unknown = why;
    free_solver(&solver);
    return result == 0 ? 0 : no_memory(error);
}

/* Collectives that the recorder wrote are numbered without the implied ones; the program's instances count
 * both. False: the instance is itself an implied one, and has no record. */
bool trace_otf2_recorded_instance(const struct trace_otf2_tables *tables, uint32_t communicator,
                                  uint64_t instance, uint64_t *recorded)
{
    size_t low = 0, high = tables->implied_count;

    *recorded = instance;
    while (low < high) { /* the first entry of the communicator */
        size_t middle = low + (high - low) / 2;
        if (tables->implied[middle].communicator < communicator)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < tables->implied_count && tables->implied[low].communicator == communicator; low++) {
        if (tables->implied[low].instance == instance)
            return false;
        if (tables->implied[low].instance > instance)
            break;
        --*recorded;
    }
    return true;
}
