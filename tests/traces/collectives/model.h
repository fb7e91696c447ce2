/* A little machine that runs the schedules of all members of a collective against each other, and knows, for
 * every algorithm by its name, which data each message has to carry. Written from the definitions of the
 * algorithms, apart from the code under test: it works on sets of units, never on sizes, and compares sizes
 * only at the end.
 *
 * Data are units (a block, a piece of a vector, a token of an alltoall). What a rank has of a unit is a mask:
 * of the ranks whose contributions are reduced into it, or 1 where nothing is reduced. */
#ifndef TESTS_COLLECTIVE_MODEL_H
#define TESTS_COLLECTIVE_MODEL_H

#include "traces/collectives/collective.h"

struct world {
    const struct trace_algorithm *algorithm;
    struct trace_collective_call call; /* rank is that of nobody in particular */
    bool synchronous;                  /* a send is complete only when its receive is posted */
    bool backwards;                    /* ranks get their turn in falling order */
    const struct world_part *part;     /* NULL: all of it */
};

/* Only the messages of one part of a composite (TRACE_PART_SHIFT), among call.ranks ranks from `first` on,
 * which have to be those of that call. */
struct world_part {
    uint32_t number, first;
    const struct trace_algorithm *algorithm; /* NULL: any data; sizes and deadlocks are checked */
    struct trace_collective_call call;
};

struct traffic {
    uint64_t messages, bytes;
};

/* Every message of every part, without regard to what it carries: that all are received in the size they are
 * sent, and nobody waits for ever. */
int world_run_transport(const struct world *world, struct traffic *traffic);

/* Runs the collective. On success 0, and *traffic is what was sent; otherwise -1 and a line on standard
 * error: a message without its receive or of another size, a deadlock, a wrong unit, a contribution taken
 * twice, a result that is not what the collective promises, an algorithm that is not known here. */
int world_run(const struct world *world, struct traffic *traffic);

#endif
