/* Random programs with all collectives, written to every format and back, twice: no operation may have other
 * messages than it had, but for the parts of alltoallv and alltoallw, of which OTF2 has the totals only. And
 * the same programs as recorders write them down in OTF2, by each convention of sizes and in place.
 *
 *     random calls ─► program ─► otf2 ─► otf2, dumpi, goal ─► goal, otf2, dumpi
 *                            └─► dumpi ─► otf2, dumpi, goal ─► …
 *                            └─► goal ─► …
 *
 * Collectives are compared by what the algorithms of the table mpich make of them; a schedule of GOAL, which
 * has those messages and no collectives, by its messages from rank to rank. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/drafted.h"
#include "traces/collectives/collective.h"
#include "traces/graph/graph.h"
#include "tests/traces/memory.h"
#include "traces/writers/writer.h"

#define RANKS_MAX 7
#define CALLS_MAX 24
#define COMMUNICATORS_MAX 5
#define CASES 60
#define TEXT 4096

/* One collective call, as all members make it. blocks[i][j]: what member i has for member j; what each member
 * has for all, or for the root, stands in blocks[i][0]. */
struct call {
    enum trace_collective collective;
    uint32_t communicator, root; /* UINT32_MAX: none */
    bool nonblocking;
    uint64_t bytes;
    uint64_t blocks[RANKS_MAX][RANKS_MAX];
};

struct group {
    uint32_t size, first; /* first: of an inter-communicator, the ranks of its first group; else 0 */
    uint32_t members[RANKS_MAX];
};

struct script {
    uint32_t ranks, group_count, call_count;
    struct group groups[COMMUNICATORS_MAX];
    struct call calls[CALLS_MAX];
};

static bool has_root(enum trace_collective collective)
{
    return collective == TRACE_BCAST || collective == TRACE_GATHER || collective == TRACE_GATHERV ||
           collective == TRACE_SCATTER || collective == TRACE_SCATTERV || collective == TRACE_REDUCE;
}

static bool has_pairs(enum trace_collective collective)
{
    return collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW;
}

static bool has_blocks(enum trace_collective collective)
{
    return collective == TRACE_GATHERV || collective == TRACE_SCATTERV || collective == TRACE_ALLGATHERV ||
           collective == TRACE_REDUCE_SCATTER;
}

/* ---- random calls */

static uint64_t random_bytes(struct base_random *random)
{
    static const uint64_t limits[] = {1, 2, 9, 400, 70000, 1000000};
    return base_random_below(random, limits[base_random_below(random, 6)]);
}

static struct group random_group(struct base_random *random, uint32_t ranks, bool inter)
{
    struct group group = {0};

    for (uint32_t i = 0; i < ranks; i++)
        group.members[i] = i;
    base_random_shuffle(random, group.members, ranks);
    group.size = inter ? 2 + (uint32_t)base_random_below(random, ranks - 1)
                       : 1 + (uint32_t)base_random_below(random, ranks);
    if (inter)
        group.first = 1 + (uint32_t)base_random_below(random, group.size - 1);
    return group;
}

/* Reduce_scatter's blocks have one sum in both groups of an inter-communicator. */
static void even_out(struct call *call, const struct group *group)
{
    uint64_t sums[2] = {0, 0};

    for (uint32_t i = 0; i < group->size; i++)
        sums[i >= group->first] += call->blocks[i][0];
    call->blocks[0][0] += sums[1] > sums[0] ? sums[1] - sums[0] : 0;
    call->blocks[group->first][0] += sums[0] > sums[1] ? sums[0] - sums[1] : 0;
}

/* MPI has no scans between groups, and each group of a reduce_scatter_block is left with as much as the
 * other. */
static bool is_legal(enum trace_collective collective, const struct group *group)
{
    if (group->first == 0)
        return true;
    return collective != TRACE_SCAN && collective != TRACE_EXSCAN &&
           (collective != TRACE_REDUCE_SCATTER_BLOCK || 2 * group->first == group->size);
}

static struct call random_call(struct base_random *random, const struct script *script)
{
    struct call call = {.root = UINT32_MAX};
    const struct group *group;

    call.communicator = (uint32_t)base_random_below(random, script->group_count);
    group = &script->groups[call.communicator];
    do
        call.collective = (enum trace_collective)base_random_below(random, TRACE_COLLECTIVES);
    while (!is_legal(call.collective, group));
    if (has_root(call.collective))
        call.root = (uint32_t)base_random_below(random, group->size);
    call.nonblocking = base_random_below(random, 4) == 0;
    call.bytes = call.collective == TRACE_BARRIER ? 0 : random_bytes(random);
    for (uint32_t i = 0; i < group->size; i++)
        for (uint32_t j = 0; j < group->size; j++)
            call.blocks[i][j] = random_bytes(random);
    if (group->first > 0 && call.collective == TRACE_REDUCE_SCATTER)
        even_out(&call, group);
    return call;
}

static struct script random_script(uint64_t number, bool between_groups)
{
    struct base_random random;
    struct script script = {0};

    base_random_seed(&random, number, 17);
    script.ranks = 2 + (uint32_t)base_random_below(&random, RANKS_MAX - 1);
    script.group_count = 1 + (uint32_t)base_random_below(&random, COMMUNICATORS_MAX);
    script.groups[0].size = script.ranks;
    for (uint32_t i = 0; i < script.ranks; i++)
        script.groups[0].members[i] = i;
    for (uint32_t i = 1; i < script.group_count; i++)
        script.groups[i] =
            random_group(&random, script.ranks, base_random_below(&random, 3) == 0 && between_groups);
    script.call_count = 4 + (uint32_t)base_random_below(&random, CALLS_MAX - 3);
    for (uint32_t i = 0; i < script.call_count; i++)
        script.calls[i] = random_call(&random, &script);
    return script;
}

/* ---- calls as a program */

static bool are_on_one_side(const struct group *group, uint32_t a, uint32_t b)
{
    return group->first == 0 || (a < group->first) == (b < group->first);
}

/* Whether a member's block is one of those that another gets, or gives. */
static bool is_partner(const struct group *group, enum trace_collective collective, uint32_t member,
                       uint32_t other)
{
    return group->first == 0 || are_on_one_side(group, member, other) == (collective == TRACE_REDUCE_SCATTER);
}

/* What the member has to say of sizes: a row and a column, or everybody's blocks where it must know them. */
static bool fill_vector(const struct group *group, const struct call *call, uint32_t member, uint64_t *sent,
                        uint64_t *received)
{
    bool gathers = call->collective == TRACE_GATHERV || call->collective == TRACE_ALLGATHERV;
    uint64_t *parts = gathers ? sent : received, *whole = gathers ? received : sent;
    uint64_t total = 0;

    if (has_root(call->collective) && member != call->root)
        return false;
    for (uint32_t i = 0; i < group->size; i++) {
        sent[i] = received[i] = 0;
        if (has_pairs(call->collective) && is_partner(group, call->collective, member, i)) {
            sent[i] = call->blocks[member][i];
            received[i] = call->blocks[i][member];
        } else if (has_blocks(call->collective)) {
            parts[i] = has_root(call->collective) && !is_partner(group, call->collective, member, i)
                           ? 0
                           : call->blocks[i][0];
            total += is_partner(group, call->collective, member, i) ? parts[i] : 0;
        }
    }
    for (uint32_t i = 0; i < group->size && has_blocks(call->collective); i++)
        if (!has_root(call->collective) || i == member)
            whole[i] = total;
    return true;
}

static void add_call(struct trace_memory *memory, const struct script *script, const struct call *call,
                     uint32_t member)
{
    const struct group *group = &script->groups[call->communicator];
    uint32_t rank = group->members[member];
    uint64_t sent[RANKS_MAX], received[RANKS_MAX];
    uint64_t request = trace_memory_next_request(memory, rank);
    struct trace_vector vector = {sent, received, group->size, has_pairs(call->collective)};
    struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL,
                          .collective = call->collective,
                          .communicator = call->communicator,
                          .root = call->root,
                          .bytes = call->bytes,
                          .flags = call->nonblocking ? TRACE_NONBLOCKING : 0};
    struct trace_op wait = {.kind = TRACE_WAIT, .root = UINT32_MAX, .requests = &request, .request_count = 1};

    if (has_pairs(call->collective) || has_blocks(call->collective)) {
        op.bytes = 0;
        if (fill_vector(group, call, member, sent, received))
            op.vector = &vector;
        else if (group->first == 0 || !are_on_one_side(group, member, call->root))
            op.bytes = call->blocks[member][0];
    }
    assert_int_equal(trace_memory_add(memory, rank, &op), 0);
    if (call->nonblocking)
        assert_int_equal(trace_memory_add(memory, rank, &wait), 0);
}

static struct trace_program *program_of(const struct script *script)
{
    struct trace_memory *memory = trace_memory_new(script->ranks);

    assert_non_null(memory);
    for (uint32_t i = 1; i < script->group_count; i++) {
        const struct group *group = &script->groups[i];
        uint32_t first = group->first;
        uint32_t index;
        index = first == 0 ? trace_memory_communicator(memory, "some", group->members, group->size)
                           : trace_memory_inter(memory, "two", group->members, first, group->members + first,
                                                group->size - first);
        assert_int_equal(index, i);
    }
    for (uint32_t i = 0; i < script->call_count; i++)
        for (uint32_t j = 0; j < script->groups[script->calls[i].communicator].size; j++)
            add_call(memory, script, &script->calls[i], j);
    return trace_memory_program(memory);
}

/* ---- what an operation sends and receives */

static bool implied_lost; /* by the last writer */

struct message_text {
    char text[TEXT];
    size_t length;
};

static void append(struct message_text *text, const char *format, uint64_t a, uint64_t b)
{
    text->length += (size_t)snprintf(text->text + text->length, TEXT - text->length, format, a, b);
    assert_true(text->length < TEXT);
}

static uint32_t world_rank(const struct trace_communicator *group, uint32_t member)
{
    return member < group->size ? group->members[member] : group->remote_members[member - group->size];
}

/* Of those with a size for each pair: what is sent. What is received may be a byte off for each rank, where
 * totals were split; all ranks together receive what they send. */
static void describe_pairs(struct message_text *text, const struct trace_collective_call *call)
{
    uint64_t sent = 0;

    assert_non_null(call->vector);
    for (uint32_t i = 0; i < call->ranks; i++)
        if (call->vector->pairwise || i == call->rank)
            sent += call->vector->sent[i];
    append(text, " sends %" PRIu64 "%.0" PRIu64, sent, 0);
}

static void describe(struct trace_program *program, uint32_t rank, const struct trace_op *op,
                     struct message_text *text)
{
    static struct trace_schedule schedule;
    struct base_error error = {0};
    const struct trace_communicator *group = trace_program_communicator(program, op->communicator);
    struct trace_collective_call call = {.collective = op->collective,
                                         .ranks = group->size + group->remote_size,
                                         .rank = trace_communicator_position(group, rank),
                                         .root = op->root,
                                         .bytes = op->bytes,
                                         .vector = op->vector,
                                         .first_group = group->remote_size > 0 ? group->size : 0};

    if (call.vector == NULL)
        call.vector = trace_program_vector(program, op->communicator, op->instance);
    append(text, "of %" PRIu64 " ranks%.0" PRIu64 ":", call.ranks, 0);
    if (has_pairs(op->collective)) {
        describe_pairs(text, &call);
        return;
    }
    if (trace_collective_schedule(trace_tuning_find("mpich", &error), &call, &schedule, &error) != 0)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < schedule.count; i++)
        if (schedule.steps[i].kind != TRACE_STEP_WAIT && schedule.steps[i].bytes > 0)
            append(text,
                   schedule.steps[i].kind == TRACE_STEP_SEND ? " >%" PRIu64 ":%" PRIu64
                                                             : " <%" PRIu64 ":%" PRIu64,
                   world_rank(group, schedule.steps[i].peer), schedule.steps[i].bytes);
    trace_schedule_free(&schedule);
}

/* How a leader tells its group of the other one, when an inter-communicator is made. DUMPI's writer makes it
 * anew and keeps these of the first time as calls of the program, which it says. */
static bool is_told(const struct trace_op *op)
{
    return op->collective == TRACE_BCAST && op->bytes == 8;
}

/* A communicator of one rank needs no replay, and OTF2's reader leaves it out. */
static bool counts(const struct trace_program *program, const struct trace_op *op)
{
    const struct trace_communicator *group;

    if (op->kind != TRACE_COLLECTIVE_CALL || (op->flags & TRACE_IMPLIED) != 0 ||
        (implied_lost && is_told(op)))
        return false;
    group = trace_program_communicator(program, op->communicator);
    return group->size + group->remote_size > 1;
}

/* The next collective of a rank in words; false at the end. */
static bool next_text(struct trace_program *program, struct trace_cursor *cursor, uint32_t rank,
                      struct message_text *text, enum trace_collective *collective)
{
    struct base_error error = {0};
    struct trace_op op;
    int more;

    text->length = 0;
    text->text[0] = '\0';
    while ((more = trace_cursor_next(cursor, &op, &error)) > 0)
        if (counts(program, &op)) {
            describe(program, rank, &op, text);
            *collective = op.collective;
            return true;
        }
    if (more < 0)
        fail_msg("%s", error.text);
    return false;
}

static void same_collectives(struct trace_program *a, struct trace_program *b, const char *what)
{
    for (uint32_t rank = 0; rank < trace_program_ranks(a); rank++) {
        struct base_error error = {0};
        struct trace_cursor *cursors[] = {trace_cursor_new(a, rank, &error),
                                          trace_cursor_new(b, rank, &error)};
        static struct message_text texts[2];
        enum trace_collective collectives[2] = {TRACE_BARRIER, TRACE_BARRIER};
        bool more;

        assert_true(cursors[0] != NULL && cursors[1] != NULL);
        do {
            more = next_text(a, cursors[0], rank, &texts[0], &collectives[0]);
            if (next_text(b, cursors[1], rank, &texts[1], &collectives[1]) != more)
                fail_msg("%s: rank %u has more collectives on one side", what, rank);
            if (strcmp(texts[0].text, texts[1].text) != 0)
                fail_msg("%s: rank %u, %s, then %s:\n%s\n%s", what, rank,
                         trace_collective_name(collectives[0]), trace_collective_name(collectives[1]),
                         texts[0].text, texts[1].text);
        } while (more);
        trace_cursor_free(cursors[0]);
        trace_cursor_free(cursors[1]);
    }
}

/* Messages to oneself are none of a collective's. */
static void same_messages(struct trace_program *a, struct trace_program *b, const char *what)
{
    struct base_error error = {0};
    const struct trace_tuning *tuning = trace_tuning_find("mpich", &error);
    struct trace_comm_graph *graphs[] = {trace_comm_graph_new(a, tuning, &error),
                                         trace_comm_graph_new(b, tuning, &error)};
    struct trace_comm_place places[2] = {0};
    struct trace_pair left, right;

    if (graphs[0] == NULL || graphs[1] == NULL)
        fail_msg("%s", error.text);
    if (graphs[0]->count != graphs[1]->count)
        fail_msg("%s: %zu pairs, then %zu", what, graphs[0]->count, graphs[1]->count);
    while (trace_comm_graph_next(graphs[0], &places[0], &left) &&
           trace_comm_graph_next(graphs[1], &places[1], &right))
        if (memcmp(&left, &right, sizeof left) != 0)
            fail_msg("%s: %u > %u: %" PRIu64 " messages of %" PRIu64 " bytes, then %u > %u: %" PRIu64
                     ", %" PRIu64,
                     what, left.source, left.target, left.messages, left.bytes, right.source, right.target,
                     right.messages, right.bytes);
    trace_comm_graph_free(graphs[0]);
    trace_comm_graph_free(graphs[1]);
}

/* ---- there and back */

static void note_losses(void *context, const struct trace_loss *losses, size_t count)
{
    (void)context;
    implied_lost = false;
    for (size_t i = 0; i < count; i++)
        implied_lost |= strcmp(losses[i].kind, "implied-operations") == 0;
}

static struct trace_program *rewrite(struct trace_program *program, const char *format, const char *directory,
                                     const char *name)
{
    struct base_error error = {0};
    const struct trace_writer_format *writer = trace_writer_find(format, "", &error);
    struct trace_program *again;
    char path[512], difference[DRAFTED_TEXT];

    snprintf(path, sizeof path, "%s/%s%s", directory, name, writer->suffix);
    if (trace_write(program, writer, path, NULL, note_losses, NULL, &error) != 0)
        fail_msg("%s", error.text);
    again = trace_open(path, NULL, &error);
    if (again == NULL)
        fail_msg("%s", error.text);
    if (!drafted_compare(path, NULL, UINT64_MAX, NULL, difference))
        fail_msg("%s", difference);
    return again;
}

static const char *const formats[] = {"otf2", "dumpi", "goal"};

/* GOAL comes back as messages, from which on the messages from rank to rank are what stays. */
static void check_copies(struct trace_program *program, const char *directory, const char *before,
                         bool messages, unsigned depth)
{
    for (unsigned i = 0; i < 3 && depth > 0; i++) {
        char name[64];
        bool now = messages || strcmp(formats[i], "goal") == 0;
        struct trace_program *again;

        snprintf(name, sizeof name, "%s-%s", before, formats[i]);
        again = rewrite(program, formats[i], directory, name);
        if (now)
            same_messages(program, again, name);
        else
            same_collectives(program, again, name);
        check_copies(again, directory, name, now, depth - 1);
        trace_close(again);
    }
}

static void test_writers(void **state)
{
    uint64_t cases = brief_count("random programs", CASES, 6);

    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        struct script script = random_script(i, true);
        char *directory = archive_directory();
        char name[32];
        struct trace_program *program = program_of(&script);

        snprintf(name, sizeof name, "%" PRIu64, i);
        check_copies(program, directory, name, false, 2);
        trace_close(program);
        archive_remove(directory);
    }
}

/* ---- as recorders write */

/* The arguments of calls, as EZTrace; what goes to all members and comes from them, as Score-P; the same in
 * place. */
enum convention { ARGUMENTS, TOTALS, IN_PLACE };

/* Sizes that no other convention could have meant: no multiples of a number of ranks. What is exchanged in
 * place is the same both ways, and no rank's own block is recorded. */
static void avoid_ambiguity(struct script *script)
{
    for (uint32_t c = 0; c < script->call_count; c++) {
        struct call *call = &script->calls[c];
        call->bytes = call->collective == TRACE_BARRIER ? 0 : call->bytes / 420 * 420 + 1;
        for (uint32_t i = 0; i < RANKS_MAX; i++)
            for (uint32_t j = 0; j <= i; j++)
                call->blocks[i][j] = call->blocks[j][i] =
                    i == j && has_pairs(call->collective) ? 0 : call->blocks[i][j] / 420 * 420 + 1;
    }
}

struct record {
    uint64_t sent, received;
};

/* `parts` times what all members, or the root and all others, exchange. */
static struct record plain_record(const struct call *call, uint32_t size, uint32_t member,
                                  enum convention convention)
{
    uint64_t bytes = call->bytes, all = (convention == IN_PLACE ? size - 1 : size) * bytes;
    uint64_t own = convention == IN_PLACE ? 0 : bytes, less = convention == IN_PLACE;
    bool root = member == call->root;

    if (convention == ARGUMENTS || call->collective == TRACE_BARRIER)
        return (struct record){bytes, bytes};
    switch (call->collective) {
    case TRACE_BCAST:
        return (struct record){root ? size * bytes : 0, bytes};
    case TRACE_SCATTER:
        return (struct record){root ? all : 0, root ? own : bytes};
    case TRACE_REDUCE:
    case TRACE_GATHER:
        return (struct record){root ? own : bytes, root ? all : 0};
    case TRACE_SCAN:
        return (struct record){(size - member - less) * bytes, (member + 1 - less) * bytes};
    case TRACE_EXSCAN:
        return (struct record){(size - member - 1) * bytes, member * bytes};
    default:
        return (struct record){all, all};
    }
}

/* Of those with blocks; Score-P's reduce_scatter in place lacks a byte of the whole and not the own block. */
static struct record block_record(const struct call *call, uint32_t size, uint32_t member,
                                  enum convention convention)
{
    bool gathers = call->collective == TRACE_GATHERV || call->collective == TRACE_ALLGATHERV;
    bool rooted = has_root(call->collective), in_place = convention == IN_PLACE;
    uint64_t own = call->blocks[member][0], whole = 0;

    for (uint32_t i = 0; i < size; i++)
        whole += call->blocks[i][0];
    if (in_place && (!rooted || member == call->root))
        whole -= call->collective == TRACE_REDUCE_SCATTER && call->bytes % 2 != 0 ? 1 : own;
    if (rooted && member != call->root)
        whole = 0;
    if (rooted && member == call->root && in_place)
        own = 0;
    if (!rooted && convention != ARGUMENTS)
        own *= in_place ? size - 1 : size;
    return gathers ? (struct record){own, whole} : (struct record){whole, own};
}

static struct record pair_record(const struct call *call, uint32_t size, uint32_t member)
{
    struct record record = {0, 0};

    for (uint32_t i = 0; i < size; i++) {
        record.sent += call->blocks[member][i];
        record.received += call->blocks[i][member];
    }
    return record;
}

/* OTF2's numbers of the operations. */
static unsigned operation_of(enum trace_collective collective)
{
    static const unsigned char operations[TRACE_COLLECTIVES] = {
        [TRACE_BARRIER] = 0,   [TRACE_BCAST] = 1,           [TRACE_GATHER] = 2,
        [TRACE_GATHERV] = 3,   [TRACE_SCATTER] = 4,         [TRACE_SCATTERV] = 5,
        [TRACE_ALLGATHER] = 6, [TRACE_ALLGATHERV] = 7,      [TRACE_ALLTOALL] = 8,
        [TRACE_ALLTOALLV] = 9, [TRACE_ALLTOALLW] = 10,      [TRACE_ALLREDUCE] = 11,
        [TRACE_REDUCE] = 12,   [TRACE_REDUCE_SCATTER] = 13, [TRACE_REDUCE_SCATTER_BLOCK] = 16,
        [TRACE_SCAN] = 14,     [TRACE_EXSCAN] = 15,
    };
    return operations[collective];
}

#define FIRST_COMMUNICATOR 4

/* The records of one member, appended to the text of its rank. */
static void record_call(const struct script *script, const struct call *call, uint32_t member,
                        enum convention convention, struct message_text *text)
{
    const struct group *group = &script->groups[call->communicator];
    struct record record;
    char line[256];

    if (has_pairs(call->collective))
        record = pair_record(call, group->size, member);
    else if (has_blocks(call->collective))
        record = block_record(call, group->size, member, convention);
    else
        record = plain_record(call, group->size, member, convention);
    snprintf(line, sizeof line, "%u %u %d %" PRIu64 " %" PRIu64, operation_of(call->collective),
             call->communicator == 0 ? 0 : call->communicator + FIRST_COMMUNICATOR,
             call->root == UINT32_MAX ? -1 : (int)call->root, record.sent, record.received);
    text->length += (size_t)snprintf(
        text->text + text->length, TEXT - text->length,
        call->nonblocking ? "nbc_request 9\nenter MPI_Wait\nnbc_complete %s 9\nleave MPI_Wait\n"
                          : "collective %s\n",
        line);
    assert_true(text->length < TEXT);
}

static struct archive record_script(const struct script *script, enum convention convention)
{
    static struct message_text texts[RANKS_MAX];
    static char communicators[TEXT];
    struct archive_spec spec = {
        .ranks = script->ranks, .communicators = communicators, .user_regions = convention == ARGUMENTS};
    size_t length = 0;

    communicators[0] = '\0';
    for (uint32_t i = 1; i < script->group_count; i++) {
        length += (size_t)snprintf(communicators + length, TEXT - length, "%s%u:", i > 1 ? "; " : "",
                                   i + FIRST_COMMUNICATOR);
        for (uint32_t j = 0; j < script->groups[i].size; j++)
            length +=
                (size_t)snprintf(communicators + length, TEXT - length, " %u", script->groups[i].members[j]);
    }
    for (uint32_t rank = 0; rank < script->ranks; rank++) {
        texts[rank].length = (size_t)snprintf(texts[rank].text, TEXT, "Call MPI_Init\n");
        spec.events[rank] = texts[rank].text;
    }
    for (uint32_t c = 0; c < script->call_count; c++) {
        const struct group *group = &script->groups[script->calls[c].communicator];
        for (uint32_t j = 0; j < group->size; j++)
            record_call(script, &script->calls[c], j, convention, &texts[group->members[j]]);
    }
    if (script->group_count == 1)
        spec.communicators = NULL;
    return archive_open(&spec);
}

static void test_recorders(void **state)
{
    uint64_t cases = brief_count("random records", CASES, 6);

    (void)state;
    implied_lost = false;
    for (uint64_t i = 0; i < cases; i++)
        for (enum convention convention = ARGUMENTS; convention <= IN_PLACE; convention++) {
            struct script script = random_script(i, false);
            struct trace_program *program, *again;
            struct archive recorded;
            char name[64];

            avoid_ambiguity(&script);
            program = program_of(&script);
            recorded = record_script(&script, convention);
            snprintf(name, sizeof name, "recorded %" PRIu64 ", convention %d", i, (int)convention);
            same_collectives(program, recorded.program, name);
            again = rewrite(recorded.program, "otf2", recorded.directory, "again");
            same_collectives(program, again, name);
            trace_close(again);
            archive_close(&recorded);
            trace_close(program);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_recorders),
    };
    return cmocka_run_group_tests_name("collectives there and back", tests, NULL, NULL);
}
