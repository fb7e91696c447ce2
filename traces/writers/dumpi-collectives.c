/* Collectives, with the arguments from which a reader finds the same sizes: counts of bytes. In DUMPI lists
 * of counts are those of the whole communicator; on an inter-communicator, of the other group.
 *
 *      op ─► begin_call: partners, root, communicator's handle
 *           ├─► write_simple    one size for all
 *           ├─► write_list      a list of counts at who has one; write_part for who has only its own block
 *           └─► write_pairs     a list for each direction */
#include <stdlib.h>

#include "traces/collectives/steps.h"
#include "traces/writers/dumpi.h"

#define BYTE 5          /* the number of MPI_BYTE */
#define OP_SUM 4        /* any operation will do */
#define MPICH_ROOT (-3) /* on an inter-communicator: this rank is the root */
#define MPICH_PROC_NULL (-1)
#define UNIT_TYPE 30 /* the datatype of blocks that are too long to be counted in bytes */

/* A call while it is written: whom the rank exchanges blocks with, and how. */
struct call {
    const struct trace_op *op;              /* borrowed */
    const struct trace_communicator *group; /* the program's */
    const struct trace_vector *vector;      /* NULL: every block has op->bytes */
    uint32_t own, first, partners;          /* positions: members, then remote members */
    int64_t root;                           /* as written */
    bool inter, at_root;
    int32_t comm; /* the communicator's handle in the file */
};

/* On an inter-communicator a root is a rank of the other group, or one of two marks; those of MPICH are
 * written, which readers tell from Open MPI's by their values. */
static void find_root(struct call *call)
{
    uint32_t root = call->op->root;

    call->at_root = root == call->own;
    call->root = root;
    if (!call->inter || root == UINT32_MAX)
        return;
    if (root >= call->first && root - call->first < call->partners)
        call->root = root - call->first;
    else
        call->root = call->at_root ? MPICH_ROOT : MPICH_PROC_NULL;
}

/* What all functions of this file ask of a call: which ranks its blocks go to, and the numbers of its
 * arguments. */
static int begin_call(struct trace_write_dumpi *writer, const struct trace_op *op, struct call *call,
                      struct base_error *error)
{
    bool left;
    bool own_side = op->collective == TRACE_REDUCE_SCATTER || /* a block for each of the own group */
                    op->collective == TRACE_REDUCE_SCATTER_BLOCK;

    *call = (struct call){.op = op, .group = &writer->base.program->communicators[op->communicator]};
    call->own = base_table_get(&writer->base.members, op->communicator, writer->base.rank);
    call->inter = call->group->remote_size != 0;
    left = call->own < call->group->size;
    call->partners = call->group->size;
    if (call->inter && left != own_side) {
        call->first = call->group->size;
        call->partners = call->group->remote_size;
    }
    call->vector = trace_writer_vector(&writer->base, op);
    find_root(call);
    return trace_write_dumpi_handle(writer, op->communicator, &call->comm, error);
}

/* A pair of arguments for one size. */
static int set_bytes(struct trace_write_dumpi *writer, enum dpt_name count_name, enum dpt_name type_name,
                     int32_t count, int32_t datatype)
{
    trace_write_dumpi_set(writer, count_name, count);
    trace_write_dumpi_set(writer, type_name, datatype);
    return 0;
}

/* ---- without lists */

/* Those with at most one size for all; the others are told apart where they are written. DPT_MPI_Barrier for what
 * has no size at all. */
static unsigned simple_function(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_BCAST:
        return DPT_MPI_Bcast;
    case TRACE_GATHER:
        return DPT_MPI_Gather;
    case TRACE_SCATTER:
        return DPT_MPI_Scatter;
    case TRACE_ALLGATHER:
        return DPT_MPI_Allgather;
    case TRACE_ALLTOALL:
        return DPT_MPI_Alltoall;
    case TRACE_REDUCE:
        return DPT_MPI_Reduce;
    case TRACE_ALLREDUCE:
        return DPT_MPI_Allreduce;
    case TRACE_SCAN:
        return DPT_MPI_Scan;
    case TRACE_EXSCAN:
        return DPT_MPI_Exscan;
    default:
        return DPT_MPI_Barrier;
    }
}

/* Every argument that some of these calls have; the others are refused by the record and so left out. */
static int write_simple(struct trace_write_dumpi *writer, const struct call *call, struct base_error *error)
{
    int32_t count, datatype;

    if (trace_write_dumpi_measure(writer, call->op->bytes, &count, &datatype, error) != 0)
        return -1;
    trace_write_dumpi_begin(writer, simple_function(call->op->collective), call->op->duration_ns);
    trace_write_dumpi_set(writer, DPT_COMM, call->comm);
    trace_write_dumpi_set(writer, DPT_ROOT, call->root);
    trace_write_dumpi_set(writer, DPT_COMMRANK,
                          call->own < call->group->size ? call->own : call->own - call->group->size);
    trace_write_dumpi_set(writer, DPT_OP, OP_SUM);
    set_bytes(writer, DPT_COUNT, DPT_DATATYPE, count, datatype);
    set_bytes(writer, DPT_SENDCOUNT, DPT_SENDTYPE, count, datatype);
    set_bytes(writer, DPT_RECVCOUNT, DPT_RECVTYPE, count, datatype);
    return trace_write_dumpi_record(writer, error);
}

/* ---- with lists of counts */

/* The size of the unit in which blocks are counted: 1, unless one of them is too long for that. */
static uint64_t unit_of(const uint64_t *blocks, uint32_t count, uint64_t unit)
{
    for (uint32_t i = 0; i < count; i++)
        while (blocks[i] / unit >= INT32_MAX)
            unit *= 2;
    return unit;
}

/* The datatype of so many bytes, made before the call. */
static int make_unit(struct trace_write_dumpi *writer, uint64_t unit, int32_t *datatype,
                     struct base_error *error)
{
    int32_t count, old;

    *datatype = BYTE;
    if (unit == 1)
        return 0;
    if (trace_write_dumpi_measure(writer, unit, &count, &old, error) != 0)
        return -1;
    trace_write_dumpi_begin(writer, DPT_MPI_Type_contiguous, 0);
    trace_write_dumpi_set(writer, DPT_COUNT, count);
    trace_write_dumpi_set(writer, DPT_OLDTYPE, old);
    trace_write_dumpi_set(writer, DPT_NEWTYPE, UNIT_TYPE);
    *datatype = UNIT_TYPE;
    return trace_write_dumpi_record(writer, error);
}

/* Blocks as counts of a unit, rounded up; *rounded tells that it was not exact. */
static int32_t *count_blocks(struct trace_write_dumpi *writer, unsigned which, const uint64_t *blocks,
                             uint32_t count, uint64_t unit, bool *rounded, struct base_error *error)
{
    int32_t *counts = trace_write_dumpi_numbers(writer, which, count, error);

    for (uint32_t i = 0; counts != NULL && i < count; i++) {
        *rounded |= blocks[i] % unit != 0;
        counts[i] = (int32_t)(blocks[i] / unit + (blocks[i] % unit != 0));
    }
    return counts;
}

/* The blocks of those that have one list; NULL where every block is op->bytes. */
static const uint64_t *blocks_of(const struct call *call)
{
    bool sent = call->op->collective == TRACE_GATHERV || call->op->collective == TRACE_ALLGATHERV;

    if (call->vector == NULL)
        return NULL;
    return (sent ? call->vector->sent : call->vector->received) + call->first;
}

/* The own block. Away from the root of a gatherv or scatterv it is op->bytes when the rank has no vector. */
static uint64_t own_block(const struct call *call)
{
    if (call->vector == NULL)
        return call->op->bytes;
    return call->op->collective == TRACE_GATHERV || call->op->collective == TRACE_ALLGATHERV
               ? call->vector->sent[call->own]
               : call->vector->received[call->own];
}

/* A list of all blocks, allocated, since a rank without a vector has them all alike; the own block behind
 * them. */
static uint64_t *list_blocks(const struct call *call, struct base_error *error)
{
    const uint64_t *given = blocks_of(call);
    uint64_t *blocks = malloc(((size_t)call->partners + 1) * sizeof *blocks);

    if (blocks == NULL) {
        base_error_memory(error, "the sizes of a collective");
        return NULL;
    }
    for (uint32_t i = 0; i < call->partners; i++)
        blocks[i] = given != NULL ? given[i] : call->op->bytes;
    blocks[call->partners] = own_block(call);
    return blocks;
}

/* Gatherv and scatterv away from the root, where only the own block counts. */
static int write_part(struct trace_write_dumpi *writer, const struct call *call, struct base_error *error)
{
    bool gathers = call->op->collective == TRACE_GATHERV;
    int32_t count, datatype;

    if (trace_write_dumpi_measure(writer, own_block(call), &count, &datatype, error) != 0)
        return -1;
    trace_write_dumpi_begin(writer, gathers ? DPT_MPI_Gatherv : DPT_MPI_Scatterv, call->op->duration_ns);
    trace_write_dumpi_set(writer, DPT_COMM, call->comm);
    trace_write_dumpi_set(writer, DPT_ROOT, call->root);
    trace_write_dumpi_set(writer, DPT_COMMRANK,
                          call->own < call->group->size ? call->own : call->own - call->group->size);
    trace_write_dumpi_set(writer, DPT_COMMSIZE, call->partners);
    if (gathers)
        set_bytes(writer, DPT_SENDCOUNT, DPT_SENDTYPE, count, datatype);
    else
        set_bytes(writer, DPT_RECVCOUNT, DPT_RECVTYPE, count, datatype);
    return trace_write_dumpi_record(writer, error);
}

/* The arguments around a list of counts, behind which the own block stands: an argument of its own where the
 * call has one. */
static void set_lists(struct trace_write_dumpi *writer, const struct call *call, const int32_t *counts,
                      const int32_t *zeros, int32_t datatype)
{
    trace_write_dumpi_set(writer, DPT_COMM, call->comm);
    trace_write_dumpi_set(writer, DPT_ROOT, call->root);
    trace_write_dumpi_set(writer, DPT_COMMRANK, call->own);
    trace_write_dumpi_set(writer, DPT_COMMSIZE, call->partners);
    trace_write_dumpi_set(writer, DPT_OP, OP_SUM);
    trace_write_dumpi_set(writer, DPT_DATATYPE, datatype);
    trace_write_dumpi_set(writer, DPT_SENDTYPE, datatype);
    trace_write_dumpi_set(writer, DPT_RECVTYPE, datatype);
    trace_write_dumpi_set(writer, DPT_SENDCOUNT, counts[call->partners]);
    trace_write_dumpi_set(writer, DPT_RECVCOUNT, counts[call->partners]);
    trace_write_dumpi_set_list(writer,
                               call->op->collective == TRACE_SCATTERV ? DPT_SENDCOUNTS : DPT_RECVCOUNTS,
                               counts, call->partners);
    trace_write_dumpi_set_list(writer, DPT_DISPLS, zeros, call->partners);
}

/* Gatherv and scatterv at the root, allgatherv, and both kinds of reduce_scatter. */
static int write_list(struct trace_write_dumpi *writer, const struct call *call, unsigned function,
                      struct base_error *error)
{
    uint64_t *blocks = list_blocks(call, error);
    uint64_t unit = blocks == NULL ? 1 : unit_of(blocks, call->partners + 1, 1);
    int32_t *zeros = trace_write_dumpi_numbers(writer, 1, call->partners, error);
    int32_t *counts = NULL;
    int32_t datatype = 0;
    bool rounded = false;

    if (blocks != NULL && zeros != NULL && make_unit(writer, unit, &datatype, error) == 0)
        counts = count_blocks(writer, 0, blocks, call->partners + 1, unit, &rounded, error);
    free(blocks);
    if (counts == NULL)
        return -1;
    if (rounded)
        trace_writer_lose(&writer->base, TRACE_LOSS_ROUNDED);
    trace_write_dumpi_begin(writer, function, call->op->duration_ns);
    set_lists(writer, call, counts, zeros, datatype);
    return trace_write_dumpi_record(writer, error);
}

/* ---- alltoallv and alltoallw */

/* Alltoallw has a datatype for each peer, alltoallv one for each side: setting both does no harm. Displacements
 * are zero: readers of sizes do not look at them, but the recorder writes them. */
static int set_pairs(struct trace_write_dumpi *writer, const struct call *call, const int32_t *sent,
                     const int32_t *received, int32_t datatype, struct base_error *error)
{
    int32_t *zeros = trace_write_dumpi_numbers(writer, 2, call->partners, error);
    int32_t *types = trace_write_dumpi_numbers(writer, 3, call->partners, error);

    if (zeros == NULL || types == NULL)
        return -1;
    for (uint32_t i = 0; i < call->partners; i++)
        types[i] = datatype;
    trace_write_dumpi_begin(writer,
                            call->op->collective == TRACE_ALLTOALLV ? DPT_MPI_Alltoallv : DPT_MPI_Alltoallw,
                            call->op->duration_ns);
    trace_write_dumpi_set(writer, DPT_COMM, call->comm);
    trace_write_dumpi_set(writer, DPT_COMMSIZE, call->partners);
    trace_write_dumpi_set(writer, DPT_SENDTYPE, datatype);
    trace_write_dumpi_set(writer, DPT_RECVTYPE, datatype);
    trace_write_dumpi_set_list(writer, DPT_SENDCOUNTS, sent, call->partners);
    trace_write_dumpi_set_list(writer, DPT_RECVCOUNTS, received, call->partners);
    trace_write_dumpi_set_list(writer, DPT_SENDDISPLS, zeros, call->partners);
    trace_write_dumpi_set_list(writer, DPT_RECVDISPLS, zeros, call->partners);
    trace_write_dumpi_set_list(writer, DPT_SENDTYPES, types, call->partners);
    trace_write_dumpi_set_list(writer, DPT_RECVTYPES, types, call->partners);
    return trace_write_dumpi_record(writer, error);
}

/* Totals are split among the pairs as the replay would split them. The own block counts too: it is part of
 * the totals. */
static int find_pairs(const struct call *call, struct trace_shares *shares, struct base_error *error)
{
    const struct trace_collective_call whole = {.collective = call->op->collective,
                                                .ranks = call->group->size + call->group->remote_size,
                                                .rank = call->own,
                                                .root = UINT32_MAX,
                                                .bytes = call->op->bytes,
                                                .vector = call->vector,
                                                .first_group = call->inter ? call->group->size : 0};

    return trace_shares_init(shares, &whole) != 0 ? base_error_memory(error, "the sizes of a collective") : 0;
}

/* One unit for both directions, since alltoallv has a datatype for each side and not for each block. Totals of a
 * program that was read from another format become pairs here: that is the loss of a format with lists. */
static int write_pairs(struct trace_write_dumpi *writer, const struct call *call, struct base_error *error)
{
    struct trace_shares shares = {0};
    int32_t *sent = NULL, *received = NULL;
    int32_t datatype = 0;
    bool rounded = false;
    uint64_t unit;

    if (find_pairs(call, &shares, error) != 0)
        return -1;
    unit = unit_of(shares.sent + call->first, call->partners, 1);
    unit = unit_of(shares.received + call->first, call->partners, unit);
    if (make_unit(writer, unit, &datatype, error) == 0) {
        sent = count_blocks(writer, 0, shares.sent + call->first, call->partners, unit, &rounded, error);
        received =
            count_blocks(writer, 1, shares.received + call->first, call->partners, unit, &rounded, error);
    }
    trace_shares_free(&shares);
    if (sent == NULL || received == NULL)
        return -1;
    if (rounded)
        trace_writer_lose(&writer->base, TRACE_LOSS_ROUNDED);
    return set_pairs(writer, call, sent, received, datatype, error);
}

/* Each kind has arguments of its own; what a reader makes of them is in traces/dumpi/program-collectives.c. 0, or
 * -1 with a sentence. What DUMPI cannot say is counted, not refused. */
int trace_write_dumpi_collective(struct trace_write_dumpi *writer, const struct trace_op *op,
                                 struct base_error *error)
{
    struct call call;

    if (begin_call(writer, op, &call, error) != 0)
        return -1;
    if (call.inter && op->root != UINT32_MAX && call.root < 0)
        trace_writer_lose(&writer->base, TRACE_LOSS_INTER);
    switch (op->collective) {
    case TRACE_GATHERV:
        return call.at_root && !call.inter ? write_list(writer, &call, DPT_MPI_Gatherv, error)
                                           : write_part(writer, &call, error);
    case TRACE_SCATTERV:
        return call.at_root && !call.inter ? write_list(writer, &call, DPT_MPI_Scatterv, error)
                                           : write_part(writer, &call, error);
    case TRACE_ALLGATHERV:
        return write_list(writer, &call, DPT_MPI_Allgatherv, error);
    case TRACE_REDUCE_SCATTER_BLOCK:
        trace_writer_lose(&writer->base, TRACE_LOSS_BLOCK);
        return write_list(writer, &call, DPT_MPI_Reduce_scatter, error);
    case TRACE_REDUCE_SCATTER:
        return write_list(writer, &call, DPT_MPI_Reduce_scatter, error);
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
        return write_pairs(writer, &call, error);
    default:
        return write_simple(writer, &call, error);
    }
}
