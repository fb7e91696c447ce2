/* A trie of totals: a node is a member's totals behind those of the members before it, so that two instances
 * with equal totals so far share their nodes. The first node of a path names the collective. When all members
 * have been read the ends of the paths are written out as vectors and the trie is freed. */
#include "traces/otf2/vectors.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/random.h"
#include "base/grow.h"
#include "base/wide.h"
#include "traces/otf2/sizes.h"

#define NO_NODE UINT32_MAX
#define START UINT32_MAX /* in place of a rank: the node names the collective */

struct trace_otf2_vector_node {
    uint64_t sent;     /* or at the start: collective and root */
    uint64_t received; /* or at the start: the first group's size (0: one group) and the size */
    uint32_t previous, rank;
    uint32_t vector; /* for the end of a path, once it is written out; else NO_NODE */
};

/* The node with these contents, made at need. Nodes are found by a hash of all they hold; one that is found
 * under the hash of another, which is as good as never, gets the next. O(1) expected. The index of the node;
 * NO_NODE when memory is out. */
static uint32_t intern(struct trace_otf2_vectors *vectors, uint32_t previous, uint32_t rank, uint64_t sent,
                       uint64_t received)
{
    uint64_t a = base_hash(previous, rank), b = base_hash(sent, received);
    struct trace_otf2_vector_node *node;
    uint32_t index;

    for (;; b++) {
        index = base_table_get(&vectors->index, a, b);
        if (index == BASE_TABLE_NONE)
            break;
        node = &vectors->nodes[index];
        if (node->previous == previous && node->rank == rank && node->sent == sent &&
            node->received == received)
            return index;
    }
    index = (uint32_t)vectors->node_count;
    if (vectors->node_count >= NO_NODE ||
        base_grow(&vectors->nodes, &vectors->node_capacity, vectors->node_count + 1,
                  sizeof *vectors->nodes) != 0 ||
        base_table_put(&vectors->index, a, b, index) != 0)
        return NO_NODE;
    vectors->nodes[vectors->node_count++] = (struct trace_otf2_vector_node){
        .sent = sent, .received = received, .previous = previous, .rank = rank, .vector = NO_NODE};
    return index;
}

/* The list of a communicator; the array of lists grows to the largest number seen. */
static struct trace_otf2_vector_list *list_of(struct trace_otf2_vectors *vectors, uint32_t communicator)
{
    if (communicator >= vectors->list_count) {
        size_t count = vectors->list_count, capacity = count;
        if (base_grow(&vectors->lists, &capacity, (size_t)communicator + 1, sizeof *vectors->lists) != 0)
            return NULL;
        for (size_t i = count; i < capacity; i++)
            vectors->lists[i] = (struct trace_otf2_vector_list){0};
        vectors->list_count = (uint32_t)capacity;
    }
    return &vectors->lists[communicator];
}

/* Where an instance is in the list, or belongs. */
static size_t find(const struct trace_otf2_vector_list *list, uint64_t instance)
{
    size_t low = 0, high = list->count;

    if (high > 0 && list->uses[high - 1].instance < instance)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->uses[middle].instance < instance)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first member that comes by makes the entry. One in the middle is made only where members disagree about
 * their collectives. */
static struct trace_otf2_vector_use *find_use(struct trace_otf2_vector_list *list, uint64_t instance)
{
    size_t at = find(list, instance);

    if (at < list->count && list->uses[at].instance == instance)
        return &list->uses[at];
    if (base_grow(&list->uses, &list->capacity, list->count + 1, sizeof *list->uses) != 0)
        return NULL;
    memmove(&list->uses[at + 1], &list->uses[at], (list->count - at) * sizeof *list->uses);
    list->count++;
    list->uses[at] = (struct trace_otf2_vector_use){instance, NO_NODE};
    return &list->uses[at];
}

/* Each member's call moves the instance one node further along its path; the first one makes the start. */
int trace_otf2_vectors_add(struct trace_otf2_vectors *vectors, const struct trace_op *op, uint64_t instance,
                           const struct trace_otf2_collective_record *record)
{
    struct trace_otf2_vector_list *list = list_of(vectors, op->communicator);
    struct trace_otf2_vector_use *use = list == NULL ? NULL : find_use(list, instance);

    if (use == NULL)
        return -1;
    if (use->node == NO_NODE)
        use->node = intern(vectors, NO_NODE, START, (uint64_t)op->collective << 32 | op->root,
                           (uint64_t)record->first_group << 32 | record->size);
    if (use->node != NO_NODE)
        use->node = intern(vectors, use->node, record->rank, record->sent, record->received);
    return use->node == NO_NODE ? -1 : 0;
}

#define LARGEST_ELEMENT_BYTES 8

static bool is_multiple(base_wide a, base_wide b)
{
    return !base_wide_less(base_wide_of(0), base_wide_remainder(a, b));
}

/* True when the split in proportion is of whole elements: those of the largest size, 1 to 8 bytes, that all
 * totals are multiples of. Every product of a total sent and a total received must be divisible by the sum of
 * all and by that; then so is the greatest common divisor of all products, which is the product of those of
 * the two lists. (Whole bytes are not enough: with four ranks and elements of four bytes they always are.) */
static bool is_even(const struct trace_vector *vector)
{
    uint64_t sent = 0, received = 0, sum_sent = 0, sum_received = 0;
    uint64_t element;

    for (uint32_t i = 0; i < vector->size; i++) {
        if (__builtin_add_overflow(sum_sent, vector->sent[i], &sum_sent) ||
            __builtin_add_overflow(sum_received, vector->received[i], &sum_received))
            return false;
        sent = base_common_divisor(vector->sent[i], sent);
        received = base_common_divisor(vector->received[i], received);
    }
    if (sum_sent != sum_received)
        return false;
    element = base_common_divisor(base_common_divisor(sent, received), LARGEST_ELEMENT_BYTES);
    return sum_sent == 0 ||
           is_multiple(base_wide_product(sent, received), base_wide_product(sum_sent, element));
}

/* Members that were not read have zeros. From the end of the path back to its start, so that ranks come in any
 * order. One block has both arrays. */
static int write_out(struct trace_otf2_vectors *vectors, uint32_t end)
{
    struct trace_otf2_vector_node *node = &vectors->nodes[end];
    struct trace_otf2_vector vector = {0};
    uint64_t *sent, *received;
    uint32_t start = end;
    uint32_t size;

    while (vectors->nodes[start].rank != START)
        start = vectors->nodes[start].previous;
    size = (uint32_t)vectors->nodes[start].received;
    vector.collective = (enum trace_collective)(vectors->nodes[start].sent >> 32);
    sent = calloc((size_t)size * 2, sizeof *sent);
    if (sent == NULL ||
        base_grow(&vectors->all, &vectors->capacity, vectors->count + 1, sizeof *vectors->all) != 0) {
        free(sent);
        return -1;
    }
    received = sent + size;
    for (uint32_t i = end; i != start; i = vectors->nodes[i].previous) {
        sent[vectors->nodes[i].rank] = vectors->nodes[i].sent;
        received[vectors->nodes[i].rank] = vectors->nodes[i].received;
    }
    vector.vector = (struct trace_vector){sent, received, size, false};
    vector.guessed =
        !trace_otf2_complete_vectors(vector.collective, (uint32_t)vectors->nodes[start].sent,
                                     (uint32_t)(vectors->nodes[start].received >> 32), size, sent, received);
    vector.even = is_even(&vector.vector);
    for (uint32_t i = end; i != start; i = vectors->nodes[i].previous)
        vectors->differ |= sent[vectors->nodes[i].rank] != vectors->nodes[i].sent ||
                           received[vectors->nodes[i].rank] != vectors->nodes[i].received;
    node->vector = (uint32_t)vectors->count;
    vectors->all[vectors->count++] = vector;
    return 0;
}

/* Uses then name vectors in place of nodes, and equal instances name the same one. */
int trace_otf2_vectors_complete(struct trace_otf2_vectors *vectors)
{
    for (uint32_t c = 0; c < vectors->list_count; c++) {
        for (size_t i = 0; i < vectors->lists[c].count; i++) {
            uint32_t *node = &vectors->lists[c].uses[i].node;
            if (vectors->nodes[*node].vector == NO_NODE && write_out(vectors, *node) != 0)
                return -1;
            *node = vectors->nodes[*node].vector;
        }
    }
    base_table_free(&vectors->index);
    free(vectors->nodes);
    vectors->nodes = NULL;
    vectors->node_count = vectors->node_capacity = 0;
    return 0;
}

/* By halving among the instances of the communicator; NULL where none was recorded. */
const struct trace_otf2_vector *trace_otf2_vectors_get(const struct trace_otf2_vectors *vectors,
                                                       uint32_t communicator, uint64_t instance)
{
    const struct trace_otf2_vector_list *list;
    size_t at;

    if (communicator >= vectors->list_count)
        return NULL;
    list = &vectors->lists[communicator];
    at = find(list, instance);
    return at < list->count && list->uses[at].instance == instance ? &vectors->all[list->uses[at].node]
                                                                   : NULL;
}

/* True where there is none of that operation. */
bool trace_otf2_vectors_are_even(const struct trace_otf2_vectors *vectors, enum trace_collective collective)
{
    for (size_t i = 0; i < vectors->count; i++)
        if (vectors->all[i].collective == collective && !vectors->all[i].even)
            return false;
    return true;
}

/* False where there is none of that operation. */
bool trace_otf2_vectors_are_guessed(const struct trace_otf2_vectors *vectors,
                                    enum trace_collective collective)
{
    for (size_t i = 0; i < vectors->count; i++)
        if (vectors->all[i].collective == collective && vectors->all[i].guessed)
            return true;
    return false;
}

/* Also before trace_otf2_vectors_complete, or after it has failed. */
void trace_otf2_vectors_free(struct trace_otf2_vectors *vectors)
{
    for (uint32_t i = 0; i < vectors->list_count; i++)
        free(vectors->lists[i].uses);
    for (size_t i = 0; i < vectors->count; i++) /* the sent half is the start of the one allocation */
        free((uint64_t *)(uintptr_t)vectors->all[i].vector.sent);
    free(vectors->lists);
    free(vectors->nodes);
    free(vectors->all);
    base_table_free(&vectors->index);
    *vectors = (struct trace_otf2_vectors){0};
}
