/* The sizes of collectives, made the same for all recorders. A record gives two numbers, the bytes that the
 * rank sent and received, by one of two conventions (told apart by traces of the same
 * run by both kinds of recorder):
 *
 *   plain (EZTrace):      the arguments of the call, count times size of the datatype, on every rank
 *   multiplied (Score-P): what the rank exchanges with all members, itself included; zero where a rank has no
 * part. With MPI_IN_PLACE the own part may be missing: a factor of size - 1 instead of size. */
#ifndef TRACE_OTF2_SIZES_H
#define TRACE_OTF2_SIZES_H

#include <stdbool.h>

#include "traces/program.h"

/* The root of a collective on an inter-communicator as its own group records it: it is one of them. */
#define TRACE_OTF2_ROOT_UNKNOWN (UINT32_MAX - 2)

struct trace_otf2_collective_record {
    enum trace_collective collective; /* as the record says */
    uint32_t size, rank;              /* of the communicator, and the recording rank in it */
    uint32_t root;                    /* UINT32_MAX without one */
    uint32_t others;                  /* on an inter-communicator: the ranks of the other group; else 0 */
    uint32_t first_group;             /* on an inter-communicator: the ranks of the first group; else 0 */
    uint64_t sent, received;
};

/* op.bytes of program.h; 0 for the variants with vectors. */
uint64_t trace_otf2_collective_bytes(const struct trace_otf2_collective_record *record, bool multiplied);
/* Makes the vectors of one collective from what each member recorded as sent and received: the blocks and
 * totals of program.h, whichever convention the sums over the members show. On an inter-communicator
 * first_group is the size of its first group, else 0. False when the numbers fit no convention: then the
 * largest total is split in proportion to what the members recorded as their blocks. Numbers that fit two are
 * taken for the totals of a call that is not in place. */
bool trace_otf2_complete_vectors(enum trace_collective collective, uint32_t root, uint32_t first_group,
                                 uint32_t size, uint64_t *sent, uint64_t *received);

/* What one record says about the convention: -1 it must be plain, 1 it must be multiplied, 0 nothing. */
int trace_otf2_size_evidence(const struct trace_otf2_collective_record *record);

#endif
