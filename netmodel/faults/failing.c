/* A base routing with faults (failing.h), and the clock of what routers do about them. */
#include "netmodel/faults/failing.h"

#include <string.h>

#include "netmodel/faults/rings.h"

/* ---- the routing ---- */

/* The base's own. It is the function by which the wrapper is known. */
static uint32_t failing_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                              struct net_route *route)
{
    return routing->inner->kind->route(routing->inner, router, header, route);
}

/* -1: memory. */
static int copy_array(struct base_arena *arena, void *copy, const void *from, size_t count, size_t size)
{
    void *to = base_arena_array(arena, count + 1, size);

    if (to == NULL)
        return -1;
    if (count > 0)
        memcpy(to, from, count * size);
    memcpy(copy, &to, sizeof to);
    return 0;
}

static int copy_faults(struct base_arena *arena, struct net_faults *copy, const struct net_faults *faults)
{
    size_t links = faults->topology->link_count;

    *copy = *faults;
    copy->arena = copy->cables.arena = (struct base_arena){0};
    if (faults->input.path != NULL && (copy->input.path = base_arena_text(arena, faults->input.path)) == NULL)
        return -1;
    if (copy_array(arena, &copy->cables.link, faults->cables.link, faults->cables.count,
                   sizeof *copy->cables.link) != 0 ||
        copy_array(arena, &copy->cables.back, faults->cables.back, links, sizeof *copy->cables.back) != 0 ||
        copy_array(arena, &copy->fault, faults->fault, faults->count, sizeof *copy->fault) != 0)
        return -1;
    return copy_array(arena, &copy->dies, faults->dies, links, sizeof *copy->dies);
}

/* The copy of the kind answers for itself: shortcuts that know nothing of faults are not offered. */
static int wrap(struct net_routing *routing, const struct net_faults *faults,
                const struct net_fault_routing *fault_routing, struct base_error *error)
{
    struct net_failing *failing = base_arena_alloc(&routing->arena, sizeof *failing);
    struct net_routing_kind *kind = base_arena_alloc(&routing->arena, sizeof *kind);
    struct net_routing *inner = base_arena_alloc(&routing->arena, sizeof *inner);

    if (failing == NULL || kind == NULL || inner == NULL ||
        copy_faults(&routing->arena, &failing->faults, faults) != 0)
        return base_error_memory(error, "the faults of a routing");
    failing->kind = fault_routing;
    *kind = *routing->kind;
    kind->route = failing_route;
    kind->failing = true;
    *inner = *routing;
    inner->arena = (struct base_arena){0};
    routing->inner = inner;
    routing->kind = kind;
    routing->wrapping = failing;
    routing->faults = failing->faults.input;
    routing->faults_drawn = failing->faults.drawn;
    return 0;
}

/* Packets that find neither an adaptive way nor their escape take to the ring: without an escape on channel 0 there is
 * nothing that the ring could be beside, or in the place of. */
static int check_base(const struct net_routing *routing, const struct net_fault_routing *kind,
                      struct base_error *error)
{
    if (routing->kind->minimal && routing->kind->escape && routing->bubble_channels == 1 &&
        routing->kind->look == NULL && routing->kind->choose == NULL)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "fault routing '%s' serves routings of shortest paths with an escape on channel "
                          "0, such as adaptive-bubble, not '%s'; up-down goes around links that are "
                          "dead from the start",
                          kind->name, routing->kind->name);
}

static uint32_t channels_for(uint32_t asked, const struct net_fault_routing *kind)
{
    return asked == 0 ? kind->virtual_channels : asked;
}

int net_routing_init_failing(struct net_routing *routing, const struct net_topology *topology,
                             const char *name, uint32_t virtual_channels, const struct net_faults *faults,
                             const struct net_fault_routing *kind, struct base_error *error)
{
    if (!kind->serves->contains(topology))
        return base_error_set(error, BASE_USAGE,
                              "fault routing '%s' does not serve topology '%s'; it serves %s", kind->name,
                              topology->text, kind->serves->members);
    if (virtual_channels != 0 && virtual_channels < kind->virtual_channels)
        return base_error_set(error, BASE_USAGE, "fault routing '%s' takes %u to %u virtual channels, not %u",
                              kind->name, kind->virtual_channels, NET_VIRTUAL_CHANNELS_MAX, virtual_channels);
    if (name == NULL || *name == '\0')
        name = "adaptive-bubble";
    if (net_routing_init(routing, topology, name, channels_for(virtual_channels, kind), error) != 0)
        return -1;
    if (check_base(routing, kind, error) == 0 && wrap(routing, faults, kind, error) == 0)
        return 0;
    net_routing_free(routing);
    return -1;
}

const struct net_failing *net_routing_failing(const struct net_routing *routing)
{
    for (; routing != NULL; routing = routing->inner)
        if (routing->kind->route == failing_route)
            return routing->wrapping;
    return NULL;
}

/* ---- the clock ---- */

/* The first fault that is not there from the start. */
static uint32_t first_timed(const struct net_faults *faults)
{
    uint32_t first = 0;

    while (first < faults->count && faults->fault[first].cycle == 0)
        first++;
    return first;
}

/* Faults from number `first` on die in cycles of the control protocol: `ahead` later than in those of data; or, as
 * long as that is not known, never. */
static void set_cycles(struct net_fault_clock *clock, const struct net_faults *faults, uint32_t first,
                       bool known)
{
    struct net_fault *fault = (struct net_fault *)(uintptr_t)clock->faults.fault;
    uint64_t *dies = (uint64_t *)(uintptr_t)clock->faults.dies;

    for (uint32_t i = first; i < faults->count; i++) {
        uint64_t cycle = faults->fault[i].cycle;
        uint32_t link = faults->cables.link[faults->fault[i].cable];
        cycle = known && cycle < NET_NEVER - 1 - clock->ahead ? cycle + clock->ahead : NET_NEVER;
        fault[i].cycle = cycle;
        dies[link] = dies[faults->cables.back[link]] = cycle;
    }
    clock->faults.count = known ? faults->count : first;
}

/* Settles what is there from the start. */
static int start_clock(struct net_fault_clock *clock, const struct net_failing *failing, uint32_t link_cycles,
                       struct base_error *error)
{
    const struct net_control_options options = {.routing = failing->kind, .link_cycles = link_cycles};
    uint32_t first = first_timed(&failing->faults);

    if (copy_faults(&clock->arena, &clock->faults, &failing->faults) != 0)
        return base_error_memory(error, "the faults");
    set_cycles(clock, &failing->faults, first, false);
    if (net_control_init(&clock->control, &clock->faults, &options, error) != 0 ||
        net_control_finish(&clock->control, error) != 0)
        return -1;
    clock->ahead = first == 0 ? 0 : clock->control.now + 1;
    set_cycles(clock, &failing->faults, first, true);
    return 0;
}

/* Whenever no control packet is on its way, and no fault has been left unsensed, both ends of every dead link are to be
 * on one ring. */
static int check_rings(const struct net_control *control, struct base_error *error)
{
    struct net_rings rings;
    int status = -1;

    if (base_heap_first(&control->events) != NULL)
        return 0;
    if (net_rings_init(&rings, control, false, error) == 0)
        status = net_rings_check(&rings, control, error);
    net_rings_free(&rings);
    return status;
}

/* A whole run ahead of time, on a clock of its own: what cannot be gone around is refused before any packet moves. */
static int rehearse(const struct net_failing *failing, uint32_t link_cycles, struct base_error *error)
{
    struct net_fault_clock clock = {0};
    int status = start_clock(&clock, failing, link_cycles, error);

    if (status == 0)
        status = check_rings(&clock.control, error);
    while (status == 0 && net_control_next(&clock.control) != NET_NEVER) {
        status = net_control_step(&clock.control, error);
        if (status == 0)
            status = check_rings(&clock.control, error);
    }
    net_fault_clock_free(&clock);
    return status;
}

int net_fault_clock_init(struct net_fault_clock *clock, const struct net_failing *failing,
                         uint32_t link_cycles, struct base_error *error)
{
    *clock = (struct net_fault_clock){0};
    if (rehearse(failing, link_cycles, error) != 0)
        return -1;
    return start_clock(clock, failing, link_cycles, error);
}

uint64_t net_fault_clock_next(const struct net_fault_clock *clock)
{
    uint64_t next = net_control_next(&clock->control);

    return next == NET_NEVER ? NET_NEVER : next - clock->ahead;
}

int net_fault_clock_step(struct net_fault_clock *clock, struct base_error *error)
{
    return net_control_step(&clock->control, error);
}

void net_fault_clock_free(struct net_fault_clock *clock)
{
    net_control_free(&clock->control);
    base_arena_free(&clock->arena);
}
