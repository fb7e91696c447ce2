/* Inside reports/: dead links, the control packets that they cost and the rings around them (netmodel/faults/), as
 * part of the answer of `flitreplay topology` and of its picture. */
#ifndef REPORT_TOPOLOGY_FAULTS_H
#define REPORT_TOPOLOGY_FAULTS_H

#include "netmodel/faults/rings.h"
#include "reports/drawing/draw.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* After the last control packet. All is borrowed. */
struct report_faults {
    const struct net_faults *faults;      /* which links fail */
    const struct net_control *control;    /* by which packets routers learn of it */
    const struct net_rings *before, *now; /* before pruning, and after */
};

/* A heading; which links, what it took, and the rings. */
void report_faults_text(struct report_page *page, const struct report_faults *faults);
/* Adds `faults` to an object. */
void report_faults_json(struct report_json *json, json_t *object, const struct report_faults *faults);

/* ---- the picture (picture-faults.c) ---- */

/* Whether a link is dead. faults NULL: none is. */
bool report_faults_is_dead(const struct report_faults *faults, uint32_t link);
/* Under a link, where it is part of a ring: the ring. */
void report_faults_ring(const struct report_faults *faults, struct report_draw *draw, uint32_t link,
                        struct report_point from, struct report_point to, int32_t width);
/* A dead link is crossed out; in its place is a pale line, unless live links beside it are drawn by the same
 * line. */
void report_faults_cross(struct report_draw *draw, struct report_point from, struct report_point to,
                         int32_t width, bool alone);

/* Lines of the legend (0 for NULL), and what they say: `which` from 0 on; and their samples. */
uint32_t report_faults_lines(const struct report_faults *faults);
void report_faults_legend(const struct report_faults *faults, uint32_t which, char *text, size_t size);
void report_faults_sample(struct report_draw *draw, uint32_t which, struct report_point middle);

#endif
