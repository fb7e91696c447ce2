/* Opening a trace: the first format of kinds.def that recognises the content reads it. */
#include <config.h>

#include <errno.h>
#include <sys/stat.h>

#include "traces/format.h"

#define TRACE_FORMAT(symbol) extern const struct trace_format trace_format_##symbol;
#include "traces/kinds.def"
#undef TRACE_FORMAT

static const struct trace_format *const formats[] = {
#define TRACE_FORMAT(symbol) &trace_format_##symbol,
#include "traces/kinds.def"
#undef TRACE_FORMAT
};

/* In the order of kinds.def, which is that of detection. */
const struct trace_format *const *trace_formats(size_t *count)
{
    *count = sizeof formats / sizeof *formats;
    return formats;
}

/* 1: *found is the first format that knows it; 0: none does; -1: no memory. The content decides, not the name. */
static int find_format(const char *path, const struct trace_format **found, struct base_error *error)
{
    size_t count;
    const struct trace_format *const *list = trace_formats(&count);
    int known = 0;

    for (size_t i = 0; i < count && known == 0; i++) {
        *found = list[i];
        known = list[i]->detect(path, error);
    }
    return known;
}

bool trace_is_recognised(const char *path)
{
    const struct trace_format *format;

    return find_format(path, &format, NULL) > 0;
}

/* What no format recognises: that it does not exist is said first. A prefix of several files need not exist
 * itself. Options may be NULL. */
struct trace_program *trace_open(const char *path, const struct trace_options *options,
                                 struct base_error *error)
{
    static const struct trace_options defaults = {0};
    struct base_position position = base_position_of(path);
    const struct trace_format *format;
    struct stat status;
    int known;

    if (*path == '\0') {
        base_error_set(error, BASE_USAGE, "the name of the trace is empty");
        return NULL;
    }
    known = find_format(path, &format, error);
    if (known != 0)
        return known < 0 ? NULL : format->open(path, options == NULL ? &defaults : options, error);
    if (stat(path, &status) != 0) {
        base_error_system(error, errno, "%s", path);
        return NULL;
    }
    base_error_at(
        error, BASE_INPUT, &position,
        S_ISDIR(status.st_mode)
            ? "the directory holds no trace of a known format (OTF2: an anchor file *.otf2; DUMPI: a "
              "metafile *.meta); a GOAL schedule is named itself"
            : "not a trace of a known format (OTF2: give its anchor file *.otf2; DUMPI: its metafile "
              "*.meta; GOAL: a text that begins with num_ranks)");
    return NULL;
}
