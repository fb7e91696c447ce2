/* What the first pass over a trace finds out that the cursors need: receives whose message a cursor could not
 * know in time, and repairs. All are small unless the recorder was wrong: one entry for each exception. */
#ifndef TRACE_OTF2_TABLES_H
#define TRACE_OTF2_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/table.h"
#include "traces/otf2-archive/events.h"
#include "traces/otf2/vectors.h"
#include "traces/program.h"

/* A receive completes at most this many records after it was posted, or it is in the table of its rank: so
 * far do cursors look ahead. */
#define TRACE_OTF2_WINDOW 1024

enum trace_otf2_receive_state {
    TRACE_OTF2_FAR,     /* the message as recorded, too far ahead */
    TRACE_OTF2_MOVED,   /* completes as recorded, but the message was found by repair */
    TRACE_OTF2_GUESSED, /* never completes; the message was found by repair */
    TRACE_OTF2_UNKNOWN, /* never completes; no message yet: its peer is UINT32_MAX */
    TRACE_OTF2_EARLY,   /* the same, posted before the rank made any communicator: it is on the world's */
    TRACE_OTF2_DROPPED, /* never completes, and no message is left for it */
    TRACE_OTF2_ABSENT   /* completes as recorded, without a message: it is left out */
};

struct trace_otf2_receive {
    uint64_t ordinal; /* the rank's n-th receive, from 0, in the order they are posted */
    uint64_t bytes;   /* of its message; 0 while there is none */
    uint32_t peer, tag, communicator;
    enum trace_otf2_receive_state state; /* how its message is known */
};

/* A call of a rank that made communicators, and what is known of its parent. */
struct trace_otf2_creation {
    uint32_t call;   /* which function */
    uint32_t parent; /* as inferred; TRACE_OTF2_NO_PARENT: unknown */
    uint32_t hint;   /* the parent by a record inside the call; TRACE_OTF2_NO_PARENT without one */
    uint32_t child;  /* the new communicator by a record; TRACE_OTF2_NO_PARENT without one */
};

/* When a rank used a communicator first after some of these calls: what the order of calls is inferred from.
 */
struct trace_otf2_use {
    uint32_t communicator; /* its index */
    uint32_t creations;    /* calls so far */
    uint64_t collectives;  /* of the rank on the communicator so far; only where a collective is that use */
};

struct trace_otf2_uses {
    struct trace_otf2_use *all; /* in the order they were met */
    size_t count, capacity;     /* of uses */
};

struct trace_otf2_rank_tables {
    struct trace_otf2_creation *creations; /* in the order of the calls */
    size_t creation_count, creation_capacity;
    struct trace_otf2_uses first_uses;   /* one for each communicator that the rank uses */
    struct trace_otf2_uses collectives;  /* one for each communicator and stretch between such calls */
    struct trace_otf2_receive *receives; /* by ordinal */
    uint64_t *starts; /* ordinals of non-blocking sends that never complete and of non-blocking collectives
                         that leave no trace, ascending */
    size_t receive_count, receive_capacity, start_count, start_capacity;
    bool draft_is_void; /* the rank's draft cannot be settled (settle.h) */
};

/* Receives recorded on one channel that all belong to another. */
struct trace_otf2_rule {
    uint32_t communicator, peer; /* of the channel that they belong to */
};

struct trace_otf2_tables {
    bool multiplied[TRACE_COLLECTIVES];   /* the convention of sizes */
    struct trace_otf2_rank_tables *ranks; /* [rank]; NULL during the survey */
    struct base_table rules;              /* channel -> index in rule_list */
    struct trace_otf2_rule *rule_list;
    size_t rule_count, rule_capacity;         /* of rule_list */
    const struct trace_otf2_vectors *vectors; /* NULL during the survey */
    /* (communicator, instance) -> root, on inter-communicators, where the root's group does not record it;
     * NULL during the survey. */
    const struct base_table *roots;
    struct trace_otf2_implied_call *implied; /* by communicator, then instance */
    size_t implied_count, implied_capacity;
    const char *creations_unknown; /* why the parents of new communicators are not known; NULL: they are */
    /* (communicator, instance) -> index in size_list. Here, in the roots and in the survey instances count
     * the recorded collectives only. */
    struct base_table sizes;
    uint64_t *size_list; /* op.bytes where the members' records disagree */
    size_t size_count, size_capacity;
};

/* An implied collective by its number among all on the communicator. */
struct trace_otf2_implied_call {
    uint32_t communicator; /* its index */
    uint64_t instance;     /* from 0 */
};

/* The two keys of a channel in a table: (communicator, tag) and (source, target), world ranks. */
static inline uint64_t trace_otf2_pack(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* What is repaired or guessed, by kind. */
enum trace_otf2_repair {
#define TRACE_OTF2_REPAIR(symbol, kind, text) TRACE_OTF2_REPAIR_##symbol,
#include "traces/otf2/repairs.def"
#undef TRACE_OTF2_REPAIR
    TRACE_OTF2_REPAIRS
};

struct trace_otf2_call_count {
    uint64_t records; /* calls with at least one record inside */
    uint64_t empty;   /* calls without any */
    uint64_t endless; /* of those with one: non-blocking collectives without the record of their completion */
    uint64_t bytes;
    uint64_t records_ns, empty_ns; /* time inside these calls */
};

/* Counters over all ranks, for the coverage report; only the survey counts. */
struct trace_otf2_counts {
    struct trace_otf2_call_count *calls;            /* [call] */
    uint64_t skipped[TRACE_OTF2_RECORDS];           /* records read over, by kind */
    uint64_t repairs[TRACE_OTF2_REPAIRS];           /* by kind */
    uint64_t failed_tests, collapsed_tests, probes; /* probes: whose message is known */
    uint64_t solo_messages, nonblocking, handles;
    uint64_t local_handles; /* records of handles that nobody communicates for */
    uint64_t mpi_ns;        /* in MPI calls, over all ranks */
};

#endif
