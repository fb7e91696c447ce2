/* What the members of v- and w-collectives recorded as their totals, by instance: what the survey collects
 * and the cursors hand out. A member at a time is read, so that vectors grow from left to right.
 *
 *     instance 0 of communicator 3 ──► (rank 2: 80 sent, 32 received) ──► (rank 1: 80, 64) ──► alltoallv
 *     instance 7 of communicator 3 ──►  the same
 *
 * Equal vectors are kept once: an instance costs 16 bytes, a vector that no other equals about 80 bytes a
 * member while the trace is surveyed and 16 afterwards. */
#ifndef TRACE_OTF2_VECTORS_H
#define TRACE_OTF2_VECTORS_H

#include "base/table.h"
#include "traces/otf2/sizes.h"
#include "traces/program.h"

struct trace_otf2_vector {
    struct trace_vector vector;       /* owned: one block */
    enum trace_collective collective; /* what it is of */
    bool even;    /* alltoallv and alltoallw: split in proportion, all blocks are whole elements */
    bool guessed; /* the records fit no convention of sizes: the blocks are a split in proportion */
};

struct trace_otf2_vector_node; /* what a member adds to those before it */

struct trace_otf2_vector_use {
    uint64_t instance; /* of the communicator's recorded collectives */
    uint32_t node;     /* later: the vector */
};

struct trace_otf2_vector_list { /* of one communicator, by instance */
    struct trace_otf2_vector_use *uses;
    size_t count, capacity; /* of uses */
};

/* A zeroed struct is a valid empty one. */
struct trace_otf2_vectors {
    struct trace_otf2_vector_list *lists; /* [communicator] */
    uint32_t list_count;                  /* the largest communicator seen, and one */
    struct base_table index;              /* of nodes, by what they hold */
    struct trace_otf2_vector_node *nodes;
    size_t node_count, node_capacity; /* of nodes */
    struct trace_otf2_vector *all;    /* each different vector once */
    size_t count, capacity;           /* of vectors */
    bool differ;                      /* once complete: some entry is not what its member recorded */
};

/* A member's totals of a collective: op has its communicator, operation and root, the record who the member
 * is in a communicator of which size. -1 when memory is out. */
int trace_otf2_vectors_add(struct trace_otf2_vectors *vectors, const struct trace_op *op, uint64_t instance,
                           const struct trace_otf2_collective_record *record);
/* After the last member of all. -1 when memory is out. */
int trace_otf2_vectors_complete(struct trace_otf2_vectors *vectors);
/* The totals of an instance, or NULL. Borrowed. */
const struct trace_otf2_vector *trace_otf2_vectors_get(const struct trace_otf2_vectors *vectors,
                                                       uint32_t communicator, uint64_t instance);
/* True when all instances of an operation are even. */
bool trace_otf2_vectors_are_even(const struct trace_otf2_vectors *vectors, enum trace_collective collective);
/* True when an instance of an operation is guessed. */
bool trace_otf2_vectors_are_guessed(const struct trace_otf2_vectors *vectors,
                                    enum trace_collective collective);
void trace_otf2_vectors_free(struct trace_otf2_vectors *vectors);

#endif
