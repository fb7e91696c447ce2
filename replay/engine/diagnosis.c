/* Why a replay cannot go on. A blocked rank waits for all of its awaited requests, and each of these waits
 * for the request's peer to start the other side: a graph of ranks. Following any edge from a blocked rank
 * ends in a cycle, which is the deadlock, or in a rank that has ended without doing its part, which is the
 * root cause. A receive from any source could be helped by every rank of its communicator: an edge to each.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "replay/engine/internal.h"

#define LISTED_RANKS 12
#define LISTED_REQUESTS 12
#define LISTED_CYCLE 24

/* ---- lists of requests */

/* A request with what it is sorted by, since the comparison of qsort has no context. */
struct keyed_request {
    uint64_t order;
    uint32_t rank, request;
};

/* An order that the table of queues does not have: reports list by rank and time of start. `order` is unique,
 * so the list is the same on every machine. */
static int compare_keyed(const void *left, const void *right)
{
    const struct keyed_request *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The three sorts of requests that are listed: what a rank is blocked on, what never met its other side, and
 * what of the latter nobody is blocked on. */
static bool is_awaited(const struct replay_engine *engine, const struct replay_request *request)
{
    if (request->kind == REPLAY_FREE || request->kind == REPLAY_COLLECTIVE || !request->awaited)
        return false;
    /* A step of a non-blocking collective is, if its rank waits for the whole. */
    return request->call == REPLAY_NONE || engine->requests[engine->calls[request->call].request].awaited;
}

/* A send or receive that has met no other side. */
static bool is_unmatched(const struct replay_engine *engine, const struct replay_request *request)
{
    (void)engine;
    return (request->kind == REPLAY_SEND || request->kind == REPLAY_RECEIVE) && request->mate == REPLAY_NONE;
}

/* The same, with no rank waiting for it: it would be lost without a word. */
static bool is_unawaited(const struct replay_engine *engine, const struct replay_request *request)
{
    return is_unmatched(engine, request) && !is_awaited(engine, request);
}

/* All requests of a sort, by rank and then in the order they were started. -1: no memory. */
static int list_requests(const struct replay_engine *engine,
                         bool (*wanted)(const struct replay_engine *, const struct replay_request *),
                         struct keyed_request **list, size_t *count)
{
    *count = 0;
    *list = malloc(engine->request_count * sizeof **list + 1);
    if (*list == NULL)
        return -1;
    for (uint32_t i = 0; i < engine->request_count; i++) {
        const struct replay_request *request = &engine->requests[i];
        if (wanted(engine, request))
            (*list)[(*count)++] = (struct keyed_request){request->order, request->rank, i};
    }
    qsort(*list, *count, sizeof **list, compare_keyed);
    return 0;
}

static const char *communicator_name(const struct replay_engine *engine, uint32_t communicator)
{
    return trace_program_communicator(engine->program, communicator)->name;
}

/* "rank 3, tag 5, on MPI_COMM_WORLD", with what was left open named so. */
static void append_envelope(const struct replay_engine *engine, const struct replay_request *request,
                            struct base_error *error)
{
    if (request->peer == TRACE_ANY_SOURCE)
        base_error_append(error, "any rank, ");
    else
        base_error_append(error, "rank %" PRIu32 ", ", request->peer);
    if (request->tag == TRACE_ANY_TAG)
        base_error_append(error, "any tag, ");
    else
        base_error_append(error, "tag %" PRIu32 ", ", request->tag);
    base_error_append(error, "on %s", communicator_name(engine, request->communicator));
}

/* "MPI_Recv (event 7, region exchange_halo)": the call, its record, and the program's own function around it, where
 * the trace has one. A report without that is still a report: not finding it is no error. */
static void append_call(const struct replay_engine *engine, uint32_t rank, uint32_t region, uint64_t event,
                        struct base_error *error)
{
    struct trace_caller caller = {.rank = rank, .event = event};
    struct base_error ignored = {0};

    base_error_append(error, "%s (event %" PRIu64, trace_program_region_name(engine->program, region), event);
    if (trace_program_find_callers(engine->program, &caller, 1, &ignored) == 0 && caller.region != NULL)
        base_error_append(error, ", region %.200s", caller.region);
    base_error_append(error, ")");
}

/* "8 bytes from rank 2 in allreduce, collective 2 on MPI_COMM_WORLD" */
static void append_step(const struct replay_engine *engine, const struct replay_request *request,
                        const char *way, struct base_error *error)
{
    const struct replay_instance *instance = &engine->instances[request->instance];
    base_error_append(error, "%" PRIu64 " bytes %s rank %" PRIu32 " in %s, collective %" PRIu64 " on %s",
                      request->bytes, way, request->peer, trace_collective_name(instance->collective),
                      instance->number + 1, communicator_name(engine, request->communicator));
}

/* "MPI_Isend (event 7, region solve): 4096 bytes to rank 3, tag 5, on MPI_COMM_WORLD" */
static void append_request(const struct replay_engine *engine, const struct replay_request *request,
                           struct base_error *error)
{
    const char *way = request->kind == REPLAY_RECEIVE || request->kind == REPLAY_PROBE ? "from" : "to";
    append_call(engine, request->rank, request->region, request->event, error);
    base_error_append(error, ": ");
    if (request->instance != REPLAY_NONE) {
        append_step(engine, request, way, error);
        return;
    }
    if (request->kind == REPLAY_PROBE)
        base_error_append(error, "a message %s ", way);
    else
        base_error_append(error, "%" PRIu64 " bytes %s ", request->bytes, way);
    append_envelope(engine, request, error);
}

/* ---- the deadlock */

/* One line: where the rank is, and the first thing it misses there. */
static void append_blocked(const struct replay_engine *engine, const struct keyed_request *first,
                           size_t count, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[first->request];
    const struct replay_rank *rank = &engine->rank[request->rank];
    base_error_append(error, "\n  rank %" PRIu32 " waits in ", request->rank);
    if (rank->op.kind == TRACE_WAIT) {
        append_call(engine, request->rank, rank->op.region, rank->op.event, error);
        base_error_append(error, " for ");
    }
    append_request(engine, request, error);
    if (count > 1)
        base_error_append(error, ", and %zu more", count - 1);
}

/* A depth-first search over the ranks. */
struct search {
    const struct replay_engine *engine;
    const struct keyed_request *edges;
    size_t *next, *end; /* [rank]: its requests not yet followed */
    /* [rank]: how many ranks have been tried that could send what it takes from anybody */
    uint32_t *candidate;
    uint32_t *path;
    uint32_t length;
    uint32_t cycle;                     /* the cycle is path[cycle .. length), REPLAY_NONE: there is none */
    uint8_t *state;                     /* [rank] */
    const struct replay_request *cause; /* the first edge found that leads to a rank that has ended */
    uint32_t ended;                     /* that rank */
};

enum { UNSEEN, ON_PATH, IN_CYCLE, DONE };

/* A rank is entered once, so the path is never longer than the ranks. */
static void enter(struct search *search, uint32_t rank)
{
    search->state[rank] = ON_PATH;
    search->path[search->length++] = rank;
}

/* The next rank that could send what a request takes from anybody: of the other group, or any other member.
 * REPLAY_NONE: no more. */
static uint32_t next_candidate(const struct search *search, const struct replay_request *request)
{
    const struct trace_communicator *members =
        trace_program_communicator(search->engine->program, request->communicator);
    uint32_t *candidate = &search->candidate[request->rank];
    uint32_t ranks = replay_communicator_ranks(members);
    bool in_first = false;
    for (uint32_t i = 0; i < members->size && members->remote_size != 0; i++)
        in_first |= members->members[i] == request->rank;
    while (*candidate < ranks) {
        uint32_t i = (*candidate)++, rank = replay_communicator_rank(members, i);
        if (rank < search->engine->ranks && (rank != request->rank || ranks == 1) &&
            (members->remote_size == 0 || in_first == (i >= members->size)))
            return rank;
    }
    return REPLAY_NONE;
}

/* The next rank that a rank waits for, and by which request. REPLAY_NONE: there is none left. */
static uint32_t next_peer(struct search *search, uint32_t rank, const struct replay_request **request)
{
    while (search->next[rank] != search->end[rank]) {
        *request = &search->engine->requests[search->edges[search->next[rank]].request];
        uint32_t peer =
            (*request)->peer == TRACE_ANY_SOURCE ? next_candidate(search, *request) : (*request)->peer;
        if ((*request)->peer != TRACE_ANY_SOURCE || peer == REPLAY_NONE) {
            search->next[rank]++;
            search->candidate[rank] = 0;
        }
        if (peer != REPLAY_NONE)
            return peer;
    }
    return REPLAY_NONE;
}

/* The part of the path from the closing rank on is the cycle. */
static void close_cycle(struct search *search, uint32_t closing)
{
    search->cycle = 0;
    while (search->path[search->cycle] != closing)
        search->cycle++;
    for (uint32_t i = search->cycle; i < search->length; i++)
        search->state[search->path[i]] = IN_CYCLE;
}

/* Searches from a rank, until a cycle is found or everything has been seen that it leads to. Ranks that are
 * done lead to no cycle: they are not entered again, by any later search either. */
static void search_from(struct search *search, uint32_t start)
{
    enter(search, start);
    while (search->length > 0) {
        uint32_t rank = search->path[search->length - 1];
        const struct replay_request *request;
        uint32_t peer = next_peer(search, rank, &request);
        if (peer == REPLAY_NONE) {
            search->state[rank] = DONE;
            search->length--;
            continue;
        }
        if (search->state[peer] == ON_PATH) {
            close_cycle(search, peer);
            return;
        }
        if (search->engine->rank[peer].state == REPLAY_ENDED && search->cause == NULL) {
            search->cause = request;
            search->ended = peer;
        }
        if (search->engine->rank[peer].state == REPLAY_BLOCKED && search->state[peer] == UNSEEN)
            enter(search, peer);
    }
}

/* The ranks in the cycle, or the others. The requests of one rank stand together. */
static void append_blocked_ranks(const struct search *search, size_t count, bool in_cycle, uint32_t *listed,
                                 struct base_error *error)
{
    for (size_t i = 0, next; i < count && *listed < LISTED_RANKS; i = next) {
        uint32_t rank = search->edges[i].rank;
        next = search->end[rank];
        if ((search->state[rank] == IN_CYCLE) != in_cycle)
            continue;
        append_blocked(search->engine, &search->edges[i], next - i, error);
        ++*listed;
    }
}

/* Those in the cycle come first: with a thousand ranks that wait for them, they are what is to be seen. */
static void append_all_blocked(const struct search *search, size_t count, struct base_error *error)
{
    uint32_t listed = 0, blocked = search->engine->ranks - search->engine->ended;
    append_blocked_ranks(search, count, true, &listed, error);
    append_blocked_ranks(search, count, false, &listed, error);
    if (listed < blocked)
        base_error_append(error, "\n  and %" PRIu32 " more ranks", blocked - listed);
}

/* "cycle: rank 2 -> rank 3 -> rank 2" */
static void append_cycle(const struct search *search, struct base_error *error)
{
    uint32_t first = search->cycle;
    uint32_t last = search->length - first > LISTED_CYCLE ? first + LISTED_CYCLE : search->length;
    base_error_append(error, "\n  cycle: ");
    for (uint32_t i = first; i < last; i++)
        base_error_append(error, "rank %" PRIu32 " -> ", search->path[i]);
    if (last < search->length)
        base_error_append(error, "(%" PRIu32 " more) -> ", search->length - last);
    base_error_append(error, "rank %" PRIu32, search->path[first]);
}

/* "rank 0 waits for a message from any rank, tag 7, on MPI_COMM_WORLD; rank 2 has ended without sending it"
 * Only one cause is told, the first that the search has met: mending it may show the next. */
static void append_cause(const struct search *search, struct base_error *error)
{
    const struct replay_request *request = search->cause;
    bool sends = request->kind == REPLAY_SEND;
    base_error_append(error, "\n  cause: rank %" PRIu32 " waits for a message %s ", request->rank,
                      sends ? "to be received by" : "from");
    if (request->instance == REPLAY_NONE)
        append_envelope(search->engine, request, error);
    else
        base_error_append(error, "rank %" PRIu32, request->peer);
    base_error_append(error, "; rank %" PRIu32 " has ended without %s", search->ended,
                      sends                               ? "receiving it"
                      : request->peer == TRACE_ANY_SOURCE ? "sending one"
                                                          : "sending it");
}

/* What the search for a cycle of waiting ranks needs: a mark for each rank. */
static int allocate_search(struct search *search)
{
    uint32_t ranks = search->engine->ranks;
    search->next = calloc(ranks, sizeof *search->next);
    search->end = calloc(ranks, sizeof *search->end);
    search->candidate = calloc(ranks, sizeof *search->candidate);
    search->path = calloc(ranks, sizeof *search->path);
    search->state = calloc(ranks, sizeof *search->state);
    return search->next == NULL || search->end == NULL || search->candidate == NULL || search->path == NULL ||
                   search->state == NULL
               ? -1
               : 0;
}

/* Right for a search that was allocated in part. */
static void free_search(struct search *search)
{
    free(search->next);
    free(search->end);
    free(search->candidate);
    free(search->path);
    free(search->state);
}

/* Looks for a cycle, from every blocked rank. -1: no memory. The list is sorted by rank: backwards the last
 * index written is a rank's first request, forwards the one behind its last. */
static int search_all(struct search *search, size_t count)
{
    const struct replay_engine *engine = search->engine;
    if (allocate_search(search) < 0)
        return -1;
    for (size_t i = count; i-- > 0;)
        search->next[search->edges[i].rank] = i;
    for (size_t i = 0; i < count; i++)
        search->end[search->edges[i].rank] = i + 1;
    for (uint32_t rank = 0; rank < engine->ranks && search->cycle == REPLAY_NONE; rank++)
        if (engine->rank[rank].state == REPLAY_BLOCKED && search->state[rank] == UNSEEN)
            search_from(search, rank);
    return 0;
}

/* Requests in queues that no rank is blocked on: often the message that was meant. */
static void append_unmatched(const struct replay_engine *engine, const struct keyed_request *list,
                             size_t count, size_t limit, struct base_error *error)
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
static void describe_deadlock(const struct search *search, size_t count, const struct keyed_request *others,
                              size_t other_count, struct base_error *error)
{
    const struct replay_engine *engine = search->engine;
    uint32_t blocked = engine->ranks - engine->ended;
    base_error_set(error, BASE_DEADLOCK,
                   "%s: the replay cannot go on after %" PRIu64 " ns: %" PRIu32 " of %" PRIu32 " ranks %s",
                   trace_program_path(engine->program), engine->now_ns, blocked, engine->ranks,
                   blocked == 1 ? "waits" : "wait");
    append_all_blocked(search, count, error);
    if (search->cycle != REPLAY_NONE)
        append_cycle(search, error);
    else if (search->cause != NULL)
        append_cause(search, error);
    if (other_count > 0) {
        base_error_append(error, "\n  unmatched besides:");
        append_unmatched(engine, others, other_count, LISTED_REQUESTS / 2, error);
    }
    /* Else a reader would look for what the trace cannot have. */
    if (trace_program_no_regions(engine->program) != NULL)
        base_error_append(error, "\n  no regions: %s", trace_program_no_regions(engine->program));
}

/* Errors while explaining an error: when the memory for the search is out, that is said instead. */
int replay_deadlock(const struct replay_engine *engine, struct base_error *error)
{
    struct search search = {.engine = engine, .cycle = REPLAY_NONE};
    struct keyed_request *edges = NULL, *others = NULL;
    size_t count = 0;
    size_t other_count;
    int status = list_requests(engine, is_awaited, &edges, &count);
    search.edges = edges;
    if (status == 0)
        status = list_requests(engine, is_unawaited, &others, &other_count);
    if (status == 0)
        status = search_all(&search, count);
    if (status == 0)
        describe_deadlock(&search, count, others, other_count, error);
    else
        base_error_memory(error, "the search for the deadlock's cause");
    free_search(&search);
    free(edges);
    free(others);
    return -1;
}

/* Unmatched requests at places; those elsewhere are in the table of queues. */
static bool has_loose_ends(const struct replay_engine *engine)
{
    bool found = engine->flights.count != 0;
    for (uint32_t i = 0; i < engine->place_count; i++)
        found |= engine->places[i].posted != REPLAY_NONE || engine->places[i].unexpected != REPLAY_NONE;
    return found;
}

/* At the end of a replay in which every rank has finished: what was sent must have been received. The cheap
 * question comes first, since it is asked of every replay that ends, and the list walks over all requests. */
int replay_check_matched(const struct replay_engine *engine, struct base_error *error)
{
    struct keyed_request *list = NULL;
    size_t count;
    if (engine->queues.count == 0 && !has_loose_ends(engine))
        return 0;
    if (list_requests(engine, is_unmatched, &list, &count) < 0)
        return base_error_memory(error, "the list of unmatched messages");
    base_error_set(error, BASE_INPUT, "%s: the replay has ended with %zu unmatched %s",
                   trace_program_path(engine->program), count, count == 1 ? "call" : "calls");
    append_unmatched(engine, list, count, LISTED_REQUESTS, error);
    free(list);
    return -1;
}
