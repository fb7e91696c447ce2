/* Chrome's format is one JSON object with a list of events, in any order; times are microseconds, here with
 * three decimals, so that no nanosecond is lost. Written by hand rather than built as a tree, which would hold
 * the whole execution in memory; texts go through the JSON library, which knows how to write them. */
#include "reports/timeline.h"

#include <inttypes.h>

#include "reports/json.h"

static void put_text(struct report_timeline *timeline, const char *text)
{
    json_t *string = report_json_text(text);

    if (string == NULL || json_dumpf(string, timeline->stream, JSON_ENCODE_ANY) != 0)
        timeline->failed |= string == NULL;
    json_decref(string);
}

static void put_time(struct report_timeline *timeline, const char *key, uint64_t ns)
{
    fprintf(timeline->stream, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

/* What every event begins with. Ranks are threads of process 0. */
static void begin_event(struct report_timeline *timeline, char phase, uint32_t rank)
{
    fprintf(timeline->stream, "%s\n{\"ph\":\"%c\",\"pid\":0,\"tid\":%" PRIu32,
            timeline->is_first ? "" : ",", phase, rank);
    timeline->is_first = false;
}

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

void report_timeline_rank(struct report_timeline *timeline, uint32_t rank)
{
    begin_event(timeline, 'M', rank);
    fprintf(timeline->stream, ",\"name\":\"thread_name\",\"args\":{\"name\":\"rank %" PRIu32 "\"}}", rank);
}

void report_timeline_slice(struct report_timeline *timeline, uint32_t rank, const char *name, uint64_t begin_ns,
                           uint64_t end_ns)
{
    begin_event(timeline, 'X', rank);
    put_time(timeline, "ts", begin_ns);
    put_time(timeline, "dur", end_ns - begin_ns);
    fputs(",\"name\":", timeline->stream);
    put_text(timeline, name);
    fputc('}', timeline->stream);
}

/* "bp": the head belongs to the slice that holds it, not to the next one. */
void report_timeline_arrow(struct report_timeline *timeline, uint32_t rank, uint64_t time_ns, uint64_t number,
                           bool is_head)
{
    begin_event(timeline, is_head ? 'f' : 's', rank);
    put_time(timeline, "ts", time_ns);
    fprintf(timeline->stream, ",\"cat\":\"message\",\"name\":\"message\",\"id\":\"0x%" PRIx64 "\"%s}", number,
            is_head ? ",\"bp\":\"e\"" : "");
}

void report_timeline_load(struct report_timeline *timeline, uint64_t time_ns, double load)
{
    begin_event(timeline, 'C', 0);
    put_time(timeline, "ts", time_ns);
    fprintf(timeline->stream, ",\"name\":\"channel load\",\"args\":{\"mean\":%.6f}}", load);
}

int report_timeline_end(struct report_timeline *timeline)
{
    fputs("\n]}\n", timeline->stream);
    return timeline->failed ? -1 : 0;
}
