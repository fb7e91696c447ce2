/* Inside reports/: the forms of a page (page.h), text and an HTML document. Each function is a call of page.h in that
 * form, with its texts composed. */
#ifndef REPORT_PAGE_MARKUP_H
#define REPORT_PAGE_MARKUP_H

#include "reports/pages/page.h"

struct report_page_form {
    void (*heading)(struct report_page *page, const char *text);
    void (*paragraph)(struct report_page *page, unsigned indent, const char *text);
    void (*gap)(struct report_page *page);
    void (*titles)(struct report_page *page, const char *titles);
    void (*bar)(struct report_page *page, double length); /* a cell, so many '#' of text long */
    void (*table)(struct report_page *page);              /* the cells that the page has collected */
    /* Writes what was kept back and frees it; the page is left with the stream that it was begun with. */
    void (*finish)(struct report_page *page);
};
extern const struct report_page_form report_page_text;   /* page.c */
extern const struct report_page_form report_page_markup; /* markup.c */

/* The style sheet of every document (style.c). */
extern const char report_page_style[];
/* The script of every document, and what a policy calls it: "sha256-…" (script.c). */
extern const char report_page_script[];
extern const char report_page_script_hash[];

#endif
