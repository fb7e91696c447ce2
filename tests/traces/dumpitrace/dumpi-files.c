#include <config.h>

#include "tests/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/traces/dumpitrace/dumpi-files.h"

const char *source_path(const char *below)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", getenv("top_srcdir") != NULL ? getenv("top_srcdir") : ".", below);
    return path;
}

const char *traces_directory(void)
{
    static char path[4096];
    const char *shared = getenv("FLITREPLAY_SHARED");

    snprintf(path, sizeof path, "%s/traces/dumpi", shared != NULL ? shared : "");
    if (shared != NULL && *shared != '\0' && access(path, R_OK) == 0)
        return path;
    print_message("the shared traces are absent: reading the bundled ones\n");
    snprintf(path, sizeof path, "%s", source_path("tests/data/dumpi"));
    return path;
}

const char *temporary_path(int number, const char *suffix)
{
    static char paths[4][4096];
    const char *directory = getenv("TMPDIR");

    snprintf(paths[number], sizeof paths[number], "%s/flitreplay-dumpi-%ld-%d%s",
             directory != NULL ? directory : "/tmp", (long)getpid(), number, suffix);
    return paths[number];
}

struct bytes read_file(const char *path)
{
    struct bytes bytes = {NULL, 0};
    FILE *stream = fopen(path, "rb");
    long size;

    if (stream == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    fseek(stream, 0, SEEK_END);
    size = ftell(stream);
    rewind(stream);
    bytes.data = malloc((size_t)size + 1);
    assert_non_null(bytes.data);
    bytes.size = fread(bytes.data, 1, (size_t)size, stream);
    assert_int_equal(bytes.size, size);
    fclose(stream);
    return bytes;
}

void write_file(const char *path, const void *data, size_t size)
{
    FILE *stream = fopen(path, "wb");

    if (stream == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    assert_int_equal(fwrite(data, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

void write_compressed(const char *path, const void *data, size_t size)
{
    gzFile stream = gzopen(path, "wb1");

    assert_non_null(stream);
    assert_int_equal(gzwrite(stream, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(stream), Z_OK);
}

static char message[1024];

const char *copy_stream(struct dpt_stream *stream, const char *path)
{
    struct dpt_error error = {.text = ""};
    struct dpt_writer *writer = dpt_writer_open(path, dpt_info(stream), &error);
    const struct dpt_record *record;
    int more = -1;

    message[0] = '\0';
    if (writer == NULL)
        snprintf(message, sizeof message, "%s", error.text);
    while (writer != NULL && (more = dpt_next(stream, &record)) == 1)
        if (dpt_write(writer, record) != 0) {
            snprintf(message, sizeof message, "%s", dpt_writer_geterr(writer));
            dpt_writer_discard(writer);
            return message;
        }
    if (writer != NULL && more < 0) {
        snprintf(message, sizeof message, "%s", dpt_geterr(stream));
        dpt_writer_discard(writer);
    } else if (writer != NULL && dpt_writer_close(writer, dpt_info(stream), &error) != 0)
        snprintf(message, sizeof message, "%s", error.text);
    return message;
}

/* The record as text in new memory. */
static char *text_of(const struct dpt_record *record)
{
    size_t length = dpt_format(NULL, 0, record);
    char *text = malloc(length + 1);

    assert_non_null(text);
    assert_int_equal(dpt_format(text, length + 1, record), length);
    assert_int_equal(strlen(text), length);
    return text;
}

void assert_same_records(const char *path, const char *other)
{
    struct dpt_stream *streams[2] = {dpt_open_file(path, NULL), dpt_open_file(other, NULL)};
    const struct dpt_record *records[2];
    int more;

    assert_non_null(streams[0]);
    assert_non_null(streams[1]);
    while ((more = dpt_next(streams[0], &records[0])) == 1) {
        char *text = text_of(records[0]);
        char *other_text;

        assert_int_equal(dpt_next(streams[1], &records[1]), 1);
        other_text = text_of(records[1]);
        assert_string_equal(text, other_text);
        assert_int_equal(records[0]->offset, records[1]->offset);
        free(text);
        free(other_text);
    }
    assert_int_equal(dpt_next(streams[1], &records[1]), more);
    dpt_close_rank(streams[0]);
    dpt_close_rank(streams[1]);
}

long drain(const char *path, enum dpt_status *status)
{
    struct dpt_error error = {.text = ""};
    struct dpt_stream *stream = dpt_open_file(path, &error);
    const struct dpt_record *record;
    long records = 0;
    int more;

    *status = error.status;
    if (stream == NULL) {
        assert_true(error.text[0] != '\0' && error.status != DPT_ERROR_NONE);
        return -1;
    }
    while ((more = dpt_next(stream, &record)) == 1) {
        free(text_of(record));
        assert_int_equal(record->index, records);
        records++;
    }
    *status = dpt_stream_error(stream)->status;
    assert_true((more < 0) == (*status != DPT_ERROR_NONE));
    assert_true((more < 0) == (dpt_geterr(stream)[0] != '\0'));
    assert_int_equal(dpt_next(stream, &record), more);
    for (int64_t datatype = -2; datatype < 64; datatype++)
        assert_true(dpt_datatype_size(stream, datatype) >= -1 || datatype < 64);
    dpt_close_rank(stream);
    return records;
}
