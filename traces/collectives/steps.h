/* What the algorithms of collectives are written with: appending steps, the blocks of a call, folding the
 * ranks to a power of two, halving a vector. For this folder only.
 *
 *      struct trace_steps steps = {schedule, false};
 *      trace_steps_exchange(&steps, target, sent_bytes, source, received_bytes, phase);
 *      return trace_steps_end(&steps);
 *
 * Ranks are ranks in the communicator. A phase is a number that both sides of a message derive alike: here
 * the round of the algorithm. */
#ifndef TRACE_COLLECTIVE_STEPS_H
#define TRACE_COLLECTIVE_STEPS_H

#include "traces/collectives/collective.h"

#define TRACE_BIT(symbol) (UINT32_C(1) << TRACE_##symbol)

/* Once memory is out, further steps are dropped and the end reports it. */
struct trace_steps {
    struct trace_schedule *schedule; /* borrowed: the steps go behind those it has */
    bool failed;                     /* memory was out */
};

void trace_steps_post_send(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes);
void trace_steps_post_receive(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes);
/* Appended only when something was posted since the last wait. */
void trace_steps_wait(struct trace_steps *steps);
/* MPI_Send, MPI_Recv and MPI_Sendrecv (which posts the receive first, as MPICH does). */
void trace_steps_send(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes);
void trace_steps_receive(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t bytes);
void trace_steps_exchange(struct trace_steps *steps, uint32_t target, uint64_t sent_bytes, uint32_t source,
                          uint64_t received_bytes, uint32_t phase);
/* The same bytes to every other rank, as a row of sends that is marked for a network to multicast; and a
 * wait. */
void trace_steps_multicast(struct trace_steps *steps, const struct trace_collective_call *call,
                           uint32_t phase, uint64_t bytes);
int trace_steps_end(const struct trace_steps *steps); /* 0, or -1 when memory was out */

/* Another collective as part of this one, done by `algorithm` among the part->ranks ranks from `first` on;
 * part->rank and part->root count from there. Parts are numbered from 0 to 15, which keeps their messages
 * apart, and have no parts themselves. Nothing when the part moves no data. */
void trace_steps_part(struct trace_steps *steps, const struct trace_algorithm *algorithm,
                      const struct trace_collective_call *part, uint32_t number, uint32_t first);
#define TRACE_PART_SHIFT 28 /* the part's number is above the algorithm's own phases */
bool trace_has_messages(const struct trace_collective_call *call);

/* The rank `ahead` places after (or before) a rank on the ring of all ranks; ahead <= ranks. */
uint32_t trace_rank_after(const struct trace_collective_call *call, uint32_t rank, uint32_t ahead);
uint32_t trace_rank_before(const struct trace_collective_call *call, uint32_t rank, uint32_t behind);
/* Own rank when the root counts as 0. */
uint32_t trace_rank_relative(const struct trace_collective_call *call);
/* The rank of a number, or the number of a rank, when the root and rank 0 have changed places. */
uint32_t trace_rank_swapped(const struct trace_collective_call *call, uint32_t rank);
bool trace_is_power_of_two(uint32_t number);
uint32_t trace_power_of_two_within(uint32_t ranks); /* the largest power of two <= ranks; ranks >= 1 */

/* The block of one rank (see struct trace_collective_call), the sum of `count` blocks from rank `first` on,
 * around the ring, and the sum of all; a sum beyond 64 bits gives UINT64_MAX. */
uint64_t trace_block_bytes(const struct trace_collective_call *call, uint32_t rank);
uint64_t trace_blocks_bytes(const struct trace_collective_call *call, uint32_t first, uint32_t count);
uint64_t trace_total_bytes(const struct trace_collective_call *call);

/* What the own rank exchanges with each other one in alltoallv and alltoallw (alltoall: call->bytes). On an
 * inter-communicator nothing goes to the own group. Arrays of call->ranks. 0, or -1: memory. */
struct trace_shares {
    uint64_t *sent, *received; /* bytes, by the other rank */
};

int trace_shares_init(struct trace_shares *shares, const struct trace_collective_call *call);
void trace_shares_free(struct trace_shares *shares);

/* Alltoall by messages with everybody, started in groups of `limit` partners: receives from the ranks ahead
 * in order, then sends to the ranks behind, or ahead if all are in one group. Blocks of no bytes are skipped.
 * Returns as a schedule function does. */
int trace_schedule_groups(const struct trace_collective_call *call, struct trace_schedule *schedule,
                          uint32_t limit, bool sends_ahead);

/* The element size assumed where MPICH counts elements (datatypes are not recorded): 8 bytes, or 4, 2, 1 when
 * the vector is no multiple of it. */
uint64_t trace_element_bytes(uint64_t vector_bytes);

/* Communicators of other sizes than 2^k: of the first 2 * excess ranks every second one hands its data to its
 * neighbour and sits out, so that `ranks` = 2^k remain, numbered from 0. */
struct trace_fold {
    uint32_t ranks, excess; /* excess: of the communicator over 2^k */
    bool keep_even;         /* which one of a pair remains: the even (reduce) or the odd one (all others) */
    uint32_t rank;          /* own number among the remaining, or UINT32_MAX when sitting out */
};

struct trace_fold trace_fold_of(const struct trace_collective_call *call, bool keep_even);
/* The communicator rank of one of the remaining. */
uint32_t trace_fold_member(const struct trace_fold *fold, uint32_t number);
/* The hand-over of `bytes` before the start: a send of who sits out, a receive of its neighbour, nothing for
 * others. */
void trace_steps_fold(struct trace_steps *steps, const struct trace_collective_call *call,
                      const struct trace_fold *fold, uint64_t bytes, uint32_t phase);
/* The way back: the neighbour sends `bytes` to who sat out. */
void trace_steps_unfold(struct trace_steps *steps, const struct trace_collective_call *call,
                        const struct trace_fold *fold, uint64_t bytes, uint32_t phase);

/* Recursive halving of a vector over 2^k folded ranks, nearest partner first (Rabenseifner 2004, as in
 * MPICH): the vector is 2^k pieces of whole elements, the first ones an element longer. After round s (from
 * 0) a rank answers for the half of its range that bit s of its number says, upper if set. */
struct trace_halves {
    struct trace_fold fold;           /* fold.ranks pieces, one for each that remains */
    uint64_t element_bytes, elements; /* of the whole vector */
    uint32_t rounds;                  /* k */
};

struct trace_halves trace_halves_of(const struct trace_fold *fold, uint64_t vector_bytes);
/* The bytes of the range that a remaining rank answers for after `rounds` rounds. */
uint64_t trace_halves_bytes(const struct trace_halves *halves, uint32_t number, uint32_t rounds);
/* Phases 1 .. rounds: each rank ends with its range reduced. For the remaining only. */
void trace_steps_halve(struct trace_steps *steps, const struct trace_halves *halves);

/* Broadcast by pieces of ceil(bytes / ranks), the last ones shorter or empty: the size of a piece by relative
 * rank (the root's is 0), and the binomial scatter from the root that gives each rank its own (phase 0; empty
 * parts are not sent). */
uint64_t trace_piece_bytes(const struct trace_collective_call *call, uint32_t relative_rank);
uint64_t trace_pieces_bytes(const struct trace_collective_call *call, uint32_t first, uint32_t count);
void trace_steps_scatter_pieces(struct trace_steps *steps, const struct trace_collective_call *call);

#endif
