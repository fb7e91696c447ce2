/* Inside reports/: the loads of a run's channels for pictures. A channel is what the table of the busiest has a row
 * for: a link or, of a network of shared channels, a channel that several devices drive. */
#ifndef REPORT_CHANNEL_LOADS_H
#define REPORT_CHANNEL_LOADS_H

#include "reports/drawing/load-layer.h"
#include "reports/run/picture.h"

struct report_channel_loads {
    const struct report_run_view *view;             /* borrowed */
    const struct report_busiest_interval *interval; /* that they are of; NULL: of the whole run */
    uint64_t cycles;                                /* of that */
    double *links;    /* [link], then [bus]: cycles in which it carried flits; of stages, bits */
    double *channels; /* [channel]: links, or a part of the same array: cycles */
    uint32_t count;   /* of channels */
    double most;      /* of the channels */
    uint32_t busiest; /* the first of them that has the most: the first row of the table */
};

/* The caller frees it, also where it failed. -1: memory. */
int report_channel_loads_make(struct report_channel_loads *loads, const struct report_run_view *view,
                              const struct report_busiest_interval *interval, struct base_error *error);
void report_channel_loads_free(struct report_channel_loads *loads);
/* "(2,0) X-: 0.2 %, in use for 25.878 us", as the table has it; of a channel, and of a link (a report_load_note, whose
 * context is the loads). */
void report_channel_loads_note(const struct report_channel_loads *loads, uint32_t channel,
                               char text[REPORT_LOAD_NOTE]);
void report_channel_loads_note_link(const void *loads, uint32_t link, char text[REPORT_LOAD_NOTE]);
/* Of a bus between stages, likewise: "bus 3 of stages 0 to 1: 1 024 bits". */
void report_channel_loads_note_bus(const void *loads, uint32_t bus, char text[REPORT_LOAD_NOTE]);

/* The heat map of a grid with so many routers that arrows could not be told apart: a panel a direction, in it a cell a
 * router, whose colour is the load of its channel in that direction. */
#define REPORT_ARROWS_ROUTERS_MAX 200
struct report_heat_map {
    const struct report_channel_loads *loads; /* that are drawn */
    struct report_layout layout;              /* where routers stand, in its own scale */
    struct report_draw *draw;                 /* the caller's, once the paper is known */
    struct report_point corner, panel, size;  /* of all; of a panel with its words; of all panels */
    int32_t cell;
    uint32_t panels;
};

struct report_heat_map report_heat_map_of(const struct report_channel_loads *loads,
                                          struct report_point corner);
void report_heat_map_draw(const struct report_heat_map *map);

#endif
