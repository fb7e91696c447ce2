/* Is `portfolio` ever worse than identity, a curve or SCOTCH on the objective that it was asked for? Every
 * recorded trace on six topologies: those of the distribution, or those that are named.
 *
 *      test-suite [TRACE...]
 *
 * A line a trace: in how many of 18 cases (topology, objective) it is better than the best of them, alike,
 * or worse; the last line sums up. Few evaluations: it is the promise that is tested here, not the search.
 * The objective of time is that of the mapper `replay`, which has a test of its own (tests/cli/test-map)
 * and a table (doc/mapping.md). With ../shared/traces/x/x/ (x: a star) it is all recorded traces; those of
 * 64 ranks take minutes. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mappers/placement.h"
#include "traces/collectives/collective.h"
#include "traces/graph/graph.h"
#include "traces/program.h"

#define EVALUATIONS 100000
#define TOPOLOGIES 6

static const char *const bundled[] = {
    "otf2-scorep-layout/mg.S.4",
    "otf2-scorep-layout/cover.S.4",
    "otf2-scorep-layout/is.S.16",
    "otf2-scorep-layout/dt.S.12.SH",
    "otf2-scorep-layout/ep.S.4",
    "otf2-eztrace/is.S.4",
    "otf2-eztrace/cover.S.4",
    "otf2-eztrace/ft.S.4",
    "dumpi/cover.S.4",
    "dumpi/ft.S.4",
    "dumpi/cover.W.4.persist",
    "dumpi/dt.S.5.WH",
};
/* Whom it must not lose to. */
static const char *const peers[] = {"identity", "row", "snake", "hilbert", "transpose", "scotch"};
#define PEERS (sizeof peers / sizeof *peers)

/* No larger than needed, but of whole sides. */
static const char *const *topologies_for(uint32_t ranks)
{
    static const char *const few[TOPOLOGIES] = {"mesh:3x2",       "torus:3x3",          "king-mesh:3x2",
                                                "king-torus:3x3", "diagonal-torus:3x3", "mesh:2x2x2"};
    static const char *const some[TOPOLOGIES] = {"mesh:4x4",       "torus:4x4",          "king-mesh:4x4",
                                                 "king-torus:5x5", "diagonal-torus:4x4", "mesh:4x2x2"};
    static const char *const many[TOPOLOGIES] = {"mesh:8x8",       "torus:8x8",          "king-mesh:8x8",
                                                 "king-torus:9x9", "diagonal-torus:8x8", "torus:4x4x4"};
    return ranks <= 6 ? few : ranks <= 16 ? some : many;
}

struct tally {
    unsigned better, alike, worse;
};

/* What `mapping` makes of an objective; false where it refuses (no SCOTCH in this build, no curve through this box). */
static bool cost_of(const char *mapping, const struct map_request *request, double *cost)
{
    struct base_error error = {0};
    struct map_cost costs = {0};
    struct map_placement *placement = map_placement_new(mapping, request, &error);
    bool known = placement != NULL &&
                 map_placement_cost(placement, request->graph, request->place.routing, &costs, &error) == 0;

    *cost = request->objective == MAP_HOP_BYTES  ? (double)costs.hop_bytes
            : request->objective == MAP_DILATION ? costs.mean_dilation
                                                 : costs.max_channel_load_bytes;
    map_placement_free(placement);
    return known;
}

/* A portfolio that refuses is worse than anything. */
static void compare(const struct map_request *request, struct tally *tally)
{
    double least = 0, own = 0;
    double cost;
    bool any = false;

    for (size_t i = 0; i < PEERS; i++)
        if (cost_of(peers[i], request, &cost) && (!any || cost < least)) {
            least = cost;
            any = true;
        }
    if (!any || !cost_of("portfolio", request, &own) || own > least) {
        fprintf(stderr, "worse on %s, objective %d: %.17g instead of %.17g\n", request->place.topology->text,
                (int)request->objective, own, least);
        tally->worse++;
    } else if (own < least)
        tally->better++;
    else
        tally->alike++;
}

static int compare_on(const char *name, const struct trace_comm_graph *graph, struct tally *tally)
{
    static const enum map_objective objectives[] = {MAP_HOP_BYTES, MAP_DILATION, MAP_CHANNEL_LOAD};
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(name, &error);
    struct net_routing routing;

    if (topology == NULL || net_routing_init(&routing, topology, NULL, 0, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        net_topology_free(topology);
        return -1;
    }
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++) {
        struct map_request request = {.place = {.topology = topology, .routing = &routing},
                                      .ranks = graph->ranks,
                                      .graph = graph,
                                      .objective = objectives[i],
                                      .effort = {.seed = 1, .evaluations = EVALUATIONS}};
        compare(&request, tally);
    }
    net_routing_free(&routing);
    net_topology_free(topology);
    return 0;
}

/* The anchor of an archive, or the directory of a DUMPI trace. */
static void find_anchor(const char *path, char *anchor, size_t room)
{
    static const char *const anchors[] = {"traces.otf2", "eztrace_log.otf2"};

    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
        snprintf(anchor, room, "%s/%s", path, anchors[i]);
        FILE *stream = fopen(anchor, "r");
        if (stream != NULL) {
            fclose(stream);
            return;
        }
    }
    snprintf(anchor, room, "%s", path);
}

/* Collectives are expanded by MPICH's algorithms, as the program's default is. */
static int compare_trace(const char *path, const char *label, struct tally *sum)
{
    struct base_error error = {0};
    struct tally tally = {0};
    struct trace_comm_graph *graph = NULL;
    struct trace_program *program;
    char anchor[4096];
    int status;

    find_anchor(path, anchor, sizeof anchor);
    program = trace_open(anchor, NULL, &error);
    if (program != NULL)
        graph = trace_comm_graph_new(program, trace_tuning_find("mpich", &error), &error);
    status = graph == NULL ? -1 : 0;
    for (size_t i = 0; i < TOPOLOGIES && status == 0; i++)
        status = compare_on(topologies_for(graph->ranks)[i], graph, &tally);
    if (graph == NULL)
        fprintf(stderr, "%s: %s\n", path, error.text);
    else
        printf("%-30s better %2u, alike %2u, worse %u\n", label, tally.better, tally.alike, tally.worse);
    fflush(stdout);
    sum->better += tally.better;
    sum->alike += tally.alike;
    sum->worse += tally.worse;
    trace_comm_graph_free(graph);
    trace_close(program);
    return status;
}

/* "dumpi/cg.S.4" of a longer path. */
static const char *label_of(char *path)
{
    char *label = path + strlen(path);
    int slashes = 0;

    while (label > path && label[-1] == '/')
        *--label = '\0';
    while (label > path && (label[-1] != '/' || ++slashes < 2))
        label--;
    return label;
}

int main(int argc, char **argv)
{
    const char *top = getenv("top_srcdir");
    struct tally sum = {0};
    int status = 0;
    char path[4096];

    for (size_t i = 0; argc == 1 && status == 0 && i < sizeof bundled / sizeof *bundled; i++) {
        snprintf(path, sizeof path, "%s/tests/data/%s", top == NULL ? "." : top, bundled[i]);
        status = compare_trace(path, bundled[i], &sum);
    }
    for (int i = 1; status == 0 && i < argc; i++)
        status = compare_trace(argv[i], label_of(argv[i]), &sum);
    printf("all: better %u, alike %u, worse %u\n", sum.better, sum.alike, sum.worse);
    return status != 0 || sum.worse > 0 || sum.better == 0;
}
