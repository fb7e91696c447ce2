/* A network for tests of the replay: every message takes a random time that depends on nothing but the seed,
 * its source, its target and how many went that way before. So the times of a run do not depend on the order
 * in which different ranks inject, and no two notices ever fall into one cycle: whoever gets another result
 * has matched other messages. */
#ifndef TESTS_REPLAY_ENGINE_RANDOM_NETWORK_H
#define TESTS_REPLAY_ENGINE_RANDOM_NETWORK_H

#include "netmodel/network.h"

/* in_order: messages from one terminal to another do not overtake each other. Fails the test on any error. */
struct net_network *random_network_new(const struct net_topology *topology, uint64_t seed, bool in_order);

#endif
