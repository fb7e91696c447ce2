/* Resolving the definitions: ranks first, since the members of communicators are ranks, then communicators,
 * then regions.
 *
 *     list of locations  [location of rank 0, of rank 1, ...]         a group of type COMM_LOCATIONS
 *     group              [world rank of member 0, of member 1, ...]   a group of type COMM_GROUP
 *     communicator       name, group
 *     event              communicator, rank in it ──► group[rank] ──► list[world rank]
 *
 * Every reference is checked here, so that events need to be checked against what is left only: known
 * identifiers and ranks below the size of a communicator.
 *
 * What is guessed for want of a definition (ranks from the names of processes) is counted, so that the
 * summary can say so. Everything that stays is in the definitions' arena; the raw collection is freed at the
 * end. */
#include "traces/otf2-archive/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "traces/otf2-archive/collect.h"

/* What all steps need: where to, where from, and how to complain. */
struct resolver {
    struct trace_otf2_definitions *definitions; /* that are being filled */
    const struct trace_otf2_collection *raw;    /* as they were read */
    struct base_position position;              /* the archive, for messages */
    struct base_error *error;
};

/* The one sentence for all failed allocations of this file. */
static int no_memory(const struct resolver *resolver)
{
    return base_error_memory(resolver->error, "the definitions of an OTF2 archive");
}

/* The group of type COMM_LOCATIONS that MPI's ranks are numbered by, or NULL. The first one counts: other
 * paradigms (OpenMP, SHMEM) bring lists of their own, a second one for MPI has not been seen. */
static const struct trace_otf2_raw_group *find_rank_list(const struct trace_otf2_collection *raw)
{
    for (size_t i = 0; i < raw->group_count; i++)
        if (raw->groups[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS && raw->groups[i].of_mpi)
            return &raw->groups[i];
    return NULL;
}

/* The number of ranks is that of a list that was really read, so that it cannot be absurd. */
static int new_ranks(struct resolver *resolver, uint32_t count)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;

    if (count == 0)
        return base_error_at(resolver->error, BASE_INPUT, &resolver->position, "the trace has no MPI ranks");
    definitions->ranks = count;
    definitions->locations = base_arena_array(&definitions->arena, count, sizeof *definitions->locations);
    return definitions->locations == NULL ? no_memory(resolver) : 0;
}

/* From here on a location is known by its world rank. */
static void set_rank(struct resolver *resolver, uint32_t rank, const struct trace_otf2_raw_location *location)
{
    resolver->definitions->locations[rank] =
        (struct trace_otf2_location){.id = location->id, .rank = rank, .claimed_events = location->events};
}

/* Rank i is the i-th member of the list of locations. Location identifiers are 64 bits wide and sparse
 * (EZTrace: multiples of 536870911, Score-P: thread and rank packed), so nothing can be computed from them.
 */
static int ranks_from_list(struct resolver *resolver, const struct trace_otf2_raw_group *list)
{
    if (new_ranks(resolver, list->count) != 0)
        return -1;
    for (uint32_t rank = 0; rank < list->count; rank++) {
        uint32_t index = trace_otf2_collected(resolver->raw, TRACE_OTF2_ID_LOCATION, list->members[rank]);
        if (index == BASE_TABLE_NONE)
            return base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                                 "rank %u is location %llu, which is not defined", rank,
                                 (unsigned long long)list->members[rank]);
        set_rank(resolver, rank, &resolver->raw->locations[index]);
    }
    return 0;
}

/* A process without a list of ranks: ordered by the number at the end of its name ("MPI Rank 10" after
 * "P#9"), which is the rank for every recorder seen, then by its identifier. */
struct candidate {
    uint64_t number;                                /* at the end of the name */
    uint32_t process;                               /* identifier of the location group */
    const struct trace_otf2_raw_location *location; /* that speaks for the process */
};

/* The rank in "MPI Rank 10", "P#10" or "task 10"; the largest number without one. */
static uint64_t trailing_number(const char *text)
{
    size_t end = text == NULL ? 0 : strlen(text), begin = end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        begin--;
    return begin == end ? UINT64_MAX : strtoull(text + begin, NULL, 10);
}

/* The threads of one process stay together, its first thread first. */
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return a->location->id < b->location->id ? -1 : a->location->id > b->location->id;
}

/* Threads of processes only: accelerators and metrics are locations too. `candidates` has room for every
 * location. */
static size_t list_candidates(const struct trace_otf2_collection *raw, struct candidate *candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < raw->location_count; i++) {
        const struct trace_otf2_raw_location *location = &raw->locations[i];
        uint32_t process = trace_otf2_collected(raw, TRACE_OTF2_ID_PROCESS, location->process);
        if (!location->is_thread || process == BASE_TABLE_NONE || !raw->processes[process].is_process)
            continue;
        candidates[count].number = trailing_number(trace_otf2_text(raw, raw->processes[process].name));
        candidates[count].process = location->process;
        candidates[count++].location = location;
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    return count;
}

/* Without a list of ranks: the first thread of each process. Older and damaged recorders leave the list out;
 * the trace is still of use. Processes come in the order of compare_candidates; their first threads are neighbours
 * in the sorted list. */
static int ranks_from_processes(struct resolver *resolver)
{
    const struct trace_otf2_collection *raw = resolver->raw;
    struct candidate *candidates = malloc((raw->location_count + 1) * sizeof *candidates);
    size_t count;
    uint32_t ranks = 0;
    int result;

    if (candidates == NULL)
        return no_memory(resolver);
    count = list_candidates(raw, candidates);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || candidates[i].process != candidates[i - 1].process)
            candidates[ranks++] = candidates[i];
    result = new_ranks(resolver, ranks);
    for (uint32_t rank = 0; result == 0 && rank < ranks; rank++)
        set_rank(resolver, rank, candidates[rank].location);
    resolver->definitions->guessed_ranks = ranks;
    free(candidates);
    return result;
}

/* The further threads of the processes that are ranks: they are looked through for MPI events that nobody
 * would see. One location for two ranks is refused here: its events would be replayed twice. Two tables for this
 * call only: process -> rank, and location -> the rank that it speaks for. */
static int find_threads(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    const struct trace_otf2_collection *raw = resolver->raw;
    struct base_table rank_of = {0}, speaks = {0};
    int result = 0;

    definitions->threads =
        base_arena_array(&definitions->arena, raw->location_count, sizeof *definitions->threads);
    if (definitions->threads == NULL)
        return no_memory(resolver);
    for (uint32_t rank = 0; result == 0 && rank < definitions->ranks; rank++) {
        uint64_t id = definitions->locations[rank].id;
        uint32_t index = trace_otf2_collected(raw, TRACE_OTF2_ID_LOCATION, id);
        if (base_table_get(&speaks, id, 0) != BASE_TABLE_NONE)
            result = base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                                   "location %llu is rank %u and rank %u", (unsigned long long)id,
                                   base_table_get(&speaks, id, 0), rank);
        else if (base_table_put(&speaks, id, 0, rank) != 0 ||
                 base_table_put(&rank_of, raw->locations[index].process, 0, rank) != 0)
            result = no_memory(resolver);
    }
    for (size_t i = 0; result == 0 && i < raw->location_count; i++) {
        uint32_t rank = base_table_get(&rank_of, raw->locations[i].process, 0);
        if (raw->locations[i].is_thread && rank != BASE_TABLE_NONE &&
            base_table_get(&speaks, raw->locations[i].id, 0) == BASE_TABLE_NONE)
            definitions->threads[definitions->thread_count++] =
                (struct trace_otf2_location){.id = raw->locations[i].id, .rank = rank};
    }
    base_table_free(&rank_of);
    base_table_free(&speaks);
    return result;
}

/* GPU streams and metrics: what a user calls them. */
static const char *type_name(uint8_t type)
{
    switch (type) {
    case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
        return "GPU";
    case OTF2_LOCATION_TYPE_METRIC:
        return "metric";
    default:
        return "unknown";
    }
}

/* By type, then by name: equal ones stand together and become one with a count. */
static int compare_others(const void *left, const void *right)
{
    const struct trace_other_locations *a = left, *b = right;
    int by_type = strcmp(a->type, b->type);
    return by_type != 0 ? by_type : strcmp(a->name, b->name);
}

/* Locations that are no threads hold no MPI calls, and no compute time of a rank: they are named, not read.
 * Their names are copied, since the collection is freed. */
static int find_others(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    const struct trace_otf2_collection *raw = resolver->raw;
    struct trace_other_locations *others =
        base_arena_array(&definitions->arena, raw->location_count, sizeof *others);
    size_t count = 0, kept = 0;

    if (others == NULL)
        return no_memory(resolver);
    for (size_t i = 0; i < raw->location_count; i++) {
        const char *name = trace_otf2_text(raw, raw->locations[i].name);
        if (raw->locations[i].is_thread)
            continue;
        others[count].type = type_name(raw->locations[i].type);
        others[count].count = 1;
        others[count].name = base_arena_text(&definitions->arena, name == NULL ? "" : name);
        if (others[count++].name == NULL)
            return no_memory(resolver);
    }
    if (count > 0)
        qsort(others, count, sizeof *others, compare_others);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_others(&others[kept - 1], &others[i]) == 0)
            others[kept - 1].count++;
        else
            others[kept++] = others[i];
    }
    definitions->other_locations = others;
    definitions->other_location_count = kept;
    return 0;
}

/* The list is the rule; the names are a guess, and counted as one. */
static int resolve_ranks(struct resolver *resolver)
{
    const struct trace_otf2_raw_group *list = find_rank_list(resolver->raw);
    int result = list != NULL ? ranks_from_list(resolver, list) : ranks_from_processes(resolver);
    return result != 0 || find_threads(resolver) != 0 ? -1 : find_others(resolver);
}

/* Numbers the members from `first` on. They are world ranks, except in a list of locations, whose i-th member
 * is rank i. OTF2 writes indices into the list of locations, which are world ranks by definition; location
 * identifiers in their place would be caught as too large. */
static int fill_members(struct resolver *resolver, const struct trace_otf2_raw_group *group, uint32_t index,
                        uint32_t first, uint32_t *members)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;

    for (uint32_t i = 0; i < group->count; i++) {
        uint64_t world = group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ? i : group->members[i];
        if (world >= definitions->ranks)
            return base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                                 "group %u has member %llu, but there are only %u ranks", group->id,
                                 (unsigned long long)world, definitions->ranks);
        if (trace_otf2_member(definitions, index, (uint32_t)world) != UINT32_MAX)
            return base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                                 "group %u has rank %llu as a member twice%s", group->id,
                                 (unsigned long long)world,
                                 first > 0 ? ", or the other group of its communicator has it" : "");
        members[i] = (uint32_t)world;
        if (base_table_put(&definitions->members, index, world, first + i) != 0)
            return no_memory(resolver);
    }
    return 0;
}

/* A communicator's group is an ordinary one; a list of ranks stands in for MPI_COMM_WORLD when there is none.
 * */
static const struct trace_otf2_raw_group *group_of(const struct trace_otf2_collection *raw, uint32_t id)
{
    uint32_t index = trace_otf2_collected(raw, TRACE_OTF2_ID_GROUP, id);
    if (index == BASE_TABLE_NONE)
        index = trace_otf2_collected(raw, TRACE_OTF2_ID_RANK_LIST, id);
    return index == BASE_TABLE_NONE ? NULL : &raw->groups[index];
}

/* Score-P leaves most communicators without a name. */
static const char *communicator_name(struct resolver *resolver, const struct trace_otf2_raw_communicator *raw)
{
    const char *name = trace_otf2_text(resolver->raw, raw->name);
    struct base_arena *arena = &resolver->definitions->arena;

    if (name != NULL && name[0] != '\0')
        return base_arena_text(arena, name);
    return base_arena_format(arena, "communicator %u", raw->id);
}

/* A list of members as a key. */
static uint64_t hash_members(const uint32_t *members, uint32_t size)
{
    uint64_t hash = size;

    for (uint32_t i = 0; i < size; i++)
        hash = base_hash(hash, members[i]);
    return hash;
}

/* The second group of an inter-communicator, or else a list that one can have as a group. */
static int add_group(struct resolver *resolver, const struct trace_otf2_raw_group *remote, uint32_t index)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    struct trace_communicator *communicator = &definitions->communicators[index];
    uint64_t hash = hash_members(communicator->members, communicator->size);
    uint32_t *members;

    if (remote == NULL) {
        if (base_table_get(&definitions->lists, hash, communicator->size) != BASE_TABLE_NONE)
            return 0;
        return base_table_put(&definitions->lists, hash, communicator->size, index) != 0 ? no_memory(resolver)
                                                                                         : 0;
    }
    members = base_arena_array(&definitions->arena, remote->count, sizeof *members);
    if (members == NULL)
        return no_memory(resolver);
    communicator->remote_members = members;
    communicator->remote_size = remote->count;
    return fill_members(resolver, remote, index, communicator->size, members);
}

/* Communicators are numbered in the order of their definitions, which MPI_COMM_WORLD comes first in. `world`
 * is the first communicator with all ranks: names cannot be trusted, and duplicates of MPI_COMM_WORLD come
 * later. `remote` is NULL for an intra-communicator. */
static int add_communicator(struct resolver *resolver, const struct trace_otf2_raw_communicator *raw,
                            const struct trace_otf2_raw_group *group,
                            const struct trace_otf2_raw_group *remote)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    uint32_t index = definitions->communicator_count++;
    struct trace_communicator *communicator = &definitions->communicators[index];
    uint32_t *members = base_arena_array(&definitions->arena, group->count, sizeof *members);

    communicator->name = communicator_name(resolver, raw);
    if (communicator->name == NULL || members == NULL ||
        base_table_put(&definitions->communicator_ids, raw->id, 0, index) != 0)
        return no_memory(resolver);
    communicator->members = members;
    communicator->size = group->count;
    definitions->global_ranks[index] = group->global_members || (remote != NULL && remote->global_members);
    definitions->parents[index] = raw->parent; /* resolve_communicators makes it an index */
    if (definitions->world == UINT32_MAX && remote == NULL && group->count == definitions->ranks)
        definitions->world = index;
    return fill_members(resolver, group, index, 0, members) != 0 ? -1 : add_group(resolver, remote, index);
}

/* Teams of threads are communicators of other paradigms: no MPI event refers to them. A group without
 * members is MPI_COMM_SELF of whoever uses it, and nobody can be reached through an inter-communicator that
 * lacks a group: a mark in place of an index says so, and their messages are left out and counted. */
static int resolve_communicator(struct resolver *resolver, const struct trace_otf2_raw_communicator *raw)
{
    const struct trace_otf2_raw_group *group = group_of(resolver->raw, raw->group);
    const struct trace_otf2_raw_group *remote =
        raw->inter ? group_of(resolver->raw, raw->remote_group) : NULL;

    if (group == NULL || (raw->inter && remote == NULL))
        return base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                             "communicator %u refers to group %u, which is not defined", raw->id,
                             group == NULL ? raw->group : raw->remote_group);
    if (!group->of_mpi)
        return 0;
    if (group->count > 0 && (remote == NULL || remote->count > 0))
        return add_communicator(resolver, raw, group, remote);
    return base_table_put(&resolver->definitions->communicator_ids, raw->id, 0, TRACE_OTF2_SELF) != 0
               ? no_memory(resolver)
               : 0;
}

/* After all definitions have been read, since a communicator may come before its group. Numbers of communicators
 * are places in this list: those that are left out (other paradigms) have none. */
static int resolve_communicators(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    size_t count = resolver->raw->communicator_count;

    definitions->world = UINT32_MAX;
    definitions->communicators =
        base_arena_array(&definitions->arena, count, sizeof *definitions->communicators);
    definitions->global_ranks =
        base_arena_array(&definitions->arena, count, sizeof *definitions->global_ranks);
    definitions->parents = base_arena_array(&definitions->arena, count, sizeof *definitions->parents);
    if (definitions->communicators == NULL || definitions->global_ranks == NULL ||
        definitions->parents == NULL)
        return no_memory(resolver);
    for (size_t i = 0; i < count; i++)
        if (resolve_communicator(resolver, &resolver->raw->communicators[i]) != 0)
            return -1;
    /* A parent may be defined after its children; one that is not defined is unknown. */
    for (uint32_t i = 0; i < definitions->communicator_count; i++)
        definitions->parents[i] = base_table_get(&definitions->communicator_ids, definitions->parents[i], 0);
    return 0;
}

/* Those on communicators that are not MPI's are not known to be any. */
static int resolve_objects(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;

    for (size_t i = 0; i < resolver->raw->object_count; i++) {
        const struct trace_otf2_raw_object *object = &resolver->raw->objects[i];
        uint32_t index = base_table_get(&definitions->communicator_ids, object->communicator, 0);
        if (index != BASE_TABLE_NONE &&
            base_table_put(object->is_file ? &definitions->files : &definitions->windows, object->id, 0,
                           index) != 0)
            return no_memory(resolver);
    }
    return 0;
}

/* The index of the call among those that the trace uses. One process after the other defines the same calls.
 */
static uint32_t intern_call(struct resolver *resolver, const struct trace_otf2_call *call)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    uint32_t index = 0;

    while (index < definitions->call_count && strcmp(definitions->calls[index].name, call->name) != 0)
        index++;
    if (index == definitions->call_count) {
        char *name = base_arena_text(&definitions->arena, call->name);
        if (name == NULL)
            return BASE_TABLE_NONE;
        definitions->calls[index] = (struct trace_otf2_call){name, call->class};
        definitions->call_names[index] = name;
        definitions->call_count++;
    }
    return index;
}

/* Names are kept for reports that say where an MPI call was made. A region without a name has none there. */
static int name_user_region(struct resolver *resolver, uint32_t id, const char *name)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    uint32_t index = definitions->user_region_count;

    if (name == NULL || name[0] == '\0')
        return 0;
    definitions->user_regions[index] = base_arena_text(&definitions->arena, name);
    if (definitions->user_regions[index] == NULL ||
        base_table_put(&definitions->region_ids, id, 1, index) != 0)
        return no_memory(resolver);
    definitions->user_region_count++;
    return 0;
}

/* All processes of EZTrace define the same calls again under identifiers of their own: they become one. The
 * two recorders are told apart here, by what only each of them writes: regions of paradigm MPI do not come
 * from EZTrace, its end of the process comes from no other. */
static int resolve_region(struct resolver *resolver, const struct trace_otf2_raw_region *region)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    const char *name = trace_otf2_text(resolver->raw, region->name);
    struct trace_otf2_call call;
    uint32_t index = TRACE_OTF2_USER_REGION;

    if (name != NULL && trace_otf2_call_find(name, region->of_mpi, &call)) {
        index = intern_call(resolver, &call);
        if (index == BASE_TABLE_NONE)
            return no_memory(resolver);
        definitions->plain_sizes = definitions->plain_sizes && !region->of_mpi;
        definitions->by_eztrace |= strcmp(call.name, TRACE_OTF2_EZTRACE_FINALIZE) == 0;
    }
    if (index == TRACE_OTF2_USER_REGION && name_user_region(resolver, region->id, name) != 0)
        return -1;
    return base_table_put(&definitions->region_ids, region->id, 0, index) != 0 ? no_memory(resolver) : 0;
}

/* Names are looked at once, here; events carry the number of the call. */
static int resolve_regions(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;
    size_t count = resolver->raw->region_count;

    definitions->calls = base_arena_array(&definitions->arena, count, sizeof *definitions->calls);
    definitions->call_names = base_arena_array(&definitions->arena, count, sizeof *definitions->call_names);
    definitions->user_regions =
        base_arena_array(&definitions->arena, count, sizeof *definitions->user_regions);
    if (definitions->calls == NULL || definitions->call_names == NULL || definitions->user_regions == NULL)
        return no_memory(resolver);
    definitions->plain_sizes = true;
    for (size_t i = 0; i < count; i++)
        if (resolve_region(resolver, &resolver->raw->regions[i]) != 0)
            return -1;
    return 0;
}

/* Every event has a region or a communicator: most are found without hashing. */
static int fill_dense(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;

    definitions->dense_regions =
        base_arena_array(&definitions->arena, TRACE_OTF2_DENSE, sizeof *definitions->dense_regions);
    definitions->dense_communicators =
        base_arena_array(&definitions->arena, TRACE_OTF2_DENSE, sizeof *definitions->dense_communicators);
    if (definitions->dense_regions == NULL || definitions->dense_communicators == NULL)
        return no_memory(resolver);
    for (uint32_t id = 0; id < TRACE_OTF2_DENSE; id++) {
        definitions->dense_regions[id] = base_table_get(&definitions->region_ids, id, 0);
        definitions->dense_communicators[id] = base_table_get(&definitions->communicator_ids, id, 0);
    }
    return 0;
}

/* Members are checked against the ranks, so ranks come first. */
static int resolve(struct resolver *resolver)
{
    struct trace_otf2_definitions *definitions = resolver->definitions;

    definitions->ticks_per_second = resolver->raw->ticks_per_second;
    definitions->repeated_identifiers = resolver->raw->repeated_groups;
    if (definitions->ticks_per_second == 0)
        return base_error_at(resolver->error, BASE_INPUT, &resolver->position,
                             resolver->raw->clock_records == 0 ? "the resolution of the clock is not defined"
                                                               : "the resolution of the clock is 0");
    if (resolve_ranks(resolver) != 0 || resolve_communicators(resolver) != 0 ||
        resolve_objects(resolver) != 0 || resolve_regions(resolver) != 0)
        return -1;
    return fill_dense(resolver);
}

/* On an error what has been made stays for trace_otf2_definitions_free. */
int trace_otf2_definitions_read(struct trace_otf2_definitions *definitions, OTF2_Reader *reader,
                                const char *path, struct base_error *error)
{
    struct trace_otf2_collection raw = {0};
    struct resolver resolver = {definitions, &raw, base_position_of(path), error};
    int result = trace_otf2_collect(&raw, reader, path, error);

    if (result == 0)
        result = resolve(&resolver);
    trace_otf2_collection_free(&raw);
    return result;
}

/* Everything that has been resolved; a zeroed struct is legal. */
void trace_otf2_definitions_free(struct trace_otf2_definitions *definitions)
{
    base_table_free(&definitions->communicator_ids);
    base_table_free(&definitions->members);
    base_table_free(&definitions->lists);
    base_table_free(&definitions->region_ids);
    base_table_free(&definitions->windows);
    base_table_free(&definitions->files);
    base_arena_free(&definitions->arena);
}

/* World rank of a communicator's member; the caller has checked that there is one of that number. */
uint32_t trace_otf2_member(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                           uint32_t world)
{
    return base_table_get(&definitions->members, communicator, world);
}

/* Only the group that the rank is not in is meant, also where its members go by their global ranks. */
uint32_t trace_otf2_remote_member(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                                  uint32_t own, uint32_t rank)
{
    const struct trace_communicator *group = &definitions->communicators[communicator];
    bool first = own < group->size; /* the own group */
    uint32_t member;

    if (definitions->global_ranks[communicator]) {
        member = trace_otf2_member(definitions, communicator, rank);
        return (member < group->size) == first ? UINT32_MAX : member;
    }
    if (first)
        return rank < group->remote_size ? group->size + rank : UINT32_MAX;
    return rank < group->size ? rank : UINT32_MAX;
}

/* A hash finds the candidate, the members themselves decide. */
uint32_t trace_otf2_local_communicator(const struct trace_otf2_definitions *definitions,
                                       uint32_t communicator, uint32_t own)
{
    const struct trace_communicator *inter = &definitions->communicators[communicator];
    const struct trace_communicator *found;
    const uint32_t *members = own < inter->size ? inter->members : inter->remote_members;
    uint32_t size = own < inter->size ? inter->size : inter->remote_size;
    uint32_t parent = definitions->parents[communicator];
    uint32_t index;

    if (inter->remote_size == 0 ||
        (parent < definitions->communicator_count && definitions->communicators[parent].remote_size > 0))
        return UINT32_MAX;
    index = base_table_get(&definitions->lists, hash_members(members, size), size);
    if (index == BASE_TABLE_NONE)
        return UINT32_MAX;
    found = &definitions->communicators[index];
    return memcmp(found->members, members, size * sizeof *members) == 0 ? index : UINT32_MAX;
}
