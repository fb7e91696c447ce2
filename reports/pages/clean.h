/* Inside reports/: text from outside (paths, the writer's name, communicators) made fit to print. */
#ifndef REPORT_CLEAN_H
#define REPORT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether text is UTF-8 (RFC 3629: no overlong forms, no surrogates). */
bool report_clean_is_valid(const char *text);
/* The bytes that the results of the functions below may take, terminator included. */
size_t report_clean_room(const char *text);
/* Copies text into clean, with U+FFFD for every byte that is no UTF-8. Returns clean. */
char *report_clean_utf8(const char *text, char *clean);
/* The same, with '?' for every control character, so that a name in a trace cannot move a terminal's cursor, and with
 * "<U+202E>" for what turns the direction of writing or separates lines. */
char *report_clean_printable(const char *text, char *clean);
/* Writes the same with what would be markup in XML and HTML escaped, also between quotes of either kind.
 * Characters that turn the direction of writing or separate lines are '?' too, and what neither of both allows is
 * U+FFFD. At most `most` characters are written, and U+2026 in place of a longer rest. */
void report_clean_markup(FILE *stream, const char *text, size_t most);
/* By what a trace is known: the last part of its path, but that of the directory of a file that every recording has
 * ("cg.A.64" of runs/cg.A.64/traces.otf2). Where it begins in path, and its bytes, for "%.*s". */
const char *report_trace_name(const char *path, int *bytes);
/* The bytes of the first `characters` characters of UTF-8 text, or all of them. */
size_t report_clean_cut(const char *text, size_t characters);
/* Columns that UTF-8 text takes on a terminal: its characters (wide and combining ones are not looked up). */
size_t report_clean_columns(const char *text);

#endif
