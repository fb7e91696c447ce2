/* Cray's MPICH_RANK_ORDER: ranks in the order in which they fill the nodes, ranges allowed.
 *
 *      # MPICH_RANK_REORDER_METHOD=3
 *      0,4,1,5
 *      2-3,6-7
 *
 * The i-th rank of the list goes to the i-th slot; a file cannot leave slots free between ranks, so a map that does
 * cannot be written. */
#include <config.h>

#include "mappers/formats/map-file.h"

/* The i-th rank of the list, which may be one of a range. */
static int put(struct map_reader *reader, uint64_t rank, const char *text, struct base_error *error)
{
    if (reader->placed >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, text),
                             "more entries than the %u ranks that are mapped", reader->problem->ranks);
    return map_reader_put(reader, rank, reader->placed, text, text, error);
}

/* "5" or "5-8", upwards. A range ends early: at the first rank that does not exist. */
static int read_range(struct map_reader *reader, const char **text, struct base_error *error)
{
    const char *start = *text;
    const char *last_text;
    uint64_t first, last;

    if (map_reader_number(reader, text, ",-", "a rank", &first, error) != 0)
        return -1;
    if (**text != '-')
        return put(reader, first, start, error);
    last_text = ++*text;
    if (map_reader_number(reader, text, ",", "the last rank of a range", &last, error) != 0)
        return -1;
    if (last < first)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, last_text),
                             "the range of ranks ends before it begins");
    if (last >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, last_text),
                             "there is no rank %.*s: %u ranks are mapped", map_digits(last_text), last_text,
                             reader->problem->ranks);
    for (uint64_t rank = first; rank <= last; rank++)
        if (put(reader, rank, start, error) != 0)
            return -1;
    return 0;
}

/* Ranks and ranges of them: their order is that of the places that they get, from the first one on. */
static int read_line(struct map_reader *reader, struct base_error *error)
{
    return map_reader_list(reader, read_range, error);
}

/* Places are counted on over the ends of lines. */
static int read(struct map_reader *reader, struct base_error *error)
{
    return map_reader_lines(reader, read_line, error);
}

/* The rank in each slot by a search: files of this kind are for machines that fit one. */
static int write(const struct map_placement *placement, const struct map_problem *problem,
                 const uint32_t *slot, FILE *stream)
{
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        if (slot[rank] >= placement->ranks)
            return -1;
    for (uint32_t at = 0; at < placement->ranks; at++) {
        uint32_t rank = 0;
        while (slot[rank] != at)
            rank++;
        fprintf(stream, "%u%s", rank, at + 1 == placement->ranks || at % 16 == 15 ? "\n" : ",");
    }
    (void)problem;
    return ferror(stream) ? -1 : 0;
}

const struct map_format map_format_cray = {
    .name = "cray",
    .summary = "MPICH_RANK_ORDER: ranks in the order in which they fill the nodes (*MPICH_RANK_ORDER)",
    .ending = "MPICH_RANK_ORDER",
    .longest_line = 1 << 20,
    .limit = "it lists the ranks on the first slots, without gaps",
    .read = read,
    .write = write,
};
