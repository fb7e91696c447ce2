/* A cost grows with the width, but for ports of terminals that fewer injectors save, so that widths are tried from one
 * byte on until the cost is far above what is looked for.
 * Each is asked of the network that would run, since buffers, and with them area and power, follow from its
 * packets. */
#include "replay/compare/equal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/names.h"
#include "replay/session/costs.h"

#define TOLERANCE 0.02 /* what is not within this is not called equal */
#define TOO_MUCH                                                                                             \
    1.5 /* times the cost: wider flits do not bring it back, though they save ports of terminals */
#define BYTES_MAX 4096 /* of a flit; wider links than that nobody builds */
#define STEPS_MAX 64   /* widths in a row without a number: what is not known there is not known at all */

/* A cost of which a technology says nothing is NaN. */
static double pins_of(const struct report_cost_network *network)
{
    return (double)network->costs.pins;
}

/* Bits in a cycle and not in a second: all networks of a comparison have one clock. */
static double bisection_of(const struct report_cost_network *network)
{
    return (double)network->costs.bisection_bits_cycle;
}

/* Links times their width: how many wires there are, however long each is. */
static double links_of(const struct report_cost_network *network)
{
    return (double)network->costs.links * network->flit_bits;
}

/* Of routers and links, as the technology has it. */
static double area_of(const struct report_cost_network *network)
{
    return network->costs.area_mm2;
}

/* What the network takes without any traffic: what traffic adds is a result, not a cost to be held equal. */
static double power_of(const struct report_cost_network *network)
{
    return network->costs.ndd_W;
}

/* In the order in which they are told. "none" is one of them, so that a comparison can have both: networks as they
 * are, and at an equal cost. */
static const struct equal {
    const char *name;
    double (*cost)(const struct report_cost_network *network);
} equals[] = {{"none", NULL},      {"pins", pins_of}, {"bisection", bisection_of},
              {"links", links_of}, {"area", area_of}, {"power", power_of}};

/* An unknown word is refused with the nearest of the table, as all names are. */
static const struct equal *find(const char *what, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES_OF_ROWS("cost to hold equal", equals, struct equal);
    size_t place = base_names_find(&names, what, SIZE_MAX, error);

    return place == names.count ? NULL : &equals[place];
}

/* Before anything is built: a slip in a word is told at once. */
int replay_equal_check(const char *what, struct base_error *error)
{
    return find(what, error) == NULL ? -1 : 0;
}

/* With the technology that the settings name. */
static int ask(const struct net_topology *topology, const struct replay_settings *settings,
               struct base_arena *arena, struct report_cost_network *network, struct base_error *error)
{
    const char *name = settings->text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = name == NULL ? NULL : replay_technology(name, error);
    int status = name != NULL && technology == NULL
                     ? -1
                     : replay_network_costs(topology, settings, technology, arena, network, error);

    net_technology_free(technology);
    return status;
}

/* So many of the new width as carry what `count` of the old one did. */
static int set_scaled(struct replay_settings *settings, enum replay_option option, uint64_t count,
                      uint64_t old_bytes, uint64_t bytes, struct base_error *error)
{
    char text[BASE_UNITS_TEXT];
    uint64_t scaled = (count * old_bytes + bytes - 1) / bytes;

    return replay_settings_set(settings, option, replay_option_format(option, scaled == 0 ? 1 : scaled, text),
                               error);
}

/* Buffers that were given keep their flits, others follow from the packets by themselves. */
static int set_width(const struct report_cost_network *reference, uint64_t bytes,
                     struct replay_settings *settings, struct base_error *error)
{
    uint64_t old_bytes = reference->flit_bits / 8;
    char text[BASE_UNITS_TEXT];

    if (bytes == old_bytes)
        return 0;
    if (replay_settings_set(settings, REPLAY_FLIT_BYTES, replay_option_format(REPLAY_FLIT_BYTES, bytes, text),
                            error) != 0 ||
        set_scaled(settings, REPLAY_PACKET_FLITS, reference->packet_flits, old_bytes, bytes, error) != 0)
        return -1;
    /* A wider injector than a terminal had is not taken away: half of one cannot be built. */
    if (bytes > old_bytes)
        return 0;
    return set_scaled(settings, REPLAY_INJECTORS, reference->injectors, old_bytes, bytes, error) != 0 ||
                   set_scaled(settings, REPLAY_CONSUMERS, reference->consumers, old_bytes, bytes, error) != 0
               ? -1
               : 0;
}

/* What a search goes by, and what it has found so far. The settings it tries are copies, so that a width that is
 * refused leaves nothing behind. */
struct search {
    const struct equal *equal;                   /* which cost */
    const struct report_cost_network *reference; /* the first topology's */
    const struct replay_settings *settings;      /* of the other, but for the width */
    const struct net_topology *topology;         /* the other */
    double target;                               /* the reference's cost */
    uint64_t bytes;                              /* the best so far; 0: none */
    double cost;                                 /* of it */
    struct base_error why;                       /* nothing was known: the last refusal */
};

/* The cost with flits of that width, NaN where it is not known. -1: an error that more widths will not mend. */
static int try_width(struct search *search, uint64_t bytes, double *cost, struct base_error *error)
{
    struct replay_settings settings;
    struct base_arena arena = {0};
    struct report_cost_network network;
    int status = replay_settings_copy(&settings, search->settings, error);

    *cost = NAN;
    if (status == 0)
        status = set_width(search->reference, bytes, &settings, &search->why);
    if (status == 0)
        status = ask(search->topology, &settings, &arena, &network, &search->why);
    if (status == 0)
        *cost = search->equal->cost(&network);
    else if (search->why.status == BASE_USAGE)
        status = 0;
    else
        *error = search->why;
    base_arena_free(&arena);
    replay_settings_free(&settings);
    return status;
}

/* Widths without a number come first where a technology begins at more than a byte, and where buffers of a given
 * size are too small for so many flits of a packet; a long row of them means that there is none at all. */
static int look(struct search *search, struct base_error *error)
{
    double cost = NAN;

    for (uint64_t bytes = 1, unknown = 0; bytes <= BYTES_MAX && unknown < STEPS_MAX; bytes++) {
        if (try_width(search, bytes, &cost, error) != 0)
            return -1;
        unknown = isfinite(cost) ? 0 : unknown + 1;
        if (isfinite(cost) &&
            (search->bytes == 0 || fabs(cost - search->target) < fabs(search->cost - search->target))) {
            search->bytes = bytes;
            search->cost = cost;
        }
        if (cost > search->target * TOO_MUCH)
            break;
    }
    return 0;
}

/* The nearest width and how far it is off: from that a user sees whether a wider first topology would do, which
 * gives the others finer steps. */
static int refuse(const struct search *search, struct base_error *error)
{
    const char *topology = search->topology->text, *what = search->equal->name;

    if (search->bytes == 0)
        return base_error_set(error, BASE_USAGE, "--equal %s: unknown for %s at any width%s%.200s", what,
                              topology, search->why.status == BASE_USAGE ? ": " : "",
                              search->why.status == BASE_USAGE ? search->why.text : "");
    return base_error_set(error, BASE_USAGE,
                          "--equal %s: no flit width in whole bytes brings %s within %g %% of %s: the "
                          "nearest, %llu, is %.1f %% %s; "
                          "other --flit-bytes of the first topology may do%s%.200s",
                          what, topology, 100 * TOLERANCE, search->reference->topology,
                          (unsigned long long)search->bytes, 100 * fabs(search->cost / search->target - 1),
                          search->cost > search->target ? "above" : "below",
                          search->why.status == BASE_USAGE ? "; narrower ones were refused: " : "",
                          search->why.status == BASE_USAGE ? search->why.text : "");
}

/* Of the first topology nothing is changed. */
static int match(struct search *search, struct replay_settings *settings, struct base_error *error)
{
    search->target = search->equal->cost(search->reference);
    /* Also false for NaN: a cost that is not known cannot be met. */
    if (!(search->target > 0))
        return base_error_set(
            error, BASE_USAGE, "--equal %s: unknown for %s%s%.200s", search->equal->name,
            search->reference->topology,
            settings->text[REPLAY_TECHNOLOGY] == NULL ? "; --technology chooses the circuits" : ": ",
            settings->text[REPLAY_TECHNOLOGY] == NULL         ? ""
            : *search->reference->costs.router_reason != '\0' ? search->reference->costs.router_reason
                                                              : search->reference->costs.link_reason);
    if (look(search, error) != 0)
        return -1;
    if (search->bytes == 0 || fabs(search->cost / search->target - 1) > TOLERANCE)
        return refuse(search, error);
    return set_width(search->reference, search->bytes, settings, error);
}

/* What is held equal is a column of a network's costs; the width of flits is all that is changed to meet it. */
int replay_equal_make(const char *what, const struct net_topology *other,
                      const struct replay_settings *others, const struct net_topology *topology,
                      struct replay_settings *settings, struct base_error *error)
{
    struct search search = {.equal = find(what, error), .settings = settings, .topology = topology};
    struct report_cost_network reference;
    struct base_arena arena = {0};
    int status = -1;

    if (search.equal == NULL)
        return -1;
    /* The first topology is what the others are measured by, and keeps its width at every cost. */
    if (search.equal->cost == NULL || other == topology)
        return 0;
    if (topology->multistage != NULL || other->multistage != NULL)
        return base_error_set(
            error, BASE_USAGE,
            "--equal %s: networks of stages carry bits, and have widths by their parameters", what);
    /* A width that a topology has of its own is what somebody wanted; to replace it would be to pass that over in
 * silence. */
    if (settings->number[REPLAY_FLIT_BYTES] != others->number[REPLAY_FLIT_BYTES])
        return base_error_set(error, BASE_USAGE, "--equal %s: flits of %s have a width of their own", what,
                              topology->text);
    search.reference = &reference;
    if (ask(other, others, &arena, &reference, error) == 0)
        status = match(&search, settings, error);
    base_arena_free(&arena);
    return status;
}
