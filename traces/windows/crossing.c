/* What crosses the borders of a view. Messages of a channel (sender, receiver, communicator and tag) do not overtake
 * each other, so that the n-th send is for the n-th receive. How many of either there are before each border says
 * which of them meet:
 *
 *      sends      0 1 2 3 | 4 5 6 7 | 8      3 and 7 start in the window, but 3 is received in it and its send
 *      receives   0 1 2 | 3 4 5 6 | 7 8      lies before; 7 is sent in it and received behind it: both complete
 *                                            at once
 *
 * Where the middle of a program is left out, what is under way at one end of the gap takes the place of what is
 * under way at the other, as far as there is something on both sides. Collectives are numbered by their readers:
 * one is played by all ranks of its communicator or by none.
 *
 * The first reading counts, the second says of each call whether it is played. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "traces/windows/groups.h"
#include "traces/windows/internal.h"

enum side { SENDS, RECEIVES, SIDES };

/* Messages of one envelope. */
struct channel {
    uint64_t count[SIDES][TRACE_BORDERS]; /* started before each border */
    uint64_t seen[SIDES];                 /* in the second reading */
    bool is_open[SIDES];                  /* no call of that side's rank lies behind the last border */
};

/* A rank's calls of collectives on a communicator. */
struct attendance {
    uint64_t count[TRACE_BORDERS]; /* [border]: calls before it */
};

/* A probe whose receive has not come yet. */
struct probe {
    uint64_t call;                    /* the number of the rank's call */
    uint32_t peer, tag, communicator; /* what it looks for */
};

struct search {
    struct trace_view *view;         /* whose parts are being filled */
    struct base_table channel_of;    /* (source and target, communicator and tag) -> channels */
    struct base_table attendance_of; /* (rank, communicator) -> attendances */
    struct channel *channels;
    uint32_t channel_count, channel_capacity; /* of channels */
    struct attendance *attendances;
    uint32_t attendance_count, attendance_capacity; /* of attendances */
    struct probe *probes;                           /* of the rank in hand */
    size_t probe_count, probe_capacity;
    struct base_table straddling; /* (communicator, number) of collectives that were counted */
    struct base_table outside;    /* (rank, number) of requests that were counted */
    struct base_table open;       /* (rank, number) of requests of the view that nobody has waited for */
    uint32_t rank;
    struct trace_part *part; /* the view's, of the rank in hand */
};

/* How much more one is than the other; 0 where it is not. */
static uint64_t excess(uint64_t more, uint64_t less)
{
    return more > less ? more - less : 0;
}

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* ---- channels ---- */

/* The channel of a message, made with its first. NULL: memory. */
static struct channel *channel_of(struct search *search, const struct trace_op *op)
{
    uint32_t source = op->kind == TRACE_SEND ? search->rank : op->peer;
    uint32_t target = op->kind == TRACE_SEND ? op->peer : search->rank;
    uint64_t ends = (uint64_t)source << 32 | target, name = (uint64_t)op->communicator << 32 | op->tag;
    uint32_t index = base_table_get(&search->channel_of, ends, name);

    if (index != BASE_TABLE_NONE)
        return &search->channels[index];
    index = search->channel_count;
    if (base_grow_32(&search->channels, &search->channel_capacity, (size_t)index + 1,
                     sizeof *search->channels) != 0 ||
        base_table_put(&search->channel_of, ends, name, index) != 0)
        return NULL;
    search->channels[index] = (struct channel){
        .is_open = {search->view->parts[source].is_open, search->view->parts[target].is_open}};
    search->channel_count++;
    return &search->channels[index];
}

/* Whether the n-th message of one side meets its other one. Before the front: with what the other side starts
 * there too, and, of what is then left, with what is left over of the other side behind the gap. Behind the gap:
 * the same from there. Where five sends and three receives come before the gap, and as many sends as two receives less
 * behind it:
 *
 *      sends      0 1 2 3 4 [5 6 ... 44] 45 46        3 and 4 are under way at the gap's begin, 43 and 44 at its end
 *      receives   0 1 2 [3 4 ... 42] 43 44 45 46      so 3 is received by 43, and 4 by 44
 *
 * number: of the trace. in_front: its call comes before the gap. A rank that goes on to its end has nothing behind
 * it: what has no other side there has none in the trace, and the replay says so. */
static bool meets(const struct channel *channel, enum side side, uint64_t number, bool in_front)
{
    const uint64_t *mine = channel->count[side], *other = channel->count[SIDES - 1 - side];
    uint64_t ahead = excess(mine[TRACE_FRONT], other[TRACE_FRONT]);
    uint64_t behind = excess(other[TRACE_FRONT], mine[TRACE_FRONT]);

    if (in_front)
        return number < other[TRACE_FRONT] + least(ahead, excess(least(mine[TRACE_BACK], other[TRACE_LAST]),
                                                                 other[TRACE_BACK]));
    if (number < other[TRACE_BACK])
        return number - mine[TRACE_BACK] < least(behind, other[TRACE_BACK] - mine[TRACE_BACK]);
    return number < other[TRACE_LAST] || channel->is_open[SIDES - 1 - side];
}

/* A message whose rank and communicator exist; the replay refuses others. */
static bool is_message(const struct search *search, const struct trace_op *op)
{
    return (op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE) && op->peer < search->view->base.ranks &&
           op->communicator < search->view->base.communicator_count;
}

/* Which message an open receive takes depends on time, so that no window can say what crosses its border. */
static int check_named(const struct search *search, const struct trace_op *op, struct base_error *error)
{
    struct base_position position = trace_op_position(&search->view->base, search->rank, op);

    if (op->kind != TRACE_RECEIVE || (op->peer != TRACE_ANY_SOURCE && op->tag != TRACE_ANY_TAG))
        return 0;
    return base_error_at(
        error, BASE_USAGE, &position,
        "a receive of any source or tag, of which the trace does not say what it received (the program "
        "ignored its status): a part of such a trace cannot be replayed, since what crosses its border "
        "is not known; the whole can, and a recording by Score-P or EZTrace says it");
}

/* ---- the first reading ---- */

/* NULL: the rank has not called a collective on that communicator yet. */
static struct attendance *attendance_of(struct search *search, uint32_t rank, uint32_t communicator)
{
    uint32_t index = base_table_get(&search->attendance_of, rank, communicator);

    return index == BASE_TABLE_NONE ? NULL : &search->attendances[index];
}

/* A rank's first collective on a communicator. Pointers into the array move as it grows, so it is made before it
 * is asked for. */
static int attend(struct search *search, uint32_t communicator)
{
    uint32_t index = search->attendance_count;

    if (base_grow_32(&search->attendances, &search->attendance_capacity, (size_t)index + 1,
                     sizeof *search->attendances) != 0 ||
        base_table_put(&search->attendance_of, search->rank, communicator, index) != 0)
        return -1;
    search->attendances[index] = (struct attendance){{0}};
    search->attendance_count++;
    return 0;
}

/* A call before a border counts for it. -1: memory. */
static int count_call(struct search *search, const struct trace_op *op, uint64_t number)
{
    const struct trace_part *part = search->part;
    uint64_t *counts;

    if (is_message(search, op)) {
        struct channel *channel = channel_of(search, op);
        counts = channel == NULL ? NULL : channel->count[op->kind == TRACE_SEND ? SENDS : RECEIVES];
    } else if (op->kind == TRACE_COLLECTIVE_CALL &&
               op->communicator < search->view->base.communicator_count) {
        if (attendance_of(search, search->rank, op->communicator) == NULL &&
            attend(search, op->communicator) != 0)
            return -1;
        counts = attendance_of(search, search->rank, op->communicator)->count;
    } else {
        return 0;
    }
    for (int border = 0; counts != NULL && border < TRACE_BORDERS; border++)
        counts[border] += number < part->border[border];
    return counts == NULL ? -1 : 0;
}

/* Requests are numbered in the order they are started: two numbers say which are started in the parts left out. */
static void count_request(struct trace_part *part, const struct trace_op *op, uint64_t number)
{
    if ((op->flags & TRACE_NONBLOCKING) == 0)
        return;
    if (number < part->border[TRACE_FRONT])
        part->request_front = op->request + 1;
    if (number < part->border[TRACE_BACK])
        part->request_back = op->request + 1;
}

/* The first reading's visit. */
static int count_op(struct search *search, const struct trace_op *op, uint64_t number,
                    struct base_error *error)
{
    if (check_named(search, op, error) != 0)
        return -1;
    count_request(search->part, op, number);
    return count_call(search, op, number) == 0 ? 0 : base_error_memory(error, "the messages of a window");
}

/* ---- collectives ---- */

/* The rank's counts on the communicator; none: it never calls one there. */
static void meet(struct search *search, uint32_t rank, uint32_t communicator, struct trace_meeting *meeting,
                 bool is_first, bool *are_even)
{
    static const struct attendance none;
    const struct attendance *found = attendance_of(search, rank, communicator);
    const uint64_t *count = found == NULL ? none.count : found->count;
    uint64_t end = search->view->parts[rank].is_open ? UINT64_MAX : count[TRACE_LAST];
    uint64_t shift = count[TRACE_BACK] - count[TRACE_FRONT];

    if (is_first)
        *meeting = (struct trace_meeting){count[TRACE_FRONT], count[TRACE_BACK], end, shift, false};
    *are_even = *are_even && shift == meeting->shift;
    meeting->front = least(meeting->front, count[TRACE_FRONT]);
    meeting->back = meeting->back > count[TRACE_BACK] ? meeting->back : count[TRACE_BACK];
    meeting->end = least(meeting->end, end);
}

/* Where every member leaves out as many, the parts join, wherever in an iteration each member's gap begins; else
 * only what all members play is played. Without a front there is nothing to join. */
static void find_meeting(struct search *search, uint32_t communicator)
{
    const struct trace_communicator *members = trace_program_communicator(&search->view->base, communicator);
    struct trace_meeting *meeting = &search->view->meetings[communicator];
    bool are_even = true, is_first = true, has_front = false;

    for (uint64_t i = 0; i < (uint64_t)members->size + members->remote_size; i++) {
        uint32_t rank = i < members->size ? members->members[i] : members->remote_members[i - members->size];
        if (rank >= search->view->base.ranks)
            continue;
        meet(search, rank, communicator, meeting, is_first, &are_even);
        has_front = has_front || search->view->parts[rank].border[TRACE_FRONT] > 0;
        is_first = false;
    }
    meeting->is_joined = are_even && has_front;
    if (!meeting->is_joined)
        meeting->shift = 0;
}

/* Whether a collective of the rank in hand is played by all: those of joined parts are. */
static bool is_attended(const struct search *search, const struct trace_op *op, bool in_front)
{
    const struct trace_meeting *meeting = &search->view->meetings[op->communicator];

    if (op->instance >= meeting->end)
        return false;
    if (meeting->is_joined)
        return true;
    return in_front ? op->instance < meeting->front : op->instance >= meeting->back;
}

/* ---- the second reading ---- */

/* -1: memory. */
static int append(uint64_t **list, size_t *count, size_t *capacity, uint64_t number)
{
    if (base_grow(list, capacity, *count + 1, sizeof **list) != 0)
        return -1;
    (*list)[(*count)++] = number;
    return 0;
}

/* The call completes at once, and so does the request that it would have started. -1: memory. */
static int skip(struct search *search, const struct trace_op *op, uint64_t number)
{
    struct trace_part *part = search->part;

    if (append(&part->skipped, &part->skipped_count, &part->skipped_capacity, number) != 0)
        return -1;
    if (op == NULL || (op->flags & TRACE_NONBLOCKING) == 0)
        return 0;
    return append(&part->dead, &part->dead_count, &part->dead_capacity,
                  trace_view_request(part, op->request));
}

/* Probes for what this receive takes share its fate: they see its message. -1: memory. */
static int settle_probes(struct search *search, const struct trace_op *receive, bool is_played)
{
    size_t kept = 0;

    for (size_t i = 0; i < search->probe_count; i++) {
        const struct probe *probe = &search->probes[i];
        bool is_seen =
            receive == NULL || (probe->communicator == receive->communicator &&
                                (probe->peer == receive->peer || probe->peer == TRACE_ANY_SOURCE) &&
                                (probe->tag == receive->tag || probe->tag == TRACE_ANY_TAG));
        if (!is_seen) {
            search->probes[kept++] = *probe;
        } else if (!is_played) {
            search->view->window.probes++;
            if (skip(search, NULL, probe->call) != 0)
                return -1;
        }
    }
    search->probe_count = kept;
    return 0;
}

/* Kept until the receive that takes its message. */
static int add_probe(struct search *search, const struct trace_op *op, uint64_t number)
{
    if (base_grow(&search->probes, &search->probe_capacity, search->probe_count + 1,
                  sizeof *search->probes) != 0)
        return -1;
    search->probes[search->probe_count++] = (struct probe){number, op->peer, op->tag, op->communicator};
    return 0;
}

/* The next message of its channel, which may be outside of what is played. -1: memory. */
static int take_message(struct search *search, const struct trace_op *op, uint64_t number, bool is_inside)
{
    struct channel *channel = channel_of(search, op);
    enum side side = op->kind == TRACE_SEND ? SENDS : RECEIVES;
    struct trace_summary *summary = &search->view->base.summary;
    bool is_played;

    if (channel == NULL)
        return -1;
    is_played = meets(channel, side, channel->seen[side]++, number < search->part->border[TRACE_FRONT]);
    if (!is_inside)
        return 0;
    if (side == RECEIVES && settle_probes(search, op, is_played) != 0)
        return -1;
    if (!is_played) {
        *(side == SENDS ? &search->view->window.sends : &search->view->window.receives) += 1;
        return skip(search, op, number);
    }
    *(side == SENDS ? &summary->sends : &summary->receives) += 1;
    *(side == SENDS ? &summary->bytes_sent : &summary->bytes_received) += op->bytes;
    return 0;
}

/* -1: memory. */
static int take_collective(struct search *search, const struct trace_op *op, uint64_t number)
{
    struct trace_window *window = &search->view->window;
    struct trace_collective_count *count = &search->view->base.summary.collectives[op->collective];

    if (op->communicator >= search->view->base.communicator_count)
        return 0;
    if (is_attended(search, op, number < search->part->border[TRACE_FRONT])) {
        if ((op->flags & TRACE_IMPLIED) == 0) {
            count->calls++;
            count->bytes += trace_collective_has_vectors(op->collective) ? op->bytes_sent : op->bytes;
        }
        return 0;
    }
    window->collective_calls++;
    if (base_table_get(&search->straddling, op->communicator, op->instance) == BASE_TABLE_NONE) {
        window->collectives++;
        if (base_table_put(&search->straddling, op->communicator, op->instance, 1) != 0)
            return -1;
    }
    return skip(search, op, number);
}

/* Each request counts once, however often it is waited for. -1: memory. */
static int take_wait(struct search *search, const struct trace_op *op)
{
    for (size_t i = 0; i < op->request_count; i++) {
        uint64_t number = trace_view_request(search->part, op->requests[i]);
        if (number != UINT64_MAX) {
            base_table_remove(&search->open, search->rank, number);
        } else if (base_table_get(&search->outside, search->rank, op->requests[i]) == BASE_TABLE_NONE) {
            search->view->window.requests_before++;
            if (base_table_put(&search->outside, search->rank, op->requests[i], 1) != 0)
                return -1;
        }
    }
    return 0;
}

/* One call: played, or why not. -1: memory. */
static int take_call(struct search *search, const struct trace_op *op, uint64_t number, bool is_inside)
{
    size_t dead = search->part->dead_count;
    int result = 0;

    search->view->window.calls += is_inside;
    if (is_message(search, op))
        result = take_message(search, op, number, is_inside);
    else if (!is_inside)
        return 0;
    else if (op->kind == TRACE_COLLECTIVE_CALL)
        result = take_collective(search, op, number);
    else if (op->kind == TRACE_PROBE)
        result = add_probe(search, op, number);
    else if (op->kind == TRACE_WAIT)
        result = take_wait(search, op);
    if (result == 0 && is_inside && (op->flags & TRACE_NONBLOCKING) != 0 && dead == search->part->dead_count)
        result =
            base_table_put(&search->open, search->rank, trace_view_request(search->part, op->request), 1);
    return result;
}

/* The second reading's visit. Operations have counts in the summary by what they are, not by how they end. */
static int take_op(struct search *search, const struct trace_op *op, uint64_t number,
                   struct base_error *error)
{
    const struct trace_part *part = search->part;
    struct trace_summary *summary = &search->view->base.summary;
    bool is_inside = number < part->border[TRACE_FRONT] || number >= part->border[TRACE_BACK];

    if (is_inside && op->kind == TRACE_COMPUTE)
        summary->compute_ns += op->duration_ns;
    else if (is_inside)
        summary->mpi_ns += op->duration_ns;
    if (op->kind == TRACE_COMPUTE || op->kind == TRACE_END)
        return 0;
    return take_call(search, op, number, is_inside) == 0 ? 0
                                                         : base_error_memory(error, "what crosses a window");
}

static int compare(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Probes without a receive see nothing; requests that are open here are waited for behind the window. Lists are
 * put into order, since probes are settled late. -1: memory. */
static int end_rank(struct search *search, struct base_error *error)
{
    struct trace_part *part = search->part;

    if (settle_probes(search, NULL, part->is_open) != 0)
        return base_error_memory(error, "what crosses a window");
    if (!part->is_open)
        search->view->window.requests_after += search->open.count;
    base_table_free(&search->open);
    if (part->skipped_count > 1)
        qsort(part->skipped, part->skipped_count, sizeof *part->skipped, compare);
    if (part->dead_count > 1)
        qsort(part->dead, part->dead_count, sizeof *part->dead, compare);
    return 0;
}

/* ---- both ---- */

typedef int visit_op(struct search *search, const struct trace_op *op, uint64_t number,
                     struct base_error *error);

/* Shows each operation of the rank up to its last border. last_event: of what was shown. */
static int read_rank(struct search *search, uint32_t rank, visit_op *visit, uint64_t *last_event,
                     struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(search->view->inner, rank, error);
    struct trace_groups groups = {0};
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    search->rank = rank;
    search->part = &search->view->parts[rank];
    while (more > 0) {
        more = trace_cursor_next(cursor, &op, error);
        if (more <= 0)
            break;
        trace_groups_take(&groups, &op);
        if (groups.next >= search->part->border[TRACE_LAST])
            break;
        *last_event = op.event;
        if (visit(search, &op, groups.next, error) != 0)
            more = -1;
    }
    trace_cursor_free(cursor);
    return more < 0 ? -1 : 0;
}

/* Both readings; what they count in the summary begins at nothing. */
static int read_all(struct search *search, struct base_error *error)
{
    struct trace_summary *summary = &search->view->base.summary;
    uint32_t ranks = search->view->base.ranks;
    uint64_t event = 0;

    for (uint32_t rank = 0; rank < ranks; rank++)
        if (read_rank(search, rank, count_op, &event, error) != 0)
            return -1;
    for (uint32_t c = 0; c < search->view->base.communicator_count; c++)
        find_meeting(search, c);
    summary->events = 0;
    summary->sends = summary->receives = summary->bytes_sent = summary->bytes_received = 0;
    summary->compute_ns = summary->mpi_ns = 0;
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        summary->collectives[i] = (struct trace_collective_count){0};
    for (uint32_t rank = 0; rank < ranks; rank++) {
        event = 0;
        if (read_rank(search, rank, take_op, &event, error) != 0 || end_rank(search, error) != 0)
            return -1;
        summary->events += event;
    }
    return 0;
}

/* The tables are the search's alone; what lasts is in the view: parts and counts. */
int trace_crossings_find(struct trace_view *view, struct base_error *error)
{
    struct search search = {.view = view};
    int status = read_all(&search, error);

    base_table_free(&search.channel_of);
    base_table_free(&search.attendance_of);
    base_table_free(&search.straddling);
    base_table_free(&search.outside);
    base_table_free(&search.open);
    free(search.channels);
    free(search.attendances);
    free(search.probes);
    return status;
}
