/* The index at the end of a file, and the sections it names. Each is read within bounds; one that makes no
 * sense is left out with a warning, since the records are worth having without it.
 *
 *     header     u8 major, minor, micro; u64 start time; string host; string user;
 *                u32 n, n x i32 mesh coordinates; since 0.5: u32 n, n x i32 mesh sizes
 *     footer     u64 magic; 291 x u32 calls; 291 x u32 of them not recorded; the last of each is the sum
 *     keys       u32 n, n x (string, string)        never any in practice
 *     counters   u32 n, n x string
 *     sizes      u32 n, n x i32                     by this rank's datatype numbers
 *     addresses  u32 n, n x (u64, string)
 *
 * where a string is u16 length and bytes. Recorders leave the place of the keys 0 although they write an
 * empty list of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "traces/dumpitrace/stream.h"

/* What reading a section gives. */
enum outcome { READ, SENSELESS, NO_MEMORY };

static const char *const section_names[DUMPI_SECTION_COUNT] = {
    [DUMPI_SIZES] = "datatype sizes",   [DUMPI_ADDRESSES] = "function addresses",
    [DUMPI_COUNTERS] = "counter names", [DUMPI_HEADER] = "header",
    [DUMPI_BODY] = "records",           [DUMPI_FOOTER] = "footer",
    [DUMPI_KEY_VALUES] = "keys",
};

/* Remembers that something was left out. The last sentence is kept: few files have more than one. */
static void warn(struct dpt_stream *stream, const char *what, const char *section)
{
    stream->info.warning_count++;
    snprintf(stream->info.warning, sizeof stream->info.warning, "%s%s", what, section);
}

/* Gives count and its room in elements, if count elements of at least least_bytes each can be left. The
 * check comes before the room is made: four damaged bytes must not ask for gigabytes. */
static enum outcome take_list(struct dpt_stream *stream, size_t least_bytes, size_t element_bytes,
                              uint32_t *count, void **elements)
{
    const uint8_t *bytes = dumpi_take(stream->input, 4);

    if (bytes == NULL || dumpi_u32(bytes) > (uint64_t)dumpi_left(stream->input) / least_bytes)
        return SENSELESS;
    *elements = dumpi_pool_get(&stream->info_pool, dumpi_u32(bytes) * element_bytes);
    if (*elements == NULL)
        return NO_MEMORY;
    *count = dumpi_u32(bytes);
    return READ;
}

/* A string with a NUL added. The NUL is added because callers print it; a name with a NUL inside ends
 * there for them. In pieces, as one take gives no more than DUMPI_TAKE_BYTES. The text is in the pool of the
 * file's information. */
static enum outcome take_string(struct dpt_stream *stream, const char **string)
{
    const uint8_t *bytes = dumpi_take(stream->input, 2);
    size_t length = bytes == NULL ? 0 : dumpi_u16(bytes);
    size_t piece;
    char *text;

    if (bytes == NULL || (int64_t)length > dumpi_left(stream->input))
        return SENSELESS;
    text = dumpi_pool_get(&stream->info_pool, length + 1);
    if (text == NULL)
        return NO_MEMORY;
    for (size_t done = 0; done < length; done += piece) {
        piece = length - done < DUMPI_TAKE_BYTES ? length - done : DUMPI_TAKE_BYTES;
        bytes = dumpi_take(stream->input, piece);
        if (bytes == NULL)
            return SENSELESS;
        memcpy(text + done, bytes, piece);
    }
    text[length] = '\0';
    *string = text;
    return READ;
}

/* count 32-bit numbers. The room for them has been made, so the number has been checked against the bytes
 * left, or is one of few. */
static enum outcome take_numbers(struct dpt_stream *stream, uint32_t count, int32_t *numbers)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *bytes = dumpi_take(stream->input, 4);

        if (bytes == NULL)
            return SENSELESS;
        numbers[i] = dumpi_i32(bytes);
    }
    return READ;
}

/* A length and so many numbers. */
static enum outcome take_number_list(struct dpt_stream *stream, uint32_t *count, const int32_t **numbers)
{
    void *room;
    enum outcome outcome = take_list(stream, 4, 4, count, &room);

    *numbers = room;
    return outcome == READ ? take_numbers(stream, *count, room) : outcome;
}

/* The version comes first, and says whether mesh sizes follow at the end. What was read before it stopped making
 * sense is forgotten by the caller (forget_header). */
static enum outcome read_header(struct dpt_stream *stream)
{
    struct dpt_file_info *info = &stream->info;
    const uint8_t *bytes = dumpi_take(stream->input, 11);
    uint32_t dimensions;
    enum outcome outcome;

    if (bytes == NULL)
        return SENSELESS;
    memcpy(info->version, bytes, 3);
    info->start_time = dumpi_u64(bytes + 3);
    stream->version = dumpi_version_of(info->version);
    if ((outcome = take_string(stream, &info->hostname)) != READ ||
        (outcome = take_string(stream, &info->username)) != READ ||
        (outcome = take_number_list(stream, &info->mesh_dimensions, &info->mesh_coordinates)) != READ)
        return outcome;
    if (!stream->version.has_mesh_sizes || info->mesh_dimensions == 0)
        return READ;
    dimensions = info->mesh_dimensions;
    outcome = take_number_list(stream, &dimensions, &info->mesh_sizes);
    return outcome == READ && dimensions != info->mesh_dimensions ? SENSELESS : outcome;
}

/* The number of functions in the footer, which is the room up to the next section. It does not stand in
 * the file. The first 8 is the magic number, the second are two 32-bit numbers a function. */
static uint32_t count_functions(const struct dpt_stream *stream)
{
    int64_t footer = stream->sections[DUMPI_FOOTER], next = stream->index_offset;
    int64_t count;

    for (int i = 0; i < DUMPI_SECTION_COUNT; i++)
        if (stream->sections[i] > footer && stream->sections[i] < next)
            next = stream->sections[i];
    count = (next - footer - 8) / 8;
    return count < 0 ? 0 : count >= 291 ? 291 : (uint32_t)count;
}

/* Both tables are taken as one: the second follows the first at once. As many functions are taken as there
 * is room for, since recorders have not always known the same number of them. */
static enum outcome read_footer(struct dpt_stream *stream)
{
    const uint8_t *bytes = dumpi_take(stream->input, 8);
    uint32_t count = count_functions(stream);
    uint32_t *numbers;

    if (bytes == NULL || dumpi_u64(bytes) != DUMPI_FOOTER_MAGIC)
        return SENSELESS;
    numbers = dumpi_pool_get(&stream->info_pool, 8 * (size_t)count);
    if (numbers == NULL)
        return NO_MEMORY;
    if (take_numbers(stream, 2 * count, (int32_t *)numbers) != READ)
        return SENSELESS;
    stream->info.function_count = count;
    stream->info.calls = numbers;
    stream->info.ignored = numbers + count;
    return READ;
}

/* The list is published only when it is whole: a damaged one is none, rather than one with NULL strings. */
static enum outcome read_key_values(struct dpt_stream *stream)
{
    uint32_t count;
    struct dpt_key_value *pairs;
    void *room;
    enum outcome outcome = take_list(stream, 4, sizeof *pairs, &count, &room);

    if (outcome != READ)
        return outcome;
    pairs = room;
    for (uint32_t i = 0; i < count; i++)
        if ((outcome = take_string(stream, &pairs[i].key)) != READ ||
            (outcome = take_string(stream, &pairs[i].value)) != READ)
            return outcome;
    stream->info.key_values = pairs;
    stream->info.key_value_count = count;
    return READ;
}

/* Names only; how many counters a record has stands in the record itself. */
static enum outcome read_counters(struct dpt_stream *stream)
{
    uint32_t count;
    const char **names;
    void *room;
    enum outcome outcome = take_list(stream, 2, sizeof *names, &count, &room);

    if (outcome != READ)
        return outcome;
    names = room;
    for (uint32_t i = 0; i < count; i++)
        if ((outcome = take_string(stream, &names[i])) != READ)
            return outcome;
    stream->info.counter_names = names;
    stream->info.counter_count = count;
    return READ;
}

/* By number; of a number that was given again only the first type's size is here, so datatypes.c
 * prefers what constructors among the records say. */
static enum outcome read_sizes(struct dpt_stream *stream)
{
    const int32_t *sizes;
    uint32_t count;
    enum outcome outcome = take_number_list(stream, &count, &sizes);

    if (outcome != READ)
        return outcome;
    stream->info.datatype_sizes = sizes;
    stream->info.datatype_count = count;
    return READ;
}

/* 10: the address and the length of an empty name, the least that an entry can have on disk. Published only when
 * it is whole, as the keys are. */
static enum outcome read_addresses(struct dpt_stream *stream)
{
    uint32_t count;
    struct dpt_address_name *names;
    void *room;
    enum outcome outcome = take_list(stream, 10, sizeof *names, &count, &room);

    if (outcome != READ)
        return outcome;
    names = room;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *bytes = dumpi_take(stream->input, 8);

        if (bytes == NULL)
            return SENSELESS;
        names[i].address = dumpi_u64(bytes);
        if ((outcome = take_string(stream, &names[i].name)) != READ)
            return outcome;
    }
    stream->info.addresses = names;
    stream->info.address_count = count;
    return READ;
}

/* Forgets a header that made no sense halfway. The newest version is the best guess without one. */
static void forget_header(struct dpt_stream *stream)
{
    static const uint8_t newest[3] = {UINT8_MAX, 0, 0};
    struct dpt_file_info *info = &stream->info;

    stream->version = dumpi_version_of(newest);
    memset(info->version, 0, sizeof info->version);
    info->start_time = 0;
    info->hostname = info->username = NULL;
    info->mesh_dimensions = 0;
    info->mesh_coordinates = info->mesh_sizes = NULL;
}

/* Reads one section if the index has it. Only what stops all reading is an error: memory, the disk. */
static int read_section(struct dpt_stream *stream, enum dumpi_section section,
                        enum outcome (*reader)(struct dpt_stream *))
{
    struct dumpi_input *input = stream->input;
    enum outcome outcome;

    if (stream->sections[section] == 0)
        return 0;
    dumpi_input_seek(input, stream->sections[section], stream->index_offset);
    outcome = reader(stream);
    if (outcome == NO_MEMORY)
        return dumpi_memory_error(&stream->error, input->path);
    if (input->system_error != 0)
        return dumpi_system_error(&stream->error, input->system_error, input->path, "cannot be read");
    if (outcome == SENSELESS)
        warn(stream, "damaged: ", section_names[section]);
    if (outcome == SENSELESS && section == DUMPI_HEADER)
        forget_header(stream);
    return 0;
}

/* Whether these can be places of the records, the header and the footer, as far as they are known. A file
 * that has lost its last 8, 16 or 24 bytes looks as if it had an index of an older kind, with all places
 * shifted. */
static bool is_in_order(const uint64_t *sections, uint64_t limit)
{
    static const enum dumpi_section order[] = {DUMPI_BODY, DUMPI_HEADER, DUMPI_FOOTER};
    uint64_t last = 0;

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        uint64_t section = sections[order[i]];

        if (section == 0 || section >= limit)
            continue;
        if (section < last)
            return false;
        last = section;
    }
    return true;
}

/* Takes over the places that an index names. 8: nothing can begin before the end of the magic number. A
 * place at or behind the index itself is damage, and is told. */
static void use_index(struct dpt_stream *stream, const uint64_t *sections)
{
    for (int i = 0; i < DUMPI_SECTION_COUNT; i++) {
        if (sections[i] >= 8 && sections[i] < (uint64_t)stream->index_offset)
            stream->sections[i] = (int64_t)sections[i];
        else if (sections[i] != 0)
            warn(stream, "outside of the file: ", section_names[i]);
    }
}

/* Looks for the index with a number of sections; false when its magic number is not there. Tried from the longest
 * index to the shortest; the window is left where it is. */
static bool find_index(struct dpt_stream *stream, int section_count)
{
    struct dumpi_input *input = stream->input;
    const size_t index_bytes = 8 + 8 * (size_t)section_count;
    const int64_t offset = input->size - (int64_t)index_bytes;
    uint64_t sections[DUMPI_SECTION_COUNT] = {0};
    const uint8_t *bytes;

    if (offset < 8)
        return false;
    dumpi_input_seek(input, offset, input->size);
    bytes = dumpi_take(input, index_bytes);
    if (bytes == NULL || dumpi_u64(bytes) != DUMPI_MAGIC)
        return false;
    /* What older files lack are the first ones. */
    for (int i = 0; i < section_count; i++)
        sections[DUMPI_SECTION_COUNT - section_count + i] = dumpi_u64(bytes + 8 + 8 * (size_t)i);
    if (!is_in_order(sections, (uint64_t)offset))
        return false;
    stream->index_offset = offset;
    stream->info.index_sections = (unsigned)section_count;
    use_index(stream, sections);
    return true;
}

/* Where the records are: from the body to whatever comes next. */
static void bound_body(struct dpt_stream *stream)
{
    stream->body = stream->sections[DUMPI_BODY] != 0 ? stream->sections[DUMPI_BODY] : 8;
    stream->body_end = stream->index_offset;
    for (int i = 0; i < DUMPI_SECTION_COUNT; i++)
        if (stream->sections[i] > stream->body && stream->sections[i] < stream->body_end)
            stream->body_end = stream->sections[i];
}

/* What the 16-bit seconds of all records count from. */
static int read_bases(struct dpt_stream *stream)
{
    const struct dumpi_place place = {stream->input->path, stream->body, -1};
    const uint8_t *bytes;

    dumpi_input_seek(stream->input, stream->body, stream->body_end);
    bytes = dumpi_take(stream->input, 8);
    if (bytes == NULL)
        return dumpi_error(&stream->error, DPT_ERROR_TRUNCATED, &place, "ends before the first record");
    stream->info.cpu_base_seconds = dumpi_i32(bytes);
    stream->info.wall_base_seconds = dumpi_i32(bytes + 4);
    return 0;
}

/* Refuses what is no DUMPI file at all, before anything else is looked at. */
static int check_magic(struct dpt_stream *stream)
{
    struct dumpi_input *input = stream->input;
    const struct dumpi_place place = {input->path, 0, -1};
    const uint8_t *bytes = dumpi_take(input, 8);

    if (input->system_error != 0)
        return dumpi_system_error(&stream->error, input->system_error, input->path, "cannot be read");
    if (input->size == 0)
        return dumpi_error(&stream->error, DPT_ERROR_TRUNCATED, &place,
                           "empty, as recorders leave it when a rank is killed");
    if (bytes == NULL || dumpi_u64(bytes) != DUMPI_MAGIC)
        return dumpi_error(&stream->error, DPT_ERROR_FORMAT, &place,
                           "not a DUMPI file: its first bytes differ");
    return 0;
}

/* The index with the most places is tried first: a shorter one would find its magic number only by
 * accident. The header comes before the others, since the version decides how they are read. The bases of
 * the clocks are last: without them there is no record to give, which is the one fatal case here. */
int dumpi_read_sections(struct dpt_stream *stream)
{
    static const struct {
        enum dumpi_section section;
        enum outcome (*reader)(struct dpt_stream *);
    } readers[] = {{DUMPI_HEADER, read_header},         {DUMPI_FOOTER, read_footer},
                   {DUMPI_KEY_VALUES, read_key_values}, {DUMPI_COUNTERS, read_counters},
                   {DUMPI_SIZES, read_sizes},           {DUMPI_ADDRESSES, read_addresses}};
    bool found = false;

    if (check_magic(stream) != 0)
        return -1;
    forget_header(stream);
    stream->index_offset = stream->input->size;
    for (int count = DUMPI_SECTION_COUNT; count >= 4 && !found; count--)
        found = find_index(stream, count);
    stream->info.has_index = found;
    if (!found)
        warn(stream, "no usable index at the end: ", "the file was cut or damaged, or its recorder killed");
    bound_body(stream);
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (read_section(stream, readers[i].section, readers[i].reader) != 0)
            return -1;
    return read_bases(stream);
}
