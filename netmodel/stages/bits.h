/* How long links of multistage networks (multistage.h) take for a packet, where nothing but the link or its
 * bus is in its way: they carry several bits a cycle, and those between stages more while they have their
 * bus. For networks with some effects only (simple-engines/effects.c), and for what reports say of a
 * message alone. Times are in cycles. */
#ifndef NET_TOPOLOGY_BITS_H
#define NET_TOPOLOGY_BITS_H

#include "netmodel/stages/multistage.h"

/* Cycles that so many bits take at a width of bits per cycle, the last one perhaps not full. */
static inline uint64_t net_bits_over(uint64_t bits, uint64_t width)
{
    return (bits + width - 1) / width;
}

/* On the link of level 0 or S, which has no bus. */
static inline uint64_t net_bits_at_end(const struct net_multistage *multistage, uint32_t level, uint64_t bits)
{
    return net_bits_over(bits, net_multistage_width(multistage, level));
}

/* From cycle `start` on a link between stages, whose bus is free from *bus_free on: it joins as soon as it
 * is, but no sooner than it can have been chosen (doc/multistage.md, rule 4), and is busy until the packet
 * is through. A bus that could join only when the packet is through is not taken: it stays free for others. Its
 * first free cycle is then as it was. */
static inline uint64_t net_bits_between(const struct net_multistage *multistage, uint64_t bits,
                                        uint64_t start, uint64_t *bus_free)
{
    uint64_t link = multistage->link_bits, alone = net_bits_over(bits, link), wait = 0;
    if (multistage->bus_bits == 0)
        return alone;
    wait = multistage->bus_cycles - 1;
    if (*bus_free > start + wait)
        wait = *bus_free - start;
    if (wait >= alone)
        return alone;
    uint64_t cycles = wait + net_bits_over(bits - wait * link, link + multistage->bus_bits);
    *bus_free = start + cycles;
    return cycles;
}

/* Over a link of the topology from cycle `start` on; buses: [bus] the first free cycle of each. */
static inline uint64_t net_bits_over_link(const struct net_multistage *multistage, uint64_t bits,
                                          uint32_t link, uint64_t start, uint64_t *buses)
{
    uint32_t level = net_multistage_level(multistage, link);
    uint64_t none = 0;
    if (level == 0 || level == multistage->stages)
        return net_bits_at_end(multistage, level, bits);
    uint32_t bus = net_multistage_bus(multistage, level, net_multistage_p(multistage, link));
    return net_bits_between(multistage, bits, start, bus == NET_NONE ? &none : &buses[bus]);
}

/* On the narrowest of all links, with buses free: how far a packet's last bits are behind its first, and
 * one. It follows another packet of its message, or is the first: then its buses have still to be chosen. */
static inline uint64_t net_bits_alone(const struct net_multistage *multistage, uint64_t bits, bool follows)
{
    uint64_t first = net_bits_at_end(multistage, 0, bits);
    uint64_t last = net_bits_at_end(multistage, multistage->stages, bits);
    uint64_t free = 0;
    uint64_t between = 0;
    if (multistage->stages > 1)
        between = follows ? net_bits_over(bits, multistage->link_bits + multistage->bus_bits)
                          : net_bits_between(multistage, bits, 0, &free);
    first = first > last ? first : last;
    return first > between ? first : between;
}

/* The same of a message that is cut into packets. `bits` of the message, at least 1, cut into packets of `packet`
 * bits, the last one of what is left: rule "Base latency" of doc/multistage.md. */
static inline uint64_t net_bits_of_message(const struct net_multistage *multistage, uint64_t bits,
                                           uint64_t packet)
{
    uint64_t packets = (bits - 1) / packet;
    uint64_t cycles;
    if (packets == 0)
        return net_bits_alone(multistage, bits, false);
    cycles =
        net_bits_alone(multistage, packet, false) + (packets - 1) * net_bits_alone(multistage, packet, true);
    return cycles + net_bits_alone(multistage, bits - packets * packet, true);
}

/* How long a packet that meets no other takes, from its first flit to its last, and how long one takes on
 * an injector, or last on an ejection channel: a flit a cycle, or as links of stages have it. multistage:
 * NULL elsewhere; number: of the packet in its message. */
static inline uint64_t net_length_alone(const struct net_multistage *multistage, uint64_t flits,
                                        uint32_t number)
{
    return multistage != NULL ? net_bits_alone(multistage, flits, number > 0) : flits;
}

/* In cycles, of an ejection channel (`last`) or an injector; flits are bits where `multistage` is not NULL. */
static inline uint64_t net_length_at_end(const struct net_multistage *multistage, uint64_t flits, bool last)
{
    return multistage != NULL ? net_bits_at_end(multistage, last ? multistage->stages : 0, flits) : flits;
}

#endif
