/* Receives that never complete (EZTrace writes no completions for C programs). All that is known of them is
 * when they were posted, by whom, and in which wait call they can have completed; and which sends no other
 * receive claims.
 *
 * The program is run once without time, as MPI would run it if these receives took any message: a message
 * goes to the receive that was posted first, a receive takes the message that was sent first. Only left-over
 * messages are given to them, and before the rank has made a communicator only those on the world's. A send
 * waits until its message has been taken and a collective until all members have come, so that what comes out
 * is a pairing with which the repaired program cannot deadlock, whatever the eager limit.
 *
 * Where the run gets stuck, a send that waits is let go, as an eager one would be; when no send waits, the
 * receive waited for had no message: it was posted for MPI_PROC_NULL.
 *
 * The result is plausible, not known: each such operation is flagged TRACE_REPAIRED and counted in the
 * summary. It depends on nothing but the trace, since ranks take turns in a fixed order. */
#include <stdlib.h>

#include "base/grow.h"
#include "traces/otf2/repair.h"

#define NO_CHANNEL UINT32_MAX

/* A message to a rank on a channel that has more sends than receives. Which of the channel's sends are left
 * over is not known, nor does it matter: messages of one channel are taken in order, whoever takes them. */
struct letter {
    uint32_t channel; /* index in so_far */
    uint64_t bytes;   /* of the message */
    bool taken;       /* nobody else may have it */
};

/* The messages to one rank that unknown receives may take, in the order they were sent. */
struct mailbox {
    struct letter *letters;        /* in the order they were sent */
    size_t count, capacity, first; /* those before the first are of no use any more */
};

/* A send or receive in progress: the n-th on its channel. */
struct claim {
    bool is_send, met; /* met: the other side has come */
    uint32_t channel;  /* NO_CHANNEL for a receive of unknown origin */
    uint64_t position;
    struct trace_otf2_receive *entry; /* of such a receive */
};

/* A rank in the run without time: where it is, and what it has begun. */
struct process {
    struct trace_otf2_stream stream; /* read as far as the run without time has come */
    struct trace_op op;              /* in progress */
    bool busy, arrived, ended;
    struct claim blocking;     /* of a blocking message in progress */
    struct base_table started; /* request -> claim */
    struct claim *claims;      /* of all requests since none was open, in the order they were started */
    size_t claim_count, claim_capacity, first_unknown; /* those before the first are known or met */
    struct mailbox mailbox;
};

/* What a channel has beyond the counts so far. */
struct surplus {
    uint64_t left;            /* messages for receives of unknown origin */
    uint64_t sends, receives; /* all that there will ever be, of the latter without those */
};

/* Channels are known by their index in so_far; pointers into it move as it grows. */
struct run {
    struct trace_otf2_repairs *repairs; /* borrowed */
    struct base_error *error;
    struct trace_otf2_channels totals; /* between unbalanced pairs, of the whole program */
    struct trace_otf2_channels so_far; /* sent, and claimed by receives */
    struct surplus *surplus;           /* [channel of so_far] */
    size_t surplus_capacity;
    struct process *processes; /* [rank] */
    uint64_t *arrivals;        /* [communicator] */
};

/* Sets the error; returns -1. */
static int no_memory(const struct run *run)
{
    return base_error_memory(run->error, "the repair of receives");
}

/* World rank. */
static uint32_t rank_of(const struct process *process)
{
    return process->stream.decoder.rank;
}

/* The index of a channel among those so far; NO_CHANNEL when memory is out. A channel that is not among the
 * totals belongs to a balanced pair: nothing of it is left over, and its messages are never waited for in
 * vain (UINT64_MAX). */
static uint32_t find_channel(struct run *run, const struct trace_otf2_channel *key)
{
    struct trace_otf2_channel *channel = trace_otf2_channel(&run->so_far, key);
    struct surplus surplus = {.sends = UINT64_MAX, .receives = UINT64_MAX};
    uint32_t index, total;

    if (channel == NULL ||
        base_grow(&run->surplus, &run->surplus_capacity, run->so_far.count, sizeof *run->surplus) != 0)
        return NO_CHANNEL;
    index = (uint32_t)(channel - run->so_far.all);
    if (channel->sends + channel->receives > 0)
        return index;
    total = base_table_get(&run->totals.index, trace_otf2_pack(key->communicator, key->tag),
                           trace_otf2_pack(key->source, key->target));
    if (total != BASE_TABLE_NONE) {
        const struct trace_otf2_channel *all = &run->totals.all[total];
        surplus.sends = all->sends;
        surplus.left = all->sends > all->receives ? all->sends - all->receives : 0;
        surplus.receives = all->receives + surplus.left;
    }
    run->surplus[index] = surplus;
    return index;
}

/* The oldest message to this rank that no known receive claims, or NULL. `first` only moves over letters
 * that nobody can ever take, so that the search stays short in a long run. */
static struct letter *oldest_letter(struct run *run, struct mailbox *mailbox, bool world_only)
{
    const struct trace_otf2_definitions *definitions = run->repairs->context->definitions;

    while (mailbox->first < mailbox->count &&
           (mailbox->letters[mailbox->first].taken ||
            run->surplus[mailbox->letters[mailbox->first].channel].left == 0))
        mailbox->first++;
    for (size_t i = mailbox->first; i < mailbox->count; i++) {
        struct letter *letter = &mailbox->letters[i];
        const struct trace_otf2_channel *channel = &run->so_far.all[letter->channel];
        if (!letter->taken && run->surplus[letter->channel].left > 0 && channel->sends > channel->receives &&
            (!world_only || channel->communicator == definitions->world))
            return letter;
    }
    return NULL;
}

/* Gives a receive of unknown origin a message, if there is one. The channel's balance is kept: the message
 * counts as received from here on. Changes the table's entry, which cursors will read: from UNKNOWN or EARLY to
 * GUESSED. */
static void guess(struct run *run, struct process *process, struct claim *claim)
{
    struct letter *letter = oldest_letter(run, &process->mailbox, claim->entry->state == TRACE_OTF2_EARLY);
    struct trace_otf2_channel *channel;

    if (letter == NULL)
        return;
    channel = &run->so_far.all[letter->channel];
    channel->receives++;
    run->surplus[letter->channel].left--;
    letter->taken = claim->met = true;
    *claim->entry = (struct trace_otf2_receive){.ordinal = claim->entry->ordinal,
                                                .bytes = letter->bytes,
                                                .peer = channel->source,
                                                .tag = channel->tag,
                                                .communicator = channel->communicator,
                                                .state = TRACE_OTF2_GUESSED};
}

/* Brings the letters of a process and its receives of unknown origin together, the oldest first. MPI matches
 * in this order on both sides, which is why no other pairing is tried. */
static void deliver(struct run *run, struct process *process)
{
    for (size_t i = process->first_unknown; i < process->claim_count; i++) {
        struct claim *claim = &process->claims[i];
        if (claim->channel == NO_CHANNEL && !claim->met)
            guess(run, process, claim);
        else if (i == process->first_unknown)
            process->first_unknown++;
    }
}

/* Only letters that somebody may take are kept; they are delivered at once. */
static int post_letter(struct run *run, struct process *target, uint32_t channel, uint64_t bytes)
{
    struct mailbox *mailbox = &target->mailbox;

    if (run->surplus[channel].left == 0)
        return 0;
    if (base_grow(&mailbox->letters, &mailbox->capacity, mailbox->count + 1, sizeof *mailbox->letters) != 0)
        return no_memory(run);
    mailbox->letters[mailbox->count++] = (struct letter){.channel = channel, .bytes = bytes};
    deliver(run, target);
    return 0;
}

/* The claim of a message when it is posted. Known receives take their positions on the channel as they are
 * posted, so that a guess never takes a message that a record already explains. Positions count sends and receives
 * of a channel apart, from 0: the n-th send goes to the n-th receive. */
static int make_claim(struct run *run, struct process *process, uint64_t ordinal, struct claim *claim)
{
    struct trace_otf2_rank_tables *rank = &run->repairs->tables->ranks[rank_of(process)];
    struct trace_otf2_channel key;
    struct trace_otf2_channel *channel;

    *claim = (struct claim){.channel = NO_CHANNEL, .is_send = process->op.kind == TRACE_SEND};
    if (!trace_otf2_channel_key(&process->op, rank_of(process), &key)) {
        claim->entry = trace_otf2_find_receive(rank, ordinal);
        return 0;
    }
    claim->channel = find_channel(run, &key);
    if (claim->channel == NO_CHANNEL)
        return no_memory(run);
    channel = &run->so_far.all[claim->channel];
    claim->position = claim->is_send ? channel->sends++ : channel->receives++;
    return claim->is_send ? post_letter(run, &run->processes[key.target], claim->channel, process->op.bytes)
                          : 0;
}

/* A receive of unknown origin may have a letter waiting for it. Returns 1, as do_message does: a non-
 * blocking operation is done when it is begun. */
static int add_claim(struct run *run, struct process *process, const struct claim *claim)
{
    if (process->claim_count >= BASE_TABLE_NONE ||
        base_grow(&process->claims, &process->claim_capacity, process->claim_count + 1,
                  sizeof *process->claims) != 0 ||
        base_table_put(&process->started, process->op.request, 0, (uint32_t)process->claim_count) != 0)
        return no_memory(run);
    process->claims[process->claim_count++] = *claim;
    if (claim->channel == NO_CHANNEL)
        deliver(run, process);
    return 1;
}

/* Starts a message: 1 when it goes on by itself. */
static int do_message(struct run *run, struct process *process, uint64_t ordinal)
{
    if (make_claim(run, process, ordinal, &process->blocking) != 0)
        return -1;
    return process->op.flags & TRACE_NONBLOCKING ? add_claim(run, process, &process->blocking) : 0;
}

/* True when the message has met its counterpart, or never will, for want of records. Positions count from 0
 * on each side of the channel; those beyond what the other side will ever reach are let through. */
static bool is_met(const struct run *run, const struct claim *claim)
{
    const struct trace_otf2_channel *channel;
    const struct surplus *surplus;

    if (claim->met || claim->channel == NO_CHANNEL)
        return claim->met;
    channel = &run->so_far.all[claim->channel];
    surplus = &run->surplus[claim->channel];
    if (claim->is_send)
        return channel->receives > claim->position || claim->position >= surplus->receives;
    return channel->sends > claim->position || claim->position >= surplus->sends;
}

/* The claim of the n-th request of a wait in progress, or NULL when it is done with. */
static struct claim *waited_claim(const struct process *process, size_t n)
{
    uint32_t index = base_table_get(&process->started, process->op.requests[n], 0);
    return index == BASE_TABLE_NONE ? NULL : &process->claims[index];
}

/* Forgets the claims that are met out of those that the wait is for; true when none is left. The array of
 * claims is emptied whenever no request is open, which bounds it by the longest stretch with open requests
 * and not by the trace. */
static bool do_wait(struct run *run, struct process *process)
{
    bool open = false;

    for (size_t i = 0; i < process->op.request_count; i++) {
        const struct claim *claim = waited_claim(process, i);
        if (claim != NULL && is_met(run, claim))
            base_table_remove(&process->started, process->op.requests[i], 0);
        else
            open |= claim != NULL;
    }
    if (process->started.count == 0)
        process->claim_count = process->first_unknown = 0;
    return !open;
}

/* True when all members have come. None passes before, so that arrivals are counted over all instances. */
static bool do_collective(struct run *run, struct process *process)
{
    uint32_t communicator = process->op.communicator;
    uint64_t size = trace_otf2_size(run->repairs->context->definitions, communicator);

    if (!process->arrived)
        run->arrivals[communicator]++;
    process->arrived = true;
    return run->arrivals[communicator] >= (process->op.instance + 1) * size;
}

/* Starts the next operation: 1 when it is done, 0 when it goes on, -1 on an error. Waits and collectives are not
 * done when they begin; everything else that is no message takes no time here. */
static int start(struct run *run, struct process *process)
{
    uint64_t ordinal = 0;
    int more = trace_otf2_stream_next(&process->stream, &process->op, &ordinal, run->error);

    process->busy = more > 0;
    process->arrived = false;
    process->ended = more == 0;
    if (more <= 0)
        return more;
    switch (process->op.kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
        return do_message(run, process, ordinal);
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
    case TRACE_WAIT:
        return do_wait(run, process);
    case TRACE_COLLECTIVE_CALL:
        return do_collective(run, process);
    default:
        return is_met(run, &process->blocking);
    }
}

/* Runs a process for one operation; *progress becomes true when it did anything. Turns are short so that all
 * ranks advance alike, as they did when they were recorded. -1: an error. */
static int run_process(struct run *run, struct process *process, bool *progress)
{
    if (process->ended)
        return 0;
    if (!process->busy) {
        int done = start(run, process);
        if (done < 0)
            return -1;
        *progress = true;
        process->busy = done == 0 && !process->ended;
    }
    if (process->busy && go_on(run, process)) {
        process->busy = false;
        *progress = true;
    }
    return 0;
}

/* Lets the sends go that a process waits for. This is the eager send: the program may have relied on
 * buffering. */
static bool let_sends_go(struct process *process)
{
    bool any = false;

    if (process->op.kind == TRACE_SEND)
        return process->blocking.met = true;
    for (size_t i = 0; process->op.kind == TRACE_WAIT && i < process->op.request_count; i++) {
        struct claim *claim = waited_claim(process, i);
        if (claim != NULL && claim->is_send)
            claim->met = any = true;
    }
    return any;
}

/* Drops the first receive of unknown origin that a waiting process cannot get. */
static bool drop_receive(struct process *process)
{
    for (size_t i = 0; process->op.kind == TRACE_WAIT && i < process->op.request_count; i++) {
        struct claim *claim = waited_claim(process, i);
        if (claim == NULL || claim->channel != NO_CHANNEL)
            continue;
        claim->entry->state = TRACE_OTF2_DROPPED;
        return claim->met = true;
    }
    return false;
}

/* The trace lacks other records too: lets a process go on as if it had what it waits for. */
static bool let_go(struct process *process)
{
    process->busy = false;
    return true;
}

/* No process can go on. Returns false when all have ended. The gentlest way that helps any rank is taken,
 * one rank at a time, so that no more is given up than the run needs. In the order: a send goes as an eager one; a
 * receive of unknown origin is dropped; anything is let go. */
static bool unblock(struct run *run)
{
    bool (*const ways[])(struct process * process) = {let_sends_go, drop_receive, let_go};

    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (uint32_t i = 0; i < run->repairs->context->definitions->ranks; i++)
            if (!run->processes[i].ended && ways[way](&run->processes[i]))
                return true;
    return false;
}

/* Round by round, one operation a rank. It ends: every round makes progress in a finite trace, or unblock
 * gives up one of finitely many things. */
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

/* All ranks run side by side, each with its own stream; the budget for open files holds for them together.
 * That bounds memory by (ranks x batch) events, and the chunks that libotf2 holds by the archive's budget. */
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

/* Also after a set_up that failed half way: what was not made is zero. */
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

/* The states that guessing starts from. UNKNOWN, or EARLY: posted before the rank made any communicator. */
static bool is_unknown(const struct trace_otf2_receive *receive)
{
    return receive->state == TRACE_OTF2_UNKNOWN || receive->state == TRACE_OTF2_EARLY;
}

/* The run costs another reading of the trace. */
static bool is_needed(const struct trace_otf2_repairs *repairs)
{
    for (uint32_t i = 0; i < repairs->context->definitions->ranks; i++)
        for (size_t k = 0; k < repairs->tables->ranks[i].receive_count; k++)
            if (is_unknown(&repairs->tables->ranks[i].receives[k]))
                return true;
    return false;
}

/* Counts the guesses; a receive that the run never came to wait for has no message either. */
static void settle(struct trace_otf2_repairs *repairs, struct trace_otf2_rank_tables *rank)
{
    uint64_t *counts = repairs->survey->counts.repairs;

    for (size_t i = 0; i < rank->receive_count; i++) {
        struct trace_otf2_receive *receive = &rank->receives[i];
        if (is_unknown(receive))
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

/* The counts of the channels are those after the receives on wrong channels have been moved. */
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
