/* The order of calls that libotf2 wants: serial collective callbacks before any file, locations selected
 * before their files are opened. A location's own definitions say how its identifiers and its clock are to be
 * translated, which otf2-input does. */
#include <config.h>

#include "traces/otf2-archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/grow.h"
#include "traces/otf2-input.h"

struct trace_otf2_archive {
    OTF2_Reader *reader;
    OTF2_DefReaderCallbacks *callbacks; /* of local definitions */
    char *anchor, *creator;
    uint64_t chunk_bytes, definition_chunk_bytes;
    struct trace_otf2_translation **translations;
    size_t translation_count, translation_capacity;
};

/* Keeps libotf2 from printing. It has no state: the callback is one for the whole process. */
static OTF2_ErrorCode pass_on(void *user, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

/* An error of the archive as a whole. */
static int fail(const struct trace_otf2_archive *archive, struct base_error *error, const char *what,
                OTF2_ErrorCode code)
{
    struct base_position position = base_position_of(archive->anchor);
    return base_error_at(error, BASE_INPUT, &position, "%s: %s", what, OTF2_Error_GetDescription(code));
}

/* The path of a location's file (ending "evt" or "def"), as libotf2 derives it from the anchor's. */
static void location_path(const struct trace_otf2_archive *archive, uint64_t location, const char *ending,
                          char *text, size_t size)
{
    int stem = (int)strlen(archive->anchor) - (int)strlen(".otf2");
    snprintf(text, size, "%.*s/%llu.%s", stem > 0 ? stem : 0, archive->anchor, (unsigned long long)location,
             ending);
}

/* Definitions are read as a whole or not at all: without some of them nothing is known of the others. A
 * missing or empty file libotf2 tells of itself. */
static int check_definitions(const char *path, uint64_t chunk_bytes, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    uint64_t readable = trace_otf2_readable_definitions(path, chunk_bytes);

    return readable == TRACE_OTF2_WHOLE
               ? 0
               : base_error_at(error, BASE_INPUT, &position,
                               "truncated or damaged: it cannot be read further than %" PRIu64 " definitions",
                               readable);
}

/* Tables are libotf2's and stay as long as its reader. */
static OTF2_CallbackCode on_mapping_table(void *user, OTF2_MappingType type, const OTF2_IdMap *map)
{
    struct trace_otf2_translation *translation = user;

    if (type == OTF2_MAPPING_REGION)
        translation->regions = map;
    else if (type == OTF2_MAPPING_COMM)
        translation->communicators = map;
    else if (type == OTF2_MAPPING_RMA_WIN)
        translation->windows = map;
    else if (type == OTF2_MAPPING_IO_HANDLE)
        translation->files = map;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_clock_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    (void)deviation;
    return trace_otf2_translation_add(user, time, offset) == 0 ? OTF2_CALLBACK_SUCCESS
                                                               : OTF2_CALLBACK_INTERRUPT;
}

/* Owned by the archive. NULL when memory is out. */
static struct trace_otf2_translation *new_translation(struct trace_otf2_archive *archive)
{
    struct trace_otf2_translation *translation;

    if (trace_grow(&archive->translations, &archive->translation_capacity, archive->translation_count + 1,
                   sizeof *archive->translations) != 0)
        return NULL;
    translation = calloc(1, sizeof *translation);
    if (translation != NULL)
        archive->translations[archive->translation_count++] = translation;
    return translation;
}

/* Local definitions may be absent; then libotf2 is not asked for them, because it would keep a buffer of one
 * chunk. */
static int read_local_definitions(struct trace_otf2_archive *archive, struct trace_otf2_location *location,
                                  struct base_error *error)
{
    OTF2_DefReader *reader;
    struct trace_otf2_translation *translation;
    uint64_t read = 0;
    OTF2_ErrorCode code = OTF2_ERROR_FILE_CAN_NOT_OPEN;
    char path[4096];

    location_path(archive, location->id, "def", path, sizeof path);
    if (access(path, F_OK) != 0)
        return 0;
    if (check_definitions(path, archive->definition_chunk_bytes, error) != 0)
        return -1;
    location->translation = translation = new_translation(archive);
    if (translation == NULL)
        return base_error_memory(error, "the definitions of a location");
    reader = OTF2_Reader_GetDefReader(archive->reader, location->id);
    if (reader != NULL) {
        code = OTF2_Reader_RegisterDefCallbacks(archive->reader, reader, archive->callbacks, translation);
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &read);
        OTF2_Reader_CloseDefReader(archive->reader, reader);
    }
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return base_error_memory(error, "the definitions of a location");
    if (code == OTF2_SUCCESS)
        return 0;
    return base_error_set(error, BASE_INPUT, "%s: truncated or damaged: %s", path,
                          OTF2_Error_GetDescription(code));
}

/* Selected locations are those whose files the library will open. */
static int select_locations(struct trace_otf2_archive *archive, const struct trace_otf2_location *locations,
                            size_t count, struct base_error *error)
{
    for (size_t i = 0; i < count; i++) {
        OTF2_ErrorCode code = OTF2_Reader_SelectLocation(archive->reader, locations[i].id);
        if (code != OTF2_SUCCESS)
            return fail(archive, error, "a location cannot be selected", code);
    }
    return 0;
}

/* When no location has definitions of its own, the library cannot open their container, which is no error. */
static int open_locations(struct trace_otf2_archive *archive, struct trace_otf2_definitions *definitions,
                          struct base_error *error)
{
    int result = 0;

    if (select_locations(archive, definitions->locations, definitions->ranks, error) != 0 ||
        select_locations(archive, definitions->threads, definitions->thread_count, error) != 0)
        return -1;
    if (OTF2_Reader_OpenDefFiles(archive->reader) != OTF2_SUCCESS)
        return 0;
    for (uint32_t i = 0; i < definitions->ranks && result == 0; i++)
        result = read_local_definitions(archive, &definitions->locations[i], error);
    for (size_t i = 0; i < definitions->thread_count && result == 0; i++)
        result = read_local_definitions(archive, &definitions->threads[i], error);
    OTF2_Reader_CloseDefFiles(archive->reader);
    return result;
}

#define ANCHOR_STRINGS 46 /* bytes before the machine's name: signature, versions, sizes, counts */

/* The number of properties that the anchor counts, behind three strings; 0 also where the file ends before.
 */
static uint64_t count_properties(FILE *file)
{
    unsigned char start[8] = {0}; /* its second byte is the order of bytes, the eighth the anchor's version */
    uint64_t count = 0;

    if (fread(start, 1, sizeof start, file) != sizeof start || start[7] < 2 ||
        fseek(file, ANCHOR_STRINGS, SEEK_SET) != 0)
        return 0;
    for (int i = 0; i < 3; i++)
        for (int c = 1; c > 0;)
            c = getc(file);
    for (int i = 0; i < 4; i++) {
        uint64_t byte = (uint64_t)(unsigned char)getc(file);
        count |= byte << (start[1] == '#' ? 24 - 8 * i : 8 * i);
    }
    return feof(file) ? 0 : count;
}

/* libotf2 believes the number of properties: it reserves 16 bytes for each, goes through all of them for
 * minutes when the file ends long before, and computes with 32 bits how much it reserves. So we look whether
 * so many can be there, each with two strings of a byte at least, before libotf2 does. */
static int check_properties(const char *anchor, struct base_error *error)
{
    struct base_position position = base_position_of(anchor);
    FILE *file = fopen(anchor, "rb");
    struct stat status;
    uint64_t count;
    long place;

    if (file == NULL)
        return base_error_system(error, errno, "%s", anchor);
    count = count_properties(file);
    place = ftell(file);
    if (fstat(fileno(file), &status) != 0)
        status.st_size = 0;
    fclose(file);
    if (count == 0 || (place >= 0 && place + 2 * (int64_t)count <= status.st_size))
        return 0;
    return base_error_at(
        error, BASE_INPUT, &position,
        "the OTF2 anchor file is truncated or damaged: it counts more properties than it holds");
}

static int check_global_definitions(const struct trace_otf2_archive *archive, struct base_error *error)
{
    size_t stem = strlen(archive->anchor) - strlen(".otf2");
    char path[4096];

    snprintf(path, sizeof path, "%.*s.def", (int)stem, archive->anchor);
    return check_definitions(path, archive->definition_chunk_bytes, error);
}

/* What libotf2 can be built to read besides plain files: containers of many ranks' files, and (once) zlib. */
static int check_kind(struct trace_otf2_archive *archive, struct base_error *error)
{
    struct base_position position = base_position_of(archive->anchor);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;
    OTF2_Compression compression = OTF2_COMPRESSION_NONE;

    OTF2_Reader_GetFileSubstrate(archive->reader, &substrate);
    OTF2_Reader_GetCompression(archive->reader, &compression);
    if (substrate == OTF2_SUBSTRATE_POSIX && compression == OTF2_COMPRESSION_NONE)
        return 0;
    return base_error_at(error, BASE_INPUT, &position,
                         "the OTF2 archive is %s, which is not read: copy it with the tools of OTF2",
                         substrate == OTF2_SUBSTRATE_POSIX ? "compressed" : "not of one file a location");
}

static OTF2_DefReaderCallbacks *local_callbacks(void)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

    if (callbacks != NULL) {
        OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
        OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
    }
    return callbacks;
}

/* libotf2 gives no reason: the file was checked for its signature before, so that it is known to be an anchor
 * file. */
static int open_anchor(struct trace_otf2_archive *archive, struct base_error *error)
{
    struct base_position position = base_position_of(archive->anchor);

    if (check_properties(archive->anchor, error) != 0)
        return -1;
    archive->reader = OTF2_Reader_Open(archive->anchor);
    if (archive->reader == NULL ||
        OTF2_Reader_GetChunkSize(archive->reader, &archive->chunk_bytes, &archive->definition_chunk_bytes) !=
            0 ||
        OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader) != OTF2_SUCCESS)
        return base_error_at(error, BASE_INPUT, &position, "the OTF2 anchor file is truncated or damaged");
    OTF2_Reader_GetCreator(archive->reader, &archive->creator);
    archive->callbacks = local_callbacks();
    if (archive->callbacks == NULL)
        return base_error_memory(error, "the readers of an OTF2 archive");
    return check_kind(archive, error);
}

struct trace_otf2_archive *trace_otf2_archive_open(const char *anchor,
                                                   struct trace_otf2_definitions *definitions,
                                                   struct base_error *error)
{
    struct trace_otf2_archive *archive = calloc(1, sizeof *archive);

    OTF2_Error_RegisterCallback(pass_on, NULL);
    if (archive == NULL || (archive->anchor = strdup(anchor)) == NULL) {
        base_error_memory(error, "an OTF2 archive");
        free(archive);
        return NULL;
    }
    if (open_anchor(archive, error) != 0 ||
        check_global_definitions(archive, error) != 0 ||
        trace_otf2_definitions_read(definitions, archive->reader, anchor, error) != 0 ||
        open_locations(archive, definitions, error) != 0) {
        trace_otf2_archive_close(archive);
        return NULL;
    }
    return archive;
}

/* Inputs must be freed before: they borrow the translations. */
void trace_otf2_archive_close(struct trace_otf2_archive *archive)
{
    if (archive == NULL)
        return;
    if (archive->callbacks != NULL)
        OTF2_DefReaderCallbacks_Delete(archive->callbacks);
    if (archive->reader != NULL)
        OTF2_Reader_Close(archive->reader);
    for (size_t i = 0; i < archive->translation_count; i++) {
        free(archive->translations[i]->intervals);
        free(archive->translations[i]);
    }
    free(archive->translations);
    free(archive->creator);
    free(archive->anchor);
    free(archive);
}

const char *trace_otf2_archive_creator(const struct trace_otf2_archive *archive)
{
    return archive->creator != NULL && archive->creator[0] != '\0' ? archive->creator : NULL;
}

int trace_otf2_archive_input(const struct trace_otf2_archive *archive,
                             const struct trace_otf2_location *location, struct trace_otf2_input *input,
                             struct base_error *error)
{
    char path[4096];

    location_path(archive, location->id, "evt", path, sizeof path);
    return trace_otf2_input_init(input, path, archive->chunk_bytes, location->translation, error);
}
