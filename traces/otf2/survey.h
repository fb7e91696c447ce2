/* The first pass over all ranks of a trace: checks every event, counts, and finds what the cursors need to
 * know beforehand. Its memory grows with the number of pairs of ranks that exchange messages, not with their
 * messages, except for the tables of exceptions and the vectors of v-collectives. */
#ifndef TRACE_OTF2_SURVEY_H
#define TRACE_OTF2_SURVEY_H

#include "base/random.h"
#include "traces/otf2/stream.h"
#include "traces/otf2/vectors.h"

struct trace_otf2_pair {
    struct trace_pair pair; /* as sent */
    uint64_t receives;      /* from source, at target */
    uint64_t balance; /* hashes of the communicators and tags of the sends, less those of the receives */
};

#define TRACE_OTF2_RECENT_PAIRS 64

struct trace_otf2_survey {
    struct trace_otf2_counts counts;                                          /* for the coverage */
    uint64_t events, sends, receives, bytes_sent, bytes_received, compute_ns; /* over all ranks */
    struct trace_collective_count *collectives; /* [communicator * TRACE_COLLECTIVES + collective] */

    struct base_table pair_index; /* (source, target) -> index in pairs */
    struct trace_otf2_pair *pairs;
    size_t pair_count, pair_capacity; /* of pairs */
    /* The pairs of recent sends and receives, by the other rank: an index, or that of another pair. */
    uint32_t recent_sent[TRACE_OTF2_RECENT_PAIRS], recent_received[TRACE_OTF2_RECENT_PAIRS];

    struct trace_otf2_vectors vectors; /* by the instances that are recorded */
    struct base_table roots;           /* (communicator, recorded instance) -> root, of inter-communicators */
    uint64_t unknown_roots;            /* of them; TRACE_OTF2_ROOT_UNKNOWN in the table */

    /* Running hashes over the collectives of each member of each communicator: calls, then sizes. */
    uint64_t *call_hashes, *size_hashes, *call_counts;
    size_t *first_member; /* [communicator] */
    uint32_t *marks;      /* what each rank's decoder marks communicators by, in turn: two arrays of them */

    /* Each rank's first event, and by collectives that nobody leaves before all have come: the latest coming
     * and the earliest leaving, in ns of the ranks' clocks. Sampled are the first on communicators of all
     * ranks, from sample_place[communicator] on. */
    uint64_t *first_ticks;
    size_t *sample_place;
    int64_t *comings, *leavings;

    int64_t rooted_votes;                /* evidence for (positive) or against multiplied sizes */
    bool indivisible[TRACE_COLLECTIVES]; /* sizes of this operation cannot be multiplied */
};

/* Finds a pair, or adds it; NULL when memory is out. *recent becomes its index. */
struct trace_otf2_pair *trace_otf2_other_pair(struct trace_otf2_survey *survey, uint32_t source,
                                              uint32_t target, uint32_t *recent);

/* A rank mostly has a few peers: *recent is the index of a pair that may be the one. */
TRACE_INLINE struct trace_otf2_pair *trace_otf2_find_pair(struct trace_otf2_survey *survey, uint32_t source,
                                                          uint32_t target, uint32_t *recent)
{
    if (*recent < survey->pair_count && survey->pairs[*recent].pair.source == source &&
        survey->pairs[*recent].pair.target == target)
        return &survey->pairs[*recent];
    return trace_otf2_other_pair(survey, source, target, recent);
}

/* A send adds the hash of its communicator and tag. -1 when memory is out. Here, since the decoder counts most
 * messages itself (groups.c). */
TRACE_INLINE int trace_otf2_count_send(struct trace_otf2_survey *survey, uint32_t rank, uint32_t peer,
                                       uint64_t bytes, uint32_t communicator, uint32_t tag)
{
    struct trace_otf2_pair *pair =
        trace_otf2_find_pair(survey, rank, peer, &survey->recent_sent[peer % TRACE_OTF2_RECENT_PAIRS]);

    if (pair == NULL)
        return -1;
    survey->sends++;
    survey->bytes_sent += bytes;
    pair->pair.messages++;
    pair->pair.bytes += bytes;
    pair->balance += base_hash(communicator, tag);
    return 0;
}

/* A receive takes it away: 0 is left when every channel of the pair is balanced. */
TRACE_INLINE int trace_otf2_count_receive(struct trace_otf2_survey *survey, uint32_t rank, uint32_t peer,
                                          uint64_t bytes, uint32_t communicator, uint32_t tag)
{
    struct trace_otf2_pair *pair =
        trace_otf2_find_pair(survey, peer, rank, &survey->recent_received[peer % TRACE_OTF2_RECENT_PAIRS]);

    if (pair == NULL)
        return -1;
    survey->receives++;
    survey->bytes_received += bytes;
    pair->receives++;
    pair->balance -= base_hash(communicator, tag);
    return 0;
}

/* Surveys all ranks. `tables` gets the exceptions of each rank; it must have ranks == NULL inside `context`
 * and an array for all ranks in `found`. The survey must be zeroed; it is freed by the caller, also after a
 * failure. */
int trace_otf2_survey_run(struct trace_otf2_survey *survey, struct trace_otf2_archive *archive,
                          const struct trace_otf2_context *context, struct trace_otf2_rank_tables *found,
                          struct base_error *error);
/* Puts the exceptions of a rank in the order in which cursors meet them. */
void trace_otf2_sort_tables(struct trace_otf2_rank_tables *found);
/* True when times of different ranks can be compared: the clocks do not contradict most of the collectives.
 */
bool trace_otf2_survey_has_common_clock(const struct trace_otf2_survey *survey,
                                        const struct trace_otf2_definitions *definitions);
void trace_otf2_survey_free(struct trace_otf2_survey *survey);

#endif
