/* Inside reports/: pictures of synthetic traffic beside report_traffic_svg. */
#ifndef REPORT_TRAFFIC_PICTURE_H
#define REPORT_TRAFFIC_PICTURE_H

#include "reports/drawing/palette.h"
#include "reports/traffic/traffic.h"

/* The colour of a network of the answer, counted from 0. */
report_color report_traffic_color(uint32_t network);
/* Whether energies of two points are known: of one nothing can be drawn. */
bool report_traffic_has_energies(const struct report_traffic *report);
/* Energy of a flit over the offered load, and over the mean latency; a report_page_picture of a struct
 * report_traffic, the first network of the answer. */
int report_traffic_draw_energy(const void *content, FILE *stream, struct base_error *error);

#endif
