/* Lists of ranks, each kept once, and the calls that make groups of groups.
 *
 * Two ranks that make the same group in different ways get the same index, so that groups are compared by number.
 * The table is open addressing over lists[], at most half full; nothing is ever taken out. */
#include "traces/communicators/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/grow.h"

/* ---- Lists ---- */

/* Depends on nothing but the ranks. That hashes differ between lists is a matter of speed only: place_of
 * compares. */
static uint32_t hash_of(const uint32_t *ranks, uint32_t size)
{
    uint64_t hash = size;

    for (uint32_t i = 0; i < size; i++)
        hash = base_hash(hash, ranks[i]);
    return (uint32_t)(hash >> 32);
}

/* Where the list is, or the empty place where it would go. */
static size_t place_of(const struct trace_communicators *all, const uint32_t *ranks, uint32_t size,
                       uint32_t hash)
{
    size_t place = hash & (all->places - 1);

    while (all->table[place] != NO_LIST) {
        const struct rank_list *list = &all->lists[all->table[place]];

        if (list->hash == hash && list->size == size && memcmp(list->ranks, ranks, size * sizeof *ranks) == 0)
            break;
        place = (place + 1) & (all->places - 1);
    }
    return place;
}

/* Twice the places, and every list into its new one. At most half of the places are taken, so that searches
 * are short. -1: memory, and the table is as before. */
static int grow_table(struct trace_communicators *all)
{
    size_t places = all->places == 0 ? 64 : all->places * 2;
    uint32_t *table = malloc(places * sizeof *table);

    if (table == NULL)
        return -1;
    memset(table, 0xff, places * sizeof *table);
    for (size_t i = 0; i < all->list_count; i++) {
        size_t place = all->lists[i].hash & (places - 1);

        while (table[place] != NO_LIST)
            place = (place + 1) & (places - 1);
        table[place] = (uint32_t)i;
    }
    free(all->table);
    all->table = table;
    all->places = places;
    return 0;
}

/* One copy of each list: of the groups that all ranks of a program make alike memory is needed once, and not
 * once a rank. NO_LIST: memory. The ranks are copied into the arena. */
uint32_t trace_communicators_list_of(struct trace_communicators *all, const uint32_t *ranks, uint32_t size)
{
    uint32_t hash = hash_of(ranks, size);
    uint32_t *copy;
    size_t place;

    if (2 * (all->list_count + 1) > all->places && grow_table(all) != 0)
        return NO_LIST;
    place = place_of(all, ranks, size, hash);
    if (all->table[place] != NO_LIST)
        return all->table[place];
    copy = base_arena_array(&all->arena, size, sizeof *copy);
    if (copy == NULL || all->list_count >= UNTOLD ||
        base_grow(&all->lists, &all->list_capacity, all->list_count + 1, sizeof *all->lists) != 0)
        return NO_LIST;
    memcpy(copy, ranks, size * sizeof *copy);
    all->lists[all->list_count] = (struct rank_list){.ranks = copy, .size = size, .hash = hash};
    all->table[place] = (uint32_t)all->list_count;
    return (uint32_t)all->list_count++;
}

/* ---- Groups ---- */

/* A set is emptied by taking a new number for what is in it, not by clearing an array of all ranks. */
uint32_t trace_communicators_new_mark(struct trace_communicators *all)
{
    if (++all->mark == 0) {
        memset(all->marks, 0, all->ranks * sizeof *all->marks);
        all->mark = 1;
    }
    return all->mark;
}

/* Begins a set with the members of a list. */
static void mark_all(struct trace_communicators *all, const struct rank_list *list)
{
    uint32_t mark = trace_communicators_new_mark(all);

    for (uint32_t i = 0; i < list->size; i++)
        all->marks[list->ranks[i]] = mark;
}

/* Appends to the scratch list what is (or is not) marked; gives the new length. */
static uint32_t filter(struct trace_communicators *all, uint32_t length, const struct rank_list *list,
                       bool marked)
{
    for (uint32_t i = 0; i < list->size; i++)
        if ((all->marks[list->ranks[i]] == all->mark) == marked)
            all->scratch[length++] = list->ranks[i];
    return length;
}

/* Orders as MPI 4.0, section 7.3.2 has them: the union is left and then what right adds; the others keep
 * left's order. */
static uint32_t combine(struct trace_communicators *all, const struct entry *entry, uint32_t left,
                        uint32_t right)
{
    uint32_t length;

    if (entry->kind != TRACE_GROUP_UNION) {
        mark_all(all, &all->lists[right]);
        length = filter(all, 0, &all->lists[left], entry->kind == TRACE_GROUP_INTERSECTION);
    } else {
        length = all->lists[left].size;
        memcpy(all->scratch, all->lists[left].ranks, length * sizeof *all->scratch);
        mark_all(all, &all->lists[left]);
        length = filter(all, length, &all->lists[right], false);
    }
    return trace_communicators_list_of(all, all->scratch, length);
}

/* Takes one position of a group into the tuning: false when it is out of range or there already. Since no
 * rank is taken twice, the scratch list is always long enough. */
static bool take(struct trace_communicators *all, const struct rank_list *list, int64_t number,
                 uint32_t *length)
{
    uint32_t rank;

    if (number < 0 || number >= list->size)
        return false;
    rank = list->ranks[number];
    if (all->marks[rank] == all->mark)
        return false;
    all->marks[rank] = all->mark;
    all->scratch[(*length)++] = rank;
    return true;
}

/* first, first + stride, … as far as last. */
static bool take_range(struct trace_communicators *all, const struct rank_list *list, const int32_t *triplet,
                       uint32_t *length)
{
    int64_t first = triplet[0], last = triplet[1], stride = triplet[2];

    if (stride == 0 || (stride > 0 && first > last) || (stride < 0 && first < last))
        return false;
    for (int64_t number = first; stride > 0 ? number <= last : number >= last; number += stride)
        if (!take(all, list, number, length))
            return false;
    return true;
}

/* Include and exclude, by ranks or ranges. NO_LIST with *legal false when the numbers are not. */
static uint32_t choose(struct trace_communicators *all, const struct entry *entry, uint32_t of, bool *legal)
{
    const struct rank_list *list = &all->lists[of];
    bool ranges = entry->kind == TRACE_GROUP_RANGE_INCLUDE || entry->kind == TRACE_GROUP_RANGE_EXCLUDE;
    uint32_t length = 0;

    trace_communicators_new_mark(all);
    *legal = !ranges || entry->count % 3 == 0;
    for (uint32_t i = 0; *legal && i < entry->count; i += ranges ? 3 : 1)
        *legal = ranges ? take_range(all, list, &entry->numbers[i], &length)
                        : take(all, list, entry->numbers[i], &length);
    if (!*legal)
        return NO_LIST;
    if (entry->kind == TRACE_GROUP_EXCLUDE || entry->kind == TRACE_GROUP_RANGE_EXCLUDE)
        length = filter(all, 0, list, false);
    return trace_communicators_list_of(all, all->scratch, length);
}

/* The group of a communicator as this rank sees it, or the group that it talks to. NO_LIST: it has none. */
static uint32_t group_of(const struct trace_communicators *all, uint32_t rank, const struct entry *entry)
{
    uint32_t index = trace_communicators_meaning(all, rank, entry->parent, all->logs[rank].position);
    const struct made_communicator *made;

    if (index == TRACE_NO_COMMUNICATOR)
        return NO_LIST;
    made = &all->made[index];
    if (made->remote == NO_LIST)
        return entry->kind == TRACE_GROUP_OF ? made->members : NO_LIST;
    if (trace_communicators_is_near(all, made, rank) == (entry->kind == TRACE_GROUP_OF))
        return made->members;
    return made->remote;
}

/* Of groups made of an unknown one nothing is known either: that is no defect of theirs. The entry's result is a
 * list, or stays unknown. -1: memory, or numbers that cannot be where no defects are collected. */
int trace_communicators_evaluate(struct trace_communicators *all, uint32_t rank, struct base_error *error)
{
    struct entry *entry = entry_of(all, rank);
    uint32_t position = all->logs[rank].position;
    uint32_t left, right;
    bool legal = true;

    if (entry->kind == TRACE_GROUP_OF || entry->kind == TRACE_GROUP_REMOTE) {
        entry->result = group_of(all, rank, entry);
        return 0;
    }
    left = trace_communicators_group_meaning(all, rank, entry->parent, position);
    if (left == NO_LIST)
        return 0;
    if (entry->kind >= TRACE_GROUP_INCLUDE) {
        entry->result = choose(all, entry, left, &legal);
    } else {
        right = trace_communicators_group_meaning(all, rank, entry->right, position);
        if (right == NO_LIST)
            return 0;
        entry->result = combine(all, entry, left, right);
    }
    if (!legal)
        return trace_communicators_complain(
            all, rank, "group-range", error,
            "%s of ranks that its group of %u does not have, or has only once",
            trace_communicators_call_name(entry), all->lists[left].size);
    return entry->result == NO_LIST ? base_error_memory(error, "the groups of ranks") : 0;
}
