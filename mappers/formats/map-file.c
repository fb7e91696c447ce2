/* Reading mapping files line by line, and putting ranks where they say. A reader knows the problem, not the
 * machine: it puts ranks into slots, and refuses what is no slot of this problem, taken already, or said twice,
 * each with line and column. A format only splits its lines:
 *
 *     format->read ─► map_reader_lines() ─► the format's read_line ─► map_reader_place*() ─► slot[rank]
 *
 * Whether every rank came is asked once, at the end, for all formats. After an error the caller's array holds what
 * had been read until then, and is of no use. */
#include <config.h>

#include "mappers/formats/map-file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/names.h"
#include "base/units.h"
#include "netmodel/topologies/mway.h"

#define MAP_FORMAT(symbol) extern const struct map_format map_format_##symbol;
#include "mappers/formats/formats.def"
#undef MAP_FORMAT

static const struct map_format *const formats[] = {
#define MAP_FORMAT(symbol) &map_format_##symbol,
#include "mappers/formats/formats.def"
#undef MAP_FORMAT
};

#define FORMATS (sizeof formats / sizeof *formats)

/* In the order of formats.def. */
const struct map_format *const *map_formats(size_t *count)
{
    *count = FORMATS;
    return formats;
}

/* Whether the path ends so, "." before it or not. */
static bool ends_in(const char *path, const char *ending, const char *before)
{
    size_t length = strlen(path), own = strlen(ending), more = strlen(before);

    return length > own + more && strcmp(path + length - own, ending) == 0 &&
           strncmp(path + length - own - more, before, more) == 0;
}

/* A path that is or ends in the format's ending, or that ends in a dot and the format's name: cg.hostlist is a
 * hostlist as well as cg.hosts. The first format in formats.def that fits; our own where none does. */
const struct map_format *map_format_of_path(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(path, formats[i]->ending) == 0 || ends_in(path, formats[i]->ending, "") ||
            ends_in(path, formats[i]->name, "."))
            return formats[i];
    return &map_format_text;
}

/* An unknown name is refused with those that there are. */
const struct map_format *map_format_find(const char *name, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("placement format", formats, struct map_format);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    return place == FORMATS ? NULL : formats[place];
}

/* ---- Lines ---- */

/* Columns count bytes from 1, as editors do for plain text. */
const struct base_position *map_reader_at(struct map_reader *reader, const char *place)
{
    reader->where.column = place - reader->line + 1;
    return &reader->where;
}

/* Room for one character more, and the terminator. Most files have short lines. */
static int make_room(struct map_reader *reader, struct base_error *error)
{
    if (base_grow(&reader->line, &reader->line_room, reader->length + 2, 1) != 0)
        return base_error_memory(error, "a line of a mapping file");
    return 0;
}

/* What a line must not end with: nothing at all, or a carriage return. */
static int check_line(struct map_reader *reader, int end, struct base_error *error)
{
    if (end == EOF)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, reader->line + reader->length),
                             "the last line is not terminated: the file may have been cut off");
    if (reader->length > 0 && reader->line[reader->length - 1] == '\r')
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, reader->line + reader->length - 1),
                             "a carriage return: the file has DOS line ends");
    return 1;
}

/* A line is bounded before it is stored: a file of one endless line must not fill the memory. Reading errors
 * come before the end of the file, which getc() does not tell apart. */
int map_reader_line(struct map_reader *reader, struct base_error *error)
{
    int character;

    reader->length = 0;
    reader->where.line++;
    reader->where.column = -1;
    while ((character = getc(reader->stream)) != EOF && character != '\n') {
        if (reader->length == reader->longest)
            return base_error_at(error, BASE_INPUT, &reader->where, "longer than %zu characters",
                                 reader->longest);
        if (make_room(reader, error) != 0)
            return -1;
        reader->line[reader->length++] = (char)character;
    }
    if (make_room(reader, error) != 0)
        return -1;
    reader->line[reader->length] = '\0';
    if (ferror(reader->stream))
        return base_error_system(error, errno, "%s: reading stopped in line %lld", reader->where.source,
                                 (long long)reader->where.line);
    if (character == EOF && reader->length == 0)
        return 0;
    return check_line(reader, character, error);
}

/* ---- Parts of a line ---- */

/* Stops at the end of the line as well, and at a zero byte within it. */
const char *map_skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* A zero byte is not the end of a line: only its length is. */
bool map_at_end(const struct map_reader *reader, const char *text)
{
    return *text == '#' || text == reader->line + reader->length;
}

/* Up to 20 printable characters; a byte that cannot be printed is told by its value. */
static int refuse(struct map_reader *reader, const char *text, const char *expected, bool is_number,
                  struct base_error *error)
{
    const struct base_position *position = map_reader_at(reader, text);
    size_t shown = 0;

    if (text == reader->line + reader->length)
        return base_error_at(error, BASE_INPUT, position, "the line ends where %s is expected", expected);
    while (shown < 20 && isgraph((unsigned char)text[shown]))
        shown++;
    if (shown == 0)
        return base_error_at(error, BASE_INPUT, position, "a byte of value %u where %s is expected",
                             (unsigned char)*text, expected);
    return base_error_at(error, BASE_INPUT, position, "'%.*s' where %s is expected%s", (int)shown, text,
                         expected, is_number ? base_number_problem(text, shown) : "");
}

int map_reader_garbage(struct map_reader *reader, const char *text, const char *expected,
                       struct base_error *error)
{
    return refuse(reader, text, expected, false, error);
}

/* Stops growing long before 64 bits are full: whoever uses the number has a smaller bound, and says so. */
int map_reader_number(struct map_reader *reader, const char **text, const char *ends, const char *expected,
                      uint64_t *number, struct base_error *error)
{
    const char *digit = *text;

    *number = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        *number = *number > UINT64_MAX / 20 ? UINT64_MAX : *number * 10 + (uint64_t)(*digit - '0');
    if (digit == *text || (*digit != '\0' && strchr(" \t#", *digit) == NULL && strchr(ends, *digit) == NULL))
        return refuse(reader, *text, expected, true, error);
    *text = digit;
    return 0;
}

/* How the reading of lines ended is the answer: 0 at the end of the file, -1 after an error. Whether all ranks came is
 * not asked here but for all formats alike, in read_all. */
int map_reader_lines(struct map_reader *reader,
                     int (*read_line)(struct map_reader *reader, struct base_error *error),
                     struct base_error *error)
{
    int more;

    while ((more = map_reader_line(reader, error)) > 0)
        if (read_line(reader, error) != 0)
            return -1;
    return more;
}

/* One comma may follow each item, also the last one of a line, so that a list can go on in the next. */
int map_reader_list(struct map_reader *reader,
                    int (*read_item)(struct map_reader *reader, const char **text, struct base_error *error),
                    struct base_error *error)
{
    const char *text = map_skip_blanks(reader->line);

    while (!map_at_end(reader, text)) {
        if (read_item(reader, &text, error) != 0)
            return -1;
        text = map_skip_blanks(text);
        if (*text == ',')
            text = map_skip_blanks(text + 1);
        else if (!map_at_end(reader, text))
            return map_reader_garbage(reader, text, "a comma", error);
    }
    return 0;
}

/* Comments may follow whatever a line says. */
int map_reader_end(struct map_reader *reader, const char *text, struct base_error *error)
{
    text = map_skip_blanks(text);
    return map_at_end(reader, text) ? 0 : map_reader_garbage(reader, text, "the end of the line", error);
}

/* Longer ones would fill the sentence. */
int map_digits(const char *text)
{
    size_t count = strspn(text, "0123456789");
    return count < 20 ? (int)count : 20;
}

/* ---- Places ---- */

/* The first slot whose terminal is not below the given one. */
static uint32_t first_slot(const struct map_problem *problem, uint64_t terminal)
{
    uint32_t low = 0, high = problem->slots;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (problem->terminal[middle] < terminal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A rank exists and has no place yet; the line of its first place is worth telling. */
static int check_rank(struct map_reader *reader, uint64_t rank, const char *rank_text,
                      struct base_error *error)
{
    if (rank >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, rank_text),
                             "there is no rank %.*s: %u ranks are mapped", map_digits(rank_text), rank_text,
                             reader->problem->ranks);
    if (reader->line_of_rank[rank] != 0)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, rank_text),
                             "rank %u is placed already, in line %lld", (unsigned)rank,
                             (long long)reader->line_of_rank[rank]);
    return 0;
}

/* Whoever is there already is named with his line. */
int map_reader_put(struct map_reader *reader, uint64_t rank, uint32_t slot, const char *rank_text,
                   const char *slot_text, struct base_error *error)
{
    uint32_t other = reader->rank_in[slot];

    if (check_rank(reader, rank, rank_text, error) != 0)
        return -1;
    if (other < reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, slot_text),
                             "terminal %u is taken already, by rank %u in line %lld",
                             reader->problem->terminal[slot], other, (long long)reader->line_of_rank[other]);
    reader->slot[rank] = slot;
    reader->rank_in[slot] = (uint32_t)rank;
    reader->line_of_rank[rank] = reader->where.line;
    reader->placed++;
    return 0;
}

/* Ranks that share a terminal take its slots in the order of the file. The last slot's occupant is named when
 * it is full. */
int map_reader_place(struct map_reader *reader, uint64_t rank, uint64_t terminal, const char *rank_text,
                     const char *terminal_text, struct base_error *error)
{
    const struct map_problem *problem = reader->problem;
    uint32_t slot = first_slot(problem, terminal);

    if (check_rank(reader, rank, rank_text, error) != 0)
        return -1;
    if (problem->topology != NULL && terminal >= problem->topology->terminals)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, terminal_text),
                             "there is no terminal %.*s: %s has %u", map_digits(terminal_text), terminal_text,
                             problem->topology->text, problem->topology->terminals);
    if (slot == problem->slots || problem->terminal[slot] != terminal)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, terminal_text),
                             "terminal %u is outside the partition", (unsigned)terminal);
    while (reader->rank_in[slot] < problem->ranks && slot + 1 < problem->slots &&
           problem->terminal[slot + 1] == terminal)
        slot++;
    return map_reader_put(reader, rank, slot, rank_text, terminal_text, error);
}

/* Nodes of the machines' formats are our routers; where processors are inside m-way routers, these, each of
 * which has one. */
uint32_t map_router_of(const struct map_problem *problem, uint32_t slot)
{
    if (net_shared_inside_routers(problem->topology))
        return problem->terminal[slot];
    uint32_t router = net_topology_router_of(problem->topology, problem->terminal[slot]);
    return router == NET_NONE ? problem->terminal[slot] : router;
}

/* Slots are sorted by terminal, so those of one router stand together. */
uint32_t map_place_in_router(const struct map_problem *problem, uint32_t slot)
{
    uint32_t place = 0;

    while (place < slot && map_router_of(problem, slot - place - 1) == map_router_of(problem, slot))
        place++;
    return place;
}

/* Terminals of one router are consecutive, and so are their slots. What is refused is the partition's, not the
 * machine's: a node outside of it, or a place that its free terminals do not have. */
int map_reader_place_on(struct map_reader *reader, uint64_t rank, uint64_t router, uint64_t place,
                        const char *rank_text, const char *router_text, struct base_error *error)
{
    const struct map_problem *problem = reader->problem;
    uint32_t width = problem->topology->concentration == 0 ? 1 : problem->topology->concentration;
    uint32_t slot, end;

    if (net_shared_inside_routers(problem->topology))
        width = 1;
    if (check_rank(reader, rank, rank_text, error) != 0)
        return -1;
    slot = router > UINT32_MAX ? problem->slots : first_slot(problem, router * width);
    if (slot == problem->slots || map_router_of(problem, slot) != router)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, router_text),
                             "'%.*s' is not a node of the partition", (int)strcspn(router_text, " \t#,="),
                             router_text);
    for (end = slot; end < problem->slots && map_router_of(problem, end) == router;)
        end++;
    if (place == NET_NONE)
        while (slot + 1 < end && reader->rank_in[slot] < problem->ranks)
            slot++;
    else if (place >= end - slot)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, router_text),
                             "this node has %u place%s for ranks, counted from 0", end - slot,
                             end - slot == 1 ? "" : "s");
    else
        slot += (uint32_t)place;
    return map_reader_put(reader, rank, slot, rank_text, router_text, error);
}

/* ---- Whole files ---- */

/* All lines have been checked one by one; what can still be wrong is that some ranks never came. */
static int read_all(const struct map_format *format, struct map_reader *reader, struct base_error *error)
{
    uint32_t missing = 0, ranks = reader->problem->ranks;

    if (format->read(reader, error) != 0)
        return -1;
    if (reader->placed == ranks)
        return 0;
    while (reader->line_of_rank[missing] != 0)
        missing++;
    reader->where.column = 1;
    return base_error_at(error, BASE_INPUT, &reader->where,
                         "the file ends with %u of %u ranks placed; the first without a terminal is rank %u",
                         reader->placed, ranks, missing);
}

/* In proportion to ranks and slots, not to the file. */
static int allocate(struct map_reader *reader, struct base_error *error)
{
    const struct map_problem *problem = reader->problem;

    reader->line_of_rank = calloc((size_t)problem->ranks + 1, sizeof *reader->line_of_rank);
    reader->rank_in = malloc(((size_t)problem->slots + 1) * sizeof *reader->rank_in);
    if (reader->line_of_rank == NULL || reader->rank_in == NULL)
        return base_error_memory(error, "reading a placement");
    for (uint32_t slot = 0; slot < problem->slots; slot++)
        reader->rank_in[slot] = problem->ranks;
    return 0;
}

/* Everything is freed in one place, however far the reading came. */
int map_file_read(const struct map_format *format, const struct base_input *file,
                  const struct map_problem *problem, uint32_t *slot, struct base_error *error)
{
    struct map_reader reader = {.stream = file->stream, .problem = problem, .slot = slot};
    int status = -1;

    reader.where = base_position_of(file->path);
    reader.where.line = 0;
    reader.longest = format->longest_line == 0 ? MAP_LINE_CHARACTERS_MAX : format->longest_line;
    if (allocate(&reader, error) == 0)
        status = read_all(format, &reader, error);
    free(reader.line);
    free(reader.rank_in);
    free(reader.line_of_rank);
    return status;
}

/* Ranks that share a terminal take its slots in their own order. */
static void find_slots(const struct map_placement *placement, const struct map_problem *problem,
                       uint32_t *slot, uint32_t *used)
{
    for (uint32_t rank = 0; rank < placement->ranks; rank++) {
        uint32_t first = first_slot(problem, placement->terminal[rank]);
        slot[rank] = first + used[first];
        used[first]++;
    }
}

/* A problem without a graph, made for its slots and coordinates only. The format's -1 does not say why:
 * when the stream is in order, then it cannot express this placement, which is the user's choice of format
 * and no failure of the system. */
int map_placement_write_as(const char *format_name, const struct map_placement *placement,
                           const struct map_place *place, FILE *stream, struct base_error *error)
{
    const struct map_format *format = map_format_find(format_name, error);
    struct map_problem *problem;
    uint32_t *slot, *used;
    int status = -1;

    if (format == NULL)
        return -1;
    problem = map_problem_new(place, placement->ranks, NULL, MAP_HOP_BYTES, false, error);
    if (problem == NULL)
        return -1;
    slot = calloc((size_t)problem->ranks + 1, sizeof *slot);
    used = calloc((size_t)problem->slots + 1, sizeof *used);
    if (slot == NULL || used == NULL) {
        base_error_memory(error, "writing a placement");
    } else {
        find_slots(placement, problem, slot, used);
        status = format->write(placement, problem, slot, stream);
        if (status != 0 && ferror(stream))
            base_error_set(error, BASE_SYSTEM, "the placement cannot be written");
        else if (status != 0)
            base_error_set(error, BASE_USAGE,
                           "the format %s cannot say this placement: %s; the format text can", format->name,
                           format->limit);
    }
    free(used);
    free(slot);
    map_problem_free(problem);
    return status;
}
