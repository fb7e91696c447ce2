/* Why a replay cannot go on. A blocked rank waits for all of its awaited requests, and each of these waits
 * for the request's peer to start the other side: a graph of ranks. Following any edge from a blocked rank
 * ends in a cycle, which is the deadlock, or in a rank that has ended without doing its part, which is the
 * root cause. */
#include <inttypes.h>
#include <stdlib.h>

#include "replay/engine-internal.h"

#define LISTED_RANKS 12
#define LISTED_REQUESTS 12
#define LISTED_CYCLE 24

/* ---- lists of requests */

/* A request with what it is sorted by, since the comparison of qsort has no context. */
struct keyed {
    uint64_t order;
    uint32_t rank, request;
};

/* An order that the table of queues does not have: reports list by rank and time of start. */
static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The three sorts of requests that are listed: what a rank is blocked on, what never met its other side, and
 * what of the latter nobody is blocked on. */
static bool is_awaited(const struct replay_request *request)
{
    return request->kind != REPLAY_FREE && request->awaited;
}

/* A send or receive that has met no other side. */
static bool is_unmatched(const struct replay_request *request)
{
    return request->kind != REPLAY_FREE && request->mate == REPLAY_NONE;
}

/* The same, with no rank waiting for it: it would be lost without a word. */
static bool is_unawaited(const struct replay_request *request)
{
    return is_unmatched(request) && !request->awaited;
}

/* All requests of a sort, by rank and then in the order they were started. -1: no memory. */
static int list_requests(const struct replay_engine *engine, bool (*wanted)(const struct replay_request *),
                         struct keyed **list, size_t *count)
{
    *count = 0;
    *list = malloc(engine->request_count * sizeof **list + 1);
    if (*list == NULL)
        return -1;
    for (uint32_t i = 0; i < engine->request_count; i++) {
        const struct replay_request *request = &engine->requests[i];
        if (wanted(request))
            (*list)[(*count)++] = (struct keyed){request->order, request->rank, i};
    }
    qsort(*list, *count, sizeof **list, compare_keyed);
    return 0;
}

static const char *communicator_name(const struct replay_engine *engine, uint32_t communicator)
{
    return trace_program_communicator(engine->program, communicator)->name;
}

/* "MPI_Isend (event 7): 4096 bytes to rank 3, tag 5, on MPI_COMM_WORLD" */
static void append_request(const struct replay_engine *engine, const struct replay_request *request,
                           struct base_error *error)
{
    const char *way = request->kind == REPLAY_SEND ? "to" : "from";
    base_error_append(error,
                      "%s (event %" PRIu64 "): ", trace_program_region_name(engine->program, request->region),
                      request->event);
    if (request->instance == REPLAY_NONE)
        base_error_append(error, "%" PRIu64 " bytes %s rank %" PRIu32 ", tag %" PRIu32 ", on %s",
                          request->bytes, way, request->peer, request->tag,
                          communicator_name(engine, request->communicator));
    else
        base_error_append(error, "%" PRIu64 " bytes %s rank %" PRIu32 " in %s, collective %" PRIu64 " on %s",
                          request->bytes, way, request->peer,
                          trace_collective_name(engine->instances[request->instance].collective),
                          engine->instances[request->instance].number + 1,
                          communicator_name(engine, request->communicator));
}

/* ---- the deadlock */

/* One line: where the rank is, and the first thing it misses there. */
static void append_blocked(const struct replay_engine *engine, const struct keyed *first, size_t count,
                           struct base_error *error)
{
    const struct replay_request *request = &engine->requests[first->request];
    const struct replay_rank *rank = &engine->rank[request->rank];
    base_error_append(error, "\n  rank %" PRIu32 " waits in ", request->rank);
    if (rank->op.kind == TRACE_WAIT)
        base_error_append(error, "%s (event %" PRIu64 ") for ",
                          trace_program_region_name(engine->program, rank->op.region), rank->op.event);
    append_request(engine, request, error);
    if (count > 1)
        base_error_append(error, ", and %zu more", count - 1);
}

/* edges: all awaited requests, those of one rank together. */
static void append_all_blocked(const struct replay_engine *engine, const struct keyed *edges, size_t count,
                               struct base_error *error)
{
    uint32_t listed = 0, blocked = engine->ranks - engine->ended;
    for (size_t i = 0, next; i < count && listed < LISTED_RANKS; i = next, listed++) {
        for (next = i; next < count && edges[next].rank == edges[i].rank;)
            next++;
        append_blocked(engine, &edges[i], next - i, error);
    }
    if (listed < blocked)
        base_error_append(error, "\n  and %" PRIu32 " more ranks", blocked - listed);
}

/* A depth-first search over the ranks. */
struct search {
    const struct replay_engine *engine;
    const struct keyed *edges;
    size_t *next, *end; /* [rank]: its edges not yet followed */
    uint32_t *path;
    uint32_t length;
    uint8_t *state;                     /* [rank] */
    const struct replay_request *cause; /* the first edge found that leads to a rank that has ended */
};

enum { UNSEEN, ON_PATH, DONE };

/* A rank is entered once, so the path is never longer than the ranks. */
static void enter(struct search *search, uint32_t rank)
{
    search->state[rank] = ON_PATH;
    search->path[search->length++] = rank;
}

/* Searches from a rank. Returns the rank that closes a cycle, or REPLAY_NONE. */
static uint32_t search_from(struct search *search, uint32_t start)
{
    enter(search, start);
    while (search->length > 0) {
        uint32_t rank = search->path[search->length - 1];
        if (search->next[rank] == search->end[rank]) {
            search->state[rank] = DONE;
            search->length--;
            continue;
        }
        const struct replay_request *request =
            &search->engine->requests[search->edges[search->next[rank]++].request];
        if (search->state[request->peer] == ON_PATH)
            return request->peer;
        if (search->engine->rank[request->peer].state == REPLAY_ENDED && search->cause == NULL)
            search->cause = request;
        if (search->engine->rank[request->peer].state == REPLAY_BLOCKED &&
            search->state[request->peer] == UNSEEN)
            enter(search, request->peer);
    }
    return REPLAY_NONE;
}

/* The part of the path from the closing rank on is the cycle. */
static void append_cycle(const struct search *search, uint32_t closing, struct base_error *error)
{
    uint32_t first = 0, last;
    while (search->path[first] != closing)
        first++;
    last = search->length - first > LISTED_CYCLE ? first + LISTED_CYCLE : search->length;
    base_error_append(error, "\n  cycle: ");
    for (uint32_t i = first; i < last; i++)
        base_error_append(error, "rank %" PRIu32 " -> ", search->path[i]);
    if (last < search->length)
        base_error_append(error, "(%" PRIu32 " more) -> ", search->length - last);
    base_error_append(error, "rank %" PRIu32, closing);
}

/* "rank 0 waits for a message from rank 2 with tag 7 on MPI_COMM_WORLD; rank 2 has ended without sending it"
 */
static void append_cause(const struct replay_engine *engine, const struct replay_request *request,
                         struct base_error *error)
{
    base_error_append(error, "\n  cause: rank %" PRIu32 " waits for a message %s rank %" PRIu32,
                      request->rank, request->kind == REPLAY_SEND ? "to be received by" : "from",
                      request->peer);
    if (request->instance == REPLAY_NONE)
        base_error_append(error, " with tag %" PRIu32 " on %s", request->tag,
                          communicator_name(engine, request->communicator));
    base_error_append(error, "; rank %" PRIu32 " has ended without %s it", request->peer,
                      request->kind == REPLAY_SEND ? "receiving" : "sending");
}

/* What the search for a cycle of waiting ranks needs: a mark for each rank. */
static int allocate_search(struct search *search)
{
    uint32_t ranks = search->engine->ranks;
    search->next = calloc(ranks, sizeof *search->next);
    search->end = calloc(ranks, sizeof *search->end);
    search->path = calloc(ranks, sizeof *search->path);
    search->state = calloc(ranks, sizeof *search->state);
    return search->next == NULL || search->end == NULL || search->path == NULL || search->state == NULL ? -1
                                                                                                        : 0;
}

/* Right for a search that was allocated in part. */
static void free_search(struct search *search)
{
    free(search->next);
    free(search->end);
    free(search->path);
    free(search->state);
}

/* Appends the cycle, or else the root cause. -1: no memory. */
static int append_reason(const struct replay_engine *engine, const struct keyed *edges, size_t count,
                         struct base_error *error)
{
    struct search search = {.engine = engine, .edges = edges};
    uint32_t closing = REPLAY_NONE;
    if (allocate_search(&search) < 0) {
        free_search(&search);
        return -1;
    }
    for (size_t i = count; i-- > 0;)
        search.next[edges[i].rank] = i;
    for (size_t i = 0; i < count; i++)
        search.end[edges[i].rank] = i + 1;
    for (uint32_t rank = 0; rank < engine->ranks && closing == REPLAY_NONE; rank++)
        if (engine->rank[rank].state == REPLAY_BLOCKED && search.state[rank] == UNSEEN)
            closing = search_from(&search, rank);
    if (closing != REPLAY_NONE)
        append_cycle(&search, closing, error);
    else if (search.cause != NULL)
        append_cause(engine, search.cause, error);
    free_search(&search);
    return 0;
}

/* Requests in queues that no rank is blocked on: often the message that was meant. */
static void append_unmatched(const struct replay_engine *engine, const struct keyed *list, size_t count,
                             size_t limit, struct base_error *error)
{
    for (size_t i = 0; i < count && i < limit; i++) {
        const struct replay_request *request = &engine->requests[list[i].request];
        base_error_append(error, "\n  rank %" PRIu32 ", ", request->rank);
        append_request(engine, request, error);
        base_error_append(error, request->kind == REPLAY_SEND ? ": never received" : ": never sent");
    }
    if (count > limit)
        base_error_append(error, "\n  and %zu more", count - limit);
}

/* Puts the parts together. The room for text is limited (BASE_ERROR_TEXT), so each list has its own limit. */
static int describe_deadlock(const struct replay_engine *engine, const struct keyed *edges, size_t count,
                             const struct keyed *others, size_t other_count, struct base_error *error)
{
    uint32_t blocked = engine->ranks - engine->ended;
    base_error_set(error, BASE_DEADLOCK,
                   "%s: the replay cannot go on after %" PRIu64 " ns: %" PRIu32 " of %" PRIu32 " ranks %s",
                   trace_program_path(engine->program), engine->now_ns, blocked, engine->ranks,
                   blocked == 1 ? "waits" : "wait");
    append_all_blocked(engine, edges, count, error);
    if (append_reason(engine, edges, count, error) < 0)
        return base_error_memory(error, "the search for the deadlock's cause");
    if (other_count > 0) {
        base_error_append(error, "\n  unmatched besides:");
        append_unmatched(engine, others, other_count, LISTED_REQUESTS / 2, error);
    }
    return -1;
}

/* Errors while explaining an error: when the memory for the search is out, that is said instead. */
int replay_deadlock(const struct replay_engine *engine, struct base_error *error)
{
    struct keyed *edges = NULL, *others = NULL;
    size_t count, other_count;
    if (list_requests(engine, is_awaited, &edges, &count) < 0 ||
        list_requests(engine, is_unawaited, &others, &other_count) < 0)
        base_error_memory(error, "the search for the deadlock's cause");
    else
        describe_deadlock(engine, edges, count, others, other_count, error);
    free(edges);
    free(others);
    return -1;
}

/* At the end of a replay in which every rank has finished: what was sent must have been received. */
int replay_check_matched(const struct replay_engine *engine, struct base_error *error)
{
    struct keyed *list = NULL;
    size_t count;
    if (engine->queues.count == 0)
        return 0;
    if (list_requests(engine, is_unmatched, &list, &count) < 0)
        return base_error_memory(error, "the list of unmatched messages");
    base_error_set(error, BASE_INPUT, "%s: the replay has ended with %zu unmatched %s",
                   trace_program_path(engine->program), count, count == 1 ? "call" : "calls");
    append_unmatched(engine, list, count, LISTED_REQUESTS, error);
    free(list);
    return -1;
}
