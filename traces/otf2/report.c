/* The summary: what the survey counted, in the order and the words that messages and reports use. Everything
 * is copied, so that the survey's tables and the summary need not live equally long.
 *
 * The coverage has a row for each MPI call that the trace uses and for each kind of record that is read over.
 * Nothing that a rank recorded is missing from it: an MPI call that no table knows gets a row under its own
 * name. */
#include "traces/otf2/report.h"

#include <stdlib.h>
#include <string.h>

#include "traces/communicators/implied.h"

static const struct {
    const char *kind, *text;
} repair_texts[TRACE_OTF2_REPAIRS] = {
#define TRACE_OTF2_REPAIR(symbol, kind, text) {kind, text},
#include "traces/otf2/repairs.def"
#undef TRACE_OTF2_REPAIR
};

/* Rows go into an array of the largest size there can be, so that adding one cannot fail. */
struct report {
    const struct trace_otf2_survey *survey;           /* what is told */
    const struct trace_otf2_definitions *definitions; /* whose calls and communicators are told */
    const struct trace_otf2_tables *tables;
    struct base_arena *arena;    /* of rows and texts */
    struct trace_coverage *rows; /* room for every row there can be */
    size_t count;
    bool failed; /* memory was out */
};

/* Rows without records are not printed. A name that could not be made is an error, remembered until the end.
 * */
static void add_row(struct report *report, enum trace_coverage_of of, const char *record,
                    enum trace_treatment treatment, const char *how, uint64_t records, uint64_t bytes,
                    uint64_t time_ns)
{
    if (records == 0)
        return;
    report->failed |= record == NULL;
    report->rows[report->count].of = of;
    report->rows[report->count].record = record;
    report->rows[report->count].treatment = treatment;
    report->rows[report->count].how = how;
    report->rows[report->count].records = records;
    report->rows[report->count].time_ns = time_ns;
    report->rows[report->count++].bytes = bytes;
}

/* Calls that no record tells of have a row of their own, where that can mean something. A blocking send or
 * receive without one mostly had to do with MPI_PROC_NULL; a collective or a Sendrecv may have been forgotten
 * by the recorder. */
static bool may_be_forgotten(enum trace_otf2_class class)
{
    return class == TRACE_OTF2_SENDRECV || class == TRACE_OTF2_COLLECTIVE || class == TRACE_OTF2_VECTOR ||
           class == TRACE_OTF2_NONBLOCKING || class == TRACE_OTF2_ONE_SIDED ||
           class == TRACE_OTF2_NEIGHBOUR || class == TRACE_OTF2_JOIN || class == TRACE_OTF2_OTHER;
}

/* Messages, and calls on windows that need others: with MPI_PROC_NULL they have no record either. Locks and
 * attributes of windows have none that this reader looks at. */
static bool may_be_to_nobody(const struct trace_otf2_call *call)
{
    switch (call->class) {
    case TRACE_OTF2_POINT_TO_POINT:
    case TRACE_OTF2_BUFFERED:
    case TRACE_OTF2_SYNCHRONOUS:
    case TRACE_OTF2_SENDRECV:
        return true;
    case TRACE_OTF2_ONE_SIDED:
        return strncmp(call->name, "MPI_Win_", 8) != 0 || trace_implied_find(call->name) != NULL;
    default:
        return false;
    }
}

/* Whether the calls without a record are those of a recorder that does not write them: of messages, when no
 * call of the name ever has one. One rank sends nothing to others. */
static bool is_missing(const struct report *report, const struct trace_otf2_call *call,
                       const struct trace_otf2_call_count *count)
{
    enum trace_otf2_class class = call->class;

    if (report->definitions->ranks == 1)
        return false;
    if (may_be_to_nobody(call))
        return count->records == 0;
    return class == TRACE_OTF2_COLLECTIVE || class == TRACE_OTF2_VECTOR || class == TRACE_OTF2_NONBLOCKING ||
           class == TRACE_OTF2_NEIGHBOUR || class == TRACE_OTF2_OTHER;
}

/* Other ranks have a part in it. */
static bool is_communication(enum trace_otf2_class class)
{
    return class != TRACE_OTF2_LOCAL && class != TRACE_OTF2_INIT && class != TRACE_OTF2_FINALIZE;
}

/* Alltoallv and alltoallw, blocking or not: their totals say more when they divide evenly. */
static bool split_is_whole(const struct report *report, const struct trace_otf2_call *call)
{
    return trace_otf2_vectors_are_even(
        &report->survey->vectors, strstr(call->name, "oallw") != NULL ? TRACE_ALLTOALLW : TRACE_ALLTOALLV);
}

/* Allgatherv and reduce_scatter, blocking or not, whose blocks fit no convention. */
static bool blocks_are_guessed(const struct report *report, const struct trace_otf2_call *call)
{
    const struct trace_otf2_vectors *vectors = &report->survey->vectors;

    if (strstr(call->name, "llgatherv") != NULL)
        return trace_otf2_vectors_are_guessed(vectors, TRACE_ALLGATHERV);
    return strstr(call->name, "educe_scatter") != NULL && strstr(call->name, "_block") == NULL &&
           trace_otf2_vectors_are_guessed(vectors, TRACE_REDUCE_SCATTER);
}

/* "MPI_Scan (no record)": calls of which less is known than of others of the name. */
static void add_part(struct report *report, const struct trace_otf2_call *call, const char *lacks,
                     const char *how, bool missing, uint64_t calls, uint64_t time_ns)
{
    if (calls > 0)
        add_row(report, missing ? TRACE_OF_MISSING : TRACE_OF_CALLS,
                base_arena_format(report->arena, "%s (%s)", call->name, lacks), TRACE_IGNORED, how, calls, 0,
                time_ns);
}

/* The time inside a call that started what never ended is told with the others of the name. Counts are calls,
 * times nanoseconds over all ranks. */
static void add_call_rows(struct report *report, const struct trace_otf2_call *call,
                          const struct trace_otf2_call_count *count, enum trace_treatment treatment,
                          const char *how)
{
    enum trace_coverage_of of = is_communication(call->class) ? TRACE_OF_CALLS : TRACE_OF_RECORDS;
    bool missing = is_missing(report, call, count);
    bool together = !missing && !may_be_forgotten(call->class);
    /* MPI_Startall may start several. */
    uint64_t endless = count->endless < count->records ? count->endless : count->records;

    add_row(report, of, call->name, treatment, how, count->records - endless + (together ? count->empty : 0),
            count->bytes, count->records_ns + (together ? count->empty_ns : 0));
    add_part(report, call, "no completion", "the record of its end, which names the operation, is missing",
             true, endless, 0);
    if (together)
        return;
    add_part(report, call, "no record",
             call->class == TRACE_OTF2_OTHER ? "not known to this reader; its time is left out"
             : may_be_to_nobody(call)
                 ? "the recorder wrote no message for these calls, or they were to or from MPI_PROC_NULL"
                 : "the recorder wrote no message or collective for these calls",
             missing, count->empty, count->empty_ns);
}

/* Calls without a record inside are told apart only where that can mean something. The treatment is that of the
 * call's class, unless the trace has something that says more, or less. */
static void add_call(struct report *report, uint32_t index)
{
    const struct trace_otf2_call *call = &report->definitions->calls[index];
    const struct trace_otf2_call_count *count = &report->survey->counts.calls[index];
    const char *how;
    enum trace_treatment treatment = trace_otf2_class_treatment(call->class, &how);

    if (call->class == TRACE_OTF2_TEST && report->survey->counts.collapsed_tests > 0) {
        treatment = TRACE_DECOMPOSED;
        how = "unsuccessful tests and the successful one that ends them are one wait";
    }
    if (call->class == TRACE_OTF2_PROBE && report->survey->counts.probes > 0) {
        treatment = TRACE_APPROXIMATE;
        how = "a wait for the message that is received directly afterwards, otherwise left out";
    }
    if (call->class == TRACE_OTF2_VECTOR && split_is_whole(report, call)) {
        treatment = TRACE_DECOMPOSED;
        how = "messages in proportion to the recorded totals, which splits them into whole elements";
    }
    if (blocks_are_guessed(report, call)) {
        treatment = TRACE_APPROXIMATE;
        how = "the recorded sizes fit no convention: the total is split in proportion to the members' blocks";
    }
    if ((call->class == TRACE_OTF2_ONE_SIDED || call->class == TRACE_OTF2_FILES) &&
        trace_implied_find(call->name) != NULL)
        how = trace_implied_find(call->name)->how;
    if (call->class == TRACE_OTF2_OTHER) {
        treatment = TRACE_APPROXIMATE;
        how = "not known to this reader: the messages and collectives recorded inside it";
    }
    if (trace_otf2_class_creates(call->class) && report->tables->creations_unknown != NULL) {
        treatment = TRACE_IGNORED;
        how = report->tables->creations_unknown;
    }
    add_call_rows(report, call, count, treatment, how);
}

/* One row a call in the order of their definitions, then what was read over. Up to three rows a call: as recorded,
 * without completion, without any record. */
static int add_coverage(struct report *report, struct trace_summary *summary)
{
    const struct trace_otf2_counts *counts = &report->survey->counts;
    uint32_t calls = report->definitions->call_count;

    report->rows =
        base_arena_array(report->arena, (size_t)calls * 3 + TRACE_OTF2_RECORDS + 5, sizeof *report->rows);
    if (report->rows == NULL)
        return -1;
    for (uint32_t i = 0; i < calls; i++)
        add_call(report, i);
    for (uint32_t i = 0; i < TRACE_OTF2_RECORDS; i++)
        add_row(report, TRACE_OF_RECORDS, trace_otf2_record_name(i),
                trace_otf2_record_reason(i) == NULL ? TRACE_EXACT : TRACE_IGNORED,
                trace_otf2_record_reason(i), counts->skipped[i], 0, 0);
    add_row(report, TRACE_OF_RECORDS, "MpiCollectiveEnd (predefined, freed)", TRACE_EXACT, NULL,
            counts->local_handles, 0, 0);
    add_row(report, TRACE_OF_RECORDS, "messages and collectives of one rank", TRACE_IGNORED,
            "they use no network", counts->solo_messages, 0, 0);
    add_row(report, TRACE_OF_MISSING, "NonBlockingCollectiveRequest", TRACE_IGNORED,
            "their completion, which names the operation, is not recorded", counts->nonblocking, 0, 0);
    add_row(report, TRACE_OF_RECORDS, "MpiCollectiveEnd (handles)", TRACE_IGNORED,
            "no call that makes a communicator is recorded around it", counts->handles, 0, 0);
    summary->coverage = report->rows;
    summary->coverage_count = report->count;
    return report->failed ? -1 : 0;
}

/* By source, then target: the order of the matrix. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trace_pair *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Pairs that only have receives (of sends that were not recorded) are not in the matrix, which is counted at
 * the sender. */
static int add_pairs(const struct report *report, struct trace_summary *summary)
{
    const struct trace_otf2_survey *survey = report->survey;
    struct trace_pair *pairs = base_arena_array(report->arena, survey->pair_count, sizeof *pairs);

    if (pairs == NULL)
        return -1;
    for (size_t i = 0; i < survey->pair_count; i++)
        if (survey->pairs[i].pair.messages > 0)
            pairs[summary->pair_count++] = survey->pairs[i].pair;
    if (summary->pair_count > 0)
        qsort(pairs, summary->pair_count, sizeof *pairs, compare_pairs);
    summary->pairs = pairs;
    return 0;
}

/* Repairs that were not needed are not listed: an empty list means that nothing was repaired. */
static int add_repairs(const struct report *report, struct trace_summary *summary)
{
    struct trace_repair *repairs = base_arena_array(report->arena, TRACE_OTF2_REPAIRS, sizeof *repairs);

    if (repairs == NULL)
        return -1;
    for (size_t i = 0; i < TRACE_OTF2_REPAIRS; i++)
        if (report->survey->counts.repairs[i] > 0)
            repairs[summary->repair_count++] = (struct trace_repair){
                repair_texts[i].kind, repair_texts[i].text, report->survey->counts.repairs[i]};
    summary->repairs = repairs;
    return 0;
}

/* The summary outlives the survey's arrays. */
static int add_collectives(const struct report *report, struct trace_summary *summary)
{
    size_t count = (size_t)report->definitions->communicator_count * TRACE_COLLECTIVES;
    struct trace_collective_count *copy = base_arena_array(report->arena, count, sizeof *copy);

    if (copy == NULL)
        return -1;
    for (size_t i = 0; i < count; i++) {
        copy[i] = report->survey->collectives[i];
        summary->collectives[i % TRACE_COLLECTIVES].calls += copy[i].calls;
        summary->collectives[i % TRACE_COLLECTIVES].bytes += copy[i].bytes;
    }
    summary->by_communicator = copy;
    return 0;
}

/* Numbers are over all ranks. -1: memory. */
int trace_otf2_summarise(struct trace_summary *summary, const struct trace_otf2_survey *survey,
                         const struct trace_otf2_definitions *definitions,
                         const struct trace_otf2_tables *tables, struct base_arena *arena)
{
    struct report report = {.survey = survey, .definitions = definitions, .tables = tables, .arena = arena};

    *summary = (struct trace_summary){.events = survey->events,
                                      .other_locations = definitions->other_locations,
                                      .other_location_count = definitions->other_location_count,
                                      .sends = survey->sends,
                                      .receives = survey->receives,
                                      .bytes_sent = survey->bytes_sent,
                                      .bytes_received = survey->bytes_received,
                                      .compute_ns = survey->compute_ns,
                                      .mpi_ns = survey->counts.mpi_ns};
    if (add_collectives(&report, summary) != 0 || add_coverage(&report, summary) != 0)
        return -1;
    return add_repairs(&report, summary) != 0 ? -1 : add_pairs(&report, summary);
}
