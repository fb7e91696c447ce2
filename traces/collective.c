/* Registration, checks and the schedule of a call, whatever algorithm does it; and the split of recorded
 * totals.
 *
 * Algorithms trust their call: whatever a damaged or odd trace can put into one is refused here, with a
 * sentence, before any algorithm sees it. */
#include "traces/collective.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "traces/collective-steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collective-kinds.def"
#undef TRACE_ALGORITHM

#define TRACE_SELECTION(symbol) extern const struct trace_selection trace_selection_##symbol;
#include "traces/selections.def"
#undef TRACE_SELECTION

static const struct trace_algorithm *const algorithms[] = {
#define TRACE_ALGORITHM(symbol) &trace_algorithm_##symbol,
#include "traces/collective-kinds.def"
#undef TRACE_ALGORITHM
};

static const struct trace_selection *const selections[] = {
#define TRACE_SELECTION(symbol) &trace_selection_##symbol,
#include "traces/selections.def"
#undef TRACE_SELECTION
};

#define SELECTIONS (sizeof selections / sizeof *selections)

const struct trace_algorithm *const *trace_algorithms(size_t *count)
{
    *count = sizeof algorithms / sizeof *algorithms;
    return algorithms;
}

const struct trace_selection *const *trace_selections(size_t *count)
{
    *count = SELECTIONS;
    return selections;
}

/* The list of names is short enough to be in the message. */
const struct trace_selection *trace_selection_find(const char *name, struct base_error *error)
{
    const char *names[SELECTIONS], *nearest;

    for (size_t i = 0; i < SELECTIONS; i++) {
        if (strcmp(selections[i]->name, name) == 0)
            return selections[i];
        names[i] = selections[i]->name;
    }
    nearest = base_names_nearest(name, names, SELECTIONS);
    base_error_set(error, BASE_USAGE, "unknown collectives '%.80s'", name);
    if (nearest != NULL)
        base_error_append(error, "; did you mean '%s'?", nearest);
    base_error_append(error, "%s known: ", nearest != NULL ? "" : ";");
    for (size_t i = 0; i < SELECTIONS; i++)
        base_error_append(error, "%s%s", i > 0 ? ", " : "", names[i]);
    return NULL;
}

/* Operations in which one rank has a part of its own. */
static bool has_root(enum trace_collective collective)
{
    return collective == TRACE_BCAST || collective == TRACE_REDUCE || collective == TRACE_GATHER ||
           collective == TRACE_GATHERV || collective == TRACE_SCATTER || collective == TRACE_SCATTERV;
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

/* Calls come from recordings: whatever the algorithms rely on is checked here. */
static int check_call(const struct trace_collective_call *call, struct base_error *error)
{
    const char *name = trace_collective_name(call->collective);

    if ((unsigned)call->collective >= TRACE_COLLECTIVES)
        return base_error_set(error, BASE_INPUT, "there is no collective operation %u",
                              (unsigned)call->collective);
    if (call->rank >= call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: rank %u in a communicator of %u ranks", name,
                              call->rank, call->ranks);
    if (has_root(call->collective) && call->root >= call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: root %u in a communicator of %u ranks", name,
                              call->root, call->ranks);
    if (call->vector != NULL && call->vector->size != call->ranks)
        return base_error_set(error, BASE_INPUT, "%s: sizes of %u ranks in a communicator of %u", name,
                              call->vector->size, call->ranks);
    if (!is_addable(call))
        return base_error_set(error, BASE_INPUT, "%s: the sizes of its %u ranks add up to more than 64 bits",
                              name, call->ranks);
    return 0;
}

/* MPICH returns at once from a collective without data; a barrier is meant to have none. */
static bool has_messages(const struct trace_collective_call *call)
{
    return call->ranks > 1 && (call->collective == TRACE_BARRIER || trace_total_bytes(call) > 0);
}

/* The algorithm is named even when nothing is sent, for the reports. The array of steps is used again from
 * call to call. */
int trace_collective_schedule(const struct trace_selection *selection,
                              const struct trace_collective_call *call, struct trace_schedule *schedule,
                              struct base_error *error)
{
    const struct trace_algorithm *algorithm;

    schedule->count = 0;
    schedule->algorithm = NULL;
    if (check_call(call, error) != 0)
        return -1;
    algorithm = selection->choose(call);
    schedule->algorithm = algorithm->name;
    if (has_messages(call) && algorithm->schedule(call, schedule) != 0) {
        schedule->count = 0;
        return base_error_memory(error, "the steps of a collective");
    }
    return 0;
}

/* A schedule is a buffer: freeing leaves an empty one that can be filled again. */
void trace_schedule_free(struct trace_schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->steps);
    *schedule = (struct trace_schedule){0};
}

__extension__ typedef unsigned __int128 wide;

/* A weighted share and the remainder that decides who gets one more. */
struct portion {
    uint64_t whole, remainder;
};

/* `total` is not 0; amount times weight needs up to 128 bits. */
static struct portion portion_of(uint64_t amount, uint64_t weight, uint64_t total)
{
    /* Weights are at most the total, so this test spares nearly every call the division of 128 bits. */
    if (amount <= UINT64_MAX / total)
        return (struct portion){amount * weight / total, amount * weight % total};
    return (struct portion){(uint64_t)((wide)amount * weight / total),
                            (uint64_t)((wide)amount * weight % total)};
}

/* With weights 1, 2, 3, 4 of 10, an amount of 7 is split in 0.7, 1.4, 2.1 and 2.8. The whole parts 0, 1, 2, 2
 * leave 2, which go to the largest remainders .8 and .7: 1, 1, 2, 3. */
uint64_t trace_vector_share(const struct trace_vector *vector, uint32_t from, uint32_t to)
{
    uint64_t amount = vector->sent[from], total = 0;
    uint32_t before = 0; /* ranks whose remainder goes before that of `to` */
    wide remainders = 0;
    struct portion own;
    bool even;

    if (amount == 0)
        return 0;
    for (uint32_t i = 0; i < vector->size; i++)
        total += vector->received[i];
    even = total == 0;
    if (even)
        total = vector->size;
    own = portion_of(amount, even ? 1 : vector->received[to], total);
    for (uint32_t i = 0; i < vector->size; i++) {
        uint64_t remainder = portion_of(amount, even ? 1 : vector->received[i], total).remainder;
        remainders += remainder;
        before += remainder > own.remainder || (remainder == own.remainder && i < to);
    }
    /* The remainders add up to a multiple of the total: as many ranks get one more. */
    return own.whole + (before < remainders / total);
}
