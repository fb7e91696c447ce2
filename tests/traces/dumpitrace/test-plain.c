/* Records that are read in one piece (traces/dumpitrace/plain.c) against the same files read field by field: recorded
 * traces, records of all kinds with all that a mask may announce, lists of every length, versions before today's, and
 * damaged files. Every record, what is counted of all, and the sentence at the end are the same. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "traces/dumpitrace/stream.h"

#define TEXT_BYTES (1 << 20)
#define LISTS_MAX 8 /* of a record */

/* The same file twice. */
struct pair {
    struct dpt_stream *plain, *general;
    const char *path;
    uint64_t records; /* compared */
};

static bool open_pair(struct pair *pair, const char *path)
{
    *pair =
        (struct pair){.plain = dpt_open_file(path, NULL), .general = dpt_open_file(path, NULL), .path = path};
    assert_int_equal(pair->plain == NULL, pair->general == NULL);
    if (pair->plain == NULL)
        return false;
    pair->general->general = true;
    dpt_rewind(pair->general);
    return true;
}

static void close_pair(struct pair *pair)
{
    dpt_close_rank(pair->plain);
    dpt_close_rank(pair->general);
}

/* The arguments as text, which looks at all of their lists; and what text leaves out. */
static void compare_values(const struct pair *pair, const struct dpt_record *a, const struct dpt_record *b)
{
    static char texts[2][TEXT_BYTES];

    dpt_format(texts[0], TEXT_BYTES, a);
    dpt_format(texts[1], TEXT_BYTES, b);
    if (strcmp(texts[0], texts[1]) != 0)
        fail_msg("%s, record %lld: %.400s, and not %.400s", pair->path, (long long)b->index, texts[0],
                 texts[1]);
    for (unsigned i = 0; i < a->layout->field_count; i++) {
        assert_int_equal(a->values[i].present, b->values[i].present);
        assert_int_equal(a->values[i].number, b->values[i].number);
        assert_int_equal(a->values[i].numbers == NULL, b->values[i].numbers == NULL);
    }
}

static void compare_intervals(const struct dpt_interval *a, const struct dpt_interval *b)
{
    assert_int_equal(a->start_ns, b->start_ns);
    assert_int_equal(a->stop_ns, b->stop_ns);
    assert_int_equal(a->start_carry, b->start_carry);
    assert_int_equal(a->stop_carry, b->stop_carry);
}

static void compare_records(const struct pair *pair, const struct dpt_record *a, const struct dpt_record *b)
{
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->offset, b->offset);
    assert_int_equal(a->function, b->function);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->mask, b->mask);
    assert_int_equal(a->counter_count, b->counter_count);
    assert_ptr_equal(a->layout, b->layout);
    compare_intervals(&a->cpu, &b->cpu);
    compare_intervals(&a->wall, &b->wall);
    compare_values(pair, a, b);
}

/* What is known behind the records that were compared. */
static void compare_streams(const struct pair *pair)
{
    const struct dpt_position a = dpt_tell(pair->plain), b = dpt_tell(pair->general);

    assert_memory_equal(dpt_stats(pair->plain), dpt_stats(pair->general), sizeof(struct dpt_statistics));
    assert_string_equal(dpt_geterr(pair->plain), dpt_geterr(pair->general));
    assert_int_equal(dpt_stream_error(pair->plain)->status, dpt_stream_error(pair->general)->status);
    assert_int_equal(dpt_stream_error(pair->plain)->offset, dpt_stream_error(pair->general)->offset);
    assert_int_equal(dpt_stream_error(pair->plain)->record, dpt_stream_error(pair->general)->record);
    assert_memory_equal(&a, &b, sizeof a);
    for (int64_t datatype = 0; datatype < 64; datatype++)
        assert_int_equal(dpt_datatype_size(pair->plain, datatype),
                         dpt_datatype_size(pair->general, datatype));
}

/* From where both stand to the end, or so many records; how the last call ended. */
static int compare_some(struct pair *pair, uint64_t most)
{
    const struct dpt_record *a, *b;
    int more = 1;

    for (uint64_t i = 0; i < most && more == 1; i++) {
        more = dpt_next(pair->plain, &a);
        assert_int_equal(dpt_next(pair->general, &b), more);
        if (more == 1)
            compare_records(pair, a, b);
        pair->records += more == 1;
    }
    compare_streams(pair);
    return more;
}

/* From the first record, with a filter, and from places in the middle. */
static uint64_t compare_file(const char *path, struct base_random *random)
{
    static const unsigned some[] = {DPT_MPI_Isend, DPT_MPI_Waitall, DPT_MPI_Comm_dup, DPT_MPI_Finalize};
    struct pair pair;
    uint64_t records;

    if (!open_pair(&pair, path))
        return 0;
    compare_some(&pair, UINT64_MAX);
    records = pair.records;
    for (int i = 0; i < 3 && records > 0; i++) {
        uint64_t here = base_random_below(random, records);
        struct dpt_position position;

        dpt_rewind(pair.plain);
        dpt_rewind(pair.general);
        assert_int_equal(compare_some(&pair, here + 1), 1);
        position = dpt_tell(pair.plain);
        compare_some(&pair, 5);
        assert_int_equal(dpt_seek(pair.plain, &position), 0);
        assert_int_equal(dpt_seek(pair.general, &position), 0);
        compare_some(&pair, 20);
    }
    dpt_rewind(pair.plain);
    dpt_rewind(pair.general);
    assert_int_equal(dpt_filter(pair.plain, some, 4), 0);
    assert_int_equal(dpt_filter(pair.general, some, 4), 0);
    compare_some(&pair, UINT64_MAX);
    close_pair(&pair);
    return records;
}

/* All files of a directory. */
static uint64_t compare_directory(const char *directory, struct base_random *random)
{
    DIR *listing = opendir(directory);
    const struct dirent *entry;
    uint64_t records = 0;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        char path[2048];
        if (strstr(entry->d_name, ".bin") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        records += compare_file(path, random);
    }
    if (listing != NULL)
        closedir(listing);
    return records;
}

static void recorded_traces(void **state)
{
    static const char *const traces[] = {"every-function", "cover.S.4", "cover.W.4.persist",
                                         "dt.S.5.WH",      "ft.S.4",    "is.S.4",
                                         "lu.S.4",         "mg.S.4",    "sp.S.4",
                                         "cg.S.4"};
    struct base_random random;
    uint64_t records = 0;
    (void)state;

    base_random_seed(&random, 1, 0);
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        char directory[1024];
        snprintf(directory, sizeof directory, "%s/%s", traces_directory(), traces[i]);
        records += compare_directory(directory, &random);
    }
    records += compare_directory(source_path("tests/data/dumpi/every-function"), &random);
    print_message("%llu records\n", (unsigned long long)records);
    assert_true(records > 1000);
}

/* ---- Records that are made ---- */

/* Any number that a field has room for; often one of the few that mean something. */
static int64_t any_number(struct base_random *random, unsigned type)
{
    static const int8_t special[] = {-2, -1, 0, 1, 2, 3, 28, 127};
    uint64_t bits = base_random_next(random);

    if (base_random_below(random, 2) == 0)
        return type == DPT_TYPE_OP || type == DPT_TYPE_ENUM ? 5 : special[bits % 8];
    switch ((enum dpt_type)type) {
    case DPT_TYPE_COMM:
    case DPT_TYPE_DATATYPE:
        return (int16_t)bits;
    case DPT_TYPE_OP:
        return (uint8_t)bits;
    default:
        return (int32_t)bits;
    }
}

#define EXACTLY 0x80000000U /* with a length: no other */

/* Short ones above all. */
static uint32_t any_length(struct base_random *random, uint32_t most)
{
    if ((most & EXACTLY) != 0)
        return most & ~EXACTLY;
    return (uint32_t)base_random_below(random, base_random_below(random, 8) == 0 ? most : 4);
}

/* Lengths up to `most`, with which a record may be longer than what is left of a window. */
static void set_values(struct dpt_record *record, struct base_random *random, uint32_t most)
{
    static int32_t numbers[LISTS_MAX][4000];
    static struct dpt_receive_status statuses[4000];
    unsigned list = 0;

    for (unsigned i = 0; i < record->layout->field_count; i++) {
        const struct dpt_field *field = &record->layout->fields[i];
        uint32_t count = any_length(random, most);

        if (field->type == DPT_TYPE_STATUS) {
            for (uint32_t k = 0; k < count; k++)
                statuses[k] = (struct dpt_receive_status){.bytes = (int32_t)base_random_next(random),
                                                          .source = (int32_t)base_random_next(random),
                                                          .tag = (int32_t)base_random_next(random),
                                                          .cancelled = (int8_t)base_random_next(random),
                                                          .error = (int8_t)base_random_next(random)};
            assert_int_equal(dpt_set_statuses(record, field->name, statuses, count), 0);
        } else if (field->type == DPT_TYPE_REQUESTS || field->type == DPT_TYPE_NUMBERS) {
            assert_true(list < LISTS_MAX);
            for (uint32_t k = 0; k < count; k++)
                numbers[list][k] = (int32_t)base_random_next(random);
            assert_int_equal(dpt_set_numbers(record, field->name, numbers[list++], count), 0);
        } else {
            assert_int_equal(dpt_set_number(record, field->name, any_number(random, field->type)), 0);
        }
    }
}

/* Small steps, steps back, gaps of seconds, and ends in another second. */
static int64_t advance(int64_t *now, struct base_random *random)
{
    switch (base_random_below(random, 20)) {
    case 0:
        *now += (int64_t)base_random_below(random, 3000000000U);
        break;
    case 1:
        *now -= (int64_t)base_random_below(random, 1000);
        break;
    default:
        *now += (int64_t)base_random_below(random, 100000);
    }
    return *now;
}

static void write_record(struct dpt_writer *writer, struct base_random *random, unsigned function,
                         uint32_t most, int64_t now[2])
{
    static const uint8_t masks[] = {0x4f, 0x4f, 0x4f, 0x4d, 0x4c, 0x0f, 0x4b,
                                    0x47, 0x43, 0x03, 0x00, 0xcf, 0x4e};
    static const struct dpt_counter counters[3] = {{1, -2}, {INT64_MAX, INT64_MIN}, {5, 6}};
    struct dpt_record record;
    bool usual = base_random_below(random, 3) > 0;

    assert_int_equal(dpt_record_init(&record, function), 0);
    record.mask = masks[usual ? 0 : base_random_below(random, sizeof masks)];
    record.thread = (uint16_t)base_random_below(random, usual ? 2 : 65536);
    record.cpu.start_ns = advance(&now[0], random);
    record.cpu.stop_ns = advance(&now[0], random);
    record.wall.start_ns = advance(&now[1], random);
    record.wall.stop_ns = advance(&now[1], random);
    if (record.mask & DPT_MASK_COUNTERS) {
        record.counters = counters;
        record.counter_count = (uint8_t)base_random_below(random, 4);
    }
    set_values(&record, random, most);
    if (dpt_write(writer, &record) != 0)
        fail_msg("%s", dpt_writer_geterr(writer));
}

/* All functions whose arguments are numbers, statuses and lists of numbers: those of plain.c are among them. */
static bool is_numeric(unsigned function)
{
    const struct dpt_layout *layout = dpt_layout(function);

    for (unsigned i = 0; layout != NULL && i < layout->field_count; i++) {
        unsigned type = layout->fields[i].type;
        if (layout->fields[i].at_root ||
            (type != DPT_TYPE_STATUS && type != DPT_TYPE_REQUESTS && type != DPT_TYPE_NUMBERS &&
             (type > DPT_TYPE_ENUM || type == DPT_TYPE_I64)))
            return false;
    }
    return layout != NULL && function < DPT_MPI_Finalize;
}

enum kinds { ALL_KINDS, LISTS_OF_REQUESTS };

static void write_file_of(const char *path, uint64_t seed, const uint8_t version[3], enum kinds kinds,
                          unsigned records, uint32_t most)
{
    struct dpt_file_info info = {.has_index = true, .cpu_base_seconds = 7, .wall_base_seconds = 1000000};
    struct base_random random;
    struct dpt_writer *writer;
    struct dpt_error error = {.text = ""};
    int64_t now[2] = {INT64_C(8000000000), INT64_C(1000100000000000)};

    memcpy(info.version, version, sizeof info.version);
    base_random_seed(&random, seed, 0);
    writer = dpt_writer_open(path, &info, &error);
    if (writer == NULL)
        fail_msg("%s", error.text);
    for (unsigned i = 0; i < records;) {
        unsigned function = kinds == LISTS_OF_REQUESTS
                                ? DPT_MPI_Waitany + (unsigned)base_random_below(&random, 6)
                                : (unsigned)base_random_below(&random, DPT_MPI_Finalize);
        if (!is_numeric(function))
            continue;
        write_record(writer, &random, function, most, now);
        i++;
    }
    write_record(writer, &random, DPT_MPI_Finalize, most, now);
    if (base_random_below(&random, 2) == 0)
        write_record(writer, &random, DPT_MPI_Barrier, most, now);
    if (dpt_writer_close(writer, &info, &error) != 0)
        fail_msg("%s", error.text);
}

/* Several windows each; also of a version whose statuses have no tag, and compressed. */
static void records_of_all_kinds(void **state)
{
    static const uint8_t versions[][3] = {{13, 0, 0}, {1, 0, 0}, {0, 6, 3}, {0, 6, 2}, {0, 4, 0}};
    const char *path = temporary_path(0, ".bin");
    struct base_random random;
    uint64_t records = 0;
    unsigned files = (unsigned)brief_count("files", 40, 8);
    (void)state;

    base_random_seed(&random, 3, 0);
    for (unsigned i = 0; i < files; i++) {
        write_file_of(path, i, versions[i % 5], ALL_KINDS, 3000, i % 3 == 0 ? 4000 : 60);
        records += compare_file(path, &random);
        if (i % 8 == 0) {
            struct bytes bytes = read_file(path);
            write_compressed(path, bytes.data, bytes.size);
            records += compare_file(path, &random);
            free(bytes.data);
        }
    }
    unlink(path);
    assert_true(records > (uint64_t)files * 3000);
}

/* ---- Damage ---- */

/* One byte is another, some are gone or more, or the file ends there. */
static void damage(const struct bytes *bytes, const char *path, struct base_random *random)
{
    size_t at = (size_t)base_random_below(random, bytes->size), size = bytes->size;
    uint8_t *copy = malloc(bytes->size + 64);

    assert_non_null(copy);
    memcpy(copy, bytes->data, size);
    switch (base_random_below(random, 5)) {
    case 0:
        size = at;
        break;
    case 1:
        memmove(copy + at, copy + at + (size - at > 3 ? 3 : 0), size - at - (size - at > 3 ? 3 : 0));
        break;
    case 2:
        for (unsigned i = 0; i < 4 && at + i < size; i++)
            copy[at + i] = 0xff;
        break;
    case 3:
        copy[at] = (uint8_t)(copy[at] ^ 1U << base_random_below(random, 8));
        break;
    default:
        copy[at] = (uint8_t)base_random_next(random);
    }
    write_file(path, copy, size);
    free(copy);
}

static void damaged_files(void **state)
{
    static const uint8_t version[3] = {13, 0, 0};
    const char *path = temporary_path(0, ".bin"), *source = temporary_path(1, ".bin");
    unsigned cases = (unsigned)brief_count("damaged files", 6000, 12), ended = 0;
    struct base_random random;
    struct bytes bytes[2];
    (void)state;

    write_file_of(source, 99, version, ALL_KINDS, 120, 20);
    bytes[0] = read_file(source);
    write_file_of(source, 98, version, ALL_KINDS, 40, 4);
    bytes[1] = read_file(source);
    base_random_seed(&random, 5, 0);
    for (unsigned i = 0; i < cases; i++) {
        struct pair pair;

        damage(&bytes[i % 2], path, &random);
        if (!open_pair(&pair, path))
            continue;
        ended += compare_some(&pair, UINT64_MAX) == 0;
        close_pair(&pair);
    }
    print_message("%u of %u have an end\n", ended, cases);
    assert_true(ended > cases / 20 && ended < cases);
    free(bytes[0].data);
    free(bytes[1].data);
    unlink(path);
    unlink(source);
}

/* Cut anywhere, in lists and right behind them. */
static void every_length(void **state)
{
    static const uint8_t version[3] = {13, 0, 0};
    const char *path = temporary_path(0, ".bin"), *source = temporary_path(1, ".bin");
    uint32_t part = brief_step("lengths", 12);
    struct bytes bytes;
    (void)state;

    write_file_of(source, 97, version, LISTS_OF_REQUESTS, 40, 100);
    bytes = read_file(source);
    for (size_t size = 0; size < bytes.size; size += part) {
        struct pair pair;

        write_file(path, bytes.data, size);
        if (!open_pair(&pair, path))
            continue;
        compare_some(&pair, UINT64_MAX);
        close_pair(&pair);
    }
    free(bytes.data);
    unlink(path);
    unlink(source);
}

/* A list that ends near the end of the first window, byte by byte, and has more behind it. */
static void write_list_file(const char *path, uint32_t barriers, uint32_t count)
{
    enum { LONG_LISTS = 4, LONG = 4000 };
    const struct dpt_file_info info = {.version = {13, 0, 0}, .has_index = true};
    struct base_random random;
    struct dpt_error error = {.text = ""};
    struct dpt_writer *writer = dpt_writer_open(path, &info, &error);
    int64_t now[2] = {1000000, 2000000};

    if (writer == NULL)
        fail_msg("%s", error.text);
    base_random_seed(&random, count, barriers);
    for (unsigned i = 0; i < LONG_LISTS; i++)
        write_record(writer, &random, DPT_MPI_Startall, EXACTLY | LONG, now);
    for (unsigned i = 0; i < barriers; i++)
        write_record(writer, &random, DPT_MPI_Barrier, EXACTLY, now);
    write_record(writer, &random, DPT_MPI_Startall, EXACTLY | count, now);
    for (unsigned i = 0; i < 4; i++)
        write_record(writer, &random, i % 2 == 0 ? DPT_MPI_Waitall : DPT_MPI_Waitsome, EXACTLY | 30, now);
    write_record(writer, &random, DPT_MPI_Finalize, EXACTLY, now);
    if (dpt_writer_close(writer, &info, &error) != 0)
        fail_msg("%s", error.text);
}

static void lists_end_where_the_window_does(void **state)
{
    const char *path = temporary_path(0, ".bin");
    uint32_t part = brief_step("lengths of lists", 11);
    (void)state;

    for (uint32_t barriers = 0; barriers < 4; barriers++)
        for (uint32_t count = 150; count < 360; count += part) {
            struct pair pair;

            write_list_file(path, barriers, count);
            assert_true(open_pair(&pair, path));
            compare_some(&pair, UINT64_MAX);
            assert_int_equal(pair.records, 10 + barriers);
            close_pair(&pair);
        }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_traces),
        cmocka_unit_test(records_of_all_kinds),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(every_length),
        cmocka_unit_test(lists_end_where_the_window_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
