/* The arguments of a record. Numbers are decoded in line; a list's length is checked against the bytes that
 * are left before room for it is made.
 *
 * On disk, arguments follow each other without gaps:
 *
 *     number          1, 2, 4 or 8 bytes by its type
 *     list            i32 length, elements of 1, 2 or 4 bytes
 *     string          i32 length, bytes without a final NUL
 *     strings         i32 length, strings
 *     lists of lists  i32 length, lists
 *     statuses        i32 length, {i32 bytes, i32 source, i8 cancelled, i8 error, i32 tag}
 *     argv            strings without a length, as many as argc says
 *
 * Statuses are not there at all when the mask says so, nor is their tag in files of old versions.
 *
 * A length repeats what an argument like count or commsize says. It alone counts here: recorders write 0 for
 * a list that the program did not give, whatever its count.
 *
 * A record that is passed over by the filter goes the same way, since there is no other way to its end; but
 * then nothing is kept of its lists, and no memory is taken. Whatever is kept is in the record's pool. */
#include <inttypes.h>
#include <string.h>

#include "traces/dumpitrace/stream.h"

/* Where the input stands, for the sentences of errors. */
static struct dumpi_place here(const struct dpt_stream *stream)
{
    return (struct dumpi_place){stream->input->path, dumpi_offset(stream->input), stream->next_index};
}

/* The record's function, once its number was read. */
static const char *function_of(const struct dpt_stream *stream)
{
    return stream->record.layout != NULL ? stream->record.layout->name : "record";
}

/* With an index the end of the records is known, and running into it is damage; without one the file was
 * cut. */
int dumpi_ends_early(struct dpt_stream *stream, const char *what)
{
    const struct dumpi_place place = here(stream);

    if (stream->input->system_error != 0)
        return dumpi_system_error(&stream->error, stream->input->system_error, stream->input->path,
                                  "cannot be read");
    return dumpi_error(&stream->error, stream->info.has_index ? DPT_ERROR_FORMAT : DPT_ERROR_TRUNCATED,
                       &place, "%s: %s ends early (%" PRId64 " records before are whole)",
                       function_of(stream), what, stream->next_index);
}

/* The record is lost and the stream is broken, as after damage: there is no half a record. */
static int no_memory(struct dpt_stream *stream)
{
    return dumpi_memory_error(&stream->error, stream->input->path);
}

/* A length, and that so many elements of at least so many bytes can be left, which keeps a damaged length
 * from becoming an allocation; both have few bits, and so has their product. Negative lengths are damage also
 * where the file was cut. */
static int take_length(struct dpt_stream *stream, const char *name, size_t least_bytes, int64_t *length)
{
    const uint8_t *bytes = dumpi_take(stream->input, 4);
    struct dumpi_place place;

    if (bytes == NULL)
        return dumpi_ends_early(stream, name);
    *length = dumpi_i32(bytes);
    if (*length >= 0 && *length * (int64_t)least_bytes <= dumpi_left(stream->input))
        return 0;
    place = here(stream);
    return dumpi_error(&stream->error,
                       stream->info.has_index || *length < 0 ? DPT_ERROR_FORMAT : DPT_ERROR_TRUNCATED, &place,
                       "%s: %s has %" PRId64 " elements, but only %" PRId64 " bytes are left",
                       function_of(stream), name, *length, dumpi_left(stream->input));
}

/* Handles are signed, bytes are not. */
static int32_t element_of(const uint8_t *bytes, size_t element_bytes)
{
    return element_bytes == 4 ? dumpi_i32(bytes) : element_bytes == 2 ? (int16_t)dumpi_u16(bytes) : bytes[0];
}

/* length numbers of 4, 2 or 1 bytes each; *numbers stays as it is when they are not kept. In pieces, since
 * one take gives no more than DUMPI_TAKE_BYTES. -1 with the stream's error. The numbers are good until the next
 * record, as all of the pool. */
static int take_elements(struct dpt_stream *stream, const char *name, size_t element_bytes, int64_t length,
                         bool keep, const int32_t **numbers)
{
    int32_t *room = keep ? dumpi_pool_get(&stream->record_pool, (size_t)length * sizeof *room) : NULL;
    int64_t piece;

    if (keep && room == NULL)
        return no_memory(stream);
    for (int64_t done = 0; done < length; done += piece) {
        const int64_t most = DUMPI_TAKE_BYTES / 4;
        const uint8_t *bytes;

        piece = length - done < most ? length - done : most;
        bytes = dumpi_take(stream->input, (size_t)piece * element_bytes);
        if (bytes == NULL)
            return dumpi_ends_early(stream, name);
        for (int64_t i = 0; keep && i < piece; i++)
            room[done + i] = element_of(bytes + (size_t)i * element_bytes, element_bytes);
    }
    if (keep)
        *numbers = room;
    return 0;
}

/* A list of numbers. All lists are given as 32-bit numbers, whatever they have on disk. */
static int take_numbers(struct dpt_stream *stream, const char *name, size_t element_bytes, bool keep,
                        struct dpt_value *value)
{
    if (take_length(stream, name, element_bytes, &value->number) != 0)
        return -1;
    return take_elements(stream, name, element_bytes, value->number, keep, &value->numbers);
}

/* One number where later versions have a list of them. */
static int take_single(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    value->number = 1;
    return take_elements(stream, name, 4, 1, keep, &value->numbers);
}

/* A string, with a NUL added. In pieces, since it may be longer than one take. The text and its length exclude the
 * NUL that is added. */
static int take_string(struct dpt_stream *stream, const char *name, bool keep, struct dpt_string *string)
{
    int64_t length, piece;
    char *text = NULL;

    if (take_length(stream, name, 1, &length) != 0)
        return -1;
    if (keep && (text = dumpi_pool_get(&stream->record_pool, (size_t)length + 1)) == NULL)
        return no_memory(stream);
    for (int64_t done = 0; done < length; done += piece) {
        const uint8_t *bytes;

        piece = length - done < DUMPI_TAKE_BYTES ? length - done : DUMPI_TAKE_BYTES;
        bytes = dumpi_take(stream->input, (size_t)piece);
        if (bytes == NULL)
            return dumpi_ends_early(stream, name);
        if (keep)
            memcpy(text + done, bytes, (size_t)piece);
    }
    if (keep) {
        text[length] = '\0';
        *string = (struct dpt_string){(uint32_t)length, text};
    }
    return 0;
}

/* count strings, whose room was checked: each has at least the 4 bytes of its length. */
static int take_strings(struct dpt_stream *stream, const char *name, int64_t count, bool keep,
                        const struct dpt_string **strings)
{
    struct dpt_string *room = NULL;

    if (keep && (room = dumpi_pool_get(&stream->record_pool, (size_t)count * sizeof *room)) == NULL)
        return no_memory(stream);
    for (int64_t i = 0; i < count; i++)
        if (take_string(stream, name, keep, keep ? &room[i] : NULL) != 0)
            return -1;
    if (keep)
        *strings = room;
    return 0;
}

/* The arguments of each command of MPI_Comm_spawn_multiple. The outer length is checked against the lengths
 * of the inner ones, 4 bytes each; these are checked in their turn. value->number is how many lists there are;
 * each has a count of its own. */
static int take_string_lists(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    struct dpt_string_list *room = NULL;
    struct dpt_string_list unkept;

    if (take_length(stream, name, 4, &value->number) != 0)
        return -1;
    if (keep && (room = dumpi_pool_get(&stream->record_pool, (size_t)value->number * sizeof *room)) == NULL)
        return no_memory(stream);
    for (int64_t i = 0; i < value->number; i++) {
        struct dpt_string_list *list = keep ? &room[i] : &unkept;
        int64_t count;

        if (take_length(stream, name, 4, &count) != 0 ||
            take_strings(stream, name, count, keep, &list->strings) != 0)
            return -1;
        list->count = (uint32_t)count;
    }
    value->string_lists = room;
    return 0;
}

/* The ranges of MPI_Group_range_incl: each row has a length of its own on disk. The rows' own lengths are kept,
 * since readers check them. */
static int take_number_lists(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    struct dpt_number_list *room = NULL;
    struct dpt_number_list unkept;

    if (take_length(stream, name, 4, &value->number) != 0)
        return -1;
    if (keep && (room = dumpi_pool_get(&stream->record_pool, (size_t)value->number * sizeof *room)) == NULL)
        return no_memory(stream);
    for (int64_t i = 0; i < value->number; i++) {
        struct dpt_number_list *list = keep ? &room[i] : &unkept;
        int64_t count;

        if (take_length(stream, name, 4, &count) != 0 ||
            take_elements(stream, name, 4, count, keep, &list->numbers) != 0)
            return -1;
        list->count = (uint32_t)count;
    }
    value->number_lists = room;
    return 0;
}

/* An array of structures, although the project's own description of the format says otherwise. */
static struct dpt_receive_status status_of(const uint8_t *bytes, bool has_tag)
{
    return (struct dpt_receive_status){
        .bytes = dumpi_i32(bytes),
        .source = dumpi_i32(bytes + 4),
        .cancelled = (int8_t)bytes[8],
        .error = (int8_t)bytes[9],
        .tag = has_tag ? dumpi_i32(bytes + 10) : -1,
    };
}

/* Whether statuses are recorded is a matter of the run; ignored ones are a list of length 0. With the mask's bit
 * unset the argument is absent, with it set and a length of 0 the program ignored it. */
static int take_statuses(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    const size_t status_bytes = stream->version.status_has_tag ? 14 : 10;
    struct dpt_receive_status *room = NULL;

    value->present = (stream->record.mask & DPT_MASK_STATUS) != 0;
    value->number = 0;
    value->statuses = NULL;
    if (!value->present)
        return 0;
    if (take_length(stream, name, status_bytes, &value->number) != 0)
        return -1;
    if (keep && (room = dumpi_pool_get(&stream->record_pool, (size_t)value->number * sizeof *room)) == NULL)
        return no_memory(stream);
    for (int64_t i = 0; i < value->number; i++) {
        const uint8_t *bytes = dumpi_take(stream->input, status_bytes);

        if (bytes == NULL)
            return dumpi_ends_early(stream, name);
        if (keep)
            room[i] = status_of(bytes, stream->version.status_has_tag);
    }
    value->statuses = room;
    return 0;
}

/* argv has no length of its own: it is that of argc before it, and none when argc is negative. */
static int take_argv(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    int64_t count = stream->record.values[0].number;
    const struct dumpi_place place = here(stream);

    value->number = count < 0 ? 0 : count;
    if (value->number <= dumpi_left(stream->input) / 4)
        return take_strings(stream, name, value->number, keep, &value->strings);
    return dumpi_error(&stream->error, stream->info.has_index ? DPT_ERROR_FORMAT : DPT_ERROR_TRUNCATED,
                       &place, "%s: argv has %" PRId64 " elements, but only %" PRId64 " bytes are left",
                       function_of(stream), count, dumpi_left(stream->input));
}

/* Old versions wrote argc twice, in MPI_Init only. */
static int take_argc(struct dpt_stream *stream, const char *name, struct dpt_value *value)
{
    const uint8_t *bytes = dumpi_take(stream->input, stream->version.argc_is_doubled ? 8 : 4);

    if (bytes == NULL)
        return dumpi_ends_early(stream, name);
    value->number = dumpi_i32(bytes);
    value->numbers = NULL;
    return 0;
}

/* A list of one, so that strings have one shape for callers. */
static int take_one_string(struct dpt_stream *stream, const char *name, bool keep, struct dpt_value *value)
{
    value->number = 1;
    return take_strings(stream, name, 1, keep, &value->strings);
}

/* An argument that is not one number, or not always. The two types with a version in their name are lists
 * only in files of that version or later. Names of types say what a list is of on disk: 4 bytes unless it is told
 * apart here. */
static int take_list(struct dpt_stream *stream, const struct dpt_field *field, bool keep,
                     struct dpt_value *value)
{
    const char *name = dpt_field_name(field->name);

    switch ((enum dpt_type)field->type) {
    case DPT_TYPE_NUMBERS_068:
        return stream->version.cart_get_has_list ? take_numbers(stream, name, 4, keep, value)
                                                 : take_single(stream, name, keep, value);
    case DPT_TYPE_NUMBERS_069:
        return stream->version.struct_has_list ? take_numbers(stream, name, 4, keep, value)
                                               : take_single(stream, name, keep, value);
    case DPT_TYPE_DATATYPES:
    case DPT_TYPE_INFOS:
        return take_numbers(stream, name, 2, keep, value);
    case DPT_TYPE_BYTES:
        return take_numbers(stream, name, 1, keep, value);
    case DPT_TYPE_STATUS:
        return take_statuses(stream, name, keep, value);
    case DPT_TYPE_STRING:
        return take_one_string(stream, name, keep, value);
    case DPT_TYPE_STRINGS:
        return take_length(stream, name, 4, &value->number) != 0
                   ? -1
                   : take_strings(stream, name, value->number, keep, &value->strings);
    case DPT_TYPE_ARGC:
        return take_argc(stream, name, value);
    case DPT_TYPE_ARGV:
        return take_argv(stream, name, keep, value);
    case DPT_TYPE_STRING_LISTS:
        return take_string_lists(stream, name, keep, value);
    case DPT_TYPE_NUMBER_LISTS:
        return take_number_lists(stream, name, keep, value);
    default:
        return take_numbers(stream, name, 4, keep, value);
    }
}

/* How an argument is read that is one number: the upper bits of eight bytes, shifted down as a signed number.
 * Bytes are unsigned but in one kind of enumeration. Of other types bytes is 0;
 * and so it is of argc, which old versions wrote twice. */
struct number_form {
    uint8_t bytes, shift; /* in the file; bits that the upper end is shifted down by */
    int16_t mask;
};
#define SIGNED_NUMBER(bytes)                                                                                 \
    {                                                                                                        \
        bytes, 64 - 8 * (bytes), -1                                                                          \
    }
#define UNSIGNED_BYTE                                                                                        \
    {                                                                                                        \
        1, 56, 0xff                                                                                          \
    }
static const struct number_form number_forms[] = {
    [DPT_TYPE_I32] = SIGNED_NUMBER(4),
    [DPT_TYPE_I64] = SIGNED_NUMBER(8),
    [DPT_TYPE_RANK] = SIGNED_NUMBER(4),
    [DPT_TYPE_TAG] = SIGNED_NUMBER(4),
    [DPT_TYPE_COMM] = SIGNED_NUMBER(2),
    [DPT_TYPE_DATATYPE] = SIGNED_NUMBER(2),
    [DPT_TYPE_OP] = UNSIGNED_BYTE,
    [DPT_TYPE_REQUEST] = SIGNED_NUMBER(4),
    [DPT_TYPE_GROUP] = SIGNED_NUMBER(2),
    [DPT_TYPE_KEYVAL] = SIGNED_NUMBER(2),
    [DPT_TYPE_ERRHANDLER] = SIGNED_NUMBER(2),
    [DPT_TYPE_INFO] = SIGNED_NUMBER(2),
    [DPT_TYPE_WIN] = SIGNED_NUMBER(2),
    [DPT_TYPE_FILE] = SIGNED_NUMBER(2),
    [DPT_TYPE_ENUM] = UNSIGNED_BYTE,
    [DPT_TYPE_SIGNED_ENUM] = SIGNED_NUMBER(1),
    [DPT_TYPE_STATUS] = {0, 0, 0},
};
/* That much is in the window, and no number needs to look whether it is. */
#define ROOM_FOR_NUMBERS (INT64_C(8) * (DPT_MAX_FIELDS + 1))

/* Arithmetic shift extends the sign; the mask makes a byte unsigned again. */
static inline int64_t number_of(uint64_t first_eight_bytes, struct number_form form)
{
    return (int64_t)first_eight_bytes >> form.shift & form.mask;
}

/* A number at the end of the window, or of the file: what is behind it may not be there. */
static int take_number(struct dpt_stream *stream, const struct dpt_field *field, struct number_form form,
                       int64_t *number)
{
    const uint8_t *bytes = dumpi_take(stream->input, form.bytes);
    uint8_t padded[8] = {0};

    if (bytes == NULL)
        return dumpi_ends_early(stream, dpt_field_name(field->name));
    memcpy(padded, bytes, form.bytes);
    *number = number_of(dumpi_u64(padded), form);
    return 0;
}

/* One argument of any type. */
static int take_value(struct dpt_stream *stream, const struct dpt_field *field, bool keep,
                      struct dpt_value *value)
{
    const struct number_form form = number_forms[field->type];

    value->present = true;
    if (form.bytes == 0)
        return take_list(stream, field, keep, value);
    value->numbers = NULL;
    return take_number(stream, field, form, &value->number);
}

/* The numbers that a record begins with, and how many they are: of most functions all arguments but a status.
 * The reader spends most of its time here; so all sizes go the same way, without a branch for the processor
 * to guess. */
static unsigned take_front(struct dpt_stream *stream)
{
    const struct dpt_layout *layout = stream->record.layout;
    const struct dpt_field *field = layout->fields, *end = field + layout->field_count;
    struct dpt_value *value = stream->record.values;
    const uint8_t *cursor = stream->input->cursor;

    if (stream->input->end - cursor < ROOM_FOR_NUMBERS)
        return 0;
    for (; field < end; field++, value++) {
        const struct number_form form = number_forms[field->type];

        if (form.bytes == 0 || field->at_root)
            break;
        value->number = number_of(dumpi_u64(cursor), form);
        value->numbers = NULL;
        value->present = true;
        cursor += form.bytes;
    }
    stream->input->cursor = cursor;
    return (unsigned)(field - layout->fields);
}

/* In the order of the layout, since arguments have no marks of their own. What only the root records is
 * absent elsewhere; whether this is the root follows from the arguments before it. */
int dumpi_decode(struct dpt_stream *stream, bool keep)
{
    struct dpt_record *record = &stream->record;
    const struct dpt_layout *layout = record->layout;

    for (unsigned i = take_front(stream); i < layout->field_count; i++) {
        const struct dpt_field *field = &layout->fields[i];
        struct dpt_value *value = &record->values[i];

        if (field->at_root && !dumpi_here_is_root(record, i))
            *value = (struct dpt_value){.present = false};
        else if (take_value(stream, field, keep, value) != 0)
            return -1;
    }
    return 0;
}
