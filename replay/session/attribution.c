/* The attribution of a slowdown: the same program under the same placement on the rungs between the ideal
 * network and the one configured (netmodel/simple-engines/effects.c), and what each adds. The two ends are
 * the session's own replays. */
#include <stdlib.h>
#include <string.h>

#include "replay/session/internal.h"

#define LAST REPORT_EFFECTS
#define HOST REPORT_EFFECT_HOST

_Static_assert((int)REPLAY_IDEAL == 0 && (int)REPLAY_HOST_ALONE == HOST && (int)REPLAY_CONFIGURED == LAST,
               "a rung of the ladder is a level of replays under its number");

/* Rung 1 .. LAST - 1. Of a rung only times and waits are reported, no loads of links. A host that costs nothing is no
 * rung. */
static int replay_rung(const struct session *session, struct replay_results *results, unsigned rung,
                       struct base_error *error)
{
    if (rung == HOST && !replay_settings_have_host(session->setup->settings))
        return 0;
    return replay_try(&results->rungs[rung - 1], session->setup, session->program,
                      session->placement->map->terminal, (enum replay_level)rung,
                      &(struct replay_onlooker){.watch = session->watch}, error);
}

/* An ideal topology has no rungs; nor has a run that was told to do without, or a job among others. */
bool session_attributes(const struct replay_setup *setup)
{
    return setup->busy == NULL && setup->routing != NULL && setup->is_attributed;
}

int session_attribute(const struct session *session, struct replay_results *results, struct base_error *error)
{
    results->has_rungs = session_attributes(session->setup);
    for (unsigned rung = 1; results->has_rungs && rung < LAST; rung++) {
        if (!results->real.result.interrupted && replay_rung(session, results, rung, error) != 0)
            return -1;
        /* A rung that is not replayed to its end says nothing, and neither do the others without it. */
        if (replay_is_stopped(session->watch))
            results->has_rungs = false;
    }
    return 0;
}

/* Results of all rungs by number, wherever they are kept; borrowed. A host that costs nothing is no rung of
 * its own: what it would have is the ideal network's. */
static const struct replay_result *rung_result(const struct session *session, unsigned rung)
{
    if (rung == 0 || (rung == HOST && !replay_settings_have_host(session->setup->settings)))
        return &session->results->ideal.result;
    return rung == LAST ? &session->results->real.result : &session->results->rungs[rung - 1].result;
}

/* ---- the tables of waits ---- */

/* A region while its waits are collected: trace_program_region_name turns the number into text at the end. */
struct region_row {
    uint32_t region;
    uint64_t wait_ns[REPORT_RUNGS];
};

/* By number: rungs wait in mostly the same regions, and each has them in this order. */
static int compare_regions(const void *left, const void *right)
{
    const struct region_row *a = left, *b = right;
    return a->region < b->region ? -1 : a->region > b->region;
}

/* Longest waits on the configured network first; of equal ones the lower number. The order is total, which
 * makes qsort give the same rows everywhere, though it is not stable. */
static int compare_waits(const void *left, const void *right)
{
    const struct region_row *a = left, *b = right;
    if (a->wait_ns[LAST] != b->wait_ns[LAST])
        return a->wait_ns[LAST] > b->wait_ns[LAST] ? -1 : 1;
    return compare_regions(left, right);
}

/* Rows of one region stand together after sorting: they become one. Returns how many are left. */
static uint32_t merge_rows(struct region_row *rows, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && rows[kept - 1].region == rows[i].region)
            for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
                rows[kept - 1].wait_ns[rung] += rows[i].wait_ns[rung];
        else
            rows[kept++] = rows[i];
    }
    return kept;
}

/* One row for every region in which any rung waits. The caller frees them. NULL: memory. Each row that goes
 * in has a time on one rung only; adding up the rows of a region puts its rungs side by side. The array has
 * one row to spare, so that a program that never waits is no failed allocation. */
static struct region_row *region_rows(const struct session *session, uint32_t *count)
{
    uint32_t total = 0, used = 0;
    for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
        total += rung_result(session, rung)->wait_count;
    struct region_row *rows = calloc((size_t)total + 1, sizeof *rows);
    for (unsigned rung = 0; rows != NULL && rung < REPORT_RUNGS; rung++) {
        const struct replay_result *result = rung_result(session, rung);
        for (uint32_t i = 0; i < result->wait_count; i++, used++) {
            rows[used].region = result->waits[i].region;
            rows[used].wait_ns[rung] = result->waits[i].wait_ns;
        }
    }
    if (rows != NULL && used > 1)
        qsort(rows, used, sizeof *rows, compare_regions);
    *count = rows == NULL ? 0 : merge_rows(rows, used);
    if (*count > 1)
        qsort(rows, *count, sizeof *rows, compare_waits);
    return rows;
}

/* Zeroed: a rung on which a region never waits is 0 and not unknown. NULL: memory. */
static struct report_waiting *allocate_rows(struct report_run *run, uint32_t count)
{
    struct report_waiting *rows = base_arena_array(&run->arena, (size_t)count + 1, sizeof *rows);
    if (rows != NULL)
        memset(rows, 0, ((size_t)count + 1) * sizeof *rows);
    return rows;
}

/* Names are copied, since they belong to the trace, which ends before the report. */
static int make_regions(const struct session *session, struct report_run *run,
                        struct report_attribution *attribution)
{
    uint32_t count = 0;
    struct region_row *from = region_rows(session, &count);
    struct report_waiting *rows = from == NULL ? NULL : allocate_rows(run, count);
    bool failed = rows == NULL;
    for (uint32_t i = 0; !failed && i < count; i++) {
        rows[i].name =
            base_arena_text(&run->arena, trace_program_region_name(session->program, from[i].region));
        memcpy(rows[i].wait_ns, from[i].wait_ns, sizeof rows[i].wait_ns);
        failed = rows[i].name == NULL;
    }
    free(from);
    attribution->regions = rows;
    attribution->region_count = count;
    return failed ? -1 : 0;
}

/* By rank: the number is the name. All rungs have the same ranks, being replays of one program. */
static int make_ranks(const struct session *session, struct report_run *run,
                      struct report_attribution *attribution)
{
    struct report_waiting *rows = allocate_rows(run, session->results->real.result.ranks);
    if (rows == NULL)
        return -1;
    for (uint32_t i = 0; i < session->results->real.result.ranks; i++)
        for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
            rows[i].wait_ns[rung] = rung_result(session, rung)->rank[i].wait_ns;
    attribution->ranks = rows;
    attribution->rank_count = session->results->real.result.ranks;
    return 0;
}

/* A class in which no rung waits is left out: its row, all zeros by then, is used for the next one. The names
 * are those of replay_size_class's bounds and must follow them. */
static int make_sizes(const struct session *session, struct report_run *run,
                      struct report_attribution *attribution)
{
    static const char *const names[REPLAY_SIZE_CLASSES] = {"0",
                                                           "1 to 64",
                                                           "65 to 512",
                                                           "513 to 4 Ki",
                                                           "4 Ki to 32 Ki",
                                                           "32 Ki to 256 Ki",
                                                           "256 Ki to 2 Mi",
                                                           "over 2 Mi"};
    struct report_waiting *rows = allocate_rows(run, REPLAY_SIZE_CLASSES);
    if (rows == NULL)
        return -1;
    for (unsigned i = 0; i < REPLAY_SIZE_CLASSES; i++) {
        uint64_t any = 0;
        struct report_waiting *row = &rows[attribution->size_count];
        row->name = names[i];
        for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
            any |= row->wait_ns[rung] = rung_result(session, rung)->size_wait_ns[i];
        attribution->size_count += any != 0;
    }
    attribution->sizes = rows;
    return 0;
}

/* ---- the law ---- */

static uint64_t sum_of(const struct report_waiting *rows, uint32_t count, unsigned rung)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += rows[i].wait_ns[rung];
    return sum;
}

/* Checked in every run: on every rung ranks, calls and sizes tell of the same time; the two ends are those of
 * the slowdown, so that the effects sum to it. */
static int check(const struct report_attribution *attribution, const struct report_run *run,
                 struct base_error *error)
{
    for (unsigned rung = 0; rung < REPORT_RUNGS; rung++) {
        uint64_t ranks = sum_of(attribution->ranks, attribution->rank_count, rung);
        if (ranks != sum_of(attribution->regions, attribution->region_count, rung) ||
            ranks != sum_of(attribution->sizes, attribution->size_count, rung))
            return base_error_set(
                error, BASE_SYSTEM,
                "the waits of ranks, calls and sizes differ: this is a defect of flitreplay");
    }
    if (attribution->simulated_ns[0] != run->ideal_ns || attribution->simulated_ns[LAST] != run->simulated_ns)
        return base_error_set(error, BASE_SYSTEM,
                              "the effects do not sum to the slowdown: this is a defect of flitreplay");
    return 0;
}

/* The law is checked last, on what would be printed: a report that breaks it is never written. */
int session_report_attribution(const struct session *session, struct report_run *run,
                               struct base_error *error)
{
    if (!session->results->has_rungs)
        return 0;
    struct report_attribution *attribution = base_arena_alloc(&run->arena, sizeof *attribution);
    if (attribution == NULL)
        return base_error_memory(error, "the attribution");
    *attribution =
        (struct report_attribution){.has_host = replay_settings_have_host(session->setup->settings)};
    for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
        attribution->simulated_ns[rung] = rung_result(session, rung)->simulated_ns;
    if (make_ranks(session, run, attribution) != 0 || make_regions(session, run, attribution) != 0 ||
        make_sizes(session, run, attribution) != 0)
        return base_error_memory(error, "the attribution");
    run->attribution = attribution;
    return check(attribution, run, error);
}
