/* A network in the units of its maker: how fast its links are, what a hop takes, what two halves exchange. */
#ifndef REPORT_PHYSICAL_H
#define REPORT_PHYSICAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct report_json;
struct report_page;

/* What a machine's maker or a measurement says, beside what the network has. */
struct report_figure {
    const char *name, *source;    /* what it is; who says so */
    const char *published, *here; /* with their units; here NULL: not known of this network */
    bool met;                     /* they are the same number */
};

/* Of a network whose links carry flits; zeroed: nothing is known (an ideal network, links that carry bits). Rates are
 * bytes in a second over a link, one way. A hop is a router and a link: L + R - 1 cycles, and W - 1 more over a link of
 * width 1/W. */
struct report_physical {
    const char *machine; /* as it was asked for, with what was asked for beside it; NULL: none */
    uint64_t least_rate, most_rate;
    uint64_t least_hop_ps, most_hop_ps;  /* of the links that there are */
    uint64_t asked_hop_ps;               /* what --link-latency and --router-latency say; 0: not given */
    uint64_t bisection_rate;             /* between two halves, both ways; 0: there are no links */
    bool bisection_exact;                /* else the best cut known */
    const struct report_figure *figures; /* of the machine's file */
    uint32_t figure_count;
};

/* "Links carry 25 GB/s each way, a hop takes 430 ns, and 12.8 TB/s cross the bisection, both ways." A paragraph;
 * nothing where nothing is known. */
void report_physical_text(struct report_page *page, const struct report_physical *physical);
#define REPORT_PHYSICAL_TEXT 72
/* "25 GB/s", or "4.7 GB/s to 9.4 GB/s" where links differ; "105 ns". "-" where nothing is known. Both return text. */
char *report_physical_rate(const struct report_physical *physical, char text[REPORT_PHYSICAL_TEXT]);
char *report_physical_hop(const struct report_physical *physical, char text[REPORT_PHYSICAL_TEXT]);
/* Three cells of an open row: a link's rate, a hop, the bisection. */
void report_physical_cells(struct report_page *page, const struct report_physical *physical);
/* A table of what is published and what this network has; nothing where there is no such figure. */
void report_figures_text(struct report_page *page, const struct report_physical *physical);
/* The object "physical" of formats.table; null where nothing is known. */
void report_physical_json(struct report_json *json, json_t *object, const struct report_physical *physical);
/* The list "published". */
void report_figures_json(struct report_json *json, json_t *object, const struct report_physical *physical);

#endif
