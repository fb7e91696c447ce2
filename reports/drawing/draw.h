/* Pictures through five primitives, behind which a file format sits: colour, box, line, text, text size; and
 * notes for whoever points at something. A picture is drawn from back to front. Coordinates are whole
 * numbers, in tenths of a pixel, x to the right and y downwards, so that the same picture is the same bytes
 * everywhere.
 *
 *      struct report_svg svg;                                        (reports/drawing/svg.h)
 *      struct report_draw *draw = report_svg_begin(&svg, stream, width, height, "mesh:8x8");
 *      report_draw_color(draw, fill, line);
 *      report_draw_box(draw, x, y, width, height, radius); …
 *      return report_svg_end(&svg, error); */
#ifndef REPORT_DRAW_H
#define REPORT_DRAW_H

#include <stddef.h>
#include <stdint.h>

struct report_point {
    int32_t x, y; /* tenths of a pixel, from the upper left corner */
};

/* 0xRRGGBB, or REPORT_NO_COLOR for nothing. */
typedef uint32_t report_color;
#define REPORT_NO_COLOR UINT32_MAX

enum report_anchor { REPORT_START, REPORT_MIDDLE, REPORT_END };

/* What a format implements. Nothing fails here: a format remembers its stream's errors until the end. */
struct report_draw {
    /* Where the coordinates of what is drawn from now on begin: panels of one picture are drawn alike. */
    struct report_point origin;
    /* By how many per cent it is drawn larger, from the origin on: the words of a wide picture. */
    int32_t larger;
    /* What is drawn from now on: boxes are filled and outlined, lines have the line colour, text the fill
     * colour. */
    void (*color)(struct report_draw *draw, report_color fill, report_color line);
    void (*box)(struct report_draw *draw, struct report_point corner, struct report_point size,
                int32_t radius);
    /* A box without outline, of which a picture may have tens of thousands: a format joins those of one colour that
     * follow each other. */
    void (*cell)(struct report_draw *draw, struct report_point corner, struct report_point size);
    /* Straight pieces through the points (at least two). */
    void (*line)(struct report_draw *draw, const struct report_point *points, size_t count, int32_t width);
    /* One line of UTF-8; point is on its middle height, at its start, middle or end. size is the font's. */
    void (*text)(struct report_draw *draw, struct report_point point, int32_t size, enum report_anchor anchor,
                 const char *text);
    /* The width to leave for a text. */
    int32_t (*text_width)(struct report_draw *draw, int32_t size, const char *text);
    /* What is drawn from now on says so to whoever points at it, until the next note. NULL: nothing any more. */
    void (*note)(struct report_draw *draw, const char *text);
};

/* The primitives as calls. */
void report_draw_color(struct report_draw *draw, report_color fill, report_color line);
void report_draw_box(struct report_draw *draw, struct report_point corner, struct report_point size,
                     int32_t radius);
void report_draw_cell(struct report_draw *draw, struct report_point corner, struct report_point size);
void report_draw_note(struct report_draw *draw, const char *text);
void report_draw_text(struct report_draw *draw, struct report_point point, int32_t size,
                      enum report_anchor anchor, const char *text);
int32_t report_draw_text_width(struct report_draw *draw, int32_t size, const char *text);

/* The width to leave for a text in any format whose viewer chooses the font (report_draw.text_width). */
int32_t report_text_width(struct report_draw *draw, int32_t size, const char *text);

/* Pictures that are wider than this shrink on every page, and have larger words for it: by how many per cent. */
#define REPORT_WIDE 9000
int32_t report_draw_larger(int32_t width);
/* What is added to a length that is drawn so much larger. */
int32_t report_draw_more(int32_t length, int32_t larger);

/* Made of them. */
void report_draw_line(struct report_draw *draw, struct report_point from, struct report_point to,
                      int32_t width);
/* A line with an open head of the given size at `to`. */
void report_draw_arrow(struct report_draw *draw, struct report_point from, struct report_point to,
                       int32_t width, int32_t head);
/* A dot: a box that is all corner. */
void report_draw_dot(struct report_draw *draw, struct report_point middle, int32_t diameter);

#endif
