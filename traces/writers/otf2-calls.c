/* Which MPI call an operation is written as. The name decides how a reader takes the records inside it
 * (MPI_Ssend is synchronous, completions in MPI_Waitall are one wait), so the recorded name is kept only
 * where it means exactly the operation. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/writers/otf2.h"

#define MODES (TRACE_NONBLOCKING | TRACE_SYNCHRONOUS | TRACE_BUFFERED)

struct spelling {
    const char *name; /* "MPI_Isend" */
    enum trace_op_kind kind;
    unsigned modes; /* flags of the operation that it stands for */
};

/* The first three are numbered in the header. Of those for the same operation the first is used without a
 * recorded name. */
static const struct spelling spellings[] = {
    {"MPI_Init", TRACE_END, 0},
    {"MPI_Finalize", TRACE_END, 0},
    {"MPI_Wait", TRACE_WAIT, 0},
    {"MPI_Waitall", TRACE_WAIT, 0},
    {"MPI_Waitany", TRACE_WAIT, 0},
    {"MPI_Waitsome", TRACE_WAIT, 0},
    {"MPI_Test", TRACE_WAIT, 0},
    {"MPI_Testall", TRACE_WAIT, 0},
    {"MPI_Testany", TRACE_WAIT, 0},
    {"MPI_Testsome", TRACE_WAIT, 0},
    {"MPI_Send", TRACE_SEND, 0},
    {"MPI_Rsend", TRACE_SEND, 0},
    {"MPI_Ssend", TRACE_SEND, TRACE_SYNCHRONOUS},
    {"MPI_Bsend", TRACE_SEND, TRACE_BUFFERED},
    {"MPI_Isend", TRACE_SEND, TRACE_NONBLOCKING},
    {"MPI_Irsend", TRACE_SEND, TRACE_NONBLOCKING},
    {"MPI_Start", TRACE_SEND, TRACE_NONBLOCKING},
    {"MPI_Issend", TRACE_SEND, TRACE_NONBLOCKING | TRACE_SYNCHRONOUS},
    {"MPI_Ibsend", TRACE_SEND, TRACE_NONBLOCKING | TRACE_BUFFERED},
    {"MPI_Recv", TRACE_RECEIVE, 0},
    {"MPI_Mrecv", TRACE_RECEIVE, 0},
    {"MPI_Irecv", TRACE_RECEIVE, TRACE_NONBLOCKING},
    {"MPI_Imrecv", TRACE_RECEIVE, TRACE_NONBLOCKING},
    {"MPI_Probe", TRACE_PROBE, 0},
    {"MPI_Iprobe", TRACE_PROBE, 0},
    {"MPI_Mprobe", TRACE_PROBE, 0},
    {"MPI_Rput", TRACE_PUT, TRACE_NONBLOCKING},
    {"MPI_Put", TRACE_PUT, TRACE_NONBLOCKING},
    {"MPI_Accumulate", TRACE_PUT, TRACE_NONBLOCKING},
    {"MPI_Raccumulate", TRACE_PUT, TRACE_NONBLOCKING},
    {"MPI_Rget", TRACE_GET, TRACE_NONBLOCKING},
    {"MPI_Get", TRACE_GET, TRACE_NONBLOCKING},
};

#define SPELLINGS ((uint32_t)(sizeof spellings / sizeof *spellings))
#define FIRST_COLLECTIVE SPELLINGS
#define FIRST_RECORDED (SPELLINGS + 2 * (uint32_t)TRACE_COLLECTIVES)

/* Every collective has two regions, with and without a request. */
static uint32_t collective_region(const struct trace_op *op)
{
    return FIRST_COLLECTIVE + 2 * (uint32_t)op->collective + ((op->flags & TRACE_NONBLOCKING) != 0);
}

/* "MPI_Allreduce" and "MPI_Iallreduce". */
static void collective_name(uint32_t region, char *name)
{
    uint32_t index = region - FIRST_COLLECTIVE;

    snprintf(name, 64, "%s%s", index % 2 != 0 ? "MPI_I" : "MPI_",
             trace_collective_name((enum trace_collective)(index / 2)));
    if (index % 2 == 0)
        name[4] = (char)toupper((unsigned char)name[4]);
}

/* A recorded name is looked for once, not at every operation. */
static uint32_t find_spelling(const char *name)
{
    char collective[64];

    for (uint32_t i = 0; name != NULL && i < SPELLINGS; i++)
        if (strcmp(name, spellings[i].name) == 0)
            return i;
    for (uint32_t i = FIRST_COLLECTIVE; name != NULL && i < FIRST_RECORDED; i++) {
        collective_name(i, collective);
        if (strcmp(name, collective) == 0)
            return i;
    }
    return UINT32_MAX;
}

/* Tables over the spellings and the names of the program, so that an operation costs two look-ups. */
int trace_write_otf2_regions_init(struct trace_write_otf2 *writer)
{
    uint32_t recorded = writer->base.program->region_count;
    struct trace_write_otf2_regions *regions = &writer->regions;

    regions->count = FIRST_RECORDED + recorded;
    regions->numbers = calloc(regions->count, sizeof *regions->numbers);
    regions->used = calloc(regions->count, sizeof *regions->used);
    regions->spelling = malloc((recorded + 1) * sizeof *regions->spelling);
    if (regions->numbers == NULL || regions->used == NULL || regions->spelling == NULL)
        return -1;
    for (uint32_t i = 0; i < recorded; i++)
        regions->spelling[i] = find_spelling(writer->base.program->region_names[i]);
    return 0;
}

/* Legal for tables that were made in part. */
void trace_write_otf2_regions_free(struct trace_write_otf2_regions *regions)
{
    free(regions->numbers);
    free(regions->used);
    free(regions->spelling);
}

/* Identifiers are given in the order of first use: readers like them dense. */
static uint32_t number_of(struct trace_write_otf2_regions *regions, uint32_t region)
{
    if (regions->numbers[region] == 0) {
        regions->used[regions->used_count] = region;
        regions->numbers[region] = ++regions->used_count;
    }
    return regions->numbers[region] - 1;
}

/* For calls that the writer makes on its own. */
uint32_t trace_write_otf2_spelled(struct trace_write_otf2 *writer, uint32_t spelling)
{
    return number_of(&writer->regions, spelling);
}

/* A name that says more or less than the operation is none of its spellings. */
static bool means(uint32_t spelling, const struct trace_op *op)
{
    if (spelling >= FIRST_COLLECTIVE)
        return op->kind == TRACE_COLLECTIVE_CALL && spelling == collective_region(op);
    return spellings[spelling].kind == op->kind && spellings[spelling].modes == (op->flags & MODES);
}

/* The first that means the operation; a wait for several is one for all. There is one for every operation,
 * unless its modes contradict each other: then the last of its kind. */
static uint32_t plainest(const struct trace_op *op)
{
    uint32_t found = TRACE_WRITE_OTF2_WAIT;

    if (op->kind == TRACE_COLLECTIVE_CALL)
        return collective_region(op);
    if (op->kind == TRACE_WAIT)
        return TRACE_WRITE_OTF2_WAIT + (op->request_count > 1);
    for (uint32_t i = 0; i < SPELLINGS; i++) {
        if (means(i, op))
            return i;
        if (spellings[i].kind == op->kind)
            found = i;
    }
    return found;
}

/* Calls that imply an operation stand for it by their name. */
uint32_t trace_write_otf2_region_of(struct trace_write_otf2 *writer, const struct trace_op *op, bool *renamed)
{
    bool named = op->region < writer->base.program->region_count;
    uint32_t region = named ? writer->regions.spelling[op->region] : UINT32_MAX;

    *renamed = false;
    if (named && (op->flags & TRACE_IMPLIED) != 0 && op->kind == TRACE_COLLECTIVE_CALL) {
        region = FIRST_RECORDED + op->region;
    } else if (region == UINT32_MAX || !means(region, op)) {
        *renamed = named;
        region = plainest(op);
    }
    return number_of(&writer->regions, region);
}

/* Viewers colour regions by their role. */
static OTF2_RegionRole collective_role(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_BARRIER:
        return OTF2_REGION_ROLE_BARRIER;
    case TRACE_BCAST:
    case TRACE_SCATTER:
    case TRACE_SCATTERV:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case TRACE_GATHER:
    case TRACE_GATHERV:
    case TRACE_REDUCE:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    case TRACE_SCAN:
    case TRACE_EXSCAN:
        return OTF2_REGION_ROLE_COLL_OTHER;
    default:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    }
}

/* `name` has 64 bytes. A collective's own region numbers come in pairs, blocking and not. */
OTF2_RegionRole trace_write_otf2_region_name(const struct trace_write_otf2 *writer, uint32_t number,
                                             char *name)
{
    uint32_t region = writer->regions.used[number];
    enum trace_op_kind kind;

    if (region >= FIRST_RECORDED) {
        snprintf(name, 64, "%s", writer->base.program->region_names[region - FIRST_RECORDED]);
        return OTF2_REGION_ROLE_COLL_OTHER;
    }
    if (region >= FIRST_COLLECTIVE) {
        collective_name(region, name);
        return collective_role((enum trace_collective)((region - FIRST_COLLECTIVE) / 2));
    }
    snprintf(name, 64, "%s", spellings[region].name);
    kind = spellings[region].kind;
    if (kind == TRACE_END)
        return OTF2_REGION_ROLE_FUNCTION;
    return kind == TRACE_PUT || kind == TRACE_GET ? OTF2_REGION_ROLE_RMA : OTF2_REGION_ROLE_POINT2POINT;
}

/* The mirror of collective_of in traces/otf2/collectives.c. */
OTF2_CollectiveOp trace_write_otf2_operation(enum trace_collective collective)
{
    static const uint8_t operations[TRACE_COLLECTIVES] = {
        [TRACE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
        [TRACE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
        [TRACE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
        [TRACE_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
        [TRACE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
        [TRACE_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
        [TRACE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
        [TRACE_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
        [TRACE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
        [TRACE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
        [TRACE_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
        [TRACE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
        [TRACE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
        [TRACE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
        [TRACE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
        [TRACE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
        [TRACE_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
    };
    return operations[collective];
}
