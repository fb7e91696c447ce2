/* The pictures of a run. Each kind is one file that ends in a descriptor, and a line in
 * picture-kinds.def; it stands in the HTML report, and alone as SVG (`run --svg KIND=FILE`). */
#ifndef REPORT_RUN_PICTURE_H
#define REPORT_RUN_PICTURE_H

#include "netmodel/topology.h"
#include "reports/drawing/draw.h"
#include "reports/pages/page.h"
#include "reports/run/run.h"

struct report_run_view {
    const struct report_run *run;
    const struct net_topology *topology; /* of the run */
};

struct report_run_picture {
    const char *name;    /* "channel-load" */
    const char *summary; /* a line of help, and the picture's caption */
    /* 0; or -1 with BASE_USAGE and the reason why there can be no such picture of this run. NULL: always 0.
     */
    int (*check)(const struct report_run_view *view, struct base_error *error);
    /* Writes SVG, of a view that was checked. -1: memory, BASE_SYSTEM. */
    int (*draw)(const struct report_run_view *view, FILE *stream, struct base_error *error);
    bool needs_lanes;     /* run->lanes, for which the replay must have been recorded */
    bool needs_intervals; /* run->busiest_interval, likewise */
    bool of_jobs;         /* also of several jobs in company, as is what needs lanes */
};

const struct report_run_picture *const *report_run_pictures(size_t *count);
/* NULL: BASE_USAGE, an unknown name with the nearest match. */
const struct report_run_picture *report_run_picture_find(const char *name, struct base_error *error);
/* KIND=FILE, as on the command line: the kind, and where the file's name begins; both may be NULL. -1:
 * BASE_USAGE. */
int report_run_picture_split(const char *text, const struct report_run_picture **picture, const char **file,
                             struct base_error *error);
/* Checks and draws. */
int report_run_svg(const struct report_run_picture *picture, const struct report_run_view *view, FILE *stream,
                   struct base_error *error);
/* The colour of an effect in all pictures; 1 .. REPORT_EFFECTS. */
report_color report_effect_color(unsigned effect);
/* Puts the picture of that name, which there must be, into an HTML page, when the check allows it. */
void report_run_figure(struct report_page *page, const struct report_run_view *view, const char *name);

#endif
