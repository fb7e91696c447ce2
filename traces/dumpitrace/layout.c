/* The tables made from functions.def: names and argument layouts. Everything else about functions is
 * data, so that reading, skipping, printing and writing a record are each one loop over its fields. */
#include <string.h>

#include "traces/dumpitrace/layout.h"

#define FIELD(name, type) {DPT_##name, DPT_TYPE_##type, false},
#define AT_ROOT(name, type) {DPT_##name, DPT_TYPE_##type, true},
#define NO_FIELDS

/* The extra element lets functions without arguments have an array too. */
#define DUMPI_FUNCTION(number, name, ...)                                                                    \
    _Static_assert(DPT_##name == (number), "the header numbers " #name " otherwise");                        \
    static const struct dpt_field fields_of_##name[] = {__VA_ARGS__{DPT_NAME_COUNT, 0, false}};              \
    _Static_assert(sizeof fields_of_##name / sizeof(struct dpt_field) <= DPT_MAX_FIELDS + 1,                 \
                   #name " has more arguments than a record has values");
#include "traces/dumpitrace/functions.def"
#undef DUMPI_FUNCTION

const struct dpt_layout dumpi_layouts[DPT_FUNCTION_COUNT] = {
#define DUMPI_FUNCTION(number, name, ...)                                                                    \
    [number] = {#name, sizeof fields_of_##name / sizeof(struct dpt_field) - 1, fields_of_##name},
#include "traces/dumpitrace/functions.def"
#undef DUMPI_FUNCTION
};

static const char *const function_names[DPT_FUNCTION_COUNT] = {
#define DPT_X(number, name) [number] = #name,
    DPT_FUNCTIONS(DPT_X)
#undef DPT_X
};

static const char *const field_names[DPT_NAME_COUNT] = {
#define DPT_X(upper, lower) [DPT_##upper] = #lower,
    DPT_NAMES(DPT_X)
#undef DPT_X
};

/* NULL for numbers that no function has: the table has gaps. */
const struct dpt_layout *dpt_layout(unsigned function)
{
    return function < DPT_FUNCTION_COUNT && dumpi_layouts[function].name != NULL ? &dumpi_layouts[function]
                                                                                 : NULL;
}

/* Also of functions without a layout, which the recorder numbers but never records. */
const char *dpt_function_name(unsigned function)
{
    return function < DPT_FUNCTION_COUNT ? function_names[function] : NULL;
}

/* A search of some 300 names, for the command line and filters. */
int dpt_function_number(const char *name)
{
    for (int i = 0; i < DPT_FUNCTION_COUNT; i++)
        if (function_names[i] != NULL && strcmp(function_names[i], name) == 0)
            return i;
    return -1;
}

/* As arguments are printed. */
const char *dpt_field_name(unsigned name)
{
    return name < DPT_NAME_COUNT ? field_names[name] : NULL;
}

/* NULL where the function has no such argument, or this rank recorded none. */
const struct dpt_value *dpt_value(const struct dpt_record *record, enum dpt_name name)
{
    const struct dpt_layout *layout = record->layout;

    /* At most eleven bytes to compare: a table by name would cost more to fetch. */
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].name == name)
            return record->values[i].present ? &record->values[i] : NULL;
    return NULL;
}

/* For lists their length. */
int64_t dpt_number(const struct dpt_record *record, enum dpt_name name, int64_t otherwise)
{
    const struct dpt_value *value = dpt_value(record, name);

    return value != NULL ? value->number : otherwise;
}

/* How a type is kept in memory, whatever its form on disk; several types on disk are one shape. */
enum dumpi_shape dumpi_shape_of(unsigned type)
{
    switch ((enum dpt_type)type) {
    case DPT_TYPE_NUMBERS:
    case DPT_TYPE_NUMBERS_068:
    case DPT_TYPE_NUMBERS_069:
    case DPT_TYPE_REQUESTS:
    case DPT_TYPE_DATATYPES:
    case DPT_TYPE_INFOS:
    case DPT_TYPE_BYTES:
        return DUMPI_NUMBERS;
    case DPT_TYPE_STRING:
    case DPT_TYPE_STRINGS:
    case DPT_TYPE_ARGV:
        return DUMPI_STRINGS;
    case DPT_TYPE_STRING_LISTS:
        return DUMPI_STRING_LISTS;
    case DPT_TYPE_NUMBER_LISTS:
        return DUMPI_NUMBER_LISTS;
    case DPT_TYPE_STATUS:
        return DUMPI_STATUSES;
    default:
        return DUMPI_NUMBER;
    }
}

/* By the arguments before the one that only the root has. Without a rank or a root among them it is none. */
bool dumpi_here_is_root(const struct dpt_record *record, unsigned before)
{
    const struct dpt_field *fields = record->layout->fields;
    int64_t rank = -1, root = -2;

    for (unsigned i = 0; i < before; i++) {
        if (fields[i].name == DPT_COMMRANK || fields[i].name == DPT_OLDCOMMRANK)
            rank = record->values[i].number;
        if (fields[i].name == DPT_ROOT)
            root = record->values[i].number;
    }
    return rank == root;
}
