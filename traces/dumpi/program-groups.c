/* What handles of communicators, windows and files mean to a rank at its current record. Communicators come
 * from the tables that were built over all ranks (communicators.h); a small cache saves the search in them,
 * and the search for the rank's own number. */
#include "traces/dumpi/program.h"
#include "traces/dumpi/survey.h"

#include <string.h>

#include "base/grow.h"

/* A rank that is no member of what its handle means (damage) is treated as if the handle were unknown.
 * MPI_COMM_WORLD and MPI_COMM_SELF are among the tables, too. Unknown handles stand for the communicator of all
 * ranks that the program has beside its own (format.c). */
void trace_dumpi_find_group(struct trace_dumpi_decoder *decoder, int64_t handle,
                            struct trace_dumpi_group *group)
{
    const struct trace_dumpi_context *context = decoder->context;
    uint32_t index = handle == DPT_COMM_WORLD ? TRACE_COMM_WORLD
                                              : trace_communicators_at(context->handles, decoder->rank,
                                                                       decoder->event, (int32_t)handle);
    const struct trace_communicator *communicator;

    if (handle == DPT_COMM_SELF && decoder->survey != NULL && decoder->survey->selves <= decoder->rank)
        decoder->survey->selves = decoder->rank + 1;
    *group = (struct trace_dumpi_group){
        .handle = handle, .index = context->unknown_communicator, .valid = true, .known = false};
    if (index != TRACE_NO_COMMUNICATOR) {
        communicator = &context->communicators[index];
        group->index = index;
        group->size = communicator->size + communicator->remote_size;
        group->own = trace_communicator_position(communicator, decoder->rank);
        group->known = group->own != UINT32_MAX;
    }
}

/* Cheaper than finding out which of them changed, and rare. */
void trace_dumpi_forget_groups(struct trace_dumpi_decoder *decoder)
{
    for (unsigned i = 0; i < TRACE_DUMPI_GROUPS; i++)
        decoder->groups[i].valid = false;
}

/* Windows and files have numbers of their own each, hence the kind in the key. */
struct trace_dumpi_object *trace_dumpi_object(struct trace_dumpi_decoder *decoder,
                                              enum trace_dumpi_object_kind kind, int64_t handle)
{
    uint32_t index = base_table_get(&decoder->object_of, (uint64_t)handle, kind);

    return index == BASE_TABLE_NONE ? NULL : &decoder->objects[index];
}

/* A handle that is given again takes the place of the object before. */
int trace_dumpi_object_new(struct trace_dumpi_decoder *decoder, enum trace_dumpi_object_kind kind,
                           int64_t handle, uint32_t communicator)
{
    struct trace_dumpi_object *object = trace_dumpi_object(decoder, kind, handle);
    uint32_t index = (uint32_t)decoder->object_count;

    if (object == NULL) {
        if (base_grow(&decoder->objects, &decoder->object_capacity, decoder->object_count + 1,
                      sizeof *decoder->objects) != 0 ||
            base_table_put(&decoder->object_of, (uint64_t)handle, kind, index) != 0)
            return trace_dumpi_no_memory(decoder);
        object = &decoder->objects[decoder->object_count++];
        memset(object, 0, sizeof *object);
    }
    object->communicator = communicator;
    return 0;
}
