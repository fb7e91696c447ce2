/* The text form of placements: a reader that trusts nothing, and its writer.
 *
 * The reader looks at one line at a time, of bounded length, and keeps what is needed to name the other line
 * of a contradiction. Memory is in proportion to the ranks, whatever the file holds.
 *
 * Every error says the line, and the column where it is known: these files are edited by hand. A file that
 * is only partly right is refused as a whole, since a replay on a placement nobody wrote would pass for a
 * result. */
#include "mappers/placement.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

#define LINE_MAX_CHARACTERS 4096

struct reader {
    FILE *stream;
    const struct net_topology *topology;
    uint32_t ranks, placed;
    uint32_t *terminal;
    int64_t *line_of_rank;      /* 0: not placed yet */
    struct base_table rank_of;  /* (terminal, 0) -> rank */
    struct base_position where; /* the line being read, and a column in it */
    char line[LINE_MAX_CHARACTERS + 1];
    size_t length;
};

/* Points at a character of the line, for an error about it. */
static const struct base_position *at(struct reader *reader, const char *place)
{
    reader->where.column = place - reader->line + 1;
    return &reader->where;
}

/* 1: a line without its end; 0: the file is over; -1. */
static int read_line(struct reader *reader, struct base_error *error)
{
    int character;

    reader->length = 0;
    reader->where.line++;
    reader->where.column = -1;
    while ((character = getc(reader->stream)) != EOF && character != '\n') {
        if (reader->length == LINE_MAX_CHARACTERS)
            return base_error_at(error, BASE_INPUT, &reader->where, "longer than %d characters",
                                 LINE_MAX_CHARACTERS);
        reader->line[reader->length++] = (char)character;
    }
    reader->line[reader->length] = '\0';
    if (ferror(reader->stream))
        return base_error_system(error, errno, "%s: reading stopped in line %lld", reader->where.source,
                                 (long long)reader->where.line);
    if (character == EOF && reader->length == 0)
        return 0;
    if (character == EOF)
        return base_error_at(error, BASE_INPUT, at(reader, reader->line + reader->length),
                             "the last line has no end: the file may have been cut");
    if (reader->length > 0 && reader->line[reader->length - 1] == '\r')
        return base_error_at(error, BASE_INPUT, at(reader, reader->line + reader->length - 1),
                             "a carriage return: the file has DOS line ends");
    return 1;
}

/* Stops at the end of the line as well, and at a zero byte within it. */
static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Anything but what was expected, shown as far as it can be printed. */
static int garbage(struct reader *reader, const char *text, const char *expected, struct base_error *error)
{
    const struct base_position *position = at(reader, text);
    size_t shown = 0;

    if (text == reader->line + reader->length)
        return base_error_at(error, BASE_INPUT, position, "the line ends where %s is expected", expected);
    while (shown < 20 && isgraph((unsigned char)text[shown]))
        shown++;
    if (shown == 0)
        return base_error_at(error, BASE_INPUT, position, "a byte of value %u where %s is expected",
                             (unsigned char)*text, expected);
    return base_error_at(error, BASE_INPUT, position, "'%.*s' where %s is expected", (int)shown, text,
                         expected);
}

/* Decimal digits up to a blank, a comment or the end. Larger numbers than fit are UINT64_MAX. */
static int parse_number(struct reader *reader, const char **text, const char *expected, uint64_t *number,
                        struct base_error *error)
{
    const char *digit = *text;

    *number = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        *number = *number > UINT64_MAX / 20 ? UINT64_MAX : *number * 10 + (uint64_t)(*digit - '0');
    if (digit == *text || (*digit != '\0' && strchr(" \t#", *digit) == NULL))
        return garbage(reader, *text, expected, error);
    *text = digit;
    return 0;
}

/* How many digits to show of a number that does not exist. */
static int digits(const char *text)
{
    size_t count = strspn(text, "0123456789");
    return count < 20 ? (int)count : 20;
}

/* One pair, each with its place in the line. */
static int place(struct reader *reader, uint64_t rank, uint64_t terminal, const char *rank_text,
                 const char *terminal_text, struct base_error *error)
{
    uint32_t other;

    if (rank >= reader->ranks)
        return base_error_at(error, BASE_INPUT, at(reader, rank_text),
                             "there is no rank %.*s: %u ranks are mapped", digits(rank_text), rank_text,
                             reader->ranks);
    if (reader->line_of_rank[rank] != 0)
        return base_error_at(error, BASE_INPUT, at(reader, rank_text),
                             "rank %u is placed already, in line %lld", (unsigned)rank,
                             (long long)reader->line_of_rank[rank]);
    if (terminal >= reader->topology->terminals)
        return base_error_at(error, BASE_INPUT, at(reader, terminal_text),
                             "there is no terminal %.*s: %s has %u", digits(terminal_text), terminal_text,
                             reader->topology->text, reader->topology->terminals);
    other = base_table_get(&reader->rank_of, terminal, 0);
    if (other != BASE_TABLE_NONE)
        return base_error_at(error, BASE_INPUT, at(reader, terminal_text),
                             "terminal %u is taken already, by rank %u in line %lld", (unsigned)terminal,
                             other, (long long)reader->line_of_rank[other]);
    if (base_table_put(&reader->rank_of, terminal, 0, (uint32_t)rank) != 0)
        return base_error_memory(error, "reading a placement");
    reader->terminal[rank] = (uint32_t)terminal;
    reader->line_of_rank[rank] = reader->where.line;
    reader->placed++;
    return 0;
}

/* A pair, a comment or nothing. A zero byte is not the end of the line but garbage in it. */
static int parse_line(struct reader *reader, struct base_error *error)
{
    const char *text = skip_blanks(reader->line), *rank_text = text, *terminal_text;
    uint64_t rank, terminal;

    if (*text == '#' || text == reader->line + reader->length)
        return 0;
    if (parse_number(reader, &text, "a rank", &rank, error) != 0)
        return -1;
    text = terminal_text = skip_blanks(text);
    if (parse_number(reader, &text, "a terminal", &terminal, error) != 0)
        return -1;
    text = skip_blanks(text);
    if (*text != '#' && text != reader->line + reader->length)
        return garbage(reader, text, "the end of the line", error);
    return place(reader, rank, terminal, rank_text, terminal_text, error);
}

/* All lines have been checked one by one; what can still be wrong is that some ranks never came. */
static int read_lines(struct reader *reader, struct base_error *error)
{
    uint32_t missing = 0;
    int more;

    while ((more = read_line(reader, error)) > 0)
        if (parse_line(reader, error) != 0)
            return -1;
    if (more < 0)
        return -1;
    if (reader->placed == reader->ranks)
        return 0;
    while (reader->line_of_rank[missing] != 0)
        missing++;
    return base_error_set(error, BASE_INPUT,
                          "%s: %u of %u ranks are placed; the first without a terminal is rank %u",
                          reader->where.source, reader->placed, reader->ranks, missing);
}

/* `terminal` is the caller's, with an entry for each rank; it is only complete when the result is 0. */
int map_placement_read(const char *path, const struct net_topology *topology, uint32_t ranks,
                       uint32_t *terminal, struct base_error *error)
{
    struct reader reader = {.topology = topology, .ranks = ranks, .terminal = terminal};
    int status;

    reader.where = base_position_of(path);
    reader.where.line = 0;
    reader.line_of_rank = calloc((size_t)ranks + 1, sizeof *reader.line_of_rank);
    if (reader.line_of_rank == NULL)
        return base_error_memory(error, "reading a placement");
    reader.stream = fopen(path, "r");
    if (reader.stream == NULL) {
        status = base_error_system(error, errno, "%s: cannot open this placement", path);
    } else {
        status = read_lines(&reader, error);
        fclose(reader.stream);
    }
    base_table_free(&reader.rank_of);
    free(reader.line_of_rank);
    return status;
}

/* A path may hold line ends, which would end a comment. */
static void write_comment_text(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++)
        putc(iscntrl((unsigned char)*text) ? '?' : *text, stream);
}

/* Ranks in order, so that equal placements are equal files. The stream stays the caller's; errors that only
 * show on closing are the caller's to find. */
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
