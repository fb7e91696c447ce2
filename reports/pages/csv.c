/* Fields of CSV. Paths and sentences may hold anything. */
#include "reports/pages/csv.h"

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

/* Quotes only where they are needed: names of kinds read better without, and stay as scripts expect them. */
void report_csv_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    report_csv_quoted(stream, text);
    fputc('"', stream);
}
