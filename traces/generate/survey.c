/* Counts a generated program as a reader surveys a trace: messages, the matrix of pairs, collectives by
 * communicator, calls. One rank after the other, with one row of the matrix at a time.
 *
 *      rank 0: steps ─► items ─► sums, calls, row 0 of the matrix ─► sorted, appended
 *      rank 1: …
 *
 * The pairs of all rows stand in one growing array, which is the summary's in the end; row marks where that
 * of the current rank begins. A table with an entry for each rank says where in the row a peer stands. So the
 * survey needs memory for the pairs that there are, and one word a rank.
 *
 * Items are counted as they come from the step functions, without becoming operations first: that is several
 * times faster than reading the program through its cursors, and the laws in tests/ hold both against each
 * other.
 */
#include "traces/generate/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static const char *const regions[TRACE_GENERATED_REGIONS] = {
    [TRACE_GENERATED_SEND] = "MPI_Send",
    [TRACE_GENERATED_ISEND] = "MPI_Isend",
    [TRACE_GENERATED_RECV] = "MPI_Recv",
    [TRACE_GENERATED_IRECV] = "MPI_Irecv",
    [TRACE_GENERATED_WAIT] = "MPI_Wait",
    [TRACE_GENERATED_WAITALL] = "MPI_Waitall",
    [TRACE_GENERATED_SPLIT] = "MPI_Comm_split",
    [TRACE_GENERATED_DUP] = "MPI_Comm_dup",
    [TRACE_GENERATED_FIXED + TRACE_BARRIER] = "MPI_Barrier",
    [TRACE_GENERATED_FIXED + TRACE_BCAST] = "MPI_Bcast",
    [TRACE_GENERATED_FIXED + TRACE_GATHER] = "MPI_Gather",
    [TRACE_GENERATED_FIXED + TRACE_GATHERV] = "MPI_Gatherv",
    [TRACE_GENERATED_FIXED + TRACE_SCATTER] = "MPI_Scatter",
    [TRACE_GENERATED_FIXED + TRACE_SCATTERV] = "MPI_Scatterv",
    [TRACE_GENERATED_FIXED + TRACE_ALLGATHER] = "MPI_Allgather",
    [TRACE_GENERATED_FIXED + TRACE_ALLGATHERV] = "MPI_Allgatherv",
    [TRACE_GENERATED_FIXED + TRACE_ALLTOALL] = "MPI_Alltoall",
    [TRACE_GENERATED_FIXED + TRACE_ALLTOALLV] = "MPI_Alltoallv",
    [TRACE_GENERATED_FIXED + TRACE_ALLTOALLW] = "MPI_Alltoallw",
    [TRACE_GENERATED_FIXED + TRACE_ALLREDUCE] = "MPI_Allreduce",
    [TRACE_GENERATED_FIXED + TRACE_REDUCE] = "MPI_Reduce",
    [TRACE_GENERATED_FIXED + TRACE_REDUCE_SCATTER] = "MPI_Reduce_scatter",
    [TRACE_GENERATED_FIXED + TRACE_REDUCE_SCATTER_BLOCK] = "MPI_Reduce_scatter_block",
    [TRACE_GENERATED_FIXED + TRACE_SCAN] = "MPI_Scan",
    [TRACE_GENERATED_FIXED + TRACE_EXSCAN] = "MPI_Exscan",
};

/* Names are constant; programs differ in which of them occur. */
const char *const *trace_generated_regions(uint32_t *count)
{
    *count = TRACE_GENERATED_REGIONS;
    return regions;
}

/* The counts, and one row of the matrix: peers in the order of their first message, each with its place in
 * the list, so that a row costs what it holds. */
struct survey {
    struct trace_summary *summary; /* that is being filled */
    struct trace_collective_count *by_communicator;
    struct trace_pair *pairs;              /* by source, and of a source by target at the end of its row */
    size_t pair_count, pair_capacity, row; /* row: where the present source's begin */
    uint32_t *place;                       /* [peer]: 1 + its pair's index in the row; 0: none yet */
    struct {
        uint64_t records, bytes;
    } calls[TRACE_GENERATED_REGIONS];
};

/* A row has few peers in most programs: the table of places makes finding them one access, and is cleared
 * by the row. */
static int count_pair(struct survey *survey, uint32_t rank, const struct trace_item *item)
{
    struct trace_pair *pair;

    if (survey->place[item->peer] == 0) {
        if (base_grow(&survey->pairs, &survey->pair_capacity, survey->pair_count + 1,
                      sizeof *survey->pairs) != 0)
            return -1;
        survey->pairs[survey->pair_count++] = (struct trace_pair){.source = rank, .target = item->peer};
        survey->place[item->peer] = (uint32_t)(survey->pair_count - survey->row);
    }
    pair = &survey->pairs[survey->row + survey->place[item->peer] - 1];
    pair->messages++;
    pair->bytes += item->value;
    survey->summary->sends++;
    survey->summary->bytes_sent += item->value;
    return 0;
}

/* Implied collectives are the calls' own business: they are not counted among the program's. */
static uint64_t count_collective(struct survey *survey, const struct trace_emitter *emitter,
                                 const struct trace_item *item)
{
    struct trace_collective_count *total = &survey->summary->collectives[item->collective];
    struct trace_collective_count *here =
        &survey->by_communicator[item->communicator * (size_t)TRACE_COLLECTIVES + item->collective];
    uint64_t bytes = item->value;

    for (uint32_t i = 0; item->extra != 0 && i < emitter->vector.size; i++)
        bytes += emitter->vector.sent[i];
    if (item->flags & TRACE_IMPLIED)
        return 0;
    total->calls++;
    total->bytes += bytes;
    here->calls++;
    here->bytes += bytes;
    return bytes;
}

/* One operation, as a reader would count the record of it. -1: memory. */
static int count_item(struct survey *survey, const struct trace_emitter *emitter,
                      const struct trace_item *item)
{
    struct trace_summary *summary = survey->summary;
    uint64_t bytes = 0;

    summary->events++;
    if (item->kind == TRACE_COMPUTE) {
        summary->compute_ns += item->value;
        return 0;
    }
    if (item->kind == TRACE_SEND && count_pair(survey, emitter->cursor.rank, item) != 0)
        return -1;
    if (item->kind == TRACE_RECEIVE) {
        summary->receives++;
        summary->bytes_received += item->value;
    }
    if (item->kind == TRACE_COLLECTIVE_CALL)
        bytes = count_collective(survey, emitter, item);
    else if (item->kind != TRACE_WAIT)
        bytes = item->value;
    survey->calls[item->region].records++;
    survey->calls[item->region].bytes += bytes;
    return 0;
}

/* Rows come in the order of their ranks, so that only targets are compared. */
static int compare_targets(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    return (a->target > b->target) - (a->target < b->target);
}

/* The places are taken back one by one: clearing the whole table would cost ranks × ranks. */
static void end_row(struct survey *survey)
{
    for (size_t i = survey->row; i < survey->pair_count; i++)
        survey->place[survey->pairs[i].target] = 0;
    if (survey->pair_count > survey->row)
        qsort(survey->pairs + survey->row, survey->pair_count - survey->row, sizeof *survey->pairs,
              compare_targets);
    survey->row = survey->pair_count;
}

/* A rank at a time, with the memory of one step. */
static int count_rank(struct survey *survey, const struct trace_skeleton *skeleton, uint32_t rank)
{
    struct trace_emitter emitter = {.cursor = {.rank = rank}, .skeleton = skeleton};
    int result = 0;

    while (result == 0 && emitter.step < skeleton->steps) {
        result = trace_emitter_step(&emitter);
        for (size_t i = 0; i < emitter.count && result == 0; i++)
            result = count_item(survey, &emitter, &emitter.items[i]);
    }
    survey->summary->events++; /* the end */
    end_row(survey);
    trace_emitter_clear(&emitter);
    return result;
}

/* A row for each call that occurs. The creation of a communicator is a collective too: decomposed. In the order of
 * the regions; no row is empty. */
static int cover(const struct survey *survey, struct base_arena *arena)
{
    struct trace_coverage *rows = base_arena_array(arena, TRACE_GENERATED_REGIONS, sizeof *rows);
    size_t count = 0;

    if (rows == NULL)
        return -1;
    for (uint32_t i = 0; i < TRACE_GENERATED_REGIONS; i++) {
        bool exact = i < TRACE_GENERATED_SPLIT, creation = !exact && i < TRACE_GENERATED_FIXED;
        if (survey->calls[i].records == 0)
            continue;
        rows[count++] =
            (struct trace_coverage){.record = regions[i],
                                    .treatment = exact ? TRACE_EXACT : TRACE_DECOMPOSED,
                                    .how = exact      ? NULL
                                           : creation ? "its agreement: an implied collective on the parent"
                                                      : "point-to-point messages of the selected algorithm",
                                    .records = survey->calls[i].records,
                                    .bytes = survey->calls[i].bytes};
    }
    survey->summary->coverage = rows;
    survey->summary->coverage_count = count;
    return 0;
}

/* What is allocated before a failure goes with the arena, or with the summary. -1: memory. Costs one pass over all
 * steps of all ranks. */
int trace_skeleton_survey(struct trace_skeleton *skeleton)
{
    struct trace_program *program = &skeleton->program;
    struct survey survey = {.summary = &program->summary};
    int result = 0;

    survey.place = base_arena_array(&skeleton->arena, program->ranks, sizeof *survey.place);
    survey.by_communicator =
        base_arena_array(&skeleton->arena, (size_t)program->communicator_count * TRACE_COLLECTIVES,
                         sizeof *survey.by_communicator);
    if (survey.place == NULL || survey.by_communicator == NULL)
        return -1;
    for (uint32_t rank = 0; rank < program->ranks && result == 0; rank++)
        result = count_rank(&survey, skeleton, rank);
    program->summary.pairs = survey.pairs;
    program->summary.pair_count = survey.pair_count;
    program->summary.by_communicator = survey.by_communicator;
    return result != 0 ? -1 : cover(&survey, &skeleton->arena);
}
