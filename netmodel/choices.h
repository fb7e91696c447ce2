/* The choices of a network's flow control by their names, for command lines and lists. Each registry is in
 * the order of its enum in network.h, so that a name's index is the value. */
#ifndef NET_CHOICES_H
#define NET_CHOICES_H

#include <stddef.h>

#include "base/random.h"

struct net_choice {
    const char *name, *summary; /* as options take it; a line for lists */
    enum base_chance chance;    /* whether another seed gives another result */
};

/* [enum net_flow_control] cut-through, wormhole */
const struct net_choice *const *net_flow_controls(size_t *count);
/* [enum net_arbiter] round-robin, oldest-first, random, longest-queue */
const struct net_choice *const *net_arbiters(size_t *count);
/* [net_options.multiplexed] packet, flit */
const struct net_choice *const *net_multiplexings(size_t *count);
/* [enum net_spreading] mst-safe, mst-replica, mst-unicast, recursive-doubling, mst */
const struct net_choice *const *net_spreadings(size_t *count);
/* [enum net_selection] most-free, random, first */
const struct net_choice *const *net_selections(size_t *count);
/* [enum net_admission] fits-word, not-full */
const struct net_choice *const *net_admissions(size_t *count);
/* [enum net_status_flags] both, availability, full, none */
const struct net_choice *const *net_status_flags(size_t *count);
/* [net_options.lossy] queued, lossy */
const struct net_choice *const *net_sources(size_t *count);

/* The value of that name in a registry; `fallback` when the name is NULL or not in it. */
unsigned net_choice_value(const struct net_choice *const *(*registry)(size_t *count), const char *name,
                          unsigned fallback);

#endif
