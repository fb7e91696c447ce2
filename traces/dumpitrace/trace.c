/* Which files a trace has: the metafile, and the names of the ranks' files.
 *
 * A metafile is lines of key=value, of which only numprocs and fileprefix matter for reading:
 *
 *     hostname=vm
 *     numprocs=4
 *     fileprefix=dumpi-2026.11.20.10.08.13       the recorder's, relative to where it ran
 *
 * The files are fileprefix-RANK.bin, RANK with leading zeros. In the wild, traces are moved without their
 * directories, metafiles are renamed, and files are compressed one by one: hence the several tries. Names are
 * made when they are needed: a trace of many thousand ranks needs no memory for them.
 *
 * What dpt_open is given, and what it is taken for:
 *
 *     a metafile                 numprocs ranks, found by settle_names
 *     a rank's file              a trace of that one rank
 *     neither, but a prefix      PREFIX.meta when it is there, else PREFIX-0000.bin and so on up to a gap */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/dumpitrace/input.h"
#include "traces/dumpitrace/layout.h"
#include "traces/dumpitrace/trace.h"

/* More ranks than any machine has had; keeps a damaged metafile from having us look for billions of files. */
#define MOST_RANKS (1 << 24)
#define METAFILE_BYTES 65536 /* real ones have less than 300 */

struct dpt_trace {
    char *metadata; /* the metafile with NUL for each end of line and first '=' */
    size_t metadata_bytes;
    char *prefix;  /* of the ranks' files, with its directory; or the one file */
    bool one_file; /* prefix is the name of the only file */
    bool compressed;
    int width; /* digits of the rank */
    int32_t rank_count, first_rank, missing_count;
};

/* A regular file of that name. Links are followed, so traces may be collected by links to their files. */
static bool exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Bytes are compared: names of files have no character set. */
static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A copy of the first length bytes of first, and of second. NULL: no memory. The caller frees it. */
static char *join(const char *first, size_t length, const char *second)
{
    size_t second_length = strlen(second);
    char *joined = malloc(length + second_length + 1);

    if (joined == NULL)
        return NULL;
    memcpy(joined, first, length);
    memcpy(joined + length, second, second_length + 1);
    return joined;
}

/* With its final slash; 0 for a bare name. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* As snprintf: the length it needs, also when there is no room, so that a caller may ask first. */
int dpt_rank_path(const struct dpt_trace *trace, int32_t rank, char *path, size_t size)
{
    if (rank < 0 || rank >= trace->rank_count)
        return -1;
    if (trace->one_file)
        return snprintf(path, size, "%s", trace->prefix);
    return snprintf(path, size, "%s-%0*" PRId32 ".bin%s", trace->prefix, trace->width, rank,
                    trace->compressed ? ".gz" : "");
}

/* NULL: no such rank, or no memory. Twice through snprintf, since a prefix has no bound of its own. */
char *dumpi_rank_path(const struct dpt_trace *trace, int32_t rank)
{
    int length = dpt_rank_path(trace, rank, NULL, 0);
    char *path = length < 0 ? NULL : malloc((size_t)length + 1);

    if (path != NULL)
        dpt_rank_path(trace, rank, path, (size_t)length + 1);
    return path;
}

/* Counts the files that are there among ranks 0 to count - 1, or up to the first that is missing. -1: no
 * memory. */
static int32_t count_files(const struct dpt_trace *trace, int32_t count, bool to_first_gap)
{
    int32_t found = 0;

    for (int32_t rank = 0; rank < count; rank++) {
        char *path = dumpi_rank_path(trace, rank);
        bool there = path != NULL && exists(path);

        free(path);
        if (path == NULL)
            return -1;
        if (!there && to_first_gap)
            break;
        found += there;
    }
    return found;
}

/* Settles width and compression for the prefix: the first way of writing ranks for which all files are there,
 * else that with the most. Returns the number of files found, -1 when out of memory. At most 18 ways are tried,
 * each up to its first gap; for most traces the first fits. */
static int32_t settle_names(struct dpt_trace *trace)
{
    static const int widths[] = {4, 5, 6, 7, 8, 9, 0, 2, 3}; /* a width of 1 writes as 0 does */
    int best_width = 4;
    int32_t best = 0;
    bool best_compressed = false;

    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths && best < trace->rank_count; i++) {
        int32_t found;

        trace->width = widths[i / 2];
        trace->compressed = i % 2 == 1;
        found = count_files(trace, trace->rank_count, true);
        if (found < 0)
            return -1;
        if (found > best) {
            best = found;
            best_width = trace->width;
            best_compressed = trace->compressed;
        }
    }
    trace->width = best_width;
    trace->compressed = best_compressed;
    return best;
}

/* Tries a prefix: 1 when files are there, 0 when not, -1 when out of memory. Takes the prefix over. */
static int try_prefix(struct dpt_trace *trace, char *prefix)
{
    int32_t found;

    free(trace->prefix);
    trace->prefix = prefix;
    if (prefix == NULL)
        return -1;
    found = settle_names(trace);
    return found > 0 ? 1 : found;
}

/* The first of several lines with the same key. The value is the trace's. */
const char *dpt_metadata(const struct dpt_trace *trace, const char *key)
{
    /* Lines are "key\0value\0"; a line without '=' is an empty key and the line. */
    for (size_t at = 0; at < trace->metadata_bytes;) {
        const char *name = trace->metadata + at, *value = name + strlen(name) + 1;

        if (strcmp(name, key) == 0 && *name != '\0')
            return value;
        at = (size_t)(value - trace->metadata) + strlen(value) + 1;
    }
    return NULL;
}

/* One line of the metafile to "key\0value\0"; an '=' is found or added at the front. Returns its length. */
static size_t split_line(char *to, const char *line, size_t length)
{
    const char *equals = memchr(line, '=', length);
    size_t key_length = equals == NULL ? 0 : (size_t)(equals - line);
    const char *value = equals == NULL ? line : equals + 1;
    size_t value_length = (size_t)(line + length - value);

    while (value_length > 0 && value[value_length - 1] == '\r')
        value_length--;
    memcpy(to, line, key_length);
    to[key_length] = '\0';
    memcpy(to + key_length + 1, value, value_length);
    to[key_length + 1 + value_length] = '\0';
    return key_length + value_length + 2;
}

/* Makes trace->metadata of the text. A NUL inside is no metafile. 2 bytes more a line are enough: an end of
 * line and an '=' each may have to be added. */
static int parse_metadata(struct dpt_trace *trace, const char *text, size_t length)
{
    size_t lines = 1;

    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    trace->metadata = malloc(length + 2 * lines);
    if (trace->metadata == NULL)
        return -1;
    while (length > 0) {
        const char *newline = memchr(text, '\n', length);
        size_t line = newline == NULL ? length : (size_t)(newline - text);

        trace->metadata_bytes += split_line(trace->metadata + trace->metadata_bytes, text, line);
        text += line + (newline != NULL);
        length -= line + (newline != NULL);
    }
    return 0;
}

/* The number of ranks in the metadata, or -1. Anything behind the number makes it none: half a number is
 * damage. */
static int32_t rank_count_of(const struct dpt_trace *trace)
{
    const char *text = dpt_metadata(trace, "numprocs");
    char *end;
    long count = text == NULL ? -1 : strtol(text, &end, 10);

    return text == NULL || end == text || *end != '\0' || count < 1 || count > MOST_RANKS ? -1
                                                                                          : (int32_t)count;
}

/* Looks for the ranks' files: by the prefix in the metafile, by its last part, by the metafile's own name.
 * Files may be missing: the first try that finds that of rank 0 is taken, and those that are not there are
 * counted, for the caller to judge. */
static int find_files(struct dpt_trace *trace, const char *path, struct dpt_error *error)
{
    const struct dumpi_place place = {path, -1, -1};
    const char *prefix = dpt_metadata(trace, "fileprefix");
    size_t directory = directory_length(path), own = strlen(path);
    int found = 0;

    if (ends_with(path, ".gz"))
        own -= 3;
    if (own > 5 && strncmp(path + own - 5, ".meta", 5) == 0)
        own -= 5;
    if (prefix != NULL && *prefix != '\0') {
        found = prefix[0] == '/' ? try_prefix(trace, join(prefix, strlen(prefix), ""))
                                 : try_prefix(trace, join(path, directory, prefix));
        if (found == 0 && strchr(prefix, '/') != NULL)
            found = try_prefix(trace, join(path, directory, strrchr(prefix, '/') + 1));
    }
    if (found == 0)
        found = try_prefix(trace, join(path, own, ""));
    if (found < 0)
        return dumpi_memory_error(error, path);
    if (found == 0)
        return dumpi_error(error, DPT_ERROR_FORMAT, &place,
                           "no rank's file is beside it (looked for %.300s-0000.bin)",
                           prefix != NULL ? prefix : trace->prefix);
    found = count_files(trace, trace->rank_count, false);
    trace->missing_count = trace->rank_count - found;
    return found < 0 ? dumpi_memory_error(error, path) : 0;
}

/* The text is taken whole, since it is short or no metafile. A NUL makes it binary: it is not parsed, so it
 * has no number of ranks and is refused for that. The metafile's lines stay with the trace (dpt_metadata). -1 with
 * a sentence. */
static int open_metafile(struct dpt_trace *trace, struct dumpi_input *input, struct dpt_error *error)
{
    const struct dumpi_place place = {input->path, -1, -1};
    char *text;
    size_t length = 0;
    const uint8_t *bytes;

    if (input->size > METAFILE_BYTES)
        return dumpi_error(error, DPT_ERROR_FORMAT, &place, "neither a DUMPI file nor a metafile");
    text = malloc((size_t)input->size + 1);
    if (text == NULL)
        return dumpi_memory_error(error, input->path);
    while ((bytes = dumpi_take(input, 1)) != NULL)
        text[length++] = (char)*bytes;
    if (memchr(text, '\0', length) == NULL && parse_metadata(trace, text, length) != 0) {
        free(text);
        return dumpi_memory_error(error, input->path);
    }
    free(text);
    trace->rank_count = rank_count_of(trace);
    if (trace->rank_count < 0)
        return dumpi_error(error, DPT_ERROR_FORMAT, &place,
                           "neither a DUMPI file nor a metafile (no line numprocs=N with 1 <= N <= %d)",
                           MOST_RANKS);
    return find_files(trace, input->path, error);
}

/* The rank in a name that ends in "-0012.bin" or "-0012.bin.gz", else 0. */
static int32_t rank_in_name(const char *path)
{
    size_t end = strlen(path);
    size_t begin;

    if (ends_with(path, ".gz"))
        end -= 3;
    if (end < 4 || strncmp(path + end - 4, ".bin", 4) != 0)
        return 0;
    end -= 4;
    for (begin = end; begin > 0 && end - begin < 9 && isdigit((unsigned char)path[begin - 1]); begin--)
        ;
    return begin == end || begin == 0 || path[begin - 1] != '-' ? 0 : (int32_t)strtol(path + begin, NULL, 10);
}

/* A trace of one rank, whatever its number. */
static int open_one_file(struct dpt_trace *trace, const char *path, struct dpt_error *error)
{
    trace->one_file = true;
    trace->rank_count = 1;
    trace->first_rank = rank_in_name(path);
    trace->prefix = strdup(path);
    return trace->prefix != NULL ? 0 : dumpi_memory_error(error, path);
}

/* Not the name of a file: a prefix with a metafile, or with ranks' files counted up to the first gap. `path` is no
 * file. Without a metafile the number of ranks is that of the files up to the first gap. */
static int open_prefix(struct dpt_trace *trace, const char *path, struct dpt_error *error)
{
    char *name = join(path, strlen(path), ".meta");
    int found, result;

    if (name == NULL)
        return dumpi_memory_error(error, path);
    if (exists(name)) {
        result = dumpi_open_existing(trace, name, error);
        free(name);
        return result;
    }
    free(name);
    trace->rank_count = MOST_RANKS;
    found = try_prefix(trace, join(path, strlen(path), ""));
    if (found < 0)
        return dumpi_memory_error(error, path);
    if (found == 0)
        return dumpi_system_error(error, ENOENT, path, "cannot be opened");
    trace->rank_count = count_files(trace, MOST_RANKS, true);
    return trace->rank_count > 0 ? 0 : dumpi_memory_error(error, path);
}

/* By content first, since names can be anything; then by name, so that a damaged rank's file is not taken
 * for a damaged metafile. */
int dumpi_open_existing(struct dpt_trace *trace, const char *path, struct dpt_error *error)
{
    struct dumpi_input *input = dumpi_input_open(path, error);
    const uint8_t *magic;
    int result;

    if (input == NULL)
        return -1;
    magic = dumpi_take(input, 8);
    /* A rank that was killed leaves an empty file: opening its stream will say so. */
    if ((magic != NULL && dumpi_u64(magic) == DUMPI_MAGIC) || ends_with(path, ".bin") ||
        ends_with(path, ".bin.gz"))
        result = open_one_file(trace, path, error);
    else {
        dumpi_input_seek(input, 0, input->size);
        result = open_metafile(trace, input, error);
    }
    dumpi_input_close(input);
    return result;
}

/* No record is read yet: a rank that cannot be read is found when it is opened. */
struct dpt_trace *dpt_open(const char *path, struct dpt_error *error)
{
    struct dpt_trace *trace = calloc(1, sizeof *trace);
    struct stat status;

    if (trace == NULL) {
        dumpi_memory_error(error, path);
        return NULL;
    }
    if ((stat(path, &status) == 0 ? dumpi_open_existing : open_prefix)(trace, path, error) == 0)
        return trace;
    dpt_close(trace);
    return NULL;
}

/* Streams of the trace stay usable: they have copies of their names. */
void dpt_close(struct dpt_trace *trace)
{
    if (trace == NULL)
        return;
    free(trace->metadata);
    free(trace->prefix);
    free(trace);
}

/* From the metafile, or as many files as there are without one. */
int32_t dpt_rank_count(const struct dpt_trace *trace)
{
    return trace->rank_count;
}

/* The rank that the name of a single file has; 0 for whole traces. */
int32_t dpt_first_rank(const struct dpt_trace *trace)
{
    return trace->first_rank;
}

/* Ranks of the metafile without a file. */
int32_t dpt_missing_count(const struct dpt_trace *trace)
{
    return trace->missing_count;
}
