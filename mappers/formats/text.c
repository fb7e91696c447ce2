/* Our own text: "rank terminal" lines in any order, comments, blank lines. The form is drawn in placement.h. */
#include <config.h>

#include "mappers/formats/map-file.h"

#include <ctype.h>

/* Both texts are kept for map_reader_place(): an error about the rank points at the one, an error about
 * the terminal at the other. */
static int read_line(struct map_reader *reader, struct base_error *error)
{
    const char *text = map_skip_blanks(reader->line), *rank_text = text;
    const char *terminal_text;
    uint64_t rank, terminal;

    if (map_at_end(reader, text))
        return 0;
    if (map_reader_number(reader, &text, "", "a rank", &rank, error) != 0)
        return -1;
    text = terminal_text = map_skip_blanks(text);
    if (map_reader_number(reader, &text, "", "a terminal", &terminal, error) != 0 ||
        map_reader_end(reader, text, error) != 0)
        return -1;
    return map_reader_place(reader, rank, terminal, rank_text, terminal_text, error);
}

/* In any order: each line names its rank. */
static int read(struct map_reader *reader, struct base_error *error)
{
    return map_reader_lines(reader, read_line, error);
}

/* A path may hold line ends, which would end a comment. */
static void write_comment_text(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++)
        putc(iscntrl((unsigned char)*text) ? '?' : *text, stream);
}

/* Ranks in order, so that equal placements are equal files. */
int map_placement_write(const struct map_placement *placement, const struct net_topology *topology,
                        FILE *stream)
{
    fputs("# flitreplay placement: rank terminal\n# mapping ", stream);
    write_comment_text(placement->text, stream);
    fprintf(stream, ", topology %s, %u ranks\n", topology->text, placement->ranks);
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        fprintf(stream, "%u %u\n", rank, placement->terminal[rank]);
    return ferror(stream) ? -1 : 0;
}

/* The slots do not matter: the text names terminals, which a rank keeps whatever the partition. */
static int write(const struct map_placement *placement, const struct map_problem *problem,
                 const uint32_t *slot, FILE *stream)
{
    (void)slot;
    return map_placement_write(placement, problem->topology, stream);
}

const struct map_format map_format_text = {
    .name = "text",
    .summary = "our own: \"rank terminal\" lines with comments (*.map, and any other name)",
    .ending = ".map",
    .read = read,
    .write = write,
};
