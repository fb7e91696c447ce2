/* Programs made in memory, for tests and generators: operations are appended rank by rank, then the result is
 * read through program.h like any other program.
 *
 *      memory = trace_memory_new(4);                       communicator 0: MPI_COMM_WORLD
 *      trace_memory_add(memory, rank, &(struct trace_op){.kind = TRACE_SEND, .peer = 1, .bytes = 8});  …
 *      program = trace_memory_program(memory);             add nothing after this
 *      trace_close(program);                               frees everything
 *
 * Every function that allocates says so by -1 or NULL, and leaves the memory program as it was. */
#ifndef TRACE_MEMORY_H
#define TRACE_MEMORY_H

#include "traces/program.h"

struct trace_memory;

/* NULL when memory is out, or ranks is 0. The caller owns the result until it is closed as a program. */
struct trace_memory *trace_memory_new(uint32_t ranks);
/* Adds a communicator of `size` world ranks; name and members are copied. Its index, or UINT32_MAX. */
uint32_t trace_memory_communicator(struct trace_memory *memory, const char *name, const uint32_t *members,
                                   uint32_t size);
/* The same with a second group, which has no rank in common with the first. */
uint32_t trace_memory_inter(struct trace_memory *memory, const char *name, const uint32_t *members,
                            uint32_t size, const uint32_t *remote_members, uint32_t remote_size);
/* Appends a copy of *op, its request set and its vector included, to a rank's stream. What the reader of a
 * trace would number is numbered here, if the field is 0: `event` (from 1); `request` of a TRACE_NONBLOCKING
 * operation, collectives, puts and gets among them, and `instance` of a collective always. The region becomes
 * the MPI name that fits ("MPI_Isend"; of an implied allgather "MPI_Comm_split"). TRACE_END is added by
 * itself. Returns 0, or -1: memory. */
int trace_memory_add(struct trace_memory *memory, uint32_t rank, const struct trace_op *op);
/* The request number that the next TRACE_NONBLOCKING operation of a rank will get. */
uint64_t trace_memory_next_request(const struct trace_memory *memory, uint32_t rank);
/* The totals of the instance-th collective on a communicator, for members whose operation has no vector of
 * its own: sent and received have an entry for each rank of both groups, and are copied. -1: memory. */
int trace_memory_vector(struct trace_memory *memory, uint32_t communicator, uint64_t instance,
                        const uint64_t *sent, const uint64_t *received);
/* The program: a view of memory, which it owns from now on. Its summary counts operations, without coverage.
 */
struct trace_program *trace_memory_program(struct trace_memory *memory);

#endif
