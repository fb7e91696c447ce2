/* The table is counted first and filled in a second run over the same records, so that it takes no more
 * memory than it holds. The runs go over all records of limited length and not over displacements: each
 * record belongs to one displacement, which it ends at. */
#include "netmodel/routings/king-table.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/routings/record.h"

#define SIDE_MAX (1 << 14)

/* One run over all records. */
struct run {
    const struct net_topology *topology;
    const struct net_king_parameters *parameters;
    const uint32_t *distances; /* [displacement] */
    uint32_t longest;          /* hops */
    uint32_t *counts;          /* [displacement]: found so far */
    uint64_t total;
    const uint32_t *first; /* where the records of each go, or NULL: they are only counted */
    int16_t (*records)[4];
};

/* The remainder that is never negative. */
static uint32_t modulo(int32_t value, uint32_t side)
{
    int32_t rest = value % (int32_t)side;
    return (uint32_t)(rest < 0 ? rest + (int32_t)side : rest);
}

/* Where a record ends: Z adds to both coordinates, T to x and takes from y. */
static uint32_t displacement_of(const struct net_topology *topology, const int32_t record[4])
{
    uint32_t x = modulo(record[0] + record[2] + record[3], topology->grid->sides[0]);
    return x + topology->grid->sides[0] * modulo(record[1] + record[2] - record[3], topology->grid->sides[1]);
}

/* A record in balance, counted or stored where it belongs. */
static void take(struct run *run, const int32_t record[4], uint32_t hops)
{
    uint32_t displacement = displacement_of(run->topology, record);
    if (displacement == 0 || hops > run->distances[displacement] + run->parameters->delta)
        return;
    if (run->first != NULL)
        for (uint32_t part = 0; part < 4; part++)
            run->records[run->first[displacement] + run->counts[displacement]][part] = (int16_t)record[part];
    run->counts[displacement]++;
    run->total++;
}

/* Both signs of each part that is not zero. */
static void take_signs(struct run *run, const uint32_t sizes[4], uint32_t hops)
{
    for (uint32_t signs = 0; signs < 16; signs++) {
        int32_t record[4];
        bool repeated = false;
        for (uint32_t part = 0; part < 4; part++) {
            bool minus = signs >> part & 1;
            record[part] = minus ? -(int32_t)sizes[part] : (int32_t)sizes[part];
            repeated = repeated || (minus && sizes[part] == 0);
        }
        if (!repeated)
            take(run, record, hops);
    }
}

/* Sizes of the parts from the first that is free on; between low and high - epsilon … low + epsilon. Stops
 * when the table would be too large. */
static void run_sizes(struct run *run, uint32_t sizes[4], uint32_t part, uint32_t hops)
{
    uint32_t low = UINT32_MAX, high = 0, epsilon = run->parameters->epsilon;
    for (uint32_t i = 0; i < part; i++) {
        low = sizes[i] < low ? sizes[i] : low;
        high = sizes[i] > high ? sizes[i] : high;
    }
    if (part == 4) {
        take_signs(run, sizes, hops);
        return;
    }
    uint32_t from = high > epsilon ? high - epsilon : 0, to = run->longest - hops;
    if (part > 0 && low + epsilon < to)
        to = low + epsilon;
    for (sizes[part] = from; sizes[part] <= to && run->total <= NET_KING_RECORDS_MAX; sizes[part]++)
        run_sizes(run, sizes, part + 1, hops + sizes[part]);
}

/* Knaive's records, one for each way round, where a displacement got none. */
static uint32_t substitute(struct run *run, struct net_routing *routing)
{
    uint32_t substitutes = 0;
    for (uint32_t displacement = 1; displacement < run->topology->routers; displacement++) {
        if (run->counts[displacement] > 0)
            continue;
        uint32_t variants = net_record_variants(routing, 0, displacement);
        for (uint32_t variant = 0; variant < variants; variant++) {
            int32_t record[NET_DIMENSIONS_MAX];
            net_record_between(run->topology, 0, displacement, variant, record);
            for (uint32_t part = 0; part < 4 && run->first != NULL; part++)
                run->records[run->first[displacement] + variant][part] = (int16_t)record[part];
        }
        run->counts[displacement] = variants;
        run->total += variants;
        substitutes++;
    }
    return substitutes;
}

/* Counts or stores everything; counts start at zero. */
static uint32_t run_all(struct run *run)
{
    struct net_routing routing = {.topology = run->topology};
    uint32_t sizes[4] = {0};
    memset(run->counts, 0, run->topology->routers * sizeof *run->counts);
    run->total = 0;
    run_sizes(run, sizes, 0, 0);
    return run->total <= NET_KING_RECORDS_MAX ? substitute(run, &routing) : 0;
}

/* Keeps one record of each displacement and, of all others, as many as the multiplicity leaves room for:
 * each choice by lot. kept[i] says whether record i stays. Returns how many do. */
static uint32_t choose(const struct net_king_parameters *parameters, const uint32_t *first,
                       uint32_t displacements, uint32_t total, uint32_t *others, bool *kept)
{
    uint64_t wanted = (uint64_t)parameters->multiplicity * (displacements - 1);
    uint32_t count = 0, stay = displacements - 1;
    struct base_random random;
    base_random_seed(&random, parameters->seed, 1);
    for (uint32_t d = 1; d < displacements; d++) {
        uint32_t lot = first[d] + (uint32_t)base_random_below(&random, first[d + 1] - first[d]);
        kept[lot] = true;
        for (uint32_t i = first[d]; i < first[d + 1]; i++)
            if (i != lot)
                others[count++] = i;
    }
    if (parameters->multiplicity == 0 || wanted > total)
        wanted = total;
    base_random_shuffle(&random, others, count);
    for (uint32_t i = 0; i < count && stay < wanted; i++, stay++)
        kept[others[i]] = true;
    return stay;
}

/* Bytes of a record of four parts: each of 4, 8 or 16 bits, sign included. */
static uint32_t bytes_for(int16_t (*records)[4], uint32_t total, const bool *kept)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < total; i++)
        for (uint32_t part = 0; part < 4 && kept[i]; part++)
            if ((uint32_t)abs(records[i][part]) > largest)
                largest = (uint32_t)abs(records[i][part]);
    return largest <= 7 ? 2 : largest <= 127 ? 4 : 8;
}

/* Two's complement in as few bits as the table needs, lowest part first, lowest byte first: the same bytes
 * on every machine. */
static void store(uint8_t *to, const int16_t record[4], uint32_t bytes)
{
    uint64_t packed = 0;
    for (uint32_t part = 0; part < 4; part++) {
        uint64_t field = (uint16_t)record[part] & ((UINT64_C(1) << 2 * bytes) - 1);
        packed |= field << (2 * bytes * part);
    }
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(packed >> (8 * i));
}

/* What stays, packed. */
static int keep(struct net_king_table *table, int16_t (*records)[4], const uint32_t *first, const bool *kept,
                struct base_arena *arena)
{
    uint32_t *starts = base_arena_array(arena, (size_t)table->displacements + 1, sizeof *starts);
    uint8_t *packed = base_arena_array(arena, table->record_count, table->record_bytes);
    uint32_t count = 0;
    if (starts == NULL || packed == NULL)
        return -1;
    for (uint32_t d = 0; d < table->displacements; d++) {
        starts[d] = count;
        for (uint32_t i = first[d]; i < first[d + 1]; i++)
            if (kept[i])
                store(packed + (size_t)count++ * table->record_bytes, records[i], table->record_bytes);
    }
    starts[table->displacements] = count;
    table->first = starts;
    table->records = packed;
    return 0;
}

/* The second run, and the choice. Scratch memory goes with its own arena. */
static int fill(struct net_king_table *table, struct run *run, struct base_arena *scratch,
                struct base_arena *arena)
{
    uint32_t total = (uint32_t)run->total;
    uint32_t *first = base_arena_array(scratch, (size_t)table->displacements + 1, sizeof *first);
    uint32_t *others = base_arena_array(scratch, total, sizeof *others);
    bool *kept = base_arena_array(scratch, total, sizeof *kept);
    run->records = base_arena_array(scratch, total, sizeof *run->records);
    if (first == NULL || others == NULL || kept == NULL || run->records == NULL)
        return -1;
    for (uint32_t d = 0; d < table->displacements; d++)
        first[d + 1] = first[d] + run->counts[d];
    run->first = first;
    table->substitutes = run_all(run);
    table->record_count = choose(run->parameters, first, table->displacements, total, others, kept);
    table->record_bytes = bytes_for(run->records, total, kept);
    return keep(table, run->records, first, kept, arena);
}

/* A line or ring (a side of 1) has no diagonals, and a single router nothing at all: no table. */
int net_king_table_build(struct net_king_table *table, const struct net_topology *topology,
                         const struct net_king_parameters *parameters, struct base_arena *arena,
                         struct base_error *error)
{
    struct base_arena scratch = {0};
    uint32_t *distances = base_arena_array(&scratch, 2 * (size_t)topology->routers, sizeof *distances);
    struct run run = {.topology = topology, .parameters = parameters, .distances = distances};
    int status;
    *table = (struct net_king_table){.displacements = topology->routers};
    if (distances == NULL)
        return base_error_memory(error, "a table of records");
    run.counts = distances + topology->routers;
    for (uint32_t d = 0; d < topology->routers; d++) {
        distances[d] = net_topology_distance(topology, 0, d);
        run.longest = distances[d] > run.longest ? distances[d] : run.longest;
    }
    run.longest += parameters->delta;
    run_all(&run);
    if (run.total > NET_KING_RECORDS_MAX || run.longest >= SIDE_MAX)
        status = base_error_set(error, BASE_USAGE,
                                "routing 'king-misrouting': the table for '%s' with epsilon=%u and delta=%u "
                                "has more than %u records",
                                topology->text, parameters->epsilon, parameters->delta, NET_KING_RECORDS_MAX);
    else
        status = fill(table, &run, &scratch, arena) == 0 ? 0 : base_error_memory(error, "a table of records");
    base_arena_free(&scratch);
    return status;
}

/* Fields are signed: shifted to the top of a word and back. */
void net_king_table_record(const struct net_king_table *table, uint32_t index, int32_t record[4])
{
    const uint8_t *at = table->records + (size_t)index * table->record_bytes;
    uint32_t bits = 2 * table->record_bytes;
    uint64_t packed = 0;
    for (uint32_t i = 0; i < table->record_bytes; i++)
        packed |= (uint64_t)at[i] << (8 * i);
    for (uint32_t part = 0; part < 4; part++) {
        uint64_t field = packed >> (bits * part) & ((UINT64_C(1) << bits) - 1);
        bool minus = field >> (bits - 1) & 1;
        record[part] = (int32_t)field - (minus ? (int32_t)(UINT32_C(1) << bits) : 0);
    }
}
