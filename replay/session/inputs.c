/* A mapping or partition says itself which file it reads (map_placement_path, map_partition_path), and has no
 * other way to read one. Should a new kind say one thing and do another, then its runs do not hold against
 * their plan, and are refused. */
#include "replay/session/inputs.h"

#include <errno.h>
#include <string.h>

#include "netmodel/faults/faults.h"
#include "replay/session/costs.h"
#include "replay/session/setup.h"

static const char *name_of(enum replay_option option)
{
    return replay_option_row(option)->name;
}

/* The files that objects were made from: they know their names and digests themselves, so that nothing is read
 * twice and what is recorded is what was in force. routing, partition and placement may be NULL. */
int replay_inputs_used(struct report_inputs *inputs, struct base_arena *arena,
                       const struct net_topology *topology, const struct net_routing *routing,
                       const struct map_partition *partition, const struct map_placement *placement)
{
    if (report_inputs_add(inputs, arena, name_of(REPLAY_TOPOLOGY), &topology->input) != 0 ||
        (routing != NULL &&
         report_inputs_add(inputs, arena, name_of(REPLAY_FAULTS), &routing->faults) != 0) ||
        (partition != NULL &&
         report_inputs_add(inputs, arena, name_of(REPLAY_PARTITION), &partition->input) != 0))
        return -1;
    return placement == NULL ? 0
                             : report_inputs_add(inputs, arena, name_of(REPLAY_MAPPING), &placement->input);
}

/* A file that no object remembers is opened once more for its digest; path NULL: there is none. */
int replay_inputs_read(struct report_inputs *inputs, struct base_arena *arena, enum replay_option option,
                       const char *path, struct base_error *error)
{
    struct base_input_name name = {path, ""};
    struct base_input input;

    if (path == NULL)
        return 0;
    if (base_input_open(&input, path) != 0)
        return base_error_system(error, errno, "--%s: %s cannot be read", name_of(option), path);
    memcpy(name.digest, input.digest, sizeof name.digest);
    base_input_close(&input);
    return report_inputs_add(inputs, arena, name_of(option), &name) == 0
               ? 0
               : base_error_memory(error, "the inputs");
}

/* Read as a run would, since a technology itself knows the name and digest by which it is recorded. */
static int add_technology(struct report_inputs *inputs, struct base_arena *arena,
                          const struct replay_settings *settings, struct base_error *error)
{
    const char *name = settings->text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = name == NULL ? NULL : replay_technology(name, error);
    int status = name == NULL ? 0 : -1;

    if (technology != NULL)
        status = replay_technology_used(inputs, arena, technology) == 0
                     ? 0
                     : base_error_memory(error, "the inputs");
    net_technology_free(technology);
    return status;
}

/* The same inputs where nothing was made yet but the topology, by the options' texts alone: what a plan of
 * comparisons records before anything is placed or replayed. */
int replay_inputs_named(struct report_inputs *inputs, struct base_arena *arena,
                        const struct replay_settings *settings, const struct net_topology *topology,
                        struct base_error *error)
{
    const char *partition = settings->text[REPLAY_PARTITION];

    if (replay_inputs_used(inputs, arena, topology, NULL, NULL, NULL) != 0)
        return base_error_memory(error, "the inputs");
    if (replay_has_faults(settings) &&
        replay_inputs_read(inputs, arena, REPLAY_FAULTS, net_faults_path(settings->text[REPLAY_FAULTS]),
                           error) != 0)
        return -1;
    if (partition != NULL &&
        replay_inputs_read(inputs, arena, REPLAY_PARTITION, map_partition_path(partition, arena), error) != 0)
        return -1;
    if (replay_inputs_read(inputs, arena, REPLAY_MAPPING, map_placement_path(settings->text[REPLAY_MAPPING]),
                           error) != 0)
        return -1;
    if (add_technology(inputs, arena, settings, error) != 0)
        return -1;
    /* Files that an option names by itself: there is none that bears on a result today. */
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (replay_option_is_recorded(option) && replay_option_row(option)->kind == REPLAY_KIND_INPUT &&
            replay_inputs_read(inputs, arena, option, settings->text[option], error) != 0)
            return -1;
    return 0;
}
