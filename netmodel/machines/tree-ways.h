/* Ways in fat trees (netmodel/machines/fat-tree.h): up to an ancestor of the destination, then down, which
 * has no choice. Which of its parents a router takes says a number that the packet carries, digit by digit:
 * at level l parent number / (W1 x … x Wl) mod W(l+1). So a number below the product of all W names a root,
 * and the way there.
 *
 * The header is
 *
 *      number 32 bits │ destination's leaf 32 bits */
#ifndef NET_TREE_WAYS_H
#define NET_TREE_WAYS_H

#include "netmodel/routings/plain.h"
#include "netmodel/machines/fat-tree.h"

extern const struct net_family net_family_fat_tree;

static inline uint64_t net_tree_header(uint32_t leaf, uint32_t number)
{
    return (uint64_t)number << 32 | leaf;
}
/* For descriptors. */
uint32_t net_tree_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                        struct net_route *route);
uint64_t net_tree_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port);
/* One for each terminal of a leaf. */
uint32_t net_tree_variants_of_terminals(const struct net_routing *routing, uint32_t a, uint32_t b);
/* Where the number is certain: only among virtual channels. */
bool net_tree_chooses(const struct net_routing *routing);

#endif
