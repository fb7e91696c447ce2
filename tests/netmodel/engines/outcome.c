#include "tests/netmodel/engines/outcome.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/engines/engine.h"

const char *outcome_engine_name(enum outcome_engine engine)
{
    static const char *const names[OUTCOME_ENGINES] = {
        [OUTCOME_REFERENCE] = "reference",         [OUTCOME_NETWORK] = "net_network",
        [OUTCOME_FLITS] = "the flit-grant engine", [OUTCOME_WIDE] = "the wide flit-grant engine",
        [OUTCOME_BROAD] = "the broad engine",      [OUTCOME_PARTS] = "net_network in parts"};
    return names[engine];
}

static void *take(size_t count)
{
    void *memory = calloc(count ? count : 1, sizeof(uint64_t));
    if (!memory)
        abort();
    return memory;
}

/* Keeps the first fault. */
static void fault(struct outcome *outcome, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fault(struct outcome *outcome, const char *format, ...)
{
    va_list arguments;
    if (outcome->fault[0])
        return;
    va_start(arguments, format);
    vsnprintf(outcome->fault, sizeof outcome->fault, format, arguments);
    va_end(arguments);
}

static void prepare(struct outcome *outcome, const struct net_topology *topology, size_t count)
{
    *outcome = (struct outcome){.message_count = count};
    outcome->sent = take(count);
    outcome->delivered = take(count);
    outcome->link_flits = take(topology->link_count);
    outcome->link_waits = take(topology->link_count);
    outcome->ejected_flits = take(topology->terminals);
    outcome->injected_flits = take(topology->terminals);
    for (size_t m = 0; m < count; m++)
        outcome->sent[m] = outcome->delivered[m] = REFERENCE_NEVER;
}

static void add_latencies(void *context, uint64_t latency_cycles, uint64_t packets)
{
    struct outcome *outcome = context;
    size_t size = (outcome->latency_count + 1) * sizeof *outcome->latencies;
    outcome->latencies = realloc(outcome->latencies, size);
    if (!outcome->latencies)
        abort();
    outcome->latencies[outcome->latency_count++] = (struct outcome_latency){latency_cycles, packets};
}

/* ---- the reference ---- */

static int compare_cycles(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void count_packet(struct outcome *outcome, const struct reference_packet *packet,
                         uint64_t injected_cycle)
{
    uint64_t latency = packet->delivered - injected_cycle;
    outcome->packets++;
    outcome->flits += packet->flits;
    outcome->packet_hops += packet->links;
    outcome->flit_hops += (uint64_t)packet->links * packet->flits;
    outcome->latency_sum_cycles += latency;
    if (latency > outcome->latency_max_cycles)
        outcome->latency_max_cycles = latency;
    outcome->ejected_flits[packet->target] += packet->flits;
    outcome->injected_flits[packet->source] += packet->flits;
    base_digest_add(&outcome->digest, (uint64_t[]){packet->message, packet->index, packet->delivered}, 3);
}

static uint64_t count_copy(struct outcome *outcome, const struct reference_copy *copy,
                           uint64_t injected_cycle)
{
    uint64_t latency = copy->cycle - injected_cycle;
    outcome->packets++;
    outcome->flits += copy->flits;
    outcome->packet_hops += copy->links;
    outcome->flit_hops += (uint64_t)copy->links * copy->flits;
    outcome->latency_sum_cycles += latency;
    if (latency > outcome->latency_max_cycles)
        outcome->latency_max_cycles = latency;
    outcome->ejected_flits[copy->terminal] += copy->flits;
    base_digest_add(&outcome->digest, (uint64_t[]){copy->message, copy->index, copy->cycle, copy->terminal},
                    4);
    return latency;
}

/* Every packet of a multicast has come once to every terminal of its list, and to no other: the law that all
 * of this is for. Of a deadlock less may be true. */
static void check_once(struct outcome *outcome, const struct reference_setup *setup,
                       const struct reference_message *messages, uint32_t largest, const uint64_t *packets)
{
    uint32_t terminals = setup->topology->terminals;
    for (size_t m = 0; setup->lists != NULL && m < outcome->message_count; m++) {
        uint64_t whole = (messages[m].flits - 1) / largest + 1, wanted = 0, complete = 0, come = 0;
        for (uint32_t i = 0; i < setup->lists[m].count; i++, wanted++)
            complete += packets[m * terminals + setup->lists[m].targets[i]] == whole;
        for (uint32_t t = 0; t < terminals; t++)
            come += packets[m * terminals + t];
        if (complete != wanted || come != wanted * whole)
            fault(outcome, "message %zu came to %" PRIu64 " of %" PRIu64 " members, in %" PRIu64 " packets",
                  m, complete, wanted, come);
    }
}

/* A copy is complete with the last of its packets. */
static void note_copies(struct outcome *outcome, const struct reference_setup *setup,
                        const struct reference_message *messages, const struct reference_result *result)
{
    uint32_t largest = setup->options.packet_flits != 0 ? setup->options.packet_flits : 16;
    uint64_t *packets = take((size_t)(setup->topology->terminals * outcome->message_count));
    for (size_t i = 0; i < result->copy_count; i++) {
        const struct reference_copy *copy = &result->copies[i];
        uint64_t *come = &packets[copy->message * setup->topology->terminals + copy->terminal];
        if (++*come == (messages[copy->message].flits - 1) / largest + 1)
            base_digest_add(&outcome->copies, (uint64_t[]){copy->message, copy->terminal, copy->cycle}, 3);
    }
    if (!result->deadlock)
        check_once(outcome, setup, messages, largest, packets);
    free(packets);
}

static void count_packets(struct outcome *outcome, const struct reference_result *result,
                          const struct reference_message *messages)
{
    uint64_t *latencies = take(result->packet_count + result->copy_count);
    size_t count = 0;
    for (size_t i = 0; i < result->copy_count; i++)
        latencies[count++] =
            count_copy(outcome, &result->copies[i], messages[result->copies[i].message].cycle);
    for (size_t i = 0; i < result->packet_count; i++) {
        const struct reference_packet *packet = &result->packets[i];
        uint64_t injected_cycle = messages[packet->message].cycle;
        if (packet->multicast && packet->links == 0) /* what the source sends, once for all copies */
            outcome->injected_flits[packet->source] += packet->flits;
        if (packet->delivered == REFERENCE_NEVER)
            continue;
        count_packet(outcome, packet, injected_cycle);
        latencies[count++] = packet->delivered - injected_cycle;
    }
    qsort(latencies, count, sizeof *latencies, compare_cycles);
    for (size_t i = 0, first = 0; i < count; i++)
        if (i + 1 == count || latencies[i + 1] != latencies[i]) {
            add_latencies(outcome, latencies[i], i + 1 - first);
            first = i + 1;
        }
    free(latencies);
}

static void run_reference(const struct reference_setup *setup, const struct reference_message *messages,
                          size_t count, struct outcome *outcome)
{
    struct reference_result result;
    reference_run(setup, messages, count, &result);
    for (size_t m = 0; m < count; m++) {
        outcome->sent[m] = result.sent[m];
        outcome->delivered[m] = result.delivered[m];
        outcome->messages += result.delivered[m] != REFERENCE_NEVER;
    }
    for (uint32_t link = 0; link < setup->topology->link_count; link++) {
        outcome->link_flits[link] = result.link_flits[link];
        outcome->link_waits[link] = result.link_waits[link];
    }
    count_packets(outcome, &result, messages);
    note_copies(outcome, setup, messages, &result);
    outcome->executed_cycles = result.executed_cycles;
    outcome->deadlock = result.deadlock;
    if (result.starved || result.overflows || result.collisions)
        fault(outcome,
              "the reference counted %" PRIu64 " starved streams, %" PRIu64 " overflows, %" PRIu64
              " collisions",
              result.starved, result.overflows, result.collisions);
    reference_free(&result);
}

/* ---- net_network ---- */

struct feeding {
    struct net_network *network;
    const struct reference_message *messages;
    const struct reference_list *lists; /* NULL: none */
    size_t count, next;
    enum outcome_feed style;
    struct outcome *outcome;
    uint64_t *copies; /* [message] noticed of a multicast */
};

/* The cycle in which the next message is given; UINT64_MAX when all have been. */
static uint64_t next_giving(const struct feeding *feeding)
{
    if (feeding->next == feeding->count)
        return UINT64_MAX;
    uint64_t cycle = feeding->messages[feeding->next].cycle;
    uint64_t lead = feeding->style == OUTCOME_FEED_SOONER ? base_hash(feeding->next, feeding->count) % 12 : 0;
    return feeding->style == OUTCOME_FEED_ALL || cycle < lead ? 0 : cycle - lead;
}

static void multicast(struct feeding *feeding, const struct reference_message *given)
{
    struct base_error error = {0};
    const struct reference_list *list = &feeding->lists[feeding->next];
    const struct net_multicast message = {.source = given->source,
                                          .flits = given->flits,
                                          .tag = feeding->next,
                                          .notice_sent = true,
                                          .targets = list->targets,
                                          .target_count = list->count};
    if (net_network_multicast(feeding->network, given->cycle, &message, &error))
        fault(feeding->outcome, "multicast: %s", error.text);
}

static void inject_due(struct feeding *feeding)
{
    struct base_error error = {0};
    while (next_giving(feeding) <= net_network_now(feeding->network)) {
        const struct reference_message *given = &feeding->messages[feeding->next];
        struct net_message message = {given->source, given->target, given->flits, feeding->next, true};
        if (feeding->lists != NULL && feeding->lists[feeding->next].count != 0)
            multicast(feeding, given);
        else if (net_network_inject(feeding->network, given->cycle, &message, &error))
            fault(feeding->outcome, "inject: %s", error.text);
        feeding->next++;
    }
}

static void take_notices(struct feeding *feeding)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(feeding->network, &count);
    uint64_t cycle = net_network_now(feeding->network) - 1;
    if (count == 0)
        fault(feeding->outcome, "advance promised notices at %" PRIu64 " and there are none", cycle + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t tag = notices[i].tag;
        uint64_t *cycles = notices[i].kind == NET_SENT ? feeding->outcome->sent : feeding->outcome->delivered;
        if (notices[i].terminal != NET_NONE && tag < feeding->next) {
            base_digest_add(&feeding->outcome->copies, (uint64_t[]){tag, notices[i].terminal, cycle}, 3);
            if (++feeding->copies[tag] != feeding->lists[tag].count)
                continue; /* the last copy's cycle counts */
        }
        if (tag >= feeding->next)
            fault(feeding->outcome, "notice of the unknown message %" PRIu64, tag);
        else if (cycles[tag] != REFERENCE_NEVER)
            fault(feeding->outcome, "message %" PRIu64 " noticed twice", tag);
        else
            cycles[tag] = cycle;
    }
}

/* Of a case, without a delivery: more are a livelock, which a broken rule of rings can make. */
#define BUSY_CYCLES_MOST (UINT64_C(1) << 20)

/* Until when the network runs: the next message's cycle, or as long as packets may be busy; UINT64_MAX where none is
 * under way, and where nothing happened when it was waited for so long: what stands still is the engine's to tell. */
static uint64_t limit_of(const struct feeding *feeding, bool stands)
{
    uint64_t next = next_giving(feeding);
    bool busy = !stands && net_network_pending(feeding->network) != 0;
    return next == UINT64_MAX && busy ? net_network_now(feeding->network) + BUSY_CYCLES_MOST : next;
}

static void feed(struct feeding *feeding)
{
    struct base_error error = {0};
    bool stands = false;
    for (;;) {
        inject_due(feeding);
        uint64_t limit = limit_of(feeding, stands);
        uint64_t executed = net_network_statistics(feeding->network)->executed_cycles;
        int status = net_network_advance(feeding->network, limit, &error);
        uint64_t now = net_network_now(feeding->network);
        if (status < 0) {
            feeding->outcome->deadlock = error.status == BASE_DEADLOCK;
            feeding->outcome->stopped = now;
            if (!feeding->outcome->deadlock)
                fault(feeding->outcome, "advance: %s", error.text);
            return;
        }
        if (now > limit || (status == 0 && limit != UINT64_MAX && now != limit))
            fault(feeding->outcome, "advance to %" PRIu64 " went to %" PRIu64, limit, now);
        if (status > 0)
            take_notices(feeding);
        else if (limit == UINT64_MAX)
            return;
        else if (next_giving(feeding) == UINT64_MAX) {
            executed = net_network_statistics(feeding->network)->executed_cycles - executed;
            stands = executed < BUSY_CYCLES_MOST / 2;
            if (!stands)
                fault(feeding->outcome, "nothing is delivered in %" PRIu64 " busy cycles before %" PRIu64,
                      executed, now);
        }
        /* At once after the last delivery, when credits may still be on their way. */
        if (net_network_pending(feeding->network) == 0 && net_network_check(feeding->network, &error) < 0)
            fault(feeding->outcome, "drained at %" PRIu64 ": %s", now, error.text);
        if (feeding->outcome->fault[0])
            return;
    }
}

static void copy_statistics(struct outcome *outcome, const struct net_topology *topology,
                            const struct net_statistics *statistics)
{
    outcome->messages = statistics->messages;
    outcome->packets = statistics->packets;
    outcome->flits = statistics->flits;
    outcome->packet_hops = statistics->packet_hops;
    outcome->flit_hops = statistics->flit_hops;
    outcome->latency_sum_cycles = statistics->latency_sum_cycles;
    outcome->latency_max_cycles = statistics->latency_max_cycles;
    outcome->executed_cycles = statistics->executed_cycles;
    outcome->digest = statistics->digest;
    memcpy(outcome->link_flits, statistics->link_flits, topology->link_count * sizeof(uint64_t));
    outcome->waits = statistics->link_waits != NULL;
    for (uint32_t i = 0; outcome->waits && i < topology->link_count; i++)
        outcome->link_waits[i] = statistics->link_waits[i];
    memcpy(outcome->ejected_flits, statistics->ejected_flits, topology->terminals * sizeof(uint64_t));
    memcpy(outcome->injected_flits, statistics->injected_flits, topology->terminals * sizeof(uint64_t));
}

static void run_network(enum outcome_engine engine, enum outcome_feed style,
                        const struct reference_setup *setup, const struct reference_message *messages,
                        size_t count, struct outcome *outcome)
{
    struct base_error error = {0};
    struct net_options options = setup->options;
    options.virtual_channels = setup->routing->virtual_channels;
    options.waits = options.seed & 1; /* in half of the cases: the others are to run as well without */
    options.portable = options.seed >> 1 & 1; /* likewise: without what only some processors have */
    options.threads = engine == OUTCOME_PARTS ? 2 + (uint32_t)(options.seed % 3) : 1;
    const struct net_engine *const movers[OUTCOME_ENGINES] = {[OUTCOME_FLITS] = &net_engine_flits,
                                                              [OUTCOME_WIDE] = &net_engine_wide,
                                                              [OUTCOME_BROAD] = &net_engine_broad};
    const struct net_engine *mover = movers[engine];
    if (mover == NULL)
        mover = net_engine_for(setup->topology, setup->routing, &options);
    struct net_network *network =
        net_network_new_on(mover, setup->topology, setup->routing, &options, &error);
    if (!network) {
        fault(outcome, "net_network_new: %s", error.text);
        return;
    }
    struct feeding feeding = {network, messages, setup->lists, count, 0, style, outcome, take(count)};
    feed(&feeding);
    copy_statistics(outcome, setup->topology, net_network_statistics(network));
    if (net_network_latencies(network, add_latencies, outcome, &error))
        fault(outcome, "net_network_latencies: %s", error.text);
    if (net_network_check(network, &error))
        fault(outcome, "net_network_check: %s", error.text);
    if (net_network_pending(network) != feeding.next - outcome->messages)
        fault(outcome, "net_network_pending: %" PRIu64, net_network_pending(network));
    free(feeding.copies);
    net_network_free(network);
}

void outcome_run(enum outcome_engine engine, enum outcome_feed style, const struct reference_setup *setup,
                 const struct reference_message *messages, size_t count, struct outcome *outcome)
{
    prepare(outcome, setup->topology, count);
    if (engine == OUTCOME_REFERENCE)
        run_reference(setup, messages, count, outcome);
    else
        run_network(engine, style, setup, messages, count, outcome);
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->sent);
    free(outcome->delivered);
    free(outcome->link_flits);
    free(outcome->link_waits);
    free(outcome->ejected_flits);
    free(outcome->injected_flits);
    free(outcome->latencies);
    *outcome = (struct outcome){0};
}

/* ---- comparing ---- */

struct comparison {
    char *text;
    size_t size;
    bool same;
};

/* Notes the first difference. */
static void compare(struct comparison *comparison, const char *what, uint64_t number, uint64_t reference,
                    uint64_t network)
{
    if (reference == network || !comparison->same)
        return;
    comparison->same = false;
    snprintf(comparison->text, comparison->size,
             "%s %" PRIu64 ": reference %" PRId64 ", net_network %" PRId64, what, number, (int64_t)reference,
             (int64_t)network);
}

/* What was noticed up to the cycle in which a network stopped; all when it did not. */
static uint64_t until(const struct outcome *network, uint64_t cycle)
{
    return network->deadlock && cycle >= network->stopped ? REFERENCE_NEVER : cycle;
}

static void compare_messages(struct comparison *comparison, const struct reference_message *messages,
                             const struct outcome *reference, const struct outcome *network)
{
    for (size_t m = 0; m < reference->message_count && comparison->same; m++) {
        compare(comparison, "sent cycle of message", m, until(network, reference->sent[m]), network->sent[m]);
        compare(comparison, "delivery cycle of message", m, until(network, reference->delivered[m]),
                network->delivered[m]);
        if (!comparison->same) {
            size_t used = strlen(comparison->text);
            snprintf(comparison->text + used, comparison->size - used,
                     " (terminal %" PRIu32 " to %" PRIu32 ", %" PRIu64 " flits, injected in %" PRIu64 ")",
                     messages[m].source, messages[m].target, messages[m].flits, messages[m].cycle);
        }
    }
}

static void compare_totals(struct comparison *comparison, const struct outcome *reference,
                           const struct outcome *network)
{
    compare(comparison, "messages", 0, reference->messages, network->messages);
    compare(comparison, "packets", 0, reference->packets, network->packets);
    compare(comparison, "flits", 0, reference->flits, network->flits);
    compare(comparison, "packet hops", 0, reference->packet_hops, network->packet_hops);
    compare(comparison, "flit hops", 0, reference->flit_hops, network->flit_hops);
    compare(comparison, "latency sum", 0, reference->latency_sum_cycles, network->latency_sum_cycles);
    compare(comparison, "latency maximum", 0, reference->latency_max_cycles, network->latency_max_cycles);
    compare(comparison, "copies noticed", 0, reference->copies.records, network->copies.records);
    compare(comparison, "digest of copies", 0, reference->copies.low, network->copies.low);
    compare(comparison, "digest records", 0, reference->digest.records, network->digest.records);
    compare(comparison, "digest, low half", 0, reference->digest.low, network->digest.low);
    compare(comparison, "digest, high half", 0, reference->digest.high, network->digest.high);
}

static void compare_arrays(struct comparison *comparison, const struct net_topology *topology,
                           const struct outcome *reference, const struct outcome *network)
{
    for (uint32_t i = 0; i < topology->link_count; i++)
        compare(comparison, "flits of link", i, reference->link_flits[i], network->link_flits[i]);
    for (uint32_t i = 0; network->waits && i < topology->link_count; i++)
        compare(comparison, "waiting for link", i, reference->link_waits[i], network->link_waits[i]);
    for (uint32_t i = 0; i < topology->terminals; i++)
        compare(comparison, "ejected flits of terminal", i, reference->ejected_flits[i],
                network->ejected_flits[i]);
    /* What is half injected in a deadlock is not defined by the model. */
    for (uint32_t i = 0; i < topology->terminals && !reference->deadlock; i++)
        compare(comparison, "injected flits of terminal", i, reference->injected_flits[i],
                network->injected_flits[i]);
    compare(comparison, "number of latencies", 0, reference->latency_count, network->latency_count);
    for (size_t i = 0; i < reference->latency_count && comparison->same; i++) {
        const struct outcome_latency *a = &reference->latencies[i], *b = &network->latencies[i];
        compare(comparison, "latency number", i, a->latency_cycles, b->latency_cycles);
        compare(comparison, "packets of latency", a->latency_cycles, a->packets, b->packets);
    }
}

bool outcome_same(const struct reference_setup *setup, const struct reference_message *messages,
                  const struct outcome *reference, const struct outcome *network, char *text, size_t size)
{
    struct comparison comparison = {text, size, true};
    const char *faulty = reference->fault[0] ? reference->fault : network->fault;
    text[0] = '\0';
    if (faulty[0]) {
        snprintf(text, size, "%s", faulty);
        return false;
    }
    compare_messages(&comparison, messages, reference, network);
    compare(&comparison, "deadlock", 0, reference->deadlock, network->deadlock);
    /* Packets that go on when others are stuck are the reference's alone. */
    if (!network->deadlock || network->packets == reference->packets)
        compare_totals(&comparison, reference, network);
    if (!network->deadlock)
        compare_arrays(&comparison, setup->topology, reference, network);
    /* The reference executes every cycle in which a flit is inside: an engine may skip some of these, never
     * add one. */
    if (comparison.same && network->executed_cycles > reference->executed_cycles)
        compare(&comparison, "executed cycles", 0, reference->executed_cycles, network->executed_cycles);
    return comparison.same;
}
