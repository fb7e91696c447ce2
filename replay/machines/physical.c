/* Bytes a second and picoseconds from flits, cycles and a clock, in whole numbers; latencies are rounded to the nearest
 * picosecond. */
#include "replay/machines/physical.h"

#include <inttypes.h>
#include <stdlib.h>

#include "replay/machines/machine-file.h"

#define KILO UINT64_C(1000)

/* Bytes a second of a link of width 1/W, one way. */
static uint64_t rate_of(const struct replay_settings *settings, uint32_t width)
{
    return settings->number[REPLAY_FLIT_BYTES] * settings->number[REPLAY_CLOCK_GHZ] * KILO / width;
}

/* L + R - 1, and what a narrow link takes more. */
static uint64_t hop_of(const struct replay_settings *settings, const struct net_link *link)
{
    uint64_t cycles = net_link_crossing(link, (uint32_t)settings->number[REPLAY_LINK_CYCLES]) +
                      settings->number[REPLAY_ROUTER_CYCLES] - 1;

    return base_ps_from_cycles(cycles, settings->number[REPLAY_CLOCK_GHZ]);
}

/* All links of most networks are alike, and one of them is enough; only where some have a latency or a width of their
 * own are all looked at. */
static void measure_links(const struct net_topology *topology, const struct replay_settings *settings,
                          struct report_physical *physical)
{
    const struct net_link alike = {0};

    physical->least_rate = physical->most_rate = rate_of(settings, 1);
    physical->least_hop_ps = physical->most_hop_ps = hop_of(settings, &alike);
    for (uint32_t i = 0; i < topology->link_count && (topology->own_latencies || topology->narrow_links);
         i++) {
        uint64_t rate = rate_of(settings, net_link_width(&topology->links[i]));
        uint64_t hop = hop_of(settings, &topology->links[i]);
        if (i == 0) {
            physical->least_rate = physical->most_rate = rate;
            physical->least_hop_ps = physical->most_hop_ps = hop;
        }
        physical->least_rate = rate < physical->least_rate ? rate : physical->least_rate;
        physical->most_rate = rate > physical->most_rate ? rate : physical->most_rate;
        physical->least_hop_ps = hop < physical->least_hop_ps ? hop : physical->least_hop_ps;
        physical->most_hop_ps = hop > physical->most_hop_ps ? hop : physical->most_hop_ps;
    }
}

/* The machine, and what a user gave beside it of the network. NULL: memory. */
static const char *name_machine(const struct replay_settings *settings, struct base_arena *arena)
{
    const char *text = settings->text[REPLAY_MACHINE], *between = " with";

    for (enum replay_option option = 0; text != NULL && option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        if (row->group != REPLAY_GROUP_NETWORK || option == REPLAY_MACHINE || option == REPLAY_TECHNOLOGY ||
            !settings->given[option] || settings->derived[option])
            continue;
        text = base_arena_format(arena, "%s%s --%s %s", text, between, row->name, settings->text[option]);
        between = ",";
    }
    return text;
}

int replay_physical_check(const struct net_topology *topology, const struct replay_settings *settings,
                          struct base_error *error)
{
    if (topology->multistage == NULL || !settings->given[REPLAY_LINK_BANDWIDTH])
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "--link-bandwidth does not apply to %s, whose links carry bits: --clock-ghz says how fast "
        "they are",
        topology->text);
}

/* A latency counts as asked for where either of its parts is: the other one is 0 then, or the least that there is. */
int replay_physical_of(const struct net_topology *topology, const struct replay_settings *settings,
                       struct base_arena *arena, struct report_physical *physical, struct base_error *error)
{
    *physical = (struct report_physical){0};
    if (replay_physical_check(topology, settings, error) != 0)
        return -1;
    if (net_topology_is_ideal(topology) || topology->multistage != NULL)
        return 0;
    if (settings->text[REPLAY_MACHINE] != NULL) {
        physical->machine = name_machine(settings, arena);
        if (physical->machine == NULL)
            return base_error_memory(error, "the name of a machine");
    }
    measure_links(topology, settings, physical);
    if (settings->given[REPLAY_LINK_LATENCY] || settings->given[REPLAY_ROUTER_LATENCY])
        physical->asked_hop_ps =
            settings->number[REPLAY_LINK_LATENCY] + settings->number[REPLAY_ROUTER_LATENCY];
    return net_topology_bisection_capacity(topology, rate_of(settings, 1), &physical->bisection_rate,
                                           &physical->bisection_exact, error);
}

/* ---- published figures ---- */

/* Links that leave the widest router, and its terminals. 0: memory. */
static uint64_t ports_of(const struct net_topology *topology)
{
    uint32_t *ports = calloc(topology->routers, sizeof *ports);
    uint32_t most = 0;

    if (ports == NULL)
        return 0;
    for (uint32_t i = 0; i < topology->link_count; i++)
        ports[topology->links[i].source]++;
    for (uint32_t i = 0; i < topology->terminals; i++)
        ports[net_topology_router_of(topology, i)]++;
    for (uint32_t i = 0; i < topology->routers; i++)
        most = ports[i] > most ? ports[i] : most;
    free(ports);
    return most;
}

/* What this network has in place of a published figure; 0: it is not known. */
static uint64_t here(const struct net_topology *topology, const struct net_metrics *metrics,
                     const struct report_physical *physical, enum replay_figure figure)
{
    switch (figure) {
    case REPLAY_FIGURE_LINK_BANDWIDTH:
        return physical->most_rate;
    case REPLAY_FIGURE_HOP_LATENCY:
        return physical->least_hop_ps;
    case REPLAY_FIGURE_BISECTION:
        return physical->bisection_rate;
    case REPLAY_FIGURE_TERMINALS:
        return topology->terminals;
    case REPLAY_FIGURE_ROUTERS:
        return topology->routers;
    case REPLAY_FIGURE_PORTS:
        return ports_of(topology);
    case REPLAY_FIGURE_DIAMETER:
        return metrics->diameter;
    default:
        return 0;
    }
}

/* A figure as people read it, in the arena. NULL: memory. */
static const char *text_of(enum replay_figure_kind kind, uint64_t value, struct base_arena *arena)
{
    char text[BASE_UNITS_TEXT];

    if (kind == REPLAY_FIGURE_RATE)
        base_format_rate(value, " ", text);
    else if (kind == REPLAY_FIGURE_DURATION)
        base_format_duration(value, " ", text);
    else
        base_format_count(value, text);
    return base_arena_text(arena, text);
}

/* In the order of the file. Equal is equal to the byte and the picosecond: what rounding to cycles changes is said to
 * differ, and by how much is for the reader to see. */
static int add_figures(const struct net_topology *topology, const struct net_metrics *metrics,
                       const struct replay_machine_file *machine, struct base_arena *arena,
                       struct report_physical *physical)
{
    struct report_figure *rows = base_arena_array(arena, machine->published_count + 1, sizeof *rows);

    physical->figures = rows;
    for (uint32_t i = 0; rows != NULL && i < machine->published_count; i++) {
        const struct replay_published *published = &machine->published[i];
        const struct replay_figure_row *row = replay_figure_row(published->figure);
        uint64_t value = here(topology, metrics, physical, published->figure);
        rows[i] = (struct report_figure){.name = row->name,
                                         .source = base_arena_text(arena, published->source),
                                         .published = text_of(row->kind, published->value, arena),
                                         .here = value == 0 ? NULL : text_of(row->kind, value, arena),
                                         .met = value == published->value};
        if (rows[i].source == NULL || rows[i].published == NULL || (value != 0 && rows[i].here == NULL))
            return -1;
        physical->figure_count++;
    }
    return rows == NULL ? -1 : 0;
}

/* The file is read a second time, since settings keep options alone: it is small, and asked for once an answer. */
int replay_physical_figures(const struct net_topology *topology, const struct net_metrics *metrics,
                            const struct replay_settings *settings, struct base_arena *arena,
                            struct report_physical *physical, struct base_error *error)
{
    struct replay_machine_file machine = {0};
    int status;

    if (settings->text[REPLAY_MACHINE] == NULL)
        return 0;
    status = replay_machine_read(&machine, settings->text[REPLAY_MACHINE], NULL, error);
    if (status == 0 && add_figures(topology, metrics, &machine, arena, physical) != 0)
        status = base_error_memory(error, "the figures of a machine");
    replay_machine_free(&machine);
    return status;
}
