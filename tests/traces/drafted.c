#include "tests/traces/drafted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first field in which they differ, or NULL. */
static const char *find_field(const struct trace_op *kept, const struct trace_op *plain)
{
#define SAME(field)                                                                                          \
    if (kept->field != plain->field)                                                                         \
        return #field;
    SAME(kind)
    SAME(flags)
    SAME(duration_ns)
    SAME(peer)
    SAME(tag)
    SAME(communicator)
    SAME(bytes)
    SAME(request)
    SAME(collective)
    SAME(root)
    SAME(instance)
    SAME(bytes_sent)
    SAME(bytes_received)
    SAME(event)
    SAME(time_ns)
    SAME(region)
#undef SAME
    return NULL;
}

static bool same_words(const uint64_t *a, const uint64_t *b, size_t count)
{
    if (a == NULL || b == NULL)
        return a == b;
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_vector(const struct trace_vector *a, const struct trace_vector *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->size == b->size && a->pairwise == b->pairwise && same_words(a->sent, b->sent, a->size) &&
           same_words(a->received, b->received, a->size);
}

/* With what they point to. */
static const char *find_difference(const struct trace_op *kept, const struct trace_op *plain)
{
    const char *field = find_field(kept, plain);

    if (field != NULL)
        return field;
    if (plain->kind == TRACE_WAIT &&
        (kept->request_count != plain->request_count ||
         (plain->request_count > 0 && !same_words(kept->requests, plain->requests, plain->request_count))))
        return "requests";
    return plain->kind == TRACE_COLLECTIVE_CALL && !same_vector(kept->vector, plain->vector) ? "vector"
                                                                                             : NULL;
}

static bool same_rank(struct trace_program *kept, struct trace_program *plain, uint32_t rank,
                      char text[DRAFTED_TEXT])
{
    struct base_error error = {0};
    struct trace_cursor *a = trace_cursor_new(kept, rank, &error), *b = trace_cursor_new(plain, rank, &error);
    struct trace_op of_kept, of_plain;
    const char *field = NULL;
    uint64_t number = 0;
    int more = 1, more_kept = 1;

    while (a != NULL && b != NULL && field == NULL && more > 0) {
        more = trace_cursor_next(b, &of_plain, &error);
        more_kept = trace_cursor_next(a, &of_kept, &error);
        number++;
        if (more != more_kept)
            field = "end";
        else if (more > 0)
            field = find_difference(&of_kept, &of_plain);
    }
    trace_cursor_free(a);
    trace_cursor_free(b);
    if (a != NULL && b != NULL && field == NULL && more == 0)
        return true;
    snprintf(text, DRAFTED_TEXT, "rank %u, operation %" PRIu64 " (event %" PRIu64 "): %s differs; %.200s",
             rank, number, of_plain.event, field == NULL ? "nothing" : field, error.text);
    return false;
}

bool drafted_same(struct trace_program *kept, struct trace_program *plain, char text[DRAFTED_TEXT])
{
    snprintf(text, DRAFTED_TEXT, "another number of ranks");
    if (trace_program_ranks(kept) != trace_program_ranks(plain))
        return false;
    for (uint32_t rank = trace_program_ranks(plain); rank-- > 0;)
        if (!same_rank(kept, plain, rank, text))
            return false;
    return true;
}

/* Rows of tables in two summaries. */
static bool same_rows(const struct trace_summary *a, const struct trace_summary *b)
{
    bool same = a->coverage_count == b->coverage_count && a->repair_count == b->repair_count &&
                a->pair_count == b->pair_count;

    for (size_t i = 0; same && i < a->coverage_count; i++)
        same = strcmp(a->coverage[i].record, b->coverage[i].record) == 0 &&
               a->coverage[i].records == b->coverage[i].records &&
               a->coverage[i].bytes == b->coverage[i].bytes &&
               a->coverage[i].time_ns == b->coverage[i].time_ns &&
               a->coverage[i].treatment == b->coverage[i].treatment;
    for (size_t i = 0; same && i < a->repair_count; i++)
        same =
            strcmp(a->repairs[i].kind, b->repairs[i].kind) == 0 && a->repairs[i].count == b->repairs[i].count;
    return same && (a->pair_count == 0 || memcmp(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs) == 0);
}

static bool same_summary(const struct trace_summary *a, const struct trace_summary *b)
{
    return a->events == b->events && a->sends == b->sends && a->receives == b->receives &&
           a->bytes_sent == b->bytes_sent && a->bytes_received == b->bytes_received &&
           a->compute_ns == b->compute_ns && a->mpi_ns == b->mpi_ns && a->gap_wall_ns == b->gap_wall_ns &&
           a->gap_cpu_ns == b->gap_cpu_ns &&
           memcmp(a->collectives, b->collectives, sizeof a->collectives) == 0 && same_rows(a, b);
}

/* Both could be opened, or neither. Where memory is out nothing can be said. */
static bool same_opening(struct trace_program *drafted, struct trace_program *plain,
                         const struct base_error errors[2], char text[DRAFTED_TEXT])
{
    if (errors[0].status == BASE_SYSTEM || errors[1].status == BASE_SYSTEM)
        return true;
    if (drafted == NULL || plain == NULL) {
        snprintf(text, DRAFTED_TEXT, "refused: with a draft \"%.150s\", without \"%.150s\"", errors[1].text,
                 errors[0].text);
        return drafted == NULL && plain == NULL && errors[0].status == errors[1].status &&
               strcmp(errors[0].text, errors[1].text) == 0;
    }
    snprintf(text, DRAFTED_TEXT, "another summary");
    return same_summary(trace_program_summary(drafted), trace_program_summary(plain));
}

bool drafted_compare(const char *path, const struct trace_options *options, uint64_t room, uint32_t *decoded,
                     char text[DRAFTED_TEXT])
{
    struct trace_options how = options == NULL ? (struct trace_options){0} : *options;
    struct base_error errors[2] = {0};
    struct trace_program *plain = trace_open(path, &how, &errors[0]);
    struct trace_program *drafted;
    bool same;

    how.draft = trace_draft_new(room);
    drafted = trace_open(path, &how, &errors[1]);
    same = same_opening(drafted, plain, errors, text);
    drafted = trace_keep_drafted(drafted, how.draft, &errors[1]);
    if (same && drafted != NULL && plain != NULL)
        same = drafted_same(drafted, plain, text);
    if (decoded != NULL)
        *decoded = drafted == NULL ? 0 : trace_kept_size(drafted).decoded;
    trace_close(drafted);
    trace_close(plain);
    return same;
}
