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
 *     kernel-room.h ◄─ kernel-mail.h ◄─┬─ kernel-events.h ◄──────────────────────┬─ this file
 *     wheel, sleepers   queues, mail    └─ kernel-starts.h ◄─ kernel-headers.h ◄──┘
 *
 * Every function there takes the shape of a router and is inlined into run_events and run_routers of each
 * line of shapes.def, where the shape is a literal: so the compiler makes a kernel for each, in which
 * offsets are constants and what a shape does not need is gone. There are four: for a network in one part,
 * and for one of several; each of these as long as all packets have one length, where places are counted,
 * and when lengths differ, where flits are. One more copy, with the shape of the network, serves all
 * others, and all latencies and arbiters. */
#include "netmodel/packet-engine/kernel-events.h"
#include "netmodel/packet-engine/kernel-headers.h"

/* ---- a kernel for each shape ---- */

#define KERNEL(name, ports, channels, injectors, consumers, legs, whole, even)                               \
    static void events_##name(struct net_part *part, uint64_t cycle)                                         \
    {                                                                                                        \
        run_events(                                                                                          \
            part, cycle,                                                                                     \
            (struct net_given){{ports, channels, injectors, consumers, true, whole, even, false, legs},      \
                               part->constants,                                                              \
                               part->state,                                                                  \
                               NULL});                                                                       \
    }                                                                                                        \
    static void routers_##name(struct net_part *part, uint64_t cycle)                                        \
    {                                                                                                        \
        run_routers(                                                                                         \
            part, cycle,                                                                                     \
            (struct net_given){{ports, channels, injectors, consumers, true, whole, even, false, legs},      \
                               part->constants,                                                              \
                               part->state,                                                                  \
                               NULL});                                                                       \
    }
#define NET_SHAPE(name, ports, channels, injectors, consumers, legs)                                         \
    KERNEL(name, ports, channels, injectors, consumers, legs, true, true)                                    \
    KERNEL(name##_flits, ports, channels, injectors, consumers, legs, true, false)                           \
    KERNEL(name##_part, ports, channels, injectors, consumers, legs, false, true)                            \
    KERNEL(name##_part_flits, ports, channels, injectors, consumers, legs, false, false)
#include "netmodel/packet-engine/shapes.def"
#undef NET_SHAPE

static void events_generic(struct net_part *part, uint64_t cycle)
{
    run_events(part, cycle, (struct net_given){part->engine->shape, part->constants, part->state, NULL});
}

static void routers_generic(struct net_part *part, uint64_t cycle)
{
    run_routers(part, cycle, (struct net_given){part->engine->shape, part->constants, part->state, NULL});
}

#define NET_SHAPE(name, ports, channels, injectors, consumers, legs)                                         \
    {#name,                                                                                                  \
     {ports, channels, injectors, consumers, true, true, true, false, legs},                                 \
     events_##name,                                                                                          \
     routers_##name},                                                                                        \
        {#name "_flits",                                                                                     \
         {ports, channels, injectors, consumers, true, true, false, false, legs},                            \
         events_##name##_flits,                                                                              \
         routers_##name##_flits},                                                                            \
        {#name "_part",                                                                                      \
         {ports, channels, injectors, consumers, true, false, true, false, legs},                            \
         events_##name##_part,                                                                               \
         routers_##name##_part},                                                                             \
        {#name "_part_flits",                                                                                \
         {ports, channels, injectors, consumers, true, false, false, false, legs},                           \
         events_##name##_part_flits,                                                                         \
         routers_##name##_part_flits},
static const struct net_kernel kernels[] = {
#include "netmodel/packet-engine/shapes.def"
    {"generic", {0, 0, 0, 0, false, false, false, false, false}, events_generic, routers_generic},
};
#undef NET_SHAPE

#define KERNELS (sizeof kernels / sizeof kernels[0])

const struct net_kernel *net_kernel_for(const struct net_shape *shape)
{
    for (size_t i = 0; i + 1 < KERNELS; i++) {
        const struct net_shape *made = &kernels[i].shape;
        if (made->ports == shape->ports && made->channels == shape->channels &&
            made->injectors == shape->injectors && made->consumers == shape->consumers &&
            made->plain == shape->plain && made->whole == shape->whole && made->even == shape->even &&
            made->legs == shape->legs && !shape->copies)
            return &kernels[i];
    }
    return &kernels[KERNELS - 1];
}
