/* Files that say which rank runs where: our own text, and those of machines. One format is one file that ends
 * in one descriptor, and one line in formats.def.
 *
 * The reader gives lines of bounded length and parts of them, with their places for errors: these files are
 * edited by hand, so whatever is wrong is named with its line and column. A file that is only partly right is
 * refused as a whole, since a replay on a placement nobody wrote would pass for a result. Memory is in
 * proportion to the ranks, whatever the file holds. */
#ifndef MAP_MAP_FILE_H
#define MAP_MAP_FILE_H

#include <stdio.h>

#include "base/input.h"
#include "mappers/placement.h"

#define MAP_LINE_CHARACTERS_MAX 4096

struct map_reader {
    FILE *stream;                      /* borrowed from the input */
    const struct map_problem *problem; /* whose slots ranks are put into */
    uint32_t placed;                   /* ranks so far */
    uint32_t *slot;                    /* [rank] */
    int64_t *line_of_rank;             /* 0: not placed yet */
    uint32_t *rank_in;                 /* [slot]; problem->ranks: nobody */
    struct base_position where;        /* the line being read, and a column in it */
    char *line;                        /* without its end, and a terminator */
    size_t line_room, longest;         /* longest: characters that a line may have */
    size_t length;
};

struct map_format {
    const char *name, *summary; /* as --format takes it; a line for lists */
    const char *ending;         /* of the names of such files; "." and the format's name is another */
    size_t longest_line;        /* 0: MAP_LINE_CHARACTERS_MAX */
    /* Reads all of the file, placing each rank. That all are placed is checked afterwards. */
    int (*read)(struct map_reader *reader, struct base_error *error);
    const char *limit; /* what it cannot say, and so why it refuses some placements; NULL: it says all */
    /* place[rank]: as map_placement_write. NULL: cannot be written. */
    int (*write)(const struct map_placement *placement, const struct map_problem *problem,
                 const uint32_t *slot, FILE *stream);
};

const struct map_format *const *map_formats(size_t *count);
/* NULL: unknown, with the nearest match (BASE_USAGE). */
const struct map_format *map_format_find(const char *name, struct base_error *error);
/* By the ending of a file's name; our own text, where that is no format's. Never NULL. */
const struct map_format *map_format_of_path(const char *path);

/* ---- For formats ---- */

/* 1: the next line; 0: the file is over; -1: too long, without its end, with DOS ends, or reading failed. */
int map_reader_line(struct map_reader *reader, struct base_error *error);
/* Reads all lines by a function of one. */
int map_reader_lines(struct map_reader *reader,
                     int (*read_line)(struct map_reader *reader, struct base_error *error),
                     struct base_error *error);
/* Reads a line of items with commas between them. A comma may end it, as the list goes on in the next one; but two
 * commas in a row, or one at the beginning, are refused where an item is expected. */
int map_reader_list(struct map_reader *reader,
                    int (*read_item)(struct map_reader *reader, const char **text, struct base_error *error),
                    struct base_error *error);
/* The first character of a line (or from `text` on) that is neither blank nor tab. */
const char *map_skip_blanks(const char *text);
/* Whether the line ends here, or a comment begins. */
bool map_at_end(const struct map_reader *reader, const char *text);
/* The position of a character of the line, for an error about it. */
const struct base_position *map_reader_at(struct map_reader *reader, const char *place);
/* Decimal digits before a blank, the end or a character of `ends`; moves *text behind them. Larger numbers
 * than fit are UINT64_MAX. -1: something else, named with what was expected. */
int map_reader_number(struct map_reader *reader, const char **text, const char *ends, const char *expected,
                      uint64_t *number, struct base_error *error);
/* The error for anything but what was expected, shown as far as it can be printed. */
int map_reader_garbage(struct map_reader *reader, const char *text, const char *expected,
                       struct base_error *error);
/* -1 unless the line ends here. */
int map_reader_end(struct map_reader *reader, const char *text, struct base_error *error);
/* How many digits to show of a number that does not exist. */
int map_digits(const char *text);

/* Puts a rank on a terminal, into its first free slot; both with their places in the line. -1: no such rank,
 * placed already, no such terminal, not of the partition, or full. */
int map_reader_place(struct map_reader *reader, uint64_t rank, uint64_t terminal, const char *rank_text,
                     const char *terminal_text, struct base_error *error);
/* The same, into a slot. */
int map_reader_put(struct map_reader *reader, uint64_t rank, uint32_t slot, const char *rank_text,
                   const char *slot_text, struct base_error *error);
/* Puts a rank on a router (UINT64_MAX: none such), into its place-th slot, or with NET_NONE its first free
 * one. */
int map_reader_place_on(struct map_reader *reader, uint64_t rank, uint64_t router, uint64_t place,
                        const char *rank_text, const char *router_text, struct base_error *error);
/* The router of a slot; on an ideal network its terminal, where each is a node of its own. */
uint32_t map_router_of(const struct map_problem *problem, uint32_t slot);
/* How many slots of the slot's router come before it. */
uint32_t map_place_in_router(const struct map_problem *problem, uint32_t slot);

/* A whole file. -1: as above, or ranks are missing at its end. slot[rank] as a mapper's. */
int map_file_read(const struct map_format *format, const struct base_input *file,
                  const struct map_problem *problem, uint32_t *slot, struct base_error *error);

#endif
