/* The reader of fault files (faults.h has the format): line by line, every word checked where it stands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/units.h"
#include "base/words.h"
#include "netmodel/faults/faults-internal.h"

#define WORDS_MAX 8              /* of a line: more than any statement has */
#define FILE_BYTES_MAX (1 << 26) /* a line for each of a million links */

struct reader {
    struct net_faults_list *list;
    const struct net_topology *topology;
    struct base_position where;
    struct base_word words[WORDS_MAX];
    size_t count;
};

/* Points at a word, or at the line where it has none of that number. */
static const struct base_position *at(struct reader *reader, size_t word)
{
    reader->where.column = word < reader->count ? reader->words[word].column : -1;
    return &reader->where;
}

/* A cycle, or nanoseconds: the cycle that has begun by then is rounded up. */
static int read_time(struct reader *reader, size_t word, uint64_t *cycle, struct base_error *error)
{
    char *text = reader->words[word].text;
    size_t digits = strspn(text, "0123456789");
    bool ns = strcmp(text + digits, "ns") == 0;

    if (ns)
        text[digits] = '\0';
    if (base_parse_unsigned(text, INT64_MAX, cycle) != 0)
        return base_error_at(error, BASE_INPUT, at(reader, word),
                             "'%.40s' is not a time: cycles as 500, nanoseconds as 500ns", text);
    if (ns)
        *cycle = base_cycles_from_ns(*cycle, reader->list->clock_khz);
    return 0;
}

/* By its name as answers have it, "(3,4)", or by its number. NET_NONE: there is none. */
static uint32_t find_router(const struct net_topology *topology, const char *text)
{
    char name[NET_NAME_TEXT];
    uint64_t number;

    if (topology->graph == NULL && base_parse_unsigned(text, topology->routers - UINT64_C(1), &number) == 0)
        return (uint32_t)number;
    for (uint32_t router = 0; router < topology->routers; router++)
        if (strcmp(net_router_name(topology, router, name), text) == 0)
            return router;
    return topology->graph != NULL && base_parse_unsigned(text, topology->routers - UINT64_C(1), &number) == 0
               ? (uint32_t)number
               : NET_NONE;
}

/* The cable of a link fails, unless it has failed. */
static int fail_cable(struct reader *reader, uint32_t cable, uint64_t cycle, struct base_error *error)
{
    if (reader->list->dies[cable] != NET_NEVER)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "that link fails already, in a line above");
    reader->list->dies[cable] = cycle;
    return 0;
}

/* Cables are in the order of their links of the lower number. */
static uint32_t cable_of(const struct net_cables *cables, uint32_t link)
{
    uint32_t lower = link < cables->back[link] ? link : cables->back[link], first = 0, end = cables->count;

    while (end - first > 1) {
        uint32_t middle = first + (end - first) / 2;
        if (cables->link[middle] <= lower)
            first = middle;
        else
            end = middle;
    }
    return first;
}

/* TIME ROUTER PORT */
static int read_port(struct reader *reader, uint64_t cycle, struct base_error *error)
{
    const struct net_topology *topology = reader->topology;
    uint32_t router = find_router(topology, reader->words[1].text);

    if (router == NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "topology '%s' has no router '%.70s'",
                             topology->text, reader->words[1].text);
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
        if (link != NET_NONE && strcmp(net_port_name(topology, router, port), reader->words[2].text) == 0)
            return fail_cable(reader, cable_of(&reader->list->faults->cables, link), cycle, error);
    }
    return base_error_at(error, BASE_INPUT, at(reader, 2), "no link leaves router '%.70s' by a port '%.40s'",
                         reader->words[1].text, reader->words[2].text);
}

/* Of the links between two routers the first that has not failed; none has been left: that of the first. */
static uint32_t find_cable(const struct reader *reader, uint32_t from, uint32_t to)
{
    const struct net_topology *topology = reader->topology;
    uint32_t found = NET_NONE;

    for (uint32_t port = topology->ports; port-- > 0;) {
        uint32_t link = topology->link_at[(size_t)from * topology->ports + port];
        uint32_t cable;
        if (link == NET_NONE || topology->links[link].target != to)
            continue;
        cable = cable_of(&reader->list->faults->cables, link);
        if (found == NET_NONE || reader->list->dies[cable] == NET_NEVER)
            found = cable;
    }
    return found;
}

/* TIME ROUTER-ROUTER. A name in a graph may have dashes of its own, so every dash is tried. */
static int read_pair(struct reader *reader, uint64_t cycle, struct base_error *error)
{
    char *text = reader->words[1].text;
    uint32_t from = NET_NONE, to = NET_NONE;
    uint32_t cable;

    for (char *dash = strchr(text, '-'); dash != NULL && to == NET_NONE; dash = strchr(dash + 1, '-')) {
        *dash = '\0';
        from = find_router(reader->topology, text);
        to = from == NET_NONE ? NET_NONE : find_router(reader->topology, dash + 1);
        *dash = '-';
    }
    if (to == NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, 1),
                             "'%.140s' does not name two routers of topology '%s', as (0,0)-(1,0) or 0-1 do",
                             text, reader->topology->text);
    cable = find_cable(reader, from, to);
    if (cable == NET_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "there is no link '%.140s'", text);
    return fail_cable(reader, cable, cycle, error);
}

/* random N at TIME [seed=S] */
static int read_random(struct reader *reader, struct base_error *error)
{
    struct net_faults_list *list = reader->list;
    struct net_faults_draw draw = {.seed = list->seed};
    uint64_t count;
    bool has_seed = reader->count == 5 && strncmp(reader->words[4].text, "seed=", 5) == 0;

    if ((reader->count != 4 && !has_seed) || strcmp(reader->words[2].text, "at") != 0)
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "random faults are written: random N at TIME [seed=S]");
    if (base_parse_unsigned(reader->words[1].text, UINT32_MAX, &count) != 0)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "'%.40s' is not a number of faults",
                             reader->words[1].text);
    if (has_seed && base_parse_unsigned(reader->words[4].text + 5, INT64_MAX, &draw.seed) != 0)
        return base_error_at(error, BASE_INPUT, at(reader, 4), "'%.40s' is not a seed",
                             reader->words[4].text + 5);
    if (read_time(reader, 3, &draw.cycle, error) != 0)
        return -1;
    draw.count = (uint32_t)count;
    list->faults->drawn |= count > 0 && !has_seed;
    draw.where = *at(reader, 1);
    if (base_grow(&list->draws, &list->draw_room, (size_t)list->draw_count + 1, sizeof draw) != 0)
        return base_error_memory(error, "the faults");
    list->draws[list->draw_count++] = draw;
    return 0;
}

/* Told apart by the number of words, but for `random`: a link is named by its router and port, or by its two
 * routers. */
static int read_statement(struct reader *reader, struct base_error *error)
{
    uint64_t cycle;

    if (strcmp(reader->words[0].text, "random") == 0)
        return read_random(reader, error);
    if (read_time(reader, 0, &cycle, error) != 0)
        return -1;
    if (reader->count == 3)
        return read_port(reader, cycle, error);
    if (reader->count == 2)
        return read_pair(reader, cycle, error);
    return base_error_at(error, BASE_INPUT, at(reader, reader->count > 3 ? 3 : 0),
                         "a line is TIME ROUTER PORT, TIME ROUTER-ROUTER, or random N at TIME");
}

/* A line of too many words has one too many for every statement, too. */
static void split(struct reader *reader, char *line)
{
    size_t words = base_words_split(line, reader->words, WORDS_MAX);
    reader->count = words > WORDS_MAX ? WORDS_MAX : words;
}

/* The text is cut in place; a last line needs no end. */
static int read_lines(struct reader *reader, char *text, struct base_error *error)
{
    for (char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        reader->where.line++;
        split(reader, line);
        if (reader->count > 0 && read_statement(reader, error) != 0)
            return -1;
    }
    return 0;
}

/* What cannot be a list of faults is refused before it is looked into, so that a wrong file says what it is. */
int net_faults_read(struct net_faults_list *list, const struct base_input *input, struct base_error *error)
{
    struct reader reader = {.list = list,
                            .topology = list->faults->topology,
                            .where = base_position_of(list->faults->input.path)};
    char *text;
    int status;

    if (input->size > FILE_BYTES_MAX)
        return base_error_at(error, BASE_INPUT, &reader.where, "larger than a list of faults can be");
    if (memchr(input->bytes, '\0', input->size) != NULL)
        return base_error_at(error, BASE_INPUT, &reader.where, "a zero byte: this is not a text file");
    text = malloc(input->size + 1);
    if (text == NULL)
        return base_error_memory(error, "the faults");
    memcpy(text, input->bytes, input->size);
    text[input->size] = '\0';
    reader.where.line = 0;
    status = read_lines(&reader, text, error);
    free(text);
    return status;
}
