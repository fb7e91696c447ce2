/* All members of a communicator must make the same collective calls in the same order, with one root and one
 * size. The survey hashed them; only where the hashes differ are the calls looked at again, to say where, or
 * to take the largest of the sizes: a root that has its part in place may record less.
 *
 * Memory is two arrays over the calls of one communicator at a time; sizes are bytes as sizes.c
 * understands them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/grow.h"
#include "traces/otf2/repair.h"

/* The next collective of a rank on one communicator: 1, 0 at the end, -1 on an error. Reads on through everything
 * else of the rank; *op is filled only where it returns 1. */
static int next_collective(struct trace_otf2_stream *stream, uint32_t communicator, struct trace_op *op,
                           struct base_error *error)
{
    uint64_t ordinal;
    int more;

    while ((more = trace_otf2_stream_next(stream, op, &ordinal, error)) > 0)
        if (op->kind == TRACE_COLLECTIVE_CALL && op->communicator == communicator)
            break;
    return more;
}

/* For messages: what a member calls, or that it calls no more. */
static const char *call_name(int more, const struct trace_op *op)
{
    return more > 0 ? trace_collective_name(op->collective) : "nothing more";
}

/* Fills the error with the first call in which two members differ. There is one, or the hashes would have
 * been equal: the loop ends at the latest where the shorter of the two does. */
static int compare_members(struct trace_otf2_stream *a, struct trace_otf2_stream *b, uint32_t communicator,
                           const struct trace_otf2_context *context, struct base_error *error)
{
    struct base_position position = base_position_of(context->path);
    struct trace_op op_a, op_b;
    int more_a, more_b;
    uint64_t number = 0;

    do {
        number++;
        more_a = next_collective(a, communicator, &op_a, error);
        more_b = more_a < 0 ? -1 : next_collective(b, communicator, &op_b, error);
        if (more_a < 0 || more_b < 0)
            return -1;
    } while (more_a > 0 && more_b > 0 && op_a.collective == op_b.collective && op_a.root == op_b.root);
    position.rank = b->decoder.rank;
    if (more_b > 0)
        position.event = (int64_t)op_b.event;
    return base_error_at(error, BASE_INPUT, &position,
                         "collective %" PRIu64
                         " on communicator \"%s\" is %s (root %d), but rank %u calls %s (root %d)",
                         number, context->definitions->communicators[communicator].name,
                         call_name(more_b, &op_b), more_b > 0 ? (int)op_b.root : -1, a->decoder.rank,
                         call_name(more_a, &op_a), more_a > 0 ? (int)op_a.root : -1);
}

/* Reads both members side by side up to the difference: two streams, so that nothing needs to be kept. */
static int report_difference(struct trace_otf2_repairs *repairs, uint32_t communicator, uint32_t first,
                             uint32_t second, struct base_error *error)
{
    struct trace_otf2_stream streams[2] = {0};
    int result = trace_otf2_stream_init(&streams[0], repairs->archive, repairs->context, first, error);

    if (result == 0)
        result = trace_otf2_stream_init(&streams[1], repairs->archive, repairs->context, second, error);
    if (result == 0)
        result = compare_members(&streams[0], &streams[1], communicator, repairs->context, error);
    trace_otf2_stream_free(&streams[0]);
    trace_otf2_stream_free(&streams[1]);
    return result;
}

/* For one communicator: the instance is the number of the call on it, the same on all members. Filled member by
 * member: `first` tells that there is nothing yet to compare with. */
struct sizes {
    uint32_t communicator; /* that is looked at */
    uint64_t count;        /* of instances */
    uint64_t *largest;     /* [instance] */
    bool *differ;          /* [instance] */
    bool first;            /* the first member is visited */
    uint64_t number;       /* of the member's next call */
};

/* Remembers the largest size of each instance, and whether any member recorded another. The largest, not that of
 * most: a member that records less had its part in place. */
static int visit_sizes(void *user, uint32_t rank, const struct trace_op *op, uint64_t ordinal)
{
    struct sizes *sizes = user;
    uint64_t number;

    (void)rank, (void)ordinal;
    if (op->kind != TRACE_COLLECTIVE_CALL || op->communicator != sizes->communicator ||
        (op->flags & TRACE_IMPLIED) != 0 || sizes->number >= sizes->count)
        return 0;
    number = sizes->number++;
    sizes->differ[number] |= !sizes->first && sizes->largest[number] != op->bytes;
    if (sizes->largest[number] < op->bytes)
        sizes->largest[number] = op->bytes;
    return 0;
}

/* Only the instances that differ are kept: a table of exceptions, not of collectives. */
static int keep_sizes(struct trace_otf2_tables *tables, const struct sizes *sizes)
{
    for (uint64_t i = 0; i < sizes->count; i++) {
        if (!sizes->differ[i])
            continue;
        if (tables->size_count >= BASE_TABLE_NONE ||
            base_grow(&tables->size_list, &tables->size_capacity, tables->size_count + 1,
                      sizeof *tables->size_list) != 0 ||
            base_table_put(&tables->sizes, sizes->communicator, i, (uint32_t)tables->size_count) != 0)
            return -1;
        tables->size_list[tables->size_count++] = sizes->largest[i];
    }
    return 0;
}

/* One pass over all members of one communicator. */
static int collect_sizes(struct trace_otf2_repairs *repairs, uint32_t communicator, uint64_t count,
                         struct base_error *error)
{
    const struct trace_otf2_definitions *definitions = repairs->context->definitions;
    struct sizes sizes = {.communicator = communicator, .count = count};
    int result = 0;

    sizes.largest = calloc(base_size(count), sizeof *sizes.largest);
    sizes.differ = calloc(base_size(count), sizeof *sizes.differ);
    if (sizes.largest == NULL || sizes.differ == NULL)
        result = base_error_memory(error, "the sizes of collectives");
    for (uint32_t i = 0; i < trace_otf2_size(definitions, communicator) && result == 0; i++) {
        sizes.first = i == 0;
        sizes.number = 0;
        result = trace_otf2_visit_rank(repairs, trace_otf2_world(definitions, communicator, i), visit_sizes,
                                       &sizes, error);
    }
    if (result == 0 && keep_sizes(repairs->tables, &sizes) != 0)
        result = base_error_memory(error, "the sizes of collectives");
    free(sizes.largest);
    free(sizes.differ);
    return result;
}

/* The first member is the measure for all others. A difference in the calls is damage, or a program that MPI
 * does not allow: replaying it would only end in a deadlock. A difference in sizes can be repaired. */
static int check_communicator(struct trace_otf2_repairs *repairs, uint32_t communicator, bool *changed,
                              struct base_error *error)
{
    const struct trace_otf2_survey *survey = repairs->survey;
    const struct trace_otf2_definitions *definitions = repairs->context->definitions;
    size_t first = survey->first_member[communicator];
    bool differ = false;

    for (uint32_t i = 1; i < trace_otf2_size(definitions, communicator); i++) {
        bool disagree = survey->call_counts[first + i] != survey->call_counts[first] ||
                        survey->call_hashes[first + i] != survey->call_hashes[first];
        if (disagree && repairs->context->options.defects != NULL)
            return 0; /* who looks for defects compares the calls of all members */
        if (disagree)
            return report_difference(repairs, communicator, trace_otf2_world(definitions, communicator, 0),
                                     trace_otf2_world(definitions, communicator, i), error);
        differ |= survey->size_hashes[first + i] != survey->size_hashes[first];
    }
    if (!differ)
        return 0;
    *changed = true;
    return collect_sizes(repairs, communicator, survey->call_counts[first], error);
}

/* *changed tells that sizes were repaired: what the survey summed up is out of date, and it is run again. */
int trace_otf2_check_agreement(struct trace_otf2_repairs *repairs, bool *changed, struct base_error *error)
{
    *changed = false;
    for (uint32_t i = 0; i < repairs->context->definitions->communicator_count; i++)
        if (check_communicator(repairs, i, changed, error) != 0)
            return -1;
    return 0;
}
