/* Slurm's lists of hosts, as SLURM_HOSTFILE takes them with --distribution=arbitrary: the node of each rank in the
 * order of ranks, separated by commas or lines, with ranges in brackets.
 *
 *      node[0-3,7],node5
 *      node[08-11]
 *      r0c[0-1]n[0-7]          r0c0n0, r0c0n1, ... r0c0n7, r0c1n0, ...
 *
 * A node's name ends in the number of its router (on an ideal network: of its terminal), whatever stands before that
 * number. A node that comes again takes one rank more, as far as it has places. Several brackets are expanded as Slurm
 * does, the last one fastest, and zeros in front are kept: n[0-1][08-11] is n008 to n011 and n108 to n111.
 *
 * Nothing is expanded into memory: the brackets are the digits of an odometer that stands in the line, and each of its
 * names is placed at once, so that there are as many steps as ranks at most, whatever the ranges promise. */
#include <config.h>

#include "mappers/formats/map-file.h"

#include <string.h>

#define NODES_MAX (UINT32_C(1) << 24) /* more than any topology has */
#define BRACKETS_MAX 8                /* in a name: more than rack, chassis, slot, blade and node take */

/* The next rank goes to this node. */
static int put(struct map_reader *reader, uint64_t node, const char *text, struct base_error *error)
{
    if (reader->placed >= reader->problem->ranks)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, text), "more nodes than the %u ranks",
                             reader->problem->ranks);
    return map_reader_place_on(reader, reader->placed, node, NET_NONE, text, text, error);
}

/* Digits at the end of a name, as far as it has been put together. */
struct tail {
    uint64_t number; /* UINT64_MAX: larger than any node */
    size_t digits;   /* with zeros in front; 0: the name does not end in a number */
};

/* One bracket of a name, at one of its values, and what stands before it. */
struct bracket {
    bool resets;          /* letters stand between the bracket before (or the begin) and this one */
    struct tail before;   /* the digits just before the bracket */
    const char *begin;    /* of the first range */
    const char *at, *end; /* the range of this value, and the comma or bracket behind it */
    uint64_t value, last;
    size_t width; /* digits of the range's first number, as written */
};

struct host {
    const char *start;                    /* of its name in the line, for errors */
    struct bracket bracket[BRACKETS_MAX]; /* from left to right; the last turns fastest */
    uint32_t brackets;                    /* that the name has */
    bool resets;                          /* the same for what stands behind the last bracket */
    struct tail after;
};

/* Digits are written behind others; 20 of them are more than a number holds, so that no more need to be shifted. */
static void append(struct tail *tail, uint64_t number, size_t digits)
{
    for (size_t i = 0; i < digits && i < 20; i++)
        tail->number = tail->number > UINT64_MAX / 20 ? UINT64_MAX : tail->number * 10;
    tail->number = tail->number > UINT64_MAX - number ? UINT64_MAX : tail->number + number;
    tail->digits += digits;
}

/* "3" or "0-7" within brackets: sets the bracket to its first number. */
static int read_range(struct map_reader *reader, const char *text, struct bracket *bracket,
                      struct base_error *error)
{
    bracket->at = text;
    if (map_reader_number(reader, &text, "-,]", "the number of a node", &bracket->value, error) != 0)
        return -1;
    bracket->width = (size_t)(text - bracket->at);
    bracket->last = bracket->value;
    if (*text == '-') {
        text++;
        if (map_reader_number(reader, &text, ",]", "the last number of a range", &bracket->last, error) != 0)
            return -1;
    }
    if (bracket->last < bracket->value || bracket->last >= NODES_MAX)
        return base_error_at(error, BASE_INPUT, map_reader_at(reader, bracket->at),
                             "the range of nodes ends before it begins, or has too large a number");
    bracket->end = text;
    return 0;
}

/* From behind the bracket to behind its end. All ranges are read, so that none is wrong when nodes are placed; the
 * bracket is left at its first. */
static int read_bracket(struct map_reader *reader, const char **text, struct bracket *bracket,
                        struct base_error *error)
{
    const char *begin = *text;

    for (;;) {
        if (read_range(reader, *text, bracket, error) != 0)
            return -1;
        *text = bracket->end;
        if (**text == ']')
            break;
        if (**text != ',')
            return map_reader_garbage(reader, *text, "']'", error);
        ++*text;
    }
    ++*text;
    bracket->begin = begin;
    return read_range(reader, begin, bracket, error);
}

/* What stands outside of brackets, up to *end; its last digits. */
static struct tail read_letters(const char *text, const char *end, bool *resets)
{
    const char *digit = end;
    struct tail tail = {0};

    while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    *resets = digit > text;
    for (; digit < end; digit++)
        append(&tail, (uint64_t)(*digit - '0'), 1);
    return tail;
}

/* The next value of the odometer. False: that was the last one. Ranges have been read before, and are right. A
 * bracket that has come to its end goes back to its first range, and the one before it moves on, as in any
 * odometer. */
static bool advance(struct map_reader *reader, struct host *host)
{
    for (uint32_t i = host->brackets; i-- > 0;) {
        struct bracket *bracket = &host->bracket[i];
        bool wraps = bracket->value == bracket->last && *bracket->end != ',';
        if (bracket->value < bracket->last)
            bracket->value++;
        else
            (void)read_range(reader, wraps ? bracket->begin : bracket->end + 1, bracket, NULL);
        if (!wraps)
            return true;
    }
    return false;
}

/* Of a number in decimal; 0 has one. */
static size_t digits_of(uint64_t number)
{
    size_t digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* The number at the end of the name that the odometer shows. Digits that touch make one number, across the border
 * of a bracket: n1[08-11] begins with 108. A letter between them begins it anew. */
static struct tail tail_of(const struct host *host)
{
    struct tail tail = {0};

    for (uint32_t i = 0; i < host->brackets; i++) {
        const struct bracket *bracket = &host->bracket[i];
        size_t digits = digits_of(bracket->value);
        if (bracket->resets)
            tail = (struct tail){0};
        append(&tail, bracket->before.number, bracket->before.digits);
        append(&tail, bracket->value, digits < bracket->width ? bracket->width : digits);
    }
    if (host->resets)
        tail = (struct tail){0};
    append(&tail, host->after.number, host->after.digits);
    return tail;
}

/* One host, or a bracketed set of them, to its end: nothing is placed. What it leaves in `host` points into the
 * reader's line, and is worth something until the next line is read. */
static int parse_host(struct map_reader *reader, const char **text, struct host *host,
                      struct base_error *error)
{
    *host = (struct host){.start = *text};
    for (;;) {
        const char *end = *text + strcspn(*text, " \t#,[]");
        struct bracket *bracket = &host->bracket[host->brackets];
        if (*end == ']')
            return map_reader_garbage(reader, end, "'[' before it", error);
        if (*end != '[') {
            host->after = read_letters(*text, end, &host->resets);
            *text = end;
            break;
        }
        if (host->brackets == BRACKETS_MAX)
            return base_error_at(error, BASE_INPUT, map_reader_at(reader, end),
                                 "more than %d brackets in a name", BRACKETS_MAX);
        bracket->before = read_letters(*text, end, &bracket->resets);
        *text = end + 1;
        if (read_bracket(reader, text, bracket, error) != 0)
            return -1;
        host->brackets++;
    }
    if (tail_of(host).digits == 0)
        return map_reader_garbage(reader, host->start, "a node whose name ends in a number", error);
    return 0;
}

/* Errors are where the fastest bracket is, or at the name. */
static int read_host(struct map_reader *reader, const char **text, struct base_error *error)
{
    struct host host;

    if (parse_host(reader, text, &host, error) != 0)
        return -1;
    do {
        const char *place = host.brackets == 0 ? host.start : host.bracket[host.brackets - 1].at;
        if (put(reader, tail_of(&host).number, place, error) != 0)
            return -1;
    } while (advance(reader, &host));
    return 0;
}

/* Hosts with commas between them; what stands in brackets has commas of its own, which read_host takes. */
static int read_line(struct map_reader *reader, struct base_error *error)
{
    return map_reader_list(reader, read_host, error);
}

/* A list may be on one line or on many. */
static int read(struct map_reader *reader, struct base_error *error)
{
    return map_reader_lines(reader, read_line, error);
}

/* A line a rank. Within a node the places are given out in the order of ranks, which is all that the form can say. */
static int write(const struct map_placement *placement, const struct map_problem *problem,
                 const uint32_t *slot, FILE *stream)
{
    for (uint32_t rank = 0; rank < placement->ranks; rank++)
        fprintf(stream, "node%u\n", map_router_of(problem, slot[rank]));
    return ferror(stream) ? -1 : 0;
}

const struct map_format map_format_hostlist = {
    .name = "hostlist",
    .summary = "Slurm's lists of hosts, one for each rank: node[0-3,7] (*.hosts)",
    .ending = ".hosts",
    .longest_line = 1 << 20,
    .read = read,
    .write = write,
};
