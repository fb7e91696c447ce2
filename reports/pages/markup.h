/* Inside reports/: a page (page.h) as an HTML document. Each function is a call of page.h in that case, with
 * its texts composed. */
#ifndef REPORT_PAGE_MARKUP_H
#define REPORT_PAGE_MARKUP_H

#include "reports/pages/page.h"

void report_markup_heading(struct report_page *page, const char *text);
void report_markup_paragraph(struct report_page *page, const char *text);
/* The cells that the page has collected. */
void report_markup_table(struct report_page *page);
/* Writes the document and gives its memory back; the page is left with the stream that it was begun with. */
void report_markup_finish(struct report_page *page);

/* The style sheet of every document (style.c). */
extern const char report_page_style[];

#endif
