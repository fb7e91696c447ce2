/* The laws of the control protocol and of rings (doc/faults.md, Laws), over random runs: every fault routing on every
 * network of the registered kinds that it serves, with faults at once, one after the other and into each other, under
 * packets that take longer by chance. And the sizes of rings that a prototype of the same state machine had. */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "netmodel/faults/rings.h"
#include "tests/brief.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

#define TEXTS_MAX 512
#define KHZ 1000000

/* What a run is of; said when a law does not hold. */
struct run {
    char what[512];
    struct net_topology *topology;
    struct net_faults faults;
    struct net_control control;
    bool local;
};

#define HOLD(run, law)                                                                                       \
    do {                                                                                                     \
        if (!(law))                                                                                          \
            fail_msg("%s: not: %s", (run)->what, #law);                                                      \
    } while (0)

/* ---- regions, from the definition ---- */

static uint32_t find(uint32_t *region, uint32_t router)
{
    while (region[router] != router)
        router = region[router] = region[region[router]];
    return router;
}

/* Faulty routers belong together over a live link, or over two live links through one router. NET_NONE for others. */
static uint32_t regions_of(const struct run *run, uint32_t *region)
{
    const struct net_topology *topology = run->topology;
    const struct net_control_router *router = run->control.router;
    uint32_t count = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        region[r] = r;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t first = router[r].faulty ? r : NET_NONE;
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t l = topology->link_at[(size_t)r * topology->ports + port];
            uint32_t to = l == NET_NONE ? 0 : topology->links[l].target;
            if (l == NET_NONE || run->faults.dies[l] != NET_NEVER || !router[to].faulty)
                continue;
            first = first == NET_NONE ? to : first;
            region[find(region, to)] = find(region, first);
        }
    }
    for (uint32_t r = 0; r < topology->routers; r++)
        count += router[r].faulty && region[r] == r;
    return count;
}

/* ---- laws ---- */

/* Law 1: answered, and both ends of every link of a tree say the same. */
static void pointers_agree(const struct run *run)
{
    const struct net_topology *topology = run->topology;
    const struct net_control *control = &run->control;
    const uint32_t *back = run->faults.cables.back;
    for (uint32_t r = 0; r < topology->routers; r++) {
        const struct net_control_router *state = &control->router[r];
        HOLD(run, state->pending == 0);
        HOLD(run, !state->stopped);
        HOLD(run, !state->member || state->parent == NET_NONE ||
                      (control->link[back[state->parent]] & NET_LINK_CHILD));
    }
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_control_router *parent = &control->router[topology->links[l].source];
        const struct net_control_router *child = &control->router[topology->links[l].target];
        HOLD(run, (control->link[l] & NET_LINK_SENSED ? 1 : 0) == (run->faults.dies[l] != NET_NEVER));
        HOLD(run, !(control->link[l] & NET_LINK_PENDING));
        if (!(control->link[l] & NET_LINK_CHILD))
            continue;
        HOLD(run, parent->member && child->member && child->parent == back[l]);
        HOLD(run, net_wave_equal(parent->wave, child->wave));
        HOLD(run, run->faults.dies[l] == NET_NEVER);
    }
}

/* Law 3: going on from any link of a ring comes back after 2 (n - 1) links, each router of the ring having been passed.
 * And rings hold all members, so that no tree is a circle. */
static void rings_are_circles(const struct run *run, const struct net_rings *rings, bool before)
{
    uint32_t routers = 0, members = 0, links = 0, on_rings = 0;
    for (uint32_t i = 0; i < rings->count; i++) {
        uint32_t link = rings->ring[i].first, steps = 0, most = 2 * (rings->ring[i].routers - 1);
        routers += rings->ring[i].routers;
        links += most;
        HOLD(run, (link == NET_NONE) == (most == 0));
        for (; link != NET_NONE && steps < most; steps++) {
            HOLD(run, rings->of[run->topology->links[link].target] == i);
            link = rings->next[link];
        }
        HOLD(run, link == rings->ring[i].first);
    }
    for (uint32_t r = 0; r < run->topology->routers; r++)
        members += run->control.router[r].member;
    for (uint32_t l = 0; l < run->topology->link_count; l++)
        on_rings += rings->next[l] != NET_NONE;
    HOLD(run, before ? routers >= members : routers == members);
    HOLD(run, on_rings == links);
}

/* Law 2, and that a tree is a region: the ends of a dead link are on one ring exactly where they are in one region. */
static void trees_are_regions(const struct run *run, const struct net_rings *rings)
{
    uint32_t *region = malloc(run->topology->routers * sizeof *region);
    uint32_t count = regions_of(run, region);
    struct base_error error;
    bool joined = true;
    HOLD(run, rings->count == (run->local ? count : run->faults.count > 0));
    for (uint32_t a = 0; a < run->topology->routers; a++)
        for (uint32_t b = 0; b < a && run->control.router[a].faulty; b++)
            HOLD(run, !run->control.router[b].faulty || !run->local ||
                          (rings->of[a] == rings->of[b]) == (find(region, a) == find(region, b)));
    for (uint32_t i = 0; i < run->faults.count && run->local; i++) {
        const struct net_link *link = net_fault_link(&run->faults, i);
        joined &= find(region, link->source) == find(region, link->target);
    }
    HOLD(run, (net_rings_check(rings, &run->control, &error) == 0) == joined);
    free(region);
}

/* Law 2: what is left after pruning ends at faulty routers, and whoever is not next to one has noticed nothing. */
static void trees_are_small(const struct run *run)
{
    const struct net_topology *topology = run->topology;
    for (uint32_t r = 0; r < topology->routers; r++) {
        const struct net_control_router *state = &run->control.router[r];
        bool concerned = state->faulty;
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t l = topology->link_at[(size_t)r * topology->ports + port];
            concerned |= l != NET_NONE && run->control.router[topology->links[l].target].faulty;
        }
        HOLD(run, concerned || (state->wave.epoch == 0 && !state->has_stopped));
        HOLD(run, !state->member || state->children > 0 || state->faulty);
    }
}

static void hold_laws(const struct run *run)
{
    struct net_rings before, now;
    struct base_error error;
    assert_int_equal(net_rings_init(&before, &run->control, true, &error), 0);
    assert_int_equal(net_rings_init(&now, &run->control, false, &error), 0);
    pointers_agree(run);
    rings_are_circles(run, &before, true);
    rings_are_circles(run, &now, false);
    trees_are_regions(run, &before);
    trees_are_regions(run, &now);
    if (run->local)
        trees_are_small(run);
    for (uint32_t i = 0; i < now.count && !run->local; i++)
        HOLD(run, now.ring[i].routers == run->topology->routers);
    net_rings_free(&before);
    net_rings_free(&now);
}

/* ---- random runs ---- */

struct texts {
    char text[TEXTS_MAX][128];
    uint32_t count;
};

/* Networks that a fault routing serves, that hold together and that have something to lose. */
static void add_text(const struct net_topology *topology, void *context)
{
    struct texts *texts = context;
    struct net_cables cables;
    struct base_error error;
    if (net_cables_init(&cables, topology, &error) == 0 && cables.count > 1 && topology->routers <= 512 &&
        strlen(topology->text) < sizeof texts->text[0]) {
        assert_true(texts->count < TEXTS_MAX);
        snprintf(texts->text[texts->count++], sizeof texts->text[0], "%s", topology->text);
    }
    net_cables_free(&cables);
}

/* One to four groups of faults, at once, within a wave's time of each other, or long after. */
static void write_faults(const char *path, uint32_t cables, struct base_random *random)
{
    static const uint32_t apart[] = {0, 1, 9, 40, 300};
    uint32_t groups = 1 + (uint32_t)base_random_below(random, 4);
    uint64_t cycle = base_random_below(random, 3);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t most = cables / 24 + 1;
        fprintf(file, "random %" PRIu64 " at %" PRIu64 " seed=%" PRIu64 "\n",
                1 + base_random_below(random, most), cycle, base_random_next(random) >> 2);
        cycle += base_random_below(random, apart[base_random_below(random, 5)] + UINT64_C(1));
    }
    fclose(file);
}

/* Returns whether the faults were accepted: some cut the network into pieces. */
static bool one_run(const struct texts *texts, const char *path, struct base_random *random)
{
    struct base_error error = {0};
    struct run run = {.topology = cases_topology(texts->text[base_random_below(random, texts->count)])};
    struct net_control_options options = {0};
    size_t count;
    const struct net_fault_routing *const *routings = net_fault_routings(&count);
    bool accepted;
    do
        options.routing = routings[base_random_below(random, count)];
    while (!options.routing->serves->contains(run.topology));
    options.link_cycles = 1 + (uint32_t)base_random_below(random, 3);
    options.jitter_cycles = (uint32_t)base_random_below(random, 4);
    options.seed = base_random_next(random);
    run.local = !options.routing->everywhere;
    write_faults(path, run.topology->link_count / 2, random);
    accepted = net_faults_init(&run.faults, run.topology, path, KHZ, &error) == 0;
    snprintf(run.what, sizeof run.what,
             "%s, %s, %" PRIu32 " faults, links of %" PRIu32 " and up to %" PRIu32 " more, seed %" PRIu64,
             run.topology->text, options.routing->name, run.faults.count, options.link_cycles,
             options.jitter_cycles, options.seed);
    if (!accepted && strstr(error.text, "cut off") == NULL && strstr(error.text, "links both ways") == NULL)
        fail_msg("%s", error.text);
    if (accepted) {
        if (net_control_init(&run.control, &run.faults, &options, &error) != 0 ||
            net_control_finish(&run.control, &error) != 0)
            fail_msg("%s: %s", run.what, error.text);
        hold_laws(&run);
    }
    if (accepted)
        net_control_free(&run.control);
    net_faults_free(&run.faults);
    net_topology_free(run.topology);
    return accepted;
}

/* Half of the runs are on king networks of some size, where all three serve and regions meet. */
static void random_runs(void **state)
{
    (void)state;
    static struct texts texts;
    uint64_t runs = brief_count("control runs", 10000, 20), accepted = 0, tried = 0;
    char path[] = "control-XXXXXX";
    int file = mkstemp(path);
    struct base_random random;
    assert_true(file >= 0);
    close(file);
    cases_each_example(add_text, &texts);
    cases_each_graph(add_text, &texts);
    for (uint32_t half = texts.count, i = 0; i < half; i++)
        snprintf(texts.text[texts.count++], sizeof texts.text[0],
                 i % 2 == 0 ? "king-mesh:%ux%u" : "king-torus:%ux%u", 4 + i % 6, 5 + i % 4);
    base_random_seed(&random, 20, 0);
    for (; accepted < runs; tried++)
        accepted += one_run(&texts, path, &random);
    unlink(path);
    assert_true(accepted > tried / 2);
    print_message("%" PRIu64 " of %" PRIu64 " sets of faults left a network in one piece\n", accepted, tried);
}

/* ---- sizes ---- */

struct sizes {
    double rings, routers, pruned, packets, stable;
    uint32_t least_pruned, most_pruned;
};

static void add_sizes(struct sizes *sizes, const struct net_control *control, uint32_t sets)
{
    struct net_rings before, now;
    struct base_error error;
    uint32_t pruned = 0;
    assert_int_equal(net_rings_init(&before, control, true, &error), 0);
    assert_int_equal(net_rings_init(&now, control, false, &error), 0);
    for (uint32_t i = 0; i < before.count; i++)
        sizes->routers += (double)before.ring[i].routers / sets;
    for (uint32_t i = 0; i < now.count; i++)
        pruned += now.ring[i].routers;
    for (uint32_t i = 0; i < NET_CONTROL_PRUNE; i++)
        sizes->packets += (double)control->packets[i] / sets;
    sizes->rings += (double)before.count / sets;
    sizes->pruned += (double)pruned / sets;
    sizes->stable += (double)control->stable / sets;
    sizes->least_pruned = pruned < sizes->least_pruned ? pruned : sizes->least_pruned;
    sizes->most_pruned = pruned > sizes->most_pruned ? pruned : sizes->most_pruned;
    net_rings_free(&before);
    net_rings_free(&now);
}

/* Means over random sets that leave the network in one piece. */
static struct sizes measure(const char *text, uint32_t faults, uint32_t sets)
{
    struct net_topology *topology = cases_topology(text);
    struct base_error error;
    struct sizes sizes = {.least_pruned = UINT32_MAX};
    struct net_control_options options = {.routing = net_fault_routing_find(topology, "kft", &error)};
    for (uint32_t done = 0, seed = 1; done < sets; seed++) {
        struct net_faults set;
        struct net_control control;
        char words[64];
        snprintf(words, sizeof words, "%u,seed=%u", faults, seed);
        if (net_faults_init(&set, topology, words, KHZ, &error) == 0) {
            assert_int_equal(net_control_init(&control, &set, &options, &error), 0);
            assert_int_equal(net_control_finish(&control, &error), 0);
            add_sizes(&sizes, &control, sets);
            net_control_free(&control);
            done++;
        }
        net_faults_free(&set);
    }
    net_topology_free(topology);
    print_message("%-18s %3u faults: %.2f rings, %.1f routers, %.1f after pruning, %.0f packets, stable in "
                  "cycle %.1f\n",
                  text, faults, sizes.rings, sizes.routers, sizes.pruned, sizes.packets, sizes.stable);
    return sizes;
}

/* The means of the prototype, with room for its other random sets. (The number of rings is that of the regions, which
 * is a property of the sets alone: trees_are_regions.) */
static void sizes_of_rings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t faults;
        double rings[2], routers[2], pruned[2]; /* from, to */
    } rows[] = {
        {"king-mesh:8x8", 1, {1, 1}, {11, 13}, {3, 3}},
        {"king-torus:8x8", 1, {1, 1}, {11, 13.5}, {3, 3}},
        {"king-mesh:16x16", 1, {1, 1}, {12, 14}, {3, 3}},
        {"king-torus:16x16", 1, {1, 1}, {12, 14}, {3, 3}},
        {"king-mesh:16x16", 8, {4.2, 5.2}, {77, 85}, {23, 27}},
        {"king-torus:16x16", 8, {4.2, 5.2}, {88, 96}, {23, 27}},
        {"king-mesh:16x16", 32, {2, 3.5}, {190, 210}, {84, 96}},
        {"king-torus:16x16", 32, {1.1, 1.6}, {190, 215}, {84, 96}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sizes sizes = measure(rows[i].text, rows[i].faults, 100);
        assert_true(sizes.rings > rows[i].rings[0] - 1e-9 && sizes.rings < rows[i].rings[1] + 1e-9);
        assert_true(sizes.routers >= rows[i].routers[0] && sizes.routers <= rows[i].routers[1]);
        assert_true(sizes.pruned > rows[i].pruned[0] - 1e-9 && sizes.pruned < rows[i].pruned[1] + 1e-9);
        assert_true(rows[i].faults > 1 || (sizes.least_pruned == 3 && sizes.most_pruned == 3));
    }
}

/* As long as a king network of some size is in one piece, kft finds a way around every set of faults. */
static void king_networks_are_served(void **state)
{
    (void)state;
    static const char *const texts[] = {"king-mesh:8x8", "king-torus:8x8", "king-mesh:16x16",
                                        "king-torus:16x16"};
    uint64_t sets = brief_count("sets of faults", 300, 10);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct base_error error = {0};
        struct net_control_options options = {.routing = net_fault_routing_find(topology, NULL, &error)};
        assert_string_equal(options.routing->name, "kft");
        for (uint64_t seed = 0; seed < sets; seed++) {
            struct net_faults set;
            struct net_control control = {0};
            struct net_rings rings = {0};
            char words[64];
            snprintf(words, sizeof words, "%u,seed=%" PRIu64, topology->routers == 64 ? 12 : 32, seed);
            if (net_faults_init(&set, topology, words, KHZ, &error) == 0 &&
                (net_control_init(&control, &set, &options, &error) != 0 ||
                 net_control_finish(&control, &error) != 0 ||
                 net_rings_init(&rings, &control, false, &error) != 0 ||
                 net_rings_check(&rings, &control, &error) != 0))
                fail_msg("%s %s: %s", texts[i], words, error.text);
            net_rings_free(&rings);
            net_control_free(&control);
            net_faults_free(&set);
        }
        net_topology_free(topology);
    }
}

/* A run of faults that a file names, to the end, and its rings. */
static void run_file(struct run *run, const char *topology, const char *routing, const char *content)
{
    struct base_error error = {0};
    char path[] = "control-XXXXXX";
    int file = mkstemp(path);
    run->topology = cases_topology(topology);
    struct net_control_options options = {.routing = net_fault_routing_find(run->topology, routing, &error)};
    assert_true(file >= 0 && write(file, content, strlen(content)) == (long)strlen(content));
    close(file);
    snprintf(run->what, sizeof run->what, "%s", content);
    run->local = !options.routing->everywhere;
    assert_int_equal(net_faults_init(&run->faults, run->topology, path, KHZ, &error), 0);
    assert_int_equal(net_control_init(&run->control, &run->faults, &options, &error), 0);
    unlink(path);
}

static void end_run(struct run *run)
{
    net_control_free(&run->control);
    net_faults_free(&run->faults);
    net_topology_free(run->topology);
}

/* Routers 0 1 below, 2 3 above; 0-1 dies in cycle 4. 5: alerts 0→2, 1→3, of waves (1,0) and (1,1). 7: 2 joins 0, ACC,
 * alert 2→3; 3 joins 1, ACC, alert 3→2. 9: 0 and 1 are answered; 3 declines (1,0); 2 joins 3 for (1,1): ACC to 3,
 * alert 2→0. 11: 3 is answered by 2, the late DEC is dropped; 0 joins 2: nobody else to ask, ACC and DONE on one
 * link, DONE in 12. 13: 2 hears ACC, 14 DONE: it says DONE. 16: 3 says DONE. 18: 1, the root: RESUME. 20, 22, 24: 3,
 * 2 and 0 go on. */
static void one_fault_by_hand(void **state)
{
    (void)state;
    struct run run = {0};
    struct base_error error = {0};
    run_file(&run, "mesh:2x2", "immunet", "4 0-1\n");
    assert_int_equal(net_control_next(&run.control), 5);
    assert_int_equal(net_control_finish(&run.control, &error), 0);
    assert_int_equal(run.control.packets[NET_CONTROL_ALERT], 5);
    assert_int_equal(run.control.packets[NET_CONTROL_ACC], 4);
    assert_int_equal(run.control.packets[NET_CONTROL_DEC], 1);
    assert_int_equal(run.control.packets[NET_CONTROL_DONE], 3);
    assert_int_equal(run.control.packets[NET_CONTROL_RESUME], 3);
    assert_int_equal(run.control.stable, 24);
    assert_int_equal(run.control.stopped_routers, 4);
    assert_int_equal(run.control.stopped_cycles, (18 - 5) + (20 - 7) + (22 - 7) + (24 - 5));
    assert_int_equal(run.control.router[1].parent, NET_NONE);
    hold_laws(&run);
    end_run(&run);
}

/* 0-1 dies, then 1-4 in the cycle in which 1 senses the first: the alert to 4 is not taken any more. */
static void a_dead_link_takes_nothing(void **state)
{
    (void)state;
    struct run run = {0};
    struct base_error error = {0};
    run_file(&run, "mesh:3x2", "immucube", "4 0-1\n5 1-4\n");
    assert_int_equal(net_control_step(&run.control, &error), 0);
    assert_int_equal(run.control.now, 5);
    assert_int_equal(run.control.packets[NET_CONTROL_ALERT], 2);
    assert_int_equal(net_control_finish(&run.control, &error), 0);
    hold_laws(&run);
    end_run(&run);
}

/* A later fault two links from a ring, at routers of lower number than the ring's root: their wave of the same epoch is
 * declined, and only merging makes one tree of the region. */
static void a_later_fault_merges(void **state)
{
    (void)state;
    struct run run = {0};
    struct base_error error = {0};
    run_file(&run, "king-mesh:8x8", "kft", "0 (6,6)-(7,6)\n500 (3,6)-(4,6)\n");
    while (net_control_next(&run.control) < 500)
        assert_int_equal(net_control_step(&run.control, &error), 0);
    assert_int_equal(run.control.router[55].wave.origin, 55);
    assert_int_equal(net_control_finish(&run.control, &error), 0);
    assert_int_equal(run.control.router[55].wave.epoch, 2);
    hold_laws(&run);
    end_run(&run);
}

/* A line has no way around. */
static void no_way_around_is_refused(void **state)
{
    (void)state;
    struct run run = {0};
    struct net_rings rings;
    struct base_error error = {0};
    run_file(&run, "king-torus:9x1", "kft", "0 2-3\n");
    assert_int_equal(net_control_finish(&run.control, &error), 0);
    assert_int_equal(net_rings_init(&rings, &run.control, false, &error), 0);
    assert_int_equal(net_rings_check(&rings, &run.control, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "no way around the dead link between (2) and (3)"));
    net_rings_free(&rings);
    end_run(&run);
}

/* A whole run, from the text to the rings. */
static int attempt(void *state)
{
    const struct net_topology *topology = state;
    struct base_error error = {0};
    struct net_control_options options = {.routing = net_fault_routing_find(topology, NULL, &error)};
    struct net_faults faults;
    struct net_control control = {0};
    struct net_rings rings = {0};
    int status = net_faults_init(&faults, topology, "3,seed=2", KHZ, &error);
    if (status == 0)
        status = net_control_init(&control, &faults, &options, &error);
    if (status == 0)
        status = net_control_finish(&control, &error);
    if (status == 0)
        status = net_rings_init(&rings, &control, false, &error);
    assert_true(status == 0 || error.status == BASE_SYSTEM);
    net_rings_free(&rings);
    net_control_free(&control);
    net_faults_free(&faults);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    struct net_topology *topology = cases_topology("king-mesh:4x4");
    assert_true(fail_alloc_each(attempt, topology) > 10);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fault_by_hand),    cmocka_unit_test(a_dead_link_takes_nothing),
        cmocka_unit_test(a_later_fault_merges), cmocka_unit_test(no_way_around_is_refused),
        cmocka_unit_test(sizes_of_rings),       cmocka_unit_test(king_networks_are_served),
        cmocka_unit_test(random_runs),          cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
