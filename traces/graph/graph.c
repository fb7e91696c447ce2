/* A program's ranks are read one after another. What the one being read sends is added up in a list, found through a
 * hash table; at its end the list is sorted, the order of the table is never seen, and becomes runs. Memory is in
 * proportion to the runs, and to the pairs of one rank. What others get from a rank (MPI_Get) is put aside until all is
 * read, when all are sorted and added up anew.
 *
 * The ranks of the graph are those of the world; messages to itself are kept, since only a mapper can say
 * whether they cost anything. Sums are 64 bits and an overflow is an error, never a wrong number. */
#include "traces/graph/graph.h"

#include <stdlib.h>

#include "base/table.h"
#include "base/grow.h"
#include "traces/graph/walk.h"

struct pairs {
    struct trace_pair *list;
    size_t count, capacity;
};

/* Owned by whoever builds: discard() on failure, finish() hands the runs on. */
struct builder {
    uint32_t ranks;          /* of the program */
    struct base_table index; /* (source, target) -> place in the part */
    struct pairs part;       /* of the rank that is read */
    struct pairs aside;      /* of other ranks, in any order, and more than once */
    struct trace_comm_run *runs;
    size_t run_count, run_capacity;
    size_t *begin;     /* [ranks + 1] */
    uint32_t rows;     /* of these are known */
    size_t pair_count; /* in the runs */
};

/* The pair's entry, new with no messages if there was none; NULL when memory is out. */
static struct trace_pair *entry(struct builder *builder, uint32_t source, uint32_t target)
{
    uint32_t place = base_table_get(&builder->index, source, target);
    struct pairs *part = &builder->part;

    if (place == BASE_TABLE_NONE) {
        /* Places are 32-bit numbers below BASE_TABLE_NONE. */
        if (part->count >= BASE_TABLE_NONE ||
            base_grow(&part->list, &part->capacity, part->count + 1, sizeof *part->list) != 0)
            return NULL;
        place = (uint32_t)part->count;
        if (base_table_put(&builder->index, source, target, place) != 0)
            return NULL;
        part->list[part->count++] = (struct trace_pair){source, target, 0, 0};
    }
    return &part->list[place];
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

static int check_ranks(const struct builder *builder, const struct trace_pair *pair, struct base_error *error)
{
    if (pair->source >= builder->ranks || pair->target >= builder->ranks)
        return base_error_set(error, BASE_INPUT, "a message from rank %u to rank %u among %u ranks",
                              pair->source, pair->target, builder->ranks);
    return 0;
}

static int add(struct builder *builder, const struct trace_pair *more, struct base_error *error)
{
    struct trace_pair *pair;

    if (check_ranks(builder, more, error) != 0)
        return -1;
    pair = entry(builder, more->source, more->target);
    if (pair == NULL)
        return base_error_memory(error, "the communication graph");
    return add_to(pair, more, error);
}

/* Without the rows of a graph nothing begins. */
static int begin_graph(struct builder *builder, uint32_t ranks, struct base_error *error)
{
    *builder = (struct builder){.ranks = ranks, .begin = malloc(((size_t)ranks + 1) * sizeof(size_t))};
    return builder->begin == NULL ? base_error_memory(error, "the communication graph") : 0;
}

/* What is not handed on; a builder that did not become a graph has the runs as well. */
static void discard_pairs(struct builder *builder)
{
    base_table_free(&builder->index);
    free(builder->part.list);
    free(builder->aside.list);
}

static void discard(struct builder *builder)
{
    discard_pairs(builder);
    free(builder->runs);
    free(builder->begin);
}

/* Equal entries are added up, so that the result does not depend on how qsort treats such. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

static void sort(struct pairs *pairs)
{
    bool sorted = true;

    for (size_t i = 1; i < pairs->count && sorted; i++)
        sorted = compare_pairs(&pairs->list[i - 1], &pairs->list[i]) <= 0;
    if (!sorted)
        qsort(pairs->list, pairs->count, sizeof *pairs->list, compare_pairs);
}

static int put_aside(struct builder *builder, const struct trace_pair *pair)
{
    struct pairs *aside = &builder->aside;

    if (base_grow(&aside->list, &aside->capacity, aside->count + 1, sizeof *aside->list) != 0)
        return -1;
    aside->list[aside->count++] = *pair;
    return 0;
}

/* Rows begin behind what there is, up to that of the source. */
static void begin_rows(struct builder *builder, uint32_t source)
{
    while (builder->rows <= source)
        builder->begin[builder->rows++] = builder->run_count;
}

/* Behind all that are there. */
static int append(struct builder *builder, const struct trace_pair *pair)
{
    struct trace_comm_run *last;

    begin_rows(builder, pair->source);
    last = builder->run_count > builder->begin[pair->source] ? &builder->runs[builder->run_count - 1] : NULL;
    builder->pair_count++;
    if (last != NULL && last->messages == pair->messages && last->bytes == pair->bytes &&
        last->first + last->count == pair->target) {
        last->count++;
        return 0;
    }
    if (base_grow(&builder->runs, &builder->run_capacity, builder->run_count + 1, sizeof *builder->runs) != 0)
        return -1;
    builder->runs[builder->run_count++] =
        (struct trace_comm_run){pair->target, 1, pair->messages, pair->bytes};
    return 0;
}

/* Behind the last pair of a rank that is all that sends them. The table begins anew. */
static int end_part(struct builder *builder, uint32_t source, struct base_error *error)
{
    struct pairs *part = &builder->part;
    bool is_next = builder->rows <= source;

    base_table_free(&builder->index);
    sort(part);
    for (size_t i = 0; i < part->count; i++)
        if ((is_next && part->list[i].source == source ? append : put_aside)(builder, &part->list[i]) != 0)
            return base_error_memory(error, "the communication graph");
    part->count = 0;
    return 0;
}

/* Sorts the list, adds up what is in it more than once, and makes runs of it. */
static int put_in_order(struct builder *builder, struct pairs *pairs, struct base_error *error)
{
    struct trace_pair *list = pairs->list;

    sort(pairs);
    for (size_t i = 0, next; i < pairs->count; i = next) {
        for (next = i + 1; next < pairs->count && compare_pairs(&list[i], &list[next]) == 0; next++)
            if (add_to(&list[i], &list[next], error) != 0)
                return -1;
        if (append(builder, &list[i]) != 0)
            return base_error_memory(error, "the communication graph");
    }
    return 0;
}

/* What was put aside joins what is in the runs, which are made anew. */
static int join_aside(struct builder *builder, struct base_error *error)
{
    struct trace_comm_graph graph = {.ranks = builder->ranks,
                                     .count = builder->pair_count,
                                     .runs = builder->runs,
                                     .begin = builder->begin};
    struct trace_comm_place place = {0};
    struct trace_pair pair;

    while (trace_comm_graph_next(&graph, &place, &pair))
        if (put_aside(builder, &pair) != 0)
            return base_error_memory(error, "the communication graph");
    builder->run_count = builder->pair_count = 0;
    builder->rows = 0;
    return put_in_order(builder, &builder->aside, error);
}

/* Turns the builder into a graph; it is empty afterwards, also after a failure. A stream without an end has left
 * pairs. */
static struct trace_comm_graph *finish(struct builder *builder, struct base_error *error)
{
    struct trace_comm_graph *graph = malloc(sizeof *graph);
    int status =
        graph == NULL ? base_error_memory(error, "the communication graph") : end_part(builder, 0, error);

    begin_rows(builder, builder->ranks);
    if (status == 0 && builder->aside.count > 0) {
        status = join_aside(builder, error);
        begin_rows(builder, builder->ranks);
    }
    if (status != 0) {
        discard(builder);
        free(graph);
        return NULL;
    }
    discard_pairs(builder);
    *graph = (struct trace_comm_graph){.ranks = builder->ranks,
                                       .count = builder->pair_count,
                                       .runs = builder->runs,
                                       .begin = builder->begin};
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
        return end_part(&reading->builder, rank, error);
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

    if (begin_graph(&reading.builder, trace_program_ranks(program), error) != 0)
        return NULL;
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
    struct builder builder;
    int status = begin_graph(&builder, ranks, error);

    for (size_t i = 0; i < count && status == 0; i++) {
        status = check_ranks(&builder, &pairs[i], error);
        if (status == 0 && put_aside(&builder, &pairs[i]) != 0)
            status = base_error_memory(error, "the communication graph");
    }
    if (status == 0)
        return finish(&builder, error);
    discard(&builder);
    return NULL;
}

/* NULL is legal. */
void trace_comm_graph_free(struct trace_comm_graph *graph)
{
    if (graph == NULL)
        return;
    free((void *)(uintptr_t)graph->runs); /* const for the readers, ours to free */
    free((void *)(uintptr_t)graph->begin);
    free(graph);
}

/* ---- Reading it ---- */

static struct trace_pair pair_of(const struct trace_comm_run *run, uint32_t source, uint32_t target)
{
    return (struct trace_pair){source, target, run->messages, run->bytes};
}

bool trace_comm_graph_next(const struct trace_comm_graph *graph, struct trace_comm_place *place,
                           struct trace_pair *pair)
{
    const struct trace_comm_run *run;

    if (graph->count == 0 || place->run == graph->begin[graph->ranks])
        return false;
    run = &graph->runs[place->run];
    while (graph->begin[place->source + 1] <= place->run)
        place->source++;
    *pair = pair_of(run, place->source, run->first + place->behind);
    if (++place->behind == run->count) {
        place->run++;
        place->behind = 0;
    }
    return true;
}

bool trace_comm_graph_pair(const struct trace_comm_graph *graph, uint32_t source, uint32_t target,
                           struct trace_pair *pair)
{
    const struct trace_comm_run *runs = graph->runs;
    size_t low = graph->begin[source], high = graph->begin[source + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].first + (runs[middle].count - 1) < target)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == graph->begin[source + 1] || runs[low].first > target)
        return false;
    *pair = pair_of(&runs[low], source, target);
    return true;
}
