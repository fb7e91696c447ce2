/* A run, a trace and a placement as plain data, small enough to check by hand. */
#ifndef TESTS_REPORTS_SAMPLE_H
#define TESTS_REPORTS_SAMPLE_H

#include "reports/traces/info.h"
#include "reports/placement/placement.h"
#include "reports/run/run.h"

/* Two ranks of 1000 ns: slowdown 1.25. Everything is borrowed from static data; nothing is to be freed. */
struct report_run sample_run(void);
struct report_info sample_info(void);
struct report_placement sample_placement(void);

/* What a writer writes: a text for the caller to free, or NULL when the writer failed. */
typedef int sample_writer(const void *content, FILE *stream, struct base_error *error);
char *sample_text(sample_writer *writer, const void *content, struct base_error *error);

/* Fails the test when a line is wider than `width` columns or ends in a space, or when there is a control
 * character. */
void assert_well_set(const char *text, size_t width);
void assert_contains(const char *text, const char *part);

#endif
