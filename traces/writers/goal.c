/* Programs as GOAL text, the language of LogGOPSim (Hoefler, Schneider, Lumsdaine 2010): per rank a graph of
 * calc, send and recv, whose edges say what must have completed (requires) or begun (irequires) before.
 *
 *      MPI_Irecv     l1: recv 8b from 0 tag 3
 *      MPI_Send      l2: send 8b to 0 tag 4          l2 irequires l1      in program order, once l1 is posted
 *      MPI_Waitall   l3: calc 0                      l3 requires l2       … and l2 has returned
 *                                                    l3 requires l1       what the wait is for
 *
 * So one edge leads from each operation to the one before it: it requires a blocking one and irequires
 * another. Collectives are the messages of MPICH's algorithms; one with a request is a branch of its own,
 * which its wait requires.
 *
 * There are no communicators: tags keep messages of different ones apart. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/collectives/collective.h"
#include "base/grow.h"
#include "traces/writers/internal.h"

/* Tags: those of communicator 0 as they are, up to here; 16 bits of others with 13 bits of their
 * communicator; collectives with one bit more, communicator, instance and phase. MPI has no tags of 2^31 and
 * above, which a schedule that becomes a trace again must not have either. */
#define TAG_OTHERS 0x40000000u
#define TAG_COLLECTIVES 0x60000000u

struct chain { /* the operation that the next one follows; label 0: none */
    uint64_t label;
    bool blocks; /* the next one needs its end (requires), not its start alone (irequires) */
};

struct goal_writer {
    struct trace_writer base; /* first */
    FILE *stream;
    char *path;
    const struct trace_tuning *tuning; /* by which collectives become messages */
    struct trace_schedule schedule;    /* room for one collective's steps */
    struct chain chain;                /* of the rank in progress */
    uint64_t labels;                   /* given in this rank */
    uint64_t *started;                 /* labels of a collective's steps that have not been waited for */
    size_t started_count, started_capacity;
    bool is_open;    /* a rank's block */
    bool keeps_tags; /* the program has one communicator and no collectives, as one that comes from GOAL */
};

/* ---- lines */

/* The edge from an operation to the one before it, and the new end of the chain. */
static void follow(const struct goal_writer *writer, struct chain *chain, uint64_t label, bool blocks)
{
    if (chain->label != 0)
        fprintf(writer->stream, "l%" PRIu64 " %s l%" PRIu64 "\n", label,
                chain->blocks ? "requires" : "irequires", chain->label);
    *chain = (struct chain){label, blocks};
}

/* Work, or with 0 a mere meeting of edges. */
static uint64_t put_calc(struct goal_writer *writer, struct chain *chain, uint64_t ns)
{
    uint64_t label = ++writer->labels;

    fprintf(writer->stream, "l%" PRIu64 ": calc %" PRIu64 "\n", label, ns);
    follow(writer, chain, label, true);
    return label;
}

/* Sizes are in bytes, the only unit that GOAL has. */
static uint64_t put_message(struct goal_writer *writer, struct chain *chain, bool sends, uint32_t peer,
                            uint64_t bytes, uint32_t tag, bool blocks)
{
    uint64_t label = ++writer->labels;

    /* Of a receive both may be open: all bits set, which GOAL writes as -1. */
    fprintf(writer->stream, "l%" PRIu64 ": %s %" PRIu64 "b %s %" PRId64 " tag %" PRId64 "\n", label,
            sends ? "send" : "recv", bytes, sends ? "to" : "from",
            peer == TRACE_ANY_SOURCE ? -1 : (int64_t)peer, tag == TRACE_ANY_TAG ? -1 : (int64_t)tag);
    follow(writer, chain, label, blocks);
    return label;
}

/* An edge beside the one of program order. */
static void put_requires(const struct goal_writer *writer, uint64_t label, uint64_t required)
{
    fprintf(writer->stream, "l%" PRIu64 " requires l%" PRIu64 "\n", label, required);
}

/* A wait for one operation that was the last needs no node of its own: it is as if that had been blocking. */
static void put_wait(struct goal_writer *writer, struct chain *chain, const uint64_t *labels, size_t count)
{
    uint64_t label;

    if (count == 0)
        return;
    if (count == 1 && labels[0] == chain->label) {
        chain->blocks = true;
        return;
    }
    label = put_calc(writer, chain, 0);
    for (size_t i = 0; i < count; i++)
        put_requires(writer, label, labels[i]);
}

/* ---- operations */

/* Two tags may become one when they are large; messages of one pair would then match in the order in
 * which they are sent. Any tag is any of all communicators. */
static uint32_t tag_of(struct goal_writer *writer, const struct trace_op *op)
{
    if (op->tag == TRACE_ANY_TAG) {
        if (!writer->keeps_tags)
            trace_writer_lose(&writer->base, TRACE_LOSS_ANY_TAG);
        return TRACE_ANY_TAG;
    }
    if (op->communicator == 0 && (op->tag < TAG_OTHERS || writer->keeps_tags))
        return op->tag;
    trace_writer_lose(&writer->base, TRACE_LOSS_TAGS);
    return TAG_OTHERS | (op->communicator & 0x1fff) << 16 | (op->tag & 0xffff);
}

/* A request is the label of what it stands for. */
static int remember(struct goal_writer *writer, const struct trace_op *op, uint64_t label,
                    struct base_error *error)
{
    struct trace_open_request *request = trace_open_requests_add(&writer->base.requests, op);

    if (request == NULL)
        return base_error_memory(error, "the open requests of a rank");
    request->number = label;
    return 0;
}

/* GOAL has one kind of send and of receive: modes are counted as lost. */
static int add_message(struct goal_writer *writer, const struct trace_op *op, struct base_error *error)
{
    bool starts = (op->flags & TRACE_NONBLOCKING) != 0;
    uint64_t label;

    if ((op->flags & (TRACE_SYNCHRONOUS | TRACE_BUFFERED)) != 0)
        trace_writer_lose(&writer->base, TRACE_LOSS_MODES);
    label = put_message(writer, &writer->chain, op->kind == TRACE_SEND, op->peer, op->bytes,
                        tag_of(writer, op), !starts);
    return starts ? remember(writer, op, label, error) : 0;
}

/* Requests that were left out, or waited for before, are no part of the set. */
static int add_wait(struct goal_writer *writer, const struct trace_op *op, struct base_error *error)
{
    writer->started_count = 0;
    if (base_grow(&writer->started, &writer->started_capacity, op->request_count + 1,
                  sizeof *writer->started) != 0)
        return base_error_memory(error, "a wait");
    for (size_t i = 0; i < op->request_count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, op->requests[i]);
        if (request == NULL)
            continue;
        writer->started[writer->started_count++] = request->number;
        trace_open_requests_remove(&writer->base.requests, op->requests[i]);
    }
    put_wait(writer, &writer->chain, writer->started, writer->started_count);
    return 0;
}

/* ---- collectives */

/* Algorithms number ranks through both groups of an inter-communicator. */
static uint32_t world_rank(const struct trace_communicator *group, uint32_t member)
{
    return member < group->size ? group->members[member] : group->remote_members[member - group->size];
}

/* The instance keeps two collectives apart that are under way at once, as long as there are no more than 256.
 */
static uint32_t collective_tag(const struct trace_op *op, uint32_t phase)
{
    return TAG_COLLECTIVES | (op->communicator & 0x1fff) << 16 | (uint32_t)(op->instance & 0xff) << 8 |
           (phase & 0xff);
}

/* Steps are started without waiting; the algorithm says where all of them must be complete. */
static int put_step(struct goal_writer *writer, struct chain *chain, const struct trace_op *op,
                    const struct trace_step *step)
{
    const struct trace_communicator *group = &writer->base.program->communicators[op->communicator];

    if (step->kind == TRACE_STEP_WAIT) {
        put_wait(writer, chain, writer->started, writer->started_count);
        writer->started_count = 0;
        return 0;
    }
    if (base_grow(&writer->started, &writer->started_capacity, writer->started_count + 1,
                  sizeof *writer->started) != 0)
        return -1;
    writer->started[writer->started_count++] =
        put_message(writer, chain, step->kind == TRACE_STEP_SEND, world_rank(group, step->peer), step->bytes,
                    collective_tag(op, step->phase), false);
    return 0;
}

/* The same schedule as in a replay with --collectives mpich, so that both send the same messages. */
static int expand(struct goal_writer *writer, const struct trace_op *op, struct base_error *error)
{
    const struct trace_communicator *group = &writer->base.program->communicators[op->communicator];
    const struct trace_collective_call call = {
        .collective = op->collective,
        .ranks = group->size + group->remote_size,
        .rank = base_table_get(&writer->base.members, op->communicator, writer->base.rank),
        .root = op->root,
        .bytes = op->bytes,
        .vector = trace_writer_vector(&writer->base, op),
        .nonblocking = (op->flags & TRACE_NONBLOCKING) != 0,
        .first_group = group->remote_size != 0 ? group->size : 0};

    return trace_collective_schedule(writer->tuning, &call, &writer->schedule, error);
}

/* With a request the steps are a chain of their own, which begins where the call stands. */
static int add_collective(struct goal_writer *writer, const struct trace_op *op, struct base_error *error)
{
    bool starts = (op->flags & TRACE_NONBLOCKING) != 0;
    struct chain branch = writer->chain;

    if (expand(writer, op, error) != 0)
        return -1;
    trace_writer_lose(&writer->base, TRACE_LOSS_EXPANDED);
    writer->started_count = 0;
    for (size_t i = 0; i < writer->schedule.count; i++)
        if (put_step(writer, starts ? &branch : &writer->chain, op, &writer->schedule.steps[i]) != 0)
            return base_error_memory(error, "the messages of a collective");
    if (!starts || writer->schedule.count == 0)
        return 0;
    return remember(writer, op, branch.label, error);
}

/* What has no word here is counted, and its place in the order taken by nothing. 0, or -1 when memory is out. An
 * operation without a word leaves the chain as it is. */
static int add_any(struct goal_writer *writer, const struct trace_op *op, struct base_error *error)
{
    switch (op->kind) {
    case TRACE_COMPUTE:
        if (op->duration_ns > 0)
            put_calc(writer, &writer->chain, op->duration_ns);
        return 0;
    case TRACE_SEND:
    case TRACE_RECEIVE:
        return add_message(writer, op, error);
    case TRACE_WAIT:
        return add_wait(writer, op, error);
    case TRACE_COLLECTIVE_CALL:
        return add_collective(writer, op, error);
    case TRACE_PROBE:
    case TRACE_PUT:
    case TRACE_GET:
        trace_writer_lose(&writer->base, TRACE_LOSS_LEFT_OUT);
        return 0;
    case TRACE_END:
        return 0;
    }
    return 0;
}

/* The stream keeps its first error, so one look an operation finds it in time. */
static int check_stream(const struct goal_writer *writer, struct base_error *error)
{
    return ferror(writer->stream) ? base_error_set(error, BASE_SYSTEM, "%s/%s.goal: cannot be written",
                                                   writer->base.place.directory, writer->base.place.stem)
                                  : 0;
}

/* A full disk ends the writing at the next operation and not at the end of a long trace. */
static int add(struct trace_writer *base, const struct trace_op *op, struct base_error *error)
{
    struct goal_writer *writer = (struct goal_writer *)base;

    return add_any(writer, op, error) != 0 ? -1 : check_stream(writer, error);
}

/* ---- ranks and the file */

/* The last bracket, unless nothing is open. */
static void close_rank(struct goal_writer *writer)
{
    if (writer->is_open)
        fprintf(writer->stream, "}\n");
    writer->is_open = false;
}

/* Labels and edges belong to one rank: nothing is carried over. */
static int begin_rank(struct trace_writer *base, uint32_t rank, struct base_error *error)
{
    struct goal_writer *writer = (struct goal_writer *)base;

    close_rank(writer);
    base->rank = rank;
    fprintf(writer->stream, "\nrank %" PRIu32 " {\n", rank);
    writer->is_open = true;
    writer->labels = 0;
    writer->chain = (struct chain){0};
    trace_open_requests_clear(&base->requests);
    return check_stream(writer, error);
}

/* The stream is closed without a look at its errors. */
static void abandon(struct trace_writer *base)
{
    struct goal_writer *writer = (struct goal_writer *)base;

    if (writer->stream != NULL)
        fclose(writer->stream);
    trace_schedule_free(&writer->schedule);
    free(writer->started);
    free(writer->path);
    trace_writer_free(base);
}

/* The buffer is flushed before it is checked, and closing can fail as well. */
static int finish(struct trace_writer *base, struct base_error *error)
{
    struct goal_writer *writer = (struct goal_writer *)base;
    int result, closed;

    close_rank(writer);
    fflush(writer->stream);
    result = check_stream(writer, error);
    closed = fclose(writer->stream);
    writer->stream = NULL;
    if (result == 0 && closed != 0)
        result = base_error_set(error, BASE_SYSTEM, "%s/%s.goal: cannot be written", base->place.directory,
                                base->place.stem);
    if (result == 0)
        result = trace_place_finish(&base->place, error);
    abandon(base);
    return result;
}

/* MPICH's algorithms are those that schedgen's users know; the choice of the replay does not matter here. */
static int begin_file(struct goal_writer *writer, const struct trace_writer_options *options,
                      struct base_error *error)
{
    writer->tuning = trace_tuning_find("mpich", error);
    writer->path = writer->tuning == NULL ? NULL : trace_place_path(&writer->base.place, ".goal", error);
    if (writer->path == NULL)
        return -1;
    writer->stream = fopen(writer->path, "w");
    if (writer->stream == NULL) {
        base_error_system(error, errno, "%s: cannot be written", writer->path);
        error->status = BASE_SYSTEM;
        return -1;
    }
    if (options->creator != NULL)
        fprintf(writer->stream, "/* written by %s */\n", options->creator);
    writer->keeps_tags = writer->base.program->communicator_count == 1;
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        writer->keeps_tags &= writer->base.program->summary.collectives[i].calls == 0;
    fprintf(writer->stream, "num_ranks %" PRIu32 "\n", writer->base.program->ranks);
    return 0;
}

/* One file for all ranks: it is open from here to the end. */
static struct trace_writer *open_writer(const char *path, const struct trace_program *program,
                                        const struct trace_writer_options *options, struct base_error *error)
{
    struct goal_writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL) {
        base_error_memory(error, "a GOAL writer");
        return NULL;
    }
    if (trace_writer_init(&writer->base, path, ".goal", program, error) == 0 &&
        begin_file(writer, options, error) == 0)
        return &writer->base;
    abandon(&writer->base);
    return NULL;
}

const struct trace_writer_format trace_writer_goal = {
    .name = "goal",
    .summary =
        "GOAL text for LogGOPSim: the one file PATH.goal, collectives as messages (MPICH's algorithms)",
    .suffix = ".goal",
    .open = open_writer,
    .rank = begin_rank,
    .add = add,
    .finish = finish,
    .abandon = abandon,
    .losses = trace_writer_losses,
};
