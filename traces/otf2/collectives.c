/* Collectives of one rank: checked, counted on their communicator, and with sizes that mean the same
 * everywhere. Only the record at the end of a collective says anything; that at its beginning holds nothing
 * but a time.
 *
 * The n-th collective of one member of a communicator is the n-th of every member: MPI demands it and the
 * survey checks it. So a number for each communicator and rank is all that the replay needs to find the
 * others.
 *
 *     record ─► read_collective ─► checks: operation, root, sizes, member ─► queue (as recorded)
 *     queue  ─► trace_otf2_finish_collective ─► instance ─► sizes by the trace's convention ─► program
 *
 * Numbers are given when an operation leaves the queue, not when its record is read: a non-blocking collective is
 * recorded when it completes, but counts from its start. */
#include <inttypes.h>

#include "base/grow.h"
#include "traces/communicators/implied.h"
#include "traces/otf2/decoder.h"

/* OTF2's operation codes. The creation of handles and the like are no collectives of the program. -1 for
 * those; the caller tells codes that OTF2 does not have apart. */
static int collective_of(uint32_t operation)
{
    static const signed char collectives[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = TRACE_BARRIER,
        [OTF2_COLLECTIVE_OP_BCAST] = TRACE_BCAST,
        [OTF2_COLLECTIVE_OP_GATHER] = TRACE_GATHER,
        [OTF2_COLLECTIVE_OP_GATHERV] = TRACE_GATHERV,
        [OTF2_COLLECTIVE_OP_SCATTER] = TRACE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCATTERV] = TRACE_SCATTERV,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = TRACE_ALLGATHER,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = TRACE_ALLGATHERV,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = TRACE_ALLTOALL,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = TRACE_ALLTOALLV,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = TRACE_ALLTOALLW,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = TRACE_ALLREDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE] = TRACE_REDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = TRACE_REDUCE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCAN] = TRACE_SCAN,
        [OTF2_COLLECTIVE_OP_EXSCAN] = TRACE_EXSCAN,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = TRACE_REDUCE_SCATTER_BLOCK,
    };
    return operation < sizeof collectives ? collectives[operation] : -1;
}

/* Sizes are checked like those of messages: a flipped bit makes them absurd more often than wrong. The limit is
 * that of messages (trace_options.message_limit_bytes). Fails with the record's position. */
static int check_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                            const struct trace_otf2_collective_record *record)
{
    if (event->bytes > decoder->context->options.message_limit_bytes ||
        event->received > decoder->context->options.message_limit_bytes)
        return trace_otf2_damaged(
            decoder, event, "a collective of %" PRIu64 " and %" PRIu64 " bytes is over the limit of %" PRIu64,
            event->bytes, event->received, decoder->context->options.message_limit_bytes);
    if (trace_collective_has_root(record->collective) && record->root == UINT32_MAX)
        return trace_otf2_damaged(decoder, event, "root %u of %s in a communicator with %u members",
                                  event->peer, trace_collective_name(record->collective),
                                  record->others > 0 ? record->others : record->size);
    return 0;
}

/* How many recorded or implied collectives there were on a communicator so far. The rank's own count, from 0; all
 * members' are equal where they agree. */
static uint32_t count_so_far(const struct trace_otf2_decoder *decoder, uint32_t communicator, bool implied)
{
    uint32_t count = base_table_get(&decoder->instances, communicator, implied);
    return count == BASE_TABLE_NONE ? 0 : count;
}

/* Counts the collective on its communicator. One number below BASE_TABLE_NONE is kept free, which the table
 * returns for "none so far". Recorded and implied ones are counted apart: the survey, whose tables go by the
 * former, does not know the latter yet. */
static int next_instance(struct trace_otf2_decoder *decoder, uint32_t communicator, bool implied)
{
    uint32_t count = count_so_far(decoder, communicator, implied);

    if (count == BASE_TABLE_NONE - 1)
        return trace_otf2_damaged(decoder, NULL, "more than 4294967293 collectives on one communicator");
    return base_table_put(&decoder->instances, communicator, implied, count + 1) != 0
               ? base_error_memory(decoder->error, "the collectives of a rank")
               : 0;
}

/* Which rank gets how much of what another sends is not recorded for alltoallv and alltoallw. That all blocks
 * come out as whole elements when the totals are split in proportion is taken as a sign that they were in
 * proportion: likely, not proven. Of the others a rank's totals are what the records of all members together
 * say (sizes.c), and what changed them is counted. */
static void set_vector(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t recorded,
                       uint32_t rank)
{
    const struct trace_otf2_vectors *vectors = decoder->context->tables->vectors;
    const struct trace_otf2_vector *vector =
        vectors == NULL ? NULL : trace_otf2_vectors_get(vectors, op->communicator, recorded);

    if (vector == NULL)
        return;
    op->vector = &vector->vector;
    op->bytes_sent = vector->vector.sent[rank];
    op->bytes_received = vector->vector.received[rank];
    if (vector->guessed) {
        op->flags |= TRACE_REPAIRED | TRACE_APPROXIMATED;
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_COLLECTIVE_BLOCKS, 1);
    }
    if (!vector->even && (op->collective == TRACE_ALLTOALLV || op->collective == TRACE_ALLTOALLW))
        op->flags |= TRACE_APPROXIMATED;
}

/* The blocks that each member has were recorded as what goes to, or comes from, all of them. */
static bool are_totals(const struct trace_op *op, const struct trace_otf2_collective_record *record)
{
    if ((op->flags & TRACE_REPAIRED) != 0)
        return false;
    return (op->collective == TRACE_ALLGATHERV && op->bytes_sent != record->sent) ||
           (op->collective == TRACE_REDUCE_SCATTER && op->bytes_received != record->received);
}

/* What was recorded stays beside what it means. Where members disagree, the table has the last word. */
static void set_sizes(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t recorded,
                      const struct trace_otf2_collective_record *record)
{
    const struct trace_otf2_tables *tables = decoder->context->tables;
    uint32_t size = base_table_get(&tables->sizes, op->communicator, recorded);

    op->bytes = trace_otf2_collective_bytes(record, tables->multiplied[record->collective]);
    if (trace_collective_has_vectors(record->collective))
        set_vector(decoder, op, recorded, record->rank);
    /* Which convention holds is inferred, for the whole trace or from the sums of a call: where it makes a
     * difference, that is said. */
    if (op->bytes != trace_otf2_collective_bytes(record, false) || are_totals(op, record))
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_SIZE_CONVENTION, 1);
    if (size != BASE_TABLE_NONE && tables->size_list[size] != op->bytes) {
        bool idle = record->others > 0 && op->bytes == 0; /* in the root's group nobody else takes part */
        op->bytes = tables->size_list[size];
        if (idle)
            return;
        op->flags |= TRACE_REPAIRED;
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_COLLECTIVE_SIZE, 1);
    }
}

/* For the survey: the first collective on a communicator after a call that made communicators says how many
 * there were before that call. */
static int note_collective(struct trace_otf2_decoder *decoder, uint32_t communicator, uint64_t creations,
                           uint64_t recorded)
{
    struct trace_otf2_uses *uses = &decoder->found->collectives;

    if (decoder->counted[communicator] == creations + 1)
        return 0;
    decoder->counted[communicator] = (uint32_t)creations + 1;
    if (base_grow(&uses->all, &uses->capacity, uses->count + 1, sizeof *uses->all) != 0)
        return base_error_memory(decoder->error, "the collectives of a rank");
    uses->all[uses->count++] = (struct trace_otf2_use){communicator, (uint32_t)creations, recorded};
    return 0;
}

/* The root as those know it who are not in its group. Nobody does only where the trace is searched for
 * defects: then it is the first of the group. */
static void find_root(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t recorded,
                      uint32_t own_rank)
{
    const struct trace_otf2_context *context = decoder->context;
    uint32_t first_group = context->definitions->communicators[op->communicator].size;

    if (op->root != TRACE_OTF2_ROOT_UNKNOWN || context->tables->roots == NULL)
        return;
    op->root = base_table_get(context->tables->roots, op->communicator, recorded);
    if (op->root < UINT32_MAX - 2)
        return;
    op->root = own_rank < first_group ? 0 : first_group;
    op->flags |= TRACE_REPAIRED;
}

/* The ranks of the group that a member of an inter-communicator is not in; 0 where there is one group. */
static uint32_t count_others(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                             uint32_t own_rank)
{
    const struct trace_communicator *group = &definitions->communicators[communicator];

    return group->remote_size == 0 ? 0 : own_rank < group->size ? group->remote_size : group->size;
}

/* Collectives are numbered as they leave the queue, which is the order in which they were started. The survey
 * sees the record too, since it judges the convention of sizes by it. */
int trace_otf2_finish_collective(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t creations)
{
    uint64_t recorded = count_so_far(decoder, op->communicator, false);
    struct trace_otf2_collective_record record = {.collective = op->collective,
                                                  .root = op->root,
                                                  .sent = op->bytes_sent,
                                                  .received = op->bytes_received};

    op->instance = recorded + count_so_far(decoder, op->communicator, true);
    if (next_instance(decoder, op->communicator, op->flags & TRACE_IMPLIED) != 0)
        return -1;
    if (op->flags & TRACE_IMPLIED)
        return 0;
    record.size = trace_otf2_size(decoder->context->definitions, op->communicator);
    record.rank = op->communicator == decoder->last_communicator
                      ? decoder->last_own_rank
                      : trace_otf2_member(decoder->context->definitions, op->communicator, decoder->rank);
    record.others = count_others(decoder->context->definitions, op->communicator, record.rank);
    if (record.others > 0)
        record.first_group = decoder->context->definitions->communicators[op->communicator].size;
    if (record.others > 0)
        find_root(decoder, op, recorded, record.rank);
    set_sizes(decoder, op, recorded, &record);
    if (decoder->counts != NULL && op->region != UINT32_MAX)
        decoder->counts->calls[op->region].bytes +=
            trace_collective_has_vectors(op->collective) ? op->bytes_sent : op->bytes;
    if (decoder->found != NULL && note_collective(decoder, op->communicator, creations, recorded) != 0)
        return -1;
    return decoder->on_collective != NULL ? decoder->on_collective(decoder->user, op, &record) : 0;
}

/* Appends a collective, to be numbered when it is taken. */
static int emit_collective(struct trace_otf2_decoder *decoder, const struct trace_op *op)
{
    struct trace_slot *slot = trace_otf2_emit(decoder, op);

    if (slot == NULL)
        return -1;
    slot->ordinal = decoder->creations;
    return 0;
}

/* What the parent's members agree on: colour and key of each, or only that all have come. A parent of one
 * member needs no network. The operation and bytes are those of implied.h for the call; they count as implied, not
 * as recorded. The survey knows no parents. */
bool trace_otf2_find_agreement(const struct trace_otf2_decoder *decoder, uint32_t ordinal,
                               struct trace_op *op)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks;
    const struct trace_otf2_creation *creation;
    const struct trace_implied_call *rule;

    if (ranks == NULL || ordinal >= ranks[decoder->rank].creation_count)
        return false;
    creation = &ranks[decoder->rank].creations[ordinal];
    rule = trace_implied_find(definitions->calls[creation->call].name);
    if (rule == NULL || creation->parent == TRACE_OTF2_NO_PARENT || creation->parent == TRACE_OTF2_SELF ||
        trace_otf2_size(definitions, creation->parent) == 1)
        return false;
    op->flags = TRACE_IMPLIED;
    op->collective = rule->collective;
    op->communicator = creation->parent;
    op->bytes = rule->bytes;
    return true;
}

/* Where the agreement would be, with the compute time before it, which goes on. It is no operation, so that the survey
 * finds what it finds without a draft. */
static int emit_mark(struct trace_otf2_decoder *decoder)
{
    struct trace_slot *mark = trace_queue_append(&decoder->queue);

    if (mark == NULL)
        return base_error_memory(decoder->error, "the communicators of a rank");
    trace_otf2_place_op(decoder, &mark->op, TRACE_COMPUTE);
    mark->op.flags = TRACE_UNSETTLED;
    mark->op.duration_ns = decoder->compute_ns;
    decoder->creation_slot = decoder->queue.tail - 1;
    return 0;
}

/* An agreement has the duration of the call, which otherwise the call's first operation has. */
void trace_otf2_end_mark(struct trace_otf2_decoder *decoder)
{
    struct trace_slot *mark = trace_queue_find(&decoder->queue, decoder->creation_slot);

    mark->op.bytes = decoder->now_ns - decoder->call_begin_ns;
    if (decoder->call_slot != UINT64_MAX)
        decoder->found->draft_is_void = true;
    decoder->creation_slot = UINT64_MAX;
}

/* The survey lists such calls, for creations.c to find their parents; cursors know them. */
int trace_otf2_begin_creation(struct trace_otf2_decoder *decoder, uint32_t call)
{
    struct trace_otf2_rank_tables *found = decoder->found;
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);
    uint32_t ordinal = decoder->creations++;

    if (found != NULL) {
        if (base_grow(&found->creations, &found->creation_capacity, found->creation_count + 1,
                      sizeof *found->creations) != 0)
            return base_error_memory(decoder->error, "the communicators of a rank");
        found->creations[found->creation_count++] = (struct trace_otf2_creation){
            call, TRACE_OTF2_NO_PARENT, TRACE_OTF2_NO_PARENT, TRACE_OTF2_NO_PARENT};
    }
    if (decoder->drafts)
        return emit_mark(decoder);
    return trace_otf2_find_agreement(decoder, ordinal, &op) ? emit_collective(decoder, &op) : 0;
}

/* For the survey: that the rank uses a communicator, and after how many calls that made some. Each is noted once. */
int trace_otf2_note_first_use(struct trace_otf2_decoder *decoder, uint32_t communicator)
{
    struct trace_otf2_uses *uses = &decoder->found->first_uses;

    decoder->used[communicator] = true;
    if (base_grow(&uses->all, &uses->capacity, uses->count + 1, sizeof *uses->all) != 0)
        return base_error_memory(decoder->error, "the communicators of a rank");
    uses->all[uses->count++] =
        (struct trace_otf2_use){.communicator = communicator, .creations = decoder->creations};
    return 0;
}

/* The call in progress, when it makes a communicator and the survey takes notes. */
static struct trace_otf2_creation *creation_in_progress(struct trace_otf2_decoder *decoder)
{
    if (decoder->found == NULL || !trace_otf2_class_creates(trace_otf2_current_class(decoder)))
        return NULL;
    return &decoder->found->creations[decoder->found->creation_count - 1];
}

/* The leaders' messages. Which rank leads is not recorded: nearly always it is the first of its group; nor is
 * the tag: the largest one keeps out of the way of the program's own. */
static int exchange(struct trace_otf2_decoder *decoder, uint32_t communicator, uint32_t peer, uint64_t bytes)
{
    struct trace_op receive = trace_otf2_new_op(decoder, TRACE_RECEIVE);
    struct trace_op send;
    uint64_t ordinal = decoder->receive_ordinal++;
    const struct trace_otf2_receive *entry = trace_otf2_table_entry(decoder, ordinal);
    struct trace_slot *slot;

    receive.flags = TRACE_NONBLOCKING | TRACE_IMPLIED;
    receive.communicator = communicator;
    receive.peer = peer;
    receive.tag = INT32_MAX;
    receive.bytes = bytes;
    send = receive;
    send.kind = TRACE_SEND;
    if (entry != NULL)
        trace_otf2_use_entry(decoder, &receive, entry);
    receive.request = decoder->next_number++;
    send.request = decoder->next_number++;
    slot = trace_otf2_emit(decoder, &receive);
    if (slot == NULL)
        return -1;
    slot->ordinal = ordinal;
    if (trace_otf2_emit(decoder, &send) == NULL || trace_otf2_complete(decoder, receive.request) != 0 ||
        trace_otf2_complete(decoder, send.request) != 0)
        return -1;
    return trace_otf2_emit_wait(decoder, TRACE_IMPLIED);
}

/* What the other side is told goes to all members of the communicator that the call was given. */
static int tell_group(struct trace_otf2_decoder *decoder, const struct trace_implied_call *rule,
                      uint32_t communicator, uint32_t root)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);

    op.flags = TRACE_IMPLIED;
    op.collective = rule->collective;
    op.communicator = communicator;
    op.root = root;
    op.bytes = rule->bytes;
    return emit_collective(decoder, &op);
}

/* MPI_Intercomm_create by the first record inside it. One of the new communicator says who meets where; our
 * writer names the local one and its leader, and has written the leaders' messages before. */
static int join(struct trace_otf2_decoder *decoder, uint32_t communicator, uint32_t root)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    const struct trace_implied_call *rule = trace_implied_find("MPI_Intercomm_create");
    const struct trace_communicator *group;
    uint32_t common, local, own, leader, other;

    if (decoder->call_object != UINT32_MAX || communicator >= definitions->communicator_count)
        return 0;
    group = &definitions->communicators[communicator];
    if (group->remote_size == 0 && root >= group->size)
        return 0;
    decoder->call_object = communicator;
    own = trace_otf2_member(definitions, communicator, decoder->rank);
    if (own == UINT32_MAX)
        return 0;
    if (group->remote_size == 0)
        return group->size > 1 ? tell_group(decoder, rule, communicator, root) : 0;
    common = definitions->parents[communicator];
    local = trace_otf2_local_communicator(definitions, communicator, own);
    leader = own < group->size ? group->members[0] : group->remote_members[0];
    other = own < group->size ? group->remote_members[0] : group->members[0];
    if (leader == decoder->rank && common < definitions->communicator_count &&
        definitions->communicators[common].remote_size == 0 &&
        trace_otf2_member(definitions, common, leader) != UINT32_MAX &&
        trace_otf2_member(definitions, common, other) != UINT32_MAX &&
        exchange(decoder, common, other, rule->bytes) != 0)
        return -1;
    if (local == UINT32_MAX || definitions->communicators[local].size == 1)
        return 0;
    return tell_group(decoder, rule, local, 0);
}

/* MPI_COMM_WORLD and MPI_COMM_SELF are made by MPI_Init and go with MPI_Finalize, and freeing any is a call
 * of one rank: the calls say all, and the records inside them nothing that a replay could leave out. (Outside
 * of all calls a record on MPI_COMM_WORLD may be of a duplicate.) */
static bool is_local_handle(const struct trace_otf2_decoder *decoder, uint32_t operation,
                            uint32_t communicator)
{
    enum trace_otf2_class class = trace_otf2_current_class(decoder);
    bool predefined = communicator == TRACE_OTF2_SELF || communicator == decoder->context->definitions->world;

    if (operation == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
        return true;
    return predefined && operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE &&
           (class == TRACE_OTF2_INIT || class == TRACE_OTF2_FINALIZE);
}

/* Score-P records the making of handles as collectives on the communicator that is there already, or, where
 * not all of its members take part, on the new one. */
static int note_handle(struct trace_otf2_decoder *decoder, uint32_t operation, uint32_t communicator,
                       uint32_t root)
{
    struct trace_otf2_creation *creation = creation_in_progress(decoder);

    if (trace_otf2_current_class(decoder) == TRACE_OTF2_JOIN)
        return join(decoder, communicator, root);
    if (decoder->counts != NULL && !trace_otf2_class_creates(trace_otf2_current_class(decoder)))
        (*(is_local_handle(decoder, operation, communicator) ? &decoder->counts->local_handles
                                                             : &decoder->counts->handles))++;
    if (creation != NULL && creation->child != communicator &&
        (operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE ||
         operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE))
        creation->hint = communicator;
    return 0;
}

/* The record of a new communicator, whose definition says what it was made from. */
int trace_otf2_decode_created(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    struct trace_otf2_creation *creation = creation_in_progress(decoder);
    uint32_t index = base_table_get(&definitions->communicator_ids, event->communicator, 0);

    if (trace_otf2_current_class(decoder) == TRACE_OTF2_JOIN)
        return join(decoder, index, UINT32_MAX);
    if (creation == NULL || index >= definitions->communicator_count)
        return 0;
    creation->child = index;
    creation->hint = definitions->parents[index];
    return 0;
}

/* The root of a rooted collective. On an inter-communicator its own group has two marks for it. */
static uint32_t named_root(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                           const struct trace_otf2_collective_record *record, uint32_t root)
{
    if (record->others > 0 && root == OTF2_COLLECTIVE_ROOT_SELF)
        return record->rank;
    if (record->others > 0 && root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
        return TRACE_OTF2_ROOT_UNKNOWN;
    return trace_otf2_named_member(definitions, communicator, record->rank, root);
}

/* What the record of a collective says, checked: 1: *op has it; 0: there is nothing to replay; -1: it cannot
 * be true. The record of a non-blocking one comes here, too, when it completes. MPI_COMM_SELF, and every
 * communicator of one member, uses no network. */
static int read_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                           struct trace_op *op)
{
    struct trace_otf2_collective_record record = {.sent = event->bytes, .received = event->received};
    uint32_t index = trace_otf2_find_communicator(decoder, event, &record.rank);
    int collective = collective_of(event->tag);

    if (index == BASE_TABLE_NONE)
        return -1;
    if (event->tag > OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE)
        return trace_otf2_damaged(decoder, event, "collective operation %u is not known", event->tag);
    if (collective < 0)
        return note_handle(decoder, event->tag, index, event->peer);
    if (index == TRACE_OTF2_SELF) {
        trace_otf2_count_left_out(decoder);
        return 0;
    }
    record.collective = (enum trace_collective)collective;
    record.size = trace_otf2_size(decoder->context->definitions, index);
    record.others = count_others(decoder->context->definitions, index, record.rank);
    record.root = UINT32_MAX;
    if (trace_collective_has_root(record.collective))
        record.root = named_root(decoder->context->definitions, index, &record, event->peer);
    if (check_collective(decoder, event, &record) != 0 || trace_otf2_note_use(decoder, index) != 0)
        return -1;
    op->communicator = index;
    op->collective = record.collective;
    op->root = record.root;
    op->bytes_sent = record.sent;
    op->bytes_received = record.received;
    return 1;
}

/* A record of a blocking collective; what needs no replay is counted and leaves nothing in the queue. */
int trace_otf2_decode_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);
    int result = read_collective(decoder, event, &op);

    return result <= 0 ? result : emit_collective(decoder, &op);
}

/* Which collective a request belongs to is only recorded when it completes. Until then it holds the queue up,
 * because its place among the collectives of the communicator is that of its start. One that will leave the
 * queue without a trace takes no number: the survey has told the cursors which (trace_otf2_note_start). */
int trace_otf2_start_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct trace_otf2_request request = {.id = event->request,
                                         .kind = TRACE_OTF2_REQUEST_COLLECTIVE,
                                         .ordinal = decoder->send_ordinal++,
                                         .slot = UINT64_MAX};
    struct trace_slot *slot;

    if (!trace_otf2_start_is_listed(decoder, request.ordinal)) {
        slot = trace_otf2_emit_new(decoder, TRACE_COLLECTIVE_CALL);
        if (slot == NULL)
            return -1;
        slot->op.flags = TRACE_NONBLOCKING;
        slot->op.request = request.number = decoder->next_number++;
        slot->ordinal = decoder->creations;
        slot->state = TRACE_SLOT_OPEN;
        request.slot = decoder->queue.tail - 1;
    }
    return trace_otf2_request_add(&decoder->requests, &request) == NULL
               ? base_error_memory(decoder->error, "the requests of a rank")
               : 0;
}

/* The completion fills in what was started; what needs no replay leaves the queue without a trace. */
int trace_otf2_complete_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                                   uint32_t index)
{
    struct trace_otf2_request request = decoder->requests.all[index];
    struct trace_slot *slot = trace_queue_find(&decoder->queue, request.slot);
    struct trace_op none;
    int result;

    trace_otf2_request_remove(&decoder->requests, index);
    result = read_collective(decoder, event, slot == NULL ? &none : &slot->op);
    if (result > 0 && slot != NULL) {
        slot->state = TRACE_SLOT_READY;
        return trace_otf2_complete(decoder, request.number);
    }
    if (slot != NULL)
        slot->state = TRACE_SLOT_DEAD;
    decoder->completed_nothing |= result >= 0;
    return trace_otf2_note_start(decoder, &request) != 0 || result < 0 ? -1 : 0;
}
