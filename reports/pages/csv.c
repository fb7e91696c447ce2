/* Fields of CSV. Paths and sentences may hold anything. */
#include "reports/pages/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Doubling is all that a quoted field needs: commas and line breaks may stand in it. */
void report_csv_quoted(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
}

/* A spreadsheet takes such a cell for a formula, which may start programs; an apostrophe makes it text. A number stays
 * one. */
static bool is_formula(const char *text)
{
    char *end;

    if (*text == '\0' || strchr("=+-@\t\r", *text) == NULL)
        return false;
    strtod(text, &end);
    return end == text || *end != '\0';
}

/* Quotes only where they are needed: names of kinds read better without, and stay as scripts expect them. */
void report_csv_text(FILE *stream, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";

    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(stream, "%s%s", mark, text);
        return;
    }
    fprintf(stream, "\"%s", mark);
    report_csv_quoted(stream, text);
    fputc('"', stream);
}
