/* Inside netmodel/faults/: between what routers do (protocol.c) and how packets get from one to the other
 * (control.c). */
#ifndef NET_CONTROL_INTERNAL_H
#define NET_CONTROL_INTERNAL_H

#include "netmodel/faults/control.h"

struct net_control_message {
    uint32_t link; /* over which it goes */
    uint8_t kind;
    bool faulty;    /* of an alert: its sender has a dead link */
    bool passed_on; /* of an alert: it comes from a router of another tree */
    struct net_wave wave;
};

/* Sends over message->link, now. -1: memory, or too many. */
int net_control_send(struct net_control *control, const struct net_control_message *message,
                     struct base_error *error);
/* Has the router looked at again when it has been quiet for NET_QUIET_CYCLES. */
int net_control_watch(struct net_control *control, uint32_t router, struct base_error *error);

/* The three things that happen to a router. Each returns -1 as net_control_send does. */
int net_protocol_start(struct net_control *control, uint32_t router, struct base_error *error);
int net_protocol_handle(struct net_control *control, const struct net_control_message *message,
                        struct base_error *error);
int net_protocol_quiet(struct net_control *control, uint32_t router, struct base_error *error);
/* Whether the tree does without the router: a leaf without faults, whose tree is closed. (A root is faulty.) */
bool net_protocol_may_leave(const struct net_control_router *state);
/* The router at the link's source senses that it is dead. net_protocol_start follows in the same cycle. */
void net_protocol_sense(struct net_control *control, uint32_t link);

/* For each link that leaves the router, by rising port; link is its number. */
#define NET_EACH_LINK(topology, router, link)                                                                \
    for (uint32_t port_ = 0, link; port_ < (topology)->ports; port_++)                                       \
        if ((link = (topology)->link_at[(size_t)(router) * (topology)->ports + port_]) != NET_NONE)

#endif
