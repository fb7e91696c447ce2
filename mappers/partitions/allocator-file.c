/* The terminals that a file lists: an allocation that a batch system made, or one made by hand. The file says
 * how many; the job must fit on them, and they must be free. */
#include "mappers/partitions/partition.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file while it is read, one character ahead. */
struct reading {
    FILE *stream;                   /* borrowed from the input */
    const char *path;               /* for errors */
    int64_t line, column;           /* of the character in next, both from 1 */
    int64_t from_line, from_column; /* where the range that is being read begins */
    int next;
};

/* Characters are read one by one, not lines, so that the length of a line needs no bound: then line and
 * column have to be counted here, for errors. */
static int refuse(const struct reading *reading, struct base_error *error, const char *sentence)
{
    struct base_position position = base_position_of(reading->path);

    position.line = reading->line;
    position.column = reading->column;
    return base_error_at(error, BASE_INPUT, &position, "%s", sentence);
}

/* The same of a whole range: at its beginning. */
static int refuse_range(const struct reading *reading, struct base_error *error, const char *sentence)
{
    struct reading from = *reading;

    from.line = reading->from_line;
    from.column = reading->from_column;
    return refuse(&from, error, sentence);
}

/* Columns count from 1: the end of a line sets the column back to 0, and the character after it makes it
 * 1. */
static void step(struct reading *reading)
{
    if (reading->next == '\n') {
        reading->line++;
        reading->column = 0;
    }
    reading->next = getc(reading->stream);
    reading->column++;
}

/* Blanks, commas, line ends, and comments up to the end of their line. */
static void pass_blanks(struct reading *reading)
{
    bool comment = false;

    while (reading->next != EOF &&
           (comment || isspace(reading->next) || reading->next == ',' || reading->next == '#')) {
        comment = (comment || reading->next == '#') && reading->next != '\n';
        step(reading);
    }
}

/* A number below the terminals of the machine. */
static int read_number(struct reading *reading, uint32_t terminals, uint32_t *number,
                       struct base_error *error)
{
    uint64_t value = 0;

    if (!isdigit(reading->next))
        return refuse(reading, error, "neither a terminal nor a range of them (0-8)");
    while (isdigit(reading->next)) {
        value = value * 10 + (uint64_t)(reading->next - '0');
        if (value >= terminals)
            return refuse_range(reading, error, "there is no such terminal");
        step(reading);
    }
    *number = (uint32_t)value;
    return 0;
}

/* The terminals' cells; a cell once, though the file lists each of its terminals. */
static int add_range(struct map_cells *cells, const struct reading *reading, bool *taken, uint32_t first,
                     uint32_t last, struct base_error *error)
{
    if (last < first)
        return refuse_range(reading, error, "the range ends before it begins");
    for (uint32_t cell = first / cells->concentration; cell <= last / cells->concentration; cell++) {
        if (cells->busy[cell])
            return refuse_range(reading, error, "the terminal is another job's");
        if (taken[cell] && cells->concentration == 1)
            return refuse_range(reading, error, "the terminal is listed already");
        if (!taken[cell])
            cells->cell[cells->cell_count++] = cell;
        taken[cell] = true;
    }
    return 0;
}

/* Range after range. */
static int read_list(struct map_cells *cells, struct reading *reading, bool *taken, struct base_error *error)
{
    uint32_t terminals = cells->topology->terminals;
    uint32_t first, last;

    step(reading);
    for (pass_blanks(reading); reading->next != EOF; pass_blanks(reading)) {
        reading->from_line = reading->line;
        reading->from_column = reading->column;
        if (read_number(reading, terminals, &first, error) != 0)
            return -1;
        last = first;
        if (reading->next == '-') {
            step(reading);
            if (read_number(reading, terminals, &last, error) != 0)
                return -1;
        }
        if (reading->next != EOF && !isspace(reading->next) && reading->next != ',' && reading->next != '#')
            return refuse(reading, error, "neither a terminal nor a range of them (0-8)");
        if (add_range(cells, reading, taken, first, last, error) != 0)
            return -1;
    }
    if (ferror(reading->stream))
        return base_error_set(error, BASE_SYSTEM, "%s: cannot be read", reading->path);
    return 0;
}

/* Terminals and ranges of them (0-8 12 20-23) between blanks, line ends and commas, comments from '#' to the end of the
 * line. A list that is too short is a defect of the file and no lack of room, so that nobody waits for other
 * jobs to end: it is refused, never MAP_NO_ROOM. Sizes are told in terminals, which is what the file
 * lists. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    struct reading reading = {.stream = cells->file->stream, .path = cells->file->path, .line = 1};
    bool *taken = calloc(cells->count, sizeof *taken);
    int status;

    status =
        taken == NULL ? base_error_memory(error, "a partition") : read_list(cells, &reading, taken, error);
    free(taken);
    if (status == 0 && cells->cell_count < cells->wanted)
        status = base_error_set(error, BASE_INPUT, "%s: lists %u terminals, but the job needs %u",
                                cells->file->path, cells->cell_count * cells->concentration,
                                cells->wanted * cells->concentration);
    return status == 0 ? MAP_FOUND : MAP_REFUSED;
}

const struct map_allocator map_allocator_file = {
    .name = "file",
    .chance = BASE_EXACT,
    .summary = "the terminals listed in a file: file:PATH",
    .reads_file = true,
    .allocate = allocate,
};
