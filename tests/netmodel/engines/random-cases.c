#include "tests/netmodel/engines/random-cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routings/families.h"
#include "tests/netmodel/engines/adaptive-routings.h"

enum { MESH, TORUS, PLANES, GRIDS = 6 };

static const char *const grid_names[GRIDS] = {"mesh",           "torus",     "diagonal-mesh",
                                              "diagonal-torus", "king-mesh", "king-torus"};
static const char *const load_names[CASE_LOADS] = {"idle", "light", "loaded", "bursts", "saturated"};

static const char *const arbiter_names[] = {"round-robin", "oldest-first", "random", "longest-queue"};

static const char *const feed_names[OUTCOME_FEEDS] = {"all at once", "in their cycle", "sooner"};

static uint32_t draw(struct base_random *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(random, high - low + 1);
}

static bool chance(struct base_random *random, uint32_t one_in)
{
    return base_random_below(random, one_in) == 0;
}

/* ---- the network ---- */

/* Lines and cubes for mesh and torus, two dimensions for the diagonal and king networks; at most some 40
 * routers. */
static void draw_grid(struct base_random *random, uint32_t grid, char *text, size_t size)
{
    static const uint32_t largest_side[] = {0, 10, 6, 3};
    uint32_t concentration = draw(random, 1, 3);
    uint32_t dimensions = grid >= PLANES || !chance(random, 3) ? 2 : chance(random, 2) ? 1 : 3;
    uint32_t smallest = grid >= PLANES ? 3 : 2;
    int used = snprintf(text, size, "%s:", grid_names[grid]);
    for (uint32_t i = 0; i < dimensions; i++)
        used += snprintf(text + used, size - (size_t)used, "%s%" PRIu32, i ? "x" : "",
                         draw(random, smallest, largest_side[dimensions]));
    if (concentration > 1)
        snprintf(text + used, size - (size_t)used, ",concentration=%" PRIu32, concentration);
}

/* Any example of any kind, the kinds equally likely. */
static void draw_example(struct base_random *random, char *text, size_t size)
{
    size_t count;
    size_t examples = 0;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    const struct net_topology_kind *kind;
    do
        kind = kinds[draw(random, 0, (uint32_t)count - 1)];
    while (kind->examples == NULL);
    for (const char *next = kind->examples; *next != '\0'; next += strspn(next, " ")) {
        int length = (int)strcspn(next, " ");
        if (base_random_below(random, ++examples) == 0)
            snprintf(text, size, "%s:%.*s", kind->name, length, next);
        next += length;
    }
}

/* An example whose links are wires: shared channels have an engine and a reference of their own. */
static struct net_topology *make_example(struct base_random *random, struct base_error *error)
{
    char text[96];
    for (;;) {
        draw_example(random, text, sizeof text);
        struct net_topology *topology = net_topology_new(text, error);
        if (topology == NULL || net_family_wires.contains(topology))
            return topology;
        net_topology_free(topology);
    }
}

/* Any registered routing that serves the topology, each as likely. Deflection has an engine and a reference of its
 * own. */
static const struct net_routing_kind *draw_registered(struct base_random *random,
                                                      const struct net_topology *topology)
{
    size_t count;
    size_t serving = 0;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    const struct net_routing_kind *drawn = NULL;
    for (size_t i = 0; i < count; i++)
        if (net_routing_serves(kinds[i], topology) && !kinds[i]->never_waits &&
            base_random_below(random, ++serving) == 0)
            drawn = kinds[i];
    return drawn;
}

/* Mostly few; one case in twelve has as many as there can be, of which routers of four and more ports are wide. */
static uint32_t draw_channels(struct base_random *random, uint64_t number)
{
    uint32_t few = draw(random, 1, 3);
    return base_hash(UINT64_C(0x77696465), number) % 12 == 0 ? NET_VIRTUAL_CHANNELS_MAX : few;
}

/* A registered routing, with what it needs or more, or an adaptive one of the tests. */
static int draw_routing(struct base_random *random, struct test_case *made, struct base_error *error)
{
    uint32_t virtual_channels = draw_channels(random, made->number);
    const struct net_routing_kind *kind = draw_registered(random, made->topology);
    switch (draw(random, 0, 5)) {
    case 0:
        if (virtual_channels > NET_TIERS_MAX) /* it has a tier for each */
            virtual_channels = NET_TIERS_MAX;
        test_routing_init(&made->routing, &test_routing_tiers, made->topology, virtual_channels);
        return 0;
    case 1:
        test_routing_init(&made->routing,
                          made->number % 6 == 0   ? &test_routing_wide
                          : made->number % 6 == 3 ? &test_routing_choose
                                                  : &test_routing_look,
                          made->topology, virtual_channels);
        return 0;
    default:
        if (virtual_channels < net_routing_needs(kind, made->topology))
            virtual_channels = net_routing_needs(kind, made->topology);
        if (net_routing_init(&made->routing, made->topology, kind->name, virtual_channels, error) == 0)
            return 0;
        /* It does not serve this shape. */
        *error = (struct base_error){0};
        return net_routing_init(&made->routing, made->topology,
                                made->topology->one_way != NULL ? "minimal" : NULL,
                                made->number < CASES_OF_GRIDS ? virtual_channels : 0, error);
    }
}

/* A quarter of the cases has all defaults, the others any flow control, arbiter and latencies; wormhole mostly
 * with buffers in which packets stall. */
static void draw_flow(struct base_random *random, struct test_case *made)
{
    struct net_options *options = &made->setup.options;
    if (chance(random, 4))
        return;
    options->arbiter = (enum net_arbiter)draw(random, NET_ROUND_ROBIN, NET_LONGEST_QUEUE);
    options->flow_control = chance(random, 2) ? NET_WORMHOLE : NET_CUT_THROUGH;
    options->multiplexed = chance(random, 2);
    if (chance(random, 2)) {
        options->link_cycles = chance(random, 8) ? draw(random, 20, 70) : draw(random, 1, 4);
        options->router_cycles = draw(random, 1, 4);
        options->credit_cycles = draw(random, 1, 5);
    }
    if (options->flow_control == NET_WORMHOLE && !chance(random, 6))
        options->buffer_flits = draw(random, 1, 10);
    /* Without bubbles a ring may come to a stand under wormhole: both must see that. */
    if (options->flow_control == NET_WORMHOLE)
        made->routing.bubble_channels = 0;
}

static void draw_options(struct base_random *random, struct test_case *made)
{
    struct net_options *options = &made->setup.options;
    uint32_t largest = chance(random, 4) ? 16 : draw(random, 1, 16);
    uint32_t least =
        net_topology_wraps(made->topology) && made->routing.bubble_channels != 0 ? 2 * largest : largest;
    options->packet_flits = largest;
    options->buffer_flits = chance(random, 6) ? least : least + draw(random, 0, 2 * largest + 3);
    options->virtual_channels = made->routing.virtual_channels;
    options->injectors = draw(random, 1, 3);
    options->consumers = draw(random, 1, 2);
    options->seed = base_random_next(random);
    draw_flow(random, made);
}

/* Links of their own (rule 12) in a third of the cases, from a stream of its own: in some each is another, in
 * some those of every third port are long or narrow. Kinds that say it of their links are built from files
 * (graph:FILE); here any network is given some, in the place of what its kind said. */
static void draw_links(uint64_t number, struct test_case *made)
{
    struct net_topology *topology = made->topology;
    struct net_link *links = (struct net_link *)(uintptr_t)topology->links;
    struct base_random random;
    base_random_seed(&random, number, UINT64_C(0x6c696e6b73));
    if (!chance(&random, 3))
        return;
    uint32_t latest = chance(&random, 6) ? 40 : draw(&random, 0, 5);
    uint32_t narrowest = chance(&random, 3) ? 0 : draw(&random, 1, 4);
    bool by_port = chance(&random, 3);
    for (uint32_t i = 0; i < topology->link_count; i++) {
        if (by_port ? links[i].port % 3 != 0 : chance(&random, 2))
            continue;
        links[i].latency = (uint16_t)draw(&random, 0, latest);
        links[i].flit_cycles = (uint16_t)draw(&random, 0, narrowest);
        topology->own_latencies |= links[i].latency != 0;
        topology->narrow_links |= links[i].flit_cycles > 1;
    }
}

/* ---- the traffic ---- */

/* Cycles from one message to the next. */
static uint64_t draw_gap(struct base_random *random, enum case_load load)
{
    if (chance(random, 300))
        return UINT64_C(1) << draw(random, 4, 34); /* a long silence */
    switch (load) {
    case CASE_IDLE:
        return draw(random, 0, 150);
    case CASE_LIGHT:
        return draw(random, 0, 12);
    case CASE_LOADED:
        return draw(random, 0, 3);
    case CASE_BURSTS:
        return chance(random, 40) ? draw(random, 50, 400) : 0;
    default:
        return chance(random, 20);
    }
}

/* Half way round, neighbours and mirror images strain rings; a hot spot strains ejection. */
static uint32_t draw_target(struct base_random *random, uint32_t pattern, uint32_t source, uint32_t terminals)
{
    if (chance(random, 16))
        return source;
    switch (pattern) {
    case 0:
        return (source + terminals / 2) % terminals;
    case 1:
        return terminals - 1 - source;
    case 2:
        return chance(random, 2) ? terminals / 3 : draw(random, 0, terminals - 1);
    case 3:
        return (source + draw(random, 0, 2)) % terminals;
    default:
        return draw(random, 0, terminals - 1);
    }
}

/* One flit, one full packet, or 1 … 3 packets' worth; in some cases all of one length, and in some all of the first
 * half: the engine counts places until a packet is shorter. */
static uint64_t draw_flits(struct base_random *random, uint32_t lengths, uint32_t largest, bool early)
{
    uint64_t any;
    switch (lengths) {
    case 0:
        return largest;
    case 1:
        return chance(random, 2) ? 1 : largest;
    case 2:
        return draw(random, 1, largest);
    default:
        any = draw(random, 1, 3 * largest);
        return lengths == 5 && early ? largest : any;
    }
}

/* A fifth of the cases comes from few sources, so that several messages meet at one terminal in one cycle. */
static void draw_messages(struct base_random *random, struct test_case *made)
{
    uint32_t terminals = made->topology->terminals;
    uint32_t pattern = draw(random, 0, 7), lengths = draw(random, 0, 5);
    uint32_t sources = chance(random, 5) ? draw(random, 1, terminals) : terminals;
    uint64_t cycle = chance(random, 2) ? 0 : draw(random, 0, 100);
    made->message_count = chance(random, 15) ? 1000 : draw(random, 1, 250);
    if (made->load == CASE_IDLE)
        made->message_count = draw(random, 1, 40);
    if (made->load == CASE_SATURATED && made->setup.options.flow_control == NET_WORMHOLE)
        made->message_count = draw(random, 100, 500); /* rings may come to a stand */
    made->messages = calloc(made->message_count, sizeof *made->messages);
    if (!made->messages)
        abort();
    for (size_t i = 0; i < made->message_count; i++) {
        struct reference_message *message = &made->messages[i];
        message->cycle = cycle;
        message->source = draw(random, 0, sources - 1);
        message->target = draw_target(random, pattern, message->source, terminals);
        message->flits =
            draw_flits(random, lengths, made->setup.options.packet_flits, i < made->message_count / 2);
        cycle += draw_gap(random, made->load);
    }
}

/* Numbers that do not follow time: only when all messages are given beforehand. */
static void disorder_messages(struct base_random *random, struct test_case *made)
{
    for (size_t i = 0; i + 1 < made->message_count; i++) {
        size_t other = i + (size_t)base_random_below(random, made->message_count - i);
        struct reference_message message = made->messages[i];
        if (!chance(random, 4))
            continue;
        made->messages[i] = made->messages[other];
        made->messages[other] = message;
    }
}

/* ---- cases ---- */

void case_make(struct test_case *made, uint64_t number, struct base_error *error)
{
    struct base_random random;
    char text[96];
    base_random_seed(&random, number, UINT64_C(0x7477696e));
    *made = (struct test_case){.number = number};
    uint32_t grid = draw(&random, 0, GRIDS - 1);
    made->load = (enum case_load)draw(&random, 0, CASE_LOADS - 1);
    made->feed = (enum outcome_feed)draw(&random, 0, OUTCOME_FEEDS - 1);
    if (number < CASES_OF_GRIDS) {
        draw_grid(&random, grid, text, sizeof text);
        made->topology = net_topology_new(text, error);
    } else {
        made->topology = make_example(&random, error);
    }
    if (!made->topology)
        return;
    if (draw_routing(&random, made, error)) {
        case_free(made);
        return;
    }
    draw_links(number, made);
    made->setup.topology = made->topology;
    made->setup.routing = &made->routing;
    draw_options(&random, made);
    draw_messages(&random, made);
    if (made->feed == OUTCOME_FEED_ALL && chance(&random, 2))
        disorder_messages(&random, made);
}

void case_free(struct test_case *made)
{
    net_routing_free(&made->routing);
    net_topology_free(made->topology);
    free(made->messages);
    made->topology = NULL;
    made->messages = NULL;
}

char *case_describe(const struct test_case *made, char *text, size_t size)
{
    const struct net_options *options = &made->setup.options;
    snprintf(text, size,
             "case %" PRIu64 ": %s, %s, virtual channels %" PRIu32 ", packet %" PRIu32 ", buffer %" PRIu32
             ", injectors %" PRIu32 ", consumers %" PRIu32 ", %s%s, %s, cycles of link %" PRIu32
             ", router %" PRIu32 ", credit %" PRIu32 "%s%s, seed %" PRIu64 ", %zu messages, %s, given %s",
             made->number, made->topology->text, made->routing.kind->name, made->routing.virtual_channels,
             options->packet_flits, options->buffer_flits, options->injectors, options->consumers,
             options->flow_control == NET_WORMHOLE ? "wormhole" : "cut-through",
             options->multiplexed ? " multiplexed" : "", arbiter_names[options->arbiter],
             options->link_cycles, options->router_cycles, options->credit_cycles,
             made->topology->own_latencies ? ", links' own latencies" : "",
             made->topology->narrow_links ? ", narrow links" : "", options->seed, made->message_count,
             load_names[made->load], feed_names[made->feed]);
    return text;
}
