/* Graphs from files: what a file says is what is built, port numbers are as few as can be, every mistake is
 * answered with its line and column, damaged files and missing memory are survived. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/topologies/channels.h"
#include "netmodel/topologies/graph.h"
#include "netmodel/network.h"
#include "netmodel/routing.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static const char scratch[] = "test-graph.graph";

static void write_file(const char *text, size_t length)
{
    FILE *stream = fopen(scratch, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static struct net_topology *from_text(const char *text)
{
    write_file(text, strlen(text));
    return cases_topology("graph:test-graph.graph");
}

/* ---- what is built ---- */

/* Where nothing is said the file's routes are taken, with the virtual channels that they name. */
static void declared_routes_are_the_default(void **state)
{
    static const struct {
        const char *file, *routing;
        uint32_t channels;
    } cases[] = {
        {"ring", "table", 2}, {"routed", "table", 1}, {"tree", "minimal", 1}, {"petersen", "minimal", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096];
        struct net_routing routing;
        cases_graph_text(text, sizeof text, cases[i].file);
        struct net_topology *topology = cases_topology(text);
        assert_int_equal(net_routing_init(&routing, topology, i & 1 ? "" : NULL, 0, NULL), 0);
        assert_string_equal(routing.kind->name, cases[i].routing);
        assert_string_equal(net_routing_default(topology), cases[i].routing);
        assert_int_equal(routing.virtual_channels, cases[i].channels);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* A chain of 40 routers, or a ring of them. */
static void check_default_of_forty(bool closed, const char *routing, uint32_t channels)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "flitreplay-graph 1\n");
    struct net_routing found;
    for (unsigned r = 0; r < 40; r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "router r%u terminals=1\n", r);
    for (unsigned r = 0; r < (closed ? 40 : 39); r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "link r%u r%u\n", r, (r + 1) % 40);
    struct net_topology *topology = from_text(text);
    assert_int_equal(net_routing_init(&found, topology, NULL, 0, NULL), 0);
    assert_string_equal(found.kind->name, routing);
    assert_int_equal(found.virtual_channels, channels);
    net_routing_free(&found);
    net_topology_free(topology);
}

/* The shortest paths along a chain close no circle, however long; those round a ring do, and are of up to 20 hops. */
static void long_ways_are_shortest_where_they_can_be(void **state)
{
    (void)state;
    check_default_of_forty(false, "minimal", 1);
    check_default_of_forty(true, "up-down", 1);
}

/* What a link is, both ways of it; a class that no link names is that of the others. */
static void links_are_what_the_file_says(void **state)
{
    struct net_topology *topology = from_text(
        "flitreplay-graph 1\nrouter a terminals=1\nrouter b terminals=1\nrouter c\n"
        "arc b c length=7\nlink a b latency=9 width=1/3 class=global length=20\narc c a class=up\n");
    const struct net_link wanted[] = {{.target = 1, .latency = 9, .flit_cycles = 3, .length = 20},
                                      {.source = 1, .latency = 9, .flit_cycles = 3, .length = 20},
                                      {.source = 1, .target = 2, .length = 7, .class_number = 2},
                                      {.source = 2, .class_number = 1}};
    unsigned found = 0;
    (void)state;
    assert_int_equal(topology->link_class_count, 3);
    assert_string_equal(topology->link_classes[0], "global");
    assert_string_equal(topology->link_classes[1], "up");
    assert_string_equal(topology->link_classes[2], "other");
    assert_true(topology->own_latencies && topology->narrow_links);
    for (uint32_t i = 0; i < topology->link_count; i++)
        for (size_t w = 0; w < 4; w++) {
            const struct net_link *link = &topology->links[i];
            if (link->source != wanted[w].source || link->target != wanted[w].target)
                continue;
            assert_int_equal(link->latency, wanted[w].latency);
            assert_int_equal(net_link_width(link), net_link_width(&wanted[w]));
            assert_int_equal(link->length, wanted[w].length);
            assert_int_equal(link->class_number, wanted[w].class_number);
            found++;
        }
    assert_int_equal(found, 4);
    net_topology_free(topology);
}

/* The file's names: a number of a port or a router says nothing to whoever wrote them. */
static void links_are_named_by_their_routers(void **state)
{
    struct net_topology *topology = from_text(
        "flitreplay-graph 1\nrouter north terminals=1\nrouter south terminals=1\nlink south north\n");
    struct base_arena arena = {0};
    char text[NET_NAME_TEXT];
    (void)state;
    assert_string_equal(net_router_name(topology, 1, text), "south");
    for (uint32_t link = 0; link < 2; link++)
        assert_string_equal(net_channel_name(topology, &arena, link),
                            topology->links[link].source == 0 ? "north to south" : "south to north");
    base_arena_free(&arena);
    net_topology_free(topology);
}

static void files_are_built_as_they_say(void **state)
{
    char text[4096];
    (void)state;
    cases_graph_text(text, sizeof text, "tree");
    struct net_topology *topology = cases_topology(text);
    const struct net_graph *graph = topology->graph;
    assert_string_equal(topology->text, text);
    assert_int_equal(topology->routers, 5);
    assert_int_equal(topology->terminals, 6);
    assert_int_equal(topology->concentration, 2);
    assert_int_equal(topology->link_count, 12);
    assert_int_equal(topology->ports, 3);
    assert_int_equal(graph->terminal_routers, 3);
    assert_string_equal(graph->names[0], "l0");
    assert_string_equal(graph->names[2], "l2");
    assert_string_equal(graph->names[3], "s0");
    assert_true(graph->places[2][0] == 4 && graph->places[2][1] == -0.5);
    assert_int_equal(net_graph_router(topology, "s1"), 4);
    assert_int_equal(net_graph_router(topology, "s2"), NET_NONE);
    assert_int_equal(net_topology_distance(topology, 0, 2), 2);
    assert_int_equal(net_topology_router_of(topology, 5), 2);
    net_topology_free(topology);
}

/* Ports of a router and inputs of a router differ; links are sorted; there are as few numbers as links at the
 * widest side. */
static void expect_ports(const struct net_topology *topology, void *context)
{
    uint32_t widest = 1;
    (void)context;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint64_t out = 0, in = 0;
        for (uint32_t l = 0; l < topology->link_count; l++) {
            const struct net_link *link = &topology->links[l];
            uint64_t bit = UINT64_C(1) << link->port;
            if (link->source == r) {
                assert_int_equal(out & bit, 0);
                assert_int_equal(topology->link_at[r * topology->ports + link->port], l);
            }
            if (link->target == r)
                assert_int_equal(in & bit, 0);
            out |= link->source == r ? bit : 0;
            in |= link->target == r ? bit : 0;
        }
        widest = (uint32_t)__builtin_popcountll(out) > widest ? (uint32_t)__builtin_popcountll(out) : widest;
        widest = (uint32_t)__builtin_popcountll(in) > widest ? (uint32_t)__builtin_popcountll(in) : widest;
    }
    assert_int_equal(topology->ports, widest);
}

static void ports_are_as_few_as_can_be(void **state)
{
    struct base_random random;
    (void)state;
    assert_true(cases_each_graph(expect_ports, NULL) >= 4);
    base_random_seed(&random, 1, 0);
    for (int round = 0; round < 60; round++) {
        char text[8192];
        uint32_t routers = 2 + (uint32_t)base_random_below(&random, 12);
        uint32_t arcs = 1 + (uint32_t)base_random_below(&random, 8 * routers < 62 ? 8 * routers : 62);
        int used = snprintf(text, sizeof text, "flitreplay-graph 1\n");
        for (uint32_t r = 0; r < routers; r++)
            used += snprintf(text + used, sizeof text - (size_t)used, "router r%u terminals=1\n", r);
        for (uint32_t i = 0; i < arcs; i++) {
            uint32_t a = (uint32_t)base_random_below(&random, routers);
            uint32_t b = (a + 1 + (uint32_t)base_random_below(&random, routers - 1)) % routers;
            used += snprintf(text + used, sizeof text - (size_t)used, "arc r%u r%u\n", a, b);
        }
        struct net_topology *topology = from_text(text);
        assert_int_equal(topology->link_count, arcs);
        expect_ports(topology, NULL);
        net_topology_free(topology);
    }
}

/* ---- routings ---- */

/* Up-down on the tree: over either spine; on a ring of six with root 0, never through the link between equals
 * upwards again. */
static void up_down_goes_up_then_down(void **state)
{
    struct net_routing routing;
    struct net_route route;
    char text[4096];
    (void)state;
    cases_graph_text(text, sizeof text, "tree");
    struct net_topology *topology = cases_topology(text);
    assert_int_equal(net_routing_init(&routing, topology, "up-down,root=s1", 0, NULL), 0);
    assert_int_equal(net_routing_hops(&routing, 0, 2), 2);
    assert_int_equal(routing.kind->route(&routing, 0, routing.kind->start(&routing, 0, 2, 0), &route), 1);
    uint32_t up = topology->link_at[(uint32_t)__builtin_ctzll(route.ports[0])];
    assert_int_equal(route.ports[0] & (route.ports[0] - 1), 0);
    assert_int_equal(topology->links[up].target,
                     4); /* s0 is below the leaves: a way by it goes down, then up */
    net_routing_free(&routing);
    net_topology_free(topology);
    topology = cases_topology("torus:6");
    assert_int_equal(net_routing_init(&routing, topology, "up-down,root=0", 0, NULL), 0);
    assert_int_equal(net_routing_hops(&routing, 2, 4), 4); /* not by 3, which is at the bottom */
    assert_int_equal(net_routing_hops(&routing, 1, 3), 2);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* The two routes from a to c are drawn alike; the rest is as the file says. */
static void tables_route_as_declared(void **state)
{
    struct net_routing routing;
    char text[4096];
    double load[16] = {0};
    (void)state;
    cases_graph_text(text, sizeof text, "routed");
    struct net_topology *topology = cases_topology(text);
    assert_int_equal(net_routing_init(&routing, topology, "table", 0, NULL), 0);
    assert_int_equal(routing.kind->variants(&routing, 0, 2), 2);
    assert_int_equal(net_routing_hops(&routing, 0, 2), 1);
    assert_int_equal(net_routing_load(&routing, 0, 2, 1.0, load), 0);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        bool used = (link->source == 0 && (link->target == 1 || link->target == 2)) ||
                    (link->source == 1 && link->target == 2);
        assert_true(load[l] == (used ? 0.5 : 0));
    }
    assert_true(net_routing_lengths(&routing, 0, 2).mean == 1.5);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Over a link of width 1/W a flit takes W of its cycles: what it can carry is what its use is measured by. */
static void narrow_links_are_in_use_for_longer(void **state)
{
    char text[4096];
    struct net_routing routing;
    struct net_options options = {.seed = 1};
    (void)state;
    cases_graph_text(text, sizeof text, "groups");
    struct net_topology *topology = cases_topology(text);
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, NULL), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, NULL);
    for (uint32_t t = 1; t < topology->terminals; t++) {
        struct net_message message = {.source = 0, .target = t, .flits = 100};
        assert_int_equal(net_network_inject(network, 0, &message, NULL), 0);
    }
    while (net_network_pending(network) > 0)
        assert_true(net_network_advance(network, UINT64_MAX, NULL) >= 0);
    const struct net_statistics *statistics = net_network_statistics(network);
    uint64_t narrow = 0;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        bool global = strcmp(topology->link_classes[topology->links[l].class_number], "global") == 0;
        assert_int_equal(net_link_use(statistics)[l], statistics->link_flits[l] * (global ? 2 : 1));
        narrow += global ? statistics->link_flits[l] : 0;
    }
    assert_true(narrow >= 800); /* eight terminals are in other groups */
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Packets for a while, with the ring's dateline in use. */
static void packets_get_through(void **state)
{
    static const struct {
        const char *file, *routing;
        uint32_t channels;
    } cases[] = {
        {"tree", "up-down", 2}, {"petersen", "up-down", 1}, {"ring", "table", 2}, {"routed", "table", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        struct net_routing routing;
        struct base_random random;
        struct net_options options = {.seed = 1, .packet_flits = 4, .buffer_flits = 4};
        cases_graph_text(text, sizeof text, cases[i].file);
        struct net_topology *topology = cases_topology(text);
        assert_int_equal(net_routing_init(&routing, topology, cases[i].routing, cases[i].channels, NULL), 0);
        struct net_network *network = net_network_new(topology, &routing, &options, NULL);
        assert_non_null(network);
        base_random_seed(&random, 2, i);
        for (int m = 0; m < 2000; m++) {
            struct net_message message = {.source = (uint32_t)base_random_below(&random, topology->terminals),
                                          .target = (uint32_t)base_random_below(&random, topology->terminals),
                                          .flits = 4};
            assert_int_equal(net_network_inject(network, 0, &message, NULL), 0);
        }
        while (net_network_pending(network) > 0)
            assert_true(net_network_advance(network, UINT64_MAX, NULL) >= 0);
        assert_int_equal(net_network_statistics(network)->messages, 2000);
        assert_int_equal(net_network_check(network, NULL), 0);
        net_network_free(network);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* ---- what is wrong ---- */

#define HEAD "flitreplay-graph 1\nrouter a terminals=1\nrouter b terminals=1\nrouter s\n"

static void mistakes_are_answered_with_their_place(void **state)
{
    static const char *const cases[][2] = {
        {"", "test-graph.graph: a graph begins with: flitreplay-graph 1"},
        {"router a\n", "line 1, column 1: a graph begins with: flitreplay-graph 1"},
        {"flitreplay-graph 2\n", "line 1, column 1: a graph begins with"},
        {"flitreplay-graph 1\nrouter a\n", "test-graph.graph: no router has terminals"},
        {HEAD "rooter c\n", "line 5, column 1: 'rooter' is not a statement"},
        {HEAD "router\n", "line 5, column 1: a router is written: router NAME"},
        {HEAD "router  a\n", "line 5, column 9: router 'a' is declared already"},
        {HEAD "router c/1\n", "line 5, column 8: 'c/1' is not a name"},
        {HEAD "router c terminals=2\n", "line 5, column 10: 2 terminals, but routers before have 1"},
        {HEAD "router c terminals=-1\n", "line 5, column 10: '-1' is not a whole number"},
        {HEAD "router c at=1\n", "line 5, column 10: a place is written: at=X,Y"},
        {HEAD "router c size=1\n", "line 5, column 10: 'size=1': a router takes terminals=N and at=X,Y"},
        {HEAD "link a\n", "line 5, column 1: a link is written: link A B"},
        {HEAD "link a c\n", "line 5, column 8: there is no router 'c' above"},
        {HEAD "link a a\n", "line 5, column 8: router 'a' cannot be linked to itself"},
        {HEAD "arc a b back=1\n", "line 5, column 9: 'back=1': an arc takes rank=N"},
        {HEAD "link a b rank=x\n", "line 5, column 10: 'x' is not a whole number"},
        {HEAD "link a b latency=0\n",
         "line 5, column 10: '0': a latency is a number of cycles from 1 to 1024"},
        {HEAD "arc a b latency=1025\n", "line 5, column 9: '1025': a latency is a number of cycles"},
        {HEAD "arc a b class=\n", "line 5, column 9: '' is not a name for a class"},
        {HEAD "arc a b length=-1\n", "line 5, column 9: '-1' is not a whole number"},
        {HEAD "arc a b  width=2\n", "line 5, column 10: '2': a width is 1, or 1/W"},
        {HEAD "arc a b width=1/257\n", "line 5, column 9: '1/257': a width is 1, or 1/W"},
        {HEAD "arc a b width=1/0\n", "line 5, column 9: '1/0': a width is 1, or 1/W"},
        {HEAD "arc a b\nroute b a\n", "line 6, column 9: there is no link from 'b' to 'a'"},
        {HEAD "arc a b\nroute a b/16\n", "line 6, column 9: '16' is not a whole number from 0 to 15"},
        {HEAD "arc a s\nroute a s\n", "line 6, column 1: a route begins and ends at routers with terminals"},
        {HEAD "link a b\nroute a b a\n", "line 6, column 1: router 'a' needs no route to itself"},
        {HEAD "link a b\nroute a b\nlink a s\n", "line 7, column 1: links must precede routes"},
        {HEAD "link a b\narc b s rank=1\narc s a rank=1\nroute b s a\n",
         "line 8, column 11: this hop, of rank 1 on virtual channel 0, does not come after the one before"},
        {HEAD "arc a b\narc b s rank=1\nroute a b\n", "line 7, column 9: this hop's link has no rank"},
        {HEAD "link a b # \t \n\xff\n", "line 6, column 1: '\xff' is not a statement"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_error error = {0};
        write_file(cases[i][0], strlen(cases[i][0]));
        assert_null(net_topology_new("graph:test-graph.graph", &error));
        assert_int_equal(error.status, BASE_INPUT);
        if (strstr(error.text, cases[i][1]) == NULL)
            fail_msg("case %zu was answered with: %s", i, error.text);
    }
}

static void routings_say_what_a_graph_lacks(void **state)
{
    static const char *const cases[][3] = {
        {HEAD "arc a b\narc b a\n", "table", "declares no routes"},
        {HEAD "link a b\nroute a b\n", "table", "no route from 'b' to 'a'"},
        {HEAD "link a b\nroute a b/1\nroute b a\n", "table", "use 2 virtual channels; give --vcs 2"},
        {HEAD "arc a b\narc b s\narc s a\nroute a b\nroute b s a\nroute a b s a b\n", "table",
         "the routes may deadlock; channels that wait for each other in a cycle: "},
        {HEAD "arc a b\narc b s\narc s a\n", "up-down", "has no way from router b to router a that goes up"},
        {HEAD "link a b\n", "up-down,root=z", "root=z: not a whole number from 0 to 2"},
        {HEAD "link a b\n", "dimension-order", "'dimension-order' does not serve topology"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = from_text(cases[i][0]);
        struct base_error error = {0};
        struct net_routing routing;
        assert_int_equal(net_routing_init(&routing, topology, cases[i][1], 1, &error), -1);
        if (strstr(error.text, cases[i][2]) == NULL)
            fail_msg("case %zu was answered with: %s", i, error.text);
        net_topology_free(topology);
    }
}

/* A router with one link too many, and a line that is too long. */
static void limits_are_kept(void **state)
{
    char *text = malloc(2 << 20);
    struct base_error error = {0};
    (void)state;
    assert_non_null(text);
    int used = sprintf(text, "flitreplay-graph 1\nrouter a terminals=1\nrouter b\n");
    for (int i = 0; i <= NET_PORTS_MAX; i++)
        used += sprintf(text + used, "arc a b\n");
    write_file(text, (size_t)used);
    assert_null(net_topology_new("graph:test-graph.graph", &error));
    assert_non_null(strstr(error.text, "router 'a' has more than 256 links out"));
    memset(text, ' ', 2 << 20);
    write_file(text, 2 << 20);
    assert_null(net_topology_new("graph:test-graph.graph", &error));
    assert_non_null(strstr(error.text, "line 1: the line is longer than 1048576 characters"));
    write_file("a\0b\n", 4);
    assert_null(net_topology_new("graph:test-graph.graph", &error));
    assert_non_null(strstr(error.text, "line 1: a zero byte"));
    free(text);
}

/* Bytes changed, dropped and repeated: an answer, or a topology that any routing survives. */
static void damaged_files_are_survived(void **state)
{
    static const char *const files[] = {"tree", "ring", "routed", "petersen"};
    struct base_random random;
    unsigned read = 0, refused = 0;
    (void)state;
    base_random_seed(&random, 3, 0);
    for (int round = 0; round < 1500; round++) {
        char name[4096], bytes[4096];
        struct base_error error = {0};
        struct net_routing routing;
        cases_graph_text(name, sizeof name, files[round % 4]);
        FILE *stream = fopen(strchr(name, ':') + 1, "r");
        assert_non_null(stream);
        size_t length = fread(bytes, 1, sizeof bytes, stream);
        fclose(stream);
        for (uint64_t change = base_random_below(&random, 4); change < 5; change++) {
            size_t place = (size_t)base_random_below(&random, length);
            size_t from = (size_t)base_random_below(&random, length);
            uint64_t kind = base_random_below(&random, 3);
            if (kind == 0)
                bytes[place] = (char)base_random_below(&random, 256);
            else if (kind == 1)
                memmove(bytes + place, bytes + place + 1, --length - place);
            else
                bytes[place] = bytes[from];
        }
        write_file(bytes, length);
        struct net_topology *topology = net_topology_new("graph:test-graph.graph", &error);
        refused += topology == NULL;
        if (topology == NULL) {
            assert_true(error.status == BASE_INPUT && strlen(error.text) > 20);
            continue;
        }
        expect_ports(topology, NULL);
        if (net_routing_init(&routing, topology, round & 1 ? "table" : "up-down", 0, &error) == 0) {
            net_routing_free(&routing);
            read++;
        }
        net_topology_free(topology);
    }
    assert_true(read > 20 && refused > 500);
}

/* ---- memory ---- */

static int make(void *state)
{
    struct base_error error = {0};
    struct net_routing routing;
    struct net_topology *topology = net_topology_new(state, &error);
    int status;
    if (topology == NULL)
        return -1;
    status = net_routing_init(&routing, topology, topology->graph->route_count > 0 ? "table" : "up-down", 0,
                              &error);
    if (status == 0)
        net_routing_free(&routing);
    net_topology_free(topology);
    return status;
}

static void memory_runs_out(void **state)
{
    char text[4096];
    (void)state;
    cases_graph_text(text, sizeof text, "routed");
    assert_true(fail_alloc_each(make, text) >= 8);
    cases_graph_text(text, sizeof text, "petersen");
    assert_true(fail_alloc_each(make, text) >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_built_as_they_say),
        cmocka_unit_test(links_are_named_by_their_routers),
        cmocka_unit_test(links_are_what_the_file_says),
        cmocka_unit_test(declared_routes_are_the_default),
        cmocka_unit_test(long_ways_are_shortest_where_they_can_be),
        cmocka_unit_test(ports_are_as_few_as_can_be),
        cmocka_unit_test(up_down_goes_up_then_down),
        cmocka_unit_test(tables_route_as_declared),
        cmocka_unit_test(narrow_links_are_in_use_for_longer),
        cmocka_unit_test(packets_get_through),
        cmocka_unit_test(mistakes_are_answered_with_their_place),
        cmocka_unit_test(routings_say_what_a_graph_lacks),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(memory_runs_out),
    };
    int failed = cmocka_run_group_tests_name("graph", tests, NULL, NULL);
    remove(scratch);
    return failed;
}
