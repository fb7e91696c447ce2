/* The ports of a list of packets, in two steps: the set of the best assignments, then the drawn one of them. Packets
 * that are not there come behind those that are, have no good port, and get the ports that are left.
 *
 *      oldest, up to 3 ports  best[good ports, ages], worked out when a list of its like is met first (choice.c)
 *      random, up to 4        best[good ports, is there a new one], likewise
 *      oldest, 4 and 5 ports  from the oldest on: those of the assignments that are left in which it gets a good port,
 *                             if there are any. Weights of `oldest` are powers of two, so that this is the best.
 *
 * An assignment is a permutation of the ports, as if the router were full, and has a bit by its place in the order of
 * rule 6. With a packets missing each assignment of those that are there is a! permutations, side by side. The
 * tables by good ports have a bit for the first of these only.
 *
 * `ports` and the way are literals wherever it matters, and loops over them are unrolled. Only this folder's files
 * include this. */
#ifndef NET_DEFLECTION_CHOICE_H
#define NET_DEFLECTION_CHOICE_H

#include "base/random.h"
#include "netmodel/deflection-engine/internal.h"

#define NET_DEFLECTION_INLINE static inline __attribute__((always_inline))

/* Of two packets each, as bits of a table's index. */
NET_DEFLECTION_INLINE uint32_t net_deflection_order_bits(uint32_t ports)
{
    return ports * (ports - 1) / 2;
}

/* draw(u, t, n) of the rules. Of one it is the first, which is not worth a branch. */
NET_DEFLECTION_INLINE uint32_t net_deflection_draw(const struct net_deflection *engine, uint32_t router,
                                                   uint32_t count)
{
    return base_scale(base_hash_second(engine->keys[router], engine->network.now), count);
}

/* What the tables do not have yet: an entry is 0. The index says all that counts. Returns the entry. */
uint32_t net_deflection_work_out(const struct net_deflection *engine, uint32_t index);

/* ---- sets of assignments ---- */

/* How many bits of each byte are set, in that byte. */
NET_DEFLECTION_INLINE uint64_t net_deflection_count_bytes(uint64_t set)
{
    const uint64_t pairs = UINT64_C(0x5555555555555555), fours = UINT64_C(0x3333333333333333);
    set -= set >> 1 & pairs;
    set = (set & fours) + (set >> 2 & fours);
    return (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* How many are set up to each byte, in that byte; the last has them all. Less than 128 in all. */
NET_DEFLECTION_INLINE uint64_t net_deflection_sum_bytes(uint64_t counts)
{
    return counts * UINT64_C(0x0101010101010101);
}

/* The bit of that number, from below, of a word with those sums. A byte's sum is at most the number if the bit is
 * behind it: then the difference has no carry into the byte's highest bit. */
NET_DEFLECTION_INLINE uint32_t net_deflection_nth(const struct net_deflection_tables *tables, uint64_t set,
                                                  uint64_t sums, uint32_t number)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t behind = ((number * ones | ones << 7) - sums) >> 7 & ones;
    uint32_t byte = (uint32_t)(net_deflection_sum_bytes(behind) >> 56) * 8;
    uint32_t before = (uint32_t)(sums << 8 >> byte & 255);
    return byte + tables->bit[(set >> byte & 255) * 8 + (number - before)];
}

/* The best of all assignments under the rule oldest. Packets in the order of age: each keeps of the assignments that
 * are left those that serve it, if there are any. An older one is served whatever the younger ones lose. */
NET_DEFLECTION_INLINE struct net_deflection_set
net_deflection_best(const struct net_deflection_tables *tables, const uint64_t *places,
                    const struct net_deflection_load *loads, uint32_t ports, uint32_t *bad)
{
    const struct net_deflection_set *by_age[NET_DEFLECTION_SET_PORTS];
    uint32_t rank[NET_DEFLECTION_SET_PORTS] = {0};
    uint64_t low = tables->all.words[0], high = tables->all.words[1];
#pragma GCC unroll 8
    for (uint32_t i = 1; i < ports; i++)
#pragma GCC unroll 8
        for (uint32_t j = 0; j < i; j++) {
            uint32_t later = loads[j].age < loads[i].age;
            rank[i] += later;
            rank[j] += 1 - later;
        }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++)
        by_age[rank[i]] = &tables->served[i * 32 + (places[i] >> ports * i & ((1u << ports) - 1))];
    *bad = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++) {
        uint64_t more_low = low & by_age[i]->words[0], more_high = high & by_age[i]->words[1];
        bool served = (ports <= 4 ? more_low : more_low | more_high) != 0;
        low = served ? more_low : low;
        high = served ? more_high : high;
        *bad += 1 - served;
    }
    return (struct net_deflection_set){{low, high}};
}

/* Rule 7 for `oldest`, of up to five ports: the assignment's ports, four bits a packet; *bad: how many packets get no
 * good port, the same in every best assignment. Where packets are missing the set has a! permutations for each
 * assignment, side by side, and the one drawn is of the drawn assignment: floor(floor(x a! n) / a!) = floor(x n). */
NET_DEFLECTION_INLINE uint32_t net_deflection_by_sets(const struct net_deflection *engine, uint32_t router,
                                                      const uint64_t *places,
                                                      const struct net_deflection_load *loads, uint32_t ports,
                                                      uint32_t *bad)
{
    const struct net_deflection_tables *tables = &engine->tables;
    uint32_t missing = ports;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++)
        missing -= (uint32_t)places[i] >> 31;
    struct net_deflection_set set = net_deflection_best(tables, places, loads, ports, bad);
    *bad -= missing;
    uint64_t low = net_deflection_sum_bytes(net_deflection_count_bytes(set.words[0]));
    uint64_t high = ports <= 4 ? 0 : net_deflection_sum_bytes(net_deflection_count_bytes(set.words[1]));
    uint32_t in_low = (uint32_t)(low >> 56);
    uint32_t number = net_deflection_draw(engine, router, in_low + (uint32_t)(high >> 56));
    bool behind = ports > 4 && number >= in_low;
    uint32_t bit = net_deflection_nth(tables, behind ? set.words[1] : set.words[0], behind ? high : low,
                                      behind ? number - in_low : number);
    return tables->ports[behind ? 64 + bit : bit];
}

/* ---- tables ---- */

/* Of an entry: the unit of packets without a good port, behind a set of up to 24, or of up to six. */
#define NET_DEFLECTION_BAD (1u << 24)
#define NET_DEFLECTION_SMALL_BAD (1u << 6)

/* The ports of up to four packets by a table's index, two bits each of up to three, four of four; *bad: how many of
 * them get no good port. The tables are the only state of the engine that a look-up changes, and what they hold follows
 * from the index alone. */
NET_DEFLECTION_INLINE uint32_t net_deflection_by_table(const struct net_deflection *engine, uint32_t router,
                                                       uint32_t index, uint32_t ports, uint32_t *bad)
{
    const struct net_deflection_tables *tables = &engine->tables;
    const uint32_t unit = ports <= 3 ? NET_DEFLECTION_SMALL_BAD : NET_DEFLECTION_BAD;
    uint32_t entry = ports <= 3 ? tables->small_best[index] : tables->best[index];
    if (__builtin_expect(entry == 0, 0))
        entry = net_deflection_work_out(engine, index);
    uint32_t set = entry % unit;
    *bad = entry / unit;
    if (ports <= 3)
        return tables->nth[set * 8 + net_deflection_draw(engine, router, tables->count[set])];
    uint64_t sums = net_deflection_sum_bytes(net_deflection_count_bytes(set));
    uint32_t number = net_deflection_draw(engine, router, (uint32_t)(sums >> 56));
    return tables->ports[net_deflection_nth(tables, set, sums, number)];
}

/* Who is older, of each two a bit. Bits of pairs rather than a rank: none has to be sorted. */
NET_DEFLECTION_INLINE uint32_t net_deflection_ages(const struct net_deflection_load *loads, uint32_t ports)
{
    uint32_t ages = 0, bit = 0;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < ports; i++)
#pragma GCC unroll 8
        for (uint32_t j = 0; j < i; j++)
            ages |= (uint32_t)(loads[j].age < loads[i].age) << bit++;
    return ages;
}

#endif
