/* Who gets which port, worked out. All rules but one are a score, a sum over packets of what each is worth at each
 * port, and the choice is drawn among the assignments that score most. How many these are, and which is
 * the n-th of them, follows from the best that the packets behind can do with the ports that are left:
 *
 *      best[used] = most over ports p not used of worth[i][p] + best[used with p]      i = ports in `used`
 *
 * Routers of up to four ports remember what came out (choice.h). */
#include "netmodel/deflection-engine/choice.h"
#include "netmodel/engines/bits.h"

#define FILLED 128 /* of who is served: known */

struct matching {
    uint32_t count, ports;
    uint32_t worth[NET_DEFLECTION_PORTS][NET_DEFLECTION_PORTS];                /* [packet][port] */
    uint32_t best[1 << NET_DEFLECTION_PORTS], ways[1 << NET_DEFLECTION_PORTS]; /* [ports used] */
};

/* Falling, so that what follows a set of used ports is known before it. A set of used ports stands for the state
 * in which as many packets of the list have theirs: its size is the number of the next one. 2^ports * ports steps,
 * at most 2048. */
static void solve(struct matching *matching)
{
    for (uint32_t used = 1u << matching->ports; used-- > 0;) {
        uint32_t i = (uint32_t)__builtin_popcount(used);
        matching->best[used] = 0;
        matching->ways[used] = i == matching->count;
        for (uint32_t port = 0; i < matching->count && port < matching->ports; port++) {
            uint32_t after = used | 1u << port, score = matching->worth[i][port] + matching->best[after];
            if (after == used || (matching->ways[used] != 0 && score < matching->best[used]))
                continue;
            if (score > matching->best[used])
                matching->ways[used] = 0;
            matching->best[used] = score;
            matching->ways[used] += matching->ways[after];
        }
    }
}

/* The number-th of the best, in the order of the first packet's port, then the second's … Only ports that keep the
 * score at its best count, and each stands for as many assignments as follow it. */
static void take(const struct matching *matching, uint32_t number, uint8_t *ports)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < matching->count; i++)
        for (uint32_t port = 0; port < matching->ports; port++) {
            uint32_t after = used | 1u << port;
            if (after == used || matching->worth[i][port] + matching->best[after] != matching->best[used])
                continue;
            if (number < matching->ways[after]) {
                ports[i] = (uint8_t)port;
                used = after;
                break;
            }
            number -= matching->ways[after];
        }
}

/* ---- what an assignment is worth ---- */

/* A word in place of a tuple: its parts never reach the next one's unit. */
#define TRANSIT 32768u
#define ENTRY 16384u
_Static_assert(NET_DEFLECTION_PORTS *UINT8_MAX < ENTRY, "sums of distances stay below a packet");

/* The table of rule 7, for packet i of the list at a port. A port that is not good is worth nothing under any
 * rule. A port continues straight if it has the number of the input: inputs and ports of a ring share theirs. */
static uint32_t worth_of(const struct net_deflection *engine, const struct net_deflection_list *list,
                         const uint32_t *rank, uint32_t i, uint32_t port)
{
    bool is_new = list->has_new && i + 1 == list->count;
    uint32_t packet = is_new && !engine->parameters.equal ? ENTRY : TRANSIT;
    if ((net_deflection_good(list->packet[i]) >> port & 1) == 0)
        return 0;
    if (engine->parameters.rule == NET_DEFLECT_OLDEST)
        return 1u << (list->count - 1 - rank[i]);
    if (is_new)
        return packet;
    if (engine->parameters.rule == NET_DEFLECT_STRAIGHT)
        return packet + (list->packet[i] == &list->at[port]);
    if (engine->parameters.rule == NET_DEFLECT_CLOSEST)
        return packet + engine->one_way->diameter - engine->one_way->distance[list->packet[i]->place >> 8];
    return packet;
}

/* All of a list's worths, and the best from them. */
static void fill_matching(const struct net_deflection *engine, const struct net_deflection_list *list,
                          struct matching *matching)
{
    uint32_t rank[NET_DEFLECTION_PORTS];
    net_deflection_rank(list, list->count, rank);
    matching->count = list->count;
    matching->ports = engine->ports;
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t port = 0; port < engine->ports; port++)
            matching->worth[i][port] = worth_of(engine, list, rank, i, port);
    solve(matching);
}

/* Any rule that has scores, any number of ports. */
static void choose_by_score(const struct net_deflection *engine, uint32_t router,
                            const struct net_deflection_list *list, uint8_t *ports)
{
    struct matching matching;
    fill_matching(engine, list, &matching);
    take(&matching, net_deflection_draw(engine, router, matching.ways[0]), ports);
}

/* ---- tables ---- */

/* Four packets at four ports have 24 assignments, which fit an entry. In the order of rule 7, so that a drawn
 * number is an index. The entry's layout is that of choice.h. */
static void remember(const struct matching *matching, uint8_t *entry)
{
    uint8_t ports[NET_DEFLECTION_PORTS];
    entry[0] = (uint8_t)matching->ways[0];
    for (uint32_t number = 0; number < matching->ways[0]; number++) {
        take(matching, number, ports);
        entry[1 + number] = 0;
        for (uint32_t i = 0; i < matching->count; i++)
            entry[1 + number] |= (uint8_t)(ports[i] << 2 * i);
    }
}

/* How many packets get no good port is the same in all best assignments: it follows from the score of `random`,
 * and under `oldest` it is even the same packets. So the first one is looked at. */
void net_deflection_work_out(const struct net_deflection *engine, const struct net_deflection_list *list,
                             uint8_t *entry)
{
    struct matching matching;
    uint8_t taken[NET_DEFLECTION_PORTS];
    fill_matching(engine, list, &matching);
    remember(&matching, entry);
    take(&matching, 0, taken);
    entry[net_deflection_entry_bytes(engine->ports) - 1] = (uint8_t)net_deflection_bad(list, taken);
}

/* Masks in the order of age; who gets a good port, as a mask by rank behind FILLED. FILLED tells a list that
 * nobody is served of from one that is not known: an entry of 0 is worked out. */
uint8_t net_deflection_work_out_served(const uint8_t *masks, uint32_t count, uint32_t ports)
{
    struct matching matching = {.count = count, .ports = ports};
    uint8_t served = FILLED;
    uint8_t taken[NET_DEFLECTION_PORTS];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t port = 0; port < ports; port++)
            matching.worth[i][port] = (masks[i] >> port & 1u) << (count - 1 - i);
    solve(&matching);
    take(&matching, 0, taken);
    for (uint32_t i = 0; i < count; i++)
        served |= (uint8_t)((masks[i] >> taken[i] & 1) << i);
    return served;
}

/* The assignments of a list to ports that each may have and that are not used, from packet i on, in their order. */
static void add_within(const uint8_t *allowed, uint32_t count, uint32_t i, uint32_t used, uint32_t code,
                       uint8_t *entry)
{
    if (i == count) {
        entry[1 + entry[0]++] = (uint8_t)code;
        return;
    }
    for (uint32_t left = allowed[i] & ~used; left != 0; left &= left - 1) {
        uint32_t port = (uint32_t)__builtin_ctz(left);
        add_within(allowed, count, i + 1, used | 1u << port, code | port << 2 * i, entry);
    }
}

/* All of them: there is one at least. */
void net_deflection_work_out_within(const uint8_t *allowed, uint32_t count, uint8_t *entry)
{
    add_within(allowed, count, 0, 0, 0, entry);
}

/* The masks of a key, in their order; returns how many there are. */
static uint32_t masks_of(uint32_t key, uint32_t ports, uint8_t *masks)
{
    uint32_t count = (31 - (uint32_t)__builtin_clz(key)) / ports;
    for (uint32_t i = 0; i < count; i++)
        masks[i] = (uint8_t)(key >> ports * (count - 1 - i) & ((1u << ports) - 1));
    return count;
}

/* For lists whose masks say who may have what already (choice-five.h). */
void net_deflection_work_out_key(uint32_t key, uint32_t ports, uint8_t *entry)
{
    uint8_t masks[NET_DEFLECTION_PORTS];
    uint32_t count = masks_of(key, ports, masks);
    net_deflection_work_out_within(masks, count, entry);
}

/* Of the first so many packets of a key, by ports that are not used. */
static uint32_t count_ways(const uint8_t *masks, uint32_t count, uint32_t used)
{
    uint32_t ways = 0;
    if (count == 0)
        return 1;
    for (uint32_t free_ports = masks[0] & ~used; free_ports != 0; free_ports &= free_ports - 1)
        ways += count_ways(masks + 1, count - 1, used | (free_ports & (0 - free_ports)));
    return ways;
}

/* For every key of up to `ports` masks, once when the network is built. At most 24 for four packets at four ports,
 * which fit a byte. */
void net_deflection_count_ways(uint8_t *ways, uint32_t ports)
{
    uint8_t masks[NET_DEFLECTION_PORTS];
    for (uint32_t packets = 0; packets <= ports; packets++)
        for (uint32_t key = 1u << ports * packets; key < 2u << ports * packets; key++)
            ways[key] = (uint8_t)count_ways(masks, masks_of(key, ports, masks), 0);
}

/* ---- preferential ---- */

/* The packets without a port that have fewest good ports left, but one; 0: none has. Masks by place in the list
 * and by port. At least one of them is returned if any packet has a good port that is free. */
static uint32_t neediest(const struct net_deflection_list *list, uint32_t left, uint32_t free_ports)
{
    uint32_t least = UINT32_MAX, neediest = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t good = (uint32_t)__builtin_popcount(net_deflection_good(list->packet[i]) & free_ports);
        if ((left >> i & 1) == 0 || good == 0 || good > least)
            continue;
        neediest = good < least ? 0 : neediest;
        neediest |= 1u << i;
        least = good;
    }
    return neediest;
}

/* The drawn-th time in this slot that the router draws. */
static uint32_t draw_bit(uint64_t key, uint32_t *drawn, uint32_t mask)
{
    return net_bits_draw(mask, base_hash(key, (*drawn)++));
}

/* Rule 7's rule without a score, from section 4 of the D-ARM paper as doc/deflection.md fixes it: packets with
 * good ports left first, then the others in the order of the list. */
static void choose_preferential(const struct net_deflection *engine, uint32_t router,
                                const struct net_deflection_list *list, uint8_t *ports)
{
    uint64_t key = base_hash_second(engine->keys[router], engine->network.now);
    uint32_t left = (1u << list->count) - 1, free_ports = (1u << engine->ports) - 1, drawn = 0;
    uint32_t needy;
    while ((needy = neediest(list, left, free_ports)) != 0) {
        uint32_t i = draw_bit(key, &drawn, needy);
        ports[i] = (uint8_t)draw_bit(key, &drawn, net_deflection_good(list->packet[i]) & free_ports);
        left &= ~(1u << i);
        free_ports &= ~(1u << ports[i]);
    }
    for (; left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        ports[i] = (uint8_t)draw_bit(key, &drawn, free_ports);
        free_ports &= ~(1u << ports[i]);
    }
}

/* Rules and shapes without a table of their own come here for every list, so that all of them have one definition. */
void net_deflection_choose(const struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, uint8_t *ports)
{
    if (engine->parameters.rule == NET_DEFLECT_PREFERENTIAL)
        choose_preferential(engine, router, list, ports);
    else
        choose_by_score(engine, router, list, ports);
}
