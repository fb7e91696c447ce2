/* A communication graph as CSV.
 *
 *      src,dst,messages,bytes
 *      0,1,624,873600
 *      1,0,624,873600
 *
 * Pairs may come in any order and more than once (they are added up). Lines end in LF or CRLF. The file is
 * read once, line by line, so a pipe will do. */
#include <config.h>

#include "replay/mapping/graph-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "base/units.h"
#include "netmodel/topology.h"

#define LINE 256 /* four numbers need at most 84 */
#define FIELDS 4

static const char header[] = "src,dst,messages,bytes";
static const char *const names[FIELDS] = {"src", "dst", "messages", "bytes"};

struct reader {
    const char *path;              /* for messages */
    FILE *stream;                  /* borrowed */
    struct base_position position; /* of what is being read, for messages */
    struct trace_pair *pairs;      /* in the order of the file */
    size_t count, capacity;        /* of pairs */
    uint32_t ranks;
};

/* A line without its end. 1; 0 at the end of the file; -1 with an error. A line that fills the buffer is
 * refused whole rather than continued as another: its rest would pass for a pair. */
static int read_line(struct reader *reader, char line[LINE], struct base_error *error)
{
    size_t length;

    reader->position.line++;
    reader->position.column = -1;
    if (fgets(line, LINE, reader->stream) == NULL) {
        if (ferror(reader->stream))
            return base_error_system(error, errno, "cannot read %s", reader->path);
        return 0;
    }
    length = strcspn(line, "\r\n");
    if (length + 1 >= LINE)
        return base_error_at(error, BASE_INPUT, &reader->position, "the line is too long for four numbers");
    line[length] = '\0';
    return 1;
}

/* Cuts the line at its commas and reads the numbers. The column is that of the field in hand, set before it
 * is judged, so that an error points at its beginning. Four numbers exactly: a fifth would be somebody else's
 * format. */
static int read_fields(struct reader *reader, char *line, uint64_t fields[FIELDS], struct base_error *error)
{
    char *at = line;

    for (int i = 0; i < FIELDS; i++) {
        uint64_t most = i < 2 ? NET_TERMINALS_MAX - 1 : UINT64_MAX;
        size_t length = strcspn(at, ",");
        bool is_last = at[length] == '\0';
        reader->position.column = at - line + 1;
        at[length] = '\0';
        if (length == 0)
            return base_error_at(error, BASE_INPUT, &reader->position, "%s is missing: a line needs %s",
                                 names[i], header);
        if (base_parse_unsigned(at, most, &fields[i]) != 0)
            return base_error_at(error, BASE_INPUT, &reader->position, "'%.40s' is not a %s%s", at,
                                 i < 2 ? "rank" : "count from 0 to 2^64 - 1",
                                 base_number_problem(at, length));
        if (is_last != (i == FIELDS - 1))
            return base_error_at(error, BASE_INPUT, &reader->position, "a line needs four numbers: %s",
                                 header);
        at += length + 1;
    }
    return 0;
}

/* The ranks are as many as the largest number says, also when some of them never communicate. */
static int append(struct reader *reader, const uint64_t fields[FIELDS], struct base_error *error)
{
    if (base_grow(&reader->pairs, &reader->capacity, reader->count + 1, sizeof *reader->pairs) != 0)
        return base_error_memory(error, "the communication graph");
    reader->pairs[reader->count++] =
        (struct trace_pair){(uint32_t)fields[0], (uint32_t)fields[1], fields[2], fields[3]};
    for (int i = 0; i < 2; i++)
        if (fields[i] >= reader->ranks)
            reader->ranks = (uint32_t)fields[i] + 1;
    return 0;
}

/* How a first line differs from the header, as far as that can be told. */
static const char *problem_of_header(const char *line)
{
    int known = 0;

    for (int i = 0; i < FIELDS; i++)
        known += strstr(line, names[i]) != NULL;
    if (*line == '\0')
        return "an empty line is not a header: ";
    if (*line >= '0' && *line <= '9')
        return "the header is missing: ";
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
        return "a byte order mark stands before the header: ";
    if (strncmp(line, "\x1f\x8b", 2) == 0)
        return "the file is compressed: ";
    if (strcasecmp(line, header) == 0)
        return "columns are named in lower case: ";
    if (*line == '#' || *line == '%')
        return "comments are not read: ";
    if (strchr(line, '"') != NULL)
        return "names of columns have no quotation marks: ";
    if (strchr(line, ';') != NULL || strchr(line, '\t') != NULL)
        return "commas separate columns: ";
    if (strchr(line, ' ') != NULL)
        return "no blanks stand between the names: ";
    if (known == FIELDS)
        return strlen(line) > strlen(header) ? "there are other columns as well: "
                                             : "the columns are in another order: ";
    return known == 0 ? "" : "a column is missing: ";
}

/* Empty lines are skipped, wherever they stand behind the header. The header is required, so that another table is
 * told from a graph. */
static int read_pairs(struct reader *reader, struct base_error *error)
{
    uint64_t fields[FIELDS];
    char line[LINE];
    int status = read_line(reader, line, error);

    if (status == 0)
        return base_error_at(error, BASE_INPUT, &reader->position,
                             "the file is empty: the first line must be %s", header);
    if (status == 1 && strcmp(line, header) != 0)
        return base_error_at(error, BASE_INPUT, &reader->position, "%sthe first line must be %s",
                             problem_of_header(line), header);
    while (status == 1 && (status = read_line(reader, line, error)) == 1)
        if (*line != '\0' &&
            (read_fields(reader, line, fields, error) != 0 || append(reader, fields, error) != 0))
            return -1;
    if (status == 0 && reader->count == 0)
        return base_error_set(error, BASE_INPUT, "%s: the file lists no pair of ranks", reader->path);
    return status;
}

/* Positions are 1-based, as editors count; the line is set before it is read, so an empty file fails in
 * line 1. */
struct trace_comm_graph *replay_graph_read(const struct base_input *file, struct base_error *error)
{
    struct reader reader = {
        .path = file->path, .stream = file->stream, .position = base_position_of(file->path)};
    struct trace_comm_graph *graph = NULL;

    reader.position.line = 0;
    errno = 0;
    if (read_pairs(&reader, error) == 0)
        graph = trace_comm_graph_from(reader.ranks, reader.pairs, reader.count, error);
    free(reader.pairs);
    return graph;
}
