/* A confined routing is its kind with another route function, which drops the ports that lead outside. The
 * proof follows every header to one destination at a time, together for all sources, so that a state is
 * looked at once for each destination whatever the number of ways to it. The wrapper's tables are struct
 * confinement; a routing that is confined is known by its route function, under whatever wraps it again. */
#include "netmodel/routings/confinement.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"

struct confinement {
    const uint32_t *parts; /* [router]: its part, NET_NONE or NET_FREE */
    /* [router][word]: the ports that stay in its part; all ports where it is in none */
    const uint64_t *inside;
    uint32_t words; /* of a mask of ports */
    bool crossed;   /* packets of free routers may cross parts */
};

struct state {
    uint64_t header;
    uint32_t router, source;
};

/* What a proof has found for one destination: states[0 … count-1], of which `next` are done. */
struct proof {
    const struct net_routing *routing;
    uint32_t target;
    struct state *states;
    uint32_t count, capacity, next;
    struct base_table found;
    uint64_t total; /* of all destinations */
};

/* A set of ports of one router, as the tiers of a route have them. */
struct ports {
    uint64_t words[NET_PORT_WORDS];
};

/* The word of a tier's ports. Of a network of few ports nobody has written the others. */
static inline uint64_t tier_word(const struct net_route *route, uint32_t tier, uint32_t word)
{
    return word == 0 ? route->ports[tier] : route->more[tier][word - 1];
}

static inline void set_tier_word(struct net_route *route, uint32_t tier, uint32_t word, uint64_t ports)
{
    if (word == 0)
        route->ports[tier] = ports;
    else
        route->more[tier][word - 1] = ports;
}

/* The ports of tiers from `first` on that stay in the router's part, or those that leave it. Whether there are any. */
static bool collect_ports(const struct confinement *confinement, uint32_t router,
                          const struct net_route *route, uint32_t first, uint32_t tiers, bool staying,
                          struct ports *ports)
{
    const uint64_t *inside = confinement->inside + (size_t)router * confinement->words;
    uint64_t any = 0;
    *ports = (struct ports){{0}};
    for (uint32_t word = 0; word < confinement->words; word++) {
        for (uint32_t tier = first; tier < tiers; tier++)
            ports->words[word] |= tier_word(route, tier, word);
        ports->words[word] &= staying ? inside[word] : ~inside[word];
        any |= ports->words[word];
    }
    return any != 0;
}

/* The first port of a set from a number on; NET_NONE: there is none. */
static uint32_t next_port(const struct ports *ports, uint32_t from)
{
    for (; from < 64 * NET_PORT_WORDS; from = (from / 64 + 1) * 64) {
        uint64_t bits = ports->words[from / 64] >> from % 64;
        if (bits != 0)
            return from + (uint32_t)__builtin_ctzll(bits);
    }
    return NET_NONE;
}

/* The ports by which a packet of the part may go on from here, of which any leads on: its escape, or all of
 * a routing without one, but none that leads outside. False: this is no packet of the part. */
static bool ports_onwards(const struct net_routing *routing, uint32_t router, const struct net_route *route,
                          uint32_t tiers, struct ports *ports)
{
    const struct confinement *confinement = routing->wrapping;
    struct ports outside;
    uint32_t first = routing->kind->escape ? tiers - 1 : 0;
    if (routing->kind->escape && collect_ports(confinement, router, route, first, tiers, false, &outside))
        return false;
    return collect_ports(confinement, router, route, first, tiers, true, ports);
}

/* Whether a packet in a part is on its way across: followed as if it were of the part, it comes to its
 * destination or to a place from which no packet of the part could go on. Routings end (they do not
 * live-lock whatever is chosen), so this does. */
static bool is_crossing(const struct net_routing *routing, uint32_t router, uint64_t header)
{
    const struct net_topology *topology = routing->topology;
    struct net_route route = {.ports = {0}};
    struct ports ports;
    uint32_t tiers;
    while ((tiers = routing->inner->kind->route(routing->inner, router, header, &route)) > 0) {
        if (!ports_onwards(routing, router, &route, tiers, &ports))
            return true;
        uint32_t port = next_port(&ports, 0);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    }
    return false;
}

/* Takes out of a tier what leads outside. Whether anything is left, which comes to be tier `kept`. */
static bool keep_inside(const struct confinement *confinement, uint32_t router, struct net_route *route,
                        uint32_t tier, uint32_t kept)
{
    const uint64_t *inside = confinement->inside + (size_t)router * confinement->words;
    uint64_t any = 0;
    for (uint32_t word = 0; word < confinement->words; word++) {
        uint64_t ports = tier_word(route, tier, word) & inside[word];
        set_tier_word(route, kept, word, ports);
        any |= ports;
    }
    route->virtual_channels[kept] = route->virtual_channels[tier];
    return any != 0;
}

/* The routing's tiers without what leads outside; those that are left without a port are left out. Where
 * nothing leads outside, it does not matter whose packet it is. */
static uint32_t confined_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                               struct net_route *route)
{
    const struct confinement *confinement = routing->wrapping;
    uint32_t tiers = routing->inner->kind->route(routing->inner, router, header, route), kept = 0;
    struct ports outside;
    if (!collect_ports(confinement, router, route, 0, tiers, false, &outside) ||
        (confinement->crossed && is_crossing(routing, router, header)))
        return tiers;
    for (uint32_t tier = 0; tier < tiers; tier++)
        kept += keep_inside(confinement, router, route, tier, kept);
    for (uint32_t tier = kept; tier < tiers; tier++)
        for (uint32_t word = 0; word < confinement->words; word++)
            set_tier_word(route, tier, word, 0);
    return kept;
}

/* The confinement of a routing, or of one that it wraps; NULL: there is none. */
static const struct confinement *confinement_of(const struct net_routing *routing)
{
    for (; routing != NULL; routing = routing->inner)
        if (routing->kind->route == confined_route)
            return routing->wrapping;
    return NULL;
}

/* A state that has been there before leads nowhere new. The first source that came to it stays with it, to
 * be named if the state turns out to be bad. */
static int add_state(struct proof *proof, const struct state *state)
{
    if (base_table_get(&proof->found, state->router, state->header) != BASE_TABLE_NONE)
        return 0;
    if (base_grow_32(&proof->states, &proof->capacity, (size_t)proof->count + 1, sizeof *proof->states) != 0)
        return -1;
    proof->states[proof->count] = *state;
    return base_table_put(&proof->found, state->router, state->header, proof->count++);
}

/* Pair, router and port: enough to see on paper why the shape of the part does not fit the routing. */
static int refuse(const struct proof *proof, const struct state *state, uint32_t port,
                  struct base_error *error)
{
    const struct net_topology *topology = proof->routing->topology;
    return base_error_set(
        error, BASE_USAGE,
        "routing '%s' cannot be confined to part %u of '%s': its way from router %u to router "
        "%u leaves the part at router %u by %s",
        proof->routing->text, confinement_of(proof->routing)->parts[state->source], topology->text,
        state->source, proof->target, state->router, net_port_name(topology, state->router, port));
}

/* The routing's own tiers at a state: whether what it must be able to rely on is inside, or else the first port that is
 * not. An escape must be; of ways without one, each is as good as another. NET_NONE: it is. */
static uint32_t port_outside(const struct net_routing *routing, const struct state *state)
{
    const struct confinement *confinement = confinement_of(routing);
    struct net_route route = {.ports = {0}};
    struct ports ports;
    uint32_t tiers = routing->inner->kind->route(routing->inner, state->router, state->header, &route);
    if (tiers == 0)
        return NET_NONE;
    if (!routing->kind->escape && collect_ports(confinement, state->router, &route, 0, tiers, true, &ports))
        return NET_NONE;
    uint32_t first = routing->kind->escape ? tiers - 1 : 0;
    collect_ports(confinement, state->router, &route, first, tiers, false, &ports);
    return next_port(&ports, 0);
}

/* Where a state may go on to. */
static int follow(struct proof *proof, struct state state, struct base_error *error)
{
    const struct net_routing *routing = proof->routing;
    const struct net_topology *topology = routing->topology;
    struct net_route route = {.ports = {0}};
    uint32_t outside = port_outside(routing, &state);
    if (outside != NET_NONE)
        return refuse(proof, &state, outside, error);
    uint32_t tiers = confined_route(routing, state.router, state.header, &route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        for (uint32_t port = net_route_next(topology, &route, tier, 0); port != NET_NONE;
             port = net_route_next(topology, &route, tier, port + 1)) {
            uint32_t link = topology->link_at[(size_t)state.router * topology->ports + port];
            struct state after = {routing->kind->step(routing, state.router, state.header, port),
                                  topology->links[link].target, state.source};
            if (add_state(proof, &after) != 0)
                return base_error_memory(error, "the proof that a routing stays in its part");
        }
    return 0;
}

/* All that may happen to packets for one destination. */
static int prove_target(struct proof *proof, struct base_error *error)
{
    const struct net_routing *routing = proof->routing;
    int status = 0;
    base_table_free(&proof->found);
    proof->found = (struct base_table){0};
    proof->count = proof->next = 0;
    for (uint32_t source = 0; source < routing->topology->routers && status == 0; source++) {
        if (!net_routing_joins(routing, source, proof->target))
            continue;
        uint32_t variants = routing->kind->variants(routing, source, proof->target);
        for (uint32_t variant = 0; variant < variants && status == 0; variant++) {
            struct state state = {routing->kind->start(routing, source, proof->target, variant), source,
                                  source};
            int full = add_state(proof, &state);
            if (routing->kind->detour != NULL) {
                state.header = routing->kind->detour(routing, state.header);
                full |= add_state(proof, &state);
            }
            if (full != 0)
                return base_error_memory(error, "the proof that a routing stays in its part");
            while (proof->next < proof->count && status == 0)
                status = follow(proof, proof->states[proof->next++], error);
            if (proof->total + proof->count > NET_CONFINEMENT_STATES_MAX)
                return base_error_set(
                    error, BASE_USAGE,
                    "routing '%s' on '%s' has too many ways to prove that they stay in their "
                    "parts",
                    routing->text, routing->topology->text);
        }
    }
    proof->total += proof->count;
    return status;
}

/* Every router of every part in turn as the destination. Routers without a part send and receive nothing that
 * is confined, and are only ever outside. */
static int prove(const struct net_routing *routing, struct base_error *error)
{
    struct proof proof = {.routing = routing};
    int status = 0;
    for (uint32_t target = 0; target < routing->topology->routers && status == 0; target++) {
        proof.target = target;
        if (net_routing_is_part(routing, target))
            status = prove_target(&proof, error);
    }
    base_table_free(&proof.found);
    free(proof.states);
    return status;
}

/* Which ports of each router stay in its part, and whether any packets cross. */
static int fill(struct confinement *confinement, struct net_routing *routing, const uint32_t *parts)
{
    const struct net_topology *topology = routing->topology;
    uint32_t *copy = base_arena_array(&routing->arena, topology->routers, sizeof *copy);
    uint32_t words = topology->ports <= 64 ? 1 : (topology->ports + 63) / 64;
    uint64_t *inside = base_arena_array(&routing->arena, (size_t)topology->routers * words, sizeof *inside);
    if (copy == NULL || inside == NULL)
        return -1;
    memcpy(copy, parts, topology->routers * sizeof *copy);
    for (uint32_t i = 0; i < topology->routers; i++)
        confinement->crossed |= parts[i] == NET_FREE;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        if (parts[link->source] == parts[link->target] || parts[link->source] >= NET_FREE)
            inside[(size_t)link->source * words + link->port / 64] |= UINT64_C(1) << link->port % 64;
    }
    confinement->parts = copy;
    confinement->inside = inside;
    confinement->words = words;
    return 0;
}

/* The copy of the kind answers for itself: shortcuts that know nothing of parts are not offered. What the inner
 * routing has is in the wrapper's arena from now on. */
static int wrap(struct net_routing *routing, const uint32_t *parts, struct base_error *error)
{
    struct confinement *confinement = base_arena_alloc(&routing->arena, sizeof *confinement);
    struct net_routing_kind *kind = base_arena_alloc(&routing->arena, sizeof *kind);
    struct net_routing *inner = base_arena_alloc(&routing->arena, sizeof *inner);
    if (confinement == NULL || kind == NULL || inner == NULL || fill(confinement, routing, parts) != 0)
        return base_error_memory(error, "the parts of a network");
    *kind = *routing->kind;
    kind->route = confined_route;
    kind->load = NULL;
    kind->lengths = NULL;
    *inner = *routing;
    inner->arena = (struct base_arena){0};
    routing->inner = inner;
    routing->kind = kind;
    routing->wrapping = confinement;
    return 0;
}

/* The wrapper is in force while the proof runs, since what is to be proved is the confined routing; if it
 * fails, the inner routing comes back, and what the arena got is freed with it. */
int net_routing_confine(struct net_routing *routing, const uint32_t *parts, struct base_error *error)
{
    if (routing->kind->never_waits)
        return base_error_set(
            error, BASE_USAGE,
            "routing '%s' cannot be confined: a packet that is deflected goes anywhere; leave "
            "--confined out",
            routing->text);
    if (routing->kind->failing)
        return base_error_set(error, BASE_USAGE,
                              "routing '%s' cannot be confined while links fail: the rings around them go "
                              "through all parts; leave --confined out",
                              routing->text);
    if (wrap(routing, parts, error) != 0)
        return -1;
    if (prove(routing, error) == 0)
        return 0;
    struct base_arena arena = routing->arena;
    *routing = *routing->inner;
    routing->arena = arena;
    return -1;
}

bool net_routing_is_confined(const struct net_routing *routing)
{
    return confinement_of(routing) != NULL;
}

bool net_routing_is_crossed(const struct net_routing *routing)
{
    const struct confinement *confinement = confinement_of(routing);
    return confinement != NULL && confinement->crossed;
}

/* NET_FREE and NET_NONE are the two largest numbers. */
bool net_routing_is_part(const struct net_routing *routing, uint32_t router)
{
    const struct confinement *confinement = confinement_of(routing);
    return confinement != NULL && confinement->parts[router] < NET_FREE;
}

bool net_routing_stays(const struct net_routing *routing, uint32_t router, uint32_t port)
{
    const struct confinement *confinement = confinement_of(routing);
    if (confinement == NULL)
        return true;
    return (confinement->inside[(size_t)router * confinement->words + port / 64] >> port % 64 & 1) != 0;
}

/* Two routers without a part are not in the same part, but those that are free may speak to each other. */
bool net_routing_joins(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct confinement *confinement = confinement_of(routing);
    return confinement == NULL ||
           (confinement->parts[a] == confinement->parts[b] && confinement->parts[a] != NET_NONE);
}
