/* Numbers of a table in the forms of an answer. What kind a number is decides how it is read and written, and that
 * is decided here alone. */
#include "reports/fields/field.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/pages/page.h"

bool report_field_is_real(const struct report_field *field)
{
    return field->kind == REPORT_FIELD_REAL || field->kind == REPORT_FIELD_REAL_OR_NULL ||
           field->kind == REPORT_FIELD_COUNT_OR_NULL;
}

/* Copied, not cast: the table knows what is there, the compiler does not. */
double report_field_real(const struct report_field *field, const void *numbers)
{
    double value;

    memcpy(&value, (const char *)numbers + field->place, sizeof value);
    return value;
}

/* Copied by the size that the kind says; the two others stay 0, so that the sum is the one that was read. */
uint64_t report_field_count(const struct report_field *field, const void *numbers)
{
    const char *at = (const char *)numbers + field->place;
    uint64_t count = 0;
    uint32_t word = 0;
    bool flag = false;

    if (field->kind == REPORT_FIELD_COUNT)
        memcpy(&count, at, sizeof count);
    if (field->kind == REPORT_FIELD_WORD)
        memcpy(&word, at, sizeof word);
    if (field->kind == REPORT_FIELD_FLAG)
        memcpy(&flag, at, sizeof flag);
    return count + word + flag;
}

/* Whoever reads a number back has both, and need not know which of them is meant. */
void report_field_set(const struct report_field *field, void *numbers, double real, uint64_t count)
{
    char *at = (char *)numbers + field->place;
    uint32_t word = (uint32_t)count;
    bool flag = count != 0;

    if (report_field_is_real(field))
        memcpy(at, &real, sizeof real);
    else if (field->kind == REPORT_FIELD_COUNT)
        memcpy(at, &count, sizeof count);
    else if (field->kind == REPORT_FIELD_WORD)
        memcpy(at, &word, sizeof word);
    else
        memcpy(at, &flag, sizeof flag);
}

json_t *report_field_column(const struct report_field *field, const void *numbers)
{
    if (field->kind == REPORT_FIELD_COUNT_OR_NULL)
        return report_json_whole(report_field_real(field, numbers));
    if (report_field_is_real(field))
        return report_json_real(report_field_real(field, numbers));
    return report_json_integer(report_field_count(field, numbers));
}

json_t *report_field_json(const struct report_field *field, const void *numbers)
{
    if (field->kind == REPORT_FIELD_FLAG)
        return json_boolean(report_field_count(field, numbers) != 0);
    return report_field_column(field, numbers);
}

/* Nine digits tell any two results apart that differ. */
void report_field_csv(FILE *stream, const struct report_field *field, const void *numbers)
{
    if (!report_field_is_real(field))
        fprintf(stream, "%" PRIu64, report_field_count(field, numbers));
    else if (isfinite(report_field_real(field, numbers)))
        fprintf(stream, field->kind == REPORT_FIELD_COUNT_OR_NULL ? "%.0f" : "%.9g",
                report_field_real(field, numbers));
}

/* Of a number that is kept as a double. */
static char *real_text(const struct report_field *field, double value, int decimals,
                       char text[REPORT_FIELD_TEXT])
{
    if (strcmp(field->unit, "share") == 0)
        return report_page_share(value, text);
    if (strcmp(field->unit, "bytes") == 0)
        return report_page_expected_bytes(value, text);
    if (field->kind == REPORT_FIELD_COUNT_OR_NULL && isfinite(value))
        return base_format_count((uint64_t)value, text);
    return decimals < 0 ? report_page_amount(value, text) : report_page_real(value, decimals, text);
}

char *report_field_text(const struct report_field *field, const void *numbers, int decimals,
                        char text[REPORT_FIELD_TEXT])
{
    _Static_assert(REPORT_FIELD_TEXT >= BASE_UNITS_TEXT, "a number with its unit does not fit");
    _Static_assert(REPORT_FIELD_TEXT >= REPORT_NUMBER_TEXT, "a real number does not fit");

    if (report_field_is_real(field))
        return real_text(field, report_field_real(field, numbers), decimals, text);
    if (field->kind == REPORT_FIELD_FLAG)
        snprintf(text, REPORT_FIELD_TEXT, "%s", report_field_count(field, numbers) != 0 ? "yes" : "no");
    else if (strcmp(field->unit, "ns") == 0)
        base_format_ns(report_field_count(field, numbers), text);
    else if (strcmp(field->unit, "bytes") == 0)
        base_format_bytes(report_field_count(field, numbers), text);
    else
        base_format_count(report_field_count(field, numbers), text);
    return text;
}

const struct report_field *report_field_find(const struct report_fields *fields, const char *key)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->field[i].key, key) == 0)
            return &fields->field[i];
    return NULL;
}

void report_fields_json(struct report_json *json, json_t *object, const struct report_fields *fields,
                        const void *numbers, unsigned part, unsigned forms)
{
    for (size_t i = 0; i < fields->count; i++)
        if (fields->field[i].part == part && (fields->field[i].forms & forms) != 0)
            report_json_put(json, object, fields->field[i].key,
                            report_field_json(&fields->field[i], numbers));
}

/* The number whose key begins at *remark, behind the brace, which is moved past the other brace. A key that no
 * field has gives nothing. */
static const char *put_number(const struct report_fields *fields, const void *numbers, const char **remark,
                              char text[REPORT_FIELD_TEXT])
{
    size_t length = strcspn(*remark, "}");
    char key[64];
    const struct report_field *field;

    snprintf(key, sizeof key, "%.*s", (int)length, *remark);
    *remark += length + ((*remark)[length] == '}');
    field = report_field_find(fields, key);
    return field == NULL ? "" : report_field_text(field, numbers, 2, text);
}

char *report_field_remark(const struct report_fields *fields, const struct report_field *field,
                          const void *numbers, char *text, size_t size)
{
    const char *remark = field->remark;
    size_t length = 0;

    text[0] = '\0';
    while (*remark != '\0' && length + 1 < size) {
        char number[REPORT_FIELD_TEXT];
        size_t plain = strcspn(remark, "{");
        int added = snprintf(text + length, size - length, "%.*s", (int)plain, remark);
        remark += plain;
        length += (size_t)added;
        if (*remark != '{' || length + 1 >= size)
            continue;
        remark++;
        added = snprintf(text + length, size - length, "%s", put_number(fields, numbers, &remark, number));
        length += (size_t)added;
    }
    return text;
}
