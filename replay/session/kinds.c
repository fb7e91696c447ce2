/* Everything that is chosen by name, from the registries of the rooms.
 *
 * A registry is an array of descriptors; each has a name and a summary, whatever else it has. Adding a kind
 * to a room adds it here, to the help, to the completion and to the check of the manual page.
 *
 *      flitreplay list                              every list
 *      flitreplay list routings                     one of them
 *      flitreplay run … --mapping identiy           unknown mapping 'identiy'; did you mean 'identity'? … */
#include "replay/session/kinds.h"

#include <string.h>

#include "base/names.h"
#include "mappers/formats/map-file.h"
#include "mappers/partitions/partition.h"
#include "mappers/placement.h"
#include "netmodel/traffic/pattern.h"
#include "netmodel/choices.h"
#include "netmodel/costs/technology.h"
#include "netmodel/faults/fault-routing.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"
#include "netmodel/traffic/traffic.h"
#include "replay/machines/machine-file.h"
#include "reports/run/picture.h"
#include "traces/format.h"
#include "traces/generate/generate.h"
#include "traces/writers/writer.h"

#define NAMES_MAX 128 /* more than any list holds; the nearest match is looked for among so many */

/* Each room offers an array of descriptors with a name, a summary, and whether they draw from a seed. */
#define KIND_AT(function, registry)                                                                          \
    static struct replay_kind function(size_t index)                                                         \
    {                                                                                                        \
        size_t count;                                                                                        \
        return (struct replay_kind){.name = registry(&count)[index]->name,                                   \
                                    .summary = registry(&count)[index]->summary,                             \
                                    .chance = registry(&count)[index]->chance};                              \
    }

/* The same with the names that the field has for some of them. */
#define ALIASED_AT(function, registry, option)                                                               \
    static struct replay_kind function(size_t index)                                                         \
    {                                                                                                        \
        size_t count;                                                                                        \
        return (struct replay_kind){.name = registry(&count)[index]->name,                                   \
                                    .summary = registry(&count)[index]->summary,                             \
                                    .more = replay_option_aliases(option, registry(&count)[index]->name),    \
                                    .chance = registry(&count)[index]->chance};                              \
    }

/* Those that are given no seed. */
#define SEEDLESS_AT(function, registry)                                                                      \
    static struct replay_kind function(size_t index)                                                         \
    {                                                                                                        \
        size_t count;                                                                                        \
        return (struct replay_kind){.name = registry(&count)[index]->name,                                   \
                                    .summary = registry(&count)[index]->summary,                             \
                                    .chance = BASE_EXACT};                                                   \
    }

KIND_AT(mapper_at, map_mappers)
KIND_AT(allocator_at, map_allocators)
SEEDLESS_AT(format_at, trace_formats)
SEEDLESS_AT(algorithm_at, trace_algorithms)
SEEDLESS_AT(writer_at, trace_writers)
SEEDLESS_AT(placement_at, map_formats)
KIND_AT(generator_at, trace_generators)
ALIASED_AT(flow_control_at, net_flow_controls, REPLAY_FLOW_CONTROL)
SEEDLESS_AT(objective_at, map_objectives)
KIND_AT(arbiter_at, net_arbiters)
KIND_AT(multiplexing_at, net_multiplexings)
KIND_AT(source_at, net_sources)
KIND_AT(way_at, net_selections)
KIND_AT(admission_at, net_admissions)
KIND_AT(status_at, net_status_flags)
KIND_AT(spreading_at, net_spreadings)
SEEDLESS_AT(picture_at, report_run_pictures)
SEEDLESS_AT(fault_routing_at, net_fault_routings)

static struct replay_kind topology_at(size_t index)
{
    size_t count;
    const struct net_topology_kind *kind = net_topology_kinds(&count)[index];

    return (struct replay_kind){.name = kind->name,
                                .summary = kind->summary,
                                .more = replay_option_aliases(REPLAY_TOPOLOGY, kind->name),
                                .parameters = kind->parameters,
                                .chance = kind->chance};
}

static struct replay_kind pattern_at(size_t index)
{
    size_t count;
    const struct net_pattern_kind *kind = net_pattern_kinds(&count)[index];

    return (struct replay_kind){
        .name = kind->name, .summary = kind->summary, .parameters = kind->parameters, .chance = kind->chance};
}

/* A routing says it of a topology: net_routing_kind.chooses. */
static struct replay_kind routing_at(size_t index)
{
    size_t count;
    const struct net_routing_kind *kind = net_routing_kinds(&count)[index];

    return (struct replay_kind){.name = kind->name,
                                .summary = kind->summary,
                                .more = replay_option_aliases(REPLAY_ROUTING, kind->name),
                                .parameters = kind->parameters,
                                .chance = kind->chooses == NULL                        ? BASE_CHANCE_UNSAID
                                          : kind->chooses == net_routing_chooses_never ? BASE_EXACT
                                                                                       : BASE_DRAWS};
}

/* These are tables, not registries: nobody adds one in a file of its own. */
#define TABLE_AT(function, table)                                                                            \
    static struct replay_kind function(size_t index)                                                         \
    {                                                                                                        \
        size_t count;                                                                                        \
        return (struct replay_kind){.name = table(&count)[index].name,                                       \
                                    .summary = table(&count)[index].summary,                                 \
                                    .chance = table(&count)[index].chance};                                  \
    }

/* They draw nothing. */
static struct replay_kind technology_at(size_t index)
{
    size_t count;
    const struct net_technology_name *technology = &net_technologies(&count)[index];

    return (struct replay_kind){
        .name = technology->name, .summary = technology->summary, .chance = BASE_EXACT};
}

/* Nor do they. */
static struct replay_kind machine_at(size_t index)
{
    size_t count;
    const struct replay_machine_name *machine = &replay_machines(&count)[index];

    return (struct replay_kind){.name = machine->name, .summary = machine->summary, .chance = BASE_EXACT};
}

TABLE_AT(arrivals_at, net_arrivals_kinds)
TABLE_AT(lengths_at, net_lengths_kinds)

/* A table that is the newest of its library has two names. */
static struct replay_kind tuning_at(size_t index)
{
    const char *name;
    const struct trace_tuning *tuning = trace_tuning_named(index, &name);
    bool is_newest = name == tuning->newest;

    return (struct replay_kind){.name = name,
                                .summary = is_newest ? "the newest table of this library" : tuning->summary,
                                .more = is_newest ? tuning->name : tuning->checked,
                                .chance = BASE_EXACT};
}

static size_t count_tunings(void)
{
    const char *name;
    size_t count = 0;

    while (trace_tuning_named(count, &name) != NULL)
        count++;
    return count;
}

/* The order is that in which one decides: the network, the ranks on it, the trace, the rest. The registries
 * are asked for their counts first: each gives its array and fills in its number. A list that is added here
 * raises the number that is returned, which is at most REPLAY_KINDS_MAX. */
size_t replay_kinds(struct replay_kinds lists[REPLAY_KINDS_MAX])
{
    size_t topologies, routings, mappers, formats, tunings, algorithms, writers, generators;
    size_t sources, admissions, flow_controls, arbiters, multiplexings, objectives;
    size_t patterns, arrivals, lengths, allocators, ways, flags, spreadings, pictures, placements;
    size_t technologies, fault_routings, machines;

    net_topology_kinds(&topologies);
    net_routing_kinds(&routings);
    map_mappers(&mappers);
    map_objectives(&objectives);
    map_allocators(&allocators);
    trace_formats(&formats);
    tunings = count_tunings();
    trace_algorithms(&algorithms);
    trace_writers(&writers);
    trace_generators(&generators);
    net_flow_controls(&flow_controls);
    net_arbiters(&arbiters);
    net_multiplexings(&multiplexings);
    net_sources(&sources);
    net_selections(&ways);
    net_admissions(&admissions);
    net_status_flags(&flags);
    net_spreadings(&spreadings);
    net_pattern_kinds(&patterns);
    net_arrivals_kinds(&arrivals);
    net_lengths_kinds(&lengths);
    report_run_pictures(&pictures);
    map_formats(&placements);
    net_technologies(&technologies);
    net_fault_routings(&fault_routings);
    replay_machines(&machines);
    lists[0] = (struct replay_kinds){"topologies", "topology", "--topology T", topologies, topology_at};
    lists[1] = (struct replay_kinds){"routings", "routing", "--routing R", routings, routing_at};
    lists[2] = (struct replay_kinds){"mappings", "mapping", "--mapping M", mappers, mapper_at};
    lists[3] = (struct replay_kinds){"formats", "format", "TRACE, by its content", formats, format_at};
    lists[4] = (struct replay_kinds){"collectives", "table of collective algorithms", "--collectives S",
                                     tunings, tuning_at};
    lists[5] = (struct replay_kinds){"algorithms", "algorithm", "chosen by the table of --collectives",
                                     algorithms, algorithm_at};
    lists[6] = (struct replay_kinds){"arbiters", "arbiter", "--arbiter A", arbiters, arbiter_at};
    lists[7] = (struct replay_kinds){"generators", "generator", "generate KERNEL", generators, generator_at};
    lists[8] = (struct replay_kinds){"writers", "writer", "--format FORMAT", writers, writer_at};
    lists[9] = (struct replay_kinds){"patterns", "pattern", "--pattern P", patterns, pattern_at};
    lists[10] = (struct replay_kinds){"arrivals", "arrivals", "--arrivals A", arrivals, arrivals_at};
    lists[11] = (struct replay_kinds){"lengths", "lengths", "--lengths L", lengths, lengths_at};
    lists[12] = (struct replay_kinds){"flow-controls", "flow control", "--flow-control F", flow_controls,
                                      flow_control_at};
    lists[13] = (struct replay_kinds){"multiplexings", "multiplexing", "--multiplexing M", multiplexings,
                                      multiplexing_at};
    lists[14] = (struct replay_kinds){"objectives", "objective", "--objective O", objectives, objective_at};
    lists[15] = (struct replay_kinds){"allocators", "partition", "--partition P", allocators, allocator_at};
    lists[16] = (struct replay_kinds){"selections", "selection", "--selection S", ways, way_at};
    lists[17] = (struct replay_kinds){"status-flags", "status flags", "--status-flags F", flags, status_at};
    lists[18] = (struct replay_kinds){"multicasts", "multicast", "--multicast M", spreadings, spreading_at};
    lists[19] = (struct replay_kinds){"pictures", "picture", "run --svg KIND=FILE", pictures, picture_at};
    lists[20] =
        (struct replay_kinds){"placements", "placement format",
                              "map --format FORMAT, --mapping file:FORMAT:PATH", placements, placement_at};
    lists[21] = (struct replay_kinds){"sources", "source", "traffic --sources S", sources, source_at};
    lists[22] = (struct replay_kinds){"technologies", "technology", "cost --technology TECHNOLOGY",
                                      technologies, technology_at};
    lists[23] = (struct replay_kinds){"admissions", "admission", "--admission A", admissions, admission_at};
    lists[24] = (struct replay_kinds){"fault-routings", "fault routing", "--fault-routing F", fault_routings,
                                      fault_routing_at};
    lists[25] = (struct replay_kinds){"machines", "machine", "--machine M", machines, machine_at};
    return 26;
}

/* As each room refuses a name of its own. */
static int refuse(const struct replay_kinds *kinds, const char *name, struct base_error *error)
{
    size_t count = kinds->count < NAMES_MAX ? kinds->count : NAMES_MAX;
    const char *names[NAMES_MAX] = {NULL};

    for (size_t i = 0; i < count; i++)
        names[i] = kinds->at(i).name;
    return base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS(kinds->singular, names, count), name,
                             SIZE_MAX, error);
}

/* A name ends at the colon that begins its argument ("file:PATH"). Parameters are not looked at: they are the
 * kind's to refuse when it is made. */
static int check_in(const struct replay_kinds *kinds, const char *name, struct base_error *error)
{
    size_t length = strcspn(name, ":");

    for (size_t i = 0; i < kinds->count; i++) {
        const char *known = kinds->at(i).name;
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return 0;
    }
    return refuse(kinds, name, error);
}

/* An unknown list has nothing to check against: that would be a mistake of ours. */
int replay_check_kind(const char *list_name, const char *name, struct base_error *error)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists);

    for (size_t i = 0; i < count; i++)
        if (strcmp(lists[i].name, list_name) == 0)
            return check_in(&lists[i], name, error);
    return 0;
}

/* Whether the list's names go behind this option: "--topology T", "cost --technology TECHNOLOGY". */
static bool is_of_option(const struct replay_kinds *kinds, const char *option)
{
    const char *dashes = strstr(kinds->use, "--");
    size_t length = strlen(option);

    return dashes != NULL && strncmp(dashes + 2, option, length) == 0 && dashes[2 + length] == ' ';
}

/* A word without dots and slashes, which files have. */
static int check_word(enum replay_option option, const char *word, struct base_error *error)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists);

    for (size_t i = 0; i < count; i++)
        if (is_of_option(&lists[i], replay_option_row(option)->name))
            return check_in(&lists[i], word, error);
    return 0;
}

/* Other names of the field stand for ours. A name ends where sizes, parameters or further options begin. */
int replay_check_name(enum replay_option option, const char *value, struct base_error *error)
{
    const char *absent = replay_option_absent(option);
    struct base_arena arena = {0};
    const char *word;
    int status = 0;

    if (absent != NULL && strcmp(absent, value) == 0)
        return 0;
    word = replay_option_resolve(option, value, &arena);
    if (word != NULL)
        word = base_arena_format(&arena, "%.*s", (int)strcspn(word, ":,;"), word);
    if (word == NULL)
        status = base_error_memory(error, "a name");
    else if (strpbrk(word, "./") == NULL)
        status = check_word(option, word, error);
    base_arena_free(&arena);
    return status;
}

/* What is not in the list may draw: a file or a parameter behind the name changes nothing of that. */
bool replay_kind_draws(const char *list_name, const char *name)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists), length = strcspn(name, ":,");

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; strcmp(lists[i].name, list_name) == 0 && j < lists[i].count; j++) {
            struct replay_kind kind = lists[i].at(j);
            if (strlen(kind.name) == length && strncmp(kind.name, name, length) == 0)
                return kind.chance != BASE_EXACT;
        }
    return true;
}

/* The table, with the user's rules before it. The list of tables refuses an unknown one as it does other
 * kinds. */
struct trace_tuning *replay_tuning(const struct replay_settings *settings, struct base_error *error)
{
    const char *table = settings->text[REPLAY_COLLECTIVES], *rules = settings->text[REPLAY_COLLECTIVE];

    if (replay_check_kind("collectives", table, error) != 0)
        return NULL;
    return trace_tuning_new(table, strcmp(rules, "none") == 0 ? NULL : rules, error);
}
