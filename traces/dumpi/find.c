/* Names are taken from directories, what they are from the content: a metafile has a line numprocs=, a rank's
 * file begins with the format's eight bytes (an empty one, left by a killed rank, is known by its name).
 * Compressed files look the same through zlib. */
#include <config.h>

#include "traces/dumpi/find.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "traces/dumpitrace/dumpitrace.h"

enum kind { NOTHING, METAFILE, RANK, NO_MEMORY };

/* Compressed files have two endings, hence no search for the last dot. */
static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Follows links; pipes and devices are none, and must not be opened to look. */
static bool is_regular(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* "dir/run-0003.bin.gz" -> the length of "dir/run"; 0 when the name is not like that. */
static size_t prefix_length(const char *path)
{
    size_t length = strlen(path);
    size_t end;

    if (ends_with(path, ".gz"))
        length -= 3;
    if (length < 6 || strncmp(path + length - 4, ".bin", 4) != 0)
        return 0;
    end = length - 4;
    for (length = end; length > 0 && isdigit((unsigned char)path[length - 1]); length--)
        ;
    return length == end || length < 2 || path[length - 1] != '-' ? 0 : length - 1;
}

/* A metafile is short text. */
static bool has_ranks_line(const char *text, size_t length)
{
    static const char key[] = "numprocs=";

    if (memchr(text, '\0', length) != NULL)
        return false;
    for (size_t i = 0; i + sizeof key - 1 < length; i++)
        if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, key, sizeof key - 1) == 0)
            return true;
    return false;
}

/* The one sentence for all failed allocations of this file. */
static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "the names of a trace's files");
}

/* What zlib has allocated by the time of its first reading includes its buffers. */
static bool lacked_memory(gzFile file)
{
    int code = Z_OK;

    if (file == NULL)
        return errno == ENOMEM;
    gzerror(file, &code);
    return code == Z_MEM_ERROR;
}

/* zlib gives what is not compressed as it is. Reads the first bytes only. What cannot be opened is NOTHING. */
static enum kind kind_of(const char *path)
{
    static const char magic[8] = "\xff\xaa\xdd"
                                 "DUMPI";
    char text[2048];
    gzFile file;
    int length;
    bool lacked;

    if (!is_regular(path))
        return NOTHING;
    errno = 0;
    if ((file = gzopen(path, "rb")) == NULL)
        return lacked_memory(NULL) ? NO_MEMORY : NOTHING;
    length = gzread(file, text, sizeof text);
    lacked = length < 0 && lacked_memory(file);
    gzclose(file);
    if (lacked)
        return NO_MEMORY;
    if (length >= (int)sizeof magic && memcmp(text, magic, sizeof magic) == 0)
        return RANK;
    if (length > 0 && has_ranks_line(text, (size_t)length))
        return METAFILE;
    return length == 0 && prefix_length(path) > 0 ? RANK : NOTHING;
}

/* What a directory holds: the first metafile by name, or the first prefix of ranks' files. */
struct listing {
    int metafiles, prefixes;                   /* found so far; more than one, and nothing can be chosen */
    bool no_memory;                            /* what was found is not all */
    struct trace_dumpi_place metafile, prefix; /* valid when there is any */
};

/* The smallest name is kept, so that a message does not depend on the order of the directory. */
static void list_file(struct listing *listing, const struct trace_dumpi_place *file)
{
    enum kind kind = kind_of(file->text);

    listing->no_memory = listing->no_memory || kind == NO_MEMORY;
    if (kind == METAFILE && (listing->metafiles++ == 0 || strcmp(file->text, listing->metafile.text) < 0))
        listing->metafile = *file;
    if (kind == RANK && prefix_length(file->text) > 0) {
        struct trace_dumpi_place prefix = *file;

        prefix.text[prefix_length(file->text)] = '\0';
        if (listing->prefixes == 0 || strcmp(prefix.text, listing->prefix.text) != 0) {
            listing->prefixes++;
            if (listing->prefixes == 1 || strcmp(prefix.text, listing->prefix.text) < 0)
                listing->prefix = prefix;
        }
    }
}

/* Only names that may be of a DUMPI trace are opened. */
static bool may_be(const char *name)
{
    return ends_with(name, ".meta") || ends_with(name, ".meta.gz") || ends_with(name, ".bin") ||
           ends_with(name, ".bin.gz");
}

/* A directory that cannot be read holds nothing. One pass; every file whose name may be of a trace is opened once. -1:
 * no memory. */
static int list_directory(const char *path, struct listing *listing, struct base_error *error)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";

    *listing = (struct listing){.no_memory = directory == NULL && errno == ENOMEM};
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct trace_dumpi_place file;
        int length = snprintf(file.text, sizeof file.text, "%s%s%s", path, slash, entry->d_name);

        if (may_be(entry->d_name) && length > 0 && (size_t)length < sizeof file.text)
            list_file(listing, &file);
    }
    if (directory != NULL)
        closedir(directory);
    return listing->no_memory ? no_memory(error) : 0;
}

/* The trace that a prefix names; NULL in *trace: there is none. -1: no memory. */
static int open_prefix(const char *path, struct dpt_trace **trace, struct base_error *error)
{
    struct dpt_error problem;

    *trace = dpt_open(path, &problem);
    return *trace == NULL && problem.status == DPT_ERROR_MEMORY ? no_memory(error) : 0;
}

/* What does not exist may still be a prefix. */
int trace_dumpi_detect(const char *path, struct base_error *error)
{
    struct listing listing;
    struct dpt_trace *trace;
    struct stat status;

    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        enum kind kind = kind_of(path);

        return kind == NO_MEMORY ? no_memory(error) : kind != NOTHING;
    }
    if (stat(path, &status) == 0)
        return list_directory(path, &listing, error) != 0 ? -1 : listing.metafiles + listing.prefixes > 0;
    if (open_prefix(path, &trace, error) != 0)
        return -1;
    dpt_close(trace);
    return trace != NULL;
}

/* Paths that are too long could not be opened either. */
static int copy(struct trace_dumpi_place *place, const char *path, size_t length, struct base_error *error)
{
    struct base_position position = base_position_of(path);

    if (length >= sizeof place->text)
        return base_error_at(error, BASE_INPUT, &position, "the path is too long");
    memcpy(place->text, path, length);
    place->text[length] = '\0';
    return 0;
}

/* One rank's file stands for its trace if that has no other rank. */
static int find_by_rank(const char *path, struct trace_dumpi_place *place, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    size_t length = prefix_length(path);
    struct dpt_trace *trace;
    int32_t ranks = 1;

    if (length == 0)
        return copy(place, path, strlen(path), error);
    if (copy(place, path, length, error) != 0)
        return -1;
    if (open_prefix(place->text, &trace, error) != 0)
        return -1;
    if (trace != NULL)
        ranks = dpt_rank_count(trace);
    dpt_close(trace);
    if (ranks == 1)
        return trace == NULL ? copy(place, path, strlen(path), error) : 0;
    return base_error_at(error, BASE_INPUT, &position, "one rank of a trace of %d; give all of them as %s%s",
                         (int)ranks, place->text, ".meta, or that without its ending");
}

/* A directory's metafile, or else its only prefix. */
static int find_in_directory(const char *path, struct trace_dumpi_place *place, struct base_error *error)
{
    struct base_position position = base_position_of(path);
    struct listing listing;

    if (list_directory(path, &listing, error) != 0)
        return -1;
    if (listing.metafiles > 1)
        return base_error_at(error, BASE_INPUT, &position,
                             "the directory holds %d DUMPI traces; give one of them, as %s",
                             listing.metafiles, listing.metafile.text);
    if (listing.metafiles == 0 && listing.prefixes > 1)
        return base_error_at(error, BASE_INPUT, &position,
                             "the directory holds several DUMPI traces; give one of them, as %s",
                             listing.prefix.text);
    *place = listing.metafiles == 1 ? listing.metafile : listing.prefix;
    return 0;
}

/* Metafiles and prefixes are taken as they are: the library finds the files. An error names what was found, so
 * that the user can give one of them. */
int trace_dumpi_find(const char *path, struct trace_dumpi_place *place, struct base_error *error)
{
    struct stat status;
    enum kind kind;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return find_in_directory(path, place, error);
    kind = kind_of(path);
    if (kind == NO_MEMORY)
        return no_memory(error);
    if (kind == RANK)
        return find_by_rank(path, place, error);
    return copy(place, path, strlen(path), error);
}
