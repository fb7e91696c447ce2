/* Tables come whole, in one callback each, and are libotf2's: they are copied. What a table does not mention
 * is no error: libotf2 takes such identifiers as they are, and so do we.
 *
 * Only the records that events.c looks at matter: of the other tables (strings, metrics, call paths)
 * none is about them. */
#include "traces/otf2-archive/identifiers.h"

#include <stdlib.h>

/* Recorders count from 0. A larger identifier would take more memory than the table that has it. */
#define LARGEST_IDENTIFIER 65535

/* The largest identifier of a table. */
static void find_largest(uint64_t local, uint64_t global, void *user)
{
    uint64_t *largest = user;

    (void)global;
    if (*largest < local)
        *largest = local;
}

/* Local numbers have gaps, which keep what they were given: the number itself. */
static void copy_pair(uint64_t local, uint64_t global, void *user)
{
    struct trace_otf2_translation *translation = user;

    if (local < translation->count)
        translation->global[local] = (uint32_t)global;
}

/* False when memory is out. */
static bool copy_table(struct trace_otf2_translation *translation, const OTF2_IdMap *table, uint64_t largest)
{
    size_t count = (size_t)largest + 1;

    translation->global = malloc(count * sizeof *translation->global);
    if (translation->global == NULL)
        return false;
    translation->count = count;
    for (size_t i = 0; i < count; i++)
        translation->global[i] = (uint32_t)i;
    OTF2_IdMap_Traverse(table, copy_pair, translation);
    return true;
}

/* A second table of the same kind is damage, or something new: libotf2 knows what becomes of it. */
static OTF2_CallbackCode on_table(void *user, OTF2_MappingType type, const OTF2_IdMap *table)
{
    struct trace_otf2_identifiers *identifiers = user;
    struct trace_otf2_translation *translation =
        type == OTF2_MAPPING_REGION ? &identifiers->regions : &identifiers->communicators;
    uint64_t largest = 0;

    if (type == OTF2_MAPPING_RMA_WIN || type == OTF2_MAPPING_IO_HANDLE)
        identifiers->left_to_library = true;
    if (type != OTF2_MAPPING_REGION && type != OTF2_MAPPING_COMM)
        return OTF2_CALLBACK_SUCCESS;
    if (table == NULL || translation->count > 0 ||
        OTF2_IdMap_Traverse(table, find_largest, &largest) != OTF2_SUCCESS || largest > LARGEST_IDENTIFIER) {
        identifiers->left_to_library = true;
        return OTF2_CALLBACK_SUCCESS;
    }
    identifiers->out_of_memory = !copy_table(translation, table, largest);
    return identifiers->out_of_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* Corrections of the clock are left to libotf2, which interpolates between them. Recorders that find the clocks
 * of all nodes in step write corrections of 0, which change nothing. */
static OTF2_CallbackCode on_clock_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    struct trace_otf2_identifiers *identifiers = user;

    (void)time, (void)deviation;
    identifiers->has_clock_offsets |= offset != 0;
    return OTF2_CALLBACK_SUCCESS;
}

/* All that is asked of local definitions: what numbers stand for, and how far the clock was off. */
OTF2_DefReaderCallbacks *trace_otf2_identifier_callbacks(void)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

    if (callbacks == NULL)
        return NULL;
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_table);
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
    return callbacks;
}

void trace_otf2_identifiers_free(struct trace_otf2_identifiers *identifiers)
{
    free(identifiers->regions.global);
    free(identifiers->communicators.global);
    *identifiers = (struct trace_otf2_identifiers){0};
}
