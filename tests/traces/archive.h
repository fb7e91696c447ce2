/* Small OTF2 archives for tests, written from text through the writer of libotf2, and the programs read from
 * them as text again.
 *
 * The events of a location are lines; time advances by 10 ticks at each event unless a line sets it:
 *
 *     @500                                     the next event is at this tick
 *     enter MPI_Wait            leave MPI_Wait
 *     send PEER COMM TAG BYTES                 recv PEER COMM TAG BYTES
 *     isend PEER COMM TAG BYTES REQUEST        isend_complete REQUEST
 *     irecv_request REQUEST                    irecv PEER COMM TAG BYTES REQUEST
 *     request_test REQUEST                     request_cancelled REQUEST
 *     collective OPERATION COMM ROOT SENT RECEIVED          (OPERATION: OTF2's number; ROOT -1: none)
 *     nbc_request REQUEST                      nbc_complete OPERATION COMM ROOT SENT RECEIVED REQUEST
 *     comm_create COMM                         comm_destroy COMM
 *     flush TICKS                              until this tick
 *     put PEER WINDOW BYTES ID                 get PEER WINDOW BYTES ID
 *     window WINDOW                            transferred WINDOW ID
 *     io BYTES        measurement       thread_end
 * Window 0 and the file of "io" are on communicator 0.
 *
 * and with a capital, a call around one event: "Send 1 0 7 100" is enter MPI_Send, send 1 0 7 100, leave
 * MPI_Send; so for Recv, Isend and Irecv (REQUEST only); "Call MPI_Init" is enter and leave only. */
#ifndef TESTS_TRACES_ARCHIVE_H
#define TESTS_TRACES_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/program.h"

#define ARCHIVE_LOCATIONS 32

struct OTF2_EvtWriter_struct; /* of libotf2 */

struct archive_spec {
    uint32_t ranks;
    const char *events[ARCHIVE_LOCATIONS]; /* of each rank, then of further threads of rank 0 */
    uint32_t threads;
    /* "2: 1 0; 3: self; 4: inter 0 / 1 2; 5: global 1 2; 6<2: 1": identifiers and members, and the parent
     * behind <, besides 0, the world, and 1, MPI_COMM_SELF. NULL: none */
    const char *communicators;
    const char *other_locations; /* "gpu CUDA[0]; metric power": types and names; NULL: none */
    uint64_t ticks_per_second;   /* 0: 10^9 */
    bool user_regions;           /* regions are not marked as MPI, as EZTrace writes them */
    bool no_rank_list;           /* no group of type COMM_LOCATIONS */
    bool reverse_locations;      /* rank 0 has the highest location, and is defined last */
    uint64_t chunk_bytes;        /* 0: 256 KiB, the smallest */
    uint32_t shift;    /* of regions and communicators in events, which tables of the locations undo */
    bool window_table; /* and a table for windows, which says nothing */
    /* what all clocks lack at tick 10^9, and in proportion before; 0: nothing written */
    int64_t clock_offset;
};

/* A new directory below $TMPDIR; free the name after archive_remove. */
char *archive_directory(void);
/* Removes a directory and all in it. */
void archive_remove(char *directory);
/* Copies the files of an archive (whatever lies in the directory and its directories). */
void archive_copy(const char *from, const char *to);

/* Writes DIRECTORY/traces.otf2 and what belongs to it. Fails the test when a line cannot be understood. */
void archive_write(const char *directory, const struct archive_spec *spec);

/* The same for events that a function writes: generate is called once a rank, with the rank and `size`. The
 * regions are numbered from 0 and marked as MPI; the list ends in NULL. */
void archive_generate(const char *directory, uint32_t ranks, const char *const *regions,
                      void (*generate)(struct OTF2_EvtWriter_struct *writer, uint32_t rank, uint32_t size),
                      uint32_t size);

/* A written and opened archive. */
struct archive {
    struct trace_program *program;
    char *directory;
};

/* Writes and opens, or fails the test with the error. */
struct archive archive_open(const struct archive_spec *spec);
struct archive archive_open_with(const struct archive_spec *spec, const struct trace_options *options);
/* Closes and removes. */
void archive_close(struct archive *archive);
/* Fails the test unless the archive is refused as bad input with a sentence that holds this part. */
void archive_refuse(const struct archive_spec *spec, const char *part);

/* Compares the program of a rank with the text of archive_program. */
void archive_expect(const struct archive *archive, uint32_t rank, const char *expected);
/* The count of a repair, or 0. */
uint64_t archive_repairs(const struct archive *archive, const char *kind);
/* The row of the coverage; fails the test when there is none. */
const struct trace_coverage *archive_coverage(const struct archive *archive, const char *record);

/* The operations of a rank, one a line, allocated:
 *
 *     compute NS          send PEER COMM TAG BYTES [#REQUEST]          receive PEER COMM TAG BYTES [#REQUEST]
 *     wait REQUEST...     allreduce COMM BYTES [root RANK] [#REQUEST]  end
 *
 * with "sync", "buffered", "implied", "repaired" and "approximated" behind. COMM is an index. Fails the test
 * on an error. */
char *archive_program(struct trace_program *program, uint32_t rank);

#endif
