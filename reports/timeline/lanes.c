/* Columns are equal but for a nanosecond: a column begins at the rounded down share of the end. All of it is
 * in integers, so that sums are exact and pictures the same everywhere. */
#include "reports/timeline/lanes.h"

#include <stdlib.h>

#include "base/wide.h"

/* Fewer columns for more lanes: a file of half a megabyte at most. columns are segments times a whole number, and
 * divide the picture's 704 pixels, so that their edges are sharp. */
static const struct {
    uint32_t lanes_most, columns, segments;
} shapes[] = {{16, 704, 64}, {32, 352, 32}, {64, 176, 16}, {UINT32_MAX, 176, 8}};

/* Few ranks have a lane each; of many some share one, so that a picture has a bounded height. The more lanes
 * there are, the fewer columns they get: it is the product that is drawn. */
static void set_shape(struct report_lanes *lanes)
{
    unsigned shape = 0;

    lanes->ranks_per_lane =
        lanes->ranks <= REPORT_LANES_SINGLE ? 1 : (lanes->ranks - 1) / REPORT_LANES_SHARED + 1;
    lanes->lanes = (lanes->ranks - 1) / lanes->ranks_per_lane + 1;
    while (shapes[shape].lanes_most < lanes->lanes)
        shape++;
    lanes->columns = shapes[shape].columns;
    lanes->segments = shapes[shape].segments;
}

/* Room for intervals and messages is taken at once: both are few. */
struct report_lanes *report_lanes_new(uint32_t ranks, uint64_t end_ns)
{
    struct report_lanes *lanes = calloc(1, sizeof *lanes);

    if (lanes == NULL)
        return NULL;
    *lanes = (struct report_lanes){.ranks = ranks, .end_ns = end_ns};
    set_shape(lanes);
    lanes->ns = calloc((size_t)lanes->lanes * lanes->columns * REPORT_LANE_STATES, sizeof *lanes->ns);
    lanes->finish_ns = calloc(ranks, sizeof *lanes->finish_ns);
    lanes->interval = calloc(REPORT_LANE_INTERVALS_MOST, sizeof *lanes->interval);
    lanes->message = calloc(REPORT_LANE_MESSAGES_MOST, sizeof *lanes->message);
    /* Of ranks that share a lane no single one can be shown. */
    lanes->has_intervals = lanes->ranks_per_lane == 1;
    if (lanes->ns != NULL && lanes->finish_ns != NULL && lanes->interval != NULL && lanes->message != NULL)
        return lanes;
    report_lanes_free(lanes);
    return NULL;
}

/* Also of one that was not completed: what is missing is NULL. */
void report_lanes_free(struct report_lanes *lanes)
{
    if (lanes == NULL)
        return;
    free(lanes->ns);
    free(lanes->finish_ns);
    free(lanes->interval);
    free(lanes->message);
    free(lanes->stop);
    free(lanes);
}

/* Of the column behind the last one it is the end of the run, so that a column's length is a difference. The
 * product may need more than 64 bits: hours in nanoseconds times hundreds of columns. */
uint64_t report_lanes_column_ns(const struct report_lanes *lanes, uint32_t column)
{
    return base_wide_low(base_wide_scaled(lanes->end_ns, column, lanes->columns));
}

/* The times of all states of one column, which add up to its length times the lane's ranks, less what the ranks
 * have no interval for. */
const uint64_t *report_lanes_column(const struct report_lanes *lanes, uint32_t lane, uint32_t column)
{
    return lanes->ns + ((size_t)lane * lanes->columns + column) * REPORT_LANE_STATES;
}

/* The column that a time lies in. In a run of fewer nanoseconds than columns some columns are empty, and the
 * last of those that begin there has it. */
static uint32_t column_of(const struct report_lanes *lanes, uint64_t ns)
{
    uint32_t column = (uint32_t)base_wide_low(base_wide_scaled(ns, lanes->columns, lanes->end_ns));

    while (report_lanes_column_ns(lanes, column + 1) <= ns)
        column++;
    return column;
}

/* Shares a stretch of one state out to the columns that it crosses. Nothing of no length. */
static void add_to_columns(struct report_lanes *lanes, uint32_t rank, enum report_lane_state state,
                           uint64_t begin_ns, uint64_t end_ns)
{
    size_t lane = rank / lanes->ranks_per_lane;
    uint32_t column = begin_ns < end_ns ? column_of(lanes, begin_ns) : 0;

    for (uint64_t at = begin_ns; at < end_ns; column++) {
        uint64_t end = report_lanes_column_ns(lanes, column + 1);
        if (end > end_ns)
            end = end_ns;
        lanes->ns[(lane * lanes->columns + column) * REPORT_LANE_STATES + state] += end - at;
        at = end;
    }
}

/* What takes no time is not to be seen. */
void report_lanes_add(struct report_lanes *lanes, const struct report_lane_interval *interval)
{
    lanes->finish_ns[interval->rank] = interval->end_ns;
    if (interval->begin_ns >= interval->end_ns)
        return;
    const uint64_t turn_ns = interval->end_ns - interval->network_ns;
    add_to_columns(lanes, interval->rank, interval->state, interval->begin_ns, turn_ns);
    add_to_columns(lanes, interval->rank, REPORT_LANE_NETWORK, turn_ns, interval->end_ns);
    if (lanes->interval_count == REPORT_LANE_INTERVALS_MOST)
        lanes->has_intervals = false;
    if (lanes->has_intervals)
        lanes->interval[lanes->interval_count++] = *interval;
    else
        lanes->interval_count = 0;
}

/* One too many is told by their number: a picture shows all messages or none. */
void report_lanes_add_message(struct report_lanes *lanes, const struct report_lane_message *message)
{
    if (lanes->ranks_per_lane == 1 && lanes->message_count < REPORT_LANE_MESSAGES_MOST)
        lanes->message[lanes->message_count++] = *message;
}
