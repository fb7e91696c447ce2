/* Inside netmodel/costs/: the forms of a technology as the reader leaves them. */
#ifndef NET_COSTS_TECHNOLOGY_INTERNAL_H
#define NET_COSTS_TECHNOLOGY_INTERNAL_H

#include "netmodel/costs/technology.h"

/* A factor of a term: an axis to a power. */
struct net_cost_factor {
    enum net_cost_axis axis; /* whose value is taken */
    double power;            /* to which it is raised */
};

struct net_cost_node {
    double x, value; /* of the axis, and of the table there */
};

#define NET_COST_FACTORS_MAX 8

/* A constant or a table, times powers. */
struct net_cost_term {
    uint32_t factor_count; /* powers beside the constant or table */
    struct net_cost_factor factors[NET_COST_FACTORS_MAX];
    bool is_table;           /* else a constant */
    enum net_cost_axis axis; /* of the table */
    bool is_log;             /* interpolated between logarithms, where both values are above 0 */
    bool begins_form;        /* the first of another form of the column */
    double value;            /* of a constant */
    uint32_t node_count;
    struct net_cost_node *nodes; /* X grows */
};

struct net_cost_form {
    size_t term_count, term_capacity; /* 0: the column is not said */
    struct net_cost_term *terms;
    double error; /* per cent; NaN: not said */
};

struct net_technology {
    const char *name, *summary; /* as --technology takes it; a line for lists */
    double nm;                  /* NaN: not said */
    struct base_input_name input;
    double least[NET_AXES], most[NET_AXES]; /* NaN: no range */
    struct net_cost_form columns[NET_COST_COLUMNS];
    struct base_arena arena; /* of what it points to */
};

/* The word of an axis, as files have it. */
const char *net_cost_axis_name(enum net_cost_axis axis);

#endif
