/* Who gets which port. All rules but one are a score, a sum over packets of what each is worth at each
 * port, and the choice is drawn among the assignments that score most. How many these are, and which is
 * the n-th of them, follows from the best that the packets behind can do with the ports that are left:
 *
 *      best[used] = most over ports p not used of worth[i][p] + best[used with p]      i = ports in `used`
 *
 * Routers of up to four ports remember what came out (tables). Under the rule oldest weights are powers of
 * two, so that who gets a good port is the same in all best assignments: those who do may take any of
 * their good ports, the others any other. */
#include <string.h>

#include "base/random.h"
#include "netmodel/deflection-engine/internal.h"
#include "netmodel/engines/bits.h"

#define FILLED 128

struct matching {
    uint32_t count, ports;
    uint32_t worth[NET_DEFLECTION_PORTS][NET_DEFLECTION_PORTS];                /* [packet][port] */
    uint32_t best[1 << NET_DEFLECTION_PORTS], ways[1 << NET_DEFLECTION_PORTS]; /* [ports used] */
};

/* Falling, so that what follows a set of used ports is known before it. */
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

/* The number-th of the best, in the order of the first packet's port, then the second's … */
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

/* draw(u, t, count) of the rules. */
static uint32_t draw(const struct net_deflection *engine, uint32_t router, uint32_t count)
{
    return count == 1 ? 0 : base_scale(base_hash(engine->keys[router], engine->network.now), count);
}

/* ---- what an assignment is worth ---- */

/* A word in place of a tuple: its parts never reach the next one's unit. */
#define TRANSIT 32768u
#define ENTRY 16384u
_Static_assert(NET_DEFLECTION_PORTS *UINT8_MAX < ENTRY, "sums of distances stay below a packet");

static uint32_t worth_of(const struct net_deflection *engine, const struct net_deflection_list *list,
                         const uint32_t *rank, uint32_t i, uint32_t port)
{
    bool is_new = list->has_new && i + 1 == list->count;
    uint32_t packet = is_new && !engine->parameters.equal ? ENTRY : TRANSIT;
    if ((list->good[i] >> port & 1) == 0)
        return 0;
    if (engine->parameters.rule == NET_DEFLECT_OLDEST)
        return 1u << (list->count - 1 - rank[i]);
    if (is_new)
        return packet;
    if (engine->parameters.rule == NET_DEFLECT_STRAIGHT)
        return packet + (list->input[i] == port);
    if (engine->parameters.rule == NET_DEFLECT_CLOSEST)
        return packet + engine->one_way->diameter - engine->one_way->distance[list->packet[i]->state];
    return packet;
}

/* How many of the list are older. */
static void rank_by_age(const struct net_deflection_list *list, uint32_t *rank)
{
    for (uint32_t i = 0; i < list->count; i++)
        rank[i] = 0;
    for (uint32_t i = 1; i < list->count; i++)
        for (uint32_t j = 0; j < i; j++)
            rank[net_deflection_older(list->packet[i], list->packet[j]) ? j : i]++;
}

static void fill_matching(const struct net_deflection *engine, const struct net_deflection_list *list,
                          const uint32_t *rank, struct matching *matching)
{
    matching->count = list->count;
    matching->ports = engine->ports;
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t port = 0; port < engine->ports; port++)
            matching->worth[i][port] = worth_of(engine, list, rank, i, port);
    solve(matching);
}

/* Any rule, any number of ports. */
static void choose_by_score(const struct net_deflection *engine, uint32_t router,
                            const struct net_deflection_list *list, uint8_t *ports)
{
    struct matching matching;
    uint32_t rank[NET_DEFLECTION_PORTS];
    rank_by_age(list, rank);
    fill_matching(engine, list, rank, &matching);
    take(&matching, draw(engine, router, matching.ways[0]), ports);
}

/* ---- tables ---- */

/* The masks in order behind a one, by which their number is known. */
static uint32_t key_of(const uint8_t *masks, uint32_t count, uint32_t ports)
{
    uint32_t key = 1;
    for (uint32_t i = 0; i < count; i++)
        key = key << ports | masks[i];
    return key;
}

static void remember(const struct matching *matching, struct net_deflection_choices *choices)
{
    uint8_t ports[NET_DEFLECTION_PORTS];
    choices->count = (uint8_t)matching->ways[0];
    for (uint32_t number = 0; number < choices->count; number++) {
        take(matching, number, ports);
        choices->codes[number] = 0;
        for (uint32_t i = 0; i < matching->count; i++)
            choices->codes[number] |= (uint8_t)(ports[i] << 2 * i);
    }
}

static void unpack(const struct net_deflection *engine, uint32_t router,
                   const struct net_deflection_choices *choices, uint32_t count, uint8_t *ports)
{
    uint32_t code = choices->codes[draw(engine, router, choices->count)];
    for (uint32_t i = 0; i < count; i++, code >>= 2)
        ports[i] = code & 3;
}

__attribute__((noinline)) static void work_out_random(const struct net_deflection *engine,
                                                      const struct net_deflection_list *list,
                                                      struct net_deflection_choices *choices)
{
    struct matching matching;
    fill_matching(engine, list, NULL, &matching);
    remember(&matching, choices);
}

static void choose_random(struct net_deflection *engine, uint32_t router,
                          const struct net_deflection_list *list, uint8_t *ports)
{
    uint32_t key = key_of(list->good, list->count, engine->ports),
             lists = 2u << engine->ports * engine->ports;
    struct net_deflection_choices *choices = &engine->random[list->has_new * lists + key];
    if (choices->count == 0)
        work_out_random(engine, list, choices);
    unpack(engine, router, choices, list->count, ports);
}

/* Masks in the order of age; who gets a good port, as a mask by rank behind FILLED. */
__attribute__((noinline)) static uint8_t work_out_served(const struct net_deflection *engine,
                                                         const uint8_t *masks, uint32_t count)
{
    struct matching matching = {.count = count, .ports = engine->ports};
    uint8_t served = FILLED, ports[NET_DEFLECTION_PORTS];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t port = 0; port < engine->ports; port++)
            matching.worth[i][port] = (masks[i] >> port & 1u) << (count - 1 - i);
    solve(&matching);
    take(&matching, 0, ports);
    for (uint32_t i = 0; i < count; i++)
        served |= (uint8_t)((masks[i] >> ports[i] & 1) << i);
    return served;
}

/* All assignments of packets to ports that each may have: there is one. */
__attribute__((noinline)) static void work_out_within(const struct net_deflection *engine,
                                                      const uint8_t *allowed, uint32_t count,
                                                      struct net_deflection_choices *choices)
{
    struct matching matching = {.count = count, .ports = engine->ports};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t port = 0; port < engine->ports; port++)
            matching.worth[i][port] = allowed[i] >> port & 1;
    solve(&matching);
    remember(&matching, choices);
}

static void choose_oldest(struct net_deflection *engine, uint32_t router,
                          const struct net_deflection_list *list, uint8_t *ports)
{
    uint32_t rank[NET_DEFLECTION_PORTS], all = (1u << engine->ports) - 1;
    uint8_t masks[NET_DEFLECTION_PORTS], allowed[NET_DEFLECTION_PORTS];
    rank_by_age(list, rank);
    for (uint32_t i = 0; i < list->count; i++)
        masks[rank[i]] = list->good[i];
    uint8_t *served = &engine->served[key_of(masks, list->count, engine->ports)];
    if (*served == 0)
        *served = work_out_served(engine, masks, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        allowed[i] = (uint8_t)((*served >> rank[i] & 1) != 0 ? list->good[i] : all & ~list->good[i]);
    struct net_deflection_choices *choices = &engine->within[key_of(allowed, list->count, engine->ports)];
    if (choices->count == 0)
        work_out_within(engine, allowed, list->count, choices);
    unpack(engine, router, choices, list->count, ports);
}

/* ---- preferential ---- */

/* The packets without a port that have fewest good ports left, but one; 0: none has. */
static uint32_t neediest(const struct net_deflection_list *list, uint32_t left, uint32_t free_ports)
{
    uint32_t least = UINT32_MAX, neediest = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t good = (uint32_t)__builtin_popcount(list->good[i] & free_ports);
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

static void choose_preferential(const struct net_deflection *engine, uint32_t router,
                                const struct net_deflection_list *list, uint8_t *ports)
{
    uint64_t key = base_hash(engine->keys[router], engine->network.now);
    uint32_t left = (1u << list->count) - 1, free_ports = (1u << engine->ports) - 1, drawn = 0, needy;
    while ((needy = neediest(list, left, free_ports)) != 0) {
        uint32_t i = draw_bit(key, &drawn, needy);
        ports[i] = (uint8_t)draw_bit(key, &drawn, list->good[i] & free_ports);
        left &= ~(1u << i);
        free_ports &= ~(1u << ports[i]);
    }
    for (; left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        ports[i] = (uint8_t)draw_bit(key, &drawn, free_ports);
        free_ports &= ~(1u << ports[i]);
    }
}

void net_deflection_choose(struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, uint8_t *ports)
{
    if (engine->served != NULL)
        choose_oldest(engine, router, list, ports);
    else if (engine->random != NULL)
        choose_random(engine, router, list, ports);
    else if (engine->parameters.rule == NET_DEFLECT_PREFERENTIAL)
        choose_preferential(engine, router, list, ports);
    else
        choose_by_score(engine, router, list, ports);
}
