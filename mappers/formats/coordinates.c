/* Coordinates, a line a rank, in the order of ranks: plain lists, and the mapfiles of Blue Gene.
 *
 *      plain           Blue Gene (mpirun -mapfile, runjob --mapping)
 *      0 0             0 0 0       X Y, and T: the place within the node
 *      1,0             1 0 0
 *
 * Blue Gene/L and /P write X Y Z T, Blue Gene/Q A B C D E T; here it is as many as the topology has, and T. A
 * plain list leaves T out: ranks take the first free place of their node. */
#include <config.h>

#include "mappers/formats/map-file.h"
#include "netmodel/topologies/mway.h"

#define LIMIT "it needs routers with coordinates, as grids have"

/* Processors inside m-way routers are between channels, which have coordinates. */
static bool has_coordinates(const struct map_problem *problem)
{
    return problem->coordinate != NULL && !net_shared_inside_routers(problem->topology);
}

/* One coordinate; commas may separate plain ones. */
static int read_coordinate(struct map_reader *reader, const char **text, bool commas, const char *expected,
                           uint64_t *number, struct base_error *error)
{
    *text = map_skip_blanks(*text);
    if (map_reader_number(reader, text, commas ? "," : "", expected, number, error) != 0)
        return -1;
    *text = map_skip_blanks(*text);
    if (commas && **text == ',')
        ++*text;
    return 0;
}

/* The coordinates of a line as a router's number. Sides of 1 have no coordinate. */
static int read_router(struct map_reader *reader, const char **text, bool commas, uint64_t *router,
                       struct base_error *error)
{
    const struct map_problem *problem = reader->problem;
    uint64_t factor = 1;

    *router = 0;
    for (uint32_t d = 0; d < problem->dimensions; d++) {
        const char *start = map_skip_blanks(*text);
        uint64_t at;
        if (read_coordinate(reader, text, commas, "a coordinate", &at, error) != 0)
            return -1;
        if (at >= problem->sides[d])
            return base_error_at(error, BASE_INPUT, map_reader_at(reader, start),
                                 "coordinate %.*s, but this side of %s has %u", map_digits(start), start,
                                 problem->topology->text, problem->sides[d]);
        *router += at * factor;
        factor *= problem->sides[d];
    }
    return 0;
}

/* `places`: T follows. The rank has no text of its own: the line stands for it. */
static int read_line(struct map_reader *reader, uint64_t rank, bool places, struct base_error *error)
{
    const char *start = map_skip_blanks(reader->line), *text = start;
    uint64_t router;
    uint64_t place = NET_NONE;

    if (rank >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, start),
                             "a line for rank %llu, but %u ranks are mapped", (unsigned long long)rank,
                             reader->problem->ranks);
    if (read_router(reader, &text, !places, &router, error) != 0 ||
        (places && read_coordinate(reader, &text, false, "a place in the node", &place, error) != 0) ||
        map_reader_end(reader, text, error) != 0)
        return -1;
    return map_reader_place_on(reader, rank, router, place == UINT64_MAX ? UINT64_MAX - 1 : place, start,
                               start, error);
}

/* The number of a rank is that of its line, not counting empty ones and comments: that is why nothing may
 * be left out. Where the machine has no coordinates the file is refused before it is read. */
static int read_lines(struct map_reader *reader, bool places, struct base_error *error)
{
    uint64_t rank = 0;
    int more;

    if (!has_coordinates(reader->problem))
        return base_error_at(error, BASE_INPUT, &reader->where, "%s has no coordinates of its nodes",
                             reader->problem->topology->text);
    while ((more = map_reader_line(reader, error)) > 0) {
        if (map_at_end(reader, map_skip_blanks(reader->line)))
            continue;
        if (read_line(reader, rank++, places, error) != 0)
            return -1;
    }
    return more;
}

static int read_plain(struct map_reader *reader, struct base_error *error)
{
    return read_lines(reader, false, error);
}

static int read_bluegene(struct map_reader *reader, struct base_error *error)
{
    return read_lines(reader, true, error);
}

/* -1 with nothing wrong on the stream means that the format cannot say this placement:
 * map_placement_write_as() tells the two apart by ferror(). */
static int write_lines(const struct map_placement *placement, const struct map_problem *problem,
                       const uint32_t *slot, bool places, FILE *stream)
{
    if (!has_coordinates(problem))
        return -1;
    for (uint32_t rank = 0; rank < placement->ranks; rank++) {
        const uint32_t *at = problem->coordinate + (size_t)slot[rank] * problem->dimensions;
        for (uint32_t d = 0; d < problem->dimensions; d++)
            fprintf(stream, "%s%u", d == 0 ? "" : " ", at[d]);
        if (places)
            fprintf(stream, " %u", map_place_in_router(problem, slot[rank]));
        putc('\n', stream);
    }
    return ferror(stream) ? -1 : 0;
}

static int write_plain(const struct map_placement *placement, const struct map_problem *problem,
                       const uint32_t *slot, FILE *stream)
{
    return write_lines(placement, problem, slot, false, stream);
}

static int write_bluegene(const struct map_placement *placement, const struct map_problem *problem,
                          const uint32_t *slot, FILE *stream)
{
    return write_lines(placement, problem, slot, true, stream);
}

const struct map_format map_format_coordinates = {
    .name = "coordinates",
    .summary = "the coordinates of each rank's node, a line a rank (*.coords)",
    .ending = ".coords",
    .limit = LIMIT,
    .read = read_plain,
    .write = write_plain,
};

const struct map_format map_format_bluegene = {
    .name = "bluegene",
    .summary = "Blue Gene mapfiles: coordinates and the place in the node, a line a rank (*.mapfile)",
    .ending = ".mapfile",
    .limit = LIMIT,
    .read = read_bluegene,
    .write = write_bluegene,
};
