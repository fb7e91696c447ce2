/* Golden digests: runs of every kind of engine, routing and option, each a line of tests/golden/flit-digests.csv
 * with the digest of all its delivery cycles. Every build must meet them: whatever the compiler, its optimisation,
 * sanitizers or the machine.
 *
 *      FLITREPLAY_UPDATE_GOLDEN=1      write the file anew: the rules have changed, say why
 *
 * A line: topology, routing, flow control, multiplexed, arbiter, link, router and credit cycles, virtual channels,
 * packet and buffer flits, injectors, digest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/choices.h"
#include "netmodel/network.h"
#include "netmodel/routings/families.h"

#define GOLDEN "tests/golden/flit-digests.csv"
#define HEADING                                                                                              \
    "topology,routing,flow_control,multiplexed,arbiter,link_cycles,router_cycles,credit_cycles,"             \
    "virtual_channels,packet_flits,buffer_flits,injectors,digest"

enum { LINE = 256, ROWS_MAX = 2000, MESSAGES = 400 };

/* A few hundred messages of all lengths, at a load that fills buffers. -1: it came to a stand. */
static int run(const struct net_topology *topology, const struct net_routing *routing,
               const struct net_options *options, char digest[BASE_DIGEST_TEXT], struct base_error *error)
{
    struct base_random random;
    int status = 1;
    struct net_network *network = net_network_new(topology, routing, options, error);
    if (!network)
        return -1;
    base_random_seed(&random, 99, 0);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        struct net_message message = {.source = (uint32_t)base_random_below(&random, topology->terminals),
                                      .target = (uint32_t)base_random_below(&random, topology->terminals),
                                      .flits = 1 + base_random_below(&random, 20),
                                      .tag = i};
        assert_int_equal(net_network_inject(network, i / 4, &message, error), 0);
    }
    while (status == 1)
        status = net_network_advance(network, UINT64_MAX, error);
    if (status == 0)
        assert_int_equal(net_network_check(network, error), 0);
    base_digest_text(&net_network_statistics(network)->digest, digest);
    net_network_free(network);
    return status;
}

/* The number-th choice of options: neighbours differ in many of them. The last four are those of the packet-grant
 * engine, of which two have latencies. */
static struct net_options choose_options(uint32_t number, const struct net_routing *routing)
{
    uint32_t draw = (uint32_t)(base_mix(number + 1) >> 40);
    struct net_options options = {.seed = number,
                                  .packet_flits = 8,
                                  .virtual_channels = routing->virtual_channels,
                                  .injectors = 1 + draw % 2,
                                  .arbiter = (enum net_arbiter)(number % 4)};
    bool by_packets = number >= 8;
    if (number % 3 == 0 || by_packets)
        options.arbiter = NET_ROUND_ROBIN;
    options.buffer_flits = 16 + draw / 2 % 5;
    if (by_packets ? number >= 10 : number % 2 == 1) {
        options.link_cycles = 1 + draw / 16 % 3;
        options.router_cycles = 1 + draw / 64 % 3;
        options.credit_cycles = 1 + draw / 256 % 3;
    }
    if (by_packets)
        return options;
    options.multiplexed = number / 2 % 2 != 0;
    bool rings = net_topology_wraps(routing->topology) && routing->bubble_channels != 0;
    if (number / 4 % 2 != 0 && !rings) {
        options.flow_control = NET_WORMHOLE;
        options.buffer_flits = 1 + draw / 2 % 9;
    }
    return options;
}

/* Of a routing without buffers: no choice but its own parameters, of which the name is told. */
static struct net_options choose_without_buffers(uint32_t number, char name[64])
{
    static const char *const rules[] = {"oldest", "random", "straight-through", "closest", "preferential"};
    snprintf(name, 64, "deflection,rule=%s%s", rules[number % 5], number % 2 != 0 ? ",new=equal" : "");
    return (struct net_options){.seed = number,
                                .link_cycles = 1 + number / 5 % 3,
                                .router_cycles = 1,
                                .credit_cycles = 1,
                                .virtual_channels = 1,
                                .packet_flits = 1,
                                .injectors = 1,
                                .consumers = number % 3};
}

static void print_row(FILE *stream, const struct net_routing *routing, const struct net_options *options,
                      const char *digest)
{
    size_t count;
    fprintf(stream,
            "\"%s\",\"%s\",%s,%d,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
            ",%" PRIu32 ",%s\n",
            routing->topology->text, routing->text, net_flow_controls(&count)[options->flow_control]->name,
            options->multiplexed, net_arbiters(&count)[options->arbiter]->name, options->link_cycles,
            options->router_cycles, options->credit_cycles, options->virtual_channels, options->packet_flits,
            options->buffer_flits, options->injectors, digest);
}

/* All rows of one topology and routing. Returns how many. */
static uint32_t print_rows(FILE *stream, const struct net_topology *topology,
                           const struct net_routing_kind *kind)
{
    struct net_routing routing;
    struct base_error error = {0};
    char digest[BASE_DIGEST_TEXT];
    uint32_t rows = 0;
    for (uint32_t number = 0; number < 12; number++) {
        uint32_t channels = net_routing_needs(kind, topology) + (kind->never_waits ? 0 : number % 2);
        char name[64];
        struct net_options options;
        snprintf(name, sizeof name, "%s", kind->name);
        if (kind->never_waits)
            options = choose_without_buffers(number, name);
        if (net_routing_init(&routing, topology, name, channels, &error) != 0)
            return rows; /* it does not serve this shape */
        if (!kind->never_waits)
            options = choose_options(number, &routing);
        if (run(topology, &routing, &options, digest, &error) < 0)
            fail_msg("%s, %s: %s", topology->text, kind->name, error.text);
        print_row(stream, &routing, &options, digest);
        rows++;
        net_routing_free(&routing);
    }
    return rows;
}

/* All routings of one topology. Returns how many rows. */
static uint32_t print_topology(FILE *stream, const struct net_topology *topology)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    uint32_t rows = 0;
    for (size_t i = 0; i < count; i++)
        if (net_routing_serves(kinds[i], topology))
            rows += print_rows(stream, topology, kinds[i]);
    return rows;
}

static uint32_t print_grids(FILE *stream)
{
    static const char *const texts[] = {"mesh:5x4",           "mesh:3x3x2",
                                        "torus:4x5",          "torus:3x4,concentration=2",
                                        "king-mesh:4x4",      "king-torus:5x4",
                                        "king-torus:4x4",     "diagonal-mesh:4x5",
                                        "diagonal-torus:4x4", "diagonal-torus:5x4,diagonal=nw"};
    uint32_t rows = 0;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct base_error error = {0};
        struct net_topology *topology = net_topology_new(texts[t], &error);
        assert_non_null(topology);
        rows += print_topology(stream, topology);
        net_topology_free(topology);
    }
    return rows;
}

/* The last two examples of every kind without a grid: the first ones are degenerate. */
static uint32_t print_examples(FILE *stream, const struct net_topology_kind *kind)
{
    const char *next = kind->examples + strlen(kind->examples);
    uint32_t rows = 0;
    for (uint32_t spaces = 0; next > kind->examples; next--)
        if (next[-1] == ' ' && ++spaces == 2)
            break;
    for (; *next != '\0'; next += strspn(next, " ")) {
        char text[96];
        int length = (int)strcspn(next, " ");
        snprintf(text, sizeof text, "%s:%.*s", kind->name, length, next);
        next += length;
        struct net_topology *topology = net_topology_new(text, NULL);
        assert_non_null(topology);
        if (net_family_free.contains(topology))
            rows += print_topology(stream, topology);
        net_topology_free(topology);
    }
    return rows;
}

static uint32_t print_all(FILE *stream)
{
    size_t count;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    fprintf(stream, "%s\n", HEADING);
    uint32_t rows = print_grids(stream);
    for (size_t k = 0; k < count; k++)
        if (kinds[k]->examples != NULL)
            rows += print_examples(stream, kinds[k]);
    return rows;
}

static void golden_path(char *path, size_t size)
{
    const char *top = getenv("top_srcdir");
    snprintf(path, size, "%s/" GOLDEN, top != NULL ? top : ".");
}

struct golden {
    char lines[ROWS_MAX][LINE];
    bool met[ROWS_MAX];
    uint32_t count;
};

static void read_golden(struct golden *golden, const char *path)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        fail_msg("%s is missing", path);
    golden->count = 0;
    while (golden->count < ROWS_MAX && fgets(golden->lines[golden->count], LINE, stream) != NULL)
        golden->met[golden->count++] = false;
    fclose(stream);
}

/* All but the digest is what a row is about. */
static bool same_run(const char *a, const char *b)
{
    size_t length = strlen(a) - strlen(strrchr(a, ','));
    return length == strlen(b) - strlen(strrchr(b, ',')) && strncmp(a, b, length) == 0;
}

/* Whether the line's run is in the golden file, where it must have the same digest. */
static bool meet(struct golden *golden, const char *line)
{
    for (uint32_t i = 0; i < golden->count; i++)
        if (!golden->met[i] && same_run(golden->lines[i], line)) {
            if (strcmp(golden->lines[i], line) != 0)
                fail_msg("%s, line %" PRIu32 ":\n  golden %s  found  %s", GOLDEN, i + 1, golden->lines[i],
                         line);
            golden->met[i] = true;
            return true;
        }
    return false;
}

/* Every golden row must be run and met. A run that the file does not have is of a routing that is newer. */
static void compare(const char *path, FILE *found)
{
    static struct golden golden;
    char line[LINE];
    uint32_t newer = 0;
    read_golden(&golden, path);
    while (fgets(line, sizeof line, found) != NULL)
        newer += !meet(&golden, line);
    for (uint32_t i = 0; i < golden.count; i++)
        if (!golden.met[i])
            fail_msg("%s, line %" PRIu32 " was not run: %s", GOLDEN, i + 1, golden.lines[i]);
    assert_true(golden.count > 400);
    if (newer != 0)
        print_message("%" PRIu32 " rows are new: FLITREPLAY_UPDATE_GOLDEN=1 adds them\n", newer);
}

static void test_digests(void **state)
{
    char path[4096];
    const char *update = getenv("FLITREPLAY_UPDATE_GOLDEN");
    (void)state;
    golden_path(path, sizeof path);
    bool writes = update != NULL && *update != '\0';
    FILE *found = writes ? fopen(path, "w") : tmpfile();
    assert_non_null(found);
    assert_true(print_all(found) > 200);
    rewind(found);
    if (!writes)
        compare(path, found);
    fclose(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
    return cmocka_run_group_tests_name("golden digests", tests, NULL, NULL);
}
