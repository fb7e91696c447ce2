/* Nothing here knows a file format: the calls go through the table that a format has filled, and the shapes
 * below are made of its primitives. */
#include "reports/drawing/draw.h"

#include <stdlib.h>

/* Holds until the next one, for areas and texts (fill) and for lines (line). */
void report_draw_color(struct report_draw *draw, report_color fill, report_color line)
{
    draw->color(draw, fill, line);
}

/* The corner is the upper left one, and the radius that of round corners; 0: they are square. Filled and outlined
 * by the colours that hold. */
void report_draw_box(struct report_draw *draw, struct report_point corner, struct report_point size,
                     int32_t radius)
{
    draw->box(draw, corner, size, radius);
}

/* A box that is filled alone: pictures of loads over time have a hundred thousand of them, which a format may join
 * into one path. */
void report_draw_cell(struct report_draw *draw, struct report_point corner, struct report_point size)
{
    draw->cell(draw, corner, size);
}

/* Formats that cannot be pointed at leave it out. */
void report_draw_note(struct report_draw *draw, const char *text)
{
    draw->note(draw, text);
}

/* point is the text's vertical middle, and its start, middle or end by the anchor. */
void report_draw_text(struct report_draw *draw, struct report_point point, int32_t size,
                      enum report_anchor anchor, const char *text)
{
    draw->text(draw, point, size, anchor, text);
}

/* An estimate, as the viewer chooses the font: leave some room. */
int32_t report_draw_text_width(struct report_draw *draw, int32_t size, const char *text)
{
    return draw->text_width(draw, size, text);
}

/* 0.6 of the size per character covers the digits and ordinary words of common sans-serif fonts; bytes of UTF-8
 * that continue a character do not count. */
int32_t report_text_width(struct report_draw *draw, int32_t size, const char *text)
{
    int32_t characters = 0;
    (void)draw;
    for (; *text != '\0'; text++)
        characters += ((unsigned char)*text & 0xc0) != 0x80;
    return characters * size * 3 / 5;
}

/* In proportion, so that words are as large as those of a picture of that width once both fill a page. */
int32_t report_draw_larger(int32_t width)
{
    return width <= REPORT_WIDE ? 0 : (int32_t)((int64_t)width * 100 / REPORT_WIDE) - 100;
}

/* Rounded down to a tenth of a pixel, as all lengths are whole. */
int32_t report_draw_more(int32_t length, int32_t larger)
{
    return (int32_t)((int64_t)length * larger / 100);
}

/* One straight piece; longer ones go to the format's own function, which takes any number of points. */
void report_draw_line(struct report_draw *draw, struct report_point from, struct report_point to,
                      int32_t width)
{
    const struct report_point points[] = {from, to};
    draw->line(draw, points, 2, width);
}

/* The head's arms leave the tip half a right angle from the shaft. Without roots or sines: the longer part of
 * the shaft stands for its length, and 5/7 for the root of one half where the shaft is diagonal. */
void report_draw_arrow(struct report_draw *draw, struct report_point from, struct report_point to,
                       int32_t width, int32_t head)
{
    int32_t dx = from.x - to.x, dy = from.y - to.y;
    int32_t length = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    report_draw_line(draw, from, to, width);
    if (length == 0)
        return;
    int32_t along_x = dx * head / length, along_y = dy * head / length;
    if (dx != 0 && dy != 0) {
        along_x = along_x * 5 / 7;
        along_y = along_y * 5 / 7;
    }
    const struct report_point arms[] = {{to.x + along_x - along_y, to.y + along_y + along_x},
                                        to,
                                        {to.x + along_x + along_y, to.y + along_y - along_x}};
    draw->line(draw, arms, 3, width);
}

/* A circle is no primitive: a box whose corners are all of it looks the same in every format that has round
 * corners. */
void report_draw_dot(struct report_draw *draw, struct report_point middle, int32_t diameter)
{
    struct report_point corner = {middle.x - diameter / 2, middle.y - diameter / 2};
    draw->box(draw, corner, (struct report_point){diameter, diameter}, diameter / 2);
}
