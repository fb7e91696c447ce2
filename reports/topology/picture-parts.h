/* Inside reports/: what the pictures of grids, of shared channels and of networks without a grid have in common. */
#ifndef REPORT_TOPOLOGY_PICTURE_INTERNAL_H
#define REPORT_TOPOLOGY_PICTURE_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "netmodel/topologies/mway.h"
#include "reports/drawing/load-layer.h"
#include "reports/drawing/palette.h"
#include "reports/drawing/picture-layout.h"
#include "reports/drawing/svg.h"
#include "reports/topology/faults.h"
#include "reports/topology/link-classes.h"

/* Tenths of a pixel. */
#define MARGIN 240
#define TITLE_SIZE 200
#define LEGEND_LINE 220

#define ROUTER_FILL 0xeef2f7
#define ROUTER_LINE 0x44546a
#define ROUTER_INK 0x5c6470 /* of small words in it */

struct report_picture {
    const struct net_topology *topology; /* that is drawn */
    const struct report_faults *faults;  /* NULL: all links live */
    struct report_layout layout;         /* of grids */
    struct report_link_classes classes;  /* of grids, and of networks without one */
    struct report_draw *draw;
    struct report_point size; /* of the paper */
    int32_t line_width;       /* the same for all links */
    /* Writes the legend; the picture is the first member of what the kind of picture knows. */
    void (*legend)(const struct report_picture *picture, struct report_point next);
};

/* A link as it looks on paper: unit steps to the right and downwards. */
struct report_look {
    int32_t right, down; /* negative: to the left, upwards */
    bool is_arrow;       /* it wraps, or it leads to another slice */
};

/* -1: BASE_USAGE, more than REPORT_PICTURE_ROUTERS_MAX. */
int report_picture_too_large(const struct net_topology *topology, struct base_error *error);
struct report_look report_picture_look(const struct net_topology *topology, const struct net_link *link);
/* Where an arrow ends that leaves its router for so many per cent of the pitch. */
struct report_point report_picture_arrow_end(const struct report_picture *picture,
                                             const struct net_link *link, struct report_look look,
                                             int32_t percent);
/* Paper for routers and links that reach as far as `body`, for the title and for the legend, whichever is widest;
 * then the background, the title and the counts. What is drawn next stands below a title as high as
 * REPORT_PICTURE_HEAD, whose words are larger in a wide picture. */
#define REPORT_PICTURE_HEAD (MARGIN + TITLE_SIZE + 230)
void report_picture_begin(struct report_picture *picture, struct report_svg *svg, FILE *stream,
                          struct report_point body);
/* The legend, then the end of the picture. body: as at the beginning. -1: the stream could not take all. */
int report_picture_end(const struct report_picture *picture, struct report_svg *svg, struct report_point body,
                       struct base_error *error);
/* Writes a line of the legend. Returns the middle of the room for its sample, and moves on. */
struct report_point report_picture_entry(const struct report_picture *picture, struct report_point *next,
                                         const char *text);

/* The lines of the legend that tell of faults, if there are any (report_faults_lines). */
void report_picture_faults_legend(const struct report_picture *picture, struct report_point *next);
/* A line of the legend: a sample of the colour, the class, its links, and what they have in common. */
void report_picture_class(const struct report_picture *picture, struct report_point *next,
                          const struct report_link_class *class, report_color color);

/* ---- shared channels (picture-mway.c) ---- */

/* How far from its channel, in per cent of the pitch, an m-way router is drawn that leads out of the plane.
 */
#define REPORT_WAY_ROUTER_AT 40

/* Whether processors have a place beside their channels; in four dimensions m-way routers are all round. */
bool report_mway_has_room(const struct net_topology *topology);
/* M-way routers and processors, before the channels themselves. */
void report_mway_draw(const struct report_picture *picture);
void report_mway_legend(const struct report_picture *picture, struct report_point *next);

/* ---- stages of cells (picture-multistage.c) ---- */

struct report_stages {
    const struct net_multistage *multistage; /* that is drawn */
    struct report_draw *draw;                /* the caller's, once the paper is known */
    struct report_point corner, extent;
    int32_t pitch, gap, step;               /* between processors; between columns; from bar to bar */
    int32_t cross;                          /* of a gap, where links cross */
    report_load_note *note_link, *note_bus; /* the caller's; NULL: nothing is told */
    const void *context;                    /* of both */
};

struct report_stages report_stages_layout(const struct net_topology *topology, struct report_point corner);
/* Links and buses, shaded by what they carry: [link] and [bus], in one unit. NULL: in the colours of the legend. */
void report_stages_draw(const struct report_stages *stages, const double *links, const double *buses);
/* "bus 3 from stage 0 to 1"; returns text. */
#define REPORT_BUS_NAME 64
const char *report_stages_bus(const struct net_topology *topology, uint32_t bus, char text[REPORT_BUS_NAME]);
/* Of a link, where a mark of it may stand. */
struct report_point report_stages_middle(const struct report_stages *stages, uint32_t link);
int report_stages_svg(const struct net_topology *topology, FILE *stream, struct base_error *error);

/* ---- networks without a grid (picture-placed.c) ---- */

struct report_placed {
    struct report_point *place; /* [router]: its middle */
    struct report_point extent; /* how far they reach from the corner */
    int32_t box;                /* the width of a router */
};

/* Where the kind or its file puts the routers, the first from the corner on; else a circle. The caller frees place,
 * whatever is returned. -1: memory. */
int report_placed_routers(const struct net_topology *topology, struct report_point corner,
                          struct report_placed *placed, struct base_error *error);
/* Places in any unit to paper, `count` of them: for report_placed_routers and for groups. -1: memory. */
int report_placed_scale(const double (*places)[2], uint32_t count, struct report_point corner,
                        struct report_placed *placed);
#define REPORT_PLACED_BOX 486 /* the width of a router at most */
#define REPORT_WAY_POINTS 9
/* The line from one of `count` places to another: straight, or bent to its right where it would cross a third one's
 * box. Returns the number of points. */
size_t report_placed_way(const struct report_placed *placed, uint32_t count, uint32_t from, uint32_t to,
                         struct report_point points[REPORT_WAY_POINTS]);
/* Makes the reach from the corner as large as the line between two places needs it. */
void report_placed_reach(const struct report_placed *placed, uint32_t count, uint32_t from, uint32_t to,
                         struct report_point corner, struct report_point *reach);
/* So many classes are told apart by colour; those beyond share the last one. */
report_color report_class_color(uint32_t class);
/* That of a class in the legend: where its links lie under others, that of these. */
report_color report_legend_color(const struct net_topology *topology, uint32_t class);
/* What stands in a router's box: its name in a file, else its number. */
void report_placed_name(const struct net_topology *topology, uint32_t router, char text[NET_NAME_TEXT]);
/* A router's box with its name and the number of its terminals. */
void report_placed_router(const struct report_picture *picture, struct report_point middle, int32_t box,
                          uint32_t router);
/* Writes SVG. faults: NULL where all links live. -1: BASE_USAGE (too many routers), memory, or BASE_SYSTEM. */
int report_placed_svg(const struct net_topology *topology, const struct report_faults *faults, FILE *stream,
                      struct base_error *error);

/* ---- large networks with groups (picture-bundles.c) ---- */

/* With more terminals, and more routers, a network with groups is drawn by group. */
#define REPORT_SINGLE_TERMINALS_MAX 500
#define REPORT_SINGLE_ROUTERS_MAX 64

struct report_bundles {
    uint32_t groups;             /* and, of a fat tree, the top as one more */
    uint32_t *group;             /* [router] */
    uint32_t *routers;           /* [group]: how many */
    uint32_t *between;           /* [from * groups + to]: links */
    struct report_placed placed; /* of groups */
};

/* Whether its picture is one of groups. */
bool report_is_bundled(const struct net_topology *topology);
/* Which bundle a link is in, as an index of `between`. */
static inline size_t report_bundle_of(const struct report_bundles *bundles, const struct net_link *link)
{
    return (size_t)bundles->group[link->source] * bundles->groups + bundles->group[link->target];
}
/* The caller frees what it makes, if it succeeds. -1: memory. */
int report_bundles_make(const struct net_topology *topology, struct report_point corner,
                        struct report_bundles *bundles, struct base_error *error);
void report_bundles_free(struct report_bundles *bundles);
/* A group's box with its number and that of its routers. */
void report_bundles_group(const struct net_topology *topology, const struct report_bundles *bundles,
                          struct report_draw *draw, uint32_t group);
/* Writes SVG; given: topology and classes. -1 as of report_placed_svg. */
int report_bundles_svg(const struct report_picture *given, FILE *stream, struct base_error *error);

/* ---- networks of one-way links (picture-one-way.c) ---- */

struct report_one_way {
    const struct net_topology *topology; /* that is drawn */
    struct report_draw *draw;            /* the caller's, once the paper is known */
    struct report_point corner; /* the middle of the router that is first from the left and from above */
    struct report_point step;   /* from column to column and row to row of a ShuffleNet */
    struct report_point extent; /* of all routers */
    uint32_t columns, rows;     /* of a slice, or of a ShuffleNet with the copy of its first column */
    report_load_note *note;     /* the caller's, of a link; NULL: nothing is told */
    const void *context;        /* of note */
};

/* Whether they have a layout of their own: D-ARMs of more than four dimensions stand on a circle. */
bool report_one_way_is_drawn(const struct net_topology *topology);
/* Writes SVG: streets with their directions, slices of further dimensions, a ShuffleNet's columns with the first one
 * twice. Otherwise as report_placed_svg. */
struct report_one_way report_one_way_layout(const struct net_topology *topology, struct report_point corner);
/* Links shaded by what they carry, [link], and routers by what they deflect, [router], each in a unit of its own.
 * routers: NULL where nothing is deflected. */
void report_one_way_loads(const struct report_one_way *plan, const double *links, const double *routers);
/* Of a link, where a mark of it may stand. */
struct report_point report_one_way_middle(const struct report_one_way *plan, uint32_t link);
int report_one_way_svg(const struct net_topology *topology, FILE *stream, struct base_error *error);

#endif
