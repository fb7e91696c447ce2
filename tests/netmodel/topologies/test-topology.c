/* Laws of every topology kind: its links, ports, rings, coordinates, distances and texts agree with each
 * other, with searches, and with the picture of the port order in doc/networks.md; and what is not a
 * topology is refused. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/mway.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static uint32_t link_at(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    return topology->link_at[(size_t)router * topology->ports + port];
}

static void links_are_sorted_and_found(const struct net_topology *topology, void *context)
{
    uint32_t seen = 0;
    (void)context;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t l = link_at(topology, router, port);
            if (l == NET_NONE)
                continue;
            assert_int_equal(l, seen++);
            assert_int_equal(topology->links[l].source, router);
            assert_int_equal(topology->links[l].port, port);
            assert_true(topology->links[l].target < topology->routers);
            if (topology->one_way == NULL) /* a ShuffleNet of one column leads from routers to themselves */
                assert_int_not_equal(topology->links[l].target, router);
        }
    assert_int_equal(seen, topology->link_count);
}

/* A link has one number, at its source and as an input of its target (topology.h). */
static void inputs_have_one_link(const struct net_topology *topology, void *context)
{
    bool *taken = calloc((size_t)topology->routers * topology->ports + 1, sizeof *taken);
    (void)context;
    assert_non_null(taken);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        size_t input = (size_t)topology->links[l].target * topology->ports + topology->links[l].port;
        assert_false(taken[input]);
        taken[input] = true;
    }
    free(taken);
}

/* Of grids: each link has one back by the opposite port. */
static void links_go_both_ways(const struct net_topology *topology, void *context)
{
    (void)context;
    if (topology->grid == NULL)
        return;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        uint32_t back = link_at(topology, link->target, link->port ^ 1);
        assert_int_not_equal(back, NET_NONE);
        assert_int_equal(topology->links[back].target, link->source);
    }
}

/* Of grids: a port closes rings exactly if going on and on by it leads back. */
static void ring_ports_come_round(const struct net_topology *topology, void *context)
{
    (void)context;
    if (topology->grid == NULL)
        return;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t router = 0, steps = 0;
        bool returned = false;
        for (; steps < topology->routers && !returned; steps++) {
            uint32_t l = link_at(topology, router, port);
            if (l == NET_NONE)
                break;
            router = topology->links[l].target;
            returned = router == 0;
        }
        assert_int_equal(returned, net_topology_in_ring(topology, port));
        assert_int_equal(net_topology_in_ring(topology, port), topology->grid->wraps);
    }
}

/* What the name of a port promises: signed steps in X, Y, Z …; diagonals in the plane. */
static void vector_of(const struct net_topology *topology, const char *name, int vector[NET_DIMENSIONS_MAX])
{
    int sign = strchr(name, '+') != NULL ? 1 : -1;
    memset(vector, 0, NET_DIMENSIONS_MAX * sizeof *vector);
    if (topology->grid->diagonals != 0 && (*name == 'Z' || *name == 'T')) {
        vector[0] = sign;
        vector[1] = *name == 'Z' ? sign : -sign;
    } else if (*name == 'D') {
        vector[atoi(name + 1) - 1] = sign;
    } else {
        vector[*name - 'X'] = sign;
    }
}

static void ports_lead_where_their_names_say(const struct net_topology *topology, void *context)
{
    (void)context;
    if (topology->grid == NULL)
        return;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t from[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
            uint32_t l = link_at(topology, router, port);
            int vector[NET_DIMENSIONS_MAX];
            bool inside = true;
            vector_of(topology, topology->kind->port_name(topology, port), vector);
            net_topology_coordinates(topology, router, from);
            if (l != NET_NONE)
                net_topology_coordinates(topology, topology->links[l].target, to);
            for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
                int side = (int)topology->grid->sides[d], at = (int)from[d] + vector[d];
                inside = inside && at >= 0 && at < side;
                if (l != NET_NONE)
                    assert_int_equal(to[d], (at + side) % side);
            }
            assert_int_equal(l != NET_NONE, inside || topology->grid->wraps);
        }
}

static void routers_are_numbered_by_coordinates(const struct net_topology *topology, void *context)
{
    uint32_t product = 1;
    (void)context;
    if (topology->grid == NULL)
        return;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        assert_true(topology->grid->sides[d] > 1);
        product *= topology->grid->sides[d];
    }
    assert_int_equal(product, topology->routers);
    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t coordinates[NET_DIMENSIONS_MAX];
        uint32_t number = 0;
        net_topology_coordinates(topology, router, coordinates);
        for (uint32_t d = topology->grid->dimensions; d-- > 0;)
            number = number * topology->grid->sides[d] + coordinates[d];
        assert_int_equal(number, router);
    }
}

static void terminals_share_routers(const struct net_topology *topology, void *context)
{
    (void)context;
    if (net_topology_is_ideal(topology)) {
        assert_int_equal(topology->link_count, 0);
        assert_int_equal(net_topology_router_of(topology, 0), NET_NONE);
        return;
    }
    if (net_shared_inside_routers(topology)) { /* one inside each pair of links */
        assert_int_equal(2 * topology->terminals, topology->link_count);
        return;
    }
    assert_true(topology->terminals <= topology->routers * topology->concentration);
    assert_int_equal(topology->terminals % topology->concentration, 0);
    for (uint32_t t = 0; t < topology->terminals; t++)
        assert_int_equal(net_topology_router_of(topology, t), t / topology->concentration);
}

static void distances_are_those_of_a_search(const struct net_topology *topology, void *context)
{
    uint32_t *distances = calloc(2 * (size_t)topology->routers + 1, sizeof *distances);
    (void)context;
    assert_non_null(distances);
    for (uint32_t a = 0; a < topology->routers; a++) {
        net_topology_search(topology, a, distances, distances + topology->routers);
        for (uint32_t b = 0; b < topology->routers; b++)
            assert_int_equal(net_topology_distance(topology, a, b), distances[b]);
    }
    free(distances);
}

static void texts_build_the_same_again(const struct net_topology *topology, void *context)
{
    struct net_topology *again = cases_topology(topology->text);
    (void)context;
    assert_string_equal(again->text, topology->text);
    assert_ptr_equal(again->kind, topology->kind);
    assert_int_equal(again->terminals, topology->terminals);
    assert_int_equal(again->concentration, topology->concentration);
    assert_int_equal(again->link_count, topology->link_count);
    if (topology->link_count > 0)
        assert_memory_equal(again->links, topology->links, topology->link_count * sizeof *again->links);
    net_topology_free(again);
}

/* Ports with names: each name leads where its link does, each link has one, and the two tables agree. */
static void names_are_of_one_port(const struct net_topology *topology, void *context)
{
    const struct net_named_ports *named = topology->named;
    uint32_t found = 0;
    (void)context;
    if (named == NULL)
        return;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t name = 0; name < named->count; name++) {
            uint32_t l = named->link_at[(size_t)router * named->count + name];
            if (l == NET_NONE)
                continue;
            found++;
            assert_int_equal(topology->links[l].source, router);
            assert_int_equal(named->of_link[l], name);
            assert_string_equal(net_port_name(topology, router, topology->links[l].port), named->texts[name]);
        }
    assert_int_equal(found, topology->link_count);
}

/* Links of a class lead both ways, and `up` links back by `down` ones. */
static void named_links_lead_both_ways(const struct net_topology *topology, void *context)
{
    (void)context;
    for (uint32_t l = 0; topology->named != NULL && l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        const char *class = topology->link_classes[link->class_number];
        const char *other = strcmp(class, "up") == 0 ? "down" : strcmp(class, "down") == 0 ? "up" : class;
        unsigned forth = 0, back = 0;
        for (uint32_t m = 0; m < topology->link_count; m++) {
            const struct net_link *found = &topology->links[m];
            const char *of = topology->link_classes[found->class_number];
            forth += found->source == link->source && found->target == link->target && strcmp(of, class) == 0;
            back += found->source == link->target && found->target == link->source && strcmp(of, other) == 0;
        }
        assert_int_equal(forth, back);
    }
}

static const char *name_of_port(const char *text, uint32_t router, uint32_t to)
{
    static char name[64];
    struct net_topology *topology = cases_topology(text);
    *name = '\0';
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (topology->links[l].source == router && topology->links[l].target == to)
            snprintf(name, sizeof name, "%s", net_port_name(topology, router, topology->links[l].port));
    net_topology_free(topology);
    return name;
}

/* By hand, from the definitions. */
static void ports_are_named_by_what_they_are_for(void **state)
{
    (void)state;
    assert_string_equal(name_of_port("fat-tree:2,3", 0, 4), "up 0");
    assert_string_equal(name_of_port("fat-tree:2,3", 0, 5), "up 1");
    assert_string_equal(name_of_port("fat-tree:2,3", 5, 1), "down 1");
    assert_string_equal(name_of_port("fat-tree:2,3", 5, 11), "up 1");
    assert_string_equal(name_of_port("fat-tree:2,3", 11, 7), "down 1");
    assert_string_equal(name_of_port("dragonfly:2,4,2", 1, 0), "local 2");
    assert_string_equal(name_of_port("dragonfly:2,4,2", 0, 35),
                        "global 0"); /* group 8, whose link 7 leads back */
    assert_string_equal(name_of_port("dragonfly:2,4,2", 35, 0), "global 1");
    assert_string_equal(name_of_port("dragonfly:2,4,2,arrangement=absolute", 0, 4), "global 0");
    assert_string_equal(name_of_port("dragonfly:2,4,2,arrangement=absolute", 8, 0), "global 0");
    assert_string_equal(name_of_port("dragonfly:2,4,2,arrangement=absolute", 8, 4), "global 1");
    assert_string_equal(name_of_port("hyperx:4x4", 1, 0), "X+3");
    assert_string_equal(name_of_port("hyperx:4x4", 1, 13), "Y+3");
    assert_string_equal(name_of_port("hyperx:2x1x3,width=2", 0, 2), "Z+1.1");
    assert_string_equal(name_of_port("full-mesh:5", 3, 0), "X+2");
    assert_string_equal(name_of_port("slim-fly:5", 0, 4), "local 1");   /* X = 1, 4 */
    assert_string_equal(name_of_port("slim-fly:5", 25, 28), "local 1"); /* X' = 2, 3 */
    assert_string_equal(name_of_port("slim-fly:5", 6, 39), "global 2"); /* 1 = 2 x 1 + 4 */
}

/* A link of a grid is of the class of the one dimension along which it leads, or diagonal. */
static void classes_are_what_links_are(const struct net_topology *topology, void *unused)
{
    (void)unused;
    for (uint32_t l = 0; l < topology->link_count && topology->link_class_count > 0; l++) {
        const struct net_link *link = &topology->links[l];
        uint32_t from[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
        uint32_t changed = 0, along = 0;
        assert_true(link->class_number < topology->link_class_count);
        if (topology->grid == NULL)
            continue;
        net_topology_coordinates(topology, link->source, from);
        net_topology_coordinates(topology, link->target, to);
        for (uint32_t d = 0; d < topology->grid->dimensions; d++)
            if (from[d] != to[d]) {
                changed++;
                along = d;
            }
        const char *class = topology->link_classes[link->class_number];
        if (changed > 1)
            assert_string_equal(class, "diagonal");
        else if (along < 3)
            assert_true(class[0] == "XYZ"[along] && class[1] == '\0');
        else
            assert_int_equal(strtoul(class + 1, NULL, 10), along + 1);
    }
    assert_true(topology->grid == NULL || topology->link_count == 0 || topology->link_class_count > 0);
}

/* Every law over every kind and shape; the names of the laws are in the table of main. */
static void over_every_topology(void **state)
{
    union {
        void *pointer;
        void (*law)(const struct net_topology *, void *);
    } as = {.pointer = *state};
    assert_true(cases_each_topology(as.law, NULL) >= 150);
}

/* Examples are canonical, so that they say what they are. */
static void examples_are_canonical(void **state)
{
    size_t kinds;
    const struct net_topology_kind *const *kind = net_topology_kinds(&kinds);
    (void)state;
    for (size_t k = 0; k < kinds; k++) {
        for (const char *next = kind[k]->examples; next != NULL && *next != '\0'; next += strspn(next, " ")) {
            char text[128];
            int length = (int)strcspn(next, " ");
            snprintf(text, sizeof text, "%s:%.*s", kind[k]->name, length, next);
            next += length;
            struct net_topology *topology = cases_topology(text);
            assert_string_equal(topology->text, text);
            net_topology_free(topology);
        }
    }
}

static void parallel_links_stay_apart(void **state)
{
    struct net_topology *ring = cases_topology("torus:2"), *king = cases_topology("king-torus:2x2");
    (void)state;
    assert_int_equal(ring->link_count, 4);
    assert_int_equal(ring->links[0].target, ring->links[1].target);
    assert_int_equal(king->link_count, 32);
    for (uint32_t port = 4; port < 8; port++)
        assert_int_equal(king->links[link_at(king, 0, port)].target, 3);
    net_topology_free(ring);
    net_topology_free(king);
}

static void sides_of_one_are_dropped(void **state)
{
    static const struct {
        const char *text;
        uint32_t dimensions, ports, links;
    } cases[] = {{"mesh:1x8", 1, 2, 14},       {"mesh:1", 0, 0, 0},         {"torus:1x1", 0, 0, 0},
                 {"torus:1x8", 1, 2, 16},      {"king-mesh:1x8", 1, 2, 14}, {"king-mesh:8x1", 1, 2, 14},
                 {"king-torus:1x5", 1, 2, 10}, {"king-torus:1x1", 0, 0, 0}, {"mesh:2x1x3", 2, 4, 14}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        assert_string_equal(topology->text, cases[i].text);
        assert_int_equal(topology->grid->dimensions, cases[i].dimensions);
        assert_int_equal(topology->ports, cases[i].ports);
        assert_int_equal(topology->link_count, cases[i].links);
        net_topology_free(topology);
    }
}

/* W of the links by a port that leave router 0; 0: there is none. */
static uint32_t width_at(const struct net_topology *topology, uint32_t port)
{
    uint32_t link = topology->link_at[port];
    return link == NET_NONE ? 0 : net_link_width(&topology->links[link]);
}

/* A size of 1 has a width and no links; diagonals have the last one. */
static void widths_are_of_dimensions_and_diagonals(void **state)
{
    struct net_topology *torus = cases_topology("torus:4x1x4,widths=1/2x1/7x1/3");
    struct net_topology *king = cases_topology("king-mesh:4x4,widths=1x1/2x1/5");
    struct net_topology *line = cases_topology("king-mesh:1x4,widths=1x1/2x1/5");
    (void)state;
    for (uint32_t port = 0; port < 4; port++)
        assert_int_equal(width_at(torus, port), port < 2 ? 2 : 3);
    assert_int_equal(width_at(king, 0), 1);
    assert_int_equal(width_at(king, 2), 2);
    assert_int_equal(width_at(king, 4), 5);
    assert_int_equal(width_at(line, 0), 2);
    assert_true(torus->narrow_links && king->narrow_links && line->narrow_links);
    net_topology_free(torus);
    net_topology_free(king);
    net_topology_free(line);
}

static void canonical_texts(void **state)
{
    static const char *const cases[][2] = {
        {"mesh:08x008", "mesh:8x8"},
        {"torus:4x4,concentration=1", "torus:4x4"},
        {"diagonal-mesh:4x4,diagonal=ne", "diagonal-mesh:4x4"},
        {"diagonal-mesh:4x4,diagonal=nw,concentration=2", "diagonal-mesh:4x4,concentration=2,diagonal=nw"},
        {"king-mesh:8x8,concentration=02", "king-mesh:8x8,concentration=2"},
        {"mesh:4x4,widths=1/1x1/02", "mesh:4x4,widths=1x1/2"},
        {"torus:4x1x4,widths=1x1x1,concentration=2", "torus:4x1x4,concentration=2"},
        {"diagonal-torus:4x4,widths=1/3x1x1,diagonal=nw", "diagonal-torus:4x4,diagonal=nw,widths=1/3x1x1"},
        {"shufflenet:02,3", "shufflenet:2,3"},
        {"xgft:04x2/1x03", "xgft:4x2/1x3"},
        {"dragonfly:2,4,2,arrangement=palmtree,groups=9", "dragonfly:2,4,2"},
        {"dragonfly:2,4,2,arrangement=absolute,groups=8", "dragonfly:2,4,2,groups=8,arrangement=absolute"},
        {"hyperx:4x4,width=1,terminals=2", "hyperx:4x4,terminals=2"},
        {"slim-fly:5,terminals=4", "slim-fly:5"},
        {"ideal:64", "ideal:64"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i][0]);
        assert_string_equal(topology->text, cases[i][1]);
        net_topology_free(topology);
    }
}

/* What a user may type wrong, and the words that the answer must hold. */
static const char *const refused[][2] = {
    {"", "unknown topology ''"},
    {"msh:8x8", "unknown topology 'msh'; did you mean 'mesh'? known: mesh, torus, "},
    {"omega", "the size is missing; write omega:S,M"},
    {"omega:3", "an omega network takes two sizes"},
    {"omega:3x2", "size '3x2' is not a whole number"},
    {"omega:3,2,2", "an omega network takes two sizes"},
    {"omega:3,2,", "size 3 is missing"},
    {"omega:3,2,link=5,4", "'4' is not a parameter of the form key=value (sizes come first)"},
    {"omega:3,2,bus=5", "unknown topology parameter 'bus'"},
    {"omega:3,2,link=0", "link=0: not a whole number from 1 to 1048576"},
    {"omega:3,63", "cells have from 2 to 62 ports a side"},
    {"omega:3,1", "cells have from 2 to 62 ports a side"},
    {"omega:21,2", "more than 1048576 processors"},
    {"glo:3,2", "a GLO network takes four sizes"},
    {"glo:1,2,2,2", "buses need two stages"},
    {"glo:3,4,3,2", "A and B that divide M"},
    {"mway-mesh:4x4,processors=0", "processors=0: not a whole number from 1 to"},
    {"mway-mesh:4x4,concentration=2", "unknown topology parameter 'concentration'"},
    {"mway-mesh:4x4,attach=bus", "attach is channel or router, not 'bus'"},
    {"mway-torus:4,attach=router,processors=2", "one processor inside each m-way router"},
    {"mway-mesh:1,attach=router", "no m-way router for a processor"},
    {"mway-hypercube:2x2", "takes one size from 1 to 24"},
    {"mway-hypercube:25", "takes one size from 1 to 24"},
    {"kingmesh:8x8", "did you mean 'king-mesh'?"},
    {"Tours:4x4", "did you mean 'torus'?"},
    {"zebra:3", "unknown topology 'zebra'; known: mesh, torus"},
    {"mesh", "the size is missing; write mesh:S[xS...][,concentration=C][,widths=W...]"},
    {"mesh:4x4,widths=1", "widths takes 2 widths, one for each size, as in widths=1x1/2"},
    {"mesh:4x4,widths=1x1x1", "widths takes 2 widths"},
    {"king-mesh:4x4,widths=1x1", "widths takes 3 widths, one for each size and one for the diagonals"},
    {"torus:4,widths=2", "'2' is not a width: widths are 1, or 1/W with W cycles a flit, up to 1/256"},
    {"torus:4,widths=1/0", "'1/0' is not a width"},
    {"torus:4,widths=1/257", "'1/257' is not a width"},
    {"torus:4x4,widths=1xx1", "'' is not a width"},
    {"torus:4x4,widths=1x", "'' is not a width"},
    {"mesh:", "the size is missing"},
    {"mesh:0x8", "size '0' is not a whole number from 1 to 16777216"},
    {"mesh:8x", "size 2 is missing"},
    {"mesh:x8", "size 1 is missing"},
    {"mesh:8xx8", "size 2 is missing"},
    {"mesh:-8x8", "size '-8' is not a whole number"},
    {"mesh:8.5x8", "size '8.5' is not a whole number"},
    {"mesh:8x8 ", "size '8 ' is not a whole number"},
    {"mesh: 8x8", "size ' 8' is not a whole number"},
    {"mesh:8X8", "size '8X8' is not a whole number"},
    {"mesh:8x8:3", "size '8:3' is not a whole number"},
    {"mesh:ax8", "size 'a' is not a whole number"},
    {"mesh:99999999999999999999999x2", "size '99999999999999999999999' is not a whole number"},
    {"mesh:16777217", "size '16777217' is not a whole number from 1 to 16777216"},
    {"mesh:5000x5000", "more than 16777216 routers"},
    {"mesh:65536x65536x65536x65536x65536", "more than 16777216 routers"},
    {"mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "more than 24 sizes"},
    {"torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "need more than 67108864 links"},
    {"mesh:4096x1024,concentration=5", "4194304 routers of 5 terminals are more than 16777216"},
    {"mesh:8x8,", "'' is not a parameter of the form key=value"},
    {"mesh:8,8", "'8' is not a parameter of the form key=value (sizes are separated by 'x')"},
    {"mesh:8x8,concentration", "'concentration' is not a parameter of the form key=value"},
    {"mesh:8x8,concentration=", "parameter 'concentration' has no value"},
    {"mesh:8x8,concentration=0", "concentration=0: not a whole number from 1 to 16777216"},
    {"mesh:8x8,concentration=two", "concentration=two: not a whole number"},
    {"mesh:8x8,concentration=2=3", "concentration=2=3: not a whole number"},
    {"mesh:8x8,concentration=2,concentration=2", "parameter 'concentration' is given twice"},
    {"mesh:8x8,concentratoin=2", "unknown topology parameter 'concentratoin'; did you mean 'concentration'?"},
    {"mesh:8x8,=2", "unknown topology parameter ''"},
    {"king-mesh:8", "a king network takes two sizes, as in king-mesh:8x8"},
    {"king-torus:4x4x4", "a king network takes two sizes, as in king-torus:8x8"},
    {"diagonal-mesh:4", "a diagonal network takes two sizes, as in diagonal-mesh:8x8"},
    {"diagonal-torus:4x4,diagonal=up", "diagonal is ne or nw, not 'up'"},
    {"king-mesh:4x4,diagonal=ne", "diagonal"},
    {"darm:4", "takes two to six sizes, as in darm:4x4x4"},
    {"darm:2x2x2x2x2x2x2", "takes two to six sizes, as in darm:4x4x4"},
    {"darm:4x1", "sides are at least 2"},
    {"darm:65x65", "with an odd side at most 4096 routers are possible, not 4225"},
    {"darm:1024x2048", "more than 1048576 routers"},
    {"darm:4x4,concentration=2", "it takes no parameters"},
    {"manhattan:2x2x2", "takes two sizes, as in manhattan:8x8"},
    {"manhattan:300x300", "more than 255 links apart"},
    {"shufflenet:2", "takes two sizes, links per router and columns, as in shufflenet:2,4"},
    {"shufflenet:2x4", "size '2x4' is not a whole number"},
    {"shufflenet:2,4,2", "takes two sizes"},
    {"shufflenet:2,", "size 2 is missing"},
    {"shufflenet:1,4", "a router has 2 to 8 links, not 1"},
    {"shufflenet:9,1", "a router has 2 to 8 links, not 9"},
    {"shufflenet:2,17", "more than 1048576 routers"},
    {"shufflenet:2,2,concentration=2", "it takes no parameters"},
    {"fat-tree:4", "a k-ary n-tree takes two sizes"},
    {"fat-tree:4,3,2", "a k-ary n-tree takes two sizes"},
    {"fat-tree:4,13", "more than 12 levels"},
    {"fat-tree:300,2", "a router of level 2 has 300 links down and 0 up; a router has at most 256 ports"},
    {"fat-tree:129,3", "a router of level 2 has 129 links down and 129 up"},
    {"fat-tree:128,4", "2097152 routers of 128 terminals are more than 16777216"},
    {"fat-tree:64,6", "more than 16777216 routers"},
    {"fat-tree:4,3,concentration=2", "it takes no parameters"},
    {"xgft:4x4", "2 sizes before the '/' and 0 behind it; write xgft:M1[xM2...]/W1[xW2...]"},
    {"xgft:4x4/1", "2 sizes before the '/' and 1 behind it"},
    {"xgft:4x4/1x", "size 4 is missing"},
    {"xgft:/1", "size 1 is missing"},
    {"xgft:4x4/1x2/3", "size '2/3' is not a whole number"},
    {"xgft:4x4/2x2", "a terminal has one router, so that W1 is 1 and not 2"},
    {"xgft:4x4,2/1x2", "2 sizes before the '/'"},
    {"dragonfly:2,4", "a dragonfly takes three sizes"},
    {"dragonfly:2,4,2,9", "a dragonfly takes three sizes"},
    {"dragonfly:2,4,0", "size '0' is not a whole number"},
    {"dragonfly:2,4,2,groups=10", "groups=10: not a whole number from 1 to 9"},
    {"dragonfly:2,4,2,groups=0", "groups=0: not a whole number from 1 to 9"},
    {"dragonfly:2,4,2,arrangement=circulant", "arrangement is palmtree or absolute, not 'circulant'"},
    {"dragonfly:2,200,100", "199 local and 100 global links of a router are too many"},
    {"dragonfly:4,160,80", "2048160 routers of 239 ports need more than 67108864 links"},
    {"hyperx:4x4,terminals=0", "terminals=0: not a whole number"},
    {"hyperx:4x4,width=0", "width=0: not a whole number from 1 to 256"},
    {"hyperx:200x200", "a router would have more than 256 ports"},
    {"hyperx:9x9,width=17", "a router would have more than 256 ports"},
    {"hyperx:32x32x32x32x32", "more than 16777216 routers"},
    {"hyperx:4x4,concentration=2", "unknown topology parameter 'concentration'"},
    {"full-mesh:300", "a router would have more than 256 ports"},
    {"slim-fly:2", "2 is not an odd prime; Slim Flies of powers of primes, such as 4 and 9, are not built"},
    {"slim-fly:9", "9 is not an odd prime"},
    {"slim-fly:1", "1 is not an odd prime"},
    {"slim-fly:5x5", "takes one size, a prime, as in slim-fly:5"},
    {"slim-fly:211", "routers of more than 256 ports"},
    {"ideal:8x8", "an ideal network takes one size"},
    {"ideal:8,concentration=2", "unknown topology parameter 'concentration'"},
    {"ideal:8,latency=1s", "latency"},
};

static void what_is_no_topology_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct base_error error = {0};
        assert_null(net_topology_new(refused[i][0], &error));
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, refused[i][1]) == NULL)
            fail_msg("'%s' was answered with: %s", refused[i][0], error.text);
    }
    assert_null(net_topology_new("mesh:0", NULL));
}

/* Who mistypes a name is told all others, in the order of the list. */
static void unknown_names_are_answered_with_all(void **state)
{
    size_t kinds;
    const struct net_topology_kind *const *kind = net_topology_kinds(&kinds);
    struct base_error error = {0};
    (void)state;
    assert_null(net_topology_new("msh:8x8", &error));
    const char *next = strstr(error.text, "known: ");
    for (size_t k = 0; k < kinds; k++) {
        assert_non_null(next);
        next += k == 0 ? strlen("known: ") : strlen(", ");
        assert_memory_equal(next, kind[k]->name, strlen(kind[k]->name));
        next += strlen(kind[k]->name);
    }
    assert_string_equal(next, "");
}

/* Long and odd texts: refused, cut in the message, and nothing left behind. */
static void any_text_is_survived(void **state)
{
    size_t length = 100000;
    char *text = malloc(length + 1);
    struct base_error error = {0};
    (void)state;
    assert_non_null(text);
    for (int c = 1; c < 256; c++) {
        memset(text, c, length);
        text[length] = '\0';
        assert_null(net_topology_new(text, &error));
        memcpy(text, "mesh:", 5);
        assert_null(net_topology_new(text, &error));
        memcpy(text, "mesh:2,", 7);
        assert_null(net_topology_new(text, &error));
        assert_int_equal(error.status, BASE_USAGE);
    }
    free(text);
}

static int make_topology(void *text)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    if (topology == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    net_topology_free(topology);
    return topology != NULL ? 0 : -1;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(make_topology, "king-torus:64x64,concentration=2") >= 3);
    assert_true(fail_alloc_each(make_topology, "mesh:3x4x5") >= 2);
    assert_true(fail_alloc_each(make_topology, "darm:4x4") >= 3);
    assert_true(fail_alloc_each(make_topology, "shufflenet:2,3") >= 3);
    assert_true(fail_alloc_each(make_topology, "ideal:5") >= 2);
}

#define LAW(law)                                                                                             \
    {                                                                                                        \
#law, over_every_topology, NULL, NULL, (void *)(uintptr_t)(law)                                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(links_are_sorted_and_found),
        LAW(inputs_have_one_link),
        LAW(links_go_both_ways),
        LAW(ring_ports_come_round),
        LAW(ports_lead_where_their_names_say),
        LAW(routers_are_numbered_by_coordinates),
        LAW(terminals_share_routers),
        LAW(classes_are_what_links_are),
        LAW(distances_are_those_of_a_search),
        LAW(texts_build_the_same_again),
        LAW(names_are_of_one_port),
        LAW(named_links_lead_both_ways),
        cmocka_unit_test(ports_are_named_by_what_they_are_for),
        cmocka_unit_test(examples_are_canonical),
        cmocka_unit_test(parallel_links_stay_apart),
        cmocka_unit_test(sides_of_one_are_dropped),
        cmocka_unit_test(widths_are_of_dimensions_and_diagonals),
        cmocka_unit_test(canonical_texts),
        cmocka_unit_test(what_is_no_topology_is_refused),
        cmocka_unit_test(unknown_names_are_answered_with_all),
        cmocka_unit_test(any_text_is_survived),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
