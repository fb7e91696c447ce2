/* The part of the machine that a job had, in the answers of `run` and `map`: the object `partition`, and a
 * paragraph. */
#ifndef REPORT_PARTITION_H
#define REPORT_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct json_t;
struct report_json;
struct report_page;

struct report_partition {
    const char *text; /* as given: "odd-square,fit=first"; NULL: the whole machine */
    uint32_t terminals, idle, components, foreign_terminals;
    const uint32_t *terminal;            /* [terminals], in the answer's arena; NULL: not known */
    double mean_distance, fragmentation; /* of all pairs of terminals; of what is left free */
    bool has_rectangle; /* the network is one: without, others in it and fragmentation are 0 */
    bool confined;
    bool in_bits;              /* what is called flits are bits */
    bool replayed;             /* whether the next one is known */
    uint64_t leaked_flit_hops; /* over links with an end outside of the partition */
};

/* Into the object `top` of the answer; nothing of the whole machine. */
void report_partition_json(struct report_json *json, struct json_t *top,
                           const struct report_partition *partition);
void report_partition_text(struct report_page *page, const struct report_partition *partition);

#endif
