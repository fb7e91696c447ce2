/* Values of time that no rank has, such as the load of the network's channels: an asynchronous metric of OTF2, written
 * by a location of its own behind those of the ranks, in a group of its own, which readers of messages pass over.
 *
 *      location group  ranks      "network"
 *      location        ranks      of the kind METRIC: a record a sample, with the values of all members
 *      class 0         its members are the metrics; instance 1: that class, at that location, of the machine
 *
 * A value holds from its record until the next one (OTF2_METRIC_ABSOLUTE_NEXT), or sums up what was until its record
 * (OTF2_METRIC_ACCUMULATED_START). */
#include <stdlib.h>

#include "traces/writers/otf2.h"

enum { CLASS, INSTANCE };

/* One record: all members at once. */
static OTF2_ErrorCode write_sample(OTF2_EvtWriter *events, const struct trace_writer_metrics *metrics,
                                   uint32_t sample, uint8_t count)
{
    OTF2_Type types[UINT8_MAX];
    OTF2_MetricValue values[UINT8_MAX];

    for (uint8_t i = 0; i < count; i++) {
        types[i] = OTF2_TYPE_DOUBLE;
        values[i].floating_point = metrics->values[(size_t)sample * metrics->count + i];
    }
    return OTF2_EvtWriter_Metric(events, NULL, metrics->times_ns[sample], INSTANCE, count, types, values);
}

/* The class counts its members in a byte. */
uint8_t trace_write_otf2_metric_count(const struct trace_write_otf2 *writer)
{
    const struct trace_writer_metrics *metrics = writer->metrics;

    if (metrics == NULL || metrics->samples == 0)
        return 0;
    return metrics->count > UINT8_MAX ? UINT8_MAX : (uint8_t)metrics->count;
}

/* Like a rank's: a file of events, and one of definitions, of which there are none. */
OTF2_ErrorCode trace_write_otf2_metrics(struct trace_write_otf2 *writer)
{
    const struct trace_writer_metrics *metrics = writer->metrics;
    OTF2_LocationRef location = writer->base.program->ranks;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    uint8_t count = trace_write_otf2_metric_count(writer);

    if (count == 0)
        return OTF2_SUCCESS;
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writer->archive, location);
    OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(writer->archive, location);
    if (events == NULL || definitions == NULL)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    for (uint32_t sample = 0; code == OTF2_SUCCESS && sample < metrics->samples; sample++)
        code = write_sample(events, metrics, sample, count);
    OTF2_EvtWriter_GetNumberOfEvents(events, &writer->ranks[location].events);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_CloseEvtWriter(writer->archive, events);
    return code == OTF2_SUCCESS ? OTF2_Archive_CloseDefWriter(writer->archive, definitions) : code;
}

/* A member and its strings, numbered from *next on; unit and description are those of the member before where they
 * are the same. Texts are compared by address: members of one quantity share them. */
static OTF2_ErrorCode define_member(OTF2_GlobalDefWriter *file, const struct trace_writer_metrics *metrics,
                                    uint8_t i, OTF2_StringRef *unit, OTF2_StringRef *next)
{
    const struct trace_writer_metric *metric = &metrics->metrics[i];
    OTF2_StringRef name = (*next)++;
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteString(file, name, metric->name);

    if (i == 0 || metric[-1].unit != metric->unit || metric[-1].description != metric->description) {
        *unit = *next;
        *next += 2;
        if (code == OTF2_SUCCESS)
            code = OTF2_GlobalDefWriter_WriteString(file, *unit, metric->unit);
        if (code == OTF2_SUCCESS)
            code = OTF2_GlobalDefWriter_WriteString(file, *unit + 1, metric->description);
    }
    if (code != OTF2_SUCCESS)
        return code;
    return OTF2_GlobalDefWriter_WriteMetricMember(file, i, name, *unit + 1, OTF2_METRIC_TYPE_OTHER,
                                                  metric->accumulates ? OTF2_METRIC_ACCUMULATED_START
                                                                      : OTF2_METRIC_ABSOLUTE_NEXT,
                                                  OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, *unit);
}

/* Strings before what refers to them, numbered from *next on. The scope of the values is the machine, node 0 of the
 * system tree. Nothing where the program has no metrics. At most UINT8_MAX members
 * (trace_write_otf2_metric_count). */
OTF2_ErrorCode trace_write_otf2_metric_definitions(const struct trace_write_otf2 *writer,
                                                   OTF2_GlobalDefWriter *file, OTF2_StringRef *next)
{
    const struct trace_writer_metrics *metrics = writer->metrics;
    uint32_t ranks = writer->base.program->ranks;
    uint8_t count = trace_write_otf2_metric_count(writer);
    OTF2_MetricMemberRef members[UINT8_MAX];
    OTF2_StringRef unit = 0;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    for (uint8_t i = 0; code == OTF2_SUCCESS && i < count; i++) {
        members[i] = i;
        code = define_member(file, metrics, i, &unit, next);
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteMetricClass(file, CLASS, count, members, OTF2_METRIC_ASYNCHRONOUS,
                                                     OTF2_RECORDER_KIND_ABSTRACT);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteMetricInstance(file, INSTANCE, CLASS, ranks,
                                                        OTF2_SCOPE_SYSTEM_TREE_NODE, 0);
    return code;
}
