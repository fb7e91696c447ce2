/* Every recorded DUMPI trace: read to the end, against the numbers that another program counted from another
 * reader's text (GROUNDTRUTH.json); written again byte for byte; read from compressed copies. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/traces/dumpitrace/dumpi-files.h"

/* ---- Counting ---- */

struct collective {
    int64_t calls, bytes_sent, bytes_received;
};

struct persistent {
    bool is_send;
    int64_t bytes, peer;
};

#define REQUESTS 4096

struct counts {
    struct dpt_stream *stream;
    int64_t calls[DPT_FUNCTION_COUNT];
    struct collective collectives[DPT_FUNCTION_COUNT];
    int64_t sends, bytes, receives, empty_sends, null_sends, any_receives, started_sends, started_receives;
    int64_t first_ns, last_ns;
    struct persistent persistent[REQUESTS]; /* by the rank's request number, which is recycled */
};

static int64_t bytes_of(struct counts *counts, const struct dpt_record *record, enum dpt_name count,
                        enum dpt_name datatype)
{
    int64_t size = dpt_datatype_size(counts->stream, dpt_number(record, datatype, -1));

    if (dpt_value(record, count) == NULL)
        return 0;
    if (size < 0)
        fail_msg("record %" PRId64 ": unknown datatype", record->index);
    return dpt_number(record, count, 0) * size;
}

/* A list of counts of one datatype. */
static int64_t bytes_of_list(struct counts *counts, const struct dpt_record *record, enum dpt_name list,
                             enum dpt_name datatype)
{
    const struct dpt_value *value = dpt_value(record, list);
    int64_t sum = 0, size = dpt_datatype_size(counts->stream, dpt_number(record, datatype, -1));

    for (int64_t i = 0; value != NULL && i < value->number; i++)
        sum += value->numbers[i];
    return sum == 0 ? 0 : sum * size;
}

static void count_send(struct counts *counts, int64_t dest, int64_t bytes)
{
    if (dpt_destination_peer(dest) == DPT_PEER_NULL) {
        counts->null_sends++;
        return;
    }
    counts->sends++;
    counts->bytes += bytes;
    counts->empty_sends += bytes == 0;
}

static void count_receive(struct counts *counts, int64_t source)
{
    counts->receives++;
    counts->any_receives += source == -1;
}

static void remember(struct counts *counts, const struct dpt_record *record, bool is_send)
{
    int64_t request = dpt_number(record, DPT_REQUEST, 0);

    assert_in_range(request, 2, REQUESTS - 1);
    counts->persistent[request] =
        (struct persistent){is_send, bytes_of(counts, record, DPT_COUNT, DPT_DATATYPE),
                            dpt_number(record, is_send ? DPT_DEST : DPT_SOURCE, -3)};
}

static void start(struct counts *counts, int64_t request)
{
    const struct persistent *operation = &counts->persistent[request];

    if (operation->is_send) {
        counts->started_sends++;
        count_send(counts, operation->peer, operation->bytes);
    } else {
        counts->started_receives++;
        count_receive(counts, operation->peer);
    }
}

static void count_point_to_point(struct counts *counts, const struct dpt_record *record)
{
    const struct dpt_value *requests = dpt_value(record, DPT_REQUESTS);

    switch (record->function) {
    case DPT_MPI_Send:
    case DPT_MPI_Bsend:
    case DPT_MPI_Ssend:
    case DPT_MPI_Rsend:
    case DPT_MPI_Isend:
    case DPT_MPI_Ibsend:
    case DPT_MPI_Issend:
    case DPT_MPI_Irsend:
        count_send(counts, dpt_number(record, DPT_DEST, -3),
                   bytes_of(counts, record, DPT_COUNT, DPT_DATATYPE));
        break;
    case DPT_MPI_Recv:
    case DPT_MPI_Irecv:
        count_receive(counts, dpt_number(record, DPT_SOURCE, -3));
        break;
    case DPT_MPI_Sendrecv:
        count_send(counts, dpt_number(record, DPT_DEST, -3),
                   bytes_of(counts, record, DPT_SENDCOUNT, DPT_SENDTYPE));
        count_receive(counts, dpt_number(record, DPT_SOURCE, -3));
        break;
    case DPT_MPI_Sendrecv_replace:
        count_send(counts, dpt_number(record, DPT_DEST, -3),
                   bytes_of(counts, record, DPT_COUNT, DPT_DATATYPE));
        count_receive(counts, dpt_number(record, DPT_SOURCE, -3));
        break;
    case DPT_MPI_Send_init:
    case DPT_MPI_Recv_init:
        remember(counts, record, record->function == DPT_MPI_Send_init);
        break;
    case DPT_MPI_Start:
        start(counts, dpt_number(record, DPT_REQUEST, 0));
        break;
    case DPT_MPI_Startall:
        for (int64_t i = 0; i < requests->number; i++)
            start(counts, requests->numbers[i]);
        break;
    default:
        break;
    }
}

/* Bytes as the arguments say them, one rank's. */
static void count_collective(struct counts *counts, const struct dpt_record *record)
{
    struct collective *collective = &counts->collectives[record->function];

    collective->calls++;
    switch (record->function) {
    case DPT_MPI_Barrier:
        break;
    case DPT_MPI_Bcast:
    case DPT_MPI_Reduce:
    case DPT_MPI_Allreduce:
    case DPT_MPI_Scan:
    case DPT_MPI_Exscan:
        collective->bytes_sent += bytes_of(counts, record, DPT_COUNT, DPT_DATATYPE);
        collective->bytes_received += bytes_of(counts, record, DPT_COUNT, DPT_DATATYPE);
        break;
    case DPT_MPI_Reduce_scatter:
        collective->bytes_sent += bytes_of_list(counts, record, DPT_RECVCOUNTS, DPT_DATATYPE);
        break;
    default:
        /* Each has either a count or a list of counts on either side. */
        collective->bytes_sent += bytes_of(counts, record, DPT_SENDCOUNT, DPT_SENDTYPE) +
                                  bytes_of_list(counts, record, DPT_SENDCOUNTS, DPT_SENDTYPE);
        collective->bytes_received += bytes_of(counts, record, DPT_RECVCOUNT, DPT_RECVTYPE) +
                                      bytes_of_list(counts, record, DPT_RECVCOUNTS, DPT_RECVTYPE);
    }
}

static void count_record(void *user, const struct dpt_record *record)
{
    struct counts *counts = user;

    counts->calls[record->function]++;
    if (counts->first_ns == 0 || record->wall.start_ns < counts->first_ns)
        counts->first_ns = record->wall.start_ns;
    if (record->wall.stop_ns > counts->last_ns)
        counts->last_ns = record->wall.stop_ns;
    assert_true(record->wall.stop_ns >= record->wall.start_ns);
    if (record->function <= DPT_MPI_Sendrecv_replace)
        count_point_to_point(counts, record);
    else if ((record->function >= DPT_MPI_Barrier && record->function <= DPT_MPI_Scan &&
              record->function != DPT_MPI_Op_create && record->function != DPT_MPI_Op_free) ||
             record->function == DPT_MPI_Exscan)
        count_collective(counts, record);
}

/* ---- Against the ground truth ---- */

static int64_t number_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value))
        fail_msg("GROUNDTRUTH.json has no number %s", key);
    return json_integer_value(value);
}

static void check_calls(const struct counts *counts, json_t *truth)
{
    json_t *calls = json_object_get(truth, "calls");
    json_t *value;
    int64_t named = 0, all = 0;
    const char *name;

    json_object_foreach(calls, name, value)
    {
        int function = dpt_function_number(name);

        assert_true(function >= 0);
        if (counts->calls[function] != json_integer_value(value))
            fail_msg("%s: %" PRId64 " calls instead of %lld", name, counts->calls[function],
                     (long long)json_integer_value(value));
        named += counts->calls[function];
    }
    for (int i = 0; i < DPT_FUNCTION_COUNT; i++)
        all += counts->calls[i];
    assert_int_equal(all, named);
}

static void check_collectives(const struct counts *counts, json_t *truth)
{
    json_t *collectives = json_object_get(truth, "collectives");
    json_t *value;
    const char *name;
    int64_t kinds = 0;

    json_object_foreach(collectives, name, value)
    {
        const struct collective *collective = &counts->collectives[dpt_function_number(name)];

        assert_int_equal(collective->calls, number_in(value, "calls"));
        if (collective->bytes_sent != number_in(value, "bytes_send_args") ||
            collective->bytes_received != number_in(value, "bytes_recv_args"))
            fail_msg("%s: %" PRId64 " bytes sent, %" PRId64 " received", name, collective->bytes_sent,
                     collective->bytes_received);
    }
    for (int i = 0; i < DPT_FUNCTION_COUNT; i++)
        kinds += counts->collectives[i].calls > 0;
    assert_int_equal(kinds, json_object_size(collectives));
}

static void check_totals(const struct counts *counts, json_t *truth)
{
    double first = json_number_value(json_object_get(truth, "first_walltime"));
    double last = json_number_value(json_object_get(truth, "last_walltime"));

    assert_int_equal(counts->sends, number_in(truth, "p2p_sends"));
    assert_int_equal(counts->receives, number_in(truth, "p2p_recvs_posted"));
    assert_int_equal(counts->bytes, number_in(truth, "p2p_bytes_sent"));
    assert_int_equal(counts->empty_sends, number_in(truth, "zero_byte_sends"));
    assert_int_equal(counts->null_sends, number_in(truth, "sends_to_proc_null"));
    assert_int_equal(counts->any_receives, number_in(truth, "recvs_with_source_minus1"));
    assert_int_equal(counts->started_sends, number_in(truth, "persistent_sends_started"));
    assert_int_equal(counts->started_receives, number_in(truth, "persistent_recvs_started"));
    assert_true((double)counts->first_ns * 1e-9 - first < 1e-6 &&
                first - (double)counts->first_ns * 1e-9 < 1e-6);
    assert_true((double)counts->last_ns * 1e-9 - last < 1e-6 && last - (double)counts->last_ns * 1e-9 < 1e-6);
}

/* The footer counts the same calls. */
static void check_footer(struct dpt_stream *stream)
{
    const struct dpt_file_info *info = dpt_info(stream);
    uint64_t all = 0;

    assert_true(info->has_index);
    assert_int_equal(info->warning_count, 0);
    assert_int_equal(info->function_count, 291);
    for (unsigned i = 0; i < 290; i++) {
        assert_int_equal(info->calls[i] - info->ignored[i], dpt_stats(stream)->calls[i]);
        all += info->calls[i];
    }
    assert_int_equal(info->calls[290], all);
    assert_int_equal(dpt_stats(stream)->records, all);
}

static void count_rank(struct counts *counts, const struct dpt_trace *trace, int32_t rank, json_t *truth)
{
    struct dpt_error error = {.text = ""};
    int64_t sends = counts->sends, bytes = counts->bytes, receives = counts->receives;
    json_t *own = json_array_get(json_object_get(truth, "per_rank"), (size_t)rank);

    counts->stream = dpt_open_rank(trace, rank, &error);
    if (counts->stream == NULL)
        fail_msg("%s", error.text);
    if (dpt_loop(counts->stream, 0, count_record, counts) != 0)
        fail_msg("%s", dpt_geterr(counts->stream));
    check_footer(counts->stream);
    dpt_close_rank(counts->stream);
    /* Here, a key that is not there is 0. */
    assert_true(json_is_object(own));
    assert_int_equal(counts->sends - sends, json_integer_value(json_object_get(own, "sends")));
    assert_int_equal(counts->bytes - bytes, json_integer_value(json_object_get(own, "bytes_sent")));
    assert_int_equal(counts->receives - receives, json_integer_value(json_object_get(own, "recvs")));
}

static void check_trace(const struct dpt_trace *trace, json_t *truth)
{
    struct counts *counts = calloc(1, sizeof *counts);

    assert_non_null(counts);
    assert_int_equal(dpt_rank_count(trace), number_in(truth, "ranks"));
    assert_int_equal(dpt_missing_count(trace), 0);
    for (int32_t rank = 0; rank < dpt_rank_count(trace); rank++)
        count_rank(counts, trace, rank, truth);
    check_calls(counts, truth);
    check_collectives(counts, truth);
    check_totals(counts, truth);
    free(counts);
}

/* ---- Every trace below the directory ---- */

/* Calls back with each trace: its directory and its metafile's name. Returns their number. */
static int each_trace(void (*callback)(const char *directory, const char *metafile))
{
    const char *top = traces_directory();
    struct dirent **names;
    int count = scandir(top, &names, NULL, alphasort), traces = 0;

    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char directory[4096];
        char metafile[8192] = "";
        DIR *listing;

        snprintf(directory, sizeof directory, "%s/%s", top, names[i]->d_name);
        listing = names[i]->d_name[0] == '.' ? NULL : opendir(directory);
        for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
            if (strstr(entry->d_name, ".meta") != NULL)
                snprintf(metafile, sizeof metafile, "%s/%s", directory, entry->d_name);
        if (listing != NULL)
            closedir(listing);
        if (metafile[0] != '\0') {
            callback(directory, metafile);
            traces++;
        }
        free(names[i]);
    }
    free(names);
    return traces;
}

static struct dpt_trace *open_trace(const char *path)
{
    struct dpt_error error = {.text = ""};
    struct dpt_trace *trace = dpt_open(path, &error);

    if (trace == NULL)
        fail_msg("%s", error.text);
    return trace;
}

static void compare_with_truth(const char *directory, const char *metafile)
{
    char path[8192];
    json_t *truth;
    struct dpt_trace *trace = open_trace(metafile);

    snprintf(path, sizeof path, "%s/GROUNDTRUTH.json", directory);
    truth = json_load_file(path, 0, NULL);
    assert_non_null(truth);
    check_trace(trace, truth);
    json_decref(truth);
    dpt_close(trace);
}

static void traces_equal_the_ground_truth(void **state)
{
    (void)state;
    assert_true(each_trace(compare_with_truth) >= 4);
}

/* The first ranks are enough where there are many: all are read against the ground truth. */
#define COPIED_RANKS 8

static void copy_ranks(const char *directory, const char *metafile)
{
    struct dpt_trace *trace = open_trace(metafile);

    (void)directory;
    for (int32_t rank = 0; rank < dpt_rank_count(trace) && rank < COPIED_RANKS; rank++) {
        const char *copy = temporary_path(0, ".bin");
        struct dpt_stream *stream = dpt_open_rank(trace, rank, NULL);
        struct bytes original, written;
        char path[4096];

        assert_non_null(stream);
        assert_string_equal(copy_stream(stream, copy), "");
        dpt_close_rank(stream);
        dpt_rank_path(trace, rank, path, sizeof path);
        original = read_file(path);
        written = read_file(copy);
        assert_int_equal(original.size, written.size);
        assert_memory_equal(original.data, written.data, original.size);
        free(original.data);
        free(written.data);
        unlink(copy);
    }
    dpt_close(trace);
}

static void copies_are_the_same_bytes(void **state)
{
    (void)state;
    each_trace(copy_ranks);
}

static void compress_ranks(const char *directory, const char *metafile)
{
    struct dpt_trace *trace = open_trace(metafile);

    (void)directory;
    for (int32_t rank = 0; rank < dpt_rank_count(trace) && rank < 2; rank++) {
        const char *compressed = temporary_path(0, "-0000.bin.gz");
        struct bytes original;
        char path[4096];

        dpt_rank_path(trace, rank, path, sizeof path);
        original = read_file(path);
        write_compressed(compressed, original.data, original.size);
        assert_same_records(path, compressed);
        free(original.data);
        unlink(compressed);
    }
    dpt_close(trace);
}

static void compressed_copies_read_alike(void **state)
{
    (void)state;
    each_trace(compress_ranks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_equal_the_ground_truth),
        cmocka_unit_test(copies_are_the_same_bytes),
        cmocka_unit_test(compressed_copies_read_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
