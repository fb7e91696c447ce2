#include <config.h>

#include "tests/fuzz/soundness.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/traces/drafted.h"
#include "traces/doctor/defect.h"
#include "traces/program.h"

/* More operations than any file of a test could hold: a stream that does not end. */
#define MOST_DRAFTED 1000
#define MOST_OPERATIONS UINT64_C(20000000)

struct check {
    struct trace_program *program;
    uint32_t rank;
    uint64_t started; /* requests of this rank so far */
    struct soundness *result;
};

/* Only the first violation is kept: the others follow from it as a rule. */
static void violate(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void violate(struct check *check, const char *format, ...)
{
    va_list arguments;

    if (check->result->violation[0] != '\0')
        return;
    va_start(arguments, format);
    vsnprintf(check->result->violation, sizeof check->result->violation, format, arguments);
    va_end(arguments);
}

#define EXPECT(condition, op)                                                                                \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            violate(check, "rank %u, event %" PRIu64 ", %s: %s", check->rank, (op)->event,                   \
                    trace_program_region_name(check->program, (op)->region), #condition);                    \
    } while (0)

/* Requests are numbered from 0 without gaps, so a consumer may index an array by them. */
static void check_request(struct check *check, const struct trace_op *op)
{
    if ((op->flags & TRACE_NONBLOCKING) == 0)
        return;
    EXPECT(op->request == check->started, op);
    check->started++;
}

/* Only what receives may leave the peer open. The limit of a message's length is the default one of the
 * options. */
static void check_message(struct check *check, const struct trace_op *op)
{
    bool receives = op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE;

    EXPECT(op->peer < trace_program_ranks(check->program) || (receives && op->peer == TRACE_ANY_SOURCE), op);
    EXPECT(op->communicator < trace_program_communicators(check->program), op);
    EXPECT(op->bytes <= UINT64_C(1) << 40, op);
    check_request(check, op);
}

/* The replay asks for the rank's place among the members and for blocks by the root's number: both must be
 * there. */
static void check_collective(struct check *check, const struct trace_op *op)
{
    const struct trace_communicator *communicator;
    uint32_t size;

    EXPECT(op->communicator < trace_program_communicators(check->program), op);
    EXPECT((unsigned)op->collective < TRACE_COLLECTIVES, op);
    if (check->result->violation[0] != '\0')
        return;
    communicator = trace_program_communicator(check->program, op->communicator);
    size = communicator->size + communicator->remote_size;
    EXPECT(op->root == UINT32_MAX || op->root < size, op);
    EXPECT(trace_communicator_position(communicator, check->rank) != UINT32_MAX, op);
    if (op->vector != NULL) {
        EXPECT(op->vector->size == size, op);
        for (uint32_t i = 0; i < op->vector->size; i++)
            EXPECT(op->vector->sent[i] + op->vector->received[i] != UINT64_MAX, op); /* all are readable */
    }
    check_request(check, op);
}

/* Per kind what the header of traces/program.h promises of its fields. */
static void check_op(struct check *check, const struct trace_op *op)
{
    switch (op->kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
    case TRACE_PROBE:
    case TRACE_PUT:
    case TRACE_GET:
        check_message(check, op);
        break;
    case TRACE_COLLECTIVE_CALL:
        check_collective(check, op);
        break;
    case TRACE_WAIT:
        EXPECT(op->request_count > 0, op);
        for (size_t i = 0; i < op->request_count; i++)
            EXPECT(op->requests[i] < check->started, op);
        break;
    case TRACE_COMPUTE:
    case TRACE_END:
        break;
    default:
        violate(check, "an operation of kind %d", (int)op->kind);
    }
    EXPECT(trace_program_region_name(check->program, op->region) != NULL, op);
}

/* A trace that was opened has been read once already: its streams may not fail for what is in it, only for
 * lack of memory. */
static void check_rank(struct check *check)
{
    struct base_error error = {0};
    struct trace_cursor *cursor = trace_cursor_new(check->program, check->rank, &error);
    struct trace_op op = {0};
    uint64_t operations = 0;
    int more = -1;

    check->started = 0;
    while (cursor != NULL && check->result->violation[0] == '\0' && operations++ < MOST_OPERATIONS &&
           (more = trace_cursor_next(cursor, &op, &error)) > 0)
        check_op(check, &op);
    if (operations >= MOST_OPERATIONS)
        violate(check, "the stream of rank %u does not end", check->rank);
    if (more < 0 && error.status != BASE_SYSTEM)
        violate(check, "opened, but rank %u ends in an error: %.400s", check->rank, error.text);
    if (more == 0 && op.kind != TRACE_END)
        violate(check, "the stream of rank %u ends without TRACE_END", check->rank);
    trace_cursor_free(cursor);
}

/* Members are world ranks. */
static void check_communicators(struct check *check)
{
    uint32_t ranks = trace_program_ranks(check->program);

    for (uint32_t c = 0; c < trace_program_communicators(check->program); c++) {
        const struct trace_communicator *communicator = trace_program_communicator(check->program, c);

        for (uint32_t i = 0; i < communicator->size; i++)
            if (communicator->members[i] >= ranks)
                violate(check, "communicator %u has rank %u of %u", c, communicator->members[i], ranks);
        for (uint32_t i = 0; i < communicator->remote_size; i++)
            if (communicator->remote_members[i] >= ranks)
                violate(check, "communicator %u has rank %u of %u", c, communicator->remote_members[i],
                        ranks);
    }
}

/* The rows that `info`, `map` and the reports go through. */
static void check_summary(struct check *check)
{
    const struct trace_summary *summary = trace_program_summary(check->program);
    uint32_t ranks = trace_program_ranks(check->program);

    for (size_t i = 0; i < summary->pair_count; i++) {
        const struct trace_pair *pair = &summary->pairs[i];

        if (pair->source >= ranks || pair->target >= ranks)
            violate(check, "a pair of ranks %u and %u of %u", pair->source, pair->target, ranks);
    }
    for (size_t i = 0; i < summary->coverage_count; i++)
        if (summary->coverage[i].record == NULL || summary->coverage[i].treatment > TRACE_IGNORED)
            violate(check, "coverage row %zu", i);
    for (size_t i = 0; i < summary->repair_count; i++)
        if (summary->repairs[i].kind == NULL || summary->repairs[i].count == 0)
            violate(check, "repair row %zu", i);
}

/* Once all that is known from the start, then every rank's stream. */
static void check_program(struct check *check)
{
    check_communicators(check);
    check_summary(check);
    for (check->rank = 0; check->rank < trace_program_ranks(check->program); check->rank++)
        check_rank(check);
}

/* Whatever was collected can be shown to somebody. */
static void check_defects(struct check *check, const struct trace_defects *defects)
{
    for (size_t i = 0; defects != NULL && i < trace_defects_count(defects); i++) {
        const struct trace_defect *defect = trace_defects_get(defects, i);

        if (defect->kind == NULL || defect->text == NULL || defect->text[0] == '\0')
            violate(check, "defect %zu says nothing", i);
    }
}

/* What is drafted while the trace is opened is what streams give. Not of so many ranks that opening them takes about
 * what suites allow. */
static void check_draft(struct check *check, const char *path, const struct trace_options *how)
{
    char text[DRAFTED_TEXT];

    if (check->result->violation[0] == '\0' && !drafted_compare(path, how, UINT64_MAX, NULL, text))
        violate(check, "drafted: %s", text);
}

/* Refusals are errors of input or of the system (libotf2 asks for what a damaged anchor file tells it to),
 * or of usage (a clock that the format has not). Anything else, a deadlock or no status at all, is a bug. */
void soundness_check(const char *path, unsigned options, struct soundness *result)
{
    struct trace_options how = {.keep_polling = (options & SOUNDNESS_POLLING) != 0,
                                .clock = (enum trace_clock)((options >> SOUNDNESS_CLOCK_SHIFT & 3) % 3)};
    struct base_error error = {0};
    struct check check = {.result = result};
    uint32_t ranks;

    *result = (struct soundness){0};
    if (options & SOUNDNESS_DEFECTS)
        how.defects = trace_defects_new(10);
    check.program = trace_open(path, &how, &error);
    result->opened = check.program != NULL;
    if (check.program != NULL)
        check_program(&check);
    else if (error.text[0] == '\0' || error.status == BASE_OK || error.status == BASE_DEADLOCK)
        violate(&check, "refused with status %d: \"%.400s\"", (int)error.status, error.text);
    snprintf(result->refusal, sizeof result->refusal, "%.500s", error.text);
    check_defects(&check, how.defects);
    ranks = check.program == NULL ? 0 : trace_program_ranks(check.program);
    trace_close(check.program);
    if (how.defects == NULL && error.status != BASE_SYSTEM && ranks <= MOST_DRAFTED)
        check_draft(&check, path, &how);
    trace_defects_free(how.defects);
}

/* The files are written and removed for each: the reader opens paths, and maps what it finds there. */
void soundness_check_files(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files,
                           struct soundness *result)
{
    char path[FUZZ_PATH];

    *result = (struct soundness){0};
    fuzz_trace_path(reader, directory, path);
    if (fuzz_write(reader, directory, files) != 0)
        snprintf(result->violation, sizeof result->violation, "%s: cannot be written", directory);
    else
        soundness_check(path, files->options, result);
    fuzz_remove(reader, directory, files);
}
