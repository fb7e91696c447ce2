/* A technology: what routers and links of a size take in area, power and energy (the king thesis, chapter 4).
 * It is read from a text, for which flitreplay-formats(5) has the grammar, a line a statement:
 *
 *      flitreplay-technology 1               the first statement
 *      name NAME   summary WORDS   nm VALUE  for answers
 *      range AXIS LEAST MOST                 where the numbers hold; others are refused
 *      column NAME [error PERCENT]           of columns.def; what follows is its form
 *      term VALUE [AXIS[^POWER]]...          a constant times powers of axes
 *      table AXIS log|linear [of AXIS...]    a factor by its nodes, times powers of axes
 *      at X VALUE [X VALUE]...               nodes of the table, X growing
 *      or                                    another form of the same column: the larger one holds
 *
 * A form is the sum of its terms and tables. So few numbers hold what a model of circuits says of thousands
 * of routers: its columns are sums of products in the same way. */
#ifndef NET_COSTS_TECHNOLOGY_H
#define NET_COSTS_TECHNOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/input.h"

enum net_cost_column {
#define NET_COST_COLUMN(symbol, name, role) NET_COST_##symbol,
#include "netmodel/costs/columns.def"
#undef NET_COST_COLUMN
    NET_COST_COLUMNS
};

enum net_cost_role { NET_COST_PART, NET_COST_REST, NET_COST_TOTAL, NET_COST_EVENT, NET_COST_LINK };

struct net_cost_row {
    const char *name;        /* as files and answers call the column */
    enum net_cost_role role; /* part, rest or total of a sum; event; of links */
};

/* Columns of links begin here; those before are of routers. */
#define NET_COST_LINKS NET_COST_LINK_ENERGY

/* The name and role of a column. */
const struct net_cost_row *net_cost_row(enum net_cost_column column);

/* What forms depend on. The last four follow from the others. */
enum net_cost_axis {
    NET_AXIS_PORTS,   /* inputs, as many as outputs, terminals included */
    NET_AXIS_BITS,    /* of a flit */
    NET_AXIS_VCS,     /* virtual channels of an input */
    NET_AXIS_BUFFERS, /* flits of a virtual channel */
    NET_AXIS_LENGTH,  /* of a link, mm */
    NET_AXIS_FLITS,   /* vcs * buffers */
    NET_AXIS_LANES,   /* ports * bits */
    NET_AXIS_PEERS,   /* ports - 1 */
    NET_AXIS_AREA,    /* of the router without its clock tree, mm² */
    NET_AXES
};

struct net_technology; /* technology-internal.h */

struct net_technology_name {
    const char *name, *summary; /* of the file, and a line for lists */
};
/* Those that are installed, for lists; each is a file NAME.technology. */
const struct net_technology_name *net_technologies(size_t *count);

/* Reads one. The caller owns the result. NULL: BASE_INPUT with the line and column, or with why the file
 * cannot be read; memory. */
struct net_technology *net_technology_read(const char *path, struct base_error *error);
void net_technology_free(struct net_technology *technology);
const char *net_technology_name(const struct net_technology *technology);
const char *net_technology_summary(const struct net_technology *technology);
/* Its size in nm, as generations of circuits are called; NaN: not said. */
double net_technology_nm(const struct net_technology *technology);
/* The file and its digest. */
const struct base_input_name *net_technology_input(const struct net_technology *technology);
/* How far a column may be from the model that it was taken from, per cent, between its nodes; NaN: not
 * said. */
double net_technology_error(const struct net_technology *technology, enum net_cost_column column);
/* Whether the technology has a form for the column. */
bool net_technology_has(const struct net_technology *technology, enum net_cost_column column);

/* An input-queued router. */
struct net_router_shape {
    uint32_t ports, flit_bits, virtual_channels, buffer_flits; /* buffers: of each virtual channel */
};
/* Fills values[NET_COST_COLUMNS] of a router: NaN for what the technology does not say, and for columns of
 * links. A total that has no form of its own is the sum of its parts, and NaN where one is missing. Values
 * have six digits, so that all machines agree. -1: BASE_USAGE, outside of a range; BASE_INPUT, a value that
 * is no finite number. */
int net_technology_router(const struct net_technology *technology, const struct net_router_shape *shape,
                          double values[NET_COST_COLUMNS], struct base_error *error);
/* The same of a link of so many bits a cycle and so long; NaN for the columns of routers. */
int net_technology_link(const struct net_technology *technology, uint32_t bits, double length_mm,
                        double values[NET_COST_COLUMNS], struct base_error *error);

#endif
