/* How well links can be used, told to whoever's buffers or channels keep them from it. */
#ifndef REPORT_LINK_USE_H
#define REPORT_LINK_USE_H

#include <stdbool.h>
#include <stdint.h>

struct report_page;

struct report_link_use {
    double share;          /* of a link's cycles that packets can fill at most (netmodel/network.h) */
    double entering;       /* where all of them enter a ring there, under the bubble rule; else the same */
    uint32_t buffer_flits; /* of each virtual channel, in force */
    uint32_t enough_flits; /* what they would have by default */
    bool limited;          /* worth a sentence */
    bool wormhole;         /* the buffer of a virtual channel is one packet's at a time */
};

/* A paragraph, or nothing where links can be used as fully as by default. */
void report_link_use_text(struct report_page *page, const struct report_link_use *use);

#endif
