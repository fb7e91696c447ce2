/* Links of unequal width along the dimensions of a grid: "widths=1x1/2x1", a width for each size and, where the kind
 * has diagonals, one for those. The Y links of such a torus take two cycles a flit (rule 12 of doc/flit-engine.md). */
#include <string.h>

#include "base/units.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/grid.h"

/* "1" or "1/W", as in files of graphs. 0: it is neither. */
static uint16_t read_width(const char *piece)
{
    uint64_t cycles = 1;

    if (strcmp(piece, "1") == 0)
        return 1;
    if (strncmp(piece, "1/", 2) != 0 ||
        base_parse_unsigned(piece + 2, NET_LINK_FLIT_CYCLES_MAX, &cycles) != 0)
        return 0;
    return (uint16_t)cycles;
}

/* The next piece up to an 'x', whose place becomes an end of text. NULL: there is none. */
static char *take_piece(char **rest)
{
    char *piece = *rest, *end = piece == NULL ? NULL : strchr(piece, 'x');

    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return piece;
}

/* Widths as they are written canonically: "1/1" is 1, and a grid all of whose links are of width 1 has no such text. */
static const char *write_widths(struct net_topology *topology, const uint16_t *widths, uint32_t count)
{
    const char *text = "";
    bool narrow = false;

    for (uint32_t i = 0; i < count && text != NULL; i++) {
        const char *between = i == 0 ? "" : "x";
        text = widths[i] == 1 ? base_arena_format(&topology->arena, "%s%s1", text, between)
                              : base_arena_format(&topology->arena, "%s%s1/%u", text, between, widths[i]);
        narrow |= widths[i] > 1;
    }
    return text == NULL || narrow ? text : "";
}

/* Sizes of 1 have no links: their width is read, and of no use. The classes of links are the dimensions that are left
 * and the diagonals after them, if there are any. */
static void keep_widths(struct net_grid *grid, const struct net_specification *specification,
                        const uint16_t *widths)
{
    uint32_t class = 0;

    for (uint32_t i = 0; i < specification->side_count; i++)
        if (specification->sides[i] > 1)
            grid->flit_cycles[class ++] = widths[i];
    if (grid->diagonals != 0)
        grid->flit_cycles[class] = widths[specification->side_count];
}

/* All pieces are read before they are counted, so that a wrong width is named rather than a wrong number of them. */
int net_grid_read_widths(struct net_topology *topology, struct net_grid *grid,
                         const struct net_specification *specification, struct base_error *error)
{
    const char *given = net_specification_value(specification, "widths");
    uint32_t wanted = specification->side_count + (grid->family_diagonals != 0), count = 0;
    uint16_t widths[NET_DIMENSIONS_MAX + 1] = {0};
    char *rest, *piece;

    if (given == NULL)
        return 0;
    rest = base_arena_text(&topology->arena, given);
    if (rest == NULL)
        return base_error_memory(error, "the widths of links");
    while ((piece = take_piece(&rest)) != NULL) {
        uint16_t width = read_width(piece);
        if (width == 0)
            return base_error_set(
                error, BASE_USAGE,
                "topology '%.80s': '%.20s' is not a width: widths are 1, or 1/W with W cycles a flit, up "
                "to 1/%d",
                specification->text, piece, NET_LINK_FLIT_CYCLES_MAX);
        if (count < wanted)
            widths[count] = width;
        count++;
    }
    if (count != wanted)
        return base_error_set(
            error, BASE_USAGE,
            "topology '%.80s': widths takes %u widths, one for each size%s, as in widths=1x1/2%s",
            specification->text, wanted, grid->family_diagonals != 0 ? " and one for the diagonals" : "",
            grid->family_diagonals != 0 ? "x1" : "");
    keep_widths(grid, specification, widths);
    grid->widths = write_widths(topology, widths, wanted);
    return grid->widths != NULL ? 0 : base_error_memory(error, "the widths of links");
}

/* What is at its default is left out, so that one network has one text. */
const char *net_grid_write(struct net_topology *topology, const char *text)
{
    const char *widths = topology->grid->widths;

    if (widths == NULL || widths[0] == '\0')
        return text;
    return base_arena_format(&topology->arena, "%s,widths=%s", text, widths);
}
