/* What a caller is told of a cycle, in an order that no engine's order of events can disturb: by message number, then
 * NET_SENT before NET_DELIVERED, then terminal.
 *
 *     net_network_notice…         engines note what they find, in any order      noticed
 *     net_network_sort_notices    once a cycle that has any                      notices
 *     net_network_notices         what callers see
 *
 * With short packets there are many: neither way of sorting branches on what it compares, which nobody
 * could predict. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/engines/engine.h"

#define FEW_NOTICES 64
#define LANES 4
#define FILL 0x7f7f7f7f /* above all differences of keys that are sorted by comparing each with each */

typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(int32_t))));
#define DIGIT_BITS 7 /* of the keys that are sorted by counting */
#define DIGITS (1u << DIGIT_BITS)
#define KEY_BITS 32 /* differences of keys that fit: half a word, the other half says which notice it is */

/* Arrays of one capacity: what the engines found, with the numbers to sort by, what callers see, and room to sort.
 * Together, as a notice needs a place in each. */
int net_network_grow_notices(struct net_network *network)
{
    size_t capacity = network->notice_capacity != 0 ? 2 * network->notice_capacity : 64;
    struct net_numbered_notice *noticed = realloc(network->noticed, capacity * sizeof *noticed);
    if (noticed == NULL)
        return -1;
    network->noticed = noticed;
    struct net_notice *notices = realloc(network->notices, capacity * sizeof *notices);
    if (notices == NULL)
        return -1;
    network->notices = notices;
    uint64_t *order = realloc(network->notice_order, 2 * capacity * sizeof *order);
    if (order == NULL)
        return -1;
    network->notice_order = order;
    network->notice_capacity = capacity;
    return 0;
}

/* Of a message as a whole. */
int net_network_notice(struct net_network *network, uint64_t number, enum net_notice_kind kind, uint64_t tag)
{
    return net_network_add_notice(network, number,
                                  &(struct net_notice){.kind = kind, .terminal = NET_NONE, .tag = tag});
}

/* With the link that its last packet waited longest for. */
int net_network_notice_journey(struct net_network *network, uint64_t number, uint64_t tag,
                               const struct net_journey *journey)
{
    return net_network_add_notice(
        network, number,
        &(struct net_notice){.kind = NET_DELIVERED, .terminal = NET_NONE, .tag = tag, .journey = *journey});
}

/* One copy makes the whole cycle be sorted by comparing: keys have no room for terminals. */
int net_network_notice_copy(struct net_network *network, uint64_t number, uint32_t terminal, uint64_t tag)
{
    network->notice_copies = true;
    return net_network_add_notice(
        network, number, &(struct net_notice){.kind = NET_DELIVERED, .terminal = terminal, .tag = tag});
}

/* The order in full. */
static int compare_noticed(const void *left, const void *right)
{
    const struct net_numbered_notice *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->notice.kind != b->notice.kind)
        return (int)a->notice.kind - (int)b->notice.kind;
    return (a->notice.terminal > b->notice.terminal) - (a->notice.terminal < b->notice.terminal);
}

static uint64_t key_of(const struct net_numbered_notice *noticed)
{
    return net_notice_key(noticed->number, noticed->notice.kind);
}
_Static_assert(NET_SENT < NET_DELIVERED, "the order of the kinds");

union some_keys {
    lanes four[FEW_NOTICES / LANES];
    int32_t one[FEW_NOTICES];
};

/* Where each goes: as many places from the first as have lower keys. Four are compared with each. */
static void find_places(const lanes *keys, const lanes *each, size_t count, lanes *places)
{
    for (size_t i = 0; i * LANES < count; i++) {
        const lanes four = keys[i];
        lanes lower = {0};
#pragma GCC unroll 4
        for (size_t j = 0; j < count; j++)
            lower -= each[j] < four;
        places[i] = lower;
    }
}

/* False: their numbers are too far apart. */
static bool place_few(struct net_network *network)
{
    union some_keys keys, places;
    lanes each[FEW_NOTICES]; /* key four times */
    uint64_t whole[FEW_NOTICES];
    uint64_t least = UINT64_MAX, most = 0;
    size_t count = network->notice_count;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = key_of(&network->noticed[i]);
        whole[i] = key;
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    if (most - least >= FILL)
        return false;
    keys.four[(count - 1) / LANES] = (lanes){FILL, FILL, FILL, FILL};
    for (size_t i = 0; i < count; i++) {
        int32_t key = (int32_t)(whole[i] - least);
        keys.one[i] = key;
        each[i] = (lanes){key, key, key, key};
    }
    find_places(keys.four, each, count, places.four);
    for (size_t i = 0; i < count; i++)
        network->notices[places.one[i]] = network->noticed[i].notice;
    return true;
}

/* A pass of a radix sort: by one digit, keeping the order of those that have the same. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t count, uint32_t shift)
{
    size_t places[DIGITS] = {0};
    size_t before = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i] >> shift & (DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        size_t here = places[digit];
        places[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Messages that end in one cycle began near each other: their keys, counted from the least, have few
 * digits. False: not near enough. */
static bool place_many(struct net_network *network)
{
    size_t count = network->notice_count;
    uint64_t *from = network->notice_order, *to = from + count;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        from[i] = key_of(&network->noticed[i]);
        least = from[i] < least ? from[i] : least;
        most = from[i] > most ? from[i] : most;
    }
    if ((most - least) >> KEY_BITS != 0 || count > UINT32_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        from[i] = (from[i] - least) << KEY_BITS | i;
    for (uint32_t shift = KEY_BITS; shift < 2 * KEY_BITS && (most - least) >> (shift - KEY_BITS) != 0;
         shift += DIGIT_BITS) {
        sort_by_digit(from, to, count, shift);
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    for (size_t i = 0; i < count; i++)
        network->notices[i] = network->noticed[(uint32_t)from[i]].notice;
    return true;
}

/* What was found in order stays so. Few keys are compared each with each, many are counted digit by digit; what fits
 * neither way goes to qsort. */
void net_network_sort_notices(struct net_network *network)
{
    bool few = network->notice_count <= FEW_NOTICES, mixed = network->notices_mixed;
    if (mixed && !network->notice_copies && (few ? place_few(network) : place_many(network)))
        return;
    if (mixed || network->notice_copies)
        qsort(network->noticed, network->notice_count, sizeof *network->noticed, compare_noticed);
    for (size_t i = 0; i < network->notice_count; i++)
        network->notices[i] = network->noticed[i].notice;
}

const struct net_notice *net_network_notices(const struct net_network *network, size_t *count)
{
    *count = network->notice_count;
    return network->notices;
}
