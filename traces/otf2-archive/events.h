/* Events of one location as plain records, in batches: what the callbacks of libotf2 deliver, nothing
 * interpreted. */
#ifndef TRACE_OTF2_EVENTS_H
#define TRACE_OTF2_EVENTS_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/otf2-archive/identifiers.h"

enum trace_otf2_event_kind {
    TRACE_OTF2_ENTER,
    TRACE_OTF2_LEAVE,
    TRACE_OTF2_SEND,
    TRACE_OTF2_ISEND,
    TRACE_OTF2_ISEND_COMPLETE,
    TRACE_OTF2_IRECV_REQUEST,
    TRACE_OTF2_RECV,
    TRACE_OTF2_IRECV,
    TRACE_OTF2_REQUEST_TEST,
    TRACE_OTF2_REQUEST_CANCELLED,
    TRACE_OTF2_COLLECTIVE_END,
    TRACE_OTF2_NONBLOCKING_REQUEST,
    TRACE_OTF2_NONBLOCKING_COMPLETE,
    TRACE_OTF2_COMMUNICATOR_CREATED,
    TRACE_OTF2_RMA_WINDOW, /* peer: the window that the call is about; or: */
    TRACE_OTF2_FILE,
    TRACE_OTF2_PUT, /* peer, bytes, request, and the window for the communicator */
    TRACE_OTF2_GET,
    TRACE_OTF2_TRANSFERRED, /* request, and the window for the communicator */
    TRACE_OTF2_FLUSH,
    TRACE_OTF2_SKIPPED, /* a record of events.def, or one newer than the library */
    TRACE_OTF2_TIME     /* nothing but the time matters: threads and programs begin and end */
};

/* The records that are read over, by number. */
enum trace_otf2_record {
#define TRACE_OTF2_RECORD(name, parameters, reason) TRACE_OTF2_RECORD_##name,
#include "traces/otf2-archive/events.def"
#undef TRACE_OTF2_RECORD
    TRACE_OTF2_RECORD_UNKNOWN,
    TRACE_OTF2_RECORDS
};

struct trace_otf2_event {
    uint64_t position; /* from 1, as libotf2 counts the records of a location */
    uint64_t time;     /* ticks */
    uint64_t bytes;    /* of a message; sent by a collective; when a flush stopped (ticks) */
    uint64_t received; /* by a collective */
    uint64_t request;  /* the recorder's identifier */
    uint32_t kind;
    uint32_t peer;         /* sender, receiver, root, region, or number of a skipped record */
    uint32_t communicator; /* the trace's identifier */
    uint32_t tag;          /* or operation of a collective */
};

struct trace_otf2_batch {
    struct trace_otf2_event *events; /* of one location, in their order */
    size_t count, capacity;          /* a read never delivers more records than it asks for: capacity */
    struct trace_otf2_event *next;   /* while libotf2 reads: where callbacks go on */
    struct trace_otf2_event *end;    /* and the end of the room */
    struct trace_otf2_translation regions, communicators; /* of the location that is read, borrowed */
};

/* The name of a skipped record ("RmaPut") and why it is skipped; NULL: there is nothing to replay in it. */
const char *trace_otf2_record_name(uint32_t record);
const char *trace_otf2_record_reason(uint32_t record);

/* Callbacks whose user data is a struct trace_otf2_batch. NULL when memory is out. */
OTF2_EvtReaderCallbacks *trace_otf2_event_callbacks(void);

#endif
