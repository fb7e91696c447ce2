#include "tests/suite.h"

#include "tests/brief.h"
#include "tests/replay/engine/watch.h"

#include <stdlib.h>

#include "base/error.h"
#include "tests/replay/support.h"

/* Sanitizers look for other faults, which a tenth of the programs have as well; they take ten times as long.
 */
#if defined __SANITIZE_ADDRESS__
#define PROGRAMS 100
#define BRIEF_PART 2
#else
#define PROGRAMS 1000
#define BRIEF_PART 4
#endif

uint64_t random_programs(void)
{
    static uint64_t programs; /* asked for in loops, told once */
    const char *text = getenv("FLITREPLAY_RANDOM_PROGRAMS");
    if (programs == 0)
        programs = text != NULL ? strtoull(text, NULL, 10) : brief_count("programs", PROGRAMS, BRIEF_PART);
    return programs;
}

/* The reference gets everything; what probes saw is kept besides, for watch_resolve. */
static void observe(void *context, const struct replay_observation *now)
{
    struct watch *watch = context;
    reference_observe(&watch->matcher, now);
    if (now->what != REPLAY_PROBED)
        return;
    if (watch->count == watch->capacity) {
        watch->capacity = watch->capacity != 0 ? 2 * watch->capacity : 64;
        watch->seen = realloc(watch->seen, watch->capacity * sizeof *watch->seen);
        assert_non_null(watch->seen);
    }
    ASSERT_OK(base_table_put(&watch->probes, now->rank, now->event, watch->count));
    watch->seen[watch->count++] = *now;
}

/* A watch may be used again. */
void watch_free(struct watch *watch)
{
    reference_free(&watch->matcher);
    base_table_free(&watch->probes);
    free(watch->seen);
    *watch = (struct watch){0};
}

/* Most runs have the limit that the programs' sizes lie around; the others make all messages long or all
 * short. */
struct replay_result watch_replay(struct trace_program *program, struct net_network *network,
                                  struct watch *watch, uint64_t seed)
{
    static const uint64_t limits[] = {1024, 1024, 1024, 0, UINT64_MAX};
    static const uint32_t terminal[REFERENCE_RANKS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct replay_semantics options = test_options();
    struct replay_result result;
    struct base_error error = {0};
    size_t count;
    options.collectives = watch->collectives != NULL ? watch->collectives : trace_tunings(&count)[0];
    options.eager_limit_bytes = limits[seed % 5];
    options.observe = observe;
    options.observe_context = watch;
    if (replay_run(program, terminal, network, &options, &result, &error) < 0)
        fail_msg("program %llu: %s", (unsigned long long)seed, error.text);
    if (!reference_agrees(&watch->matcher))
        fail_msg("program %llu: %llu of %llu matches are wrong, %llu were told of", (unsigned long long)seed,
                 (unsigned long long)watch->matcher.wrong, (unsigned long long)watch->matcher.matched,
                 (unsigned long long)watch->matcher.told);
    net_network_free(network);
    return result;
}

/* By what the reference found, which has been compared with the engine. */
const struct reference_side *watch_partner(const struct watch *watch, uint32_t rank, uint64_t event)
{
    const struct reference_matcher *matcher = &watch->matcher;
    for (size_t i = 0; i < matcher->receive_count; i++)
        if (matcher->receives[i].rank == rank && matcher->receives[i].event == event)
            return &matcher->sends[matcher->receives[i].mate];
    return NULL;
}

/* Communicators keep their indices, and operations without new ones among them their request numbers. */
struct trace_program *watch_translate(struct trace_program *program, watch_translation *translate_op,
                                      const struct watch *watch)
{
    uint32_t ranks = trace_program_ranks(program);
    struct trace_memory *memory = trace_memory_new(ranks);
    struct base_error error = {0};
    for (uint32_t i = 1; i < trace_program_communicators(program); i++) {
        const struct trace_communicator *one = trace_program_communicator(program, i);
        assert_int_equal(trace_memory_communicator(memory, one->name, one->members, one->size), i);
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        struct trace_op op;
        while (trace_cursor_next(cursor, &op, &error) == 1 && op.kind != TRACE_END)
            translate_op(memory, rank, op, watch);
        trace_cursor_free(cursor);
    }
    return trace_memory_program(memory);
}

/* A probe returns for the message that it saw. */
void watch_resolve(struct trace_memory *memory, uint32_t rank, struct trace_op op, const struct watch *watch)
{
    if (op.kind == TRACE_RECEIVE) {
        const struct reference_side *send = watch_partner(watch, rank, op.event);
        assert_non_null(send);
        op.peer = send->rank;
        op.tag = send->tag;
    } else if (op.kind == TRACE_PROBE) {
        uint32_t index = base_table_get(&watch->probes, rank, op.event);
        assert_int_not_equal(index, BASE_TABLE_NONE);
        op.peer = watch->seen[index].peer;
        op.tag = watch->seen[index].tag;
    }
    add_op(memory, rank, op);
}
