/* The critical path of the configured network's replay, for the report: names for numbers, and what each
 * step's time is made of. Distance and length follow from what its last packet crossed and from its flits by
 * the rules of doc/flit-engine.md; contention is what is left. */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/routings/crossing.h"
#include "netmodel/stages/bits.h"
#include "netmodel/topologies/channels.h"
#include "replay/session/internal.h"

/* Nanoseconds of the network's clock, at most those that are left. */
static uint64_t part_of(const struct report_run *run, uint64_t cycles, uint64_t *left_ns)
{
    uint64_t ns = run->clock_khz == 1000000 ? cycles : base_ns_from_cycles(cycles, run->clock_khz);
    if (ns > *left_ns)
        ns = *left_ns;
    *left_ns -= ns;
    return ns;
}

/* What the links take of a header's time, and a flit at the narrowest of them. Where links have latencies and widths of
 * their own it is that of the routing's way between the two ranks, of several the first. */
static struct net_way_crossing crossing_of(const struct session *session, const struct report_run *run,
                                           const struct replay_step *from)
{
    const struct net_topology *topology = session->setup->topology;
    uint32_t link_cycles = (uint32_t)run->link_cycles, links = from->journey.links;
    uint32_t ends[2];

    if (links == 0 || (!topology->own_latencies && !topology->narrow_links))
        return (struct net_way_crossing){links, (uint64_t)links * link_cycles, 1};
    net_topology_ends(topology, session->placement->map->terminal[from->rank],
                      session->placement->map->terminal[from->peer], ends);
    return net_routing_crossing(session->setup->routing, ends[0], ends[1], link_cycles);
}

static uint64_t cycles_of_bits(const struct session *session, uint64_t bits)
{
    return net_bits_of_message(session->setup->topology->multistage, bits,
                               net_network_options(session->results->real.network)->packet_flits);
}

/* A sender that waits for its data to leave crosses nothing itself; its time is that of the flits. Over
 * shared channels a header that crosses d links takes d + 1 transfers, one cycle more than over links. */
static void divide_step(const struct session *session, const struct report_run *run,
                        const struct replay_step *from, struct report_step *step)
{
    uint64_t left_ns = from->end_ns - from->begin_ns;
    uint64_t pipeline = run->router_cycles - 1, shared = session->setup->topology->shared != NULL;
    if (from->kind == REPLAY_STEP_COMPUTE) {
        step->part_ns[REPORT_PATH_COMPUTE] = left_ns;
        return;
    }
    if (from->kind == REPLAY_STEP_HOST || from->kind == REPLAY_STEP_MEMORY) {
        step->part_ns[REPORT_PATH_HOST] = left_ns;
        return;
    }
    if (session->setup->topology->multistage !=
        NULL) { /* the last link ejects; the others take a cycle each */
        if (from->kind != REPLAY_STEP_SENDING && from->journey.links > 0)
            step->part_ns[REPORT_PATH_DISTANCE] = part_of(run, from->journey.links - 1, &left_ns);
        step->part_ns[REPORT_PATH_SERIALISATION] =
            part_of(run, cycles_of_bits(session, from->flits), &left_ns);
        step->part_ns[REPORT_PATH_CONTENTION] = left_ns;
        return;
    }
    const struct net_way_crossing way = crossing_of(session, run, from);
    if (from->kind != REPLAY_STEP_SENDING)
        step->part_ns[REPORT_PATH_DISTANCE] =
            part_of(run, way.cycles + way.links * pipeline + pipeline + shared, &left_ns);
    step->part_ns[REPORT_PATH_SERIALISATION] =
        part_of(run, from->kind == REPLAY_STEP_SENDING ? from->flits : from->flits * way.width, &left_ns);
    step->part_ns[REPORT_PATH_CONTENTION] = left_ns;
}

/* The contention of the path's steps by the channel that each waited for longest. */
struct tally {
    const char *name; /* NULL: no step has waited for it */
    uint64_t contention_ns;
    uint32_t link, steps;
};

/* Longest first; then in the order of the links, so that the order is total. */
static int compare_tallies(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;
    if (a->contention_ns != b->contention_ns)
        return a->contention_ns > b->contention_ns ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

static uint32_t worst_link(const struct replay_step *step)
{
    return step->kind == REPLAY_STEP_COMPUTE || step->journey.worst_cycles == 0 ? NET_NONE
                                                                                : step->journey.worst_link;
}

/* The links that the path waited for, without those that it did not. */
static int make_channels(struct report_run *run, struct report_path *path, struct tally *tallies,
                         uint32_t links)
{
    struct report_path_channel *rows;

    qsort(tallies, links, sizeof *tallies, compare_tallies);
    while (path->channel_count < links && tallies[path->channel_count].contention_ns > 0)
        path->channel_count++;
    rows = base_arena_array(&run->arena, (size_t)path->channel_count + 1, sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < path->channel_count; i++)
        rows[i] = (struct report_path_channel){tallies[i].name, tallies[i].contention_ns, tallies[i].steps};
    path->channels = rows;
    return rows == NULL ? -1 : 0;
}

/* Regions repeat along the path: a name is copied when it is another than that of the step before. */
static const char *call_name(const struct session *session, struct report_run *run,
                             const struct replay_step *step, uint32_t *region, const char *name)
{
    if (name != NULL && *region == step->region)
        return name;
    *region = step->region;
    return base_arena_text(&run->arena, trace_program_region_name(session->program, step->region));
}

/* What a step waited for longest; a link is named once, however often the path comes by. -1: memory. */
static int note_channel(const struct session *session, struct report_run *run, const struct replay_step *from,
                        struct report_step *step, struct tally *tallies)
{
    uint32_t link = worst_link(from);

    if (link == NET_NONE)
        return 0;
    if (tallies[link].name == NULL)
        tallies[link].name = net_channel_name(session->setup->topology, &run->arena, link);
    step->channel = tallies[link].name;
    step->channel_wait_cycles = from->journey.worst_cycles;
    tallies[link].contention_ns += step->part_ns[REPORT_PATH_CONTENTION];
    tallies[link].steps++;
    return step->channel == NULL ? -1 : 0;
}

/* Fills steps and the sums; what each waited for is added up in tallies. -1: memory. */
static int make_steps(const struct session *session, struct report_run *run, struct report_path *path,
                      struct tally *tallies)
{
    const struct replay_result *real = &session->results->real.result;
    struct report_step *steps = base_arena_array(&run->arena, (size_t)real->path_count + 1, sizeof *steps);
    const char *call = NULL;
    uint32_t region = 0;

    for (uint32_t i = 0; steps != NULL && i < real->path_count; i++) {
        const struct replay_step *from = &real->path[i];
        steps[i] = (struct report_step){.kind = (enum report_step_kind)from->kind,
                                        .rank = from->rank,
                                        .peer = from->peer,
                                        .begin_ns = from->begin_ns,
                                        .end_ns = from->end_ns,
                                        .bytes = from->bytes};
        divide_step(session, run, from, &steps[i]);
        for (unsigned part = 0; part < REPORT_PATH_PARTS; part++)
            path->part_ns[part] += steps[i].part_ns[part];
        if (from->kind != REPLAY_STEP_COMPUTE)
            steps[i].call = call = call_name(session, run, from, &region, call);
        if (from->kind != REPLAY_STEP_COMPUTE && call == NULL)
            return -1;
        if (note_channel(session, run, from, &steps[i], tallies) != 0)
            return -1;
    }
    path->steps = steps;
    path->step_count = real->path_count;
    return steps == NULL ? -1 : 0;
}

/* In every run: no step is missing, none overlaps, and their parts are all of the time. */
static int check(const struct report_path *path, const struct report_run *run, struct base_error *error)
{
    uint64_t end_ns = 0, sum_ns = 0;
    bool joined = true;

    for (uint32_t i = 0; i < path->step_count; i++) {
        joined &= path->steps[i].begin_ns == end_ns;
        end_ns = path->steps[i].end_ns;
    }
    for (unsigned part = 0; part < REPORT_PATH_PARTS; part++)
        sum_ns += path->part_ns[part];
    if (!joined || end_ns != run->simulated_ns || sum_ns != run->simulated_ns)
        return base_error_set(error, BASE_SYSTEM,
                              "the critical path is not as long as the run: this is a defect of flitreplay");
    return 0;
}

/* Without attribution no path was recorded, and the report has none. Else the steps are copied and tallied by
 * channel, and checked: their lengths sum to the simulated time. */
int session_report_path(const struct session *session, struct report_run *run, struct base_error *error)
{
    uint32_t links = net_channel_count(session->setup->topology);
    struct report_path *path = base_arena_alloc(&run->arena, sizeof *path);
    struct tally *tallies = calloc((size_t)links + 1, sizeof *tallies);
    int status = -1;

    if (!session->results->has_rungs) {
        free(tallies);
        return 0;
    }
    for (uint32_t i = 0; tallies != NULL && i < links; i++)
        tallies[i].link = i;
    if (path != NULL && tallies != NULL) {
        *path = (struct report_path){.has_host = replay_settings_have_host(session->setup->settings),
                                     .memory_bytes = session->results->real.result.path_memory_bytes};
        status = make_steps(session, run, path, tallies);
        if (status == 0)
            status = make_channels(run, path, tallies, links);
    }
    free(tallies);
    if (status != 0)
        return base_error_memory(error, "the critical path");
    run->path = path;
    return check(path, run, error);
}
