/* All arithmetic is on integers, so that every machine reads and writes the same digits, whatever its locale.
 */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/wide.h"

/* isdigit, whatever the locale and the sign of char. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* *value = *value * 10 + digit, unless that exceeds 64 bits. */
static bool push_digit(uint64_t *value, unsigned digit)
{
    if (*value > (UINT64_MAX - digit) / 10)
        return false;
    *value = *value * 10 + digit;
    return true;
}

/* Reads one or more digits. Returns what follows them, or NULL. */
static const char *scan_digits(const char *text, uint64_t *value)
{
    if (text == NULL || !is_digit(*text))
        return NULL;
    for (*value = 0; is_digit(*text); text++)
        if (!push_digit(value, (unsigned)(*text - '0')))
            return NULL;
    return text;
}

/* strtoull() would take signs, blanks and other bases, and saturate; here each of these is refused. */
int base_parse_unsigned(const char *text, uint64_t maximum, uint64_t *value)
{
    uint64_t number;
    const char *rest = scan_digits(text, &number);

    if (rest == NULL || *rest != '\0' || number > maximum)
        return -1;
    *value = number;
    return 0;
}

/* What begins so is a number in another spelling. */
static const char *problem_of_beginning(const char *text, size_t length)
{
    bool counts = length > 1 && text[1] >= '0' && text[1] <= '9';

    switch (*text) {
    case '-':
        return counts ? ": it is below 0" : "";
    case '+':
        return counts ? ": numbers are written without a sign" : "";
    case '.':
        return counts ? ": it must be a whole number" : "";
    case '"':
    case '\'':
        return ": numbers are written without quotation marks";
    case '(':
    case '[':
    case '{':
        return counts ? ": numbers are written without brackets" : "";
    case ' ':
    case '\t':
        return ": there is a blank before it";
    default:
        return "";
    }
}

/* The first byte behind the digits. */
static const char *problem_of_end(char next)
{
    switch (next) {
    case '.':
        return ": it must be a whole number";
    case 'e':
    case 'E':
        return ": numbers are written with all their digits";
    case ',':
        return ": a comma does not belong there";
    case ';':
        return ": a semicolon does not belong there";
    case ':':
        return ": a colon does not belong there";
    case '=':
        return ": an equals sign does not belong there";
    case '/':
        return ": a fraction is not read";
    case '-':
        return ": a range is not read there";
    case ' ':
    case '\t':
        return ": something follows the number";
    case '_':
    case '\'':
        return ": digits are not grouped";
    default:
        return next >= 'A' ? ": a unit or a letter follows the number" : "";
    }
}

const char *base_number_problem(const char *text, size_t length)
{
    size_t digits = 0;

    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (length == 0)
        return "";
    if (digits == 0)
        return problem_of_beginning(text, length);
    if (digits == length)
        return ": it is too large";
    if (digits == 1 && *text == '0' && (text[1] == 'x' || text[1] == 'X'))
        return ": numbers are decimal";
    return problem_of_end(text[digits]);
}

/* The factor that a suffix means, or 0. */
static uint64_t bytes_of_suffix(const char *suffix)
{
    static const char prefixes[] = "kmgt";
    uint64_t binary = 1, decimal = 1;
    char letter = *suffix >= 'A' && *suffix <= 'Z' ? (char)(*suffix - 'A' + 'a') : *suffix;

    if (strcmp(suffix, "") == 0 || strcmp(suffix, "B") == 0)
        return 1;
    for (const char *prefix = prefixes; *prefix != '\0'; prefix++) {
        binary *= 1024;
        decimal *= 1000;
        if (letter != *prefix)
            continue;
        if (suffix[1] == '\0' || strcmp(suffix + 1, "iB") == 0)
            return binary;
        return strcmp(suffix + 1, "B") == 0 ? decimal : 0;
    }
    return 0;
}

/* No suffix is a factor of 1. */
int base_parse_bytes(const char *text, uint64_t *bytes)
{
    uint64_t number, factor;
    const char *suffix = scan_digits(text, &number);

    if (suffix == NULL)
        return -1;
    factor = bytes_of_suffix(suffix);
    if (factor == 0 || number > UINT64_MAX / factor)
        return -1;
    *bytes = number * factor;
    return 0;
}

/* The digits before and after the point go into one number, which is then scaled by the digits that were not
 * given. */
int base_parse_decimal(const char *text, unsigned digits, uint64_t *scaled)
{
    uint64_t number = 0;
    const char *rest = text != NULL && *text == '.' ? text : scan_digits(text, &number);

    if (rest == NULL)
        return -1;
    if (*rest == '.') {
        if (!is_digit(*++rest))
            return -1;
        for (; digits > 0 && is_digit(*rest); rest++, digits--)
            if (!push_digit(&number, (unsigned)(*rest - '0')))
                return -1;
    }
    if (*rest != '\0')
        return -1;
    /* Zero stays zero however often it is scaled, and anything else soon leaves 64 bits: the loop is short.
     */
    for (; digits > 0 && number > 0; digits--)
        if (!push_digit(&number, 0))
            return -1;
    *scaled = number;
    return 0;
}

/* ---- rates and durations ---- */

#define DIGITS 9 /* behind the point, which are parts of 10^9 */
#define PARTS UINT64_C(1000000000)
#define RATE_MAX (PARTS * PARTS) /* bytes a second */
#define DURATION_MAX UINT64_C(1000000000000)

/* A unit, in eighths of the unit that numbers are in: bits are eighths of bytes. */
struct unit {
    const char *name; /* as it is written, case and all */
    uint64_t eighths; /* 8 for the unit that numbers are in */
};

/* The longest ones last: what numbers are written in is the last that they reach. */
static const struct unit rate_units[] = {{"B/s", 8},
                                         {"kB/s", UINT64_C(8000)},
                                         {"MB/s", UINT64_C(8000000)},
                                         {"GB/s", UINT64_C(8000000000)},
                                         {"TB/s", UINT64_C(8000000000000)},
                                         {"PB/s", UINT64_C(8000000000000000)}};
static const struct unit bit_units[] = {{"b/s", 1},
                                        {"bit/s", 1},
                                        {"kb/s", 1000},
                                        {"kbit/s", 1000},
                                        {"Mb/s", 1000000},
                                        {"Mbit/s", 1000000},
                                        {"Gb/s", 1000000000},
                                        {"Gbit/s", 1000000000},
                                        {"Tb/s", UINT64_C(1000000000000)},
                                        {"Tbit/s", UINT64_C(1000000000000)}};
static const struct unit duration_units[] = {{"ps", 8},
                                             {"ns", UINT64_C(8000)},
                                             {"us", UINT64_C(8000000)},
                                             {"ms", UINT64_C(8000000000)},
                                             {"s", UINT64_C(8000000000000)}};

/* A number and one of the units, with a space between them or none; not whole, or more than `most`: -1. */
static int parse_with_unit(const char *text, const struct unit *units, size_t count, uint64_t most,
                           uint64_t *value)
{
    char number[BASE_UNITS_TEXT];
    size_t length = text == NULL ? 0 : strspn(text, "0123456789.");
    const char *name = text == NULL ? NULL : text + length + (text[length] == ' ');
    uint64_t scaled;

    if (length == 0 || length >= sizeof number)
        return -1;
    memcpy(number, text, length);
    number[length] = '\0';
    if (base_parse_decimal(number, DIGITS, &scaled) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        base_wide exact = base_wide_product(scaled, units[i].eighths);
        base_wide whole = base_wide_quotient(exact, base_wide_of(8 * PARTS));
        base_wide rest = base_wide_remainder(exact, base_wide_of(8 * PARTS));
        if (strcmp(units[i].name, name) != 0)
            continue;
        if (base_wide_less(base_wide_of(0), rest) || base_wide_less(base_wide_of(most), whole))
            return -1;
        *value = base_wide_low(whole);
        return 0;
    }
    return -1;
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Bytes first: the names of the two lists do not meet, as B and b differ in case. */
int base_parse_rate(const char *text, uint64_t *bytes_per_s)
{
    if (parse_with_unit(text, rate_units, COUNT_OF(rate_units), RATE_MAX, bytes_per_s) == 0)
        return 0;
    return parse_with_unit(text, bit_units, COUNT_OF(bit_units), RATE_MAX, bytes_per_s);
}

/* A bare 0 is the same in every unit. */
int base_parse_duration(const char *text, uint64_t *ps)
{
    if (text != NULL && strcmp(text, "0") == 0) {
        *ps = 0;
        return 0;
    }
    return parse_with_unit(text, duration_units, COUNT_OF(duration_units), DURATION_MAX, ps);
}

/* In the largest unit that the value reaches, with all its digits and no zero behind them. */
static char *format_with_unit(uint64_t value, const struct unit *units, size_t count, const char *between,
                              char text[BASE_UNITS_TEXT])
{
    size_t i = count - 1;
    int length, digits;
    uint64_t unit;

    while (i > 0 && value < units[i].eighths / 8)
        i--;
    unit = units[i].eighths / 8;
    digits = (int)(3 * i);
    length = snprintf(text, BASE_UNITS_TEXT, "%" PRIu64, value / unit);
    if (value % unit != 0) {
        length +=
            snprintf(text + length, BASE_UNITS_TEXT - (size_t)length, ".%0*" PRIu64, digits, value % unit);
        while (text[length - 1] == '0')
            length--;
    }
    snprintf(text + length, BASE_UNITS_TEXT - (size_t)length, "%s%s", between, units[i].name);
    return text;
}

/* Always in bytes, also where it was given in bits. */
char *base_format_rate(uint64_t bytes_per_s, const char *between, char text[BASE_UNITS_TEXT])
{
    return format_with_unit(bytes_per_s, rate_units, COUNT_OF(rate_units), between, text);
}

/* The parser gives the same number back: all digits are written. */
char *base_format_duration(uint64_t ps, const char *between, char text[BASE_UNITS_TEXT])
{
    return format_with_unit(ps, duration_units, COUNT_OF(duration_units), between, text);
}

/* ---- times and sizes ---- */

/* whole.fraction of value / unit, rounded half up to parts of 1 / parts of a unit. */
struct rounded {
    uint64_t whole, fraction; /* units, and parts of one */
};

/* 128 bits hold the product of any 64-bit value and the parts. */
static struct rounded round_to(uint64_t value, uint64_t unit, uint64_t parts)
{
    base_wide sum = base_wide_add(base_wide_product(value, parts), base_wide_of(unit / 2));
    base_wide scaled = base_wide_quotient(sum, base_wide_of(unit)), divisor = base_wide_of(parts);
    struct rounded result = {base_wide_low(base_wide_quotient(scaled, divisor)),
                             base_wide_low(base_wide_remainder(scaled, divisor))};
    return result;
}

/* Below a microsecond there is nothing to round. */
char *base_format_ns(uint64_t ns, char text[BASE_UNITS_TEXT])
{
    static const char *const names[] = {"us", "ms", "s"};
    uint64_t unit = 1000;
    struct rounded time;
    size_t i = 0;

    if (ns < unit) {
        snprintf(text, BASE_UNITS_TEXT, "%" PRIu64 " ns", ns);
        return text;
    }
    /* The next unit is chosen after rounding, so that no "1000.000 us" appears. */
    for (time = round_to(ns, unit, 1000); i < 2 && time.whole >= 1000; time = round_to(ns, unit, 1000)) {
        unit *= 1000;
        i++;
    }
    snprintf(text, BASE_UNITS_TEXT, "%" PRIu64 ".%03" PRIu64 " %s", time.whole, time.fraction, names[i]);
    return text;
}

/* Rounded before the unit is decided, so that no "1024.0 KiB" appears. */
char *base_format_bytes(uint64_t bytes, char text[BASE_UNITS_TEXT])
{
    static const char letters[] = "KMGTPE";
    uint64_t unit = 1024;
    struct rounded size;
    size_t i = 0;

    if (bytes < unit) {
        snprintf(text, BASE_UNITS_TEXT, "%" PRIu64 " B", bytes);
        return text;
    }
    for (size = round_to(bytes, unit, 10); i < 5 && size.whole >= 1024; size = round_to(bytes, unit, 10)) {
        unit *= 1024;
        i++;
    }
    snprintf(text, BASE_UNITS_TEXT, "%" PRIu64 ".%" PRIu64 " %ciB", size.whole, size.fraction, letters[i]);
    return text;
}

/* The longest number has 20 digits and 6 spaces. */
char *base_format_count(uint64_t count, char text[BASE_UNITS_TEXT])
{
    char digits[BASE_UNITS_TEXT];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *out = text;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ' ';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

/* a * b / c, rounded up, saturating. */
static uint64_t scale_up(uint64_t a, uint64_t b, uint64_t c)
{
    base_wide more = base_wide_add(base_wide_product(a, b), base_wide_of(c - 1));
    return base_wide_cut(base_wide_quotient(more, base_wide_of(c)), UINT64_MAX);
}

#define KHZ_OF_ONE_GHZ 1000000 /* a clock of this frequency has one cycle a nanosecond */

/* Up, so that nothing happens before the time it is due. */
uint64_t base_cycles_from_ns(uint64_t ns, uint64_t clock_khz)
{
    assert(clock_khz >= 1);
    return scale_up(ns, clock_khz, KHZ_OF_ONE_GHZ);
}

/* Up as well: a cycle's effect is seen when the cycle is over. */
uint64_t base_ns_from_cycles(uint64_t cycles, uint64_t clock_khz)
{
    assert(clock_khz >= 1);
    return scale_up(cycles, KHZ_OF_ONE_GHZ, clock_khz);
}

#define KHZ_OF_ONE_THZ UINT64_C(1000000000) /* one cycle a picosecond */

/* A cycle begun counts whole, as in base_cycles_from_ns. */
uint64_t base_cycles_from_ps(uint64_t ps, uint64_t clock_khz)
{
    assert(clock_khz >= 1);
    return scale_up(ps, clock_khz, KHZ_OF_ONE_THZ);
}

/* Only for showing: simulated time is in cycles, and never goes through here and back. */
uint64_t base_ps_from_cycles(uint64_t cycles, uint64_t clock_khz)
{
    base_wide exact = base_wide_add(base_wide_product(cycles, KHZ_OF_ONE_THZ), base_wide_of(clock_khz / 2));

    assert(clock_khz >= 1);
    return base_wide_cut(base_wide_quotient(exact, base_wide_of(clock_khz)), UINT64_MAX);
}
