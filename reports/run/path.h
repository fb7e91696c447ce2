/* The critical path of a run: the chain of computations and messages that the last finish depends on, each
 * beginning where the one before it ends, from 0 to the simulated time. Terms: flitreplay-attribution(7). */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/pages/json.h"
#include "reports/pages/page.h"

enum report_step_kind {
    REPORT_STEP_COMPUTE, /* of `rank` */
    REPORT_STEP_MESSAGE, /* from `rank` to `peer`: from injection until usable */
    REPORT_STEP_CONTROL, /* likewise, of the rendezvous protocol or the question of a get */
    REPORT_STEP_SENDING, /* `rank` waits until its data have left its terminal */
    REPORT_STEP_HOST,    /* the processor or the network interface of `rank` is busy with messages */
    REPORT_STEP_MEMORY   /* from `rank` to `peer` at the same terminal, through memory */
};

/* What a step's time is made of. */
enum report_path_part {
    REPORT_PATH_COMPUTE,
    REPORT_PATH_DISTANCE,      /* the header's way over its links and routers, without any wait */
    REPORT_PATH_SERIALISATION, /* the flits, one a cycle */
    REPORT_PATH_CONTENTION,    /* the rest: behind other messages, or for room */
    REPORT_PATH_HOST,          /* overheads, gaps and memory; shown only where there is any */
    REPORT_PATH_PARTS
};

struct report_step {
    enum report_step_kind kind;
    uint32_t rank, peer;
    uint64_t begin_ns, end_ns, bytes;
    uint64_t part_ns[REPORT_PATH_PARTS]; /* they sum to end - begin */
    const char *call;                    /* region; NULL: a computation */
    const char *channel;          /* that the message's last packet waited for longest; NULL: for none */
    uint64_t channel_wait_cycles; /* there */
};

struct report_path_channel { /* longest waits first */
    const char *name;
    uint64_t contention_ns; /* of the steps whose last packet waited longest here */
    uint32_t steps;
};

struct report_path {
    bool has_host;                   /* the host has a part; else that is left out of all answers */
    const struct report_step *steps; /* in the order of time */
    uint32_t step_count;
    uint64_t part_ns[REPORT_PATH_PARTS]; /* of all steps; they sum to the simulated time */
    const struct report_path_channel *channels;
    uint32_t channel_count;
    uint64_t memory_bytes; /* that finding the path took */
};

/* As JSON's keys have it: "compute", "distance" … */
const char *report_path_part_name(enum report_path_part part);
/* "compute", "message", "control", "sending", "host", "memory" */
const char *report_step_name(enum report_step_kind kind);
/* Sections of the readable report. */
void report_path_text(struct report_page *page, const struct report_path *path);
/* The key "critical_path"; path NULL: null. */
void report_path_json(struct report_json *json, json_t *top, const struct report_path *path);

#endif
