/* What a collective moves, from what two kinds of recorders write down about it.
 *
 * P members, own rank i, b bytes; what is sent, what is received:
 *
 *                     plain, all ranks     multiplied
 *     bcast           b, b                 root P b, b; others 0, b
 *     reduce          b, b                 b, root P b; others 0
 *     gather          b, b                 b, root P b
 *     scatter         b, b                 root P b, b
 *     allreduce       b, b                 P b, P b
 *     allgather       b, b                 P b, P b
 *     alltoall        b, b                 P b, P b
 *     scan            b, b                 (P - i) b, (i + 1) b
 *     exscan          b, b                 (P - i - 1) b, i b
 *     v-variants      sums over the peers  the same; allgatherv sends P b_i, reduce_scatter receives P b_i
 *
 * In place Score-P leaves the own part out: (P - 1) b for P b, and of the v-variants sums over the others.
 * Which convention an allgatherv or a reduce_scatter follows shows in each call, by the sums over its
 * members.
 *
 * On an inter-communicator P is the number of ranks in the other group, and the root's own group records
 * nothing. Every formula below was checked against the traces of one program by both recorders. A case that
 * the numbers cannot tell apart, a multiplied total of size - 1 parts that size divides too, is taken for
 * size parts. */
#include "traces/otf2/sizes.h"

#include "base/wide.h"

#define LARGEST_ELEMENT 16 /* of MPI's own datatypes in bytes: two doubles */

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

/* By what each rank takes part in: Score-P's conventions, in the table at the top. Whichever of the two totals has
 * something decides; an exclusive scan's first rank receives nothing, its last sends nothing. */
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
    if (record->collective == TRACE_BARRIER || trace_collective_has_vectors(record->collective))
        return 0;
    return multiplied ? multiplied_bytes(record) : smaller_nonzero(record->sent, record->received);
}

/* The members of one group: `values` of them from the first on. */
struct entries {
    uint64_t *values; /* borrowed: a part of a vector */
    uint32_t count;   /* of values */
};

/* Saturates: what does not fit fits no convention. */
static uint64_t sum_of(struct entries entries)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < entries.count; i++)
        sum = sum + entries.values[i] < sum ? UINT64_MAX : sum + entries.values[i];
    return sum;
}

/* 0 of none. */
static uint64_t largest_of(struct entries entries)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < entries.count; i++)
        largest = entries.values[i] > largest ? entries.values[i] : largest;
    return largest;
}

/* All members recorded the same; true of none. */
static bool are_all(struct entries entries, uint64_t value)
{
    for (uint32_t i = 0; i < entries.count; i++)
        if (entries.values[i] != value)
            return false;
    return true;
}

/* In place of what was recorded. */
static void give_all(struct entries entries, uint64_t value)
{
    for (uint32_t i = 0; i < entries.count; i++)
        entries.values[i] = value;
}

/* Whether the factor may have been multiplied into each. */
static bool are_multiples(struct entries entries, uint64_t factor)
{
    for (uint32_t i = 0; i < entries.count; i++)
        if (entries.values[i] % factor != 0)
            return false;
    return true;
}

/* By a factor that are_multiples has found in all of them. */
static void divide(struct entries entries, uint64_t factor)
{
    for (uint32_t i = 0; i < entries.count; i++)
        entries.values[i] /= factor;
}

/* One group, in place: every part is recorded size - 1 times, and the whole lacks the own part. That of
 * reduce_scatter lacks one element instead, by an oversight of Score-P's. */
static bool is_in_place(struct entries parts, struct entries whole)
{
    uint64_t others = parts.count - 1, total = sum_of(parts);
    uint64_t missing;

    if (others == 0 || total == UINT64_MAX || !are_multiples(parts, others))
        return false;
    total /= others;
    missing = total - whole.values[0];
    if (whole.values[0] < total && missing <= LARGEST_ELEMENT && are_all(whole, whole.values[0]) &&
        are_multiples(parts, missing))
        return true;
    for (uint32_t i = 0; i < parts.count; i++)
        if (whole.values[i] != total - parts.values[i] / others)
            return false;
    return true;
}

/* No convention fits. The largest whole is right if anything is; it is laid out in proportion to the parts,
 * or evenly. */
static void split(struct entries parts, uint64_t total)
{
    uint64_t sum = sum_of(parts), before = 0, so_far = 0;
    bool even = sum == 0 || sum == UINT64_MAX;

    for (uint32_t i = 0; i < parts.count; i++) {
        uint64_t border;
        so_far += even ? 1 : parts.values[i];
        border = base_wide_low(base_wide_scaled(total, so_far, even ? parts.count : sum));
        parts.values[i] = border - before;
        before = border;
    }
}

/* Every member has a part, and all have the whole of them: `total` is what those recorded as the whole who
 * should know it. The parts become single ones, and the total their sum. False: by no convention. */
static bool single_parts(struct entries parts, const uint64_t factors[3], struct entries whole,
                         uint64_t *total)
{
    uint64_t sum = sum_of(parts);

    *total = largest_of(whole);
    for (int i = 0; i < 3 && are_all(whole, *total); i++) {
        if (sum == UINT64_MAX || sum % factors[i] != 0 || sum / factors[i] != *total ||
            !are_multiples(parts, factors[i]))
            continue;
        divide(parts, factors[i]);
        return true;
    }
    return false;
}

/* Allgatherv sends parts and receives the whole, reduce_scatter the other way round. */
static bool complete_whole(struct entries parts, struct entries whole)
{
    const uint64_t factors[3] = {1, parts.count, parts.count};
    uint64_t total;
    bool known = single_parts(parts, factors, whole, &total);

    if (!known && is_in_place(parts, whole)) {
        known = true;
        divide(parts, parts.count - 1);
        total = sum_of(parts);
    }
    if (!known)
        split(parts, total);
    give_all(whole, total);
    return known;
}

/* Between two groups the whole is that of the other group's parts. Score-P's factor is the size of the own
 * group, which MPI_Comm_size gives; other recorders take the other group's. */
static bool complete_groups(uint64_t *part_values, uint64_t *whole_values, uint32_t first, uint32_t size)
{
    bool known = true;
    struct entries parts[2] = {{part_values, first}, {part_values + first, size - first}};
    struct entries whole[2] = {{whole_values, first}, {whole_values + first, size - first}};
    uint64_t totals[2];

    for (int i = 0; i < 2; i++) {
        const uint64_t factors[3] = {1, parts[1 - i].count, parts[i].count};
        if (single_parts(parts[i], factors, whole[1 - i], &totals[i]))
            continue;
        known = false;
        split(parts[i], totals[i]);
    }
    for (int i = 0; i < 2; i++)
        give_all(whole[i], totals[1 - i]);
    return known;
}

/* A rooted one, in one group: the root's own part is what its whole has beyond the others' parts; in place
 * it records none. Nothing else leaves room for a factor. */
static void complete_root(uint64_t *parts, uint64_t *whole, uint32_t size, uint32_t root)
{
    uint64_t others, total;

    if (root >= size)
        return;
    total = whole[root];
    others =
        sum_of((struct entries){parts, root}) + sum_of((struct entries){parts + root + 1, size - root - 1});
    if (total >= others)
        parts[root] = total - others;
    give_all((struct entries){whole, size}, 0);
    whole[root] = others + parts[root];
}

/* A recorder of arguments has nothing for what is sent in place, where that is as much as what is received.
 */
static void complete_exchange(struct entries sent, struct entries received)
{
    if (!are_all(sent, 0))
        return;
    for (uint32_t i = 0; i < sent.count; i++)
        sent.values[i] = received.values[i];
}

/* As sizes.h says: `sent` and `received` are changed in place, by rank of the communicator. */
bool trace_otf2_complete_vectors(enum trace_collective collective, uint32_t root, uint32_t first_group,
                                 uint32_t size, uint64_t *sent, uint64_t *received)
{
    bool all = collective == TRACE_ALLGATHERV || collective == TRACE_REDUCE_SCATTER;
    bool sends_parts = collective == TRACE_ALLGATHERV || collective == TRACE_GATHERV;
    uint64_t *parts = sends_parts ? sent : received, *whole = sends_parts ? received : sent;

    if (all && first_group > 0)
        return complete_groups(parts, whole, first_group, size);
    if (all)
        return complete_whole((struct entries){parts, size}, (struct entries){whole, size});
    if (first_group == 0 && (collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW))
        complete_exchange((struct entries){sent, size}, (struct entries){received, size});
    if (first_group == 0 && (collective == TRACE_GATHERV || collective == TRACE_SCATTERV))
        complete_root(parts, whole, size, root);
    return true;
}

/* Away from the root of a rooted collective the multiplied convention has a zero where the plain one has the
 * argument again. Elsewhere only a total that cannot be a product speaks, and speaks for the plain one. */
int trace_otf2_size_evidence(const struct trace_otf2_collective_record *record)
{
    uint64_t sent = record->sent, received = record->received;
    uint32_t size = record->size;

    if (record->collective == TRACE_BARRIER || trace_collective_has_vectors(record->collective) ||
        record->others > 0)
        return 0;
    if (trace_collective_has_root(record->collective)) {
        if (record->rank == record->root || sent == received)
            return record->rank != record->root && sent != 0 ? -1 : 0;
        return sent == 0 || received == 0 ? 1 : 0;
    }
    if (record->collective == TRACE_SCAN || record->collective == TRACE_EXSCAN)
        return sent != received ? 1 : 0;
    return size > 2 && sent % size != 0 && sent % (size - 1) != 0 ? -1 : 0;
}
