/* Rankfiles of Open MPI: a line for each rank, its node and its place there.
 *
 *      rank 0=node5 slot=0
 *      rank 1=+n7 slot=0
 *
 * A node's name ends in the number of its router (on an ideal network: of its terminal); +nI is the I-th node of the
 * allocation, which is read as the same number. A slot is one number: sockets and ranges of cores have no meaning
 * here, and are refused. */
#include <config.h>

#include "mappers/formats/map-file.h"

#include <string.h>

/* A word and what must follow it. */
static int expect(struct map_reader *reader, const char **text, const char *word, struct base_error *error)
{
    char quoted[32];

    *text = map_skip_blanks(*text);
    snprintf(quoted, sizeof quoted, "'%s'", word);
    if (strncmp(*text, word, strlen(word)) != 0)
        return map_reader_garbage(reader, *text, quoted, error);
    *text = map_skip_blanks(*text + strlen(word));
    return 0;
}

/* The digits at the end of a name; UINT64_MAX when they do not fit. */
static int read_node(struct map_reader *reader, const char **text, uint64_t *node, struct base_error *error)
{
    const char *end = *text + strcspn(*text, " \t#,="), *digits = end;

    while (digits > *text && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (digits == end)
        return map_reader_garbage(reader, *text, "a node whose name ends in a number", error);
    *text = digits;
    return map_reader_number(reader, text, ",=", "a node", node, error);
}

/* The texts of rank and node are kept for errors that are found only when both numbers are known. A slot
 * that does not fit 32 bits is cut to just below NET_NONE, which would mean the node's first free slot
 * instead of none. */
static int read_line(struct map_reader *reader, struct base_error *error)
{
    const char *text = map_skip_blanks(reader->line);
    const char *rank_text, *node_text;
    uint64_t rank, node, place;

    if (map_at_end(reader, text))
        return 0;
    if (expect(reader, &text, "rank", error) != 0)
        return -1;
    rank_text = text;
    if (map_reader_number(reader, &text, "=", "a rank", &rank, error) != 0 ||
        expect(reader, &text, "=", error) != 0)
        return -1;
    node_text = text;
    if (read_node(reader, &text, &node, error) != 0 || expect(reader, &text, "slot", error) != 0 ||
        expect(reader, &text, "=", error) != 0 ||
        map_reader_number(reader, &text, "", "a slot", &place, error) != 0 ||
        map_reader_end(reader, text, error) != 0)
        return -1;
    return map_reader_place_on(reader, rank, node, place >= NET_NONE ? NET_NONE - 1 : place, rank_text,
                               node_text, error);
}

/* In any order: each line names its rank. */
static int read(struct map_reader *reader, struct base_error *error)
{
    return map_reader_lines(reader, read_line, error);
}

/* Nodes are called by the number of their router, since no topology knows its machine's host names;
 * reading takes the same names back. */
static int write(const struct map_placement *placement, const struct map_problem *problem,
                 const uint32_t *slot, FILE *stream)
{
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        fprintf(stream, "rank %u=node%u slot=%u\n", rank, map_router_of(problem, slot[rank]),
                map_place_in_router(problem, slot[rank]));
    return ferror(stream) ? -1 : 0;
}

const struct map_format map_format_openmpi = {
    .name = "openmpi",
    .summary = "rankfiles of Open MPI: rank 0=node5 slot=0 (*.rankfile)",
    .ending = ".rankfile",
    .read = read,
    .write = write,
};
