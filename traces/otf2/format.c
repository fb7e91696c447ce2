/* OTF2 as a trace format: finding the anchor file, the program and its cursors.
 *
 *                                                otf2-archive/  otf2/
 *                        global definitions ───► collect.c ──► definitions.h: ranks, communicators, calls
 *     archive on disk ─┤
 *                        events of a location ─► events.c ───► stream.c, in batches
 *                                                               └─ decoder.c, messages.c, collectives.c:
 *                                                                    events become operations
 *     trace_open
 *       1  definitions
 *       2  survey.c: every rank's stream once, counting; exceptions go into the tables (tables.h)
 *          ... again, if the convention of sizes turns out to be the other one (sizes.c)
 *       3  agreement.c: do the members of a communicator call the same collectives?
 *          ... survey again, if only their sizes differ, or blocks are not what a member alone recorded
 *       4  channels.c, guesses.c: repairs of what EZTrace records wrongly, into the same tables
 *       5  settle.c: the operations that step 2 has drafted (traces/draft.h), if it has
 *       6  report.c: the summary
 *     trace_cursor_next
 *          the same stream again, with the tables: nothing else is kept between the two passes, without a draft
 *
 * Steps 3 and 4 look at counts only and cost nothing for a trace without faults. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wide.h"
#include "traces/format.h"
#include "traces/otf2-archive/anchor.h"
#include "traces/otf2/callers.h"
#include "traces/otf2/repair.h"
#include "traces/otf2/report.h"
#include "traces/otf2/settle.h"
#include "traces/program-internal.h"

#define DEFAULT_MESSAGE_LIMIT_BYTES ((uint64_t)1 << 40)

/* The program as the rest of the house sees it, with what its cursors look into. It owns all of this; cursors
 * borrow. */
struct program {
    struct trace_program base; /* first: a program is cast to it and back */
    struct base_arena arena;
    struct trace_otf2_definitions definitions;  /* of the archive, resolved */
    struct trace_otf2_archive *archive;         /* open as long as the program */
    struct trace_otf2_tables tables;            /* what all ranks need to know */
    struct trace_otf2_rank_tables *rank_tables; /* [rank], of one rank alone */
    struct trace_otf2_context context;          /* points to the definitions and tables here */
    struct trace_otf2_survey survey;            /* made when it was opened, before any cursor */
};

/* A cursor of one rank: the stream has the decoder, and with it all that depends on how far it has read. */
struct cursor {
    struct trace_cursor base;        /* first */
    struct trace_otf2_stream stream; /* of the rank's location */
};

/* A path in a directory. Finding the anchor file allocates nothing but what a directory takes that is read. */
struct path {
    char text[4096]; /* ends in a zero byte */
};

/* An anchor file begins with a byte for the order of bytes, a version of the buffer, and the letters OTF2. */
static bool is_anchor(const char *path)
{
    char start[7] = {0};
    struct stat status;
    int file;
    ssize_t length;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (file = open(path, O_RDONLY)) < 0)
        return false;
    length = read(file, start, sizeof start);
    close(file);
    return length == (ssize_t)sizeof start && memcmp(start + 2, "OTF2", 5) == 0;
}

/* And something before it: ".otf2" alone names no archive. */
static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), end = strlen(suffix);
    return length > end && strcmp(text + length - end, suffix) == 0;
}

/* False when the path is too long to be opened anyway. */
static bool join(struct path *path, const char *directory, const char *name)
{
    bool slash = directory[strlen(directory) - 1] == '/';
    int length = snprintf(path->text, sizeof path->text, "%s%s%s", directory, slash ? "" : "/", name);
    return length >= 0 && (size_t)length < sizeof path->text;
}

/* The anchor file NAME.otf2 beside the directory NAME of an archive's events: who names what a writer was
 * given as its name means the archive. */
static int find_anchor_beside(const char *directory, struct path *anchor)
{
    size_t length = strlen(directory);

    while (length > 1 && directory[length - 1] == '/')
        length--;
    return (size_t)snprintf(anchor->text, sizeof anchor->text, "%.*s.otf2", (int)length, directory) <
               sizeof anchor->text &&
           is_anchor(anchor->text);
}

/* The number of anchor files that a directory means: those in it, or else the one beside it; *first is the
 * first of them by name. Files that end in .otf2 count whatever they hold, so that a damaged one is named as
 * such. -1: no memory. */
static int find_anchors(const char *path, struct path *first, struct base_error *error)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    int count = 0;

    if (directory == NULL && errno == ENOMEM)
        return base_error_memory(error, "the names in a directory");
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct path file = {0};
        struct stat status;
        if (!join(&file, path, entry->d_name) || stat(file.text, &status) != 0 || !S_ISREG(status.st_mode) ||
            !(has_suffix(file.text, ".otf2") || is_anchor(file.text)))
            continue;
        if (count++ == 0 || strcmp(file.text, first->text) < 0)
            *first = file;
    }
    if (directory != NULL)
        closedir(directory);
    return count == 0 ? find_anchor_beside(path, first) : count;
}

/* By content or, for a file that is damaged at its start, by name; a directory by what is in it. */
static int detect(const char *path, struct base_error *error)
{
    struct stat status;
    struct path first;
    int count;

    if (stat(path, &status) != 0)
        return 0;
    if (!S_ISDIR(status.st_mode))
        return is_anchor(path) || has_suffix(path, ".otf2");
    count = find_anchors(path, &first, error);
    return count > 0 ? 1 : count;
}

/* The path of the anchor file that a path means. An error says what would work: several anchor files, or one that
 * is none. */
static int find_anchor(const char *path, struct path *anchor, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    struct stat status;
    int count = 1;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        count = find_anchors(path, anchor, error);
    else if ((size_t)snprintf(anchor->text, sizeof anchor->text, "%s", path) >= sizeof anchor->text)
        return base_error_at(error, BASE_INPUT, &position, "the path is too long");
    if (count < 0)
        return -1;
    if (count > 1)
        return base_error_at(error, BASE_INPUT, &position,
                             "the directory holds %d OTF2 anchor files; give one of them, as %s", count,
                             anchor->text);
    position = base_position_of(anchor->text);
    if (!is_anchor(anchor->text))
        return base_error_at(error, BASE_INPUT, &position,
                             "not an OTF2 anchor file: its signature is missing");
    if (!has_suffix(anchor->text, ".otf2"))
        return base_error_at(
            error, BASE_INPUT, &position,
            "the name of an OTF2 anchor file must end in .otf2, beside the .def file and the "
            "directory of the same name");
    return 0;
}

/* Cursors have their own place in the events; the files they share. */
static struct trace_cursor *cursor_new(struct trace_program *base, uint32_t rank, struct base_error *error)
{
    struct program *program = (struct program *)base;
    struct cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a cursor");
        return NULL;
    }
    if (trace_otf2_stream_init(&cursor->stream, program->archive, &program->context, rank, error) != 0) {
        free(cursor);
        return NULL;
    }
    return &cursor->base;
}

/* The ordinal of a receive is of interest to repairs only. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    uint64_t ordinal;
    return trace_otf2_stream_next(&((struct cursor *)base)->stream, op, &ordinal, error);
}

/* The archive stays open: it is the program's. */
static void cursor_free(struct trace_cursor *base)
{
    trace_otf2_stream_free(&((struct cursor *)base)->stream);
    free(base);
}

/* The survey's number of a collective leaves the implied ones before it out. */
static const struct trace_vector *vector(const struct trace_program *base, uint32_t communicator,
                                         uint64_t instance)
{
    const struct program *program = (const struct program *)base;
    const struct trace_otf2_vector *vector;
    uint64_t recorded;

    if (!trace_otf2_recorded_instance(&program->tables, communicator, instance, &recorded))
        return NULL;
    vector = trace_otf2_vectors_get(&program->survey.vectors, communicator, recorded);
    return vector == NULL ? NULL : &vector->vector;
}

/* Before a second survey, and at the end. */
static void free_rank_tables(struct program *program)
{
    for (uint32_t i = 0; program->rank_tables != NULL && i < program->definitions.ranks; i++) {
        free(program->rank_tables[i].receives);
        free(program->rank_tables[i].starts);
        free(program->rank_tables[i].creations);
        free(program->rank_tables[i].first_uses.all);
        free(program->rank_tables[i].collectives.all);
    }
    free(program->rank_tables);
    program->rank_tables = NULL;
}

static void rest(struct trace_program *base)
{
    trace_otf2_archive_rest(((struct program *)base)->archive);
}

/* Also for a program that was opened halfway: all that it has is NULL or zeroed before it is made. */
static void close_program(struct trace_program *base)
{
    struct program *program = (struct program *)base;

    trace_otf2_archive_close(program->archive);
    trace_otf2_survey_free(&program->survey);
    free_rank_tables(program);
    base_table_free(&program->tables.rules);
    base_table_free(&program->tables.sizes);
    free(program->tables.rule_list);
    free(program->tables.implied);
    free(program->tables.size_list);
    trace_otf2_definitions_free(&program->definitions);
    base_arena_free(&program->arena);
    free(program);
}

/* Only of programs with regions of their own (open_program); see callers.c. */
static int find_callers(struct trace_program *base, struct trace_caller *callers, size_t count,
                        struct base_error *error)
{
    struct program *program = (struct program *)base;

    return trace_otf2_find_callers(program->archive, &program->definitions, callers, count, error);
}

static int find_entries(struct trace_program *base, uint32_t rank, struct trace_entry *entries, size_t count,
                        struct base_error *error)
{
    struct program *program = (struct program *)base;

    return trace_otf2_find_entries(program->archive, &program->definitions, rank, entries, count, error);
}

/* Without the identifier that libotf2 drew. The anchor file's name ends in .otf2: find_anchor has seen to
 * that. A stem's room is that of a path. */
static int visit_files(const struct trace_program *base, trace_file_visit *visit, void *context,
                       struct base_error *error)
{
    struct path stem, definitions;
    size_t length = strlen(base->path) - strlen(".otf2");

    snprintf(stem.text, sizeof stem.text, "%.*s", (int)length, base->path);
    snprintf(definitions.text, sizeof definitions.text, "%.*s.def", (int)length, base->path);
    struct trace_file anchor = {.path = base->path, .omitted_bytes = TRACE_OTF2_IDENTIFIER_BYTES};
    if (trace_otf2_archive_identifier(((const struct program *)base)->archive, &anchor.omitted_at, error) !=
        0)
        return -1;
    if (anchor.omitted_at == 0)
        anchor.omitted_bytes = 0;
    if (visit(context, &anchor, error) != 0 ||
        visit(context, &(struct trace_file){.path = definitions.text}, error) != 0)
        return -1;
    return trace_visit_locations(stem.text, visit, context, error);
}

static const struct trace_program_class program_class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = close_program,
    .sets_vectors = true,
    .rest = rest,
};

/* True when the trace's sizes speak against the convention that they were read by. */
static bool correct_convention(struct program *program)
{
    bool changed = false;

    for (size_t i = 0; i < TRACE_COLLECTIVES; i++) {
        bool multiplied = program->tables.multiplied[i];
        if (program->survey.rooted_votes != 0)
            multiplied = program->survey.rooted_votes > 0;
        multiplied = multiplied && !program->survey.indivisible[i];
        changed |= multiplied != program->tables.multiplied[i];
        program->tables.multiplied[i] = multiplied;
    }
    return changed;
}

/* From the start: an earlier survey and the exceptions it found are forgotten. */
static int run_survey(struct program *program, struct base_error *error)
{
    free_rank_tables(program);
    trace_otf2_survey_free(&program->survey);
    program->rank_tables = calloc(program->definitions.ranks, sizeof *program->rank_tables);
    if (program->rank_tables == NULL)
        return base_error_memory(error, "the tables of the ranks");
    return trace_otf2_survey_run(&program->survey, program->archive, &program->context, program->rank_tables,
                                 error);
}

/* Now that the vectors of the first time say what a member's records mean. */
static int run_survey_again(struct program *program, struct base_error *error)
{
    struct trace_otf2_vectors vectors = program->survey.vectors;
    int result;

    program->survey.vectors = (struct trace_otf2_vectors){0};
    program->tables.vectors = &vectors;
    result = run_survey(program, error);
    program->tables.vectors = NULL;
    trace_otf2_vectors_free(&vectors);
    return result;
}

/* Surveys until nothing that the survey finds changes what it counts: which convention the sizes follow shows
 * only when all have been read, and where members disagree about a size, or a block is recorded as many
 * times as there are members, only when all members have been. Mostly once. */
static int survey(struct program *program, struct trace_otf2_repairs *repairs, struct base_error *error)
{
    bool sizes_changed;

    for (size_t i = 0; i < TRACE_COLLECTIVES; i++)
        program->tables.multiplied[i] = !program->definitions.plain_sizes;
    if (run_survey(program, error) != 0)
        return -1;
    if (correct_convention(program) && run_survey(program, error) != 0)
        return -1;
    program->tables.ranks = program->rank_tables;
    program->tables.vectors = &program->survey.vectors;
    program->tables.roots = &program->survey.roots;
    if (trace_otf2_check_agreement(repairs, &sizes_changed, error) != 0)
        return -1;
    program->tables.ranks = NULL;
    program->tables.vectors = NULL;
    program->tables.roots = NULL;
    return sizes_changed || program->survey.vectors.differ ? run_survey_again(program, error) : 0;
}

/* The tables of the ranks are only looked into once they are complete: during the survey they are being
 * filled. */
static int survey_and_repair(struct program *program, struct base_error *error)
{
    struct trace_otf2_repairs repairs = {program->archive, &program->context, &program->tables,
                                         &program->survey};

    if (survey(program, &repairs, error) != 0)
        return -1;
    program->tables.ranks = program->rank_tables;
    program->tables.vectors = &program->survey.vectors;
    program->tables.roots = &program->survey.roots;
    if (trace_otf2_infer_creations(&repairs, error) != 0 || trace_otf2_repair_channels(&repairs, error) != 0)
        return -1;
    if (trace_otf2_guess_receives(&repairs, error) != 0)
        return -1;
    trace_otf2_settle(&program->context);
    return 0;
}

/* Offsets of the ranks' first events, where the ranks' clocks have something in common. In ns after the earliest
 * first event of all ranks. Left out (NULL) where clocks have nothing in common: then no ranks' times are
 * compared. */
static int fill_origins(struct program *program)
{
    const struct trace_otf2_definitions *definitions = &program->definitions;
    uint64_t *origins;
    uint64_t first = UINT64_MAX;

    if (!trace_otf2_survey_has_common_clock(&program->survey, definitions))
        return 0;
    origins = base_arena_array(&program->arena, definitions->ranks, sizeof *origins);
    if (origins == NULL)
        return -1;
    for (uint32_t i = 0; i < definitions->ranks; i++)
        if (program->survey.first_ticks[i] < first)
            first = program->survey.first_ticks[i];
    for (uint32_t i = 0; i < definitions->ranks; i++) {
        uint64_t ticks = program->survey.first_ticks[i] - first;
        origins[i] = base_wide_low(base_wide_scaled(ticks, 1000000000u, definitions->ticks_per_second));
    }
    program->base.origins_ns = origins;
    return 0;
}

/* EZTrace does not name itself, but it leaves a region of its own in every process. */
static int fill_base(struct program *program, struct base_error *error)
{
    struct trace_program *base = &program->base;
    const char *creator = trace_otf2_archive_creator(program->archive);

    if (creator == NULL)
        creator = program->definitions.by_eztrace ? "EZTrace" : "unknown";
    base->writer = base_arena_text(&program->arena, creator);
    base->ranks = program->definitions.ranks;
    base->communicator_count = program->definitions.communicator_count;
    base->communicators = program->definitions.communicators;
    base->region_count = program->definitions.call_count;
    base->region_names = program->definitions.call_names;
    if (base->writer == NULL || fill_origins(program) != 0 ||
        trace_otf2_summarise(&base->summary, &program->survey, &program->definitions, &program->tables,
                             &program->arena) != 0)
        return base_error_memory(error, "the summary of a trace");
    return 0;
}

/* Everything that can be wrong with the trace is found here, before anybody asks for an operation. */
static int open_program(struct program *program, const char *anchor, const struct trace_options *options,
                        struct base_error *error)
{
    program->base.class = &program_class;
    program->base.visit_files = visit_files;
    program->base.format = "otf2";
    program->base.path = base_arena_text(&program->arena, anchor);
    if (program->base.path == NULL)
        return base_error_memory(error, "a trace");
    program->context = (struct trace_otf2_context){.path = program->base.path,
                                                   .definitions = &program->definitions,
                                                   .tables = &program->tables,
                                                   .options = *options};
    if (options->message_limit_bytes == 0)
        program->context.options.message_limit_bytes = DEFAULT_MESSAGE_LIMIT_BYTES;
    program->archive = trace_otf2_archive_open(program->base.path, &program->definitions, error);
    if (program->archive == NULL || survey_and_repair(program, error) != 0)
        return -1;
    if (program->definitions.user_region_count > 0) {
        program->base.find_callers = find_callers;
        program->base.find_entries = find_entries;
        program->base.own_region_count = program->definitions.user_region_count;
        program->base.own_region_names = program->definitions.user_regions;
    }
    return fill_base(program, error);
}

/* Events have one time stamp; what clock it is of the recorder knows. */
static int check_clock(const char *path, const struct trace_options *options, struct base_error *error)
{
    struct base_position position = base_position_of(path);

    if (options->clock == TRACE_CLOCK_WALL)
        return 0;
    return base_error_at(error, BASE_USAGE, &position,
                         "OTF2 traces have times of one clock only, which is taken for the wall clock");
}

/* A program that cannot be opened leaves nothing behind. */
static struct trace_program *open_trace(const char *path, const struct trace_options *options,
                                        struct base_error *error)
{
    struct path anchor;
    struct program *program;

    if (check_clock(path, options, error) != 0 || find_anchor(path, &anchor, error) != 0)
        return NULL;
    program = calloc(1, sizeof *program);
    if (program == NULL) {
        base_error_memory(error, "a trace");
    } else if (open_program(program, anchor.text, options, error) != 0) {
        close_program(&program->base);
        program = NULL;
    }
    return program == NULL ? NULL : &program->base;
}

const struct trace_format trace_format_otf2 = {
    .name = "otf2",
    .summary = "Open Trace Format 2 (Score-P's layout, EZTrace): the anchor file *.otf2, or a directory that "
               "holds one",
    .detect = detect,
    .open = open_trace,
};
