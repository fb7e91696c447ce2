/* A user's own table on top of one of the registered ones: rules of the form
 *
 *      allreduce=ring@65536              up to 65536 bytes
 *      bcast=pipeline:8k@1m/16           in segments of 8 KiB, up to 1 MiB, from 16 ranks on
 *
 *      operation=algorithm[:segment][@maximum bytes][/minimum ranks]
 *
 * separated by commas. The first rule that fits a call decides, and the table where none does. An algorithm
 * is named as registered, or without its operation ("ring" for "allreduce-ring"). A rule whose algorithm
 * needs a power of two fits only such numbers of ranks.
 *
 * The bytes are those of one vector (bcast, reduce, allreduce, scans), of one block (gather, scatter,
 * allgather, alltoall, reduce_scatter_block) or of the mean block (allgatherv, reduce_scatter). In the others
 * a rank does not know the sizes of all, so that rules for them must not ask for bytes. */
#ifndef TRACE_TUNING_RULES_H
#define TRACE_TUNING_RULES_H

#include "traces/collectives/collective.h"

struct trace_rule {
    enum trace_collective collective;        /* the one that it applies to */
    const struct trace_algorithm *algorithm; /* for it */
    uint64_t segment_bytes;                  /* the rule's, or the algorithm's own; 0: whole messages */
    uint64_t bytes_max;                      /* UINT64_MAX: any */
    uint32_t ranks_min;                      /* 0: any number */
};

/* The table of that name with the rules before it; rules may be NULL or empty. The caller frees it. NULL: an
 * unknown table, operation or algorithm, or a mistake in a rule (BASE_USAGE, with what is known), or memory.
 */
struct trace_tuning *trace_tuning_new(const char *table, const char *rules, struct base_error *error);
void trace_tuning_free(struct trace_tuning *tuning); /* NULL is legal */

/* The rule that decides for a call, or NULL. */
const struct trace_rule *trace_tuning_rule(const struct trace_tuning *tuning,
                                           const struct trace_collective_call *call);

#endif
