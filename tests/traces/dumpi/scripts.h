/* DUMPI traces written as text, and programs printed as text: a test of one function is two strings.
 *
 *     static const char *const ranks[] = {
 *         "MPI_Isend count=4 datatype=9 dest=1 tag=5 comm=2 request=2\n"
 *         "MPI_Wait request=2\n",
 *         "@1000-1500 MPI_Recv count=9 datatype=9 source=-1 tag=-1 comm=2 status=16/0/5\n"};
 *     struct trace_program *program = script_program(ranks, 2, NULL);
 *     assert_ops(program, 0, "isend 1 5 16 r0; wait 0; end");
 *     assert_ops(program, 1, "recv 0 5 16; end");
 *
 * A line is a function and its arguments by name. Lists have commas, lists of lists semicolons; a status is
 * bytes/source/tag or bytes/source/tag/cancelled, `none` is no status (the program ignored it). "@a-b" gives
 * the times by both clocks, "@a-b/c-d" those of the wall clock and of the CPU clock; without, time stands
 * still. "sizes 4 8" gives the sizes of the datatypes 28, 29 ...; "ignored MPI_Send 3" and "host NAME" go
 * into the footer and the header.
 *
 * Operations: send, recv, probe, put, get with peer, tag and bytes ("*" for any), i- for a request, s- for
 * synchronous and b- for buffered ones; wait with its set; collectives with bytes, root and [sent|received]
 * vectors; implied ones in parentheses; c3 is a communicator other than 0; compute with nanoseconds. */
#ifndef TESTS_TRACES_DUMPI_SCRIPTS_H
#define TESTS_TRACES_DUMPI_SCRIPTS_H

#include "traces/program.h"

#define SCRIPT_RANKS 8

/* Writes the trace and opens it; fails the test when it cannot be opened. NULL options: the defaults. */
struct trace_program *script_program(const char *const *ranks, uint32_t count,
                                     const struct trace_options *options);
/* Only writes it; the prefix of its files, valid until the next call. */
const char *script_write(const char *const *ranks, uint32_t count);
/* Removes the files of the last trace. */
void script_clean(void);
/* The operations of a rank; free it. */
char *script_ops(struct trace_program *program, uint32_t rank);
void assert_ops(struct trace_program *program, uint32_t rank, const char *expected);
/* How often something was assumed, by the kind of the repair. */
uint64_t repairs_of(const struct trace_program *program, const char *kind);
/* The row of a function in the coverage, or NULL. */
const struct trace_coverage *coverage_of(const struct trace_program *program, const char *record);

#endif
