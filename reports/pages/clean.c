/* Text from outside, made fit to print.
 *
 * Paths and names in traces are bytes of any origin. Terminals act on control characters and JSON wants
 * UTF-8, so both are looked after before anything is printed; what is replaced is visible as U+FFFD or '?'.
 */
#include "reports/pages/clean.h"

#include <inttypes.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define NUMBER_BYTES 8             /* <U+202E> */

/* 10xxxxxx: a byte that goes on with a character. */
static bool is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* The smallest and largest second byte that may follow a lead byte: this rules out overlong forms, surrogates
 * and what lies beyond U+10FFFF (RFC 3629, section 4). */
static bool second_fits(unsigned char lead, unsigned char second)
{
    switch (lead) {
    case 0xe0:
        return second >= 0xa0;
    case 0xed:
        return second <= 0x9f;
    case 0xf0:
        return second >= 0x90;
    case 0xf4:
        return second <= 0x8f;
    default:
        return true;
    }
}

/* Bytes of the character that begins at text, or 0 when there is none. Stops at the terminator, which
 * continues nothing. */
static size_t character_bytes(const unsigned char *text)
{
    size_t bytes;

    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    bytes = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < bytes; i++)
        if (!is_continuation(text[i]))
            return 0;
    return second_fits(text[0], text[1]) ? bytes : 0;
}

/* Most texts are valid, and need no copy then. */
bool report_clean_is_valid(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes;

    for (; *at != '\0'; at += bytes) {
        bytes = character_bytes(at);
        if (bytes == 0)
            return false;
    }
    return true;
}

/* The worst case: every character is one of two bytes that is shown by its number. A byte that is replaced takes
 * less. */
size_t report_clean_room(const char *text)
{
    return strlen(text) * (NUMBER_BYTES / 2) + 1;
}

/* Control characters: C0, DEL, and C1 in its two-byte form. */
static bool is_control(const unsigned char *text)
{
    return text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0);
}

/* What can show the rest of a line backwards or break it without being a control character: the marks of direction
 * U+061C, U+200E and U+200F, U+202A to U+202E, U+2066 to U+2069, and the separators U+2028 and U+2029. Returns its
 * number; 0: it is another character. */
static uint32_t direction_or_break(const unsigned char *text)
{
    uint32_t number;

    if (text[0] == 0xd8 && text[1] == 0x9c)
        return 0x61c;
    if (text[0] != 0xe2 || (text[1] & 0xfe) != 0x80)
        return 0;
    number = UINT32_C(0x2000) | (text[1] & 0x3fU) << 6 | (text[2] & 0x3fU);
    if (number == 0x200e || number == 0x200f || (number >= 0x2028 && number <= 0x202e) ||
        (number >= 0x2066 && number <= 0x2069))
        return number;
    return 0;
}

/* A bad byte costs one replacement and no more: decoding goes on with the byte behind it. */
static char *copy(const char *text, char *clean, bool printable)
{
    const unsigned char *at = (const unsigned char *)text;
    char *out = clean;

    while (*at != '\0') {
        size_t bytes = character_bytes(at);
        const void *from = at;
        size_t count = bytes;
        char number[2 * NUMBER_BYTES];
        if (bytes == 0) {
            from = REPLACEMENT;
            count = strlen(REPLACEMENT);
        } else if (printable && is_control(at)) {
            from = "?";
            count = 1;
        } else if (printable && direction_or_break(at) != 0) {
            snprintf(number, sizeof number, "<U+%04" PRIX32 ">", direction_or_break(at));
            from = number;
            count = NUMBER_BYTES;
        }
        memcpy(out, from, count);
        out += count;
        at += bytes == 0 ? 1 : bytes;
    }
    *out = '\0';
    return clean;
}

/* For JSON, which has an escape for control characters: only what is no UTF-8 is replaced. */
char *report_clean_utf8(const char *text, char *clean)
{
    return copy(text, clean, false);
}

/* For terminals and tables: control characters are replaced as well, since a name could move the cursor, and what turns
 * the direction of writing is told by its number, since it would turn what stands around it. */
char *report_clean_printable(const char *text, char *clean)
{
    return copy(text, clean, true);
}

/* U+FFFE and U+FFFF are well-formed UTF-8, and yet no character of XML. */
static bool is_noncharacter(const unsigned char *text)
{
    return text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
}

/* What stands for an ASCII character that would be read as markup; NULL: it stands for itself. */
static const char *entity_of(unsigned char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Character by character, so that no copy is needed however long the text is. */
void report_clean_markup(FILE *stream, const char *text, size_t most)
{
    const unsigned char *at = (const unsigned char *)text;

    for (size_t written = 0; *at != '\0'; written++) {
        size_t bytes = character_bytes(at);
        const char *entity = entity_of(*at);
        if (written == most) {
            fputs("\xe2\x80\xa6", stream);
            return;
        }
        if (bytes == 0 || is_noncharacter(at))
            fputs(REPLACEMENT, stream);
        else if (is_control(at) || direction_or_break(at) != 0)
            fputc('?', stream);
        else if (entity != NULL)
            fputs(entity, stream);
        else
            fwrite(at, 1, bytes, stream);
        at += bytes == 0 ? 1 : bytes;
    }
}

/* Where the last part of a path begins that is `bytes` long, without the slashes that end it. */
static int last_part(const char *path, int *bytes)
{
    int from;

    while (*bytes > 1 && path[*bytes - 1] == '/')
        (*bytes)--;
    for (from = *bytes; from > 0 && path[from - 1] != '/';)
        from--;
    return from;
}

/* Score-P names all archives alike; "." and ".." are no names either. What a generator makes has no path: its
 * parameters may hold one. */
const char *report_trace_name(const char *path, int *bytes)
{
    int from, above, begin;

    *bytes = (int)strlen(path);
    if (strncmp(path, "generate:", 9) == 0)
        return path;
    from = last_part(path, bytes);
    above = from - 1;
    begin = above > 0 ? last_part(path, &above) : 0;
    if (above > 0 && path[begin] != '.' && strncmp(path + from, "traces.", 7) == 0) {
        *bytes = above;
        from = begin;
    }
    *bytes -= from;
    return path + from;
}

/* Up to the first byte of a character too many. */
size_t report_clean_cut(const char *text, size_t characters)
{
    size_t bytes = 0, seen = 0;

    for (; text[bytes] != '\0'; bytes++)
        if (!is_continuation((unsigned char)text[bytes]) && seen++ == characters)
            break;
    return bytes;
}

/* A column for each character: good for every script whose characters are one cell wide. */
size_t report_clean_columns(const char *text)
{
    size_t columns = 0;

    for (; *text != '\0'; text++)
        columns += !is_continuation((unsigned char)*text);
    return columns;
}
