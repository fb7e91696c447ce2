/* Sizes of datatypes. Numbers are recycled, but the file's table has only the size of the first type of each
 * number: so constructors among the records are followed. Displacements are garbage in 64-bit recordings;
 * sizes do not need them. */
#include <stdlib.h>

#include "traces/dumpitrace/stream.h"

/* Sizes of predefined types, as on the machines with 64-bit pointers that made nearly all traces; by number.
 */
static const int8_t usual_sizes[DPT_FIRST_USER_DATATYPE] = {-1, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                                            8,  16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

/* What a constructor among the records said comes first, then the file's table, then the usual size; -1: unknown. */
int64_t dpt_datatype_size(const struct dpt_stream *stream, int64_t datatype)
{
    if (datatype < 0)
        return -1;
    if ((uint64_t)datatype < stream->datatypes.count && stream->datatypes.sizes[datatype] >= 0)
        return stream->datatypes.sizes[datatype];
    /* Types that were never used have the size 0 in the table. */
    if (datatype < stream->info.datatype_count &&
        (stream->info.datatype_sizes[datatype] > 0 || datatype >= DPT_FIRST_USER_DATATYPE))
        return stream->info.datatype_sizes[datatype];
    return datatype < DPT_FIRST_USER_DATATYPE ? usual_sizes[datatype] : -1;
}

/* Products and sums of what a file says; -1 when a factor is negative or the result has no room. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;

    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

/* As times. */
static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;

    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

/* The number i of a list argument, or otherwise when it is not that long. */
static int64_t number_at(const struct dpt_record *record, enum dpt_name name, int64_t i, int64_t otherwise)
{
    const struct dpt_value *value = dpt_value(record, name);

    return value != NULL && i < value->number ? value->numbers[i] : otherwise;
}

/* 0 when there is no such argument. */
static int64_t list_length(const struct dpt_record *record, enum dpt_name name)
{
    const struct dpt_value *value = dpt_value(record, name);

    return value != NULL ? value->number : 0;
}

/* Over a list argument; -1 when it does not fit, or an element is negative. */
static int64_t sum_of(const struct dpt_record *record, enum dpt_name name)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < list_length(record, name); i++)
        sum = plus(sum, number_at(record, name, i, 0));
    return sum;
}

/* As sum_of; 1 for an empty list. */
static int64_t product_of(const struct dpt_record *record, enum dpt_name name)
{
    int64_t product = 1;

    for (int64_t i = 0; i < list_length(record, name); i++)
        product = times(product, number_at(record, name, i, 0));
    return product;
}

/* The only constructor with several old types: each element has its own length and type. */
static int64_t struct_size(const struct dpt_stream *stream, const struct dpt_record *record,
                           enum dpt_name lengths)
{
    int64_t size = 0;

    for (int64_t i = 0; i < list_length(record, lengths); i++) {
        int64_t old = number_at(record, DPT_OLDTYPES, i, -1);

        size = plus(size, times(number_at(record, lengths, i, 0), dpt_datatype_size(stream, old)));
    }
    return size;
}

/* How many of extent elements are in process `at` of `processes` along one dimension (MPI 4.0,
 * section 5.1.4). A negative argument is MPI_DISTRIBUTE_DFLT_DARG, whatever its value in the MPI that
 * recorded. */
static int64_t local_extent(int64_t extent, int64_t processes, int64_t at, int64_t distribution,
                            int64_t argument)
{
    enum { BLOCK = 1, CYCLIC = 2 };
    int64_t block, cycles, rest;

    if (extent < 0 || processes < 1)
        return -1;
    if (distribution != BLOCK && distribution != CYCLIC)
        return extent;
    block = argument > 0 ? argument : distribution == CYCLIC ? 1 : (extent + processes - 1) / processes;
    if (block == 0)
        return 0;
    cycles = distribution == CYCLIC ? extent / (block * processes) : 0;
    rest = extent - cycles * block * processes - at * block;
    return cycles * block + (rest < 0 ? 0 : rest < block ? rest : block);
}

/* The number of elements of a distributed array that are this process's. The grid of processes is in the
 * order of C always. */
static int64_t darray_elements(const struct dpt_record *record)
{
    int64_t rank = dpt_number(record, DPT_RANK, 0), elements = 1;

    if (rank < 0)
        return -1;
    for (int64_t i = list_length(record, DPT_GSIZES) - 1; i >= 0; i--) {
        int64_t processes = number_at(record, DPT_PSIZES, i, 1);
        int64_t extent =
            local_extent(number_at(record, DPT_GSIZES, i, 0), processes, processes > 0 ? rank % processes : 0,
                         number_at(record, DPT_DISTRIBS, i, 3), number_at(record, DPT_DARGS, i, -1));

        elements = times(elements, extent);
        rank = processes > 0 ? rank / processes : rank;
    }
    return elements;
}

/* The number of elements of the old type in a type made of only one, or -1. For every constructor with one old
 * type and its count, by the names that its arguments have in the layout. */
static int64_t elements_of(const struct dpt_record *record)
{
    int64_t count = dpt_number(record, DPT_COUNT, 0);

    switch (record->function) {
    case DPT_MPI_Type_contiguous:
        return count;
    case DPT_MPI_Type_vector:
    case DPT_MPI_Type_hvector:
    case DPT_MPI_Type_create_hvector:
    case DPT_MPI_Type_create_indexed_block:
        return times(count, dpt_number(record, DPT_BLOCKLENGTH, 0));
    case DPT_MPI_Type_indexed:
    case DPT_MPI_Type_hindexed:
        return sum_of(record, DPT_LENGTHS);
    case DPT_MPI_Type_create_hindexed:
        return sum_of(record, DPT_BLOCKLENGTHS);
    case DPT_MPI_Type_create_subarray:
        return product_of(record, DPT_SUBSIZES);
    case DPT_MPI_Type_create_darray:
        return darray_elements(record);
    case DPT_MPI_Type_dup:
    case DPT_MPI_Type_create_resized:
        return 1;
    default:
        return -1;
    }
}

/* Room for the sizes of the numbers below count; new ones are -1, unknown. */
static int make_room(struct dpt_stream *stream, size_t count)
{
    struct dumpi_datatypes *datatypes = &stream->datatypes;
    int64_t *sizes;

    if (count <= datatypes->count)
        return 0;
    /* Numbers have 15 bits, so this ends; the first room is enough for most programs. */
    count = count < 64 ? 64 : 2 * count;
    sizes = realloc(datatypes->sizes, count * sizeof *sizes);
    if (sizes == NULL)
        return dumpi_memory_error(&stream->error, stream->input->path);
    while (datatypes->count < count)
        sizes[datatypes->count++] = -1;
    datatypes->sizes = sizes;
    return 0;
}

/* For every record, of other functions too: without a new type's number nothing is learnt. -1: no memory. */
int dumpi_follow_datatypes(struct dpt_stream *stream, const struct dpt_record *record)
{
    int64_t number = dpt_number(record, DPT_NEWTYPE, -1);
    int64_t size;

    if (number < DPT_FIRST_USER_DATATYPE)
        return 0;
    if (record->function == DPT_MPI_Type_struct)
        size = struct_size(stream, record, DPT_LENGTHS);
    else if (record->function == DPT_MPI_Type_create_struct)
        size = struct_size(stream, record, DPT_BLOCKLENGTHS);
    else
        size = times(elements_of(record), dpt_datatype_size(stream, dpt_number(record, DPT_OLDTYPE, -1)));
    if (make_room(stream, (size_t)number + 1) != 0)
        return -1;
    stream->datatypes.sizes[number] = size;
    return 0;
}

/* By the destinations seen so far: -2 is Open MPI's null process, -1 MPICH's. */
enum dpt_flavour dpt_flavour(const struct dpt_stream *stream)
{
    if (stream->statistics.to_rank_minus_2 > 0)
        return DPT_FLAVOUR_OPEN_MPI;
    return stream->statistics.to_rank_minus_1 > 0 ? DPT_FLAVOUR_MPICH : DPT_FLAVOUR_UNKNOWN;
}

/* Sends have no wildcard, so that every negative number is the null process. */
enum dpt_peer dpt_destination_peer(int64_t dest)
{
    return dest < 0 ? DPT_PEER_NULL : DPT_PEER_RANK;
}

/* -1 is MPI_ANY_SOURCE in Open MPI and MPI_PROC_NULL in MPICH: the status says which, else the flavour, if
 * anything. */
enum dpt_peer dpt_source_peer(int64_t source, const struct dpt_receive_status *status,
                              enum dpt_flavour flavour)
{
    if (source >= 0)
        return DPT_PEER_RANK;
    if (source != DPT_ANY_SOURCE)
        return DPT_PEER_NULL;
    if (status != NULL)
        return status->source < 0 ? DPT_PEER_NULL : DPT_PEER_ANY;
    return flavour == DPT_FLAVOUR_OPEN_MPI ? DPT_PEER_ANY : DPT_PEER_UNKNOWN;
}
