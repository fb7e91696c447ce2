/* Jobs that share a network, as an HTML document.
 *
 *      answer, table        what company costs each job (jobs.c writes them, as in the text)
 *      All jobs together    what each rank does when, in company
 *      a section a job      it alone: the load of the links, which shows where on the machine it is; what its
 *                           ranks do; who sends to whom
 *      Provenance           traces with their hashes, options, version, digest
 *
 * The other pictures are of each job alone, since it is with that run that company is compared; the section
 * says so. */
#include <inttypes.h>
#include <stdio.h>

#include "reports/jobs/internal.h"
#include "reports/pages/clean.h"
#include "reports/run/picture.h"

/* An interrupted run has no timeline: half of one would look like a whole one. */
struct report_run report_jobs_company(const struct report_jobs *jobs)
{
    return (struct report_run){.topology = jobs->topology,
                               .simulated_ns = jobs->simulated_ns,
                               .lanes = jobs->lanes,
                               .machine = &jobs->machine,
                               .interrupted = jobs->interrupted,
                               .is_partial = jobs->interrupted != NULL};
}

/* What is of all of them. */
static void put_company(struct report_page *page, const struct report_jobs *jobs,
                        const struct net_topology *topology)
{
    const struct report_run company = report_jobs_company(jobs);
    const struct report_run_view view = {&company, topology};

    report_page_heading(page, "All jobs together");
    report_run_figure(page, &view, "machine");
    report_run_figure(page, &view, "timeline");
}

/* In the order in which a reader asks: where is it, what does it do, and with whom. */
static void put_pictures(struct report_page *page, const struct report_jobs *jobs,
                         const struct net_topology *topology)
{
    static const char *const kinds[] = {"channel-load", "ranks", "matrix"};

    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_run_view view = {jobs->jobs[i].alone, topology};
        char heading[64];
        int bytes;
        const char *name = report_trace_name(view.run->trace, &bytes);
        snprintf(heading, sizeof heading, "Job %" PRIu32 " alone", i + 1);
        report_page_heading(page, heading);
        report_page_paragraph(page, 0, "%.*s on its partition, the rest of the machine empty.", bytes, name);
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
            report_run_figure(page, &view, kinds[kind]);
        report_coverage_text(page, view.run->coverage, view.run->coverage_count);
    }
}

/* Enough to have the same again: mapping and partition of each job stand with the job. */
static void put_provenance(struct report_page *page, const struct report_jobs *jobs)
{
    const struct report_run *first = jobs->job_count > 0 ? jobs->jobs[0].alone : NULL;

    report_page_heading(page, "Provenance");
    report_page_table(page, "ll");
    report_page_titles(page, "in all jobs|");
    report_page_command(page, jobs->command);
    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_run *alone = jobs->jobs[i].alone;
        report_page_cell(page, "trace of job %" PRIu32, i + 1);
        report_page_cell(page, "%s, trace hash %s", alone->trace,
                         alone->trace_fingerprint == NULL ? "unknown" : alone->trace_fingerprint);
    }
    for (uint32_t i = 0; first != NULL && i < first->option_count; i++)
        if (report_jobs_option_is_common(first->options[i].name))
            report_option_rows(page, &first->options[i], 1);
    report_inputs_rows(page, &jobs->inputs);
    report_page_cell(page, "seed");
    report_page_cell(page, "%" PRIu64, jobs->seed);
    report_page_cell(page, "digest");
    report_page_cell(page, "%s", jobs->digest);
    report_page_program(page);
    report_page_table_end(page);
}

/* The sections of the text stay as they are: the pictures stand behind what they illustrate. */
int report_jobs_html(const struct report_jobs *jobs, const struct net_topology *topology, FILE *stream,
                     struct base_error *error)
{
    struct report_page page;
    char title[256];

    snprintf(title, sizeof title, "%" PRIu32 " job%s on %.80s", jobs->job_count,
             jobs->job_count == 1 ? "" : "s", jobs->topology);
    report_page_begin_markup(&page, stream, title);
    report_jobs_sections(&page, jobs);
    put_company(&page, jobs, topology);
    put_pictures(&page, jobs, topology);
    put_provenance(&page, jobs);
    return report_page_finish(&page, error);
}
