/* Several programs, and background traffic, on one network: the answer of `run --job … --job …` as plain
 * data, filled by replay/. Strings and arrays are owned by the arena. */
#ifndef REPORT_JOBS_H
#define REPORT_JOBS_H

#include "reports/run/run.h"

#define REPORT_JOBS_SCHEMA "flitreplay-jobs-1"
#define REPORT_JOBS_ALONE "alone"

struct report_job {
    /* The program alone on its partition, the rest of the machine empty: what it is, where it is and how long
     * it takes then. Owned. */
    struct report_run *alone;
    uint64_t start_ns;     /* of the network's time */
    uint64_t simulated_ns; /* from its start to its last rank's end, in company; of a part: until it ended */
    bool is_partial;       /* the run in company was cut short, or not begun */
    uint32_t replayed_thousandths; /* of its operations, in company; 1000 unless partial */
    bool leaks_known;              /* not on an ideal network */
    uint64_t leaked_flit_hops; /* its own flits over links with an end outside of its partition, in company */
    /* of its events, in company: no clock and no static power; NULL: not asked for */
    const struct report_energy *energy;
};

struct report_background {
    const char *pattern, *lengths, *arrivals; /* as they were given */
    uint64_t start_ns;                        /* of the network's time */
    double offered_load, accepted_load; /* flits a cycle and terminal; accepted: until the last job's end */
    uint64_t messages, flits;           /* sent, and delivered */
    struct report_partition partition;
};

struct report_jobs {
    struct base_arena arena; /* of texts and arrays made for it */
    const char *topology, *routing;
    const char *command; /* that gives the same answer, for the document; NULL: not known */
    uint32_t terminals, routers;
    uint64_t seed; /* of all that is drawn */
    /* What was being replayed when SIGINT came: REPORT_JOBS_ALONE (those that had ended alone are here), or
     * the topology; NULL: all is complete. */
    const char *interrupted;
    struct report_inputs inputs;
    struct report_job *jobs; /* in the order in which they were given */
    uint32_t job_count;      /* of jobs */
    const struct report_background *backgrounds;
    uint32_t background_count; /* 0: no synthetic traffic beside the jobs */

    uint64_t simulated_ns;                           /* until the last job's end */
    uint64_t packets, flits, packet_hops, flit_hops; /* of all jobs and the background */
    double mean_latency_cycles, max_channel_load;
    bool in_bits; /* what is called flits are bits */
    struct report_link_use link_use;
    const struct report_energy *energy;      /* of all together; NULL: not asked for, or an ideal network */
    const struct report_cost_network *costs; /* likewise */
    bool approximated;                       /* in any job */
    struct report_machine machine;           /* where the ranks of all are, in the arena */
    const struct report_lanes *lanes; /* what each rank did when, in company; borrowed. NULL: not recorded */
    char digest[33];                  /* of every delivery and every rank's end */
    struct report_host host;
};

/* What company costs a job: its time beside the others / its time alone. NAN when it takes none, and of a
 * part. */
double report_job_interference(const struct report_job *job);
/* What network and company cost it: its time beside the others / that on an ideal network. NAN likewise. */
double report_job_slowdown(const struct report_job *job);
/* Options are those of the first job's own run. All jobs have the same but for mapping and partition, which
 * each says for itself; and nothing is attributed here: whether an option is one of all jobs. */
bool report_jobs_option_is_common(const char *name);
/* The arena, the runs and the struct itself; NULL is legal. */
void report_jobs_free(struct report_jobs *jobs);

/* The jobs in company as a run, of which there is nothing but the picture `timeline`; borrows everything. */
struct report_run report_jobs_company(const struct report_jobs *jobs);

int report_jobs_text(const struct report_jobs *jobs, FILE *stream, unsigned width, struct base_error *error);
/* The same as an HTML document, with pictures of each job alone (reports/run/picture.h) and what is needed to repeat
 * it. topology: that of the jobs. */
int report_jobs_html(const struct report_jobs *jobs, const struct net_topology *topology, FILE *stream,
                     struct base_error *error);
int report_jobs_json(const struct report_jobs *jobs, FILE *stream, struct base_error *error);

#endif
