/* King(epsilon, delta): misrouting on king tori (doc/networks.md; the king thesis, section 3.2.2). A packet
 * draws one of the records of its displacement from a table, some of them longer than the shortest path but
 * spread over more orientations, and takes its hops adaptively as the adaptive bubble router does. No further
 * virtual channel is needed: a record is walked off whatever its length. */
#include "netmodel/routings/king-table.h"
#include "netmodel/routings/record.h"
#include "netmodel/specification.h"
#include "netmodel/routings/families.h"

static const char *const keys[] = {"epsilon", "delta", "multiplicity", "table-seed", NULL};

/* As the thesis recommends: epsilon and delta half the diameter, eight records a destination. */
static int read_parameters(const struct net_routing *routing, const struct net_specification *specification,
                           struct net_king_parameters *parameters, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t shorter = topology->grid->sides[0] < topology->grid->sides[1] ? topology->grid->sides[0]
                                                                           : topology->grid->sides[1];
    uint64_t quarter = shorter / 4, epsilon = quarter, delta = quarter, multiplicity = 8, seed = 1;
    if (net_specification_unsigned(specification, "epsilon", 0, 1u << 14, &epsilon, error) != 0 ||
        net_specification_unsigned(specification, "delta", 0, 1u << 14, &delta, error) != 0 ||
        net_specification_unsigned(specification, "multiplicity", 0, 1u << 20, &multiplicity, error) != 0 ||
        net_specification_unsigned(specification, "table-seed", 0, UINT64_MAX, &seed, error) != 0)
        return -1;
    *parameters =
        (struct net_king_parameters){(uint32_t)epsilon, (uint32_t)delta, (uint32_t)multiplicity, seed};
    return 0;
}

/* How large the table is, and how much longer than the shortest its records are in the mean over all
 * displacements. */
static const char *describe(struct net_routing *routing, const struct net_king_table *table)
{
    double hops = 0, distances = 0;
    for (uint32_t d = 1; d < table->displacements; d++) {
        uint32_t count = table->first[d + 1] - table->first[d], sum = 0;
        for (uint32_t i = table->first[d]; i < table->first[d + 1]; i++) {
            int32_t record[4];
            net_king_table_record(table, i, record);
            for (uint32_t part = 0; part < 4; part++)
                sum += (uint32_t)(record[part] < 0 ? -record[part] : record[part]);
        }
        hops += (double)sum / count;
        distances += net_topology_distance(routing->topology, 0, d);
    }
    return base_arena_format(&routing->arena, "%u records in %u bytes, %.3f times the distance",
                             table->record_count, table->record_count * table->record_bytes,
                             hops / distances);
}

/* Parameters before the table, which may take a while. Rings and lines have no diagonals to balance. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    struct net_king_table *table = base_arena_alloc(&routing->arena, sizeof *table);
    struct net_king_parameters parameters;
    if (table == NULL)
        return base_error_memory(error, "a table of records");
    if (routing->topology->grid->diagonals == 0)
        return base_error_set(error, BASE_USAGE,
                              "routing 'king-misrouting' needs two dimensions, which '%s' does not have",
                              routing->topology->text);
    if (read_parameters(routing, specification, &parameters, error) != 0 ||
        net_record_prepare(routing, true, error) != 0 ||
        net_king_table_build(table, routing->topology, &parameters, &routing->arena, error) != 0)
        return -1;
    routing->data = table;
    routing->bubble_channels = 1;
    routing->note = describe(routing, table);
    return routing->note != NULL ? 0 : base_error_memory(error, "a table of records");
}

/* From b to a, each coordinate modulo its side. */
static uint32_t displacement(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    uint32_t side = topology->grid->sides[0], height = topology->grid->sides[1];
    uint32_t x = b % side + side - a % side, y = b / side + height - a / side;
    return (x >= side ? x - side : x) + side * (y >= height ? y - height : y);
}

/* The records of the pair's displacement, one a variant; a router reaches itself by none. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_king_table *table = routing->data;
    uint32_t d = displacement(routing->topology, a, b);
    return a == b ? 1 : table->first[d + 1] - table->first[d];
}

/* Unpacked once a packet: the table stays small enough to be cached, and headers are in lanes. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_king_table *table = routing->data;
    int32_t record[4];
    if (a == b)
        return routing->arrived;
    net_king_table_record(table, table->first[displacement(routing->topology, a, b)] + variant, record);
    return net_record_pack(routing, record);
}

const struct net_routing_kind net_routing_king_misrouting = {
    .name = "king-misrouting",
    .chooses = net_routing_chooses_always,
    .summary = "King(epsilon, delta): longer but balanced ways on king tori, drawn from a table",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 3.2.2, Definition 3; "
                 "doc/networks.md, Routings",
    .deadlock_argument =
        "channel 0 is an escape that every waiting packet may take: the record's hops in the "
        "order X, Y, Z, T, each ring under the bubble rule",
    .parameters = "[,epsilon=E][,delta=D][,multiplicity=M][,table-seed=S]",
    .keys = keys,
    .virtual_channels = 2,
    .minimal = false,
    .escape = true,
    .serves = &net_family_king_torus,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = net_record_adaptive_route,
    .step = net_record_next,
};
