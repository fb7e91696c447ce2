/* A view: cursors are the parts' own, and numbers are moved by what stands before the part.
 *
 *      ranks of the whole   0 … 15            16 … 31
 *      parts                job 0, rank 0 …   job 1, rank 0 …     communicators and regions likewise */
#include "traces/joined.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/table.h"
#include "traces/program-internal.h"

/* A part, and what stands before it. */
struct part {
    struct trace_program *program;           /* borrowed: it outlives the whole */
    uint32_t first_rank, first_communicator; /* its rank 0, its communicator 0 in the whole */
    uint32_t *region;                        /* [region of the part]: of the whole */
};

/* The arena holds what a join makes anew: members and regions under their new numbers. Everything else that the
 * program points at (names, kinds, vectors) is the parts' own, which therefore have to live longer. */
struct joined {
    struct trace_program base; /* first */
    struct base_arena arena;
    struct part *parts;  /* in the order of their ranks */
    uint32_t part_count; /* of parts */
};

struct joined_cursor {
    struct trace_cursor base; /* first */
    const struct part *part;
    struct trace_cursor *inner; /* the part's own */
};

/* ---- streams ---- */

/* The last part that begins at that number or before it. There are as many parts as jobs: a handful. */
static const struct part *part_of(const struct joined *joined, uint32_t rank)
{
    uint32_t part = joined->part_count - 1;

    while (joined->parts[part].first_rank > rank)
        part--;
    return &joined->parts[part];
}

/* Rank, communicators, peers and regions are moved by the part; requests and events are the part's own. */
static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct joined_cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a stream of operations");
        return NULL;
    }
    cursor->part = part_of((struct joined *)program, rank);
    cursor->inner = trace_cursor_new(cursor->part->program, rank - cursor->part->first_rank, error);
    if (cursor->inner != NULL)
        return &cursor->base;
    free(cursor);
    return NULL;
}

/* A computation or a wait has no peer and no communicator, so that moving its zeros does no harm. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct joined_cursor *cursor = (struct joined_cursor *)base;
    const struct part *part = cursor->part;
    int more = trace_cursor_next(cursor->inner, op, error);

    if (more <= 0)
        return more;
    if (op->peer != TRACE_ANY_SOURCE)
        op->peer += part->first_rank;
    op->communicator += part->first_communicator;
    op->region = op->region < part->program->region_count ? part->region[op->region] : TRACE_NO_REGION;
    return more;
}

/* With the part's cursor. */
static void cursor_free(struct trace_cursor *base)
{
    struct joined_cursor *cursor = (struct joined_cursor *)base;

    trace_cursor_free(cursor->inner);
    free(cursor);
}

/* Sizes per destination lie with the part, under the number that the communicator has there. */
static const struct trace_vector *vector(const struct trace_program *program, uint32_t communicator,
                                         uint64_t instance)
{
    const struct joined *joined = (const struct joined *)program;
    uint32_t part = joined->part_count - 1;

    while (joined->parts[part].first_communicator > communicator)
        part--;
    return trace_program_vector(joined->parts[part].program,
                                communicator - joined->parts[part].first_communicator, instance);
}

/* The parts are the caller's, and stay open. */
static void close_joined(struct trace_program *program)
{
    struct joined *joined = (struct joined *)program;

    base_arena_free(&joined->arena);
    free(joined);
}

static const struct trace_program_class class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = close_joined,
    .sets_vectors = true, /* the parts' streams have set them */
};

/* ---- definitions ---- */

/* Members moved by the ranks before. NULL: memory. */
static const uint32_t *move(struct base_arena *arena, const uint32_t *members, uint32_t size, uint32_t by)
{
    uint32_t *moved = base_arena_array(arena, (size_t)size + 1, sizeof *moved);

    for (uint32_t i = 0; moved != NULL && i < size; i++)
        moved[i] = members[i] + by;
    return moved;
}

/* Jobs share no communicator: those of the parts stand one behind the other, with nothing but their members
 * changed. An intracommunicator's remote members are an empty list, which is copied as well. -1: memory. */
static int join_communicators(struct joined *joined, struct trace_communicator *all)
{
    for (uint32_t i = 0; i < joined->part_count; i++) {
        const struct part *part = &joined->parts[i];
        for (uint32_t c = 0; c < part->program->communicator_count; c++) {
            struct trace_communicator *own = &all[part->first_communicator + c];
            *own = part->program->communicators[c];
            own->members = move(&joined->arena, own->members, own->size, part->first_rank);
            own->remote_members =
                move(&joined->arena, own->remote_members, own->remote_size, part->first_rank);
            if (own->members == NULL || own->remote_members == NULL)
                return -1;
        }
    }
    return 0;
}

/* The number of a name, which is new if no part before had it. Names are told apart by 128 bits of a digest. */
static uint32_t number_name(struct joined *joined, struct base_table *numbers, const char **names,
                            const char *name)
{
    struct base_digest digest = {0};
    uint32_t number;

    base_digest_add_text(&digest, 0, name);
    number = base_table_get(numbers, digest.low, digest.high);
    if (number != BASE_TABLE_NONE)
        return number;
    names[joined->base.region_count] = name;
    return base_table_put(numbers, digest.low, digest.high, joined->base.region_count) != 0
               ? BASE_TABLE_NONE
               : joined->base.region_count++;
}

/* A function that several programs call is one region of the whole, so that a viewer gives it one colour.
 * -1: memory. The table is only for this call; names stay with the parts. */
static int join_regions(struct joined *joined, const char **names)
{
    struct base_table numbers = {0};
    int status = 0;

    for (uint32_t i = 0; i < joined->part_count && status == 0; i++) {
        struct part *part = &joined->parts[i];
        part->region =
            base_arena_array(&joined->arena, (size_t)part->program->region_count + 1, sizeof *part->region);
        if (part->region == NULL)
            status = -1;
        for (uint32_t r = 0; r < part->program->region_count && status == 0; r++) {
            part->region[r] = number_name(joined, &numbers, names, part->program->region_names[r]);
            status = part->region[r] == BASE_TABLE_NONE ? -1 : 0;
        }
    }
    base_table_free(&numbers);
    return status;
}

/* A rank's clock begins at the start of its part. */
static void set_origins(const struct trace_join_part *parts, const struct joined *joined, uint64_t *origins)
{
    for (uint32_t i = 0; i < joined->part_count; i++)
        for (uint32_t rank = 0; rank < parts[i].program->ranks; rank++)
            origins[joined->parts[i].first_rank + rank] = parts[i].start_ns;
}

/* Everything is in the arena. -1: memory. Sums first, since arrays are made for the whole. */
static int fill(struct joined *joined, const struct trace_join_part *parts)
{
    struct trace_program *base = &joined->base;
    size_t regions = 0;

    joined->parts = base_arena_array(&joined->arena, (size_t)joined->part_count + 1, sizeof *joined->parts);
    if (joined->parts == NULL)
        return -1;
    for (uint32_t i = 0; i < joined->part_count; i++) {
        joined->parts[i] = (struct part){parts[i].program, base->ranks, base->communicator_count, NULL};
        base->ranks += parts[i].program->ranks;
        base->communicator_count += parts[i].program->communicator_count;
        regions += parts[i].program->region_count;
    }
    const char **names = base_arena_array(&joined->arena, regions + 1, sizeof *names);
    struct trace_communicator *communicators =
        base_arena_array(&joined->arena, (size_t)base->communicator_count + 1, sizeof *communicators);
    uint64_t *origins = base_arena_array(&joined->arena, (size_t)base->ranks + 1, sizeof *origins);
    if (names == NULL || communicators == NULL || origins == NULL ||
        join_communicators(joined, communicators) != 0 || join_regions(joined, names) != 0)
        return -1;
    set_origins(parts, joined, origins);
    base->communicators = communicators;
    base->region_names = names;
    base->origins_ns = origins;
    return 0;
}

/* NULL: memory. The parts must outlive what is returned. */
struct trace_program *trace_join(const struct trace_join_part *parts, uint32_t count,
                                 struct base_error *error)
{
    struct joined *joined = calloc(1, sizeof *joined);

    if (joined != NULL) {
        joined->base = (struct trace_program){.class = &class, .path = "", .format = "joined", .writer = ""};
        joined->part_count = count;
        if (fill(joined, parts) == 0)
            return &joined->base;
        close_joined(&joined->base);
    }
    base_error_memory(error, "programs side by side");
    return NULL;
}
