#include "tests/suite.h"

#include "tests/replay/engine/random-program.h"

#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "tests/replay/support.h"

#define MOST_RANKS 9
#define OPEN 64
#define MOST_IN_ACTION 24 /* requests that one action opens on a rank */
#define MOST_MESSAGES 8
#define FIRST_OWN_TAG 100 /* tags from here on belong to one action each */

struct maker {
    struct trace_memory *memory;
    struct base_random random;
    unsigned features;
    uint32_t ranks, actions; /* so far */
    uint64_t open[MOST_RANKS][OPEN];
    size_t open_count[MOST_RANKS];
    uint32_t members[4][MOST_RANKS], sizes[4];
    uint32_t communicators;
};

/* ---- choices */

static uint32_t below(struct maker *maker, uint32_t bound)
{
    return (uint32_t)base_random_below(&maker->random, bound);
}

/* True once in so many times. */
static bool one_in(struct maker *maker, uint32_t bound)
{
    return below(maker, bound) == 0;
}

/* Whether the program is to have a feature. */
static bool has(const struct maker *maker, unsigned feature)
{
    return (maker->features & feature) != 0;
}

/* Around the eager limit of 1024, on both sides of it, and sometimes nothing. */
static uint64_t some_bytes(struct maker *maker)
{
    static const uint64_t sizes[] = {0, 1, 8, 100, 1000, 1024, 1025, 2000, 5000};
    return sizes[below(maker, 9)];
}

static void some_work(struct maker *maker, uint32_t rank)
{
    if (one_in(maker, 3))
        add_compute(maker->memory, rank, 1 + below(maker, 2000));
}

/* ---- single operations */

/* Waits for a random part of what is open, in random order. */
static void wait_for_some(struct maker *maker, uint32_t rank, bool all)
{
    uint64_t *open = maker->open[rank];
    uint32_t count = (uint32_t)maker->open_count[rank];
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t j = i + below(maker, count - i);
        uint64_t swapped = open[i];
        open[i] = open[j];
        open[j] = swapped;
    }
    uint32_t waited = count == 0 ? 0 : all ? count : 1 + below(maker, count);
    if (waited > 0)
        add_wait_all(maker->memory, rank, open + count - waited, waited);
    maker->open_count[rank] -= waited;
}

/* Waiting in the middle of an action could be waiting for its rest. */
static void keep(struct maker *maker, uint32_t rank, uint64_t request)
{
    assert_true(maker->open_count[rank] < OPEN);
    maker->open[rank][maker->open_count[rank]++] = request;
}

/* Appends an operation; what does not block is waited for some day. */
static void add(struct maker *maker, uint32_t rank, struct trace_op op)
{
    uint64_t request = trace_memory_next_request(maker->memory, rank);
    add_op(maker->memory, rank, op);
    if ((op.flags & TRACE_NONBLOCKING) != 0)
        keep(maker, rank, request);
}

/* Who sends what to whom; a receive's may have wildcards. */
struct envelope {
    uint32_t from, to, communicator, tag;
};

/* In one of MPI's modes. */
static void post_send(struct maker *maker, struct envelope envelope, uint64_t bytes, bool blocking)
{
    unsigned flags = blocking ? 0 : TRACE_NONBLOCKING;
    if (has(maker, RANDOM_SYNCHRONOUS) && one_in(maker, 5))
        flags |= TRACE_SYNCHRONOUS;
    else if (has(maker, RANDOM_BUFFERED) && one_in(maker, 8))
        flags |= TRACE_BUFFERED;
    some_work(maker, envelope.from);
    add(maker, envelope.from,
        (struct trace_op){.kind = TRACE_SEND,
                          .flags = flags,
                          .peer = envelope.to,
                          .tag = envelope.tag,
                          .communicator = envelope.communicator,
                          .bytes = bytes});
}

/* A probe for the same stands before some of the blocking ones: it sees what the receive is about to get. */
static void post_receive(struct maker *maker, struct envelope envelope, uint64_t bytes, bool blocking)
{
    struct trace_op op = {.kind = TRACE_PROBE,
                          .peer = envelope.from,
                          .tag = envelope.tag,
                          .communicator = envelope.communicator};
    some_work(maker, envelope.to);
    if (blocking && has(maker, RANDOM_PROBES) && one_in(maker, 5))
        add(maker, envelope.to, op);
    op.kind = TRACE_RECEIVE;
    op.flags = blocking ? 0 : TRACE_NONBLOCKING;
    op.bytes = bytes;
    add(maker, envelope.to, op);
}

/* ---- actions on resolved messages */

/* One message, or several of one envelope, either side blocking or not. To self the receive comes first. */
static void make_messages(struct maker *maker, struct envelope envelope)
{
    bool self = envelope.from == envelope.to;
    for (uint32_t i = below(maker, 3) + 1; i > 0; i--) {
        uint64_t bytes = some_bytes(maker);
        if (self) {
            post_receive(maker, envelope, bytes, false);
            post_send(maker, envelope, bytes, true);
        } else {
            post_send(maker, envelope, bytes, one_in(maker, 2));
            post_receive(maker, envelope, bytes, one_in(maker, 2));
        }
    }
}

/* Different tags, sent in one order and received in another. Sends do not block, so that receives may. */
static void make_crossed(struct maker *maker, struct envelope envelope)
{
    uint32_t tags[5] = {7, 8, 9, 10, 11};
    uint32_t count = 2 + below(maker, 4);
    uint64_t bytes = some_bytes(maker);
    for (uint32_t i = 0; i < count; i++) {
        envelope.tag = tags[i];
        post_send(maker, envelope, bytes, false);
    }
    base_random_shuffle(&maker->random, tags, count);
    for (uint32_t i = 0; i < count; i++) {
        envelope.tag = tags[i];
        post_receive(maker, envelope, bytes, envelope.from != envelope.to && one_in(maker, 2));
    }
}

/* Both post first and wait afterwards. */
static void make_exchange(struct maker *maker, struct envelope envelope)
{
    uint64_t bytes = some_bytes(maker);
    struct envelope back = {envelope.to, envelope.from, envelope.communicator, envelope.tag};
    post_receive(maker, back, bytes, false);
    post_send(maker, envelope, bytes, false);
    post_receive(maker, envelope, bytes, false);
    post_send(maker, back, bytes, false);
    wait_for_some(maker, envelope.from, one_in(maker, 2));
    wait_for_some(maker, envelope.to, one_in(maker, 2));
}

/* ---- actions with wildcards */

/* Several ranks send to one with a tag of this action's own, and it takes exactly as many from anybody: every
 * message fits every receive. Some receives may name a rank: as many as are surely left for it, which is all
 * of its messages in front of the wildcards, and behind k of them those beyond k. */
static void make_gathering(struct maker *maker, struct envelope envelope)
{
    uint32_t count = 1 + below(maker, MOST_MESSAGES), named = below(maker, maker->ranks), of_named = 0;
    uint64_t most = 5000;
    envelope.tag = FIRST_OWN_TAG + maker->actions;
    for (uint32_t i = 0; i < count; i++) {
        envelope.from = one_in(maker, 3) ? named : below(maker, maker->ranks);
        of_named += envelope.from == named;
        post_send(maker, envelope, some_bytes(maker), envelope.from != envelope.to && one_in(maker, 2));
    }
    uint32_t before = one_in(maker, 2) ? 0 : below(maker, of_named + 1);
    uint32_t surely = below(maker, of_named - before + 1);
    for (uint32_t i = 0; i < count; i++) {
        envelope.from = i >= before && i < before + surely ? named : TRACE_ANY_SOURCE;
        post_receive(maker, envelope, most, one_in(maker, 2));
    }
}

/* One rank sends with several tags; the first receives take what comes, in the order it was sent, and the
 * others name what is left. Earlier messages of the pair have receives that were posted earlier. */
static void make_any_tag(struct maker *maker, struct envelope envelope)
{
    uint32_t tags[5] = {7, 8, 9, 10, 11};
    uint32_t count = 1 + below(maker, 5), wild = 1 + below(maker, count);
    uint64_t bytes = some_bytes(maker);
    base_random_shuffle(&maker->random, tags, 5);
    for (uint32_t i = 0; i < count; i++) {
        envelope.tag = tags[i];
        post_send(maker, envelope, bytes, false);
    }
    base_random_shuffle(&maker->random, tags + wild, count - wild);
    for (uint32_t i = 0; i < count; i++) {
        envelope.tag = i < wild ? TRACE_ANY_TAG : tags[i];
        post_receive(maker, envelope, bytes, envelope.from != envelope.to && one_in(maker, 2));
    }
}

/* Everybody, on MPI_COMM_WORLD. */
static void make_barrier(struct maker *maker)
{
    for (uint32_t rank = 0; rank < maker->ranks; rank++)
        add_collective(maker->memory, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
}

/* Anything from anybody. Until all of it is there nobody may send what comes later: the receiver waits for
 * all that it has open, and then everybody for the receiver. */
static void make_free_for_all(struct maker *maker, struct envelope envelope)
{
    uint32_t count = 1 + below(maker, MOST_MESSAGES);
    for (uint32_t i = 0; i < count; i++) {
        envelope.from = below(maker, maker->ranks);
        envelope.tag = below(maker, 12);
        post_send(maker, envelope, some_bytes(maker), envelope.from != envelope.to && one_in(maker, 2));
    }
    envelope.from = TRACE_ANY_SOURCE;
    envelope.tag = TRACE_ANY_TAG;
    for (uint32_t i = 0; i < count; i++)
        post_receive(maker, envelope, 5000, one_in(maker, 2));
    wait_for_some(maker, envelope.to, true);
    make_barrier(maker);
}

/* ---- collectives and one-sided calls */

/* Of the kinds that are made here. */
static bool is_rooted(enum trace_collective kind)
{
    return kind == TRACE_BCAST || kind == TRACE_REDUCE || kind == TRACE_GATHER || kind == TRACE_SCATTER;
}

/* What a member sends to each and gets from each: a number that both sides work out alike. */
static void fill_vector(struct maker *maker, uint64_t *sent, uint64_t *received, uint32_t size,
                        uint32_t member)
{
    for (uint32_t i = 0; i < size; i++) {
        sent[i] = base_hash(maker->actions, member * MOST_RANKS + i) % 3 * 700;
        received[i] = base_hash(maker->actions, i * MOST_RANKS + member) % 3 * 700;
    }
}

/* All members of a communicator; what does not block is waited for some day, with other requests. */
static void make_collective(struct maker *maker)
{
    static const enum trace_collective kinds[] = {
        TRACE_BARRIER, TRACE_BCAST,     TRACE_REDUCE,   TRACE_ALLREDUCE, TRACE_GATHER,
        TRACE_SCATTER, TRACE_ALLGATHER, TRACE_ALLTOALL, TRACE_SCAN,      TRACE_ALLTOALLV};
    uint32_t communicator = below(maker, maker->communicators), size = maker->sizes[communicator];
    struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL,
                          .collective = kinds[below(maker, has(maker, RANDOM_VECTORS) ? 10 : 9)],
                          .communicator = communicator,
                          .root = UINT32_MAX};
    uint64_t sent[MOST_RANKS], received[MOST_RANKS];
    const struct trace_vector vector = {sent, received, size, true};
    if (has(maker, RANDOM_NONBLOCKING_COLLECTIVES) && one_in(maker, 2))
        op.flags = TRACE_NONBLOCKING;
    if (is_rooted(op.collective))
        op.root = below(maker, size);
    if (op.collective == TRACE_ALLTOALLV)
        op.vector = &vector;
    else if (op.collective != TRACE_BARRIER)
        op.bytes = some_bytes(maker);
    for (uint32_t i = 0; i < size; i++) {
        some_work(maker, maker->members[communicator][i]);
        fill_vector(maker, sent, received, size, i);
        add(maker, maker->members[communicator][i], op);
    }
}

/* Nothing at the target. Memory of one's own is among them. */
static void make_one_sided(struct maker *maker, struct envelope envelope)
{
    for (uint32_t i = below(maker, 3) + 1; i > 0; i--)
        add(maker, envelope.from,
            (struct trace_op){.kind = one_in(maker, 2) ? TRACE_PUT : TRACE_GET,
                              .flags = TRACE_NONBLOCKING,
                              .peer = envelope.to,
                              .communicator = envelope.communicator,
                              .bytes = some_bytes(maker)});
    wait_for_some(maker, envelope.from, false);
}

/* ---- the program */

/* The world, a shuffled copy of it, and two parts. */
static void make_communicators(struct maker *maker)
{
    uint32_t members[MOST_RANKS];
    maker->communicators = has(maker, RANDOM_COMMUNICATORS) ? 4 : 1;
    for (uint32_t rank = 0; rank < maker->ranks; rank++)
        members[rank] = rank;
    for (uint32_t i = 0; i < maker->communicators; i++) {
        static const char *const names[] = {"MPI_COMM_WORLD", "shuffled", "part", "other"};
        maker->sizes[i] = i < 2 ? maker->ranks : 1 + below(maker, maker->ranks);
        if (i > 0) {
            base_random_shuffle(&maker->random, members, maker->ranks);
            assert_int_equal(trace_memory_communicator(maker->memory, names[i], members, maker->sizes[i]), i);
        }
        memcpy(maker->members[i], members, sizeof members);
    }
}

/* Wildcards in a quarter of the actions of programs that have them. */
static void make_action(struct maker *maker)
{
    uint32_t wide = maker->communicators > 1 ? 2 : 1;
    struct envelope envelope = {below(maker, maker->ranks), below(maker, maker->ranks), below(maker, wide),
                                below(maker, 3)};
    uint32_t what = below(maker, 20);
    if (what < 3 && has(maker, RANDOM_WILDCARDS))
        make_gathering(maker, envelope);
    else if (what < 5 && has(maker, RANDOM_WILDCARDS))
        make_any_tag(maker, envelope);
    else if (what < 6 && has(maker, RANDOM_WILDCARDS))
        make_free_for_all(maker, envelope);
    else if (what < 7 && has(maker, RANDOM_ONE_SIDED))
        make_one_sided(maker, envelope);
    else if (what < 11)
        make_messages(maker, envelope);
    else if (what < 13)
        make_crossed(maker, envelope);
    else if (what < 15 && envelope.from != envelope.to)
        make_exchange(maker, envelope);
    else if (what < 17)
        wait_for_some(maker, envelope.from, false);
    else
        make_collective(maker);
}

struct trace_memory *random_program(uint64_t seed, uint32_t actions, unsigned features)
{
    struct maker maker = {.ranks = 2 + (uint32_t)(seed % (MOST_RANKS - 1)), .features = features};
    base_random_seed(&maker.random, seed, 11);
    maker.memory = trace_memory_new(maker.ranks);
    assert_non_null(maker.memory);
    make_communicators(&maker);
    for (; maker.actions < actions; maker.actions++) {
        make_action(&maker);
        for (uint32_t rank = 0; rank < maker.ranks; rank++)
            if (maker.open_count[rank] > OPEN - MOST_IN_ACTION)
                wait_for_some(&maker, rank, true);
    }
    for (uint32_t rank = 0; rank < maker.ranks; rank++)
        wait_for_some(&maker, rank, true);
    return maker.memory;
}
