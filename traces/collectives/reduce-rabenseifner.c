/* Rabenseifner's reduction of long vectors: recursive halving leaves each of 2^k ranks one reduced piece, and
 * a binomial tree collects the pieces at the root, in the reverse order of the halving. R. Rabenseifner,
 * "Optimization of collective reduction operations", ICCS 2004. */
#include "traces/collectives/steps.h"

/* The even ranks of folded pairs remain, so that root 0 does. A root that sits out takes the place of number
 * 0 for the collection, and number 0 hands it its piece and leaves. */
struct collection {
    struct trace_halves halves; /* of the ranks that remain */
    uint32_t root;              /* number of the root, or of the one whose place it takes */
    bool root_sat_out;
};

/* The rank behind a number of the collection. */
static uint32_t member(const struct collection *collection, const struct trace_collective_call *call,
                       uint32_t number)
{
    if (number == 0 && collection->root_sat_out)
        return call->root;
    return trace_fold_member(&collection->halves.fold, number);
}

/* Partners as in the halving, last round first: of two halves the one without the root sends all it has and
 * is done. */
static void collect(struct trace_steps *steps, const struct trace_collective_call *call,
                    const struct collection *collection, uint32_t number)
{
    const struct trace_halves *halves = &collection->halves;
    uint32_t phase = halves->rounds + 2;

    for (uint32_t round = halves->rounds; round-- > 0; phase++) {
        uint32_t partner = number ^ UINT32_C(1) << round;
        if (partner >> round == collection->root >> round) {
            trace_steps_send(steps, member(collection, call, partner), phase,
                             trace_halves_bytes(halves, number, round + 1));
            return;
        }
        trace_steps_receive(steps, member(collection, call, partner), phase,
                            trace_halves_bytes(halves, partner, round + 1));
    }
}

/* Phase 0 folds, then come the rounds of halving, one phase for the change of places, and the rounds of
 * collecting. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, true);
    struct collection collection = {.halves = trace_halves_of(&fold, call->bytes)};
    uint32_t number = fold.rank;
    uint32_t phase = collection.halves.rounds + 1;
    uint64_t piece = trace_halves_bytes(&collection.halves, 0, collection.halves.rounds);

    collection.root_sat_out = call->root < 2 * fold.excess && call->root % 2 != 0;
    if (!collection.root_sat_out)
        collection.root = call->root < 2 * fold.excess ? call->root / 2 : call->root - fold.excess;
    trace_steps_fold(&steps, call, &fold, call->bytes, 0);
    if (number != UINT32_MAX)
        trace_steps_halve(&steps, &collection.halves);
    if (collection.root_sat_out && call->rank == call->root) {
        trace_steps_receive(&steps, 0, phase, piece);
        number = 0;
    } else if (collection.root_sat_out && number == 0) {
        trace_steps_send(&steps, call->root, phase, piece);
        number = UINT32_MAX;
    }
    if (number != UINT32_MAX)
        collect(&steps, call, &collection, number);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_rabenseifner = {
    .name = "reduce-rabenseifner",
    .summary = "reduce-scatter by recursive halving, then a binomial gather (Rabenseifner 2004)",
    .collectives = TRACE_BIT(REDUCE),
    .schedule = schedule_steps,
};
