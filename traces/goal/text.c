/* The syntax of GOAL as LogGOPSim's schedgen writes it: statements in any order, separated by white space; C
 * and C++ comments, and # to the end of the line. */
#include <config.h>

#include "traces/goal/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)512) /* a rank of few operations needs no more */
#define OPEN_COMMENT (-2)         /* no character, and not EOF */
#define NO_MEMORY (-3)

/* Nothing is read or allocated yet; `most` is the largest buffer in bytes. */
void trace_goal_text_begin(struct trace_goal_text *text, int file, const char *path,
                           const struct trace_goal_place *place, size_t most)
{
    *text = (struct trace_goal_text){.file = file, .path = path, .most = most};
    trace_goal_text_seek(text, place);
}

/* What is in the buffer is given up: a seek is rare. */
void trace_goal_text_seek(struct trace_goal_text *text, const struct trace_goal_place *place)
{
    text->next = *place;
    text->at = text->end = 0;
    text->token[0] = '\0';
    text->length = 0;
}

/* The buffer lies before its offset in the file. */
struct trace_goal_place trace_goal_text_place(const struct trace_goal_text *text)
{
    struct trace_goal_place place = text->next;

    place.offset -= (int64_t)(text->end - text->at);
    return place;
}

/* Its place in the file stays known. */
void trace_goal_text_free(struct trace_goal_text *text)
{
    free(text->buffer);
    text->buffer = NULL;
    text->at = text->end = text->capacity = 0;
}

/* The buffer has been read: it doubles, and is filled again. EOF; NO_MEMORY; 0: there is something in it. Small at
 * first, since a thousand ranks are read side by side and most read little at a time. */
static int refill(struct trace_goal_text *text)
{
    size_t capacity = text->capacity == 0 ? FIRST_BYTES : 2 * text->capacity;
    ssize_t got;

    if (capacity <= text->most) {
        unsigned char *larger = realloc(text->buffer, capacity);
        if (larger == NULL)
            return NO_MEMORY;
        text->buffer = larger;
        text->capacity = capacity;
    }
    do
        got = pread(text->file, text->buffer, text->capacity, (off_t)text->next.offset);
    while (got < 0 && errno == EINTR);
    text->failed = got < 0 ? errno : text->failed;
    text->at = 0;
    text->end = got < 0 ? 0 : (size_t)got;
    text->next.offset += (int64_t)text->end;
    return text->end == 0 ? EOF : 0;
}

/* The position is that of the next character, so that a token can note where it began. */
static inline int get(struct trace_goal_text *text)
{
    int c = 0;

    if (text->at == text->end)
        c = refill(text);
    if (c == 0)
        c = text->buffer[text->at++];
    if (c == '\n') {
        text->next.line++;
        text->next.column = 0;
    }
    text->next.column++;
    return c;
}

/* The character that get gave last. One is enough: no token needs to look further ahead. */
static inline void put_back(struct trace_goal_text *text, int c)
{
    if (c < 0)
        return;
    text->at--;
    text->next.column--;
    if (c == '\n')
        text->next.line--;
}

/* Every sentence of the reader has the same place in front: file, line, column of the token. */
int trace_goal_error(const struct trace_goal_text *text, struct base_error *error, const char *format, ...)
{
    struct base_position position = base_position_of(text->path);
    char sentence[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    position.line = text->line;
    position.column = text->column;
    return base_error_at(error, BASE_INPUT, &position, "%s", sentence);
}

/* To the end of the line, for // and #. 0, EOF or NO_MEMORY. */
static int skip_line(struct trace_goal_text *text)
{
    int c;
    while ((c = get(text)) >= 0 && c != '\n')
        continue;
    return c < 0 ? c : 0;
}

/* To the end of a comment of C. OPEN_COMMENT: it has none, and whatever follows would be left out without a
 * word. */
static int skip_comment(struct trace_goal_text *text)
{
    int c;
    int last = 0;
    while ((c = get(text)) >= 0 && !(last == '*' && c == '/'))
        last = c;
    return c == EOF ? OPEN_COMMENT : c < 0 ? c : 0;
}

/* What a byte is: each character of a token is looked up. */
enum { SPACE = 1, WORD = 2, SINGLE = 4 };
#define EACH(m, c0, c1, c2, c3, c4, c5) [c0] = m, [c1] = m, [c2] = m, [c3] = m, [c4] = m, [c5] = m
static const unsigned char class_of[UCHAR_MAX + 1] = {EACH(SPACE, ' ', '\t', '\n', '\v', '\f', '\r'),
                                                      [':'] = SINGLE,
                                                      ['{'] = SINGLE,
                                                      ['}'] = SINGLE,
                                                      EACH(WORD, 'a', 'b', 'c', 'd', 'e', 'f'),
                                                      EACH(WORD, 'g', 'h', 'i', 'j', 'k', 'l'),
                                                      EACH(WORD, 'm', 'n', 'o', 'p', 'q', 'r'),
                                                      EACH(WORD, 's', 't', 'u', 'v', 'w', 'x'),
                                                      EACH(WORD, 'y', 'z', 'A', 'B', 'C', 'D'),
                                                      EACH(WORD, 'E', 'F', 'G', 'H', 'I', 'J'),
                                                      EACH(WORD, 'K', 'L', 'M', 'N', 'O', 'P'),
                                                      EACH(WORD, 'Q', 'R', 'S', 'T', 'U', 'V'),
                                                      EACH(WORD, 'W', 'X', 'Y', 'Z', '0', '1'),
                                                      EACH(WORD, '2', '3', '4', '5', '6', '7'),
                                                      ['8'] = WORD,
                                                      ['9'] = WORD,
                                                      ['_'] = WORD,
                                                      ['.'] = WORD,
                                                      ['-'] = WORD};
#undef EACH

/* White space of the C locale. */
static inline bool is_space(int c)
{
    return c >= 0 && class_of[c] == SPACE;
}

/* The first character of a token, EOF, OPEN_COMMENT or NO_MEMORY. A slash that begins no comment is a character
 * like any other. */
static int skip_space(struct trace_goal_text *text)
{
    for (;;) {
        int c = get(text);
        int next;
        int result = 0;
        if (c == '#') {
            result = skip_line(text);
        } else if (c == '/') {
            next = get(text);
            if (next == '*') {
                result = skip_comment(text);
            } else if (next == '/') {
                result = skip_line(text);
            } else {
                put_back(text, next);
                return c;
            }
        } else if (!is_space(c)) {
            return c;
        }
        if (result == OPEN_COMMENT || result == NO_MEMORY)
            return result;
    }
}

/* What labels and numbers with their units consist of; everything else is a token by itself. */
static inline bool is_word(int c)
{
    return c >= 0 && class_of[c] == WORD;
}

/* Where the next token and the character behind it are in the buffer, with nothing but white space in front: most are,
 * and are told apart without a call for each character. false: nothing has changed, and they are read one by one. */
static inline bool next_in_buffer(struct trace_goal_text *text)
{
    const unsigned char *from, *end, *begin, *at;
    const unsigned char *line = NULL;
    int64_t lines = 0;

    if (text->at == text->end) /* before the first piece of the text there is no buffer */
        return false;
    from = begin = text->buffer + text->at;
    end = text->buffer + text->end;
    for (; begin < end && class_of[*begin] == SPACE; begin++)
        if (*begin == '\n') {
            line = begin;
            lines++;
        }
    for (at = begin; at < end && class_of[*at] == WORD; at++)
        continue;
    if (begin < end && class_of[*begin] == SINGLE)
        at = begin + 1;
    else if (at == end || at == begin || at - begin >= TRACE_GOAL_WORD)
        return false;
    text->length = (size_t)(at - begin);
    memcpy(text->token, begin, text->length);
    text->token[text->length] = '\0';
    text->next.line += lines;
    text->line = text->next.line;
    text->column = line != NULL ? begin - line : text->next.column + (begin - from);
    text->next.column = text->column + (at - begin);
    text->at = (size_t)(at - text->buffer);
    return true;
}

/* Where a token cannot begin: the end, which is an empty token, or an error. */
static int no_token(const struct trace_goal_text *text, int c, struct base_error *error)
{
    if (c == EOF)
        return 0;
    if (c == NO_MEMORY)
        return base_error_memory(error, "the text of a GOAL schedule");
    if (c == OPEN_COMMENT)
        return trace_goal_error(text, error, "the file ends inside a comment");
    return trace_goal_error(text, error, "the byte %d is not text", c);
}

/* Tokens are short: a longer one is no schedule, and is refused before it fills any memory. A byte that is no
 * character is refused too, above all one of 0, which would look like the end of the file. text->token is empty at
 * the end of the file; line and column are those of its first character. */
int trace_goal_next(struct trace_goal_text *text, struct base_error *error)
{
    size_t length = 0;
    int c;

    if (next_in_buffer(text))
        return 0;
    c = skip_space(text);
    text->line = text->next.line;
    text->column = text->next.column - 1;
    text->token[0] = '\0';
    text->length = 0;
    if (c < ' ' || c > '~')
        return no_token(text, c, error);
    text->token[length++] = (char)c;
    while (is_word(c)) {
        c = get(text);
        if (!is_word(c)) {
            put_back(text, c);
            break;
        }
        if (length == sizeof text->token - 1) {
            text->token[length] = '\0';
            return trace_goal_error(text, error, "a word of more than %zu characters", length);
        }
        text->token[length++] = (char)c;
    }
    text->token[length] = '\0';
    text->length = length;
    return c == NO_MEMORY ? no_token(text, c, error) : 0;
}

/* Checked against a limit digit by digit, so that no number wraps around. */
int trace_goal_number(const struct trace_goal_text *text, const char *unit, uint64_t most, uint64_t *number,
                      struct base_error *error)
{
    const char *digit = text->token;
    uint64_t value = 0;

    for (; *digit >= '0' && *digit <= '9'; digit++) {
        uint64_t units = (uint64_t)(*digit - '0');
        if (value > most / 10 || 10 * value > most || units > most - 10 * value)
            return trace_goal_error(text, error, "%s is over %" PRIu64, text->token, most);
        value = 10 * value + units;
    }
    if (digit == text->token || (*digit != '\0' && (unit == NULL || strcmp(digit, unit) != 0)))
        return trace_goal_error(text, error, "a number was expected, not '%s'",
                                text->token[0] == '\0' ? "the end of the file" : text->token);
    *number = value;
    return 0;
}
