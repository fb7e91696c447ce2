/* What the engine of ideal networks reads of theirs (net_topology.shape). */
#ifndef NET_IDEAL_H
#define NET_IDEAL_H

#include <stdint.h>

struct net_ideal {
    uint64_t latency; /* cycles from a message's injection to its delivery */
};

#endif
