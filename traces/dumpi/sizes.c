/* Receives that ignore their status count by their room, which may be more than was sent. MPI demands that
 * no message is longer than its receive's room: so if the sums of a pair of ranks agree, each of its messages
 * does, and nothing need be kept. Only for the other pairs both ranks are read once more:
 *
 *     receiver    channel (communicator, tag)    the k-th message has ordinal o and only room      noted
 *     sender      channel                        the k-th message has b bytes                      o: b
 *
 * What is kept is one exception for each such receive. */
#include "traces/dumpi/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* A receive whose bytes are to be found. */
struct open_receive {
    uint64_t position; /* in its channel */
    struct trace_dumpi_exception exception;
    uint32_t rank, next; /* of the same channel; UINT32_MAX: none */
};

struct channel {
    uint64_t sends, receives; /* seen so far; their numbers are positions in the channel */
    uint32_t first, last;     /* open receives, UINT32_MAX: none */
};

struct search {
    const struct trace_dumpi_context *context; /* borrowed */
    struct base_table loose;                   /* (source, target) pairs */
    bool *source, *target;                     /* [rank] in one of these pairs */
    struct base_table channel_of;
    struct channel *channels;      /* of loose pairs only */
    struct open_receive *receives; /* linked by channel */
    size_t loose_count, channel_count, channel_capacity, receive_count, receive_capacity;
};

/* The sums of a pair's two sides. Lists are sorted differently, so one is searched. */
static int compare_pairs(const void *key, const void *element)
{
    const struct trace_dumpi_incoming *incoming = key;
    const struct trace_pair *pair = element;

    if (incoming->source != pair->source)
        return incoming->source < pair->source ? -1 : 1;
    return incoming->target < pair->target ? -1 : incoming->target > pair->target;
}

/* Pairs with receives of unknown length whose sums disagree. */
static int find_loose(struct search *search, struct trace_dumpi_survey *survey)
{
    for (size_t i = 0; i < survey->incoming_count; i++) {
        const struct trace_dumpi_incoming *incoming = &survey->incoming[i];
        const struct trace_pair *pair =
            survey->pair_count == 0 || incoming->guessed == 0
                ? NULL
                : bsearch(incoming, survey->pairs, survey->pair_count, sizeof *survey->pairs, compare_pairs);

        if (pair == NULL || pair->bytes == incoming->bytes)
            continue;
        if (base_table_put(&search->loose, incoming->source, incoming->target, 0) != 0)
            return -1;
        search->source[incoming->source] = search->target[incoming->target] = true;
        search->loose_count++;
    }
    return 0;
}

/* The channel of a message, made when it is new. NULL: no memory. */
static struct channel *find_channel(struct search *search, uint32_t source, uint32_t target,
                                    const struct trace_op *op)
{
    uint64_t envelope = (uint64_t)op->communicator << 32 | op->tag, pair = (uint64_t)source << 32 | target;
    uint32_t index = base_table_get(&search->channel_of, envelope, pair);

    if (index != BASE_TABLE_NONE)
        return &search->channels[index];
    index = (uint32_t)search->channel_count;
    if (search->channel_count >= UINT32_MAX - 1 ||
        base_grow(&search->channels, &search->channel_capacity, search->channel_count + 1,
                  sizeof *search->channels) != 0 ||
        base_table_put(&search->channel_of, envelope, pair, index) != 0)
        return NULL;
    search->channels[index] = (struct channel){0, 0, UINT32_MAX, UINT32_MAX};
    search->channel_count++;
    return &search->channels[index];
}

/* Most messages of a rank that is read again belong to other pairs. */
static bool is_loose(const struct search *search, uint32_t source, uint32_t target)
{
    return base_table_get(&search->loose, source, target) != BASE_TABLE_NONE;
}

/* A receive of a loose pair takes its place in its channel. Positions count all receives of the channel, known
 * ones too: the k-th send goes to the k-th receive. */
static int note_receive(struct search *search, const struct trace_dumpi_decoder *decoder,
                        const struct trace_op *op)
{
    struct channel *channel = find_channel(search, op->peer, decoder->rank, op);
    uint32_t index = (uint32_t)search->receive_count;
    uint64_t position;

    if (channel == NULL)
        return -1;
    position = channel->receives++;
    if (!decoder->guessed)
        return 0;
    if (search->receive_count >= UINT32_MAX ||
        base_grow(&search->receives, &search->receive_capacity, search->receive_count + 1,
                  sizeof *search->receives) != 0)
        return -1;
    search->receives[search->receive_count++] = (struct open_receive){
        position,
        {.ordinal = decoder->ordinal, .bytes = op->bytes, .peer = op->peer, .tag = op->tag},
        decoder->rank,
        UINT32_MAX};
    if (channel->first == UINT32_MAX)
        channel->first = index;
    else
        search->receives[channel->last].next = index;
    channel->last = index;
    return 0;
}

/* A send of a loose pair tells the bytes of the receive at its place. */
static int use_send(struct search *search, const struct trace_dumpi_decoder *decoder,
                    const struct trace_op *op)
{
    struct channel *channel = find_channel(search, decoder->rank, op->peer, op);
    uint64_t position;

    if (channel == NULL)
        return -1;
    position = channel->sends++;
    if (channel->first != UINT32_MAX && search->receives[channel->first].position == position) {
        search->receives[channel->first].exception.bytes = op->bytes;
        channel->first = search->receives[channel->first].next;
    }
    return 0;
}

/* Reads a rank again, for its receives or for its sends. Wildcards have no channel before the replay, and are left
 * out on both sides of the comparison. */
static int read_rank(struct search *search, uint32_t rank, enum trace_op_kind kind, struct base_error *error)
{
    struct trace_dumpi_decoder decoder;
    struct trace_op op;
    int more;
    int result = 0;

    trace_dumpi_decoder_init(&decoder, search->context, rank);
    while (result == 0 && (more = trace_dumpi_next(&decoder, &op, error)) != 0) {
        if (more < 0) {
            result = -1;
        } else if (op.kind == kind && op.peer != TRACE_ANY_SOURCE) {
            if (kind == TRACE_SEND && is_loose(search, rank, op.peer))
                result = use_send(search, &decoder, &op);
            else if (kind == TRACE_RECEIVE && is_loose(search, op.peer, rank))
                result = note_receive(search, &decoder, &op);
            if (result != 0)
                base_error_memory(error, "the sizes of messages");
        }
    }
    trace_dumpi_decoder_free(&decoder);
    return result;
}

/* The order in which cursors meet receives. */
static int compare_ordinals(const void *left, const void *right)
{
    const struct trace_dumpi_exception *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

/* Adds what was found to the ranks' exceptions; one that there is already gets the bytes. An exception that the
 * survey found for the same receive is replaced: it had the room for the size. */
static int keep(struct search *search, struct trace_dumpi_survey *survey)
{
    for (size_t i = 0; i < search->receive_count; i++) {
        const struct open_receive *receive = &search->receives[i];
        struct trace_dumpi_exceptions *exceptions = &survey->exceptions[receive->rank];
        struct trace_dumpi_exception *there =
            exceptions->count == 0 ? NULL
                                   : bsearch(&receive->exception, exceptions->all, exceptions->count,
                                             sizeof *exceptions->all, compare_ordinals);

        if (there != NULL) {
            *there = receive->exception;
            continue;
        }
        /* Those of a rank come channel by channel: behind what is sorted, and sorted at last. */
        if (base_grow(&exceptions->all, &exceptions->capacity, exceptions->added + exceptions->count + 1,
                      sizeof *exceptions->all) != 0)
            return -1;
        exceptions->all[exceptions->count + exceptions->added++] = receive->exception;
    }
    for (uint32_t rank = 0; rank < survey->context->ranks; rank++) {
        struct trace_dumpi_exceptions *exceptions = &survey->exceptions[rank];

        exceptions->count += exceptions->added;
        exceptions->added = 0;
        if (exceptions->count > 1)
            qsort(exceptions->all, exceptions->count, sizeof *exceptions->all, compare_ordinals);
    }
    return 0;
}

/* The sum of what was received, with what has been found. */
static void correct_sum(struct trace_dumpi_survey *survey, const struct search *search)
{
    for (size_t i = 0; i < survey->incoming_count; i++) {
        const struct trace_dumpi_incoming *incoming = &survey->incoming[i];

        if (is_loose(search, incoming->source, incoming->target)) {
            const struct trace_pair *pair =
                bsearch(incoming, survey->pairs, survey->pair_count, sizeof *survey->pairs, compare_pairs);
            if (pair != NULL && pair->messages == incoming->messages)
                survey->bytes_received += pair->bytes - incoming->bytes;
        }
    }
}

/* Receivers first: what is looked for must be known when the sends come by. Only ranks that are an end of a loose
 * pair are read; most traces have none. */
static int run(struct search *search, struct trace_dumpi_survey *survey, struct base_error *error)
{
    uint32_t ranks = search->context->ranks;

    search->source = calloc(ranks, sizeof *search->source);
    search->target = calloc(ranks, sizeof *search->target);
    if (search->source == NULL || search->target == NULL || find_loose(search, survey) != 0)
        return base_error_memory(error, "the sizes of messages");
    if (search->loose_count == 0)
        return 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (search->target[rank] && read_rank(search, rank, TRACE_RECEIVE, error) != 0)
            return -1;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (search->source[rank] && read_rank(search, rank, TRACE_SEND, error) != 0)
            return -1;
    if (keep(search, survey) != 0)
        return base_error_memory(error, "the sizes of messages");
    correct_sum(survey, search);
    return 0;
}

/* Everything but the exceptions is forgotten afterwards. */
int trace_dumpi_fit_sizes(struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context,
                          struct base_error *error)
{
    struct search search = {.context = context};
    int result = run(&search, survey, error);

    base_table_free(&search.loose);
    base_table_free(&search.channel_of);
    free(search.source);
    free(search.target);
    free(search.channels);
    free(search.receives);
    return result;
}
