/* Several jobs on one network.
 *
 *      --job texts ─► programs ─► partitions, in the order given, each among the terminals left by those before
 *      each program ─► placement on its partition; replay on no network, and alone on the topology
 *      all of them, and background traffic ─► one replay on the topology ─► struct report_jobs
 *
 * A job alone goes through the same stages as any run, on the machine as the jobs before it leave it.
 * Partitions are disjoint, and stay so for all of the run: nobody moves in where a job has ended. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/process-memory.h"
#include "base/units.h"
#include "netmodel/routings/confinement.h"
#include "replay/engine/background.h"
#include "replay/session/clocks.h"
#include "replay/session/costs.h"
#include "replay/session/estimate.h"
#include "replay/jobs.h"
#include "replay/session/kinds.h"
#include "replay/session/inputs.h"
#include "replay/session/meter.h"
#include "replay/session/partition.h"
#include "replay/session/record.h"
#include "replay/session/internal.h"
#include "replay/session/recording.h"
#include "reports/jobs/jobs.h"

#define DEFAULT_PARTITION "row"
#define CONFINED "confined"
#define TOGETHER "all jobs" /* what the bar says of them */

/* Background traffic, and its part of the machine. */
struct stream {
    const struct replay_job_text *text;
    struct map_partition *partition;
    struct map_partition_metrics metrics;
    struct replay_background *background;
};

/* A program, and what its run alone gives. */
struct member {
    struct trace_program *program;
    const char *name;            /* "job 1 alone" */
    struct replay_setup machine; /* as it finds it: what is left */
    struct replay_placement placement;
    struct replay_results results;
};

struct company {
    const struct replay_setup *machine; /* that all share; borrowed */
    const struct net_topology *topology;
    const struct replay_settings *settings;
    const struct replay_watch *watch;
    struct replay_stopwatch stopwatch;
    struct base_arena arena; /* of the texts */
    struct replay_job_text *texts;
    uint32_t text_count;

    struct member *members;  /* the programs, in the order given */
    struct replay_job *jobs; /* of the same numbers */
    const struct replay_job_text **job_texts;
    struct stream *streams;
    uint32_t job_count, stream_count;
    bool *busy;      /* [terminal] */
    uint32_t *owner; /* [router]: a job, or job_count + a stream, or NET_NONE */

    struct session_recording *recording; /* NULL: nobody observes */
    struct session_meter meter;          /* of the recording */
    struct replay_setup shared;          /* of the network that all are on */
    struct net_network *network;
    struct report_jobs *report;
};

/* Which job a sentence is about: there may be several of one trace. */
static int blame(const struct replay_job_text *text, struct base_error *error)
{
    char sentence[sizeof error->text];

    if (error == NULL || error->status == BASE_SYSTEM || error->status == BASE_INTERRUPTED ||
        strncmp(error->text, "--job ", 6) == 0)
        return -1;
    memcpy(sentence, error->text, sizeof sentence);
    return base_error_set(error, error->status, "--job %s: %s", text->text, sentence);
}

/* ---- programs and places ---- */

static int allocate(struct company *company, struct base_error *error)
{
    size_t count = (size_t)company->text_count + 1; /* not of size zero */

    company->members = calloc(count, sizeof *company->members);
    company->jobs = calloc(count, sizeof *company->jobs);
    company->job_texts = calloc(count, sizeof *company->job_texts);
    company->streams = calloc(count, sizeof *company->streams);
    company->busy = calloc((size_t)company->topology->terminals + 1, sizeof *company->busy);
    company->owner = calloc((size_t)company->topology->routers + 1, sizeof *company->owner);
    company->report = calloc(1, sizeof *company->report);
    if (company->members == NULL || company->jobs == NULL || company->job_texts == NULL ||
        company->streams == NULL || company->busy == NULL || company->owner == NULL ||
        company->report == NULL)
        return base_error_memory(error, "the jobs");
    for (uint32_t router = 0; router < company->topology->routers; router++)
        company->owner[router] = NET_NONE;
    return 0;
}

/* The partition of a job: its own, or that of all, or the default. `partition=confined` says nothing of the
 * kind: it is the one that the job would have without it, confined. NULL: memory. */
static const char *partition_text(struct company *company, const char *own)
{
    const char *of_all = company->settings->text[REPLAY_PARTITION];

    if (of_all == NULL)
        of_all = DEFAULT_PARTITION;
    if (own == NULL)
        return of_all;
    if (strcmp(own, CONFINED) != 0)
        return own;
    /* What --partition says of confinement is overruled, so it has to go. A wrong text is refused where it is
     * used. */
    enum map_confinement ignored;
    struct base_error error;
    const char *kind = map_partition_split(of_all, &ignored, &company->arena, &error);
    if (kind == NULL)
        return error.status == BASE_SYSTEM ? NULL : of_all;
    return base_arena_format(&company->arena, "%s,%s", kind, CONFINED);
}

/* Traces are opened before anything is placed: what cannot be read is told before what takes long. */
static int open_jobs(struct company *company, struct base_error *error)
{
    for (uint32_t i = 0; i < company->text_count; i++) {
        const struct replay_job_text *text = &company->texts[i];
        if (text->trace == NULL) {
            company->streams[company->stream_count++].text = text;
            continue;
        }
        struct member *member = &company->members[company->job_count];
        company->job_texts[company->job_count++] = text;
        member->machine = replay_setup_copy(company->machine);
        member->machine.busy = company->busy;
        member->machine.partition_text = partition_text(company, text->partition);
        member->name = base_arena_format(&company->arena, "job %" PRIu32 " alone", company->job_count);
        if (member->name == NULL || member->machine.partition_text == NULL)
            return base_error_memory(error, "the jobs");
        member->program = replay_session_keep(text->trace, company->settings, error);
        if (member->program == NULL)
            return -1;
    }
    if (company->job_count == 0)
        return base_error_set(error, BASE_USAGE, "--job: traffic needs at least one program beside it");
    return 0;
}

/* Takes the terminals of a partition, and the routers, for whoever has that number. */
static void occupy(struct company *company, const struct map_partition *partition, uint32_t number)
{
    for (uint32_t i = 0; i < partition->count; i++) {
        company->busy[partition->terminal[i]] = true;
        if (company->topology->routers > 0)
            company->owner[net_topology_router_of(company->topology, partition->terminal[i])] = number;
    }
}

static int place_program(struct company *company, uint32_t number, struct base_error *error)
{
    struct member *member = &company->members[number];
    const struct replay_job_text *text = company->job_texts[number];
    const char *mapping = text->mapping != NULL ? text->mapping : company->settings->text[REPLAY_MAPPING];

    if (replay_place(&member->placement, &member->machine, member->program, mapping, company->watch, error) !=
        0)
        return blame(text, error);
    occupy(company, member->placement.setup.partition, number);
    return 0;
}

/* How many terminals are on routers that nobody has. */
static uint32_t count_free(const struct company *company)
{
    const struct net_topology *topology = company->topology;
    uint32_t count = 0;

    for (uint32_t i = 0; i < topology->terminals; i++)
        count += topology->routers > 0 ? company->owner[net_topology_router_of(topology, i)] == NET_NONE
                                       : !company->busy[i];
    return count;
}

/* Traffic without a partition has all that is left: whichever allocator is asked for all, gives all. */
static int place_stream(struct company *company, uint32_t number, struct base_error *error)
{
    struct stream *stream = &company->streams[number];
    const struct map_demand demand = {company->topology, company->busy,
                                      stream->text->nodes > 0 ? stream->text->nodes : count_free(company),
                                      company->settings->number[REPLAY_SEED]};

    if (demand.ranks == 0)
        return base_error_set(error, BASE_USAGE, "--job %s: the other jobs leave no terminal free",
                              stream->text->text);
    stream->partition = map_partition_new(
        stream->text->partition == NULL ? "random" : stream->text->partition, &demand, NULL, error);
    if (stream->partition == NULL || map_partition_measure(stream->partition, company->topology,
                                                           company->busy, &stream->metrics, error) != 0)
        return blame(stream->text, error);
    occupy(company, stream->partition, company->job_count + number);
    return 0;
}

/* In the order given, but what is left is known last. */
static int place_all(struct company *company, struct base_error *error)
{
    uint32_t job = 0, stream = 0;

    for (uint32_t i = 0; i < company->text_count; i++) {
        const struct replay_job_text *text = &company->texts[i];
        if (text->trace != NULL && place_program(company, job++, error) != 0)
            return -1;
        if (text->trace == NULL && text->partition != NULL && place_stream(company, stream, error) != 0)
            return -1;
        stream += text->trace == NULL;
    }
    for (stream = 0; stream < company->stream_count; stream++)
        if (company->streams[stream].partition == NULL && place_stream(company, stream, error) != 0)
            return -1;
    return 0;
}

/* ---- alone ---- */

/* The report of a job alone is made at once, so that of the networks only one is there at a time. */
static int run_alone(struct company *company, uint32_t number, struct base_error *error)
{
    struct member *member = &company->members[number];
    struct report_job *job = &company->report->jobs[number];

    if (replay_measure(&member->results, member->program, &member->placement, company->watch, member->name,
                       error) != 0 ||
        session_check_going(company->watch, error) != 0)
        return blame(company->job_texts[number], error);
    job->alone =
        replay_report(member->program, &member->placement, &member->results, &company->stopwatch, error);
    net_network_free(member->results.real.network);
    member->results.real.network = NULL;
    return job->alone == NULL ? -1
                              : replay_clocks(member->program, company->settings, &job->alone->clocks, error);
}

/* ---- together ---- */

/* Of a job, or of traffic, by its number in company->owner. */
static const struct map_partition *partition_of(const struct company *company, uint32_t owner)
{
    return owner < company->job_count ? company->members[owner].placement.setup.partition
                                      : company->streams[owner - company->job_count].partition;
}

/* The packets of a job that is confined stay in its partition, as they do when it is alone there. Those of
 * the others go where they like. */
static int confine(struct company *company, struct base_error *error)
{
    uint32_t routers = company->topology->routers, confined = 0;
    uint32_t *parts = malloc(((size_t)routers + 1) * sizeof *parts);
    int status = 0;

    if (parts == NULL)
        return base_error_memory(error, "the confinement of partitions");
    for (uint32_t router = 0; router < routers; router++) {
        uint32_t owner = company->owner[router];
        bool stays = owner != NET_NONE &&
                     replay_partition_is_confined(company->settings, partition_of(company, owner));
        parts[router] = stays || owner == NET_NONE ? owner : NET_FREE;
        confined += stays;
    }
    if (confined > 0 && (replay_setup_own_routing(&company->shared, error) != 0 ||
                         net_routing_confine(&company->shared.own.routing, parts, error) != 0))
        status = -1;
    free(parts);
    return status;
}

/* Owners are the jobs, then the streams of background traffic: what leaves whose routers is counted by these
 * numbers. */
static int prepare_network(struct company *company, struct base_error *error)
{
    struct net_options *options = &company->shared.options;

    if (company->shared.routing != NULL) {
        options->owner = company->owner;
        options->owners = company->job_count + company->stream_count;
        options->owner_events = company->settings->text[REPLAY_TECHNOLOGY] != NULL;
        if (confine(company, error) != 0)
            return -1;
    }
    company->network = replay_setup_network(&company->shared, error);
    return company->network == NULL ? -1 : 0;
}

/* Streams have numbers, and so seeds, of their own: two of one text do not send the same. Their messages are by default
 * of one packet of the network, which is there. */
static struct replay_background *new_background(const struct company *company, uint32_t number,
                                                uint64_t start_ns, struct base_error *error)
{
    const struct replay_settings *settings = company->settings;
    const struct stream *stream = &company->streams[number];
    struct replay_background_options options = {
        .pattern = stream->text->pattern,
        .load_millionths = stream->text->load_millionths,
        .seed = settings->number[REPLAY_SEED] + number,
        .start_cycle = base_cycles_from_ns(start_ns, settings->number[REPLAY_CLOCK_GHZ]),
        .terminal = stream->partition->terminal,
        .count = stream->partition->count,
        .injectors = (uint32_t)settings->number[REPLAY_INJECTORS],
        .tag = (uint64_t)(company->job_count + number) << REPLAY_TAG_BITS,
    };

    if (net_arrivals_parse(&options.arrivals, stream->text->arrivals, error) != 0 ||
        net_lengths_parse(&options.lengths, stream->text->lengths,
                          net_network_options(company->network)->packet_flits, error) != 0)
        return NULL;
    return replay_background_new(&options, error);
}

static int prepare_stream(struct company *company, uint32_t number, struct base_error *error)
{
    struct stream *stream = &company->streams[number];

    stream->background = new_background(company, number, stream->text->start_ns, error);
    return stream->background == NULL ? blame(stream->text, error) : 0;
}

/* ---- what they will take ---- */

#define FAR_NS (UINT64_C(1) << 50) /* no job starts before */

/* Before the first of them is replayed. */
struct outlook {
    struct company *company;
    struct replay_estimate *estimates;            /* [job] */
    uint64_t memory_bytes, messages, packet_hops; /* of the process; of all jobs */
    double slow;                                  /* seconds if everything were slow */
    bool has_jobs;            /* in what is begun: all jobs; else the background traffic alone */
    double cycles;            /* of all jobs, as it looks from their beginning */
    double background_cycles; /* that background traffic goes on for */
};

/* Of the jobs' packet-hops where packets take shortest ways; else of their messages. */
static double share_of_jobs(const struct outlook *outlook, const struct replay_job *jobs,
                            const struct net_network *network)
{
    const struct company *company = outlook->company;
    const struct net_statistics *statistics = net_network_statistics(network);
    double done = 0;

    if (!jobs[0].result.interrupted)
        return 1;
    if (outlook->packet_hops > 0 && statistics->packet_hops > 0 && company->shared.routing->kind->minimal)
        return (double)statistics->packet_hops / (double)outlook->packet_hops;
    for (uint32_t i = 0; i < company->job_count; i++) {
        const struct replay_result *result = &jobs[i].result;
        double sent = (double)(result->messages + result->control_messages);
        if (sent > (double)result->under_way)
            done += (sent - (double)result->under_way) / sent * (double)result->messages;
    }
    return done > 0 && outlook->messages > 0 ? done / (double)outlook->messages : NAN;
}

/* All jobs from the first cycle on, whenever they are to start; or background traffic, and no job yet. */
static int replay_part(const struct outlook *outlook, struct replay_job *jobs,
                       struct replay_background **backgrounds, struct net_network *network,
                       const struct replay_watch *watch, struct base_error *error)
{
    const struct company *company = outlook->company;
    uint32_t streams = outlook->has_jobs ? 0 : company->stream_count;
    struct session_teller teller = {watch, TOGETHER};
    struct replay_semantics semantics =
        session_semantics(&company->members[0].placement.setup, REPLAY_CONFIGURED, &teller);

    for (uint32_t i = 0; i < streams; i++) {
        backgrounds[i] = new_background(company, i, 0, error);
        if (backgrounds[i] == NULL)
            return -1;
    }
    for (uint32_t i = 0; i < company->job_count; i++)
        jobs[i] = (struct replay_job){.program = company->members[i].program,
                                      .terminal = company->members[i].placement.map->terminal,
                                      .start_ns = outlook->has_jobs ? 0 : FAR_NS};
    watch->progress(watch->context, TOGETHER, 0, 0);
    return replay_run_jobs(jobs, company->job_count, backgrounds, streams, network, &semantics, error);
}

/* A session_replay, on a network of its own. */
static int try_part(void *context, const struct replay_watch *watch, double *share, struct base_error *error)
{
    struct outlook *outlook = context;
    const struct company *company = outlook->company;
    struct replay_background **backgrounds = calloc((size_t)company->stream_count + 1, sizeof *backgrounds);
    struct replay_job *jobs = calloc(company->job_count, sizeof *jobs);
    struct net_network *network = replay_setup_network(&company->shared, error);
    int status = -1;

    if (backgrounds == NULL || jobs == NULL)
        base_error_memory(error, "the jobs");
    else if (network != NULL)
        status = replay_part(outlook, jobs, backgrounds, network, watch, error);
    if (status == 0 && outlook->has_jobs) {
        *share = share_of_jobs(outlook, jobs, network);
        outlook->cycles = (double)net_network_now(network) / *share;
    } else if (status == 0) {
        *share = (double)net_network_now(network) / outlook->background_cycles;
    }
    for (uint32_t i = 0; jobs != NULL && i < company->job_count; i++)
        replay_result_free(&jobs[i].result);
    for (uint32_t i = 0; backgrounds != NULL && i < company->stream_count; i++)
        replay_background_free(backgrounds[i]);
    net_network_free(network);
    free(jobs);
    free(backgrounds);
    return status;
}

/* Until the last job's end, which is behind its computing, and behind its messages as they went at the beginning. */
static double background_cycles(const struct outlook *outlook)
{
    const struct company *company = outlook->company;
    const struct replay_semantics *semantics = &company->machine->semantics;
    uint64_t khz = company->settings->number[REPLAY_CLOCK_GHZ];
    double most = 0;

    for (uint32_t i = 0; i < company->job_count; i++) {
        const struct trace_program *program = company->members[i].program;
        double scale = semantics->compute_zero ? 0 : (double)semantics->compute_scale_ppm / 1e6;
        double compute_ns =
            (double)trace_program_summary(program)->compute_ns / trace_program_ranks(program) * scale;
        double start = (double)base_cycles_from_ns(company->job_texts[i]->start_ns, khz);
        most = fmax(most, start + fmax(compute_ns * (double)khz / 1e6, outlook->cycles));
    }
    return most;
}

/* Each job on the ideal network and on its own, and once more together: that takes what they take alone, as far as they
 * do not wait for each other. */
static int measure_jobs(struct outlook *outlook, double moment, double *seconds, struct base_error *error)
{
    const struct company *company = outlook->company;

    for (uint32_t i = 0; i < company->job_count && !replay_is_stopped(company->watch); i++) {
        const struct member *member = &company->members[i];
        struct replay_estimate *estimate = &outlook->estimates[i];
        if (replay_estimate_measure(estimate, member->program, &member->placement, moment, company->watch,
                                    error) != 0)
            return -1;
        *seconds += estimate->seconds + estimate->configured_seconds;
    }
    return 0;
}

/* The background traffic beside them, for as long as they take. */
static int measure_background(struct outlook *outlook, double moment, double *seconds,
                              struct base_error *error)
{
    const struct replay_watch *watch = outlook->company->watch;
    double jobs = 0, background = 0;

    outlook->has_jobs = true;
    if (session_measure(try_part, outlook, moment, watch, &jobs, error) != 0)
        return -1;
    outlook->has_jobs = false;
    outlook->background_cycles = background_cycles(outlook);
    if (outlook->background_cycles > 0 &&
        session_measure(try_part, outlook, moment, watch, &background, error) != 0)
        return -1;
    *seconds += background;
    return 0;
}

/* How long background traffic goes on is not known beforehand, however short the jobs are: with it they are begun in
 * any case. What a beginning is refused the replay is refused, and tells. */
static void measure(struct outlook *outlook)
{
    const struct company *company = outlook->company;
    double moment = replay_moment_of(outlook->slow, 4 * (double)company->job_count + 4, REPLAY_MOMENT / 2);
    const struct replay_watch *watch = company->watch;
    bool has_streams = company->stream_count > 0;
    struct base_error ignored;
    double sum = 0;

    if (!replay_is_long(watch, has_streams ? HUGE_VAL : outlook->slow))
        return;
    if (replay_is_long(watch, outlook->slow) && measure_jobs(outlook, moment, &sum, &ignored) != 0)
        return;
    if (has_streams && measure_background(outlook, moment, &sum, &ignored) != 0)
        return;
    if (!replay_is_stopped(watch))
        replay_tell(watch, sum, outlook->memory_bytes);
}

/* One job alone is replayed while the network of all stands by, and later all are. -1: no room. */
static int count(struct outlook *outlook, struct base_error *error)
{
    const struct company *company = outlook->company;
    uint64_t network_bytes = company->machine->network_bytes;
    struct replay_need need = {.topology = company->topology->text,
                               .what = "the jobs need",
                               .less = "a smaller network or fewer jobs"};

    outlook->estimates =
        base_arena_array(&outlook->company->arena, company->job_count, sizeof *outlook->estimates);
    if (outlook->estimates == NULL)
        return base_error_memory(error, "the jobs");
    outlook->memory_bytes = base_memory_now().used_bytes + 2 * network_bytes;
    for (uint32_t i = 0; i < company->job_count; i++) {
        const struct replay_placement *placement = &company->members[i].placement;
        struct replay_estimate *estimate = &outlook->estimates[i];
        *estimate = replay_estimate_of(placement);
        outlook->memory_bytes += estimate->added_bytes - network_bytes;
        outlook->messages += estimate->messages;
        outlook->packet_hops += estimate->packet_hops;
        outlook->slow += 2 * replay_estimate_slow(estimate, &placement->setup);
    }
    need.bytes = outlook->memory_bytes;
    return replay_check_room(company->settings, &need, error);
}

/* ---- all at once ---- */

/* The options are those of each job alone, whose sessions are all alike in them. */
static int run_together(struct company *company, struct base_error *error)
{
    struct replay_background **backgrounds = calloc((size_t)company->stream_count + 1, sizeof *backgrounds);
    struct session_teller teller = {company->watch, TOGETHER};
    struct replay_semantics semantics;
    int status;

    if (backgrounds == NULL)
        return base_error_memory(error, "the jobs");
    semantics = session_semantics(&company->members[0].placement.setup, REPLAY_CONFIGURED, &teller);
    semantics.recorder = session_recording_recorder(company->recording);
    /* Told at once: when the first job starts late, there is nothing else to tell for long. */
    if (company->watch != NULL && company->watch->progress != NULL)
        company->watch->progress(company->watch->context, TOGETHER, 0, 0);
    for (uint32_t i = 0; i < company->stream_count; i++)
        backgrounds[i] = company->streams[i].background;
    for (uint32_t i = 0; i < company->job_count; i++) {
        company->jobs[i].program = company->members[i].program;
        company->jobs[i].terminal = company->members[i].placement.map->terminal;
        company->jobs[i].start_ns = company->job_texts[i]->start_ns;
    }
    status = replay_run_jobs(company->jobs, company->job_count, backgrounds, company->stream_count,
                             company->network, &semantics, error);
    free(backgrounds);
    if (status == 0 && company->jobs[0].result.interrupted)
        company->report->interrupted = company->topology->text;
    return status;
}

/* ---- the report ---- */

/* A part of a run in company tells nothing of what company costs: a job of it has no interference. Where
 * company was not begun, results are zeros. */
static void report_job(const struct company *company, uint32_t number)
{
    const struct net_statistics *network = net_network_statistics(company->network);
    struct report_jobs *report = company->report;
    struct report_job *job = &report->jobs[number];
    uint64_t finish;

    job->start_ns = company->jobs[number].start_ns;
    job->simulated_ns = company->jobs[number].result.simulated_ns;
    job->is_partial = report->interrupted != NULL;
    job->replayed_thousandths = company->jobs[number].result.thousandths;
    job->leaks_known = network->outside_flit_hops != NULL;
    if (job->leaks_known)
        job->leaked_flit_hops = network->outside_flit_hops[number];
    finish = job->start_ns + job->simulated_ns;
    if (finish > report->simulated_ns)
        report->simulated_ns = finish;
    report->approximated |= job->alone->approximated;
}

/* Texts of the partition are copied, since it ends before the report. -1: memory. */
static int report_stream(const struct company *company, uint32_t number, struct report_background *row)
{
    const struct stream *stream = &company->streams[number];
    const struct net_statistics *network = net_network_statistics(company->network);
    struct base_arena *arena = &company->report->arena;
    struct replay_background_result result = replay_background_result(stream->background);

    *row = (struct report_background){
        .pattern = base_arena_text(arena, stream->text->pattern),
        .lengths = base_arena_text(arena, stream->text->lengths),
        .arrivals = base_arena_text(arena, stream->text->arrivals),
        .start_ns = stream->text->start_ns,
        .offered_load = (double)stream->text->load_millionths / (double)NET_LOAD_ONE,
        .messages = result.messages,
        .flits = result.flits,
        .partition = replay_partition_report(company->settings, stream->partition, &stream->metrics)};
    if (result.cycles > 0)
        row->accepted_load = (double)result.flits / (double)result.cycles / (double)stream->partition->count;
    row->partition.text = base_arena_text(arena, stream->partition->text);
    row->partition.in_bits = company->topology->multistage != NULL;
    row->partition.replayed = network->outside_flit_hops != NULL;
    if (row->partition.replayed)
        row->partition.leaked_flit_hops = network->outside_flit_hops[company->job_count + number];
    return row->pattern == NULL || row->lengths == NULL || row->arrivals == NULL ||
                   row->partition.text == NULL
               ? -1
               : 0;
}

/* What the one network did for all of them. Loads divide by the cycles until the last job's end. */
static void report_network(const struct company *company)
{
    const struct net_statistics *network = net_network_statistics(company->network);
    struct report_jobs *report = company->report;
    uint64_t cycles = base_cycles_from_ns(report->simulated_ns, company->settings->number[REPLAY_CLOCK_GHZ]);
    struct base_digest digest = network->digest;
    uint64_t busiest = 0;

    report->in_bits = company->topology->multistage != NULL;
    report->packets = network->packets;
    report->flits = network->flits;
    report->packet_hops = network->packet_hops;
    report->flit_hops = network->flit_hops;
    if (network->packets > 0)
        report->mean_latency_cycles = (double)network->latency_sum_cycles / (double)network->packets;
    for (uint32_t i = 0; i < company->topology->link_count; i++)
        if (net_link_use(network)[i] > busiest)
            busiest = net_link_use(network)[i];
    if (cycles > 0)
        report->max_channel_load = (double)busiest / (double)cycles;
    for (uint32_t i = 0; i < company->job_count; i++) {
        const struct base_digest *own = &company->jobs[i].result.digest;
        const uint64_t record[3] = {i, own->low, own->high};
        base_digest_add(&digest, record, 3);
    }
    base_digest_text(&digest, report->digest);
}

/* The network's, and each job's and each stream's own. -1: memory. */
static int report_inputs(const struct company *company)
{
    struct report_jobs *report = company->report;

    for (uint32_t i = 0; i < company->job_count; i++)
        if (replay_inputs_used(&report->inputs, &report->arena, company->topology, company->shared.routing,
                               company->members[i].placement.setup.partition,
                               company->members[i].placement.map) != 0)
            return -1;
    for (uint32_t i = 0; i < company->stream_count; i++)
        if (replay_inputs_used(&report->inputs, &report->arena, company->topology, company->shared.routing,
                               company->streams[i].partition, NULL) != 0)
            return -1;
    return 0;
}

/* Everything is copied into the report's arena, since the network and its topology end before it; energy comes last,
 * because it divides by what the rows before it say. */
static int fill_report(struct company *company, struct base_error *error)
{
    struct report_jobs *report = company->report;
    struct report_background *rows =
        base_arena_array(&report->arena, (size_t)company->stream_count + 1, sizeof *rows);
    bool failed = rows == NULL;

    report->topology = base_arena_text(&report->arena, company->topology->text);
    if (report->interrupted == company->topology->text)
        report->interrupted = report->topology; /* which outlives the network's */
    struct replay_record record = replay_record_with(&company->shared, company->network);
    report->link_use = replay_record_link_use(&record);
    report->terminals = company->topology->terminals;
    report->routers = company->topology->routers;
    report->seed = company->settings->number[REPLAY_SEED];
    if (company->shared.routing != NULL) {
        report->routing = base_arena_text(&report->arena, company->shared.routing->text);
        failed |= report->routing == NULL;
    }
    for (uint32_t i = 0; i < report->job_count; i++)
        report_job(company, i);
    for (uint32_t i = 0; !failed && i < company->stream_count; i++)
        failed = report_stream(company, i, &rows[i]) != 0;
    if (failed || report->topology == NULL || report_inputs(company) != 0)
        return base_error_memory(error, "the report");
    report->backgrounds = rows;
    report->background_count = company->stream_count;
    report_network(company);
    if (replay_jobs_energy(company->shared.routing, company->settings, company->network, company->owner,
                           report, error) != 0)
        return -1;
    report->host = replay_stopwatch_read(&company->stopwatch, report->flit_hops);
    return 0;
}

/* ---- all of it ---- */

/* The jobs that have run alone are a result, when SIGINT comes before the next: the report is then of these.
 */
static int run_each_alone(struct company *company, struct base_error *error)
{
    struct report_jobs *report = company->report;

    for (uint32_t i = 0; i < company->job_count; i++)
        if (run_alone(company, i, error) != 0) {
            if (error->status != BASE_INTERRUPTED || i == 0)
                return -1;
            report->interrupted = REPORT_JOBS_ALONE;
            report->job_count = i;
            return 0;
        }
    return 0;
}

/* Each job alone first, then all together on one network; after an interruption what there is becomes the
 * report. */
static int run_jobs(struct company *company, struct base_error *error)
{
    struct outlook outlook = {.company = company};
    struct report_jobs *report = company->report;

    report->jobs = base_arena_array(&report->arena, company->job_count, sizeof *report->jobs);
    if (report->jobs == NULL)
        return base_error_memory(error, "the report");
    memset(report->jobs, 0, company->job_count * sizeof *report->jobs);
    report->job_count = company->job_count;
    if (count(&outlook, error) != 0 || prepare_network(company, error) != 0 ||
        session_meter_begin(&company->meter, session_recording_recorder(company->recording),
                            company->shared.routing, company->settings, net_network_options(company->network),
                            error) != 0)
        return -1;
    for (uint32_t i = 0; i < company->stream_count; i++)
        if (prepare_stream(company, i, error) != 0)
            return -1;
    measure(&outlook);
    if (run_each_alone(company, error) != 0 ||
        (report->interrupted == NULL && run_together(company, error) != 0) ||
        fill_report(company, error) != 0)
        return -1;
    return report->interrupted != NULL
               ? 0
               : session_recording_end(company->recording, company->network, report->simulated_ns, error);
}

/* Whatever there is: parts that were not made are zeros. The report stays with the caller. */
static void dissolve(struct company *company)
{
    session_meter_end(&company->meter);
    session_recording_free(company->recording); /* which borrows the programs */
    for (uint32_t i = 0; i < company->job_count; i++) {
        replay_result_free(&company->jobs[i].result);
        trace_close(company->members[i].program);
        replay_results_free(&company->members[i].results);
        replay_placement_free(&company->members[i].placement);
    }
    for (uint32_t i = 0; i < company->stream_count; i++) {
        replay_background_free(company->streams[i].background);
        map_partition_free(company->streams[i].partition);
    }
    net_network_free(company->network);
    replay_setup_free(&company->shared);
    free(company->members);
    free(company->jobs);
    free(company->job_texts);
    free(company->streams);
    free(company->busy);
    free(company->owner);
    base_arena_free(&company->arena);
}

/* For the observer: the programs, their starts and names. */
static int begin_recording(struct company *company, const struct replay_observer *observer,
                           struct base_error *error)
{
    struct session_recorded_job *recorded;

    if (observer == NULL)
        return 0;
    recorded = base_arena_array(&company->arena, (size_t)company->job_count + 1, sizeof *recorded);
    if (recorded == NULL)
        return base_error_memory(error, "the timeline");
    for (uint32_t i = 0; i < company->job_count; i++)
        recorded[i] =
            (struct session_recorded_job){company->members[i].program, company->job_texts[i]->start_ns};
    company->recording = session_recording_new(recorded, company->job_count, company->topology,
                                               company->settings, observer, error);
    return company->recording == NULL ? -1 : 0;
}

/* In cycles of a fast clock a start that is a time in nanoseconds may be none. */
static int check_starts(const struct company *company, struct base_error *error)
{
    const uint64_t khz = company->settings->number[REPLAY_CLOCK_GHZ];

    for (uint32_t i = 0; i < company->text_count; i++)
        if (base_cycles_from_ns(company->texts[i].start_ns, khz) >= UINT64_MAX / 2)
            return base_error_set(error, BASE_USAGE,
                                  "--job %s: start=%" PRIu64
                                  ": in cycles of this --clock-ghz that goes beyond the end of time",
                                  company->texts[i].text, company->texts[i].start_ns);
    return 0;
}

struct report_jobs *replay_session_jobs(const struct replay_setup *setup, const struct replay_watch *watch,
                                        const struct replay_observer *observer, struct base_error *error)
{
    struct company company = {.machine = setup,
                              .topology = setup->topology,
                              .settings = setup->settings,
                              .watch = watch,
                              .shared = replay_setup_copy(setup)};
    int status = -1;

    replay_stopwatch_start(&company.stopwatch);
    if (replay_jobs_parse(&company.arena, company.settings, &company.texts, &company.text_count, error) ==
            0 &&
        check_starts(&company, error) == 0 && allocate(&company, error) == 0 &&
        open_jobs(&company, error) == 0 && begin_recording(&company, observer, error) == 0 &&
        place_all(&company, error) == 0)
        status = run_jobs(&company, error);
    dissolve(&company);
    if (status == 0)
        return company.report;
    report_jobs_free(company.report);
    return NULL;
}
