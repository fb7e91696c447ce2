/* The packet-grant engine's hot loop. See internal.h for the state, doc/flit-engine.md for the rules.
 *
 *     run_events     mail            headers arrive, departures are seen          read_mail
 *                    events of t     ends of packets free outputs, links, drivers
 *                                    and room: sleepers wake                      end_packet, wake
 *     run_routers    heads ask (rule 3), outputs grant (rule 4), links start (5)  run_router
 *
 * Within a cycle routers are visited in any order: a grant in cycle t changes nothing that another router
 * reads in t. The one order that matters is that all end events of a cycle come before any push into a buffer.
 *
 *     kernel-room.h ◄─ kernel-mail.h ◄─┬─ kernel-events.h ◄──────────────────────────────────────┬─ this file
 *     wheel, sleepers   queues, mail    └─ kernel-starts.h ◄─ kernel-choice.h ◄─┬─ kernel-headers.h ◄┘
 *                                          grants, starts                        └─ kernel-failing.h, between the two
 *
 * Every function there takes the shape of a router and is inlined into run_events and run_routers of each
 * line of shapes.def, where the shape is a literal: so the compiler makes a kernel for each, in which
 * offsets are constants and what a shape does not need is gone. There are four: for a network in one part,
 * and for one of several; each of these as long as all packets have one length, where places are counted,
 * and when lengths differ, where flits are. One more copy, with the shape of the network, serves all
 * others, and all latencies and arbiters. */
#include <config.h>

#include "netmodel/packet-engine/kernel-events.h"
#include "netmodel/packet-engine/kernel-headers.h"

/* ---- a kernel for each shape ---- */

#define SHAPE(ports_, channels_, injectors_, consumers_, legs_, whole_, even_, failing_)                     \
    {                                                                                                        \
        .ports = ports_, .channels = channels_, .injectors = injectors_, .consumers = consumers_,            \
        .plain = true, .whole = whole_, .even = even_, .legs = legs_, .failing = failing_                    \
    }
#define SETTING(...)                                                                                         \
    (struct net_packet_setting)                                                                              \
    {                                                                                                        \
        .shape = SHAPE(__VA_ARGS__), .constants = part->constants, .state = part->state                      \
    }
#define KERNEL(name, ...)                                                                                    \
    static void events_##name(struct net_packet_part *part, uint64_t cycle)                                  \
    {                                                                                                        \
        run_events(part, cycle, SETTING(__VA_ARGS__));                                                       \
    }                                                                                                        \
    static void routers_##name(struct net_packet_part *part, uint64_t cycle)                                 \
    {                                                                                                        \
        run_routers(part, cycle, SETTING(__VA_ARGS__));                                                      \
    }
#define ROW(name_, ...)                                                                                      \
    {.name = #name_,                                                                                         \
     .shape = SHAPE(__VA_ARGS__),                                                                            \
     .run_events = events_##name_,                                                                           \
     .run_routers = routers_##name_},
/* The four kernels of a line: whole or of several parts, of one length or of several. */
#define FOUR(DO, name, ...)                                                                                  \
    DO(name, __VA_ARGS__, true, true, false)                                                                 \
    DO(name##_flits, __VA_ARGS__, true, false, false)                                                        \
    DO(name##_part, __VA_ARGS__, false, true, false)                                                         \
    DO(name##_part_flits, __VA_ARGS__, false, false, false)
/* The two of a line of links that fail, which are whole. */
#define FAILING(DO, name, ...)                                                                               \
    DO(name, __VA_ARGS__, false, true, true, true)                                                           \
    DO(name##_flits, __VA_ARGS__, false, true, false, true)

#define NET_PACKET_SHAPE(...) FOUR(KERNEL, __VA_ARGS__)
#define NET_PACKET_FAILING_SHAPE(...) FAILING(KERNEL, __VA_ARGS__)
#include "netmodel/packet-engine/shapes.def"
#undef NET_PACKET_SHAPE
#undef NET_PACKET_FAILING_SHAPE

/* Of any shape; whether links fail is a literal there, too. */
static INLINE struct net_packet_setting setting_of(const struct net_packet_part *part, const bool failing)
{
    struct net_packet_setting given = {part->engine->shape, part->constants, part->state, NULL, false, NULL};
    given.shape.failing = failing;
    return given;
}

/* The generic kernels read the shape from the engine at each call: slower by the offsets that are no constants. */
static void events_generic(struct net_packet_part *part, uint64_t cycle)
{
    run_events(part, cycle, setting_of(part, false));
}

static void routers_generic(struct net_packet_part *part, uint64_t cycle)
{
    run_routers(part, cycle, setting_of(part, false));
}

static void events_failing(struct net_packet_part *part, uint64_t cycle)
{
    run_events(part, cycle, setting_of(part, true));
}

static void routers_failing(struct net_packet_part *part, uint64_t cycle)
{
    run_routers(part, cycle, setting_of(part, true));
}

#define NET_PACKET_SHAPE(...) FOUR(ROW, __VA_ARGS__)
#define NET_PACKET_FAILING_SHAPE(...) FAILING(ROW, __VA_ARGS__)
static const struct net_packet_kernel kernels[] = {
#include "netmodel/packet-engine/shapes.def"
    {.name = "failing", .run_events = events_failing, .run_routers = routers_failing},
    {.name = "generic", .run_events = events_generic, .run_routers = routers_generic},
};
#undef NET_PACKET_SHAPE
#undef NET_PACKET_FAILING_SHAPE

#define KERNELS (sizeof kernels / sizeof kernels[0])
#define GENERIC 2 /* of any shape, the last of them */

/* A kernel that was made for the shape computes the same cycles as the generic one: tests compare them. */
const struct net_packet_kernel *net_packet_kernel_for(const struct net_packet_shape *shape)
{
    for (size_t i = 0; i + GENERIC < KERNELS; i++) {
        const struct net_packet_shape *made = &kernels[i].shape;
        if (made->ports == shape->ports && made->channels == shape->channels &&
            made->injectors == shape->injectors && made->consumers == shape->consumers &&
            made->plain == shape->plain && made->whole == shape->whole && made->even == shape->even &&
            made->legs == shape->legs && made->failing == shape->failing && !shape->copies)
            return &kernels[i];
    }
    return &kernels[KERNELS - (shape->failing ? GENERIC : 1)];
}
