/* Slurm's lists of hosts, as SLURM_HOSTFILE takes them with --distribution=arbitrary: the node of each rank in the
 * order of ranks, separated by commas or lines, with ranges in brackets.
 *
 *      node[0-3,7],node5
 *      node[08-11]
 *
 * A node's name ends in the number of its router (on an ideal network: of its terminal). A node that comes again
 * takes one rank more, as far as it has places. */
#include <config.h>

#include "mappers/map-file.h"

#include <string.h>

#define NODES_MAX UINT32_C(1) << 24 /* more than any topology has */

/* The next rank goes to this node. */
static int put(struct map_reader *reader, uint64_t node, const char *text, struct base_error *error)
{
    if (reader->placed >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, text), "more nodes than the %u ranks",
                             reader->problem->ranks);
    return map_reader_place_on(reader, reader->placed, node, NET_NONE, text, text, error);
}

/* "3" or "0-7" within brackets. */
static int read_range(struct map_reader *reader, const char **text, struct base_error *error)
{
    const char *start = *text;
    uint64_t first, last;

    if (map_reader_number(reader, text, "-,]", "the number of a node", &first, error) != 0)
        return -1;
    last = first;
    if (**text == '-') {
        ++*text;
        if (map_reader_number(reader, text, ",]", "the last number of a range", &last, error) != 0)
            return -1;
    }
    if (last < first || last >= NODES_MAX)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, start), "an impossible range of nodes");
    for (uint64_t node = first; node <= last; node++)
        if (put(reader, node, start, error) != 0)
            return -1;
    return 0;
}

/* From behind the bracket to behind its end. */
static int read_brackets(struct map_reader *reader, const char **text, struct base_error *error)
{
    for (;;) {
        if (read_range(reader, text, error) != 0)
            return -1;
        if (**text == ']')
            break;
        if (**text != ',')
            return map_reader_garbage(reader, *text, "']'", error);
        ++*text;
    }
    ++*text;
    return 0;
}

/* One host, or a bracketed set of them. */
static int read_host(struct map_reader *reader, const char **text, struct base_error *error)
{
    const char *start = *text, *end = start + strcspn(start, " \t#,[");
    uint64_t node;

    if (*end == '[') {
        *text = end + 1;
        return read_brackets(reader, text, error);
    }
    *text = end;
    while (*text > start && (*text)[-1] >= '0' && (*text)[-1] <= '9')
        --*text;
    if (*text == end)
        return map_reader_garbage(reader, start, "a node whose name ends in a number", error);
    if (map_reader_number(reader, text, ",", "a node", &node, error) != 0)
        return -1;
    return put(reader, node, start, error);
}

static int read_line(struct map_reader *reader, struct base_error *error)
{
    const char *text = map_skip_blanks(reader->line);

    while (!map_at_end(reader, text)) {
        if (read_host(reader, &text, error) != 0)
            return -1;
        text = map_skip_blanks(text);
        if (*text == ',')
            text = map_skip_blanks(text + 1);
        else if (!map_at_end(reader, text))
            return map_reader_garbage(reader, text, "a comma", error);
    }
    return 0;
}

static int read(struct map_reader *reader, struct base_error *error)
{
    int more;

    while ((more = map_reader_line(reader, error)) > 0)
        if (read_line(reader, error) != 0)
            return -1;
    return more;
}

/* A line a rank. Within a node the places are given out in the order of ranks, which is all that the form can say. */
static int write(const struct map_placement *placement, const struct map_problem *problem, const uint32_t *slot,
                 FILE *stream)
{
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        fprintf(stream, "node%u\n", map_router_of(problem, slot[rank]));
    return ferror(stream) ? -1 : 0;
}

const struct map_format map_format_hostlist = {
    .name = "hostlist",
    .summary = "Slurm's lists of hosts, one for each rank: node[0-3,7]",
    .longest_line = 1 << 20,
    .read = read,
    .write = write,
};
