/* The dense reference before its first cycle and after its last one. */
#include <assert.h>
#include <stdlib.h>

#include "netmodel/faults/failing.h"
#include "tests/netmodel/engines/reference-internal.h"

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void prepare_channels(struct reference *reference, uint32_t router)
{
    uint32_t ports = reference->topology->ports;
    for (uint32_t number = 0; number < reference->channels_each; number++) {
        struct channel *channel = channel_at(reference, router, number);
        bool link = number < ports;
        channel->output_count = link ? reference->virtual_channels : 1;
        channel->output_first = link ? number * reference->virtual_channels
                                     : ports * reference->virtual_channels + (number - ports);
        channel->link = link ? reference->topology->link_at[router * ports + number] : NET_NONE;
        channel->carried = NET_NONE;
        channel->used_cycle = REFERENCE_NEVER;
    }
}

static void prepare_router(struct reference *reference, uint32_t router)
{
    for (uint32_t number = 0; number < reference->drivers_each; number++) {
        struct driver *driver = driver_at(reference, router, number);
        driver->copied = take(reference->outputs_each, sizeof *driver->copied);
        driver->popped_cycle = REFERENCE_NEVER;
        driver->reservations = take(reference->capacity, sizeof *driver->reservations);
    }
    for (uint32_t number = 0; number < reference->outputs_each; number++)
        output_at(reference, router, number)->holder = NET_NONE;
    prepare_channels(reference, router);
}

/* By insertion, which keeps messages of one cycle in the order of their numbers. */
static void prepare_order(struct reference *reference)
{
    const struct reference_message *messages = reference->messages;
    reference->order = take(reference->message_count, sizeof *reference->order);
    for (size_t m = 0; m < reference->message_count; m++) {
        size_t place = m;
        for (; place > 0 && messages[reference->order[place - 1]].cycle > messages[m].cycle; place--)
            reference->order[place] = reference->order[place - 1];
        reference->order[place] = m;
    }
}

static void prepare_result(struct reference *reference)
{
    struct reference_result *result = reference->result;
    size_t packets = 0, copies = 0;
    *result = (struct reference_result){0};
    result->sent = take(reference->message_count, sizeof *result->sent);
    result->delivered = take(reference->message_count, sizeof *result->delivered);
    result->link_flits = take(reference->topology->link_count, sizeof *result->link_flits);
    result->link_waits = take(reference->topology->link_count, sizeof *result->link_waits);
    for (size_t m = 0; m < reference->message_count; m++) {
        size_t cut = (size_t)((reference->messages[m].flits - 1) / reference->largest + 1);
        packets += cut * (reference->trees[m] != NULL ? reference->topology->routers : 1);
        copies += cut * copies_of(reference, m);
        result->sent[m] = result->delivered[m] = REFERENCE_NEVER;
    }
    if (net_routing_failing(reference->routing) != NULL)
        reference_faults_prepare(reference, packets);
    result->packets = take(packets, sizeof *result->packets);
    result->copies = take(copies, sizeof *result->copies);
}

/* A tree for every message with a list. */
static void prepare_trees(struct reference *reference)
{
    const struct net_topology *topology = reference->topology;
    reference->trees = take(reference->message_count, sizeof *reference->trees);
    for (size_t m = 0; reference->lists != NULL && m < reference->message_count; m++) {
        if (reference->lists[m].count == 0)
            continue;
        reference->trees[m] = take(topology->routers, sizeof *reference->trees[m]);
        reference_tree(topology, reference->messages[m].source / topology->concentration,
                       &reference->lists[m], reference->trees[m]);
    }
}

void reference_prepare(struct reference *reference, const struct reference_setup *setup)
{
    const struct net_topology *topology = setup->topology;
    reference->topology = topology;
    reference->routing = setup->routing;
    reference->virtual_channels = setup->routing->virtual_channels;
    reference->largest = or_default(setup->options.packet_flits, 16);
    reference->capacity = or_default(setup->options.buffer_flits, 2 * reference->largest);
    reference->injectors = or_default(setup->options.injectors, 1);
    reference->consumers = or_default(setup->options.consumers, 1);
    reference->link_cycles = or_default(setup->options.link_cycles, 1);
    reference->router_cycles = or_default(setup->options.router_cycles, 1);
    reference->credit_cycles = or_default(setup->options.credit_cycles, 1);
    reference->arbiter = setup->options.arbiter;
    reference->wormhole = setup->options.flow_control == NET_WORMHOLE;
    reference->multiplexed = reference->wormhole || setup->options.multiplexed;
    for (uint32_t link = 0; link < topology->link_count; link++)
        reference->narrow |= topology->links[link].flit_cycles > 1;
    reference->seed = setup->options.seed;
    reference->unpadded = setup->unpadded_rings;
    reference->rings_without_bubble = setup->rings_without_bubble;
    reference->rings_into_escape = setup->rings_into_escape;
    uint32_t network = topology->ports * reference->virtual_channels;
    reference->drivers_each = network + topology->concentration * reference->injectors;
    reference->outputs_each = network + topology->concentration * reference->consumers;
    reference->channels_each = topology->ports + topology->concentration * reference->consumers;
    reference->outputs_drawn = reference->outputs_each;
    if (net_routing_failing(setup->routing) != NULL) {
        reference->drivers_each++;
        reference->outputs_each++;
        reference->channels_each++;
    }
    assert(reference->drivers_each <= REFERENCE_WIDTH && reference->outputs_each <= REFERENCE_WIDTH);
    reference->drivers =
        take((size_t)topology->routers * reference->drivers_each, sizeof *reference->drivers);
    reference->outputs =
        take((size_t)topology->routers * reference->outputs_each, sizeof *reference->outputs);
    reference->channels =
        take((size_t)topology->routers * reference->channels_each, sizeof *reference->channels);
    reference->injected = take(topology->terminals, sizeof *reference->injected);
    reference->waiting = take(reference->message_count, sizeof *reference->waiting);
    reference->lists = setup->lists;
    prepare_order(reference);
    prepare_trees(reference);
    for (uint32_t router = 0; router < topology->routers; router++)
        prepare_router(reference, router);
    prepare_result(reference);
}

void reference_clear(struct reference *reference)
{
    for (size_t i = 0; i < (size_t)reference->topology->routers * reference->drivers_each; i++) {
        free(reference->drivers[i].queue.flits);
        free(reference->drivers[i].wire.flits);
        free(reference->drivers[i].credits.flits);
        free(reference->drivers[i].reservations);
        free(reference->drivers[i].copied);
    }
    for (size_t m = 0; m < reference->message_count; m++)
        free(reference->trees[m]);
    reference_faults_clear(reference);
    free(reference->trees);
    free(reference->drivers);
    free(reference->outputs);
    free(reference->channels);
    free(reference->injected);
    free(reference->waiting);
    free(reference->order);
}
