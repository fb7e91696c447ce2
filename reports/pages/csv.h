/* Inside reports/: fields of CSV (RFC 4180). */
/* Used by every writer of CSV whose fields may hold text from outside. A line of a file is a line of the
 * answer unless a field holds a line break, which no field of ours does but a path that somebody named so. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdio.h>

/* A text with the quotes in it doubled, as it stands between quotes. */
void report_csv_quoted(FILE *stream, const char *text);
/* A field: in quotes where a comma, a quote or a line break is part of it, and behind an apostrophe where a spreadsheet
 * would take it for a formula (=, +, -, @, tab, carriage return). */
void report_csv_text(FILE *stream, const char *text);

#endif
