/* All arithmetic is on integers, so that every machine reads and writes the same digits, whatever its locale.
 */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 product;

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

int base_parse_unsigned(const char *text, uint64_t maximum, uint64_t *value)
{
    uint64_t number;
    const char *rest = scan_digits(text, &number);

    if (rest == NULL || *rest != '\0' || number > maximum)
        return -1;
    *value = number;
    return 0;
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

/* whole.fraction of value / unit, rounded half up to parts of 1 / parts of a unit. */
struct rounded {
    uint64_t whole, fraction;
};

static struct rounded round_to(uint64_t value, uint64_t unit, uint64_t parts)
{
    product scaled = ((product)value * parts + unit / 2) / unit;
    struct rounded result = {(uint64_t)(scaled / parts), (uint64_t)(scaled % parts)};
    return result;
}

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
    product exact = (product)a * b;
    product quotient = exact / c + (exact % c != 0);
    return quotient > UINT64_MAX ? UINT64_MAX : (uint64_t)quotient;
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
