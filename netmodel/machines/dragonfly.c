/* The dragonfly (dragonfly.h). */
#include "netmodel/machines/dragonfly.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/machines/detours.h"
#include "netmodel/topologies/wires.h"

const struct net_dragonfly *net_dragonfly_of(const struct net_topology *topology)
{
    extern const struct net_topology_kind net_topology_dragonfly;
    return topology->kind == &net_topology_dragonfly ? topology->shape : NULL;
}

/* The group to which link x of a group leads; NET_NONE: it is not there. */
static uint32_t group_behind(const struct net_dragonfly *dragonfly, uint32_t group, uint32_t x)
{
    if (x + 1 >= dragonfly->groups)
        return NET_NONE;
    if (dragonfly->absolute)
        return x < group ? x : x + 1;
    return (group + dragonfly->groups - x - 1) % dragonfly->groups;
}

/* Names of local ports come first, one for each other router of the group, by how far ahead it is; then those of
 * global ones, which a group numbers through all its routers. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t name)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    uint32_t group = router / dragonfly->routers, place = router % dragonfly->routers;
    if (name + 1 < dragonfly->routers)
        return group * dragonfly->routers + (place + 1 + name) % dragonfly->routers;
    uint32_t x = place * dragonfly->globals + name - (dragonfly->routers - 1);
    uint32_t to = group_behind(dragonfly, group, x);
    return to == NET_NONE ? NET_NONE : net_dragonfly_gateway(dragonfly, to, group);
}

/* Of the classes that have links. */
static uint32_t class_of(const struct net_topology *topology, uint32_t name)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    return dragonfly->routers > 1 && name + 1 >= dragonfly->routers;
}

/* A dragonfly of one router a group, or of one group, lacks one of the two classes. */
static void set_classes(struct net_topology *topology, const struct net_dragonfly *dragonfly)
{
    static const char *const classes[] = {"local", "global"};
    topology->link_classes = classes + (dragonfly->routers == 1);
    topology->link_class_count = (dragonfly->routers > 1 ? 1U : 0U) + (dragonfly->groups > 1 ? 1U : 0U);
}

/* How global links are numbered among groups: palmtree, the default, or absolute. Anything else is the user's
 * mistake, and the error names the two that there are. */
static int read_arrangement(struct net_dragonfly *dragonfly, const struct net_specification *specification,
                            struct base_error *error)
{
    const char *value = net_specification_value(specification, "arrangement");
    dragonfly->absolute = value != NULL && strcmp(value, "absolute") == 0;
    if (value == NULL || dragonfly->absolute || strcmp(value, "palmtree") == 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "topology '%.80s': arrangement is palmtree or absolute, not '%.40s'",
                          specification->text, value);
}

/* Sizes and parameters; the ports are checked before anything is multiplied with them. */
static int read(struct net_dragonfly *dragonfly, const struct net_specification *specification,
                struct base_error *error)
{
    if (specification->side_count != 3)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a dragonfly takes three sizes, terminals of a router, "
                              "routers of a group and global links of a router, as in dragonfly:2,4,2",
                              specification->text);
    dragonfly->routers = specification->sides[1];
    dragonfly->globals = specification->sides[2];
    if ((uint64_t)dragonfly->routers - 1 + dragonfly->globals > NET_PORTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %u local and %u global links of a router are too many; "
                              "a router has at most %d ports",
                              specification->text, dragonfly->routers - 1, dragonfly->globals, NET_PORTS_MAX);
    uint64_t most = (uint64_t)dragonfly->routers * dragonfly->globals + 1, groups = most;
    if (net_specification_unsigned(specification, "groups", 1, most, &groups, error) != 0)
        return -1;
    dragonfly->groups = (uint32_t)groups;
    return read_arrangement(dragonfly, specification, error);
}

/* Reads sizes and parameters, names the ports (local ones first, then global ones), and lets the wires make the
 * links by their names. A group is the unit of partitions: the terminals of all its routers. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    struct net_dragonfly *dragonfly = base_arena_alloc(&topology->arena, sizeof *dragonfly);
    struct net_wires wires = {.target = target, .class_of = class_of};
    uint32_t next = 0;
    if (dragonfly == NULL)
        return base_error_memory(error, "a dragonfly");
    if (read(dragonfly, specification, error) != 0)
        return -1;
    uint64_t routers = (uint64_t)dragonfly->groups * dragonfly->routers;
    if (net_wires_size_ends(topology, specification, routers, routers, specification->sides[0], error) != 0)
        return -1;
    wires.names = dragonfly->routers - 1 + dragonfly->globals;
    const char **texts = base_arena_array(&topology->arena, wires.names, sizeof *texts);
    if (texts == NULL)
        return base_error_memory(error, "the names of ports");
    if (net_wires_add_names(topology, texts, &next, "local ", dragonfly->routers - 1, error) != 0 ||
        net_wires_add_names(topology, texts, &next, "global ", dragonfly->globals, error) != 0)
        return -1;
    wires.texts = texts;
    topology->shape = dragonfly;
    topology->group_terminals = dragonfly->routers * topology->concentration;
    set_classes(topology, dragonfly);
    return net_wires_build_named(topology, specification, &wires, error);
}

/* In canonical form what follows from the sizes is left out: as many groups as global links reach. */
static const char *write_parameters(struct net_topology *topology, const char *text)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    text = net_specification_append(topology, text, "groups", dragonfly->groups,
                                    dragonfly->routers * dragonfly->globals + 1);
    if (text == NULL || !dragonfly->absolute)
        return text;
    return base_arena_format(&topology->arena, "%s,arrangement=absolute", text);
}

/* Whether a router has a global link to a group. */
static bool leads_to(const struct net_dragonfly *dragonfly, uint32_t router, uint32_t group)
{
    uint32_t own = router / dragonfly->routers;
    return own != group && net_dragonfly_gateway(dragonfly, own, group) == router;
}

/* Whether two global links lead from a to b, through a router of a third group. */
static bool is_behind_two(const struct net_dragonfly *dragonfly, uint32_t a, uint32_t b)
{
    uint32_t from = a / dragonfly->routers, to = b / dragonfly->routers;
    for (uint32_t k = 0; k < dragonfly->globals; k++) {
        uint32_t x = a % dragonfly->routers * dragonfly->globals + k;
        uint32_t group = group_behind(dragonfly, from, x);
        if (group == NET_NONE || group == to || !leads_to(dragonfly, b, group))
            continue;
        if (net_dragonfly_gateway(dragonfly, group, from) == net_dragonfly_gateway(dragonfly, group, to))
            return true;
    }
    return false;
}

/* One global link, and a local one on either side where a or b is not at its end; instead of all three,
 * perhaps two global ones. */
static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    uint32_t from = a / dragonfly->routers, to = b / dragonfly->routers;
    if (from == to)
        return a != b;
    uint32_t hops = 1;
    hops += net_dragonfly_gateway(dragonfly, from, to) != a;
    hops += net_dragonfly_gateway(dragonfly, to, from) != b;
    return hops == 3 && is_behind_two(dragonfly, a, b) ? 2 : hops;
}

/* In a palmtree what a link leads to depends on how far the groups are apart: all may be turned by one. In the absolute
 * arrangement it depends on which they are. */
static uint32_t alike(const struct net_topology *topology, uint32_t router)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    return dragonfly->absolute ? router : router % dragonfly->routers;
}

/* By its group and its place in that. */
static void router_name(const struct net_topology *topology, uint32_t router, char *text)
{
    const struct net_dragonfly *dragonfly = topology->shape;
    snprintf(text, NET_NAME_TEXT, "group %" PRIu32 " router %" PRIu32, router / dragonfly->routers,
             router % dragonfly->routers);
}

/* The smallest square of at least so many. */
static uint32_t side_of_square(uint32_t count)
{
    uint32_t side = 1;
    while ((uint64_t)side * side < count)
        side++;
    return side;
}

/* Groups are squares of routers, and stand in a square. */
static bool lay(const struct net_topology *topology, uint32_t router, double at[2])
{
    const struct net_dragonfly *dragonfly = topology->shape;
    uint32_t inner = side_of_square(dragonfly->routers), outer = side_of_square(dragonfly->groups);
    uint32_t group = router / dragonfly->routers, place = router % dragonfly->routers;
    at[0] = group % outer * inner + place % inner;
    uint32_t row = group / outer * inner + place / inner;
    at[1] = row;
    return true;
}

/* Groups on a circle, clockwise from the top, the routers of each side by side, a router's room between two groups. */
static bool place(const struct net_topology *topology, uint32_t router, double at[2])
{
    const struct net_dragonfly *dragonfly = topology->shape;
    double step = 2 * acos(-1.0) / dragonfly->groups / (dragonfly->routers + 1);
    uint32_t group = router / dragonfly->routers;
    double angle = step * (group * (dragonfly->routers + 1.0) + router % dragonfly->routers -
                           (dragonfly->routers - 1) / 2.0);
    at[0] = sin(angle) / step;
    at[1] = cos(angle) / step;
    return true;
}

static const char *const keys[] = {"groups", "arrangement", NULL};

static const struct net_routing_kind *const forms[] = {&net_routing_minimal_dragonfly,
                                                       &net_routing_valiant_detours, NULL};

const struct net_topology_kind net_topology_dragonfly = {
    .name = "dragonfly",
    .chance = BASE_EXACT,
    .summary = "groups of A routers linked each to each, P terminals and H global links a router",
    .parameters = "P,A,H[,groups=G][,arrangement=palmtree|absolute]",
    .routing = "minimal",
    .forms = forms,
    .keys = keys,
    .tuple = true,
    .examples =
        "1,1,1 1,2,1 2,2,1,groups=2 1,2,2 1,3,1,arrangement=absolute "
        "2,2,2,groups=3,arrangement=absolute 1,1,3 1,4,1,groups=1 2,3,2,groups=5 1,2,3,arrangement=absolute",
    .build = build,
    .write = write_parameters,
    .place = place,
    .lay = lay,
    .distance = distance,
    .alike = alike,
    .router_name = router_name,
};
