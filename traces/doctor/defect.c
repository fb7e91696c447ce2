/* The list of what is wrong with a trace.
 *
 *      kinds      unmatched-send 3 · truncated-file 1          found by comparing names: there are few dozens
 *      defects    send … · file … · send …                     at most `kept` of each kind, in order of arrival
 *      arena      texts, calls                                 copies: readers reuse theirs
 *
 * Defects are found in damaged traces, a million at a time if it must be: beyond `kept` of a kind only the
 * count grows, and no memory. */
#include "traces/doctor/defect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"

#define KEPT_DEFAULT 100
#define TEXT_MAX 1024 /* longer sentences are cut */

struct trace_defects {
    struct base_arena arena;          /* of the sentences */
    size_t kept;                      /* of a kind at most; the others are counted alone */
    struct trace_defect *defects;     /* those that are kept, as they came */
    size_t count, capacity;           /* of defects */
    struct trace_defect_count *kinds; /* in the order of their first defect */
    size_t *kept_of;                  /* [kind]: how many of it are in defects */
    size_t kind_count, kind_capacity, kept_capacity;
};

/* Nothing but the struct is allocated: a sound trace costs nothing. */
struct trace_defects *trace_defects_new(size_t kept)
{
    struct trace_defects *defects = calloc(1, sizeof *defects);

    if (defects != NULL)
        defects->kept = kept == 0 ? KEPT_DEFAULT : kept;
    return defects;
}

/* Kinds are constants of the caller, and not freed. */
void trace_defects_free(struct trace_defects *defects)
{
    if (defects == NULL)
        return;
    base_arena_free(&defects->arena);
    free(defects->defects);
    free(defects->kinds);
    free(defects->kept_of);
    free(defects);
}

/* The row of a kind, made when it is new. SIZE_MAX: memory.
 * Linear: a trace has a handful of kinds, and the doctor counts many defects of a kind at once. */
static size_t row_of(struct trace_defects *defects, const struct trace_defect *defect)
{
    size_t row = 0;

    while (row < defects->kind_count && strcmp(defects->kinds[row].kind, defect->kind) != 0)
        row++;
    if (row < defects->kind_count)
        return row;
    if (base_grow(&defects->kinds, &defects->kind_capacity, row + 1, sizeof *defects->kinds) != 0 ||
        base_grow(&defects->kept_of, &defects->kept_capacity, row + 1, sizeof *defects->kept_of) != 0)
        return SIZE_MAX;
    defects->kinds[row] = (struct trace_defect_count){defect->kind, defect->severity, 0};
    defects->kept_of[row] = 0;
    defects->kind_count++;
    return row;
}

/* Nothing is added before everything is allocated. */
static int keep(struct trace_defects *defects, const struct trace_defect *defect, const char *text)
{
    struct trace_defect copy = *defect;

    if (base_grow(&defects->defects, &defects->capacity, defects->count + 1, sizeof *defects->defects) != 0)
        return -1;
    copy.text = base_arena_text(&defects->arena, text);
    copy.call = defect->call == NULL ? NULL : base_arena_text(&defects->arena, defect->call);
    if (copy.text == NULL || (defect->call != NULL && copy.call == NULL))
        return -1;
    defects->defects[defects->count++] = copy;
    return 0;
}

/* A row that was made for a defect which then found no memory stays, with a count of 0: harmless, since the
 * caller gives up. A kind is as severe as its worst defect, kept or not. */
static int add(struct trace_defects *defects, const struct trace_defect *defect, uint64_t count,
               struct base_error *error, const char *format, va_list arguments)
{
    size_t row = row_of(defects, defect);
    char text[TEXT_MAX];

    if (row == SIZE_MAX)
        return base_error_memory(error, "the list of defects");
    if (defects->kept_of[row] < defects->kept) {
        vsnprintf(text, sizeof text, format, arguments);
        if (keep(defects, defect, text) != 0)
            return base_error_memory(error, "the list of defects");
        defects->kept_of[row]++;
    }
    if (defect->severity > defects->kinds[row].severity)
        defects->kinds[row].severity = defect->severity;
    defects->kinds[row].count += count;
    return 0;
}

/* The variants with and without a count differ in nothing else. */
int trace_defects_add(struct trace_defects *defects, const struct trace_defect *defect,
                      struct base_error *error, const char *format, ...)
{
    va_list arguments;
    int status;

    va_start(arguments, format);
    status = add(defects, defect, 1, error, format, arguments);
    va_end(arguments);
    return status;
}

/* `count` defects of a kind for one sentence, such as those of a channel. */
int trace_defects_add_many(struct trace_defects *defects, const struct trace_defect *defect, uint64_t count,
                           struct base_error *error, const char *format, ...)
{
    va_list arguments;
    int status;

    va_start(arguments, format);
    status = add(defects, defect, count, error, format, arguments);
    va_end(arguments);
    return status;
}

/* Of those that are kept, which may be fewer than were found (trace_defects_kind has all). */
size_t trace_defects_count(const struct trace_defects *defects)
{
    return defects->count;
}

/* In the order in which they were added. Borrowed. */
const struct trace_defect *trace_defects_get(const struct trace_defects *defects, size_t index)
{
    return &defects->defects[index];
}

/* Kinds and defects are two lists: the first is complete, the second is what was kept. */
size_t trace_defects_kinds(const struct trace_defects *defects)
{
    return defects->kind_count;
}

/* In the order of their first defects. Borrowed. */
const struct trace_defect_count *trace_defects_kind(const struct trace_defects *defects, size_t index)
{
    return &defects->kinds[index];
}
