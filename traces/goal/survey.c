/* The first pass over a GOAL schedule: every block is read, checked and counted, one after the other in the
 * same memory, and how far its requirements reach is noted for the cursors.
 *
 * Counting goes by the order of the file, checking by the order of the program. So a block that has to be
 * read again with a wider window is counted from where the last attempt ended. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/draft.h"
#include "traces/goal/program.h"
#include "base/grow.h"

/* Windows to check with, in operations of at most 250 bytes: 4 MiB, 64 MiB, the whole block. Schedgen says
 * what the first operations of a collective require behind its last, which is 2 operations for each rank. */
static const uint64_t widths[] = {UINT64_C(1) << 14, UINT64_C(1) << 18, UINT64_MAX};
#define WIDTHS (sizeof widths / sizeof *widths)

/* Rows of the coverage behind those of the kinds of operations. */
enum { OF_ANY = TRACE_GOAL_RECV + 1, REQUIRES, OTHER_CPU, ROWS };

struct survey {
    struct trace_goal_program *program; /* that is being filled */
    struct trace_goal_text *text;       /* borrowed */
    struct trace_goal_block block;      /* of the present rank */
    struct trace_goal_labels labels;    /* of the present rank, to find those used twice */
    size_t width;                       /* into widths: what was too narrow for one rank is for the next */
    uint32_t rank;
    uint64_t counted; /* operations of the rank */
    uint64_t other_cpus;
    uint64_t time_left; /* of what a rank's calcs may take together */
    bool is_over_time;
};

/* ---- counts */

/* The communication matrix, at the sender. Pairs are found by a table while the file is read, and sorted
 * in the end. */
static int count_pair(struct trace_goal_program *program, uint32_t source, const struct trace_goal_op *op)
{
    uint32_t index = base_table_get(&program->pair_index, source, op->peer);
    size_t count = program->base.summary.pair_count;

    if (index == BASE_TABLE_NONE) {
        if (count >= UINT32_MAX - 1 ||
            base_grow(&program->pairs, &program->pair_capacity, count + 1, sizeof *program->pairs) != 0 ||
            base_table_put(&program->pair_index, source, op->peer, (uint32_t)count) != 0)
            return -1;
        index = (uint32_t)count;
        program->pairs[index] = (struct trace_pair){.source = source, .target = op->peer};
        program->base.summary.pair_count++;
    }
    program->pairs[index].messages++;
    program->pairs[index].bytes += op->value;
    return 0;
}

/* The time of a rank is the sum of its calcs, which must not wrap around any more than a single one. That
 * over all ranks is only shown: it stands still where it would wrap around. */
static void count_time(struct survey *survey, const struct trace_goal_op *op)
{
    struct trace_summary *summary = &survey->program->base.summary;
    uint64_t time_ns = trace_goal_compute(survey->program, op);

    if (op->value > survey->time_left)
        survey->is_over_time = true;
    else
        survey->time_left -= op->value;
    summary->compute_ns =
        time_ns > UINT64_MAX - summary->compute_ns ? UINT64_MAX : summary->compute_ns + time_ns;
}

/* For the summary and the coverage; each operation once, whatever the number of attempts. Called for every
 * operation in the order of the file; those of an attempt before are left out. */
static int count_op(void *context, uint64_t index, const struct trace_goal_op *op)
{
    struct survey *survey = context;
    struct trace_summary *summary = &survey->program->base.summary;
    struct trace_coverage *row = &survey->program->coverage[op->kind];

    if (index < survey->counted)
        return 0;
    survey->counted++;
    survey->other_cpus += op->is_other_cpu;
    summary->events++;
    row->records++;
    if (op->kind == TRACE_GOAL_CALC) {
        count_time(survey, op);
        return 0;
    }
    row->bytes += op->value;
    if (op->kind == TRACE_GOAL_RECV) {
        bool is_open = op->peer == TRACE_GOAL_ANY || op->tag == TRACE_GOAL_ANY;
        struct trace_coverage *of_any = &survey->program->coverage[OF_ANY];
        of_any->records += is_open;
        of_any->bytes += is_open ? op->value : 0;
        row->records -= is_open;
        row->bytes -= is_open ? op->value : 0;
        summary->receives++;
        summary->bytes_received += op->value;
        return 0;
    }
    summary->sends++;
    summary->bytes_sent += op->value;
    return count_pair(survey->program, survey->rank, op);
}

/* ---- coverage */

/* Each kind of statement has a row, as each MPI call has in other formats. */
static void begin_coverage(struct trace_goal_program *program)
{
    program->coverage[TRACE_GOAL_CALC] = (struct trace_coverage){.record = "calc", .treatment = TRACE_EXACT};
    program->coverage[TRACE_GOAL_SEND] = (struct trace_coverage){.record = "send", .treatment = TRACE_EXACT};
    program->coverage[TRACE_GOAL_RECV] = (struct trace_coverage){.record = "recv", .treatment = TRACE_EXACT};
    program->coverage[OF_ANY] = (struct trace_coverage){
        .record = "recv -1",
        .treatment = TRACE_EXACT,
        .how = "from any rank or of any tag: the messages are taken in the order in which they arrive"};
    program->coverage[REQUIRES] = (struct trace_coverage){
        .record = "requires",
        .treatment = TRACE_APPROXIMATE,
        .how = "operations that also wait for what they do not depend on: a rank does one thing at a time"};
    program->coverage[OTHER_CPU] = (struct trace_coverage){
        .record = "cpu",
        .treatment = TRACE_APPROXIMATE,
        .how = "operations of other CPUs of a rank, done in turn with those of the first"};
}

/* By source, then by target, as trace_summary wants them. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Rows of what is not in every schedule only where there is some. */
static void end_coverage(struct trace_goal_program *program)
{
    size_t count = OF_ANY;

    for (size_t i = OF_ANY; i < ROWS; i++)
        if (program->coverage[i].records > 0)
            program->coverage[count++] = program->coverage[i];
    program->base.summary.coverage = program->coverage;
    program->base.summary.coverage_count = count;
    program->base.summary.pairs = program->pairs;
    if (program->base.summary.pair_count > 0)
        qsort(program->pairs, program->base.summary.pair_count, sizeof *program->pairs, compare_pairs);
}

/* ---- blocks */

/* Where one cannot say how far a cursor has to reach it reaches as far as it can. */
static uint32_t saturated(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* All steps of the block as operations. As trace_goal_block_next, which never says that there is another. */
static int draft_block(struct survey *survey, struct base_error *error)
{
    struct trace_goal_giver giver = {.program = survey->program, .block = &survey->block};
    struct trace_op op;
    int more;

    survey->block.graph.keeps_rest = true;
    while ((more = trace_goal_give(&giver, &op, error)) > 0)
        trace_draft_add(survey->program->draft, &op, TRACE_VECTOR_NONE);
    trace_draft_end(survey->program->draft);
    return more;
}

/* The same for nothing but the errors and the reach. */
static int pass_block(struct survey *survey, struct base_error *error)
{
    struct trace_goal_step step;
    int result;

    do
        result = trace_goal_block_next(&survey->block, &step, error);
    while (result == TRACE_GOAL_STEP);
    return result;
}

/* The whole block in the program's order: behind the "{". Each attempt
 * reads the block anew with a window four or sixteen times as wide; what is noted is what the last one used. */
static int check_block(struct survey *survey, struct trace_goal_rank *place, struct base_error *error)
{
    struct trace_goal_reach reach;
    int result;

    for (;;) {
        uint64_t width = widths[survey->width];
        reach = (struct trace_goal_reach){.ahead = width, .settle = width / 4, .remember = UINT64_MAX};
        trace_goal_block_begin(&survey->block, &reach);
        result = trace_draft_begin(survey->program->draft, survey->rank) ? draft_block(survey, error)
                                                                         : pass_block(survey, error);
        if (result != TRACE_GOAL_FAR || survey->width + 1 == WIDTHS)
            break;
        survey->width++;
        trace_goal_text_seek(survey->text, &place->begin);
    }
    reach = trace_goal_block_reach(&survey->block);
    place->ahead = saturated(reach.ahead);
    place->settle = saturated(reach.settle);
    place->remember = saturated(reach.remember);
    return result;
}

/* What a rank adds to the program beside its counts. */
static int read_block(struct survey *survey, struct trace_goal_rank *place, struct base_error *error)
{
    struct trace_goal_program *program = survey->program;

    survey->counted = survey->other_cpus = 0;
    survey->time_left = INT64_MAX / 2;
    survey->is_over_time = false;
    if (check_block(survey, place, error) != 0)
        return -1;
    if (survey->is_over_time)
        return trace_goal_error(survey->text, error,
                                "the calcs of rank %" PRIu32 " are over %" PRId64 " ns together",
                                survey->rank, INT64_MAX / 2);
    program->coverage[REQUIRES].records += survey->block.graph.approximated;
    program->coverage[OTHER_CPU].records += survey->other_cpus;
    return 0;
}

/* "rank 3 {": the present token is "rank". -1 with a sentence that names the place in the file. */
static int read_rank(struct survey *survey, struct base_error *error)
{
    struct trace_goal_program *program = survey->program;
    struct trace_goal_text *text = survey->text;
    struct trace_goal_rank *place;
    uint64_t rank;

    if (strcmp(text->token, "rank") != 0)
        return trace_goal_error(text, error, "'rank' was expected, not '%s'", text->token);
    if (trace_goal_next(text, error) != 0 || trace_goal_number(text, NULL, UINT32_MAX, &rank, error) != 0)
        return -1;
    if (rank >= program->base.ranks)
        return trace_goal_error(text, error, "there is no rank %" PRIu64 " among %" PRIu32, rank,
                                program->base.ranks);
    place = &program->places[rank];
    if (place->begin.line != 0)
        return trace_goal_error(text, error, "rank %" PRIu64 " already has a block", rank);
    if (trace_goal_next(text, error) != 0)
        return -1;
    if (strcmp(text->token, "{") != 0)
        return trace_goal_error(text, error, "'{' was expected, not '%s'", text->token);
    place->begin = trace_goal_text_place(text);
    survey->rank = (uint32_t)rank;
    return read_block(survey, place, error);
}

/* After an error the rows so far do no harm: the program is not opened. Ranks may come in any order, each once; a
 * rank without a block has none, and is not drafted: a stream of it reads nothing. */
int trace_goal_survey(struct trace_goal_program *program, struct trace_goal_text *text,
                      struct base_error *error)
{
    struct survey survey = {.program = program, .text = text};
    int result = trace_goal_next(text, error);

    survey.block = (struct trace_goal_block){.text = text,
                                             .ranks = program->base.ranks,
                                             .message_limit_bytes = program->message_limit_bytes,
                                             .labels = &survey.labels,
                                             .visit = count_op,
                                             .context = &survey};
    begin_coverage(program);
    trace_draft_clear(program->draft, program->base.ranks);
    while (result == 0 && text->token[0] != '\0') {
        result = read_rank(&survey, error);
        if (result == 0)
            result = trace_goal_next(text, error);
    }
    if (result == 0 && text->failed != 0)
        result = base_error_system(error, text->failed, "%s", text->path);
    trace_goal_block_free(&survey.block);
    trace_goal_labels_free(&survey.labels);
    base_table_free(&program->pair_index);
    end_coverage(program);
    return result;
}
