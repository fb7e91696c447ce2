/* The DUMPI library on files made for the purpose: every layout, every version's peculiarities, clocks,
 * handles, filters, places, loops, names of files. */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/traces/dumpitrace/dumpi-files.h"

/* ---- One record of every function, from an independent writer (tests/data/dumpi/every-function/make) ----
 */

static const char *const every_version[] = {"13.0.0", "0.6.2", "0.4.0"};
#define VERSIONS (sizeof every_version / sizeof *every_version)

static const char *every_path(size_t version)
{
    char below[128];

    snprintf(below, sizeof below, "tests/data/dumpi/every-function/every-%s.bin", every_version[version]);
    return source_path(below);
}

static int64_t expected_number(const struct dpt_record *record, unsigned at)
{
    unsigned name = record->layout->fields[at].name;

    if (name == DPT_COMMRANK || name == DPT_OLDCOMMRANK || name == DPT_ROOT)
        return 5;
    if (name == DPT_ARGC)
        return 2;
    return (7 * record->function + 3 * at) % 100;
}

static void check_strings(const struct dpt_record *record, unsigned at, const struct dpt_string *strings,
                          int64_t count)
{
    char text[64];

    for (int64_t j = 0; j < count; j++) {
        snprintf(text, sizeof text, "%u.%u.%" PRId64, record->function, at, j);
        assert_string_equal(strings[j].text, text);
        assert_int_equal(strings[j].length, strlen(text));
    }
}

static void check_numbers(const int32_t *numbers, int64_t count, int64_t first)
{
    for (int64_t j = 0; j < count; j++)
        assert_int_equal(numbers[j], first + j);
}

static void check_statuses(const struct dpt_value *value, int64_t first, bool has_tag)
{
    for (int64_t j = 0; j < value->number; j++) {
        assert_int_equal(value->statuses[j].bytes, first + j);
        assert_int_equal(value->statuses[j].source, j);
        assert_int_equal(value->statuses[j].cancelled, 1);
        assert_int_equal(value->statuses[j].error, -1);
        assert_int_equal(value->statuses[j].tag, has_tag ? 7 : -1);
    }
}

static void check_list(const struct dpt_record *record, unsigned at, int64_t count, size_t version)
{
    const struct dpt_value *value = &record->values[at];
    int64_t first = expected_number(record, at);
    unsigned type = record->layout->fields[at].type;

    if (version > 0 && (type == DPT_TYPE_NUMBERS_068 || type == DPT_TYPE_NUMBERS_069))
        count = 1;
    if (type == DPT_TYPE_STRING_LISTS || type == DPT_TYPE_NUMBER_LISTS) {
        assert_int_equal(value->number, 2);
        for (int i = 0; i < 2; i++)
            if (type == DPT_TYPE_STRING_LISTS) {
                assert_int_equal(value->string_lists[i].count, count);
                check_strings(record, at, value->string_lists[i].strings, count);
            } else {
                assert_int_equal(value->number_lists[i].count, count);
                check_numbers(value->number_lists[i].numbers, count, first);
            }
        return;
    }
    assert_int_equal(value->number, type == DPT_TYPE_STRING ? 1 : type == DPT_TYPE_ARGV ? 2 : count);
    if (type == DPT_TYPE_STATUS)
        check_statuses(value, first, version == 0);
    else if (type == DPT_TYPE_STRING || type == DPT_TYPE_STRINGS || type == DPT_TYPE_ARGV)
        check_strings(record, at, value->strings, value->number);
    else
        check_numbers(value->numbers, value->number, first);
}

static void check_value(const struct dpt_record *record, unsigned at, size_t version)
{
    const struct dpt_field *field = &record->layout->fields[at];

    if (field->type == DPT_TYPE_STATUS && (record->mask & DPT_MASK_STATUS) == 0) {
        assert_false(record->values[at].present);
        return;
    }
    assert_true(record->values[at].present);
    if (field->type <= DPT_TYPE_ARGC)
        assert_int_equal(record->values[at].number, expected_number(record, at));
    else
        check_list(record, at, (record->function + at) % 3 + 1, version);
}

static void check_front(const struct dpt_record *record)
{
    static const uint8_t masks[] = {0x4F, 0x0F, 0xCF, 0x43, 0x4C, 0x00, 0x81, 0x45};
    const int64_t second = INT64_C(1000000000);
    unsigned function = record->function;

    assert_int_equal(record->mask, masks[function % 8]);
    assert_int_equal(record->thread, record->mask & DPT_MASK_THREAD ? function % 4 : 0);
    assert_int_equal(record->cpu.start_ns, record->mask & DPT_MASK_CPU ? (10 + function) * second + 100 : 0);
    assert_int_equal(record->cpu.stop_ns, record->mask & DPT_MASK_CPU ? (10 + function) * second + 150 : 0);
    assert_int_equal(record->wall.start_ns,
                     record->mask & DPT_MASK_WALL ? (20 + function) * second + 200 : 0);
    assert_int_equal(record->counter_count, record->mask & DPT_MASK_COUNTERS ? 2 : 0);
    if (record->counter_count > 0) {
        assert_int_equal(record->counters[0].entry, function);
        assert_int_equal(record->counters[1].exit, -(int64_t)function - 1);
    }
}

static void check_info(const struct dpt_file_info *info, size_t version)
{
    static const unsigned sections[] = {7, 6, 4};

    assert_int_equal(info->warning_count, 0);
    assert_int_equal(info->index_sections, sections[version]);
    assert_string_equal(info->hostname, "node");
    assert_string_equal(info->username, "<none>");
    assert_int_equal(info->start_time, 1234567890);
    assert_int_equal(info->cpu_base_seconds, 10);
    assert_int_equal(info->calls[128], 0);
    assert_int_equal(info->calls[290], 289);
    assert_int_equal(info->datatype_count, version == 0 ? 30 : 0);
    assert_int_equal(info->address_count, version < 2 ? 1 : 0);
    assert_int_equal(info->counter_count, version < 2 ? 2 : 0);
    if (version < 2) {
        assert_string_equal(info->addresses[0].name, "solve");
        assert_int_equal(info->addresses[0].address, 4096);
        assert_string_equal(info->counter_names[1], "BB");
    }
}

static void every_function_is_read(void **state)
{
    (void)state;
    for (size_t version = 0; version < VERSIONS; version++) {
        struct dpt_stream *stream = dpt_open_file(every_path(version), NULL);
        const struct dpt_record *record;
        int more;
        int next = 0;

        assert_non_null(stream);
        check_info(dpt_info(stream), version);
        while ((more = dpt_next(stream, &record)) == 1) {
            next += next == 128 || next == 290;
            assert_int_equal(record->function, next++);
            check_front(record);
            for (unsigned i = 0; i < record->layout->field_count; i++)
                check_value(record, i, version);
        }
        if (more < 0)
            fail_msg("%s", dpt_geterr(stream));
        assert_int_equal(next, DPT_FUNCTION_COUNT);
        dpt_close_rank(stream);
    }
}

static void every_function_is_written_alike(void **state)
{
    (void)state;
    for (size_t version = 0; version < VERSIONS; version++) {
        const char *copy = temporary_path(0, ".bin");
        struct dpt_stream *stream = dpt_open_file(every_path(version), NULL);
        struct bytes original = read_file(every_path(version));
        struct bytes written;

        assert_non_null(stream);
        assert_string_equal(copy_stream(stream, copy), "");
        dpt_close_rank(stream);
        written = read_file(copy);
        /* Old indices have no place for some sections, so that a copy has them empty. */
        assert_memory_equal(written.data, original.data, 11000);
        assert_same_records(every_path(version), copy);
        if (version == 0)
            assert_memory_equal(written.data, original.data, original.size);
        free(original.data);
        free(written.data);
        unlink(copy);
    }
}

/* ---- Files written for one subject ---- */

struct sample {
    struct dpt_writer *writer;
    struct dpt_file_info info;
    struct dpt_record record;
};

static void sample_open(struct sample *sample)
{
    memset(sample, 0, sizeof *sample);
    sample->writer = dpt_writer_open(temporary_path(0, ".bin"), &sample->info, NULL);
    assert_non_null(sample->writer);
}

static void sample_begin(struct sample *sample, unsigned function)
{
    assert_int_equal(dpt_record_init(&sample->record, function), 0);
}

static void sample_put(struct sample *sample)
{
    assert_int_equal(dpt_write(sample->writer, &sample->record), 0);
}

static struct dpt_stream *sample_close(struct sample *sample)
{
    struct dpt_stream *stream;

    assert_int_equal(dpt_writer_close(sample->writer, &sample->info, NULL), 0);
    stream = dpt_open_file(temporary_path(0, ".bin"), NULL);
    assert_non_null(stream);
    return stream;
}

static const struct dpt_record *next_of(struct dpt_stream *stream)
{
    const struct dpt_record *record;

    assert_int_equal(dpt_next(stream, &record), 1);
    return record;
}

static void roots_arguments_only_at_the_root(void **state)
{
    static const int32_t counts[] = {1, 2, 3};
    struct sample sample;
    struct dpt_stream *stream;
    const struct dpt_record *record;
    (void)state;

    sample_open(&sample);
    for (int rank = 0; rank < 2; rank++) {
        sample_begin(&sample, DPT_MPI_Gatherv);
        dpt_set_number(&sample.record, DPT_COMMRANK, rank);
        dpt_set_number(&sample.record, DPT_ROOT, 1);
        dpt_set_numbers(&sample.record, DPT_RECVCOUNTS, counts, 3);
        dpt_set_number(&sample.record, DPT_RECVTYPE, 9);
        sample_put(&sample);
    }
    stream = sample_close(&sample);
    record = next_of(stream);
    assert_null(dpt_value(record, DPT_RECVCOUNTS));
    assert_int_equal(dpt_number(record, DPT_RECVTYPE, 0), 9);
    record = next_of(stream);
    assert_int_equal(dpt_value(record, DPT_RECVCOUNTS)->number, 3);
    assert_int_equal(dpt_value(record, DPT_RECVCOUNTS)->numbers[2], 3);
    assert_int_equal(dpt_number(record, DPT_RECVTYPE, 0), 9);
    assert_int_equal(dpt_next(stream, &record), 0);
    dpt_close_rank(stream);
}

static void put_barrier(struct sample *sample, int64_t start_ns, int64_t stop_ns, int carry)
{
    sample_begin(sample, DPT_MPI_Barrier);
    sample->record.wall = (struct dpt_interval){start_ns, stop_ns, (uint8_t)carry, 0};
    sample->record.cpu = (struct dpt_interval){5, 6, 0, 0};
    sample_put(sample);
}

static void clocks_are_unwrapped(void **state)
{
    const int64_t second = INT64_C(1000000000);
    /* A wrap between records, one within a record, a small step back over a wrap, and an oversized fraction.
     */
    const int64_t times[][3] = {{10 * second, 11 * second, 0},
                                {65000 * second, 65001 * second, 0},
                                {65536 * second, 65600 * second, 0},
                                {65535 * second, 65550 * second, 0},
                                {98000 * second, 98001 * second, 0},
                                {131071 * second, 131073 * second, 0},
                                {140000 * second + 3, 140001 * second, 1},
                                {139999 * second, 140001 * second, 0}};
    const size_t count = sizeof times / sizeof *times;
    struct sample sample;
    struct dpt_stream *stream;
    (void)state;

    memset(&sample, 0, sizeof sample);
    sample.info.wall_base_seconds = -5;
    sample.writer = dpt_writer_open(temporary_path(0, ".bin"), &sample.info, NULL);
    assert_non_null(sample.writer);
    for (size_t i = 0; i < count; i++)
        put_barrier(&sample, times[i][0] - 5 * second, times[i][1] - 5 * second, (int)times[i][2]);
    stream = sample_close(&sample);
    for (size_t i = 0; i < count; i++) {
        const struct dpt_record *record = next_of(stream);

        assert_int_equal(record->wall.start_ns, times[i][0] - 5 * second);
        assert_int_equal(record->wall.stop_ns, times[i][1] - 5 * second);
        assert_int_equal(record->wall.start_carry, times[i][2]);
    }
    assert_int_equal(dpt_stats(stream)->clock_steps_back, 2);
    assert_int_equal(dpt_stats(stream)->clock_wraps, 3);
    dpt_close_rank(stream);
}

/* ---- Handles ---- */

static void put_contiguous(struct sample *sample, int64_t count, int64_t old, int64_t new)
{
    sample_begin(sample, DPT_MPI_Type_contiguous);
    dpt_set_number(&sample->record, DPT_COUNT, count);
    dpt_set_number(&sample->record, DPT_OLDTYPE, old);
    dpt_set_number(&sample->record, DPT_NEWTYPE, new);
    sample_put(sample);
}

static void put_struct(struct sample *sample, const int32_t lengths[2], const int32_t types[2])
{
    sample_begin(sample, DPT_MPI_Type_create_struct);
    dpt_set_number(&sample->record, DPT_COUNT, 2);
    dpt_set_numbers(&sample->record, DPT_BLOCKLENGTHS, lengths, 2);
    dpt_set_numbers(&sample->record, DPT_OLDTYPES, types, 2);
    dpt_set_number(&sample->record, DPT_NEWTYPE, 30);
    sample_put(sample);
}

static void put_darray(struct sample *sample)
{
    /* 10 in blocks over 3, 7 in cycles of 2 over 2: rank 3 is at (1, 1), with 4 of 10 and 3 of 7. */
    static const int32_t sizes[] = {10, 7};
    static const int32_t distributions[] = {1, 2};
    static const int32_t arguments[] = {-1, 2};
    static const int32_t processes[] = {3, 2};

    sample_begin(sample, DPT_MPI_Type_create_darray);
    dpt_set_number(&sample->record, DPT_RANK, 3);
    dpt_set_numbers(&sample->record, DPT_GSIZES, sizes, 2);
    dpt_set_numbers(&sample->record, DPT_DISTRIBS, distributions, 2);
    dpt_set_numbers(&sample->record, DPT_DARGS, arguments, 2);
    dpt_set_numbers(&sample->record, DPT_PSIZES, processes, 2);
    dpt_set_number(&sample->record, DPT_OLDTYPE, 14);
    dpt_set_number(&sample->record, DPT_NEWTYPE, 31);
    sample_put(sample);
}

static void datatype_numbers_are_recycled(void **state)
{
    static const int32_t table[] = {0, 0, 1, 1, 1, 1, 4, 2,  2,  4, 4, 8,  8,  4, 8, 16,
                                    0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20, 20, 4, 0};
    static const int32_t lengths[] = {3, 1}, types[] = {28, 14};
    struct sample sample;
    struct dpt_stream *stream;
    (void)state;

    sample_open(&sample);
    sample.info.datatype_sizes = table;
    sample.info.datatype_count = 31;
    put_contiguous(&sample, 5, 9, 28);
    put_contiguous(&sample, 10, 9, 28);
    put_struct(&sample, lengths, types);
    put_darray(&sample);
    put_contiguous(&sample, INT32_MAX, 30, 30);
    put_contiguous(&sample, INT32_MAX, 30, 30);
    stream = sample_close(&sample);
    assert_int_equal(dpt_datatype_size(stream, 28), 20);
    assert_int_equal(dpt_datatype_size(stream, 29), 4);
    assert_int_equal(dpt_datatype_size(stream, 16), 8);
    assert_int_equal(dpt_datatype_size(stream, 31), -1);
    assert_int_equal(dpt_datatype_size(stream, -1), -1);
    next_of(stream);
    next_of(stream);
    assert_int_equal(dpt_datatype_size(stream, 28), 40);
    next_of(stream);
    assert_int_equal(dpt_datatype_size(stream, 30), 128);
    next_of(stream);
    assert_int_equal(dpt_datatype_size(stream, 31), 4 * 3 * 8);
    next_of(stream);
    assert_int_equal(dpt_datatype_size(stream, 30), INT64_C(128) * INT32_MAX);
    /* More than 64 bits: unknown, so what the table says. */
    next_of(stream);
    assert_int_equal(dpt_datatype_size(stream, 30), 0);
    assert_int_equal(dpt_rewind(stream), 0);
    assert_int_equal(dpt_datatype_size(stream, 28), 20);
    dpt_close_rank(stream);
}

static void requests_are_queues(void **state)
{
    struct dpt_requests *requests = dpt_requests_new();
    uint64_t token;
    (void)state;

    assert_non_null(requests);
    assert_false(dpt_requests_complete(requests, 2, &token));
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(dpt_requests_start(requests, (int64_t)(i % 250), i), 0);
    assert_int_equal(dpt_requests_active(requests), 1000);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(dpt_requests_complete(requests, (int64_t)(i % 250), &token));
        assert_int_equal(token, i);
    }
    assert_false(dpt_requests_complete(requests, 3, &token));
    assert_int_equal(dpt_requests_active(requests), 0);
    dpt_requests_free(requests);
    dpt_requests_free(NULL);
}

static void put_send(struct sample *sample, int64_t dest)
{
    sample_begin(sample, DPT_MPI_Send);
    dpt_set_number(&sample->record, DPT_DEST, dest);
    sample_put(sample);
}

static void no_process_is_told_from_any(void **state)
{
    const struct dpt_receive_status none = {0, -1, -1, 0, 0}, some = {8, 3, 1, 0, 0};
    struct sample sample;
    struct dpt_stream *stream;
    (void)state;

    sample_open(&sample);
    put_send(&sample, 4);
    put_send(&sample, -1);
    stream = sample_close(&sample);
    next_of(stream);
    assert_int_equal(dpt_flavour(stream), DPT_FLAVOUR_UNKNOWN);
    next_of(stream);
    assert_int_equal(dpt_flavour(stream), DPT_FLAVOUR_MPICH);
    dpt_close_rank(stream);
    assert_int_equal(dpt_destination_peer(-2), DPT_PEER_NULL);
    assert_int_equal(dpt_destination_peer(0), DPT_PEER_RANK);
    assert_int_equal(dpt_source_peer(0, NULL, DPT_FLAVOUR_MPICH), DPT_PEER_RANK);
    assert_int_equal(dpt_source_peer(-2, NULL, DPT_FLAVOUR_UNKNOWN), DPT_PEER_NULL);
    assert_int_equal(dpt_source_peer(-1, &none, DPT_FLAVOUR_MPICH), DPT_PEER_NULL);
    assert_int_equal(dpt_source_peer(-1, &some, DPT_FLAVOUR_MPICH), DPT_PEER_ANY);
    assert_int_equal(dpt_source_peer(-1, NULL, DPT_FLAVOUR_OPEN_MPI), DPT_PEER_ANY);
    assert_int_equal(dpt_source_peer(-1, NULL, DPT_FLAVOUR_MPICH), DPT_PEER_UNKNOWN);
}

/* ---- Filters, loops, places ---- */

struct seen {
    struct dpt_stream *stream;
    int64_t records, stop_at, last;
};

static void see(void *user, const struct dpt_record *record)
{
    struct seen *seen = user;

    seen->last = record->index;
    if (++seen->records == seen->stop_at)
        dpt_breakloop(seen->stream);
}

static void loops_stop_where_they_are_told(void **state)
{
    struct seen seen = {dpt_open_file(every_path(0), NULL), 0, 10, -1};
    (void)state;

    assert_non_null(seen.stream);
    assert_int_equal(dpt_loop(seen.stream, 5, see, &seen), 0);
    assert_int_equal(seen.records, 5);
    assert_int_equal(dpt_loop(seen.stream, 0, see, &seen), -2);
    assert_int_equal(seen.records, 10);
    assert_int_equal(dpt_dispatch(seen.stream, 7, see, &seen), 7);
    assert_int_equal(seen.last, 16);
    assert_int_equal(dpt_dispatch(seen.stream, -1, see, &seen), 291 - 17);
    assert_int_equal(dpt_dispatch(seen.stream, 1, see, &seen), 0);
    assert_int_equal(dpt_loop(seen.stream, 1, see, &seen), 0);
    dpt_breakloop(seen.stream);
    assert_int_equal(dpt_dispatch(seen.stream, 1, see, &seen), -2);
    dpt_close_rank(seen.stream);
}

static void filters_give_what_was_asked(void **state)
{
    static const unsigned wanted[] = {DPT_MPI_Comm_spawn_multiple, DPT_MPI_Wait}, wrong[] = {290};
    struct dpt_stream *stream = dpt_open_file(every_path(0), NULL);
    const struct dpt_record *record;
    (void)state;

    assert_int_equal(dpt_filter(stream, wrong, 1), -1);
    assert_non_null(strstr(dpt_geterr(stream), "290"));
    assert_int_equal(dpt_filter(stream, wanted, 2), 0);
    record = next_of(stream);
    assert_int_equal(record->function, DPT_MPI_Wait);
    assert_int_equal(record->index, 13);
    record = next_of(stream);
    assert_int_equal(record->function, DPT_MPI_Comm_spawn_multiple);
    for (unsigned i = 0; i < record->layout->field_count; i++)
        check_value(record, i, 0);
    assert_int_equal(dpt_filter(stream, NULL, 0), 0);
    assert_int_equal(next_of(stream)->function, DPT_MPI_Comm_spawn_multiple + 1);
    assert_int_equal(dpt_stats(stream)->records, 3);
    assert_int_equal(dpt_stats(stream)->filtered, 134);
    assert_int_equal(dpt_stats(stream)->calls[DPT_MPI_Send], 1);
    /* A function's datatypes are followed although it is filtered out. */
    assert_int_equal(dpt_datatype_size(stream, 51), 45 * dpt_datatype_size(stream, 48) > 0 ? 0 : -1);
    dpt_close_rank(stream);
}

static void places_are_found_again(void **state)
{
    struct dpt_stream *stream = dpt_open_file(every_path(0), NULL);
    struct dpt_stream *other = dpt_open_file(every_path(0), NULL);
    struct dpt_position place, wrong;
    const struct dpt_record *record;
    (void)state;

    for (int i = 0; i < 100; i++)
        next_of(stream);
    place = dpt_tell(stream);
    while (dpt_next(stream, &record) == 1)
        ;
    assert_int_equal(dpt_seek(stream, &place), 0);
    assert_int_equal(next_of(stream)->function, 100);
    assert_int_equal(dpt_seek(other, &place), 0);
    record = next_of(other);
    assert_int_equal(record->function, 100);
    assert_int_equal(record->index, 100);
    check_front(record);
    wrong = place;
    wrong.offset = 1 << 20;
    assert_int_equal(dpt_seek(other, &wrong), -1);
    assert_int_equal(dpt_rewind(other), 0);
    assert_int_equal(next_of(other)->index, 0);
    dpt_close_rank(stream);
    dpt_close_rank(other);
}

/* ---- Names of files ---- */

static char directory[4096];

static void place_file(const char *name, const char *from)
{
    char path[8192];
    struct bytes bytes = read_file(from);

    snprintf(path, sizeof path, "%s/%s", directory, name);
    write_file(path, bytes.data, bytes.size);
    free(bytes.data);
}

static void place_text(const char *name, const char *text)
{
    char path[8192];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    write_file(path, text, strlen(text));
}

static struct dpt_trace *open_placed(const char *name, struct dpt_error *error)
{
    char path[8192];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return dpt_open(path, error);
}

static void clear_directory(void)
{
    char command[8192];

    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    assert_int_equal(system(command), 0);
}

static void make_directory(void)
{
    snprintf(directory, sizeof directory, "%s", temporary_path(1, ".d"));
    clear_directory();
    assert_int_equal(mkdir(directory, 0700), 0);
}

static void expect_ranks(const char *name, int32_t ranks, int32_t missing)
{
    struct dpt_error error = {.text = ""};
    struct dpt_trace *trace = open_placed(name, &error);
    struct dpt_stream *stream;

    if (trace == NULL)
        fail_msg("%s", error.text);
    assert_int_equal(dpt_rank_count(trace), ranks);
    assert_int_equal(dpt_missing_count(trace), missing);
    stream = dpt_open_rank(trace, 0, &error);
    if (stream == NULL)
        fail_msg("%s", error.text);
    dpt_close_rank(stream);
    assert_null(dpt_open_rank(trace, ranks, &error));
    assert_int_equal(error.status, DPT_ERROR_ARGUMENT);
    dpt_close(trace);
}

static void files_are_found(void **state)
{
    struct bytes bytes = read_file(every_path(0));
    char path[8192];
    (void)state;

    make_directory();
    place_file("run-0000.bin", every_path(0));
    place_file("run-0001.bin", every_path(0));
    place_file("run-0012.bin", every_path(0));
    place_text("run.meta",
               "hostname=a\r\nnumprocs=2\r\nwhatever\r\n=x\r\nfileprefix=elsewhere/run\r\nstartime=9");
    place_text("renamed.meta", "numprocs=3\nfileprefix=run\n");
    place_text("lost.meta", "numprocs=3\nfileprefix=nowhere\n");
    expect_ranks("run.meta", 2, 0);
    expect_ranks("run", 2, 0);
    expect_ranks("renamed.meta", 3, 1);
    expect_ranks("run-0012.bin", 1, 0);
    unlink("run.meta");
    /* Other ways to number, a metafile's own name, and compressed files. */
    place_file("wide-000000.bin", every_path(0));
    place_text("wide.meta", "numprocs=1\nfileprefix=gone\n");
    expect_ranks("wide.meta", 1, 0);
    expect_ranks("wide", 1, 0);
    snprintf(path, sizeof path, "%s/small-0.bin.gz", directory);
    write_compressed(path, bytes.data, bytes.size);
    expect_ranks("small", 1, 0);
    expect_ranks("small-0.bin.gz", 1, 0);
    free(bytes.data);
    clear_directory();
}

static void metadata_are_read(void **state)
{
    struct dpt_error error = {.text = ""};
    struct dpt_trace *trace;
    char path[8192];
    (void)state;

    make_directory();
    place_file("run-0000.bin", every_path(0));
    snprintf(path, sizeof path, "%s/run.meta", directory);
    assert_int_equal(dpt_write_metafile(path, "run", 1, "here", NULL, 77, NULL), 0);
    trace = open_placed("run.meta", &error);
    assert_non_null(trace);
    assert_string_equal(dpt_metadata(trace, "hostname"), "here");
    assert_string_equal(dpt_metadata(trace, "startime"), "77");
    assert_string_equal(dpt_metadata(trace, "version"), "13");
    assert_null(dpt_metadata(trace, "color"));
    assert_int_equal(dpt_first_rank(trace), 0);
    dpt_close(trace);
    place_file("one-0012.bin", every_path(0));
    trace = open_placed("one-0012.bin", &error);
    assert_int_equal(dpt_first_rank(trace), 12);
    dpt_close(trace);
    clear_directory();
}

static void wrong_names_are_said(void **state)
{
    struct dpt_error error;
    (void)state;

    make_directory();
    place_text("lost.meta", "numprocs=3\nfileprefix=nowhere\n");
    place_text("none.meta", "numprocs=0\n");
    place_text("many.meta", "numprocs=99999999999\n");
    place_text("text", "hello");
    assert_null(open_placed("lost.meta", &error));
    assert_non_null(strstr(error.text, "nowhere-0000.bin"));
    assert_null(open_placed("none.meta", &error));
    assert_null(open_placed("many.meta", &error));
    assert_null(open_placed("text", &error));
    assert_non_null(strstr(error.text, "numprocs"));
    assert_null(open_placed("absent", &error));
    assert_int_equal(error.status, DPT_ERROR_SYSTEM);
    assert_null(open_placed("", &error));
    assert_null(dpt_open("/dev/null", &error));
    clear_directory();
}

static void wrong_records_are_refused(void **state)
{
    static const struct dpt_string word = {1, "x"};
    struct sample sample;
    struct dpt_record record;
    (void)state;

    sample_open(&sample);
    assert_int_equal(dpt_record_init(&record, 290), -1);
    assert_int_equal(dpt_record_init(&record, DPT_MPI_Init), 0);
    assert_int_equal(dpt_set_number(&record, DPT_DEST, 1), -1);
    assert_int_equal(dpt_set_number(&record, DPT_ARGV, 1), -1);
    assert_int_equal(dpt_set_strings(&record, DPT_ARGV, &word, 1), 0);
    assert_int_equal(dpt_write(sample.writer, &record), -1);
    assert_true(dpt_writer_geterr(sample.writer)[0] != '\0');
    assert_int_equal(dpt_set_number(&record, DPT_ARGC, 1), 0);
    assert_int_equal(dpt_write(sample.writer, &record), 0);
    dpt_writer_discard(sample.writer);
    dpt_writer_discard(NULL);
    assert_int_equal(access(temporary_path(0, ".bin"), F_OK), -1);
    assert_null(dpt_writer_open("/nonexistent/x", NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_read),
        cmocka_unit_test(every_function_is_written_alike),
        cmocka_unit_test(roots_arguments_only_at_the_root),
        cmocka_unit_test(clocks_are_unwrapped),
        cmocka_unit_test(datatype_numbers_are_recycled),
        cmocka_unit_test(requests_are_queues),
        cmocka_unit_test(no_process_is_told_from_any),
        cmocka_unit_test(loops_stop_where_they_are_told),
        cmocka_unit_test(filters_give_what_was_asked),
        cmocka_unit_test(places_are_found_again),
        cmocka_unit_test(files_are_found),
        cmocka_unit_test(metadata_are_read),
        cmocka_unit_test(wrong_names_are_said),
        cmocka_unit_test(wrong_records_are_refused),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    unlink(temporary_path(0, ".bin"));
    return failed;
}
