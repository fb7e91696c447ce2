/* Packets that can never move again, and the shortest circle of them. See standstill.h. The search takes two
 * looks, so that nothing is called a deadlock that what is under way could end:
 *
 *     suspect_all ─► reduce ─► a set?  remembered, and looked for again when all that was on its way has come
 *     suspect_again ─► reduce ─► still one?  report: the shortest circle in it, line by line
 *
 * Both are made of the same masks, a bit a driver, and allocate nothing but for a set that was found. */
#include "netmodel/engines/standstill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/engines/engine.h"
#include "netmodel/engines/waits.h"

#define CIRCLE_LINES 20 /* of the sentence, which has room for about so many */
#define PLACE_TEXT 160

/* ---- who is stuck ---- */

/* What may hold a packet's head: buffers of the links that come in, channel by channel, then injectors. */
static uint32_t drivers_per_router(const struct net_network *network)
{
    const struct net_options *options = &network->options;
    return network->topology->ports * options->virtual_channels +
           network->topology->concentration * options->injectors;
}

/* A set of drivers is a mask for each router, of as many words as its drivers take. */
static uint32_t words_per_router(const struct net_network *network)
{
    return (drivers_per_router(network) + 63) / 64;
}

/* Of the whole network. */
static size_t words_of(const struct net_network *network)
{
    return (size_t)network->topology->routers * words_per_router(network);
}

/* The word and the bit in it of a driver. */
static size_t word_of(const struct net_network *network, uint32_t router, uint32_t driver)
{
    return (size_t)router * words_per_router(network) + driver / 64;
}

/* In its word. */
static uint64_t bit_of(uint32_t driver)
{
    return UINT64_C(1) << driver % 64;
}

/* The first member of a word, which is not 0. */
static void find_driver(const struct net_network *network, size_t word, uint64_t bits, uint32_t *router,
                        uint32_t *driver)
{
    uint32_t words = words_per_router(network);
    *router = (uint32_t)(word / words);
    *driver = (uint32_t)(word % words) * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* The first of its outputs from a number on; NET_NONE: there are no more. */
static uint32_t next_output(const struct net_waiter *waiter, uint32_t from)
{
    for (uint32_t word = from / 64; word < NET_WAITER_WORDS; word++, from = 0) {
        uint64_t bits = waiter->outputs[word] >> from % 64 << from % 64;
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return NET_NONE;
}

/* Whether each of the waiter's outputs has an obstacle, and that obstacle is in the set (or, with no set yet,
 * any). set is NULL in the first look: then any obstacle will do, and reduce() takes out who should not be there. */
static bool is_stuck(const struct net_network *network, uint32_t router, uint32_t driver, const uint64_t *set)
{
    const struct net_standstill_view *view = network->engine->view;
    struct net_waiter waiter;
    if (!view->waiter(network, router, driver, &waiter))
        return false;
    /* A head that asks for nothing (it is being moved) waits for nobody. */
    uint32_t output = next_output(&waiter, 0);
    if (output == NET_NONE)
        return false;
    for (; output != NET_NONE; output = next_output(&waiter, output + 1)) {
        struct net_obstacle obstacle;
        if (!view->obstacle(network, router, driver, output, &obstacle) ||
            (set != NULL &&
             (set[word_of(network, obstacle.router, obstacle.driver)] & bit_of(obstacle.driver)) == 0))
            return false;
    }
    return true;
}

/* Every header that has an obstacle at all its outputs. */
static void suspect_all(const struct net_network *network, uint64_t *stuck)
{
    uint32_t drivers = drivers_per_router(network);
    memset(stuck, 0, words_of(network) * sizeof *stuck);
    for (uint32_t router = 0; router < network->topology->routers; router++)
        for (uint32_t driver = 0; driver < drivers; driver++)
            if (is_stuck(network, router, driver, NULL))
                stuck[word_of(network, router, driver)] |= bit_of(driver);
}

/* Those of the suspects that are where they were, and still have one. */
static void suspect_again(const struct net_network *network, uint64_t *stuck)
{
    memset(stuck, 0, words_of(network) * sizeof *stuck);
    for (uint32_t i = 0; i < network->standstill.count; i++) {
        const struct net_suspect *suspect = &network->standstill.suspects[i];
        struct net_waiter waiter;
        if (network->engine->view->waiter(network, suspect->router, suspect->driver, &waiter) &&
            waiter.message == suspect->message && waiter.packet == suspect->packet &&
            is_stuck(network, suspect->router, suspect->driver, NULL))
            stuck[word_of(network, suspect->router, suspect->driver)] |= bit_of(suspect->driver);
    }
}

/* Takes out whoever need not wait for another member, until all that are left do. Returns how many. Each round
 * that goes on takes out one at least, so that it ends; usually a few rounds do. */
static uint32_t reduce(const struct net_network *network, uint64_t *stuck)
{
    uint32_t left = 0;
    bool changed = true;
    for (size_t word = 0; word < words_of(network); word++)
        left += (uint32_t)__builtin_popcountll(stuck[word]);
    /* A greatest fixed point: whoever has one output with no member in its way may move some day, and frees
     * those behind it. What remains can only move if another of them does first, which is a deadlock. */
    while (changed && left > 0) {
        changed = false;
        for (size_t word = 0; word < words_of(network); word++)
            for (uint64_t bits = stuck[word]; bits != 0; bits &= bits - 1) {
                uint32_t router, driver;
                find_driver(network, word, bits, &router, &driver);
                if (is_stuck(network, router, driver, stuck))
                    continue;
                stuck[word] &= ~(bits & -bits);
                left--;
                changed = true;
            }
    }
    return left;
}

/* ---- their circle ---- */

/* The stuck headers, numbered router by router. */
struct members {
    const struct net_network *network; /* at rest between two cycles */
    const uint64_t *stuck;             /* [word] masks of drivers */
    uint32_t *before;                  /* [word] members in words before it */
    uint32_t *router;                  /* [member] */
    uint32_t *driver;                  /* [member] */
    uint32_t *alone;                   /* [member] itself, for the search */
    uint32_t count;
};

/* The number of a member: those in words before its own, and those below it there. */
static uint32_t member_at(const struct members *members, uint32_t router, uint32_t driver)
{
    size_t word = word_of(members->network, router, driver);
    uint64_t below = members->stuck[word] & (bit_of(driver) - 1);
    return members->before[word] + (uint32_t)__builtin_popcountll(below);
}

/* For net_waits: the headers that are in the way of one, output by output. */
static uint32_t list_obstacles(const void *context, uint32_t member, uint32_t *list)
{
    const struct members *members = context;
    const struct net_standstill_view *view = members->network->engine->view;
    uint32_t router = members->router[member], driver = members->driver[member], count = 0;
    struct net_waiter waiter;
    view->waiter(members->network, router, driver, &waiter);
    for (uint32_t output = next_output(&waiter, 0); output != NET_NONE;
         output = next_output(&waiter, output + 1)) {
        struct net_obstacle obstacle;
        if (view->obstacle(members->network, router, driver, output, &obstacle))
            list[count++] = member_at(members, obstacle.router, obstacle.driver);
    }
    return count;
}

/* Numbers the members in the order of their words. -1: memory. */
static int number_members(struct members *members, uint32_t count, struct base_error *error)
{
    size_t words = words_of(members->network);
    members->before = calloc(words, sizeof *members->before);
    members->router = calloc(count, sizeof *members->router);
    members->driver = calloc(count, sizeof *members->driver);
    members->alone = calloc(count, sizeof *members->alone);
    if (members->before == NULL || members->router == NULL || members->driver == NULL ||
        members->alone == NULL)
        return base_error_memory(error, "the circle of a deadlock");
    for (size_t word = 0; word < words; word++) {
        members->before[word] = members->count;
        for (uint64_t bits = members->stuck[word]; bits != 0; bits &= bits - 1) {
            uint32_t member = members->count++;
            members->alone[member] = member;
            find_driver(members->network, word, bits, &members->router[member], &members->driver[member]);
        }
    }
    return 0;
}

/* ---- in words ---- */

/* A channel of a router, or the buffer behind it: "X+", and which virtual channel when there are several. */
static void name_channel(const struct net_network *network, uint32_t router, uint32_t local,
                         char text[PLACE_TEXT])
{
    uint32_t channels = network->options.virtual_channels;
    int used = snprintf(text, PLACE_TEXT, "%s", net_port_name(network->topology, router, local / channels));
    if (channels > 1 && used > 0 && used < PLACE_TEXT)
        snprintf(text + used, (size_t)(PLACE_TEXT - used), " channel %" PRIu32, local % channels);
}

/* Where the link comes from that enters a router by the input of this number. */
static uint32_t router_before(const struct net_topology *topology, uint32_t router, uint32_t input)
{
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (topology->links[l].target == router && topology->links[l].port == input)
            return topology->links[l].source;
    return router;
}

/* One line of the circle: the packet and its place, the channel it waits for, and why it cannot have that. A
 * buffer is named by the link that fills it, as users know links and no numbers of inputs. */
static void append_member(const struct members *members, uint32_t member, uint32_t next,
                          struct base_error *error)
{
    const struct net_network *network = members->network;
    const struct net_topology *topology = network->topology;
    uint32_t router = members->router[member], driver = members->driver[member], output = 0;
    uint32_t links = topology->ports * network->options.virtual_channels;
    char here[NET_NAME_TEXT], buffer[PLACE_TEXT], channel[PLACE_TEXT];
    struct net_waiter waiter;
    struct net_obstacle obstacle = {0};
    network->engine->view->waiter(network, router, driver, &waiter);
    /* Of its outputs the one that leads to the next of the circle is the one to name; the last if none does. */
    for (uint32_t candidate = next_output(&waiter, 0); candidate != NET_NONE;
         candidate = next_output(&waiter, candidate + 1)) {
        output = candidate;
        if (network->engine->view->obstacle(network, router, driver, output, &obstacle) &&
            member_at(members, obstacle.router, obstacle.driver) == next)
            break;
    }
    net_router_name(topology, router, here);
    name_channel(network, router, output, channel);
    if (driver >= links)
        snprintf(buffer, sizeof buffer, "injector %" PRIu32, driver - links);
    else
        name_channel(network,
                     router_before(network->topology, router, driver / network->options.virtual_channels),
                     driver, buffer);
    base_error_append(error,
                      "\n  packet %" PRIu32 " of message %" PRIu64 " (%" PRIu32 " to %" PRIu32 ", %" PRIu32
                      " flits), buffer %s of %s, waits for %s: ",
                      waiter.packet, waiter.message, waiter.source, waiter.target, waiter.length, buffer,
                      here, channel);
    if (obstacle.held)
        base_error_append(error, "the next packet holds it");
    else
        base_error_append(error, "room for %" PRIu32 " flits, of %" PRIu32, obstacle.room, obstacle.need);
}

/* A circle of hundreds would hide its own beginning: it is cut after CIRCLE_LINES. */
static void describe(const struct members *members, const uint32_t *circle, uint32_t length,
                     struct base_error *error)
{
    const struct net_network *network = members->network;
    base_error_set(error, BASE_DEADLOCK,
                   "network deadlock in cycle %" PRIu64 " on %s with routing %s: %" PRIu32
                   " buffers can never move the packet at their head; these %" PRIu32 " wait for each other:",
                   network->now, network->topology->text, network->routing->text, members->count, length);
    for (uint32_t i = 0; i < length && i < CIRCLE_LINES; i++)
        append_member(members, circle[i], circle[(i + 1) % length], error);
    if (length > CIRCLE_LINES)
        base_error_append(error, "\n  and so on by %" PRIu32 " more, back to the first",
                          length - CIRCLE_LINES);
}

/* Finds the circle of a set that is not empty, and says it. Always -1. In the graph a member's successors are the
 * headers in its way, so that a circle is one of packets that wait for each other. */
static int report(const struct net_network *network, uint32_t count, struct base_error *error)
{
    struct members members = {.network = network, .stuck = network->standstill.stuck};
    uint32_t *circle = NULL;
    int64_t length = number_members(&members, count, error);
    /* Every member stands for itself: no two of them are one place, as channels of a ring are in the static
     * proof. */
    struct net_waits graph = {.vertices = count,
                              .most = 64 * NET_WAITER_WORDS,
                              .successors = list_obstacles,
                              .context = &members,
                              .group = members.alone,
                              .next = members.alone};
    if (length == 0)
        length = net_waits_circle(&graph, &circle, error);
    if (length > 0)
        describe(&members, circle, (uint32_t)length, error);
    free(circle);
    free(members.before);
    free(members.router);
    free(members.driver);
    free(members.alone);
    return -1;
}

/* ---- what engines and networks call ---- */

/* A set of drivers: made here, since a network that runs allocates nothing. */
int net_standstill_init(struct net_network *network)
{
    network->standstill.next_cycle = UINT64_MAX;
    if (network->engine->view == NULL || network->topology->routers == 0)
        return 0;
    network->standstill.next_cycle = network->standstill.interval = NET_STANDSTILL_CYCLES;
    network->standstill.stuck = calloc(words_of(network), sizeof *network->standstill.stuck);
    return network->standstill.stuck != NULL ? 0 : -1;
}

/* Also where none was made. */
void net_standstill_free(struct net_network *network)
{
    free(network->standstill.stuck);
    free(network->standstill.suspects);
}

/* Remembers a set for the next time. */
static int note_suspects(struct net_network *network, uint32_t count, struct base_error *error)
{
    const uint64_t *stuck = network->standstill.stuck;
    struct net_suspect *suspects = calloc(count, sizeof *suspects);
    if (suspects == NULL)
        return base_error_memory(error, "the packets that do not move");
    network->standstill.suspects = suspects;
    for (size_t word = 0; word < words_of(network); word++)
        for (uint64_t bits = stuck[word]; bits != 0; bits &= bits - 1) {
            struct net_waiter waiter;
            uint32_t router, driver;
            find_driver(network, word, bits, &router, &driver);
            network->engine->view->waiter(network, router, driver, &waiter);
            suspects[network->standstill.count++] =
                (struct net_suspect){waiter.message, waiter.packet, router, driver};
        }
    return 0;
}

/* The usual interval, or when nothing was executed in the last one, twice that: times in which nothing moves
 * cost nothing. */
static void set_interval(struct net_network *network)
{
    uint64_t *interval = &network->standstill.interval;
    uint64_t executed = network->statistics.executed_cycles;
    if (executed != network->standstill.executed)
        *interval = NET_STANDSTILL_CYCLES;
    else if (*interval < UINT64_MAX / 4)
        *interval *= 2;
    network->standstill.executed = executed;
    network->standstill.next_cycle = network->now + *interval;
}

/* Long intervals are for times in which nothing is executed; when cycles have been executed again, the next look
 * must not be that far away. */
void net_standstill_resume(struct net_network *network)
{
    if (network->standstill.next_cycle - network->now > NET_STANDSTILL_CYCLES &&
        network->standstill.stuck != NULL && network->now < network->standstill.next_cycle &&
        network->statistics.executed_cycles != network->standstill.executed)
        network->standstill.next_cycle = network->now + NET_STANDSTILL_CYCLES;
}

/* What is on its way when a set is first found has come after the sum of all latencies: until then nothing
 * that a member has set in motion itself is new, as it has not moved. It runs between two cycles and changes
 * nothing that they depend on: a run with other intervals has the same cycles. */
int net_standstill_watch(struct net_network *network, struct base_error *error)
{
    const struct net_options *options = &network->options;
    uint64_t *stuck = network->standstill.stuck;
    if (network->standstill.suspects != NULL) {
        suspect_again(network, stuck);
        uint32_t count = reduce(network, stuck);
        if (count > 0)
            return report(network, count, error);
        free(network->standstill.suspects);
        network->standstill.suspects = NULL;
        network->standstill.count = 0;
        set_interval(network);
        return 0;
    }
    suspect_all(network, stuck);
    set_interval(network);
    uint32_t count = reduce(network, stuck);
    if (count == 0)
        return 0;
    network->standstill.next_cycle =
        network->now + 1 + (uint64_t)net_topology_crossing_max(network->topology, options->link_cycles) +
        options->router_cycles + options->credit_cycles;
    return note_suspects(network, count, error);
}

/* That nothing moves and nobody is stuck would be our own defect: it is said all the same. */
int net_standstill_report(const struct net_network *network, struct base_error *error)
{
    if (network->standstill.stuck != NULL) {
        suspect_all(network, network->standstill.stuck);
        uint32_t count = reduce(network, network->standstill.stuck);
        if (count > 0)
            return report(network, count, error);
    }
    return base_error_set(error, BASE_DEADLOCK,
                          "network deadlock in cycle %" PRIu64
                          " on %s with routing %s: nothing moves, and %" PRIu64 " messages are not delivered",
                          network->now, network->topology->text, network->routing->text,
                          net_network_pending(network));
}
