/* The stages of a run, from noun to noun. Each takes what those before it gave and changes none of it, so that a run
 * can start in the middle: a placement that was read, a replay without a report, a placement without a replay.
 *
 *      setup, program ────────────────────► struct replay_placement       where its ranks are, and what that costs
 *      setup, program, placement, level ──► struct replay_trial           the times of one replay
 *      setup, program, placement, watch ──► struct replay_results         all replays of a run
 *      program, placement, results ───────► struct report_run             all that an answer says
 *
 * `run`, `map`, several jobs, comparisons and the library are compositions of these. */
#ifndef REPLAY_SESSION_STAGES_H
#define REPLAY_SESSION_STAGES_H

#include "mappers/placement.h"
#include "replay/engine/replay.h"
#include "replay/session/laps.h"
#include "replay/session/setup.h"
#include "replay/session/watch.h"
#include "traces/graph/graph.h"

/* ---- placing ---- */

/* Where the ranks of a program are. */
struct replay_placement {
    struct replay_setup setup;      /* of the job: that of the machine, on the job's partition */
    struct trace_comm_graph *graph; /* the program's messages, those of collectives included */
    struct map_placement *map;      /* rank to terminal */
    struct map_cost cost;           /* under the routing; zeros on an ideal network, which has no links */
};

/* Allocates the job's partition, makes the graph and places the ranks by a mapping ("identity", "anneal"). The
 * machine's setup outlives the placement, which stays where it is; the watch may be NULL, and ends a search. Free it
 * in either case. -1: more ranks than fit (BASE_USAGE, with a size that would do), as replay_setup_allocate and
 * map_placement_new. */
int replay_place(struct replay_placement *placement, const struct replay_setup *machine,
                 struct trace_program *program, const char *mapping, const struct replay_watch *watch,
                 struct base_error *error);
/* The same of a program whose ranks are known to fit, on a graph that was made of it, which is the placement's from
 * here on. */
int replay_place_graph(struct replay_placement *placement, const struct replay_setup *machine,
                       struct trace_program *program, struct trace_comm_graph *graph, const char *mapping,
                       const struct replay_watch *watch, struct base_error *error);
void replay_placement_free(struct replay_placement *placement);

/* The ranks of a graph by a mapping, within the setup's partition: the last step of placing alone. Without a program
 * (NULL) mappings that replay are refused. The caller owns the result. NULL: as map_placement_new. */
struct map_placement *replay_map_graph(const struct replay_setup *setup, const struct trace_comm_graph *graph,
                                       struct trace_program *program, const char *mapping,
                                       const struct replay_watch *watch, struct base_error *error);

/* ---- replaying ---- */

/* How much of the network there is in a replay: from one where messages take no time to the one that is configured. The
 * numbers are those of the rungs of an attribution (reports/run/attribution.h). */
enum replay_level {
    REPLAY_IDEAL,         /* messages take no time, neither in the network nor in the host */
    REPLAY_HOST_ALONE,    /* nor in the network, but in the host */
    REPLAY_DISTANCE,      /* and the way takes time */
    REPLAY_SERIALISATION, /* and so does the length */
    REPLAY_TERMINALS,     /* and injection and ejection are shared */
    REPLAY_CHANNELS,      /* and so are channels */
    REPLAY_CONFIGURED     /* and buffers are finite: everything */
};

/* One replay. */
struct replay_trial {
    struct replay_result result;
    struct replay_laps laps;     /* when each iteration began; none where all are replayed */
    struct net_network *network; /* as the replay left it, for its statistics; NULL: not kept */
};

/* Who looks on. All zeros: nobody, and the replay leaves its times alone. */
struct replay_onlooker {
    const struct replay_watch *watch; /* may be NULL */
    const char *what;                 /* that progress is told to be of; NULL: what the level says */
    /* The run's own replay: laps are taken and, of the network as configured, the network stays, waits are counted and
     * the recorder is told. */
    bool keeps;
    uint32_t network_threads;   /* of that network; 0: as many as the settings say */
    uint64_t most_ns;           /* as of replay_semantics */
    const uint64_t *compute_ns; /* likewise */
};

/* Replays the program with rank i on terminal[i], on a network of its own: nothing of one replay is left for the next.
 * Free the trial in either case. -1: what the network or the replay refuses. */
int replay_try(struct replay_trial *trial, const struct replay_setup *setup, struct trace_program *program,
               const uint32_t *terminal, enum replay_level level, const struct replay_onlooker *onlooker,
               struct base_error *error);
void replay_trial_free(struct replay_trial *trial);

/* The simulated time of such a replay on the network as configured and nothing else: what judges placements. -1: as
 * replay_try, and BASE_INTERRUPTED where the watch asks for an end. */
int replay_time(const struct replay_setup *setup, struct trace_program *program, const uint32_t *terminal,
                const struct replay_watch *watch, uint64_t *time_ns, struct base_error *error);

/* ---- all replays of a run ---- */

#define REPLAY_WHAT_IFS 6

/* What a run has measured under a placement. */
struct replay_results {
    struct replay_trial ideal, real; /* the real one with its network */
    bool is_ideal;  /* there was one replay for both: what the ideal one has is the real one's */
    bool has_rungs; /* those in between are there as well */
    struct replay_trial rungs[REPLAY_CONFIGURED - 1]; /* [level - 1] */
    struct replay_what_if {
        unsigned row; /* of the list in what-if.c */
        uint64_t simulated_ns;
    } what_if[REPLAY_WHAT_IFS];
    unsigned what_ifs; /* replayed */
    bool is_stopped;   /* by the watch: something that was asked for may be missing */
};

/* Replays the program on both ends of the ladder, and on what else the placement's setup asks for: the rungs of the
 * attribution, and rows of what if. The watch may be NULL; name: what progress calls the replay on the network, NULL:
 * by the topology. Free the results in either case. -1: as replay_try, and BASE_INTERRUPTED where the watch asks for
 * an end before the network was replayed; later it leaves out what is not done yet. */
int replay_measure(struct replay_results *results, struct trace_program *program,
                   const struct replay_placement *placement, const struct replay_watch *watch,
                   const char *name, struct base_error *error);
void replay_results_free(struct replay_results *results);

/* The results as an answer, which has copies of everything that it says. stopwatch: since when the host's time counts.
 * The caller frees the run with report_run_free. NULL: memory, or results that do not sum up (BASE_SYSTEM). */
struct replay_stopwatch;
struct report_run *replay_report(struct trace_program *program, const struct replay_placement *placement,
                                 const struct replay_results *results,
                                 const struct replay_stopwatch *stopwatch, struct base_error *error);

/* Whether the watch, which may be NULL, has asked for an end. */
bool replay_is_stopped(const struct replay_watch *watch);

#endif
