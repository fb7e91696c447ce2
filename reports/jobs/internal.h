/* Inside reports/: what the text and the document of several jobs have in common. */
#ifndef REPORT_JOBS_INTERNAL_H
#define REPORT_JOBS_INTERNAL_H

#include "reports/jobs/jobs.h"
#include "reports/pages/page.h"

/* The answer, the table of jobs, each in a line, and the network. */
void report_jobs_sections(struct report_page *page, const struct report_jobs *jobs);

#endif
