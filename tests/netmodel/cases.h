/* What the suites of topologies and routings share: the shapes that their laws run over, and a reader of CSV
 * rows. */
#ifndef TESTS_NETMODEL_CASES_H
#define TESTS_NETMODEL_CASES_H

#include <stdbool.h>
#include <stdio.h>

#include "netmodel/topology.h"

/* Calls law(topology, context) for every example of every registered kind that reads no file. Fails where an
 * example is refused or a parameter has none. Returns the number of topologies. */
unsigned cases_each_example(void (*law)(const struct net_topology *topology, void *context), void *context);
/* The same, and every shape of grids that the kind accepts (one to five dimensions, odd, even, sides 1 and 2,
 * rectangular), alone and with concentration 3 where it is known. Fails when a kind refuses a shape otherwise than
 * as a usage error. */
unsigned cases_each_topology(void (*law)(const struct net_topology *topology, void *context), void *context);

/* The same for every file of tests/netmodel/topologies/graphs, which that leaves out. */
unsigned cases_each_graph(void (*law)(const struct net_topology *topology, void *context), void *context);

/* The topology in tests/netmodel/topologies/graphs/NAME.graph. */
void cases_graph_text(char *text, size_t size, const char *name);

/* A topology that must exist. */
struct net_topology *cases_topology(const char *text);

/* The specification of a family of the golden tables: "diagonal-mesh-SE" is diagonal-mesh with diagonal=nw.
 */
void cases_golden_text(char *text, size_t size, const char *family, uint32_t sx, uint32_t sy);

/* The shared folder's file, or NULL: then the caller skips. */
FILE *cases_open_golden(const char *name);

#define CASES_FIELDS 32
/* Splits a line of CSV (fields may be quoted) in place. Returns the number of fields. */
unsigned cases_split(char *line, char *fields[CASES_FIELDS]);

#endif
