/* Destination tags of multistage networks (stages/multistage.h): stage k sends by digit S - 1 - k of the
 * target's number, base m. There is one way.
 *
 * The header is the target and the links still to go, so that a message of a processor to itself, which the
 * paper sends through the network, can be told from one that has arrived (net_multistage_header):
 *
 *      … │ target 24 │ links to go 8 bits */
#include "netmodel/routing.h"
#include "netmodel/stages/multistage.h"

#define LINKS UINT64_C(0xff)
#define TARGET NET_MULTISTAGE_TARGET

static bool is_multistage(const struct net_topology *topology)
{
    return topology->multistage != NULL;
}

/* There are no parameters, and no rings that would need bubbles. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification, (void)error;
    routing->bubble_channels = 0;
    return 0;
}

/* One way between processors. Cells are no ends of messages: from and to them there is none. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    uint32_t processors = routing->topology->terminals;
    return a < processors && b < processors;
}

/* To metrics a processor is at distance 0 from itself: such a packet has arrived. An engine that sends it through
 * the network asks for net_multistage_header instead. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)variant;
    return a == b ? (uint64_t)b << TARGET : net_multistage_header(routing->topology->multistage, b);
}

/* The one port, on any virtual channel: those are the V queues of a port. A processor's link has the number of its
 * row of cells, so that inputs of a cell differ. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_multistage *multistage = routing->topology->multistage;
    uint32_t cells = multistage->cells, port = router / cells;
    if ((header & LINKS) == 0)
        return 0;
    if (router >= multistage->processors) {
        uint32_t stage = (router - multistage->processors) / cells;
        uint32_t cell = (router - multistage->processors) % cells;
        port = net_multistage_port(multistage, stage, cell,
                                   net_multistage_tag(multistage, (uint32_t)(header >> TARGET), stage));
    }
    route->ports[0] = UINT64_C(1) << port;
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

/* One link less to go; the target stays. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header - 1;
}

/* Of queues, not of ways. */
static bool chooses(const struct net_routing *routing)
{
    return routing->virtual_channels > 1;
}

static const struct net_family family = {"omega, glo", is_multistage};

const struct net_routing_kind net_routing_destination_tag = {
    .name = "destination-tag",
    .chooses = chooses,
    .summary = "multistage networks: each stage sends by a digit of the target's number",
    .reference =
        "D. H. Lawrie, Access and alignment of data in an array processor, IEEE Trans. Comput. C-24(12), "
        "1975; D. M. Koppelman, IEEE TPDS 7(5), 1996; doc/multistage.md",
    .deadlock_argument = "a packet waits for links of later stages only, and the processors take what comes",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &family,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
