/* Prints the operations of a trace as text, for looking at what a reader makes of it:
 *
 *     dump-program TRACE [RANK]          one line an operation: rank, kind, and its fields
 *     dump-program -s TRACE              the summary only */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/program.h"

static void print_flags(unsigned flags)
{
    printf("%s%s%s%s%s%s", flags & TRACE_NONBLOCKING ? " nonblocking" : "",
           flags & TRACE_BUFFERED ? " buffered" : "", flags & TRACE_IMPLIED ? " implied" : "",
           flags & TRACE_SYNCHRONOUS ? " synchronous" : "", flags & TRACE_REPAIRED ? " repaired" : "",
           flags & TRACE_APPROXIMATED ? " approximated" : "");
}

static void print_message(const struct trace_program *program, const char *kind, const char *preposition,
                          const struct trace_op *op)
{
    printf("%s %" PRIu64 " bytes %s %u, tag %u, \"%s\"", kind, op->bytes, preposition, op->peer, op->tag,
           trace_program_communicator(program, op->communicator)->name);
    if (op->flags & TRACE_NONBLOCKING)
        printf(", request %" PRIu64, op->request);
}

static void print_collective(const struct trace_program *program, const struct trace_op *op)
{
    printf("%s %" PRIu64 " bytes", trace_collective_name(op->collective), op->bytes);
    if (op->root != UINT32_MAX)
        printf(", root %u", op->root);
    printf(", \"%s\" number %" PRIu64 ", recorded %" PRIu64 " sent, %" PRIu64 " received",
           trace_program_communicator(program, op->communicator)->name, op->instance, op->bytes_sent,
           op->bytes_received);
}

static void print_op(const struct trace_program *program, uint32_t rank, const struct trace_op *op)
{
    printf("%u %" PRIu64 ": ", rank, op->event);
    switch (op->kind) {
    case TRACE_COMPUTE:
        printf("compute %" PRIu64 " ns", op->duration_ns);
        break;
    case TRACE_SEND:
        print_message(program, "send", "to", op);
        break;
    case TRACE_RECEIVE:
        print_message(program, "receive", "from", op);
        break;
    case TRACE_PROBE:
        print_message(program, "probe", "from", op);
        break;
    case TRACE_PUT:
        print_message(program, "put", "to", op);
        break;
    case TRACE_GET:
        print_message(program, "get", "from", op);
        break;
    case TRACE_WAIT:
        printf("wait for");
        for (size_t i = 0; i < op->request_count; i++)
            printf(" %" PRIu64, op->requests[i]);
        break;
    case TRACE_COLLECTIVE_CALL:
        print_collective(program, op);
        break;
    case TRACE_END:
        printf("end");
        break;
    }
    print_flags(op->flags);
    printf("\n");
}

static int print_rank(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(program, rank, error);
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    while (more > 0 && (more = trace_cursor_next(cursor, &op, error)) > 0)
        print_op(program, rank, &op);
    trace_cursor_free(cursor);
    return more;
}

static void print_summary(const struct trace_program *program)
{
    static const char *const treatments[] = {"exact", "decomposed", "approximate", "ignored"};
    const struct trace_summary *summary = trace_program_summary(program);

    printf("%s by %s: %u ranks, %u communicators, %" PRIu64 " events\n", trace_program_format(program),
           trace_program_writer(program), trace_program_ranks(program), trace_program_communicators(program),
           summary->events);
    printf("%" PRIu64 " sends of %" PRIu64 " bytes, %" PRIu64 " receives of %" PRIu64
           " bytes, compute %" PRIu64 " ns, MPI %" PRIu64 " ns\n",
           summary->sends, summary->bytes_sent, summary->receives, summary->bytes_received,
           summary->compute_ns, summary->mpi_ns);
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        if (summary->collectives[i].calls > 0)
            printf("%s: %" PRIu64 " calls, %" PRIu64 " bytes\n",
                   trace_collective_name((enum trace_collective)i), summary->collectives[i].calls,
                   summary->collectives[i].bytes);
    for (size_t i = 0; i < summary->coverage_count; i++)
        printf("%s: %" PRIu64 " records, %" PRIu64 " bytes, %s%s%s\n", summary->coverage[i].record,
               summary->coverage[i].records, summary->coverage[i].bytes,
               treatments[summary->coverage[i].treatment], summary->coverage[i].how == NULL ? "" : ": ",
               summary->coverage[i].how == NULL ? "" : summary->coverage[i].how);
    for (size_t i = 0; i < summary->repair_count; i++)
        printf("repair %s: %" PRIu64 ". %s\n", summary->repairs[i].kind, summary->repairs[i].count,
               summary->repairs[i].text);
}

static int print_program(struct trace_program *program, const char *rank, bool summary,
                         struct base_error *error)
{
    int result = 0;

    if (summary)
        print_summary(program);
    else if (rank != NULL)
        result = print_rank(program, (uint32_t)strtoul(rank, NULL, 10), error);
    else
        for (uint32_t i = 0; i < trace_program_ranks(program) && result == 0; i++)
            result = print_rank(program, i, error);
    return result;
}

int main(int count, char **arguments)
{
    bool summary = count > 1 && strcmp(arguments[1], "-s") == 0;
    int first = summary ? 2 : 1;
    struct base_error error = {0};
    struct trace_program *program;
    int result;

    if (count <= first) {
        fprintf(stderr, "usage: dump-program [-s] TRACE [RANK]\n");
        return BASE_USAGE;
    }
    program = trace_open(arguments[first], NULL, &error);
    result = program == NULL ? -1 : print_program(program, arguments[first + 1], summary, &error);
    trace_close(program);
    if (result != 0)
        fprintf(stderr, "%s\n", error.text);
    return result == 0 ? 0 : (int)error.status;
}
