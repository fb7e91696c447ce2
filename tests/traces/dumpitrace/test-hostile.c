/* What the DUMPI library does with files that are cut or damaged, and when memory is out: it says so, and it
 * neither crashes nor keeps anything. Worth most with --enable-asan --enable-ubsan. */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/brief.h"
#include "tests/fail-alloc.h"
#include "tests/traces/dumpitrace/dumpi-files.h"

#define EVERY "tests/data/dumpi/every-function/every-13.0.0.bin"
#define OLD "tests/data/dumpi/every-function/every-0.4.0.bin"
#define COVER "tests/data/dumpi/cover.W.4.persist/dumpi-2026.11.20.10.17.36-0001.bin"
#define SMALL "tests/data/dumpi/dt.S.5.WH/dumpi-2026.11.20.10.09.27-0001.bin"

static struct bytes read_source(const char *below)
{
    return read_file(source_path(below));
}

/* ---- Cut files ---- */

/* Where the records of a whole file end, and how many there are. */
static long measure(const char *below, int64_t *end)
{
    struct dpt_stream *stream = dpt_open_file(source_path(below), NULL);
    const struct dpt_record *record;
    long records = 0;

    assert_non_null(stream);
    while (dpt_next(stream, &record) == 1)
        records++;
    *end = dpt_tell(stream).offset;
    dpt_close_rank(stream);
    return records;
}

/* Cuts a copy from the end, step bytes at a time: never more records than before, an error while within the
 * records, all records when only what follows them is cut. */
static void cut_everywhere(const char *below, int64_t step)
{
    const char *copy = temporary_path(0, ".bin");
    struct bytes bytes = read_source(below);
    int64_t end;
    long all = measure(below, &end), last = all;
    enum dpt_status status;

    write_file(copy, bytes.data, bytes.size);
    for (int64_t size = (int64_t)bytes.size - 1; size >= 0; size -= step) {
        long records;

        assert_int_equal(truncate(copy, size), 0);
        records = drain(copy, &status);
        if (size >= end) {
            assert_int_equal(records, all);
            assert_int_equal(status, DPT_ERROR_NONE);
        } else {
            assert_true(records <= last);
            assert_true(records >= 0 || size < 16);
            assert_int_equal(status, size >= 8 || size == 0 ? DPT_ERROR_TRUNCATED : DPT_ERROR_FORMAT);
            last = records;
        }
    }
    free(bytes.data);
    unlink(copy);
}

static void every_prefix_is_read_or_refused(void **state)
{
    (void)state;
    int64_t part = brief_step("lengths", 4);
    cut_everywhere(SMALL, part);
    cut_everywhere(COVER, part);
    cut_everywhere(EVERY, 5 * part);
}

/* Compressed data that end early or are damaged in the middle are read as far as they go. */
static void cut_compressed_files_are_read_or_refused(void **state)
{
    const char *copy = temporary_path(0, ".bin.gz");
    struct bytes bytes = read_source(COVER);
    struct bytes compressed;
    enum dpt_status status;
    int64_t end;
    long all = measure(COVER, &end), most = 0;
    const size_t part = brief_step("lengths", 4);
    (void)state;

    write_compressed(copy, bytes.data, bytes.size);
    compressed = read_file(copy);
    /* Up to all but one byte. */
    for (size_t size = (compressed.size - 1) % part; size < compressed.size; size += part) {
        long records;

        write_file(copy, compressed.data, size);
        records = drain(copy, &status);
        assert_true(records <= all);
        most = records > most ? records : most;
        assert_true(status != DPT_ERROR_NONE || records == all);
    }
    assert_int_equal(most, all);
    for (size_t at = 10; at < compressed.size; at += 7 * part) {
        compressed.data[at] ^= 0x55;
        write_file(copy, compressed.data, compressed.size);
        drain(copy, &status);
        compressed.data[at] ^= 0x55;
    }
    free(bytes.data);
    free(compressed.data);
    unlink(copy);
}

/* ---- Damaged files ---- */

/* xorshift: the same on every machine. */
static uint64_t random_below(uint64_t *seed, uint64_t bound)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed % bound;
}

static void mutate(struct bytes *bytes, uint64_t *seed)
{
    static const unsigned char extremes[][4] = {
        {0x7f, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0xff}, {0x80, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}};
    uint64_t changes = 1 + random_below(seed, 8);

    for (uint64_t i = 0; i < changes; i++) {
        size_t at = (size_t)random_below(seed, bytes->size - 4);

        switch (random_below(seed, 4)) {
        case 0:
            bytes->data[at] ^= (unsigned char)(1 << random_below(seed, 8));
            break;
        case 1:
            bytes->data[at] = (unsigned char)random_below(seed, 256);
            break;
        case 2:
            memcpy(bytes->data + at, extremes[random_below(seed, 5)], 4);
            break;
        default: /* the index and the sections before it */
            at = bytes->size - 1 - (size_t)random_below(seed, 64);
            bytes->data[at] = (unsigned char)random_below(seed, 256);
        }
    }
    if (random_below(seed, 8) == 0)
        bytes->size = 5 + (size_t)random_below(seed, bytes->size - 5);
}

static void mutations_are_read_or_refused(void **state)
{
    static const char *const sources[] = {EVERY, COVER, OLD, SMALL};
    const char *copy = temporary_path(0, ".bin");
    uint64_t seed = 20260101, mutations = brief_count("mutations", 1000, 4), whole = 0;
    (void)state;

    for (uint64_t i = 0; i < mutations; i++) {
        struct bytes bytes = read_source(sources[i % 4]);
        enum dpt_status status;

        mutate(&bytes, &seed);
        write_file(copy, bytes.data, bytes.size);
        drain(copy, &status);
        assert_true(status != DPT_ERROR_SYSTEM && status != DPT_ERROR_MEMORY && status != DPT_ERROR_ARGUMENT);
        whole += status == DPT_ERROR_NONE;
        free(bytes.data);
    }
    /* Both must happen, or the mutations are of no use. */
    assert_in_range(whole, mutations / 10, mutations - mutations / 10);
    unlink(copy);
}

static void metafile_mutations_are_read_or_refused(void **state)
{
    const char *copy = temporary_path(0, ".meta");
    const char text[] =
        "hostname=vm\nnumprocs=4\nusername=<none>\nstartime=1795169856\nfileprefix=dumpi\nversion=13\n";
    uint64_t seed = 7;
    (void)state;

    for (int i = 0; i < 500; i++) {
        struct bytes bytes = {malloc(sizeof text), sizeof text - 1};
        struct dpt_error error = {.text = ""};
        struct dpt_trace *trace;

        memcpy(bytes.data, text, sizeof text);
        mutate(&bytes, &seed);
        write_file(copy, bytes.data, bytes.size);
        trace = dpt_open(copy, &error);
        assert_true(trace != NULL || error.text[0] != '\0');
        dpt_close(trace);
        free(bytes.data);
    }
    unlink(copy);
}

static uint64_t offset_at(const struct bytes *bytes, int section)
{
    uint64_t offset = 0;

    for (int i = 0; i < 8; i++)
        offset = offset << 8 | bytes->data[bytes->size - 56 + (size_t)section * 8 + (size_t)i];
    return offset;
}

/* A section whose place is outside of the file, or whose contents make no sense, costs only itself. */
static void damaged_sections_are_left_out(void **state)
{
    const char *copy = temporary_path(0, ".bin");
    int64_t end;
    long all = measure(COVER, &end);
    (void)state;

    for (int section = 0; section < 6; section++)
        for (int damage = 0; damage < 2; damage++) {
            struct bytes bytes = read_source(COVER);
            struct dpt_stream *stream;
            enum dpt_status status;

            if (section == 4)
                damage = 1; /* the place of the records: read from byte 8 without it */
            if (damage == 0)
                memset(bytes.data + offset_at(&bytes, section), 0xff, section == 3 ? 13 : 4);
            else
                bytes.data[bytes.size - 56 + (size_t)section * 8] = 0x7f;
            write_file(copy, bytes.data, bytes.size);
            stream = dpt_open_file(copy, NULL);
            assert_non_null(stream);
            assert_int_equal(dpt_info(stream)->warning_count, 1);
            assert_true(dpt_info(stream)->warning[0] != '\0');
            dpt_close_rank(stream);
            assert_int_equal(drain(copy, &status), all);
            assert_int_equal(status, DPT_ERROR_NONE);
            free(bytes.data);
        }
    unlink(copy);
}

static void errors_have_places(void **state)
{
    const char *copy = temporary_path(0, ".bin");
    struct bytes bytes = read_source(COVER);
    struct dpt_stream *stream = dpt_open_file(source_path(COVER), NULL);
    const struct dpt_record *record;
    const struct dpt_error *error;
    char expected[5000];
    (void)state;

    assert_int_equal(dpt_next(stream, &record), 1);
    assert_int_equal(dpt_next(stream, &record), 1);
    bytes.data[record->offset] = 0x40; /* function 16384 + x */
    snprintf(expected, sizeof expected, "%s: byte %" PRId64 ", record 1: no function", copy, record->offset);
    dpt_close_rank(stream);
    write_file(copy, bytes.data, bytes.size);
    stream = dpt_open_file(copy, NULL);
    assert_int_equal(dpt_next(stream, &record), 1);
    assert_int_equal(dpt_next(stream, &record), -1);
    error = dpt_stream_error(stream);
    assert_int_equal(error->record, 1);
    assert_int_equal(error->status, DPT_ERROR_FORMAT);
    assert_memory_equal(dpt_geterr(stream), expected, strlen(expected));
    assert_int_equal(dpt_loop(stream, 0, NULL, NULL), -1);
    dpt_close_rank(stream);
    free(bytes.data);
    unlink(copy);
}

/* ---- Memory ---- */

/* Opens a trace, reads a rank, copies it; -1 when memory was out somewhere. */
static int attempt_all(void *state)
{
    const char *compressed = state;
    struct dpt_trace *trace =
        dpt_open(source_path("tests/data/dumpi/cover.S.4/dumpi-2026.11.20.10.17.36.meta"), NULL);
    struct dpt_stream *stream = trace == NULL ? NULL : dpt_open_rank(trace, 2, NULL), *every = NULL;
    int result = stream == NULL ? -1 : 0;

    if (stream != NULL && copy_stream(stream, temporary_path(1, ".bin"))[0] != '\0')
        result = -1;
    dpt_close_rank(stream);
    dpt_close(trace);
    if (result == 0 && (every = dpt_open_file(compressed, NULL)) == NULL)
        result = -1;
    if (every != NULL) {
        const struct dpt_record *record;
        int more;

        while ((more = dpt_next(every, &record)) == 1)
            ;
        result = more;
    }
    dpt_close_rank(every);
    unlink(temporary_path(1, ".bin"));
    return result;
}

static int attempt_requests(void *state)
{
    struct dpt_requests *requests = dpt_requests_new();
    int result = requests == NULL ? -1 : 0;
    (void)state;

    for (int i = 0; i < 200 && result == 0; i++)
        result = dpt_requests_start(requests, i, 1);
    dpt_requests_free(requests);
    return result;
}

static void allocations_may_fail(void **state)
{
    const char *compressed = temporary_path(0, ".bin.gz");
    struct bytes bytes = read_source(EVERY);
    (void)state;

    write_compressed(compressed, bytes.data, bytes.size);
    free(bytes.data);
    assert_true(fail_alloc_each(attempt_all, (void *)compressed) > 20);
    assert_true(fail_alloc_each(attempt_requests, NULL) > 4);
    unlink(compressed);
}

#define MANY 200000

static void write_many(const char *path, int records)
{
    static const int32_t requests[64] = {2, 3};
    struct dpt_file_info info = {0};
    struct dpt_writer *writer = dpt_writer_open(path, &info, NULL);
    struct dpt_record record;

    assert_non_null(writer);
    for (int i = 0; i < records; i++) {
        assert_int_equal(dpt_record_init(&record, DPT_MPI_Waitall), 0);
        dpt_set_numbers(&record, DPT_REQUESTS, requests, (uint32_t)(i % 65));
        assert_int_equal(dpt_write(writer, &record), 0);
    }
    assert_int_equal(dpt_writer_close(writer, &info, NULL), 0);
}

/* Reads to the end; what is allocated at the end is what was after 1000 records. */
static void expect_constant_memory(const char *path)
{
    struct dpt_stream *stream = dpt_open_file(path, NULL);
    const struct dpt_record *record;
    size_t pieces = 0, bytes = 0;
    long records = 0;

    assert_non_null(stream);
    while (dpt_next(stream, &record) == 1) {
        if (++records == 1000) {
            pieces = fail_alloc_outstanding();
            bytes = mallinfo2().uordblks;
        }
        if (records > 1000) {
            assert_int_equal(fail_alloc_outstanding(), pieces);
        }
    }
    assert_int_equal(records, MANY);
    assert_int_equal(dpt_stream_error(stream)->status, DPT_ERROR_NONE);
    assert_int_equal(mallinfo2().uordblks, bytes);
    dpt_close_rank(stream);
}

static void memory_does_not_grow(void **state)
{
    const char *path = temporary_path(0, ".bin"), *compressed = temporary_path(1, ".bin.gz");
    struct bytes bytes;
    (void)state;

    write_many(path, MANY);
    bytes = read_file(path);
    assert_true(bytes.size > 30000000);
    write_compressed(compressed, bytes.data, bytes.size);
    free(bytes.data);
    expect_constant_memory(path);
    expect_constant_memory(compressed);
    unlink(path);
    unlink(compressed);
}

/* A record larger than the window. */
static void large_records_are_read(void **state)
{
    const char *path = temporary_path(0, ".bin");
    const uint32_t count = 100000;
    struct dpt_receive_status *statuses = calloc(count, sizeof *statuses);
    int32_t *requests = calloc(count, sizeof *requests);
    struct dpt_file_info info = {0};
    struct dpt_writer *writer = dpt_writer_open(path, &info, NULL);
    struct dpt_record record;
    struct dpt_stream *stream;
    const struct dpt_record *read;
    (void)state;

    requests[count - 1] = 77;
    statuses[count - 1].tag = 78;
    assert_int_equal(dpt_record_init(&record, DPT_MPI_Waitall), 0);
    dpt_set_numbers(&record, DPT_REQUESTS, requests, count);
    dpt_set_statuses(&record, DPT_STATUSES, statuses, count);
    assert_int_equal(dpt_write(writer, &record), 0);
    assert_int_equal(dpt_writer_close(writer, &info, NULL), 0);
    stream = dpt_open_file(path, NULL);
    assert_int_equal(dpt_next(stream, &read), 1);
    assert_int_equal(dpt_value(read, DPT_REQUESTS)->number, count);
    assert_int_equal(dpt_value(read, DPT_REQUESTS)->numbers[count - 1], 77);
    assert_int_equal(dpt_value(read, DPT_STATUSES)->statuses[count - 1].tag, 78);
    assert_int_equal(dpt_next(stream, &read), 0);
    dpt_close_rank(stream);
    free(statuses);
    free(requests);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_is_read_or_refused),
        cmocka_unit_test(cut_compressed_files_are_read_or_refused),
        cmocka_unit_test(mutations_are_read_or_refused),
        cmocka_unit_test(metafile_mutations_are_read_or_refused),
        cmocka_unit_test(damaged_sections_are_left_out),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(large_records_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
