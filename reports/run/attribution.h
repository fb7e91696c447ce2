/* Why a run is slower than on an ideal network: the same program replayed on a ladder of networks, each with
 * one effect more (doc/attribution.md). Rung 0 is the ideal network, rung REPORT_EFFECTS the network as
 * configured; effect e, 1 .. REPORT_EFFECTS, costs what rung e takes longer than rung e - 1. So the costs sum
 * to the slowdown's time exactly; a negative one is an anomaly (an effect that makes the program faster) and
 * is shown as one. Strings and arrays are owned by the run's arena. */
#ifndef REPORT_ATTRIBUTION_H
#define REPORT_ATTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define REPORT_EFFECTS 6
#define REPORT_RUNGS (REPORT_EFFECTS + 1)
#define REPORT_EFFECT_HOST 1 /* what messages cost their hosts: shown only where they cost something */

/* Time in MPI calls on every rung, of a rank, of a call (region), or by the size of the message waited for.
 */
struct report_waiting {
    const char *name; /* NULL: a rank, which has a number */
    uint64_t wait_ns[REPORT_RUNGS];
};

struct report_attribution {
    bool has_host; /* else rung REPORT_EFFECT_HOST is rung 0 once more, and is left out of all answers */
    uint64_t simulated_ns[REPORT_RUNGS];
    const struct report_waiting *ranks, *regions, *sizes; /* regions: longest waits first */
    uint32_t rank_count, region_count, size_count;
};

/* What the shares of a run are of: its ideal time or, where that is 0 because nothing is computed, its
 * simulated time. 0: nothing takes any time, and there are no shares. */
uint64_t report_share_base_ns(uint64_t ideal_ns, uint64_t simulated_ns);

/* What the run would take with one thing changed that is no effect of the network. */
struct report_what_if {
    const char *name; /* "all_eager", "all_rendezvous", "mapping_portfolio" */
    uint64_t simulated_ns;
};

/* Nothing, or null, where `rows` is NULL. Both take the times of the run itself. */
void report_what_if_text(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                         uint64_t simulated_ns, uint64_t ideal_ns);
/* What the run takes with its collectives in hardware and in messages, where a row tells. */
void report_what_if_collectives(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                                uint64_t simulated_ns);
/* What dead links cost or save, where a row tells. */
void report_what_if_faults(struct report_page *page, const struct report_what_if *rows, uint32_t count,
                           uint64_t simulated_ns);
void report_what_if_json(struct report_json *json, json_t *top, const struct report_what_if *rows,
                         uint32_t count, uint64_t simulated_ns, uint64_t ideal_ns);

/* Whether the effect is one of the run: the host's is not where no message costs it anything. effect: as below. */
bool report_effect_applies(const struct report_attribution *attribution, unsigned effect);
/* The keys of JSON: "host", "distance", "serialisation", "terminals", "channels", "flow_control". effect: 1 ..
 * REPORT_EFFECTS. */
const char *report_effect_name(unsigned effect);
/* For people: "serialisation". */
const char *report_effect_label(unsigned effect);
/* What an effect adds, as tables and pictures say it: "+1.234 ms", "-5 ns", "0". Returns text. */
const char *report_effect_cost_text(int64_t cost_ns, char *text, size_t size);

/* "serialisation 49.5 %, channels 49.2 %, ...": the effects and their shares of what all of them add, most
 * first; anomalies last. NULL: memory, or nothing was added. Owned by the arena. */
const char *report_attribution_list(struct base_arena *arena, const struct report_attribution *attribution);
/* The sections of the readable report. */
void report_attribution_text(struct report_page *page, const struct report_attribution *attribution);
/* "attribution": the shares (cost / report_share_base_ns; null when that is 0), "attribution_base": which
 * time they are of, "ideal" or "simulated", and "attribution_detail": times and waits. All null when
 * attribution is NULL. */
void report_attribution_json(struct report_json *json, json_t *top,
                             const struct report_attribution *attribution);

#endif
