/* The global definitions, written when all events are: only then it is known which calls occurred and how
 * long the run was. The layout is Score-P's: one location group and one location a rank, the list of ranks as
 * group 0, a group for each side of each communicator.
 *
 *      strings   0 ""   1.. fixed words   then one for each name, as they come
 *      groups    0 list of ranks   1 + 2 c, 2 + 2 c: members and remote members of communicator c */
#include <stdio.h>
#include <stdlib.h>

#include "traces/writers/otf2.h"

enum word { EMPTY, MACHINE, NODE, THREAD, MPI, WORDS };

struct definer {
    struct trace_write_otf2 *writer; /* borrowed */
    OTF2_GlobalDefWriter *file;      /* libotf2's */
    OTF2_StringRef next_string;      /* strings are numbered as they are written */
    OTF2_ErrorCode code;             /* the first failure; nothing is written after one */
};

/* Keeps the first code. */
#define DEFINE(definer, kind, ...)                                                                           \
    do {                                                                                                     \
        if ((definer)->code == OTF2_SUCCESS)                                                                 \
            (definer)->code = OTF2_GlobalDefWriter_Write##kind((definer)->file, __VA_ARGS__);                \
    } while (0)

/* Strings are numbered in the order of their definitions, as readers like it. */
static OTF2_StringRef text(struct definer *definer, const char *words)
{
    DEFINE(definer, String, definer->next_string, words);
    return definer->next_string++;
}

/* The offset is the first time of any rank, so that viewers start at 0. */
static void define_clock(struct definer *definer)
{
    const struct trace_write_otf2 *writer = definer->writer;
    uint64_t first = UINT64_MAX, last = 0;

    for (uint32_t rank = 0; rank < writer->base.program->ranks; rank++) {
        first = writer->ranks[rank].first_ns < first ? writer->ranks[rank].first_ns : first;
        last = writer->ranks[rank].last_ns > last ? writer->ranks[rank].last_ns : last;
    }
    if (trace_write_otf2_metric_count(writer) > 0) {
        uint64_t sample = writer->metrics->times_ns[writer->metrics->samples - 1];
        last = sample > last ? sample : last;
    }
    DEFINE(definer, ClockProperties, UINT64_C(1000000000), first, last - first + 1, OTF2_UNDEFINED_TIMESTAMP);
}

/* One node for all ranks: a program does not know where they ran. */
static void define_words(struct definer *definer)
{
    static const char *const words[WORDS] = {"", "machine", "node", "Master thread", "MPI"};

    for (size_t i = 0; i < WORDS; i++)
        text(definer, words[i]);
    DEFINE(definer, Paradigm, OTF2_PARADIGM_MPI, MPI, OTF2_PARADIGM_CLASS_PROCESS);
    DEFINE(definer, SystemTreeNode, 0, MACHINE, MACHINE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    DEFINE(definer, SystemTreeNode, 1, NODE, NODE, 0);
}

/* Groups of ranks stand beside that node, since they are not known to be on one. */
static void define_groups(struct definer *definer)
{
    const struct trace_write_otf2 *writer = definer->writer;

    if (writer->group_count == 0)
        return;
    OTF2_StringRef kind = text(definer, "job");
    for (uint32_t i = 0; i < writer->group_count; i++)
        DEFINE(definer, SystemTreeNode, 2 + i, text(definer, writer->groups[i].name), kind, 0);
}

/* The last group that begins at the rank or before it; group_count without groups. */
static uint32_t group_of_rank(const struct trace_write_otf2 *writer, uint32_t rank)
{
    uint32_t group = writer->group_count;

    while (group > 0 && writer->groups[group - 1].first_rank > rank)
        group--;
    return group > 0 ? group - 1 : writer->group_count;
}

/* The first communicator of the group, or of all: its MPI_COMM_WORLD. */
static uint32_t world_of(const struct trace_write_otf2 *writer, uint32_t communicator)
{
    uint32_t group = writer->group_count;

    while (group > 0 && writer->groups[group - 1].first_communicator > communicator)
        group--;
    return group > 0 ? writer->groups[group - 1].first_communicator : 0;
}

/* A location has the number of its rank. In a group its name is that of the rank there. */
static void define_ranks(struct definer *definer)
{
    const struct trace_write_otf2 *writer = definer->writer;

    for (uint32_t rank = 0; rank < writer->base.program->ranks; rank++) {
        char name[48];
        uint32_t group = group_of_rank(writer, rank), parent = 1;
        if (group < writer->group_count) {
            parent = 2 + group;
            snprintf(name, sizeof name, "job %u MPI Rank %u", group + 1,
                     rank - writer->groups[group].first_rank);
        } else {
            snprintf(name, sizeof name, "MPI Rank %u", rank);
        }
        DEFINE(definer, LocationGroup, rank, text(definer, name), OTF2_LOCATION_GROUP_TYPE_PROCESS, parent,
               OTF2_UNDEFINED_LOCATION_GROUP);
        DEFINE(definer, Location, rank, THREAD, OTF2_LOCATION_TYPE_CPU_THREAD, writer->ranks[rank].events,
               rank);
    }
}

/* What has no rank is beside the ranks, in a group of its own. */
static void define_metrics(struct definer *definer)
{
    const struct trace_write_otf2 *writer = definer->writer;
    uint32_t number = writer->base.program->ranks;

    if (trace_write_otf2_metric_count(writer) == 0)
        return;
    OTF2_StringRef place = text(definer, writer->metrics->place);
    DEFINE(definer, LocationGroup, number, place, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
           OTF2_UNDEFINED_LOCATION_GROUP);
    DEFINE(definer, Location, number, place, OTF2_LOCATION_TYPE_METRIC, writer->ranks[number].events, number);
    if (definer->code == OTF2_SUCCESS)
        definer->code = trace_write_otf2_metric_definitions(writer, definer->file, &definer->next_string);
}

/* In the order of their numbers: otf2-print warns about any other. */
static void define_regions(struct definer *definer)
{
    const struct trace_write_otf2 *writer = definer->writer;

    for (uint32_t region = 0; region < writer->regions.used_count; region++) {
        char name[64];
        OTF2_RegionRole role = trace_write_otf2_region_name(writer, region, name);
        OTF2_StringRef string = text(definer, name);
        DEFINE(definer, Region, region, string, string, EMPTY, role, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
               OTF2_UNDEFINED_STRING, 0, 0);
    }
}

/* members is NULL for the list of ranks, whose i-th member is location i. */
static void define_group(struct definer *definer, OTF2_GroupRef group, const uint32_t *members, uint32_t size)
{
    uint64_t *list = malloc((size + 1) * sizeof *list);

    if (list == NULL) {
        definer->code = definer->code == OTF2_SUCCESS ? OTF2_ERROR_MEM_FAULT : definer->code;
        return;
    }
    for (uint32_t i = 0; i < size; i++)
        list[i] = members == NULL ? i : members[i];
    DEFINE(definer, Group, group, EMPTY,
           members == NULL ? OTF2_GROUP_TYPE_COMM_LOCATIONS : OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
           OTF2_GROUP_FLAG_NONE, size, list);
    free(list);
}

/* The parent of all is the first communicator, MPI_COMM_WORLD, of the program or of the group: programs do not know a
 * better one. Both groups of an inter-communicator are listed; an intra-communicator's second number stays unused. */
static void define_communicators(struct definer *definer)
{
    const struct trace_program *program = definer->writer->base.program;

    define_group(definer, 0, NULL, program->ranks);
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct trace_communicator *communicator = &program->communicators[i];
        OTF2_StringRef name = text(definer, communicator->name != NULL ? communicator->name : "");
        uint32_t world = world_of(definer->writer, i);
        OTF2_CommRef parent = i == world ? OTF2_UNDEFINED_COMM : world;
        define_group(definer, 1 + 2 * i, communicator->members, communicator->size);
        if (communicator->remote_size == 0) {
            DEFINE(definer, Comm, i, name, 1 + 2 * i, parent, OTF2_COMM_FLAG_NONE);
        } else {
            define_group(definer, 2 + 2 * i, communicator->remote_members, communicator->remote_size);
            DEFINE(definer, InterComm, i, name, 1 + 2 * i, 2 + 2 * i, parent, OTF2_COMM_FLAG_NONE);
        }
        if (definer->writer->windows[i])
            DEFINE(definer, RmaWin, i, name, i, OTF2_RMA_WIN_FLAG_NONE);
    }
}

/* In an order in which nothing is named before it is defined. The archive closes the file. */
OTF2_ErrorCode trace_write_otf2_definitions(struct trace_write_otf2 *writer)
{
    struct definer definer = {.writer = writer, .code = OTF2_SUCCESS};

    definer.file = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    if (definer.file == NULL)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    define_clock(&definer);
    define_words(&definer);
    define_groups(&definer);
    define_ranks(&definer);
    define_metrics(&definer);
    define_regions(&definer);
    define_communicators(&definer);
    return definer.code;
}
