/* A recorded run as a dependency program: per rank a stream of operations in program order, whatever the
 * format it was read from. Ranks are world ranks, sizes are bytes, times are integer nanoseconds; datatypes,
 * handles and clock ticks stay behind the reader. The definitions are
 * those of doc/replay.md.
 *
 *      trace_open ──► struct trace_program (immutable: ranks, communicators, summary, repairs)
 *                        └─ trace_cursor_new(rank) ──► trace_cursor_next() ──► op, op, … TRACE_END
 *
 * A cursor streams: it reads its rank's file as the operations are asked for, looking ahead only as far as a
 * record needs (a receive's source is recorded when it completes), so memory does not grow with the length of
 * the trace. */
#ifndef TRACE_PROGRAM_H
#define TRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "traces/processor-loss.h"

/* The collective operations of MPI, in the order of collectives.def. */
enum trace_collective {
#define TRACE_COLLECTIVE(symbol, name) TRACE_##symbol,
#include "traces/collectives.def"
#undef TRACE_COLLECTIVE
    TRACE_COLLECTIVES
};

/* The lower-case MPI name: "allreduce". */
const char *trace_collective_name(enum trace_collective collective);
/* Whether it has a size for each member: the v- and w-variants, and reduce_scatter, whose blocks may differ. */
bool trace_collective_has_vectors(enum trace_collective collective);
/* Whether one rank has a part of its own. For the others the root is not looked at, whatever a reader left there. */
bool trace_collective_has_root(enum trace_collective collective);
/* The operation of such a name, or -1 with the nearest one: BASE_USAGE. */
int trace_collective_find(const char *name, enum trace_collective *collective, struct base_error *error);

enum trace_op_kind {
    TRACE_COMPUTE, /* duration_ns of work between two MPI calls */
    TRACE_SEND,    /* peer, tag, communicator, bytes; blocking unless TRACE_NONBLOCKING */
    TRACE_RECEIVE, /* peer, tag, communicator, bytes (as sent); posted here. Readers resolve wildcards by what
                      the trace says of the receive's completion; where it says nothing, peer is
                      TRACE_ANY_SOURCE or tag is TRACE_ANY_TAG, and the replay matches it as MPI would */
    TRACE_PROBE, /* peer, tag, communicator as of a receive: returns when such a message has arrived (its data
                    or its RTS) and no posted receive has taken it; takes nothing */
    TRACE_WAIT,  /* returns when every request of the set is complete */
    TRACE_COLLECTIVE_CALL, /* a collective; see the fields below. With TRACE_NONBLOCKING it starts a request
                            */
    TRACE_PUT, /* bytes to peer's memory, no operation there; non-blocking, its request completes when the
                  bytes are there (a request for the target, and its answer for TRACE_GET) */
    TRACE_GET, /* bytes from peer's memory: a one-flit request goes, the data come back */
    TRACE_END  /* the rank's program is over; yielded once, then trace_cursor_next returns 0 */
};

#define TRACE_ANY_SOURCE UINT32_MAX
#define TRACE_ANY_TAG UINT32_MAX
#define TRACE_NO_REGION UINT32_MAX

enum trace_op_flags {
    TRACE_NONBLOCKING = 1, /* the operation starts a request and returns */
    TRACE_SYNCHRONOUS = 2, /* Ssend: completes only when matched, whatever its size */
    TRACE_REPAIRED =
        4, /* a field was guessed because the record is wrong or missing (counted in the repairs) */
    TRACE_APPROXIMATED =
        8,               /* e.g. the per-destination sizes of a v-collective that recorded only their sum */
    TRACE_BUFFERED = 16, /* Bsend: completes at once for its caller, whatever its size and protocol */
    TRACE_IMPLIED = 32,  /* a collective (or a wait) that another call contains: MPI_Comm_split agrees by an
                            allgather, MPI_Win_fence ends in a barrier; `region` names that call. Not counted
                            among the program's collectives */
    TRACE_ITERATES = 64  /* the first call of an iteration, or behind the last (traces/windows/iterations.h);
                            readers never set it */
};

/* The sizes of a v- or w-collective, in bytes, as far as this member knows them. size is the number of ranks
 * in the communicator. */
struct trace_vector {
    const uint64_t *sent, *received; /* size entries each */
    uint32_t size;
    bool pairwise; /* true: sent[i] goes from this rank to rank i, received[i] comes from it. False: sent[i]
                      and received[i] are rank i's totals */
};

/* Requests are numbered per rank from 0 in the order they are started; a number is never used twice in a
 * stream, whatever handles the recorder wrote. */
struct trace_op {
    enum trace_op_kind kind; /* says which of the fields below count */
    unsigned flags;
    uint64_t duration_ns; /* TRACE_COMPUTE: the work. Others: how long the recorded call took (0 when not
                        known, or when it belongs to an earlier operation of the same call); not replayed */
    uint32_t peer;        /* world rank of the other side (send, receive, probe, put, get) */
    uint32_t tag;
    uint32_t communicator; /* index into the program's communicators */
    uint64_t bytes;        /* send, receive, put, get: message size. Collective: see below */
    uint64_t request;      /* with TRACE_NONBLOCKING */
    /* TRACE_WAIT: the set, request_count numbers; borrowed until the next trace_cursor_next */
    const uint64_t *requests;
    size_t request_count; /* of requests */

    enum trace_collective collective;
    uint32_t root;     /* rank in the communicator, or UINT32_MAX where the operation has none. On an
                          inter-communicator: position in members followed by remote_members */
    uint64_t instance; /* this is the rank's n-th collective on this communicator, from 0: equal on all its
                          members */
    /* Sizes of a collective, normalised over the tools' conventions (traces/otf2/sizes.h). `bytes` is
     *   the vector's size: bcast, reduce, allreduce, scan, exscan;
     *   one block (per pair or per rank): gather, scatter, allgather, alltoall, reduce_scatter_block;
     *   the own block for gatherv, scatterv, allgatherv and reduce_scatter, where the vector is NULL;
     *   0 for barrier, and where there is a vector. */
    /* This rank's totals as recorded; of v- and w-variants its entry or sum of either side of the vector, by
     * whatever convention a tool recorded it. */
    uint64_t bytes_sent, bytes_received;
    /* gatherv and scatterv at the root, allgatherv, reduce_scatter, alltoallv, alltoallw: the blocks. Of
     * gatherv and allgatherv sent[i] is what rank i contributes, of scatterv and reduce_scatter received[i]
     * is what rank i is left with. Valid until the next trace_cursor_next. NULL: every block is `bytes`. */
    const struct trace_vector *vector;

    /* Where the operation was recorded, for messages: event number from 1, time since the rank's first event.
     */
    uint64_t event;
    uint64_t time_ns;
    uint32_t region; /* name of the call: trace_program_region_name; UINT32_MAX when unknown */
};

/* A communicator: members[i] is the world rank of its rank i. Several programs share no index space. An
 * inter-communicator has a second group: the peers of messages are world ranks all the same, and a collective
 * numbers its ranks members first, remote members after them. */
struct trace_communicator {
    const char *name;        /* for messages */
    uint32_t size;           /* of members */
    const uint32_t *members; /* world ranks, by rank in the communicator */
    uint32_t remote_size;    /* 0: an intra-communicator */
    const uint32_t *remote_members;
};

/* The rank's number among the members, those of the remote group behind the local ones; UINT32_MAX: it is no
 * member. A search, but for ranks that are their own numbers, as those of the world are. */
uint32_t trace_communicator_position(const struct trace_communicator *communicator, uint32_t rank);

/* What was read, counted over all ranks while the trace was surveyed (trace_open reads every record once, so
 * that a damaged trace is refused before anything is simulated). */
struct trace_collective_count {
    uint64_t calls; /* one per calling rank */
    uint64_t bytes; /* sum of op.bytes, or of bytes_sent for v- and w-variants */
};

/* What a row of the coverage counts. */
enum trace_coverage_of {
    TRACE_OF_CALLS,   /* calls of MPI that communicate or wait */
    TRACE_OF_MISSING, /* such calls that the program made, but whose records are not in the trace */
    TRACE_OF_RECORDS  /* other records, and calls that other ranks have no part in */
};

struct trace_coverage { /* one row a record kind; how the replay treats it */
    const char *record; /* "MPI_Send", "MPI_Alltoallv" … or the record's name */
    enum trace_treatment { TRACE_EXACT, TRACE_DECOMPOSED, TRACE_APPROXIMATE, TRACE_IGNORED } treatment;
    const char *how; /* the algorithm or the reason, one phrase; NULL for exact */
    uint64_t records, bytes;
    uint64_t time_ns; /* recorded time inside these records, sum over ranks */
    enum trace_coverage_of of;
};

struct trace_repair {
    const char *kind; /* a stable lower-case-hyphen name: "receive-communicator", "missing-completion" … */
    const char *text; /* one sentence */
    uint64_t count;
};

/* What was recorded beside the ranks, and is not replayed: streams of accelerators, counters. */
struct trace_other_locations {
    const char *type, *name; /* "GPU", "metric", "unknown"; the name may be empty */
    uint64_t count;          /* of this type and name */
};

struct trace_pair { /* one entry of the communication matrix of point-to-point messages, world ranks */
    uint32_t source, target;
    uint64_t messages, bytes; /* sent from source to target */
};

struct trace_summary {
    uint64_t events;          /* recorded ones, over all ranks */
    uint64_t sends, receives; /* of messages of their own, without those of collectives */
    uint64_t bytes_sent, bytes_received;
    uint64_t compute_ns; /* sum over ranks */
    uint64_t mpi_ns;     /* recorded time inside MPI calls, sum over ranks; not replayed */
    /* The same gaps between calls by both clocks, where the format records both (DUMPI); else 0. */
    uint64_t gap_wall_ns, gap_cpu_ns;
    struct trace_processor_loss loss; /* likewise */
    struct trace_collective_count collectives[TRACE_COLLECTIVES];
    /* by_communicator[c * TRACE_COLLECTIVES + k], c < communicator_count */
    const struct trace_collective_count *by_communicator;
    const struct trace_coverage *coverage; /* what was recorded, and how it is replayed */
    size_t coverage_count;                 /* rows */
    const struct trace_repair *repairs;    /* what had to be mended or guessed, by kind */
    size_t repair_count;                   /* rows */
    const struct trace_pair *pairs;        /* sorted by source, then target; counted at the sender */
    size_t pair_count;
    const struct trace_other_locations *other_locations; /* by type, then name */
    size_t other_location_count;
};

struct trace_program;
struct trace_cursor;

/* Which clock the compute times come from. Formats with one clock have nothing to choose (BASE_USAGE for
 * another than wall). */
enum trace_clock { TRACE_CLOCK_WALL, TRACE_CLOCK_CPU, TRACE_CLOCK_MIN };

struct trace_defects; /* traces/doctor/defect.h */
struct trace_draft;   /* traces/draft.h */

/* Options of reading; a zeroed struct means the defaults. */
struct trace_options {
    uint64_t message_limit_bytes; /* a longer message is taken for damage; 0: 1 TiB */
    enum trace_clock clock;
    uint64_t compute_threshold_ns; /* gaps between calls that are shorter count as nothing */
    bool keep_polling; /* false: a run of failing tests or probes and the success that ends it become one wait
                          at the first of them, and the compute time between them is dropped. True: the
                          compute time stays, failing tests cost nothing */
    /* Not NULL: what is wrong with the trace is added here as it is found, and reading goes on wherever
     * something sensible can follow; errors are left for what makes going on impossible. */
    struct trace_defects *defects;
    /* Not NULL: operations are put here while the trace is surveyed, for trace_keep_drafted. Not with defects. */
    struct trace_draft *draft;
};

/* Whether a registered format knows the content, which may be damaged all the same. */
bool trace_is_recognised(const char *path);
/* Opens, surveys and validates a trace of any registered format: path is an OTF2 anchor file *.otf2, a DUMPI
 * metafile or prefix, or a directory that holds exactly one trace. The caller owns the program. NULL with a
 * positioned sentence: no such file (BASE_INPUT), not a known format, missing, truncated or damaged files,
 * out of memory (BASE_SYSTEM). */
struct trace_program *trace_open(const char *path, const struct trace_options *options,
                                 struct base_error *error);
void trace_close(struct trace_program *program); /* NULL is legal; every cursor must have been freed */

/* What a program is, each borrowed from it. Ranks, communicators and regions are numbered from 0. */
uint32_t trace_program_ranks(const struct trace_program *program);
const char *trace_program_path(const struct trace_program *program);
const char *
trace_program_format(const struct trace_program *program); /* the registered kind's name: "otf2" */
const char *
trace_program_writer(const struct trace_program *program); /* "EZTrace", "Score-P …", or what the file says */
uint32_t trace_program_communicators(const struct trace_program *program);
const struct trace_communicator *trace_program_communicator(const struct trace_program *program,
                                                            uint32_t index);
const struct trace_summary *trace_program_summary(const struct trace_program *program);
const char *trace_program_region_name(const struct trace_program *program,
                                      uint32_t region); /* "MPI_?" if unknown */

/* The totals of a v- or w-collective that the program knows by its instance. NULL when that instance is none,
 * or when every member has its own record of the sizes (op.vector has them in any case). Borrowed from the
 * program. */
const struct trace_vector *trace_program_vector(const struct trace_program *program, uint32_t communicator,
                                                uint64_t instance);

/* Which of its own functions the program was in at a record: asked for the few calls that a report names, so
 * that streams need not carry it. */
struct trace_caller {
    uint32_t rank;      /* of the world */
    uint64_t event;     /* as in struct trace_op; 0: no record */
    const char *region; /* filled in: the innermost region that is no MPI call, borrowed from the program;
                           NULL: the trace has none there */
};

/* Fills in the regions. Each rank that is asked for is read once, up to its last event; what cannot be read
 * has none. -1: memory. */
int trace_program_find_callers(struct trace_program *program, struct trace_caller *callers, size_t count,
                               struct base_error *error);
/* A place in a rank's recording: where it enters a region of its own, that is no MPI call. */
struct trace_entry {
    /* Its number among trace_program_own_regions; several may have one name, which all count. */
    uint32_t region;
    uint64_t number; /* the n-th entry, from 1 */
    /* Filled in: the record, as in struct trace_op, 0 where the rank enters it less often; and how often it does,
     * counted up to the last one that is asked for. */
    uint64_t event, entries;
};

/* The names of these regions, borrowed from the program; none where trace_program_no_regions says why. */
const char *const *trace_program_own_regions(const struct trace_program *program, uint32_t *count);
/* Fills in the places. The rank is read once, up to the last of them. -1: memory. */
int trace_program_find_entries(struct trace_program *program, uint32_t rank, struct trace_entry *entries,
                               size_t count, struct base_error *error);
/* Why no call can have a region: a sentence, without its full stop. NULL: the trace records regions. */
const char *trace_program_no_regions(const struct trace_program *program);

/* Makes the program ready for several threads, each of which has streams of its own. 1: it is; 0: one thread at
 * a time, since its streams read the files of a trace that is not kept (traces/kept.h); -1: what the reader says.
 * Whoever shares it asks for its hash before that. */
int trace_program_share(struct trace_program *program, struct base_error *error);

/* Closes the files that stay open between two readings, of which a process may have only so many, and frees their
 * buffers. Whoever reads on opens them again. */
void trace_program_rest(struct trace_program *program);

/* A new stream over one rank's operations, from its start. The caller frees it. Streams are independent; a program
 * that is not shared is used by one thread at a time. */
struct trace_cursor *trace_cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error);
/* 1: *op is filled (its pointers are valid until the next call); 0: the stream is over; -1: error. */
int trace_cursor_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error);
void trace_cursor_free(struct trace_cursor *cursor);

/* When the rank's first event was recorded, in nanoseconds after the trace's first: op.time_ns plus this is a
 * time that ranks can be compared by. UINT64_MAX when the ranks' clocks have nothing in common. */
uint64_t trace_program_origin_ns(const struct trace_program *program, uint32_t rank);

/* For messages: "cg.otf2: rank 3, event 17" as a position for base_error_at. */
struct base_position trace_op_position(const struct trace_program *program, uint32_t rank,
                                       const struct trace_op *op);

#endif
