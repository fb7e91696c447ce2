/* The summary: what the survey counted, in the order and the words of reports. */
#include "traces/dumpi/survey.h"

#include <string.h>

static const struct {
    const char *kind, *text;
} repair_texts[TRACE_DUMPI_REPAIRS] = {
#define TRACE_DUMPI_REPAIR(symbol, kind, text) {kind, text},
#include "traces/dumpi/repairs.def"
#undef TRACE_DUMPI_REPAIR
};

/* Tests and probes that failed are no operations; the rest is what the function's table or the rule of its
 * implied agreement says. Numbers are over all ranks; time is that inside the calls. */
static struct trace_coverage row_of(const struct trace_dumpi_survey *survey, unsigned function)
{
    const struct trace_dumpi_call *call = trace_dumpi_call(function);
    const struct trace_implied_call *rule = survey->context->implied[function];
    const struct trace_dumpi_call_count *count = &survey->calls[function];
    struct trace_coverage row = {.of = trace_dumpi_is_communication(function) ? TRACE_OF_CALLS
                                                                              : TRACE_OF_RECORDS,
                                 .record = dpt_function_name(function),
                                 .treatment = call->treatment,
                                 .how = call->how,
                                 .records = count->records,
                                 .bytes = count->bytes,
                                 .time_ns = count->time_ns};

    if (rule != NULL) {
        row.treatment = rule->treatment;
        row.how = rule->how;
    } else if (call->polls && survey->repairs[TRACE_DUMPI_REPAIR_POLLING] > 0) {
        row.treatment = TRACE_DECOMPOSED;
        row.how = "failing ones and the success after them are one wait";
    }
    return row;
}

/* One row a function that was called, in the order of their numbers; then those that were switched off. There are
 * at most two rows a function, for which there is room from the start. */
static int add_coverage(struct trace_summary *summary, const struct trace_dumpi_survey *survey,
                        struct base_arena *arena)
{
    struct trace_coverage *rows = base_arena_array(arena, (size_t)2 * DPT_FUNCTION_COUNT, sizeof *rows);
    size_t count = 0;

    if (rows == NULL)
        return -1;
    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++)
        if (survey->calls[i].records > 0)
            rows[count++] = row_of(survey, i);
    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++) {
        const char *name = dpt_function_name(i);

        if (survey->calls[i].switched_off == 0 || name == NULL)
            continue;
        rows[count] = (struct trace_coverage){.of = trace_dumpi_is_communication(i) ? TRACE_OF_MISSING
                                                                                    : TRACE_OF_RECORDS,
                                              .record = base_arena_format(arena, "%s (not recorded)", name),
                                              .treatment = TRACE_IGNORED,
                                              .how = "recording was switched off for these calls",
                                              .records = survey->calls[i].switched_off};
        if (rows[count++].record == NULL)
            return -1;
    }
    summary->coverage = rows;
    summary->coverage_count = count;
    return 0;
}

/* Repairs that were not needed are not listed: an empty list means that nothing was assumed. */
static int add_repairs(struct trace_summary *summary, const struct trace_dumpi_survey *survey,
                       struct base_arena *arena)
{
    struct trace_repair *repairs = base_arena_array(arena, TRACE_DUMPI_REPAIRS, sizeof *repairs);

    if (repairs == NULL)
        return -1;
    for (size_t i = 0; i < TRACE_DUMPI_REPAIRS; i++)
        if (survey->repairs[i] > 0)
            repairs[summary->repair_count++] =
                (struct trace_repair){repair_texts[i].kind, repair_texts[i].text, survey->repairs[i]};
    summary->repairs = repairs;
    return 0;
}

/* Copies, since the survey's arrays are only as long as the survey. */
static int add_counts(struct trace_summary *summary, const struct trace_dumpi_survey *survey,
                      struct base_arena *arena)
{
    size_t count = (size_t)survey->context->communicator_count * TRACE_COLLECTIVES;
    struct trace_collective_count *collectives = base_arena_array(arena, count, sizeof *collectives);
    struct trace_pair *pairs = base_arena_array(arena, survey->pair_count, sizeof *pairs);

    if (collectives == NULL || pairs == NULL)
        return -1;
    memcpy(collectives, survey->collectives, count * sizeof *collectives);
    for (size_t i = 0; i < count; i++) {
        summary->collectives[i % TRACE_COLLECTIVES].calls += collectives[i].calls;
        summary->collectives[i % TRACE_COLLECTIVES].bytes += collectives[i].bytes;
    }
    summary->by_communicator = collectives;
    if (survey->pair_count > 0)
        memcpy(pairs, survey->pairs, survey->pair_count * sizeof *pairs);
    summary->pairs = pairs;
    summary->pair_count = survey->pair_count;
    return 0;
}

/* Plain numbers first; lists are copied into the program's arena. */
int trace_dumpi_summarise(struct trace_summary *summary, const struct trace_dumpi_survey *survey,
                          struct base_arena *arena)
{
    *summary = (struct trace_summary){.events = survey->events,
                                      .sends = survey->sends,
                                      .receives = survey->receives,
                                      .bytes_sent = survey->bytes_sent,
                                      .bytes_received = survey->bytes_received,
                                      .compute_ns = survey->compute_ns,
                                      .mpi_ns = survey->mpi_ns,
                                      .gap_wall_ns = survey->gap_wall_ns,
                                      .gap_cpu_ns = survey->gap_cpu_ns,
                                      .loss = trace_loss_of(&survey->loss)};
    if (add_counts(summary, survey, arena) != 0 || add_coverage(summary, survey, arena) != 0)
        return -1;
    return add_repairs(summary, survey, arena);
}
