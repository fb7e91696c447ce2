/* make-deadlock FORMAT PATH KIND: writes a trace of 4 ranks that ran when it was recorded, as far as it goes,
 * and cannot be replayed to its end:
 *
 *      ring      everybody sends 100 000 bytes to the next rank, then receives: long messages wait for each
 *                other in a circle (above the eager limit)
 *      missing   ranks 0 to 2 receive from the rank before; rank 3 has recorded nothing
 *      member    rank 3 does not call the last of two barriers
 *      chain     rank 0 waits for rank 1, which waits for rank 2, which waits for rank 1
 *      wildcard  rank 0 receives from anybody what rank 1 sends behind a probe for a message of rank 0's
 *
 * and some that can be, for the converters and timelines:
 *
 *      anybody   rank 0 receives twice from anybody, and tells rank 1
 *      bridge    two groups talk across an inter-communicator, with roots on either side */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/traces/memory.h"
#include "traces/writers/writer.h"

#define RANKS 4

static struct trace_memory *memory;

static void add(uint32_t rank, struct trace_op op)
{
    if (trace_memory_add(memory, rank, &op) < 0)
        exit(5);
}

/* Behind a microsecond of work, so that calls lie at different times. */
static void add_message(uint32_t rank, enum trace_op_kind kind, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    add(rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 1000});
    add(rank, (struct trace_op){.kind = kind, .peer = peer, .tag = tag, .bytes = bytes});
}

/* The classical unsafe program. */
static void make_ring(void)
{
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        add_message(rank, TRACE_SEND, (rank + 1) % RANKS, 7, 100000);
        add_message(rank, TRACE_RECEIVE, (rank + RANKS - 1) % RANKS, 7, 100000);
    }
}

/* Rank 3 has nothing but its start and end. */
static void make_missing(void)
{
    for (uint32_t rank = 0; rank < RANKS - 1; rank++) {
        add_message(rank, TRACE_RECEIVE, (rank + RANKS - 1) % RANKS, 7, 8);
        if (rank < RANKS - 2)
            add_message(rank, TRACE_SEND, rank + 1, 7, 8);
    }
}

/* Ranks 0 to 2 are in the second barrier. */
static void make_member(void)
{
    const struct trace_op barrier = {
        .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BARRIER, .root = UINT32_MAX};
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        add(rank, barrier);
        if (rank < RANKS - 1)
            add(rank, barrier);
    }
}

/* Rank 0 is no part of the cycle. */
static void make_chain(void)
{
    add_message(0, TRACE_RECEIVE, 1, 5, 8);
    add_message(1, TRACE_RECEIVE, 2, 6, 8);
    add_message(1, TRACE_SEND, 0, 5, 8);
    add_message(1, TRACE_SEND, 2, 7, 8);
    add_message(2, TRACE_RECEIVE, 1, 7, 8);
    add_message(2, TRACE_SEND, 1, 6, 8);
}

/* Without the probe and the order of rank 0 it would run. */
static void make_wildcard(void)
{
    add_message(0, TRACE_RECEIVE, TRACE_ANY_SOURCE, 5, 8);
    add_message(0, TRACE_SEND, 1, 6, 8);
    add_message(1, TRACE_PROBE, 0, 6, 0);
    add_message(1, TRACE_RECEIVE, 0, 6, 8);
    add_message(1, TRACE_SEND, 0, 5, 8);
}

/* Runs: rank 0 takes what comes, and tells rank 1. */
static void make_anybody(void)
{
    add_message(0, TRACE_RECEIVE, TRACE_ANY_SOURCE, 5, 8);
    add_message(0, TRACE_RECEIVE, TRACE_ANY_SOURCE, 5, 8);
    add_message(0, TRACE_SEND, 1, 6, 8);
    add_message(1, TRACE_SEND, 0, 5, 8);
    add_message(1, TRACE_RECEIVE, 0, 6, 8);
    add_message(2, TRACE_SEND, 0, 5, 8);
}

/* Sizes differ from root to root. */
static void make_bridge(void)
{
    static const enum trace_collective rooted[] = {TRACE_GATHER, TRACE_SCATTER, TRACE_BCAST, TRACE_REDUCE};
    static const uint32_t left[] = {1, 0}, right[] = {2, 3};
    uint32_t bridge = trace_memory_inter(memory, "bridge", left, 2, right, 2);

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        add(rank, (struct trace_op){.kind = rank < 2 ? TRACE_SEND : TRACE_RECEIVE,
                                    .communicator = bridge,
                                    .peer = (rank + 2) % RANKS,
                                    .tag = 9,
                                    .bytes = 700});
        for (uint32_t i = 0; i < 4 * RANKS; i++)
            add(rank, (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                        .collective = rooted[i / RANKS],
                                        .communicator = bridge,
                                        .root = i % RANKS,
                                        .bytes = 400 * (i % RANKS + 1)});
    }
}

static const struct {
    const char *name;
    void (*make)(void);
} kinds[] = {{"ring", make_ring},      {"missing", make_missing},   {"member", make_member},
             {"chain", make_chain},    {"wildcard", make_wildcard}, {"bridge", make_bridge},
             {"anybody", make_anybody}};

int main(int count, char **arguments)
{
    const struct trace_writer_options options = {.creator = "flitreplay's tests"};
    struct base_error error = {0};
    size_t kind = 0;
    while (count == 4 && kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, arguments[3]) != 0)
        kind++;
    const struct trace_writer_format *format =
        count == 4 ? trace_writer_find(arguments[1], arguments[2], &error) : NULL;
    memory = trace_memory_new(RANKS);
    if (format == NULL || memory == NULL || kind == sizeof kinds / sizeof *kinds) {
        fprintf(stderr,
                "usage: make-deadlock FORMAT PATH ring|missing|member|chain|wildcard|bridge|anybody\n%s\n",
                error.text);
        return 2;
    }
    kinds[kind].make();
    int status =
        trace_write(trace_memory_program(memory), format, arguments[2], &options, NULL, NULL, &error);
    if (status < 0)
        fprintf(stderr, "make-deadlock: %s\n", error.text);
    trace_close(trace_memory_program(memory));
    return status < 0 ? 1 : 0;
}
