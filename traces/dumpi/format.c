/* DUMPI as a trace format: the program and its cursors.
 *
 *     trace_open
 *       1  find.c        which files
 *       2  creations.c   every rank, mostly its first records: communicators over all ranks
 *       3  survey.c      every rank once: all records are checked and counted; whose MPI it was
 *       4  sizes.c       mostly nothing; else some ranks twice: lengths of messages from their sends
 *       5  draft.c       the operations that 3 has drafted (traces/draft.h), if it has
 *       6  report.c      the summary
 *     trace_cursor_next
 *          program.c     the same decoder again, with the exceptions that 3 and 4 have found
 *
 * Nothing else is kept between the passes, without a draft. */
#include <config.h>

#include "traces/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "traces/dumpi/creations.h"
#include "traces/dumpi/find.h"
#include "traces/dumpi/survey.h"
#include "traces/program-internal.h"

struct program {
    struct trace_program base; /* first: a program is cast to it and back */
    struct base_arena arena;
    struct dpt_trace *trace; /* the files of all ranks */
    struct trace_dumpi_creations creations;
    struct trace_communicator *communicators; /* by index: what operations name */
    struct trace_dumpi_context context;       /* what its cursors share */
    struct trace_dumpi_survey survey;         /* made when it was opened, before any cursor */
    uint32_t first_self;                      /* index of rank 0's MPI_COMM_SELF */
};

struct cursor {
    struct trace_cursor base;           /* first */
    struct trace_dumpi_decoder decoder; /* all that depends on how far it has read */
};

/* Nothing is opened yet: a thousand cursors cost nothing until they are used. */
static struct trace_cursor *cursor_new(struct trace_program *base, uint32_t rank, struct base_error *error)
{
    struct program *program = (struct program *)base;
    struct cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a cursor");
        return NULL;
    }
    trace_dumpi_decoder_init(&cursor->decoder, &program->context, rank);
    return &cursor->base;
}

/* The decoder is the same as that of the survey, but that it counts nothing. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    return trace_dumpi_next(&((struct cursor *)base)->decoder, op, error);
}

/* Also for one that has failed. */
static void cursor_free(struct trace_cursor *base)
{
    trace_dumpi_decoder_free(&((struct cursor *)base)->decoder);
    free(base);
}

/* Also for a program that was opened halfway. */
static void close_program(struct trace_program *base)
{
    struct program *program = (struct program *)base;

    trace_dumpi_survey_free(&program->survey);
    trace_communicators_free(program->creations.communicators);
    dpt_close(program->trace);
    base_arena_free(&program->arena);
    free(program);
}

static const struct trace_program_class program_class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .close = close_program,
    .sets_vectors = true,
};

/* The communicators that were found, and one more of all ranks, for messages on those that were not. The program's
 * list outlives that of the builder, and its numbers are those of operations. -1: memory. */
static int list_communicators(struct program *program)
{
    struct trace_communicators *found = program->creations.communicators;
    const struct trace_communicator *list = trace_communicators_list(found);
    uint32_t count;

    /* All selves, in the order of their ranks: tables are made for what is there now. */
    program->first_self = trace_communicators_count(found);
    for (uint32_t rank = 0; rank < program->context.ranks; rank++)
        trace_communicators_at(found, rank, 0, DPT_COMM_SELF);
    count = trace_communicators_count(found);

    program->communicators = base_arena_array(&program->arena, (size_t)count + 1, sizeof *list);
    if (program->communicators == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        program->communicators[i] = list[i];
    program->communicators[count] = list[TRACE_COMM_WORLD];
    program->communicators[count].name = "unknown communicators";
    program->context.handles = found;
    program->context.communicators = program->communicators;
    program->context.communicator_count = count + 1;
    program->context.unknown_communicator = count;
    return 0;
}

/* The rules for calls that imply something, by function. */
static void find_rules(struct trace_dumpi_context *context)
{
    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++)
        if (dpt_function_name(i) != NULL)
            context->implied[i] = trace_implied_find(dpt_function_name(i));
}

/* One for each function, so that an operation's region is the number of its function. */
static int name_regions(struct program *program)
{
    const char **names = base_arena_array(&program->arena, DPT_FUNCTION_COUNT, sizeof *names);

    if (names == NULL)
        return -1;
    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++)
        names[i] = dpt_function_name(i) == NULL ? "MPI_?" : dpt_function_name(i);
    program->base.region_names = names;
    program->base.region_count = DPT_FUNCTION_COUNT;
    return 0;
}

/* Wall times count from the start of the node: those of different nodes have nothing in common, and the end
 * of MPI_Init is at most some milliseconds apart, which is too much to compare messages by. Origins are left out
 * (NULL) unless all ranks share a node. */
static int align(struct program *program)
{
    const struct trace_dumpi_survey *survey = &program->survey;
    uint32_t ranks = program->context.ranks;
    uint64_t *origins = base_arena_array(&program->arena, ranks, sizeof *origins);
    int64_t earliest = INT64_MAX;

    if (origins == NULL)
        return -1;
    for (uint32_t i = 0; i < ranks; i++) {
        if (survey->first_ns[i] == INT64_MIN || survey->hosts[i] == 0 || survey->hosts[i] != survey->hosts[0])
            return 0;
        if (survey->first_ns[i] < earliest)
            earliest = survey->first_ns[i];
    }
    for (uint32_t i = 0; i < ranks; i++)
        origins[i] = (uint64_t)survey->first_ns[i] - (uint64_t)earliest;
    program->base.origins_ns = origins;
    return 0;
}

/* The writer is the recorder with the version that it stamps into its files. */
static int fill_base(struct program *program, struct base_error *error)
{
    struct trace_program *base = &program->base;
    const uint8_t *version = program->creations.version;

    base->writer =
        base_arena_format(&program->arena, "sst-dumpi %u.%u.%u", version[0], version[1], version[2]);
    base->ranks = program->context.ranks;
    base->communicator_count = program->context.communicator_count;
    base->communicators = program->communicators;
    /* The last ones, the selves and the one of all that are not known, are only shown where they are used. */
    if (program->survey.repairs[TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_MESSAGE] == 0)
        base->communicator_count = program->first_self + program->survey.selves;
    if (base->writer == NULL || name_regions(program) != 0 || align(program) != 0 ||
        trace_dumpi_summarise(&base->summary, &program->survey, &program->arena) != 0)
        return base_error_memory(error, "the summary of a trace");
    return 0;
}

/* Whatever could be read of a trace that lacks the clock would take no time. */
static int check_clock(const struct program *program, struct base_error *error)
{
    const struct trace_dumpi_survey *survey = &program->survey;
    struct base_position position = base_position_of(program->base.path);

    if (survey->events == 0 || survey->repairs[TRACE_DUMPI_REPAIR_NO_CLOCK] < survey->events)
        return 0;
    if (survey->gap_wall_ns == 0 && survey->gap_cpu_ns == 0)
        return 0;
    return base_error_at(error, BASE_USAGE, &position,
                         "the trace has no times of that clock, only of the %s clock",
                         survey->gap_wall_ns > 0 ? "wall" : "CPU");
}

/* One trace has one MPI. -2 is nobody else's null process than Open MPI's, so a single one decides. */
static enum dpt_flavour flavour_of(uint64_t to_rank_minus_1, uint64_t to_rank_minus_2)
{
    if (to_rank_minus_2 > 0)
        return DPT_FLAVOUR_OPEN_MPI;
    return to_rank_minus_1 > 0 ? DPT_FLAVOUR_MPICH : DPT_FLAVOUR_UNKNOWN;
}

/* Whether the survey has met no more of the calls that make communicators than were read before it. */
static bool has_all_creations(const struct program *program)
{
    uint64_t records = 0;

    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++)
        if (trace_dumpi_is_creation(i))
            records += program->survey.calls[i].records;
    return records == program->creations.records;
}

/* Without the flavour a source of -1 is taken as it is for all but Open MPI. Whose it was shows when all has been read:
 * 1 when that was right, or made no difference; 0: not. */
static bool was_right(struct program *program)
{
    const struct trace_dumpi_survey *survey = &program->survey;
    uint64_t ambiguous = 0;

    program->context.flavour = flavour_of(survey->to_rank_minus_1, survey->to_rank_minus_2);
    for (uint32_t rank = 0; rank < program->context.ranks; rank++)
        ambiguous += survey->ambiguous[rank];
    return has_all_creations(program) && (program->context.flavour != DPT_FLAVOUR_OPEN_MPI || ambiguous == 0);
}

/* What was opened is the metafile, a prefix that may have one, or one rank's file, which has none. */
static int visit_metafile(const struct program *program, trace_file_visit *visit, void *context,
                          struct base_error *error)
{
    struct trace_dumpi_place place;
    struct stat status;

    if (dpt_metadata(program->trace, "numprocs") == NULL)
        return 0;
    if (stat(program->base.path, &status) == 0)
        return visit(context, &(struct trace_file){.path = program->base.path}, error);
    snprintf(place.text, sizeof place.text, "%s.meta", program->base.path);
    return visit(context, &(struct trace_file){.path = place.text}, error);
}

/* Names as the library made them when it looked for the files. */
static int visit_files(const struct trace_program *base, trace_file_visit *visit, void *context,
                       struct base_error *error)
{
    const struct program *program = (const struct program *)base;
    struct trace_dumpi_place place;

    if (visit_metafile(program, visit, context, error) != 0)
        return -1;
    for (uint32_t rank = 0; rank < base->ranks; rank++) {
        dpt_rank_path(program->trace, (int32_t)rank, place.text, sizeof place.text);
        if (visit(context, &(struct trace_file){.path = place.text}, error) != 0)
            return -1;
    }
    return 0;
}

/* A trace without some of its files is refused, but for the sake of looking for defects. */
static int open_files(struct program *program, const char *path, const struct trace_options *options,
                      struct base_error *error)
{
    struct base_position position = base_position_of(path);
    struct dpt_error problem;

    program->trace = dpt_open(path, &problem);
    if (program->trace == NULL)
        return base_error_set(error, problem.status == DPT_ERROR_MEMORY ? BASE_SYSTEM : BASE_INPUT, "%s",
                              problem.text);
    if (dpt_missing_count(program->trace) > 0 && options->defects == NULL)
        return base_error_at(error, BASE_INPUT, &position,
                             "the files of %" PRId32 " of %" PRId32 " ranks are missing",
                             dpt_missing_count(program->trace), dpt_rank_count(program->trace));
    program->context.trace = program->trace;
    program->context.ranks = (uint32_t)dpt_rank_count(program->trace);
    program->context.options = *options;
    return 0;
}

/* The two passes over all ranks: each needs what the one before it has found. The flavour is known before anything is
 * decoded, since it decides whether a source of -1 is any or none; but not in a hurry. */
static int read_files(struct program *program, bool hurry, struct base_error *error)
{
    struct trace_dumpi_context *context = &program->context;
    struct trace_dumpi_creations *creations = &program->creations;

    if (trace_dumpi_read_creations(creations, program->trace, context->ranks, hurry, program->base.path,
                                   context->options.defects, error) != 0)
        return -1;
    context->flavour =
        hurry ? DPT_FLAVOUR_UNKNOWN : flavour_of(creations->to_rank_minus_1, creations->to_rank_minus_2);
    if (list_communicators(program) != 0)
        return base_error_memory(error, "the communicators of a trace");
    return trace_dumpi_survey_run(&program->survey, context, error);
}

/* In a hurry first, which does for nearly all traces: then the first pass ends early, and the second shows that nothing
 * was missed. Where it was, or anything is wrong with the trace, all is read again with the care that the answer or the
 * sentence of an error needs. The list of defects could not be taken back. */
static int read_all(struct program *program, struct base_error *error)
{
    if (program->context.options.defects == NULL) {
        struct base_error problem = {.status = BASE_OK};

        if (read_files(program, true, &problem) == 0 && was_right(program))
            return 0;
        if (problem.status == BASE_SYSTEM)
            return base_error_set(error, problem.status, "%s", problem.text);
        trace_dumpi_survey_free(&program->survey);
        trace_communicators_free(program->creations.communicators);
        program->creations.communicators = NULL;
    }
    return read_files(program, false, error);
}

/* What the cursors look up is what the passes have found. */
static int open_program(struct program *program, const char *path, const struct trace_options *options,
                        struct base_error *error)
{
    struct trace_dumpi_context *context = &program->context;

    program->base.class = &program_class;
    program->base.format = "dumpi";
    program->base.visit_files = visit_files;
    program->base.path = base_arena_text(&program->arena, path);
    context->path = program->base.path;
    if (program->base.path == NULL)
        return base_error_memory(error, "a trace");
    if (open_files(program, path, options, error) != 0)
        return -1;
    find_rules(context);
    if (read_all(program, error) != 0)
        return -1;
    context->exceptions = program->survey.exceptions;
    context->null_sources = program->survey.null_sources;
    context->roots = &program->survey.roots;
    context->parts = &program->survey.parts;
    if (trace_dumpi_fit_sizes(&program->survey, context, error) != 0 || check_clock(program, error) != 0)
        return -1;
    trace_dumpi_settle(&program->survey, context);
    return fill_base(program, error);
}

/* A program that cannot be opened leaves nothing behind. */
static struct trace_program *open_trace(const char *path, const struct trace_options *options,
                                        struct base_error *error)
{
    struct trace_dumpi_place place;
    struct program *program;

    if (trace_dumpi_find(path, &place, error) != 0)
        return NULL;
    program = calloc(1, sizeof *program);
    if (program == NULL) {
        base_error_memory(error, "a trace");
    } else if (open_program(program, place.text, options, error) != 0) {
        close_program(&program->base);
        program = NULL;
    }
    return program == NULL ? NULL : &program->base;
}

const struct trace_format trace_format_dumpi = {
    .name = "dumpi",
    .summary =
        "DUMPI (sst-dumpi): the metafile *.meta, the prefix of its files, or a directory that holds one "
        "trace",
    .detect = trace_dumpi_detect,
    .open = open_trace,
};
