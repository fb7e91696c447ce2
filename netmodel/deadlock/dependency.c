/* The check for deadlock: from the walks to all targets to the graphs of dependencies, and to a verdict for
 * either flow control. See dependency.h for what is proved.
 *
 *     collect    every header to every target ─► waits[channel], wholly[channel], connectivity
 *     rings      groups of channels that close under the bubble rule
 *     judge      net_waits_circle ─► acyclic, bubble or cyclic
 *     extend     with adaptive outputs: the extended graph for wormhole, as a matrix of bits
 *     witness    for each dependency of a circle, one packet that has it
 * A dependency is kept as a bit: a channel leads to one router, so that all that a packet in it can wait for are
 * outputs of that router, and a set of local numbers is enough. Memory is in proportion to channels times words,
 * not to pairs of channels; only the extended graph needs pairs. */
#include "netmodel/deadlock/dependency.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/deadlock/dependency-internal.h"

/* Bytes of the extended graph's matrix. */
#define MATRIX_MAX (UINT64_C(256) << 20)

struct collection {
    const struct net_topology *topology; /* borrowed */
    struct net_deadlock_check *check;    /* the caller's, where the answer goes */
    struct net_walk walk;                /* of one target at a time */
    uint32_t channels;                   /* links * virtual channels */
    uint64_t *waits;            /* [channel] set of outputs of the router it leads to that are relied on */
    uint64_t *wholly;           /* [channel] likewise: those that are all escapes */
    uint32_t *group, *next;     /* [channel] the rings, as net_waits has them */
    uint32_t *alone;            /* [channel] itself: no rings */
    uint32_t *number;           /* [channel] among the escapes, or NET_NONE */
    uint32_t *channel;          /* [number] */
    uint32_t *order, *depth;    /* [node of a walk] */
    uint32_t capacity;          /* of order and depth */
    uint64_t *matrix, *held;    /* [number][word] channels that depend on it; [node][word] channels held */
    uint32_t words, held_nodes; /* words of a row; rows of held */
};

/* ---- collection ---- */

/* All of a size that is known from links and virtual channels. Orders, matrix and held channels depend on
 * the walks and come later. One entry more than needed, so that a network without links does not ask for 0
 * bytes. */
static int allocate(struct collection *all, struct base_error *error)
{
    size_t channels = (size_t)all->channels + 1;
    all->waits = calloc(channels, (all->walk.words + 1) * sizeof *all->waits);
    all->wholly = calloc(channels, (all->walk.words + 1) * sizeof *all->wholly);
    all->group = calloc(channels, sizeof *all->group);
    all->next = calloc(channels, sizeof *all->next);
    all->alone = calloc(channels, sizeof *all->alone);
    all->number = calloc(channels, sizeof *all->number);
    all->channel = calloc(channels, sizeof *all->channel);
    if (all->waits == NULL || all->wholly == NULL || all->group == NULL || all->next == NULL ||
        all->alone == NULL || all->number == NULL || all->channel == NULL)
        return base_error_memory(error, "the graph of channels");
    for (uint32_t c = 0; c < all->channels; c++) {
        all->alone[c] = c;
        all->number[c] = NET_NONE;
    }
    return 0;
}

/* Also of what could not be made: all is NULL then. */
static void release(struct collection *all)
{
    net_walk_free(&all->walk);
    free(all->waits);
    free(all->wholly);
    free(all->group);
    free(all->next);
    free(all->alone);
    free(all->number);
    free(all->channel);
    free(all->order);
    free(all->depth);
    free(all->matrix);
    free(all->held);
}

/* Room for an order of the walk's nodes.
 * As much as the walk has room for, not just what it has: walks of the next targets are mostly as large.
 * The old contents are never needed again, so that nothing is copied. */
static int reserve_order(struct collection *all, struct base_error *error)
{
    if (all->walk.count <= all->capacity)
        return 0;
    free(all->order);
    free(all->depth);
    all->order = calloc(all->walk.capacity, sizeof *all->order);
    all->depth = calloc(all->walk.capacity, sizeof *all->depth);
    all->capacity = all->order != NULL && all->depth != NULL ? all->walk.capacity : 0;
    return all->capacity != 0 ? 0 : base_error_memory(error, "the check for deadlock");
}

/* The first packet that its escapes leave in the wilderness is remembered. */
static void note_stray(struct net_deadlock_check *check, const struct net_walk_node *node, uint32_t target)
{
    if (!check->connected)
        return;
    check->connected = false;
    check->stray = node->router;
    check->stray_source = node->source;
    check->stray_target = target;
}

/* From every header there is an escape until it is at its target, and they never lead round: so any way by
 * escapes ends there. The longest one comes with the order.
 * First who is left without an escape, then circles of escapes, which would lead nowhere. Depths are used
 * twice: as Kahn's degrees, then as the longest way so far. The depth of a node is the longest way by escapes that
 * leads there; the largest of all targets is reported. */
static int check_connected(struct collection *all, struct base_error *error)
{
    const struct net_walk *walk = &all->walk;
    struct net_deadlock_check *check = all->check;
    if (reserve_order(all, error) < 0)
        return -1;
    for (uint32_t i = 0; i < walk->count; i++) {
        const struct net_walk_node *node = &walk->nodes[i];
        bool leads_on = net_set_next(net_walk_set(walk, i, NET_WALK_OUTPUTS), walk->words, 0) != NET_NONE;
        bool escapes = net_set_next(net_walk_set(walk, i, NET_WALK_ESCAPES), walk->words, 0) != NET_NONE;
        if (walk->faults != NULL) { /* all outputs may be dead, but for the ring */
            leads_on = node->router != walk->target;
            escapes = net_walk_ring_leads(walk, i);
        }
        if (leads_on ? !escapes : node->router != walk->target)
            note_stray(check, node, walk->target);
    }
    uint32_t ordered = net_walk_order(walk, true, all->order, all->depth);
    for (uint32_t i = 0; i < walk->count && ordered < walk->count; i++)
        if (all->depth[i] != 0)
            note_stray(check, &walk->nodes[i], walk->target);
    if (walk->count > 0)
        memset(all->depth, 0, walk->count * sizeof *all->depth);
    for (uint32_t i = 0; i < ordered; i++) {
        const struct net_walk_node *node = &walk->nodes[all->order[i]];
        const uint64_t *escapes = net_walk_set(walk, all->order[i], NET_WALK_ESCAPES);
        const uint64_t *outputs = net_walk_set(walk, all->order[i], NET_WALK_OUTPUTS);
        uint32_t next = all->depth[all->order[i]] + 1;
        for (uint32_t m = 0; m < node->moves; m++) {
            const struct net_walk_move *move = &walk->moves[node->first_move + m];
            uint32_t relied_on = net_walk_channels(walk, escapes, move->port);
            if ((relied_on & net_walk_channels(walk, outputs, move->port)) != 0 &&
                all->depth[move->node] < next)
                all->depth[move->node] = next;
        }
        if (next - 1 > check->longest_escape)
            check->longest_escape = next - 1;
    }
    return 0;
}

/* What packets in the inputs of a node wait for, and which channels are escapes. */
static void add_waits(struct collection *all, uint32_t index)
{
    const struct net_walk *walk = &all->walk;
    const uint64_t *inputs = net_walk_set(walk, index, NET_WALK_INPUTS);
    const uint64_t *escapes = net_walk_set(walk, index, NET_WALK_ESCAPES);
    uint32_t router = walk->nodes[index].router, words = walk->words;
    for (uint32_t i = net_set_next(inputs, words, 0); i != NET_NONE; i = net_set_next(inputs, words, i + 1)) {
        size_t c = net_walk_input(walk, router, i);
        if (net_walk_goes_on(walk, escapes, i))
            net_set_add(all->waits + c * words, i);
        else
            net_set_unite(all->waits + c * words, escapes, words);
        net_set_unite(all->wholly + c * words, escapes, words);
    }
    for (uint32_t o = net_set_next(escapes, words, 0); o != NET_NONE; o = net_set_next(escapes, words, o + 1))
        all->number[net_walk_output(walk, router, o)] = 0;
    if (walk->faults != NULL && walk->faults->returns)
        net_walk_add_returns(walk, index, all->waits);
}

/* One target after the other, since packets to different targets only meet in the channels that they wait
 * for, which is just what is gathered here. Where all routers are alike the first target stands for all of them.
 * Escapes are numbered at the end, by channel and not by when a walk found them, so that a verdict does not depend on
 * the order of walks. */
static int collect(struct collection *all, struct base_error *error)
{
    struct net_deadlock_check *check = all->check;
    uint32_t targets = all->walk.alike ? 1 : all->topology->routers;
    if (all->walk.faults != NULL)
        net_walk_add_rings(&all->walk, all->waits, all->number);
    for (uint32_t target = 0; target < targets; target++) {
        if (net_walk_to(&all->walk, target, error) < 0 || check_connected(all, error) < 0)
            return -1;
        check->headers += (uint64_t)all->walk.count * (all->topology->routers / targets);
        for (uint32_t i = 0; i < all->walk.count; i++)
            add_waits(all, i);
    }
    if (all->walk.alike)
        net_walk_spread(&all->walk, all->waits, all->wholly, all->number);
    for (uint32_t c = 0; c < all->channels; c++)
        if (all->number[c] == 0) {
            all->number[c] = check->escapes;
            all->channel[check->escapes++] = c;
        }
    return 0;
}

/* ---- rings ---- */

/* The channel that goes on where this one ends, by the same port and virtual channel; NET_NONE at an end. */
static uint32_t going_on(const struct collection *all, uint32_t c)
{
    uint32_t channels = all->walk.virtual_channels;
    const struct net_link *link = &all->topology->links[c / channels];
    uint32_t on = all->topology->link_at[(size_t)link->target * all->topology->ports + link->port];
    return on == NET_NONE ? NET_NONE : on * channels + c % channels;
}

/* Whether a packet in the channel may rely on going on along a ring under the bubble rule. */
static bool goes_on(const struct collection *all, uint32_t c)
{
    uint32_t local = net_walk_local(&all->walk, c);
    return net_walk_goes_on(&all->walk, all->waits + (size_t)c * all->walk.words, local);
}

/* A ring is one vertex when dependencies close it; one that they do not close is a line like any other. The
 * walk along it ends at its first channel, or where it does not go on.
 * Channels of a ring are a list through next, all with the same group. Bounding the length guards against
 * a lasso, where the walk enters a ring from outside and never comes back to its start. */
static void group_rings(struct collection *all)
{
    memcpy(all->group, all->alone, all->channels * sizeof *all->group);
    memcpy(all->next, all->alone, all->channels * sizeof *all->next);
    for (uint32_t c = 0; c < all->channels; c++) {
        uint32_t at = c, length = 0;
        if (all->group[c] != c || all->next[c] != c)
            continue;
        do {
            at = goes_on(all, at) ? going_on(all, at) : NET_NONE;
            length++;
        } while (at != c && at != NET_NONE && length <= all->channels);
        if (at != c)
            continue;
        do {
            all->group[at] = c;
            all->next[at] = going_on(all, at);
            at = all->next[at];
        } while (at != c);
    }
}

/* ---- graphs ---- */

struct masks { /* a graph given by sets of outputs */
    const struct collection *all;
    const uint64_t *outputs; /* [channel][word] */
};

/* An edge leads from a channel to those that packets in it may wait for. These leave the router that the
 * channel leads to, so that a set of its outputs says all. */
static uint32_t masked_successors(const void *context, uint32_t vertex, uint32_t *list)
{
    const struct masks *masks = context;
    const struct net_walk *walk = &masks->all->walk;
    const uint64_t *outputs = masks->outputs + (size_t)vertex * walk->words;
    uint32_t router = masks->all->topology->links[vertex / walk->virtual_channels].target, count = 0;
    for (uint32_t o = net_set_next(outputs, walk->words, 0); o != NET_NONE;
         o = net_set_next(outputs, walk->words, o + 1))
        list[count++] = net_walk_output(walk, router, o);
    return count;
}

/* Rows of the matrix list who depends on a channel: the graph with all edges turned round, whose circles are
 * the same, backwards. */
static uint32_t matrix_predecessors(const void *context, uint32_t vertex, uint32_t *list)
{
    const struct collection *all = context;
    uint32_t count = 0;
    for (uint32_t w = 0; w < all->words; w++)
        for (uint64_t bits = all->matrix[(size_t)vertex * all->words + w]; bits != 0; bits &= bits - 1)
            list[count++] = 64 * w + (uint32_t)__builtin_ctzll(bits);
    return count;
}

/* For the report, and the size of the proof; list has room for the most successors of any vertex. */
static uint64_t count_dependencies(const struct net_waits *graph, uint32_t *list)
{
    uint64_t dependencies = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        dependencies += graph->successors(graph->context, v, list);
    return dependencies;
}

/* Looks for a circle and writes the verdict. The circle is copied as vertices: find_witnesses() makes links and
 * virtual channels of them. */
static int judge(const struct net_waits *graph, struct net_deadlock_verdict *verdict,
                 struct base_error *error)
{
    uint32_t *cycle = NULL, *list = calloc((size_t)graph->most + 1, sizeof *list);
    if (list == NULL)
        return base_error_memory(error, "the graph of channels");
    verdict->dependencies = count_dependencies(graph, list);
    free(list);
    int64_t length = net_waits_circle(graph, &cycle, error);
    if (length < 0)
        return -1;
    verdict->argument = length == 0 ? NET_ACYCLIC : NET_CYCLIC;
    verdict->length = (uint32_t)length;
    for (uint32_t v = 0; v < graph->vertices && length == 0; v++)
        if (graph->next[v] != v)
            verdict->argument = NET_BUBBLE;
    if (length > 0)
        verdict->cycle = calloc((size_t)length, sizeof *verdict->cycle);
    for (uint32_t i = 0; i < length && verdict->cycle != NULL; i++)
        verdict->cycle[i].link = cycle[i]; /* for now the vertex */
    free(cycle);
    return length > 0 && verdict->cycle == NULL ? base_error_memory(error, "a circle of channels") : 0;
}

/* ---- the extended graph ---- */

/* A packet that moves holds the channel it takes, if that is an escape, and keeps what it holds when it moves
 * by an output that it does not rely on. By an escape it keeps that as well: but then each channel it holds
 * depends on that escape, and through it on all that follow. */
static void hold(struct collection *all, uint32_t from, const struct net_walk_move *move, bool *changed)
{
    const struct net_walk *walk = &all->walk;
    uint32_t first = walk->place[move->port] * walk->virtual_channels, router = walk->nodes[from].router;
    uint32_t outputs = net_walk_channels(walk, net_walk_set(walk, from, NET_WALK_OUTPUTS), move->port);
    uint32_t escapes = net_walk_channels(walk, net_walk_set(walk, from, NET_WALK_ESCAPES), move->port);
    uint64_t *to = all->held + (size_t)move->node * all->words;
    const uint64_t *before = all->held + (size_t)from * all->words;
    for (uint32_t left = outputs; left != 0; left &= left - 1) {
        uint32_t number = all->number[net_walk_output(walk, router, first + (uint32_t)__builtin_ctz(left))];
        if (number == NET_NONE)
            continue;
        *changed = *changed || !net_set_has(to, number);
        net_set_add(to, number);
    }
    for (uint32_t w = 0; w < all->words && (outputs & ~escapes) != 0; w++) {
        *changed = *changed || (before[w] & ~to[w]) != 0;
        to[w] |= before[w];
    }
}

/* Once through the nodes in order is enough when no header comes round; else until nothing changes. Nodes on
 * circles come behind the ordered ones in any order: for them it is repeated until nothing grows. */
static void hold_all(struct collection *all)
{
    const struct net_walk *walk = &all->walk;
    uint32_t ordered = net_walk_order(walk, false, all->order, all->depth);
    bool again = ordered < walk->count;
    for (uint32_t i = 0; i < walk->count && again; i++)
        if (all->depth[i] != 0)
            all->order[ordered++] = i;
    bool changed;
    do {
        changed = false;
        for (uint32_t i = 0; i < walk->count; i++) {
            const struct net_walk_node *node = &walk->nodes[all->order[i]];
            for (uint32_t m = 0; m < node->moves; m++)
                hold(all, all->order[i], &walk->moves[node->first_move + m], &changed);
        }
    } while (changed && again);
}

/* Every channel held at a node depends on each of its escapes. */
static void add_extended(struct collection *all)
{
    const struct net_walk *walk = &all->walk;
    for (uint32_t i = 0; i < walk->count; i++) {
        const uint64_t *held = all->held + (size_t)i * all->words;
        const uint64_t *escapes = net_walk_set(walk, i, NET_WALK_ESCAPES);
        for (uint32_t o = net_set_next(escapes, walk->words, 0); o != NET_NONE;
             o = net_set_next(escapes, walk->words, o + 1)) {
            uint32_t number = all->number[net_walk_output(walk, walk->nodes[i].router, o)];
            net_set_unite(all->matrix + (size_t)number * all->words, held, all->words);
        }
    }
}

/* A row of held for each node of the walk, empty. */
static int reserve_held(struct collection *all, struct base_error *error)
{
    if (all->walk.count > all->held_nodes) {
        free(all->held);
        all->held_nodes = all->walk.capacity;
        all->held = calloc((size_t)all->held_nodes * all->words, sizeof *all->held);
        if (all->held == NULL)
            return base_error_memory(error, "the extended graph of channels");
    }
    if (all->walk.count > 0)
        memset(all->held, 0, (size_t)all->walk.count * all->words * sizeof *all->held);
    return 0;
}

/* Whether matrix and held rows stay within bounds: the verdict is left unknown where they do not. */
static bool fits(const struct collection *all)
{
    uint64_t rows = (uint64_t)all->check->escapes + all->walk.capacity;
    return rows * all->words * sizeof *all->matrix <= MATRIX_MAX;
}

/* Where the matrix would not fit, the verdict stays unknown: no answer rather than one that leaves
 * something out. Rows were gathered by who depends on them, so that a circle comes out backwards and is
 * turned round at the end, when its vertices have become channels again. */
static int extend(struct collection *all, struct base_error *error)
{
    all->words = (all->check->escapes + 63) / 64;
    if (!fits(all))
        return 0;
    all->matrix = calloc((size_t)all->check->escapes * all->words + 1, sizeof *all->matrix);
    if (all->matrix == NULL)
        return base_error_memory(error, "the extended graph of channels");
    for (uint32_t target = 0; target < all->topology->routers; target++) {
        if (net_walk_to(&all->walk, target, error) < 0 || reserve_held(all, error) < 0 ||
            reserve_order(all, error) < 0)
            return -1;
        hold_all(all);
        add_extended(all);
    }
    struct net_deadlock_verdict *verdict = &all->check->wormhole;
    struct net_waits graph = {.vertices = all->check->escapes,
                              .most = all->check->escapes,
                              .successors = matrix_predecessors,
                              .context = all,
                              .group = all->alone,
                              .next = all->alone};
    if (judge(&graph, verdict, error) < 0)
        return -1;
    for (uint32_t i = 0; i < verdict->length; i++)
        verdict->cycle[i].link = all->channel[verdict->cycle[i].link];
    for (uint32_t i = 0; i < verdict->length / 2; i++) {
        struct net_dependency swapped = verdict->cycle[i];
        verdict->cycle[i] = verdict->cycle[verdict->length - 1 - i];
        verdict->cycle[verdict->length - 1 - i] = swapped;
    }
    return 0;
}

/* ---- witnesses ---- */

enum kind_of_graph { RELIED_ON, DIRECT, EXTENDED }; /* waits, wholly, the matrix */

/* Whether a packet that came to `start` by a channel may come to wait for another: at once, or in the
 * extended graph after moves by which it keeps what it holds. A search in the walk's own arrays: order is its
 * queue, depth its marks. In the extended graph it goes on over moves by outputs that are not relied on. */
static bool leads_to(struct collection *all, uint32_t start, uint32_t held, uint32_t wanted,
                     enum kind_of_graph graph)
{
    const struct net_walk *walk = &all->walk;
    uint32_t channels = walk->virtual_channels, tail = 0;
    const struct net_link *link = &all->topology->links[wanted / channels];
    uint32_t output = net_walk_local(walk, wanted), input = net_walk_local(walk, held);
    if (walk->count > 0)
        memset(all->depth, 0, walk->count * sizeof *all->depth);
    all->depth[start] = 1;
    all->order[tail++] = start;
    for (uint32_t head = 0; head < tail; head++) {
        const struct net_walk_node *node = &walk->nodes[all->order[head]];
        const uint64_t *escapes = net_walk_set(walk, all->order[head], NET_WALK_ESCAPES);
        const uint64_t *outputs = net_walk_set(walk, all->order[head], NET_WALK_OUTPUTS);
        bool goes_on = graph == RELIED_ON && net_walk_goes_on(walk, escapes, input);
        if (node->router == link->source && (goes_on ? input == output : net_set_has(escapes, output)))
            return true;
        for (uint32_t m = 0; m < node->moves && graph == EXTENDED; m++) {
            const struct net_walk_move *move = &walk->moves[node->first_move + m];
            uint32_t relied_on = net_walk_channels(walk, escapes, move->port);
            if ((net_walk_channels(walk, outputs, move->port) & ~relied_on) == 0 ||
                all->depth[move->node] != 0)
                continue;
            all->depth[move->node] = 1;
            all->order[tail++] = move->node;
        }
    }
    return false;
}

/* A packet to the walk's target that has the dependency from one channel of the circle to the next. The first node
 * from which the packet moves into the held channel and then comes to wait for the next one. */
static void find_witness(struct collection *all, struct net_dependency *at, const struct net_dependency *next,
                         enum kind_of_graph graph)
{
    const struct net_walk *walk = &all->walk;
    uint32_t channels = walk->virtual_channels, held = at->link * channels + at->virtual_channel;
    const struct net_link *link = &all->topology->links[at->link];
    uint32_t output = net_walk_local(walk, held);
    for (uint32_t i = 0; i < walk->count; i++) {
        const struct net_walk_node *node = &walk->nodes[i];
        if (node->router != link->source || !net_set_has(net_walk_set(walk, i, NET_WALK_OUTPUTS), output))
            continue;
        uint32_t m = node->first_move;
        while (walk->moves[m].port != link->port)
            m++;
        if (leads_to(all, walk->moves[m].node, held, next->link * channels + next->virtual_channel, graph)) {
            at->source = node->source;
            at->target = walk->target;
            return;
        }
    }
}

/* Walks again until each dependency of the circle has its packet: every edge came from one, so it ends. One more
 * walk over all targets, for circles alone: storing a packet with each dependency would cost memory in every
 * check. */
static int find_witnesses(struct collection *all, struct net_deadlock_verdict *verdict,
                          enum kind_of_graph graph, struct base_error *error)
{
    uint32_t channels = all->walk.virtual_channels, open = verdict->length;
    for (uint32_t i = 0; i < verdict->length; i++) {
        uint32_t c = verdict->cycle[i].link;
        verdict->cycle[i] = (struct net_dependency){c / channels, c % channels, NET_NONE, NET_NONE};
    }
    for (uint32_t target = 0; target < all->topology->routers && open > 0; target++) {
        if (net_walk_to(&all->walk, target, error) < 0 || reserve_order(all, error) < 0)
            return -1;
        for (uint32_t i = 0; i < verdict->length; i++) {
            if (verdict->cycle[i].source != NET_NONE)
                continue;
            find_witness(all, &verdict->cycle[i], &verdict->cycle[(i + 1) % verdict->length], graph);
            open -= verdict->cycle[i].source != NET_NONE;
        }
    }
    return 0;
}

/* ---- verdicts ---- */

/* Links of router 0 come first, and where all routers are alike every channel is like one of theirs. 0: they are
 * not. */
static uint32_t first_starts(const struct collection *all)
{
    return all->walk.alike ? all->channels / all->topology->routers : 0;
}

/* Under cut-through a packet that waits is in one buffer as a whole, so that it holds one channel and
 * direct dependencies are enough. The bubble rule keeps rings from filling up; hence the groups. */
static int judge_cut_through(struct collection *all, struct base_error *error)
{
    struct masks masks = {all, all->waits};
    struct net_waits graph = {.vertices = all->channels,
                              .most = 64 * all->walk.words,
                              .starts = first_starts(all),
                              .successors = masked_successors,
                              .context = &masks,
                              .group = all->group,
                              .next = all->next};
    group_rings(all);
    if (all->walk.faults != NULL && !all->walk.faults->one_place)
        net_walk_group_rings(&all->walk, all->group, all->next);
    return judge(&graph, &all->check->cut_through, error) < 0
               ? -1
               : find_witnesses(all, &all->check->cut_through, RELIED_ON, error);
}

/* A circle of direct dependencies decides; without one the extended graph does, unless they are the same. Wormhole
 * buffers are one packet's at a time, so there are no rings to group: every vertex is alone. */
static int judge_wormhole(struct collection *all, struct base_error *error)
{
    struct net_deadlock_verdict *verdict = &all->check->wormhole;
    struct masks masks = {all, all->wholly};
    struct net_waits graph = {.vertices = all->channels,
                              .most = 64 * all->walk.words,
                              .starts = first_starts(all),
                              .successors = masked_successors,
                              .context = &masks,
                              .group = all->alone,
                              .next = all->alone};
    if (judge(&graph, verdict, error) < 0)
        return -1;
    bool extended = all->walk.adaptive && verdict->argument == NET_ACYCLIC;
    if (extended) {
        *verdict = (struct net_deadlock_verdict){0};
        if (extend(all, error) < 0)
            return -1;
    }
    return find_witnesses(all, verdict, extended ? EXTENDED : DIRECT, error);
}

/* Without connected escapes there is nothing to argue with, and the verdicts stay unknown. */
static int examine(struct collection *all, const struct net_routing *routing,
                   const struct net_deadlock_faults *faults, struct base_error *error)
{
    if (net_walk_init(&all->walk, routing, faults, error) < 0)
        return -1;
    if (allocate(all, error) < 0 || collect(all, error) < 0)
        return -1;
    if (!all->check->connected)
        return 0;
    if (judge_cut_through(all, error) < 0)
        return -1;
    return faults != NULL ? 0 : judge_wormhole(all, error);
}

/* A check that failed owns nothing: the caller frees only what it was given with a 0. */
int net_deadlock_check(const struct net_routing *routing, struct net_deadlock_check *check,
                       struct base_error *error)
{
    return net_deadlock_check_faults(routing, NULL, check, error);
}

/* Where packets are never stored there is nothing to walk. */
int net_deadlock_check_faults(const struct net_routing *routing, const struct net_deadlock_faults *faults,
                              struct net_deadlock_check *check, struct base_error *error)
{
    struct collection all = {.topology = routing->topology,
                             .check = check,
                             .channels = routing->topology->link_count * routing->virtual_channels};
    *check = (struct net_deadlock_check){.channels = all.channels, .connected = true};
    if (routing->kind->never_waits) {
        check->cut_through.argument = check->wormhole.argument = NET_NO_WAITS;
        return 0;
    }
    int result = examine(&all, routing, faults, error);
    release(&all);
    if (result < 0)
        net_deadlock_check_free(check);
    return result;
}

/* Leaves an empty one, of which nothing is proved. */
void net_deadlock_check_free(struct net_deadlock_check *check)
{
    free(check->cut_through.cycle);
    free(check->wormhole.cycle);
    *check = (struct net_deadlock_check){0};
}

/* NET_UNKNOWN is not free: what was not examined is not proved. */
bool net_deadlock_free(const struct net_deadlock_check *check, const struct net_deadlock_verdict *verdict)
{
    return check->connected && (verdict->argument == NET_ACYCLIC || verdict->argument == NET_BUBBLE ||
                                verdict->argument == NET_NO_WAITS);
}
