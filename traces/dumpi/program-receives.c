/* Receives. What a message is called shows when it has been received: a status is recorded by the call that
 * completes the receive. So a receive is open until then, and everything behind it waits in the queue; one
 * that has held up the queue for TRACE_DUMPI_WINDOW operations is taken as it was posted, and if it turns out
 * otherwise, that is an exception, which the survey notes and cursors look up when it is posted.
 *
 * A program that ignores statuses leaves open how long the message was (then its room counts, which the
 * survey corrects where it does not fit the sends) and, for wildcards, whose it was (then the replay finds
 * out).
 *
 *     posted      source   tag   room          by ordinal: exception? ──► known
 *     completed   status: source, tag, bytes   ──► resolve               cancelled, MPI_PROC_NULL ──► absent
 */
#include "traces/dumpi/program.h"

#include "traces/dumpi/survey.h"
#include "base/grow.h"

/* What is known of a message. Peer and tag are apart, or compilers would copy both at once right after each
 * was written, which processors wait for. */
struct message {
    uint32_t peer;                   /* the sender, as a rank of the world */
    bool absent, guessed, ambiguous; /* no message; bytes are the room; perhaps from MPI_PROC_NULL */
    uint64_t bytes;                  /* received, or the room for it when guessed */
    uint32_t tag;                    /* of the message, not of the receive */
};

/* The exception of the receive posted now, or NULL. Their order is that of the receives. */
static inline const struct trace_dumpi_exception *exception_of(struct trace_dumpi_decoder *decoder,
                                                               uint64_t ordinal)
{
    const struct trace_dumpi_exceptions *exceptions;

    if (decoder->context->exceptions == NULL)
        return NULL;
    exceptions = &decoder->context->exceptions[decoder->rank];
    if (decoder->next_exception >= exceptions->count ||
        exceptions->all[decoder->next_exception].ordinal != ordinal)
        return NULL;
    return &exceptions->all[decoder->next_exception++];
}

/* Fills in what the status says; a size that has no room in the buffer is garbage (a room of 0 bytes with a
 * message in it is one whose datatype is unknown). */
static inline void use_status(const struct trace_dumpi_decoder *decoder, struct message *message,
                              uint32_t communicator, const struct dpt_receive_status *status)
{
    if (message->peer == TRACE_ANY_SOURCE) {
        if (status->source < 0)
            message->absent = true;
        else
            message->peer = trace_dumpi_peer(decoder, communicator, status->source);
    }
    if (message->tag == TRACE_ANY_TAG && status->tag >= 0)
        message->tag = (uint32_t)status->tag;
    if (status->bytes >= 0 && ((uint64_t)status->bytes <= message->bytes || message->bytes == 0)) {
        message->bytes = (uint64_t)status->bytes;
        message->guessed = false;
    }
}

/* How a receive ends by its completion: status, or NULL where that was ignored. */
static inline void conclude(const struct trace_dumpi_decoder *decoder, const struct trace_dumpi_entry *entry,
                            const struct dpt_receive_status *status, struct message *message)
{
    message->peer = entry->peer;
    message->tag = entry->tag;
    message->bytes = entry->bytes;
    message->guessed = true;
    message->absent = message->ambiguous = false;
    if (status != NULL) {
        use_status(decoder, message, entry->communicator, status);
        message->absent |= status->cancelled != 0 && entry->cancelled;
    } else {
        message->absent = entry->cancelled;
        message->ambiguous = entry->maybe_null;
        /* The cursors know; the survey finds out. */
        if (entry->maybe_null && decoder->context->null_sources != NULL)
            message->absent |= decoder->context->null_sources[decoder->rank];
    }
}

/* What the survey counts of receives that stay unknown. */
static inline void count_unknown(struct trace_dumpi_decoder *decoder, const struct message *message)
{
    if (decoder->survey == NULL || message->absent)
        return;
    if (message->ambiguous)
        decoder->survey->ambiguous[decoder->rank]++;
    if (message->peer == TRACE_ANY_SOURCE || message->tag == TRACE_ANY_TAG)
        trace_dumpi_repair(decoder, message->ambiguous ? TRACE_DUMPI_REPAIR_AMBIGUOUS_SOURCE
                                                       : TRACE_DUMPI_REPAIR_OPEN_WILDCARD);
}

/* An absent receive stays in the queue as a dead slot, since slots are numbered. */
static void fill(struct trace_slot *slot, const struct message *message)
{
    slot->op.peer = message->peer;
    slot->op.tag = message->tag;
    slot->op.bytes = message->bytes;
    slot->guessed = message->guessed;
    slot->state = message->absent ? TRACE_SLOT_DEAD : TRACE_SLOT_READY;
}

/* Expired receives are out of reach: only the survey can still say of them what they are, for the
 * cursors. A receive that has left the queue as posted is counted anew if it ends otherwise; one that ends as
 * posted is none of the exceptions. */
int trace_dumpi_resolve(struct trace_dumpi_decoder *decoder, uint32_t index,
                        const struct dpt_receive_status *status, bool *absent)
{
    struct trace_dumpi_entry *entry = &decoder->active.entries[index];
    bool expired = entry->kind == TRACE_DUMPI_EXPIRED;
    struct message message;

    conclude(decoder, entry, status, &message);
    if (message.absent && entry->cancelled)
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_CANCELLED);
    count_unknown(decoder, &message);
    entry->kind = TRACE_DUMPI_KNOWN;
    *absent = message.absent && !expired;
    if (!expired && trace_dumpi_only_counts(decoder)) {
        if (!message.absent)
            trace_dumpi_survey_receive(decoder->survey, decoder->rank, entry->function, message.peer,
                                       message.bytes, message.guessed);
        return 0;
    }
    if (!expired) {
        fill(trace_queue_find(&decoder->queue, entry->slot), &message);
        return 0;
    }
    if (decoder->survey == NULL || (!message.absent && message.peer == entry->peer &&
                                    message.tag == entry->tag && message.bytes == entry->bytes))
        return 0;
    return trace_dumpi_survey_expired(decoder->survey, decoder, entry,
                                      &(struct trace_dumpi_exception){.ordinal = entry->ordinal,
                                                                      .bytes = message.bytes,
                                                                      .peer = message.peer,
                                                                      .tag = message.tag,
                                                                      .absent = message.absent},
                                      message.guessed) != 0
               ? trace_dumpi_no_memory(decoder)
               : 0;
}

/* At the end of the records, a receive that is still open has never been completed. */
void trace_dumpi_expire(struct trace_dumpi_decoder *decoder, struct trace_slot *slot)
{
    struct trace_dumpi_entry *entry = &decoder->active.entries[slot->entry];

    slot->state = TRACE_SLOT_READY;
    slot->guessed = true;
    if (decoder->over)
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNFINISHED_REQUEST);
    entry->kind = decoder->over ? TRACE_DUMPI_KNOWN : TRACE_DUMPI_EXPIRED;
}

void trace_dumpi_expire_open(struct trace_dumpi_decoder *decoder)
{
    for (; decoder->open_head < decoder->open_tail; decoder->open_head++) {
        const struct trace_dumpi_open *open =
            &decoder->open[decoder->open_head & (decoder->open_capacity - 1)];
        struct trace_dumpi_entry *entry = &decoder->active.entries[open->entry];

        if (entry->kind != TRACE_DUMPI_RECEIVING || entry->slot != open->place)
            continue;
        decoder->open_until = open->place + TRACE_DUMPI_WINDOW;
        if (trace_dumpi_places(decoder) <= decoder->open_until && !decoder->over)
            return;
        if (decoder->over)
            trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNFINISHED_REQUEST);
        entry->kind = decoder->over ? TRACE_DUMPI_KNOWN : TRACE_DUMPI_EXPIRED;
        trace_dumpi_survey_receive(decoder->survey, decoder->rank, entry->function, entry->peer, entry->bytes,
                                   true);
    }
}

/* A request of no operation, so that its completion is no surprise. */
static int post_nothing(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive)
{
    receive->entry = TRACE_DUMPI_NO_ENTRY;
    if (receive->number < 0)
        return 0;
    return trace_dumpi_entry_new(&decoder->active, receive->number, TRACE_DUMPI_NOTHING) ==
                   TRACE_DUMPI_NO_ENTRY
               ? trace_dumpi_no_memory(decoder)
               : 0;
}

/* A receive whose status was ignored, just after a probe that saw the message. */
static const struct dpt_receive_status *status_of_probe(struct trace_dumpi_decoder *decoder,
                                                        const struct trace_dumpi_receive *receive)
{
    const struct dpt_receive_status *status = &decoder->probed;

    if (decoder->probed_communicator != receive->communicator ||
        (receive->source >= 0 && receive->source != status->source) ||
        (receive->tag >= 0 && receive->tag != status->tag))
        return NULL;
    return status;
}

/* Whose receive it is, checked; 1, or as trace_dumpi_fault for a rank that is none. */
static inline int find_peer(struct trace_dumpi_decoder *decoder, const struct trace_dumpi_receive *receive,
                            uint32_t *peer)
{
    *peer = TRACE_ANY_SOURCE;
    if (receive->source < 0)
        return 1;
    *peer = trace_dumpi_peer(decoder, receive->communicator, receive->source);
    if (*peer != UINT32_MAX)
        return 1;
    return trace_dumpi_fault(
        decoder, "rank-out-of-range", "source %lld in communicator \"%s\", which has %u members",
        (long long)receive->source, decoder->context->communicators[receive->communicator].name,
        decoder->context->communicators[receive->communicator].size);
}

/* What is known at once: by exception, by the status of a blocking call, or nothing yet (false). A probe right
 * before counts as the status of a receive that ignores its own: it saw the same message. */
static inline bool settle(struct trace_dumpi_decoder *decoder, const struct trace_dumpi_receive *receive,
                          const struct trace_dumpi_entry *posted, struct message *message)
{
    const struct trace_dumpi_exception *exception = exception_of(decoder, posted->ordinal);
    const struct dpt_receive_status *status = receive->status;

    if (status == NULL)
        status = status_of_probe(decoder, receive);
    decoder->probed_communicator = UINT32_MAX;
    if (exception != NULL) {
        *message = (struct message){.peer = exception->peer,
                                    .tag = exception->tag,
                                    .bytes = exception->bytes,
                                    .absent = exception->absent};
        return true;
    }
    if (!receive->blocking && receive->status == status)
        return false;
    conclude(decoder, posted, status, message);
    count_unknown(decoder, message);
    return true;
}

/* The survey needs no more of a receive of which all is known; one with a request has an entry, as exchange wants. */
static int count_known(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive,
                       const struct message *known)
{
    trace_dumpi_pass(decoder);
    trace_dumpi_survey_receive(decoder->survey, decoder->rank, decoder->record->function, known->peer,
                               known->bytes, known->guessed);
    receive->entry = TRACE_DUMPI_NO_ENTRY;
    if (receive->number < 0 && (receive->flags & TRACE_NONBLOCKING) == 0)
        return 0;
    receive->entry = trace_dumpi_entry_new(&decoder->active, receive->number, TRACE_DUMPI_KNOWN);
    return receive->entry == TRACE_DUMPI_NO_ENTRY ? trace_dumpi_no_memory(decoder) : 0;
}

/* What its completion will need. */
static inline struct trace_dumpi_entry *keep_posted(struct trace_dumpi_decoder *decoder, uint32_t index,
                                                    const struct trace_dumpi_entry *posted)
{
    struct trace_dumpi_entry *entry = &decoder->active.entries[index];

    entry->ordinal = posted->ordinal;
    entry->peer = posted->peer;
    entry->tag = posted->tag;
    entry->bytes = posted->bytes;
    entry->communicator = posted->communicator;
    entry->maybe_null = posted->maybe_null;
    return entry;
}

uint32_t trace_dumpi_list_open(struct trace_dumpi_decoder *decoder, int64_t number,
                               const struct trace_dumpi_entry *posted)
{
    struct trace_dumpi_entry *entry;
    uint32_t index = TRACE_DUMPI_NO_ENTRY;

    if (decoder->open_tail - decoder->open_head == decoder->open_capacity &&
        base_grow_ring(&decoder->open, &decoder->open_capacity, decoder->open_head, decoder->open_tail,
                       sizeof *decoder->open) != 0) {
        trace_dumpi_no_memory(decoder);
        return TRACE_DUMPI_NO_ENTRY;
    }
    index = trace_dumpi_entry_new(&decoder->active, number, TRACE_DUMPI_RECEIVING);
    if (index == TRACE_DUMPI_NO_ENTRY) {
        trace_dumpi_no_memory(decoder);
        return TRACE_DUMPI_NO_ENTRY;
    }
    entry = keep_posted(decoder, index, posted);
    entry->function = decoder->record->function;
    entry->slot = trace_dumpi_places(decoder);
    if (decoder->open_head == decoder->open_tail)
        decoder->open_until = entry->slot + TRACE_DUMPI_WINDOW;
    decoder->open[decoder->open_tail++ & (decoder->open_capacity - 1)] =
        (struct trace_dumpi_open){entry->slot, index};
    trace_dumpi_pass(decoder);
    return index;
}

/* Emits the receive and keeps what its completion will need. `posted` is what the call asked for, `known` what is
 * known of the message, or NULL. A blocking receive without a request has no entry. */
static int emit(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive,
                const struct trace_dumpi_entry *posted, const struct message *known)
{
    bool has_request = receive->number >= 0 || (receive->flags & TRACE_NONBLOCKING) != 0;
    struct trace_slot *slot =
        has_request ? trace_dumpi_emit_request(decoder, TRACE_RECEIVE, receive->number,
                                               known == NULL ? TRACE_DUMPI_RECEIVING : TRACE_DUMPI_KNOWN)
                    : trace_dumpi_emit(decoder, TRACE_RECEIVE);

    if (slot == NULL)
        return -1;
    receive->entry = slot->entry;
    slot->op.flags |= receive->flags;
    slot->op.communicator = receive->communicator;
    slot->ordinal = posted->ordinal;
    if (has_request)
        keep_posted(decoder, slot->entry, posted);
    if (known != NULL) {
        fill(slot, known);
        return 0;
    }
    fill(slot, &(struct message){.peer = posted->peer, .tag = posted->tag, .bytes = posted->bytes});
    slot->state = TRACE_SLOT_OPEN;
    return 0;
}

/* Sources below -1 are MPI_PROC_NULL in every MPI; -1 is one of two things (dpt_source_peer). 0, also for a
 * receive of no operation; -1: error. receive->entry is set in any case. */
int trace_dumpi_post(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive)
{
    struct trace_dumpi_entry posted = {.ordinal = decoder->receive_ordinal++,
                                       .bytes = receive->room_bytes,
                                       .communicator = receive->communicator,
                                       .tag = receive->tag < 0 ? TRACE_ANY_TAG : (uint32_t)receive->tag};
    struct message message;
    int good;

    posted.maybe_null = receive->source == DPT_ANY_SOURCE &&
                        dpt_source_peer(receive->source, NULL, decoder->context->flavour) == DPT_PEER_UNKNOWN;
    if (receive->source < DPT_ANY_SOURCE)
        return post_nothing(decoder, receive);
    good = find_peer(decoder, receive, &posted.peer);
    if (good <= 0)
        return good < 0 ? -1 : post_nothing(decoder, receive);
    if (!settle(decoder, receive, &posted, &message)) {
        if (!trace_dumpi_only_counts(decoder))
            return emit(decoder, receive, &posted, NULL);
        receive->entry = trace_dumpi_list_open(decoder, receive->number, &posted);
        return receive->entry == TRACE_DUMPI_NO_ENTRY ? -1 : 0;
    }
    if (message.absent)
        return post_nothing(decoder, receive);
    return trace_dumpi_only_counts(decoder) ? count_known(decoder, receive, &message)
                                            : emit(decoder, receive, &posted, &message);
}
