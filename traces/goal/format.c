/* GOAL schedules as traces: the text that LogGOPSim and its schedgen read and write.
 *
 * A schedule is no recording but a graph: what a rank computes, sends and receives, and what must come before
 * what. Each rank's graph is brought into an order (order.c), which says the same where the graph is
 * what a program of MPI calls makes, and is counted as approximated where it is not.
 *
 * The file is read once when it is opened, a rank at a time, and checked (survey.c); then each rank's
 * block again through a cursor (cursor.c). Of a block only a window is in memory, as wide as its
 * requirements reach (graph.h). */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/format.h"
#include "traces/goal/program.h"

#define DEFAULT_MESSAGE_LIMIT_BYTES (UINT64_C(1) << 40)
#define BUFFER_BYTES ((size_t)1 << 16) /* for the survey, which reads all of the file */
#define RANKS_MAX (UINT32_C(1) << 24)
/* A rank takes memory even when it has no block. Above so many they must be fewer than the file's bytes, of
 * which a block has nine at least: so a number of ranks that is damaged asks for no memory out of proportion.
 */
#define RANKS_UNPROVEN (UINT32_C(1) << 14)

static const char *const region_names[TRACE_GOAL_REGIONS] = {"MPI_Isend", "MPI_Irecv", "MPI_Waitall"};

/* ---- detecting */

/* Behind white space and comments, which must not be longer than the buffer. */
static const char *first_word(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n\v\f");
        if (text[0] == '#' || (text[0] == '/' && text[1] == '/')) {
            text += strcspn(text, "\n");
        } else if (text[0] == '/' && text[1] == '*') {
            const char *end = strstr(text + 2, "*/");
            if (end == NULL)
                return "";
            text = end + 2;
        } else {
            return text;
        }
    }
}

/* Without a stream, so that nothing can fail for want of memory. */
static int detect(const char *path, struct base_error *error)
{
    char text[4096];
    struct stat status;
    ssize_t length;
    int file;

    (void)error;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    text[length < 0 ? 0 : length] = '\0';
    return strncmp(first_word(text), "num_ranks", strlen("num_ranks")) == 0;
}

/* The one sentence for all failed allocations of this file. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "a GOAL schedule");
}

/* Also frees a program that was opened halfway. */
static void close_program(struct trace_program *base)
{
    struct trace_goal_program *program = (struct trace_goal_program *)base;

    if (program->file >= 0)
        close(program->file);
    base_table_free(&program->pair_index);
    free(program->pairs);
    free(program->places);
    base_arena_free(&program->arena);
    free(program);
}

static const struct trace_program_class goal_class = {
    .cursor_new = trace_goal_cursor_new,
    .cursor_next = trace_goal_cursor_next,
    .cursor_free = trace_goal_cursor_free,
    .close = close_program,
    .sets_vectors = true,
};

/* ---- opening */

/* "num_ranks 4", and whether so many ranks can be in this file. */
static int read_ranks(struct trace_goal_text *text, uint64_t *ranks, struct base_error *error)
{
    struct stat status;

    if (trace_goal_next(text, error) != 0)
        return -1;
    if (strcmp(text->token, "num_ranks") != 0)
        return trace_goal_error(text, error, "'num_ranks' was expected, not '%s'", text->token);
    if (trace_goal_next(text, error) != 0 || trace_goal_number(text, NULL, RANKS_MAX, ranks, error) != 0)
        return -1;
    if (*ranks == 0)
        return trace_goal_error(text, error, "a schedule needs a rank");
    if (fstat(text->file, &status) != 0)
        return base_error_system(error, errno, "%s", text->path);
    if (*ranks > RANKS_UNPROVEN && *ranks > (uint64_t)status.st_size)
        return trace_goal_error(text, error, "%" PRIu64 " ranks in a file of %" PRIu64 " bytes", *ranks,
                                (uint64_t)status.st_size);
    return 0;
}

/* What is known of each rank before its block is read. */
static int read_head(struct trace_goal_program *program, struct trace_goal_text *text,
                     struct base_error *error)
{
    uint32_t *members;
    uint64_t ranks;

    if (read_ranks(text, &ranks, error) != 0)
        return -1;
    program->base.ranks = (uint32_t)ranks;
    program->places = calloc((size_t)ranks, sizeof *program->places);
    members = base_arena_array(&program->arena, (size_t)ranks, sizeof *members);
    if (program->places == NULL || members == NULL)
        return no_memory(error);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    program->world =
        (struct trace_communicator){.name = "MPI_COMM_WORLD", .size = (uint32_t)ranks, .members = members};
    program->base.communicators = &program->world;
    program->base.communicator_count = 1;
    return 0;
}

/* One file is all. */
static int visit_files(const struct trace_program *base, trace_file_visit *visit, void *context,
                       struct base_error *error)
{
    return visit(context, &(struct trace_file){.path = base->path}, error);
}

/* On an error what has been made stays for close_program. The survey reads the file to its end, so that a program
 * that was opened can be replayed without an error. */
static int open_program(struct trace_goal_program *program, const char *path,
                        const struct trace_options *options, struct base_error *error)
{
    static const struct trace_goal_place beginning = {0, 1, 1};
    struct trace_goal_text text;
    int result;

    program->file = -1;
    program->base.class = &goal_class;
    program->base.path = base_arena_text(&program->arena, path);
    program->base.visit_files = visit_files;
    program->base.format = "goal";
    program->base.writer = "GOAL";
    program->base.region_names = region_names;
    program->base.region_count = TRACE_GOAL_REGIONS;
    program->base.summary.by_communicator = program->collectives;
    program->compute_threshold_ns = options->compute_threshold_ns;
    program->draft = options->draft;
    program->message_limit_bytes =
        options->message_limit_bytes != 0 ? options->message_limit_bytes : DEFAULT_MESSAGE_LIMIT_BYTES;
    if (program->base.path == NULL)
        return no_memory(error);
    program->file = open(path, O_RDONLY | O_CLOEXEC);
    if (program->file < 0)
        return base_error_system(error, errno, "%s", path);
    trace_goal_text_begin(&text, program->file, program->base.path, &beginning, BUFFER_BYTES);
    result = read_head(program, &text, error);
    if (result == 0)
        result = trace_goal_survey(program, &text, error);
    trace_goal_text_free(&text);
    return result;
}

/* A program that cannot be opened leaves nothing behind. */
static struct trace_program *open_trace(const char *path, const struct trace_options *options,
                                        struct base_error *error)
{
    struct trace_goal_program *program;

    if (options->clock != TRACE_CLOCK_WALL) {
        base_error_set(error, BASE_USAGE, "%s: a GOAL schedule has no clock to choose from", path);
        return NULL;
    }
    program = calloc(1, sizeof *program);
    if (program == NULL) {
        no_memory(error);
        return NULL;
    }
    if (open_program(program, path, options, error) != 0) {
        close_program(&program->base);
        return NULL;
    }
    return &program->base;
}

const struct trace_format trace_format_goal = {
    .name = "goal",
    .summary = "GOAL schedules of LogGOPSim: the text, as its schedgen writes it",
    .detect = detect,
    .open = open_trace,
};
