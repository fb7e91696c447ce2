/* Pairs are added up in a list, found through a hash table, and sorted: the order of the table is never seen. Memory is
 * in proportion to the pairs that communicate, not to the square of the ranks. A program's ranks are read one after
 * another, and what each sends is a sorted part of the list, so that the table has the pairs of one rank only; what
 * others get from a rank may be in the list several times, until all is sorted and added up.
 *
 * The ranks of the graph are those of the world; messages to itself are kept, since only a mapper can say
 * whether they cost anything. Sums are 64 bits and an overflow is an error, never a wrong number. */
#include "traces/graph/graph.h"

#include <stdlib.h>

#include "base/table.h"
#include "base/grow.h"
#include "traces/graph/walk.h"

/* Owned by whoever builds: discard() on failure, finish() hands the pairs on. */
struct builder {
    uint32_t ranks;          /* of the program */
    struct base_table index; /* (source, target) -> place in pairs */
    struct trace_pair *pairs;
    size_t count, capacity; /* of pairs */
    size_t begin;           /* of those that the table knows */
    bool mixed;             /* the list is not in order, or not every pair is in it once */
};

/* The pair's entry, new with no messages if there was none; NULL when memory is out. */
static struct trace_pair *entry(struct builder *builder, uint32_t source, uint32_t target)
{
    uint32_t place = base_table_get(&builder->index, source, target);

    if (place == BASE_TABLE_NONE) {
        /* Places are 32-bit numbers below BASE_TABLE_NONE. */
        if (builder->count >= BASE_TABLE_NONE ||
            base_grow(&builder->pairs, &builder->capacity, builder->count + 1, sizeof *builder->pairs) != 0)
            return NULL;
        place = (uint32_t)builder->count;
        if (base_table_put(&builder->index, source, target, place) != 0)
            return NULL;
        builder->pairs[builder->count++] = (struct trace_pair){source, target, 0, 0};
    }
    return &builder->pairs[place];
}

/* Sums that would not fit 64 bits mean a damaged trace: such sizes are refused, not wrapped. */
static int add_to(struct trace_pair *pair, const struct trace_pair *more, struct base_error *error)
{
    if (__builtin_add_overflow(pair->messages, more->messages, &pair->messages) ||
        __builtin_add_overflow(pair->bytes, more->bytes, &pair->bytes))
        return base_error_set(error, BASE_INPUT,
                              "the messages from rank %u to rank %u add up to more than 64 bits",
                              more->source, more->target);
    return 0;
}

static int add(struct builder *builder, const struct trace_pair *more, struct base_error *error)
{
    struct trace_pair *pair;

    if (more->source >= builder->ranks || more->target >= builder->ranks)
        return base_error_set(error, BASE_INPUT, "a message from rank %u to rank %u among %u ranks",
                              more->source, more->target, builder->ranks);
    pair = entry(builder, more->source, more->target);
    if (pair == NULL)
        return base_error_memory(error, "the communication graph");
    return add_to(pair, more, error);
}

/* The end of a builder that did not become a graph. */
static void discard(struct builder *builder)
{
    base_table_free(&builder->index);
    free(builder->pairs);
}

/* Equal entries are added up, so that the result does not depend on how qsort treats such. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Behind the last pair of a rank that is all that sends them. The table begins anew. */
static void end_part(struct builder *builder, uint32_t source)
{
    struct trace_pair *part = builder->pairs + builder->begin;
    size_t count = builder->count - builder->begin;

    base_table_free(&builder->index);
    if (count > 0)
        qsort(part, count, sizeof *part, compare_pairs);
    builder->mixed |= count > 0 && (part[0].source != source || part[count - 1].source != source);
    builder->begin = builder->count;
}

/* Sorts the list, and adds up what is in it more than once. */
static int put_in_order(struct builder *builder, struct base_error *error)
{
    struct trace_pair *pairs = builder->pairs;
    size_t kept = 0;

    qsort(pairs, builder->count, sizeof *pairs, compare_pairs);
    for (size_t i = 1; i < builder->count; i++)
        if (compare_pairs(&pairs[i], &pairs[kept]) != 0)
            pairs[++kept] = pairs[i];
        else if (add_to(&pairs[kept], &pairs[i], error) != 0)
            return -1;
    builder->count = kept + 1;
    return 0;
}

/* Turns the builder into a graph; it is empty afterwards, also after a failure. */
static struct trace_comm_graph *finish(struct builder *builder, struct base_error *error)
{
    struct trace_comm_graph *graph = malloc(sizeof *graph);

    base_table_free(&builder->index);
    builder->mixed |= builder->begin != builder->count; /* a stream without an end */
    if (graph == NULL)
        base_error_memory(error, "the communication graph");
    if (graph == NULL || (builder->mixed && builder->count > 0 && put_in_order(builder, error) != 0)) {
        free(graph);
        free(builder->pairs);
        return NULL;
    }
    *graph =
        (struct trace_comm_graph){.ranks = builder->ranks, .count = builder->count, .pairs = builder->pairs};
    return graph;
}

/* Reading a program: what one rank's stream needs besides the builder. */
struct reading {
    struct builder builder;
    struct trace_program *program;     /* borrowed */
    const struct trace_tuning *tuning; /* by which collectives become messages */
    struct trace_schedule schedule;    /* room for one collective's steps */
    struct trace_demand demand;        /* of the ranks before this one */
    struct trace_demand of_rank;       /* most so far */
    uint64_t started;                  /* requests of the rank that it has not waited for */
};

/* So many more requests than the rank has started are under way at this moment. */
static void note_requests(struct reading *reading, uint64_t more)
{
    if (reading->of_rank.requests < reading->started + more)
        reading->of_rank.requests = reading->started + more;
}

/* Behind its last operation. */
static void end_rank(struct reading *reading)
{
    reading->demand.requests += reading->of_rank.requests;
    reading->demand.steps += reading->of_rank.steps;
    reading->of_rank = (struct trace_demand){0};
    reading->started = 0;
}

/* A blocking call has one request for its own time; a wait may name requests of which it knows better. */
static void count_requests(struct reading *reading, const struct trace_op *op)
{
    if (op->kind == TRACE_WAIT)
        reading->started -= op->request_count < reading->started ? op->request_count : reading->started;
    if (op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE || op->kind == TRACE_PUT ||
        op->kind == TRACE_GET) {
        note_requests(reading, 1);
        reading->started += (op->flags & TRACE_NONBLOCKING) != 0;
    }
    if (op->kind == TRACE_END)
        end_rank(reading);
}

/* Of the members followed by the remote members, as collectives number them. */
static uint32_t world_rank_of(const struct trace_communicator *communicator, uint32_t member)
{
    return member < communicator->size ? communicator->members[member]
                                       : communicator->remote_members[member - communicator->size];
}

/* Only the sends count: every receive is one of another member. Blocking or not, called by the program or
 * implied by another call: the messages are the same. The schedule is that of the replay with the same tuning, so
 * that graph and replay agree byte by byte. */
static int add_collective(struct reading *reading, struct trace_walk *walk, const struct trace_op *op,
                          struct base_error *error)
{
    const struct trace_communicator *communicator =
        trace_program_communicator(reading->program, op->communicator);
    struct trace_collective_call call = trace_walk_collective(walk, op);
    uint64_t open = 0; /* steps that have begun since the last wait */

    if (call.ranks <= 1) /* also MPI_COMM_SELF, which one definition stands for on all ranks */
        return 0;
    if (call.rank == UINT32_MAX)
        return base_error_set(error, BASE_INPUT,
                              "%s on the communicator %s, of which the rank is not a member",
                              trace_collective_name(op->collective), communicator->name);
    if (trace_collective_schedule(reading->tuning, &call, &reading->schedule, error) != 0)
        return -1;
    bool whole = (op->flags & TRACE_NONBLOCKING) != 0 || reading->schedule.multicast_count != 0;
    size_t steps = whole ? reading->schedule.count : trace_schedule_part(reading->schedule.count);
    if (reading->of_rank.steps < steps)
        reading->of_rank.steps = steps;
    for (size_t i = 0; i < reading->schedule.count; i++) {
        const struct trace_step *step = &reading->schedule.steps[i];
        struct trace_pair pair = {walk->rank, world_rank_of(communicator, step->peer), 1, step->bytes};
        if (step->kind == TRACE_STEP_SEND && add(&reading->builder, &pair, error) != 0)
            return -1;
        open = step->kind == TRACE_STEP_WAIT ? 0 : open + 1;
        note_requests(reading, open);
    }
    return 0;
}

/* One-sided calls count as the message that carries their data; requests and answers, like those of the
 * rendezvous, are the replay's. */
static int add_op(void *user, struct trace_walk *walk, const struct trace_op *op, struct base_error *error)
{
    struct reading *reading = user;
    uint32_t rank = walk->rank;

    count_requests(reading, op);
    if (op->kind == TRACE_END)
        end_part(&reading->builder, rank);
    if (op->kind == TRACE_SEND || op->kind == TRACE_PUT)
        return add(&reading->builder, &(struct trace_pair){rank, op->peer, 1, op->bytes}, error);
    if (op->kind == TRACE_GET)
        return add(&reading->builder, &(struct trace_pair){op->peer, rank, 1, op->bytes}, error);
    return op->kind == TRACE_COLLECTIVE_CALL ? add_collective(reading, walk, op, error) : 0;
}

/* Reads every operation of every rank. NULL: the trace cannot be read, sums beyond 64 bits, memory. */
struct trace_comm_graph *trace_comm_graph_new(struct trace_program *program,
                                              const struct trace_tuning *tuning, struct base_error *error)
{
    struct reading reading = {.program = program, .tuning = tuning};
    struct trace_comm_graph *graph;
    int status;

    reading.builder.ranks = trace_program_ranks(program);
    status = trace_walk(program, add_op, &reading, error);
    trace_schedule_free(&reading.schedule);
    if (status != 0) {
        discard(&reading.builder);
        return NULL;
    }
    graph = finish(&reading.builder, error);
    if (graph != NULL)
        graph->demand = reading.demand;
    return graph;
}

/* Pairs may come in any order, and more than once. */
struct trace_comm_graph *trace_comm_graph_from(uint32_t ranks, const struct trace_pair *pairs, size_t count,
                                               struct base_error *error)
{
    struct builder builder = {.ranks = ranks, .mixed = true};

    for (size_t i = 0; i < count; i++)
        if (add(&builder, &pairs[i], error) != 0) {
            discard(&builder);
            return NULL;
        }
    return finish(&builder, error);
}

/* NULL is legal. */
void trace_comm_graph_free(struct trace_comm_graph *graph)
{
    if (graph == NULL)
        return;
    free((void *)(uintptr_t)graph->pairs); /* const for the readers, ours to free */
    free(graph);
}
