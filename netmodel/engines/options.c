/* The engines by their list, and what they share before a network is made: defaults of options, limits, chance.
 *
 * A new engine is a folder whose engine.c ends in a const struct net_engine, and a line in kinds.def: choice, defaults,
 * refusals and the random cases of tests/netmodel/engines find it there. */
#include <inttypes.h>

#include "netmodel/engines/engine.h"

#define NET_ENGINE(descriptor) &descriptor,
static const struct net_engine *const engines[] = {
#include "netmodel/engines/kinds.def"
};
#undef NET_ENGINE

#define ENGINES (sizeof engines / sizeof engines[0])

/* The order of kinds.def decides where several serve the same: the special one stands before the general. */
const struct net_engine *net_engine_for(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (engines[i]->serves(topology, routing, options))
            return engines[i];
    return NULL;
}

/* ---- limits ---- */

/* Limits that keep every internal field within its width; far above what any network of the papers needs. */
#define PARALLEL_MAX 16
#define BUFFER_FLITS_MAX (UINT32_C(1) << 24)

/* One option against its limit, named as the user typed it. */
static int check_limit(const char *option, uint32_t value, uint32_t maximum, struct base_error *error)
{
    if (value <= maximum)
        return 0;
    return base_error_set(error, BASE_USAGE, "%s %" PRIu32 " is more than this engine's limit of %" PRIu32,
                          option, value, maximum);
}

/* Those that size a field of an engine. */
static int check_limits(const struct net_options *options, uint32_t packet_flits_max,
                        struct base_error *error)
{
    if (options->packet_flits == NET_WHOLE_MESSAGES && packet_flits_max < NET_WHOLE_MESSAGES)
        return base_error_set(
            error, BASE_USAGE,
            "--packet-flits 0, whole messages, is for multistage networks (omega, glo) only");
    if (check_limit("--packet-flits", options->packet_flits, packet_flits_max, error) < 0 ||
        check_limit("--vcs", options->virtual_channels, NET_VIRTUAL_CHANNELS_MAX, error) < 0 ||
        check_limit("--injectors", options->injectors, PARALLEL_MAX, error) < 0 ||
        check_limit("--consumers", options->consumers, PARALLEL_MAX, error) < 0 ||
        check_limit("--link-cycles", options->link_cycles, NET_LINK_LATENCY_MAX, error) < 0 ||
        check_limit("--router-cycles", options->router_cycles, NET_LINK_LATENCY_MAX, error) < 0 ||
        check_limit("--credit-cycles", options->credit_cycles, NET_LINK_LATENCY_MAX, error) < 0)
        return -1;
    return check_limit("--buffer-flits", options->buffer_flits, BUFFER_FLITS_MAX, error);
}

/* An option that asks for something, and who has it. */
struct asked_option {
    enum net_option option; /* its bit in takes and refuses */
    bool asked;             /* the caller has set it to something */
    const char *name;       /* as the user typed it */
    const char *whose;      /* of a few; NULL: most engines have it */
};

/* An option that was not asked for is never refused: the engine takes no notice of it. */
static int check_asked(const struct net_engine *engine, const struct net_topology *topology,
                       const struct asked_option *row, struct base_error *error)
{
    if (!row->asked)
        return 0;
    if (row->whose != NULL && (engine->takes & row->option) == 0)
        return base_error_set(error, BASE_USAGE, "%s is for %s, not for %s", row->name, row->whose,
                              topology->text);
    if ((engine->refuses & row->option) == 0)
        return 0;
    return base_error_set(error, BASE_USAGE, "%s does not apply to %s: %s", row->name, topology->text,
                          engine->why);
}

#define SHARED "shared channels (mway-mesh, mway-torus, mway-hypercube)"
#define STAGES "multistage networks (omega, glo)"

/* What asks for nothing is 0, 1 where that is the default of every engine, and the first of a list. The sentence
 * names the option as it is typed, and who has it. */
static int check_applies(const struct net_engine *engine, const struct net_topology *topology,
                         const struct net_options *asked, struct base_error *error)
{
    const struct asked_option rows[] = {
        {NET_OPTION_PACKET_FLITS, asked->packet_flits > 1, "--packet-flits", NULL},
        {NET_OPTION_VCS, asked->virtual_channels > 1, "--vcs", NULL},
        {NET_OPTION_BUFFER_FLITS, asked->buffer_flits != 0, "--buffer-flits", NULL},
        {NET_OPTION_INJECTORS, asked->injectors > 1, "--injectors", NULL},
        {NET_OPTION_CONSUMERS, asked->consumers > 1, "--consumers", NULL},
        {NET_OPTION_FLOW_CONTROL, asked->flow_control != NET_CUT_THROUGH, "--flow-control", NULL},
        {NET_OPTION_MULTIPLEXING, asked->multiplexed, "--multiplexing", NULL},
        {NET_OPTION_ARBITER, asked->arbiter != NET_ROUND_ROBIN, "--arbiter", NULL},
        {NET_OPTION_LINK_CYCLES, asked->link_cycles > 1, "--link-cycles", NULL},
        {NET_OPTION_ROUTER_CYCLES, asked->router_cycles > 1, "--router-cycles", NULL},
        {NET_OPTION_CREDIT_CYCLES, asked->credit_cycles > 1, "--credit-cycles", NULL},
        {NET_OPTION_SELECTION, asked->selection != NET_MOST_FREE, "--selection", SHARED " and " STAGES},
        {NET_OPTION_STATUS_FLAGS, asked->status_flags != NET_BOTH_FLAGS, "--status-flags", SHARED},
        {NET_OPTION_EARLY_FREE, asked->early_free, "--early-free", SHARED},
        {NET_OPTION_MULTICAST, asked->spreading != NET_MST_SAFE, "--multicast", SHARED},
        {NET_OPTION_LOSSY, asked->lossy, "--sources lossy", "routing deflection"},
        {NET_OPTION_ADMISSION, asked->admission != NET_ADMIT_WORD, "--admission", STAGES},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (check_asked(engine, topology, &rows[i], error) < 0)
            return -1;
    return 0;
}

/* Whose defaults and limits hold: of a network with some effects only, those of the network that it stands for. */
static const struct net_engine *engine_in_force(const struct net_engine *engine,
                                                const struct net_topology *topology,
                                                const struct net_routing *routing,
                                                const struct net_options *options)
{
    struct net_options configured = *options;
    const struct net_engine *whole;

    if (options->effects == NET_ALL_EFFECTS)
        return engine;
    configured.effects = NET_ALL_EFFECTS;
    whole = net_engine_for(topology, routing, &configured);
    return whole != NULL ? whole : engine;
}

/* Limits before the rest: a size that no field can hold is wrong whatever the engine. */
int net_options_check(const struct net_engine *engine, const struct net_topology *topology,
                      const struct net_routing *routing, const struct net_options *asked,
                      const struct net_options *options, struct base_error *error)
{
    const struct net_engine *whose = engine_in_force(engine, topology, routing, options);

    if (check_limits(options, whose->packet_flits_max != 0 ? whose->packet_flits_max : NET_PACKET_FLITS_MAX,
                     error) < 0)
        return -1;
    return check_applies(whose, topology, asked, error);
}

/* ---- defaults ---- */

/* Zero means that the caller does not care: the value that the command line's help states. */
static void set_default(uint32_t *option, uint32_t value)
{
    if (*option == 0)
        *option = value;
}

/* The flits that go onto a link until a place comes back that one of them took, but for the last. */
static uint32_t flits_on_the_way(const struct net_link *link, const struct net_options *options)
{
    uint32_t cycles =
        net_link_crossing(link, options->link_cycles) + options->router_cycles + options->credit_cycles - 2;
    return (cycles - 1) / net_link_width(link);
}

/* The bubble rule needs two packets in a buffer, and a link that is to be used all the time as many places
 * more as flits are on their way to the buffer, or their credits back: all buffers are as large as the link
 * with most of these asks for. At the least latencies a third packet's place could not be asked for any
 * earlier, so two packets do. */
uint32_t net_link_buffers(const struct net_topology *topology, const struct net_options *options)
{
    static const struct net_link plain = {0};
    bool equal = !topology->own_latencies && !topology->narrow_links;
    uint32_t most = equal ? flits_on_the_way(&plain, options) : 0;

    for (uint32_t i = 0; !equal && i < topology->link_count; i++) {
        uint32_t flits = flits_on_the_way(&topology->links[i], options);
        most = flits > most ? flits : most;
    }
    return 2 * options->packet_flits + most;
}

/* What was given, then what the engine wants for its kind, then what holds for all: each only where nothing stands
 * yet. The order matters: buffers are computed from latencies and packets, and so come last. */
struct net_options net_options_in_force(const struct net_engine *engine, const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options)
{
    struct net_options all = *options;
    const struct net_engine *whose = engine_in_force(engine, topology, routing, options);

    if (whose->defaults != NULL)
        whose->defaults(topology, &all);
    set_default(&all.packet_flits, 16);
    set_default(&all.virtual_channels, 1);
    if (routing != NULL)
        all.virtual_channels = routing->virtual_channels;
    set_default(&all.injectors, 1);
    set_default(&all.consumers, 1);
    set_default(&all.link_cycles, 1);
    set_default(&all.router_cycles, 1);
    set_default(&all.credit_cycles, 1);
    set_default(&all.threads, 1);
    all.multiplexed |= all.flow_control == NET_WORMHOLE;
    set_default(&all.buffer_flits,
                (engine->buffer_flits != NULL ? engine->buffer_flits : net_link_buffers)(topology, &all));
    return all;
}
