/* What a collective moves, from what two kinds of recorders write down about it.
 *
 *                     plain, all ranks     multiplied: sent, received (P members, root r, own rank i, b
 * bytes) bcast           b, b                 root P b, b; others 0, b reduce          b, b b, root P b;
 * others 0 gather          b, b                 b, root P b scatter         b, b                 root P b, b
 *     allreduce       b, b                 P b, P b
 *     allgather       b, b                 P b, P b
 *     alltoall        b, b                 P b, P b
 *     scan            b, b                 (P - i) b, (i + 1) b
 *     exscan          b, b                 (P - i - 1) b, i b
 *     v-variants      sums over the peers  the same; allgatherv sends P b_i, reduce_scatter receives P b_i
 * (in place: P - 1)
 *
 * On an inter-communicator P is the number of ranks in the other group, and the root's own group records
 * nothing. Every formula below was checked against the traces of one program by both recorders. A case that
 * the numbers cannot tell apart, a multiplied total of size - 1 parts that size divides too, is taken for
 * size parts. */
#include "traces/otf2-sizes.h"

/* The argument of a call that may have one side only; 0 when it has neither. */
static uint64_t smaller_nonzero(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

/* One of `parts` equal parts; when the own part is missing from the total, one of parts - 1. */
static uint64_t part_of(uint64_t total, uint32_t parts)
{
    if (total % parts != 0 && parts > 1 && total % (parts - 1) == 0)
        return total / (parts - 1);
    return total / parts;
}

/* By what each rank takes part in: Score-P's conventions, in the table at the top. */
static uint64_t multiplied_bytes(const struct trace_otf2_collective_record *record)
{
    uint64_t sent = record->sent, received = record->received;
    uint32_t size = record->others > 0 ? record->others : record->size;
    uint32_t before = record->rank, after = record->size - record->rank - 1;

    switch (record->collective) {
    case TRACE_BCAST:
    case TRACE_SCATTER: /* every rank receives; the root that has its part in place does not */
        return received != 0 ? received : part_of(sent, size);
    case TRACE_REDUCE:
    case TRACE_GATHER:
        return sent != 0 ? sent : part_of(received, size);
    case TRACE_SCAN:
        return part_of(received, before + 1);
    case TRACE_EXSCAN:
        return after > 0 ? sent / after : before > 0 ? received / before : 0;
    default:
        return part_of(sent != 0 ? sent : received, size);
    }
}

/* Bytes of one block or vector as the algorithms of collective.h take them; collectives with vectors have
 * theirs from trace_otf2_complete_vectors. */
uint64_t trace_otf2_collective_bytes(const struct trace_otf2_collective_record *record, bool multiplied)
{
    if (record->collective == TRACE_BARRIER || trace_otf2_has_vectors(record->collective))
        return 0;
    return multiplied ? multiplied_bytes(record) : smaller_nonzero(record->sent, record->received);
}

static uint64_t sum_of(const uint64_t *values, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* One rank has the sum of the others' entries, the rest nothing. */
static void give_root(uint64_t *values, uint32_t size, uint32_t root, uint64_t sum)
{
    for (uint32_t i = 0; i < size; i++)
        values[i] = i == root ? sum : 0;
}

/* For arguments that every rank has alike. */
static void give_all(uint64_t *values, uint32_t size, uint64_t value)
{
    for (uint32_t i = 0; i < size; i++)
        values[i] = value;
}

/* With MPI_IN_PLACE the multiplied totals lack the own part: own[i] is size - 1 blocks, and all[i] all blocks
 * but that one. Makes blocks of own; false: they are no such totals. */
static bool are_in_place(uint64_t *own, const uint64_t *all, uint32_t size)
{
    uint64_t total = size > 1 ? sum_of(all, size) / (size - 1) : 0;

    if (total == 0 || sum_of(all, size) % (size - 1) != 0)
        return false;
    for (uint32_t i = 0; i < size; i++)
        if (all[i] > total || own[i] != (total - all[i]) * (size - 1))
            return false;
    for (uint32_t i = 0; i < size; i++)
        own[i] = total - all[i];
    return true;
}

/* Every rank has one block of `own`, and all blocks on the other side. Blocks are recorded as they are, times
 * the communicator's size, or in place; where nobody recorded its own block, as with MPI_IN_PLACE in the
 * plain convention, all have equal ones. Returns the sum of the blocks. */
static uint64_t make_blocks(uint64_t *own, const uint64_t *all, uint32_t size)
{
    uint64_t sum = sum_of(own, size), total = all[0];

    if (are_in_place(own, all, size))
        return sum_of(own, size);
    for (uint32_t i = 0; i < size && total != 0; i++) {
        if (sum == 0)
            own[i] = total / size + (i < total % size);
        else if (sum == total * size)
            own[i] /= size;
    }
    return sum_of(own, size);
}

/* Gatherv and scatterv are recorded as totals by either convention. What comes out are blocks where program.h
 * has blocks, and totals on the other side. */
void trace_otf2_complete_vectors(enum trace_collective collective, uint32_t root, uint32_t size,
                                 uint64_t *sent, uint64_t *received)
{
    switch (collective) {
    case TRACE_GATHERV:
        give_root(received, size, root, sum_of(sent, size));
        break;
    case TRACE_SCATTERV:
        give_root(sent, size, root, sum_of(received, size));
        break;
    case TRACE_ALLGATHERV:
        give_all(received, size, make_blocks(sent, received, size));
        break;
    case TRACE_REDUCE_SCATTER:
        give_all(sent, size, make_blocks(received, sent, size));
        break;
    default:
        break;
    }
}

bool trace_otf2_has_vectors(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_GATHERV:
    case TRACE_SCATTERV:
    case TRACE_ALLGATHERV:
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
    case TRACE_REDUCE_SCATTER:
        return true;
    default:
        return false;
    }
}

bool trace_otf2_has_root(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_BCAST:
    case TRACE_GATHER:
    case TRACE_GATHERV:
    case TRACE_SCATTER:
    case TRACE_SCATTERV:
    case TRACE_REDUCE:
        return true;
    default:
        return false;
    }
}

/* Away from the root of a rooted collective the multiplied convention has a zero where the plain one has the
 * argument again. Elsewhere only a total that cannot be a product speaks, and speaks for the plain one. */
int trace_otf2_size_evidence(const struct trace_otf2_collective_record *record)
{
    uint64_t sent = record->sent, received = record->received;
    uint32_t size = record->size;

    if (record->collective == TRACE_BARRIER || trace_otf2_has_vectors(record->collective) ||
        record->others > 0)
        return 0;
    if (trace_otf2_has_root(record->collective)) {
        if (record->rank == record->root || sent == received)
            return record->rank != record->root && sent != 0 ? -1 : 0;
        return sent == 0 || received == 0 ? 1 : 0;
    }
    if (record->collective == TRACE_SCAN || record->collective == TRACE_EXSCAN)
        return sent != received ? 1 : 0;
    return size > 2 && sent % size != 0 && sent % (size - 1) != 0 ? -1 : 0;
}
