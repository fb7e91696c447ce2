/* Lines of one colour and width that follow each other become one path with relative ends: a picture of
 * thousands of links stays small. Numbers are written as whole tenths; the viewBox scales them to pixels. */
#include "reports/drawing/svg.h"

#include <errno.h>
#include <string.h>

#include "base/build.h"
#include "reports/pages/clean.h"

/* The base is the first member. */
static struct report_svg *svg_of(struct report_draw *draw)
{
    return (struct report_svg *)draw;
}

/* Of a text that is longer than any picture is wide, its beginning. */
#define TEXT_MOST 200
/* Higher than this, in tenths of a pixel, a picture has a printed page for itself (reports/pages/style.c). */
#define TALL 10000

/* Names come from traces and files of any origin, and SVG stands in the HTML page as markup: nothing that a name
 * holds may end its element. */
static void write_escaped(FILE *stream, const char *text)
{
    report_clean_markup(stream, text, TEXT_MOST);
}

/* REPORT_NO_COLOR has to be said: black is the default of SVG. */
static void write_color(FILE *stream, const char *attribute, report_color color)
{
    if (color == REPORT_NO_COLOR)
        fprintf(stream, " %s=\"none\"", attribute);
    else
        fprintf(stream, " %s=\"#%06x\"", attribute, (unsigned)(color & 0xffffff));
}

/* Nothing when none is open. A width of 0 stands for no open path of lines: no line has it. */
static void close_path(struct report_svg *svg)
{
    if (svg->path_width != 0 || svg->has_cells)
        fputs("\"/>\n", svg->stream);
    svg->path_width = 0;
    svg->has_cells = false;
}

/* A path has one colour, so a change ends it. */
static void set_color(struct report_draw *draw, report_color fill, report_color line)
{
    struct report_svg *svg = svg_of(draw);
    close_path(svg);
    svg->fill = fill;
    svg->line = line;
}

/* A length, and a place, as the origin and the enlargement say. */
static int32_t scaled(const struct report_draw *draw, int32_t length)
{
    return length + report_draw_more(length, draw->larger);
}

static struct report_point placed(const struct report_draw *draw, struct report_point point)
{
    return (struct report_point){draw->origin.x + scaled(draw, point.x),
                                 draw->origin.y + scaled(draw, point.y)};
}

/* A stroke of none is the default, and left out to keep the file small. */
static void add_box(struct report_draw *draw, struct report_point corner, struct report_point size,
                    int32_t radius)
{
    struct report_svg *svg = svg_of(draw);
    struct report_point at = placed(draw, corner);
    close_path(svg);
    fprintf(svg->stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", at.x, at.y,
            scaled(draw, size.x), scaled(draw, size.y));
    if (radius > 0)
        fprintf(svg->stream, " rx=\"%d\"", scaled(draw, radius));
    write_color(svg->stream, "fill", svg->fill);
    if (svg->line != REPORT_NO_COLOR)
        write_color(svg->stream, "stroke", svg->line);
    fputs("/>\n", svg->stream);
}

/* Appends to the open path where colour and width allow; whoever draws something else closes it first. The
 * first point of each line is absolute, the others relative to the one before: short numbers, and no sum of
 * roundings, as all are whole. */
static void add_line(struct report_draw *draw, const struct report_point *points, size_t count, int32_t width)
{
    struct report_svg *svg = svg_of(draw);
    struct report_point at = placed(draw, points[0]);
    width = scaled(draw, width);
    if (svg->path_width != width)
        close_path(svg); /* of another width, or of cells */
    if (svg->path_width == 0) {
        fputs("<path fill=\"none\"", svg->stream);
        write_color(svg->stream, "stroke", svg->line);
        fprintf(svg->stream, " stroke-width=\"%d\" d=\"", width);
        svg->path_width = width;
    }
    fprintf(svg->stream, "M%d %d", at.x, at.y);
    for (size_t i = 1; i < count; i++) {
        struct report_point next = placed(draw, points[i]);
        fprintf(svg->stream, "l%d %d", next.x - at.x, next.y - at.y);
        at = next;
    }
}

/* Four corners of a closed path, relative but for the first: a third of what a box takes. */
static void add_cell(struct report_draw *draw, struct report_point corner, struct report_point size)
{
    struct report_svg *svg = svg_of(draw);
    if (!svg->has_cells) {
        close_path(svg);
        fputs("<path", svg->stream);
        write_color(svg->stream, "fill", svg->fill);
        fputs(" d=\"", svg->stream);
        svg->has_cells = true;
    }
    struct report_point at = placed(draw, corner);
    fprintf(svg->stream, "M%d %dh%dv%dh%dz", at.x, at.y, scaled(draw, size.x), scaled(draw, size.y),
            -scaled(draw, size.x));
}

/* A group, whose title browsers show. Notes do not nest, so one flag is enough. */
static void set_note(struct report_draw *draw, const char *text)
{
    struct report_svg *svg = svg_of(draw);
    close_path(svg);
    if (svg->has_note)
        fputs("</g>\n", svg->stream);
    svg->has_note = text != NULL;
    if (text == NULL)
        return;
    fputs("<g><title>", svg->stream);
    write_escaped(svg->stream, text);
    fputs("</title>\n", svg->stream);
}

/* Central by a third of the size: what dominant-baseline would do, where it is understood. */
static void add_text(struct report_draw *draw, struct report_point point, int32_t size,
                     enum report_anchor anchor, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    struct report_svg *svg = svg_of(draw);
    struct report_point at = placed(draw, point);
    close_path(svg);
    size = scaled(draw, size);
    fprintf(svg->stream, "<text x=\"%d\" y=\"%d\" font-size=\"%d\"", at.x, at.y + size * 7 / 20, size);
    if (anchor != REPORT_START)
        fprintf(svg->stream, " text-anchor=\"%s\"", anchors[anchor]);
    write_color(svg->stream, "fill", svg->fill);
    putc('>', svg->stream);
    write_escaped(svg->stream, text);
    fputs("</text>\n", svg->stream);
}

/* How a printed page takes it: tall, or about square, for half of the width (reports/pages/style.c). */
static const char *class_of(struct report_point size)
{
    if (size.y > TALL)
        return " class=\"tall\"";
    return 10 * (int64_t)size.y >= 9 * (int64_t)size.x ? " class=\"square\"" : "";
}

/* The size in pixels is rounded up, and the viewBox with it, so that a tenth is always a tenth; the style sheet of
 * pages reads the width, below a part of which no picture shrinks. Nothing is drawn in a colour until one is set. The
 * title is an element and not a text, so that viewers show it and readers for the blind say it. */
struct report_draw *report_svg_begin(struct report_svg *svg, FILE *stream, struct report_point size,
                                     const char *title)
{
    memset(svg, 0, sizeof *svg);
    svg->draw = (struct report_draw){.color = set_color,
                                     .box = add_box,
                                     .cell = add_cell,
                                     .line = add_line,
                                     .text = add_text,
                                     .text_width = report_text_width,
                                     .note = set_note};
    svg->stream = stream;
    svg->fill = svg->line = REPORT_NO_COLOR;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"%s width=\"%d\" height=\"%d\" "
            "style=\"--width:%dpx\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif\" stroke-width=\"10\" "
            "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>",
            class_of(size), (size.x + 9) / 10, (size.y + 9) / 10, (size.x + 9) / 10, (size.x + 9) / 10 * 10,
            (size.y + 9) / 10 * 10);
    write_escaped(stream, title);
    fputs("</title>\n<metadata>made by flitreplay ", stream);
    write_escaped(stream, base_build());
    fputs("</metadata>\n", stream);
    return &svg->draw;
}

/* The first failed write leaves its mark on the stream, so one look at the end is enough. */
int report_svg_end(struct report_svg *svg, struct base_error *error)
{
    set_note(&svg->draw, NULL);
    fputs("</svg>\n", svg->stream);
    errno = 0;
    if (fflush(svg->stream) != 0 || ferror(svg->stream))
        return base_error_system(error, errno, "the picture could not be written");
    return 0;
}
