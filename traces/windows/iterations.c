/* Iterations of all ranks from the periods of each. In a period a rank sends so many messages to another, which
 * receives so many from it in a period of its own. Who is left out as often as the other on both sides stays in step:
 *
 *      rank 0    period of 10 calls, 2 sends to 1          3 of its periods are an iteration: 6 sends
 *      rank 1    period of 21 calls, 3 receives from 0     2 of its periods are one: 6 receives
 *
 * Ratios are followed from rank to rank; where two ways to a rank disagree there are no common iterations. */
#include "traces/windows/iterations.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "traces/windows/groups.h"
#include "traces/windows/internal.h"
#include "traces/windows/repeats.h"

/* What two ranks do together in a period of each: messages, or collectives of a communicator. */
struct link {
    uint32_t rank[2];
    uint64_t count[2]; /* in a period of the rank */
};

/* Periods of a rank in an iteration, as a fraction of those of the rank that began; per 0: not known. */
struct pace {
    uint64_t periods, per;
    uint32_t group; /* ranks that are in step with each other: the first of them */
    uint64_t found; /* of a group, by its first rank: iterations */
};

struct agreement {
    struct trace_view *view;
    struct trace_repeat *repeats; /* [rank] */
    struct pace *paces;           /* [rank] */
    struct link *links;
    uint32_t link_count, link_capacity;
    struct base_table link_of; /* (source, target) -> link */
    struct base_table meets;   /* (communicator, rank) -> collectives in a period of the rank, from 1 */
    uint64_t played;
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- what ranks do in a period ---- */

/* -1: memory. */
static int count_message(struct agreement *agreement, uint32_t source, uint32_t target, bool is_received)
{
    uint32_t index = base_table_get(&agreement->link_of, source, target);

    if (index == BASE_TABLE_NONE) {
        index = agreement->link_count;
        if (base_grow_32(&agreement->links, &agreement->link_capacity, (size_t)index + 1,
                         sizeof *agreement->links) != 0 ||
            base_table_put(&agreement->link_of, source, target, index) != 0)
            return -1;
        agreement->links[index] = (struct link){.rank = {source, target}};
        agreement->link_count++;
    }
    agreement->links[index].count[is_received]++;
    return 0;
}

/* What a rank has in common with others: messages by pair and direction, collectives by communicator. Both ends must
 * repeat them alike. */
static int count_call(struct agreement *agreement, uint32_t rank, const struct trace_op *op)
{
    if (op->kind == TRACE_SEND && op->peer < agreement->view->base.ranks)
        return count_message(agreement, rank, op->peer, false);
    if (op->kind == TRACE_RECEIVE && op->peer < agreement->view->base.ranks)
        return count_message(agreement, op->peer, rank, true);
    if (op->kind == TRACE_COLLECTIVE_CALL) {
        uint32_t count = base_table_get(&agreement->meets, op->communicator, rank);
        return base_table_put(&agreement->meets, op->communicator, rank,
                              count == BASE_TABLE_NONE ? 1 : count + 1);
    }
    return 0;
}

/* Reads the rank up to the end of its first period. */
static int count_period(struct agreement *agreement, uint32_t rank, struct base_error *error)
{
    const struct trace_repeat *repeat = &agreement->repeats[rank];
    struct trace_cursor *cursor = trace_cursor_new(agreement->view->inner, rank, error);
    struct trace_groups groups = {0};
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    while (more > 0) {
        more = trace_cursor_next(cursor, &op, error);
        if (more > 0)
            trace_groups_take(&groups, &op);
        if (more <= 0 || groups.next >= repeat->first + repeat->period)
            break;
        if (groups.next >= repeat->first && count_call(agreement, rank, &op) != 0)
            more = base_error_memory(error, "the messages of an iteration");
    }
    trace_cursor_free(cursor);
    return more < 0 ? -1 : 0;
}

/* The members of a communicator are linked in a chain: each makes as many calls in an iteration as the next. -1:
 * memory. */
static int link_members(struct agreement *agreement, uint32_t communicator)
{
    const struct trace_communicator *members =
        trace_program_communicator(&agreement->view->base, communicator);
    uint32_t before = UINT32_MAX;

    for (uint64_t i = 0; i < (uint64_t)members->size + members->remote_size; i++) {
        uint32_t rank = i < members->size ? members->members[i] : members->remote_members[i - members->size];
        if (before != UINT32_MAX) {
            uint32_t one = base_table_get(&agreement->meets, communicator, before);
            uint32_t other = base_table_get(&agreement->meets, communicator, rank);
            if (one == BASE_TABLE_NONE && other == BASE_TABLE_NONE)
                continue;
            if (base_grow_32(&agreement->links, &agreement->link_capacity, (size_t)agreement->link_count + 1,
                             sizeof *agreement->links) != 0)
                return -1;
            agreement->links[agreement->link_count++] = (struct link){
                .rank = {before, rank},
                .count = {one == BASE_TABLE_NONE ? 0 : one, other == BASE_TABLE_NONE ? 0 : other}};
        }
        before = rank;
    }
    return 0;
}

/* ---- how fast each rank goes ---- */

/* One side's pace from the other's. */
static struct pace pace_of(const struct pace *known, uint64_t count, uint64_t own_count)
{
    uint64_t periods = known->periods * count, per = known->per * own_count;
    uint64_t divisor = common_divisor(periods, per);

    return (struct pace){periods / divisor, per / divisor, known->group, 0};
}

static int refuse_link(const struct agreement *agreement, const struct link *link, struct base_error *error)
{
    return base_error_set(
        error, BASE_USAGE,
        "--iterations %" PRIu64 ": what ranks %" PRIu32 " and %" PRIu32
        " repeat does not fit together: not every message or collective between them is repeated as "
        "often on both sides; --from and --to name a part by hand",
        agreement->played, link->rank[0], link->rank[1]);
}

/* Follows a link, if one side is known. 1: the other is known now; 0: nothing new; -1: they contradict each other. */
static int follow(struct agreement *agreement, const struct link *link, struct base_error *error)
{
    struct pace *one = &agreement->paces[link->rank[0]], *other = &agreement->paces[link->rank[1]];

    if (link->count[0] == 0 || link->count[1] == 0)
        return refuse_link(agreement, link, error);
    if (one->per == 0 && other->per == 0)
        return 0;
    if (other->per == 0) {
        *other = pace_of(one, link->count[0], link->count[1]);
        return 1;
    }
    struct pace expected = pace_of(other, link->count[1], link->count[0]);
    if (one->per == 0) {
        *one = expected;
        return 1;
    }
    return expected.periods == one->periods && expected.per == one->per ? 0
                                                                        : refuse_link(agreement, link, error);
}

/* Ranks that nothing links to those before begin a group of their own, at one period. */
static int find_paces(struct agreement *agreement, struct base_error *error)
{
    for (uint32_t rank = 0; rank < agreement->view->base.ranks; rank++) {
        int news = 1;
        if (agreement->paces[rank].per != 0)
            continue;
        agreement->paces[rank] = (struct pace){1, 1, rank, 0};
        while (news > 0) {
            news = 0;
            for (uint32_t i = 0; i < agreement->link_count; i++) {
                int found = follow(agreement, &agreement->links[i], error);
                if (found < 0)
                    return -1;
                news |= found;
            }
        }
    }
    return 0;
}

/* The fractions of a group become its least whole numbers. Returns how many iterations of the group all its ranks make;
 * UINT64_MAX: its ranks make no calls. */
static uint64_t scale_group(struct agreement *agreement, uint32_t group)
{
    uint32_t ranks = agreement->view->base.ranks;
    uint64_t multiple = 1, divisor = 0, least = UINT64_MAX;

    for (uint32_t rank = group; rank < ranks; rank++)
        if (agreement->paces[rank].group == group) {
            const struct pace *pace = &agreement->paces[rank];
            multiple *= pace->per / common_divisor(multiple, pace->per);
        }
    for (uint32_t rank = group; rank < ranks; rank++)
        if (agreement->paces[rank].group == group)
            divisor = common_divisor(divisor, agreement->paces[rank].periods *
                                                  (multiple / agreement->paces[rank].per));
    for (uint32_t rank = group; rank < ranks; rank++) {
        struct pace *pace = &agreement->paces[rank];
        const struct trace_repeat *repeat = &agreement->repeats[rank];
        if (pace->group != group)
            continue;
        pace->periods = pace->periods * (multiple / pace->per) / divisor;
        uint64_t found = repeat->period == 0 ? 0 : repeat->covered / repeat->period / pace->periods;
        if (repeat->calls > 0 && found < least)
            least = found;
    }
    return least;
}

/* Ranks of several groups have nothing to do with each other: a group of twice as many iterations does two where the
 * others do one. */
static uint64_t find_count(struct agreement *agreement)
{
    uint32_t ranks = agreement->view->base.ranks;
    uint64_t least = UINT64_MAX;

    for (uint32_t group = 0; group < ranks; group++) {
        uint64_t found = UINT64_MAX;
        if (agreement->paces[group].group == group)
            agreement->paces[group].found = found = scale_group(agreement, group);
        least = found < least ? found : least;
    }
    for (uint32_t rank = 0; rank < ranks && least > 0 && least < UINT64_MAX; rank++) {
        uint64_t found = agreement->paces[agreement->paces[rank].group].found;
        agreement->paces[rank].periods *= found == UINT64_MAX ? 1 : found / least;
    }
    return least;
}

/* ---- the program ---- */

/* Numbers of calls: where the iterations of a rank begin, and what is left out of them. */
static void set_part(struct agreement *agreement, uint32_t rank, uint64_t found)
{
    const struct trace_repeat *repeat = &agreement->repeats[rank];
    struct trace_part *part = &agreement->view->parts[rank];
    uint64_t length = repeat->period * agreement->paces[rank].periods;

    part->first = repeat->first;
    part->length = length;
    part->border[TRACE_FRONT] = repeat->first + agreement->played * length;
    part->border[TRACE_BACK] = repeat->first + found * length;
    part->border[TRACE_LAST] = UINT64_MAX;
    part->is_open = true;
    agreement->view->iterations.calls += length;
    agreement->view->iterations.all_calls += repeat->calls;
}

/* What is found must be most of the program: two equal sends are no iterations. */
static int check_found(const struct agreement *agreement, uint64_t found, struct base_error *error)
{
    const struct trace_iterations *iterations = &agreement->view->iterations;

    if (found < 2 || found == UINT64_MAX || found * iterations->calls < iterations->all_calls / 2)
        return base_error_set(error, BASE_USAGE,
                              "--iterations %" PRIu64
                              ": the trace has no iterations: no sequence of calls that all ranks "
                              "repeat makes up half of their calls; --from and --to name a part by hand",
                              agreement->played);
    if (agreement->played <= found)
        return 0;
    return base_error_set(error, BASE_USAGE, "--iterations %" PRIu64 ": the trace has %" PRIu64 " iterations",
                          agreement->played, found);
}

/* From what each rank repeats to one number of iterations for all: periods of ranks that meet are multiples of common
 * paces, and the ranks together repeat as often as all of these allow. */
static int agree(struct agreement *agreement, struct base_error *error)
{
    uint32_t ranks = agreement->view->base.ranks;
    uint64_t found;

    for (uint32_t rank = 0; rank < ranks; rank++)
        if (trace_repeat_find(agreement->view->inner, rank, &agreement->repeats[rank], error) != 0 ||
            (agreement->repeats[rank].period > 0 && count_period(agreement, rank, error) != 0))
            return -1;
    for (uint32_t c = 0; c < agreement->view->base.communicator_count; c++)
        if (link_members(agreement, c) != 0)
            return base_error_memory(error, "the collectives of an iteration");
    if (find_paces(agreement, error) != 0)
        return -1;
    found = find_count(agreement);
    for (uint32_t rank = 0; rank < ranks; rank++)
        set_part(agreement, rank, found == UINT64_MAX ? 0 : found);
    agreement->view->iterations.found = found;
    agreement->view->iterations.played = agreement->played;
    return check_found(agreement, found, error);
}

/* Whatever is found is in the view. */
static int find_iterations(struct trace_view *view, uint64_t played, struct base_error *error)
{
    struct agreement agreement = {.view = view, .played = played};
    int status = -1;

    agreement.repeats = calloc((size_t)view->base.ranks + 1, sizeof *agreement.repeats);
    agreement.paces = calloc((size_t)view->base.ranks + 1, sizeof *agreement.paces);
    if (agreement.repeats == NULL || agreement.paces == NULL)
        base_error_memory(error, "the iterations of a trace");
    else
        status = agree(&agreement, error);
    free(agreement.repeats);
    free(agreement.paces);
    free(agreement.links);
    base_table_free(&agreement.link_of);
    base_table_free(&agreement.meets);
    return status;
}

/* Counts of what the cut leaves open are those of a window, and stand beside the iterations for answers. */
struct trace_program *trace_iterations_new(struct trace_program *program, uint64_t played,
                                           struct base_error *error)
{
    struct trace_view *view = trace_view_new(program, error);

    if (view == NULL)
        return NULL;
    if (find_iterations(view, played, error) == 0 && trace_crossings_find(view, error) == 0) {
        view->iterations.sends = view->window.sends;
        view->iterations.receives = view->window.receives;
        view->iterations.probes = view->window.probes;
        view->iterations.collective_calls = view->window.collective_calls;
        return &view->base;
    }
    trace_close(&view->base);
    return NULL;
}
