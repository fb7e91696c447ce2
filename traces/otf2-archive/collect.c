/* Callbacks of the global definition reader. Each appends one raw definition; nothing is looked up here,
 * because recorders write definitions in any order (EZTrace writes a communicator before its group, and most
 * things before their names). A failed allocation stops the reading through the callback's result: there is
 * no way through libotf2 for anything else.
 *
 * Definitions of other kinds (call paths, metrics, the system tree) say nothing about messages.
 *
 * Identifiers of each kind of definition are a space of their own. The tables live as long as the
 * collection, which is freed once definitions.c has copied what it needs. */
#include <config.h>

#include "traces/otf2-archive/collect.h"

#include <string.h>
#include <sys/stat.h>

#include "base/grow.h"

/* Appends a zeroed element to one of the collection's arrays; NULL when memory is out. */
#define APPEND(collection, array, singular)                                                                  \
    (base_grow(&(collection)->array, &(collection)->singular##_capacity, (collection)->singular##_count + 1, \
               sizeof *(collection)->array) == 0                                                             \
         ? memset(&(collection)->array[(collection)->singular##_count++], 0, sizeof *(collection)->array)    \
         : NULL)

/* The reader stops with an error of its own; the flag says what the matter was. */
static OTF2_CallbackCode no_memory(struct trace_otf2_collection *collection)
{
    collection->out_of_memory = true;
    return OTF2_CALLBACK_INTERRUPT;
}

/* Makes the identifier stand for the element at index; the last definition counts. */
static OTF2_CallbackCode name_it(struct trace_otf2_collection *collection, enum trace_otf2_id_space space,
                                 uint64_t id, size_t index)
{
    if (index >= BASE_TABLE_NONE || base_table_put(&collection->ids, id, space, (uint32_t)index) != 0)
        return no_memory(collection);
    return OTF2_CALLBACK_SUCCESS;
}

/* Only the resolution counts: times are differences within one rank, so that no offset matters. */
static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime)
{
    struct trace_otf2_collection *collection = user;
    (void)offset, (void)length, (void)realtime;
    collection->ticks_per_second = resolution;
    collection->clock_records++;
    return OTF2_CALLBACK_SUCCESS;
}

/* Texts are copied: libotf2's are gone after the callback, and definitions refer to them before they come. */
static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct trace_otf2_collection *collection = user;
    const char **place = APPEND(collection, strings, string);

    if (place == NULL || (*place = base_arena_text(&collection->arena, text == NULL ? "" : text)) == NULL)
        return no_memory(collection);
    return name_it(collection, TRACE_OTF2_ID_STRING, self, collection->string_count - 1);
}

/* Location groups of type process are the MPI processes; others (accelerators) have no rank. */
static OTF2_CallbackCode on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef creator)
{
    struct trace_otf2_collection *collection = user;
    struct trace_otf2_raw_process *process = APPEND(collection, processes, process);

    (void)parent, (void)creator;
    if (process == NULL)
        return no_memory(collection);
    *process = (struct trace_otf2_raw_process){self, name, type == OTF2_LOCATION_GROUP_TYPE_PROCESS};
    return name_it(collection, TRACE_OTF2_ID_PROCESS, self, collection->process_count - 1);
}

/* A location that is defined twice would have its events read twice, or for another rank: damage. The number
 * of events is kept as a claim only: EZTrace writes 2 for every location, so nothing may be allocated or
 * counted by it. */
static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef process)
{
    struct trace_otf2_collection *collection = user;
    struct trace_otf2_raw_location *location = APPEND(collection, locations, location);

    if (location == NULL)
        return no_memory(collection);
    *location = (struct trace_otf2_raw_location){.id = self,
                                                 .events = events,
                                                 .name = name,
                                                 .process = process,
                                                 .type = type,
                                                 .is_thread = type == OTF2_LOCATION_TYPE_CPU_THREAD};
    if (trace_otf2_collected(collection, TRACE_OTF2_ID_LOCATION, self) != BASE_TABLE_NONE) {
        collection->repeated = "location";
        collection->repeated_id = self;
    }
    return name_it(collection, TRACE_OTF2_ID_LOCATION, self, collection->location_count - 1);
}

/* The members are only valid during the callback. A group of each kind may have the same identifier; whoever
 * refers to it means one that can have members of a communicator. EZTrace gives the list of MPI's ranks and
 * the group of MPI_COMM_WORLD the same identifier 0, so a table by identifier alone would lose the first:
 * they are kept in two spaces. */
static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
                                  const uint64_t *members)
{
    struct trace_otf2_collection *collection = user;
    struct trace_otf2_raw_group *group = APPEND(collection, groups, group);
    bool rank_list = type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    uint64_t *copy = base_arena_array(&collection->arena, count, sizeof *copy);

    (void)name;
    if (group == NULL || copy == NULL)
        return no_memory(collection);
    if (count > 0)
        memcpy(copy, members, count * sizeof *copy);
    *group = (struct trace_otf2_raw_group){.id = self,
                                           .type = type,
                                           .of_mpi = paradigm == OTF2_PARADIGM_MPI,
                                           .global_members = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0,
                                           .count = count,
                                           .members = copy};
    if (trace_otf2_collected(collection, rank_list ? TRACE_OTF2_ID_GROUP : TRACE_OTF2_ID_RANK_LIST, self) !=
        BASE_TABLE_NONE)
        collection->repeated_groups++;
    return name_it(collection, rank_list ? TRACE_OTF2_ID_RANK_LIST : TRACE_OTF2_ID_GROUP, self,
                   collection->group_count - 1);
}

/* Both kinds of communicators share one space of identifiers. */
static OTF2_CallbackCode add_communicator(struct trace_otf2_collection *collection,
                                          struct trace_otf2_raw_communicator raw)
{
    struct trace_otf2_raw_communicator *communicator = APPEND(collection, communicators, communicator);

    if (communicator == NULL)
        return no_memory(collection);
    *communicator = raw;
    return name_it(collection, TRACE_OTF2_ID_COMMUNICATOR, raw.id, collection->communicator_count - 1);
}

/* A communicator is its members, in order; its parent is only looked at for the calls that made it. */
static OTF2_CallbackCode on_communicator(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                         OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)flags;
    return add_communicator(user, (struct trace_otf2_raw_communicator){
                                      .id = self, .name = name, .group = group, .parent = parent});
}

/* Two groups; which of them is remote depends on who asks. */
static OTF2_CallbackCode on_inter_communicator(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                               OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                               OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)flags;
    return add_communicator(user, (struct trace_otf2_raw_communicator){.id = self,
                                                                       .name = name,
                                                                       .group = group_a,
                                                                       .parent = common,
                                                                       .inter = true,
                                                                       .remote_group = group_b});
}

/* Windows and files are looked at for their communicators only. */
static OTF2_CallbackCode add_object(struct trace_otf2_collection *collection,
                                    struct trace_otf2_raw_object raw)
{
    struct trace_otf2_raw_object *object = APPEND(collection, objects, object);

    if (object == NULL)
        return no_memory(collection);
    *object = raw;
    return OTF2_CALLBACK_SUCCESS;
}

/* The identifier of the communicator is resolved later, like all others. */
static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef communicator, OTF2_RmaWinFlag flags)
{
    (void)name, (void)flags;
    return add_object(user, (struct trace_otf2_raw_object){self, communicator, false});
}

/* Handles of files, not the files themselves: records name handles. */
static OTF2_CallbackCode on_file(void *user, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
                                 OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags,
                                 OTF2_CommRef communicator, OTF2_IoHandleRef parent)
{
    (void)name, (void)file, (void)paradigm, (void)flags, (void)parent;
    return add_object(user, (struct trace_otf2_raw_object){self, communicator, true});
}

/* Role and paradigm cannot be trusted (EZTrace marks MPI calls as user functions): calls are known by name.
 */
static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
                                   OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file,
                                   uint32_t begin, uint32_t end)
{
    struct trace_otf2_collection *collection = user;
    struct trace_otf2_raw_region *region = APPEND(collection, regions, region);

    (void)canonical, (void)description, (void)role, (void)flags, (void)file, (void)begin, (void)end;
    if (region == NULL)
        return no_memory(collection);
    *region = (struct trace_otf2_raw_region){self, name, paradigm == OTF2_PARADIGM_MPI};
    return name_it(collection, TRACE_OTF2_ID_REGION, self, collection->region_count - 1);
}

/* Definitions of any other kind are passed over by the library. */
static void set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_communicator);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_file);
}

/* What the anchor file promises against what was read: a difference means damage that the library did not
 * notice. Files carry no checksums, so that these counts are all there is to compare. */
static int check_counts(const struct trace_otf2_collection *collection, OTF2_Reader *reader, uint64_t read,
                        const char *path, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    uint64_t definitions = 0, locations = 0;

    OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &definitions);
    OTF2_Reader_GetNumberOfLocations(reader, &locations);
    if (read != definitions)
        return base_error_at(error, BASE_INPUT, &position,
                             "the anchor file announces %llu definitions, but the .def file holds %llu",
                             (unsigned long long)definitions, (unsigned long long)read);
    if (collection->location_count != locations)
        return base_error_at(error, BASE_INPUT, &position,
                             "the anchor file announces %llu locations, but the .def file defines %zu",
                             (unsigned long long)locations, collection->location_count);
    if (collection->repeated != NULL)
        return base_error_at(error, BASE_INPUT, &position, "the .def file defines %s %llu twice",
                             collection->repeated, (unsigned long long)collection->repeated_id);
    return 0;
}

#define BATCH 4096

/* The bytes of the .def file beside an anchor, 0 when that cannot be told. */
static uint64_t definition_bytes(const char *anchor)
{
    struct stat status = {0};
    size_t length = strlen(anchor);
    char path[4096 + sizeof ".def"];

    if (length >= 4096 || length <= strlen(".otf2"))
        return 0;
    memcpy(path, anchor, length - strlen(".otf2"));
    memcpy(path + length - strlen(".otf2"), ".def", sizeof ".def");
    if (stat(path, &status) != 0)
        status.st_size = 0;
    return (uint64_t)status.st_size;
}

/* All definitions. Where a file ends early, libotf2 3.0.2 takes what its buffer held before for the next
 * chunk, and can go round in that for ever: more definitions than bytes end it. */
static OTF2_ErrorCode read_batches(OTF2_Reader *reader, OTF2_GlobalDefReader *definition_reader,
                                   const char *path, uint64_t *read)
{
    uint64_t most = definition_bytes(path), batch = BATCH;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    while (code == OTF2_SUCCESS && batch == BATCH) {
        code = OTF2_Reader_ReadGlobalDefinitions(reader, definition_reader, BATCH, &batch);
        *read += batch;
        if (code == OTF2_SUCCESS && *read > most)
            return OTF2_ERROR_INTEGRITY_FAULT;
    }
    return code;
}

/* Definitions that were read before an error are of no use: those that are missing may be any. The callbacks are
 * copied by libotf2 when they are registered. */
static int read_all(struct trace_otf2_collection *collection, OTF2_Reader *reader,
                    OTF2_GlobalDefReader *definition_reader, const char *path, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t read = 0;
    OTF2_ErrorCode code;

    if (callbacks == NULL)
        return base_error_memory(error, "the definitions of an OTF2 archive");
    set_callbacks(callbacks);
    code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definition_reader, callbacks, collection);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (code == OTF2_SUCCESS)
        code = read_batches(reader, definition_reader, path, &read);
    if (collection->out_of_memory)
        return base_error_memory(error, "the definitions of an OTF2 archive");
    if (code != OTF2_SUCCESS)
        return base_error_at(error, BASE_INPUT, &position,
                             "the .def file is truncated or damaged after %llu definitions: %s",
                             (unsigned long long)read, OTF2_Error_GetDescription(code));
    return check_counts(collection, reader, read, path, error);
}

/* -1: memory, or an archive that cannot be read; the collection is freed by the caller. */
int trace_otf2_collect(struct trace_otf2_collection *collection, OTF2_Reader *reader, const char *path,
                       struct base_error *error)
{
    struct base_position position = base_position_of(path);
    OTF2_GlobalDefReader *definition_reader = OTF2_Reader_GetGlobalDefReader(reader);
    int result;

    if (definition_reader == NULL)
        return base_error_at(error, BASE_INPUT, &position,
                             "its definitions cannot be read: the .def file beside it is missing or damaged");
    result = read_all(collection, reader, definition_reader, path, error);
    OTF2_Reader_CloseGlobalDefReader(reader, definition_reader);
    return result;
}

/* All texts and members go with the arena. */
void trace_otf2_collection_free(struct trace_otf2_collection *collection)
{
    base_arena_free(&collection->arena);
    base_table_free(&collection->ids);
    free(collection->strings);
    free(collection->processes);
    free(collection->locations);
    free(collection->groups);
    free(collection->communicators);
    free(collection->regions);
    free(collection->objects);
}

/* The place of a definition among those of its kind, or BASE_TABLE_NONE when the file has none so numbered.
 */
uint32_t trace_otf2_collected(const struct trace_otf2_collection *collection, enum trace_otf2_id_space space,
                              uint64_t id)
{
    return base_table_get(&collection->ids, id, space);
}

/* NULL for a reference to a string that never came: not an error here, since names only explain. */
const char *trace_otf2_text(const struct trace_otf2_collection *collection, uint32_t string)
{
    uint32_t index = trace_otf2_collected(collection, TRACE_OTF2_ID_STRING, string);
    return index == BASE_TABLE_NONE ? NULL : collection->strings[index];
}
