/* Calls that make communicators, windows and files, or use the latter two: what they imply (implied.h), and
 * what they mean for handles. And the calls that begin and end the program.
 *
 *     call                     waits for                    agreement (implied.h)
 *     Comm_split, _dup, …      -                            on the parent
 *     Intercomm_create         -                            leaders on the peer, then each local side
 *     Win_create, File_open    -                            on the communicator; then the handle is bound
 *     Win_fence, Win_free      all of the window            on the window's communicator
 *     Win_complete             all of the window            none
 *     Win_unlock               those on one target          none
 *     collective MPI-IO        -                            on the file's communicator, then the time
 *
 * Whatever lacks its communicator or its object counts as time, and as a repair. */
#include "traces/dumpi/program.h"

#include <string.h>

#include "traces/dumpi/handlers.h"
#include "traces/dumpi/survey.h"
#include "base/grow.h"

/* One number below BASE_TABLE_NONE is kept free, which the table returns for "none so far". */
int trace_dumpi_next_instance(struct trace_dumpi_decoder *decoder, uint32_t communicator, uint64_t *instance)
{
    uint32_t count = base_table_get(&decoder->instances, communicator, 0);

    if (count == BASE_TABLE_NONE)
        count = 0;
    *instance = count;
    if (count == BASE_TABLE_NONE - 2 || base_table_put(&decoder->instances, communicator, 0, count + 1) != 0)
        return trace_dumpi_no_memory(decoder);
    return 0;
}

/* The time of the call is all that is known of it. So the clock of the rank is right behind it, although
 * nobody waits for anybody. */
static int as_compute(struct trace_dumpi_decoder *decoder)
{
    decoder->compute_ns += decoder->call_ns;
    decoder->call_ns = 0;
    return 0;
}

/* Waits for the window's operations: all, or those on one target. What stays pending keeps its order. No
 * wait is emitted when there is nothing to wait for. `target` is a world rank, or UINT32_MAX for all. The array of
 * pending ones is closed up. */
static int wait_for_pending(struct trace_dumpi_decoder *decoder, struct trace_dumpi_object *window,
                            uint32_t target, unsigned flags)
{
    size_t kept = 0;

    for (size_t i = 0; i < window->pending_count; i++) {
        if (target == UINT32_MAX || window->targets[i] == target) {
            if (trace_dumpi_complete_entry(decoder, window->pending[i]) != 0)
                return -1;
            continue;
        }
        window->pending[kept] = window->pending[i];
        window->targets[kept++] = window->targets[i];
    }
    window->pending_count = kept;
    return trace_dumpi_emit_wait(decoder, flags);
}

/* One step of an implied agreement. entries[] are those of the exchange's requests. Steps number their
 * requests 0 and 1; here they become entries, so that the decoder gives them numbers of its own. A step of
 * implied.h is an operation already, but for its requests and its place in the trace. Its compute step is the time
 * of the call itself. */
static int emit_step(struct trace_dumpi_decoder *decoder, const struct trace_op *step, uint64_t entries[2])
{
    struct trace_slot *slot;

    switch (step->kind) {
    case TRACE_COMPUTE:
        decoder->call_ns = step->duration_ns;
        return as_compute(decoder);
    case TRACE_WAIT:
        for (unsigned i = 0; i < 2; i++)
            if (trace_dumpi_complete_entry(decoder, entries[i]) != 0)
                return -1;
        return trace_dumpi_emit_wait(decoder, step->flags);
    case TRACE_RECEIVE:
    case TRACE_SEND:
        slot = trace_dumpi_emit_request(decoder, step->kind, -1,
                                        step->kind == TRACE_SEND ? TRACE_DUMPI_SENDING : TRACE_DUMPI_KNOWN);
        if (slot == NULL)
            return -1;
        entries[step->request] = slot->entry;
        break;
    default:
        slot = trace_dumpi_emit(decoder, step->kind);
        if (slot == NULL || trace_dumpi_next_instance(decoder, step->communicator, &slot->op.instance) != 0)
            return -1;
        slot->op.collective = step->collective;
        slot->op.root = step->root;
        break;
    }
    slot->op.flags |= step->flags;
    slot->op.communicator = step->communicator;
    slot->op.peer = step->peer;
    slot->op.tag = step->tag;
    slot->op.bytes = step->bytes;
    return 0;
}

/* The steps of the call's rule at a place; windows' waits have been emitted before. */
static int emit_steps(struct trace_dumpi_decoder *decoder, const struct trace_implied_call *rule,
                      struct trace_implied_place *place)
{
    struct trace_implied_steps steps;
    uint64_t entries[2] = {0, 0};

    place->duration_ns = decoder->call_ns;
    trace_implied_steps(rule, place, &steps);
    for (unsigned i = 0; i < steps.count; i++)
        if (emit_step(decoder, &steps.ops[i], entries) != 0)
            return -1;
    return 0;
}

/* On a communicator's handle. 1: done; 0: it is unknown, and the time counts. A call without a rule implies
 * nothing, and is no repair. */
static int imply_on(struct trace_dumpi_decoder *decoder, int64_t handle, uint32_t *communicator)
{
    const struct trace_implied_call *rule = decoder->context->implied[decoder->record->function];
    const struct trace_dumpi_group *group = trace_dumpi_group(decoder, handle);
    struct trace_implied_place place = {.communicator = group->index, .root = UINT32_MAX};

    *communicator = group->known ? group->index : TRACE_NO_COMMUNICATOR;
    if (!group->known) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_COLLECTIVE);
        as_compute(decoder);
        return 0;
    }
    return rule == NULL ? 0 : emit_steps(decoder, rule, &place);
}

/* What comes before is the start of processes: another time on each rank, and no part of the program. */
int trace_dumpi_on_init(struct trace_dumpi_decoder *decoder)
{
    decoder->compute_ns = 0;
    return 0;
}

/* Whatever is still pending is nobody's wait. */
int trace_dumpi_on_finalize(struct trace_dumpi_decoder *decoder)
{
    decoder->ended = true;
    return trace_dumpi_emit(decoder, TRACE_END) == NULL ? -1 : 0;
}

/* Split, dup and the like: the parent agrees; what comes of it is in the tables of communicators. Meanings
 * of handles are looked up anew afterwards, since one of them has just changed. */
int trace_dumpi_on_creation(struct trace_dumpi_decoder *decoder)
{
    int64_t parent = dpt_number(decoder->record, DPT_OLDCOMM, DPT_COMM_NULL);
    uint32_t communicator;
    int result;

    if (decoder->record->function == DPT_MPI_Intercomm_merge)
        parent = dpt_number(decoder->record, DPT_COMM, DPT_COMM_NULL);
    result = imply_on(decoder, parent, &communicator);
    trace_dumpi_forget_groups(decoder);
    return result;
}

/* The leaders talk to each other on the peer communicator, which only they know. Other ranks may give
 * anything for it, so only the leader's arguments can be wrong. The local group is copied, since looking up
 * the peer may replace it in the cache. */
int trace_dumpi_on_inter_creation(struct trace_dumpi_decoder *decoder)
{
    enum { LOCAL, LOCAL_LEADER, PEER_COMM, REMOTE_LEADER, TAG };
    const struct trace_implied_call *rule = decoder->context->implied[decoder->record->function];
    struct trace_dumpi_group local = *trace_dumpi_group(decoder, trace_dumpi_argument(decoder, LOCAL));
    const struct trace_dumpi_group *peer =
        trace_dumpi_group(decoder, trace_dumpi_argument(decoder, PEER_COMM));
    struct trace_implied_place place = {.communicator = local.index,
                                        .root = (uint32_t)trace_dumpi_argument(decoder, LOCAL_LEADER),
                                        .leader = local.own == trace_dumpi_argument(decoder, LOCAL_LEADER),
                                        .peer_communicator = peer->index,
                                        .tag = (uint32_t)trace_dumpi_argument(decoder, TAG)};
    int result;

    if (!local.known || rule == NULL || place.root >= local.size || (place.leader && !peer->known)) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_COLLECTIVE);
        result = as_compute(decoder);
    } else {
        place.peer = trace_dumpi_peer(decoder, peer->index, trace_dumpi_argument(decoder, REMOTE_LEADER));
        if (place.leader && place.peer == UINT32_MAX)
            result = trace_dumpi_fault(decoder, "rank-out-of-range", "the remote leader %lld",
                                       (long long)trace_dumpi_argument(decoder, REMOTE_LEADER));
        else
            result = emit_steps(decoder, rule, &place);
    }
    trace_dumpi_forget_groups(decoder);
    return result;
}

/* Local; but the handle may be given again. */
int trace_dumpi_on_comm_free(struct trace_dumpi_decoder *decoder)
{
    trace_dumpi_forget_groups(decoder);
    return 0;
}

/* Accept, connect, spawn, join: they talk to processes that are not in the trace. */
int trace_dumpi_on_unsupported(struct trace_dumpi_decoder *decoder)
{
    trace_dumpi_forget_groups(decoder);
    return as_compute(decoder);
}

/* Put, Get and Accumulate: they are complete when a later call of the window says so. A negative target is
 * MPI_PROC_NULL: nothing happens. That the transfer goes on by itself until the epoch ends is not recorded, hence
 * TRACE_APPROXIMATED. */
int trace_dumpi_on_rma(struct trace_dumpi_decoder *decoder)
{
    struct trace_dumpi_object *window =
        trace_dumpi_object(decoder, TRACE_DUMPI_WINDOW_OBJECT, dpt_number(decoder->record, DPT_WIN, -1));
    int64_t target = dpt_number(decoder->record, DPT_TARGETRANK, -1);
    struct trace_slot *slot;
    uint64_t bytes;
    uint32_t peer;
    int good;

    if (target < 0)
        return 0;
    if (window == NULL) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_OBJECT);
        return as_compute(decoder);
    }
    good = trace_dumpi_bytes(decoder, dpt_number(decoder->record, DPT_ORIGINCOUNT, 0),
                             dpt_number(decoder->record, DPT_ORIGINTYPE, 0), &bytes, NULL);
    if (good <= 0)
        return good;
    peer = trace_dumpi_peer(decoder, window->communicator, target);
    if (peer == UINT32_MAX)
        return trace_dumpi_fault(decoder, "rank-out-of-range", "the target %lld", (long long)target);
    if (base_grow(&window->pending, &window->pending_capacity, window->pending_count + 1,
                  sizeof *window->pending) != 0 ||
        base_grow(&window->targets, &window->target_capacity, window->pending_count + 1,
                  sizeof *window->targets) != 0)
        return trace_dumpi_no_memory(decoder);
    slot = trace_dumpi_emit_request(decoder, decoder->record->function == DPT_MPI_Get ? TRACE_GET : TRACE_PUT,
                                    -1, TRACE_DUMPI_SENDING);
    if (slot == NULL)
        return -1;
    slot->op.flags |= TRACE_APPROXIMATED;
    slot->op.peer = peer;
    slot->op.communicator = window->communicator;
    slot->op.bytes = bytes;
    window->pending[window->pending_count] = slot->entry;
    window->targets[window->pending_count++] = peer;
    return 0;
}

/* The handle is bound after the agreement, on the same communicator. On an unknown communicator the handle
 * stays unbound, and every use of it is a repair of its own. */
static int make_object(struct trace_dumpi_decoder *decoder, enum trace_dumpi_object_kind kind,
                       enum dpt_name handle)
{
    uint32_t communicator;

    if (imply_on(decoder, dpt_number(decoder->record, DPT_COMM, DPT_COMM_NULL), &communicator) != 0)
        return -1;
    if (communicator == TRACE_NO_COMMUNICATOR)
        return 0;
    return trace_dumpi_object_new(decoder, kind, dpt_number(decoder->record, handle, -1), communicator);
}

/* The window is used by its handle from here on. */
int trace_dumpi_on_win_create(struct trace_dumpi_decoder *decoder)
{
    return make_object(decoder, TRACE_DUMPI_WINDOW_OBJECT, DPT_WIN);
}

/* As a window. */
int trace_dumpi_on_file_open(struct trace_dumpi_decoder *decoder)
{
    return make_object(decoder, TRACE_DUMPI_FILE_OBJECT, DPT_FILE);
}

/* Fences, the ends of epochs, and the freeing of windows. MPI_Win_unlock ends the operations on one target.
 * The waits come before the agreement: a fence that others pass must have this rank's data behind it. */
int trace_dumpi_on_window(struct trace_dumpi_decoder *decoder)
{
    const struct trace_implied_call *rule = decoder->context->implied[decoder->record->function];
    struct trace_dumpi_object *window =
        trace_dumpi_object(decoder, TRACE_DUMPI_WINDOW_OBJECT, dpt_number(decoder->record, DPT_WIN, -1));
    struct trace_implied_place place = {.root = UINT32_MAX};
    uint32_t target = UINT32_MAX;

    if (window == NULL || rule == NULL) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_OBJECT);
        return as_compute(decoder);
    }
    if (decoder->record->function == DPT_MPI_Win_unlock)
        target =
            trace_dumpi_peer(decoder, window->communicator, dpt_number(decoder->record, DPT_WINRANK, -1));
    if (rule->completes && wait_for_pending(decoder, window, target, TRACE_IMPLIED | TRACE_APPROXIMATED) != 0)
        return -1;
    place.communicator = window->communicator;
    return emit_steps(decoder, rule, &place);
}

/* A wait for its request is known by nothing but that such a request is pending. */
int trace_dumpi_on_file_request(struct trace_dumpi_decoder *decoder)
{
    decoder->pending_io++;
    return trace_dumpi_on_file(decoder);
}

/* Independent calls need no communicator: an unknown file is no matter for them. */
int trace_dumpi_on_file(struct trace_dumpi_decoder *decoder)
{
    const struct trace_implied_call *rule = decoder->context->implied[decoder->record->function];
    const struct trace_dumpi_object *file =
        trace_dumpi_object(decoder, TRACE_DUMPI_FILE_OBJECT, dpt_number(decoder->record, DPT_FILE, -1));
    struct trace_implied_place place = {.root = UINT32_MAX};

    if (rule == NULL || !rule->agrees)
        return as_compute(decoder);
    if (file == NULL) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_OBJECT);
        return as_compute(decoder);
    }
    place.communicator = file->communicator;
    return emit_steps(decoder, rule, &place);
}

/* A generalised request: the program itself completes it. */
int trace_dumpi_on_grequest(struct trace_dumpi_decoder *decoder)
{
    int64_t number = trace_dumpi_argument(decoder, 0);

    if (number < 0)
        return 0;
    return trace_dumpi_entry_new(&decoder->active, number, TRACE_DUMPI_NOTHING) == TRACE_DUMPI_NO_ENTRY
               ? trace_dumpi_no_memory(decoder)
               : 0;
}
