/* The exact latency histogram: an array for the usual latencies, a hash table for the rest. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "netmodel/engines/engine.h"

/* The array is made at once: growing it on the way would be an allocation in the flit loop. */
int net_latency_init(struct net_latency_counter *counter)
{
    counter->dense = calloc(NET_LATENCY_DENSE, sizeof *counter->dense);
    return counter->dense != NULL ? 0 : -1;
}

/* One addition does not wait for the next. */
void net_latency_settle(struct net_latency_counter *counter)
{
    for (uint32_t i = 0; i < counter->kept; i++)
        counter->dense[counter->recent[i]]++;
    counter->kept = 0;
}

/* Also of one that could not be made: all is NULL then. */
void net_latency_free(struct net_latency_counter *counter)
{
    free(counter->dense);
    free(counter->entries);
    base_table_free(&counter->rare);
}

/* A latency beyond the array: few packets in a run have one, and each distinct value is one entry. */
int net_latency_add_rare(struct net_latency_counter *counter, uint64_t latency_cycles)
{
    uint32_t index = base_table_get(&counter->rare, latency_cycles, 0);
    if (index != BASE_TABLE_NONE) {
        counter->entries[index].packets++;
        return 0;
    }
    if (base_grow_32(&counter->entries, &counter->capacity, (size_t)counter->count + 1,
                     sizeof *counter->entries) < 0 ||
        base_table_put(&counter->rare, latency_cycles, 0, counter->count) < 0)
        return -1;
    counter->entries[counter->count++] = (struct net_latency_entry){latency_cycles, 1};
    return 0;
}

/* For qsort; no two entries have the same latency. */
static int compare_entries(const void *left, const void *right)
{
    const struct net_latency_entry *a = left, *b = right;
    return a->latency_cycles < b->latency_cycles ? -1 : a->latency_cycles > b->latency_cycles;
}

/* For qsort. */
static int compare_latencies(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Those of the array, and those that are to be counted there, in order. */
static void visit_dense(const struct net_latency_counter *counter,
                        void (*visit)(void *context, uint64_t latency_cycles, uint64_t packets),
                        void *context)
{
    uint32_t recent[NET_LATENCY_RECENT];
    uint32_t next = 0;
    memcpy(recent, counter->recent, sizeof recent);
    qsort(recent, counter->kept, sizeof *recent, compare_latencies);
    for (uint32_t latency = 0; latency < NET_LATENCY_DENSE; latency++) {
        uint64_t packets = counter->dense[latency];
        for (; next < counter->kept && recent[next] == latency; next++)
            packets++;
        if (packets != 0)
            visit(context, latency, packets);
    }
}

/* The array is in order already; the rare ones and those that are kept need sorting, in a copy, since a report must not
 * change a run. */
int net_network_latencies(const struct net_network *network,
                          void (*visit)(void *context, uint64_t latency_cycles, uint64_t packets),
                          void *context, struct base_error *error)
{
    const struct net_latency_counter *counter = &network->latency;
    size_t bytes = counter->count * sizeof *counter->entries;
    struct net_latency_entry *sorted = malloc(bytes != 0 ? bytes : 1);
    if (sorted == NULL)
        return base_error_memory(error, "the sorted latencies");
    if (bytes != 0)
        memcpy(sorted, counter->entries, bytes);
    qsort(sorted, counter->count, sizeof *sorted, compare_entries);
    visit_dense(counter, visit, context);
    for (uint32_t i = 0; i < counter->count; i++)
        visit(context, sorted[i].latency_cycles, sorted[i].packets);
    free(sorted);
    return 0;
}
