/* See model.h. The first half says what messages carry, the second half runs schedules. */
#include "tests/traces/collectives/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/collectives/steps.h"

#define RANKS_MAX 64
#define STARTED_MAX 160

struct message {
    uint32_t from, to, phase;
    uint64_t bytes;
    size_t number;      /* among those of this pair, from 0 */
    uint64_t *snapshot; /* what the sender had when it started the send */
    bool matched;
};

struct run;

/* One algorithm as the model knows it. */
struct model {
    const char *algorithm;
    bool reduces;
    size_t (*units)(const struct run *run);
    uint64_t (*unit_bytes)(const struct run *run, size_t unit);
    uint64_t (*begin)(const struct run *run, uint32_t rank, size_t unit); /* mask at the start */
    bool (*carries)(const struct run *run, const struct message *message, const uint64_t *receiver,
                    size_t unit);
    uint64_t (*promised)(const struct run *run, uint32_t rank,
                         size_t unit); /* mask at the end, 0: anything */
};

struct receive {
    uint32_t from, phase;
    uint64_t bytes;
    uint64_t *snapshot;
    struct message *message;
};

struct member {
    struct trace_schedule schedule;
    size_t next;
    struct message **arrivals; /* sent to this member, in the order of the sends */
    size_t arrival_count, arrival_capacity;
    struct message *sent[STARTED_MAX]; /* since the last wait */
    size_t sent_count;
    struct receive posted[STARTED_MAX]; /* since the last wait */
    size_t posted_count;
};

struct run {
    const struct world *world;
    const struct trace_collective_call *call; /* of the world or of its part */
    const char *name;                         /* of the algorithm that is modelled */
    const struct model *model;
    uint32_t ranks, root;
    size_t units;
    uint64_t *held;  /* [rank * units + unit] */
    uint64_t *bytes; /* [unit] */
    struct member *members;
    struct traffic traffic;
    size_t first_chunk[RANKS_MAX + 1]; /* [rank] of the chunked allgather */
    uint64_t chunk_bytes;
};

/* Everything that is needed to run the case again by hand. */
static int fail(const struct run *run, const char *what, uint32_t from, uint32_t to)
{
    const struct trace_collective_call *call = run->call;
    fprintf(stderr, "%s, %u ranks, root %u, %llu bytes, %s: %s (%u to %u)\n", run->name, call->ranks,
            call->root, (unsigned long long)call->bytes, run->world->synchronous ? "synchronous" : "eager",
            what, from, to);
    return -1;
}

/* ---- What the collectives are about ---- */

static uint64_t everybody(const struct run *run)
{
    return (UINT64_C(1) << run->ranks) - 1;
}

static uint32_t relative_to_root(const struct run *run, uint32_t rank)
{
    return (rank + run->ranks - run->root) % run->ranks;
}

static uint32_t log2_floor(uint32_t number)
{
    uint32_t log = 0;
    while (number >> (log + 1) != 0)
        log++;
    return log;
}

/* The block of a rank, from the header of collectives: contributed ones are sent, answered-for ones received.
 */
static uint64_t block(const struct run *run, uint32_t rank)
{
    const struct trace_collective_call *call = run->call;
    if (call->vector == NULL)
        return call->bytes;
    switch (call->collective) {
    case TRACE_SCATTERV:
    case TRACE_REDUCE_SCATTER:
        return call->vector->received[rank];
    default:
        return call->vector->sent[rank];
    }
}

/* How a vector is seen: in one piece, in a piece or block for each rank, … */
static size_t one_unit(const struct run *run)
{
    (void)run;
    return 1;
}

static size_t unit_per_rank(const struct run *run)
{
    return run->ranks;
}

/* … and how long such a unit is. */
static uint64_t whole_vector(const struct run *run, size_t unit)
{
    (void)unit;
    return run->call->bytes;
}

static uint64_t no_bytes(const struct run *run, size_t unit)
{
    (void)run;
    (void)unit;
    return 0;
}

static uint64_t block_of_rank(const struct run *run, size_t unit)
{
    return block(run, (uint32_t)unit);
}

/* What ranks begin with: their own block, everything at the root, or a contribution to every unit. */
static uint64_t own_unit(const struct run *run, uint32_t rank, size_t unit)
{
    (void)run;
    return rank == unit;
}

static uint64_t root_has_all(const struct run *run, uint32_t rank, size_t unit)
{
    (void)unit;
    return rank == run->root;
}

static uint64_t own_contribution(const struct run *run, uint32_t rank, size_t unit)
{
    (void)run;
    (void)unit;
    return UINT64_C(1) << rank;
}

/* What ranks are to end with: of reductions, units into which everybody has gone. */
static uint64_t all_have_all(const struct run *run, uint32_t rank, size_t unit)
{
    (void)rank;
    (void)unit;
    return run->model->reduces ? everybody(run) : 1;
}

static uint64_t root_gets_all(const struct run *run, uint32_t rank, size_t unit)
{
    return rank == run->root ? all_have_all(run, rank, unit) : 0;
}

static uint64_t each_gets_own(const struct run *run, uint32_t rank, size_t unit)
{
    return rank == unit ? all_have_all(run, rank, unit) : 0;
}

/* What a message carries, where the algorithm needs no more than a sentence: all that its sender has, all of
 * that which the receiver had not when it posted its receive, or one rank's unit. */
static bool carries_all_held(const struct run *run, const struct message *message, const uint64_t *receiver,
                             size_t unit)
{
    (void)run;
    (void)receiver;
    return message->snapshot[unit] != 0;
}

static bool carries_what_is_new(const struct run *run, const struct message *message,
                                const uint64_t *receiver, size_t unit)
{
    (void)run;
    return message->snapshot[unit] != 0 && receiver[unit] == 0;
}

static bool carries_unit_of_sender(const struct run *run, const struct message *message,
                                   const uint64_t *receiver, size_t unit)
{
    (void)run;
    (void)receiver;
    return unit == message->from;
}

static bool carries_unit_of_receiver(const struct run *run, const struct message *message,
                                     const uint64_t *receiver, size_t unit)
{
    (void)run;
    (void)receiver;
    return unit == message->to;
}

/* Is the relative rank in the binomial subtree under the relative rank `top` (which is not the root)? */
static bool in_subtree(uint32_t top, uint32_t relative)
{
    return relative >= top && relative - top < (top & (0 - top));
}

/* Down a tree go the blocks of everyone below. */
static bool carries_subtree(const struct run *run, const struct message *message, const uint64_t *receiver,
                            size_t unit)
{
    (void)receiver;
    return in_subtree(relative_to_root(run, message->to), relative_to_root(run, (uint32_t)unit));
}

/* ---- Broadcast in pieces; a unit is the piece of a relative rank ---- */

static uint64_t ceiling_piece(const struct run *run, size_t unit)
{
    uint64_t bytes = run->call->bytes, piece = (bytes + run->ranks - 1) / run->ranks, taken = 0;
    for (size_t i = 0; i < unit; i++)
        taken += piece < bytes - taken ? piece : bytes - taken;
    return piece < bytes - taken ? piece : bytes - taken;
}

/* After the scatter (phase 0): all pieces of the sender's group of 2^k. */
static bool carries_bcast_doubling(const struct run *run, const struct message *message,
                                   const uint64_t *receiver, size_t unit)
{
    (void)receiver;
    if (message->phase == 0)
        return in_subtree(relative_to_root(run, message->to), (uint32_t)unit);
    if (message->phase > 64) /* to members without a partner: the pieces of the group beside theirs */
        return unit >> (message->phase - 65) ==
               (relative_to_root(run, message->to) >> (message->phase - 65) ^ 1);
    return unit >> (message->phase - 1) == relative_to_root(run, message->from) >> (message->phase - 1);
}

/* After the scatter: the piece that started phase - 1 ranks before the sender. */
static bool carries_bcast_ring(const struct run *run, const struct message *message, const uint64_t *receiver,
                               size_t unit)
{
    (void)receiver;
    if (message->phase == 0)
        return in_subtree(relative_to_root(run, message->to), (uint32_t)unit);
    return (unit + message->phase - 1) % run->ranks == relative_to_root(run, message->from);
}

/* ---- Allgather in chunks; a unit is one chunk of one rank's block ---- */

static void cut_chunks(struct run *run)
{
    run->chunk_bytes = run->call->segment_bytes > 0 ? run->call->segment_bytes : UINT64_MAX;
    for (uint32_t rank = 0; rank < run->ranks; rank++)
        run->first_chunk[rank + 1] =
            run->first_chunk[rank] +
            (size_t)(block(run, rank) / run->chunk_bytes + (block(run, rank) % run->chunk_bytes != 0));
}

static size_t chunk_units(const struct run *run)
{
    return run->first_chunk[run->ranks];
}

/* Chunks are numbered rank after rank. */
static uint64_t own_chunk(const struct run *run, uint32_t rank, size_t unit)
{
    return unit >= run->first_chunk[rank] && unit < run->first_chunk[rank + 1];
}

static uint64_t bytes_of_chunk(const struct run *run, size_t unit)
{
    uint32_t rank = 0;
    while (!own_chunk(run, rank, unit))
        rank++;
    uint64_t left = block(run, rank) - (unit - run->first_chunk[rank]) * run->chunk_bytes;
    return left < run->chunk_bytes ? left : run->chunk_bytes;
}

/* The n-th message to the right is the n-th chunk of the blocks from the sender on backwards. */
static bool carries_next_chunk(const struct run *run, const struct message *message, const uint64_t *receiver,
                               size_t unit)
{
    size_t skipped = message->number;
    uint32_t rank = message->from;
    (void)receiver;
    while (skipped >= run->first_chunk[rank + 1] - run->first_chunk[rank]) {
        skipped -= run->first_chunk[rank + 1] - run->first_chunk[rank];
        rank = (rank + run->ranks - 1) % run->ranks;
    }
    return unit == run->first_chunk[rank] + skipped;
}

/* ---- Alltoall; a unit is the token from rank unit / P for rank unit % P ---- */

static size_t tokens(const struct run *run)
{
    return (size_t)run->ranks * run->ranks;
}

/* The split of totals has a test of its own, so that it may be used here. */
static uint64_t token_bytes(const struct run *run, size_t unit)
{
    const struct trace_collective_call *call = run->call;
    if (call->vector == NULL)
        return call->bytes;
    return trace_vector_share(call->vector, (uint32_t)(unit / run->ranks), (uint32_t)(unit % run->ranks));
}

static uint64_t own_tokens(const struct run *run, uint32_t rank, size_t unit)
{
    return unit / run->ranks == rank;
}

static uint64_t tokens_arrived(const struct run *run, uint32_t rank, size_t unit)
{
    return unit % run->ranks == rank;
}

/* Directly from who has it to who wants it. */
static bool carries_token(const struct run *run, const struct message *message, const uint64_t *receiver,
                          size_t unit)
{
    (void)receiver;
    return unit == (size_t)message->from * run->ranks + message->to;
}

/* After k rounds a token has gone the low k bits of its distance. */
static bool carries_bruck_tokens(const struct run *run, const struct message *message,
                                 const uint64_t *receiver, size_t unit)
{
    uint32_t source = (uint32_t)(unit / run->ranks);
    uint32_t distance = (uint32_t)((unit % run->ranks + run->ranks - source) % run->ranks);
    uint32_t gone = distance & ((UINT32_C(1) << message->phase) - 1);
    (void)receiver;
    return (source + gone) % run->ranks == message->from && (distance >> message->phase & 1) != 0;
}

/* ---- Reductions over ranks folded to a power of two ---- */

static uint32_t excess(const struct run *run)
{
    return run->ranks - (UINT32_C(1) << log2_floor(run->ranks));
}

static uint32_t folded_number(const struct run *run, uint32_t rank)
{
    return rank < 2 * excess(run) ? rank / 2 : rank - excess(run);
}

static bool is_between_folded(const struct run *run, const struct message *message)
{
    return (message->from ^ message->to) == 1 && (message->from | 1) < 2 * excess(run);
}

static size_t folded_units(const struct run *run)
{
    return (size_t)1 << log2_floor(run->ranks);
}

static uint64_t folded_piece(const struct run *run, size_t unit)
{
    uint64_t bytes = run->call->bytes;
    uint64_t element = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
    uint64_t count = bytes / element, pieces = folded_units(run);
    return element * (count / pieces + (unit < count % pieces));
}

/* Halving with the nearest partner first: the range of pieces a folded rank is left with after some rounds.
 */
static bool answers_for(const struct run *run, uint32_t number, uint32_t rounds, size_t unit)
{
    size_t low = 0, high = folded_units(run);
    for (uint32_t mask = 1; rounds > 0; mask *= 2, rounds--) {
        size_t middle = (low + high) / 2;
        if ((number & mask) == 0)
            high = middle;
        else
            low = middle;
    }
    return unit >= low && unit < high;
}

/* Halving, then whatever finished pieces the receiver does not have. */
static bool carries_rabenseifner(const struct run *run, const struct message *message,
                                 const uint64_t *receiver, size_t unit)
{
    if (message->phase == 0)
        return true; /* the folding */
    if (message->phase <= log2_floor(run->ranks))
        return answers_for(run, folded_number(run, message->to), message->phase, unit);
    return message->snapshot[unit] == everybody(run) && receiver[unit] != everybody(run);
}

/* Halves of halves, the lower one rounded down to whole elements: a unit is what is left to a rank in the
 * end. */
static uint64_t halved_piece(const struct run *run, size_t unit)
{
    uint64_t bytes = run->call->bytes;
    uint64_t element = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
    uint64_t count = bytes / element;
    for (size_t pieces = folded_units(run); pieces > 1; pieces /= 2)
        count = (unit & pieces / 2) != 0 ? count - count / 2 : count / 2;
    return element * count;
}

/* A surplus pair first: to the even rank the left half, to the odd one the right half; in phase 1 the right
 * half again, reduced over both. */
static bool carries_rabenseifner_pairs(const struct run *run, const struct message *message,
                                       const uint64_t *receiver, size_t unit)
{
    bool right = unit >= folded_units(run) / 2;
    if (message->phase < 2)
        return right == (message->phase == 1 || message->to % 2 == 1);
    if (message->phase - 1 <= log2_floor(run->ranks))
        return answers_for(run, folded_number(run, message->to), message->phase - 1, unit);
    return message->snapshot[unit] == everybody(run) && receiver[unit] != everybody(run);
}

/* Halving with the farthest partner first: the blocks of the receiver's half. */
static bool carries_reduce_scatter(const struct run *run, const struct message *message,
                                   const uint64_t *receiver, size_t unit)
{
    uint32_t left = log2_floor(run->ranks) - message->phase; /* bits of the number not yet settled */
    (void)receiver;
    if (is_between_folded(run, message))
        return message->from % 2 == 0 || unit == message->to;
    return folded_number(run, (uint32_t)unit) >> left == folded_number(run, message->to) >> left;
}

/* ---- Scans; unit 0 is the group's reduction, unit 1 the prefix ---- */

static size_t scan_units(const struct run *run)
{
    (void)run;
    return 2;
}

static uint64_t scan_begin(const struct run *run, uint32_t rank, size_t unit)
{
    return unit == 1 && run->call->collective == TRACE_EXSCAN ? 0 : UINT64_C(1) << rank;
}

static bool carries_group(const struct run *run, const struct message *message, const uint64_t *receiver,
                          size_t unit)
{
    (void)run;
    (void)message;
    (void)receiver;
    return unit == 0;
}

static uint64_t scan_promised(const struct run *run, uint32_t rank, size_t unit)
{
    uint64_t before = (UINT64_C(1) << rank) - 1;
    if (unit == 0)
        return 0;
    return run->call->collective == TRACE_EXSCAN ? before : before | UINT64_C(1) << rank;
}

/* ---- Vectors in segments; a unit is one segment ---- */

static size_t segments_of(uint64_t bytes, uint64_t segment)
{
    return segment == 0 || bytes == 0 ? 1 : (size_t)((bytes + segment - 1) / segment);
}

static uint64_t nth_segment(uint64_t bytes, uint64_t segment, size_t n)
{
    uint64_t before = segment * n;
    if (segment == 0)
        return bytes;
    return bytes - before < segment ? bytes - before : segment;
}

static size_t segment_units(const struct run *run)
{
    return segments_of(run->call->bytes, run->call->segment_bytes);
}

static uint64_t segment_bytes(const struct run *run, size_t unit)
{
    return nth_segment(run->call->bytes, run->call->segment_bytes, unit);
}

/* The n-th message of a pair is the n-th segment; the last rank of the in-order tree sends the root all. */
static bool carries_segment(const struct run *run, const struct message *message, const uint64_t *receiver,
                            size_t unit)
{
    (void)run;
    (void)receiver;
    return message->phase == 1 || unit == message->number;
}

/* ---- Halves in segments; first the segments of the left half ---- */

static uint64_t element_of(uint64_t bytes)
{
    return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

/* Whole elements, the left half is the longer one. */
static uint64_t left_half(const struct run *run)
{
    uint64_t element = element_of(run->call->bytes);
    return (run->call->bytes / element + 1) / 2 * element;
}

static size_t left_segments(const struct run *run)
{
    return segments_of(left_half(run), run->call->segment_bytes);
}

static size_t half_units(const struct run *run)
{
    return left_segments(run) + segments_of(run->call->bytes - left_half(run), run->call->segment_bytes);
}

static uint64_t half_segment(const struct run *run, size_t unit)
{
    size_t left = left_segments(run);
    return unit < left
               ? nth_segment(left_half(run), run->call->segment_bytes, unit)
               : nth_segment(run->call->bytes - left_half(run), run->call->segment_bytes, unit - left);
}

/* Odd ranks from the root are on the left. */
static bool carries_half(const struct run *run, const struct message *message, const uint64_t *receiver,
                         size_t unit)
{
    size_t left = left_segments(run);
    bool to_left = relative_to_root(run, message->to) % 2 == 1;
    (void)receiver;
    if (message->phase == 1) /* the other half, as a whole */
        return to_left == (unit >= left);
    return unit == message->number + (to_left ? 0 : left);
}

/* ---- Gather after a call; units are the first segment and the rest of each rank's block ---- */

static size_t two_units_per_rank(const struct run *run)
{
    return 2 * (size_t)run->ranks;
}

static uint64_t first_or_rest(const struct run *run, size_t unit)
{
    uint64_t bytes = run->call->bytes, segment = run->call->segment_bytes;
    uint64_t first = segment == 0 || segment > bytes ? bytes : segment;
    return unit % 2 == 0 ? first : bytes - first;
}

static uint64_t own_two_units(const struct run *run, uint32_t rank, size_t unit)
{
    (void)run;
    return unit / 2 == rank;
}

static bool carries_first_or_rest(const struct run *run, const struct message *message,
                                  const uint64_t *receiver, size_t unit)
{
    (void)run;
    (void)receiver;
    return message->phase > 0 && unit == 2 * (size_t)message->from + message->phase - 1;
}

/* ---- Reductions around the ring; a unit is one go of one block ---- */

static size_t goes(const struct run *run)
{
    if (strcmp(run->name, "allreduce-ring") == 0)
        return 1;
    return segments_of(run->call->bytes / run->ranks, run->call->segment_bytes);
}

static size_t ring_units(const struct run *run)
{
    return run->ranks * goes(run);
}

/* Elements are dealt out to the blocks, those of a block to its goes, the first ones getting one more. */
static uint64_t ring_unit_bytes(const struct run *run, size_t unit)
{
    uint64_t element = element_of(run->call->bytes), count = run->call->bytes / element;
    uint64_t of_block = count / run->ranks + (unit / goes(run) < count % run->ranks);
    return element * (of_block / goes(run) + (unit % goes(run) < of_block % goes(run)));
}

/* Go after go, P - 1 messages each: in the n-th the block that is n ranks behind. Then the finished blocks.
 */
static bool carries_ring_block(const struct run *run, const struct message *message, const uint64_t *receiver,
                               size_t unit)
{
    size_t round = message->number % (run->ranks - 1), go = message->number / (run->ranks - 1);
    size_t block = (message->from + run->ranks - round + (go == goes(run))) % run->ranks;
    (void)receiver;
    return unit / goes(run) == block && (go == goes(run) || unit % goes(run) == go);
}

/* A block starts at the rank after its owner and moves on every round. */
static bool carries_scattered_block(const struct run *run, const struct message *message,
                                    const uint64_t *receiver, size_t unit)
{
    (void)receiver;
    return unit == (message->from + run->ranks - message->phase) % run->ranks;
}

/* Halving over the numbers of the remaining, nearest first; then the block goes to its owner. */
static bool carries_butterfly(const struct run *run, const struct message *message, const uint64_t *receiver,
                              size_t unit)
{
    (void)receiver;
    if (message->phase == 0)
        return true; /* the folding */
    if (message->phase == 64)
        return unit == message->to;
    if (run->call->collective == TRACE_REDUCE_SCATTER_BLOCK &&
        excess(run) == 0) /* blocks in the reversed order */
        return ((unit ^ message->to) & ((UINT32_C(1) << message->phase) - 1)) == 0;
    return answers_for(run, folded_number(run, message->to), message->phase,
                       folded_number(run, (uint32_t)unit));
}

/* Of reduce-scatter by recursive doubling: the round of a phase, and whether results are passed on in it. */
static uint32_t round_of_phase(uint32_t phase)
{
    return phase < 64 ? phase - 1 : phase / 64 - 1;
}

static bool is_passed_on(const struct message *message)
{
    return message->phase >= 64;
}

/* The ranks of the group whose contributions are passed on: only what was received is. */
static uint64_t partners_of(const struct run *run, const struct message *message)
{
    uint32_t round = round_of_phase(message->phase);
    uint64_t partners = 0;
    for (uint32_t rank = 0; rank < run->ranks; rank++)
        partners |= (uint64_t)(rank >> round == (message->from >> round ^ 1)) << rank;
    return partners;
}

/* Everything but the blocks of the sender's own group: those the receiver will never be asked for. What is passed on
 * came from the partner group. */
static bool carries_for_others(const struct run *run, const struct message *message, const uint64_t *receiver,
                               size_t unit)
{
    uint32_t round = round_of_phase(message->phase), group = message->from >> round;
    (void)run;
    (void)receiver;
    if (is_passed_on(message))
        group ^= 1;
    return unit >> round != group;
}

/* Of exscan the same: what is sent on includes the own contribution. */
static uint64_t prefix_promised(const struct run *run, uint32_t rank, size_t unit)
{
    (void)run;
    (void)unit;
    return (UINT64_C(2) << rank) - 1;
}

static const struct model models[] = {
#include "tests/traces/collectives/models.def"
};

/* ---- Running ---- */

static const struct model transport;

/* A message has what its sender had when it was started, whenever it is received. */
static uint64_t *snapshot(const struct run *run, uint32_t rank)
{
    uint64_t *copy = malloc((run->units + 1) * sizeof *copy);
    memcpy(copy, run->held + rank * run->units, run->units * sizeof *copy);
    return copy;
}

/* In the order of sending, which is the order of matching. */
static void start_send(struct run *run, uint32_t rank, const struct trace_step *step)
{
    struct member *own = &run->members[rank], *peer = &run->members[step->peer];
    struct message *message = malloc(sizeof *message);

    *message = (struct message){rank, step->peer, step->phase, step->bytes, 0, snapshot(run, rank), false};
    for (size_t i = 0; i < peer->arrival_count; i++)
        message->number += peer->arrivals[i]->from == rank;
    if (peer->arrival_count == peer->arrival_capacity) {
        peer->arrival_capacity = 2 * peer->arrival_capacity + 64;
        peer->arrivals = realloc(peer->arrivals, peer->arrival_capacity * sizeof *peer->arrivals);
    }
    peer->arrivals[peer->arrival_count++] = message;
    own->sent[own->sent_count++] = message;
    run->traffic.messages++;
    run->traffic.bytes += step->bytes;
}

/* Posted receives look for the first free message of their pair and phase, in the order of posting. */
static void match(struct member *member)
{
    for (size_t i = 0; i < member->posted_count; i++) {
        struct receive *receive = &member->posted[i];
        for (size_t k = 0; receive->message == NULL && k < member->arrival_count; k++) {
            struct message *message = member->arrivals[k];
            if (!message->matched && message->from == receive->from && message->phase == receive->phase) {
                message->matched = true;
                receive->message = message;
            }
        }
    }
}

/* One contribution may reach a unit once; a complete result may replace what went into it. */
static int take_in(struct run *run, const struct message *message, size_t unit)
{
    uint64_t *own = &run->held[message->to * run->units + unit];
    uint64_t more = message->snapshot[unit];

    if (run->model->carries == carries_for_others && is_passed_on(message))
        more &= partners_of(run, message);
    if (more == 0)
        return fail(run, "the sender does not have what it sends", message->from, message->to);
    if (!run->model->reduces)
        *own = 1;
    else if ((*own & more) == 0)
        *own |= more;
    else if (run->model->carries == carries_rabenseifner_pairs && message->phase == 1 && (*own & ~more) == 0)
        *own = more; /* a copy of what the pair has reduced */
    else if (more == everybody(run) && run->model->promised != scan_promised &&
             run->model->promised != prefix_promised)
        *own = more;
    else
        return fail(run, "a contribution is taken twice", message->from, message->to);
    return 0;
}

/* Empty units may be skipped by messages, except where nothing has a size. */
static bool matters(const struct run *run, size_t unit)
{
    return run->bytes[unit] > 0 || run->model->unit_bytes == no_bytes;
}

static int complete(struct run *run, const struct receive *receive)
{
    const struct message *message = receive->message;
    uint64_t bytes = 0;

    if (message->bytes != receive->bytes)
        return fail(run, "sent and received sizes differ", message->from, message->to);
    if (run->model == &transport)
        return 0;
    for (size_t unit = 0; unit < run->units; unit++) {
        if (!run->model->carries(run, message, receive->snapshot, unit))
            continue;
        bytes += run->bytes[unit];
        if (matters(run, unit) && take_in(run, message, unit) != 0)
            return -1;
    }
    if (run->model->carries == carries_group && message->from < message->to) {
        uint64_t *prefix = &run->held[message->to * run->units + 1];
        if ((*prefix & message->snapshot[0]) != 0)
            return fail(run, "a contribution is taken twice into the prefix", message->from, message->to);
        *prefix |= message->snapshot[0];
    }
    return bytes == message->bytes
               ? 0
               : fail(run, "the size is not that of its data", message->from, message->to);
}

/* Is all complete that was started before the wait? */
static bool may_go_on(const struct run *run, struct member *member)
{
    match(member);
    for (size_t i = 0; i < member->posted_count; i++)
        if (member->posted[i].message == NULL)
            return false;
    for (size_t i = 0; run->world->synchronous && i < member->sent_count; i++) {
        match(&run->members[member->sent[i]->to]);
        if (!member->sent[i]->matched)
            return false;
    }
    return true;
}

/* 1: a step was done; 0: it has to wait; -1: something is wrong. */
static int do_step(struct run *run, uint32_t rank)
{
    struct member *member = &run->members[rank];
    const struct trace_step *step = &member->schedule.steps[member->next];

    if (step->kind == TRACE_STEP_WAIT) {
        if (!may_go_on(run, member))
            return 0;
        for (size_t i = 0; i < member->posted_count; i++)
            if (complete(run, &member->posted[i]) != 0)
                return -1;
        for (size_t i = 0; i < member->posted_count; i++)
            free(member->posted[i].snapshot);
        member->posted_count = member->sent_count = 0;
    } else if (step->peer >= run->ranks || step->peer == rank) {
        return fail(run, "a step with an impossible peer", rank, step->peer);
    } else if (member->sent_count == STARTED_MAX || member->posted_count == STARTED_MAX) {
        return fail(run, "more messages under way than the model has room for", rank, step->peer);
    } else if (step->kind == TRACE_STEP_SEND) {
        start_send(run, rank, step);
    } else {
        member->posted[member->posted_count++] =
            (struct receive){step->peer, step->phase, step->bytes, snapshot(run, rank), NULL};
    }
    member->next++;
    return 1;
}

/* Ranks take turns, each as far as it gets; when none moves, all are done or all are stuck. */
static int run_all(struct run *run)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < run->ranks; i++) {
            uint32_t rank = run->world->backwards ? run->ranks - 1 - i : i;
            struct member *member = &run->members[rank];
            int done = 1;
            while (done > 0 && member->next < member->schedule.count) {
                done = do_step(run, rank);
                if (done < 0)
                    return -1;
                moved |= done > 0;
            }
        }
    }
    for (uint32_t rank = 0; rank < run->ranks; rank++)
        if (run->members[rank].next < run->members[rank].schedule.count)
            return fail(run, "deadlock", rank, rank);
    return 0;
}

/* Nothing is left over, and everybody has what was promised. */
static int check_end(const struct run *run)
{
    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        const struct member *member = &run->members[rank];
        if (member->posted_count + member->sent_count > 0)
            return fail(run, "the schedule does not end in a wait", rank, rank);
        for (size_t i = 0; i < member->arrival_count; i++)
            if (!member->arrivals[i]->matched)
                return fail(run, "a message is never received", member->arrivals[i]->from, rank);
        for (size_t unit = 0; unit < run->units; unit++) {
            uint64_t promised = run->model->promised(run, rank, unit);
            if (matters(run, unit) && promised != 0 && run->held[rank * run->units + unit] != promised)
                return fail(run, "a result is not what the collective promises", rank, (uint32_t)unit);
        }
    }
    return 0;
}

/* Leaves the steps of one part, with ranks and phases as it would have them alone. */
static void filter(struct trace_schedule *schedule, const struct world_part *part)
{
    size_t kept = 0;

    for (size_t i = 0; i < schedule->count; i++) {
        struct trace_step step = schedule->steps[i];
        if (step.kind != TRACE_STEP_WAIT && step.phase >> TRACE_PART_SHIFT != part->number)
            continue;
        step.peer -= step.kind != TRACE_STEP_WAIT ? part->first : 0;
        step.phase &= (UINT32_C(1) << TRACE_PART_SHIFT) - 1;
        schedule->steps[kept++] = step;
    }
    schedule->count = kept;
}

static int begin(struct run *run)
{
    const struct world_part *part = run->world->part;
    struct trace_collective_call call = run->world->call;

    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        call.rank = rank + (part != NULL ? part->first : 0);
        if (run->world->algorithm->schedule(&call, &run->members[rank].schedule) != 0)
            return fail(run, "no schedule", rank, rank);
        if (part != NULL)
            filter(&run->members[rank].schedule, part);
        for (size_t unit = 0; unit < run->units; unit++)
            run->held[rank * run->units + unit] = run->model->begin(run, rank, unit);
    }
    return 0;
}

/* Messages belong to who receives them, matched or not. */
static void clean_up(struct run *run)
{
    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        struct member *member = &run->members[rank];
        for (size_t i = 0; i < member->posted_count; i++)
            free(member->posted[i].snapshot);
        for (size_t i = 0; i < member->arrival_count; i++) {
            free(member->arrivals[i]->snapshot);
            free(member->arrivals[i]);
        }
        free(member->arrivals);
        trace_schedule_free(&member->schedule);
    }
    free(run->members);
    free(run->held);
    free(run->bytes);
}

static size_t no_units(const struct run *run)
{
    (void)run;
    return 0;
}

/* Of which nothing is asked but that its messages meet. */
static const struct model transport = {.algorithm = "messages", .units = no_units};

static int run_model(struct run *run, struct traffic *traffic)
{
    int status;

    cut_chunks(run);
    run->units = run->model->units(run);
    run->held = calloc(run->ranks * run->units + 1, sizeof *run->held);
    run->bytes = calloc(run->units + 1, sizeof *run->bytes);
    for (size_t unit = 0; unit < run->units; unit++)
        run->bytes[unit] = run->model->unit_bytes(run, unit);
    run->members = calloc(run->ranks, sizeof *run->members);
    status = begin(run);
    if (status == 0)
        status = run_all(run);
    if (status == 0)
        status = check_end(run);
    *traffic = run->traffic;
    clean_up(run);
    return status;
}

int world_run_transport(const struct world *world, struct traffic *traffic)
{
    struct run run = {.world = world,
                      .model = &transport,
                      .call = &world->call,
                      .name = world->algorithm->name,
                      .ranks = world->call.ranks};
    return run_model(&run, traffic);
}

int world_run(const struct world *world, struct traffic *traffic)
{
    struct run run = {.world = world};

    run.call = world->part != NULL ? &world->part->call : &world->call;
    run.name = world->part != NULL ? world->part->algorithm->name : world->algorithm->name;
    run.ranks = run.call->ranks;
    run.root = run.call->root;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].algorithm, run.name) == 0)
            run.model = &models[i];
    if (run.model == NULL)
        return fail(&run, "the model does not know this algorithm", 0, 0);
    return run_model(&run, traffic);
}
