/* Inside reports/: a page to read: headings, paragraphs, tables with aligned columns, as text wrapped at a
 * width or as an HTML document (markup.c). What is written once comes out as both; pictures are in the
 * document only. A struct report_page remembers the first failure; report_page_finish tells.
 *
 *      struct report_page page;
 *      report_page_begin(&page, stream, 80);
 *      report_page_heading(&page, "Busiest channels");
 *      report_page_table(&page, "lrr");
 *      report_page_cell(&page, "%s", name); …            row by row
 *      report_page_table_end(&page);
 *      return report_page_finish(&page, error); */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

#define REPORT_PAGE_COLUMNS 12 /* of a table, at most */
#define REPORT_NUMBER_TEXT 32

struct report_page_form; /* markup.h: text or a document */
struct report_page_markup;

struct report_page {
    const struct report_page_form *form;
    FILE *stream;            /* borrowed */
    unsigned width;          /* of text, in columns */
    bool failed;             /* memory ran out */
    struct base_arena arena; /* the cells of the open table */
    const char *alignment;   /* of the open table: a letter a column */
    const char **cells;      /* row by row */
    size_t cell_count, cell_capacity;
    size_t head_cells;                 /* of them, those of the head row */
    struct report_page_markup *markup; /* of a document; NULL: text */
};

/* width: columns to use; less than 60 is taken for 60. */
void report_page_begin(struct report_page *page, FILE *stream, unsigned width);
/* The same calls make one HTML document: readable without its script, without anything from elsewhere, for screens
 * light and dark, wide and narrow, and for paper. All text is escaped. */
void report_page_begin_markup(struct report_page *page, FILE *stream, const char *title);
int report_page_finish(struct report_page *page, struct base_error *error);

/* A blank line, then the heading. */
void report_page_heading(struct report_page *page, const char *text);
/* Words wrapped at the page's width, each line indented by `indent` columns. Control characters are replaced
 * by '?'. */
void report_page_paragraph(struct report_page *page, unsigned indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A blank line between paragraphs and tables; a document has distances of its own. */
void report_page_gap(struct report_page *page);
/* Opens a table: a letter a column: 'l' or 'r' for its alignment, 'b' for bars: cells by
 * report_page_bar. A last column 'l' is wrapped within the page. Texts in other columns are cut where they
 * are so long that no table could hold them. */
void report_page_table(struct report_page *page, const char *alignment);
/* The next cell, from left to right and row by row. */
void report_page_cell(struct report_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next cell, of a column 'b': a bar of `share` of the column's width, 0 to 1; `columns` are that width in
 * text. Text rounds to whole '#', of which what is not 0 has one at least; a document is exact. */
void report_page_bar(struct report_page *page, double share, int columns);
/* The cells so far are the head row. */
void report_page_head(struct report_page *page);
/* A head row where only the document has one; text does without. A title a column, between '|'. */
void report_page_titles(struct report_page *page, const char *titles);
void report_page_table_end(struct report_page *page);

/* Two cells of a table "ll": the command that a document was made by. NULL: nothing. */
void report_page_command(struct report_page *page, const char *command);
/* The same: the program that makes it, by its build. */
void report_page_program(struct report_page *page);

/* For the document alone; in text nothing happens. What is between the first two is folded away until the
 * reader opens it; the caller asks report_page_is_markup before filling it. */
bool report_page_is_markup(const struct report_page *page);
void report_page_details(struct report_page *page, const char *summary);
void report_page_details_end(struct report_page *page);
/* What comes before the first heading is the answer and set larger, until this says that it is not, or that
 * what follows is, up to the next heading. */
void report_page_answer(struct report_page *page, bool is_answer);
/* Headings from now on are of parts of a section, which the contents leave out; or, until the next one is, again of
 * sections. */
void report_page_below(struct report_page *page, bool is_below);
/* On paper all pictures but those of the answer stand behind the text, so that none leaves the page before it
 * half empty. For reports whose pictures say by themselves what they are of. */
void report_page_pictures_last(struct report_page *page);
/* A picture with a caption. draw writes SVG, or fails with -1, which the page keeps. */
typedef int report_page_picture(const void *content, FILE *stream, struct base_error *error);
void report_page_figure(struct report_page *page, const char *caption, report_page_picture *draw,
                        const void *content);

/* Numbers for people. Not finite: "-". Each returns text. */
char *report_page_share(double share, char text[REPORT_NUMBER_TEXT]);  /* 0.1234 -> "12.3 %" */
char *report_page_amount(double value, char text[REPORT_NUMBER_TEXT]); /* 12.3; from 1000 on 12 345 */
char *report_page_real(double value, int decimals,
                       char text[REPORT_NUMBER_TEXT]); /* with "%.3g" from 1e9 on */
/* Bytes that are an expectation (a load shared between equally good paths), rounded to whole ones; "-" also
 * when there are too many. */
char *report_page_expected_bytes(double bytes, char text[REPORT_NUMBER_TEXT]);

#endif
