/* The registry of writers, and the loop that writes a whole program with one of them. */
#include <config.h>

#include "traces/writers/internal.h"

#include <string.h>

#include "base/names.h"

#define TRACE_WRITER(symbol) extern const struct trace_writer_format trace_writer_##symbol;
#include "traces/writers/writers.def"
#undef TRACE_WRITER

static const struct trace_writer_format *const writers[] = {
#define TRACE_WRITER(symbol) &trace_writer_##symbol,
#include "traces/writers/writers.def"
#undef TRACE_WRITER
};

#define WRITERS (sizeof writers / sizeof *writers)

/* In the order of writers.def. */
const struct trace_writer_format *const *trace_writers(size_t *count)
{
    *count = WRITERS;
    return writers;
}

/* The sentence for a name or a path that means no format. */
static void unknown_format(const char *name, const char *path, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("format", writers, struct trace_writer_format);

    if (name == NULL) {
        base_error_set(error, BASE_USAGE, "%s: the name does not tell which format to write", path);
    } else {
        base_error_set(error, BASE_USAGE, "unknown format '%.80s'", name);
        base_names_suggest(&names, name, error);
    }
    base_error_append(error, " (formats:");
    for (size_t i = 0; i < WRITERS; i++)
        base_error_append(error, "%s %s *%s", i > 0 ? "," : "", writers[i]->name, writers[i]->suffix);
    base_error_append(error, ")");
}

/* A bare suffix is no name. */
static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), ending = strlen(suffix);
    return length > ending && strcmp(path + length - ending, suffix) == 0;
}

/* A name is taken at its word, whatever the path ends in. */
const struct trace_writer_format *trace_writer_find(const char *name, const char *path,
                                                    struct base_error *error)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (name != NULL ? strcmp(name, writers[i]->name) == 0 : ends_in(path, writers[i]->suffix))
            return writers[i];
    unknown_format(name, path, error);
    return NULL;
}

/* One cursor at a time is open: a rank is written from its first operation to its end. */
static int write_rank(struct trace_writer *writer, const struct trace_writer_format *format,
                      struct trace_program *program, uint32_t rank, const atomic_bool *stop,
                      struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(program, rank, error);
    struct trace_op op;
    int more = cursor == NULL || format->rank(writer, rank, error) != 0 ? -1 : 1;

    while (more > 0 && (more = trace_cursor_next(cursor, &op, error)) > 0)
        if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed))
            more = base_error_set(error, BASE_INTERRUPTED, "interrupted: nothing is written");
        else if (format->add(writer, &op, error) != 0)
            more = -1;
    trace_cursor_free(cursor);
    return more;
}

/* Losses are told before the writer ends, since they are its own; whoever gets them learns from the
 * result whether the trace is there. */
int trace_write(struct trace_program *program, const struct trace_writer_format *format, const char *path,
                const struct trace_writer_options *options, trace_loss_sink *sink, void *context,
                struct base_error *error)
{
    static const struct trace_writer_options defaults = {0};
    uint32_t ranks = trace_program_ranks(program);
    struct trace_writer *writer;

    options = options != NULL ? options : &defaults;
    writer = format->open(path, program, options, error);
    if (writer == NULL)
        return -1;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        if (write_rank(writer, format, program, rank, options->stop, error) != 0) {
            format->abandon(writer);
            return -1;
        }
        if (options->progress != NULL)
            options->progress(options->progress_context, (uint32_t)((rank + 1) * UINT64_C(1000) / ranks));
    }
    if (sink != NULL) {
        size_t count;
        const struct trace_loss *losses = format->losses(writer, &count);
        sink(context, losses, count);
    }
    return format->finish(writer, error);
}
