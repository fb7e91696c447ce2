#include <config.h>

#include "tests/traces/archive.h"

#include <dirent.h>
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/traces/drafted.h"

#define PATH 1024
#define REGION_LIMIT 128

struct writer {
    const struct archive_spec *spec;
    char regions[REGION_LIMIT][64];
    uint32_t region_count;
    OTF2_EvtWriter *events;
    uint64_t time;
};

char *archive_directory(void)
{
    const char *base = getenv("TMPDIR");
    char *name = malloc(PATH);

    assert_non_null(name);
    snprintf(name, PATH, "%s/flitreplay-test-XXXXXX", base == NULL ? "/tmp" : base);
    assert_non_null(mkdtemp(name));
    return name;
}

static void for_each_entry(const char *directory,
                           void (*visit)(const char *path, const char *name, void *user), void *user)
{
    DIR *entries = opendir(directory);
    struct dirent *entry;
    char path[PATH * 2];

    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        visit(path, entry->d_name, user);
    }
    closedir(entries);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void remove_entry(const char *path, const char *name, void *user)
{
    (void)name;
    if (is_directory(path)) {
        for_each_entry(path, remove_entry, user);
        assert_int_equal(rmdir(path), 0);
    } else {
        assert_int_equal(unlink(path), 0);
    }
}

void archive_remove(char *directory)
{
    remove_entry(directory, NULL, NULL);
    free(directory);
}

static void copy_file(const char *from, const char *to)
{
    FILE *source = fopen(from, "rb"), *target = fopen(to, "wb");
    char bytes[65536];
    size_t length;

    assert_true(source != NULL && target != NULL);
    while ((length = fread(bytes, 1, sizeof bytes, source)) > 0)
        assert_int_equal(fwrite(bytes, 1, length, target), length);
    fclose(source);
    assert_int_equal(fclose(target), 0);
}

static void copy_entry(const char *path, const char *name, void *user)
{
    char target[PATH * 2];

    snprintf(target, sizeof target, "%s/%s", (const char *)user, name);
    if (!is_directory(path)) {
        copy_file(path, target);
        return;
    }
    assert_int_equal(mkdir(target, 0700), 0);
    for_each_entry(path, copy_entry, target);
}

void archive_copy(const char *from, const char *to)
{
    for_each_entry(from, copy_entry, (void *)(uintptr_t)to);
}

static uint32_t region(struct writer *writer, const char *name)
{
    for (uint32_t i = 0; i < writer->region_count; i++)
        if (strcmp(writer->regions[i], name) == 0)
            return i;
    assert_true(writer->region_count < REGION_LIMIT);
    snprintf(writer->regions[writer->region_count], sizeof *writer->regions, "%s", name);
    return writer->region_count++;
}

static uint64_t tick(struct writer *writer)
{
    uint64_t time = writer->time;
    writer->time += 10;
    return time;
}

#define WRITE(kind, ...) OTF2_EvtWriter_##kind(writer->events, NULL, tick(writer), __VA_ARGS__)

/* Writes the event of a line; arguments that are not there are 0. */
static OTF2_ErrorCode write_event(struct writer *writer, const char *word, const char *name,
                                  const uint64_t *a)
{
    uint32_t shift = writer->spec->shift, window = (uint32_t)a[1];
    uint32_t peer = (uint32_t)a[0], communicator = (uint32_t)a[1] + shift, tag = (uint32_t)a[2];

    if (strcmp(word, "enter") == 0)
        return WRITE(Enter, region(writer, name) + shift);
    if (strcmp(word, "leave") == 0)
        return WRITE(Leave, region(writer, name) + shift);
    if (strcmp(word, "send") == 0)
        return WRITE(MpiSend, peer, communicator, tag, a[3]);
    if (strcmp(word, "recv") == 0)
        return WRITE(MpiRecv, peer, communicator, tag, a[3]);
    if (strcmp(word, "isend") == 0)
        return WRITE(MpiIsend, peer, communicator, tag, a[3], a[4]);
    if (strcmp(word, "irecv") == 0)
        return WRITE(MpiIrecv, peer, communicator, tag, a[3], a[4]);
    if (strcmp(word, "isend_complete") == 0)
        return WRITE(MpiIsendComplete, a[0]);
    if (strcmp(word, "irecv_request") == 0)
        return WRITE(MpiIrecvRequest, a[0]);
    if (strcmp(word, "request_test") == 0)
        return WRITE(MpiRequestTest, a[0]);
    if (strcmp(word, "request_cancelled") == 0)
        return WRITE(MpiRequestCancelled, a[0]);
    if (strcmp(word, "collective") == 0)
        return WRITE(MpiCollectiveEnd, (OTF2_CollectiveOp)a[0], communicator, tag, a[3], a[4]);
    if (strcmp(word, "nbc_request") == 0)
        return WRITE(NonBlockingCollectiveRequest, a[0]);
    if (strcmp(word, "nbc_complete") == 0)
        return WRITE(NonBlockingCollectiveComplete, (OTF2_CollectiveOp)a[0], communicator, tag, a[3], a[4],
                     a[5]);
    if (strcmp(word, "comm_create") == 0)
        return WRITE(CommCreate, peer + shift);
    if (strcmp(word, "comm_destroy") == 0)
        return WRITE(CommDestroy, peer + shift);
    if (strcmp(word, "flush") == 0)
        return WRITE(BufferFlush, a[0]);
    if (strcmp(word, "put") == 0)
        return WRITE(RmaPut, window, peer, a[2], a[3]);
    if (strcmp(word, "get") == 0)
        return WRITE(RmaGet, window, peer, a[2], a[3]);
    if (strcmp(word, "window") == 0)
        return WRITE(RmaCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS, peer,
                     OTF2_UNDEFINED_UINT32, 0, 0);
    if (strcmp(word, "transferred") == 0)
        return WRITE(RmaOpCompleteNonBlocking, peer, a[1]);
    if (strcmp(word, "io") == 0)
        return WRITE(IoOperationBegin, 0, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NONE, a[0], 0);
    if (strcmp(word, "measurement") == 0)
        return WRITE(MeasurementOnOff, OTF2_MEASUREMENT_OFF);
    if (strcmp(word, "thread_end") == 0)
        return WRITE(ThreadEnd, OTF2_UNDEFINED_COMM, 0);
    fail_msg("no event \"%s\"", word);
    return OTF2_ERROR_INVALID;
}

/* A call around its event: "Send" is MPI_Send and send, "Irecv" is MPI_Irecv and irecv_request. */
static void write_call(struct writer *writer, const char *word, const char *name, const uint64_t *arguments)
{
    char call[64], event[64];

    if (strcmp(word, "Call") == 0) {
        write_event(writer, "enter", name, arguments);
        write_event(writer, "leave", name, arguments);
        return;
    }
    snprintf(call, sizeof call, "MPI_%s", word);
    snprintf(event, sizeof event, "%s%s", word, strcmp(word, "Irecv") == 0 ? "_request" : "");
    event[0] = (char)(event[0] - 'A' + 'a');
    write_event(writer, "enter", call, arguments);
    assert_int_equal(write_event(writer, event, "", arguments), OTF2_SUCCESS);
    write_event(writer, "leave", call, arguments);
}

static void write_line(struct writer *writer, const char *line)
{
    char word[32] = "", rest[128] = "";
    uint64_t arguments[6] = {0};
    char *next = rest;

    if (sscanf(line, " %31s %127[^\n]", word, rest) < 1)
        return;
    if (word[0] == '@') {
        writer->time = strtoull(word + 1, NULL, 10);
        return;
    }
    for (int i = 0; i < 6; i++)
        arguments[i] = strtoull(next, &next, 10); /* -1 becomes the largest number */
    if (word[0] >= 'A' && word[0] <= 'Z')
        write_call(writer, word, rest, arguments);
    else
        assert_int_equal(write_event(writer, word, rest, arguments), OTF2_SUCCESS);
}

static void write_lines(struct writer *writer, const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, "\n");
        char line[256];
        assert_true(length < sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        write_line(writer, line);
        text += length + (text[length] == '\n');
    }
}

static uint64_t location_of(const struct archive_spec *spec, uint32_t index)
{
    return spec->reverse_locations && index < spec->ranks ? 100u * (spec->ranks - index) : 100u * (index + 1);
}

static void write_string(OTF2_GlobalDefWriter *definitions, uint32_t id, const char *text)
{
    assert_int_equal(OTF2_GlobalDefWriter_WriteString(definitions, id, text), OTF2_SUCCESS);
}

/* Accelerators belong to a group of their own, metrics to the first process. */
static void write_other_locations(const struct archive_spec *spec, OTF2_GlobalDefWriter *definitions)
{
    const char *next = spec->other_locations;

    if (next != NULL)
        OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 90, 0, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0,
                                                7);
    for (uint32_t i = 0; next != NULL && *next != '\0'; i++) {
        size_t length = strcspn(next, ";");
        bool gpu = strncmp(next, "gpu ", 4) == 0;
        char name[64];
        assert_true(gpu || strncmp(next, "metric ", 7) == 0);
        snprintf(name, sizeof name, "%.*s", (int)(length - (gpu ? 4 : 7)), next + (gpu ? 4 : 7));
        write_string(definitions, 60 + i, name);
        OTF2_GlobalDefWriter_WriteLocation(
            definitions, 9000 + i, 60 + i,
            gpu ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_METRIC, 0, gpu ? 90 : 7);
        next += length;
        next += strspn(next, "; ");
    }
}

static void write_locations(const struct writer *writer, OTF2_GlobalDefWriter *definitions)
{
    const struct archive_spec *spec = writer->spec;
    uint64_t members[ARCHIVE_LOCATIONS];
    char text[32];

    for (uint32_t n = 0; n < spec->ranks; n++) {
        uint32_t i = spec->reverse_locations ? spec->ranks - n - 1 : n;
        snprintf(text, sizeof text, "MPI Rank %u", i);
        write_string(definitions, 10 + i, text);
        OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 7 + i, 10 + i, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                0, OTF2_UNDEFINED_LOCATION_GROUP);
        members[i] = location_of(spec, i);
    }
    for (uint32_t i = spec->ranks + spec->threads; i-- > 0;)
        OTF2_GlobalDefWriter_WriteLocation(definitions, location_of(spec, i), 0,
                                           OTF2_LOCATION_TYPE_CPU_THREAD, 0, i < spec->ranks ? 7 + i : 7);
    write_other_locations(spec, definitions);
    if (!spec->no_rank_list)
        OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, spec->ranks, members);
}

/* A list of numbers behind `skip` characters; *text goes on behind it. */
static uint32_t read_members(const char **text, size_t skip, uint64_t *list)
{
    uint32_t count = 0;
    char *end;

    for (*text += skip;; *text = end) {
        uint64_t value = strtoull(*text, &end, 10);
        if (end == *text)
            return count;
        assert_true(count < ARCHIVE_LOCATIONS);
        list[count++] = value;
    }
}

static void write_communicator(OTF2_GlobalDefWriter *definitions, uint32_t id, uint32_t parent,
                               const char *members)
{
    uint64_t list[ARCHIVE_LOCATIONS];
    uint32_t count;
    bool self = strncmp(members, "self", 4) == 0, inter = strncmp(members, "inter", 5) == 0;
    bool global = strncmp(members, "global", 6) == 0;

    count = read_members(&members, self ? 4 : inter ? 5 : global ? 6 : 0, list);
    OTF2_GlobalDefWriter_WriteGroup(
        definitions, id + 10, 0, self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
        OTF2_PARADIGM_MPI, global ? OTF2_GROUP_FLAG_GLOBAL_MEMBERS : OTF2_GROUP_FLAG_NONE, count, list);
    if (inter) {
        members += strspn(members, " /");
        count = read_members(&members, 0, list);
        OTF2_GlobalDefWriter_WriteGroup(definitions, id + 10000, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, list);
        OTF2_GlobalDefWriter_WriteInterComm(definitions, id, 0, id + 10, id + 10000, parent,
                                            OTF2_COMM_FLAG_NONE);
    } else
        OTF2_GlobalDefWriter_WriteComm(definitions, id, 0, id + 10, parent, OTF2_COMM_FLAG_NONE);
}

static void write_communicators(const struct writer *writer, OTF2_GlobalDefWriter *definitions)
{
    const char *next = writer->spec->communicators;
    char world[256] = "";

    for (uint32_t i = 0; i < writer->spec->ranks; i++)
        snprintf(world + strlen(world), sizeof world - strlen(world), "%u ", i);
    write_communicator(definitions, 0, OTF2_UNDEFINED_COMM, world);
    write_communicator(definitions, 1, OTF2_UNDEFINED_COMM, "self");
    OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, 0, 0, OTF2_RMA_WIN_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteIoHandle(definitions, 0, 0, OTF2_UNDEFINED_IO_FILE, OTF2_UNDEFINED_IO_PARADIGM,
                                       OTF2_IO_HANDLE_FLAG_NONE, 0, OTF2_UNDEFINED_IO_HANDLE);
    while (next != NULL && *next != '\0') {
        char *end;
        uint32_t id = (uint32_t)strtoul(next, &end, 10), parent = OTF2_UNDEFINED_COMM;
        if (*end == '<')
            parent = (uint32_t)strtoul(end + 1, &end, 10);
        assert_int_equal(*end, ':');
        end++;
        write_communicator(definitions, id, parent, end + strspn(end, " "));
        next = strchr(end, ';') == NULL ? NULL : strchr(end, ';') + 1;
    }
}

static void write_regions(const struct writer *writer, OTF2_GlobalDefWriter *definitions)
{
    for (uint32_t i = 0; i < writer->region_count; i++) {
        write_string(definitions, 100 + i, writer->regions[i]);
        OTF2_GlobalDefWriter_WriteRegion(definitions, i, 100 + i, 100 + i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         writer->spec->user_regions ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_Archive *create(const char *directory, uint64_t chunk)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    OTF2_Archive *archive =
        OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, chunk == 0 ? 262144 : chunk, 4194304,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

    assert_non_null(archive);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    return archive;
}

/* A table of a location: each identifier below `limit` is written as one that is larger by the shift. */
static void write_table(OTF2_DefWriter *definitions, OTF2_MappingType type, uint32_t limit, uint32_t shift)
{
    OTF2_IdMap *table = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, limit);

    assert_non_null(table);
    for (uint32_t i = 0; i < limit; i++)
        assert_int_equal(OTF2_IdMap_AddIdPair(table, i + shift, i), OTF2_SUCCESS);
    assert_int_equal(OTF2_DefWriter_WriteMappingTable(definitions, type, table), OTF2_SUCCESS);
    OTF2_IdMap_Free(table);
}

static void write_tables(OTF2_Archive *archive, const struct archive_spec *spec)
{
    assert_int_equal(OTF2_Archive_OpenDefFiles(archive), OTF2_SUCCESS);
    for (uint32_t i = 0; i < spec->ranks + spec->threads; i++) {
        OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(archive, location_of(spec, i));
        if (spec->clock_offset != 0) {
            OTF2_DefWriter_WriteClockOffset(definitions, 0, 0, 0);
            OTF2_DefWriter_WriteClockOffset(definitions, 1000000000, spec->clock_offset, 0);
        }
        if (spec->shift > 0) {
            write_table(definitions, OTF2_MAPPING_REGION, REGION_LIMIT, spec->shift);
            write_table(definitions, OTF2_MAPPING_COMM, 16, spec->shift);
        }
        if (spec->window_table)
            write_table(definitions, OTF2_MAPPING_RMA_WIN, 1, 0);
        OTF2_Archive_CloseDefWriter(archive, definitions);
    }
    OTF2_Archive_CloseDefFiles(archive);
}

static void finish(OTF2_Archive *archive, const struct writer *writer)
{
    OTF2_GlobalDefWriter *definitions;
    uint64_t resolution = writer->spec->ticks_per_second;

    OTF2_Archive_CloseEvtFiles(archive);
    if (writer->spec->shift > 0 || writer->spec->clock_offset != 0)
        write_tables(archive, writer->spec);
    definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, resolution == 0 ? 1000000000 : resolution, 0,
                                              1000000, OTF2_UNDEFINED_TIMESTAMP);
    write_string(definitions, 0, "");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    write_locations(writer, definitions);
    write_communicators(writer, definitions);
    write_regions(writer, definitions);
    OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
    assert_int_equal(OTF2_Archive_Close(archive), OTF2_SUCCESS);
}

void archive_write(const char *directory, const struct archive_spec *spec)
{
    struct writer writer = {.spec = spec};
    OTF2_Archive *archive = create(directory, spec->chunk_bytes);

    for (uint32_t i = 0; i < spec->ranks + spec->threads; i++) {
        writer.events = OTF2_Archive_GetEvtWriter(archive, location_of(spec, i));
        writer.time = 1000;
        write_lines(&writer, spec->events[i]);
        OTF2_Archive_CloseEvtWriter(archive, writer.events);
    }
    finish(archive, &writer);
}

void archive_generate(const char *directory, uint32_t ranks, const char *const *regions,
                      void (*generate)(struct OTF2_EvtWriter_struct *writer, uint32_t rank, uint32_t size),
                      uint32_t size)
{
    const struct archive_spec spec = {.ranks = ranks};
    struct writer writer = {.spec = &spec};
    OTF2_Archive *archive = create(directory, 0);

    for (; *regions != NULL; regions++)
        region(&writer, *regions);
    for (uint32_t i = 0; i < ranks; i++) {
        writer.events = OTF2_Archive_GetEvtWriter(archive, location_of(&spec, i));
        generate(writer.events, i, size);
        OTF2_Archive_CloseEvtWriter(archive, writer.events);
    }
    finish(archive, &writer);
}

/* A growing text. */
static void add(char **text, size_t *length, size_t *capacity, const char *more)
{
    size_t added = strlen(more);

    if (*length + added + 1 > *capacity) {
        *capacity = (*capacity + added + 64) * 2;
        *text = realloc(*text, *capacity);
        assert_non_null(*text);
    }
    memcpy(*text + *length, more, added + 1);
    *length += added;
}

static void print_op(const struct trace_op *op, char *line, size_t size)
{
    static const char *const names[] = {[TRACE_SEND] = "send",
                                        [TRACE_RECEIVE] = "receive",
                                        [TRACE_PROBE] = "probe",
                                        [TRACE_PUT] = "put",
                                        [TRACE_GET] = "get"};
    size_t used = 0;

    switch (op->kind) {
    case TRACE_COMPUTE:
        used = (size_t)snprintf(line, size, "compute %" PRIu64, op->duration_ns);
        break;
    case TRACE_SEND:
    case TRACE_RECEIVE:
    case TRACE_PROBE:
    case TRACE_PUT:
    case TRACE_GET:
        used = (size_t)snprintf(line, size, "%s %u %u %u %" PRIu64, names[op->kind], op->peer,
                                op->communicator, op->tag, op->bytes);
        if (op->flags & TRACE_NONBLOCKING)
            used += (size_t)snprintf(line + used, size - used, " #%" PRIu64, op->request);
        break;
    case TRACE_WAIT:
        used = (size_t)snprintf(line, size, "wait");
        for (size_t i = 0; i < op->request_count; i++)
            used += (size_t)snprintf(line + used, size - used, " %" PRIu64, op->requests[i]);
        break;
    case TRACE_COLLECTIVE_CALL:
        used = (size_t)snprintf(line, size, "%s %u %" PRIu64, trace_collective_name(op->collective),
                                op->communicator, op->bytes);
        if (op->root != UINT32_MAX)
            used += (size_t)snprintf(line + used, size - used, " root %u", op->root);
        if (op->flags & TRACE_NONBLOCKING)
            used += (size_t)snprintf(line + used, size - used, " #%" PRIu64, op->request);
        break;
    case TRACE_END:
        used = (size_t)snprintf(line, size, "end");
        break;
    }
    snprintf(line + used, size - used, "%s%s%s%s%s\n", op->flags & TRACE_SYNCHRONOUS ? " sync" : "",
             op->flags & TRACE_BUFFERED ? " buffered" : "", op->flags & TRACE_IMPLIED ? " implied" : "",
             op->flags & TRACE_REPAIRED ? " repaired" : "",
             op->flags & TRACE_APPROXIMATED ? " approximated" : "");
}

char *archive_program(struct trace_program *program, uint32_t rank)
{
    struct base_error error = {0};
    struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
    struct trace_op op;
    size_t length = 0, capacity = 0;
    char *text = NULL;
    int more;

    assert_non_null(cursor);
    while ((more = trace_cursor_next(cursor, &op, &error)) > 0) {
        char line[4096];
        print_op(&op, line, sizeof line);
        add(&text, &length, &capacity, line);
    }
    if (more < 0)
        fail_msg("%s", error.text);
    trace_cursor_free(cursor);
    return text;
}

struct archive archive_open(const struct archive_spec *spec)
{
    return archive_open_with(spec, NULL);
}

/* Whatever is tested, a draft has it all (traces/draft.h). Not where defects are counted, and not of so many ranks that
 * two programs have too many files. */
static void check_draft(const char *directory, const struct archive_spec *spec,
                        const struct trace_options *options)
{
    char text[DRAFTED_TEXT];

    if ((options == NULL || options->defects == NULL) && spec->ranks <= 16 &&
        !drafted_compare(directory, options, UINT64_MAX, NULL, text))
        fail_msg("%s", text);
}

struct archive archive_open_with(const struct archive_spec *spec, const struct trace_options *options)
{
    struct base_error error = {0};
    struct archive archive = {.directory = archive_directory()};

    archive_write(archive.directory, spec);
    check_draft(archive.directory, spec, options);
    archive.program = trace_open(archive.directory, options, &error);
    if (archive.program == NULL)
        fail_msg("%s", error.text);
    return archive;
}

void archive_close(struct archive *archive)
{
    trace_close(archive->program);
    archive_remove(archive->directory);
}

void archive_refuse(const struct archive_spec *spec, const char *part)
{
    struct base_error error = {0};
    char *directory = archive_directory();
    struct trace_program *program;

    archive_write(directory, spec);
    program = trace_open(directory, NULL, &error);
    archive_remove(directory);
    if (program != NULL)
        fail_msg("read, instead of \"%s\"", part);
    assert_int_equal(error.status, BASE_INPUT);
    if (strstr(error.text, part) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", error.text, part);
}

void archive_expect(const struct archive *archive, uint32_t rank, const char *expected)
{
    char *text = archive_program(archive->program, rank);
    assert_string_equal(text, expected);
    free(text);
}

uint64_t archive_repairs(const struct archive *archive, const char *kind)
{
    const struct trace_summary *summary = trace_program_summary(archive->program);

    for (size_t i = 0; i < summary->repair_count; i++)
        if (strcmp(summary->repairs[i].kind, kind) == 0)
            return summary->repairs[i].count;
    return 0;
}

const struct trace_coverage *archive_coverage(const struct archive *archive, const char *record)
{
    const struct trace_summary *summary = trace_program_summary(archive->program);

    for (size_t i = 0; i < summary->coverage_count; i++)
        if (strcmp(summary->coverage[i].record, record) == 0)
            return &summary->coverage[i];
    fail_msg("no coverage row %s", record);
    return NULL;
}
