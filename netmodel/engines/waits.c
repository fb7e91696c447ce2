/* Circles in a graph of dependencies: none (A. B. Kahn's order, 1962), or the shortest one. Rings under the
 * bubble rule are single vertices of that order, and a circle within one does not count.
 *
 *     order_groups     takes out the groups that no group left waits for, again and again: linear, mostly the end
 *     find_shortest    breadth first from every vertex that is left: for the sentence alone */
#include <stdbool.h>
#include <stdlib.h>

#include "netmodel/engines/waits.h"

/* Edges that the search for the shortest circle may look at; after that the shortest so far is taken. */
#define SEARCH_MAX (UINT64_C(1) << 31)

struct search {
    const struct net_waits *graph; /* the caller's */
    uint32_t *list;                /* successors of the vertex at hand */
    uint32_t *degrees;  /* [group]: edges from other groups that are left; 0: the group is ordered */
    uint32_t *queue;    /* also the ordered groups */
    uint32_t *before;   /* [vertex]: on the way from the start */
    uint32_t *distance; /* [vertex]: in edges, or 0 where the search has not been */
    uint64_t work;
    uint32_t *best; /* vertices of the shortest circle */
    uint32_t best_length;
};

/* One entry more than there are vertices, so that an empty graph does not ask for 0 bytes, whose NULL
 * would be no failure. */
static int allocate(struct search *search, struct base_error *error)
{
    size_t vertices = search->graph->vertices;
    search->list = calloc((size_t)search->graph->most + 1, sizeof *search->list);
    search->degrees = calloc(vertices + 1, sizeof *search->degrees);
    search->queue = calloc(vertices + 1, sizeof *search->queue);
    search->before = calloc(vertices + 1, sizeof *search->before);
    search->distance = calloc(vertices + 1, sizeof *search->distance);
    if (search->list != NULL && search->degrees != NULL && search->queue != NULL && search->before != NULL &&
        search->distance != NULL)
        return 0;
    return base_error_memory(error, "the search for circles of channels");
}

/* The best circle is not freed: it is what the caller asked for. */
static void release(struct search *search)
{
    free(search->list);
    free(search->degrees);
    free(search->queue);
    free(search->before);
    free(search->distance);
}

/* A successor in another group: inside one nothing has to be ordered. A vertex that is alone has no edge to
 * itself but in a circle of one, which counts. */
static bool leaves_group(const struct net_waits *graph, uint32_t from, uint32_t to)
{
    return graph->group[from] != graph->group[to] || (graph->next[from] == from && from == to);
}

/* Takes the edges of one vertex out of the degrees, and queues the groups that have none left. */
static uint32_t drop_edges(struct search *search, uint32_t vertex, uint32_t tail)
{
    const struct net_waits *graph = search->graph;
    uint32_t count = graph->successors(graph->context, vertex, search->list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group = graph->group[search->list[i]];
        if (leaves_group(graph, vertex, search->list[i]) && --search->degrees[group] == 0)
            search->queue[tail++] = group;
    }
    return tail;
}

/* Whether all groups can be ordered. Afterwards those that cannot have a degree left. An edge counts once for each
 * time that a list has it, in the sum as in the taking away, so that lists need not be free of repetitions. */
static bool order_groups(struct search *search)
{
    const struct net_waits *graph = search->graph;
    uint32_t groups = 0, tail = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t count = graph->successors(graph->context, v, search->list);
        for (uint32_t i = 0; i < count; i++)
            search->degrees[graph->group[search->list[i]]] += leaves_group(graph, v, search->list[i]);
    }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        groups += graph->group[v] == v;
        if (graph->group[v] == v && search->degrees[v] == 0)
            search->queue[tail++] = v;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t first = search->queue[head], member = first;
        do {
            tail = drop_edges(search, member, tail);
            member = graph->next[member];
        } while (member != first);
    }
    return tail == groups;
}

/* Keeps the circle that closes over `last`, an edge before start. From `last` back to the start, by the vertices
 * before each. */
static int keep(struct search *search, uint32_t last, uint32_t length, struct base_error *error)
{
    uint32_t *circle = realloc(search->best, length * sizeof *circle);
    if (circle == NULL)
        return base_error_memory(error, "a circle of channels");
    search->best = circle;
    search->best_length = length;
    for (uint32_t i = length; i-- > 0; last = search->before[last])
        circle[i] = last;
    return 0;
}

/* The shortest circle through start whose first edge leaves its group, when it is shorter than the best.
 * Breadth first; only vertices that could not be ordered lie on circles. Returns how many vertices it has
 * queued and given a distance.
 * The queue is also the list of what has to be set back to distance 0 before the next start: clearing all
 * vertices each time would be quadratic. */
static int64_t search_from(struct search *search, uint32_t start, struct base_error *error)
{
    const struct net_waits *graph = search->graph;
    uint32_t tail = 0;
    search->queue[tail++] = start;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t vertex = search->queue[head], next = search->distance[vertex] + 1;
        if (search->best_length != 0 && next >= search->best_length)
            return tail;
        uint32_t count = graph->successors(graph->context, vertex, search->list);
        search->work += count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = search->list[i];
            bool first = vertex == start;
            if (search->degrees[graph->group[to]] == 0 || (first && !leaves_group(graph, vertex, to)))
                continue;
            if (to == start)
                return keep(search, vertex, next, error) < 0 ? -1 : (int64_t)tail;
            if (search->distance[to] != 0)
                continue;
            search->distance[to] = next;
            search->before[to] = vertex;
            search->queue[tail++] = to;
        }
    }
    return tail;
}

/* From every vertex that is left: a circle that leaves a group has an edge that does. */
static int find_shortest(struct search *search, struct base_error *error)
{
    const struct net_waits *graph = search->graph;
    uint32_t starts = graph->starts != 0 ? graph->starts : graph->vertices;
    for (uint32_t v = 0; v < starts; v++) {
        if (search->degrees[graph->group[v]] == 0 || (search->best_length != 0 && search->work >= SEARCH_MAX))
            continue;
        int64_t queued = search_from(search, v, error);
        if (queued < 0)
            return -1;
        for (int64_t i = 0; i < queued; i++)
            search->distance[search->queue[i]] = 0;
    }
    return 0;
}

/* Most routings have no circle, and then the linear order is all that is done. The caller frees *cycle,
 * which is NULL without a circle and after an error. */
int64_t net_waits_circle(const struct net_waits *graph, uint32_t **cycle, struct base_error *error)
{
    struct search search = {.graph = graph};
    int result = allocate(&search, error);
    if (result == 0 && !order_groups(&search))
        result = find_shortest(&search, error);
    release(&search);
    *cycle = search.best;
    if (result == 0)
        return search.best_length;
    free(search.best);
    *cycle = NULL;
    return -1;
}
