/* Settings become a setup: the one place where options of networks, replays and placements are read.
 *
 *      texts that are names ──► values of netmodel/choices.h       numbers ──► fields, 0 where the network chooses
 *      topology, options ─────► routing (routing.c) ──► a network that is made, asked what it took, and thrown away */
#include "replay/session/setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/process-memory.h"
#include "mappers/placement.h"
#include "netmodel/choices.h"
#include "netmodel/routings/confinement.h"
#include "replay/host.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/internal.h"
#include "replay/session/kinds.h"
#include "replay/session/partition.h"
#include "replay/session/record.h"

/* What is tried, by purpose; in this order, but for the last. */
#define TRY_WORDS 1U   /* names that only runs and placements know */
#define TRY_FLOW 2U    /* names of the network */
#define TRY_UNITS 4U   /* bits or flits */
#define TRY_NETWORK 8U /* a network */
#define TRY_REST 16U /* the technology, before the routing, and collectives in hardware, behind the network */
static const unsigned tried[] = {
    [REPLAY_TO_RUN] = TRY_WORDS | TRY_FLOW | TRY_UNITS | TRY_NETWORK | TRY_REST,
    [REPLAY_TO_MAP] = TRY_WORDS | TRY_FLOW,
    [REPLAY_TO_SEND] = TRY_FLOW | TRY_UNITS | TRY_NETWORK,
    [REPLAY_TO_COST] = TRY_FLOW | TRY_NETWORK,
    [REPLAY_TO_REPEAT] = 0,
};

/* ---- decoding ---- */

/* 0 stands for "what the routing or the engine takes by default" on both sides. Likewise for names: one that
 * was not given, or that is unknown and about to be refused by check_flow, stands for the default. */
static struct net_options options_of(const struct replay_settings *settings)
{
    struct net_options options = {
        .packet_flits = (uint32_t)settings->number[REPLAY_PACKET_FLITS],
        .virtual_channels = (uint32_t)settings->number[REPLAY_VCS],
        .buffer_flits = (uint32_t)settings->number[REPLAY_BUFFER_FLITS],
        .injectors = (uint32_t)settings->number[REPLAY_INJECTORS],
        .consumers = (uint32_t)settings->number[REPLAY_CONSUMERS],
        .seed = settings->number[REPLAY_SEED],
        .link_cycles = (uint32_t)settings->number[REPLAY_LINK_CYCLES],
        .router_cycles = (uint32_t)settings->number[REPLAY_ROUTER_CYCLES],
        .credit_cycles = (uint32_t)settings->number[REPLAY_CREDIT_CYCLES],
        .early_free = settings->number[REPLAY_EARLY_FREE] != 0,
    };
    if (settings->given[REPLAY_PACKET_FLITS] && options.packet_flits == 0)
        options.packet_flits = NET_WHOLE_MESSAGES;
    options.flow_control = (enum net_flow_control)net_choice_value(
        net_flow_controls, settings->text[REPLAY_FLOW_CONTROL], NET_CUT_THROUGH);
    options.arbiter =
        (enum net_arbiter)net_choice_value(net_arbiters, settings->text[REPLAY_ARBITER], NET_ROUND_ROBIN);
    options.selection =
        (enum net_selection)net_choice_value(net_selections, settings->text[REPLAY_SELECTION], NET_MOST_FREE);
    options.admission = (enum net_admission)net_choice_value(net_admissions, settings->text[REPLAY_ADMISSION],
                                                             NET_ADMIT_WORD);
    options.status_flags = (enum net_status_flags)net_choice_value(
        net_status_flags, settings->text[REPLAY_STATUS_FLAGS], NET_BOTH_FLAGS);
    options.spreading =
        (enum net_spreading)net_choice_value(net_spreadings, settings->text[REPLAY_MULTICAST], NET_MST_SAFE);
    options.multiplexed =
        net_choice_value(net_multiplexings, settings->text[REPLAY_MULTIPLEXING], false) != 0;
    options.lossy = net_choice_value(net_sources, settings->text[REPLAY_SOURCES], false) != 0;
    return options;
}

/* The costs of --host and --progress, which the options have checked. */
static struct replay_host host_of(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_HOST];
    struct replay_host_numbers host = {{0}};
    const uint64_t *number = host.number;

    if (text != NULL)
        replay_host_parse(&host, text, NULL);
    return (struct replay_host){.send_ps = number[REPLAY_HOST_SEND],
                                .send_byte_ps = number[REPLAY_HOST_SEND_BYTE],
                                .receive_ps = number[REPLAY_HOST_RECEIVE],
                                .receive_byte_ps = number[REPLAY_HOST_RECEIVE_BYTE],
                                .match_ps = number[REPLAY_HOST_MATCH],
                                .entry_ps = number[REPLAY_HOST_ENTRY],
                                .gap_ps = number[REPLAY_HOST_GAP],
                                .gap_byte_ps = number[REPLAY_HOST_GAP_BYTE],
                                .nics = (uint32_t)number[REPLAY_HOST_NICS],
                                .round_robin = number[REPLAY_HOST_CHOICE] != 0,
                                .memory_ps = number[REPLAY_HOST_MEMORY],
                                .memory_bytes_per_s = number[REPLAY_HOST_BANDWIDTH],
                                .copies = (uint32_t)number[REPLAY_HOST_COPIES],
                                .in_calls = settings->number[REPLAY_PROGRESS] != 0,
                                .loggops = number[REPLAY_HOST_RULES] != 0};
}

/* Options are in the units of their row: CLOCK_GHZ in kHz and COMPUTE in millionths, both as decimals of six places. */
static struct replay_semantics semantics_of(const struct replay_setup *setup)
{
    const struct replay_settings *settings = setup->settings;
    bool in_bits = setup->topology->multistage != NULL;

    return (struct replay_semantics){
        .clock_khz =
            net_topology_is_ideal(setup->topology) ? REPLAY_IDEAL_KHZ : settings->number[REPLAY_CLOCK_GHZ],
        .flit_bytes = (uint32_t)settings->number[REPLAY_FLIT_BYTES],
        .control_bits = in_bits ? (uint32_t)settings->number[REPLAY_CONTROL_BITS] : 0,
        .eager_limit_bytes = settings->number[REPLAY_EAGER_LIMIT],
        .compute_zero = settings->number[REPLAY_COMPUTE] == 0,
        .compute_scale_ppm = settings->number[REPLAY_COMPUTE],
        .collectives = setup->tuning,
        .ranks_per_terminal = (uint32_t)settings->number[REPLAY_RANKS_PER_TERMINAL],
        .host = host_of(settings),
        .topology = setup->topology,
    };
}

/* ---- refusals ---- */

/* A link that waits for a packet that stalls would make its virtual channels wait, too. */
static int check_flow(const struct replay_setup *setup, struct base_error *error)
{
    const struct replay_settings *settings = setup->settings;
    const char *multiplexing = settings->text[REPLAY_MULTIPLEXING];

    if (replay_check_kind("arbiters", settings->text[REPLAY_ARBITER], error) != 0 ||
        replay_check_kind("selections", settings->text[REPLAY_SELECTION], error) != 0 ||
        replay_check_kind("admissions", settings->text[REPLAY_ADMISSION], error) != 0 ||
        replay_check_kind("status-flags", settings->text[REPLAY_STATUS_FLAGS], error) != 0 ||
        (settings->text[REPLAY_MULTICAST] != NULL &&
         replay_check_kind("multicasts", settings->text[REPLAY_MULTICAST], error) != 0) ||
        replay_check_kind("flow-controls", settings->text[REPLAY_FLOW_CONTROL], error) != 0 ||
        (multiplexing != NULL && replay_check_kind("multiplexings", multiplexing, error) != 0) ||
        replay_check_kind("sources", settings->text[REPLAY_SOURCES], error) != 0)
        return -1;
    if (setup->options.flow_control == NET_WORMHOLE && multiplexing != NULL && !setup->options.multiplexed)
        return base_error_set(
            error, BASE_USAGE,
            "--multiplexing packet does not go with --flow-control wormhole: a packet that stalls "
            "would hold the link for all its virtual channels");
    return 0;
}

/* What a record has of the other unit is its default, which
 * says nothing and so may be given. */
static int check_units(const struct replay_setup *setup, struct base_error *error)
{
    const struct net_topology *topology = setup->topology;
    const struct replay_settings *settings = setup->settings;
    bool bits = topology->multistage != NULL;
    enum replay_option other = bits ? REPLAY_FLIT_BYTES : REPLAY_CONTROL_BITS;
    char text[BASE_UNITS_TEXT];
    if (replay_physical_check(topology, settings, error) != 0)
        return -1;
    if (!settings->given[other] || strcmp(replay_option_format(other, settings->number[other], text),
                                          replay_option_row(other)->fallback) == 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          bits ? "--flit-bytes does not apply to %s: it carries bits, not flits"
                               : "--control-bits is for multistage networks (omega, glo), not for %s",
                          topology->text);
}

/* A technology that cannot be read is refused before the run that it is to be asked about. */
static int check_technology(const struct replay_settings *settings, struct base_error *error)
{
    const char *text = settings->text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = text == NULL ? NULL : replay_technology(text, error);

    if (text != NULL && technology == NULL)
        return -1;
    net_technology_free(technology);
    return 0;
}

/* Collectives in hardware are refused where no network of the kind multicasts, whatever the trace calls. Where only
 * these options or a placement are in the way, they are replayed as messages, and the report says why. */
static int check_hardware(const struct replay_setup *setup, struct base_error *error)
{
    const char *rules = setup->settings->text[REPLAY_COLLECTIVE];
    bool rule = rules != NULL && strstr(rules, "-hardware") != NULL;

    if ((!setup->has_hardware && !rule) ||
        net_multicasts_ever(setup->topology, setup->routing, &setup->options))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "%s does not apply to %s: its routers do not multicast; --collectives mpich sends messages",
        setup->has_hardware ? "--collectives hardware" : "--collective with an algorithm in hardware",
        setup->topology->text);
}

/* Names that networks do not know. */
static int check_words(const struct replay_settings *settings, struct base_error *error)
{
    if (strcmp(settings->text[REPLAY_ATTRIBUTION], "full") != 0 &&
        strcmp(settings->text[REPLAY_ATTRIBUTION], "none") != 0)
        return base_error_set(error, BASE_USAGE, "--attribution '%s': full or none",
                              settings->text[REPLAY_ATTRIBUTION]);
    return replay_check_kind("mappings", settings->text[REPLAY_MAPPING], error);
}

/* Only the engine knows what its buffers must hold, so a network is made and thrown away. */
static int try_network(struct replay_setup *setup, struct base_error *error)
{
    uint64_t before = base_memory_allocated();
    struct net_network *network = replay_setup_network(setup, error);
    uint64_t behind = base_memory_allocated();

    if (network == NULL)
        return -1;
    setup->network_bytes = behind > before ? behind - before : 0;
    setup->in_force = *net_network_options(network);
    setup->link_share = net_link_share_of(network);
    net_network_free(network);
    return 0;
}

/* ---- making ---- */

/* What all purposes have in common: no texts that could be wrong. */
static void decode(struct replay_setup *setup)
{
    const struct replay_settings *settings = setup->settings;

    setup->options = options_of(settings);
    setup->partition_text = settings->text[REPLAY_PARTITION];
    setup->is_attributed = strcmp(settings->text[REPLAY_ATTRIBUTION], "none") != 0;
    setup->is_asked = settings->number[REPLAY_WHAT_IF] != 0;
    setup->has_hardware = strcmp(settings->text[REPLAY_COLLECTIVES], "hardware") == 0;
    setup->effort = (struct map_effort){.seed = settings->number[REPLAY_SEED],
                                        .evaluations = settings->number[REPLAY_EVALUATIONS],
                                        .time_ms = settings->number[REPLAY_TIME_BUDGET_MS],
                                        .threads = (uint32_t)settings->number[REPLAY_THREADS]};
}

/* What programs need and traffic does not. Rules of collectives were read when they were given. */
static int decode_programs(struct replay_setup *setup, struct base_error *error)
{
    setup->tuning = setup->own.tuning = replay_tuning(setup->settings, error);
    setup->semantics = semantics_of(setup);
    return setup->tuning == NULL ? -1 : 0;
}

/* What can be refused before there is a routing. */
static int check_early(struct replay_setup *setup, enum replay_purpose purpose, struct base_error *error)
{
    unsigned wanted = tried[purpose];
    bool has_programs = purpose != REPLAY_TO_SEND && purpose != REPLAY_TO_COST;
    const struct replay_settings *settings = setup->settings;

    if (has_programs && map_objective_find(settings->text[REPLAY_OBJECTIVE], &setup->objective, error) != 0)
        return -1;
    if (((wanted & TRY_WORDS) != 0 && check_words(settings, error) != 0) ||
        ((wanted & TRY_FLOW) != 0 && check_flow(setup, error) != 0))
        return -1;
    if (has_programs && decode_programs(setup, error) != 0)
        return -1;
    return ((wanted & TRY_UNITS) != 0 && check_units(setup, error) != 0) ||
                   ((wanted & TRY_REST) != 0 && check_technology(settings, error) != 0)
               ? -1
               : 0;
}

int replay_setup_init(struct replay_setup *setup, enum replay_purpose purpose,
                      const struct net_topology *topology, const struct replay_settings *settings,
                      struct base_error *error)
{
    unsigned wanted = tried[purpose];

    *setup = (struct replay_setup){.settings = settings, .topology = topology};
    decode(setup);
    if (check_early(setup, purpose, error) != 0 || replay_setup_own_routing(setup, error) != 0 ||
        ((wanted & TRY_NETWORK) != 0 && try_network(setup, error) != 0) ||
        ((wanted & TRY_REST) != 0 && check_hardware(setup, error) != 0))
        return -1;
    setup->is_exact = (wanted & TRY_REST) != 0 && session_is_exact(setup);
    return 0;
}

int replay_setup_own_routing(struct replay_setup *setup, struct base_error *error)
{
    return session_prepare_routing(setup->topology, setup->settings, &setup->own.routing, &setup->routing,
                                   error);
}

void replay_setup_free(struct replay_setup *setup)
{
    map_partition_free(setup->own.partition);
    trace_tuning_free(setup->own.tuning);
    net_routing_free(&setup->own.routing);
}

/* Pointers into the first setup stay valid: it outlives the copy. */
struct replay_setup replay_setup_copy(const struct replay_setup *setup)
{
    struct replay_setup copy = *setup;

    memset(&copy.own, 0, sizeof copy.own);
    return copy;
}

/* Ranks that share terminals need fewer of them, rounded up. On an ideal network, where nothing is on its way, a
 * partition is confined by itself. */
int replay_setup_allocate(struct replay_setup *job, const struct replay_setup *machine, uint32_t ranks,
                          struct base_error *error)
{
    uint32_t share = machine->semantics.ranks_per_terminal;

    *job = replay_setup_copy(machine);
    if (replay_partition_new(job->settings, job->partition_text, job->busy, job->topology,
                             share > 1 ? (ranks + share - 1) / share : ranks, &job->own.partition,
                             &job->partition_metrics, error) != 0)
        return -1;
    job->partition = job->own.partition;
    if (job->partition == NULL || job->routing == NULL ||
        !replay_partition_is_confined(job->settings, job->partition))
        return 0;
    return replay_setup_own_routing(job, error) != 0
               ? -1
               : replay_partition_confine(job->partition, job->topology, &job->own.routing, error);
}

struct net_network *replay_setup_network(const struct replay_setup *setup, struct base_error *error)
{
    return net_network_new(setup->topology, setup->routing, &setup->options, error);
}

struct map_place replay_setup_place(const struct replay_setup *setup)
{
    return (struct map_place){.topology = setup->topology,
                              .routing = setup->routing,
                              .terminals = setup->partition == NULL ? NULL : setup->partition->terminal,
                              .terminal_count = setup->partition == NULL ? 0 : setup->partition->count,
                              .ranks_per_terminal = setup->semantics.ranks_per_terminal};
}

struct report_partition replay_setup_partition(const struct replay_setup *setup)
{
    return replay_partition_report(setup->settings, setup->partition, &setup->partition_metrics);
}

int replay_setup_record(const struct replay_setup *setup, bool (*is_recorded)(enum replay_option option),
                        struct base_arena *arena, struct report_option **options, uint32_t *count)
{
    const struct replay_record record = replay_record_of(setup);

    return replay_record_options(&record, is_recorded, arena, options, count);
}

struct report_link_use replay_setup_link_use(const struct replay_setup *setup)
{
    const struct replay_record record = replay_record_of(setup);

    return replay_record_link_use(&record);
}
