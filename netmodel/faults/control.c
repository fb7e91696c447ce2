/* Time, and the way of control packets over links. What routers do with them is in protocol.c. */
#include "netmodel/faults/control.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/random.h"
#include "netmodel/faults/control-internal.h"

/* More packets a link and fault than any protocol that ends has been seen to need (some 20, under the largest sets of
 * faults); beyond, it is taken not to end. */
#define PACKETS_MAX 4096

/* ---- sending ---- */

/* By kind, and all of them against the bound beyond which the protocol is taken not to end. */
static int count_packet(struct net_control *control, uint8_t kind, struct base_error *error)
{
    const struct net_faults *faults = control->faults;
    uint64_t sum = 0;

    control->packets[kind]++;
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        sum += control->packets[i];
    if (sum / PACKETS_MAX <= (faults->topology->link_count + UINT64_C(1)) * (faults->count + UINT64_C(1)))
        return 0;
    return base_error_set(error, BASE_DEADLOCK,
                          "the control packets of %u faults on topology '%s' do not end", faults->count,
                          faults->topology->text);
}

/* When the router at the far end handles what the link takes in cycle `taken`. */
static uint64_t arrival(const struct net_control *control, uint32_t link, uint64_t taken)
{
    const struct net_control_options *options = &control->options;
    uint64_t at = taken + 1 +
                  net_link_crossing(&control->faults->topology->links[link],
                                    options->link_cycles == 0 ? 1 : options->link_cycles);

    if (options->jitter_cycles > 0)
        at += base_scale(base_hash(options->seed ^ link, taken), options->jitter_cycles + 1);
    return at > control->arrives[link] ? at : control->arrives[link] + 1;
}

/* What the link would take when it is dead, or is when its turn comes, is lost. */
int net_control_send(struct net_control *control, const struct net_control_message *message,
                     struct base_error *error)
{
    uint32_t link = message->link;
    uint64_t taken = control->free_at[link] > control->now ? control->free_at[link] : control->now;

    if (taken >= control->faults->dies[link])
        return 0;
    control->free_at[link] = taken + net_link_width(&control->faults->topology->links[link]);
    control->arrives[link] = arrival(control, link, taken);
    if (base_grow(&control->messages, &control->message_room, control->message_count + 1,
                  sizeof *control->messages) != 0 ||
        base_heap_push(&control->events, control->arrives[link], control->message_count) != 0)
        return base_error_memory(error, "the control packets");
    control->messages[control->message_count++] = *message;
    return count_packet(control, message->kind, error);
}

int net_control_watch(struct net_control *control, uint32_t router, struct base_error *error)
{
    const struct net_control_router *state = &control->router[router];

    if (!net_protocol_may_leave(state))
        return 0;
    if (base_heap_push(&control->timers, state->quiet_since + NET_QUIET_CYCLES, router) != 0)
        return base_error_memory(error, "the control packets");
    return 0;
}

/* ---- a cycle ---- */

/* A router senses all links that have died in a cycle before it starts one wave for them. */
static int sense(struct net_control *control, struct base_error *error)
{
    const struct net_faults *faults = control->faults;
    uint32_t first = control->next_fault, end = first;

    for (; end < faults->count && faults->fault[end].cycle + 1 == control->now; end++) {
        uint32_t link = faults->cables.link[faults->fault[end].cable];
        net_protocol_sense(control, link);
        net_protocol_sense(control, faults->cables.back[link]);
        control->still = control->now;
    }
    control->next_fault = end;
    for (uint32_t i = first; i < end; i++) {
        const struct net_link *link = net_fault_link(faults, i);
        if ((control->router[link->source].senses && net_protocol_start(control, link->source, error) != 0) ||
            (control->router[link->target].senses && net_protocol_start(control, link->target, error) != 0))
            return -1;
    }
    return 0;
}

struct net_control_arrival {
    uint32_t router, port; /* the input's number is that of the port at the far end */
    size_t message;
};

static int by_router(const void *a, const void *b)
{
    const struct net_control_arrival *one = a, *other = b;
    if (one->router != other->router)
        return one->router < other->router ? -1 : 1;
    return one->port < other->port ? -1 : one->port > other->port;
}

/* What arrives in this cycle, in an order that does not depend on when it was sent. A link brings one packet a cycle at
 * most. */
static int collect(struct net_control *control, size_t *count, struct base_error *error)
{
    const struct base_event *first;
    struct base_event event;

    for (*count = 0; (first = base_heap_first(&control->events)) != NULL && first->time == control->now;) {
        const struct net_link *link;
        base_heap_pop(&control->events, &event);
        if (base_grow(&control->batch, &control->batch_room, *count + 1, sizeof *control->batch) != 0)
            return base_error_memory(error, "the control packets");
        link = &control->faults->topology->links[control->messages[event.payload].link];
        control->batch[(*count)++] =
            (struct net_control_arrival){link->target, link->port, (size_t)event.payload};
    }
    if (*count > 1)
        qsort(control->batch, *count, sizeof *control->batch, by_router);
    for (size_t i = 1; i < *count; i++)
        assert(by_router(&control->batch[i - 1], &control->batch[i]) < 0);
    return 0;
}

/* The message is copied: handling it may send others, and so move them all. */
static int deliver(struct net_control *control, struct base_error *error)
{
    size_t arrivals;

    if (collect(control, &arrivals, error) != 0)
        return -1;
    for (size_t i = 0; i < arrivals; i++) {
        const struct net_control_message message = control->messages[control->batch[i].message];
        if (net_protocol_handle(control, &message, error) != 0)
            return -1;
        control->still = control->now;
    }
    if (base_heap_first(&control->events) == NULL)
        control->message_count = 0;
    return 0;
}

/* Routers that have been quiet for long enough leave their trees, if nobody needs them there. */
static int prune(struct net_control *control, struct base_error *error)
{
    const struct base_event *first;
    struct base_event event;

    while ((first = base_heap_first(&control->timers)) != NULL && first->time == control->now) {
        base_heap_pop(&control->timers, &event);
        if (net_protocol_quiet(control, (uint32_t)event.payload, error) != 0)
            return -1;
    }
    return 0;
}

/* A router senses a dead link in the cycle after it has failed. */
uint64_t net_control_next(const struct net_control *control)
{
    const struct net_faults *faults = control->faults;
    const struct base_event *event = base_heap_first(&control->events);
    const struct base_event *timer = base_heap_first(&control->timers);
    uint64_t next =
        control->next_fault < faults->count ? faults->fault[control->next_fault].cycle + 1 : NET_NEVER;

    if (event != NULL && event->time < next)
        next = event->time;
    return timer != NULL && timer->time < next ? timer->time : next;
}

/* Faults before packets before timers: what happens in one cycle has one order. */
int net_control_step(struct net_control *control, struct base_error *error)
{
    uint64_t next = net_control_next(control);

    if (next == NET_NEVER)
        return 0;
    control->now = next;
    if (sense(control, error) != 0 || deliver(control, error) != 0)
        return -1;
    return prune(control, error);
}

int net_control_finish(struct net_control *control, struct base_error *error)
{
    while (net_control_next(control) != NET_NEVER)
        if (net_control_step(control, error) != 0)
            return -1;
    return 0;
}

/* ---- life ---- */

int net_control_init(struct net_control *control, const struct net_faults *faults,
                     const struct net_control_options *options, struct base_error *error)
{
    size_t routers = faults->topology->routers, links = faults->topology->link_count;

    *control = (struct net_control){.faults = faults, .options = *options};
    control->router = base_arena_array(&control->arena, routers + 1, sizeof *control->router);
    control->link = base_arena_array(&control->arena, links + 1, sizeof *control->link);
    control->free_at = base_arena_array(&control->arena, links + 1, sizeof *control->free_at);
    control->arrives = base_arena_array(&control->arena, links + 1, sizeof *control->arrives);
    if (control->router == NULL || control->link == NULL || control->free_at == NULL ||
        control->arrives == NULL)
        return base_error_memory(error, "the control packets");
    for (size_t router = 0; router < routers; router++)
        control->router[router].parent = NET_NONE;
    return 0;
}

void net_control_free(struct net_control *control)
{
    base_heap_free(&control->events);
    base_heap_free(&control->timers);
    free(control->messages);
    free(control->batch);
    base_arena_free(&control->arena);
}
