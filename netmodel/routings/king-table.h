/* The table of King(epsilon, delta), misrouting on king tori (doc/networks.md; the king thesis, section 3.2.2,
 * Definition 3): for each displacement the records of hops along X, Y, Z and T that
 *
 *   - end there, modulo the sides,
 *   - have at most delta hops more than the distance, and
 *   - are balanced: the largest and the smallest of |X|, |Y|, |Z|, |T| differ by at most epsilon.
 *
 * Where there is none, Knaive's records stand in. A multiplicity thins the table to a random choice.
 *
 * Records are stored in as few bits a part as the largest takes: 4, 8 or 16, so 2, 4 or 8 bytes a record. */
#ifndef NET_KING_TABLE_H
#define NET_KING_TABLE_H

#include "netmodel/topology.h"

#define NET_KING_RECORDS_MAX (UINT32_C(1) << 24)

struct net_king_parameters {
    uint32_t epsilon, delta;
    uint32_t multiplicity; /* records for each displacement in the mean, each keeping one; 0: all */
    uint64_t seed;         /* of the choice */
};

struct net_king_table {
    /* routers: x + sides[0] * y, both modulo the sides; the first, 0, has no record */
    uint32_t displacements;
    uint32_t record_count, record_bytes; /* of all displacements; of one */
    uint32_t substitutes;                /* displacements without a record of their own */
    const uint32_t *first;               /* [displacement]: its records are first[d] … first[d + 1] - 1 */
    const uint8_t *records;              /* record_count x record_bytes */
};

/* Fills the table, in the arena. -1: BASE_USAGE (more than NET_KING_RECORDS_MAX records, sides over 2^14),
 * memory. */
int net_king_table_build(struct net_king_table *table, const struct net_topology *topology,
                         const struct net_king_parameters *parameters, struct base_arena *arena,
                         struct base_error *error);
/* The hops along X, Y, Z and T. */
void net_king_table_record(const struct net_king_table *table, uint32_t index, int32_t record[4]);

#endif
