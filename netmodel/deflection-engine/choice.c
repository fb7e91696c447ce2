/* Who gets which port, worked out. All rules but one are a score, a sum over packets of what each is worth at each
 * port, and the choice is drawn among the assignments that score most. How many these are, and which is
 * the n-th of them, follows from the best that the packets behind can do with the ports that are left:
 *
 *      best[used] = most over ports p not used of worth[i][p] + best[used with p]      i = ports in `used`
 *
 * What routers of few ports look up is made here, too (choice.h). */
#include "netmodel/deflection-engine/choice.h"
#include "netmodel/engines/bits.h"

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
    if ((list->packet[i].good >> port & 1) == 0)
        return 0;
    if (engine->parameters.rule == NET_DEFLECT_OLDEST)
        return 1u << (list->count - 1 - rank[i]);
    if (is_new)
        return packet;
    if (engine->parameters.rule == NET_DEFLECT_STRAIGHT)
        return packet + (list->packet[i].slot == port);
    if (engine->parameters.rule == NET_DEFLECT_CLOSEST)
        return packet + engine->one_way->diameter - engine->one_way->distance[list->packet[i].state];
    return packet;
}

/* How many of the list are older than each. 0: the oldest. Ages are all different (rule 5), so that ranks are. */
static void rank_list(const struct net_deflection_list *list, uint32_t *rank)
{
    for (uint32_t i = 0; i < list->count; i++) {
        rank[i] = 0;
        for (uint32_t j = 0; j < list->count; j++)
            rank[i] += list->packet[j].age < list->packet[i].age;
    }
}

/* All of a list's worths, and the best from them. */
static void fill_matching(const struct net_deflection *engine, const struct net_deflection_list *list,
                          struct matching *matching)
{
    uint32_t rank[NET_DEFLECTION_PORTS];
    rank_list(list, rank);
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

/* The list that an index of the table is for: good ports of packets, behind which there are none, then who is older or
 * whether the last one is new. An age is how many are older. */
static void list_of(const struct net_deflection *engine, uint32_t index, struct net_deflection_list *list)
{
    bool oldest = engine->way == NET_DEFLECTION_AGES;
    uint32_t ports = engine->ports, key = index >> (oldest ? net_deflection_order_bits(ports) : 1);
    *list = (struct net_deflection_list){.has_new = !oldest && (index & 1) != 0};
    for (; list->count < ports && (key >> ports * list->count & ((1u << ports) - 1)) != 0; list->count++)
        list->packet[list->count].good = key >> ports * list->count & ((1u << ports) - 1);
    for (uint32_t i = 1; oldest && i < list->count; i++)
        for (uint32_t j = 0; j < i; j++)
            list->packet[(index >> (i * (i - 1) / 2 + j) & 1) != 0 ? i : j].age++;
}

/* The place of an assignment among the permutations, in which packets that are not there have the ports that are left:
 * the first of its like. */
static uint32_t number_of(const struct net_deflection *engine, const uint8_t *taken, uint32_t count)
{
    uint32_t number = 0;
    while (true) {
        uint32_t same = 0;
        while (same < count && (engine->tables.ports[number] >> 4 * same & 15) == taken[same])
            same++;
        if (same == count)
            return number;
        number++;
    }
}

/* How many packets get no good port is the same in all best assignments: it follows from the score of `random`,
 * and under `oldest` it is even the same packets. So the first one is looked at. */
uint32_t net_deflection_work_out(const struct net_deflection *engine, uint32_t index)
{
    const uint32_t unit = engine->ports <= 3 ? NET_DEFLECTION_SMALL_BAD : NET_DEFLECTION_BAD;
    struct matching matching;
    struct net_deflection_list list;
    uint8_t taken[NET_DEFLECTION_PORTS] = {0};
    uint32_t entry = 0;
    list_of(engine, index, &list);
    fill_matching(engine, &list, &matching);
    for (uint32_t number = matching.ways[0]; number-- > 0;) {
        take(&matching, number, taken);
        entry |= 1u << number_of(engine, taken, list.count);
    }
    for (uint32_t i = 0; i < list.count; i++)
        entry += (list.packet[i].good >> taken[i] & 1) == 0 ? unit : 0;
    if (engine->ports <= 3)
        engine->tables.small_best[index] = (uint8_t)entry;
    else
        engine->tables.best[index] = entry;
    return entry;
}

/* All permutations of the ports from packet i on, in their order. */
static uint32_t add_permutations(uint32_t *permutations, uint32_t count, uint32_t ports, uint32_t i,
                                 uint32_t left, uint32_t code)
{
    if (i == ports)
        permutations[count++] = code;
    for (uint32_t port = 0; port < ports; port++)
        if ((left >> port & 1) != 0)
            count = add_permutations(permutations, count, ports, i + 1, left & ~(1u << port),
                                     code | port << 4 * i);
    return count;
}

/* What is looked up of sets of permutations. */
static void fill_sets(struct net_deflection_tables *tables, uint32_t ports)
{
    uint32_t count = add_permutations(tables->ports, 0, ports, 0, (1u << ports) - 1, 0);
    for (uint32_t number = 0; number < count; number++) {
        uint64_t bit = UINT64_C(1) << number % 64;
        tables->all.words[number / 64] |= bit;
        for (uint32_t i = 0; i < ports; i++)
            for (uint32_t good = 0; good < 1u << ports; good++)
                if ((good >> (tables->ports[number] >> 4 * i & 15) & 1) != 0)
                    tables->served[i * 32 + good].words[number / 64] |= bit;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (uint32_t left = byte, number = 0; left != 0; left &= left - 1)
            tables->bit[byte * 8 + number++] = (uint8_t)__builtin_ctz(left);
}

/* What is looked up of sets of up to six: the n-th of them, its ports in two bits each. */
static void fill_small_sets(struct net_deflection_tables *tables)
{
    for (uint32_t set = 0; set < 64; set++)
        for (uint32_t left = set; left != 0; left &= left - 1) {
            uint32_t code = tables->ports[__builtin_ctz(left)];
            tables->nth[set * 8 + tables->count[set]++] =
                (uint8_t)((code & 3) | (code >> 2 & 12) | (code >> 4 & 48));
        }
}

/* Before the first cycle. */
int net_deflection_make_tables(struct net_deflection *engine)
{
    struct net_deflection_tables *tables = &engine->tables;
    uint32_t ports = engine->ports;
    if (engine->way == NET_DEFLECTION_ANEW)
        return 0;
    fill_sets(tables, ports);
    if (engine->way == NET_DEFLECTION_SETS)
        return 0;
    fill_small_sets(tables);
    uint32_t more = engine->way == NET_DEFLECTION_AGES ? net_deflection_order_bits(ports) : 1;
    size_t entries = (size_t)1 << (ports * ports + more);
    if (ports <= 3)
        tables->small_best = net_array_new(entries, sizeof *tables->small_best);
    else
        tables->best = net_array_new(entries, sizeof *tables->best);
    return tables->best == NULL && tables->small_best == NULL ? -1 : 0;
}

/* ---- preferential ---- */

/* The packets without a port that have fewest good ports left, but one; 0: none has. Masks by place in the list
 * and by port. At least one of them is returned if any packet has a good port that is free. */
static uint32_t neediest(const struct net_deflection_list *list, uint32_t left, uint32_t free_ports)
{
    uint32_t least = UINT32_MAX, neediest = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t good = (uint32_t)__builtin_popcount(list->packet[i].good & free_ports);
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
        ports[i] = (uint8_t)draw_bit(key, &drawn, list->packet[i].good & free_ports);
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
