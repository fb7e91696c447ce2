/* The list of what is wrong with a trace.
 *
 *      kinds      unmatched-send 3 · truncated-file 1          found by comparing names: there are few dozens
 *      defects    send … · file … · send …                     at most `kept` of each kind, in order of arrival
 *      arena      texts, calls                                  copies: readers reuse theirs
 *
 * Defects are found in damaged traces, a million at a time if it must be: beyond `kept` of a kind only the
 * count grows, and no memory. */
#include "traces/defect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "traces/grow.h"

#define KEPT_DEFAULT 100
#define TEXT_MAX 1024 /* longer sentences are cut */

struct trace_defects {
    struct base_arena arena;
    size_t kept;
    struct trace_defect *defects;
    size_t count, capacity;
    struct trace_defect_count *kinds;
    size_t kind_count, kind_capacity;
};

struct trace_defects *trace_defects_new(size_t kept)
{
    struct trace_defects *defects = calloc(1, sizeof *defects);

    if (defects != NULL)
        defects->kept = kept == 0 ? KEPT_DEFAULT : kept;
    return defects;
}

void trace_defects_free(struct trace_defects *defects)
{
    if (defects == NULL)
        return;
    base_arena_free(&defects->arena);
    free(defects->defects);
    free(defects->kinds);
    free(defects);
}

/* The row of a kind, made when it is new. A kind's severity is that of its worst defect. NULL: memory. */
static struct trace_defect_count *count_of(struct trace_defects *defects, const struct trace_defect *defect)
{
    for (size_t i = 0; i < defects->kind_count; i++)
        if (strcmp(defects->kinds[i].kind, defect->kind) == 0)
            return &defects->kinds[i];
    if (trace_grow(&defects->kinds, &defects->kind_capacity, defects->kind_count + 1,
                   sizeof *defects->kinds) != 0)
        return NULL;
    defects->kinds[defects->kind_count] = (struct trace_defect_count){defect->kind, defect->severity, 0};
    return &defects->kinds[defects->kind_count++];
}

/* Nothing is added before everything is allocated. */
static int keep(struct trace_defects *defects, const struct trace_defect *defect, const char *text)
{
    struct trace_defect copy = *defect;

    if (trace_grow(&defects->defects, &defects->capacity, defects->count + 1, sizeof *defects->defects) != 0)
        return -1;
    copy.text = base_arena_text(&defects->arena, text);
    copy.call = defect->call == NULL ? NULL : base_arena_text(&defects->arena, defect->call);
    if (copy.text == NULL || (defect->call != NULL && copy.call == NULL))
        return -1;
    defects->defects[defects->count++] = copy;
    return 0;
}

/* A row that was made for a defect which then found no memory stays, with a count of 0: harmless, since the
 * caller gives up. */
int trace_defects_add(struct trace_defects *defects, const struct trace_defect *defect,
                      struct base_error *error, const char *format, ...)
{
    struct trace_defect_count *row = count_of(defects, defect);
    char text[TEXT_MAX];
    va_list arguments;

    if (row == NULL)
        return base_error_memory(error, "the list of defects");
    if (row->count < defects->kept) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        if (keep(defects, defect, text) != 0)
            return base_error_memory(error, "the list of defects");
    }
    if (defect->severity > row->severity)
        row->severity = defect->severity;
    row->count++;
    return 0;
}

size_t trace_defects_count(const struct trace_defects *defects)
{
    return defects->count;
}

const struct trace_defect *trace_defects_get(const struct trace_defects *defects, size_t index)
{
    return &defects->defects[index];
}

size_t trace_defects_kinds(const struct trace_defects *defects)
{
    return defects->kind_count;
}

const struct trace_defect_count *trace_defects_kind(const struct trace_defects *defects, size_t index)
{
    return &defects->kinds[index];
}
