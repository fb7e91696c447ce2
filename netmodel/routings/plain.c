/* Functions of routings that keep nothing: see plain.h. */
#include "netmodel/routings/plain.h"

int net_plain_prepare(struct net_routing *routing, const struct net_specification *specification,
                      struct base_error *error)
{
    (void)specification, (void)error;
    routing->bubble_channels = 0;
    return 0;
}

uint32_t net_plain_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing, (void)a, (void)b;
    return 1;
}

uint64_t net_plain_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)a, (void)variant;
    return b;
}

uint64_t net_plain_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header;
}
