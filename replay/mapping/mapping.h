/* A placement of ranks beside the identity: what both cost, and how long the program takes on either.
 *
 *      setup, trace ─► graph ──► both placements on one partition ──► costs; times of three replays ─► report_placement
 *      setup, file ──┘  (no program: no times) */
#ifndef REPLAY_MAPPING_MAPPING_H
#define REPLAY_MAPPING_MAPPING_H

#include <stdio.h>

#include "base/error.h"
#include "replay/session/setup.h"
#include "replay/session/watch.h"
#include "reports/placement/placement.h"
#include "reports/traces/info.h"

struct replay_mapping;

/* Places the ranks of a trace, or of a graph's file if --graph is what the settings have. The setup outlives the
 * result, which is the caller's; the watch may be NULL, and ends the search with the best map so far. NULL: what
 * cannot be read, more ranks than fit (BASE_USAGE), what the mapping or a replay refuses, memory. */
struct replay_mapping *replay_mapping_new(const struct replay_setup *setup, const char *source,
                                          const struct replay_watch *watch, struct base_error *error);
void replay_mapping_free(struct replay_mapping *mapping); /* NULL is legal */

/* What there is to tell, which borrows from the mapping. */
const struct report_placement *replay_mapping_report(const struct replay_mapping *mapping);
/* That it was asked for in these words, of which it takes a copy. -1: memory. */
int replay_mapping_set_command(struct replay_mapping *mapping, const char *command, struct base_error *error);
/* How the trace's records were treated, and how many rows; none of a graph from a file. */
const struct report_coverage *replay_mapping_coverage(const struct replay_mapping *mapping, uint32_t *count);

/* Writes the placement in a format (mappers/formats/map-file.h). -1: as map_placement_write_as. */
int replay_mapping_write(const struct replay_mapping *mapping, const char *format, FILE *stream,
                         struct base_error *error);
/* Draws it with its traffic. -1: a network that cannot be drawn (BASE_USAGE), memory. */
int replay_mapping_svg(const struct replay_mapping *mapping, FILE *stream, struct base_error *error);
/* The report as a page, with the picture if the network can be drawn. */
int replay_mapping_html(const struct replay_mapping *mapping, FILE *stream, struct base_error *error);

#endif
