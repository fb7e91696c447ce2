/* A page as an HTML document.
 *
 *      head       a policy that allows one script and nothing from elsewhere; the style sheet
 *      a.skip     past the contents, for keyboards
 *      header     the title, and the answer: the paragraphs before anything else
 *      nav        the contents, a link to every heading
 *      main       section by section: heading, paragraphs, tables, figures with SVG drawn into the page
 *
 * The contents stand above what they list and are known only at the end, so all parts are collected in memory and
 * written together. Tables and pictures may be wider than a telephone: each stands in a box that scrolls,
 * and that the keyboard can reach. */
#include <config.h>

#include "reports/pages/markup.h"

#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/text-stream.h"
#include "reports/pages/clean.h"

#define WHOLE SIZE_MAX
#define NAME_MOST 200 /* characters of a title */
#define SHORT_MOST 15 /* bytes of a cell that is not broken */
#define WORD_MOST 24  /* bytes of a word that is not broken behind a hyphen */

struct report_page_markup {
    FILE *out;                                    /* the caller's */
    struct base_text_stream lead, contents, body; /* kept until the end: the contents stand before the body */
    unsigned sections;      /* begun so far, for the numbers that the contents lead to */
    bool is_answer;         /* the paragraphs that come now */
    bool is_below;          /* headings are of parts of a section */
    bool has_pictures_last; /* on paper */
    char *title;
};

/* After a failure a document has no streams any more, so that it is neither: nobody may write to them. */
bool report_page_is_markup(const struct report_page *page)
{
    return page->markup != NULL && !page->failed;
}

/* What is no paragraph ends the answer. Paragraphs before it stand above the contents, so that nobody looks for the
 * answer. */
static void leave_lead(struct report_page *page)
{
    page->stream = page->markup->body.stream;
}

/* The contents have the heading's first words, up to a colon that is no part of a name ("mesh:4x4"). */
static void put_heading(struct report_page *page, const char *text)
{
    struct report_page_markup *markup = page->markup;
    const char *colon = strstr(text, ": ");
    const char *name = base_arena_format(&page->arena, "%.*s",
                                         (int)(colon == NULL ? strlen(text) : (size_t)(colon - text)), text);

    if (page->failed || name == NULL) {
        page->failed = true;
        return;
    }
    leave_lead(page);
    markup->sections++;
    markup->is_answer = false;
    if (!markup->is_below) {
        fprintf(markup->contents.stream, "<li><a href=\"#section-%u\">", markup->sections);
        report_clean_markup(markup->contents.stream, name, WHOLE);
        fputs("</a></li>\n", markup->contents.stream);
    }
    const char *element = markup->is_below ? "h3" : "h2";
    fprintf(page->stream, "</section>\n<section>\n<%s id=\"section-%u\">", element, markup->sections);
    report_clean_markup(page->stream, text, WHOLE);
    fprintf(page->stream, "</%s>\n", element);
}

/* These are for documents alone, as page.h says. */
void report_page_answer(struct report_page *page, bool is_answer)
{
    if (report_page_is_markup(page))
        page->markup->is_answer = is_answer;
}

void report_page_below(struct report_page *page, bool is_below)
{
    if (report_page_is_markup(page))
        page->markup->is_below = is_below;
}

/* Kept until the document is put together: the style sheet does it, by a class that the page then has. */
void report_page_pictures_last(struct report_page *page)
{
    if (report_page_is_markup(page))
        page->markup->has_pictures_last = true;
}

/* The answer is set larger, its first sentence most. */
static void put_paragraph(struct report_page *page, unsigned indent, const char *text)
{
    (void)indent;
    if (page->failed)
        return;
    fputs(page->markup->is_answer ? "<p class=\"answer\">" : "<p>", page->stream);
    report_clean_markup(page->stream, text, WHOLE);
    fputs("</p>\n", page->stream);
}

/* A bar is a box, whose cell has its length in em (put_bar). A row without one has an empty cell. */
static void draw_bar(FILE *stream, const char *cell)
{
    if (strspn(cell, "0.") == strlen(cell))
        fputs("<td class=\"bar\"></td>", stream);
    else
        fprintf(stream, "<td class=\"bar\"><i style=\"width:%sem\"></i></td>", cell);
}

/* Browsers break lines behind any hyphen, and would leave "--" of an option or "king-" of a network at the
 * end of one: such words are kept whole, but paths and others that are long. Copied from the page they are
 * what a shell takes, as no character is added. */
static void put_text(struct report_page *page, const char *cell)
{
    while (*cell != '\0') {
        size_t bytes = strcspn(cell, " ");
        const char *word = base_arena_format(&page->arena, "%.*s", (int)bytes, cell);
        bool is_kept =
            word != NULL && bytes <= WORD_MOST && strchr(word, '-') != NULL && strchr(word, '/') == NULL;
        if (word == NULL) {
            page->failed = true;
            return;
        }
        fputs(is_kept ? "<span class=\"n\">" : "", page->stream);
        report_clean_markup(page->stream, word, WHOLE);
        fputs(is_kept ? "</span>" : "", page->stream);
        for (cell += bytes; *cell == ' '; cell++)
            fputc(' ', page->stream);
    }
}

/* Names that a trace gave may run in another direction than the table: bdi keeps them to their cell. Numbers
 * and what is short ("rank 49 to 62") stay in one line, however narrow the screen is. */
static void put_cell(struct report_page *page, const char *tag, char alignment, const char *cell)
{
    bool is_short = strlen(cell) <= SHORT_MOST && strchr(cell, ' ') != NULL;

    fprintf(page->stream, "<%s%s><bdi>", tag,
            alignment == 'r' ? " class=\"r\""
            : is_short       ? " class=\"n\""
                             : "");
    put_text(page, cell);
    fprintf(page->stream, "</bdi></%.2s>", tag);
}

/* The first cell of a row names it, unless it is a number or empty. */
static void put_row(struct report_page *page, const char *const *cells, size_t columns, bool is_head)
{
    fputs("<tr>", page->stream);
    for (size_t i = 0; i < columns; i++) {
        const char *tag = "td"; /* also over a column without a title, which heads nothing */
        if (is_head && cells[i][0] != '\0')
            tag = "th scope=\"col\"";
        else if (!is_head && i == 0 && page->alignment[0] == 'l' && cells[0][0] != '\0')
            tag = "th scope=\"row\"";
        if (page->alignment[i] == 'b' && !is_head)
            draw_bar(page->stream, cells[i]);
        else
            put_cell(page, tag, page->alignment[i], cells[i]);
    }
    fputs("</tr>\n", page->stream);
}

/* The head row is repeated by printers on every page that the table runs over. */
static void put_table(struct report_page *page)
{
    size_t columns = strlen(page->alignment);
    bool has_head = page->head_cells == columns;

    if (page->failed || page->cell_count < columns)
        return;
    leave_lead(page);
    fprintf(page->stream, "<div class=\"table\" tabindex=\"0\" role=\"group\"%s%u%s><table>\n",
            page->markup->sections > 0 ? " aria-labelledby=\"section-" : " data-section=\"",
            page->markup->sections, "\"");
    for (size_t i = 0; i + columns <= page->cell_count; i += columns) {
        if (i == 0)
            fputs(has_head ? "<thead>\n" : "<tbody>\n", page->stream);
        put_row(page, page->cells + i, columns, i == 0 && has_head);
        if (i == 0 && has_head)
            fputs("</thead>\n<tbody>\n", page->stream);
    }
    fputs("</tbody></table></div>\n", page->stream);
}

/* Browsers open it without a script, and print it open (style.c). */
void report_page_details(struct report_page *page, const char *summary)
{
    if (!report_page_is_markup(page))
        return;
    leave_lead(page);
    fputs("<details><summary>", page->stream);
    report_clean_markup(page->stream, summary, WHOLE);
    fputs("</summary>\n", page->stream);
}

/* Pairs with report_page_details; text has neither, and shows what is between them. */
void report_page_details_end(struct report_page *page)
{
    if (report_page_is_markup(page))
        fputs("</details>\n", page->stream);
}

/* A writer that fails for want of memory leaves a picture cut short, so the page is given up. */
void report_page_figure(struct report_page *page, const char *caption, report_page_picture *draw,
                        const void *content)
{
    struct base_error error = {0};

    if (!report_page_is_markup(page))
        return;
    leave_lead(page);
    fputs("<figure><div class=\"picture\" tabindex=\"0\">", page->stream);
    if (draw(content, page->stream, &error) != 0)
        page->failed = true;
    fputs("</div><figcaption>", page->stream);
    report_clean_markup(page->stream, caption, WHOLE);
    fputs("</figcaption></figure>\n", page->stream);
}

/* What was written to a stream, if anything was. */
static void put_kept(const struct base_text_stream *text, FILE *out)
{
    if (text->size > 0)
        fwrite(text->text, 1, text->size, out);
}

/* The policy is for readers who open a report from elsewhere: whatever a trace managed to put into the page,
 * nothing of it runs (script.c) and nothing is loaded. */
static void put_document(const struct report_page_markup *markup, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '",
          out);
    fprintf(out, "%s'\">\n", report_page_script_hash);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          out);
    report_clean_markup(out, markup->title, NAME_MOST);
    fprintf(out,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header><h1>",
            report_page_style);
    report_clean_markup(out, markup->title, NAME_MOST);
    fputs("</h1>\n<div class=\"lead\">\n", out);
    put_kept(&markup->lead, out);
    fputs("</div></header>\n<nav aria-label=\"Contents\"><ol>\n", out);
    put_kept(&markup->contents, out);
    fprintf(out, "</ol></nav>\n<main id=\"main\" tabindex=\"-1\"%s>\n",
            markup->has_pictures_last ? " class=\"plates\"" : "");
    put_kept(&markup->body, out);
    fputs("</section>\n</main>\n<footer>made by " PACKAGE_NAME " ", out);
    report_clean_markup(out, base_build(), NAME_MOST);
    fprintf(out, "</footer>\n<script>%s</script>\n</body>\n</html>\n", report_page_script);
}

/* A stream into memory fails for want of memory only, and says so when it is closed. */
static void finish_document(struct report_page *page)
{
    struct report_page_markup *markup = page->markup;
    struct base_text_stream *const streams[] = {&markup->lead, &markup->contents, &markup->body};

    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        page->failed |= base_text_stream_close(streams[i]) != 0;
    page->stream = markup->out;
    if (!page->failed)
        put_document(markup, page->stream);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        base_text_stream_free(streams[i]);
    free(markup->title);
    free(markup);
    page->markup = NULL;
}

/* Distances come from the style sheet. */
static void leave_gap(struct report_page *page)
{
    (void)page;
}

/* A reader of cells one by one does not see the heading that explains the columns of text. */
static void put_titles(struct report_page *page, const char *titles)
{
    for (const char *at = titles; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        report_page_cell(page, "%.*s", (int)strcspn(at, "|"), at);
    }
    report_page_head(page);
}

/* The length in em: half an em for a '#' of text. */
static void put_bar(struct report_page *page, double length)
{
    report_page_cell(page, "%.3f", length / 2);
}

const struct report_page_form report_page_markup = {.heading = put_heading,
                                                    .paragraph = put_paragraph,
                                                    .gap = leave_gap,
                                                    .titles = put_titles,
                                                    .bar = put_bar,
                                                    .table = put_table,
                                                    .finish = finish_document};

/* Failures to allocate are told by page->failed, as for the cells; every later call sees a page without
 * streams and does nothing. */
void report_page_begin_markup(struct report_page *page, FILE *stream, const char *title)
{
    struct report_page_markup *markup = calloc(1, sizeof *markup);

    *page = (struct report_page){
        .form = &report_page_text, .stream = stream, .markup = markup, .failed = markup == NULL};
    if (markup == NULL)
        return;
    page->form = &report_page_markup;
    markup->out = stream;
    markup->is_answer = true;
    markup->title = strdup(title);
    page->stream = base_text_stream_open(&markup->lead);
    page->failed = base_text_stream_open(&markup->contents) == NULL || markup->title == NULL;
    page->failed |= base_text_stream_open(&markup->body) == NULL || page->stream == NULL;
    if (!page->failed)
        fputs("<section>\n", markup->body.stream);
}
