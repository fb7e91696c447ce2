/* Random legal programs: on the ideal network the simulated time is the longest chain of compute times, on
 * every network it is at least that, and running twice gives the same digest.
 *
 * A program is made of actions in one global order; each appends its operations to the ranks that take part,
 * such that the action can complete under any protocol once the earlier ones have. So no program can
 * deadlock: the earliest incomplete action always has all its ranks in it. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/replay/support.h"

#define RANKS 9
#define PROGRAMS 120
#define ACTIONS 120
#define OPEN 64

struct maker {
    struct trace_memory *memory;
    struct base_random random;
    uint64_t open[RANKS][OPEN]; /* requests not yet waited for */
    size_t open_count[RANKS];
    uint32_t communicators[4][RANKS], sizes[4];
    uint32_t communicator_count;
};

static uint32_t below(struct maker *maker, uint32_t bound)
{
    return (uint32_t)base_random_below(&maker->random, bound);
}

/* Around the eager limit of 1024, on both sides of it, and sometimes nothing. */
static uint64_t some_bytes(struct maker *maker)
{
    static const uint64_t sizes[] = {0, 1, 8, 100, 1000, 1024, 1025, 2000, 5000};
    return sizes[below(maker, 9)];
}

static void some_work(struct maker *maker, uint32_t rank)
{
    if (below(maker, 3) == 0)
        add_compute(maker->memory, rank, below(maker, 2000));
}

static void keep(struct maker *maker, uint32_t rank, uint64_t request)
{
    if (maker->open_count[rank] < OPEN) /* else never waited for, which is legal */
        maker->open[rank][maker->open_count[rank]++] = request;
}

/* Waits for a random part of what is open, in random order. */
static void wait_for_some(struct maker *maker, uint32_t rank)
{
    uint64_t *open = maker->open[rank];
    uint32_t count = (uint32_t)maker->open_count[rank];
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t j = i + below(maker, count - i);
        uint64_t swapped = open[i];
        open[i] = open[j];
        open[j] = swapped;
    }
    uint32_t waited = count == 0 ? 0 : 1 + below(maker, count);
    if (waited > 0)
        add_wait_all(maker->memory, rank, open + count - waited, waited);
    maker->open_count[rank] -= waited;
}

static void post_send(struct maker *maker, uint32_t from, uint32_t to, uint32_t communicator, uint32_t tag,
                      uint64_t bytes, bool blocking)
{
    unsigned flags = (blocking ? 0 : TRACE_NONBLOCKING) | (below(maker, 4) == 0 ? TRACE_SYNCHRONOUS : 0);
    uint64_t request = trace_memory_next_request(maker->memory, from);
    add_op(maker->memory, from,
           (struct trace_op){.kind = TRACE_SEND,
                             .flags = flags,
                             .peer = to,
                             .tag = tag,
                             .communicator = communicator,
                             .bytes = bytes});
    if (!blocking)
        keep(maker, from, request);
}

static void post_receive(struct maker *maker, uint32_t from, uint32_t to, uint32_t communicator, uint32_t tag,
                         uint64_t bytes, bool blocking)
{
    uint64_t request = trace_memory_next_request(maker->memory, to);
    add_op(maker->memory, to,
           (struct trace_op){.kind = TRACE_RECEIVE,
                             .flags = blocking ? 0 : TRACE_NONBLOCKING,
                             .peer = from,
                             .tag = tag,
                             .communicator = communicator,
                             .bytes = bytes});
    if (!blocking)
        keep(maker, to, request);
}

/* One message, or several of one envelope, either side blocking or not. */
static void make_message(struct maker *maker, uint32_t from, uint32_t to)
{
    uint32_t tag = below(maker, 3), communicator = below(maker, 2) == 0 ? 0 : 1;
    for (uint32_t i = below(maker, 3) + 1; i > 0; i--) {
        uint64_t bytes = some_bytes(maker);
        bool self = from == to;
        some_work(maker, from);
        if (self || below(maker, 2) == 0) { /* to self, the receive must come first */
            post_receive(maker, from, to, communicator, tag, bytes, !self && below(maker, 2) == 0);
            post_send(maker, from, to, communicator, tag, bytes, self || below(maker, 2) == 0);
        } else {
            post_send(maker, from, to, communicator, tag, bytes, below(maker, 2) == 0);
            post_receive(maker, from, to, communicator, tag, bytes, below(maker, 2) == 0);
        }
        some_work(maker, to);
    }
}

/* Sent with tags 7, 8, 9; received in another order. */
static void make_crossed(struct maker *maker, uint32_t from, uint32_t to)
{
    uint32_t tags[3] = {7, 8, 9};
    uint64_t bytes = some_bytes(maker);
    for (uint32_t i = 0; i < 3; i++)
        post_send(maker, from, to, 0, tags[i], bytes, false);
    base_random_shuffle(&maker->random, tags, 3);
    for (uint32_t i = 0; i < 3; i++)
        post_receive(maker, from, to, 0, tags[i], bytes, from != to && below(maker, 2) == 0);
}

/* Both post first and wait afterwards. */
static void make_exchange(struct maker *maker, uint32_t a, uint32_t b)
{
    uint64_t bytes = some_bytes(maker);
    const uint32_t pair[2] = {a, b};
    for (uint32_t i = 0; i < 2; i++) {
        post_receive(maker, pair[1 - i], pair[i], 0, 11, bytes, false);
        post_send(maker, pair[i], pair[1 - i], 0, 11, bytes, false);
        some_work(maker, pair[i]);
    }
    wait_for_some(maker, a);
    wait_for_some(maker, b);
}

static void make_collective(struct maker *maker)
{
    static const enum trace_collective kinds[] = {TRACE_BARRIER, TRACE_BCAST,  TRACE_REDUCE, TRACE_ALLREDUCE,
                                                  TRACE_GATHER,  TRACE_EXSCAN, TRACE_SCATTER};
    uint32_t communicator = below(maker, maker->communicator_count);
    enum trace_collective kind = kinds[below(maker, 7)];
    uint32_t size = maker->sizes[communicator];
    bool rooted =
        kind == TRACE_BCAST || kind == TRACE_REDUCE || kind == TRACE_GATHER || kind == TRACE_SCATTER;
    uint32_t root = rooted ? below(maker, size) : UINT32_MAX;
    uint64_t bytes = some_bytes(maker);
    for (uint32_t i = 0; i < size; i++) {
        some_work(maker, maker->communicators[communicator][i]);
        add_collective(maker->memory, maker->communicators[communicator][i], kind, communicator, root, bytes);
    }
}

/* The world, a shuffled copy of it, and two overlapping parts. */
static void make_communicators(struct maker *maker)
{
    static const uint32_t sizes[4] = {RANKS, RANKS, 4, 1};
    uint32_t members[RANKS];
    for (uint32_t rank = 0; rank < RANKS; rank++)
        members[rank] = rank;
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0) {
            base_random_shuffle(&maker->random, members, RANKS);
            assert_int_equal(trace_memory_communicator(maker->memory, "part", members, sizes[i]), i);
        }
        memcpy(maker->communicators[i], members, sizeof members);
        maker->sizes[i] = sizes[i];
    }
    maker->communicator_count = 4;
}

static struct trace_program *make_program(uint64_t seed)
{
    struct maker maker = {.memory = trace_memory_new(RANKS)};
    base_random_seed(&maker.random, seed, 7);
    make_communicators(&maker);
    for (int i = 0; i < ACTIONS; i++) {
        uint32_t a = below(&maker, RANKS), b = below(&maker, RANKS), what = below(&maker, 10);
        if (what < 5)
            make_message(&maker, a, b);
        else if (what < 6)
            make_crossed(&maker, a, b);
        else if (what < 8 && a != b)
            make_exchange(&maker, a, b);
        else if (what < 9)
            wait_for_some(&maker, a);
        else
            make_collective(&maker);
    }
    for (uint32_t rank = 0; rank < RANKS; rank++)
        wait_for_some(&maker, rank);
    return trace_memory_program(maker.memory);
}

static uint64_t replayed(const char *topology, struct trace_program *program,
                         const struct replay_semantics *options, char digest[BASE_DIGEST_TEXT])
{
    struct replay_result result;
    struct base_error error = {0};
    uint64_t sent = 0;
    uint64_t time;
    if (replay_on(topology, program, options, &result, &error) < 0)
        fail_msg("%s", error.text);
    for (uint32_t rank = 0; rank < result.ranks; rank++) {
        assert_int_equal(result.rank[rank].compute_ns + result.rank[rank].wait_ns,
                         result.rank[rank].finish_ns);
        sent += result.rank[rank].messages_sent;
    }
    assert_int_equal(sent, result.messages);
    base_digest_text(&result.digest, digest);
    time = result.simulated_ns;
    replay_result_free(&result);
    return time;
}

static const char *const networks[] = {"torus:3x3", "king-mesh:3x3", "mesh:3x3", "king-torus:3x3"};

static void random_programs_obey_the_laws(void **state)
{
    struct replay_semantics options = test_options();
    char first[BASE_DIGEST_TEXT], second[BASE_DIGEST_TEXT];
    uint64_t longer = 0;
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        struct trace_program *program = make_program(seed);
        uint64_t chain = longest_chain(program, &options);
        assert_int_equal(replayed("ideal:9", program, &options, first), chain);
        for (size_t i = 0; i < 2; i++) {
            const char *network = networks[(seed + i) % 4];
            uint64_t time = replayed(network, program, &options, first);
            assert_true(time >= chain);
            assert_int_equal(replayed(network, program, &options, second), time);
            assert_string_equal(first, second);
            longer += time > chain;
        }
        trace_close(program);
    }
    assert_true(longer > PROGRAMS); /* the networks are no ideal ones in disguise */
}

/* The same for other limits of the protocol, and the extreme ones: all eager, all rendezvous. */
static void the_protocols_limit_changes_nothing_of_this(void **state)
{
    static const uint64_t limits[] = {0, 7, 1000, UINT64_MAX};
    struct replay_semantics options = test_options();
    char digest[BASE_DIGEST_TEXT];
    (void)state;
    for (uint64_t seed = 1000; seed < 1000 + PROGRAMS / 4; seed++) {
        struct trace_program *program = make_program(seed);
        options.eager_limit_bytes = limits[seed % 4];
        uint64_t chain = longest_chain(program, &options);
        assert_int_equal(replayed("ideal:9", program, &options, digest), chain);
        assert_true(replayed("torus:3x3", program, &options, digest) >= chain);
        trace_close(program);
    }
}

/* Other clocks are exact on the ideal network too when they divide the nanosecond; slower ones only add. */
static void other_clocks_run_the_same_programs(void **state)
{
    struct replay_semantics options = test_options();
    char digest[BASE_DIGEST_TEXT];
    (void)state;
    for (uint64_t seed = 2000; seed < 2000 + PROGRAMS / 4; seed++) {
        struct trace_program *program = make_program(seed);
        uint64_t chain = longest_chain(program, &options);
        options.clock_khz = 2000000;
        assert_int_equal(replayed("ideal:9", program, &options, digest), chain);
        options.clock_khz = 300000;
        uint64_t slow = replayed("ideal:9", program, &options, digest);
        assert_in_range(slow, chain, chain + chain / 10);
        assert_true(replayed("king-torus:3x3", program, &options, digest) >= slow);
        trace_close(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_obey_the_laws),
        cmocka_unit_test(the_protocols_limit_changes_nothing_of_this),
        cmocka_unit_test(other_clocks_run_the_same_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
