/* Closed forms of what the collective algorithms send, from their definitions and not from their code. */
#include "tests/traces/collectives/forms.h"

#include "tests/suite.h"

#include <string.h>

/* The arithmetic of the formulas, written out once more. */
static uint32_t floor_power(uint32_t ranks)
{
    uint32_t power = 1;
    while (power * 2 <= ranks)
        power *= 2;
    return power;
}

static uint32_t ceiling_log(uint32_t ranks)
{
    uint32_t log = 0;
    while ((UINT32_C(1) << log) < ranks)
        log++;
    return log;
}

static uint32_t bits(uint32_t number)
{
    uint32_t count = 0;
    for (; number != 0; number &= number - 1)
        count++;
    return count;
}

/* Blocks by what the header says of vectors. */
static uint64_t block_of(const struct trace_collective_call *call, uint32_t rank)
{
    if (call->vector == NULL)
        return call->bytes;
    return call->collective == TRACE_SCATTERV || call->collective == TRACE_REDUCE_SCATTER
               ? call->vector->received[rank]
               : call->vector->sent[rank];
}

static uint64_t sum_of(const struct trace_collective_call *call)
{
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < call->ranks; rank++)
        sum += block_of(call, rank);
    return sum;
}

/* What the binomial scatter of ceil(n/P) pieces sends: each piece crosses an edge for each bit of its number.
 */
static uint64_t scattered_pieces(const struct trace_collective_call *call)
{
    uint64_t piece = (call->bytes + call->ranks - 1) / call->ranks, sum = 0;
    for (uint32_t v = 0; v < call->ranks; v++) {
        uint64_t start = v * piece < call->bytes ? v * piece : call->bytes;
        uint64_t end = (v + 1) * piece < call->bytes ? (v + 1) * piece : call->bytes;
        sum += (end - start) * bits(v);
    }
    return sum;
}

/* Blocks of n bytes over a binomial tree: each crosses an edge for each bit of its relative rank. */
static uint64_t tree_of_blocks(const struct trace_collective_call *call)
{
    uint64_t hops = 0;
    for (uint32_t v = 0; v < call->ranks; v++)
        hops += bits(v);
    return hops * call->bytes;
}

/* Every block of every rank but its own. */
static uint64_t tokens_sent(const struct trace_collective_call *call)
{
    uint64_t sum = 0;
    for (uint32_t from = 0; from < call->ranks; from++)
        for (uint32_t to = 0; to < call->ranks; to++)
            if (from != to)
                sum += call->vector == NULL ? call->bytes : trace_vector_share(call->vector, from, to);
    return sum;
}

/* The gather of the pieces after halving: piece i of rank number i reversed crosses an edge for each bit in
 * which the number differs from the root's; a root that sat out gets piece 0 in addition. */
static uint64_t collected_pieces(const struct trace_collective_call *call)
{
    uint32_t power = floor_power(call->ranks), excess = call->ranks - power, root = call->root;
    uint64_t element = call->bytes % 8 == 0 ? 8 : call->bytes % 4 == 0 ? 4 : call->bytes % 2 == 0 ? 2 : 1;
    uint64_t elements = call->bytes / element, sum = 0;
    bool sat_out = root < 2 * excess && root % 2 == 1;

    root = sat_out ? 0 : root < 2 * excess ? root / 2 : root - excess;
    for (uint32_t number = 0; number < power; number++) {
        uint32_t piece = 0;
        for (uint32_t mask = 1, turned = power / 2; mask < power; mask *= 2, turned /= 2)
            piece |= (number & mask) != 0 ? turned : 0;
        sum += element * (elements / power + (piece < elements % power)) *
               (bits(number ^ root) + (sat_out && number == 0));
    }
    return sum;
}

/* The blocks of a butterfly that do not end where they belong: piece v, reversed bit by bit, is at number v.
 */
static uint64_t brought_home(const struct trace_collective_call *call)
{
    uint32_t power = floor_power(call->ranks), excess = call->ranks - power;
    uint64_t sum = 0;

    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        uint32_t piece = rank < 2 * excess ? rank / 2 : rank - excess, number = 0;
        for (uint32_t mask = 1, turned = power / 2; mask < power; mask *= 2, turned /= 2)
            number |= (piece & mask) != 0 ? turned : 0;
        uint32_t holder = number < excess ? 2 * number + 1 : number + excess;
        sum += holder != rank ? block_of(call, rank) : 0;
    }
    return sum;
}

/* Pairs of scans: partners at a distance of 2^k that both exist. */
static uint64_t partners(const struct trace_collective_call *call)
{
    uint64_t pairs = 0;
    for (uint32_t mask = 1; mask < call->ranks; mask *= 2)
        for (uint32_t rank = 0; rank < call->ranks; rank++)
            pairs += (rank ^ mask) < call->ranks;
    return pairs;
}

/* Of recursive doubling without folding: groups of 2^k ranks that face a rank's own and have somebody. A rank hears
 * once of each; together they are all others. */
static uint64_t partner_groups(const struct trace_collective_call *call)
{
    uint64_t groups = 0;
    for (uint32_t k = 0; UINT32_C(1) << k < call->ranks; k++)
        for (uint32_t rank = 0; rank < call->ranks; rank++)
            groups += (rank >> k ^ 1) << k < call->ranks;
    return groups;
}

/* What the odd rank of folded pairs returns to the even one. */
static uint64_t returned_blocks(const struct trace_collective_call *call)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < call->ranks - floor_power(call->ranks); i++)
        sum += block_of(call, 2 * i);
    return sum;
}

/* Is the name in the list? */
static bool is(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

#define IS(...) is(name, (const char *const[]){__VA_ARGS__, NULL})

/* Of whole elements, rounded up. */
static uint64_t second_half(uint64_t n)
{
    uint64_t element = n % 8 == 0 ? 8 : n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
    return n - n / element / 2 * element;
}

/* n: bytes of the call; p: ranks; q: the largest power of two within; e = p - q; sum: all blocks. */
uint64_t form_bytes(const char *name, const struct trace_collective_call *call)
{
    uint64_t n = call->bytes, p = call->ranks, q = floor_power(call->ranks), e = p - q, sum = sum_of(call);
    uint64_t log = ceiling_log((uint32_t)q);

    if (strncmp(name, "barrier", 7) == 0)
        return 0;
    if (IS("allreduce-hardware"))
        return 2 * (p - 1) * n;
    if (IS("bcast-linear", "bcast-hardware", "bcast-binomial", "bcast-doubling", "bcast-k-nomial",
           "bcast-binary", "bcast-chain", "bcast-pipeline", "bcast-split-binary", "bcast-libnbc-binomial",
           "bcast-libnbc-pipeline", "reduce-libnbc-binomial", "reduce-libnbc-pipeline", "reduce-linear",
           "reduce-binomial", "reduce-k-nomial", "reduce-binary", "reduce-chain", "reduce-pipeline",
           "gather-linear", "gather-linear-sync", "scatter-linear", "scatter-linear-nb", "scan-linear"))
        return (p - 1) * n;
    if (IS("reduce-in-order-binary"))
        return (p - 1 + (call->root != p - 1)) * n;
    if (IS("bcast-scatter-recursive-doubling", "bcast-scatter-ring"))
        return scattered_pieces(call) + (p - 1) * n;
    if (IS("gather-binomial", "scatter-binomial"))
        return tree_of_blocks(call);
    if (IS("gatherv-linear", "scatterv-linear"))
        return sum - block_of(call, call->root);
    if (IS("allgather-recursive-doubling", "allgather-bruck", "allgather-ring", "allgatherv-ring",
           "allgather-neighbor-exchange", "allgather-direct", "allgather-hardware", "reduce-scatter-pairwise",
           "reduce-scatter-ring"))
        return (p - 1) * sum;
    if (IS("alltoall-bruck"))
        return p * tree_of_blocks(call);
    if (strncmp(name, "alltoall", 8) == 0)
        return tokens_sent(call);
    if (IS("allreduce-recursive-doubling"))
        return q * log * n + 2 * e * n;
    if (IS("allreduce-rabenseifner"))
        return 2 * (q - 1) * n + 2 * e * n;
    if (IS("allreduce-rabenseifner-pairs")) /* a pair: both halves, the second again, and the whole */
        return 2 * (q - 1) * n + e * (2 * n + second_half(n));
    if (IS("allreduce-ring", "allreduce-ring-segmented"))
        return 2 * (p - 1) * n;
    if (IS("allreduce-allgather-reduce"))
        return p * (p - 1) * n;
    if (IS("reduce-rabenseifner"))
        return (q - 1) * n + e * n + collected_pieces(call);
    if (IS("reduce-scatter-recursive-halving"))
        return (q - 1 + e) * sum + returned_blocks(call);
    if (IS("reduce-scatter-butterfly"))
        return (q - 1 + e) * sum +
               (e == 0 && call->collective == TRACE_REDUCE_SCATTER_BLOCK ? 0 : brought_home(call));
    if (IS("reduce-scatter-recursive-doubling"))
        return (partner_groups(call) - (p - 1)) * sum;
    if (IS("scan-recursive-doubling"))
        return partners(call) * n;
    fail_msg("no closed form for %s", name);
    return 0;
}

/* Segments of a number of bytes, at least one. */
static uint64_t segments(uint64_t bytes, uint64_t segment)
{
    return segment == 0 || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
}

/* A whole and a first part of it, when there is one. */
static uint64_t split_messages(const struct trace_collective_call *call)
{
    uint64_t n = call->bytes, element = n % 8 == 0 ? 8 : n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
    uint64_t left = (n / element + 1) / 2 * element, p = call->ranks;
    return p / 2 * segments(left, call->segment_bytes) +
           (p - 1) / 2 * segments(n - left, call->segment_bytes) + (p - 1);
}

/* n, p, q, e as above; log is of q; s: segments of the vector. */
uint64_t form_messages(const char *name, const struct trace_collective_call *call)
{
    uint64_t n = call->bytes, p = call->ranks, q = floor_power(call->ranks), e = p - q;
    uint64_t log = ceiling_log((uint32_t)q), s = segments(n, call->segment_bytes);

    if (IS("barrier-linear", "barrier-tree", "barrier-hardware", "allreduce-hardware"))
        return 2 * (p - 1);
    if (IS("barrier-double-ring"))
        return p > 1 ? 2 * p : 0;
    if (IS("barrier-dissemination", "allgather-bruck", "alltoall-bruck", "allreduce-allgather-reduce"))
        return p * ceiling_log((uint32_t)p);
    if (IS("barrier-recursive-doubling", "allreduce-recursive-doubling"))
        return q * log + 2 * e;
    if (IS("reduce-scatter-recursive-doubling"))
        return partner_groups(call);
    if (IS("bcast-linear", "bcast-hardware", "bcast-binomial", "bcast-libnbc-binomial",
           "reduce-libnbc-binomial", "reduce-linear", "reduce-binomial", "gather-linear", "gather-binomial",
           "scatter-linear", "scatter-linear-nb", "scatter-binomial", "gatherv-linear", "scatterv-linear",
           "scan-linear"))
        return p - 1;
    if (IS("bcast-doubling", "bcast-k-nomial", "bcast-binary", "bcast-chain", "bcast-pipeline",
           "reduce-k-nomial", "reduce-binary", "reduce-chain", "reduce-pipeline", "bcast-libnbc-pipeline",
           "reduce-libnbc-pipeline"))
        return (p - 1) * s;
    if (IS("reduce-in-order-binary"))
        return (p - 1) * s + (call->root != p - 1);
    if (IS("bcast-split-binary"))
        return split_messages(call);
    if (IS("gather-linear-sync"))
        return (p - 1) * 3;
    if (IS("allgather-recursive-doubling"))
        return p * log;
    if (IS("allgather-neighbor-exchange") && p % 2 == 0)
        return p * p / 2;
    if (IS("allgather-ring", "allgather-neighbor-exchange", "allgather-direct", "allgather-hardware",
           "alltoall-scattered", "alltoall-linear", "alltoall-linear-sync", "alltoall-pairwise",
           "alltoall-pairwise-ring", "reduce-scatter-pairwise", "reduce-scatter-ring"))
        return p * (p - 1);
    if (IS("allreduce-rabenseifner"))
        return 2 * q * log + 2 * e;
    if (IS("allreduce-rabenseifner-pairs"))
        return 2 * q * log + 4 * e;
    if (IS("allreduce-ring"))
        return 2 * p * (p - 1);
    if (IS("allreduce-ring-segmented"))
        return p * (p - 1) * (1 + segments(n / p, call->segment_bytes));
    if (IS("scan-recursive-doubling"))
        return partners(call);
    return UINT64_MAX;
}
