/* The order of calls that libotf2 wants: serial collective callbacks before any file,
 * locations selected before the event files, and every location's own definitions read before its events,
 * which is what makes the library translate local identifiers and clocks.
 *
 *      open_anchor                      FILE.otf2: how many locations and definitions, sizes of chunks
 *      check_global_definitions         before libotf2, which would read beyond a damaged file
 *      trace_otf2_definitions_read      names, groups, communicators, locations
 *      open_locations                   selected; their own definitions: translations and clocks
 *      trace_otf2_archive_read          a batch of records of one location, any time, any location
 *
 * Events have a file for each location, more than a process may have open: readers that were not used for the longest
 * time are closed, and opened again at their place (least_recent, skip_to). */
#include <config.h>

#include "traces/otf2-archive/errors.h"
#include "traces/otf2-archive/anchor.h"
#include "traces/otf2-archive/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/table.h"
#include "base/grow.h"
#include "traces/otf2-archive/chunks.h"
#include "traces/otf2-archive/plain.h"

/* A location's event file that is open. `position` tells whether reading can go on, or the file has to be opened
 * anew. */
struct open_reader {
    struct trace_otf2_plain *plain; /* as long as we read the file ourselves */
    OTF2_EvtReader *reader;         /* NULL until then: libotf2's, open in the archive's reader */
    uint64_t location, position;    /* the number of records read */
    uint64_t last_use;              /* the number of that use: the least is closed when room is short */
    uint64_t readable;              /* records: what is behind them is damage, which libotf2 must not see */
    struct trace_otf2_translation regions, communicators; /* borrowed */
};

struct trace_otf2_archive {
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks;           /* of events, the same for all locations */
    char *anchor, *creator;                       /* path of the anchor file; who wrote the archive */
    bool event_files_open;                        /* libotf2 has been told to open them */
    uint64_t locations, uses;                     /* selected ones; of open readers so far */
    uint64_t chunk_bytes, definition_chunk_bytes; /* as the anchor file has them */
    OTF2_DefReaderCallbacks *table_callbacks;     /* for definitions of a location's own */
    struct trace_otf2_identifiers *identifiers;   /* of the locations that have definitions of their own */
    size_t identifier_count, identifier_capacity; /* of identifiers */
    struct base_table identifiers_of;             /* (location, 0) -> its index there */
    struct open_reader *open;                     /* open_limit entries */
    struct base_table open_of;                    /* (location, 0) -> its index in open */
    size_t open_count, open_limit;
};

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
static int check_definitions(const char *path, uint64_t chunk_bytes, enum trace_otf2_file kind,
                             struct base_error *error)
{
    struct base_position position = base_position_of(path);
    uint64_t readable = trace_otf2_readable_records(path, chunk_bytes, kind);

    return readable == TRACE_OTF2_ALL_RECORDS
               ? 0
               : base_error_at(error, BASE_INPUT, &position,
                               "truncated or damaged: it cannot be read further than %" PRIu64 " definitions",
                               readable);
}

/* Reads what a location defines for itself. The identifiers of its events are those of the archive when the
 * reading ends, or libotf2 knows what they are. */
static OTF2_ErrorCode read_definitions(struct trace_otf2_archive *archive, OTF2_DefReader *reader,
                                       uint64_t location)
{
    struct trace_otf2_identifiers *identifiers;
    OTF2_ErrorCode code;
    uint64_t read;

    if (archive->identifier_count >= BASE_TABLE_NONE ||
        base_grow(&archive->identifiers, &archive->identifier_capacity, archive->identifier_count + 1,
                  sizeof *identifiers) != 0 ||
        base_table_put(&archive->identifiers_of, location, 0, (uint32_t)archive->identifier_count) != 0)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    identifiers = &archive->identifiers[archive->identifier_count++];
    *identifiers = (struct trace_otf2_identifiers){0};
    code = OTF2_Reader_RegisterDefCallbacks(archive->reader, reader, archive->table_callbacks, identifiers);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &read);
    return identifiers->out_of_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

/* Local definitions may be absent; then libotf2 is not asked for them, because it would keep a buffer of one
 * chunk. What is checked before is all that libotf2 would not survive (chunks.h). */
static int read_local_definitions(struct trace_otf2_archive *archive, uint64_t location,
                                  struct base_error *error)
{
    OTF2_DefReader *reader;
    OTF2_ErrorCode code = OTF2_ERROR_FILE_CAN_NOT_OPEN;
    char path[4096];

    location_path(archive, location, "def", path, sizeof path);
    if (access(path, F_OK) != 0)
        return 0;
    if (check_definitions(path, archive->definition_chunk_bytes, TRACE_OTF2_LOCAL_DEFINITIONS, error) != 0)
        return -1;
    reader = OTF2_Reader_GetDefReader(archive->reader, location);
    if (reader != NULL) {
        code = read_definitions(archive, reader, location);
        OTF2_Reader_CloseDefReader(archive->reader, reader);
    }
    if (code == OTF2_SUCCESS)
        return 0;
    if (code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return base_error_memory(error, "the identifiers of an OTF2 location");
    return base_error_set(error, BASE_INPUT, "%s: truncated or damaged: %s", path,
                          OTF2_Error_GetDescription(code));
}

/* Selected locations are those whose files the library will open. */
static int select_locations(struct trace_otf2_archive *archive, const struct trace_otf2_location *locations,
                            size_t count, struct base_error *error)
{
    archive->locations += count;
    for (size_t i = 0; i < count; i++) {
        OTF2_ErrorCode code = OTF2_Reader_SelectLocation(archive->reader, locations[i].id);
        if (code != OTF2_SUCCESS)
            return fail(archive, error, "a location cannot be selected", code);
    }
    return 0;
}

/* What a location defines for itself, or nothing. */
static const struct trace_otf2_identifiers *identifiers_of(const struct trace_otf2_archive *archive,
                                                           uint64_t location)
{
    static const struct trace_otf2_identifiers none;
    uint32_t index = base_table_get(&archive->identifiers_of, location, 0);

    return index == BASE_TABLE_NONE ? &none : &archive->identifiers[index];
}

/* Local definitions first, then the events that they change the meaning of. When no location has any, the
 * library cannot open their container, which is no error. The container of local definitions is closed before that
 * of events is opened, as libotf2 demands. */
static int open_locations(struct trace_otf2_archive *archive,
                          const struct trace_otf2_definitions *definitions, struct base_error *error)
{
    OTF2_ErrorCode code;
    int result = 0;

    if (select_locations(archive, definitions->locations, definitions->ranks, error) != 0 ||
        select_locations(archive, definitions->threads, definitions->thread_count, error) != 0)
        return -1;
    if (OTF2_Reader_OpenDefFiles(archive->reader) == OTF2_SUCCESS) {
        for (uint32_t i = 0; i < definitions->ranks && result == 0; i++)
            result = read_local_definitions(archive, definitions->locations[i].id, error);
        for (size_t i = 0; i < definitions->thread_count && result == 0; i++)
            result = read_local_definitions(archive, definitions->threads[i].id, error);
        OTF2_Reader_CloseDefFiles(archive->reader);
    }
    if (result != 0)
        return -1;
    code = OTF2_Reader_OpenEvtFiles(archive->reader);
    archive->event_files_open = code == OTF2_SUCCESS;
    return code == OTF2_SUCCESS ? 0 : fail(archive, error, "the event files cannot be opened", code);
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

/* The .def file beside the anchor: NAME.otf2 has NAME.def. */
static int check_global_definitions(const struct trace_otf2_archive *archive, struct base_error *error)
{
    size_t stem = strlen(archive->anchor) - strlen(".otf2");
    char path[4096];

    snprintf(path, sizeof path, "%.*s.def", (int)stem, archive->anchor);
    return check_definitions(path, archive->definition_chunk_bytes, TRACE_OTF2_GLOBAL_DEFINITIONS, error);
}

/* Opening a file again and seeking in it costs far more than reading on. So all are kept open that the budget
 * of buffers allows, and half of the descriptors that the process may have. */
static size_t choose_open_limit(uint64_t chunk_bytes)
{
    uint64_t limit = TRACE_OTF2_BUFFER_BUDGET / (chunk_bytes == 0 ? 1 : chunk_bytes);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY &&
        limit > files.rlim_cur / 2)
        limit = files.rlim_cur / 2;
    if (limit > TRACE_OTF2_OPEN_LIMIT)
        limit = TRACE_OTF2_OPEN_LIMIT;
    return limit < 1 ? 1 : (size_t)limit;
}

/* libotf2 gives no reason: the file was checked for its signature before, so that it is known to be an anchor
 * file. Everything that is needed for reading is made here; what is made stays with the archive on an error. */
static int open_anchor(struct trace_otf2_archive *archive, struct base_error *error)
{
    struct base_position position = base_position_of(archive->anchor);
    uint64_t chunk = 0;

    if (check_properties(archive->anchor, error) != 0)
        return -1;
    archive->reader = OTF2_Reader_Open(archive->anchor);
    if (archive->reader == NULL ||
        OTF2_Reader_GetChunkSize(archive->reader, &chunk, &archive->definition_chunk_bytes) != 0 ||
        OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader) != OTF2_SUCCESS)
        return base_error_at(error, BASE_INPUT, &position, "the OTF2 anchor file is truncated or damaged");
    OTF2_Reader_GetCreator(archive->reader, &archive->creator);
    archive->chunk_bytes = chunk;
    archive->open_limit = choose_open_limit(chunk);
    archive->open = calloc(archive->open_limit, sizeof *archive->open);
    archive->callbacks = trace_otf2_event_callbacks();
    archive->table_callbacks = trace_otf2_identifier_callbacks();
    if (archive->open == NULL || archive->callbacks == NULL || archive->table_callbacks == NULL)
        return base_error_memory(error, "the readers of an OTF2 archive");
    return 0;
}

/* Opens all of an archive that is zeroed but for its anchor, and closes nothing on an error. Where libotf2 had no
 * memory, that is the error, whatever has become of it: it goes on without definitions for which there was no room. */
static int open_all(struct trace_otf2_archive *archive, struct trace_otf2_definitions *definitions,
                    struct base_error *error)
{
    OTF2_ErrorCode heard = OTF2_SUCCESS;
    int result = 0;

    trace_otf2_listen(&heard);
    if (open_anchor(archive, error) != 0 || check_global_definitions(archive, error) != 0 ||
        trace_otf2_definitions_read(definitions, archive->reader, archive->anchor, error) != 0 ||
        open_locations(archive, definitions, error) != 0)
        result = -1;
    trace_otf2_listen(NULL);
    return trace_otf2_is_memory(heard) ? base_error_memory(error, "an OTF2 archive") : result;
}

/* The definitions are filled in, and freed by the caller whatever happens. */
struct trace_otf2_archive *trace_otf2_archive_open(const char *anchor,
                                                   struct trace_otf2_definitions *definitions,
                                                   struct base_error *error)
{
    struct trace_otf2_archive *archive = calloc(1, sizeof *archive);

    if (archive == NULL || (archive->anchor = strdup(anchor)) == NULL) {
        base_error_memory(error, "an OTF2 archive");
        free(archive);
        return NULL;
    }
    if (open_all(archive, definitions, error) != 0) {
        trace_otf2_archive_close(archive);
        return NULL;
    }
    return archive;
}

/* The last of the open readers takes the place of the one that is closed. */
static void close_reader(struct trace_otf2_archive *archive, size_t index)
{
    trace_otf2_plain_close(archive->open[index].plain);
    if (archive->open[index].reader != NULL)
        OTF2_Reader_CloseEvtReader(archive->reader, archive->open[index].reader);
    base_table_remove(&archive->open_of, archive->open[index].location, 0);
    if (index == --archive->open_count)
        return;
    archive->open[index] = archive->open[archive->open_count];
    /* Replaces a value, which takes no memory. */
    base_table_put(&archive->open_of, archive->open[index].location, 0, (uint32_t)index);
}

void trace_otf2_archive_rest(struct trace_otf2_archive *archive)
{
    while (archive->open_count > 0)
        close_reader(archive, archive->open_count - 1);
}

/* Also for one that was opened halfway; NULL is legal. */
void trace_otf2_archive_close(struct trace_otf2_archive *archive)
{
    if (archive == NULL)
        return;
    trace_otf2_archive_rest(archive);
    if (archive->event_files_open)
        OTF2_Reader_CloseEvtFiles(archive->reader);
    if (archive->callbacks != NULL)
        OTF2_EvtReaderCallbacks_Delete(archive->callbacks);
    if (archive->table_callbacks != NULL)
        OTF2_DefReaderCallbacks_Delete(archive->table_callbacks);
    if (archive->reader != NULL)
        OTF2_Reader_Close(archive->reader);
    for (size_t i = 0; i < archive->identifier_count; i++)
        trace_otf2_identifiers_free(&archive->identifiers[i]);
    free(archive->identifiers);
    base_table_free(&archive->identifiers_of);
    free(archive->creator);
    free(archive->open);
    base_table_free(&archive->open_of);
    free(archive->anchor);
    free(archive);
}

/* Where the identifier stands in the anchor file (anchor.c). */
int trace_otf2_archive_identifier(const struct trace_otf2_archive *archive, uint64_t *place,
                                  struct base_error *error)
{
    return trace_otf2_anchor_find(archive->anchor, archive->reader, place, error);
}

/* What the anchor says of the program that wrote it; NULL: nothing. */
const char *trace_otf2_archive_creator(const struct trace_otf2_archive *archive)
{
    return archive->creator != NULL && archive->creator[0] != '\0' ? archive->creator : NULL;
}

/* Opening a file reads a whole chunk of it, so it should pay for itself. */
size_t trace_otf2_archive_batch_events(const struct trace_otf2_archive *archive)
{
    return archive->locations > archive->open_limit ? 4096 : 256;
}

/* True for the file of a location without events, which libotf2 writes but will not read: a chunk header whose first
 * event is 1 and whose last is 0, in either order of bytes, and the two bytes that end a chunk and a file. */
static bool has_no_events(const struct trace_otf2_archive *archive, uint64_t location)
{
    unsigned char bytes[21] = {0};
    char path[4096];
    ssize_t length;
    int file;
    int i = 2;

    location_path(archive, location, "evt", path, sizeof path);
    file = open(path, O_RDONLY);
    if (file < 0)
        return false;
    length = read(file, bytes, sizeof bytes);
    close(file);
    int one = bytes[1] == '#' ? 9 : 2;
    while (i < 18 && bytes[i] == (i == one))
        i++;
    return length == 20 && i == 18;
}

/* A missing file is named as such; libotf2 says the same of a missing and of a damaged one. */
static int event_error(const struct trace_otf2_archive *archive, uint64_t location, uint64_t position,
                       OTF2_ErrorCode code, struct base_error *error)
{
    struct base_position place;
    char path[4096];

    location_path(archive, location, "evt", path, sizeof path);
    if (access(path, F_OK) != 0)
        return base_error_system(error, errno, "%s", path);
    place = base_position_of(path);
    if (position > 0)
        place.event = (int64_t)position;
    return base_error_at(error, BASE_INPUT, &place, "the events are truncated or damaged: %s",
                         OTF2_Error_GetDescription(code));
}

/* There are at most TRACE_OTF2_OPEN_LIMIT entries, and a search of them costs less than the opening that
 * follows. */
static size_t least_recent(const struct trace_otf2_archive *archive)
{
    size_t oldest = 0;
    for (size_t i = 1; i < archive->open_count; i++)
        if (archive->open[i].last_use < archive->open[oldest].last_use)
            oldest = i;
    return oldest;
}

/* Has libotf2 read the next records of an open reader into the batch. What is behind the last record that can be
 * read is damage, which libotf2 must not see. */
static OTF2_ErrorCode read_by_library(struct trace_otf2_archive *archive, struct open_reader *reader,
                                      struct trace_otf2_batch *batch, uint64_t *records)
{
    uint64_t left = reader->readable - reader->position;
    uint64_t wanted = left < batch->capacity ? left : batch->capacity;
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterEvtCallbacks(archive->reader, reader->reader, archive->callbacks, batch);

    batch->next = batch->events;
    batch->end = batch->events + batch->capacity;
    if (code == OTF2_SUCCESS && wanted > 0)
        code = OTF2_Reader_ReadLocalEvents(archive->reader, reader->reader, wanted, records);
    batch->count = (size_t)(batch->next - batch->events);
    reader->position += *records;
    return code == OTF2_SUCCESS && wanted < batch->capacity ? OTF2_ERROR_INTEGRITY_FAULT : code;
}

/* Goes to the place after record `position` in a reader that has just been opened. libotf2 refuses to seek
 * behind the last record, so the one before is read again. */
static OTF2_ErrorCode skip_to(struct trace_otf2_archive *archive, struct open_reader *reader,
                              uint64_t position)
{
    struct trace_otf2_event event;
    struct trace_otf2_batch batch = {.events = &event, .capacity = 1};
    uint64_t records = 0;
    OTF2_ErrorCode code = OTF2_EvtReader_Seek(reader->reader, position);

    reader->position = position - 1;
    return code == OTF2_SUCCESS ? read_by_library(archive, reader, &batch, &records) : code;
}

/* O(1); NULL: the location's file is not open. */
static struct open_reader *find_open(struct trace_otf2_archive *archive, uint64_t location)
{
    uint32_t index = base_table_get(&archive->open_of, location, 0);
    return index == BASE_TABLE_NONE ? NULL : &archive->open[index];
}

/* Where libotf2 refuses, it translates, and so must not we. Without corrections of a location's clock it need
 * not look for them at every event, which takes it as long as reading the time. */
static void choose_translation(const struct trace_otf2_archive *archive, struct open_reader *reader)
{
    const struct trace_otf2_identifiers *identifiers = identifiers_of(archive, reader->location);

    reader->regions = reader->communicators = (struct trace_otf2_translation){0};
    if (!identifiers->has_clock_offsets)
        OTF2_EvtReader_ApplyClockOffsets(reader->reader, false);
    if (identifiers->left_to_library ||
        OTF2_EvtReader_ApplyMappingTables(reader->reader, false) != OTF2_SUCCESS)
        return;
    reader->regions = identifiers->regions;
    reader->communicators = identifiers->communicators;
}

/* After the reader's position, from which on libotf2 reads. */
static OTF2_ErrorCode open_library(struct trace_otf2_archive *archive, struct open_reader *reader)
{
    char path[4096];

    trace_otf2_plain_close(reader->plain);
    reader->plain = NULL;
    reader->reader = OTF2_Reader_GetEvtReader(archive->reader, reader->location);
    if (reader->reader == NULL)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    location_path(archive, reader->location, "evt", path, sizeof path);
    reader->readable = trace_otf2_readable_records(path, archive->chunk_bytes, TRACE_OTF2_EVENTS);
    choose_translation(archive, reader);
    return reader->position == 0 ? OTF2_SUCCESS : skip_to(archive, reader, reader->position);
}

/* By us, where that is possible. Clocks are corrected by libotf2 alone, and some identifiers translated. */
static OTF2_ErrorCode open_plain(struct trace_otf2_archive *archive, struct open_reader *reader)
{
    const struct trace_otf2_identifiers *identifiers = identifiers_of(archive, reader->location);
    char path[4096];

    if (identifiers->has_clock_offsets || identifiers->left_to_library)
        return OTF2_SUCCESS;
    location_path(archive, reader->location, "evt", path, sizeof path);
    reader->regions = identifiers->regions;
    reader->communicators = identifiers->communicators;
    return trace_otf2_plain_open(path, archive->chunk_bytes, reader->position, &reader->plain) == 0
               ? OTF2_SUCCESS
               : OTF2_ERROR_MEM_ALLOC_FAILED;
}

/* The next records into the batch, all by us or all by libotf2. */
static OTF2_ErrorCode read_on(struct trace_otf2_archive *archive, struct open_reader *reader,
                              struct trace_otf2_batch *batch, uint64_t *records)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;

    batch->regions = reader->regions;
    batch->communicators = reader->communicators;
    if (reader->plain != NULL && trace_otf2_plain_read(reader->plain, batch, records)) {
        reader->position += *records;
        return OTF2_SUCCESS;
    }
    if (reader->reader == NULL)
        code = open_library(archive, reader);
    batch->regions = reader->regions;
    batch->communicators = reader->communicators;
    return code == OTF2_SUCCESS ? read_by_library(archive, reader, batch, records) : code;
}

/* The open reader of a location after record `position`. libotf2 3.0.2 frees a buffer twice when a reader
 * seeks to another chunk that has been read from before: one that stands elsewhere is closed and opened
 * again. */
static OTF2_ErrorCode find_reader(struct trace_otf2_archive *archive, uint64_t location, uint64_t position,
                                  struct open_reader **found)
{
    *found = find_open(archive, location);
    if (*found != NULL && (*found)->position == position)
        return OTF2_SUCCESS;
    if (*found != NULL)
        close_reader(archive, (size_t)(*found - archive->open));
    else if (archive->open_count == archive->open_limit)
        close_reader(archive, least_recent(archive));
    *found = &archive->open[archive->open_count];
    **found = (struct open_reader){.location = location, .position = position};
    if (base_table_put(&archive->open_of, location, 0, (uint32_t)archive->open_count) != 0)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    archive->open_count++;
    return open_plain(archive, *found);
}

/* Any error for want of memory is
 * OTF2_ERROR_MEM_ALLOC_FAILED. */
static OTF2_ErrorCode read_batch(struct trace_otf2_archive *archive, uint64_t location, uint64_t position,
                                 struct trace_otf2_batch *batch, uint64_t *records,
                                 struct open_reader **found)
{
    OTF2_ErrorCode heard = OTF2_SUCCESS, code;

    trace_otf2_listen(&heard);
    code = find_reader(archive, location, position, found);
    *records = 0;
    batch->count = 0;
    if (code == OTF2_SUCCESS)
        code = read_on(archive, *found, batch, records);
    trace_otf2_listen(NULL);
    return trace_otf2_is_memory(heard) ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

/* After an error the reader is of no use any more: it is closed, whatever it was. *records also counts records
 * that are read over, which batch->count does not. */
int trace_otf2_archive_read(struct trace_otf2_archive *archive, uint64_t location, uint64_t position,
                            struct trace_otf2_batch *batch, uint64_t *records, struct base_error *error)
{
    struct open_reader *found;
    OTF2_ErrorCode code = read_batch(archive, location, position, batch, records, &found);

    found->last_use = ++archive->uses;
    if (code == OTF2_SUCCESS)
        return 0;
    if ((size_t)(found - archive->open) < archive->open_count)
        close_reader(archive, (size_t)(found - archive->open));
    *records = 0;
    if (code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return base_error_memory(error, "the readers of an OTF2 archive");
    if (position > 0 || !has_no_events(archive, location))
        return event_error(archive, location, position + batch->count, code, error);
    batch->count = 0;
    return 0;
}
