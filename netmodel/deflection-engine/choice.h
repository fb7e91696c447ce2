/* The ports of a list of packets, looked up: lists with the same good ports, and under the rule oldest with the same
 * order by age, have the same best assignments. Worked out when a list of its like is met first (choice.c).
 *
 *      random, up to 4 ports    [has_new][key]               key: the masks in order behind a one
 *      oldest, up to 3 ports    [key][who is older]          a bit for each two packets
 *      oldest, 4 ports          served[key by age], then [key of the allowed ports]
 *      oldest, 5 ports          choice-five.h
 *
 * Under the rule oldest weights are powers of two, so that who gets a good port is the same in all best assignments:
 * those who do may take any of their good ports, the others any other.
 *
 * `ports` and `count` are literals wherever it matters, and loops over them are unrolled. Only this folder's files
 * include this. */
#ifndef NET_DEFLECTION_CHOICE_H
#define NET_DEFLECTION_CHOICE_H

#include "base/random.h"
#include "netmodel/deflection-engine/internal.h"

#define NET_DEFLECTION_INLINE static inline __attribute__((always_inline))

/* Bytes of an entry: how many assignments there are (0: not worked out yet); each of them, two bits a packet; and
 * as the last byte how many packets get no good port, as many in each. */
NET_DEFLECTION_INLINE uint32_t net_deflection_entry_bytes(uint32_t ports)
{
    return ports == 2 ? 4 : ports == 3 ? 8 : 32;
}

/* Of two packets each, as bits of a table's index. */
NET_DEFLECTION_INLINE uint32_t net_deflection_order_bits(uint32_t ports)
{
    return ports * (ports - 1) / 2;
}

/* Numbers of keys of masks: n of them behind a one. */
NET_DEFLECTION_INLINE size_t net_deflection_keys(uint32_t ports)
{
    return (size_t)2 << ports * ports;
}

/* draw(u, t, n) of the rules. Of one it is the first, which is not worth a branch. */
NET_DEFLECTION_INLINE uint32_t net_deflection_draw(const struct net_deflection *engine, uint32_t router,
                                                   uint32_t count)
{
    return base_scale(base_hash_second(engine->keys[router], engine->network.now), count);
}

/* What the tables do not have yet. */
void net_deflection_work_out(const struct net_deflection *engine, const struct net_deflection_list *list,
                             uint8_t *entry);
void net_deflection_work_out_within(const uint8_t *allowed, uint32_t count, uint8_t *entry);
/* The same for the masks of a key. */
void net_deflection_work_out_key(uint32_t key, uint32_t ports, uint8_t *entry);
/* For all keys: how many assignments there are of packets to ports that each may have; some have none. */
void net_deflection_count_ways(uint8_t *ways, uint32_t ports);
uint8_t net_deflection_work_out_served(const uint8_t *masks, uint32_t count, uint32_t ports);

/* The good ports of the list as one number, the last packet lowest. The one before them tells lists of different
 * lengths apart. */
NET_DEFLECTION_INLINE uint32_t net_deflection_key(const struct net_deflection_list *list, uint32_t count,
                                                  uint32_t ports)
{
    uint32_t key = 1;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        key = key << ports | net_deflection_good(list->packet[i]);
    return key;
}

/* The entry with an index, worked out if it is the first of its like; *bad: how many packets get no good port. The
 * tables are the only state of the engine that a look-up changes, and what they hold follows from the index alone. */
NET_DEFLECTION_INLINE const uint8_t *net_deflection_find(const struct net_deflection *engine,
                                                         const struct net_deflection_list *list, size_t index,
                                                         uint32_t ports, uint32_t *bad)
{
    uint32_t bytes = net_deflection_entry_bytes(ports);
    uint8_t *entry = &engine->choices[index * bytes];
    if (__builtin_expect(*entry == 0, 0)) {
        /* A copy: a list whose address nobody has is kept in registers. */
        const struct net_deflection_list copy = *list;
        net_deflection_work_out(engine, &copy, entry);
    }
    *bad = entry[bytes - 1];
    return entry;
}

/* Under `random` the list's age counts for nothing, but whether its last packet is new does (new=after). */
NET_DEFLECTION_INLINE const uint8_t *net_deflection_random(const struct net_deflection *engine,
                                                           const struct net_deflection_list *list,
                                                           uint32_t count, uint32_t ports, uint32_t *bad)
{
    size_t key = net_deflection_key(list, count, ports);
    return net_deflection_find(engine, list, list->has_new * net_deflection_keys(ports) + key, ports, bad);
}

/* Up to three ports: who is older is three bits. Bits of pairs rather than a rank: none has to be sorted, and
 * every order has one pattern. */
NET_DEFLECTION_INLINE const uint8_t *net_deflection_oldest(const struct net_deflection *engine,
                                                           const struct net_deflection_list *list,
                                                           uint32_t count, uint32_t ports, uint32_t *bad)
{
    size_t index = net_deflection_key(list, count, ports) << net_deflection_order_bits(ports), bit = 0;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < count; i++)
#pragma GCC unroll 8
        for (uint32_t j = 0; j < i; j++)
            index |= (size_t)(list->packet[j]->age < list->packet[i]->age) << bit++;
    return net_deflection_find(engine, list, index, ports, bad);
}

/* Of the list, those whose ports are not good. For choices that were worked out anew; tables know it beforehand. */
NET_DEFLECTION_INLINE uint32_t net_deflection_bad(const struct net_deflection_list *list,
                                                  const uint8_t *taken)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < list->count; i++)
        bad += (net_deflection_good(list->packet[i]) >> taken[i] & 1) == 0;
    return bad;
}

/* How many of the list are older than each. 0: the oldest. Ages are all different (rule 5), so that ranks are. */
NET_DEFLECTION_INLINE void net_deflection_rank(const struct net_deflection_list *list, uint32_t count,
                                               uint32_t *rank)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        rank[i] = 0;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < count; i++)
#pragma GCC unroll 8
        for (uint32_t j = 0; j < i; j++) {
            uint32_t later = list->packet[j]->age < list->packet[i]->age;
            rank[i] += later;
            rank[j] += 1 - later;
        }
}

/* Four ports, by way of who gets a good one: all orders of all lists would be too many. Two tables of 2^17 keys
 * instead: the masks by age say who is served, and the ports that each may have then are a list without ages. */
NET_DEFLECTION_INLINE const uint8_t *net_deflection_oldest_of_four(const struct net_deflection *engine,
                                                                   const struct net_deflection_list *list,
                                                                   uint32_t count, uint32_t ports,
                                                                   uint32_t *bad)
{
    uint32_t rank[NET_DEFLECTION_PORTS];
    uint32_t all = (1u << ports) - 1, key = 1u << ports * count, within = 1;
    uint8_t masks[NET_DEFLECTION_PORTS], allowed[NET_DEFLECTION_PORTS];
    net_deflection_rank(list, count, rank);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        key |= net_deflection_good(list->packet[i]) << ports * (count - 1 - rank[i]);
    uint8_t *served = &engine->served[key];
    if (__builtin_expect(*served == 0, 0)) {
        for (uint32_t i = 0; i < count; i++)
            masks[rank[i]] = (uint8_t)net_deflection_good(list->packet[i]);
        *served = net_deflection_work_out_served(masks, count, ports);
    }
    *bad = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++) {
        uint32_t good = net_deflection_good(list->packet[i]), gets = *served >> rank[i] & 1;
        *bad += 1 - gets;
        allowed[i] = (uint8_t)(gets != 0 ? good : all & ~good);
        within = within << ports | allowed[i];
    }
    uint8_t *entry = &engine->choices[within * net_deflection_entry_bytes(ports)];
    if (__builtin_expect(*entry == 0, 0))
        net_deflection_work_out_within(allowed, count, entry);
    return entry;
}

#endif
