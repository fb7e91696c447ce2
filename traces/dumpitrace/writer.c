/* Writes the file of a rank as the recorder does: lead-in, records, header, footer, keys, counters, sizes,
 * addresses, index. One loop over a record's fields writes every function.
 *
 * The order and even the empty sections are the recorder's, so that a trace that was read and is written
 * again is the same file. What the reader changes for its users' sake (seconds unwrapped, nanoseconds
 * carried) it keeps enough of to undo. Layouts follow the version that the file is to have.
 *
 *     lead-in   u64 magic, i32 base of the CPU clock, i32 base of the wall clock (s)   dpt_writer_open
 *     records   u16 function, u8 mask, what the mask announces, arguments              dpt_write
 *     end       u16 end marker, header, footer, keys, counters, sizes, addresses       dpt_writer_close
 *     index     u64 magic, a u64 for the place of each section                         dpt_writer_close
 *
 * The index comes last because only then the places are known; so nothing is written twice. A file that
 * was not closed has no index: readers take it for cut. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/dumpitrace/error.h"
#include "traces/dumpitrace/layout.h"

#define FOOTER_FUNCTIONS 291
#define NANOSECONDS INT64_C(1000000000)

/* Everything goes through put and put_bytes, which count the offset: the index needs the sections' places. */
struct dpt_writer {
    FILE *stream;
    char *path;                                  /* for messages */
    uint64_t offset;                             /* of the next byte */
    int64_t records;                             /* written so far */
    int32_t cpu_base_seconds, wall_base_seconds; /* that records are relative to */
    struct dumpi_version version;                /* that is written */
    uint32_t calls[DPT_FUNCTION_COUNT];          /* for the section of counts at the end */
    struct dpt_error error;                      /* of the last failure */
};

/* Remembers why the system failed. */
static int system_failure(struct dpt_writer *writer, const char *what)
{
    return dumpi_system_error(&writer->error, errno, writer->path, what);
}

/* Remembers what the caller did wrong; nothing of the record was written. The error has the offset at
 * which the record would have begun and its number, as a reader's errors have. */
static int refuse(struct dpt_writer *writer, const char *what)
{
    const struct dumpi_place place = {writer->path, (int64_t)writer->offset, writer->records};

    return dumpi_error(&writer->error, DPT_ERROR_ARGUMENT, &place, "%s", what);
}

/* Errors of the stream stay in it: they are looked at once, at the end of each record and section. The
 * offset goes on counting after a failure: it is used for nothing then, since the file is removed. */
static void put_bytes(struct dpt_writer *writer, const void *bytes, size_t count)
{
    if (count > 0)
        fwrite(bytes, 1, count, writer->stream);
    writer->offset += count;
}

/* The low bytes of a number, the highest first. Negative numbers come as their two's complement, of which
 * the low bytes are what a reader extends again. */
static void put(struct dpt_writer *writer, uint64_t number, size_t bytes)
{
    unsigned char buffer[8];

    for (size_t i = 0; i < bytes; i++)
        buffer[i] = (unsigned char)(number >> (8 * (bytes - 1 - i)));
    put_bytes(writer, buffer, bytes);
}

/* A string of the sections, with a length of 16 bits; longer ones are cut. NULL is written as an empty
 * string: an information that was read from a damaged header has none. */
static void put_short_string(struct dpt_writer *writer, const char *string)
{
    size_t length = string == NULL ? 0 : strlen(string);

    length = length < UINT16_MAX ? length : UINT16_MAX;
    put(writer, length, 2);
    put_bytes(writer, string, length);
}

/* What the recorders of today write. */
static const uint8_t newest_version[3] = {13, 0, 0};

/* The lead-in is written at once, since the bases of the clocks must be known before the first record;
 * errors in writing it show with the first record, or at the closing. `info` may be NULL: then the version is the
 * newest and the bases are 0. It must be given again when the file is closed. */
struct dpt_writer *dpt_writer_open(const char *path, const struct dpt_file_info *info,
                                   struct dpt_error *error)
{
    struct dpt_writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL || (writer->path = strdup(path)) == NULL) {
        free(writer);
        dumpi_memory_error(error, path);
        return NULL;
    }
    writer->stream = fopen(path, "wb");
    if (writer->stream == NULL) {
        dumpi_system_error(error, errno, path, "cannot be written");
        free(writer->path);
        free(writer);
        return NULL;
    }
    /* A reader without an index assumes the newest version, and its information has none. */
    writer->version = dumpi_version_of(
        info != NULL && (info->version[0] | info->version[1] | info->version[2]) != 0 ? info->version
                                                                                      : newest_version);
    writer->cpu_base_seconds = info != NULL ? info->cpu_base_seconds : 0;
    writer->wall_base_seconds = info != NULL ? info->wall_base_seconds : 0;
    put(writer, DUMPI_MAGIC, 8);
    put(writer, (uint32_t)writer->cpu_base_seconds, 4);
    put(writer, (uint32_t)writer->wall_base_seconds, 4);
    return writer;
}

/* The record is one of no rank and no file yet: times, thread and values are zero and all lists empty, so
 * that only what differs from that has to be set. Counters are left out of the mask: few traces have them. */
int dpt_record_init(struct dpt_record *record, unsigned function)
{
    const struct dpt_layout *layout = dpt_layout(function);

    if (layout == NULL)
        return -1;
    memset(record, 0, sizeof *record);
    record->function = (uint16_t)function;
    record->layout = layout;
    record->mask = DPT_MASK_STATUS | DPT_MASK_CPU | DPT_MASK_WALL | DPT_MASK_THREAD;
    return 0;
}

/* The value of that name, to be set in that shape; NULL when the function has none, or of another shape. */
static struct dpt_value *settable(struct dpt_record *record, enum dpt_name name, enum dumpi_shape shape)
{
    for (unsigned i = 0; i < record->layout->field_count; i++)
        if (record->layout->fields[i].name == name) {
            if (dumpi_shape_of(record->layout->fields[i].type) != shape)
                return NULL;
            record->values[i].present = true;
            return &record->values[i];
        }
    return NULL;
}

/* By name, not by position: the caller need not know the layout, and a name that the function does not
 * have is refused instead of landing in another argument. */
int dpt_set_number(struct dpt_record *record, enum dpt_name name, int64_t number)
{
    struct dpt_value *value = settable(record, name, DUMPI_NUMBER);

    if (value == NULL)
        return -1;
    value->number = number;
    return 0;
}

/* The numbers stay the caller's, and must be there until the record is written. */
int dpt_set_numbers(struct dpt_record *record, enum dpt_name name, const int32_t *numbers, uint32_t count)
{
    struct dpt_value *value = settable(record, name, DUMPI_NUMBERS);

    if (value == NULL)
        return -1;
    value->number = count;
    value->numbers = numbers;
    return 0;
}

/* Statuses are written only when the mask has DPT_MASK_STATUS, whatever is set here: that is how a
 * recorder without them writes. They stay the caller's. */
int dpt_set_statuses(struct dpt_record *record, enum dpt_name name, const struct dpt_receive_status *statuses,
                     uint32_t count)
{
    struct dpt_value *value = settable(record, name, DUMPI_STATUSES);

    if (value == NULL)
        return -1;
    value->number = count;
    value->statuses = statuses;
    return 0;
}

/* The strings stay the caller's. A single string is a list of one. */
int dpt_set_strings(struct dpt_record *record, enum dpt_name name, const struct dpt_string *strings,
                    uint32_t count)
{
    struct dpt_value *value = settable(record, name, DUMPI_STRINGS);

    if (value == NULL)
        return -1;
    value->number = count;
    value->strings = strings;
    return 0;
}

/* One time: seconds from the base modulo 65536, and nanoseconds. The carry is what a low-resolution clock
 * had in nanoseconds beyond a second, which the reader moved to the seconds: it goes back to where it was,
 * for the sake of equal bytes. Seconds before the base wrap as the recorder's do. */
static void put_time(struct dpt_writer *writer, int64_t time_ns, uint8_t carry, int32_t base_seconds)
{
    int64_t seconds = time_ns / NANOSECONDS, rest = time_ns % NANOSECONDS;

    if (rest < 0) {
        rest += NANOSECONDS;
        seconds--;
    }
    put(writer, (uint64_t)(seconds - carry - base_seconds), 2);
    put(writer, (uint64_t)(rest + carry * NANOSECONDS), 4);
}

/* One clock: entry and exit. */
static void put_interval(struct dpt_writer *writer, const struct dpt_interval *interval, int32_t base_seconds)
{
    put_time(writer, interval->start_ns, interval->start_carry, base_seconds);
    put_time(writer, interval->stop_ns, interval->stop_carry, base_seconds);
}

/* What the mask announces, in the order in which it is read. */
static void put_front(struct dpt_writer *writer, const struct dpt_record *record)
{
    put(writer, record->function, 2);
    put(writer, record->mask, 1);
    if (record->mask & DPT_MASK_THREAD)
        put(writer, record->thread, 2);
    if (record->mask & DPT_MASK_CPU)
        put_interval(writer, &record->cpu, writer->cpu_base_seconds);
    if (record->mask & DPT_MASK_WALL)
        put_interval(writer, &record->wall, writer->wall_base_seconds);
    if (record->mask & DPT_MASK_COUNTERS) {
        put(writer, record->counter_count, 1);
        for (unsigned i = 0; i < record->counter_count; i++) {
            put(writer, (uint64_t)record->counters[i].entry, 8);
            put(writer, (uint64_t)record->counters[i].exit, 8);
        }
    }
}

/* How many bytes a number, or each number of a list, has on disk. It is the mirror of the table and the
 * switch in decode.c: a type that is added there has to be added here. The default is that of most types: a rank,
 * a tag, a request or a plain int. */
static size_t number_bytes(unsigned type)
{
    switch ((enum dpt_type)type) {
    case DPT_TYPE_I64:
        return 8;
    case DPT_TYPE_OP:
    case DPT_TYPE_ENUM:
    case DPT_TYPE_SIGNED_ENUM:
    case DPT_TYPE_BYTES:
        return 1;
    case DPT_TYPE_COMM:
    case DPT_TYPE_DATATYPE:
    case DPT_TYPE_GROUP:
    case DPT_TYPE_KEYVAL:
    case DPT_TYPE_ERRHANDLER:
    case DPT_TYPE_INFO:
    case DPT_TYPE_WIN:
    case DPT_TYPE_FILE:
    case DPT_TYPE_DATATYPES:
    case DPT_TYPE_INFOS:
        return 2;
    default:
        return 4;
    }
}

/* A length and so many numbers, of 4, 2 or 1 bytes. */
static void put_numbers(struct dpt_writer *writer, const int32_t *numbers, int64_t count, size_t bytes)
{
    put(writer, (uint64_t)count, 4);
    for (int64_t i = 0; i < count; i++)
        put(writer, (uint64_t)numbers[i], bytes);
}

/* A list that is one number in old versions. Such a version could not say more than the first number; what
 * follows it is lost. */
static void put_list(struct dpt_writer *writer, unsigned type, const struct dpt_value *value)
{
    bool single = (type == DPT_TYPE_NUMBERS_068 && !writer->version.cart_get_has_list) ||
                  (type == DPT_TYPE_NUMBERS_069 && !writer->version.struct_has_list);

    if (single)
        put(writer, value->number > 0 ? (uint64_t)value->numbers[0] : 0, 4);
    else
        put_numbers(writer, value->numbers, value->number, number_bytes(type));
}

/* Strings without the length of their list. Here a length has 32 bits, other than in the sections, and
 * there is no final NUL. */
static void put_strings(struct dpt_writer *writer, const struct dpt_string *strings, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        put(writer, strings[i].length, 4);
        put_bytes(writer, strings[i].text, strings[i].length);
    }
}

/* Tags are lost in versions that had none. */
static void put_statuses(struct dpt_writer *writer, const struct dpt_value *value)
{
    put(writer, (uint64_t)value->number, 4);
    for (int64_t i = 0; i < value->number; i++) {
        const struct dpt_receive_status *status = &value->statuses[i];

        put(writer, (uint64_t)status->bytes, 4);
        put(writer, (uint64_t)status->source, 4);
        put(writer, (uint64_t)status->cancelled, 1);
        put(writer, (uint64_t)status->error, 1);
        if (writer->version.status_has_tag)
            put(writer, (uint64_t)status->tag, 4);
    }
}

/* Lists of lists: the ranges of groups and the arguments of spawned commands. Each row has a length of its
 * own on disk, even where MPI says that all have the same. */
static void put_lists(struct dpt_writer *writer, enum dumpi_shape shape, const struct dpt_value *value)
{
    put(writer, (uint64_t)value->number, 4);
    for (int64_t i = 0; i < value->number; i++)
        if (shape == DUMPI_NUMBER_LISTS)
            put_numbers(writer, value->number_lists[i].numbers, value->number_lists[i].count, 4);
        else {
            put(writer, value->string_lists[i].count, 4);
            put_strings(writer, value->string_lists[i].strings, value->string_lists[i].count);
        }
}

/* An absent string is an empty one; argv's length is argc before it. */
static void put_string_field(struct dpt_writer *writer, unsigned type, const struct dpt_value *value)
{
    static const struct dpt_string empty = {0, ""};

    if (type == DPT_TYPE_STRINGS)
        put(writer, (uint64_t)value->number, 4);
    if (type == DPT_TYPE_STRING && value->number != 1)
        put_strings(writer, &empty, 1);
    else
        put_strings(writer, value->strings, value->number);
}

/* An argument of any type. Absent ones are numbers 0 and lists of length 0. Statuses are the only argument
 * that the mask can take away altogether, even its length. */
static void put_value(struct dpt_writer *writer, const struct dpt_record *record, unsigned type,
                      const struct dpt_value *value)
{
    enum dumpi_shape shape = dumpi_shape_of(type);

    if (shape == DUMPI_NUMBER) {
        put(writer, (uint64_t)value->number, number_bytes(type));
        if (type == DPT_TYPE_ARGC && writer->version.argc_is_doubled)
            put(writer, (uint64_t)value->number, 4);
    } else if (shape == DUMPI_NUMBERS)
        put_list(writer, type, value);
    else if (shape == DUMPI_STRINGS)
        put_string_field(writer, type, value);
    else if (shape != DUMPI_STATUSES)
        put_lists(writer, shape, value);
    else if (record->mask & DPT_MASK_STATUS)
        put_statuses(writer, value);
}

/* What would make a file that cannot be read: lists longer than a length can say, an argv unlike its argc.
 * It is asked before the first byte of the record is written: half a record would make all that follow it
 * unreadable. */
static bool is_writable(const struct dpt_record *record)
{
    for (unsigned i = 0; i < record->layout->field_count; i++) {
        const struct dpt_field *field = &record->layout->fields[i];
        const struct dpt_value *value = &record->values[i];
        int64_t argc = record->values[0].number;

        if (dumpi_shape_of(field->type) == DUMPI_NUMBER)
            continue;
        if (value->number < 0 || value->number > INT32_MAX)
            return false;
        if (field->type == DPT_TYPE_ARGV && value->number != (argc < 0 ? 0 : argc))
            return false;
    }
    return true;
}

/* A record is refused as a whole or written as a whole. Arguments that matter at the root only are left
 * out on other ranks, by the same question that the reader asks. */
int dpt_write(struct dpt_writer *writer, const struct dpt_record *record)
{
    const struct dpt_layout *layout = dpt_layout(record->function);

    if (layout == NULL || layout != record->layout)
        return refuse(writer, "a record of no function");
    if (!is_writable(record))
        return refuse(writer, "a record with a list of impossible length");
    put_front(writer, record);
    for (unsigned i = 0; i < layout->field_count; i++)
        if (!layout->fields[i].at_root || dumpi_here_is_root(record, i))
            put_value(writer, record, layout->fields[i].type, &record->values[i]);
    writer->calls[record->function]++;
    writer->records++;
    return ferror(writer->stream) ? system_failure(writer, "cannot be written") : 0;
}

/* Of the last failure; empty before any. It is the writer's, and gone with it. */
const char *dpt_writer_geterr(const struct dpt_writer *writer)
{
    return writer->error.text;
}

/* Mesh sizes are written even when there is no mesh, as recorders do. */
static void put_header(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    bool known = (info->version[0] | info->version[1] | info->version[2]) != 0;

    put_bytes(writer, known ? info->version : newest_version, 3);
    put(writer, info->start_time, 8);
    put_short_string(writer, info->hostname);
    put_short_string(writer, info->username != NULL ? info->username : "<none>");
    put_numbers(writer, info->mesh_coordinates, info->mesh_dimensions, 4);
    if (writer->version.has_mesh_sizes)
        put_numbers(writer, info->mesh_sizes, info->mesh_dimensions, 4);
}

/* How many calls of the function were not recorded, as the caller says. */
static uint32_t ignored_of(const struct dpt_file_info *info, uint32_t function)
{
    return info->ignored != NULL && function < info->function_count ? info->ignored[function] : 0;
}

/* The last number stands for all functions together. Function_enter and _exit are not counted. The calls
 * come from what was written, so that they are true whatever the caller says; only the ignored ones, which
 * left no record, are the caller's knowledge. */
static void put_footer(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    uint32_t calls = 0, ignored = 0;

    put(writer, DUMPI_FOOTER_MAGIC, 8);
    for (uint32_t i = 0; i < FOOTER_FUNCTIONS - 1; i++) {
        put(writer, writer->calls[i] + ignored_of(info, i), 4);
        calls += writer->calls[i] + ignored_of(info, i);
        ignored += ignored_of(info, i);
    }
    put(writer, calls, 4);
    for (uint32_t i = 0; i < FOOTER_FUNCTIONS - 1; i++)
        put(writer, ignored_of(info, i), 4);
    put(writer, ignored, 4);
}

/* Never any in practice, but a file that has some keeps them. */
static void put_key_values(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    put(writer, info->key_value_count, 4);
    for (uint32_t i = 0; i < info->key_value_count; i++) {
        put_short_string(writer, info->key_values[i].key);
        put_short_string(writer, info->key_values[i].value);
    }
}

/* In the order of the counters in each record, which have no other key. */
static void put_counter_names(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    put(writer, info->counter_count, 4);
    for (uint32_t i = 0; i < info->counter_count; i++)
        put_short_string(writer, info->counter_names[i]);
}

/* Where functions were in the memory of the recorded process: nobody here uses them, but a trace that is
 * written again keeps them. */
static void put_addresses(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    put(writer, info->address_count, 4);
    for (uint32_t i = 0; i < info->address_count; i++) {
        put(writer, info->addresses[i].address, 8);
        put_short_string(writer, info->addresses[i].name);
    }
}

/* All that follows the records. As the recorder does, the index says 0 for the keys unless there are some.
 * An older index has fewer places: it lacks the first of them, so that those that both have stand at the
 * same distance from the end. The sections themselves are written all the same, and are not found by its
 * readers. */
static void put_sections(struct dpt_writer *writer, const struct dpt_file_info *info)
{
    unsigned count = info->index_sections >= 4 && info->index_sections <= DUMPI_SECTION_COUNT
                         ? info->index_sections
                         : DUMPI_SECTION_COUNT;
    uint64_t sections[DUMPI_SECTION_COUNT] = {[DUMPI_BODY] = 8};

    put(writer, DUMPI_END_MARKER, 2);
    sections[DUMPI_HEADER] = writer->offset;
    put_header(writer, info);
    sections[DUMPI_FOOTER] = writer->offset;
    put_footer(writer, info);
    sections[DUMPI_KEY_VALUES] = info->key_value_count > 0 ? writer->offset : 0;
    put_key_values(writer, info);
    sections[DUMPI_COUNTERS] = writer->offset;
    put_counter_names(writer, info);
    sections[DUMPI_SIZES] = writer->offset;
    put_numbers(writer, info->datatype_sizes, info->datatype_count, 4);
    sections[DUMPI_ADDRESSES] = writer->offset;
    put_addresses(writer, info);
    put(writer, DUMPI_MAGIC, 8);
    for (unsigned i = DUMPI_SECTION_COUNT - count; i < DUMPI_SECTION_COUNT; i++)
        put(writer, sections[i], 8);
}

/* The stream has been closed before, in one of two ways: with its result looked at, or not. */
static void free_writer(struct dpt_writer *writer)
{
    free(writer->path);
    free(writer);
}

/* The writer is gone afterwards, also on failure; then no file is left that could be taken for a good one.
 * Errors of earlier writes that nobody looked at show here at the latest, since the stream keeps them. */
int dpt_writer_close(struct dpt_writer *writer, const struct dpt_file_info *info, struct dpt_error *error)
{
    int failed;

    put_sections(writer, info);
    failed = ferror(writer->stream);
    failed |= fclose(writer->stream);
    if (failed) {
        system_failure(writer, "cannot be written");
        unlink(writer->path);
        if (error != NULL)
            *error = writer->error;
    }
    free_writer(writer);
    return failed ? -1 : 0;
}

/* For a caller that failed halfway. NULL is legal, so that it can be called on any way out. */
void dpt_writer_discard(struct dpt_writer *writer)
{
    if (writer == NULL)
        return;
    fclose(writer->stream);
    unlink(writer->path);
    free_writer(writer);
}

/* Lines in the order of the recorder's. The version is always the newest: it is that of the metafile, not
 * of the ranks' files, and readers look only for the number of ranks and the prefix. A file that could not
 * be written whole is removed. */
int dpt_write_metafile(const char *path, const char *file_prefix, int32_t rank_count, const char *hostname,
                       const char *username, uint64_t start_time, struct dpt_error *error)
{
    FILE *stream = fopen(path, "w");
    int failed;

    if (stream == NULL)
        return dumpi_system_error(error, errno, path, "cannot be written");
    fprintf(stream,
            "hostname=%s\nnumprocs=%" PRId32 "\nusername=%s\nstartime=%" PRIu64
            "\nfileprefix=%s\nversion=%d\nsubversion=%d\nsubsubversion=%d\n",
            hostname != NULL ? hostname : "", rank_count, username != NULL ? username : "<none>", start_time,
            file_prefix, newest_version[0], newest_version[1], newest_version[2]);
    failed = ferror(stream);
    failed |= fclose(stream);
    if (!failed)
        return 0;
    dumpi_system_error(error, errno, path, "cannot be written");
    unlink(path);
    return -1;
}
