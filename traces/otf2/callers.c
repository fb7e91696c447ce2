/* Decoders only count the regions that are no MPI calls, since nobody wants their names but a report of what went
 * wrong. For that the events are read once more, up to those that are asked for, with the regions on a stack:
 *
 *     enter solve    enter setup    ...    leave setup    enter exchange    enter MPI_Recv    recv
 *     solve          solve setup           solve          solve exchange    ...               asked for: exchange
 *
 * EZTrace leaves regions crosswise: the last that has the name is taken off, wherever it is. */
#include "traces/otf2/callers.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define BATCH_EVENTS 256

/* What is asked for, to be sorted: the caller's array keeps its order. */
struct question {
    uint32_t rank;       /* of the world */
    uint64_t event;      /* number of the record: who has called it? */
    const char **answer; /* in the caller's array */
};

/* The questions about one rank, in the order of their events. */
struct questions {
    const struct question *all; /* sorted by event */
    size_t count, next;         /* next: the first that has no answer yet */
};

struct stack {
    uint32_t *regions; /* identifiers, outermost first */
    size_t depth, capacity;
};

/* By rank, then by event: for qsort. */
static int compare(const void *left, const void *right)
{
    const struct question *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}

/* NULL outside of all regions, and in one without a name. */
static const char *innermost(const struct trace_otf2_definitions *definitions, const struct stack *stack)
{
    uint32_t index = stack->depth == 0
                         ? BASE_TABLE_NONE
                         : base_table_get(&definitions->region_ids, stack->regions[stack->depth - 1], 1);

    return index == BASE_TABLE_NONE ? NULL : definitions->user_regions[index];
}

/* A region that is not on the stack was entered before recording began, or twice left: nothing happens. */
static void take_off(struct stack *stack, uint32_t region)
{
    size_t at = stack->depth;

    while (at > 0 && stack->regions[at - 1] != region)
        at--;
    if (at == 0)
        return;
    memmove(&stack->regions[at - 1], &stack->regions[at], (stack->depth - at) * sizeof *stack->regions);
    stack->depth--;
}

/* Answers what is asked about records up to this one, before the record changes the stack. -1: memory. Events are
 * numbered as operations name them (trace_op.event). */
static int take(const struct trace_otf2_definitions *definitions, const struct trace_otf2_event *event,
                struct stack *stack, struct questions *questions)
{
    while (questions->next < questions->count && questions->all[questions->next].event <= event->position)
        *questions->all[questions->next++].answer = innermost(definitions, stack);
    if ((event->kind != TRACE_OTF2_ENTER && event->kind != TRACE_OTF2_LEAVE) ||
        trace_otf2_region(definitions, event->peer) != TRACE_OTF2_USER_REGION)
        return 0;
    if (event->kind == TRACE_OTF2_LEAVE) {
        take_off(stack, event->peer);
        return 0;
    }
    if (base_grow(&stack->regions, &stack->capacity, stack->depth + 1, sizeof *stack->regions) != 0)
        return -1;
    stack->regions[stack->depth++] = event->peer;
    return 0;
}

/* Reads a rank as far as there are questions. Where it cannot be read further, they stay without an answer: that is
 * told elsewhere. -1: memory. */
static int read_rank(struct trace_otf2_archive *archive, const struct trace_otf2_definitions *definitions,
                     struct questions *questions)
{
    struct trace_otf2_event events[BATCH_EVENTS];
    struct trace_otf2_batch batch = {.events = events, .capacity = BATCH_EVENTS};
    struct base_error problem = {0};
    struct stack stack = {0};
    uint64_t location = definitions->locations[questions->all[0].rank].id, records = 1, at = 0;
    int result = 0;

    for (; result == 0 && records > 0 && questions->next < questions->count; at += records) {
        if (trace_otf2_archive_read(archive, location, at, &batch, &records, &problem) != 0) {
            result = problem.status == BASE_SYSTEM ? -1 : 0;
            break;
        }
        for (size_t i = 0; i < batch.count && result == 0; i++)
            result = take(definitions, &events[i], &stack, questions);
    }
    free(stack.regions);
    return result;
}

/* Sorted by rank and event, so that each rank's events are read once, and no further than the last that is asked
 * for. */
int trace_otf2_find_callers(struct trace_otf2_archive *archive,
                            const struct trace_otf2_definitions *definitions, struct trace_caller *callers,
                            size_t count, struct base_error *error)
{
    struct question *sorted = malloc((count + 1) * sizeof *sorted);
    size_t asked = 0;
    int result = 0;

    if (sorted == NULL)
        return base_error_memory(error, "the regions of a program");
    for (size_t i = 0; i < count; i++)
        if (callers[i].rank < definitions->ranks && callers[i].event > 0)
            sorted[asked++] = (struct question){callers[i].rank, callers[i].event, &callers[i].region};
    if (asked > 1)
        qsort(sorted, asked, sizeof *sorted, compare);
    for (size_t first = 0, end; first < asked && result == 0; first = end) {
        struct questions questions = {.all = &sorted[first]};
        for (end = first + 1; end < asked && sorted[end].rank == sorted[first].rank;)
            end++;
        questions.count = end - first;
        result = read_rank(archive, definitions, &questions);
    }
    free(sorted);
    return result == 0 ? 0 : base_error_memory(error, "the regions of a program");
}

/* ---- entries ---- */

/* Counts an entry for those that ask about its region, by name: recorders may define a region more than once. Returns
 * how many have been found by it. */
static size_t count_entry(const struct trace_otf2_definitions *definitions,
                          const struct trace_otf2_event *event, struct trace_entry *entries, size_t count)
{
    uint32_t index = base_table_get(&definitions->region_ids, event->peer, 1);
    const char *name = index == BASE_TABLE_NONE ? NULL : definitions->user_regions[index];
    size_t found = 0;

    for (size_t i = 0; name != NULL && i < count; i++)
        if (strcmp(definitions->user_regions[entries[i].region], name) == 0 &&
            ++entries[i].entries == entries[i].number) {
            entries[i].event = event->position;
            found++;
        }
    return found;
}

int trace_otf2_find_entries(struct trace_otf2_archive *archive,
                            const struct trace_otf2_definitions *definitions, uint32_t rank,
                            struct trace_entry *entries, size_t count, struct base_error *error)
{
    struct trace_otf2_event events[BATCH_EVENTS];
    struct trace_otf2_batch batch = {.events = events, .capacity = BATCH_EVENTS};
    struct base_error problem = {0};
    uint64_t location = definitions->locations[rank].id, records = 1, at = 0;
    size_t found = 0;

    for (; records > 0 && found < count; at += records) {
        if (trace_otf2_archive_read(archive, location, at, &batch, &records, &problem) != 0)
            return problem.status == BASE_SYSTEM ? base_error_memory(error, "the regions of a program") : 0;
        for (size_t i = 0; i < batch.count; i++)
            if (events[i].kind == TRACE_OTF2_ENTER &&
                trace_otf2_region(definitions, events[i].peer) == TRACE_OTF2_USER_REGION)
                found += count_entry(definitions, &events[i], entries, count);
    }
    return 0;
}
