/* What a trace holds, as plain data.
 *
 * The survey that trace_open makes has counted everything already; this only copies, into types of reports/,
 * which knows nothing of traces.
 *
 * Rows are copied in the order of the trace, which is that of its definitions and of the first call of each
 * kind: the same trace gives the same answer. */
#include <stdlib.h>
#include <string.h>

#include "replay/session/internal.h"
#include "traces/graph/expansion.h"

/* Copies, so that a report outlives its trace. The reason is missing where the treatment says all; NULL then
 * stays NULL. */
struct report_coverage *replay_coverage(struct base_arena *arena, const struct trace_summary *summary)
{
    static const enum report_treatment treatments[] = {
        [TRACE_EXACT] = REPORT_EXACT,
        [TRACE_DECOMPOSED] = REPORT_DECOMPOSED,
        [TRACE_APPROXIMATE] = REPORT_APPROXIMATED,
        [TRACE_IGNORED] = REPORT_IGNORED,
    };
    struct report_coverage *rows = base_arena_array(arena, summary->coverage_count, sizeof *rows);
    bool failed = rows == NULL;

    for (size_t i = 0; !failed && i < summary->coverage_count; i++) {
        const struct trace_coverage *row = &summary->coverage[i];
        rows[i].record = base_arena_text(arena, row->record);
        rows[i].how = row->how == NULL ? NULL : base_arena_text(arena, row->how);
        rows[i].treatment = treatments[row->treatment];
        rows[i].is_call = row->of != TRACE_OF_RECORDS;
        rows[i].is_missing = row->of == TRACE_OF_MISSING;
        rows[i].records = row->records;
        rows[i].bytes = row->bytes;
        rows[i].time_ns = row->time_ns;
        failed = rows[i].record == NULL || (row->how != NULL && rows[i].how == NULL);
    }
    return failed ? NULL : rows;
}

/* What the reader mended while it read (defects that real traces have), with how often it did: a report must
 * not hide it. */
struct report_repair *session_repairs(struct base_arena *arena, const struct trace_summary *summary)
{
    struct report_repair *rows = base_arena_array(arena, summary->repair_count, sizeof *rows);
    bool failed = rows == NULL;

    for (size_t i = 0; !failed && i < summary->repair_count; i++) {
        rows[i].kind = base_arena_text(arena, summary->repairs[i].kind);
        rows[i].text = base_arena_text(arena, summary->repairs[i].text);
        rows[i].count = summary->repairs[i].count;
        failed = rows[i].kind == NULL || rows[i].text == NULL;
    }
    return failed ? NULL : rows;
}

/* The operations that were called at all, of a row of counts by collective. NULL: memory. */
static struct report_info_collective *
copy_collectives(struct base_arena *arena, const struct trace_collective_count *counts, uint32_t *count)
{
    struct report_info_collective *rows = base_arena_array(arena, TRACE_COLLECTIVES, sizeof *rows);

    *count = 0;
    for (enum trace_collective i = 0; rows != NULL && i < TRACE_COLLECTIVES; i++)
        if (counts[i].calls > 0)
            rows[(*count)++] =
                (struct report_info_collective){trace_collective_name(i), counts[i].calls, counts[i].bytes};
    return rows;
}

/* Also those on which no collective was called: their number and sizes tell how a program is built. Nameless
 * ones have the empty name. Counts by communicator are a table of the summary, one row of TRACE_COLLECTIVES
 * each. */
static int copy_communicators(struct report_info *info, const struct trace_program *program)
{
    const struct trace_summary *summary = trace_program_summary(program);
    uint32_t count = trace_program_communicators(program);
    struct report_info_communicator *rows = base_arena_array(&info->arena, count, sizeof *rows);

    if (rows == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_communicator *communicator = trace_program_communicator(program, i);
        rows[i].name = communicator->name == NULL ? "" : base_arena_text(&info->arena, communicator->name);
        rows[i].size = communicator->size;
        rows[i].collectives =
            copy_collectives(&info->arena, summary->by_communicator + (size_t)i * TRACE_COLLECTIVES,
                             &rows[i].collective_count);
        if (rows[i].name == NULL || rows[i].collectives == NULL)
            return -1;
    }
    info->communicators = rows;
    info->communicator_count = count;
    return 0;
}

/* The same fields under the reports' own name: reports/ does not see traces/. */
static int copy_pairs(struct report_info *info, const struct trace_summary *summary)
{
    struct report_info_pair *rows = base_arena_array(&info->arena, summary->pair_count, sizeof *rows);

    if (rows == NULL)
        return -1;
    for (size_t i = 0; i < summary->pair_count; i++)
        rows[i] = (struct report_info_pair){summary->pairs[i].source, summary->pairs[i].target,
                                            summary->pairs[i].messages, summary->pairs[i].bytes};
    info->pairs = rows;
    info->pair_count = summary->pair_count;
    return 0;
}

static int copy_other_locations(struct report_info *info, const struct trace_summary *summary)
{
    struct report_info_locations *rows =
        base_arena_array(&info->arena, summary->other_location_count, sizeof *rows);

    if (rows == NULL)
        return -1;
    for (size_t i = 0; i < summary->other_location_count; i++) {
        const struct trace_other_locations *from = &summary->other_locations[i];
        rows[i] = (struct report_info_locations){base_arena_text(&info->arena, from->type),
                                                 base_arena_text(&info->arena, from->name), from->count};
        if (rows[i].type == NULL || rows[i].name == NULL)
            return -1;
    }
    info->other_locations = rows;
    info->other_location_count = (uint32_t)summary->other_location_count;
    return 0;
}

/* Names follow the JSON keys of the answer. */
static int copy_summary(struct report_info *info, const struct trace_summary *summary)
{
    info->events = summary->events;
    info->p2p_sends = summary->sends;
    info->p2p_receives = summary->receives;
    info->p2p_bytes = summary->bytes_sent;
    info->compute_ns = summary->compute_ns;
    info->mpi_ns = summary->mpi_ns;
    info->collectives = copy_collectives(&info->arena, summary->collectives, &info->collective_count);
    info->coverage = replay_coverage(&info->arena, summary);
    info->coverage_count = (uint32_t)summary->coverage_count;
    info->repairs = session_repairs(&info->arena, summary);
    info->repair_count = (uint32_t)summary->repair_count;
    return info->collectives == NULL || info->coverage == NULL || info->repairs == NULL ? -1 : 0;
}

/* Memory is the only thing that can fail here: the trace was validated when it was opened. */
static int fill(struct report_info *info, const struct trace_program *program)
{
    info->trace = base_arena_text(&info->arena, trace_program_path(program));
    info->format = base_arena_text(&info->arena, trace_program_format(program));
    info->writer = base_arena_text(&info->arena, trace_program_writer(program));
    info->ranks = trace_program_ranks(program);
    if (info->trace == NULL || info->format == NULL || info->writer == NULL)
        return -1;
    if (copy_summary(info, trace_program_summary(program)) != 0 || copy_communicators(info, program) != 0)
        return -1;
    return copy_other_locations(info, trace_program_summary(program)) != 0
               ? -1
               : copy_pairs(info, trace_program_summary(program));
}

/* The algorithms of one row: those of the collectives that calls of this name made. The list is of the whole
 * trace, and rows match by the name of the call; names of algorithms are constants and need no copy. */
static int copy_algorithms(struct base_arena *arena, struct report_coverage *row,
                           const struct trace_expansion_list *list)
{
    struct report_algorithm *algorithms = base_arena_array(arena, list->count, sizeof *algorithms);

    if (algorithms == NULL)
        return -1;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->rows[i].record, row->record) == 0)
            algorithms[row->algorithm_count++] = (struct report_algorithm){
                list->rows[i].algorithm, list->rows[i].calls, list->rows[i].messages, list->rows[i].bytes};
    row->algorithms = algorithms;
    return 0;
}

/* Only calls that are replayed have algorithms: a row of calls that are ignored may share its name. */
int replay_session_coverage(struct report_info *info, struct trace_program *program,
                            const struct trace_tuning *tuning, struct base_error *error)
{
    struct trace_expansion_list list = {0};
    struct report_coverage *rows = replay_coverage(&info->arena, trace_program_summary(program));
    int status =
        rows == NULL ? base_error_memory(error, "the coverage") : trace_expand(program, tuning, &list, error);

    for (uint32_t i = 0; status == 0 && i < info->coverage_count; i++)
        if (rows[i].treatment != REPORT_IGNORED && copy_algorithms(&info->arena, &rows[i], &list) != 0)
            status = base_error_memory(error, "the coverage");
    trace_expansion_list_free(&list);
    info->coverage = rows;
    info->tuning = base_arena_text(&info->arena, tuning->name);
    return status == 0 && info->tuning == NULL ? base_error_memory(error, "the coverage") : status;
}

/* An info without host: the caller knows since when it counts. */
struct report_info *replay_session_info(const struct trace_program *program, struct base_error *error)
{
    struct report_info *info = calloc(1, sizeof *info);

    if (info != NULL && fill(info, program) == 0)
        return info;
    base_error_memory(error, "what the trace holds");
    report_info_free(info);
    return NULL;
}
