/* A record as a line of text, for people and for tests:
 *
 *     MPI_Send(count=1, datatype=9, dest=0, tag=101, comm=2) thread=0 cpu=512405..512445 wall=276805..276846
 *
 * Arguments that are not present are left out; times are nanoseconds at entry and exit. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "traces/dumpitrace/layout.h"

/* Text that grows as snprintf counts: what has no room is counted only. */
struct text {
    char *at;            /* where it begins */
    size_t size, length; /* room; characters of the whole text so far */
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Nothing is written beyond the room, but all is counted, so that a caller may ask for the length first. */
static void add(struct text *text, const char *format, ...)
{
    size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(room > 0 ? text->at + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->length += (size_t)length;
}

/* [1, 2, 3] */
static void add_numbers(struct text *text, const int32_t *numbers, int64_t count)
{
    add(text, "[");
    for (int64_t i = 0; i < count; i++)
        add(text, "%s%" PRId32, i > 0 ? ", " : "", numbers[i]);
    add(text, "]");
}

/* Strings come from the file: what is not printable must not reach a terminal. */
static void add_string(struct text *text, const struct dpt_string *string)
{
    add(text, "\"");
    for (uint32_t i = 0; i < string->length; i++) {
        unsigned char byte = (unsigned char)string->text[i];

        add(text, byte >= ' ' && byte < 127 && byte != '"' && byte != '\\' ? "%c" : "\\x%02x", byte);
    }
    add(text, "\"");
}

/* ["a", "b"] */
static void add_strings(struct text *text, const struct dpt_string *strings, int64_t count)
{
    add(text, "[");
    for (int64_t i = 0; i < count; i++) {
        add(text, "%s", i > 0 ? ", " : "");
        add_string(text, &strings[i]);
    }
    add(text, "]");
}

/* All five fields, in the order of the file but for the tag. */
static void add_statuses(struct text *text, const struct dpt_receive_status *statuses, int64_t count)
{
    add(text, "[");
    for (int64_t i = 0; i < count; i++)
        add(text, "%s{bytes=%" PRId32 ", source=%" PRId32 ", tag=%" PRId32 ", cancelled=%d, error=%d}",
            i > 0 ? ", " : "", statuses[i].bytes, statuses[i].source, statuses[i].tag, statuses[i].cancelled,
            statuses[i].error);
    add(text, "]");
}

/* [[1, 2], [3]] */
static void add_lists(struct text *text, const struct dpt_value *value, enum dumpi_shape shape)
{
    add(text, "[");
    for (int64_t i = 0; i < value->number; i++) {
        add(text, "%s", i > 0 ? ", " : "");
        if (shape == DUMPI_STRING_LISTS)
            add_strings(text, value->string_lists[i].strings, value->string_lists[i].count);
        else
            add_numbers(text, value->number_lists[i].numbers, value->number_lists[i].count);
    }
    add(text, "]");
}

/* By its shape; a single string is printed without brackets. */
static void add_value(struct text *text, const struct dpt_field *field, const struct dpt_value *value)
{
    enum dumpi_shape shape = dumpi_shape_of(field->type);

    if (shape == DUMPI_NUMBER)
        add(text, "%" PRId64, value->number);
    else if (shape == DUMPI_NUMBERS)
        add_numbers(text, value->numbers, value->number);
    else if (shape == DUMPI_STATUSES)
        add_statuses(text, value->statuses, value->number);
    else if (field->type == DPT_TYPE_STRING && value->number == 1)
        add_string(text, value->strings);
    else if (shape == DUMPI_STRINGS)
        add_strings(text, value->strings, value->number);
    else
        add_lists(text, value, shape);
}

/* In nanoseconds since the base of the clock. */
static void add_interval(struct text *text, const char *clock, const struct dpt_interval *interval)
{
    add(text, " %s=%" PRId64 "..%" PRId64, clock, interval->start_ns, interval->stop_ns);
}

/* The length without the final NUL, also where `size` was too small; `buffer` may be NULL if size is 0. */
size_t dpt_format(char *buffer, size_t size, const struct dpt_record *record)
{
    struct text text = {buffer, size, 0};
    const char *separator = "";

    add(&text, "%s(", record->layout->name);
    for (unsigned i = 0; i < record->layout->field_count; i++) {
        if (!record->values[i].present)
            continue;
        add(&text, "%s%s=", separator, dpt_field_name(record->layout->fields[i].name));
        add_value(&text, &record->layout->fields[i], &record->values[i]);
        separator = ", ";
    }
    add(&text, ")");
    if (record->mask & DPT_MASK_THREAD)
        add(&text, " thread=%u", record->thread);
    if (record->mask & DPT_MASK_CPU)
        add_interval(&text, "cpu", &record->cpu);
    if (record->mask & DPT_MASK_WALL)
        add_interval(&text, "wall", &record->wall);
    for (unsigned i = 0; i < record->counter_count; i++)
        add(&text, " counter%u=%" PRId64 "..%" PRId64, i, record->counters[i].entry,
            record->counters[i].exit);
    return text.length;
}
