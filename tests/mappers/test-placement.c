/* Placements: laws over every mapper, the text form and what it refuses, and costs by hand. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mappers/formats/map-file.h"
#include "mappers/placement.h"
#include "tests/fail-alloc.h"

static struct net_topology *topology(const char *text)
{
    struct base_error error = {0};
    struct net_topology *made = net_topology_new(text, &error);
    if (made == NULL)
        fail_msg("%s", error.text);
    return made;
}

/* Instead of a simulation: the time is short when rank 0 is on a high terminal. */
static int judge(void *context, const struct map_trial *asked, uint64_t *time_ns, struct base_error *error)
{
    (void)context;
    (void)error;
    *time_ns = 1000 - asked->terminal[0];
    return 0;
}

static struct map_placement *make_placement(const char *text, const struct net_topology *where,
                                            uint32_t ranks, const struct trace_comm_graph *graph,
                                            uint64_t seed, struct base_error *error)
{
    const struct map_judge simulator = {.judge = judge};
    struct map_request request = {
        .place = {.topology = where},
        .ranks = ranks,
        .graph = graph,
        .effort = {.seed = seed, .evaluations = strcmp(text, "replay") == 0 ? 20 : 5000},
        .judge = &simulator};
    return map_placement_new(text, &request, error);
}

/* Our own text form, for a machine where slots are terminals. */
static int read_file(const char *name, const struct net_topology *where, uint32_t ranks, uint32_t *terminal,
                     struct base_error *error)
{
    struct map_place place = {.topology = where};
    struct map_problem *problem = map_problem_new(&place, ranks, NULL, MAP_HOP_BYTES, false, error);
    struct base_input file;
    int status = -1;

    if (problem != NULL && base_input_open(&file, name) == 0) {
        status = map_file_read(map_format_find("text", error), &file, problem, terminal, error);
        base_input_close(&file);
    }
    map_problem_free(problem);
    return status;
}

/* ---- Files ---- */

static char path[64];

static int make_file(void **state)
{
    int descriptor;
    (void)state;
    strcpy(path, "/tmp/flitreplay-placement-XXXXXX");
    descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0 ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void fill_file(const char *content, size_t length)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

/* ---- Laws over every mapper ---- */

/* Whether a mapper was built in. */
static bool is_there(const struct map_mapper *mapper)
{
#ifdef HAVE_SCOTCH
    (void)mapper;
    return true;
#else
    return strcmp(mapper->name, "scotch") != 0;
#endif
}

static const char *const topologies[] = {"mesh:4x4",
                                         "torus:5x3",
                                         "king-mesh:4x4",
                                         "king-torus:5x5",
                                         "mesh:2x3x2",
                                         "ideal:16",
                                         "mesh:2x2,concentration=4",
                                         "mesh:1x1",
                                         "torus:3x3,concentration=2"};

/* The text that selects a mapper: the file mapper reads a placement that the random one has made. */
static void selecting_text(const struct map_mapper *mapper, const struct net_topology *where, uint32_t ranks,
                           char text[128])
{
    struct map_placement *random;
    FILE *stream;

    if (mapper->argument == NULL || strcmp(mapper->argument, "DEGREES") == 0) {
        snprintf(text, 128, "%s%s", mapper->name, mapper->argument == NULL ? "" : ":90");
        return;
    }
    snprintf(text, 128, "%s:%s", mapper->name, path);
    random = make_placement("random", where, ranks, NULL, 77, NULL);
    stream = fopen(path, "w");
    assert_non_null(random);
    assert_non_null(stream);
    assert_int_equal(map_placement_write(random, where, stream), 0);
    assert_int_equal(fclose(stream), 0);
    map_placement_free(random);
}

static void is_injective(const struct map_placement *placement, const struct net_topology *where)
{
    bool *taken = calloc(where->terminals, sizeof *taken);

    for (uint32_t rank = 0; rank < placement->ranks; rank++) {
        assert_true(placement->terminal[rank] < where->terminals);
        assert_false(taken[placement->terminal[rank]]);
        taken[placement->terminal[rank]] = true;
    }
    free(taken);
}

static void keeps_the_laws(const struct map_mapper *mapper, const struct net_topology *where, uint32_t ranks)
{
    char text[128];
    struct base_error error = {0};
    struct map_placement *one, *other;

    selecting_text(mapper, where, ranks, text);
    one = make_placement(text, where, ranks, NULL, 5, &error);
    other = make_placement(text, where, ranks, NULL, 5, &error);
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(one->ranks, ranks);
    assert_string_equal(one->mapper, mapper->name);
    assert_string_equal(one->text, text);
    assert_ptr_not_equal(one->text, text);
    is_injective(one, where);
    assert_memory_equal(one->terminal, other->terminal, ranks * sizeof *one->terminal);
    map_placement_free(one);
    map_placement_free(other);
}

static void every_mapper_keeps_the_laws(void **state)
{
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);
    (void)state;

    assert_true(count >= 3);
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        struct net_topology *where = topology(topologies[t]);
        for (size_t i = 0; i < count; i++)
            for (uint32_t ranks = 1; ranks <= where->terminals && is_there(mappers[i]); ranks++)
                keeps_the_laws(mappers[i], where, ranks);
        net_topology_free(where);
    }
}

static void written_placements_read_back(void **state)
{
    struct net_topology *where = topology("torus:5x3");
    struct map_placement *placement = make_placement("random", where, 11, NULL, 3, NULL);
    struct map_placement odd = *placement;
    uint32_t terminal[11];
    char content[256] = {0};
    FILE *stream = fopen(path, "w");
    (void)state;

    odd.text = "file:with\nline\rends";
    assert_int_equal(map_placement_write(&odd, where, stream), 0);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(read_file(path, where, 11, terminal, NULL), 0);
    assert_memory_equal(terminal, placement->terminal, sizeof terminal);
    stream = fopen(path, "r");
    assert_true(fread(content, 1, sizeof content - 1, stream) > 0);
    assert_int_equal(fclose(stream), 0);
    content[strcspn(content, "0123456789")] = '\0';
    assert_string_equal(
        content, "# flitreplay placement: rank terminal\n# mapping file:with?line?ends, topology torus:");
    map_placement_free(placement);
    map_placement_free(NULL);
    net_topology_free(where);
}

static void a_full_disk_is_noticed(void **state)
{
    struct net_topology *where = topology("mesh:4x4");
    struct map_placement *placement = make_placement("identity", where, 16, NULL, 1, NULL);
    FILE *stream = fopen("/dev/full", "w");
    (void)state;

    if (stream == NULL) {
        map_placement_free(placement);
        net_topology_free(where);
        suite_skip("no /dev/full here");
    }
    setvbuf(stream, NULL, _IONBF, 0);
    assert_int_equal(map_placement_write(placement, where, stream), -1);
    fclose(stream);
    map_placement_free(placement);
    net_topology_free(where);
}

/* ---- The mappers ---- */

static void identity_is_identity(void **state)
{
    struct net_topology *where = topology("mesh:4x4");
    struct map_placement *placement = make_placement("identity", where, 9, NULL, 1, NULL);
    (void)state;

    for (uint32_t rank = 0; rank < 9; rank++)
        assert_int_equal(placement->terminal[rank], rank);
    assert_int_equal(placement->evaluations, 0);
    map_placement_free(placement);
    net_topology_free(where);
}

/* All 24 ways to put 3 ranks on 4 terminals, 24000 seeds: a thousand each, within five standard deviations.
 */
static void random_is_uniform(void **state)
{
    struct net_topology *where = topology("mesh:2x2");
    unsigned seen[64] = {0};
    unsigned ways = 0;
    (void)state;

    for (uint64_t seed = 0; seed < 24000; seed++) {
        struct map_placement *placement = make_placement("random", where, 3, NULL, seed, NULL);
        seen[placement->terminal[0] * 16 + placement->terminal[1] * 4 + placement->terminal[2]]++;
        map_placement_free(placement);
    }
    for (size_t i = 0; i < 64; i++) {
        if (seen[i] == 0)
            continue;
        assert_in_range(seen[i], 845, 1155);
        ways++;
    }
    assert_int_equal(ways, 24);
    net_topology_free(where);
}

/* The placement of a seed is part of the model: results that were published with it must stay reproducible.
 */
static void random_placements_stay_what_they_are(void **state)
{
    static const uint32_t expected[16] = {13, 15, 9, 0, 1, 7, 6, 10, 4, 12, 14, 5, 3, 8, 11, 2};
    struct net_topology *where = topology("mesh:4x4");
    struct map_placement *placement = make_placement("random", where, 16, NULL, 1, NULL);
    struct map_placement *other = make_placement("random", where, 16, NULL, 2, NULL);
    (void)state;

    for (uint32_t rank = 0; rank < 16; rank++)
        assert_int_equal(placement->terminal[rank], expected[rank]);
    assert_memory_not_equal(placement->terminal, other->terminal, sizeof expected);
    map_placement_free(placement);
    map_placement_free(other);
    net_topology_free(where);
}

/* The list of all that is known, at the end of a sentence, grows. */
static void refuses_text(const char *text, uint32_t ranks, const char *sentence)
{
    struct net_topology *where = topology("mesh:3x3");
    struct base_error error = {0};

    assert_null(make_placement(text, where, ranks, NULL, 1, &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_memory_equal(error.text, sentence, strlen(sentence));
    if (strstr(sentence, "known") == NULL)
        assert_string_equal(error.text, sentence);
    assert_null(make_placement(text, where, ranks, NULL, 1, NULL));
    net_topology_free(where);
}

static void impossible_requests_are_refused(void **state)
{
    (void)state;
    refuses_text("randon", 4, "unknown mapping 'randon'; did you mean 'random'? known: identity, random, ");
    refuses_text("fil:x.map", 4, "unknown mapping 'fil'; did you mean 'file'? known: identity, random, ");
    refuses_text("", 4, "unknown mapping ''; known: identity, random, ");
    refuses_text("randomrandomrandomrandomrandomrandom", 4,
                 "unknown mapping 'randomrandomrandomrandomrandomr'; known: identity, random, ");
    refuses_text("file", 4, "mapping 'file' needs an argument: file:PATH");
    refuses_text("file:", 4, "mapping 'file' needs an argument: file:PATH");
    refuses_text("random:3", 4, "mapping 'random' takes no argument, but '3' is given");
    refuses_text("rotation", 4, "mapping 'rotation' needs an argument: rotation:DEGREES");
    refuses_text("rotation:45", 4, "a rotation is by 90, 180 or 270 degrees, not '45'");
    refuses_text("identity", 10, "10 ranks do not fit on the 9 terminals of mesh:3x3");
}

/* ---- Wrong files, for 3 ranks on mesh:2x2 ---- */

static void refuses_bytes(const char *content, size_t length, const char *sentence)
{
    struct net_topology *where = topology("mesh:2x2");
    struct base_error error = {0};
    uint32_t terminal[3];
    char text[128];

    fill_file(content, length);
    assert_int_equal(read_file(path, where, 3, terminal, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_memory_equal(error.text, path, strlen(path));
    assert_string_equal(error.text + strlen(path) + 2, sentence);
    assert_int_equal(read_file(path, where, 3, terminal, NULL), -1);
    snprintf(text, sizeof text, "file:%s", path);
    assert_null(make_placement(text, where, 3, NULL, 1, &error));
    net_topology_free(where);
}

static void refuses_file(const char *content, const char *sentence)
{
    refuses_bytes(content, strlen(content), sentence);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    refuses_file(
        "",
        "line 1, column 1: the file ends with 0 of 3 ranks placed; the first without a terminal is rank 0");
    refuses_file(
        "0 0\n2 1\n",
        "line 3, column 1: the file ends with 2 of 3 ranks placed; the first without a terminal is rank 1");
    refuses_file("0 0\n1 1\n0 2\n", "line 3, column 1: rank 0 is placed already, in line 1");
    refuses_file("# x\n0 0\n  1  0\n", "line 3, column 6: terminal 0 is taken already, by rank 0 in line 2");
    refuses_file("0 0\n1 4\n2 1\n", "line 2, column 3: there is no terminal 4: mesh:2x2 has 4");
    refuses_file("0 0\n1 1\n2 2\n3 3\n", "line 4, column 1: there is no rank 3: 3 ranks are mapped");
    refuses_file("4294967296 0\n", "line 1, column 1: there is no rank 4294967296: 3 ranks are mapped");
    refuses_file("0 18446744073709551616\n",
                 "line 1, column 3: there is no terminal 18446744073709551616: mesh:2x2 has 4");
    refuses_file("0 99999999999999999999999999999999999999999999\n",
                 "line 1, column 3: there is no terminal 99999999999999999999: mesh:2x2 has 4");
}

static void garbage_is_refused(void **state)
{
    (void)state;
    refuses_file("zero 0\n", "line 1, column 1: 'zero' where a rank is expected");
    refuses_file("0\n", "line 1, column 2: the line ends where a terminal is expected");
    refuses_file("0 \n", "line 1, column 3: the line ends where a terminal is expected");
    refuses_file("0 # 0\n", "line 1, column 3: '#' where a terminal is expected");
    refuses_file("0 1 2\n", "line 1, column 5: '2' where the end of the line is expected");
    refuses_file("-1 1\n", "line 1, column 1: '-1' where a rank is expected: it is below 0");
    refuses_file("0 +1\n",
                 "line 1, column 3: '+1' where a terminal is expected: numbers are written without a sign");
    refuses_file("0x1 1\n", "line 1, column 1: '0x1' where a rank is expected: numbers are decimal");
    refuses_file("0,1\n", "line 1, column 1: '0,1' where a rank is expected: a comma does not belong there");
    refuses_file("0 1.5\n",
                 "line 1, column 3: '1.5' where a terminal is expected: it must be a whole number");
    refuses_file("\xff\n", "line 1, column 1: a byte of value 255 where a rank is expected");
    refuses_bytes("0 0\n\0 1\n", 8, "line 2, column 1: a byte of value 0 where a rank is expected");
    refuses_bytes("0\0 1\n", 5, "line 1, column 2: a byte of value 0 where a terminal is expected");
    refuses_bytes("0 1\0\n", 5, "line 1, column 4: a byte of value 0 where the end of the line is expected");
}

static void wrong_lines_are_refused(void **state)
{
    static char content[5000];
    (void)state;

    refuses_file("0 0\n1 1\n2 2",
                 "line 3, column 4: the last line is not terminated: the file may have been cut off");
    refuses_file("#", "line 1, column 2: the last line is not terminated: the file may have been cut off");
    refuses_file("0 0\r\n1 1\r\n2 2\r\n", "line 1, column 4: a carriage return: the file has DOS line ends");
    refuses_file("\r\n", "line 1, column 1: a carriage return: the file has DOS line ends");
    memset(content, ' ', 4097);
    memcpy(content, "0 0\n#", 5);
    memset(content + 4101, '\n', 1);
    memset(content + 4097, 'x', 4);
    refuses_bytes(content, 4102, "line 2: longer than 4096 characters");
    memset(content, 'x', sizeof content);
    refuses_bytes(content, sizeof content, "line 1: longer than 4096 characters");
}

static void odd_but_right_files_are_read(void **state)
{
    struct net_topology *where = topology("mesh:2x2");
    static char content[5000];
    uint32_t terminal[3];
    size_t length = 4096;
    (void)state;

    /* The longest line that is allowed, blank lines, tabs, comments, any order, leading zeros. */
    memset(content, '#', length);
    length +=
        (size_t)sprintf(content + length, "\n\n \t\n2\t3\n  # all of it\n\t0 001# first\n1 2   # last\n");
    fill_file(content, length);
    assert_int_equal(read_file(path, where, 3, terminal, NULL), 0);
    assert_int_equal(terminal[0], 1);
    assert_int_equal(terminal[1], 2);
    assert_int_equal(terminal[2], 3);
    net_topology_free(where);
}

static void unreadable_files_are_refused(void **state)
{
    struct net_topology *where = topology("mesh:2x2");
    struct base_error error = {0};
    struct map_request request = {.place = {.topology = where}, .ranks = 3};
    (void)state;

    assert_null(map_placement_new("file:/nowhere/x.map", &request, &error));
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, "/nowhere/x.map: cannot open this placement: No such file or directory");
    assert_null(map_placement_new("file:/", &request, &error));
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, "/: cannot open this placement: Is a directory");
    assert_null(map_placement_new("file:bluegen:/nowhere/x.map", &request, &error));
    assert_string_equal(error.text,
                        "bluegen:/nowhere/x.map: cannot open this placement: No such file or directory; "
                        "'bluegen' is not a format of placements (flitreplay list placements)");
    net_topology_free(where);
}

/* ---- Costs ---- */

static struct map_cost cost_of(const char *topology_text, const char *routing_name, const uint32_t *terminal,
                               uint32_t ranks, const struct trace_pair *pairs, size_t count)
{
    struct net_topology *where = topology(topology_text);
    struct map_placement placement = {.ranks = ranks, .terminal = terminal, .mapper = "test", .text = "test"};
    struct trace_comm_graph *graph = trace_comm_graph_from(ranks, pairs, count, NULL);
    struct net_routing routing;
    struct base_error error = {0};
    struct map_cost cost;

    if (net_routing_init(&routing, where, routing_name, 0, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(map_placement_cost(&placement, graph, &routing, &cost, &error), 0);
    net_routing_free(&routing);
    trace_comm_graph_free(graph);
    net_topology_free(where);
    return cost;
}

static void is_cost(struct map_cost cost, uint64_t hop_bytes, double mean_dilation, uint32_t max_dilation,
                    double max_load)
{
    assert_int_equal(cost.hop_bytes, hop_bytes);
    assert_true(cost.mean_dilation == mean_dilation);
    assert_int_equal(cost.max_dilation, max_dilation);
    assert_true(cost.max_channel_load_bytes == max_load);
}

static void costs_by_hand(void **state)
{
    static const uint32_t grid[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static const uint32_t turned[] = {2, 0, 8};
    /* On 3x3: corner to corner X first (0 1 2 5 8), and one step on the same first link. */
    static const struct trace_pair corner[] = {{0, 8, 2, 100}, {0, 1, 1, 50}, {4, 4, 9, 900}};
    /* Ranks 0, 1, 2 on terminals 2, 0, 8: 2 -> 0 two links, 0 -> 8 four, back 8 -> 2 two. */
    static const struct trace_pair circle[] = {{0, 1, 1, 10}, {1, 2, 1, 20}, {2, 0, 2, 40}};
    /* Half way around a ring of 4 there are two ways. */
    static const struct trace_pair half[] = {{0, 2, 1, 100}};
    /* Two terminals a router: 0 and 1 share one; 0 and 3 are a link apart. */
    static const struct trace_pair shared[] = {{0, 1, 3, 70}, {0, 3, 1, 8}};
    /* By each router of a line of 3 in turn: 1, 1 and 3 links. */
    static const struct trace_pair detour[] = {{0, 1, 1, 30}};
    static const struct trace_pair none[] = {{1, 1, 5, 500}, {0, 8, 0, 0}};
    (void)state;

    is_cost(cost_of("mesh:3x3", "dimension-order", grid, 9, corner, 3), 450, 3.0, 4, 150);
    is_cost(cost_of("mesh:3x3", "dimension-order", turned, 3, circle, 3), 20 + 80 + 80, 2.5, 4, 40);
    is_cost(cost_of("king-mesh:3x3", NULL, grid, 9, corner, 3), 250, 5.0 / 3, 2, 100);
    is_cost(cost_of("torus:4x4", NULL, grid, 16, half, 1), 200, 2.0, 2, 50);
    is_cost(cost_of("mesh:2x2,concentration=2", NULL, grid, 8, shared, 2), 8, 0.25, 1, 8);
    is_cost(cost_of("mesh:3", "valiant", grid, 3, detour, 1), 50, 5.0 / 3, 3, 30);
    is_cost(cost_of("mesh:3x3", "adaptive-bubble", grid, 9, corner, 3), 450, 3.0, 4, 100);
    is_cost(cost_of("mesh:3x3", NULL, grid, 9, none, 2), 0, 0, 0, 0);
    is_cost(cost_of("mesh:3x3", NULL, grid, 9, NULL, 0), 0, 0, 0, 0);
}

/* All to all: with hops from breadth-first search instead of the routing, for every mapper. */
static void claimed_cost_is_the_recomputed_one(void **state)
{
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);
    struct trace_pair pairs[16 * 16];
    struct map_cost cost;
    (void)state;

    for (uint32_t i = 0; i < 256; i++)
        pairs[i] = (struct trace_pair){i / 16, i % 16, i % 5, (uint64_t)i * i};
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        struct net_topology *where = topology(topologies[t]);
        struct trace_comm_graph *graph = trace_comm_graph_from(16, pairs, 256, NULL);
        uint32_t *distances = calloc(where->routers + 1, 8), *queue = distances + where->routers;
        struct net_routing routing;
        for (size_t i = 0; i < count && where->terminals >= 16 && where->routers > 0; i++) {
            uint64_t hop_bytes = 0, bytes = 0;
            char text[128];
            struct map_placement *placement;
            if (!is_there(mappers[i]))
                continue;
            selecting_text(mappers[i], where, 16, text);
            placement = make_placement(text, where, 16, graph, 1, NULL);
            assert_non_null(placement);
            assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
            assert_true(routing.kind->minimal);
            for (uint32_t k = 0; k < 256; k++) {
                uint32_t from = placement->terminal[k / 16] / where->concentration;
                net_topology_search(where, from, distances, queue);
                bytes += k / 16 == k % 16 ? 0 : pairs[k].bytes;
                if (k / 16 != k % 16)
                    hop_bytes +=
                        pairs[k].bytes * distances[placement->terminal[k % 16] / where->concentration];
            }
            assert_int_equal(map_placement_cost(placement, graph, &routing, &cost, NULL), 0);
            assert_int_equal(cost.hop_bytes, hop_bytes);
            assert_true(placement->claims == mappers[i]->searches);
            if (placement->claims)
                assert_int_equal(placement->claimed_cost, hop_bytes);
            assert_true(cost.max_channel_load_bytes <= (double)bytes);
            assert_true(cost.max_channel_load_bytes * where->link_count >= (double)hop_bytes);
            assert_true(cost.mean_dilation <= cost.max_dilation);
            map_placement_free(placement);
        }
        free(distances);
        trace_comm_graph_free(graph);
        net_topology_free(where);
    }
}

static void costs_that_cannot_be(void **state)
{
    static const uint32_t terminal[] = {0, 1, 2, 3};
    static const struct trace_pair pair[] = {{0, 3, 1, UINT64_MAX}};
    struct net_topology *where = topology("mesh:2x2");
    struct map_placement placement = {.ranks = 4, .terminal = terminal};
    struct trace_comm_graph *fits = trace_comm_graph_from(4, pair, 1, NULL);
    struct trace_comm_graph *larger = trace_comm_graph_from(5, NULL, 0, NULL);
    struct net_routing routing;
    struct base_error error = {0};
    struct map_cost cost;
    (void)state;

    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    assert_int_equal(map_placement_cost(&placement, fits, &routing, &cost, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, "the hop-bytes of this communication exceed 64 bits");
    assert_int_equal(map_placement_cost(&placement, larger, &routing, &cost, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_string_equal(error.text, "a placement of 4 ranks cannot carry the communication of 5");
    assert_int_equal(map_placement_cost(&placement, fits, NULL, &cost, &error), 0);
    is_cost(cost, 0, 0, 0, 0);
    trace_comm_graph_free(fits);
    trace_comm_graph_free(larger);
    net_topology_free(where);
}

/* ---- Memory ---- */

struct attempt {
    const char *text;
    const struct net_topology *where;
    const struct trace_comm_graph *graph;
    const struct net_routing *routing;
};

static int attempt_all(void *state)
{
    const struct attempt *attempt = state;
    struct base_error error = {0};
    struct map_cost cost;
    struct map_placement *placement = make_placement(attempt->text, attempt->where, 12, NULL, 1, &error);
    int status = placement == NULL
                     ? -1
                     : map_placement_cost(placement, attempt->graph, attempt->routing, &cost, &error);

    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    map_placement_free(placement);
    return status;
}

static void memory_may_run_out(void **state)
{
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);
    struct net_topology *where = topology("mesh:4x4");
    struct trace_comm_graph *graph = trace_comm_graph_from(12, NULL, 0, NULL);
    struct net_routing routing;
    (void)state;

    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        char text[128];
        struct attempt attempt = {text, where, graph, &routing};
        if (!is_there(mappers[i]))
            continue;
        selecting_text(mappers[i], where, 12, text);
        assert_true(fail_alloc_each(attempt_all, &attempt) >= 4);
    }
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mapper_keeps_the_laws),
        cmocka_unit_test(written_placements_read_back),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(identity_is_identity),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(random_placements_stay_what_they_are),
        cmocka_unit_test(impossible_requests_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(wrong_lines_are_refused),
        cmocka_unit_test(odd_but_right_files_are_read),
        cmocka_unit_test(unreadable_files_are_refused),
        cmocka_unit_test(costs_by_hand),
        cmocka_unit_test(claimed_cost_is_the_recomputed_one),
        cmocka_unit_test(costs_that_cannot_be),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
