/* The trace doctor's scheduler: who is read next, until nobody has anything left.
 *
 *      visit each rank in turn:   next op ─► post ─► matched? ─► complete ─► next op …
 *                                                       └─ no: the rank waits, the next one is visited
 *      a turn in which no rank got on:
 *          some rank has too many unmatched sends: all may have twice as many
 *          else: all that wait give up and go on
 *
 * Sends are taken for eager and collectives for synchronising, so that a trace of a correct program never
 * gives up. Nothing that is told depends on the order of visits, but for wildcards. */
#include "traces/doctor/doctor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "traces/doctor/internal.h"

#define QUANTUM 256   /* operations of a visit */
#define SEND_LIMIT 64 /* a rank's unmatched sends at first */

/* A place is all that is kept of an operation once its stream has gone on: the operation itself is
 * overwritten by the next one, and its lists belong to the reader. */
struct doctor_place doctor_place_of(uint32_t rank, const struct trace_op *op)
{
    return (struct doctor_place){rank, op->region, op->event, op->time_ns};
}

/* Recorders leave communicators without a name, too; a sentence about one must read well all the same. */
const char *doctor_communicator_name(const struct doctor *doctor, uint32_t communicator)
{
    const char *name = trace_program_communicator(doctor->program, communicator)->name;
    return name == NULL || *name == '\0' ? "an unnamed communicator" : name;
}

/* Every defect goes through here. The call is named by its region, since that is what users see in their
 * source; a place without an event (a rank as a whole) says only the rank. -1: memory. `place` may be NULL for a
 * defect of the trace as a whole. */
int doctor_tell(struct doctor *doctor, const char *kind, enum trace_severity severity,
                const struct doctor_place *place, uint64_t count, const char *format, ...)
{
    struct trace_defect defect = {
        .kind = kind, .severity = severity, .rank = UINT32_MAX, .time_ns = UINT64_MAX};
    char text[768];
    va_list arguments;

    if (place != NULL) {
        defect.rank = place->rank;
        defect.event = place->event;
        defect.time_ns = place->time_ns;
        if (place->region != TRACE_NO_REGION)
            defect.call = trace_program_region_name(doctor->program, place->region);
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return trace_defects_add_many(doctor->defects, &defect, count, doctor->error, "%s", text);
}

/* ---- one rank */

/* Readers may give the operations of one call in another order than they were recorded in: only a later
 * record with an earlier time is wrong. The worst step of a rank is kept with its place; the end of a call counts
 * for the latest time seen. */
static void check_time(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    const struct trace_op *op = &state->op;

    if (op->event > state->last_event && op->time_ns < state->last_time_ns) {
        uint64_t back = state->last_time_ns - op->time_ns;
        state->backward++;
        if (back > state->backward_worst_ns) {
            state->backward_worst_ns = back;
            state->backward_place = doctor_place_of(rank, op);
        }
    }
    if (op->kind != TRACE_COMPUTE && state->latest_end_ns < op->time_ns + op->duration_ns)
        state->latest_end_ns = op->time_ns + op->duration_ns;
    if (op->event >= state->last_event) {
        state->last_event = op->event;
        state->last_time_ns = op->time_ns;
    }
}

/* Numbers out of range would lead out of our arrays. Readers check theirs; programs come from elsewhere too.
 * An operation that is not usable is told and passed over: its rank goes on with the next. */
static int check_numbers(struct doctor *doctor, uint32_t rank, bool *usable)
{
    const struct trace_op *op = &doctor->ranks[rank].op;
    struct doctor_place place = doctor_place_of(rank, op);
    bool is_message = op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE ||
                      op->kind == TRACE_PUT || op->kind == TRACE_GET;
    bool is_any = op->peer == TRACE_ANY_SOURCE && (op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE);

    *usable = true;
    if (!is_message && op->kind != TRACE_COLLECTIVE_CALL)
        return 0;
    *usable = op->communicator < doctor->communicator_count &&
              (!is_message || is_any || op->peer < doctor->rank_count);
    if (*usable)
        return 0;
    if (op->communicator >= doctor->communicator_count)
        return doctor_tell(doctor, "unknown-communicator", TRACE_FAULT, &place, 1,
                           "names communicator %" PRIu32 ", but the trace has %" PRIu32, op->communicator,
                           doctor->communicator_count);
    return doctor_tell(doctor, "unknown-rank", TRACE_FAULT, &place, 1,
                       "names rank %" PRIu32 ", but the trace has %" PRIu32 " ranks", op->peer,
                       doctor->rank_count);
}

/* What an operation does when the rank comes to it.
 * Everything that others may wait for happens here, before the rank itself waits: or two ranks that exchange
 * messages by blocking sends would wait for each other. -1: memory. What cannot be used (check_numbers) has no
 * effect. */
static int enter(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    bool usable;

    check_time(doctor, rank);
    if (check_numbers(doctor, rank, &usable) != 0)
        return -1;
    if (!usable) { /* as if it were not there; its request is known to be one */
        state->op.kind = TRACE_COMPUTE;
        return (state->op.flags & TRACE_NONBLOCKING) != 0 ? doctor_post_other(doctor, rank) : 0;
    }
    switch (state->op.kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
    case TRACE_PROBE:
        return doctor_post(doctor, rank);
    case TRACE_COLLECTIVE_CALL:
        if (doctor_call(doctor, rank) != 0)
            return -1;
        /* fall through */
    default:
        return (state->op.flags & TRACE_NONBLOCKING) != 0 ? doctor_post_other(doctor, rank) : 0;
    }
}

/* Whether the rank may leave its operation.
 * Sends are never waited for: whether a program relies on eager sends is for the replay to find out, which
 * knows the limit. Puts and gets need nobody on the other side. */
static bool is_done(struct doctor *doctor, uint32_t rank)
{
    const struct trace_op *op = &doctor->ranks[rank].op;

    if (op->kind == TRACE_WAIT)
        return doctor_is_matched(doctor, rank);
    if ((op->flags & TRACE_NONBLOCKING) != 0)
        return true;
    if (op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE)
        return doctor_is_matched(doctor, rank);
    return op->kind != TRACE_COLLECTIVE_CALL || doctor_is_complete(doctor, rank);
}

/* has_op is cleared first, so that a rank which gives up is not asked again for the same operation. */
static int leave(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    bool completes =
        state->op.kind == TRACE_WAIT || ((state->op.kind == TRACE_RECEIVE || state->op.kind == TRACE_PROBE) &&
                                         (state->op.flags & TRACE_NONBLOCKING) == 0);

    state->has_op = false;
    return completes ? doctor_complete(doctor, rank) : 0;
}

/* A stream that breaks off is a defect, unless it is our own memory that is out. */
static int end_rank(struct doctor *doctor, uint32_t rank, int result, const struct base_error *error)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    struct doctor_place place = {rank, TRACE_NO_REGION, state->last_event, state->last_time_ns};

    state->ended = true;
    trace_cursor_free(state->cursor);
    state->cursor = NULL;
    if (result == 0)
        return 0;
    if (error->status == BASE_SYSTEM)
        return base_error_set(doctor->error, error->status, "%s", error->text);
    return doctor_tell(doctor, "unreadable", TRACE_FAULT, &place, 1, "cannot be read on: %s", error->text);
}

/* The next operation, entered; ends the rank when there is none.
 * The error of a stream is kept apart from that of the doctor: a damaged rank must not end the examination of
 * the others. */
static int fetch(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    struct base_error error = {0};
    int result = trace_cursor_next(state->cursor, &state->op, &error);

    if (result <= 0 || state->op.kind == TRACE_END)
        return end_rank(doctor, rank, result < 0 ? -1 : 0, &error);
    state->has_op = true;
    state->operations++;
    return enter(doctor, rank);
}

/* Bounds the memory of one rank that sends to many, or of many that send to one: they stop until some of
 * their messages have been received. */
static bool is_ahead(const struct doctor *doctor, uint32_t rank)
{
    return doctor->ranks[rank].unmatched_sends >= doctor->send_limit;
}

/* As far as the rank gets. give_up: it leaves the operation it is at in any case.
 * The quantum keeps ranks that never wait (a sender, a rank without communication) from running through their
 * whole stream before their partners are read. *moved tells whether the rank got past any operation. */
static int visit(struct doctor *doctor, uint32_t rank, bool give_up, bool *moved)
{
    struct doctor_rank *state = &doctor->ranks[rank];

    for (int i = 0; i < QUANTUM && !state->ended; i++) {
        if (state->has_op) {
            if (!give_up && !is_done(doctor, rank))
                return 0;
            give_up = false;
            if (leave(doctor, rank) != 0)
                return -1;
            *moved = true;
        }
        if (is_ahead(doctor, rank))
            return 0;
        if (fetch(doctor, rank) != 0)
            return -1;
        *moved = true;
    }
    return 0;
}

/* ---- all ranks */

/* In the order of ranks: what is told must be the same each time. */
static int visit_all(struct doctor *doctor, bool give_up, bool *moved)
{
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        if (!doctor->ranks[rank].ended && visit(doctor, rank, give_up, moved) != 0)
            return -1;
    return 0;
}

/* All streams have ended. */
static bool is_over(const struct doctor *doctor)
{
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        if (!doctor->ranks[rank].ended)
            return false;
    return true;
}

/* Nobody moves: those that are ahead may go further before anyone gives up. */
static bool loosen(struct doctor *doctor)
{
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        if (!doctor->ranks[rank].ended && !doctor->ranks[rank].has_op && is_ahead(doctor, rank)) {
            doctor->send_limit *= 2;
            return true;
        }
    return false;
}

/* A turn in which nobody moved is the only sign that something is missing. All waiting ranks give up
 * together: one at a time, the first would run far ahead of the others. Ends, since every turn either moves some
 * rank or gives something up, and streams are finite. */
static int read_all(struct doctor *doctor)
{
    bool give_up = false;

    while (!is_over(doctor)) {
        bool moved = false;
        if (visit_all(doctor, give_up, &moved) != 0)
            return -1;
        give_up = !moved && !loosen(doctor);
    }
    return 0;
}

/* ---- the whole */

/* One line a rank and kind, however often its clock went back. At the end, since only then the number of backward
 * steps is known. */
static int report_ranks(struct doctor *doctor)
{
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++) {
        const struct doctor_rank *state = &doctor->ranks[rank];
        struct doctor_place place = {rank, TRACE_NO_REGION, 0, UINT64_MAX};
        char worst[BASE_UNITS_TEXT];
        if (state->operations == 0 && doctor->rank_count > 1 &&
            doctor_tell(doctor, "rank-without-operations", TRACE_WARNING, &place, 1,
                        "the rank's stream is empty: it neither computes nor communicates") != 0)
            return -1;
        if (state->backward > 0 &&
            doctor_tell(doctor, "time-goes-back", TRACE_WARNING, &state->backward_place, state->backward,
                        "the rank's clock goes back %" PRIu64 " time%s, by up to %s", state->backward,
                        state->backward == 1 ? "" : "s",
                        base_format_ns(state->backward_worst_ns, worst)) != 0)
            return -1;
    }
    return 0;
}

/* Ranks that had their processors, and were without them for long all the same: the wall clock is right. */
static int report_waits(struct doctor *doctor, const struct trace_processor_loss *loss)
{
    struct doctor_place place = {loss->longest.rank, TRACE_NO_REGION, loss->longest.event, UINT64_MAX};
    char total[BASE_UNITS_TEXT], gaps[BASE_UNITS_TEXT];

    return doctor_tell(
        doctor, "waits-between-calls", TRACE_NOTE, &place, loss->lost_gaps,
        "the longest of %s gaps between MPI calls in which ranks used no processor, for %s in "
        "all; inside calls they had theirs, and so they waited for something else than MPI, such "
        "as files",
        base_format_count(loss->lost_gaps, gaps), base_format_ns(loss->lost_ns, total));
}

/* A replay by the CPU clock is not affected; what was recorded is the same. */
static int report_shared(struct doctor *doctor, const struct trace_processor_loss *loss, bool uses_wall)
{
    struct doctor_place place = {loss->longest.rank, TRACE_NO_REGION, loss->longest.event, UINT64_MAX};
    char total[BASE_UNITS_TEXT], gaps[BASE_UNITS_TEXT], wall[BASE_UNITS_TEXT], cpu[BASE_UNITS_TEXT];
    char all_wall[BASE_UNITS_TEXT], all_cpu[BASE_UNITS_TEXT];

    return doctor_tell(
        doctor, "oversubscribed", uses_wall ? TRACE_WARNING : TRACE_NOTE, &place, loss->lost_gaps,
        "%s here, in which the rank had a processor for %s: the longest of the gaps between MPI calls in "
        "which ranks lost theirs, for %s in %s gap%s of %" PRIu32 " rank%s; all ranks compute for %s by the "
        "wall clock and for %s of CPU time%s%s",
        base_format_ns(loss->longest.wall_ns, wall), base_format_ns(loss->longest.cpu_ns, cpu),
        base_format_ns(loss->lost_ns, total), base_format_count(loss->lost_gaps, gaps),
        loss->lost_gaps == 1 ? "" : "s", loss->lost_ranks, loss->lost_ranks == 1 ? "" : "s",
        base_format_ns(loss->wall_ns, all_wall), base_format_ns(loss->cpu_ns, all_cpu),
        uses_wall ? ": take " : "", uses_wall ? trace_loss_cure_text(trace_loss_cure(loss)) : "");
}

/* What the clocks say of the machine, and what they cannot. */
static int report_machine(struct doctor *doctor, const struct trace_options *options)
{
    const struct trace_processor_loss *loss = &trace_program_summary(doctor->program)->loss;
    bool uses_wall = options == NULL || options->clock == TRACE_CLOCK_WALL;
    char step[BASE_UNITS_TEXT];

    if (loss->resolution_ns >= TRACE_LOSS_LEAST_NS &&
        doctor_tell(doctor, "coarse-clock", TRACE_NOTE, NULL, 1,
                    "the CPU clock advances in steps of %s: gaps in which a rank lost its processor for less "
                    "than two of them show in sums alone",
                    base_format_ns(loss->resolution_ns, step)) != 0)
        return -1;
    if (trace_loss_matters(loss))
        return report_shared(doctor, loss, uses_wall);
    return trace_loss_is_large(loss) ? report_waits(doctor, loss) : 0;
}

/* Repairs that change nothing a replay uses, or are how a format is meant to be read. */
static enum trace_severity severity_of(const char *repair)
{
    static const char *const harmless[] = {
        "event-count",          "repeated-identifier",        "proc-null-record",    "polling-collapsed",
        "receive-without-post", "collective-size-convention", "communicator-parent", "rank-order",
        "open-wildcard",        "cancelled-receive",          "ambiguous-source"};

    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i], repair) == 0)
            return TRACE_NOTE;
    return TRACE_WARNING;
}

/* Kinds are compared by their names, as the list itself does it. */
static bool is_known(const struct trace_defects *defects, const char *kind)
{
    for (size_t i = 0; i < trace_defects_kinds(defects); i++)
        if (strcmp(trace_defects_kind(defects, i)->kind, kind) == 0)
            return true;
    return false;
}

/* A reader that told its repairs one by one has told them already. */
static int report_repairs(struct doctor *doctor)
{
    const struct trace_summary *summary = trace_program_summary(doctor->program);

    for (size_t i = 0; i < summary->repair_count; i++) {
        const struct trace_repair *repair = &summary->repairs[i];
        if (!is_known(doctor->defects, repair->kind) &&
            doctor_tell(doctor, repair->kind, severity_of(repair->kind), NULL, repair->count, "%s",
                        repair->text) != 0)
            return -1;
    }
    return 0;
}

/* What no record tells of is missing from every replay, and nothing else would show it. */
static int report_missing(struct doctor *doctor)
{
    const struct trace_summary *summary = trace_program_summary(doctor->program);

    if (is_known(doctor->defects, "recording-off")) /* the reader has told it, rank by rank */
        return 0;
    for (size_t i = 0; i < summary->coverage_count; i++) {
        const struct trace_coverage *row = &summary->coverage[i];
        if (row->of == TRACE_OF_MISSING &&
            doctor_tell(
                doctor, "missing-records", TRACE_WARNING, NULL, row->records,
                "%s: calls that were made, but of whose messages the trace tells nothing: a replay does "
                "without them",
                row->record) != 0)
            return -1;
    }
    return 0;
}

/* A rank that cannot even be opened is one that ended at once. */
static int open_all(struct doctor *doctor)
{
    doctor->free_item = doctor->free_channel = doctor->free_instance = DOCTOR_NONE;
    doctor->send_limit = SEND_LIMIT;
    doctor->ranks = calloc((size_t)doctor->rank_count + 1, sizeof *doctor->ranks);
    doctor->disagreements = calloc((size_t)doctor->communicator_count + 1, sizeof *doctor->disagreements);
    if (doctor->ranks == NULL || doctor->disagreements == NULL)
        return base_error_memory(doctor->error, "the ranks");
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++) {
        struct base_error error = {0};
        doctor->ranks[rank].channels = DOCTOR_NONE;
        doctor->ranks[rank].cursor = trace_cursor_new(doctor->program, rank, &error);
        if (doctor->ranks[rank].cursor == NULL && end_rank(doctor, rank, -1, &error) != 0)
            return -1;
    }
    return 0;
}

/* Also after a failure on the way: whatever was made is freed, and NULL is harmless everywhere here. */
static void close_all(struct doctor *doctor)
{
    for (uint32_t rank = 0; doctor->ranks != NULL && rank < doctor->rank_count; rank++)
        trace_cursor_free(doctor->ranks[rank].cursor);
    free(doctor->ranks);
    free(doctor->disagreements);
    free(doctor->items);
    free(doctor->channels);
    free(doctor->instances);
    free(doctor->counters);
    base_table_free(&doctor->channel_of);
    base_table_free(&doctor->request_of);
    base_table_free(&doctor->instance_of);
    base_table_free(&doctor->member_of);
}

/* Repairs come first, since they explain what may follow. 0: examined, whatever was found; -1: memory, or a defect
 * that could not be kept. */
int trace_doctor(struct trace_program *program, const struct trace_options *options,
                 struct trace_defects *defects, struct base_error *error)
{
    struct base_error inner = {0};
    struct doctor doctor = {
        .program = program,
        .defects = defects,
        .error = error == NULL ? &inner : error,
        .rank_count = trace_program_ranks(program),
        .communicator_count = trace_program_communicators(program),
    };
    int status = -1;

    if (report_repairs(&doctor) == 0 && report_missing(&doctor) == 0 &&
        report_machine(&doctor, options) == 0 && open_all(&doctor) == 0 && read_all(&doctor) == 0 &&
        doctor_report_messages(&doctor) == 0 && doctor_report_collectives(&doctor) == 0)
        status = report_ranks(&doctor);
    close_all(&doctor);
    return status;
}
