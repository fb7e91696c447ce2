/* Marks: their texts, and the call of each rank that they mean. Ranks have clocks and call numbers of their own, and
 * most programs take all of them through the same regions: a mark is looked for on each rank by itself. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"
#include "traces/windows/groups.h"
#include "traces/windows/internal.h"

#define CALL_PREFIX "call:"
#define REGION_PREFIX "region:"

/* ---- texts ---- */

/* One sentence for whatever is wrong with a text. */
static int refuse(const char *option, const char *text, struct base_error *error)
{
    return base_error_set(
        error, BASE_USAGE,
        "--%s %s: needs a time with its unit (ns, us, ms or s: 1.5ms), call:N or region:NAME#K, "
        "with N and K from 1",
        option, text);
}

/* A decimal number and its unit, in nanoseconds, of which there must be a whole number. */
static int parse_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        unsigned digits; /* of a nanosecond in the unit */
    } units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
    char number[32];
    size_t length = strspn(text, "0123456789.");

    if (length == 0 || length >= sizeof number)
        return -1;
    memcpy(number, text, length);
    number[length] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + length, units[i].name) == 0)
            return units[i].digits == 0 ? base_parse_unsigned(number, INT64_MAX, ns)
                                        : base_parse_decimal(number, units[i].digits, ns);
    return -1;
}

/* NAME#K: names may have any character, so that the last # counts. */
static int parse_region(const char *text, struct trace_mark *mark)
{
    const char *number = strrchr(text, '#');

    if (number == NULL || number == text)
        return -1;
    mark->kind = TRACE_MARK_REGION;
    mark->region = text;
    mark->region_length = (size_t)(number - text);
    return base_parse_unsigned(number + 1, INT64_MAX, &mark->number) == 0 && mark->number > 0 ? 0 : -1;
}

/* Words first, then prefixes, then times: a time begins with a digit or a point, so that no two forms can be mixed
 * up. The word of the other option ("end" of --from) is no mark here. */
int trace_mark_parse(const char *option, const char *text, struct trace_mark *mark, struct base_error *error)
{
    *mark = (struct trace_mark){.kind = TRACE_MARK_OPEN};
    if (strcmp(text, strcmp(option, "from") == 0 ? "start" : "end") == 0)
        return 0;
    if (strncmp(text, REGION_PREFIX, strlen(REGION_PREFIX)) == 0)
        return parse_region(text + strlen(REGION_PREFIX), mark) == 0 ? 0 : refuse(option, text, error);
    if (strncmp(text, CALL_PREFIX, strlen(CALL_PREFIX)) == 0) {
        mark->kind = TRACE_MARK_CALL;
        return base_parse_unsigned(text + strlen(CALL_PREFIX), INT64_MAX, &mark->number) == 0 &&
                       mark->number > 0
                   ? 0
                   : refuse(option, text, error);
    }
    mark->kind = TRACE_MARK_TIME;
    return parse_time(text, &mark->number) == 0 ? 0 : refuse(option, text, error);
}

/* ---- places ---- */

#define NOWHERE UINT64_MAX

/* A mark on its way through a rank. */
struct sought {
    const struct trace_mark *mark; /* borrowed */
    uint32_t region;               /* TRACE_MARK_REGION: its number */
    bool is_own; /* of the program, and no MPI call; then the rank enters it by record `event` */
    uint64_t event;
    uint64_t origin_ns; /* of the rank's clock */
    uint64_t call;      /* where it is; NOWHERE: not yet */
    uint64_t entries;   /* of the region, so far */
    uint64_t most;      /* calls, entries or nanoseconds, of any rank */
};

/* Operations of one call follow each other without computing. Those of a record are one call; so are what a call
 * starts and then waits for, and the two sides of MPI_Sendrecv. */
static bool is_same_call(const struct trace_op *before, const struct trace_op *op)
{
    bool starts = (before->flags & TRACE_NONBLOCKING) != 0;

    return before->region == op->region &&
           (before->event == op->event || (starts && op->kind == TRACE_WAIT) ||
            (starts && before->kind == TRACE_RECEIVE && op->kind == TRACE_SEND));
}

/* `before`: the operation before, a computation unless it is of the same group of operations. */
static void look(struct sought *sought, const struct trace_op *before, const struct trace_op *op,
                 uint64_t call)
{
    const struct trace_mark *mark = sought->mark;
    uint64_t reached = 0;

    switch (mark->kind) {
    case TRACE_MARK_OPEN:
        return;
    case TRACE_MARK_TIME:
        reached = sought->origin_ns + op->time_ns;
        break;
    case TRACE_MARK_CALL:
        reached = call + 1;
        break;
    case TRACE_MARK_REGION:
        if (sought->is_own) {
            if (sought->call == NOWHERE && sought->event != 0 && op->event > sought->event)
                sought->call = call;
            return;
        }
        if (op->region == sought->region && !is_same_call(before, op))
            sought->entries++;
        reached = sought->entries;
    }
    if (reached > sought->most)
        sought->most = reached;
    if (sought->call == NOWHERE && reached >= mark->number)
        sought->call = call;
}

/* Where the rank enters what is a region of its own. */
static int find_entry(struct trace_view *view, uint32_t rank, struct sought *sought, struct base_error *error)
{
    struct trace_entry entry = {.region = sought->region, .number = sought->mark->number};

    if (sought->mark->kind != TRACE_MARK_REGION || !sought->is_own)
        return 0;
    if (trace_program_find_entries(view->inner, rank, &entry, 1, error) != 0)
        return -1;
    sought->event = entry.event;
    if (entry.entries > sought->most)
        sought->most = entry.entries;
    return 0;
}

/* Looks for both marks on a rank. calls: how many it has. */
static int read_rank(struct trace_view *view, uint32_t rank, struct sought *from, struct sought *to,
                     uint64_t *calls, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(view->inner, rank, error);
    struct trace_groups groups = {0};
    struct trace_op before = {.region = TRACE_NO_REGION};
    struct trace_op op;
    uint64_t origin = trace_program_origin_ns(view->inner, rank);
    int more = cursor == NULL ? -1 : 1;

    if (more > 0 && (find_entry(view, rank, from, error) != 0 || find_entry(view, rank, to, error) != 0))
        more = -1;
    from->call = to->call = NOWHERE;
    from->origin_ns = to->origin_ns = origin == UINT64_MAX ? 0 : origin;
    from->entries = to->entries = 0;
    *calls = 0;
    while (more > 0) {
        more = trace_cursor_next(cursor, &op, error);
        if (more <= 0 || op.kind == TRACE_END)
            break;
        trace_groups_take(&groups, &op);
        if (op.kind != TRACE_COMPUTE) {
            look(from, &before, &op, groups.next);
            look(to, &before, &op, groups.next);
            *calls = groups.next + 1;
        }
        before = op;
        if (op.kind == TRACE_COMPUTE)
            before.region = TRACE_NO_REGION;
    }
    trace_cursor_free(cursor);
    return more < 0 ? -1 : 0;
}

/* A rank that has not come to the first mark has no part in the window; one that has not come to the second goes on
 * to its end. */
static void set_part(struct trace_view *view, uint32_t rank, const struct sought *from,
                     const struct sought *to)
{
    struct trace_part *part = &view->parts[rank];
    uint64_t first = from->mark->kind == TRACE_MARK_OPEN ? 0 : from->call;

    if (first == NOWHERE || first >= to->call) {
        view->window.empty_ranks++;
        return;
    }
    part->border[TRACE_BACK] = first;
    part->border[TRACE_LAST] = to->call;
    part->is_open = to->call == NOWHERE;
}

/* A name that is no region's, with the nearest of an MPI call and of the program's own. */
static int refuse_region(const struct base_names *calls, const struct base_names *own, const char *option,
                         const char *name, uint64_t number, struct base_error *error)
{
    base_error_set(error, BASE_USAGE, "--%s region:%s#%" PRIu64 ": the trace has no such region", option,
                   name, number);
    base_names_suggest(base_names_nearest(own, name) == NULL ? calls : own, name, error);
    return -1;
}

/* A region's number by its name: of MPI's calls first, then of the program's own. */
static int find_region(const struct trace_view *view, struct sought *sought, const char *option,
                       struct base_error *error)
{
    const struct trace_mark *mark = sought->mark;
    const struct base_names names =
        BASE_NAMES_OF_TEXTS("region", view->base.region_names, view->base.region_count);
    struct base_names own = {.what = "region"};
    char name[256];
    uint32_t own_count;
    size_t place;

    if (mark->kind != TRACE_MARK_REGION)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(mark->region_length < 255 ? mark->region_length : 255),
             mark->region);
    place = base_names_find(&names, name, SIZE_MAX, NULL);
    sought->region = (uint32_t)place;
    if (place < view->base.region_count)
        return 0;
    own.rows = trace_program_own_regions(&view->base, &own_count);
    own.count = own_count;
    own.size = sizeof(const char *);
    place = base_names_find(&own, name, SIZE_MAX, NULL);
    sought->is_own = place < own.count;
    sought->region = (uint32_t)place;
    return sought->is_own ? 0 : refuse_region(&names, &own, option, name, mark->number, error);
}

/* What no rank comes to. A time behind the end is no mistake of a second mark. */
static int check_reached(const struct sought *sought, const char *option, const char *text, bool is_last,
                         struct base_error *error)
{
    char time[BASE_UNITS_TEXT];

    if (sought->most >= sought->mark->number || (is_last && sought->mark->kind == TRACE_MARK_TIME))
        return 0;
    switch (sought->mark->kind) {
    case TRACE_MARK_TIME:
        return base_error_set(error, BASE_USAGE, "--%s %s: the last call of any rank was recorded at %s",
                              option, text, base_format_ns(sought->most, time));
    case TRACE_MARK_CALL:
        return base_error_set(error, BASE_USAGE, "--%s %s: no rank makes more than %" PRIu64 " calls", option,
                              text, sought->most);
    default:
        return base_error_set(error, BASE_USAGE,
                              "--%s %s: no rank enters the region more than %" PRIu64 " times", option, text,
                              sought->most);
    }
}

/* One pass over each rank, which looks for both marks. A mark that no rank reaches is refused, and so is a window
 * in which nothing happens: the answer would be of no use. */
int trace_marks_find(struct trace_view *view, const struct trace_mark *from, const struct trace_mark *to,
                     struct base_error *error)
{
    struct sought first = {.mark = from}, last = {.mark = to};

    if (find_region(view, &first, "from", error) != 0 || find_region(view, &last, "to", error) != 0)
        return -1;
    for (uint32_t rank = 0; rank < view->base.ranks; rank++) {
        uint64_t calls;
        if (read_rank(view, rank, &first, &last, &calls, error) != 0)
            return -1;
        view->window.all_calls += calls;
        set_part(view, rank, &first, &last);
    }
    if (check_reached(&first, "from", view->window.from, false, error) != 0 ||
        check_reached(&last, "to", view->window.to, true, error) != 0)
        return -1;
    if (view->window.empty_ranks < view->base.ranks)
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "--from %s --to %s: no rank makes a call between them; a window ends before the call that "
        "its second mark names",
        view->window.from, view->window.to);
}
