/* The list of fault routings. */
#include "netmodel/faults/fault-routing.h"

#include "base/names.h"

#define NET_FAULT_ROUTING(descriptor) extern const struct net_fault_routing descriptor;
#include "netmodel/faults/kinds.def"
#undef NET_FAULT_ROUTING

#define NET_FAULT_ROUTING(descriptor) &descriptor,
static const struct net_fault_routing *const kinds[] = {
#include "netmodel/faults/kinds.def"
};
#undef NET_FAULT_ROUTING

static const struct base_names names = BASE_NAMES("fault routing", kinds, struct net_fault_routing);

const struct net_fault_routing *const *net_fault_routings(size_t *count)
{
    *count = names.count;
    return kinds;
}

static const struct net_fault_routing *first_that_serves(const struct net_topology *topology,
                                                         struct base_error *error)
{
    for (size_t i = 0; i < names.count; i++)
        if (kinds[i]->serves->contains(topology))
            return kinds[i];
    base_error_set(error, BASE_USAGE, "no fault routing serves topology '%s'", topology->text);
    return NULL;
}

const struct net_fault_routing *net_fault_routing_find(const struct net_topology *topology, const char *name,
                                                       struct base_error *error)
{
    size_t place;

    if (name == NULL)
        return first_that_serves(topology, error);
    place = base_names_find(&names, name, SIZE_MAX, error);
    if (place == names.count)
        return NULL;
    if (kinds[place]->serves->contains(topology))
        return kinds[place];
    base_error_set(error, BASE_USAGE, "fault routing '%s' does not serve topology '%s'; it serves %s",
                   kinds[place]->name, topology->text, kinds[place]->serves->members);
    return NULL;
}
