/* Repairs that need more than one rank's records. They run after the survey, only on
 * traces that need them, and fill the tables that the cursors look into.
 *
 *   agreement   members of a communicator that recorded different sizes of one collective
 *   channels    receives recorded on another communicator than their sends: strict matching first, then by
 *               source, target and tag in order, trying every communicator that the receiver belongs to
 *   guesses     receives that never complete: paired with left-over sends in the order of a causal run */
#ifndef TRACE_OTF2_REPAIR_H
#define TRACE_OTF2_REPAIR_H

#include "traces/otf2/survey.h"

struct trace_otf2_repairs {
    struct trace_otf2_archive *archive;       /* read again for what tables do not hold */
    const struct trace_otf2_context *context; /* whose tables are those below */
    struct trace_otf2_tables *tables;
    struct trace_otf2_survey *survey; /* where repairs are counted */
};

/* A channel of messages: what matching looks at, in world ranks, and how many sends and receives it has. */
struct trace_otf2_channel {
    uint32_t communicator, tag, source, target;
    uint64_t sends, receives; /* equal, or something is recorded wrongly */
};

struct trace_otf2_channels { /* a zeroed struct is a valid empty one */
    struct base_table index;
    struct trace_otf2_channel *all; /* in the order they were met */
    size_t count, capacity;         /* of channels */
};

/* The channel of a message, added at need; NULL when memory is out. Borrowed until the next addition. */
struct trace_otf2_channel *trace_otf2_channel(struct trace_otf2_channels *channels,
                                              const struct trace_otf2_channel *key);
void trace_otf2_channels_free(struct trace_otf2_channels *channels);

/* Fills *key with the channel of a message as rank recorded it, and zero counts; false when the operation is
 * no message, or a receive whose message is not known. */
bool trace_otf2_channel_key(const struct trace_op *op, uint32_t rank, struct trace_otf2_channel *key);
/* Counts the sends and receives of the channels between pairs of ranks that strict matching leaves
 * unbalanced. */
int trace_otf2_count_channels(struct trace_otf2_repairs *repairs, struct trace_otf2_channels *channels,
                              struct base_error *error);
/* The entry of a receive in the sorted table of its rank, or NULL. */
struct trace_otf2_receive *trace_otf2_find_receive(const struct trace_otf2_rank_tables *rank,
                                                   uint64_t ordinal);
/* Calls visit for every operation of a rank, as a cursor gives them. -1 when visit or the reading fails. */
int trace_otf2_visit_rank(struct trace_otf2_repairs *repairs, uint32_t rank,
                          int (*visit)(void *user, uint32_t rank, const struct trace_op *op,
                                       uint64_t ordinal),
                          void *user, struct base_error *error);

/* Checks that the members of each communicator make the same collective calls; fills tables->sizes where
 * their sizes differ and sets *changed then: the survey must be run again. */
int trace_otf2_check_agreement(struct trace_otf2_repairs *repairs, bool *changed, struct base_error *error);
/* Finds the parents of the communicators that calls made, and where on the parents these calls stand. Where
 * they cannot be told for certain tables->creations_unknown says why. */
int trace_otf2_infer_creations(struct trace_otf2_repairs *repairs, struct base_error *error);
/* The number of a collective among the recorded ones on the communicator; false for an implied one. */
bool trace_otf2_recorded_instance(const struct trace_otf2_tables *tables, uint32_t communicator,
                                  uint64_t instance, uint64_t *recorded);
/* Pairs the receives that were recorded on wrong channels: rules, and entries of the ranks' tables. */
int trace_otf2_repair_channels(struct trace_otf2_repairs *repairs, struct base_error *error);
/* Finds messages for the receives that never complete. */
int trace_otf2_guess_receives(struct trace_otf2_repairs *repairs, struct base_error *error);

#endif
