/* Wires of a network: widths, lengths, taps; energies by a technology. */
#include "netmodel/costs/wiring-internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/mway.h"

/* ---- what there is ---- */

/* A shared channel reaches the middle of the way to each neighbour, where its m-way router is. */
static void make_channels(struct net_wiring *wiring, const struct net_topology *topology,
                          const double *lengths)
{
    const struct net_shared *shared = topology->shared;
    wiring->links = wiring->count = topology->routers;
    for (uint32_t i = 0; i < topology->link_count; i++)
        wiring->wires[topology->links[i].source].mm += lengths[i] / 2;
    /* A flit over a shared channel also drives its taps, each as far away as a terminal is from its router
     * [choice]. */
    for (uint64_t channel = 0; channel < topology->routers; channel++) {
        wiring->wires[channel].taps = shared->processors;
        for (uint32_t port = 0; port < topology->ports; port++)
            wiring->wires[channel].taps += topology->link_at[channel * topology->ports + port] != NET_NONE;
    }
}

/* Levels of stages are as wide as they carry bits in a cycle, and buses have a tap at each cell. */
static void make_stages(struct net_wiring *wiring, const struct net_topology *topology,
                        const struct net_layout *layout)
{
    const struct net_multistage *stages = topology->multistage;
    for (uint32_t i = 0; i < topology->link_count; i++)
        wiring->wires[i].bits = net_multistage_width(stages, net_multistage_level(stages, i));
    /* Buses without bits cost no wires, and without a layout nothing is asked for. */
    for (uint32_t bus = 0; bus < stages->bus_count; bus++)
        wiring->wires[wiring->count++] =
            (struct net_wire){wiring->reason[0] == '\0' ? net_layout_bus(topology, layout, bus) : 0,
                              stages->bus_bits, stages->drivers + stages->receivers};
}

/* Lengths and widths of all wires: links or, where routers share channels, those channels; behind them what a
 * network of stages has of its own. On a floor of racks every link is a cable, and counted by its kind. */
static void fill(struct net_wiring *wiring, const struct net_cost_request *request, const double *lengths)
{
    const struct net_topology *topology = request->topology;
    bool is_shared = topology->shared != NULL;
    wiring->links = wiring->count = topology->link_count;
    for (uint32_t i = 0; i < topology->link_count && !is_shared; i++)
        wiring->wires[i].mm = lengths[i];
    if (is_shared)
        make_channels(wiring, topology, lengths);
    for (uint64_t i = 0; i < wiring->count; i++)
        wiring->wires[i].bits = is_shared ? request->flit_bits : net_costs_link_bits(request, i);
    if (topology->multistage != NULL)
        make_stages(wiring, topology, &request->layout);
    for (uint32_t i = 0; i < topology->link_count && request->layout.racks.routers > 0; i++)
        wiring->cables[net_racks_cable(&request->layout.racks, &topology->links[i], lengths[i])]++;
}

/* Room is for the most that a network can have, links, channels and buses together, so that nothing grows while
 * they are counted. A network without a layout has wires of length 0 and the reason; that is no error. */
int net_wiring_init(struct net_wiring *wiring, const struct net_cost_request *request,
                    struct base_error *error)
{
    const struct net_topology *topology = request->topology;
    size_t buses = topology->multistage != NULL ? topology->multistage->bus_count : 0;
    size_t room = (size_t)topology->link_count + topology->routers + buses + 1;
    double *lengths = calloc(room, sizeof *lengths);
    *wiring = (struct net_wiring){.wires = calloc(room, sizeof *wiring->wires)};
    if (wiring->wires == NULL || lengths == NULL) {
        free(lengths);
        return base_error_memory(error, "the lengths of links");
    }
    const char *why = net_layout_lengths(topology, &request->layout, lengths);
    if (why != NULL)
        snprintf(wiring->reason, NET_COST_REASON, "no layout: %s", why);
    fill(wiring, request, lengths);
    free(lengths);
    return 0;
}

/* Also of one that could not be made. */
void net_wiring_free(struct net_wiring *wiring)
{
    free(wiring->wires);
    wiring->wires = NULL;
}

/* ---- what it takes ---- */

/* Only what the user asked for (BASE_USAGE) can be a reason: a defect of the file or a lack of memory stays an
 * error. */
int net_cost_reason(const struct base_error *refused, char reason[NET_COST_REASON], struct base_error *error)
{
    if (refused->status != BASE_USAGE) {
        *error = *refused;
        return -1;
    }
    snprintf(reason, NET_COST_REASON, "%.*s", NET_COST_REASON - 1, refused->text);
    return 1;
}

/* Each wire in turn. Neighbours in the list mostly have one of few lengths, so that those that were asked for before
 * are kept. */
#define KEPT 16

struct asking {
    const struct net_technology *technology; /* that is asked */
    uint32_t kept;                           /* answers in the arrays below */
    struct net_wire wires[KEPT];             /* that were asked for */
    double values[KEPT][NET_COST_COLUMNS];   /* what each takes */
    char *reason;                            /* room for why a wire is not known */
};

/* 0 with the values; 1 with a reason; -1: an error. */
static int ask(struct asking *asking, uint32_t bits, double mm, const double **values,
               struct base_error *error)
{
    struct base_error refused;
    uint32_t place = 0;
    while (place < asking->kept && !(asking->wires[place].mm == mm && asking->wires[place].bits == bits))
        place++;
    *values = asking->values[place == KEPT ? KEPT - 1 : place];
    if (place < asking->kept)
        return 0;
    if (place == KEPT)
        place--;
    asking->kept = place + 1;
    asking->wires[place] = (struct net_wire){mm, bits, 0};
    if (net_technology_link(asking->technology, bits, mm, asking->values[place], &refused) == 0)
        return 0;
    asking->kept = place;
    return net_cost_reason(&refused, asking->reason, error);
}

/* A flit over a wire: its length and its taps. A tap takes what a link of no length does. Where the wire is
 * narrower or wider than a flit, the flit takes as many or as few bits of it as it has. */
static int ask_wire(struct asking *asking, const struct net_wire *wire, uint32_t flit_bits, double *energy_J,
                    struct net_wiring_sums *sums, struct base_error *error)
{
    const double *values;
    double taps = 0;
    int status = 0;
    if (wire->taps > 0) {
        status = ask(asking, wire->bits, 0, &values, error);
        taps = status == 0 ? wire->taps * values[NET_COST_LINK_ENERGY] : NAN;
    }
    if (status == 0)
        status = ask(asking, wire->bits, wire->mm, &values, error);
    if (status != 0)
        return status;
    *energy_J = values[NET_COST_LINK_ENERGY] + taps;
    if (wire->bits != flit_bits)
        *energy_J *= (double)flit_bits / wire->bits;
    sums->ndd_W += values[NET_COST_LINK_NDD];
    sums->mm2 += values[NET_COST_LINK_AREA];
    return 0;
}

/* Asks the technology for every wire. The first question is for one of no length (site_J). energies_J, where it is
 * not NULL, gets a value for each wire; the sum is of links alone. */
int net_wiring_ask(const struct net_wiring *wiring, const struct net_cost_request *request,
                   double *energies_J, struct net_wiring_sums *sums, char reason[NET_COST_REASON],
                   struct base_error *error)
{
    struct asking asking = {.technology = request->technology, .reason = reason};
    const double *values;
    int status = ask(&asking, request->flit_bits, 0, &values, error);
    *sums = (struct net_wiring_sums){.site_J = status == 0 ? values[NET_COST_LINK_ENERGY] : NAN};
    for (uint64_t i = 0; i < wiring->count && status == 0; i++) {
        double energy = 0;
        if (wiring->wires[i].bits > 0)
            status = ask_wire(&asking, &wiring->wires[i], request->flit_bits, &energy, sums, error);
        if (energies_J != NULL)
            energies_J[i] = energy;
        sums->energy_J += i < wiring->links ? energy : 0;
    }
    return status;
}
