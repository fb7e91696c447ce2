/* Allgather of unequal blocks around the ring, pipelined as in MPICH: blocks travel in chunks, so that one
 * long block does not hold up the ring. In each round a rank sends its next chunk to the right and receives
 * the left neighbour's next one, if there is still one; empty blocks have no chunk. Unlike MPICH, all blocks
 * together are at most 65536 chunks or so (longer ones beyond 2 GiB), so that the sizes of a damaged trace
 * cannot fill the memory with steps. */
#include "traces/collectives/steps.h"

#define CHUNKS_MAX UINT64_C(65536)

/* The chunks of one direction in order: the blocks of P - 1 ranks, going back around the ring. `rank` owns the
 * block that is under way, `offset` is how much of it has gone, `left_bytes` is what is still to come of all
 * blocks of the stream. */
struct stream {
    uint32_t rank;               /* in the communicator */
    uint64_t offset, left_bytes; /* offset: within that rank's block */
};

/* The next chunk, or 0. At the end of a block, also of an empty one, the stream moves on: that costs a round.
 */
static uint64_t next_chunk(const struct trace_collective_call *call, struct stream *stream,
                           uint64_t chunk_bytes)
{
    uint64_t block = trace_block_bytes(call, stream->rank);
    uint64_t bytes = block - stream->offset < chunk_bytes ? block - stream->offset : chunk_bytes;

    if (stream->left_bytes == 0)
        return 0;
    stream->offset += bytes;
    stream->left_bytes -= bytes;
    if (stream->offset == block) {
        stream->offset = 0;
        stream->rank = trace_rank_before(call, stream->rank, 1);
    }
    return bytes;
}

/* Without segments a chunk is a block. */
static uint64_t chunk_limit(const struct trace_collective_call *call, uint64_t total)
{
    if (call->segment_bytes == 0)
        return UINT64_MAX;
    return call->segment_bytes > total / CHUNKS_MAX ? call->segment_bytes : total / CHUNKS_MAX;
}

/* The right neighbour's own block is the one that is not sent to it, and this rank's own the one that does not
 * come. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);
    uint64_t total = trace_total_bytes(call), limit = chunk_limit(call, total);
    struct stream out = {call->rank, 0, total - trace_block_bytes(call, right)};
    struct stream in = {left, 0, total - trace_block_bytes(call, call->rank)};

    /* One phase for all: chunks between neighbours match in order, and the two sides may count rounds
     * differently. */
    while ((out.left_bytes > 0 || in.left_bytes > 0) && !steps.failed) {
        uint64_t sent = next_chunk(call, &out, limit), received = next_chunk(call, &in, limit);
        if (received > 0)
            trace_steps_post_receive(&steps, left, 0, received);
        if (sent > 0)
            trace_steps_post_send(&steps, right, 0, sent);
        trace_steps_wait(&steps);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgatherv_ring = {
    .name = "allgatherv-ring",
    .summary = "P - 1 blocks to the right neighbour, in chunks of 32 KiB (MPICH)",
    .collectives = TRACE_BIT(ALLGATHERV),
    .segment_bytes = 32768,
    .schedule = schedule_steps,
};
