#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/reports/well-formed.h"

#define DEPTH 16

unsigned occurrences(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *found = strstr(text, word); found != NULL; found = strstr(found + 1, word))
        count++;
    return count;
}

/* One of those that we write. */
static bool is_entity(const char *at)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strncmp(at, entities[i], strlen(entities[i])) == 0)
            return true;
    return false;
}

/* Without an end, and without a slash before the bracket. */
static bool is_void(const char *name)
{
    return strcmp(name, "!DOCTYPE") == 0 || strcmp(name, "meta") == 0 || strcmp(name, "link") == 0;
}

/* From '<' to '>', with the open elements so far. Returns how many there are then. */
static unsigned expect_tag(const char *at, const char *end, char open[DEPTH][16], unsigned depth)
{
    unsigned quotes = 0, length = (unsigned)strcspn(at + 1, " >");
    char name[16];
    for (const char *c = at + 1; c < end; c++)
        quotes += *c == '"';
    assert_int_equal(quotes % 2, 0);
    assert_true(length < sizeof name && depth < DEPTH);
    snprintf(name, sizeof name, "%.*s", (int)length, at + 1);
    if (name[0] == '/') {
        assert_true(depth > 0);
        assert_string_equal(open[depth - 1], name + 1);
        return depth - 1;
    }
    if (end[-1] == '/' || is_void(name))
        return depth;
    memcpy(open[depth], name, sizeof name);
    return depth + 1;
}

void expect_well_formed(const char *document)
{
    char open[DEPTH][16];
    unsigned depth = 0;
    for (const char *at = document; *at != '\0'; at++) {
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        if (*at == '&')
            assert_true(is_entity(at));
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        depth = expect_tag(at, end, open, depth);
        at = end;
    }
    assert_int_equal(depth, 0);
}

double drawn_text_end(const char *element)
{
    double characters = 0;
    double x, y, size;
    const char *at = strchr(element, '>') + 1;
    bool is_start = strstr(element, "text-anchor") == NULL || strstr(element, "text-anchor") > at;

    assert_int_equal(sscanf(element, "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\"", &x, &y, &size), 3);
    for (; is_start && *at != '<'; at++) {
        characters += ((unsigned char)*at & 0xc0) != 0x80;
        at += *at == '&' ? strcspn(at, ";") : 0;
    }
    return x + characters * size * 0.6;
}
