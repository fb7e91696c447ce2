/* GOAL schedules as traces: the text that LogGOPSim and its schedgen read and write.
 *
 * A schedule is no recording but a graph: what a rank computes, sends and receives, and what must come before
 * what. Each rank's graph is brought into an order (goal-order.c), which says the same where the graph is
 * what a program of MPI calls makes, and is counted as approximated where it is not.
 *
 * The file is read once when it is opened, a rank at a time, and checked; then each rank's block again when a
 * cursor is made for it, so that what is in memory is at most the blocks that are being read, which together
 * are about as large as the file. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "traces/format.h"
#include "traces/goal-block.h"
#include "traces/grow.h"
#include "traces/program-internal.h"

#define DEFAULT_MESSAGE_LIMIT_BYTES (UINT64_C(1) << 40)
#define RANKS_MAX (UINT32_C(1) << 24)
/* A rank takes memory even when it has no block. Above so many they must be fewer than the file's bytes, of
 * which a block has nine at least: so a number of ranks that is damaged asks for no memory out of proportion.
 */
#define RANKS_UNPROVEN (UINT32_C(1) << 14)

enum region { ISEND, IRECV, WAITALL, REGIONS };
static const char *const region_names[REGIONS] = {"MPI_Isend", "MPI_Irecv", "MPI_Waitall"};

/* Where a rank's block begins; line 0: it has none. */
struct place {
    int64_t offset, line, column;
};

struct goal_program {
    struct trace_program base; /* first */
    struct base_arena arena;
    struct trace_communicator world;
    struct place *places; /* [rank] */
    struct trace_coverage coverage[5];
    struct trace_collective_count collectives[TRACE_COLLECTIVES]; /* none, for the summary */
    struct trace_pair *pairs;
    size_t pair_capacity;
    struct base_table pair_index; /* only while the file is surveyed */
    uint64_t message_limit_bytes, compute_threshold_ns;
};

struct goal_cursor {
    struct trace_cursor base; /* first */
    struct trace_goal_block block;
    uint64_t *requests; /* [operation]: its number, once started */
    bool *done;         /* [operation] */
    uint32_t *list;
    uint64_t *wait; /* the set of the wait that was yielded last */
    size_t next;    /* in the order */
    uint64_t next_request, event, time_ns;
    bool waited, ended, over; /* the next operation's wait was yielded; all operations were; the end was */
};

/* ---- text */

/* A text from its beginning. Lines and columns count from 1. */
static int open_text(struct trace_goal_text *text, const char *path, struct base_error *error)
{
    *text = (struct trace_goal_text){.path = path, .next_line = 1, .next_column = 1, .ahead = -1};
    text->stream = fopen(path, "r");
    return text->stream == NULL ? base_error_system(error, errno, "%s", path) : 0;
}

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

/* Without a stream, so that nothing can fail for want of memory: detecting has no errors. */
static bool detect(const char *path)
{
    char text[4096];
    struct stat status;
    ssize_t length;
    int file;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    length = read(file, text, sizeof text - 1);
    close(file);
    text[length < 0 ? 0 : length] = '\0';
    return strncmp(first_word(text), "num_ranks", strlen("num_ranks")) == 0;
}

/* ---- survey */

/* The one sentence for all failed allocations of this file. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "a GOAL schedule");
}

/* The communication matrix, at the sender. Pairs are found by a table while the file is read, and sorted
 * in the end. */
static int count_pair(struct goal_program *program, uint32_t source, const struct trace_goal_op *op)
{
    uint32_t index = base_table_get(&program->pair_index, source, op->peer);
    size_t count = program->base.summary.pair_count;

    if (index == BASE_TABLE_NONE) {
        if (count >= UINT32_MAX - 1 ||
            trace_grow(&program->pairs, &program->pair_capacity, count + 1, sizeof *program->pairs) != 0 ||
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

/* Short calcs count as nothing when the user says so, as gaps between calls do in other formats. */
static uint64_t compute_of(const struct goal_program *program, const struct trace_goal_op *op)
{
    return op->value < program->compute_threshold_ns ? 0 : op->value;
}

/* The time of a rank is the sum of its calcs, which must not wrap around any more than a single one. */
static bool fits_in_time(const struct trace_goal_block *block)
{
    uint64_t left = INT64_MAX / 2;

    for (size_t i = 0; i < block->count; i++) {
        const struct trace_goal_op *op = &block->ops[i];
        if (op->kind == TRACE_GOAL_CALC && op->value > left)
            return false;
        left -= op->kind == TRACE_GOAL_CALC ? op->value : 0;
    }
    return true;
}

/* The sum over all ranks is only shown: it stands still where it would wrap around. */
static void add_compute(struct trace_summary *summary, uint64_t time_ns)
{
    summary->compute_ns =
        time_ns > UINT64_MAX - summary->compute_ns ? UINT64_MAX : summary->compute_ns + time_ns;
}

/* One pass over what a rank has, for the summary and the coverage. */
static int count_block(struct goal_program *program, uint32_t rank, const struct trace_goal_block *block)
{
    struct trace_summary *summary = &program->base.summary;

    for (size_t i = 0; i < block->count; i++) {
        const struct trace_goal_op *op = &block->ops[i];
        struct trace_coverage *row = &program->coverage[op->kind];
        row->records++;
        row->bytes += op->kind == TRACE_GOAL_CALC ? 0 : op->value;
        if (op->kind == TRACE_GOAL_CALC)
            add_compute(summary, compute_of(program, op));
        if (op->kind == TRACE_GOAL_RECV) {
            summary->receives++;
            summary->bytes_received += op->value;
        }
        if (op->kind != TRACE_GOAL_SEND)
            continue;
        summary->sends++;
        summary->bytes_sent += op->value;
        if (count_pair(program, rank, op) != 0)
            return -1;
    }
    summary->events += block->count;
    program->coverage[3].records += block->approximated;
    program->coverage[4].records += block->other_cpus;
    return 0;
}

/* Each kind of statement has a row, as each MPI call has in other formats. */
static void begin_coverage(struct goal_program *program)
{
    program->coverage[TRACE_GOAL_CALC] = (struct trace_coverage){"calc", TRACE_EXACT, NULL, 0, 0, 0};
    program->coverage[TRACE_GOAL_SEND] = (struct trace_coverage){"send", TRACE_EXACT, NULL, 0, 0, 0};
    program->coverage[TRACE_GOAL_RECV] = (struct trace_coverage){"recv", TRACE_EXACT, NULL, 0, 0, 0};
    program->coverage[3] = (struct trace_coverage){
        "requires",
        TRACE_APPROXIMATE,
        "operations that also wait for what they do not depend on: a rank does one thing at a time",
        0,
        0,
        0};
    program->coverage[4] =
        (struct trace_coverage){"cpu",
                                TRACE_APPROXIMATE,
                                "operations of other CPUs of a rank, done in turn with those of the first",
                                0,
                                0,
                                0};
}

/* "rank 3 {": the present token is "rank". */
static int read_rank(struct goal_program *program, struct trace_goal_text *text,
                     struct trace_goal_block *block, struct base_error *error)
{
    struct place *place;
    uint64_t rank;

    if (strcmp(text->token, "rank") != 0)
        return trace_goal_error(text, error, "'rank' was expected, not '%s'", text->token);
    if (trace_goal_next(text, error) != 0 || trace_goal_number(text, NULL, UINT32_MAX, &rank, error) != 0)
        return -1;
    if (rank >= program->base.ranks)
        return trace_goal_error(text, error, "rank %" PRIu64 " of %" PRIu32, rank, program->base.ranks);
    place = &program->places[rank];
    if (place->line != 0)
        return trace_goal_error(text, error, "rank %" PRIu64 " has a block before this one", rank);
    if (trace_goal_next(text, error) != 0)
        return -1;
    if (strcmp(text->token, "{") != 0)
        return trace_goal_error(text, error, "'{' was expected, not '%s'", text->token);
    *place = (struct place){ftello(text->stream), text->next_line, text->next_column};
    if (trace_goal_block_read(block, text, program->base.ranks, program->message_limit_bytes, error) != 0)
        return -1;
    if (!fits_in_time(block))
        return trace_goal_error(text, error, "the calcs of rank %" PRIu64 " are over %" PRId64 " ns together",
                                rank, INT64_MAX / 2);
    return count_block(program, (uint32_t)rank, block) != 0 ? no_memory(error) : 0;
}

/* By source, then by target, as trace_summary wants them. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Rows of approximations only where there are some. */
static void end_coverage(struct goal_program *program)
{
    size_t count = 3;

    for (size_t i = 3; i < 5; i++)
        if (program->coverage[i].records > 0)
            program->coverage[count++] = program->coverage[i];
    program->base.summary.coverage = program->coverage;
    program->base.summary.coverage_count = count;
    program->base.summary.pairs = program->pairs;
    if (program->base.summary.pair_count > 0)
        qsort(program->pairs, program->base.summary.pair_count, sizeof *program->pairs, compare_pairs);
}

/* One block after the other in the same memory. After an error the rows so far do no harm: the program is
 * not opened. */
static int survey(struct goal_program *program, struct trace_goal_text *text, struct base_error *error)
{
    struct trace_goal_block block = {0};
    int result = trace_goal_next(text, error);

    begin_coverage(program);
    while (result == 0 && text->token[0] != '\0') {
        result = read_rank(program, text, &block, error);
        if (result == 0)
            result = trace_goal_next(text, error);
    }
    if (result == 0 && ferror(text->stream))
        result = base_error_set(error, BASE_SYSTEM, "%s: cannot be read", text->path);
    trace_goal_block_free(&block);
    base_table_free(&program->pair_index);
    end_coverage(program);
    return result;
}

/* ---- cursors */

static struct trace_cursor *cursor_new(struct trace_program *base, uint32_t rank, struct base_error *error);

static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error);

/* Also frees a cursor that was made in part. */
static void cursor_free(struct trace_cursor *base)
{
    struct goal_cursor *cursor = (struct goal_cursor *)base;

    trace_goal_block_free(&cursor->block);
    free(cursor->requests);
    free(cursor->done);
    free(cursor->list);
    free(cursor->wait);
    free(cursor);
}

/* Also frees a program that was opened halfway. */
static void close_program(struct trace_program *base)
{
    struct goal_program *program = (struct goal_program *)base;

    base_table_free(&program->pair_index);
    free(program->pairs);
    free(program->places);
    base_arena_free(&program->arena);
    free(program);
}

static const struct trace_program_class goal_class = {cursor_new, cursor_next, cursor_free, NULL,
                                                      close_program, true};

/* Errors can only be of the system: the block was checked when the file was opened, unless it changed. */
static int read_again(struct goal_cursor *cursor, const struct goal_program *program, uint32_t rank,
                      struct base_error *error)
{
    const struct place *place = &program->places[rank];
    struct trace_goal_text text;
    int result;

    if (place->line == 0)
        return 0;
    if (open_text(&text, program->base.path, error) != 0)
        return -1;
    text.next_line = place->line;
    text.next_column = place->column;
    result = fseeko(text.stream, place->offset, SEEK_SET) != 0
                 ? base_error_system(error, errno, "%s", program->base.path)
                 : trace_goal_block_read(&cursor->block, &text, program->base.ranks,
                                         program->message_limit_bytes, error);
    fclose(text.stream);
    return result;
}

/* The block is parsed again: a program with many ranks is not in memory before all of them are read. */
static struct trace_cursor *cursor_new(struct trace_program *base, uint32_t rank, struct base_error *error)
{
    struct goal_cursor *cursor = calloc(1, sizeof *cursor);
    size_t count;

    if (cursor == NULL) {
        no_memory(error);
        return NULL;
    }
    if (read_again(cursor, (const struct goal_program *)base, rank, error) != 0) {
        cursor_free(&cursor->base);
        return NULL;
    }
    count = cursor->block.count + 1;
    cursor->requests = calloc(count, sizeof *cursor->requests);
    cursor->done = calloc(count, sizeof *cursor->done);
    cursor->list = malloc((cursor->block.edge_count + count) * sizeof *cursor->list);
    cursor->wait = malloc((cursor->block.edge_count + count) * sizeof *cursor->wait);
    if (cursor->requests == NULL || cursor->done == NULL || cursor->list == NULL || cursor->wait == NULL) {
        no_memory(error);
        cursor_free(&cursor->base);
        return NULL;
    }
    return &cursor->base;
}

/* The fields that all operations have. */
static struct trace_op new_op(struct goal_cursor *cursor, enum trace_op_kind kind, uint32_t region)
{
    return (struct trace_op){.kind = kind,
                             .root = UINT32_MAX,
                             .event = ++cursor->event,
                             .time_ns = cursor->time_ns,
                             .region = region};
}

/* The set is kept in the cursor until the next call, which is as long as whoever asked may look at it. */
static void yield_wait(struct goal_cursor *cursor, size_t count, struct trace_op *op)
{
    for (size_t i = 0; i < count; i++)
        cursor->wait[i] = cursor->requests[cursor->list[i]];
    *op = new_op(cursor, TRACE_WAIT, WAITALL);
    op->requests = cursor->wait;
    op->request_count = count;
}

/* Messages are always started and never waited for here: goal-order.c has put the waits where they
 * belong. */
static void yield_op(struct goal_cursor *cursor, uint32_t index, struct trace_op *op)
{
    const struct trace_goal_op *what = &cursor->block.ops[index];

    if (what->kind == TRACE_GOAL_CALC) {
        *op = new_op(cursor, TRACE_COMPUTE, TRACE_NO_REGION);
        op->duration_ns = what->value;
        cursor->time_ns += what->value;
        return;
    }
    *op = what->kind == TRACE_GOAL_SEND ? new_op(cursor, TRACE_SEND, ISEND)
                                        : new_op(cursor, TRACE_RECEIVE, IRECV);
    op->flags = TRACE_NONBLOCKING;
    op->peer = what->peer;
    op->tag = what->tag;
    op->bytes = what->value;
    op->request = cursor->requests[index] = cursor->next_request++;
}

/* What nobody required is waited for at the end: a schedule is over when all of it is. */
static size_t list_rest(struct goal_cursor *cursor)
{
    size_t count = 0;

    for (uint32_t i = 0; i < cursor->block.count; i++)
        if (cursor->block.ops[i].kind != TRACE_GOAL_CALC && !cursor->done[i])
            cursor->list[count++] = i;
    return count;
}

/* At most one wait, then the end, then nothing. */
static int yield_end(struct goal_cursor *cursor, struct trace_op *op)
{
    size_t rest = cursor->ended ? 0 : list_rest(cursor);

    if (cursor->over)
        return 0;
    cursor->ended = true;
    if (rest > 0) {
        yield_wait(cursor, rest, op);
        return 1;
    }
    cursor->over = true;
    *op = new_op(cursor, TRACE_END, TRACE_NO_REGION);
    return 1;
}

/* A calc of no time leaves nothing but the wait in front of it. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct goal_cursor *cursor = (struct goal_cursor *)base;
    const struct goal_program *program = (const struct goal_program *)base->program;

    (void)error;
    while (cursor->next < cursor->block.count) {
        uint32_t index = cursor->block.order[cursor->next];
        const struct trace_goal_op *what = &cursor->block.ops[index];
        size_t count =
            cursor->waited ? 0 : trace_goal_block_waits(&cursor->block, index, cursor->done, cursor->list);
        cursor->waited = true;
        if (count > 0) {
            yield_wait(cursor, count, op);
            return 1;
        }
        cursor->next++;
        cursor->waited = false;
        if (what->kind == TRACE_GOAL_CALC && compute_of(program, what) == 0)
            continue;
        yield_op(cursor, index, op);
        return 1;
    }
    return yield_end(cursor, op);
}

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
    if (fstat(fileno(text->stream), &status) != 0)
        return base_error_system(error, errno, "%s", text->path);
    if (*ranks > RANKS_UNPROVEN && *ranks > (uint64_t)status.st_size)
        return trace_goal_error(text, error, "%" PRIu64 " ranks in a file of %" PRIu64 " bytes", *ranks,
                                (uint64_t)status.st_size);
    return 0;
}

/* What is known of each rank before its block is read. */
static int read_head(struct goal_program *program, struct trace_goal_text *text, struct base_error *error)
{
    uint32_t *members;
    uint64_t ranks;

    if (read_ranks(text, &ranks, error) != 0)
        return -1;
    program->base.ranks = (uint32_t)ranks;
    program->places = calloc(ranks, sizeof *program->places);
    members = base_arena_array(&program->arena, ranks, sizeof *members);
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
    return visit(context, base->path, error);
}

/* On an error what has been made stays for close_program. */
static int open_program(struct goal_program *program, const char *path, const struct trace_options *options,
                        struct base_error *error)
{
    struct trace_goal_text text;
    int result;

    program->base.class = &goal_class;
    program->base.path = base_arena_text(&program->arena, path);
    program->base.visit_files = visit_files;
    program->base.format = "goal";
    program->base.writer = "GOAL";
    program->base.region_names = region_names;
    program->base.region_count = REGIONS;
    program->base.summary.by_communicator = program->collectives;
    program->compute_threshold_ns = options->compute_threshold_ns;
    program->message_limit_bytes =
        options->message_limit_bytes != 0 ? options->message_limit_bytes : DEFAULT_MESSAGE_LIMIT_BYTES;
    if (program->base.path == NULL)
        return no_memory(error);
    if (open_text(&text, program->base.path, error) != 0)
        return -1;
    result = read_head(program, &text, error);
    if (result == 0)
        result = survey(program, &text, error);
    fclose(text.stream);
    return result;
}

/* A program that cannot be opened leaves nothing behind. */
static struct trace_program *open_trace(const char *path, const struct trace_options *options,
                                        struct base_error *error)
{
    struct goal_program *program;

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
