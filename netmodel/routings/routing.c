/* What all routings share: the list of kinds, preparation for a topology. Expected loads are in
 * load.c.
 *
 * A new routing is a file NAME.c that ends in a const struct net_routing_kind, and a line in
 * kinds.def; the laws of tests/netmodel/routings/test-routing.c (it arrives, is minimal if it says so, cannot
 * wait in a circle) run over the list. */
#include "netmodel/routing.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "netmodel/topologies/graph.h"
#include "netmodel/specification.h"

#define NET_ROUTING_KIND(descriptor) extern const struct net_routing_kind descriptor;
#include "netmodel/routings/kinds.def"
#undef NET_ROUTING_KIND

#define NET_ROUTING_KIND(descriptor) &descriptor,
static const struct net_routing_kind *const kinds[] = {
#include "netmodel/routings/kinds.def"
};
#undef NET_ROUTING_KIND

#define SHARED_BUFFERS 4
#define KINDS (sizeof kinds / sizeof kinds[0])

const struct net_routing_kind *const *net_routing_kinds(size_t *count)
{
    *count = KINDS;
    return kinds;
}

/* By the name before the first comma, or an error with the nearest one and the list. */
static const struct net_routing_kind *find_kind(const char *text, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("routing", kinds, struct net_routing_kind);
    size_t place = base_names_find(&names, text, strcspn(text, ","), error);

    return place == KINDS ? NULL : kinds[place];
}

bool net_routing_serves(const struct net_routing_kind *kind, const struct net_topology *topology)
{
    return kind->serves->contains(topology);
}

/* A form is another rule by a name of the list: what minimal means on a dragonfly. */
const struct net_routing_kind *net_routing_form(const char *name, const struct net_topology *topology)
{
    const struct net_routing_kind *const *forms = topology->kind->forms;
    for (size_t i = 0; forms != NULL && forms[i] != NULL; i++)
        if (strcmp(forms[i]->name, name) == 0)
            return forms[i];
    return NULL;
}

/* What a listed kind is on a topology. */
static const struct net_routing_kind *form_of(const struct net_routing_kind *kind,
                                              const struct net_topology *topology)
{
    const struct net_routing_kind *form = net_routing_form(kind->name, topology);
    return form != NULL ? form : kind;
}

uint32_t net_routing_needs(const struct net_routing_kind *kind, const struct net_topology *topology)
{
    kind = form_of(kind, topology);
    return kind->needs != NULL ? kind->needs(topology) : kind->virtual_channels;
}

/* Says what the routing serves and what serves the topology, so that the next try succeeds. */
static int refuse_pair(const struct net_routing_kind *kind, const struct net_topology *topology,
                       struct base_error *error)
{
    const char *separator = "";
    base_error_set(error, BASE_USAGE,
                   "routing '%s' does not serve topology '%s'; it serves: %s; routings for %s: ", kind->name,
                   topology->text, kind->serves->members, topology->kind->name);
    for (size_t i = 0; i < KINDS; i++)
        if (net_routing_serves(kinds[i], topology)) {
            base_error_append(error, "%s%s", separator, kinds[i]->name);
            separator = ", ";
        }
    return -1;
}

/* More than the routing needs are legal, fewer are not. Buffer sets of shared channels are of four buffers,
 * the number that the m-way paper settles on. */
static int set_virtual_channels(struct net_routing *routing, uint32_t virtual_channels,
                                struct base_error *error)
{
    uint32_t needed = net_routing_needs(routing->kind, routing->topology);
    if (needed == 0)
        return base_error_memory(error, "the longest way of a network");
    if (needed > NET_VIRTUAL_CHANNELS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "routing '%s' needs %u virtual channels on '%s', and links have at most %u",
                              routing->kind->name, needed, routing->topology->text, NET_VIRTUAL_CHANNELS_MAX);
    if (virtual_channels == 0 && routing->kind == &net_routing_table)
        virtual_channels = routing->topology->graph->virtual_channels; /* that the routes name */
    if (virtual_channels == 0)
        virtual_channels =
            routing->topology->shared != NULL && needed < SHARED_BUFFERS ? SHARED_BUFFERS : needed;
    if (virtual_channels < needed || virtual_channels > NET_VIRTUAL_CHANNELS_MAX)
        return base_error_set(error, BASE_USAGE, "routing '%s' takes %u to %u virtual channels, not %u",
                              routing->kind->name, needed, NET_VIRTUAL_CHANNELS_MAX, virtual_channels);
    routing->virtual_channels = virtual_channels;
    return 0;
}

bool net_routing_chooses_always(const struct net_routing *routing)
{
    (void)routing;
    return true;
}

bool net_routing_chooses_never(const struct net_routing *routing)
{
    (void)routing;
    return false;
}

/* Half of the way round an even ring is as short as the other half; diagonal tori tie in more places. */
static bool has_ties(const struct net_topology *topology)
{
    const struct net_grid *grid = topology->grid;
    bool is_diagonal = grid->diagonals == NET_DIAGONAL_Z || grid->diagonals == NET_DIAGONAL_T;

    for (uint32_t d = 0; grid->wraps && d < grid->dimensions; d++)
        if (is_diagonal || grid->sides[d] % 2 == 0)
            return true;
    return false;
}

bool net_routing_chooses_in_order(const struct net_routing *routing)
{
    return routing->virtual_channels > 1 || has_ties(routing->topology);
}

bool net_routing_chooses_of_ways(const struct net_routing *routing)
{
    return routing->topology->grid->dimensions > 1 || has_ties(routing->topology);
}

/* Everything that the choice of the kind fixes, and the kind's own tables. */
static int prepare(struct net_routing *routing, const char *text, uint32_t virtual_channels,
                   struct base_error *error)
{
    struct net_specification specification = {.what = "routing", .text = routing->kind->name};
    if ((strchr(text, ',') != NULL &&
         net_specification_parse_named(&specification, text, "routing", routing->kind->keys, &routing->arena,
                                       error) != 0) ||
        set_virtual_channels(routing, virtual_channels, error) != 0)
        return -1;
    routing->text = specification.text;
    routing->bubble_channels = UINT32_MAX >> (32 - routing->virtual_channels);
    return routing->kind->prepare(routing, &specification, error);
}

/* A file that declares routes means them; one that declares none is served by shortest ways, if these need no more
 * classes of channels than there can be. */
const char *net_routing_default(const struct net_topology *topology)
{
    const struct net_graph *graph = topology->graph;
    if (graph == NULL)
        return topology->kind->routing;
    if (graph->route_count != 0)
        return net_routing_table.name;
    bool fits = net_routing_needs(&net_routing_minimal, topology) <= NET_VIRTUAL_CHANNELS_MAX;
    return fits ? topology->kind->routing : net_routing_up_down.name;
}

/* Those that know ways around dead links, for who has asked another one for them. */
static int refuse_dead(const struct net_routing_kind *kind, struct base_error *error)
{
    const char *before = "";
    base_error_set(error, BASE_USAGE, "routing '%s' knows no ways around dead links; these do:", kind->name);
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i]->detours) {
            base_error_append(error, "%s %s", before, kinds[i]->name);
            before = ",";
        }
    return -1;
}

/* A copy, since the caller's array may be gone when the routing is asked. */
static int set_dead(struct net_routing *routing, const bool *dead, struct base_error *error)
{
    size_t links = routing->topology->link_count;
    bool *copy;

    if (dead == NULL)
        return 0;
    if (!routing->kind->detours)
        return refuse_dead(routing->kind, error);
    copy = base_arena_array(&routing->arena, links + 1, sizeof *copy);
    if (copy == NULL)
        return base_error_memory(error, "the dead links of a routing");
    memcpy(copy, dead, links * sizeof *copy);
    routing->dead = copy;
    return 0;
}

/* The routing that is taken where none is named and links are dead; NULL: none serves. */
static const char *first_with_detours(const struct net_topology *topology)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i]->detours && net_routing_serves(kinds[i], topology))
            return kinds[i]->name;
    return NULL;
}

/* Refusals come in the order in which a user can mend them: no routing at all, no such name, not here, no
 * such parameter, not so many virtual channels. */
int net_routing_init_around(struct net_routing *routing, const struct net_topology *topology,
                            const char *name, uint32_t virtual_channels, const bool *dead,
                            struct base_error *error)
{
    memset(routing, 0, sizeof *routing);
    if (topology->kind->routing == NULL)
        return base_error_set(error, BASE_USAGE, "topology '%s' has no links and takes no routing",
                              topology->text);
    if (dead != NULL && (name == NULL || *name == '\0'))
        name = first_with_detours(topology);
    if (name == NULL || *name == '\0')
        name = net_routing_default(topology);
    routing->topology = topology;
    routing->kind = find_kind(name, error);
    if (routing->kind == NULL)
        return -1;
    if (!net_routing_serves(routing->kind, topology))
        return refuse_pair(routing->kind, topology, error);
    routing->kind = form_of(routing->kind, topology);
    if (set_dead(routing, dead, error) == 0 && prepare(routing, name, virtual_channels, error) == 0)
        return 0;
    net_routing_free(routing);
    return -1;
}

int net_routing_init(struct net_routing *routing, const struct net_topology *topology, const char *name,
                     uint32_t virtual_channels, struct base_error *error)
{
    return net_routing_init_around(routing, topology, name, virtual_channels, NULL, error);
}

/* The descriptor and the topology are borrowed: only tables and texts go. */
void net_routing_free(struct net_routing *routing)
{
    base_arena_free(&routing->arena);
}
