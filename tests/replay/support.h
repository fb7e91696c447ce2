/* For the suites of replay/: programs in one line an operation, replays on a named topology, and the longest
 * dependency chain computed without the engine. */
#ifndef TESTS_REPLAY_SUPPORT_H
#define TESTS_REPLAY_SUPPORT_H

#include "replay/engine/replay.h"
#include "tests/traces/memory.h"

#define ASSERT_OK(call) assert_int_equal((call), 0)

/* Each appends one operation; the non-blocking ones return their request number. */
void add_compute(struct trace_memory *memory, uint32_t rank, uint64_t ns);
void add_send(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes);
void add_ssend(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes);
void add_receive(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes);
uint64_t add_isend(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes);
uint64_t add_ireceive(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag,
                      uint64_t bytes);
void add_wait(struct trace_memory *memory, uint32_t rank, uint64_t request);
void add_wait_all(struct trace_memory *memory, uint32_t rank, const uint64_t *requests, size_t count);
void add_collective(struct trace_memory *memory, uint32_t rank, enum trace_collective collective,
                    uint32_t communicator, uint32_t root, uint64_t bytes);
/* Any operation. */
void add_op(struct trace_memory *memory, uint32_t rank, struct trace_op op);

/* Collectives with times that can be told by hand. "star" for most: everyone to the first rank, and back;
 * bcast and scatter: the root to everyone; reduce and gather: everyone to the root; exscan: nothing; scan is
 * wrong on purpose. */
extern const struct trace_tuning test_collectives;

/* 1 GHz, flits of 8 bytes, eager up to 1024 bytes, test_collectives. */
struct replay_semantics test_options(void);

/* Replays on a topology with ranks placed in order. Closes nothing. */
int replay_on(const char *topology, struct trace_program *program, const struct replay_semantics *options,
              struct replay_result *result, struct base_error *error);
/* The same, and the network's statistics, copied; their arrays are gone (NULL). */
int replay_measured(const char *topology, struct trace_program *program,
                    const struct replay_semantics *options, struct replay_result *result,
                    struct net_statistics *statistics, struct base_error *error);
/* The finish time of a rank of a program that must replay, which is closed. */
uint64_t finish_on(const char *topology, struct trace_memory *memory, uint32_t rank);
/* The same with options. */
uint64_t finish_with(const char *topology, struct trace_memory *memory,
                     const struct replay_semantics *options, uint32_t rank);

/* The longest dependency chain of compute times, over program order, messages and rendezvous: the time of an
 * ideal network by definition. No events, no network: ranks are evaluated as far as they can be, in turns,
 * until all are through. */
uint64_t longest_chain(struct trace_program *program, const struct replay_semantics *options);

#endif
