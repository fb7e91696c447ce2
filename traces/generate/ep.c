/* NPB EP: Gaussian pairs, each rank its own share. All that is sent are the sums at the end: no network is
 * slow for it.
 *
 *      bcast 4 B, barrier, the work, allreduce 8, 8, 80 (the ten annuli), 8 B */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_ep;

static const uint32_t log_pairs[] = {24, 25, 28, 30, 32, 36, 40, 44};

/* RNR-94-007 counts 26.68 · 10⁹ operations for the 2²⁸ pairs of class A: 99.4 for a pair. */
#define TENTHS_OF_FLOPS_PER_PAIR 994

struct kernel {
    uint64_t pairs; /* of all ranks */
};

/* Pairs are made in blocks of 2^16; the ranks' shares differ by no more than one, and the first have it. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    static const uint64_t sums[] = {8, 8, 80, 8};
    const struct kernel *kernel = context;
    uint64_t blocks = kernel->pairs >> 16, ranks = trace_emit_ranks(emitter);
    uint64_t mine = blocks / ranks + (trace_emit_rank(emitter) < blocks % ranks);

    (void)number;
    trace_emit_collective(emitter, TRACE_BCAST, 0, 0, 4);
    trace_emit_collective(emitter, TRACE_BARRIER, 0, 0, 0);
    trace_emit_compute(emitter, (mine << 16) * TENTHS_OF_FLOPS_PER_PAIR / 10);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        trace_emit_collective(emitter, TRACE_ALLREDUCE, 0, 0, sums[i]);
}

/* Without communication there is nothing that a number of ranks could be wrong for. */
static bool any(uint32_t ranks, const void *context)
{
    (void)context;
    return ranks > 0;
}

/* There is one step: the work is a single gap between two calls. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_ep, options, error);
    struct trace_skeleton *skeleton;

    if (class < 0 || trace_generate_keys(&trace_generator_ep, options, "", error) != 0 ||
        trace_generate_ranks(&trace_generator_ep, options, any, NULL, "at least one", error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("ep", options, sizeof(struct kernel), error);
    if (skeleton == NULL)
        return NULL;
    *(struct kernel *)skeleton->kernel = (struct kernel){.pairs = UINT64_C(1) << log_pairs[class]};
    return trace_skeleton_finish(skeleton, step, 1, error);
}

const struct trace_generator trace_generator_ep = {
    "ep", "NPB EP, independent random numbers: any number of ranks", "SWABCDEF", generate, BASE_EXACT};
