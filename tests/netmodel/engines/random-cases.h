/* Random small networks and traffic, each fixed by its number: what the property test runs on reference and
 * engine. */
#ifndef TEST_RANDOM_CASES_H
#define TEST_RANDOM_CASES_H

#include "base/random.h"
#include "tests/netmodel/engines/outcome.h"

/* The cases below this number are of the six families of grids, in sizes drawn at random; those from there on are of
 * the examples of every registered kind whose links are wires. */
#define CASES_OF_GRIDS 2000

enum case_load { CASE_IDLE, CASE_LIGHT, CASE_LOADED, CASE_BURSTS, CASE_SATURATED, CASE_LOADS };

struct test_case {
    uint64_t number;
    enum case_load load;
    enum outcome_feed feed;
    const char *routing_name; /* "" for the topology's own */
    struct net_topology *topology;
    struct net_routing routing;
    struct reference_setup setup; /* borrows the two above */
    struct reference_message *messages;
    size_t message_count;
};

/* The case of that number; free with case_free. NULL-like (topology NULL) with a sentence in error if it
 * cannot be built. */
void case_make(struct test_case *made, uint64_t number, struct base_error *error);
void case_free(struct test_case *made);
/* One line that says all that the case is made of. Returns text. */
char *case_describe(const struct test_case *made, char *text, size_t size);

#endif
