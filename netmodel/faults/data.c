/* Packets under failing links, as far as it does not depend on how an engine keeps them: see data.h. */
#include "netmodel/faults/data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"

/* ---- what it is made of ---- */

/* Which link comes in where: what a ring packet's next link follows from. */
static int list_inputs(struct net_fault_data *data, const struct net_topology *topology)
{
    size_t inputs = (size_t)topology->routers * topology->ports;

    data->link_into = calloc(inputs + 1, sizeof *data->link_into);
    if (data->link_into == NULL)
        return -1;
    for (size_t i = 0; i < inputs; i++)
        data->link_into[i] = NET_NONE;
    for (uint32_t i = 0; i < topology->link_count; i++)
        data->link_into[(size_t)topology->links[i].target * topology->ports + topology->links[i].port] = i;
    return 0;
}

int net_fault_data_init(struct net_fault_data *data, const struct net_failing *failing,
                        const struct net_topology *topology, uint32_t link_cycles, struct base_error *error)
{
    *data = (struct net_fault_data){.failing = failing, .kind = failing->kind, .topology = topology};
    if (net_fault_clock_init(&data->clock, failing, link_cycles, error) < 0)
        return -1;
    return list_inputs(data, topology) == 0 ? 0 : base_error_memory(error, "the faults of a network");
}

void net_fault_data_free(struct net_fault_data *data)
{
    net_fault_clock_free(&data->clock);
    free(data->link_into);
    free(data->stops.steps);
    data->link_into = NULL;
    data->stops.steps = NULL;
}

/* ---- in step with an engine (rules 18 to 20) ---- */

/* Faults are in the order of their cycles. */
static uint64_t next_death(const struct net_fault_data *data)
{
    const struct net_faults *all = &data->failing->faults;

    return data->next_fault < all->count ? all->fault[data->next_fault].cycle : NET_NEVER;
}

uint64_t net_fault_data_next(const struct net_fault_data *data, uint64_t cycle, bool is_anything_inside)
{
    if (!is_anything_inside || data->next == NET_NEVER)
        return NET_NEVER;
    return data->next > cycle ? data->next : cycle;
}

/* A cable is both directions, and both ends grant nothing on it any more (rule 2). */
static void settle_deaths(struct net_fault_data *data, uint64_t cycle,
                          const struct net_fault_listener *listener)
{
    const struct net_faults *all = &data->failing->faults;

    for (; next_death(data) <= cycle; data->next_fault++) {
        uint32_t link = all->cables.link[all->fault[data->next_fault].cable];
        listener->kill(listener->engine, link);
        listener->kill(listener->engine, all->cables.back[link]);
    }
}

/* A step of control may change any router; it is rare enough that all are looked at. */
static void look_at_all(const struct net_fault_data *data, uint64_t cycle,
                        const struct net_fault_listener *listener)
{
    for (uint32_t router = 0; router < data->topology->routers; router++)
        listener->look(listener->engine, router, cycle);
}

/* What the control protocol has taken so far. Cycles of routers that stand now are counted when they go on. */
static void count_control(struct net_fault_data *data)
{
    const struct net_control *control = &data->clock.control;

    data->counts.control_packets = 0;
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        data->counts.control_packets += control->packets[i];
    data->counts.stopped_cycles = control->stopped_cycles;
    data->counts.stopped_routers = control->stopped_routers;
}

/* How many routers stand from that cycle on, if these are not as many as before. */
static void note_stops(struct net_fault_data *data, uint64_t cycle)
{
    struct net_stops *stops = &data->stops;
    uint32_t routers = data->clock.control.standing;

    if (routers == (stops->count != 0 ? stops->steps[stops->count - 1].routers : 0))
        return;
    if (base_grow(&stops->steps, &data->stop_room, stops->count + 1, sizeof *stops->steps) != 0)
        base_error_memory(&data->error, "the faults of a network");
    else
        stops->steps[stops->count++] = (struct net_stop_step){cycle, routers};
}

/* Each cycle of control in turn, since it is noted in which one a ring was new; the first call finds what was settled
 * before cycle 0. */
void net_fault_data_settle(struct net_fault_data *data, uint64_t cycle,
                           const struct net_fault_listener *listener)
{
    uint64_t next, death;

    if (data->next > cycle)
        return;
    settle_deaths(data, cycle, listener);
    if (!data->begun)
        look_at_all(data, 0, listener);
    data->begun = true;
    while ((next = net_fault_clock_next(&data->clock)) <= cycle && data->error.status == 0) {
        net_fault_clock_step(&data->clock, &data->error);
        note_stops(data, next);
        look_at_all(data, next, listener);
    }
    count_control(data);
    death = next_death(data);
    data->next = death < next ? death : next;
}

/* ---- rings, and packets on them ---- */

uint32_t net_fault_data_ring_link(const struct net_fault_data *data, uint32_t router, uint32_t port)
{
    uint32_t link = data->topology->link_at[(size_t)router * data->topology->ports + port];

    return link != NET_NONE && net_ring_uses(&data->clock.control, link) ? link : NET_NONE;
}

uint32_t net_fault_data_after(const struct net_fault_data *data, uint32_t router, uint32_t input)
{
    return net_ring_after(&data->clock.control,
                          data->link_into[(size_t)router * data->topology->ports + input]);
}

void net_fault_data_deliver(struct net_fault_data *data, struct net_fault_packet *packet, uint32_t longer)
{
    *packet = (struct net_fault_packet){0};
    data->counts.longer_packets += longer > 0;
    data->counts.longer_links += longer;
}

/* ---- the law ---- */

uint32_t net_fault_data_origin(const struct net_fault_data *data, uint32_t router)
{
    const struct net_control_router *control = &data->clock.control.router[router];

    return control->stopped ? NET_NONE : control->wave.origin;
}

int net_fault_data_check(const struct net_fault_data *data,
                         void (*count)(const void *engine, struct net_fault_ring *rings), const void *engine,
                         struct base_error *error)
{
    uint32_t routers = data->topology->routers;
    struct net_fault_ring *rings;
    int status = 0;

    if (base_heap_first(&data->clock.control.events) != NULL)
        return 0;
    rings = calloc(routers, sizeof *rings);
    if (rings == NULL)
        return base_error_memory(error, "the places of rings");
    count(engine, rings);
    for (uint32_t ring = 0; ring < routers && status == 0; ring++)
        if (rings[ring].places != 0 && rings[ring].places <= rings[ring].packets)
            status = base_error_set(error, BASE_SYSTEM,
                                    "%" PRIu64 " packets on a ring of %" PRIu64
                                    " places: this is a defect of flitreplay",
                                    rings[ring].packets, rings[ring].places);
    free(rings);
    return status;
}
