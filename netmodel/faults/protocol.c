/* What a router does when it senses a dead link, when a control packet comes, and when it has been quiet for a while:
 * the state machine of doc/faults.md. A router knows its own state and that of its ports, nothing else; here that is
 * control->router[router] and control->link[link] of the links that leave it.
 *
 *                     dead link              ALERT of a wave that beats mine
 *          start: wave of my own │            │ join: its sender is my parent
 *                                ▼            ▼
 *           stopped, pending = all neighbours but the parent; ALERT to each
 *                                │ ACC: a child; DEC: none; all have answered
 *                                ▼
 *           data goes on           (a tree that covers the network: when the root has heard DONE from everywhere)
 *                                │ quiet, no fault, no child: PRUNE; PRUNE_ACK
 *                                ▼
 *           no member any more     (the wave is remembered: nobody joins it twice) */
#include "netmodel/faults/control-internal.h"

static const struct net_topology *topology_of(const struct net_control *control)
{
    return control->faults->topology;
}

static uint32_t source_of(const struct net_control *control, uint32_t link)
{
    return topology_of(control)->links[link].source;
}

/* With the wave that the packet is about. */
static int send(struct net_control *control, uint32_t link, enum net_control_kind kind, struct net_wave wave,
                struct base_error *error)
{
    struct net_control_message message = {.link = link,
                                          .kind = (uint8_t)kind,
                                          .wave = wave,
                                          .faulty = control->router[source_of(control, link)].faulty};
    return net_control_send(control, &message, error);
}

/* ---- data ---- */

static void stop(struct net_control *control, struct net_control_router *state)
{
    if (state->stopped)
        return;
    state->stopped = true;
    state->stopped_since = control->now;
    control->standing++;
    control->stopped_routers += !state->has_stopped;
    state->has_stopped = true;
}

static void go_on(struct net_control *control, struct net_control_router *state)
{
    if (!state->stopped)
        return;
    state->stopped = false;
    control->standing--;
    control->stopped_cycles += control->now - state->stopped_since;
    control->stable = control->now;
}

/* ---- the tree is closed ---- */

/* From the root down: every router below it has joined. */
static int resume(struct net_control *control, uint32_t router, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    go_on(control, state);
    NET_EACH_LINK(topology_of(control), router, link)
    if ((control->link[link] & NET_LINK_CHILD) &&
        send(control, link, NET_CONTROL_RESUME, state->wave, error) != 0)
        return -1;
    return 0;
}

/* Up to the root: when all children have said DONE, say so too. */
static int conclude(struct net_control *control, uint32_t router, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];
    uint32_t done = 0;

    NET_EACH_LINK(topology_of(control), router, link)
    done += (control->link[link] & NET_LINK_DONE) != 0;
    if (state->done || done < state->children)
        return 0;
    state->done = true;
    if (state->parent == NET_NONE)
        return resume(control, router, error);
    return send(control, state->parent, NET_CONTROL_DONE, state->wave, error);
}

/* After an answer: was it the last one? */
static int settle(struct net_control *control, uint32_t router, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    if (state->pending > 0)
        return 0;
    if (control->options.routing->everywhere)
        return conclude(control, router, error);
    go_on(control, state);
    state->quiet_since = control->now;
    return net_control_watch(control, router, error);
}

/* ---- waves ---- */

/* The router forgets its tree and asks all neighbours but its parent to join this one. The old parent is asked, too:
 * that is how it learns that it has lost a child. */
static int spread(struct net_control *control, uint32_t router, struct net_wave wave, uint32_t parent,
                  struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    state->wave = wave;
    state->parent = parent;
    state->pending = state->children = 0;
    state->member = true;
    state->left = state->done = false;
    stop(control, state);
    NET_EACH_LINK(topology_of(control), router, link)
    {
        control->link[link] &= NET_LINK_SENSED;
        if (link == parent || control->link[link] != 0)
            continue;
        control->link[link] |= NET_LINK_PENDING;
        state->pending++;
        if (send(control, link, NET_CONTROL_ALERT, wave, error) != 0)
            return -1;
    }
    return settle(control, router, error);
}

int net_protocol_start(struct net_control *control, uint32_t router, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    state->started++;
    state->senses = false;
    return spread(control, router, (struct net_wave){state->wave.epoch + 1, router}, NET_NONE, error);
}

/* The answer goes out before the alerts, which leave by other links. */
static int join(struct net_control *control, uint32_t router, uint32_t parent, struct net_wave wave,
                struct base_error *error)
{
    if (send(control, parent, NET_CONTROL_ACC, wave, error) != 0)
        return -1;
    return spread(control, router, wave, parent, error);
}

/* Two trees touch here, and this one's wave has won. Between two routers without faults there is no such link; so
 * either a faulty router of the other tree calls, and the router, which has none, tells the faulty ones around it, or
 * such news has come to a faulty router, which starts a wave that beats both. Only a router whose tree is closed does
 * so: waves that are still spreading would call each other for ever. */
static int merge(struct net_control *control, uint32_t router, const struct net_control_message *alert,
                 struct base_error *error)
{
    const struct net_control_router *state = &control->router[router];
    struct net_control_message news = {.kind = NET_CONTROL_ALERT, .passed_on = true, .wave = alert->wave};
    uint32_t back = control->faults->cables.back[alert->link];

    if (state->pending > 0 || !net_wave_beats(state->wave, alert->wave))
        return 0;
    if (!alert->faulty && state->faulty)
        return net_protocol_start(control, router, error);
    if (!alert->faulty || state->faulty || alert->passed_on)
        return 0;
    NET_EACH_LINK(topology_of(control), router, link)
    {
        news.link = link;
        if (link != back && !(control->link[link] & NET_LINK_SENSED) &&
            net_control_send(control, &news, error) != 0)
            return -1;
    }
    return 0;
}

/* A neighbour announces its wave. The router joins where it is concerned and the wave beats its own, and becomes a
 * child of the sender. Otherwise it declines; where trees stay near the faults, two that touch are merged. */
static int on_alert(struct net_control *control, uint32_t router, const struct net_control_message *alert,
                    struct base_error *error)
{
    const struct net_control_router *state = &control->router[router];
    uint32_t back = control->faults->cables.back[alert->link];
    bool everywhere = control->options.routing->everywhere;
    /* Keeps the tree to faulty routers and their neighbours. */
    bool concerned = everywhere || alert->faulty || state->faulty;

    if (concerned && net_wave_beats(alert->wave, state->wave))
        return join(control, router, back, alert->wave, error);
    if (send(control, back, NET_CONTROL_DEC, alert->wave, error) != 0)
        return -1;
    return concerned && !everywhere ? merge(control, router, alert, error) : 0;
}

/* ---- answers ---- */

/* A neighbour accepted, and is a child from now on, or declined. Nothing is done where no answer is awaited over
 * the link. When the last answer is in, the router may settle. */
static int on_answer(struct net_control *control, uint32_t router, uint32_t back, bool accepted,
                     struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    if (!(control->link[back] & NET_LINK_PENDING))
        return 0;
    control->link[back] ^= NET_LINK_PENDING;
    state->pending--;
    if (accepted) {
        control->link[back] |= NET_LINK_CHILD;
        state->children++;
    }
    return settle(control, router, error);
}

/* A child that asks twice, because its parent's tree was open the first time, has left when it asks again, or leaves
 * now. */
static int on_prune(struct net_control *control, uint32_t router, uint32_t back, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    if (state->pending > 0)
        return 0;
    if (control->link[back] & NET_LINK_CHILD) {
        control->link[back] ^= NET_LINK_CHILD | NET_LINK_LEFT;
        state->children--;
        state->quiet_since = control->now;
        if (net_control_watch(control, router, error) != 0)
            return -1;
    }
    return send(control, back, NET_CONTROL_PRUNE_ACK, state->wave, error);
}

static int on_done(struct net_control *control, uint32_t router, uint32_t back, struct base_error *error)
{
    control->link[back] |= NET_LINK_DONE;
    return control->router[router].pending > 0 ? 0 : conclude(control, router, error);
}

/* Whatever answers an older wave than the router's is late: the router has forgotten what it asked (E32). Over a link
 * that is dead nothing is heard. */
int net_protocol_handle(struct net_control *control, const struct net_control_message *message,
                        struct base_error *error)
{
    uint32_t back = control->faults->cables.back[message->link], router = source_of(control, back);
    struct net_control_router *state = &control->router[router];

    if (control->link[back] & NET_LINK_SENSED)
        return 0;
    if (message->kind == NET_CONTROL_ALERT)
        return on_alert(control, router, message, error);
    if (!net_wave_equal(message->wave, state->wave))
        return 0;
    switch ((enum net_control_kind)message->kind) {
    case NET_CONTROL_ACC:
    case NET_CONTROL_DEC:
        return on_answer(control, router, back, message->kind == NET_CONTROL_ACC, error);
    case NET_CONTROL_PRUNE:
        return on_prune(control, router, back, error);
    case NET_CONTROL_PRUNE_ACK:
        state->left |= state->member;
        state->member = false;
        return 0;
    case NET_CONTROL_DONE:
        return on_done(control, router, back, error);
    case NET_CONTROL_RESUME:
        return resume(control, router, error);
    default:
        return 0;
    }
}

/* ---- dead links, and quiet ---- */

void net_protocol_sense(struct net_control *control, uint32_t link)
{
    struct net_control_router *state = &control->router[source_of(control, link)];

    state->faulty = state->senses = true;
    control->link[link] = NET_LINK_SENSED;
}

bool net_protocol_may_leave(const struct net_control_router *state)
{
    return state->member && state->pending == 0 && !state->faulty && state->children == 0;
}

/* Asks again until it is answered: a parent whose tree is open does not answer. */
int net_protocol_quiet(struct net_control *control, uint32_t router, struct base_error *error)
{
    struct net_control_router *state = &control->router[router];

    if (!net_protocol_may_leave(state) || control->now < state->quiet_since + NET_QUIET_CYCLES)
        return 0;
    state->quiet_since = control->now;
    if (send(control, state->parent, NET_CONTROL_PRUNE, state->wave, error) != 0)
        return -1;
    return net_control_watch(control, router, error);
}
