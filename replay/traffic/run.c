/* One run of synthetic traffic.
 *
 *      heap of (cycle, terminal) ──due──► feed ──► net_network_inject
 *                     ▲                    ▲  held while QUEUE messages of the injector are not yet sent
 *                     └─ next message ─────┴── NET_SENT
 *                                              NET_DELIVERED ──► histograms, counters
 *
 * A source that is held has its next message made already and is asked for no other: the sequence of a
 * terminal is a function, so what waits need not be stored, and how much waits can be counted by running
 * ahead on a copy. As long as QUEUE messages wait in front of an injector it cannot run dry, so holding
 * changes nothing with one injector a terminal. With several, of which one falls QUEUE messages behind the
 * others, the others wait for it. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arithmetic.h"
#include "base/grow.h"
#include "base/heap.h"
#include "base/process-memory.h"
#include "replay/traffic/steady.h"
#include "replay/traffic/traffic.h"

#define QUEUE 16              /* messages in front of an injector that the network knows */
#define OBSERVATION_CYCLES 50 /* of the series that tell whether the run is steady */
#define OBSERVATIONS_FIRST 50
_Static_assert(OBSERVATION_CYCLES *OBSERVATIONS_FIRST == REPLAY_WARMUP_LEAST, "the shortest warm-up");
#define NONE UINT32_MAX

struct flight { /* a message in the network */
    uint64_t generated, sent, flits;
    uint64_t copies; /* still to be delivered */
    uint32_t source, injector;
    uint32_t next_free; /* of a record that is not in use */
};

struct source {
    struct net_traffic_message next; /* generated, and not in the network yet */
    uint64_t taken;                  /* messages given to the network */
    bool is_held; /* next is due, and waits for room in front of its injector; else it is in the heap */
};

struct simulation {
    const struct replay_traffic *traffic; /* what all runs have in common */
    struct replay_traffic_run *run;       /* the result, the caller's */
    struct net_options options;           /* of the network, with no zero where this file looks */
    struct net_pattern pattern;
    struct net_traffic generator; /* of what all terminals send */
    struct net_network *network;  /* the run's own */
    struct base_heap due;         /* terminals, by the cycle of their next message */
    uint32_t senders;             /* terminals that send */
    struct source *sources;
    uint16_t *outstanding; /* [terminal * injectors + injector] */
    uint32_t *released;    /* held sources for which there is room again */
    size_t released_count;
    struct flight *flights; /* a pool: a message's tag in the network is its place here */
    uint32_t flight_count, flight_capacity, free_flight; /* free: the first that is not in use */
    uint64_t taken_flits, delivered_flits; /* since the beginning; those that were lost are in neither */
    uint64_t sent_flits;                   /* of messages that have left their sources */
    bool is_measured;
    uint64_t batch_flits, batch_messages, batch_latency; /* delivered in the present batch */
    double *backlog, *delivered;                         /* the observations */
    size_t observations;
};

/* A free record, or NONE. Records are reused, so that a long run holds no more of them than were ever in
 * flight at once; that is bounded by the buffers of the network and QUEUE. */
static uint32_t take_flight(struct simulation *simulation)
{
    uint32_t flight = simulation->free_flight;

    if (flight != NONE) {
        simulation->free_flight = simulation->flights[flight].next_free;
        return flight;
    }
    if (base_grow_32(&simulation->flights, &simulation->flight_capacity, (size_t)simulation->flight_count + 1,
                     sizeof *simulation->flights) != 0)
        return NONE;
    return simulation->flight_count++;
}

/* One message to one terminal or to all. Where a message of the network goes to is no concern of the rest. */
static int send(struct simulation *simulation, const struct net_traffic_message *next, uint32_t terminal,
                uint32_t flight, struct base_error *error)
{
    const struct net_multicast broadcast = {
        .source = terminal, .flits = next->flits, .tag = flight, .notice_sent = true};
    const struct net_message message = {
        .source = terminal, .target = next->target, .flits = next->flits, .tag = flight, .notice_sent = true};
    uint64_t now = net_network_now(simulation->network);

    if (!next->broadcast)
        return net_network_inject(simulation->network, now, &message, error);
    simulation->flights[flight].copies = net_network_copies(simulation->network, &broadcast);
    return net_network_multicast(simulation->network, now, &broadcast, error);
}

/* The source's next message into the network, now; and the one after it is made. */
static int inject(struct simulation *simulation, uint32_t terminal, uint32_t injector,
                  struct base_error *error)
{
    struct source *source = &simulation->sources[terminal];
    const struct net_traffic_message next = source->next;
    uint32_t flight = take_flight(simulation);

    if (flight == NONE)
        return base_error_memory(error, "the messages in flight");
    simulation->flights[flight] = (struct flight){.generated = next.cycle,
                                                  .flits = next.flits,
                                                  .copies = 1,
                                                  .source = terminal,
                                                  .injector = injector,
                                                  .next_free = NONE};
    simulation->taken_flits += next.flits;
    simulation->outstanding[injector]++;
    source->taken++;
    net_traffic_next(&simulation->generator, terminal, &source->next);
    return send(simulation, &next, terminal, flight, error);
}

/* Everything that is due at a source and that its injectors have room for. Afterwards the source is in the
 * heap, or held. Messages take turns on a terminal's injectors, as rule 2 of doc/flit-engine.md has it, so
 * the count of those given away tells which injector is next without asking the network. */
static int feed(struct simulation *simulation, uint32_t terminal, struct base_error *error)
{
    struct source *source = &simulation->sources[terminal];
    uint32_t injectors = simulation->options.injectors;

    source->is_held = false;
    while (source->next.cycle <= net_network_now(simulation->network)) {
        uint32_t injector = terminal * injectors + (uint32_t)(source->taken % injectors);
        source->is_held = simulation->outstanding[injector] == QUEUE;
        if (source->is_held)
            return 0;
        if (inject(simulation, terminal, injector, error) != 0)
            return -1;
    }
    if (base_heap_push(&simulation->due, source->next.cycle, terminal) != 0)
        return base_error_memory(error, "the sources' times");
    return 0;
}

/* A message has left its source: a source that waits for this very injector may go on. */
static void take_sent(struct simulation *simulation, struct flight *flight)
{
    struct source *source = &simulation->sources[flight->source];
    uint32_t injectors = simulation->options.injectors;
    uint32_t turn = flight->source * injectors + (uint32_t)(source->taken % injectors);

    flight->sent = net_network_now(simulation->network);
    simulation->outstanding[flight->injector]--;
    simulation->sent_flits += flight->flits;
    if (source->is_held && turn == flight->injector) {
        source->is_held = false;
        simulation->released[simulation->released_count++] = flight->source;
    }
}

/* It has never been inside: what was generated and lost is counted by the network. */
static void take_lost(struct simulation *simulation, uint32_t number)
{
    struct flight *flight = &simulation->flights[number];

    simulation->taken_flits -= flight->flits;
    take_sent(simulation, flight);
    simulation->sent_flits -= flight->flits;
    flight->next_free = simulation->free_flight;
    simulation->free_flight = number;
}

/* Network latency counts from when the first flit of the message's last packet left the source: what a packet
 * of so many flits needs in an empty network, and what others make it wait. Over networks with engines of their
 * own it is in the network from the cycle on in which it is sent, however long it is. */
static int count_latency(struct simulation *simulation, const struct flight *flight, uint64_t delivered)
{
    uint64_t packet_flits = simulation->options.packet_flits;
    uint64_t last_flits =
        simulation->traffic->topology->kind->apart ? 1 : (flight->flits - 1) % packet_flits + 1;
    uint64_t latency = delivered - flight->generated;
    uint64_t network;

    network = flight->sent >= last_flits ? delivered + last_flits - flight->sent : latency;
    if (network > latency)
        network = latency; /* an ideal network, where nothing takes time */
    simulation->batch_flits += flight->copies == 0 ? flight->flits : 0;
    simulation->batch_latency += latency;
    simulation->batch_messages++;
    return replay_histogram_add(&simulation->run->latency, latency) == 0
               ? replay_histogram_add(&simulation->run->network_latency, network)
               : -1;
}

/* The notice is of the cycle after the last flit, except where nothing takes time. Each copy of a broadcast
 * has one. */
static int take_delivered(struct simulation *simulation, uint32_t number, struct base_error *error)
{
    struct flight *flight = &simulation->flights[number];
    uint64_t now = net_network_now(simulation->network);
    uint64_t delivered = net_topology_is_ideal(simulation->traffic->topology) ? now : now - 1;

    flight->copies--;
    if (simulation->is_measured && count_latency(simulation, flight, delivered) != 0)
        return base_error_memory(error, "the histogram of latencies");
    if (flight->copies > 0)
        return 0;
    simulation->delivered_flits += flight->flits;
    flight->next_free = simulation->free_flight;
    simulation->free_flight = number;
    return 0;
}

/* Notices are gone with the first injection, so sources go on when all have been looked at. */
static int take_notices(struct simulation *simulation, struct base_error *error)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(simulation->network, &count);

    simulation->released_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = (uint32_t)notices[i].tag;
        if (notices[i].kind == NET_SENT)
            take_sent(simulation, &simulation->flights[number]);
        else if (notices[i].kind == NET_LOST)
            take_lost(simulation, number);
        else if (take_delivered(simulation, number, error) != 0)
            return -1;
    }
    for (size_t i = 0; i < simulation->released_count; i++)
        if (feed(simulation, simulation->released[i], error) != 0)
            return -1;
    return 0;
}

/* Executes the cycles before `end`, and takes the notices that are due at it. */
static int advance(struct simulation *simulation, uint64_t end, struct base_error *error)
{
    const struct base_event *first;
    struct base_event event;

    while (net_network_now(simulation->network) < end) {
        uint64_t now = net_network_now(simulation->network), limit = end;
        const atomic_bool *stop = simulation->traffic->stop;
        int due;
        if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed))
            return base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
        while ((first = base_heap_first(&simulation->due)) != NULL && first->time <= now) {
            base_heap_pop(&simulation->due, &event);
            if (feed(simulation, (uint32_t)event.payload, error) != 0)
                return -1;
        }
        if (first != NULL && first->time < limit)
            limit = first->time;
        due = net_network_advance(simulation->network, limit, error);
        if (due < 0 || (due > 0 && take_notices(simulation, error) != 0))
            return -1;
    }
    return 0;
}

/* An observation: what is inside, and what came out since the last one. */
/* It costs a division and two stores; the series are looked at seldom. Arrays grow by a fixed amount, since
 * the number of observations is bounded by the measured cycles. */
static int observe(struct simulation *simulation, uint64_t delivered_before, struct base_error *error)
{
    size_t count = simulation->observations;

    if (count % OBSERVATIONS_FIRST == 0) {
        double *backlog = realloc(simulation->backlog, (count + OBSERVATIONS_FIRST) * sizeof *backlog);
        double *delivered;
        if (backlog != NULL)
            simulation->backlog = backlog;
        delivered = realloc(simulation->delivered, (count + OBSERVATIONS_FIRST) * sizeof *delivered);
        if (delivered != NULL)
            simulation->delivered = delivered;
        if (backlog == NULL || delivered == NULL)
            return base_error_memory(error, "the observations of the warm-up");
    }
    simulation->backlog[count] = (double)(simulation->taken_flits - simulation->delivered_flits);
    simulation->delivered[count] = (double)(simulation->delivered_flits - delivered_before);
    simulation->observations++;
    return 0;
}

/* Whether what is inside grew by more than a hundredth of what came out in the second half: then no more
 * warming up will make it steady. */
static bool is_overloaded(const struct simulation *simulation)
{
    size_t half = simulation->observations / 2;
    double delivered = 0;

    for (size_t i = half; i < simulation->observations; i++)
        delivered += simulation->delivered[i];
    return simulation->backlog[simulation->observations - 1] - simulation->backlog[half] > delivered / 100;
}

/* Looks at 50, 100, 200 … observations, so that the whole of looking costs no more than its last look. The
 * throughput must be steady, and so must be what is inside, unless it grows for good. A detected warm-up
 * takes at most twice the measured cycles (but 50 observations in any case): a series that is not steady by
 * then is measured as it is, and the point is marked. */
static int warm_up(struct simulation *simulation, struct base_error *error)
{
    const struct replay_traffic *traffic = simulation->traffic;
    struct replay_traffic_run *run = simulation->run;
    size_t most = base_size(traffic->cycles / OBSERVATION_CYCLES * 2), look = OBSERVATIONS_FIRST;

    if (traffic->settle || !traffic->detect) {
        run->warmup_cycles = traffic->warmup_cycles;
        return advance(simulation, run->warmup_cycles, error);
    }
    for (;; look = 2 * look < most ? 2 * look : most) {
        while (simulation->observations < look) {
            uint64_t before = simulation->delivered_flits;
            run->warmup_cycles += OBSERVATION_CYCLES;
            if (advance(simulation, run->warmup_cycles, error) != 0 ||
                observe(simulation, before, error) != 0)
                return -1;
        }
        run->steady = replay_steady(simulation->delivered, look) &&
                      (replay_steady(simulation->backlog, look) || is_overloaded(simulation));
        if (run->steady || look >= most)
            return 0;
    }
}

/* Flits that have been generated so far and not delivered, those included that the network has not seen. */
static uint64_t count_backlog(const struct simulation *simulation)
{
    uint64_t now = net_network_now(simulation->network);
    uint64_t flits = simulation->taken_flits - simulation->delivered_flits;

    for (uint32_t i = 0; i < simulation->pattern.terminals; i++)
        if (simulation->sources[i].is_held)
            flits += simulation->sources[i].next.flits + net_traffic_ahead(&simulation->generator, i, now);
    return flits;
}

/* The measured cycles in equal batches, the last of which ends with the last cycle. A batch in which nothing
 * was delivered has no mean latency: 0 / 0 is NAN, and so is the interval over the batches, which is right,
 * for nothing is known. */
static int measure(struct simulation *simulation, struct base_error *error)
{
    const struct replay_traffic *traffic = simulation->traffic;
    struct replay_traffic_run *run = simulation->run;
    uint64_t begin = net_network_now(simulation->network), done = 0;

    simulation->is_measured = true;
    for (unsigned batch = 0; batch < REPLAY_BATCHES; batch++) {
        uint64_t end = traffic->cycles / REPLAY_BATCHES * (batch + 1) +
                       traffic->cycles % REPLAY_BATCHES * (batch + 1) / REPLAY_BATCHES;
        simulation->batch_flits = simulation->batch_messages = simulation->batch_latency = 0;
        if (advance(simulation, begin + end, error) != 0)
            return -1;
        run->batch_latency[batch] = (double)simulation->batch_latency / (double)simulation->batch_messages;
        run->batch_load[batch] =
            (double)simulation->batch_flits / (double)(end - done) / (double)traffic->topology->terminals;
        run->messages += simulation->batch_messages;
        run->flits += simulation->batch_flits;
        done = end;
    }
    run->cycles = done;
    return 0;
}

/* The measured cycles of a run that ends by its averages. There may be flits that have left their source and are not
 * delivered yet, and none the other way round: both are counted when a notice tells, a cycle later. */
static int measure_until_settled(struct simulation *simulation, struct base_error *error)
{
    struct replay_traffic_run *run = simulation->run;
    struct replay_settling settling = {0};
    uint64_t begin = net_network_now(simulation->network);

    simulation->is_measured = true;
    while (!run->steady && run->cycles < simulation->traffic->cycles) {
        uint64_t sent = simulation->sent_flits;
        uint64_t delivered = simulation->delivered_flits;
        uint64_t messages = simulation->batch_messages;
        run->cycles++;
        if (advance(simulation, begin + run->cycles, error) != 0)
            return -1;
        run->steady =
            replay_settles(&settling, simulation->sent_flits - sent, simulation->delivered_flits - delivered,
                           simulation->batch_messages - messages);
    }
    run->messages = simulation->batch_messages;
    run->flits = simulation->batch_flits;
    for (unsigned batch = 0; batch < REPLAY_BATCHES; batch++)
        run->batch_latency[batch] = run->batch_load[batch] = NAN;
    return 0;
}

/* The counters that are arrays, in the same way. */
static void difference_of_flits(struct simulation *simulation, const struct net_statistics *statistics)
{
    const struct net_topology *topology = simulation->traffic->topology;
    struct replay_traffic_run *run = simulation->run;
    uint64_t injected = 0, ejected = 0, deflected = 0;

    for (uint32_t link = 0; link < topology->link_count; link++)
        run->link_flits[link] = net_link_use(statistics)[link] - run->link_flits[link];
    for (uint32_t channel = 0; statistics->channel_flits != NULL && channel < topology->routers; channel++)
        run->channel_flits[channel] = statistics->channel_flits[channel] - run->channel_flits[channel];
    for (uint32_t router = 0; statistics->deflected_flits != NULL && router < topology->routers; router++)
        deflected += statistics->deflected_flits[router];
    run->deflected_flits = deflected - run->deflected_flits;
    run->deflects = statistics->deflected_flits != NULL;
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++) {
        injected += statistics->injected_flits[terminal];
        ejected += statistics->ejected_flits[terminal];
    }
    run->injected_flits = injected - run->injected_flits;
    run->ejected_flits = ejected - run->ejected_flits;
}

/* What faults took: of data in the same way; control packets and stops since the beginning, so of these the counters at
 * the beginning are forgotten. */
static void difference_of_faults(struct simulation *simulation, const struct net_statistics *statistics)
{
    struct net_fault_counts *took = &simulation->run->faults;

    simulation->run->has_faults = statistics->faults != NULL;
    if (statistics->faults == NULL)
        return;
#define REPORT_IS_CONTROL false
#define REPORT_IS_DATA true
#define REPORT_FAULT_COUNT(key, field, span, ...)                                                            \
    took->field = statistics->faults->field - (REPORT_IS_##span ? took->field : 0);
#include "reports/run/failing.def"
#undef REPORT_FAULT_COUNT
}

/* The counters of the network at the beginning of the measured cycles, or what they grew by at their end. The
 * same subtraction serves both ends: from the zeros of a new run it leaves the counters as they are, and from
 * those it leaves the growth. */
static void difference(struct simulation *simulation, bool at_end)
{
    const struct net_statistics *statistics = net_network_statistics(simulation->network);
    struct replay_traffic_run *run = simulation->run;

    run->flit_hops = statistics->flit_hops - run->flit_hops;
    run->packet_hops = statistics->packet_hops - run->packet_hops;
    run->packets = statistics->packets - run->packets;
    run->lost_messages = statistics->lost_messages - run->lost_messages;
    difference_of_flits(simulation, statistics);
    difference_of_faults(simulation, statistics);
    if (simulation->traffic->request != NULL)
        net_energy_span_turn(&run->energy, simulation->traffic->topology, statistics);
    if (at_end) {
        run->total_flit_hops = statistics->flit_hops;
        run->digest = statistics->digest;
    }
}

/* See the rule in traffic.h. What was generated is not counted message by message but follows from
 * conservation: what came out, and what is more inside and before the network than there was. */
static int warm_up_and_measure(struct simulation *simulation, struct base_error *error)
{
    struct replay_traffic_run *run = simulation->run;
    double mean = net_lengths_mean(&simulation->traffic->lengths);
    uint64_t packet = simulation->options.packet_flits == NET_WHOLE_MESSAGES
                          ? (uint64_t)mean
                          : simulation->options.packet_flits;
    uint64_t backlog, growth;
    uint64_t least = 2 * packet * simulation->senders;

    if (warm_up(simulation, error) != 0)
        return -1;
    difference(simulation, false);
    backlog = count_backlog(simulation);
    if ((simulation->traffic->settle ? measure_until_settled : measure)(simulation, error) != 0)
        return -1;
    difference(simulation, true);
    run->total_cycles = net_network_now(simulation->network);
    run->generated_flits = count_backlog(simulation) + run->flits - backlog;
    growth = run->generated_flits > run->flits ? run->generated_flits - run->flits : 0;
    run->generated_flits += run->lost_messages;
    run->saturated = growth > run->generated_flits / 100 && growth > least;
    return net_network_check(simulation->network, error);
}

/* The first message of every terminal that sends. Terminals that a pattern leaves out never enter the heap,
 * nor the bound on growth, which is by sender. */
static int start_sources(struct simulation *simulation, struct base_error *error)
{
    for (uint32_t i = 0; i < simulation->pattern.terminals; i++) {
        struct source *source = &simulation->sources[i];
        if (!net_pattern_sends(&simulation->pattern, i))
            continue;
        simulation->senders++;
        net_traffic_next(&simulation->generator, i, &source->next);
        if (base_heap_push(&simulation->due, source->next.cycle, i) != 0)
            return base_error_memory(error, "the sources' times");
    }
    return 0;
}

/* Everything that has the size of the network; what grows with the traffic is made when it is needed. */
static int allocate(struct simulation *simulation, struct base_error *error)
{
    const struct net_topology *topology = simulation->traffic->topology;
    size_t injectors = (size_t)topology->terminals * simulation->options.injectors;

    simulation->sources = calloc(topology->terminals, sizeof *simulation->sources);
    simulation->outstanding = calloc(injectors, sizeof *simulation->outstanding);
    simulation->released = calloc(injectors, sizeof *simulation->released);
    simulation->run->link_flits =
        calloc(topology->link_count + (size_t)1, sizeof *simulation->run->link_flits);
    simulation->run->channel_flits =
        calloc(topology->routers + (size_t)1, sizeof *simulation->run->channel_flits);
    if (simulation->sources == NULL || simulation->outstanding == NULL || simulation->released == NULL ||
        simulation->run->link_flits == NULL || simulation->run->channel_flits == NULL ||
        (simulation->traffic->request != NULL &&
         net_energy_span_init(&simulation->run->energy, topology) != 0))
        return base_error_memory(error, "the sources");
    return 0;
}

/* The pattern draws from the run's seed too: another seed is another random permutation. The options are those that the
 * network has in force, since feeding divides by the injectors and latencies by the flits of a packet. */
static int prepare(struct simulation *simulation, uint64_t load_millionths, uint64_t seed,
                   struct base_error *error)
{
    const struct replay_traffic *traffic = simulation->traffic;
    const struct net_routing *routing = traffic->routing;
    struct net_options options = traffic->network;

    options.seed = seed;
    if (traffic->routing_of_seed != NULL)
        routing = traffic->routing_of_seed[seed - traffic->seed];
    simulation->network = net_network_new(traffic->topology, routing, &options, error);
    if (simulation->network == NULL)
        return -1;
    simulation->options = *net_network_options(simulation->network);
    if (net_pattern_init(&simulation->pattern, traffic->topology, traffic->pattern, seed, error) != 0 ||
        net_traffic_init(&simulation->generator, &simulation->pattern, traffic->arrivals, &traffic->lengths,
                         load_millionths, seed, error) != 0 ||
        allocate(simulation, error) != 0)
        return -1;
    net_traffic_set_broadcasts(&simulation->generator, traffic->broadcasts);
    return start_sources(simulation, error);
}

/* Whatever there is: each part is NULL or zero until it is made. The run's own part stays with the caller. */
static void release(struct simulation *simulation)
{
    net_network_free(simulation->network);
    net_traffic_free(&simulation->generator);
    net_pattern_free(&simulation->pattern);
    base_heap_free(&simulation->due);
    free(simulation->sources);
    free(simulation->outstanding);
    free(simulation->released);
    free(simulation->flights);
    free(simulation->backlog);
    free(simulation->delivered);
}

/* A clock that fails tells no time, which harms nobody: it is no part of a result. */
static double seconds(clockid_t clock)
{
    struct timespec now = {0};

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* CPU time is the thread's: runs may be on several. */
static void read_host(struct report_host *host, uint64_t flit_hops)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    host->wall_seconds = seconds(CLOCK_MONOTONIC) - host->wall_seconds;
    host->cpu_seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - host->cpu_seconds;
    host->peak_memory_bytes = (uint64_t)usage.ru_maxrss * 1024;
    host->flit_hops_per_second =
        flit_hops > 0 && host->cpu_seconds > 0 ? (double)flit_hops / host->cpu_seconds : NAN;
}

/* The clocks are read around everything, also what fails: -1 leaves a run that can be freed and no more. */
int replay_traffic_simulate(const struct replay_traffic *traffic, uint64_t load_millionths, uint64_t seed,
                            struct replay_traffic_run *run, struct base_error *error)
{
    struct simulation simulation = {.traffic = traffic, .run = run, .free_flight = NONE};
    int status = -1;

    *run = (struct replay_traffic_run){0};
    run->host.wall_seconds = seconds(CLOCK_MONOTONIC);
    run->host.cpu_seconds = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (prepare(&simulation, load_millionths, seed, error) == 0)
        status = warm_up_and_measure(&simulation, error);
    release(&simulation);
    read_host(&run->host, run->total_flit_hops);
    return status;
}

/* ---- the beginning of a run ---- */

/* How far it is. */
struct mark {
    double seconds;
    uint64_t cycles, delivered_flits;
};

static struct mark mark_of(const struct simulation *simulation, double begun)
{
    return (struct mark){seconds(CLOCK_THREAD_CPUTIME_ID) - begun, net_network_now(simulation->network),
                         simulation->delivered_flits};
}

/* Steps are of more and more cycles, as long as one takes a small part of the time. The pace is that of what comes
 * behind the first third: a network that begins is empty. */
static int begin_run(struct simulation *simulation, double most_seconds, uint64_t most_cycles,
                     struct replay_traffic_pace *pace, struct base_error *error)
{
    double begun = seconds(CLOCK_THREAD_CPUTIME_ID), terminals = simulation->traffic->topology->terminals;
    struct mark third = {0}, now = {0};

    simulation->is_measured = true;
    for (uint64_t step = 1; now.cycles < most_cycles && now.seconds < most_seconds;) {
        struct mark before = now;
        uint64_t left = most_cycles - now.cycles;
        if (advance(simulation, now.cycles + (step < left ? step : left), error) != 0)
            return -1;
        now = mark_of(simulation, begun);
        if (now.seconds < most_seconds / 3)
            third = now;
        if (now.seconds - before.seconds < most_seconds / 64)
            step *= 2;
    }
    if (now.cycles >= most_cycles || now.cycles == third.cycles)
        third = (struct mark){0};
    pace->cycle_seconds = (now.seconds - third.seconds) / (double)(now.cycles - third.cycles);
    pace->accepted = (double)(now.delivered_flits - third.delivered_flits) /
                     (double)(now.cycles - third.cycles) / terminals;
    pace->inside_flits = simulation->sent_flits > simulation->delivered_flits
                             ? simulation->sent_flits - simulation->delivered_flits
                             : 0;
    return 0;
}

int replay_traffic_begin(const struct replay_traffic *traffic, uint64_t load_millionths, double most_seconds,
                         uint64_t most_cycles, struct replay_traffic_pace *pace, struct base_error *error)
{
    struct replay_traffic_run run = {0};
    struct simulation simulation = {.traffic = traffic, .run = &run, .free_flight = NONE};
    uint64_t before = base_memory_allocated();
    int status = -1;

    *pace = (struct replay_traffic_pace){0};
    if (prepare(&simulation, load_millionths, traffic->seed, error) == 0)
        status = begin_run(&simulation, most_seconds, most_cycles, pace, error);
    uint64_t behind = base_memory_allocated();
    pace->bytes = behind > before ? behind - before : 0;
    release(&simulation);
    replay_traffic_run_free(&run);
    return status;
}

/* Legal twice, and on a run that is all zeros. */
void replay_traffic_run_free(struct replay_traffic_run *run)
{
    replay_histogram_free(&run->latency);
    replay_histogram_free(&run->network_latency);
    free(run->link_flits);
    run->link_flits = NULL;
    free(run->channel_flits);
    run->channel_flits = NULL;
    net_energy_span_free(&run->energy);
}
