/* The callbacks of local event readers. They differ from those of the global reader by the position after the
 * time: a callback of the wrong kind would be accepted by a cast and be called with its arguments mixed up,
 * so there are no casts.
 *
 * A callback copies its arguments and judges nothing. Records that are not registered (metrics, parameters,
 * OpenMP, call paths) are counted by the library and never seen.
 *
 * The one struct for all events trades a few bytes for a batch that is a plain array; which field means what
 * for which kind is said in events.h. */
#include "traces/otf2-archive/events.h"

static const struct {
    const char *name, *reason;
} records[TRACE_OTF2_RECORDS] = {
#define TRACE_OTF2_RECORD(name, parameters, reason) {#name, reason},
#include "traces/otf2-archive/events.def"
#undef TRACE_OTF2_RECORD
    {"Unknown", "the record is newer than the OTF2 library that reads it"},
};

/* As OTF2 calls it, for the coverage. */
const char *trace_otf2_record_name(uint32_t record)
{
    return records[record].name;
}

/* Why such records do not matter to a replay, for the coverage. */
const char *trace_otf2_record_reason(uint32_t record)
{
    return records[record].reason;
}

/* The parameters that every callback begins with. */
#define COMMON                                                                                               \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,                           \
        OTF2_AttributeList *attributes

/* libotf2 never delivers more events than were asked for; the check guards against a future that does. */
#define APPEND(...) append(user, (struct trace_otf2_event){.position = position, .time = time, __VA_ARGS__})

/* A batch is filled up to its capacity and then handed over: the library is interrupted and goes on later. */
static OTF2_CallbackCode append(struct trace_otf2_batch *batch, struct trace_otf2_event event)
{
    if (batch->next == batch->end)
        return OTF2_CALLBACK_INTERRUPT;
    *batch->next++ = event;
    return OTF2_CALLBACK_SUCCESS;
}

/* Room for the next record, with what all have: the commonest fill in nothing but what they have themselves.
 * NULL when the batch is full. */
static inline struct trace_otf2_event *begin(struct trace_otf2_batch *batch, uint64_t position, uint64_t time,
                                             uint32_t kind)
{
    struct trace_otf2_event *event = batch->next;

    if (event == batch->end)
        return NULL;
    batch->next++;
    event->position = position;
    event->time = time;
    event->kind = kind;
    return event;
}

/* The region's number in the definitions of all, which may differ from that of the location. */
static inline OTF2_CallbackCode append_region(struct trace_otf2_batch *batch, uint64_t position,
                                              uint64_t time, uint32_t kind, uint32_t region)
{
    struct trace_otf2_event *event = begin(batch, position, time, kind);

    if (event == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    event->peer = trace_otf2_translate(&batch->regions, region);
    return OTF2_CALLBACK_SUCCESS;
}

/* Numbers of requests are the location's own. */
static inline OTF2_CallbackCode append_request(struct trace_otf2_batch *batch, uint64_t position,
                                               uint64_t time, uint32_t kind, uint64_t request)
{
    struct trace_otf2_event *event = begin(batch, position, time, kind);

    if (event == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    event->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

/* Of a blocking message the request means nothing. */
static inline OTF2_CallbackCode append_message(struct trace_otf2_batch *batch, uint64_t position,
                                               uint64_t time, uint32_t kind, uint32_t peer,
                                               OTF2_CommRef communicator, uint32_t tag, uint64_t length,
                                               uint64_t request)
{
    struct trace_otf2_event *event = begin(batch, position, time, kind);

    if (event == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    event->peer = peer;
    event->communicator = trace_otf2_translate(&batch->communicators, communicator);
    event->tag = tag;
    event->bytes = length;
    event->request = request;
    return OTF2_CALLBACK_SUCCESS;
}

/* The communicator of a record that is no message, in the archive's numbers. */
static uint32_t own_communicator(const struct trace_otf2_batch *batch, OTF2_CommRef communicator)
{
    return trace_otf2_translate(&batch->communicators, communicator);
}

/* What a callback does not use is part of its type all the same. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Each callback below stores its record as it is; what it means, and whether it is possible, is the decoder's
 * matter, which sees the records of a location in order. */
static OTF2_CallbackCode on_enter(COMMON, OTF2_RegionRef region)
{
    return append_region(user, position, time, TRACE_OTF2_ENTER, region);
}

/* The region is that of the enter before it, unless the archive is damaged: the decoder compares. */
static OTF2_CallbackCode on_leave(COMMON, OTF2_RegionRef region)
{
    return append_region(user, position, time, TRACE_OTF2_LEAVE, region);
}

/* The receiver is a rank in the communicator (or in its remote group), not in the world. */
static OTF2_CallbackCode on_send(COMMON, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag,
                                 uint64_t length)
{
    return append_message(user, position, time, TRACE_OTF2_SEND, receiver, communicator, tag, length, 0);
}

/* The request's number is its own as long as it is open, and may be given again. */
static OTF2_CallbackCode on_isend(COMMON, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag,
                                  uint64_t length, uint64_t request)
{
    return append_message(user, position, time, TRACE_OTF2_ISEND, receiver, communicator, tag, length,
                          request);
}

static OTF2_CallbackCode on_isend_complete(COMMON, uint64_t request)
{
    return append_request(user, position, time, TRACE_OTF2_ISEND_COMPLETE, request);
}

/* All that is known when a receive is posted: source, tag and size only come with on_irecv. */
static OTF2_CallbackCode on_irecv_request(COMMON, uint64_t request)
{
    return append_request(user, position, time, TRACE_OTF2_IRECV_REQUEST, request);
}

/* What arrived, with the actual sender: a wildcard does not show. */
static OTF2_CallbackCode on_recv(COMMON, uint32_t sender, OTF2_CommRef communicator, uint32_t tag,
                                 uint64_t length)
{
    return append_message(user, position, time, TRACE_OTF2_RECV, sender, communicator, tag, length, 0);
}

/* Stands where the receive completes, and names what on_irecv_request began. */
static OTF2_CallbackCode on_irecv(COMMON, uint32_t sender, OTF2_CommRef communicator, uint32_t tag,
                                  uint64_t length, uint64_t request)
{
    return append_message(user, position, time, TRACE_OTF2_IRECV, sender, communicator, tag, length, request);
}

/* A test that did not succeed. */
static OTF2_CallbackCode on_request_test(COMMON, uint64_t request)
{
    return append_request(user, position, time, TRACE_OTF2_REQUEST_TEST, request);
}

static OTF2_CallbackCode on_request_cancelled(COMMON, uint64_t request)
{
    return APPEND(.kind = TRACE_OTF2_REQUEST_CANCELLED, .request = request);
}

/* The operation goes where messages have their tag, the root where they have their peer. */
static OTF2_CallbackCode on_collective_end(COMMON, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    return APPEND(.kind = TRACE_OTF2_COLLECTIVE_END, .peer = root,
                  .communicator = own_communicator(user, communicator), .tag = operation, .bytes = sent,
                  .received = received);
}

static OTF2_CallbackCode on_nonblocking_request(COMMON, uint64_t request)
{
    return APPEND(.kind = TRACE_OTF2_NONBLOCKING_REQUEST, .request = request);
}

/* Everything about the operation is only known here, as with receives. */
static OTF2_CallbackCode on_nonblocking_complete(COMMON, OTF2_CollectiveOp operation,
                                                 OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                                 uint64_t received, uint64_t request)
{
    return APPEND(.kind = TRACE_OTF2_NONBLOCKING_COMPLETE, .peer = root,
                  .communicator = own_communicator(user, communicator), .tag = operation, .bytes = sent,
                  .received = received, .request = request);
}

static OTF2_CallbackCode on_communicator_created(COMMON, OTF2_CommRef communicator)
{
    return APPEND(.kind = TRACE_OTF2_COMMUNICATOR_CREATED,
                  .communicator = own_communicator(user, communicator));
}

/* One-sided operations, and the records that only tell which window or file a call is about. */
static OTF2_CallbackCode on_put(COMMON, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return APPEND(.kind = TRACE_OTF2_PUT, .peer = remote, .communicator = window, .bytes = bytes,
                  .request = id);
}

static OTF2_CallbackCode on_get(COMMON, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return APPEND(.kind = TRACE_OTF2_GET, .peer = remote, .communicator = window, .bytes = bytes,
                  .request = id);
}

/* Data go both ways: the larger part counts. */
static OTF2_CallbackCode on_atomic(COMMON, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,
                                   uint64_t sent, uint64_t received, uint64_t id)
{
    return APPEND(.kind = sent >= received ? TRACE_OTF2_PUT : TRACE_OTF2_GET, .peer = remote,
                  .communicator = window, .bytes = sent >= received ? sent : received, .request = id);
}

/* The operation of that id is complete on this side. */
static OTF2_CallbackCode on_transferred(COMMON, OTF2_RmaWinRef window, uint64_t id)
{
    return APPEND(.kind = TRACE_OTF2_TRANSFERRED, .communicator = window, .request = id);
}

/* Creation and destruction. */
static OTF2_CallbackCode on_window(COMMON, OTF2_RmaWinRef window)
{
    return APPEND(.kind = TRACE_OTF2_RMA_WINDOW, .peer = window);
}

/* Fences and the like: their sizes are not looked at. */
static OTF2_CallbackCode on_window_collective(COMMON, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
                                              OTF2_RmaWinRef window, uint32_t root, uint64_t sent,
                                              uint64_t received)
{
    return APPEND(.kind = TRACE_OTF2_RMA_WINDOW, .peer = window);
}

static OTF2_CallbackCode on_window_sync(COMMON, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                        OTF2_GroupRef group)
{
    return APPEND(.kind = TRACE_OTF2_RMA_WINDOW, .peer = window);
}

static OTF2_CallbackCode on_window_unlock(COMMON, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    return APPEND(.kind = TRACE_OTF2_RMA_WINDOW, .peer = window);
}

static OTF2_CallbackCode on_file_create(COMMON, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                                        OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    return APPEND(.kind = TRACE_OTF2_FILE, .peer = handle);
}

static OTF2_CallbackCode on_file_destroy(COMMON, OTF2_IoHandleRef handle)
{
    return APPEND(.kind = TRACE_OTF2_FILE, .peer = handle);
}

static OTF2_CallbackCode on_file_seek(COMMON, OTF2_IoHandleRef handle, int64_t offset,
                                      OTF2_IoSeekOption whence, uint64_t result)
{
    return APPEND(.kind = TRACE_OTF2_FILE, .peer = handle);
}

static OTF2_CallbackCode on_file_begin(COMMON, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                       OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    return APPEND(.kind = TRACE_OTF2_FILE, .peer = handle);
}

/* `stop` is a time in ticks, put where other records have bytes. */
static OTF2_CallbackCode on_flush(COMMON, OTF2_TimeStamp stop)
{
    return APPEND(.kind = TRACE_OTF2_FLUSH, .bytes = stop);
}

/* Always registered, so that records of a newer format show in the coverage and do not vanish. */
static OTF2_CallbackCode on_unknown(COMMON)
{
    return APPEND(.kind = TRACE_OTF2_SKIPPED, .peer = TRACE_OTF2_RECORD_UNKNOWN);
}

/* Beginnings and ends mean nothing to a replay but that the rank existed at that time. */
static OTF2_CallbackCode on_thread_begin(COMMON, OTF2_CommRef contingent, uint64_t sequence)
{
    return APPEND(.kind = TRACE_OTF2_TIME);
}

static OTF2_CallbackCode on_thread_end(COMMON, OTF2_CommRef contingent, uint64_t sequence)
{
    return APPEND(.kind = TRACE_OTF2_TIME);
}

static OTF2_CallbackCode on_program_begin(COMMON, OTF2_StringRef name, uint32_t count,
                                          const OTF2_StringRef *arguments)
{
    return APPEND(.kind = TRACE_OTF2_TIME);
}

static OTF2_CallbackCode on_program_end(COMMON, int64_t exit_status)
{
    return APPEND(.kind = TRACE_OTF2_TIME);
}

/* One callback for each record of events.def. */
#define UNWRAP(...) __VA_ARGS__
#define TRACE_OTF2_RECORD(name, parameters, reason)                                                          \
    static OTF2_CallbackCode on_##name(COMMON, UNWRAP parameters)                                            \
    {                                                                                                        \
        return APPEND(.kind = TRACE_OTF2_SKIPPED, .peer = TRACE_OTF2_RECORD_##name);                         \
    }
#include "traces/otf2-archive/events.def"
#undef TRACE_OTF2_RECORD

#pragma GCC diagnostic pop

/* The records of point-to-point messages. */
static void set_messages(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_request_test);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_request_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_nonblocking_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_nonblocking_complete);
}

/* Other records of windows and files are in events.def: counted, and skipped. */
static void set_windows_and_files(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_transferred);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_transferred);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_window);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_window);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_window_collective);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_window_sync);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_window_unlock);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_file_create);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_file_destroy);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, on_file_seek);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_file_begin);
}

/* The caller deletes them; libotf2 copies them when they are registered. */
OTF2_EvtReaderCallbacks *trace_otf2_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (callbacks == NULL)
        return NULL;
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    set_messages(callbacks);
    set_windows_and_files(callbacks);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(callbacks, on_communicator_created);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_thread_begin);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(callbacks, on_thread_end);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
#define TRACE_OTF2_RECORD(name, parameters, reason)                                                          \
    OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, on_##name);
#include "traces/otf2-archive/events.def"
#undef TRACE_OTF2_RECORD
    return callbacks;
}
