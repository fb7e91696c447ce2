/* The names of records; which field of an event means what for which kind is said in otf2-events.h, and where
 * it stands in the file in otf2-input.c. */
#include "traces/otf2-events.h"

static const struct {
    const char *name, *reason;
} records[TRACE_OTF2_RECORDS] = {
#define TRACE_OTF2_RECORD(name, parameters, reason) {#name, reason},
#include "traces/otf2-events.def"
#undef TRACE_OTF2_RECORD
    {"Unknown", "the record is newer than the OTF2 library that reads it"},
};

/* As OTF2 calls it, for the coverage. */
const char *trace_otf2_record_name(uint32_t record)
{
    return records[record].name;
}

/* Why such records do not matter to a replay, for the coverage. */
const char *trace_otf2_record_reason(uint32_t record)
{
    return records[record].reason;
}
