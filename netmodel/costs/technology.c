/* What a technology says of a shape: its forms, evaluated. Interpolation is between the two nodes around a
 * value, straight in the logarithms of both where the table says so: powers, which most of these are, are
 * then exact. */
#include "netmodel/costs/technology-internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct net_cost_row rows[] = {
#define NET_COST_COLUMN(symbol, name, role) {name, NET_COST_##role},
#include "netmodel/costs/columns.def"
#undef NET_COST_COLUMN
};

#define NET_TECHNOLOGY(name, summary) {name, summary},
static const struct net_technology_name installed[] = {
#include "netmodel/costs/technologies.def"
};
#undef NET_TECHNOLOGY

/* Of the files that are installed with the program; a file of the user's own is in no list. */
const struct net_technology_name *net_technologies(size_t *count)
{
    *count = sizeof installed / sizeof installed[0];
    return installed;
}

/* In the order of columns.def. */
const struct net_cost_row *net_cost_row(enum net_cost_column column)
{
    return &rows[column];
}

/* In the order of enum net_cost_axis. */
const char *net_cost_axis_name(enum net_cost_axis axis)
{
    static const char *const names[NET_AXES] = {"ports", "bits",  "vcs",   "buffers", "length",
                                                "flits", "lanes", "peers", "area"};
    return names[axis];
}

/* Of its file's "name" statement, or the path. */
const char *net_technology_name(const struct net_technology *technology)
{
    return technology->name;
}

/* Empty where the file has none. */
const char *net_technology_summary(const struct net_technology *technology)
{
    return technology->summary;
}

/* Lives as long as the technology. */
const struct base_input_name *net_technology_input(const struct net_technology *technology)
{
    return &technology->input;
}

/* NaN where the file has no "nm". */
double net_technology_nm(const struct net_technology *technology)
{
    return technology->nm;
}

/* NaN where the column does not say it. */
double net_technology_error(const struct net_technology *technology, enum net_cost_column column)
{
    return technology->columns[column].error;
}

/* A form has a term or a table at least. */
bool net_technology_has(const struct net_technology *technology, enum net_cost_column column)
{
    return technology->columns[column].term_count > 0;
}

/* Nodes and terms grew by themselves; all texts are in the arena. NULL is legal. */
void net_technology_free(struct net_technology *technology)
{
    if (technology == NULL)
        return;
    for (size_t i = 0; i < NET_COST_COLUMNS; i++) {
        for (size_t k = 0; k < technology->columns[i].term_count; k++)
            free(technology->columns[i].terms[k].nodes);
        free(technology->columns[i].terms);
    }
    base_arena_free(&technology->arena);
    free(technology);
}

/* ---- forms ---- */

/* The first node behind x, or the last one; the node before it is the other end. A table has two nodes at
 * least. */
static double interpolate(const struct net_cost_term *term, double x)
{
    uint32_t i = 1;
    while (i + 1 < term->node_count && term->nodes[i].x < x)
        i++;
    const struct net_cost_node *a = &term->nodes[i - 1], *b = &term->nodes[i];
    if (x == a->x || x == b->x)
        return x == a->x ? a->value : b->value;
    if (term->is_log && a->value > 0 && b->value > 0 && a->x > 0)
        return a->value * pow(b->value / a->value, log(x / a->x) / log(b->x / a->x));
    return a->value + (b->value - a->value) * (x - a->x) / (b->x - a->x);
}

/* A constant or a value of the table, times the powers of the axes beside it. */
static double term_value(const struct net_cost_term *term, const double axes[NET_AXES])
{
    double value = term->is_table ? interpolate(term, axes[term->axis]) : term->value;
    for (uint32_t i = 0; i < term->factor_count; i++)
        value *= term->factors[i].power == 1 ? axes[term->factors[i].axis]
                                             : pow(axes[term->factors[i].axis], term->factors[i].power);
    return value;
}

/* The larger of its forms; NaN where there is none. */
static double column_value(const struct net_cost_form *column, const double axes[NET_AXES])
{
    double largest = NAN, sum = 0;
    for (size_t i = 0; i < column->term_count; i++) {
        if (column->terms[i].begins_form)
            sum = 0;
        sum += term_value(&column->terms[i], axes);
        bool is_last = i + 1 == column->term_count || column->terms[i + 1].begins_form;
        if (is_last && !(sum <= largest))
            largest = sum;
    }
    return largest;
}

/* Six digits: what logarithms leave to the last ones differs between libraries of mathematics. */
static double rounded(double value)
{
    char text[32];
    if (!isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.5e", value);
    return strtod(text, NULL);
}

/* What an axis counts, for the sentence that refuses a value. */
static const char *unit_of(enum net_cost_axis axis)
{
    static const char *const units[NET_AXES] = {"ports",
                                                "bits a flit",
                                                "virtual channels",
                                                "flits a virtual channel",
                                                "mm",
                                                "flits an input (virtual channels times flits of each)",
                                                "ports times bits",
                                                "other ports",
                                                "mm² without a clock"};
    return units[axis];
}

/* What rounding leaves of a length that is worked out: 10 mm may be 10.000000000000002. */
#define ROUNDING 1e-12

/* Only axes that are known before the columns have a range. */
static int check_range(const struct net_technology *technology, enum net_cost_axis axis, double value,
                       struct base_error *error)
{
    if (!(value < technology->least[axis] * (1 - ROUNDING)) &&
        !(value > technology->most[axis] * (1 + ROUNDING)))
        return 0;
    return base_error_set(error, BASE_USAGE, "technology %s holds for %g to %g %s, not for %g",
                          technology->name, technology->least[axis], technology->most[axis], unit_of(axis),
                          value);
}

/* The first axis that is out of its range is the one that is named. */
static int check_ranges(const struct net_technology *technology, const enum net_cost_axis *axes, size_t count,
                        const double values[NET_AXES], struct base_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (check_range(technology, axes[i], values[axes[i]], error) != 0)
            return -1;
    return 0;
}

/* A column, as answers have it: -1 where a form overflows, or a table falls below zero where it is prolonged. */
static int fill(const struct net_technology *technology, enum net_cost_column column,
                const double axes[NET_AXES], double values[NET_COST_COLUMNS], struct base_error *error)
{
    const struct net_cost_form *form = &technology->columns[column];
    values[column] = column_value(form, axes);
    if (form->term_count > 0 && !isfinite(values[column]))
        return base_error_set(error, BASE_INPUT, "technology %s: %s is not a finite number", technology->name,
                              rows[column].name);
    if (values[column] < 0)
        return base_error_set(error, BASE_INPUT, "technology %s: %s falls below zero behind its table",
                              technology->name, rows[column].name);
    return 0;
}

/* The parts stand before their total; what a REST adds may be missing. */
static void add_up(const struct net_technology *technology, enum net_cost_column total,
                   double values[NET_COST_COLUMNS])
{
    double sum = 0;
    if (technology->columns[total].term_count > 0)
        return;
    for (size_t i = total; i > 0 && (rows[i - 1].role == NET_COST_PART || rows[i - 1].role == NET_COST_REST);
         i--)
        if (rows[i - 1].role == NET_COST_PART || technology->columns[i - 1].term_count > 0)
            sum += values[i - 1];
    values[total] = sum;
}

/* A column that depends on the area of the router comes after the area. Columns are evaluated in the order of
 * columns.def, which puts parts before their total and the area before what depends on it. */
int net_technology_router(const struct net_technology *technology, const struct net_router_shape *shape,
                          double values[NET_COST_COLUMNS], struct base_error *error)
{
    static const enum net_cost_axis ranged[] = {NET_AXIS_PORTS,   NET_AXIS_BITS,  NET_AXIS_VCS,
                                                NET_AXIS_BUFFERS, NET_AXIS_FLITS, NET_AXIS_LANES};
    double axes[NET_AXES] = {[NET_AXIS_PORTS] = shape->ports,
                             [NET_AXIS_BITS] = shape->flit_bits,
                             [NET_AXIS_VCS] = shape->virtual_channels,
                             [NET_AXIS_BUFFERS] = shape->buffer_flits,
                             [NET_AXIS_FLITS] = (double)shape->virtual_channels * shape->buffer_flits,
                             [NET_AXIS_LANES] = (double)shape->ports * shape->flit_bits,
                             [NET_AXIS_PEERS] = shape->ports - 1.0};
    if (check_ranges(technology, ranged, sizeof ranged / sizeof ranged[0], axes, error) != 0)
        return -1;
    for (size_t i = 0; i < NET_COST_COLUMNS; i++) {
        values[i] = NAN;
        if (i < NET_COST_LINKS && fill(technology, (enum net_cost_column)i, axes, values, error) != 0)
            return -1;
        if (rows[i].role == NET_COST_TOTAL)
            add_up(technology, (enum net_cost_column)i, values);
        if (i == NET_COST_AREA_TOTAL)
            axes[NET_AXIS_AREA] = values[NET_COST_AREA_TOTAL] - values[NET_COST_AREA_CLOCK];
    }
    for (size_t i = 0; i < NET_COST_LINKS; i++)
        values[i] = rounded(values[i]);
    return 0;
}

/* Links have columns of their own, behind those of routers. */
int net_technology_link(const struct net_technology *technology, uint32_t bits, double length_mm,
                        double values[NET_COST_COLUMNS], struct base_error *error)
{
    static const enum net_cost_axis ranged[] = {NET_AXIS_BITS, NET_AXIS_LENGTH};
    double axes[NET_AXES] = {[NET_AXIS_BITS] = bits, [NET_AXIS_LENGTH] = length_mm};
    if (check_ranges(technology, ranged, sizeof ranged / sizeof ranged[0], axes, error) != 0)
        return -1;
    for (size_t i = 0; i < NET_COST_COLUMNS; i++) {
        values[i] = NAN;
        if (i >= NET_COST_LINKS && fill(technology, (enum net_cost_column)i, axes, values, error) != 0)
            return -1;
        values[i] = rounded(values[i]);
    }
    return 0;
}
