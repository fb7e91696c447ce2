/* The reader of graph files (graph.h has the format). It goes by lines, each of them split into words that
 * remember their columns, since these files are written by hand and by scripts that are being written.
 *
 * Routers stand before the links that name them, and links before routes: so everything is checked where it
 * stands, and an error can point at the word.
 *
 *      line ─► words with their columns ─► statement ─► struct net_graph_text: routers, arcs, routes, hops
 *
 * What the reader makes is the file in numbers, no topology yet: ports are chosen by whoever builds that (graph.c).
 * A `link` is two arcs. The bounds below are far beyond what a network can have, and keep a file that is no
 * graph from taking the memory of the machine. */
#include "netmodel/topologies/graph-reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/random.h"
#include "base/units.h"
#include "base/words.h"

#define LINE_CHARACTERS (1 << 20)
#define WORDS_MAX (1 << 17)
#define NAME_CHARACTERS 64
#define HOPS_MAX (UINT32_C(1) << 28)

struct reader {
    struct net_graph_text *text; /* that is filled */
    FILE *stream;                /* borrowed from the input */
    struct base_position where;
    char *line;              /* the present one, cut into words */
    struct base_word *words; /* of the line */
    size_t count;            /* of words */
    bool begun;              /* the first statement was there */
};

/* Points at a word, for an error about it. */
static const struct base_position *at(struct reader *reader, uint32_t word)
{
    reader->where.column = word < reader->count ? (int64_t)reader->words[word].column : -1;
    return &reader->where;
}

/* A hash of names that is the same on every machine. Names are many in a generated file, and each link
 * looks up two of them. Equal hashes are told apart by their repetition, so a collision costs a comparison
 * and no more. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;
    for (; *name != '\0'; name++)
        hash = base_hash(hash, (unsigned char)*name);
    return hash;
}

/* Goes through the repetitions of the hash until the name is the one asked for. Routers are never removed,
 * so the first repetition that is absent ends the search. */
static uint32_t find_name(const struct net_graph_text *text, const char *name)
{
    uint64_t hash = hash_of(name);
    for (uint64_t repetition = 0;; repetition++) {
        uint32_t router = base_table_get(&text->name_of, hash, repetition);
        if (router == BASE_TABLE_NONE || strcmp(text->routers[router].name, name) == 0)
            return router == BASE_TABLE_NONE ? NET_NONE : router;
    }
}

/* The value of "key=…" when the word begins so, else NULL. */
static char *value_of(char *word, const char *key)
{
    size_t length = strlen(key);
    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* A whole number in decimal digits; anything else, a sign included, is answered with the word that holds
 * it. */
static int read_number(struct reader *reader, uint32_t word, const char *value, uint64_t most,
                       uint32_t *number, struct base_error *error)
{
    uint64_t read;
    if (base_parse_unsigned(value, most, &read) != 0)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.40s' is not a whole number from 0 to %llu", value, (unsigned long long)most);
    *number = (uint32_t)read;
    return 0;
}

/* "X,Y", each with a sign and six decimals at most. Decimal digits are read as integers, so that a place is the
 * same double everywhere. */
static int read_place(struct reader *reader, uint32_t word, char *value, double place[2],
                      struct base_error *error)
{
    char *parts[2] = {value, strchr(value, ',')};
    if (parts[1] != NULL)
        *parts[1]++ = '\0';
    for (uint32_t i = 0; i < 2; i++) {
        bool minus = parts[i] != NULL && *parts[i] == '-';
        uint64_t scaled;
        if (parts[i] == NULL || base_parse_decimal(parts[i] + minus, 6, &scaled) != 0)
            return base_error_at(error, BASE_INPUT, at(reader, word),
                                 "a place is written: at=X,Y, two decimal numbers");
        place[i] = (minus ? -1e-6 : 1e-6) * (double)scaled;
    }
    return 0;
}

/* A name is of letters that no other part of the format uses. */
static int check_name(struct reader *reader, uint32_t word, struct base_error *error)
{
    const char *name = reader->words[word].text;
    if (strlen(name) > NAME_CHARACTERS || strpbrk(name, "/=,") != NULL)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.70s' is not a name: at most %d characters, none of / = ,", name,
                             NAME_CHARACTERS);
    if (find_name(reader->text, name) != NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, word), "router '%s' is declared already", name);
    return 0;
}

/* All routers with terminals have the same number: terminals are numbered through. */
static int check_terminals(struct reader *reader, uint32_t word, uint32_t terminals, struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    if (terminals > 0 && text->terminals > 0 && terminals != text->terminals)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "%u terminals, but routers before have %u: where there are any, there must be "
                             "as many",
                             terminals, text->terminals);
    if (terminals > 0)
        text->terminals = terminals;
    return 0;
}

/* The number of routers is that of the largest grid: whoever needs more has to say why, and the tables
 * behind this use 32-bit numbers throughout. A name that comes again has been refused before; only different names
 * with one hash make repetitions. */
static int add_router(struct reader *reader, const struct net_graph_text_router *router,
                      struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    uint64_t hash = hash_of(router->name), repetition = 0;
    if (text->router_count == NET_TERMINALS_MAX)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "more than %u routers", NET_TERMINALS_MAX);
    while (base_table_get(&text->name_of, hash, repetition) != BASE_TABLE_NONE)
        repetition++;
    if (base_grow_32(&text->routers, &text->router_room, (size_t)text->router_count + 1,
                     sizeof *text->routers) != 0 ||
        base_table_put(&text->name_of, hash, repetition, text->router_count) != 0)
        return base_error_memory(error, "the routers of a graph");
    text->routers[text->router_count++] = *router;
    return 0;
}

/* router NAME [terminals=N] [at=X,Y]. The name is copied last, so that a line that is refused leaves
 * nothing in the arena; a repeated parameter simply wins, as the last thing that was said. Parameters may come in
 * any order. */
static int read_router(struct reader *reader, struct base_error *error)
{
    struct net_graph_text_router router = {0};
    if (reader->count < 2)
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "a router is written: router NAME [terminals=N] [at=X,Y]");
    if (check_name(reader, 1, error) != 0)
        return -1;
    for (uint32_t word = 2; word < reader->count; word++) {
        char *terminals = value_of(reader->words[word].text, "terminals");
        char *place = value_of(reader->words[word].text, "at");
        if (terminals != NULL &&
            (read_number(reader, word, terminals, NET_TERMINALS_MAX, &router.terminals, error) != 0 ||
             check_terminals(reader, word, router.terminals, error) != 0))
            return -1;
        if (place != NULL && read_place(reader, word, place, router.place, error) != 0)
            return -1;
        if (terminals == NULL && place == NULL)
            return base_error_at(error, BASE_INPUT, at(reader, word),
                                 "'%.40s': a router takes terminals=N and at=X,Y", reader->words[word].text);
        router.placed = router.placed || place != NULL;
    }
    router.name = base_arena_text(reader->text->arena, reader->words[1].text);
    if (router.name == NULL)
        return base_error_memory(error, "the routers of a graph");
    return add_router(reader, &router, error);
}

/* The router that a word names, which must have been declared above. A slip of the keyboard is far more
 * frequent than a forgotten router, so the word itself is quoted. */
static int find_router(struct reader *reader, uint32_t word, uint32_t *router, struct base_error *error)
{
    *router = find_name(reader->text, reader->words[word].text);
    if (*router == NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, word), "there is no router '%.70s' above",
                             reader->words[word].text);
    return 0;
}

/* Parallel arcs are legal; routes mean the first. */
static int add_arc(struct reader *reader, const struct net_graph_text_arc *arc, struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    uint32_t source = arc->ends[0], target = arc->ends[1];
    if (text->arc_count == NET_TERMINALS_MAX)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "more than %u channels", NET_TERMINALS_MAX);
    if (base_grow_32(&text->arcs, &text->arc_room, (size_t)text->arc_count + 1, sizeof *text->arcs) != 0 ||
        (base_table_get(&text->arc_of, source, target) == BASE_TABLE_NONE &&
         base_table_put(&text->arc_of, source, target, text->arc_count) != 0))
        return base_error_memory(error, "the links of a graph");
    text->arcs[text->arc_count++] = *arc;
    text->ranked = text->ranked || arc->rank != NET_NONE;
    return 0;
}

/* Cycles of a link, at least one. */
static int read_latency(struct reader *reader, uint32_t word, const char *value, uint32_t *latency,
                        struct base_error *error)
{
    uint64_t read;
    if (base_parse_unsigned(value, NET_LINK_LATENCY_MAX, &read) != 0 || read == 0)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.40s': a latency is a number of cycles from 1 to %d", value,
                             NET_LINK_LATENCY_MAX);
    *latency = (uint32_t)read;
    return 0;
}

/* "1/W", so that wider is more; 1 is the full width. */
static int read_width(struct reader *reader, uint32_t word, const char *value, uint32_t *flit_cycles,
                      struct base_error *error)
{
    uint64_t read = 1;
    bool full = strcmp(value, "1") == 0;
    if (!full && (strncmp(value, "1/", 2) != 0 ||
                  base_parse_unsigned(value + 2, NET_LINK_FLIT_CYCLES_MAX, &read) != 0 || read == 0))
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.40s': a width is 1, or 1/W with W cycles a flit, up to 1/%d", value,
                             NET_LINK_FLIT_CYCLES_MAX);
    *flit_cycles = (uint32_t)read;
    return 0;
}

/* The number of a class of links, which is new or there already. Linear, as there are few classes. */
static int read_class(struct reader *reader, uint32_t word, const char *value, uint32_t *number,
                      struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    if (*value == '\0' || strlen(value) > NAME_CHARACTERS || strpbrk(value, "/=,") != NULL)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.70s' is not a name for a class: at most %d characters, none of / = ,", value,
                             NAME_CHARACTERS);
    for (*number = 0; *number < text->class_count; ++*number)
        if (strcmp(text->classes[*number], value) == 0)
            return 0;
    if (text->class_count == NET_GRAPH_CLASSES_MAX)
        return base_error_at(error, BASE_INPUT, at(reader, word), "more than %d classes of links",
                             NET_GRAPH_CLASSES_MAX);
    text->classes[text->class_count] = base_arena_text(text->arena, value);
    return text->classes[text->class_count++] != NULL ? 0 : base_error_memory(error, "the links of a graph");
}

/* One "key=value" behind the ends of a link. Which key it is decides who reads it; the sentence at the end names
 * all of them. */
static int read_link_value(struct reader *reader, uint32_t word, bool both, struct net_graph_text_arc arcs[2],
                           struct base_error *error)
{
    char *text = reader->words[word].text;
    char *value;
    if ((value = value_of(text, "rank")) != NULL)
        return read_number(reader, word, value, NET_NONE - 1, &arcs[0].rank, error);
    if (both && (value = value_of(text, "back")) != NULL)
        return read_number(reader, word, value, NET_NONE - 1, &arcs[1].rank, error);
    if ((value = value_of(text, "latency")) != NULL)
        return read_latency(reader, word, value, &arcs[0].latency, error);
    if ((value = value_of(text, "width")) != NULL)
        return read_width(reader, word, value, &arcs[0].flit_cycles, error);
    if ((value = value_of(text, "length")) != NULL)
        return read_number(reader, word, value, NET_NONE - 1, &arcs[0].length, error);
    if ((value = value_of(text, "class")) != NULL)
        return read_class(reader, word, value, &arcs[0].class_number, error);
    return base_error_at(error, BASE_INPUT, at(reader, word), "'%.40s': %s", text,
                         both ? "a link takes rank=N, back=N, latency=L, width=1/W, class=NAME and length=N"
                              : "an arc takes rank=N, latency=L, width=1/W, class=NAME and length=N");
}

/* A link is two arcs that differ in their ranks only. Links after routes are refused: a route has been checked
 * against the ranks that were known, and a rank that comes later could break it unseen. rank= is of the link as it
 * is written, back= of the other direction. */
static int read_link(struct reader *reader, struct base_error *error)
{
    bool both = strcmp(reader->words[0].text, "link") == 0;
    struct net_graph_text_arc arcs[2] = {{.rank = NET_NONE}, {.rank = NET_NONE}};
    uint32_t *ends = arcs[0].ends;
    if (reader->text->route_count > 0)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "links must precede routes");
    if (reader->count < 3)
        return base_error_at(
            error, BASE_INPUT, at(reader, 0),
            "a link is written: link A B [rank=N] [back=N] [latency=L] [width=1/W] [class=NAME] "
            "[length=N], or arc A B ...");
    if (find_router(reader, 1, &ends[0], error) != 0 || find_router(reader, 2, &ends[1], error) != 0)
        return -1;
    if (ends[0] == ends[1])
        return base_error_at(error, BASE_INPUT, at(reader, 2), "router '%s' cannot be linked to itself",
                             reader->words[2].text);
    arcs[0].class_number = NET_NONE;
    for (uint32_t word = 3; word < reader->count; word++)
        if (read_link_value(reader, word, both, arcs, error) != 0)
            return -1;
    uint32_t back = arcs[1].rank;
    arcs[1] = arcs[0];
    arcs[1].rank = back;
    arcs[1].ends[0] = ends[1];
    arcs[1].ends[1] = ends[0];
    if (add_arc(reader, &arcs[0], error) != 0)
        return -1;
    return both ? add_arc(reader, &arcs[1], error) : 0;
}

/* Channels in use rise along a route: by virtual channel, then by rank. A file without ranks makes no claim: then
 * the static check decides whether its routes can deadlock. */
static int check_order(struct reader *reader, uint32_t word, const struct net_graph_hop *before,
                       const struct net_graph_hop *hop, struct base_error *error)
{
    const struct net_graph_text *text = reader->text;
    uint32_t rank = text->arcs[hop->link].rank;
    if (!text->ranked)
        return 0;
    if (rank == NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "this hop's link has no rank, but others have one");
    if (before == NULL || hop->virtual_channel > before->virtual_channel ||
        (hop->virtual_channel == before->virtual_channel && rank > text->arcs[before->link].rank))
        return 0;
    return base_error_at(error, BASE_INPUT, at(reader, word),
                         "this hop, of rank %u on virtual channel %u, does not come after the one before, of "
                         "rank %u on %u: such routes may deadlock",
                         rank, hop->virtual_channel, text->arcs[before->link].rank, before->virtual_channel);
}

/* "NAME" or "NAME/CHANNEL": a hop to that router. The first arc of the pair is the one that is meant where there
 * are parallel ones. */
static int read_hop(struct reader *reader, uint32_t word, uint32_t *router, struct net_graph_hop *hop,
                    struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    char *slash = strchr(reader->words[word].text, '/');
    uint32_t target;
    hop->virtual_channel = 0;
    if (slash != NULL) {
        *slash = '\0';
        if (read_number(reader, word, slash + 1, NET_GRAPH_CHANNELS_MAX - 1, &hop->virtual_channel, error) !=
            0)
            return -1;
    }
    if (find_router(reader, word, &target, error) != 0)
        return -1;
    hop->link = base_table_get(&text->arc_of, *router, target);
    if (hop->link == BASE_TABLE_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, word), "there is no link from '%s' to '%s'",
                             text->routers[*router].name, text->routers[target].name);
    *router = target;
    return 0;
}

/* Hops of all routes lie behind each other; the largest virtual channel decides how many the routing will
 * ask for. */
static int add_hop(struct reader *reader, const struct net_graph_hop *hop, struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    if (text->hop_count == HOPS_MAX)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "more than %u hops of routes", HOPS_MAX);
    if (base_grow_32(&text->hops, &text->hop_room, (size_t)text->hop_count + 1, sizeof *text->hops) != 0)
        return base_error_memory(error, "the routes of a graph");
    text->hops[text->hop_count++] = *hop;
    if (hop->virtual_channel >= text->virtual_channels)
        text->virtual_channels = hop->virtual_channel + 1;
    return 0;
}

/* route A B C/1 D: each word after the second is a hop from the router before. Routes are of pairs that
 * send to each other; switches without terminals only lie on the way. Whether it is the shortest or passes a
 * router twice is the owner's business; it must only exist. */
static int read_route(struct reader *reader, struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    struct net_graph_route route = {.first = text->hop_count, .line = (uint32_t)reader->where.line};
    uint32_t router;
    if (reader->count < 3)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "a route is written: route A B/CHANNEL ... Z");
    if (find_router(reader, 1, &route.source, error) != 0)
        return -1;
    router = route.source;
    for (uint32_t word = 2; word < reader->count; word++) {
        struct net_graph_hop hop;
        if (read_hop(reader, word, &router, &hop, error) != 0 ||
            check_order(reader, word, word > 2 ? &text->hops[text->hop_count - 1] : NULL, &hop, error) != 0 ||
            add_hop(reader, &hop, error) != 0)
            return -1;
    }
    route.target = router;
    route.count = text->hop_count - route.first;
    if (text->routers[route.source].terminals == 0 || text->routers[route.target].terminals == 0)
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "a route begins and ends at routers with terminals");
    if (route.source == route.target)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "router '%s' needs no route to itself",
                             text->routers[router].name);
    if (base_grow_32(&text->routes, &text->route_room, (size_t)text->route_count + 1, sizeof *text->routes) !=
        0)
        return base_error_memory(error, "the routes of a graph");
    text->routes[text->route_count++] = route;
    return 0;
}

/* The first statement names the format and its version, so that a file of something else is refused by its
 * first line and not by its hundredth. */
static int read_statement(struct reader *reader, struct base_error *error)
{
    const char *first = reader->words[0].text;
    if (!reader->begun) {
        reader->begun = true;
        if (strcmp(first, "flitreplay-graph") == 0 && reader->count == 2 &&
            strcmp(reader->words[1].text, "1") == 0)
            return 0;
        return base_error_at(error, BASE_INPUT, at(reader, 0), "a graph begins with: flitreplay-graph 1");
    }
    if (strcmp(first, "router") == 0)
        return read_router(reader, error);
    if (strcmp(first, "link") == 0 || strcmp(first, "arc") == 0)
        return read_link(reader, error);
    if (strcmp(first, "route") == 0)
        return read_route(reader, error);
    return base_error_at(error, BASE_INPUT, at(reader, 0),
                         "'%.40s' is not a statement; statements are router, link, arc and route", first);
}

/* Cuts the line into words, in place. */
static int split(struct reader *reader, struct base_error *error)
{
    reader->count = base_words_split(reader->line, reader->words, WORDS_MAX);
    if (reader->count <= WORDS_MAX)
        return 0;
    return base_error_at(error, BASE_INPUT, at(reader, 0), "more than %d words", WORDS_MAX);
}

/* 1: a line; 0: the end; -1. A zero byte would hide the rest of its line. Character by character, as the length
 * must be checked before it is stored. */
static int read_line(struct reader *reader, struct base_error *error)
{
    size_t length = 0;
    int character;
    reader->where.line++;
    reader->count = 0;
    while ((character = getc(reader->stream)) != EOF && character != '\n') {
        if (length == LINE_CHARACTERS - 1)
            return base_error_at(error, BASE_INPUT, at(reader, 0), "the line is longer than %d characters",
                                 LINE_CHARACTERS);
        if (character == '\0')
            return base_error_at(error, BASE_INPUT, at(reader, 0), "a zero byte: this is not a text file");
        reader->line[length++] = (char)character;
    }
    reader->line[length] = '\0';
    if (ferror(reader->stream))
        return base_error_system(error, errno, "%s: reading stopped in line %lld", reader->where.source,
                                 (long long)reader->where.line);
    return character != EOF || length > 0;
}

/* Links that declare no class are of the class "other" where any link declares one; else of none. */
static int class_others(struct reader *reader, struct base_error *error)
{
    struct net_graph_text *text = reader->text;
    bool classes = text->class_count > 0;
    for (uint32_t i = 0; i < text->arc_count; i++) {
        uint32_t *number = &text->arcs[i].class_number;
        if (*number == NET_NONE && !classes)
            *number = 0;
        else if (*number == NET_NONE && read_class(reader, 0, "other", number, error) != 0)
            return -1;
    }
    return 0;
}

/* Empty lines and comments have no words. What can only be seen at the end has no line to point at. Statements may
 * be split over lines nowhere, so that each line stands for itself. */
static int read_lines(struct reader *reader, struct base_error *error)
{
    int more;
    while ((more = read_line(reader, error)) > 0)
        if (split(reader, error) != 0 || (reader->count > 0 && read_statement(reader, error) != 0))
            return -1;
    if (more < 0)
        return -1;
    reader->where.line = -1;
    reader->count = 0;
    if (!reader->begun)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "a graph begins with: flitreplay-graph 1");
    if (reader->text->terminals == 0)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "no router has terminals");
    return class_others(reader, error);
}

/* Line and words have a fixed size, so a file without line ends cannot ask for more memory than one line.
 * text->arena must be set; on failure what it holds goes with the topology. */
int net_graph_text_read(struct net_graph_text *text, const struct base_input *file, struct base_error *error)
{
    struct reader reader = {.text = text, .stream = file->stream, .where = base_position_of(file->path)};
    int status = -1;
    text->virtual_channels = 1;
    reader.where.line = 0;
    reader.line = malloc(LINE_CHARACTERS);
    reader.words = malloc(WORDS_MAX * sizeof *reader.words);
    if (reader.line == NULL || reader.words == NULL)
        base_error_memory(error, "a line of a graph");
    else
        status = read_lines(&reader, error);
    free(reader.line);
    free(reader.words);
    return status;
}

/* What the arena holds, the names, belongs to the topology and stays. */
void net_graph_text_free(struct net_graph_text *text)
{
    free(text->routers);
    free(text->arcs);
    free(text->routes);
    free(text->hops);
    base_table_free(&text->name_of);
    base_table_free(&text->arc_of);
}
