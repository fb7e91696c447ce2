/* NPB DT: data that flow through a graph, one node a rank: a first message says how long the next one is.
 *
 *      BH  black hole: many sources, comparators in a tree of degree four, one sink
 *      WH  white hole: the same the other way round
 *      SH  shuffle: layers of as many nodes as there are sources, wired as a butterfly
 *
 * A source's length varies from node to node by the benchmark's own generator, which is exact here. A
 * comparator passes on the longest of what it gets and the mean length. Sinks tell rank 0 a checksum. Ranks
 * without a node do nothing.
 *
 *      BH, class S          0 1 2 3  ─►  4                             five nodes
 *      WH, class S          0  ─►  1 2 3 4
 *      SH, class S          0 1 2 3  ═►  4 5 6 7  ═►  8 9 10 11        pairs at distance 1, then 2
 *
 *      source        sends to each of its arcs: the length (4 B), the numbers (8 B each)
 *      comparator    receives both from each arc, filters, then sends likewise
 *      sink          receives, and sends 8 B to rank 0, which receives them in the order of the nodes
 *
 * Every call blocks. Nodes are numbered so that arcs go upwards only, which keeps that from a deadlock.
 */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_dt;

enum { BLACK_HOLE, WHITE_HOLE, SHUFFLE };
#define DEGREE 4 /* of the trees */
#define FIELDS 4 /* numbers of a feature */

/* Work for each number: a source makes it, a comparator filters it, a sink sums it up. The benchmark counts
 * bytes only, so these are what its loops have. */
enum { SOURCE_FLOPS = 2, FILTER_FLOPS = 9, SINK_FLOPS = 3 };

struct arc {
    uint32_t tail, head; /* nodes, which are ranks */
};

/* Arcs in the order of their numbers, which are the tags. */
struct kernel {
    uint32_t graph, sources, nodes, arc_count; /* graph: one of those above */
    uint64_t mean, deviation;                  /* features of a source */
    struct arc *arcs;
    uint64_t *lengths;    /* [node] numbers that it sends */
    uint32_t *ins, *outs; /* [node] degrees */
};

/* ---- the graphs */

/* The arc's number is its place: the benchmark numbers them as they are attached. */
static void add_arc(struct kernel *kernel, uint32_t tail, uint32_t head)
{
    kernel->ins[head]++;
    kernel->outs[tail]++;
    kernel->arcs[kernel->arc_count++] = (struct arc){tail, head};
}

/* Nodes are numbered layer by layer from the leaves; four of a layer share one of the next, the last layer
 * shares the root. The white hole is made as the black hole and then turned round, numbers and all. kernel->arcs
 * has room for all arcs; their numbers are also the order in which nodes send and receive. */
static void make_tree(struct kernel *kernel)
{
    uint32_t layer = 0, size = kernel->sources;
    uint32_t next;
    uint32_t last = kernel->nodes - 1;

    for (; size > DEGREE; layer += size, size = next) {
        next = (size + DEGREE - 1) / DEGREE;
        for (uint32_t i = 0; i < size; i++) {
            uint32_t leaf = layer + i, parent = layer + size + i / DEGREE;
            if (kernel->graph == BLACK_HOLE)
                add_arc(kernel, leaf, parent);
            else
                add_arc(kernel, last - parent, last - leaf);
        }
    }
    for (uint32_t i = 0; i < size; i++)
        if (kernel->graph == BLACK_HOLE)
            add_arc(kernel, layer + i, last);
        else
            add_arc(kernel, 0, last - layer - i);
}

/* Node i of layer j + 1 takes from the two of layer j that agree with i but for bit j. */
static void make_shuffle(struct kernel *kernel)
{
    uint32_t layers = kernel->nodes / kernel->sources - 1;

    for (uint32_t j = 0; j < layers; j++)
        for (uint32_t i = 0; i < kernel->sources; i++) {
            uint32_t node = (j + 1) * kernel->sources + i;
            uint32_t low = j * kernel->sources + (i & ~(UINT32_C(1) << j));
            add_arc(kernel, low, node);
            add_arc(kernel, low + (UINT32_C(1) << j), node);
        }
}

/* A tree has a node for every four of the layer below, rounded up, and the root; a shuffle has one more
 * layer than the number of sources has bits. */
static uint32_t count_nodes(uint32_t graph, uint32_t sources)
{
    uint32_t nodes = sources, size = sources;

    if (graph == SHUFFLE)
        return sources * (trace_generate_log2(sources) + 1);
    for (; size > DEGREE; nodes += size)
        size = (size + DEGREE - 1) / DEGREE;
    return nodes + 1;
}

/* ---- lengths */

/* Exponentiation modulo a number in 32-bit arithmetic that overflows, as in the benchmark: the products wrap
 * round, and remainders have the sign of the product. */
static int32_t wrapping_power(int32_t base, uint64_t exponent, int32_t modulus)
{
    int32_t square = base, result = 1;

    while (exponent > 1) {
        if (exponent % 2 == 0) {
            square = (int32_t)((uint32_t)square * (uint32_t)square) % modulus;
            exponent /= 2;
        } else {
            result = (int32_t)((uint32_t)result * (uint32_t)square) % modulus;
            exponent--;
        }
    }
    return (int32_t)((uint32_t)result * (uint32_t)square) % modulus;
}

/* The number of features of a source: the mean less the deviation, and a pseudo-random rest below twice that.
 */
static uint64_t source_features(const struct kernel *kernel, uint32_t node)
{
    const uint64_t modulus = UINT64_C(1) << 46;
    uint64_t odd = 2 * (uint64_t)node + 1, drawn = UINT64_C(314159265) * odd % modulus;
    int32_t base = (int32_t)(modulus / drawn * 'S');
    int32_t rest = wrapping_power(base, odd, (int32_t)(2 * kernel->deviation));

    return kernel->mean - kernel->deviation + (uint64_t)(rest < 0 ? -rest : rest);
}

/* Nodes are in topological order. */
static void set_lengths(struct kernel *kernel)
{
    for (uint32_t node = 0; node < kernel->nodes; node++)
        kernel->lengths[node] =
            FIELDS * (kernel->ins[node] == 0 ? source_features(kernel, node) : kernel->mean);
    for (uint32_t node = 0; node < kernel->nodes; node++)
        for (uint32_t i = 0; i < kernel->arc_count; i++) {
            const struct arc *arc = &kernel->arcs[i];
            if (arc->head == node && kernel->lengths[arc->tail] > kernel->lengths[node])
                kernel->lengths[node] = kernel->lengths[arc->tail];
        }
}

/* ---- the program */

/* Each arc is two messages with one tag: how many numbers, then the numbers. They are worked on as they
 * come. */
static void receive_all(struct trace_emitter *emitter, const struct kernel *kernel, uint32_t node)
{
    uint64_t flops = kernel->outs[node] == 0 ? SINK_FLOPS : FILTER_FLOPS;

    for (uint32_t i = 0; i < kernel->arc_count; i++) {
        const struct arc *arc = &kernel->arcs[i];
        if (arc->head != node)
            continue;
        trace_emit_receive(emitter, 0, arc->tail, i, 4);
        trace_emit_receive(emitter, 0, arc->tail, i, 8 * kernel->lengths[arc->tail]);
        trace_emit_compute(emitter, flops * kernel->lengths[arc->tail]);
    }
}

/* In the order of the arcs, each blocking: that is why the nodes have to be in topological order. */
static void send_all(struct trace_emitter *emitter, const struct kernel *kernel, uint32_t node)
{
    for (uint32_t i = 0; i < kernel->arc_count; i++) {
        const struct arc *arc = &kernel->arcs[i];
        if (arc->tail != node)
            continue;
        trace_emit_send(emitter, 0, arc->head, i, 4);
        trace_emit_send(emitter, 0, arc->head, i, 8 * kernel->lengths[node]);
    }
}

/* One step is all there is: every arc is used once. Rank 0 collects checksums when its own node is done. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    uint32_t node = trace_emit_rank(emitter);

    (void)number;
    if (node >= kernel->nodes)
        return;
    if (kernel->ins[node] == 0)
        trace_emit_compute(emitter, SOURCE_FLOPS * kernel->lengths[node]);
    receive_all(emitter, kernel, node);
    send_all(emitter, kernel, node);
    if (kernel->outs[node] == 0)
        trace_emit_send(emitter, 0, 0, kernel->arc_count + node, 8);
    for (uint32_t sink = 0; node == 0 && sink < kernel->nodes; sink++)
        if (kernel->outs[sink] == 0)
            trace_emit_receive(emitter, 0, sink, kernel->arc_count + sink, 8);
}

/* More ranks than nodes are allowed: they have nothing to do. */
static bool legal(uint32_t ranks, const void *context)
{
    return ranks >= *(const uint32_t *)context;
}

/* Everything is in the skeleton's arena and goes with it. */
static int make_graph(struct trace_skeleton *skeleton, struct kernel *kernel)
{
    size_t arcs = 2 * (size_t)kernel->nodes; /* of a shuffle; a tree has fewer */

    kernel->arcs = base_arena_array(&skeleton->arena, arcs, sizeof *kernel->arcs);
    kernel->lengths = base_arena_array(&skeleton->arena, kernel->nodes, sizeof *kernel->lengths);
    kernel->ins = base_arena_array(&skeleton->arena, kernel->nodes, sizeof *kernel->ins);
    kernel->outs = base_arena_array(&skeleton->arena, kernel->nodes, sizeof *kernel->outs);
    if (kernel->arcs == NULL || kernel->lengths == NULL || kernel->ins == NULL || kernel->outs == NULL)
        return -1;
    if (kernel->graph == SHUFFLE)
        make_shuffle(kernel);
    else
        make_tree(kernel);
    set_lengths(kernel);
    return 0;
}

/* Samples of class S times eight for each class, but sixty-four from one to the next in the middle. The graph
 * follows from class and kind alone; ranks beyond it are allowed. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    static const uint64_t first = 1728;
    static const uint64_t factors[] = {1, 8, 64, 512, 4096, 32768};
    int class = trace_generate_class(&trace_generator_dt, options, error);
    struct kernel shape = {.graph = BLACK_HOLE};
    struct trace_skeleton *skeleton;

    if (class < 0 || trace_generate_keys(&trace_generator_dt, options, "graph", error) != 0 ||
        trace_generate_choice(options, "graph", "BH WH SH", &shape.graph, error) != 0)
        return NULL;
    shape.sources = UINT32_C(4) << class;
    shape.deviation = UINT64_C(128) << class;
    shape.mean = first * factors[class];
    shape.nodes = count_nodes(shape.graph, shape.sources);
    if (trace_generate_ranks(&trace_generator_dt, options, legal, &shape.nodes,
                             "a rank for each node of its graph", error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("dt", options, sizeof shape, error);
    if (skeleton == NULL)
        return NULL;
    *(struct kernel *)skeleton->kernel = shape;
    if (make_graph(skeleton, skeleton->kernel) == 0)
        return trace_skeleton_finish(skeleton, step, 1, error);
    base_error_memory(error, "the graph");
    trace_skeleton_free(skeleton);
    return NULL;
}

const struct trace_generator trace_generator_dt = {
    "dt", "NPB DT, data flow: at least as many ranks as nodes. graph=BH|WH|SH", "SWABCD", generate,
    BASE_EXACT};
