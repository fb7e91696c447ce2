/* Receives that never complete (EZTrace writes no completions for C programs). All that is known of them is
 * when they were posted, by whom, and in which wait call they can have completed; and which sends no other
 * receive claims.
 *
 * The program is run once without time: a send leaves at once, a known receive takes the next message of its
 * channel, a collective holds its members until all have come, and a wait that meets a receive without a
 * message takes the oldest message to this rank that nobody else will claim. What comes out is a pairing that
 * some execution has had, so that the repaired program cannot deadlock by it. Where the run gets stuck, the
 * receive waited for had no message: it was posted for MPI_PROC_NULL. */
#include <stdlib.h>

#include "traces/grow.h"
#include "traces/otf2-repair.h"

/* A message to a rank on a channel that has more sends than receives. */
struct letter {
    uint32_t channel;
    uint64_t bytes;
    bool taken;
};

struct mailbox {
    struct letter *letters;
    size_t count, capacity, first; /* all before the first are taken */
};

/* A started receive: the n-th on its channel, or of unknown origin. */
struct claim {
    uint32_t channel; /* NO_CHANNEL for an unknown one */
    uint64_t position, ordinal;
};

#define NO_CHANNEL UINT32_MAX

struct process {
    struct trace_otf2_stream stream;
    struct trace_op op; /* in progress */
    bool busy, arrived, ended;
    struct claim blocking;     /* of a blocking receive in progress */
    struct base_table started; /* request -> claim */
    struct claim *claims;
    size_t claim_count, claim_capacity;
    struct mailbox mailbox;
};

/* What a channel has beyond its counts. */
struct surplus {
    uint64_t left;     /* sends for receives of unknown origin */
    uint64_t sendable; /* all that will ever be sent */
};

struct run {
    struct trace_otf2_repairs *repairs;
    struct base_error *error;
    struct trace_otf2_channels totals; /* between unbalanced pairs, of the whole program */
    struct trace_otf2_channels so_far; /* sent, and claimed */
    struct surplus *surplus;           /* [channel of so_far] */
    size_t surplus_capacity;
    struct process *processes;
    uint64_t *arrivals; /* [communicator] */
};

static int no_memory(const struct run *run)
{
    return base_error_memory(run->error, "the repair of receives");
}

/* The index of a channel among those so far; NO_CHANNEL when memory is out. */
static uint32_t find_channel(struct run *run, const struct trace_otf2_channel *key)
{
    struct trace_otf2_channel *channel = trace_otf2_channel(&run->so_far, key);
    struct surplus surplus = {.sendable = UINT64_MAX};
    uint32_t index, total;

    if (channel == NULL ||
        trace_grow(&run->surplus, &run->surplus_capacity, run->so_far.count, sizeof *run->surplus) != 0)
        return NO_CHANNEL;
    index = (uint32_t)(channel - run->so_far.all);
    if (channel->sends + channel->receives > 0)
        return index;
    total = base_table_get(&run->totals.index, trace_otf2_pack(key->communicator, key->tag),
                           trace_otf2_pack(key->source, key->target));
    if (total != BASE_TABLE_NONE) {
        const struct trace_otf2_channel *all = &run->totals.all[total];
        surplus.left = all->sends > all->receives ? all->sends - all->receives : 0;
        surplus.sendable = all->sends;
    }
    run->surplus[index] = surplus;
    return index;
}

static int do_send(struct run *run, struct process *process)
{
    struct mailbox *mailbox = &run->processes[process->op.peer].mailbox;
    struct trace_otf2_channel key;
    uint32_t channel;

    trace_otf2_channel_key(&process->op, process->stream.decoder.rank, &key);
    channel = find_channel(run, &key);
    if (channel == NO_CHANNEL)
        return no_memory(run);
    run->so_far.all[channel].sends++;
    if (run->surplus[channel].left == 0)
        return 1;
    if (trace_grow(&mailbox->letters, &mailbox->capacity, mailbox->count + 1, sizeof *mailbox->letters) != 0)
        return no_memory(run);
    mailbox->letters[mailbox->count++] = (struct letter){.channel = channel, .bytes = process->op.bytes};
    return 1;
}

/* Makes the claim of a receive when it is posted. */
static int make_claim(struct run *run, struct process *process, uint64_t ordinal, struct claim *claim)
{
    struct trace_otf2_channel key;

    *claim = (struct claim){.channel = NO_CHANNEL, .ordinal = ordinal};
    if (!trace_otf2_channel_key(&process->op, process->stream.decoder.rank, &key))
        return 0;
    claim->channel = find_channel(run, &key);
    if (claim->channel == NO_CHANNEL)
        return no_memory(run);
    claim->position = run->so_far.all[claim->channel].receives++;
    return 0;
}

static int do_receive(struct run *run, struct process *process, uint64_t ordinal)
{
    struct claim claim;

    if (make_claim(run, process, ordinal, &claim) != 0)
        return -1;
    if (!(process->op.flags & TRACE_NONBLOCKING)) {
        process->blocking = claim;
        return 0;
    }
    if (process->claim_count >= BASE_TABLE_NONE ||
        trace_grow(&process->claims, &process->claim_capacity, process->claim_count + 1,
                   sizeof *process->claims) != 0 ||
        base_table_put(&process->started, process->op.request, 0, (uint32_t)process->claim_count) != 0)
        return no_memory(run);
    process->claims[process->claim_count++] = claim;
    return 1;
}

static struct trace_otf2_receive *entry_of(struct run *run, const struct process *process, uint64_t ordinal)
{
    struct trace_otf2_rank_tables *rank = &run->repairs->tables->ranks[process->stream.decoder.rank];
    return trace_otf2_find_receive(rank, ordinal);
}

/* The oldest message to this rank that no known receive will claim, or NULL. */
static struct letter *oldest_letter(struct run *run, struct mailbox *mailbox)
{
    while (mailbox->first < mailbox->count &&
           (mailbox->letters[mailbox->first].taken ||
            run->surplus[mailbox->letters[mailbox->first].channel].left == 0))
        mailbox->first++;
    for (size_t i = mailbox->first; i < mailbox->count; i++) {
        struct letter *letter = &mailbox->letters[i];
        const struct trace_otf2_channel *channel = &run->so_far.all[letter->channel];
        if (!letter->taken && run->surplus[letter->channel].left > 0 && channel->sends > channel->receives)
            return letter;
    }
    return NULL;
}

/* Gives a receive of unknown origin a message. False when there is none yet. */
static bool guess(struct run *run, struct process *process, const struct claim *claim)
{
    struct letter *letter = oldest_letter(run, &process->mailbox);
    struct trace_otf2_channel *channel;
    struct trace_otf2_receive *entry = entry_of(run, process, claim->ordinal);

    if (letter == NULL)
        return false;
    channel = &run->so_far.all[letter->channel];
    channel->receives++;
    run->surplus[letter->channel].left--;
    letter->taken = true;
    *entry = (struct trace_otf2_receive){.ordinal = claim->ordinal,
                                         .bytes = letter->bytes,
                                         .peer = channel->source,
                                         .tag = channel->tag,
                                         .communicator = channel->communicator,
                                         .state = TRACE_OTF2_GUESSED};
    return true;
}

/* True when the claim's message has been sent, or never will be, for want of records. */
static bool is_met(struct run *run, struct process *process, const struct claim *claim)
{
    if (claim->channel == NO_CHANNEL)
        return guess(run, process, claim);
    return run->so_far.all[claim->channel].sends > claim->position ||
           claim->position >= run->surplus[claim->channel].sendable;
}

/* Takes the claims that are met out of those that the wait is for; true when none is left. */
static bool do_wait(struct run *run, struct process *process)
{
    int open = 0;

    for (size_t i = 0; i < process->op.request_count; i++) {
        uint32_t index = base_table_get(&process->started, process->op.requests[i], 0);
        if (index == BASE_TABLE_NONE)
            continue; /* a send, or met before */
        if (is_met(run, process, &process->claims[index]))
            base_table_remove(&process->started, process->op.requests[i], 0);
        else
            open++;
    }
    if (open == 0 && process->started.count == 0)
        process->claim_count = 0;
    return open == 0;
}

/* True when all members have come. None passes before, so that arrivals are counted over all instances. */
static bool do_collective(struct run *run, struct process *process)
{
    uint32_t communicator = process->op.communicator;
    uint64_t size = run->repairs->context->definitions->communicators[communicator].size;

    if (!process->arrived)
        run->arrivals[communicator]++;
    process->arrived = true;
    return run->arrivals[communicator] >= (process->op.instance + 1) * size;
}

/* Starts the next operation: 1 when it is done, 0 when it goes on, -1 on an error. */
static int start(struct run *run, struct process *process)
{
    uint64_t ordinal;
    int more = trace_otf2_stream_next(&process->stream, &process->op, &ordinal, run->error);

    process->busy = more > 0;
    process->arrived = false;
    process->ended = more == 0;
    if (more <= 0)
        return more;
    switch (process->op.kind) {
    case TRACE_SEND:
        return do_send(run, process);
    case TRACE_RECEIVE:
        return do_receive(run, process, ordinal);
    case TRACE_WAIT:
    case TRACE_COLLECTIVE_CALL:
        return 0;
    default:
        return 1;
    }
}

/* True when the operation in progress is done. */
static bool go_on(struct run *run, struct process *process)
{
    switch (process->op.kind) {
    case TRACE_RECEIVE:
        return is_met(run, process, &process->blocking);
    case TRACE_WAIT:
        return do_wait(run, process);
    default:
        return do_collective(run, process);
    }
}

/* Runs a process as far as it goes; *progress becomes true when it did anything. */
static int run_process(struct run *run, struct process *process, bool *progress)
{
    while (!process->ended) {
        if (!process->busy) {
            int done = start(run, process);
            if (done < 0)
                return -1;
            *progress = true;
            if (done > 0 || process->ended) {
                process->busy = false;
                continue;
            }
        }
        if (!go_on(run, process))
            return 0;
        process->busy = false;
        *progress = true;
    }
    return 0;
}

/* Drops the first receive of unknown origin that a waiting process cannot get. */
static bool drop_receive(struct run *run, struct process *process)
{
    if (process->ended || process->op.kind != TRACE_WAIT)
        return false;
    for (size_t i = 0; i < process->op.request_count; i++) {
        uint32_t index = base_table_get(&process->started, process->op.requests[i], 0);
        if (index == BASE_TABLE_NONE || process->claims[index].channel != NO_CHANNEL)
            continue;
        entry_of(run, process, process->claims[index].ordinal)->state = TRACE_OTF2_DROPPED;
        base_table_remove(&process->started, process->op.requests[i], 0);
        return true;
    }
    return false;
}

/* No process can go on: the first that waits for a receive of unknown origin has none there. Without such a
 * process the trace lacks other records too, and the first that waits is let go on as if it had what it waits
 * for. Returns false when all have ended. */
static bool unblock(struct run *run)
{
    uint32_t ranks = run->repairs->context->definitions->ranks;

    for (uint32_t i = 0; i < ranks; i++)
        if (drop_receive(run, &run->processes[i]))
            return true;
    for (uint32_t i = 0; i < ranks; i++) {
        if (!run->processes[i].ended) {
            run->processes[i].busy = false;
            return true;
        }
    }
    return false;
}

static int run_all(struct run *run)
{
    uint32_t ranks = run->repairs->context->definitions->ranks;
    bool progress;

    do {
        progress = false;
        for (uint32_t i = 0; i < ranks; i++)
            if (run_process(run, &run->processes[i], &progress) != 0)
                return -1;
    } while (progress || unblock(run));
    return 0;
}

static int set_up(struct run *run)
{
    const struct trace_otf2_definitions *definitions = run->repairs->context->definitions;

    run->processes = calloc(definitions->ranks, sizeof *run->processes);
    run->arrivals = calloc((size_t)definitions->communicator_count + 1, sizeof *run->arrivals);
    if (run->processes == NULL || run->arrivals == NULL)
        return no_memory(run);
    for (uint32_t i = 0; i < definitions->ranks; i++)
        if (trace_otf2_stream_init(&run->processes[i].stream, run->repairs->archive, run->repairs->context, i,
                                   run->error) != 0)
            return -1;
    return trace_otf2_count_channels(run->repairs, &run->totals, run->error);
}

static void tear_down(struct run *run)
{
    for (uint32_t i = 0; run->processes != NULL && i < run->repairs->context->definitions->ranks; i++) {
        trace_otf2_stream_free(&run->processes[i].stream);
        base_table_free(&run->processes[i].started);
        free(run->processes[i].claims);
        free(run->processes[i].mailbox.letters);
    }
    free(run->processes);
    free(run->arrivals);
    free(run->surplus);
    trace_otf2_channels_free(&run->totals);
    trace_otf2_channels_free(&run->so_far);
}

static bool is_needed(const struct trace_otf2_repairs *repairs)
{
    for (uint32_t i = 0; i < repairs->context->definitions->ranks; i++)
        for (size_t k = 0; k < repairs->tables->ranks[i].receive_count; k++)
            if (repairs->tables->ranks[i].receives[k].state == TRACE_OTF2_UNKNOWN)
                return true;
    return false;
}

/* Counts the guesses; a receive that the run never came to wait for has no message either. */
static void settle(struct trace_otf2_repairs *repairs, struct trace_otf2_rank_tables *rank)
{
    uint64_t *counts = repairs->survey->counts.repairs;

    for (size_t i = 0; i < rank->receive_count; i++) {
        struct trace_otf2_receive *receive = &rank->receives[i];
        if (receive->state == TRACE_OTF2_UNKNOWN)
            receive->state = TRACE_OTF2_DROPPED;
        if (receive->state == TRACE_OTF2_DROPPED)
            counts[TRACE_OTF2_REPAIR_NO_MESSAGE]++;
        if (receive->state == TRACE_OTF2_GUESSED) {
            counts[TRACE_OTF2_REPAIR_MISSING_RECEIVE]++;
            repairs->survey->receives++;
            repairs->survey->bytes_received += receive->bytes;
        }
    }
}

int trace_otf2_guess_receives(struct trace_otf2_repairs *repairs, struct base_error *error)
{
    struct run run = {.repairs = repairs, .error = error};
    int result;

    if (!is_needed(repairs))
        return 0;
    result = set_up(&run) != 0 ? -1 : run_all(&run);
    tear_down(&run);
    for (uint32_t i = 0; i < repairs->context->definitions->ranks && result == 0; i++)
        settle(repairs, &repairs->tables->ranks[i]);
    return result;
}
