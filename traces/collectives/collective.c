/* Registration, checks and the schedule of a call, whatever algorithm does it; and the split of recorded
 * totals.
 *
 * Algorithms trust their call: whatever a damaged or odd trace can put into one is refused here, with a
 * sentence, before any algorithm sees it.
 *
 *     call ─► check_call ─► choose: inter? rule of the user? table ─► algorithm ─► steps of this rank
 *     totals of a vector ─► trace_shares_init ─► who sends how much to whom, for algorithms that need pairs
 *
 * A schedule is of one rank: all ranks of an instance ask for their own and get steps that fit together,
 * since they are made from the same call. */
#include "traces/collectives/collective.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/wide.h"
#include "traces/collectives/steps.h"
#include "traces/collectives/tuning-rules.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

#define TRACE_TUNING(symbol) extern const struct trace_tuning trace_tuning_##symbol;
#include "traces/collectives/tunings.def"
#undef TRACE_TUNING

static const struct trace_algorithm *const algorithms[] = {
#define TRACE_ALGORITHM(symbol) &trace_algorithm_##symbol,
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM
};

static const struct trace_tuning *const tunings[] = {
#define TRACE_TUNING(symbol) &trace_tuning_##symbol,
#include "traces/collectives/tunings.def"
#undef TRACE_TUNING
};

#define SELECTIONS (sizeof tunings / sizeof *tunings)

/* In the order of kinds.def; for lists and for the tests that run every one. */
const struct trace_algorithm *const *trace_algorithms(size_t *count)
{
    *count = sizeof algorithms / sizeof *algorithms;
    return algorithms;
}

/* In the order of tunings.def, that of the help. */
const struct trace_tuning *const *trace_tunings(size_t *count)
{
    *count = SELECTIONS;
    return tunings;
}

/* The newest of a library comes before the table that it is. */
const struct trace_tuning *trace_tuning_named(size_t index, const char **name)
{
    for (size_t i = 0; i < SELECTIONS; i++) {
        size_t names = tunings[i]->newest != NULL ? 2 : 1;
        if (index < names) {
            *name = index + 1 < names ? tunings[i]->newest : tunings[i]->name;
            return tunings[i];
        }
        index -= names;
    }
    return NULL;
}

/* By the library's name its newest table, by the table's own name that one; an unknown name is told with the
 * nearest. */
const struct trace_tuning *trace_tuning_find(const char *name, struct base_error *error)
{
    const char *names[2 * SELECTIONS + 1];
    size_t count = 0;
    size_t place;

    while (trace_tuning_named(count, &names[count]) != NULL)
        count++;
    place = base_names_find(&(struct base_names)BASE_NAMES_OF_TEXTS("collectives", names, count), name,
                            SIZE_MAX, error);
    return place == count ? NULL : trace_tuning_named(place, &name);
}

/* Totals that do not fit 64 bits could not be added up by the algorithms. */
static bool is_addable(const struct trace_collective_call *call)
{
    const struct trace_vector *vector = call->vector;
    uint64_t sent = 0, received = 0;

    if (vector == NULL)
        return call->bytes < UINT64_MAX / call->ranks;
    for (uint32_t i = 0; i < vector->size; i++)
        if (__builtin_add_overflow(sent, vector->sent[i], &sent) ||
            __builtin_add_overflow(received, vector->received[i], &received))
            return false;
    return true;
}

/* Calls come from recordings: whatever the algorithms rely on is checked here. A scan has no meaning
 * between two groups in MPI, and no algorithm here. */
static int check_call(const struct trace_collective_call *call, struct base_error *error)
{
    const char *name = trace_collective_name(call->collective);

    if ((unsigned)call->collective >= TRACE_COLLECTIVES)
        return base_error_set(error, BASE_INPUT, "there is no collective operation %u",
                              (unsigned)call->collective);
    if (call->rank >= call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: rank %u in a communicator of %u ranks", name,
                              call->rank, call->ranks);
    if (trace_collective_has_root(call->collective) && call->root >= call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: root %u in a communicator of %u ranks", name,
                              call->root, call->ranks);
    if (call->first_group >= call->ranks && call->first_group != 0)
        return base_error_set(error, BASE_INPUT, "%s: a group of %u ranks in an inter-communicator of %u",
                              name, call->first_group, call->ranks);
    if (call->first_group != 0 && (call->collective == TRACE_SCAN || call->collective == TRACE_EXSCAN))
        return base_error_set(error, BASE_INPUT, "%s: not defined on an inter-communicator", name);
    if (call->vector != NULL && call->vector->size != call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: sizes of %u ranks in a communicator of %u", name,
                              call->vector->size, call->ranks);
    if (!is_addable(call))
        return base_error_set(error, BASE_INPUT, "%s: the sizes of its %u ranks add up to more than 64 bits",
                              name, call->ranks);
    return 0;
}

/* MPICH returns at once from a collective without data; a barrier is meant to have none. Of an alltoallv a
 * member may know only its own rows. */
bool trace_has_messages(const struct trace_collective_call *call)
{
    if (call->ranks <= 1)
        return false;
    if (call->collective == TRACE_BARRIER || trace_total_bytes(call) > 0)
        return true;
    for (uint32_t i = 0; call->vector != NULL && i < call->ranks; i++)
        if (call->vector->received[i] > 0)
            return true;
    return false;
}

/* MPIR_CVAR_GATHER_INTER_SHORT_MSG_SIZE and MPIR_CVAR_SCATTER_INTER_SHORT_MSG_SIZE: all blocks together. */
#define INTER_SHORT UINT64_C(2048)

/* Between two groups there is one way to do each collective whatever the table, but for long blocks. */
static const struct trace_algorithm *choose_inter(const struct trace_collective_call *call)
{
    bool root_in_first = call->root < call->first_group;
    uint32_t first = root_in_first ? call->first_group : 0;
    uint32_t end = root_in_first ? call->ranks : call->first_group;

    switch (call->collective) {
    case TRACE_GATHERV:
    case TRACE_SCATTERV:
        return &trace_algorithm_inter_linear;
    case TRACE_GATHER:
    case TRACE_SCATTER:
        return trace_blocks_bytes(call, first, end - first) < INTER_SHORT ? &trace_algorithm_inter_leaders
                                                                          : &trace_algorithm_inter_linear;
    case TRACE_ALLTOALL:
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
        return &trace_algorithm_inter_pairwise;
    default:
        return &trace_algorithm_inter_leaders;
    }
}

/* A user's rule, else the table; also how long segments are. Between groups rules do not apply: they are
 * written for one communicator. */
static const struct trace_algorithm *choose(const struct trace_tuning *tuning,
                                            struct trace_collective_call *call)
{
    const struct trace_rule *rule;

    call->segment_bytes = 0;
    if (call->first_group != 0)
        return choose_inter(call);
    rule = trace_tuning_rule(tuning, call);
    if (rule != NULL) {
        call->segment_bytes = rule->segment_bytes;
        return rule->algorithm;
    }
    if (call->nonblocking && tuning->nonblocking != NULL)
        tuning = tuning->nonblocking;
    if (tuning->segment_bytes != NULL)
        call->segment_bytes = tuning->segment_bytes(call);
    return tuning->choose(call);
}

/* The algorithm is named even when nothing is sent, for the reports. The array of steps is used again from
 * call to call. */
int trace_collective_schedule(const struct trace_tuning *tuning, const struct trace_collective_call *call,
                              struct trace_schedule *schedule, struct base_error *error)
{
    struct trace_collective_call chosen = *call;
    const struct trace_algorithm *algorithm;

    schedule->count = schedule->multicast_count = 0;
    schedule->algorithm = NULL;
    if (check_call(call, error) != 0)
        return -1;
    algorithm = choose(tuning, &chosen);
    schedule->algorithm = algorithm->name;
    schedule->segment_bytes = chosen.segment_bytes;
    if (trace_has_messages(call) && algorithm->schedule(&chosen, schedule) != 0) {
        schedule->count = schedule->multicast_count = 0;
        return base_error_memory(error, "the steps of a collective");
    }
    return 0;
}

size_t trace_schedule_part(size_t count)
{
    const size_t least = 1024;

    return count <= least ? count : count / 8 < least ? least : count / 8 + 1;
}

/* A schedule is a buffer: freeing leaves an empty one that can be filled again. */
void trace_schedule_free(struct trace_schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->steps);
    *schedule = (struct trace_schedule){0};
}

/* Totals of a vector as weights: the receivers of a rank are the ranks first .. end - 1, and what it sends is
 * laid out over them. All of them alike when nobody is said to receive anything. */
struct weights {
    const uint64_t *received; /* [rank]: the vector's */
    uint32_t first, end;      /* receivers, end excluded */
    uint64_t total;           /* of their weights */
    bool even;                /* the total is 0: every receiver weighs the same */
};

/* Weights are summed once for all shares. An empty range never comes: both groups of an inter-communicator
 * have members. */
static struct weights weights_of(const uint64_t *received, uint32_t first, uint32_t end)
{
    struct weights weights = {.received = received, .first = first, .end = end};

    for (uint32_t i = first; i < end; i++)
        weights.total += received[i];
    weights.even = weights.total == 0;
    if (weights.even)
        weights.total = end - first;
    return weights;
}

/* Of one rank. */
static uint64_t weight(const struct weights *weights, uint32_t rank)
{
    return weights->even ? 1 : weights->received[rank];
}

/* Where the part begins that is left of all weights from `before` on; a product needs up to 128 bits. */
static uint64_t border(const struct weights *weights, uint64_t amount, uint64_t before)
{
    return base_wide_low(base_wide_scaled(amount, before, weights->total));
}

/* With weights 1, 2, 3, 4 of 10, an amount of 7 has its borders at 0.7, 2.1, 4.2 and 7: 0, 2, 2, 3. All
 * shares of an amount add up to it exactly, since each begins where the one before ends. */
static uint64_t share(const struct weights *weights, uint64_t amount, uint64_t before, uint32_t to)
{
    return border(weights, amount, before + weight(weights, to)) - border(weights, amount, before);
}

/* Where a rank's range begins. */
static uint64_t weights_before(const struct weights *weights, uint32_t rank)
{
    uint64_t before = 0;
    for (uint32_t i = weights->first; i < rank; i++)
        before += weight(weights, i);
    return before;
}

/* One share alone takes a pass over the vector; for all of a rank trace_shares_init is the way. */
uint64_t trace_vector_share(const struct trace_vector *vector, uint32_t from, uint32_t to)
{
    struct weights weights = weights_of(vector->received, 0, vector->size);
    return share(&weights, vector->sent[from], weights_before(&weights, to), to);
}

/* Who is on the other side of a rank: everybody, or the other group. */
static void others(const struct trace_collective_call *call, uint32_t *first, uint32_t *end)
{
    bool in_first = call->rank < call->first_group;
    *first = call->first_group != 0 && in_first ? call->first_group : 0;
    *end = call->first_group != 0 && !in_first ? call->first_group : call->ranks;
}

/* Only the totals are known. Every sender of the other side lays its amount out over this rank's side, so the
 * borders of this rank are the same for all: one pass for the row, one for the column. */
static void split_totals(const struct trace_shares *shares, const struct trace_collective_call *call)
{
    uint32_t first, end;
    uint32_t own_first = 0, own_end = call->ranks;
    uint64_t before = 0;

    others(call, &first, &end);
    if (call->first_group != 0) {
        own_first = first == 0 ? end : 0;
        own_end = first == 0 ? call->ranks : first;
    }
    struct weights targets = weights_of(call->vector->received, first, end);
    struct weights own = weights_of(call->vector->received, own_first, own_end);
    uint64_t own_before = weights_before(&own, call->rank);
    for (uint32_t i = first; i < end; i++) {
        shares->sent[i] = share(&targets, call->vector->sent[call->rank], before, i);
        before += weight(&targets, i);
        shares->received[i] = share(&own, call->vector->sent[i], own_before, call->rank);
    }
}

/* Pairwise rows are copied, so that callers need not ask which kind they have. */
int trace_shares_init(struct trace_shares *shares, const struct trace_collective_call *call)
{
    const struct trace_vector *vector = call->vector;
    uint32_t first, end;

    shares->sent = calloc(2 * (size_t)call->ranks, sizeof *shares->sent);
    if (shares->sent == NULL)
        return -1;
    shares->received = shares->sent + call->ranks;
    if (vector != NULL && !vector->pairwise) {
        split_totals(shares, call);
        return 0;
    }
    others(call, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        shares->sent[i] = vector != NULL ? vector->sent[i] : call->bytes;
        shares->received[i] = vector != NULL ? vector->received[i] : call->bytes;
    }
    return 0;
}

/* The two arrays are one block. Legal for shares that are all zero. */
void trace_shares_free(struct trace_shares *shares)
{
    free(shares->sent);
}
