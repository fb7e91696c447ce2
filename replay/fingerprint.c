/* The fingerprint of a trace: its sums, hashed in one order, that of the structs. */
#include "replay/fingerprint.h"

#include "base/digest.h"

/* Two traces of one fingerprint have the same operations as far as their sums tell: enough to notice that a
 * file was recorded anew between two runs of a comparison. */
const char *replay_fingerprint(struct base_arena *arena, const struct trace_program *program)
{
    const struct trace_summary *summary = trace_program_summary(program);
    uint64_t words[] = {
        trace_program_ranks(program), summary->events,         summary->sends,      summary->receives,
        summary->bytes_sent,          summary->bytes_received, summary->compute_ns, summary->mpi_ns};
    struct base_digest digest = {0};
    char text[BASE_DIGEST_TEXT];

    base_digest_add(&digest, words, sizeof words / sizeof words[0]);
    for (size_t i = 0; i < summary->pair_count; i++) {
        const struct trace_pair *pair = &summary->pairs[i];
        base_digest_add(&digest, (uint64_t[]){pair->source, pair->target, pair->messages, pair->bytes}, 4);
    }
    for (uint64_t i = 0; i < TRACE_COLLECTIVES; i++)
        base_digest_add(&digest,
                        (uint64_t[]){i, summary->collectives[i].calls, summary->collectives[i].bytes}, 3);
    base_digest_text(&digest, text);
    return base_arena_text(arena, text);
}
