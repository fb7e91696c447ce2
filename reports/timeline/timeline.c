/* Chrome's format is one JSON object with a list of events, in any order; times are microseconds, here with
 * three decimals, so that no nanosecond is lost. Written by hand rather than built as a tree, which would hold
 * the whole execution in memory; texts go through the JSON library, which knows how to write them. */
#include "reports/timeline/timeline.h"

#include <inttypes.h>

#include "reports/pages/json.h"

/* A text in quotes, escaped. Memory is a failure of the timeline, also where the JSON library has none to write with; a
 * write that fails is one of the stream's, which whoever closes it finds. */
static void put_text(struct report_timeline *timeline, const char *text)
{
    json_t *string = report_json_text(text);

    if (string == NULL || json_dumpf(string, timeline->stream, JSON_ENCODE_ANY) != 0)
        timeline->failed |= string == NULL || !ferror(timeline->stream);
    json_decref(string);
}

/* Microseconds with three decimals, put together from whole numbers. */
static void put_time(struct report_timeline *timeline, const char *key, uint64_t ns)
{
    fprintf(timeline->stream, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

/* What every event begins with. Ranks are what the viewer takes for threads. */
static void begin_event(struct report_timeline *timeline, char phase, struct report_timeline_track track)
{
    fprintf(timeline->stream, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
            timeline->is_first ? "" : ",", phase, track.process, track.rank);
    timeline->is_first = false;
}

/* Metadata: a process is what a viewer groups tracks by. Those of jobs come first, the network's last, in the
 * order of their numbers. */
void report_timeline_process(struct report_timeline *timeline, const char *name)
{
    begin_event(timeline, 'M', (struct report_timeline_track){timeline->processes++, 0});
    fputs(",\"name\":\"process_name\",\"args\":{\"name\":", timeline->stream);
    put_text(timeline, name);
    fputs("}}", timeline->stream);
}

/* What was replayed, on what and by which version goes into otherData, which viewers show on demand. */
void report_timeline_begin(struct report_timeline *timeline, FILE *stream, const char *trace,
                           const char *topology, const char *version)
{
    *timeline = (struct report_timeline){.stream = stream, .is_first = true};
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"trace\":", stream);
    put_text(timeline, trace);
    fputs(",\"topology\":", stream);
    put_text(timeline, topology);
    fputs(",\"version\":", stream);
    put_text(timeline, version);
    fputs("},\"traceEvents\":[", stream);
}

/* Names the track, by the number that all its events have. */
void report_timeline_rank(struct report_timeline *timeline, struct report_timeline_track track)
{
    begin_event(timeline, 'M', track);
    fprintf(timeline->stream, ",\"name\":\"thread_name\",\"args\":{\"name\":\"rank %" PRIu32 "\"}}",
            track.rank);
}

/* What is not known of a call, or not of its kind, is left out: viewers show what there is. */
static void put_call(struct report_timeline *timeline, const struct report_timeline_call *call)
{
    const struct {
        const char *key;
        uint64_t value;
    } values[] = {{"bytes", call->bytes},
                  {"peer", call->peer},
                  {"tag", call->tag},
                  {"communicator", call->communicator},
                  {"waiting_for_others_ns", call->others_ns},
                  {"waiting_for_network_ns", call->network_ns}};
    bool has_any = false;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i].value == REPORT_TIMELINE_NONE)
            continue;
        fprintf(timeline->stream, "%s\"%s\":%" PRIu64, has_any ? "," : ",\"args\":{", values[i].key,
                values[i].value);
        has_any = true;
    }
    if (has_any)
        fputc('}', timeline->stream);
}

/* A complete event (X) and not a pair of begin and end: half the lines, and nothing to be nested wrongly. */
void report_timeline_slice(struct report_timeline *timeline, struct report_timeline_track track,
                           const char *name, uint64_t begin_ns, uint64_t end_ns,
                           const struct report_timeline_call *call)
{
    begin_event(timeline, 'X', track);
    put_time(timeline, "ts", begin_ns);
    put_time(timeline, "dur", end_ns - begin_ns);
    fputs(",\"name\":", timeline->stream);
    put_text(timeline, name);
    if (call != NULL)
        put_call(timeline, call);
    fputc('}', timeline->stream);
}

/* "bp": the head belongs to the slice that holds it, not to the next one. */
void report_timeline_arrow(struct report_timeline *timeline, struct report_timeline_track track,
                           uint64_t time_ns, uint64_t number, bool is_head)
{
    begin_event(timeline, is_head ? 'f' : 's', track);
    put_time(timeline, "ts", time_ns);
    fprintf(timeline->stream, ",\"cat\":\"message\",\"name\":\"message\",\"id\":\"0x%" PRIx64 "\"%s}", number,
            is_head ? ",\"bp\":\"e\"" : "");
}

/* Counters are of a process of their own, so that their tracks stand together. Twelve digits bring the whole number
 * of flits back. */
void report_timeline_load(struct report_timeline *timeline, uint64_t time_ns, const char *channel,
                          double load)
{
    begin_event(timeline, 'C', (struct report_timeline_track){timeline->processes - 1, 0});
    put_time(timeline, "ts", time_ns);
    fputs(",\"name\":", timeline->stream);
    put_text(timeline, channel == NULL ? "channel load" : channel);
    fprintf(timeline->stream, ",\"args\":{\"%s\":%.12g}}", channel == NULL ? "mean" : "busy", load);
}

/* In the same process as the loads; a viewer's rate of it is the power, in watts. */
void report_timeline_energy(struct report_timeline *timeline, uint64_t time_ns, double joules)
{
    begin_event(timeline, 'C', (struct report_timeline_track){timeline->processes - 1, 0});
    put_time(timeline, "ts", time_ns);
    fprintf(timeline->stream, ",\"name\":\"energy\",\"args\":{\"joules\":%.12g}}", joules);
}

/* In the same process again: what failing links have taken is the network's. */
void report_timeline_count(struct report_timeline *timeline, uint64_t time_ns, const char *name,
                           uint64_t count)
{
    begin_event(timeline, 'C', (struct report_timeline_track){timeline->processes - 1, 0});
    put_time(timeline, "ts", time_ns);
    fputs(",\"name\":", timeline->stream);
    put_text(timeline, name);
    fprintf(timeline->stream, ",\"args\":{\"count\":%" PRIu64 "}}", count);
}

/* The stream's own errors are found when it is closed. */
int report_timeline_end(struct report_timeline *timeline)
{
    fputs("\n]}\n", timeline->stream);
    return timeline->failed ? -1 : 0;
}
