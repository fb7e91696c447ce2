#include "tests/netmodel/cases.h"

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const shapes[] = {
    "1",     "2",     "3",     "4",     "5",     "8",       "9",       "1x1",       "1x2",
    "2x1",   "1x8",   "8x1",   "2x2",   "2x3",   "3x2",     "2x8",     "8x2",       "3x3",
    "4x4",   "5x3",   "3x5",   "4x6",   "7x7",   "8x8",     "9x4",     "5x8",       "1x1x",
    "2x2x2", "3x4x5", "2x1x3", "3x3x3", "4x2x4", "2x3x2x4", "3x3x2x2", "2x2x2x2x2", "1x3x1x4x2"};

static const struct net_topology_kind *kind_with_key(const struct net_topology_kind *kind, const char *key)
{
    for (const char *const *known = kind->keys; known != NULL && *known != NULL; known++)
        if (strcmp(*known, key) == 0)
            return kind;
    return NULL;
}

static unsigned run(const char *text, void (*law)(const struct net_topology *, void *), void *context)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    if (topology == NULL) {
        assert_int_equal(error.status, BASE_USAGE);
        assert_true(strlen(error.text) > 0);
        return 0;
    }
    law(topology, context);
    net_topology_free(topology);
    return 1;
}

unsigned cases_each_graph(void (*law)(const struct net_topology *topology, void *context), void *context)
{
    static const char *const files[] = {"tree", "ring", "routed", "petersen"};
    unsigned accepted = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[4096];
        cases_graph_text(text, sizeof text, files[i]);
        accepted += run(text, law, context);
    }
    assert_int_equal(accepted, sizeof files / sizeof *files);
    return accepted;
}

unsigned cases_each_topology(void (*law)(const struct net_topology *topology, void *context), void *context)
{
    size_t kinds;
    const struct net_topology_kind *const *kind = net_topology_kinds(&kinds);
    unsigned all = 0;
    for (size_t k = 0; k < kinds; k++) {
        unsigned accepted = 0;
        if (kind[k]->reads_file)
            continue;
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            char text[128];
            snprintf(text, sizeof text, "%s:%s", kind[k]->name, shapes[i]);
            accepted += run(text, law, context);
            snprintf(text, sizeof text, "%s:%s,concentration=3", kind[k]->name, shapes[i]);
            if (kind_with_key(kind[k], "concentration") != NULL)
                accepted += run(text, law, context);
            snprintf(text, sizeof text, "%s:%s,processors=3", kind[k]->name, shapes[i]);
            if (kind_with_key(kind[k], "processors") != NULL)
                accepted += run(text, law, context);
            snprintf(text, sizeof text, "%s:%s,attach=router", kind[k]->name, shapes[i]);
            if (kind_with_key(kind[k], "attach") != NULL)
                accepted += run(text, law, context);
            snprintf(text, sizeof text, "%s:%s,diagonal=nw", kind[k]->name, shapes[i]);
            if (kind_with_key(kind[k], "diagonal") != NULL)
                accepted += run(text, law, context);
        }
        all += accepted;
    }
    return all + cases_each_example(law, context);
}

/* Whether a key is a parameter of some example. */
static bool has_example(const struct net_topology_kind *kind, const char *key)
{
    char words[64];
    snprintf(words, sizeof words, ",%s=", key);
    return strstr(kind->examples, words) != NULL;
}

unsigned cases_each_example(void (*law)(const struct net_topology *topology, void *context), void *context)
{
    size_t kinds;
    const struct net_topology_kind *const *kind = net_topology_kinds(&kinds);
    unsigned all = 0;
    for (size_t k = 0; k < kinds; k++) {
        if (kind[k]->reads_file)
            continue;
        assert_non_null(kind[k]->examples);
        for (const char *const *key = kind[k]->keys; key != NULL && *key != NULL; key++)
            if (!has_example(kind[k], *key))
                fail_msg("no example of %s has %s", kind[k]->name, *key);
        for (const char *next = kind[k]->examples; *next != '\0'; next += strspn(next, " "), all++) {
            char text[128];
            int length = (int)strcspn(next, " ");
            snprintf(text, sizeof text, "%s:%.*s", kind[k]->name, length, next);
            next += length;
            struct net_topology *topology = cases_topology(text);
            law(topology, context);
            net_topology_free(topology);
        }
    }
    return all;
}

struct net_topology *cases_topology(const char *text)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    if (topology == NULL)
        fail_msg("%s: %s", text, error.text);
    return topology;
}

void cases_graph_text(char *text, size_t size, const char *name)
{
    const char *top = getenv("top_srcdir");
    snprintf(text, size, "graph:%s/tests/netmodel/topologies/graphs/%s.graph", top != NULL ? top : ".", name);
}

void cases_golden_text(char *text, size_t size, const char *family, uint32_t sx, uint32_t sy)
{
    size_t length = strlen(family);
    bool south_east = length > 3 && strcmp(family + length - 3, "-SE") == 0;
    if (south_east || (length > 3 && strcmp(family + length - 3, "-NE") == 0))
        length -= 3;
    snprintf(text, size, "%.*s:%ux%u%s", (int)length, family, sx, sy, south_east ? ",diagonal=nw" : "");
}

FILE *cases_open_golden(const char *name)
{
    const char *shared = getenv("FLITREPLAY_SHARED");
    char path[4096];
    if (shared == NULL || *shared == '\0')
        return NULL;
    snprintf(path, sizeof path, "%s/golden/%s", shared, name);
    return fopen(path, "r");
}

unsigned cases_split(char *line, char *fields[CASES_FIELDS])
{
    unsigned count = 0;
    for (char *next = line; next != NULL && count < CASES_FIELDS;) {
        bool quoted = *next == '"';
        char *end = next + quoted;
        fields[count++] = end;
        end = strpbrk(end, quoted ? "\"" : ",\r\n");
        next = end == NULL || (!quoted && *end != ',') ? NULL : end + 1 + quoted;
        if (quoted && end != NULL && end[1] != ',')
            next = NULL;
        if (end != NULL)
            *end = '\0';
    }
    return count;
}
